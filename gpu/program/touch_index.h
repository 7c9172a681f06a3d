// SPDX-License-Identifier: GPL-3.0-or-later
// Of pieces of work that come one after the other (1, 2, 3, ...), which was the last to touch each byte: so that later work
// need not look at all of them.
#pragma once

#include "gpu/base/touched.h"

#include <array>
#include <cstdint>
#include <map>

namespace warpglass::program {

class TouchIndex {
public:
    void add(const Touched& touched, std::uint32_t count); // counts ascend
    // The last of them that touches bytes of this work so that one of the two has to come first (touched.h), and that hands
    // on to it; 0: there is none.
    struct Last {
        std::uint32_t meets = 0, handsOn = 0;
    };
    Last last(const Touched& later) const;
    void clear() { m_spans.clear(); }
    std::size_t size() const { return m_spans.size(); }

private:
    enum Use : std::uint8_t { Reads, Writes, StrongReads, StrongWrites };
    struct Span {
        std::uint64_t end = 0;
        std::array<std::uint32_t, 4> last{}; // [Use] count
    };
    void add(const ByteRange& range, Use use, std::uint32_t count);
    void cut(std::uint64_t at);            // a span that holds the byte and the one before it becomes two
    std::map<std::uint64_t, Span> m_spans; // [begin], apart from each other
};

} // namespace warpglass::program
