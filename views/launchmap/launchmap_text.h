// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

struct LaunchMapText {
    Q_DECLARE_TR_FUNCTIONS(launchmap)
};

} // namespace warpglass
