// SPDX-License-Identifier: GPL-3.0-or-later
// From one launch to another: what a click in the window asks for, worked out without it.
#pragma once

#include "app/window/model/run.h"

#include <QVector>

namespace warpglass {

// A kernel of the catalogue as it is first looked at: its small launch, on the device and with the settings of what is
// open (null: nothing).
RunRequest firstLook(const CatalogueEntry& entry, const Run* open);

// How code is compiled until somebody chooses: as written, so that one sees what one reads; with cycles optimised, since a
// debug build spends its time on other things.
CompileMode usualMode(bool timing);
// With cycles from now on, or without; code whose mode nobody chose gets the usual one.
void recordCycles(RunRequest& request, bool timing);

// The same shape, size and settings for another kernel; parameters that it does not have are left out.
RunRequest withKernel(const RunRequest& request, const std::string& kernel);

// The kernels of the same family, in the catalogue's order and without this one; none for a file.
std::vector<std::string> relatives(const std::string& kernel);

// What compare shows beside a launch if nobody says: the kernel that its documents set against this one, the next of
// the family, or the one before for the last. The request itself if it has no family.
RunRequest partnerOf(const RunRequest& request);

// The same launch? Only of emulated ones: what a GPU measures is another number each time.
bool sameLaunch(const RunRequest& a, const RunRequest& b);

// A launch to be emulated in time: what the launch panel says (asked), or, for a recording, the launch that it keeps
// (app/session/asked.h); from a GPU to its model. Error: it is neither.
Result<RunRequest> timedRequest(const RunRequest& asked, const Run* open);

// The launch of a run in another block shape, compiled otherwise, scheduled otherwise, or on the other backend.
struct Variant {
    QString text; // translated
    RunRequest request;
};
QVector<Variant> variantsOf(const RunRequest& request, Dim3 block, bool gpuUsable);

} // namespace warpglass
