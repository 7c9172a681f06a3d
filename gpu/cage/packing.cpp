// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/packing.h"

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

void Packer::lasting(const void* from, std::size_t count) {
    if (!m_byPlace || count <= largeBytes)
        return bytes(from, count);
    m_good = m_good && count <= m_left;
    if (!m_good)
        return;
    m_left -= count;
    auto at = reinterpret_cast<std::uint64_t>(from);
    travel(*this, at);
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

std::optional<std::uint64_t> Unpacker::place(std::size_t count) {
    if (!m_reach || count <= largeBytes)
        return {};
    std::uint64_t at = 0;
    travel(*this, at);
    return at;
}

void Unpacker::reach(void* to, std::size_t count, std::uint64_t at) {
    m_good = m_good && count <= m_left && m_reach({static_cast<std::byte*>(to), count}, at);
    m_left -= m_good ? count : 0;
}

std::shared_ptr<const std::byte> Unpacker::block(std::uint64_t count, std::optional<std::uint64_t> at) {
    m_good = m_good && count <= m_left;
    if (!m_good)
        return {};
    const std::shared_ptr<std::byte> all(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(count, 1))), Free());
    if (!all)
        throw std::bad_alloc();
    askForLargePages(all.get(), count);
    if (at)
        reach(all.get(), count, *at);
    else
        bytes(all.get(), count);
    return m_good ? all : nullptr;
}

} // namespace warpglass::cage
