// SPDX-License-Identifier: GPL-3.0-or-later
// What probes write into device memory, and the control block they read. Little-endian, as plain structs; the PTX that
// insert.cpp makes uses these offsets and no others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpglass::probe {

inline constexpr std::uint32_t noSlot = 0xffffffffu;
inline constexpr std::uint32_t noBuffer = 0xffffffffu, notLaunched = 0xfffffffeu; // in LaunchRow::error

// One event, 16 bytes, written by the lowest active lane into that lane's own stream.
//   clock  low 32 bits of %clock64 (unwrapped by the decoder: streams are in order)
//   what   site + 1 in bits 0 to 23 (0: nothing was written here), Kind in bits 24 to 31
//   a, b   Entry: lanes that start, 0.  Branch: active, taken.  Barrier: active, 0.  Exit: lanes that end here, 0.
//          Launch: lanes that call, lanes whose launch was accepted.
// Access and Shuffle are written by every active lane into its own stream: a, b = the address, low and high (shuffle:
// the source operand, 0), and the next record holds up to 16 bytes of values (clock, what, a, b are then four data
// words).
// Asynchronous work, some with a next record of four words, too. `lanes`: those that do the same with the same address; of them
// the lowest writes.
//   Try      a, b = lanes that ask, of these those that found the phase over; words: address, parity (2: not known), clock before,
//            1: they had asked in vain before, first at that clock; such a record is written over the one before
//   Phase    a, b = lanes, address of the mbarrier; words: count of one lane (arrivals or bytes). Where counts are no constants by
//            every lane: a = 1
//   Box      a, b = place in shared memory, address of the mbarrier, of a copy whose bytes its tensor map tells. By every lane.
//   Copy     the same with words: bytes
//   Lanes    a, b = lanes, lowest place that their cp.async since the last such record fill; words: bytes of all, 0, clock
//            before them, address of the mbarrier that is told (LanesArrive)
//   Groups   a, b = lanes, clock before the wait
//   Batch    several of straight code in up to four records, written behind the last of them: the first one's first clock, what with
//            the site of the last, the lanes, and words as ProbeSite::batch of that site says. Products is found in these alone.
struct Record {
    std::uint32_t clock = 0, what = 0, a = 0, b = 0;
};
static_assert(sizeof(Record) == 16);

enum class RecordKind : std::uint8_t {
    Entry = 1,
    Branch,
    BarrierArrive,
    BarrierLeave,
    Launch,
    Exit,
    Access,
    Shuffle,
    Try,
    Phase,
    Copy,
    Lanes,
    Groups,
    Box,
    Batch,
    Products, // is never written: a wait for products, clock before it in b
};
constexpr bool isAsync(RecordKind kind) {
    return kind >= RecordKind::Try && kind <= RecordKind::Products;
}
inline constexpr std::uint32_t inVain = 1u << 28; // in what of a batch: its last, a try, has not found the phase over

constexpr bool hasWords(RecordKind kind) { // four, in the next record
    return kind == RecordKind::Access || kind == RecordKind::Shuffle ||
           (kind >= RecordKind::Try && kind <= RecordKind::Lanes);
}

// Records [first, end) of one lane of one probed warp. `spare` records behind them are the lane's, too: what does not fit is
// written there, again and again, so that a probe needs no second predicate. Record 0 belongs to nobody.
inline constexpr std::uint32_t spareRecords = 4; // the longest batch
struct Stream {
    std::uint32_t first = 0, end = 0;
};
static_assert(sizeof(Stream) == 8);

// How far a lane's stream got: 16 x (1 + records it would have written). More than the stream holds: the difference is
// what did not fit. 0: the lane never came to a call or to its end.
using Cell = std::uint32_t;

// One block, chosen or not. Written by thread 0 at the start; the end by warp 0 as it leaves, in modules with
// device-side launches by every warp (a maximum).
struct BlockRow {
    std::uint64_t start = 0; // clock64 of the SM
    std::uint64_t end = 0;   // clock64; 0: never ended, or see WarpEnd
    std::uint32_t sm = 0;    // %smid + 1; 0: never ran
    std::uint32_t reserved = 0;
};
static_assert(sizeof(BlockRow) == 24);

// Only with ProbeOptions::allEnds. Low 32 bits of %clock64 when a warp of the host's launch ended; [block * warps a
// block + warp]. 0: it never ended. Unwrapped from the block's start, so a block may last 2^32 cycles. All leaving
// lanes write the same word: no leader.
using WarpEnd = std::uint32_t;

// One warp of a chosen block.
struct WarpRow {
    std::uint64_t startClock = 0, startTimer = 0; // clock64, globaltimer (ns), read one after the other
    std::uint64_t endClock = 0, endTimer = 0;     // of the last exit in the kernel itself
    std::uint32_t sm = 0, slot = 0;               // %smid, %warpid
    std::uint32_t live = 0;                       // lanes that hold a thread; 0: never ran
    std::uint32_t reserved = 0;
};
static_assert(sizeof(WarpRow) == 48);

// One device-side launch: the parent's part is written before and after the call, the child's by its block 0.
struct LaunchRow {
    std::uint64_t parentGrid = 0;                    // %gridid
    std::uint64_t childGrid = 0;                     // %gridid, 0: the child never ran
    std::uint64_t target = 0;                        // handle of the function as the parent passed it
    std::uint64_t stream = 0;                        // 0 default, 3 tail, 4 fire-and-forget
    std::uint64_t clock = 0;                         // clock64 of the parent's SM at the call
    std::uint32_t parentBlock = 0, parentThread = 0; // linear
    std::uint32_t site = 0;                          // + 1; 0: the parent got a buffer and did not come to the launch
    std::uint32_t error = 0; // what the launch returned; noBuffer: the parent got no parameter buffer
    std::uint32_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
    std::uint32_t sharedBytes = 0;
    std::uint32_t entry = 0;        // index into ProbedModule::entries + 1, written by the child
    std::uint32_t firstBlock = 0;   // into the block rows; noSlot: no room
    std::uint32_t firstWarp = 0;    // into the warp rows; noSlot: no room or no detail
    std::uint32_t detailBlocks = 0; // blocks from 0 on that have warp rows
    std::uint32_t sm = 0;           // of the parent
};
static_assert(sizeof(LaunchRow) == 104);

// Cursors that grow while the kernel runs; they start behind what the host's launch needs and may run past the
// capacity.
struct Counters {
    std::uint32_t launches = 0, blocks = 0, warps = 0, reserved = 0;
};

// The constant `wgp_control` of a probed module. Pointers are device addresses.
struct Control {
    std::uint64_t records = 0, streams = 0, cells = 0, warps = 0, blocks = 0, slots = 0, launches = 0, counters = 0,
                  ends = 0;
    std::uint32_t blockCapacity = 0, warpCapacity = 0, launchCapacity = 0;
    std::uint32_t childBlocks = 0; // detail for that many first blocks of each child
    std::uint32_t hostWarps = 0;   // warps a block of the host's launch
    std::uint32_t reserved = 0;
    // A block may be chosen if block < chooseBelow, or if block * chooseFactor + chooseOffset (mod 2^32) <=
    // chooseBound. An even spread of blocks passes this and hardly any other block does, without a load; the slot table
    // then knows exactly.
    std::uint32_t chooseBelow = 0, chooseFactor = 0, chooseOffset = 1, chooseBound = 0; // nothing passes
};
static_assert(offsetof(Control, chooseBelow) == 96 && sizeof(Control) == 112);
inline constexpr const char* controlSymbol = "wgp_control";

} // namespace warpglass::probe
