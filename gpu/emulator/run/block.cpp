// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/bounds.h"
#include "gpu/emulator/run/diagnostics.h"
#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/run/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpglass::emulator {

BlockRunner::~BlockRunner() = default;

BlockRunner::BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                         const std::vector<std::byte>& constants, DeviceState& device, Progress& progress)
    : m_launch(launch), m_options(options), m_progress(progress), m_diagnostics(std::make_unique<Diagnostics>()) {
    const Program& program = *launch.program;
    m_counters.reset(program);
    m_block.launch = launch.launch;
    m_block.threads = std::uint32_t(launch.block.count());
    m_block.warpCount = warpsFor(m_block.threads);
    const std::uint32_t bytes =
        program.usesReservedShared ? reservedSharedAt(launch.sharedBytes) + reservedSharedBytes : launch.sharedBytes;
    m_block.shared.resize(bytes);
    if (options.checkMemory)
        m_block.cells.resize(program.fineShared ? bytes : (bytes + 3) / 4);
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w) {
        auto warp = std::make_unique<Warp>();
        warp->number = w;
        warp->live = LaneMask::firstLanes(int(std::min(32u, m_block.threads - w * 32)));
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const Dim3 t = launch.block.at(std::uint64_t(w) * 32 + lane);
            warp->tid[0][lane] = t.x;
            warp->tid[1][lane] = t.y;
            warp->tid[2][lane] = t.z;
        }
        m_block.warps.push_back(std::move(warp));
    }
    m_exec.block = &m_block;
    m_exec.launch = &launch;
    m_exec.program = &program;
    m_exec.global = &memory;
    m_exec.constants = &constants;
    m_exec.counters = &m_counters;
    m_exec.diagnostics = m_diagnostics.get();
    m_exec.device = &device;
    m_exec.checkMemory = options.checkMemory;
    m_exec.independent = options.independent;
    m_exec.takenSideFirst = options.takenSideFirst;
    m_exec.computeSeven = options.computeSeven;
    m_exec.limit = options.instructionLimit ? options.instructionLimit : bounds.instructionsOfWarp;
    m_exec.address.fill(0);
    m_exec.expand(~0u);
}

std::vector<Diagnostic> BlockRunner::diagnostics() {
    return m_diagnostics->take();
}

std::uint64_t BlockRunner::issued() const {
    std::uint64_t sum = 0;
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w)
        sum += m_block.warps[w]->issued;
    return sum;
}

void BlockRunner::begin(std::uint64_t index, Recorder* recorder) {
    Exec& x = m_exec;
    BlockState& b = m_block;
    x.touchesLeft = m_touchesPerBlock;
    b.index = index;
    b.blockIdx = m_launch.grid.at(index);
    b.liveThreads = b.threads;
    b.barriers = {};
    b.firstEpoch = ++b.epoch;
    b.sm = smOf(index, x.device->smCount);
    std::fill(b.shared.begin(), b.shared.end(), std::byte{0});
    x.recorder = recorder;
    for (std::uint32_t w = 0; w < b.warpCount; ++w) {
        startWarp(x, *b.warps[w]);
        if (recorder)
            recorder->event(*b.warps[w], EventKind::Entry, x.program->entrySite, b.warps[w]->live, {}, 0);
    }
}

std::int64_t BlockRunner::finish(bool& ok) {
    Exec& x = m_exec;
    BlockState& b = m_block;
    ok = true;
    std::uint32_t left = 0;
    for (std::uint32_t w = 0; w < b.warpCount; ++w)
        left += !b.warps[w]->done;
    while (left > 0) {
        bool progress = false;
        for (std::uint32_t w = 0; w < b.warpCount; ++w) {
            Warp& warp = *b.warps[w];
            if (warp.done)
                continue;
            const std::uint64_t before = warp.issued;
            x.sliceEnd = std::min(warp.issued + bounds.slice, x.limit);
            runWarp(x, warp);
            progress |= warp.issued != before;
            if (x.stop == Stop::Done || warp.exited == warp.live) {
                warp.done = true;
                progress = true;
                --left;
            }
            if (x.stop == Stop::Fault || m_progress.cancelled()) {
                ok = false;
                break;
            }
        }
        if (!ok)
            break;
        for (std::uint32_t w = 0; !progress && !x.independent && w < b.warpCount; ++w)
            progress = !b.warps[w]->done && departEarly(*b.warps[w]);
        if (!progress && left > 0) {
            deadlock();
            ok = false;
            break;
        }
    }
    std::int64_t steps = 1;
    for (std::uint32_t w = 0; w < b.warpCount; ++w) {
        steps = std::max(steps, b.warps[w]->clock);
        if (x.recorder) {
            if (x.recorder->block().warps.size() <= w)
                x.recorder->block().warps.resize(w + 1);
            x.recorder->block().warps[w].live = b.warps[w]->live;
            x.recorder->block().warps[w].end = b.warps[w]->clock;
        }
    }
    return steps;
}

void BlockRunner::deadlock() {
    // Who waits where: warps that wait at the same place are told together.
    std::map<std::string, std::vector<std::uint32_t>> places;
    std::uint32_t position = 0;
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w) {
        const Warp& warp = *m_block.warps[w];
        for (const StackEntry& e : warp.stack) {
            if (e.state == EntryState::AtBarrier) {
                position = e.pc - 1;
                auto& list = places[fmt::format("barrier {} at {}", e.barrier, placeText(*m_exec.program, position))];
                if (list.empty() || list.back() != w)
                    list.push_back(w);
            } else if (e.state == EntryState::AtSync || e.state == EntryState::AtWarpSync) {
                position = e.state == EntryState::AtSync ? e.pc : e.pc - 1;
                auto& list =
                    places[fmt::format("the other lanes of their warp at {}", placeText(*m_exec.program, position))];
                if (list.empty() || list.back() != w)
                    list.push_back(w);
            }
        }
    }
    std::string who;
    for (const auto& [place, warps] : places) {
        if (!who.empty())
            who += "; ";
        const std::size_t shown = std::min<std::size_t>(warps.size(), 8);
        who += fmt::format("{} {}{} {} for {}", warps.size() == 1 ? "warp" : "warps",
                           fmt::join(warps.begin(), warps.begin() + std::ptrdiff_t(shown), ", "),
                           warps.size() > shown ? fmt::format(" and {} more", warps.size() - shown) : "",
                           warps.size() == 1 ? "waits" : "wait", place);
    }
    m_diagnostics->add(m_exec, DiagnosticKind::Deadlock, position, -1, 0,
                       fmt::format("The block can never go on: {}. Threads that they wait for never come there", who),
                       true);
}

} // namespace warpglass::emulator
