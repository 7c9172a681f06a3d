// SPDX-License-Identifier: GPL-3.0-or-later
// Which operation a record of a GPU's work is of. Of each stream both are in the order of the calls, so the oldest operation
// of the same kind, name or size is the one meant. Nodes of graphs say which they are, by numbers of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace warpglass::seat {

// What a record will say of an operation.
struct Expected {
    enum class Kind : std::uint8_t { Kernel, Copy, Fill };
    Kind kind = Kind::Kernel;
    std::uint64_t what = 0;      // hash of the kernel's name; bytes
    std::uint64_t graphNode = 0; // expected: the seat's number of a node; recorded: CUPTI's; 0: of no graph
};

class Matching {
public:
    // row of the journal's operations.
    void expect(std::uint32_t stream, const Expected& e, std::uint64_t row) {
        if (e.graphNode && m_nodesSeen.insert(e.graphNode).second)
            m_unnumbered[{e.kind, e.what}].push_back(e.graphNode);
        m_waiting[{e.graphNode ? e.graphNode : stream, e.graphNode != 0, e.kind}].push_back({e.what, row});
    }
    // The row that waited for this record, which comes in the order of beginnings; waits for it no longer.
    std::optional<std::uint64_t> take(std::uint32_t stream, const Expected& recorded) {
        const std::uint64_t place = recorded.graphNode ? nodeOf(recorded) : stream;
        const auto list = m_waiting.find({place, recorded.graphNode != 0, recorded.kind});
        if (list == m_waiting.end())
            return std::nullopt;
        auto& waiting = list->second;
        const auto end = waiting.size() > mostSkipped ? waiting.begin() + mostSkipped : waiting.end();
        const auto found =
            std::find_if(waiting.begin(), end, [&](const Waiting& w) { return w.what == recorded.what; });
        if (found == end)
            return std::nullopt;
        const std::uint64_t row = found->row;
        waiting.erase(waiting.begin(), found + 1);
        return row;
    }

private:
    // How far behind the oldest operation a record may belong: those before it made none.
    static constexpr std::ptrdiff_t mostSkipped = 256;
    struct Waiting {
        std::uint64_t what, row;
    };
    // By the numbers of the nodes that a graph was made from, none of 1,134 records found its node on an H200. So the first
    // record of a number is of the oldest operation that could be meant, and that node keeps the number.
    std::uint64_t nodeOf(const Expected& recorded) {
        const auto known = m_nodes.find(recorded.graphNode);
        if (known != m_nodes.end())
            return known->second;
        std::deque<std::uint64_t>& open = m_unnumbered[{recorded.kind, recorded.what}];
        if (open.empty())
            return 0;
        const std::uint64_t node = m_nodes[recorded.graphNode] = open.front();
        open.pop_front();
        return node;
    }

    // By stream (or node of a graph) and kind, oldest first.
    std::map<std::tuple<std::uint64_t, bool, Expected::Kind>, std::deque<Waiting>> m_waiting;
    std::map<std::uint64_t, std::uint64_t> m_nodes; // CUPTI's number to the seat's
    std::set<std::uint64_t> m_nodesSeen;
    std::map<std::pair<Expected::Kind, std::uint64_t>, std::deque<std::uint64_t>> m_unnumbered; // nodes, oldest first
};

} // namespace warpglass::seat
