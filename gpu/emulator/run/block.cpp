// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/block.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/run/other_order.h"
#include "gpu/emulator/run/placement.h"
#include "gpu/emulator/run/standing.h"
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/emulator/watch/touch_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warpglass::emulator {

BlockRunner::~BlockRunner() {
    noteAllOpen(m_exec);
    for (const auto& warp : m_block.warps)
        m_exec.device->kept -= warp->kept;
}

BlockRunner::BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                         const std::vector<std::byte>& constants, DeviceState& device, Progress& progress,
                         Counters* counters)
    : m_launch(launch), m_options(options), m_progress(progress), m_diagnostics(std::make_unique<Diagnostics>()),
      m_shapes(std::make_unique<AccessShapes>()) {
    const Program& program = *launch.program;
    if (!counters)
        m_counters.reset(program);
    m_block.launch = launch.launch;
    m_block.threads = std::uint32_t(launch.block.count());
    m_block.warpCount = warpsFor(m_block.threads);
    const std::uint32_t bytes =
        program.usesReservedShared ? reservedSharedAt(launch.sharedBytes) + reservedSharedBytes : launch.sharedBytes;
    m_block.shared.resize(bytes);
    if (options.asked.checkMemory) {
        m_block.notes.reset(bytes, program.fineShared ? 1 : 4);
        if (program.readsByProxy)
            m_block.notes.keepPast();
    }
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w) {
        auto warp = std::make_unique<WarpContext>();
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
    if (options.asked.adverse)
        m_turned = otherOrder(m_block.warpCount, *options.asked.adverse);
    m_exec.block = &m_block;
    m_exec.launch = &launch;
    m_exec.program = &program;
    m_exec.global = &memory;
    m_exec.constants = AddressedBytes::readOnly(constants);
    m_exec.counters = counters ? counters : &m_counters;
    m_exec.diagnostics = m_diagnostics.get();
    m_exec.device = &device;
    m_exec.shapes = m_shapes.get();
    m_exec.passes = &addressPasses();
    m_exec.checkMemory = options.asked.checkMemory;
    m_exec.checkFirstUse = options.asked.checkFirstUse;
    m_exec.races = options.races;
    m_exec.hang = options.hang;
    m_exec.use = options.use;
    m_exec.afterLaunches = options.afterLaunches;
    m_exec.word = options.word;
    m_exec.variable = options.variable;
    m_exec.twin = options.twin;
    m_exec.reportFaults = options.asked.onFault == OnFault::Report;
    m_exec.chooseWatchers();
    m_exec.independent = options.asked.reconvergence == Reconvergence::IndependentThreads;
    m_exec.takenSideFirst = options.asked.takenSideFirst;
    m_exec.computeSeven = options.device.ccMajor >= 7;
    m_exec.limit = options.asked.instructionLimit ? options.asked.instructionLimit : bounds.instructionsOfWarp;
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
    x.sample = m_options.sample && m_options.sample->covers(index) ? m_options.sample : nullptr;
    x.sampleLeft = TouchSample::sectorsOfBlock;
    x.apart = false;
    x.polls = {};
    b.index = index;
    b.blockIdx = m_launch.grid.at(index);
    b.liveThreads = b.threads;
    b.barriers = {};
    ++b.epoch;
    b.notes.beginBlock();
    b.sm = smOf(index, x.device->smCount);
    b.shared.clear();
    x.recorder = recorder;
    b.async.reset();
    b.tensor.reset();
    b.timed = false;
    x.chooseWatchers();
    b.clockBase = 0;
    if (m_clusters)
        m_clusters->enter(b, recorder);
    for (std::uint32_t w = 0; w < b.warpCount; ++w) {
        startWarp(x, *b.warps[w]);
        if (recorder)
            recorder->event(*b.warps[w], EventKind::Entry, x.program->entrySite, b.warps[w]->live, {}, 0);
    }
}

namespace {

// Whether the last turn that ended in waiting, at this answer if lanes take turns, ended just so.
bool waitedSo(WarpContext& warp, VainTurn turn, bool apart) {
    if (!apart) {
        const bool same = !warp.vain.empty() && warp.vain.back().state == turn.state;
        warp.vain.assign(1, turn);
        return same;
    }
    const auto last =
        std::find_if(warp.vain.begin(), warp.vain.end(), [&](const VainTurn& v) { return v.answer == turn.answer; });
    const bool same = last != warp.vain.end() && last->state == turn.state;
    if (last != warp.vain.end())
        warp.vain.erase(last);
    else if (warp.vain.size() == 32)
        warp.vain.erase(warp.vain.begin());
    warp.vain.push_back(turn);
    return same;
}

} // namespace

// A slice of one warp: whether it did more than wait. Paths of independent threads may all have to be asked before it is
// clear that the warp as a whole waits: each has run when the registers have stayed for several turns a path.
Moved BlockRunner::run(WarpContext& warp, std::uint64_t slice) {
    Exec& x = m_exec;
    const std::uint64_t before = warp.issued;
    x.sliceEnd = std::min(warp.issued + slice, x.limit);
    if (x.polls.used || x.polls.waits || x.polls.restless)
        x.polls.beginTurn();
    runWarp(x, warp);
    m_polled |= x.polls.used;
    if (warp.issued == before)
        return Moved::Nothing;
    if (x.stop != Stop::Slice || !(x.polls.waits || x.polls.restless))
        return Moved::Work;
    if (!x.polls.waits)
        return Moved::Tries;
    // It may have found what it waited for, gone on, and come to wait again.
    const bool same = waitedSo(warp, {x.polls.at, x.polls.state}, x.apart);
    warp.vainTurns = same ? warp.vainTurns + 1 : 0;
    if (!same)
        return Moved::Work;
    if (!x.independent && !x.apart)
        return Moved::Nothing;
    const auto paths = std::count_if(warp.stack.begin(), warp.stack.end(), [](const StackEntry& e) {
        return e.state == EntryState::Ready && e.children == 0;
    });
    if (paths > 1 && warp.vainTurns < 8 * paths)
        return Moved::Work;
    return x.apart && departEarly(warp) ? Moved::Work : Moved::Nothing;
}

bool BlockRunner::letLanesGoApart() {
    bool anybody = false;
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w) {
        WarpContext& warp = *m_block.warps[w];
        if (warp.done)
            continue;
        const auto paths = std::count_if(warp.stack.begin(), warp.stack.end(), [](const StackEntry& e) {
            return e.state == EntryState::Ready && e.children == 0;
        });
        anybody |= (!m_exec.apart && paths > 1) || departEarly(warp);
    }
    m_exec.apart |= anybody;
    return anybody;
}

// What its warps keep of registers and local memory before they call anything: many blocks may live at a time, each with
// some MB a warp. False: that is too much, and is told.
bool BlockRunner::countFrames() {
    if (std::exchange(m_isCounted, true))
        return true;
    const FunctionCode& entry = m_exec.program->functions[0];
    const std::uint64_t each =
        sizeof(WarpContext) + sizeof(Frame) + std::max<std::uint64_t>(entry.frameBytes, 256) + entry.localBytes * 32ull;
    WarpContext& first = *m_block.warps[0];
    m_exec.warp = &first;
    first.kept += each * m_block.warpCount;
    return keep(m_exec, m_exec.program->code[entry.first], 0, each * m_block.warpCount);
}

Turn BlockRunner::turn(std::uint64_t slice, bool once) {
    Exec& x = m_exec;
    BlockState& b = m_block;
    if (!countFrames())
        return Turn::Failed;
    m_moved = Moved::Nothing;
    m_polled = false;
    const std::uint64_t before = issued();
    std::uint32_t left = 0;
    for (std::uint32_t w = 0; w < b.warpCount; ++w)
        left += !b.warps[w]->done;
    while (left > 0) {
        Moved moved = Moved::Nothing;
        bool waits = false;
        for (std::uint32_t n = 0; n < b.warpCount; ++n) {
            WarpContext& warp = *b.warps[m_turned.empty() ? n : m_turned[n]];
            if (warp.done)
                continue;
            moved = std::max(moved, run(warp, slice));
            waits |= x.stop == Stop::Slice;
            if (x.stop == Stop::Done || warp.exited == warp.live) {
                warp.done = true;
                moved = Moved::Work;
                --left;
            }
            if (x.stop == Stop::Fault || m_progress.cancelled())
                return Turn::Failed;
        }
        for (std::uint32_t w = 0; moved == Moved::Nothing && !waits && !x.independent && w < b.warpCount; ++w)
            if (!b.warps[w]->done && departEarly(*b.warps[w]))
                moved = Moved::Work;
        m_moved = std::max(m_moved, moved);
        if (left > 0 && once && moved != Moved::Nothing)
            return Turn::Waits;
        // It may ask so many words that it is not seen to wait, or, in another order, have come before who writes what it looks at.
        if (left > 0 && (m_polled || !m_turned.empty()) && issued() - before > bounds.turnOfBlock)
            return Turn::Waits;
        if (moved == Moved::Work || left == 0)
            continue;
        if (waits || waitsForCluster())
            return Turn::Waits;
        deadlock();
        return Turn::Failed;
    }
    end();
    return Turn::Ended;
}

bool BlockRunner::waitsForCluster() const {
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w)
        for (const StackEntry& e : m_block.warps[w]->stack)
            if (e.state == EntryState::AtCluster)
                return true;
    return false;
}

void BlockRunner::end() {
    if (m_block.async || m_block.cluster) {
        m_exec.warp = m_block.warps[0].get();
        finishBlock(m_exec);
    }
    Clusters::leave(m_block);
}

std::int64_t BlockRunner::steps() {
    std::int64_t steps = 1;
    for (std::uint32_t w = 0; w < m_block.warpCount; ++w) {
        const WarpContext& warp = *m_block.warps[w];
        steps = std::max(steps, warp.clock);
        if (Recorder* recorder = m_exec.recorder) {
            if (recorder->block().warps.size() <= w)
                recorder->block().warps.resize(w + 1);
            recorder->end(w, warp.live, warp.clock);
        }
    }
    return steps;
}

void BlockRunner::deadlock() {
    const Standing standing(m_launch, *m_exec.global, {&m_block}, m_options.hang);
    std::vector<Message> who;
    for (std::size_t w = 0; w < standing.waits().size(); ++w)
        who.push_back(standing.sentenceOfBlock(w));
    const std::uint32_t position = standing.waits().empty() ? 0 : standing.position(0);
    const Message stuck = say::BlockHangs(who);
    m_diagnostics
        ->add(m_exec, DiagnosticKind::Deadlock, position, -1, 0, standing.isRing() ? say::InARing(stuck) : stuck, true)
        .waits = standing.waits();
}

} // namespace warpglass::emulator
