// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of a device's memory a piece of work has read and written, and where two pieces of work meet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpglass {

struct ByteRange {
    std::uint64_t begin = 0, end = 0;
};
using ByteRanges = std::vector<ByteRange>; // ascending, apart from each other

// Strong: by atomics and by volatile, relaxed, acquiring or releasing accesses, of which two never race.
struct Touched {
    ByteRanges reads, writes, strongReads, strongWrites;
    bool empty() const { return reads.empty() && writes.empty() && strongReads.empty() && strongWrites.empty(); }
    std::size_t pieces() const { return reads.size() + writes.size() + strongReads.size() + strongWrites.size(); }
};

struct Meeting {
    std::uint64_t first = 0, bytes = 0; // the first byte that both touch, and how many there are
    bool earlierWrites = false, laterWrites = false;
};
// Whether the later one reads by a strong access what the earlier one wrote by one: it may have waited for that, as for a flag.
bool handsOn(const Touched& earlier, const Touched& later);
// Where an earlier and a later piece of work touch the same bytes, at least one of them writing and not both by strong
// accesses. Nothing, too, where the earlier one handsOn() to the later one.
std::optional<Meeting> meetingOf(const Touched& earlier, const Touched& later);

// Adds one piece behind or beside those that are there.
void addRange(ByteRanges& ranges, std::uint64_t begin, std::uint64_t end);
void join(Touched& all, const Touched& more);
// Takes these bytes out.
void dropRange(ByteRanges& ranges, std::uint64_t begin, std::uint64_t end);

} // namespace warpglass
