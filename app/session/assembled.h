// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas makes of a kernel that its PTX does not show: registers, stack, values that it spills to local memory, and what
// it remarks on. And arrays that lie in local memory, since their place is known at run time only.
#pragma once

#include "gpu/base/message.h"
#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"
#include "gpu/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace warpglass::session {

struct Assembled {
    std::uint32_t registers = 0; // a thread
    std::uint64_t stack = 0, spillStores = 0,
                  spillLoads = 0; // bytes a thread; spills as they stand in the code, once each
    struct Remark {
        std::string text;
        int ptxLine = 0; // 0: of the whole kernel
    };
    std::vector<Remark> remarks; // "(C7510) Potential Performance Loss: ..."
};

// What ptxas -v says of that entry; nullopt: nothing.
std::optional<Assembled> assembledOf(const std::string& said, const std::string& entry);

// ptxas asked about the plan's kernel, for the emulated device of that key. nullopt: there is none, or it did not answer.
std::optional<Assembled> assembledOf(const LaunchPlan& plan, const std::string& device);
// About the kernel of a recorded launch, which holds no plan any more.
std::optional<Assembled> assembledOf(const Trace& trace, const std::string& device);

// What of the machine instructions that the launch's warps execute moves spilled values: as often as the lines of PTX run
// that they are of. nullopt: nobody knows the machine code.
struct SpillsExecuted {
    double spills = 0, all = 0; // warp-instructions
};
std::optional<SpillsExecuted> spillsExecuted(const Trace& trace);

// The one array of the kernel's own that its source declares without __shared__; "" if there are several, or none.
std::string localArrayOf(const std::string& source, const std::string& kernel);

// Sentences on what of this costs time in a launch that was recorded; none: nothing does.
std::vector<Said> compilerCosts(const Trace& trace, const LaunchPlan& plan, const std::optional<Assembled>& assembled);

// Lines for a person, and an object ("ptxas"); empty without an answer.
std::string assembledText(const Trace& trace, const std::optional<Assembled>& assembled);
nlohmann::ordered_json assembledJson(const Trace& trace, const std::optional<Assembled>& assembled);

} // namespace warpglass::session
