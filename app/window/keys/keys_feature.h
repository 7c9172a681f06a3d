// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a key means: the view, unless somebody writes. What boxes and buttons would keep for themselves is seen to before
// they know it.
#pragma once

#include "app/window/feature.h"

class QComboBox;

namespace warpglass {

class KeysFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    void connectAll() override;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QComboBox* m_opened = nullptr; // by the mouse: the list of choices that is open; only compared, never followed
};

} // namespace warpglass
