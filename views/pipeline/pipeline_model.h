// SPDX-License-Identifier: GPL-3.0-or-later
// One block as a factory, worked out from its trace alone: roles (warps with the same life) as lanes of time, the ring of
// shared buffers that copies fill and others empty, who waited for whom, and when the tensor cores had nothing.
#pragma once

#include "gpu/device/device_timing.h"
#include "views/pipeline/pipeline_lives.h"
#include "views/pipeline/span_tree.h"

#include <QString>

#include <memory>

namespace warpglass {

struct LaneSpan {
    Time begin, end;
    Doing doing = Doing::Works;
    bool operator==(const LaneSpan&) const = default;
};

// Warps that order the same copies, run the same products, or store at the same lines.
struct PipelineRole {
    bool orders = false, multiplies = false, stores = false, computes = false;
    std::vector<std::uint32_t> warps; // rows of the warp table
    bool helps() const { return !orders && !multiplies && !stores && !computes; }
};
struct PipelineLane { // a role, or a warpgroup of it
    std::size_t role = 0;
    std::vector<std::uint32_t> warps;
    std::vector<LaneSpan> spans; // by time: what most of the warps do
    SpanTree tree{};             // of these
    struct Product {
        Time at;
        std::uint32_t ptxLine = 0;
    };
    std::vector<Product> products;                           // of its first warp that makes some, by time
    std::array<double, std::size_t(Doing::Count_)> shares{}; // of the block's time
};

// Once through a slot: filled, full, read, free.
struct SlotFill {
    std::uint32_t number = 0; // of the ring's, by time
    std::uint32_t phase = 0;  // of its barrier; of a group of cp.async its number
    std::uint64_t bytes = 0;
    Time begin;                          // the first of its bytes was asked for
    Time full;                           // the last has come
    Time read;                           // somebody who waited goes on with it
    Time freed;                          // nobody reads it any more
    bool isFull = false, isRead = false; // else the times lie at the end of the block
    std::uint32_t copy = noIndex;        // row of Trace::copies, the first
};
struct PipelineSlot {
    std::uint32_t ring = 0, number = 0;
    std::uint32_t full = noIndex, empty = noIndex; // bytes of shared memory of its mbarriers; noIndex: it has none
    std::uint32_t place = noIndex;                 // its lowest byte of shared memory, where that is recorded
    std::uint64_t bytes = 0;                       // the most that came at once
    std::vector<SlotFill> fills;
    // A GPU tells nobody when the bytes of a copy came: where each wait saw them at once, filled and full are one.
    bool isFullKnown = false;
    // Of groups of cp.async, in a file that does not say where these go.
    bool isGroups() const { return full == noIndex && place == noIndex; }
};

// A wait that another warp, or a copy, ended.
struct PipelineArrow {
    Time from, to, waited;                          // the phase was over; who waited went on; since when it had waited
    std::size_t lane = 0;                           // that waited
    std::size_t fromLane = noIndex, slot = noIndex; // who arrived last: a lane, or a copy into a slot
    std::uint32_t barrier = 0, phase = 0;
    std::uint32_t site = noIndex; // of the wait
};

enum class Bubble : std::uint8_t {
    Begin,   // before the first product
    Copy,    // bytes on their way
    Order,   // bytes that nobody has asked for
    Slot,    // no room for more bytes
    Barrier, // of the block
    Load,    // memory
    Warp,    // another warp's turn
    Orders,  // the warps that multiply order copies themselves
    Compute, // they compute otherwise
    Issue,   // other instructions of theirs
    End,     // after the last product
    Count_
};
struct Bubbles {
    bool tensor = false; // of the tensor cores; else of the schedulers
    bool byRate =
        false; // products take what the device's cores do in a cycle; else from their begin until they are waited for
    double whole = 0; // ticks, of all units
    Time until;       // what they do is known: of the block's end, or of where the model's cycles end
    std::array<double, std::size_t(Bubble::Count_)> idle{};
    double busy() const;
    double share(Bubble b) const { return whole > 0 ? idle[std::size_t(b)] / whole : 0; }
    double busyShare() const { return whole > 0 ? busy() / whole : 0; }
};
std::vector<Bubble> bubblesBySize(const Bubbles& bubbles); // those that occur, the largest first
struct BubbleSpan {                                        // all of the units have nothing
    Time begin, end;
    Bubble why = Bubble::Begin;
    bool operator==(const BubbleSpan&) const = default;
};

// Of spans under one pixel the one of the least rank is shown.
inline int rankOf(const LaneSpan& span) {
    return int(span.doing);
}
inline int rankOf(const BubbleSpan& span) {
    return int(span.why);
}

struct PipelineModel {
    TracePtr trace;
    std::uint32_t block = noIndex; // row of the block table
    TimeRange range;
    std::vector<PipelineRole> roles;
    std::vector<PipelineLane> lanes;
    std::vector<PipelineSlot> ringSlots;
    std::uint32_t rings = 0;
    std::vector<PipelineArrow> arrows; // by the time that they end
    Bubbles bubbles;
    std::vector<BubbleSpan> idle;
    SpanTree idleTree;
    std::array<bool, std::size_t(Doing::Count_)> occurs{}; // in some lane
    struct {
        bool filling = false, untold = false, full = false, read = false;
    } slotsAre;             // at some time; untold: filled or full
    bool hasCycles = false; // times are the model's, else counted in steps or a GPU's
    void sumUp();           // spans into trees, when all are there
    // Whether anything is copied while others go on, or handed from warp to warp.
    bool hasPipeline() const { return !ringSlots.empty() || !arrows.empty() || bubbles.tensor; }
};

// The block of the selection, or the first with detail of the launch; noIndex: there is none.
std::uint32_t pipelineBlock(const Trace& trace, std::uint32_t launch, std::uint32_t block);
std::shared_ptr<const PipelineModel> buildPipelineModel(TracePtr trace, std::uint32_t block, Progress& progress);

// Parts of it, each with the trace in ticks.
struct PipelineWork {
    const Trace& trace;
    Ticks ticks;
    PtxLines lines;
    std::vector<WarpLife> lives;                     // of the block's warps
    std::vector<std::vector<DoingSpan>> mbarriers{}; // [warp]: waits for them, and for groups of copies
};
const DeviceTiming& timingFor(const TraceInfo& info); // of the device that it names; else the usual
void findSlots(PipelineModel& model, PipelineWork& work);
void numberRings(PipelineModel& model, const Trace& trace);
std::vector<PipelineRole> rolesOf(const PipelineWork& work);
void findBubbles(PipelineModel& model, const PipelineWork& work);
// The lane of several warps: at each moment what most of them do.
std::vector<DoingSpan> foldedSpans(const std::vector<const std::vector<DoingSpan>*>& of);

} // namespace warpglass
