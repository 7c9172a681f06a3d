// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// OccupancyText::tr() in every file of this folder.
struct OccupancyText {
    Q_DECLARE_TR_FUNCTIONS(OccupancyView)
};

} // namespace warpglass
