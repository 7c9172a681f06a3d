// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// SchedulerText::tr() in every file of this folder.
struct SchedulerText {
    Q_DECLARE_TR_FUNCTIONS(SchedulerView)
};

} // namespace warpglass
