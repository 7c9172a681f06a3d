// SPDX-License-Identifier: GPL-3.0-or-later
// What a program asked of NCCL: each call of a rank, and the operations by which it was done. Calls of several ranks belong
// together by their communicator, which all ranks know by the same number, and by their place in it.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <vector>

namespace warpglass::program {

enum class CollectiveKind : std::uint8_t {
    AllReduce,
    Broadcast,
    Reduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Gather,
    Scatter,
    Send,
    Receive,
};
// In the order of NCCL's numbers (nccl.h).
enum class CollectiveType : std::uint8_t { I8, U8, I32, U32, I64, U64, F16, F32, F64, BF16, E4M3, E5M2, Unknown };
enum class CollectiveOp : std::uint8_t { Sum, Product, Max, Min, Average, Custom, None };
std::uint32_t bytesOf(CollectiveType type); // of an element; 0: not known

struct Collective {
    std::int64_t called = 0;        // as in Operation
    std::uint64_t communicator = 0; // the same number in all of its ranks
    std::uint64_t count = 0;        // of elements, as the call has it: of AllGather's input, of ReduceScatter's output
    std::uint32_t sequence = 0;     // how many calls of this rank's communicator came before
    std::uint32_t rank = 0, ranks = 0;
    std::uint32_t peer = noIndex; // the root, or the other one of Send and Receive
    std::uint32_t stream = 0;     // ProgramTrace::streams
    CollectiveKind kind = CollectiveKind::AllReduce;
    CollectiveType type = CollectiveType::Unknown;
    CollectiveOp op = CollectiveOp::None;
    std::uint8_t zero = 0;
    std::uint64_t bytes() const { return count * bytesOf(type); }
};
static_assert(sizeof(Collective) == 48);

// An operation that a call asked for; one may do several calls' work (ncclGroupEnd).
struct CollectiveStep {
    std::uint32_t operation = 0, collective = 0; // rows of operations and collectives
};

struct ProgramTrace;
// The calls whose work an operation did; none of another.
std::vector<std::uint32_t> collectivesOf(const ProgramTrace& program, std::uint32_t operation);

// A call as all its ranks made it. Times in ns as they stand in the program, of the operations; 0 where there are none.
struct RankOfCollective {
    std::uint32_t collective = 0; // row
    std::int64_t start = 0, end = 0;
    std::vector<std::uint32_t> operations;
};
struct CollectiveGroup {
    std::vector<RankOfCollective> ranks; // by their begin, so that the last is who let the others wait
    std::int64_t lastStart() const { return ranks.empty() ? 0 : ranks.back().start; }
    std::int64_t waited() const { return ranks.empty() ? 0 : ranks.back().start - ranks.front().start; }
    std::int64_t end() const; // of the last
};
// By their begin. Sends and receives are each a group of its own.
std::vector<CollectiveGroup> collectiveGroups(const ProgramTrace& program);

} // namespace warpglass::program

namespace warpglass {
template <>
inline constexpr auto enumWords<program::CollectiveKind> = EnumWords("kind of collective",
                                                                     {"all_reduce", "broadcast", "reduce", "all_gather",
                                                                      "reduce_scatter", "all_to_all", "gather",
                                                                      "scatter", "send", "receive"});
template <>
inline constexpr auto enumWords<program::CollectiveType> = EnumWords("type of a collective's elements",
                                                                     {"i8", "u8", "i32", "u32", "i64", "u64", "f16",
                                                                      "f32", "f64", "bf16", "e4m3", "e5m2", "unknown"});
template <>
inline constexpr auto enumWords<program::CollectiveOp> =
    EnumWords("operation of a collective", {"sum", "product", "max", "min", "average", "custom", "none"});
} // namespace warpglass
