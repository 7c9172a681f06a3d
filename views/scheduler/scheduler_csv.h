// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/scheduler/little.h"
#include "views/scheduler/scheduler_model.h"

#include <QString>

namespace warpglass {

// Tables of the pages, header first; every row ends with its origin.
QString cyclesCsv(const SchedulerModel& model, CycleRange window); // a row a state of a warp, cut to the window
QString policiesCsv(const std::vector<std::shared_ptr<const SchedulerModel>>& models); // a row a run
QString littleCsv(const LittleFigures& figures, const ResidentWarps& resident);

} // namespace warpglass
