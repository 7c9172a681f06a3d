// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/early_reads.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"

namespace warpglass::emulator {

std::optional<CopyAsker> copyInto(const BlockState& block, std::uint64_t offset) {
    if (!block.async)
        return std::nullopt;
    for (std::uint32_t warp = 0; warp < block.async->warps.size(); ++warp)
        for (const LaneCopy& copy : block.async->warps[warp].pending)
            for (std::uint32_t m = copy.lanes; m; m &= m - 1)
                if (offset - copy.to[std::size_t(std::countr_zero(m))] < copy.bytes)
                    return CopyAsker{warp, copy.position, false, copy.epoch == block.epoch, noIndex, 0};
    for (const PendingCopy& copy : block.async->pending)
        if (copy.to == MemorySpace::Shared && !copy.target)
            for (const CopyPiece& p : copy.pieces)
                if (offset - p.to < p.bytes)
                    return CopyAsker{copy.warp, copy.position, copy.barrier != noIndex,
                                     false,     copy.barrier,  copy.phase};
    return std::nullopt;
}

std::uint32_t firstOfLine(const Program& program, std::uint32_t wait) {
    const SourcePlace own = callerPlace(program, wait).source;
    for (std::uint32_t at = 0; own.line > 0 && at < wait; ++at)
        if (program.info[at].isAsync)
            if (const SourcePlace there = callerPlace(program, at).source;
                there.file == own.file && there.line == own.line && there.column == own.column)
                return at;
    return wait;
}

void tellEarlyRead(Exec& x, const Inst& in, int lane, std::uint64_t offset, const CopyAsker& copy) {
    if (x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
        return;
    const MessageForm<0> remedy = copy.tellsBarrier ? say::NeedsMbarrier : say::NeedsGroup;
    const Message word = sharedElementAt(*x.program, offset, in.memory.bytes),
                  asked = placeText(*x.program, copy.position);
    Message what =
        say::EarlyRead(word.id == say::ByteNumber.id ? say::ByteOfShared(offset) : word, copy.warp, asked, remedy);
    if (copy.sinceBarrier && copy.warp != x.warp->number) // its own wait can't be meant to wait for that
        what =
            say::CopyWithoutBarrier(word.id == say::ByteNumber.id ? say::ByteOfShared(offset) : word, copy.warp, asked);
    std::uint32_t wait = noIndex; // whose fault it is
    Message blamed;
    if (copy.barrier != noIndex) {
        const auto& passed = x.block->async->barriers[copy.barrier].passed;
        const auto own = passed.find(x.warp->number); // by: the phase, plus one
        if (own != passed.end() && own->second.by > 0 && own->second.by == copy.phase) {
            wait = own->second.position;
            if (x.diagnostics->isBlamed(firstOfLine(*x.program, wait)))
                return;
            blamed = say::ReadByOldPhase(placeText(*x.program, wait), copy.phase - 1, asked, word);
            what = say::EarlyReadOldPhase(blamed, copy.phase, copy.warp);
        }
    }
    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, sharedWindow + offset, what);
    if (wait != noIndex)
        x.diagnostics->blame(firstOfLine(*x.program, wait), std::move(blamed));
}

} // namespace warpglass::emulator
