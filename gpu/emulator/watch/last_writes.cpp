// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/last_writes.h"

namespace warpglass::emulator {

void WriteWatch::access(Exec& x, const Inst& in) {
    if (x.access.space != MemorySpace::Global || x.access.kind == AccessKind::Load)
        return;
    eachLane(x.access.active.bits, [&](int lane) {
        const std::uint64_t first = x.address[std::size_t(lane)];
        for (auto& [address, write] : m_words) {
            if (address < first || address >= first + x.access.bytes)
                continue;
            // A compare-and-swap in vain writes nothing: what stands there is who wrote it before.
            std::uint64_t value = 0;
            if (const std::byte* const at = x.global->find(first, x.access.bytes, x.hint).bytes())
                std::memcpy(&value, at, std::min<std::size_t>(8, x.access.bytes));
            const bool swaps = x.program->info[in.index].is.operation == ptx::Operation::Cas;
            const bool inVain =
                swaps && in.memory.hasResult && x.access.bytes <= 8 &&
                std::memcmp(x.rows + in.dst + std::size_t(lane) * in.memory.rowBytes, &value, x.access.bytes) == 0;
            if (!inVain)
                write =
                    Write{x.launch->launch, x.warp->number * 32 + std::uint32_t(lane), in.index, x.block->index, value};
        }
    });
}

} // namespace warpglass::emulator
