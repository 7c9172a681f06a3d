// SPDX-License-Identifier: GPL-3.0-or-later
// resources/model/today.csv: what the programs of this folder took on an H100 launch by launch, what the model says, and how far it is off.
#pragma once

#include <string>
#include <vector>

namespace warpglass::testing {

struct TodayLaunch {
    std::string program, name; // rows, softmax_warp_1024
    std::string kind;          // "attention by wgmma"; those that take less are "under 3 us"
    std::string role;          // fit: may be looked at while the model is improved; aside: in sum only
    std::string cache;         // cold: nothing of its data lies in L2; warm: behind itself
    std::string kernel, grid, block;
    double measuredNs = 0; // CUPTI's, the median of three runs
    double modelledNs = 0; // 0: the model was not asked yet
    std::string likeness;  // KernelKind's word: what its instructions say of it
    bool cold() const { return cache == "cold"; }
    double ratio() const { return modelledNs / measuredNs; }
};
std::vector<TodayLaunch> todayLaunches();
std::string todayText(const std::vector<TodayLaunch>& launches); // the file

struct TodayError {
    int launches = 0;
    double mean = 0, median = 0; // of |modelled / measured - 1|
    double worst = 1;            // modelled / measured, of the launch that is off by the greatest factor
    double rank = 0;             // Spearman's
};
TodayError errorOf(const std::vector<TodayLaunch>& launches);

// A row for each class and role, then for all of a role; only what the model was asked about.
std::string todayTable(const std::vector<TodayLaunch>& launches);

} // namespace warpglass::testing
