// SPDX-License-Identifier: GPL-3.0-or-later
// The columns beside the views: folded away, put elsewhere, as wide as they were the last time; for each arrangement of the
// window as a person left it there, with what was opened by hand.
#pragma once

#include "app/window/feature.h"

#include <QByteArray>
#include <QMap>

namespace warpglass {

class SidesFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    void foldIfCrowded(int widthBefore, qreal typeBefore); // once there is no room for them

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void offer(QVector<PaletteItem>& items) override;
    void readSettings(const QSettings& settings) override;
    void writeSettings(QSettings& settings) override;

private:
    void fold(); // both, or both are there
    void reset();
    void keep();              // how the place that is left was arranged
    void arrive(Place place); // as it was left
    void putAtFirst(Place place);
    void showOpened();
    bool showsLaunch() const;
    void openLaunch(bool open);
    void turnOpened(bool FirstSides::*which);

    struct Hand {
        QByteArray docks, left, right, middle, step; // states of Qt's
        FirstSides opened;
    };
    QMap<Place, Hand> m_hands;
    Place m_here = Place::None;
    FirstSides m_opened = firstSides(Place::None); // here; of the sides their docks know it
};

} // namespace warpglass
