// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/line_counts.h"

#include "gpu/base/utf8.h"
#include "gpu/trace/register_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpglass::record {

namespace {

constexpr std::size_t mostCode = 100;     // bytes of a line that are kept
constexpr std::size_t mostMatched = 2000; // lines of a text that are looked for by what stands in them

std::vector<std::string_view> linesOfText(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string keptCodeOf(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    std::string code(line.substr(begin, mostCode));
    for (char& c : code)
        if (static_cast<unsigned char>(c) < ' ')
            c = ' ';
    while (code.ends_with(' '))
        code.pop_back();
    return validUtf8(code);
}

// What made the PTX, as its head says.
std::string compilerOfPtx(std::string_view ptx) {
    constexpr std::string_view before = "// Cuda compilation tools, ";
    const std::string_view head = ptx.substr(0, 2000);
    const std::size_t at = head.find(before);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = head.substr(at + before.size());
    return keptCodeOf(rest.substr(0, rest.find('\n')));
}

// Which lines of two texts are the same: the longest common subsequence; what lies between two of its lines is paired in
// order. -1: nothing is paired with it.
std::vector<int> linePairs(const std::vector<LineCount>& now, const std::vector<LineCount>& before) {
    std::vector<int> pair(now.size(), -1);
    if (now.size() > mostMatched || before.size() > mostMatched) {
        for (std::size_t n = 0; n < now.size(); ++n)
            for (std::size_t b = 0; b < before.size() && pair[n] < 0; ++b)
                if (now[n].line == before[b].line)
                    pair[n] = int(b);
        return pair;
    }
    const std::size_t width = before.size() + 1;
    std::vector<std::uint32_t> length((now.size() + 1) * width, 0); // of the rest
    for (std::size_t n = now.size(); n-- > 0;)
        for (std::size_t b = before.size(); b-- > 0;)
            length[n * width + b] = now[n].code == before[b].code
                                        ? length[(n + 1) * width + b + 1] + 1
                                        : std::max(length[(n + 1) * width + b], length[n * width + b + 1]);
    std::size_t n = 0, b = 0, fromNow = 0, fromBefore = 0;
    const auto pairBetween = [&] {
        for (; fromNow < n && fromBefore < b; ++fromNow, ++fromBefore)
            pair[fromNow] = int(fromBefore);
    };
    while (n < now.size() && b < before.size())
        if (now[n].code == before[b].code) {
            pairBetween();
            pair[n] = int(b);
            fromNow = ++n;
            fromBefore = ++b;
        } else if (length[(n + 1) * width + b] >= length[n * width + b + 1]) {
            ++n;
        } else {
            ++b;
        }
    n = now.size();
    b = before.size();
    pairBetween();
    return pair;
}

} // namespace

std::string_view nameOf(LineColumn column) {
    constexpr std::string_view names[] = {"sectors", "passes", "divergent", "executions"};
    return names[std::size_t(column)];
}

std::string_view wordsOf(LineColumn column) {
    constexpr std::string_view words[] = {"sectors", "passes", "divergent branches", "warp instructions"};
    return words[std::size_t(column)];
}

std::optional<std::uint64_t> LaunchNumbers::sum(std::string_view name) const {
    for (const auto& [its, value] : sums)
        if (its == name)
            return value;
    return std::nullopt;
}

LaunchNumbers numbersOf(const Trace& trace, const std::optional<session::Assembled>& assembled) {
    LaunchNumbers all;
    if (trace.launches.empty())
        return all;
    const Launch& launch = trace.launches.front();
    const Kernel& kernel = trace.kernelOf(launch);
    enum { Executions, Lanes, Branches, Divergent, Requests, Load, Store, Atomic, Local, Passes, Ideal, sumCount };
    constexpr const char* names[] = {"executions",    "lanes",        "branches",      "divergent",
                                     "requests",      "load_sectors", "store_sectors", "atomic_sectors",
                                     "local_sectors", "passes",       "ideal_passes"};
    std::array<std::uint64_t, sumCount> sums{};
    const bool fromSource = std::any_of(trace.counts.begin(), trace.counts.end(), [&](const InstructionCount& c) {
        return trace.launches[c.launch].kernel == launch.kernel && sourceLineOf(kernel, c) != 0;
    });
    std::map<std::uint32_t, LineCount> lines;
    for (const InstructionCount& c : trace.counts) {
        sums[Executions] += c.executions;
        sums[Lanes] += c.lanes;
        sums[Branches] += c.isConditional ? c.executions : 0;
        sums[Divergent] += c.divergent;
        const bool isLocal = c.space == MemorySpace::Local, isGlobal = c.space == MemorySpace::Global;
        if (c.isMemory) {
            sums[Requests] += c.requests;
            sums[Passes] += c.passes;
            sums[Ideal] += c.idealPasses;
            if (isLocal)
                sums[Local] += c.sectors;
            else if (isGlobal)
                sums[c.access == AccessKind::Load ? Load : c.access == AccessKind::Store ? Store : Atomic] += c.sectors;
        }
        if (trace.launches[c.launch].kernel != launch.kernel)
            continue;
        const std::uint32_t line = fromSource ? sourceLineOf(kernel, c) : c.ptxLine;
        if (line == 0)
            continue;
        auto& counts = lines[line].counts;
        counts[std::size_t(LineColumn::Sectors)] += isLocal || isGlobal ? c.sectors : 0;
        counts[std::size_t(LineColumn::Passes)] += c.passes;
        counts[std::size_t(LineColumn::Divergent)] += c.divergent;
        counts[std::size_t(LineColumn::Executions)] += c.executions;
    }
    for (std::size_t n = 0; n < sumCount; ++n)
        all.sums.emplace_back(names[n], sums[n]);
    all.sums.emplace_back("launches", std::count_if(trace.launches.begin(), trace.launches.end(),
                                                    [](const Launch& l) { return l.status == LaunchStatus::Ran; }));
    all.sums.emplace_back("shared_bytes", kernel.sharedBytes + launch.sharedBytes);
    if (assembled)
        all.sums.emplace_back("registers", assembled->registers);
    else if (kernel.registers != 0 && !registersEstimated(trace, 0))
        all.sums.emplace_back("registers", kernel.registers);
    if (assembled)
        all.sums.emplace_back("spill_bytes", assembled->spillStores + assembled->spillLoads);
    const std::vector<std::string_view> text = linesOfText(fromSource ? kernel.source : kernel.ptx);
    for (auto& [line, count] : lines) {
        count.line = line;
        if (line <= text.size())
            count.code = keptCodeOf(text[line - 1]);
        all.lines.push_back(std::move(count));
    }
    if (!trace.timings.empty())
        all.timeNs = trace.timings.front().durationNs;
    all.compiler = compilerOfPtx(kernel.ptx);
    all.file = fromSource ? kernel.sourceName : "";
    return all;
}

std::vector<LineChange> changesOf(const LaunchNumbers& now, const LaunchNumbers& before) {
    std::vector<LineChange> all;
    const std::vector<int> pair = linePairs(now.lines, before.lines);
    std::vector<bool> paired(before.lines.size(), false);
    for (const int b : pair)
        if (b >= 0)
            paired[std::size_t(b)] = true;
    for (std::size_t c = 0; c < lineColumns; ++c) {
        const auto column = LineColumn(c);
        std::vector<LineChange> ofColumn;
        for (std::size_t n = 0; n < now.lines.size(); ++n) {
            const LineCount& line = now.lines[n];
            const std::uint64_t was = pair[n] < 0 ? 0 : before.lines[std::size_t(pair[n])].of(column);
            if (line.of(column) != was)
                ofColumn.push_back({column, line.line, false, line.code, line.of(column), was});
        }
        for (std::size_t b = 0; b < before.lines.size(); ++b)
            if (const LineCount& line = before.lines[b]; !paired[b] && line.of(column) > 0)
                ofColumn.push_back({column, line.line, true, line.code, 0, line.of(column)});
        std::stable_sort(ofColumn.begin(), ofColumn.end(), [](const LineChange& a, const LineChange& b) {
            return std::int64_t(a.now - a.before) > std::int64_t(b.now - b.before);
        });
        all.insert(all.end(), ofColumn.begin(), ofColumn.end());
    }
    return all;
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string textOf(const LineChange& change) {
    return fmt::format("{} {}: {} {}, {} before", change.gone ? "what was line" : "line", change.line,
                       grouped(change.now), wordsOf(change.column), grouped(change.before));
}

} // namespace warpglass::record
