// SPDX-License-Identifier: GPL-3.0-or-later
// The launches of tests/model/kernels: kernels that the timing model was not made with, as PTX files.
#pragma once

#include "app/session/session.h"

#include <string>
#include <vector>

namespace warpglass::testing {

struct UnseenLaunch {
    std::string name;   // "gather(1M_of_4096)"
    std::string role;   // "unseen-fit": may be looked at while the model is improved; "unseen-test": may not
    std::string launch; // the words of `warpglass-record run`, started in tests/model/kernels
    std::string kernel() const { return name.substr(0, name.find('(')); }
};
std::vector<UnseenLaunch> unseenLaunches(); // kernels/launches.txt; a kernel's smallest launch first

// WARPGLASS_ALL=1 (docs/contributing.md, "What waits for the night"): all launches are asked, not each kernel's first or so.
bool allAreAsked();

Dim3 shapeOf(const std::string& text); // "32,8" or "32x8"; what is missing is 1

bool isFileLaunch(const std::string& launch); // its first word names a PTX file, not a kernel of the catalogue
Result<session::RunRequest> requestOfFileLaunch(const std::string& launch);
// Of the catalogue or a file: "reduce0 --size 128 --block 32x4 --set stride=2 --mode as-written".
Result<LaunchPlan> planOfLaunch(const std::string& launch);

} // namespace warpglass::testing
