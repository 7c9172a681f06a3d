// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/pages.h"

#include "gpu/base/parallel.h"

namespace warpglass {

Pages::Pages(std::size_t rows, std::uint32_t rowBits, std::function<bool(std::size_t)> unpack)
    : m_rowBits(rowBits), m_chunks((rows + (std::size_t(1) << rowBits) - 1) >> rowBits), m_unpack(std::move(unpack)),
      m_state(std::make_unique<std::atomic<std::uint8_t>[]>(m_chunks)), m_missing(m_chunks) {}

void Pages::load(std::size_t chunk) const {
    std::atomic<std::uint8_t>& state = m_state[chunk];
    std::uint8_t expected = absent;
    if (!state.compare_exchange_strong(expected, coming, std::memory_order_acquire)) {
        while (state.load(std::memory_order_acquire) != there)
            state.wait(coming, std::memory_order_acquire);
        return;
    }
    if (!m_unpack(chunk)) {
        std::size_t first = m_firstBad.load();
        while (chunk < first && !m_firstBad.compare_exchange_weak(first, chunk)) {
        }
    }
    state.store(there, std::memory_order_release);
    --m_missing;
    state.notify_all();
}

void Pages::need(std::size_t first, std::size_t count) const {
    if (count == 0 || m_missing.load(std::memory_order_acquire) == 0)
        return;
    const std::size_t begin = first >> m_rowBits, end = ((first + count - 1) >> m_rowBits) + 1;
    if (end - begin <= 2) { // a warp's rows, mostly: not worth a thread
        need(first);
        need(first + count - 1);
        return;
    }
    parallelFor(end - begin, 0, [&](std::size_t i) { need((begin + i) << m_rowBits); });
}

void Pages::needAll() const {
    need(0, m_chunks << m_rowBits);
}

std::optional<std::size_t> Pages::firstBad() const {
    const std::size_t first = m_firstBad.load();
    return first == SIZE_MAX ? std::nullopt : std::optional(first);
}

} // namespace warpglass
