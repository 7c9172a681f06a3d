// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/early_reads.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"

namespace warpglass::emulator {

std::optional<CopyAsker> copyInto(const BlockState& block, std::uint64_t offset) {
    if (!block.async)
        return std::nullopt;
    for (std::uint32_t warp = 0; warp < block.async->warps.size(); ++warp)
        for (const LaneCopy& copy : block.async->warps[warp].pending)
            for (std::uint32_t m = copy.lanes; m; m &= m - 1)
                if (offset - copy.to[std::size_t(std::countr_zero(m))] < copy.bytes)
                    return CopyAsker{warp, copy.position, false};
    for (const PendingCopy& copy : block.async->pending)
        if (copy.to == MemorySpace::Shared && !copy.target)
            for (const CopyPiece& p : copy.pieces)
                if (offset - p.to < p.bytes)
                    return CopyAsker{copy.warp, copy.position, copy.barrier != noIndex};
    return std::nullopt;
}

void tellEarlyRead(Exec& x, const Inst& in, int lane, std::uint64_t offset, const CopyAsker& copy) {
    if (x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
        return;
    const MessageForm<0> remedy = copy.tellsBarrier ? say::NeedsMbarrier : say::NeedsGroup;
    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, sharedWindow + offset,
                       say::EarlyRead(offset, copy.warp, placeText(*x.program, copy.position), remedy));
}

} // namespace warpglass::emulator
