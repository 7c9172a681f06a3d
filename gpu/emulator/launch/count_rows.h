// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch counted as rows of the trace, and the sites of what others called. An instruction of a header's function
// has a row and a site for each line of the kernel that led to it; one with a generic address a row for each memory space.
#pragma once

#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/trace/trace.h"

#include <map>
#include <utility>
#include <vector>

namespace warpglass::emulator {

void addCounts(Trace& trace, std::uint32_t launch, const LaunchRecord& record);

// The rows of the trace's site table that are of a Program.
class SitesOfKernel {
public:
    SitesOfKernel(const ptx::Module& module, const Program& program, std::uint32_t first)
        : m_module(&module), m_program(&program), m_first(first) {}
    void take(Trace& trace, const RecordedBlock& block); // adds those of its calls that are new
    // site: as in a RecordedEvent of the block that was taken last.
    std::uint32_t of(std::uint32_t site) const {
        const auto own = std::uint32_t(m_program->sites.size());
        return site < own ? m_first + site : m_ofBlock[site - own];
    }

private:
    const ptx::Module* m_module;
    const Program* m_program;
    std::uint32_t m_first;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_called; // as RecordedBlock::called: the site
    std::vector<std::uint32_t> m_ofBlock;
};

} // namespace warpglass::emulator
