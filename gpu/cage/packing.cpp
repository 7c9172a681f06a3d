// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/packing.h"

#include "gpu/base/large_pages.h"

#include <cstdlib>
#include <new>

namespace warpglass::cage {

namespace {
constexpr std::size_t pendingBytes = 1 << 16; // small values go together
constexpr std::size_t largeBytes = 1 << 14;   // others are copied once

struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
};
} // namespace

void Packer::flush() {
    if (m_good && !m_pending.empty())
        m_good = m_sink(m_pending);
    m_pending.clear();
}

void Packer::bytes(const void* from, std::size_t count) {
    m_good = m_good && count <= m_left;
    if (!m_good)
        return;
    m_left -= count;
    const std::span all(static_cast<const std::byte*>(from), count);
    if (count > largeBytes || m_pending.size() + count > pendingBytes)
        flush();
    if (count <= largeBytes)
        m_pending.insert(m_pending.end(), all.begin(), all.end());
    else if (m_good)
        m_good = m_sink(all);
}

void Packer::filling(const std::function<void(std::span<std::byte>)>& fill, std::uint64_t count) {
    if (!m_good || count == 0)
        return;
    const std::unique_ptr<std::byte, Free> all(static_cast<std::byte*>(std::calloc(count, 1)));
    if (!all)
        throw std::bad_alloc();
    askForLargePages(all.get(), count);
    fill({all.get(), count});
    bytes(all.get(), count);
}

bool Packer::finish() {
    flush();
    return m_good;
}

bool Unpacker::atEnd() {
    std::byte one{};
    return m_at == m_pendingCount && m_source({&one, 1}) == 0;
}

void Unpacker::bytes(void* to, std::size_t count) {
    m_good = m_good && count <= m_left;
    if (!m_good)
        return;
    m_left -= count;
    auto* at = static_cast<std::byte*>(to);
    while (count > 0) {
        if (m_at == m_pendingCount && count <= largeBytes) {
            m_pending.resize(pendingBytes);
            m_pendingCount = m_source(m_pending);
            m_at = 0;
        }
        std::size_t n = std::min(count, m_pendingCount - m_at);
        if (n > 0) {
            std::memcpy(at, m_pending.data() + m_at, n);
            m_at += n;
        } else if (count > largeBytes) {
            n = m_source({at, count});
        }
        m_good = n > 0;
        if (!m_good)
            return;
        at += n;
        count -= n;
    }
}

std::shared_ptr<const std::byte> Unpacker::block(std::uint64_t count) {
    m_good = m_good && count <= m_left;
    if (!m_good)
        return {};
    const std::shared_ptr<std::byte> all(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(count, 1))), Free());
    if (!all)
        throw std::bad_alloc();
    askForLargePages(all.get(), count);
    bytes(all.get(), count);
    return m_good ? all : nullptr;
}

} // namespace warpglass::cage
