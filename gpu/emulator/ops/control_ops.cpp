// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/emulator/ops/cluster_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/state/cluster.h"

#include <fmt/format.h>

#include <bit>

namespace warpglass::emulator {

namespace {

void copyWords(Exec& x, std::byte* to, const ParamSlot& toSlot, const std::byte* from, const ParamSlot& fromSlot,
               std::uint32_t m) {
    using Kind = ParamSlot::Kind;
    if (toSlot.kind == Kind::Predicate && fromSlot.kind == Kind::Predicate) {
        std::uint32_t now = 0, given = 0;
        std::memcpy(&now, to + toSlot.row, 4);
        std::memcpy(&given, from + fromSlot.row, 4);
        now = (now & ~m) | (given & m);
        std::memcpy(to + toSlot.row, &now, 4);
        return;
    }
    if (toSlot.kind == Kind::Register || fromSlot.kind == Kind::Register) {
        // A register's words stand side by side in its lane.
        const auto place = [](const ParamSlot& s, std::uint32_t lane, std::uint32_t w) {
            return s.kind == Kind::Register ? 4 * (lane * s.words + w) : 128 * w + 4 * lane;
        };
        for (; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            for (std::uint32_t w = 0; w < std::min(toSlot.words, fromSlot.words); ++w)
                std::memcpy(to + toSlot.row + place(toSlot, lane, w), from + fromSlot.row + place(fromSlot, lane, w),
                            4);
        }
        return;
    }
    const std::uint32_t words = std::min(toSlot.words, fromSlot.words);
    for (std::uint32_t w = 0; w < words; ++w) {
        auto* d = reinterpret_cast<std::uint32_t*>(to + toSlot.row + w * 128);
        const auto* s = reinterpret_cast<const std::uint32_t*>(from + fromSlot.row + w * 128);
        storeLanes(x, m, d, [=](int i) { return s[i]; });
    }
}

// The sides of a branch, in the order they run.
void part(Exec& x, const Inst& in, std::uint32_t first, std::uint32_t firstPc, std::uint32_t second,
          std::uint32_t secondPc) {
    const BranchPart& b = in.branch;
    if (!x.independent) {
        if (b.leaving != ptx::Meeting::Side::None) {
            const bool isFirst = (b.leaving == ptx::Meeting::Side::Target) == (firstPc == b.target);
            if (jumpOver(x, isFirst ? first : second, isFirst ? firstPc : secondPc, isFirst ? secondPc : firstPc,
                         b.reconvergence))
                return;
        }
        for (std::uint32_t k = b.outer; k < b.outer + b.outers; ++k)
            waitBehind(x, x.program->meets[k]);
    }
    diverge(x, first, firstPc, second, secondPc,
            b.meetsAround && x.reconvergenceFrame == x.frame ? x.reconvergence : b.reconvergence);
}

bool branch(Exec& x, const Inst& in) {
    const auto target = in.branch.target;
    if (!in.guard) {
        x.pc = target;
        return true;
    }
    const std::uint32_t taken = guardMask(x, in), other = x.mask & ~taken;
    BranchCount& count = x.counters->branch[in.index];
    count.takenLanes += std::uint32_t(std::popcount(taken));
    if (x.recorder)
        x.recorder->event(*x.warp, EventKind::Branch, x.program->info[in.index].site, {x.mask}, {taken},
                          x.warp->clock - 1);
    if (other == 0 || taken == 0) {
        x.pc = other == 0 ? target : in.index + 1;
        const auto side = other == 0 ? ptx::Meeting::Side::Target : ptx::Meeting::Side::Next;
        if (in.branch.leaving == side && !x.independent) // or they would pass where others wait for them
            jumpOver(x, x.mask, x.pc, x.pc, in.branch.reconvergence);
    } else {
        ++count.divergent;
        if (x.takenSideFirst)
            part(x, in, taken, target, other, in.index + 1);
        else
            part(x, in, other, in.index + 1, taken, target);
    }
    return true;
}

bool indexedBranch(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const auto& targets = x.program->targets[in.branch.targets];
    const auto* index = rowAt<const std::uint32_t>(x, in.a);
    std::uint32_t rest = m;
    const auto fall = x.mask & ~m; // a guarded brx.idx
    const auto targetOf = [&](int lane) { return targets[std::min<std::size_t>(index[lane], targets.size() - 1)]; };
    if (m == 0) {
        x.pc = in.index + 1;
        return true;
    }
    const std::uint32_t first = targetOf(std::countr_zero(m));
    std::uint32_t same = 0;
    for (std::uint32_t r = rest; r; r &= r - 1)
        same |= std::uint32_t(targetOf(std::countr_zero(r)) == first) << std::countr_zero(r);
    if (same == x.mask) {
        x.pc = first;
        return true;
    }
    // One side against all others, which come back here: the same instruction then splits them further.
    BranchCount& count = x.counters->branch[in.index];
    ++count.divergent;
    if (fall != (x.mask & ~same)) { // coming back is no second execution
        x.counters->executionsFix[in.index] -= 1;
        x.counters->lanesFix[in.index] -= std::popcount(x.mask & ~same);
    }
    part(x, in, same, first, x.mask & ~same, fall == (x.mask & ~same) ? in.index + 1 : in.index);
    return true;
}

// Why a function that only the run finds cannot be called here; nullptr: it can. Of others the decoder has asked.
std::optional<MessageForm<0>> unlike(const CallSite& site, const FunctionCode& code) {
    const auto agree = [](const std::vector<ParamSlot>& given, const std::vector<ParamSlot>& own) {
        for (std::size_t k = 0; k < given.size() && k < own.size(); ++k)
            if (!given[k].agrees(own[k]))
                return false;
        return true;
    };
    return code.source->isEntry                  ? std::optional(say::CalleeKernel)
           : !agree(site.arguments, code.params) ? std::optional(say::CalleeParameters)
           : !agree(site.results, code.returns)  ? std::optional(say::CalleeResults)
                                                 : std::optional<MessageForm<0>>();
}

bool call(Exec& x, const Inst& in) {
    const CallSite& site = x.program->calls[in.call.site];
    std::uint32_t m = activeMask(x, in);
    if (m != x.mask) { // a guarded call: the others wait behind it
        if (m == 0) {
            x.pc = in.index + 1;
            return true;
        }
        ++x.counters->branch[in.index].divergent; // as the branch around it that a GPU has
        x.counters->executionsFix[in.index] -= 1; // coming back is no second execution
        x.counters->lanesFix[in.index] -= std::popcount(m);
        diverge(x, m, in.index, x.mask & ~m, in.index + 1, in.index + 1);
        return true;
    }
    std::uint32_t callee = site.function;
    if (callee == noIndex) {
        const auto* pointer = rowAt<const std::uint64_t>(x, site.pointer);
        const int lane = std::countr_zero(m);
        std::uint32_t same = 0;
        for (std::uint32_t r = m; r; r &= r - 1)
            same |= std::uint32_t(pointer[std::countr_zero(r)] == pointer[lane]) << std::countr_zero(r);
        if (same != m) {
            ++x.counters->branch[in.index].divergent; // as a branch through a table
            diverge(x, same, in.index, m & ~same, in.index, in.index + 1);
            if (!x.independent) { // both come back here, one after the other: one execution a target
                x.counters->executionsFix[in.index] -= 1;
                x.counters->lanesFix[in.index] -= std::popcount(m);
                return true;
            }
            // Entries that stand at one place would join again: these lanes go on at once, the others come back.
            x.counters->lanesFix[in.index] -= std::popcount(m & ~same);
            m = same;
        }
        const auto found = windowOf(pointer[lane]) == Window::Code
                               ? x.program->functionOfModule.find(std::uint32_t((pointer[lane] - codeWindow) / 16))
                               : x.program->functionOfModule.end();
        if (found == x.program->functionOfModule.end()) {
            x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, pointer[lane],
                               say::CallsNothing(fmt::format("{:#x}", pointer[lane])), true);
            return false;
        }
        callee = found->second;
        if (const auto what = unlike(site, x.program->functions[callee])) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, pointer[lane],
                               say::CallsUnlike(x.program->functions[callee].source->name, *what), true);
            return false;
        }
    }
    const FunctionCode& code = x.program->functions[callee];
    Frame* frame = x.independent && x.warp->stack.size() > 1 ? sharedFrame(x, callee, in.index, m) : nullptr;
    if (!frame) {
        const auto& free = x.warp->freeFrames; // a frame that was left serves again
        if (free.size() <= callee || free[callee].empty()) {
            const std::uint64_t bytes = std::max<std::uint64_t>(code.frameBytes, 256) + sizeof(Frame);
            x.warp->kept += bytes;
            if (!keep(x, in, std::countr_zero(m), bytes))
                return false;
        }
        frame = takeFrame(x, *x.warp, callee);
        frame->parent = x.frame;
        frame->callPosition = in.index;
        frame->localBase = stackTop(x);
        frame->handedBelow = x.frame->handedBelow + x.program->functions[x.frame->function].handedBytes;
        frame->depth = x.frame->depth + 1;
        if (const StackRoom& room = x.device->stack; room.program == x.program) {
            frame->stackBytes = (x.frame->parent ? x.frame->stackBytes : room.frames[0]) + room.frames[callee];
            if (frame->stackBytes > room.limit) {
                x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, std::countr_zero(m), 0,
                                   say::StackOverflow(frame->depth, frame->stackBytes, room.limit), true);
                return false;
            }
        }
    }
    frame->lanes = frame->lanes | LaneMask{m};
    frame->ever = frame->ever | LaneMask{m};
    const std::uint64_t top = frame->localBase + code.localBytes;
    if (frame->depth > 8192 || top + frame->handedBelow > mostStack) {
        x.diagnostics->add(x, DiagnosticKind::Other, in.index, std::countr_zero(m), 0, say::StackUsedUp(frame->depth),
                           true);
        return false;
    }
    x.warp->local.reach(top);
    x.warp->local.forget(frame->localBase / 4, (top + 3) / 4, m);
    for (std::size_t i = 0; i < site.arguments.size() && i < code.params.size(); ++i)
        copyWords(x, frame->rows.get(), code.params[i], x.rows, site.arguments[i], m);
    x.frame = frame;
    x.rows = frame->rows.get();
    x.pc = code.first;
    return true;
}

bool functionEnd(Exec& x, const Inst&) {
    Frame* frame = x.frame;
    Frame* parent = frame->parent;
    const Inst& at = x.program->code[frame->callPosition];
    const CallSite& site = x.program->calls[at.call.site];
    const FunctionCode& code = x.program->functions[frame->function];
    for (std::size_t i = 0; i < site.results.size() && i < code.returns.size(); ++i)
        copyWords(x, parent->rows.get(), site.results[i], x.rows, code.returns[i], x.mask);
    frame->lanes = frame->lanes & ~LaneMask{x.mask};
    if (frame->lanes.empty())
        releaseFrame(*x.warp, frame);
    x.frame = parent;
    x.rows = parent->rows.get();
    x.pc = at.index + 1;
    return true;
}

bool exitThread(Exec& x, const Inst& in) {
    const std::uint32_t m = !in.guard ? x.mask : guardMask(x, in);
    if (in.guard)
        x.counters->lanesFix[in.index] += std::popcount(m) - std::popcount(x.mask);
    x.pc = in.index + 1;
    if (m == 0)
        return true;
    exitLanes(x, m);
    if (x.recorder)
        x.recorder->event(*x.warp, EventKind::Exit, x.program->info[in.index].site, {m}, x.warp->exited,
                          x.warp->clock - 1);
    for (Frame* f = x.frame; f != x.warp->base; f = f->parent)
        f->lanes = f->lanes & ~LaneMask{m};
    pack(x);
    releaseBarriers(x);
    if (x.block->cluster)
        releaseCluster(x);
    if (x.mask != 0)
        return true;
    StackEntry& e = x.warp->stack[x.warp->current];
    e.state = EntryState::Done;
    if (e.parent != noIndex)
        --x.warp->stack[e.parent].children;
    x.stop = x.warp->exited == x.warp->live ? Stop::Done : Stop::Switch;
    return false;
}

bool trap(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return true;
    x.diagnostics->add(x, DiagnosticKind::Trap, in.index, std::countr_zero(m), 0, say::Trapped, true);
    return false;
}

} // namespace

Handler branchHandler() {
    return &branch;
}
Handler indexedBranchHandler() {
    return &indexedBranch;
}
Handler callHandler() {
    return &call;
}
Handler functionEndHandler() {
    return &functionEnd;
}
Handler exitHandler() {
    return &exitThread;
}
Handler trapHandler() {
    return &trap;
}

} // namespace warpglass::emulator
