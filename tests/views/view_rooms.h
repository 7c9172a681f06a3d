// SPDX-License-Identifier: GPL-3.0-or-later
// What the window leaves the smallest of its views: read from it, and held to it by test_window_room. The texts of all views
// are looked at in these sizes.
#pragma once

#include <QSize>

#include <array>

namespace warpglass::samples {

struct ViewRoom {
    QSize window; // in its own pixels
    bool sides;   // both stand beside the views, though there is no room for them
    qreal type;
    QSize view;
};

inline const std::array<ViewRoom, 18> viewRooms{{
    {{1024, 700}, false, 1.0, {946, 520}},
    {{1024, 700}, false, 1.6, {898, 476}},
    {{1024, 700}, false, 2.0, {868, 399}},
    {{1024, 700}, true, 1.0, {394, 477}},
    {{1024, 700}, true, 1.6, {426, 481}},
    {{1024, 700}, true, 2.0, {456, 453}},
    {{1280, 720}, false, 1.0, {1202, 544}},
    {{1280, 720}, false, 1.6, {1154, 453}},
    {{1280, 720}, false, 2.0, {1124, 464}},
    {{1280, 720}, true, 1.0, {648, 530}},
    {{1280, 720}, true, 1.6, {594, 458}},
    {{1280, 720}, true, 2.0, {594, 473}},
    {{1600, 900}, false, 1.0, {1522, 724}},
    {{1600, 900}, false, 1.6, {1474, 676}},
    {{1600, 900}, false, 2.0, {1444, 590}},
    {{1600, 900}, true, 1.0, {970, 720}},
    {{1600, 900}, true, 1.6, {794, 651}},
    {{1600, 900}, true, 2.0, {794, 567}},
}};

} // namespace warpglass::samples
