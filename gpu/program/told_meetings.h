// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of work that meets other work (meetings.h), and how often.
#pragma once

#include "gpu/program/meetings.h"

#include <set>
#include <tuple>
#include <vector>

namespace warpglass::program {

class ToldMeetings {
public:
    // Whether it is to be told. Once for each two kinds of work, as a loop may do it many times; and not where the wait that was
    // told to be missing orders these two as well. ofGraph: both are nodes of one, where an edge is missing instead.
    bool isNew(const Operation& earlier, std::uint32_t earlierRow, const Operation& later, std::uint32_t laterRow,
               bool ofGraph);

private:
    using Kinds = std::tuple<OperationKind, std::uint32_t, OperationKind, std::uint32_t>; // with their kernels
    struct Gap { // between two streams: what comes before and behind is mended with it
        std::uint32_t earlierStream, earlier, laterStream, later;
    };
    std::set<Kinds> m_kinds;
    std::vector<Gap> m_gaps;
};

// "reads", "writes", "frees", "allocates".
Message useOf(const Operation& operation, bool writes);
// "copy", "fill", ...; of a launch its kernel's name.
Message workName(const Operation& operation, const std::string& kernel);
// How the two are named, and the memory in which the first byte is so many behind the beginning.
struct MeetingNames {
    Message earlier, later, memory;
    std::uint64_t offset = 0;
};
// Between: two streams; two nodes of a graph; two streams of which not all that they touch is known.
enum class Between : std::uint8_t { Streams, Nodes, StreamsAtLeast };
Message raceOf(const Operation& earlier, const Operation& later, std::uint32_t laterRow, const Meetings::Found& found,
               const MeetingNames& names, Between between);

} // namespace warpglass::program
