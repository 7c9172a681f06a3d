// SPDX-License-Identifier: GPL-3.0-or-later
// One transport, one cursor: what is in front says which clock it shows. Mostly that is the open trace's, whose time is
// part of the selection that all views share. A page with an example of its own has that example's, and its time is an
// option of the view; the transport then plays the example, and the open trace rests where it was.
#pragma once

#include "app/window/feature.h"
#include "views/common/view.h"

namespace warpglass {

class PlayFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    bool step(int direction) override;
    bool escape() override;
    bool press(const QKeyEvent& key) override;
    void halt() override;
    void readSettings(const QSettings& settings) override;

private:
    void toEvent(int direction);
    // The transport walks along what the view in front shows: the open trace, or one of the view's own. anew: the open
    // trace or its moments are others than before.
    void follow(bool anew);
    std::optional<OwnClock> ownClock() const; // of the view in front
};

} // namespace warpglass
