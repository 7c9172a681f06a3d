// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_lines.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <unordered_map>

namespace warpglass {

namespace {

constexpr std::uint32_t longestWay = 1 << 16; // instructions between two events of a warp

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::uint32_t numberIn(std::string_view text) {
    const std::size_t digit = text.find_first_of("0123456789");
    std::uint32_t n = 0;
    if (digit != std::string_view::npos)
        std::from_chars(text.data() + digit, text.data() + text.size(), n);
    return n;
}

// "m64n128k16" of an opcode; a warpgroup's product is shared by its four warps.
std::uint64_t productOf(std::string_view opcode, bool ofWarpgroup) {
    for (std::size_t at = opcode.find(".m"); at != std::string_view::npos; at = opcode.find(".m", at + 1)) {
        std::uint64_t m = 0, n = 0, k = 0;
        const char *p = opcode.data() + at + 2, *end = opcode.data() + opcode.size();
        auto r = std::from_chars(p, end, m);
        if (r.ec != std::errc{} || r.ptr == end || *r.ptr != 'n')
            continue;
        r = std::from_chars(r.ptr + 1, end, n);
        if (r.ec != std::errc{} || r.ptr == end || *r.ptr != 'k')
            continue;
        r = std::from_chars(r.ptr + 1, end, k);
        if (r.ec == std::errc{} && m <= 1024 && n <= 1024 && k <= 1024)
            return m * n * k / (ofWarpgroup ? 4 : 1);
    }
    return 0;
}

std::uint32_t bitsOf(std::string_view opcode) {
    if (has(opcode, ".f64"))
        return 64;
    if (has(opcode, ".tf32"))
        return 32;
    if (has(opcode, ".e4m3") || has(opcode, ".e5m2") || has(opcode, ".s8") || has(opcode, ".u8"))
        return 8;
    if (has(opcode, ".s4") || has(opcode, ".u4"))
        return 4;
    return has(opcode, ".b1") ? 1 : 16;
}

void classify(PtxLine& line, std::string_view opcode, std::string_view operands) {
    const auto is = [&](std::string_view start) { return opcode.starts_with(start); };
    line.kind = LineKind::Other;
    if (is("mma.") || is("wmma.mma") || is("wgmma.mma_async") || is("tcgen05.mma")) {
        line.kind = LineKind::Product;
        line.ofWarpgroup = is("wgmma");
        line.product = productOf(opcode, line.ofWarpgroup);
        line.bits = bitsOf(opcode);
    } else if (is("wgmma.commit_group")) {
        line.kind = LineKind::ProductCommit;
    } else if (is("wgmma.wait_group")) {
        line.kind = LineKind::ProductWait;
        line.number = numberIn(operands);
    } else if (is("cp.async.commit_group")) {
        line.kind = LineKind::CopyCommit;
    } else if (is("cp.async.wait_group") || is("cp.async.wait_all")) {
        line.kind = LineKind::CopyWait;
        line.number = numberIn(operands);
    } else if (is("cp.async.bulk.commit") || is("cp.async.bulk.wait") || is("cp.async.bulk.prefetch") ||
               is("cp.async.mbarrier")) {
        line.kind = LineKind::Other;
    } else if (is("cp.async.bulk") || is("cp.reduce.async.bulk")) {
        const std::size_t global = opcode.find(".global"), shared = opcode.find(".shared");
        line.kind = shared < global ? LineKind::Copy : LineKind::StoreCopy;
    } else if (is("cp.async.ca") || is("cp.async.cg")) {
        line.kind = LineKind::Copy;
    } else if (is("mbarrier.try_wait") || is("mbarrier.test_wait")) {
        line.kind = LineKind::MbarrierWait;
    } else if (is("bar.") || is("barrier.")) {
        line.kind = LineKind::Barrier;
        line.isMeeting =
            !line.conditional && (is("bar.sync") || is("barrier.sync") || is("bar.cta.sync") || is("barrier.cta.sync"));
    } else if (is("st.global") || is("red.global") || is("atom.global") || is("st.volatile.global") ||
               is("wmma.store") || is("st.relaxed") || is("st.release")) {
        line.kind = has(opcode, ".shared") ? LineKind::SharedStore : LineKind::GlobalStore;
    } else if (is("ld.shared") || is("ldmatrix") || is("ld.volatile.shared") || is("wmma.load")) {
        line.kind = LineKind::SharedLoad;
    } else if (is("st.shared") || is("stmatrix") || is("st.volatile.shared")) {
        line.kind = LineKind::SharedStore;
    } else if ((is("fma.") || is("add.") || is("mul.") || is("sub.") || is("div.") || is("ex2.") || is("sqrt.") ||
                is("rsqrt.") || is("max.") || is("min.")) &&
               (has(opcode, ".f32") || has(opcode, ".f64") || has(opcode, ".f16") || has(opcode, ".bf16"))) {
        line.kind = LineKind::Arithmetic;
    }
    if (is("bra") || is("ret") || is("exit") || is("trap")) {
        line.goesOn = line.conditional;
    }
}

} // namespace

PtxLines::PtxLines(std::string_view ptx) : m_lines(1) {
    std::unordered_map<std::string, std::vector<std::uint32_t>> labels; // names of braces' own occur again
    struct Jump {
        std::uint32_t line;
        std::string to;
    };
    std::vector<Jump> jumps;
    while (!ptx.empty()) {
        const std::size_t end = ptx.find('\n');
        std::string_view text = trimmed(ptx.substr(0, end));
        ptx = end == std::string_view::npos ? std::string_view{} : ptx.substr(end + 1);
        const auto number = std::uint32_t(m_lines.size());
        PtxLine line;
        const auto isLabel = [](std::string_view of, std::size_t colon) {
            return colon != std::string_view::npos && colon > 0 && of.find_first_of(" \t.,;[\"@") > colon &&
                   (colon + 1 == of.size() || of[colon + 1] != ':');
        };
        for (std::size_t colon = text.find(':'); isLabel(text, colon); colon = text.find(':')) {
            labels[std::string(text.substr(0, colon))].push_back(number);
            text = trimmed(text.substr(colon + 1));
        }
        if (!text.empty() && text[0] == '@') {
            line.conditional = true;
            const std::size_t space = text.find_first_of(" \t");
            text = space == std::string_view::npos ? std::string_view{} : trimmed(text.substr(space));
        }
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
            const std::size_t space = std::min(text.find_first_of(" \t;"), text.size());
            const std::string_view opcode = text.substr(0, space);
            std::string_view operands = trimmed(text.substr(space));
            operands = operands.substr(0, operands.find(';'));
            classify(line, opcode, operands);
            m_multiplies |= line.kind == LineKind::Product;
            if (opcode == "bra" || opcode == "bra.uni")
                jumps.push_back({number, std::string(operands.substr(0, operands.find_first_of(" \t")))});
        }
        m_lines.push_back(line);
    }
    for (const Jump& jump : jumps) {
        const auto named = labels.find(jump.to);
        if (named == labels.end())
            continue;
        const auto away = [&](std::uint32_t l) { return l > jump.line ? l - jump.line : jump.line - l; };
        m_lines[jump.line].target =
            *std::min_element(named->second.begin(), named->second.end(),
                              [&](std::uint32_t a, std::uint32_t b) { return away(a) < away(b); });
    }
}

// Lines from one to another; the one that it came to. Jumps forward that no event tells are not made; those back are, or not. No way
// leads through a barrier, which would have been told: behind lanes that part the next event may be of the others.
std::uint32_t PtxLines::walk(Way& way, std::uint32_t line, std::uint32_t to, bool goesBack) const {
    std::uint32_t last = 0; // line that it jumped back from: once
    while (line != to && line < m_lines.size() && way.length < longestWay) {
        const PtxLine& here = m_lines[line];
        if (here.isMeeting)
            break;
        if (here.kind != LineKind::None) {
            if (here.kind != LineKind::Other)
                way.lines.push_back({way.length, line});
            ++way.length;
        }
        if (!here.goesOn && here.target == 0)
            break;
        if (goesBack && here.conditional && here.target != 0 && here.target < line && line > last) {
            last = line;
            line = here.target;
        } else {
            line = here.goesOn ? line + 1 : here.target;
        }
    }
    return line;
}

const PtxLines::Way& PtxLines::between(EventKind kind, std::uint32_t from, bool jumps, std::uint32_t to) {
    const auto [known, isNew] = m_ways.try_emplace({kind, from, jumps, to});
    Way& way = known->second;
    if (!isNew)
        return way;
    std::uint32_t line = from;
    if (kind == EventKind::Branch)
        line = jumps && at(from).target != 0 ? at(from).target : from + 1;
    else if (kind == EventKind::BarrierArrive || kind == EventKind::BarrierLeave)
        line = from + 1;
    const std::uint32_t first = line;
    line = walk(way, first, to, false);
    if (line != to) { // jumps back are not recorded where other records tell them
        way = {};
        line = walk(way, first, to, true);
    }
    if (line != to) // it went another way
        way = {};
    return way;
}

} // namespace warpglass
