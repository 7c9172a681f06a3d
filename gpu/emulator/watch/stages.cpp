// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/stages.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/async_proxy.h"
#include "gpu/emulator/watch/program_checks.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostStages = 64; // of a block

StageState* stagesOf(BlockState& block) {
    return block.async && !block.async->stages.warps.empty() ? &block.async->stages : nullptr;
}

void join(StageState::Clock& clock, const StageState::Clock& other) {
    for (std::size_t w = 0; w < clock.size(); ++w)
        clock[w] = std::max(clock[w], other[w]);
}

// Whether the reads of that warp are done as far as the asker knows. Of four warps' product one may speak for all.
bool isKnown(const StageState::Stage& stage, std::uint32_t reader, const StageState::Clock& asker) {
    if (!stage.reads[reader].byProduct)
        return asker[reader] >= stage.reads[reader].at;
    for (std::uint32_t w = reader / 4 * 4; w < reader / 4 * 4 + 4; ++w)
        if (stage.reads[w].byProduct && asker[w] >= stage.reads[w].at)
            return true;
    return false;
}

bool readsStage(Exec& x, const Inst& in) {
    if (x.checkMemory && stagesOf(*x.block)) {
        const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
        if (m != 0) {
            const auto lane = std::size_t(std::countr_zero(m));
            const auto base = [&] {
                return in.memory.noBase        ? 0
                       : in.memory.wideAddress ? rowAt<const std::uint64_t>(x, in.a)[lane]
                                               : std::uint64_t(rowAt<const std::uint32_t>(x, in.a)[lane]);
            };
            std::uint64_t at = base() + std::uint64_t(in.memory.offset);
            if (x.program->info[in.index].genericSpace)
                at -= sharedWindow;
            readStage(x, in, {at, at + 1}, false);
        }
    }
    return x.program->stageReads[in.index](x, in);
}

} // namespace

bool fillStage(Exec& x, const Inst& in, const PendingCopy& copy) {
    if (!copy.bulk || copy.barrier == noIndex || x.block->cluster || copy.writes.first >= copy.writes.end)
        return false;
    StageState& s = asyncOf(*x.block).stages;
    if (s.warps.empty()) {
        s.warps.resize(x.block->warpCount);
        for (std::size_t w = 0; w < s.warps.size(); ++w)
            s.warps[w][w] = 1;
    }
    const std::uint32_t me = x.warp->number;
    bool told = false;
    for (const StageState::Stage& stage : s.stages) {
        if (!copy.writes.meets(stage.begin, stage.end))
            continue;
        for (std::uint32_t w = 0; w < s.warps.size() && !told; ++w) {
            const StageState::Read& r = stage.reads[w];
            if (r.at == 0 || w == me || (r.byProduct && w / 4 == me / 4) || isKnown(stage, w, s.warps[me]))
                continue;
            told = true;
            if (!x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
                x.diagnostics->add(
                    x, DiagnosticKind::AsyncHazard, in.index, std::countr_zero(x.mask), sharedWindow + stage.begin,
                    say::StageRefilled(sharedText(x, copy.writes.first, 4), w, placeText(*x.program, r.position)));
        }
    }
    std::erase_if(s.stages, [&](const StageState::Stage& stage) { return copy.writes.meets(stage.begin, stage.end); });
    if (s.stages.size() < mostStages)
        s.stages.push_back({copy.writes.first, copy.writes.end, {}});
    return told;
}

void readStage(Exec& x, const Inst& in, const Hull& bytes, bool byProduct) {
    StageState* const s = stagesOf(*x.block);
    if (!s)
        return;
    const std::uint32_t me = x.warp->number;
    for (StageState::Stage& stage : s->stages)
        if (bytes.meets(stage.begin, stage.end))
            stage.reads[me] = {s->warps[me][me], in.index, byProduct};
}

void arriveForStages(Exec& x, std::uint32_t barrier) {
    StageState* const s = stagesOf(*x.block);
    if (!s)
        return;
    StageState::Clock& mine = s->warps[x.warp->number];
    join(s->given[barrier], mine);
    ++mine[x.warp->number];
}

void waitForStages(Exec& x, std::uint32_t barrier) {
    if (StageState* const s = stagesOf(*x.block))
        if (const auto over = s->over.find(barrier); over != s->over.end())
            join(s->warps[x.warp->number], over->second);
}

void endPhaseForStages(BlockState& block, std::uint32_t barrier) {
    if (StageState* const s = stagesOf(block))
        s->over[barrier] = s->given[barrier];
}

void meetForStages(BlockState& block) {
    StageState* const s = stagesOf(block);
    if (!s)
        return;
    StageState::Clock all{};
    for (const StageState::Clock& clock : s->warps)
        join(all, clock);
    for (std::size_t w = 0; w < s->warps.size(); ++w) {
        s->warps[w] = all;
        ++s->warps[w][w];
    }
}

// Loads of shared memory, in programs whose copies tell an mbarrier.
void markStageReads(Program& program) {
    if (std::none_of(program.asyncs.begin(), program.asyncs.end(), [](const AsyncInst& a) {
            return (a.op == AsyncOp::CopyBulk || a.op == AsyncOp::CopyTensor) && a.byBarrier;
        }))
        return;
    program.stageReads.resize(program.code.size());
    for (std::size_t at = 0; at < program.code.size(); ++at) {
        const InstInfo& info = program.info[at];
        const bool loads = info.source && info.isMemory && !info.isAsync &&
                           (info.is.opcode == ptx::Opcode::Ldmatrix ||
                            (ptx::row(info.is.opcode).family == ptx::Family::Load && info.access == AccessKind::Load));
        if (loads && (info.genericSpace || info.space == MemorySpace::Shared))
            program.stageReads[at] = std::exchange(program.code[at].run, &readsStage);
    }
}

} // namespace warpglass::emulator
