// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/touched.h"

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

struct Common {
    std::uint64_t first = 0, bytes = 0;
};

Common common(const ByteRanges& a, const ByteRanges& b) {
    Common c;
    for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
        const std::uint64_t begin = std::max(x->begin, y->begin), end = std::min(x->end, y->end);
        if (begin < end) {
            if (c.bytes == 0)
                c.first = begin;
            c.bytes += end - begin;
        }
        x->end < y->end ? ++x : ++y;
    }
    return c;
}

} // namespace

bool handsOn(const Touched& earlier, const Touched& later) {
    return common(earlier.strongWrites, later.strongReads).bytes > 0;
}

std::optional<Meeting> meetingOf(const Touched& a, const Touched& b) {
    struct Pair {
        const ByteRanges &earlier, &later;
        bool earlierWrites, laterWrites;
    };
    const std::array pairs{Pair{a.writes, b.reads, true, false},       Pair{a.writes, b.strongReads, true, false},
                           Pair{a.strongWrites, b.reads, true, false}, Pair{a.writes, b.writes, true, true},
                           Pair{a.writes, b.strongWrites, true, true}, Pair{a.strongWrites, b.writes, true, true},
                           Pair{a.reads, b.writes, false, true},       Pair{a.reads, b.strongWrites, false, true},
                           Pair{a.strongReads, b.writes, false, true}};
    for (const Pair& p : pairs)
        if (const Common c = common(p.earlier, p.later); c.bytes > 0) {
            if (handsOn(a, b))
                return std::nullopt;
            return Meeting{c.first, c.bytes, p.earlierWrites, p.laterWrites};
        }
    return std::nullopt;
}

void addRange(ByteRanges& ranges, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end)
        return;
    auto at = std::lower_bound(ranges.begin(), ranges.end(), begin,
                               [](const ByteRange& r, std::uint64_t value) { return r.end < value; });
    auto last = at;
    for (; last != ranges.end() && last->begin <= end; ++last) {
        begin = std::min(begin, last->begin);
        end = std::max(end, last->end);
    }
    if (at == last) {
        ranges.insert(at, {begin, end});
        return;
    }
    *at = {begin, end};
    ranges.erase(at + 1, last);
}

void join(Touched& all, const Touched& more) {
    const auto each = [](ByteRanges& to, const ByteRanges& from) {
        if (to.empty())
            to = from;
        else
            for (const ByteRange& r : from)
                addRange(to, r.begin, r.end);
    };
    each(all.reads, more.reads);
    each(all.writes, more.writes);
    each(all.strongReads, more.strongReads);
    each(all.strongWrites, more.strongWrites);
}

void dropRange(ByteRanges& ranges, std::uint64_t begin, std::uint64_t end) {
    ByteRanges left;
    for (const ByteRange& r : ranges) {
        if (r.begin < std::min(r.end, begin))
            left.push_back({r.begin, std::min(r.end, begin)});
        if (std::max(r.begin, end) < r.end)
            left.push_back({std::max(r.begin, end), r.end});
    }
    ranges = std::move(left);
}

} // namespace warpglass
