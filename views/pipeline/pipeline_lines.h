// SPDX-License-Identifier: GPL-3.0-or-later
// What each line of a kernel's PTX does in a pipeline, and which lines a warp passed between two of its events.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace warpglass {

enum class LineKind : std::uint8_t {
    None, // no instruction
    Other,
    Product,       // mma, wmma.mma, wgmma.mma_async, tcgen05.mma
    ProductCommit, // of wgmma: a group of products
    ProductWait,   // until so many groups are left
    Copy,          // into shared memory, while the warp goes on
    CopyCommit,    // of cp.async: a group of copies
    CopyWait,      // until so many groups are left
    StoreCopy,     // out of shared memory
    MbarrierWait,
    Barrier,
    GlobalStore,
    SharedLoad,
    SharedStore,
    Arithmetic, // of floats
};

struct PtxLine {
    LineKind kind = LineKind::None;
    bool conditional = false;  // a jump that some lanes may not make
    bool goesOn = true;        // to the line below
    bool isMeeting = false;    // of all the block's warps: each passage of it is an event
    std::uint32_t target = 0;  // of a jump; 0: it is none
    std::uint32_t number = 0;  // groups that are left
    std::uint64_t product = 0; // multiply-adds of a warp
    std::uint32_t bits = 16;   // of an element
    bool ofWarpgroup = false;
};

class PtxLines {
public:
    explicit PtxLines(std::string_view ptx);

    const PtxLine& at(std::uint32_t line) const { return line < m_lines.size() ? m_lines[line] : m_lines[0]; }
    bool multiplies() const { return m_multiplies; }

    struct Passed {
        std::uint32_t after = 0; // instructions before it since the event
        std::uint32_t line = 0;
    };
    struct Way {
        std::vector<Passed> lines; // that do something for a pipeline
        std::uint32_t length = 0;  // instructions in all
    };
    // From an event at a line to the next event of the warp.
    const Way& between(EventKind kind, std::uint32_t from, bool jumps, std::uint32_t to);

private:
    std::uint32_t walk(Way& way, std::uint32_t line, std::uint32_t to, bool goesBack) const;

    std::vector<PtxLine> m_lines; // [line], from 1
    bool m_multiplies = false;
    std::map<std::tuple<EventKind, std::uint32_t, bool, std::uint32_t>, Way> m_ways;
};

} // namespace warpglass
