// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/generic_memory.h"
#include "gpu/emulator/memory/local_access.h"

namespace warpglass::emulator {

namespace {
// For one lane: where a generic address lies; nullptr if nowhere. Local memory is handled apart.
std::byte* hostPointer(Exec& x, std::uint64_t address, std::uint32_t bytes) {
    switch (windowOf(address)) {
    case Window::Global: {
        Area* area = x.global->find(address, bytes, x.hint);
        return area ? area->data + (address - area->base) : nullptr;
    }
    case Window::Shared: {
        const std::uint64_t at = address - sharedWindow;
        return at + bytes <= x.block->shared.size() ? x.block->shared.data() + at : nullptr;
    }
    default:
        return nullptr;
    }
}
} // namespace

bool readGeneric(Exec& x, int lane, std::uint64_t address, void* to, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint64_t at = localAt(address - localWindow + k, lane);
            if (at >= x.warp->local.size())
                return false;
            static_cast<std::byte*>(to)[k] = x.warp->local[at];
        }
        return true;
    }
    if (windowOf(address) == Window::Const) {
        const std::uint64_t at = address - constWindow;
        if (at + bytes > x.constants->size())
            return false;
        std::memcpy(to, x.constants->data() + at, bytes);
        return true;
    }
    const std::byte* from = hostPointer(x, address, bytes);
    if (from)
        std::memcpy(to, from, bytes);
    return from != nullptr;
}

bool writeGeneric(Exec& x, int lane, std::uint64_t address, const void* from, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint64_t at = address - localWindow + k;
            if (localAt(at, lane) >= x.warp->local.size())
                return false;
            x.warp->local[localAt(at, lane)] = static_cast<const std::byte*>(from)[k];
            x.warp->localWritten[at / 4] |= 1u << lane;
        }
        return true;
    }
    std::byte* to = hostPointer(x, address, bytes);
    if (!to)
        return false;
    std::memcpy(to, from, bytes);
    if (windowOf(address) == Window::Global)
        x.hint->noteWritten(address, bytes);
    return true;
}

} // namespace warpglass::emulator
