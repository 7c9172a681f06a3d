// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/generic_memory.h"

namespace warpglass::emulator {

namespace {
// For one lane: where a generic address lies; nullptr if nowhere. Local memory is handled apart.
std::byte* hostPointer(Exec& x, std::uint64_t address, std::uint32_t bytes) {
    switch (windowOf(address)) {
    case Window::Global:
        return x.global->find(address, bytes, x.hint).bytes();
    case Window::Shared:
        return x.block->shared.find(address - sharedWindow, bytes);
    default:
        return nullptr;
    }
}
} // namespace

bool readGeneric(Exec& x, int lane, std::uint64_t address, void* to, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::byte* const at = x.warp->local.find(address - localWindow + k, lane);
            if (!at)
                return false;
            static_cast<std::byte*>(to)[k] = *at;
        }
        return true;
    }
    const std::byte* from = windowOf(address) == Window::Const ? x.constants.find(address - constWindow, bytes)
                                                               : hostPointer(x, address, bytes);
    if (from)
        std::memcpy(to, from, bytes);
    return from != nullptr;
}

bool writeGeneric(Exec& x, int lane, std::uint64_t address, const void* from, std::uint32_t bytes) {
    if (windowOf(address) == Window::Local) {
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint64_t at = address - localWindow + k;
            const LocalMemory::Words there = x.warp->local.words(at, 1);
            if (!there)
                return false;
            *x.warp->local.find(at, lane) = static_cast<const std::byte*>(from)[k];
            *there.written |= 1u << lane;
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
