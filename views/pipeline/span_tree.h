// SPDX-License-Identifier: GPL-3.0-or-later
// Spans of a row, summed up by eights, again and again: a frame walks down only where a node is wider than a pixel, so that it
// costs the same however many spans lie under it.
#pragma once

#include "gpu/base/time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpglass {

class SpanTree {
public:
    struct Node {
        Time begin, end;
        std::uint32_t least = 0; // of its spans the one with the least rank, the first of them
    };
    static constexpr std::size_t width = 8;

    SpanTree() = default;
    template <typename Span, typename Rank>
    SpanTree(const std::vector<Span>& spans, Rank&& rank) {
        const auto least = [&](std::uint32_t a, std::uint32_t b) { return rank(spans[b]) < rank(spans[a]) ? b : a; };
        std::vector<Node> nodes;
        nodes.reserve(spans.size() / width + 1);
        for (std::size_t first = 0; first < spans.size(); first += width) {
            const std::size_t end = std::min(first + width, spans.size());
            Node node{spans[first].begin, spans[end - 1].end, std::uint32_t(first)};
            for (std::size_t n = first + 1; n < end; ++n)
                node.least = least(node.least, std::uint32_t(n));
            nodes.push_back(node);
        }
        while (!nodes.empty()) {
            m_levels.push_back(std::move(nodes));
            nodes = {};
            const std::vector<Node>& below = m_levels.back();
            if (below.size() == 1)
                break;
            for (std::size_t first = 0; first < below.size(); first += width) {
                const std::size_t end = std::min(first + width, below.size());
                Node node{below[first].begin, below[end - 1].end, below[first].least};
                for (std::size_t n = first + 1; n < end; ++n)
                    node.least = least(node.least, below[n].least);
                nodes.push_back(node);
            }
        }
    }

    // In time order, of what lies in [from, to): nodes for which isSmall(begin, end) is true as a whole, and single spans of the
    // others. take(begin, end, span, isOne) says false to end it.
    template <typename Span, typename IsSmall, typename Take>
    void walk(const std::vector<Span>& spans, Time from, Time to, IsSmall&& isSmall, Take&& take) const {
        if (!m_levels.empty())
            step(spans, m_levels.size() - 1, 0, from, to, isSmall, take);
    }

private:
    template <typename Span, typename IsSmall, typename Take>
    bool step(const std::vector<Span>& spans, std::size_t level, std::size_t n, Time from, Time to, IsSmall& isSmall,
              Take& take) const {
        const Node& node = m_levels[level][n];
        if (node.end <= from)
            return true;
        if (node.begin >= to)
            return false;
        if (isSmall(node.begin, node.end))
            return take(node.begin, node.end, spans[node.least], false);
        const std::size_t first = n * width;
        if (level > 0) {
            const std::size_t end = std::min(first + width, m_levels[level - 1].size());
            for (std::size_t child = first; child < end; ++child)
                if (!step(spans, level - 1, child, from, to, isSmall, take))
                    return false;
            return true;
        }
        const std::size_t end = std::min(first + width, spans.size());
        for (std::size_t k = first; k < end; ++k) {
            if (spans[k].end <= from)
                continue;
            if (spans[k].begin >= to || !take(spans[k].begin, spans[k].end, spans[k], true))
                return false;
        }
        return true;
    }

    std::vector<std::vector<Node>> m_levels; // [0]: of spans; the last one has one node
};

} // namespace warpglass
