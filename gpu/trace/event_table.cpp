// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/trace.h"

#include <limits>

namespace warpglass {

namespace {
constexpr std::int64_t widest32 = std::numeric_limits<std::uint32_t>::max();
} // namespace

// The table is wide if and only if some offset needs it, so that equal events make equal tables.
void EventTable::push(std::int64_t offset, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken) {
    assert(offset >= 0);
    assert(site <= 0x0fffffffu);
    if (m_wide.empty() && offset > widest32) {
        m_wide.assign(m_offset.begin(), m_offset.end());
        m_offset = {};
        m_wide.push_back(offset);
    } else if (!m_wide.empty()) {
        m_wide.push_back(offset);
    } else {
        m_offset.push_back(std::uint32_t(offset));
    }
    m_siteKind.push_back(std::uint32_t(kind) << 28 | (site & 0x0fffffffu));
    m_active.push_back(active.bits);
    m_taken.push_back(taken.bits);
}

void EventTable::reserve(std::size_t rows) {
    if (m_wide.empty())
        m_offset.reserve(rows);
    else
        m_wide.reserve(rows);
    m_siteKind.reserve(rows);
    m_active.reserve(rows);
    m_taken.reserve(rows);
}

void EventTable::append(const EventTable& other) {
    if (m_wide.empty() && other.m_wide.empty()) {
        m_offset.insert(m_offset.end(), other.m_offset.begin(), other.m_offset.end());
    } else {
        if (m_wide.empty()) {
            m_wide.assign(m_offset.begin(), m_offset.end());
            m_offset = {};
        }
        if (other.m_wide.empty())
            m_wide.insert(m_wide.end(), other.m_offset.begin(), other.m_offset.end());
        else
            m_wide.insert(m_wide.end(), other.m_wide.begin(), other.m_wide.end());
    }
    m_siteKind.insert(m_siteKind.end(), other.m_siteKind.begin(), other.m_siteKind.end());
    m_active.insert(m_active.end(), other.m_active.begin(), other.m_active.end());
    m_taken.insert(m_taken.end(), other.m_taken.begin(), other.m_taken.end());
}

std::size_t EventTable::bytes() const {
    return m_offset.capacity() * sizeof(std::uint32_t) + m_wide.capacity() * sizeof(std::int64_t) +
           (m_siteKind.capacity() + m_active.capacity() + m_taken.capacity()) * sizeof(std::uint32_t);
}

} // namespace warpglass
