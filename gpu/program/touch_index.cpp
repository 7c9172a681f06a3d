// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/touch_index.h"

#include <algorithm>
#include <iterator>

namespace warpglass::program {

void TouchIndex::cut(std::uint64_t at) {
    const auto next = m_spans.lower_bound(at);
    if (next == m_spans.begin())
        return;
    const auto span = std::prev(next);
    if (span->second.end <= at)
        return;
    m_spans.emplace_hint(next, at, span->second);
    span->second.end = at;
}

void TouchIndex::add(const ByteRange& range, Use use, std::uint32_t count) {
    auto at = m_spans.lower_bound(range.begin);
    if (at != m_spans.end() && at->first == range.begin && at->second.end == range.end) { // as in a loop
        at->second.last[use] = count;
        return;
    }
    cut(range.begin);
    cut(range.end);
    at = m_spans.lower_bound(range.begin);
    for (std::uint64_t begin = range.begin; begin < range.end;) {
        const std::uint64_t end = at == m_spans.end() ? range.end : std::min(range.end, at->first);
        if (begin < end) { // nobody was there
            Span span{end, {}};
            span.last[use] = count;
            m_spans.emplace_hint(at, begin, span);
            begin = end;
            continue;
        }
        at->second.last[use] = count;
        begin = at->second.end;
        ++at;
    }
}

void TouchIndex::add(const Touched& touched, std::uint32_t count) {
    for (const ByteRange& r : touched.reads)
        add(r, Reads, count);
    for (const ByteRange& r : touched.writes)
        add(r, Writes, count);
    for (const ByteRange& r : touched.strongReads)
        add(r, StrongReads, count);
    for (const ByteRange& r : touched.strongWrites)
        add(r, StrongWrites, count);
}

TouchIndex::Last TouchIndex::last(const Touched& later) const {
    Last found;
    const auto over = [this](const ByteRanges& ranges, auto each) {
        for (const ByteRange& r : ranges) {
            auto at = m_spans.lower_bound(r.begin);
            if (at != m_spans.begin() && std::prev(at)->second.end > r.begin)
                --at;
            for (; at != m_spans.end() && at->first < r.end; ++at)
                each(at->second.last);
        }
    };
    using Counts = std::array<std::uint32_t, 4>;
    over(later.reads, [&](const Counts& c) { found.meets = std::max({found.meets, c[Writes], c[StrongWrites]}); });
    over(later.writes, [&](const Counts& c) { found.meets = std::max(found.meets, *std::ranges::max_element(c)); });
    over(later.strongWrites, [&](const Counts& c) { found.meets = std::max({found.meets, c[Reads], c[Writes]}); });
    over(later.strongReads, [&](const Counts& c) {
        found.meets = std::max(found.meets, c[Writes]);
        found.handsOn = std::max(found.handsOn, c[StrongWrites]);
    });
    return found;
}

} // namespace warpglass::program
