// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/other_memory.h"

#include <algorithm>
#include <cerrno>

#include <sys/uio.h>

namespace warpglass::cage {

namespace {
iovec span(const void* at, std::size_t count) {
    return {const_cast<void*>(at), count};
}
} // namespace

bool OtherMemory::canBeReached() const {
    char one = 0;
    const iovec here = span(&one, 1), nowhere = span(nullptr, 1);
    return process_vm_readv(m_process, &here, 1, &nowhere, 1, 0) < 0 && errno == EFAULT; // who may not is told that
}

// So that Stop is heard between any two of them.
template <class Copies>
bool OtherMemory::inPieces(std::size_t count, std::uint64_t there, Copies copies) const {
    constexpr std::size_t most = std::size_t(16) << 20;
    for (std::size_t at = 0; at < count;) {
        if (m_progress.cancelled())
            return false;
        const std::size_t wanted = std::min(count - at, most);
        const iovec remote = span(reinterpret_cast<void*>(there + at), wanted);
        const ssize_t n = copies(at, wanted, remote);
        if (n <= 0)
            return false;
        at += std::size_t(n);
    }
    return true;
}

bool OtherMemory::read(std::span<std::byte> to, std::uint64_t from) const {
    return inPieces(to.size(), from, [&](std::size_t at, std::size_t count, const iovec& remote) {
        const iovec here = span(to.data() + at, count);
        return process_vm_readv(m_process, &here, 1, &remote, 1, 0);
    });
}

bool OtherMemory::write(std::span<const std::byte> from, std::uint64_t to) const {
    return inPieces(from.size(), to, [&](std::size_t at, std::size_t count, const iovec& remote) {
        const iovec here = span(from.data() + at, count);
        return process_vm_writev(m_process, &here, 1, &remote, 1, 0);
    });
}

} // namespace warpglass::cage
