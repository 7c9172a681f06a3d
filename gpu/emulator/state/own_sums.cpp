// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/state/own_sums.h"
#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

bool mayKeepSums(const Program& program) {
    bool any = false;
    for (std::size_t k = 0; k < program.code.size(); ++k) {
        const InstInfo& info = program.info[k];
        switch (info.is.family) {
        case ptx::Family::Atomic:
            any |= info.genericSpace || info.space == MemorySpace::Global;
            break;
        case ptx::Family::Async:
        case ptx::Family::Cluster:
        case ptx::Family::Texture:
        case ptx::Family::Surface:
            return false;
        case ptx::Family::Matrix:
            if (info.isMemory && (info.genericSpace || info.space != MemorySpace::Shared))
                return false;
            break;
        case ptx::Family::Call:
            if (info.role != Role::Call) // the device's own: they read texts, at least
                return false;
            break;
        default:
            break;
        }
    }
    return any;
}

} // namespace warpglass::emulator
