// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/pipeline.h"

#include "gpu/metrics/ptx_lines.h"
#include "gpu/ptx/matrix_form.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace warpglass {

namespace {

enum class Does : std::uint8_t { Other, Product, Commit, WaitGroup, Try };
struct Line {
    Does does = Does::Other;
    std::uint32_t groups = 0; // of WaitGroup: how many may be under way
};

Line read(std::string_view line) {
    const std::string_view opcode = opcodeOf(line);
    if (opcode.starts_with("cp.async.commit_group"))
        return {Does::Commit};
    if (opcode.starts_with("cp.async.wait_all"))
        return {Does::WaitGroup};
    if (opcode.starts_with("cp.async.wait_group")) {
        Line wait{Does::WaitGroup};
        const std::size_t digit = line.find_first_of("0123456789", line.find("wait_group"));
        if (digit != std::string_view::npos)
            std::from_chars(line.data() + digit, line.data() + line.size(), wait.groups);
        return wait;
    }
    if (opcode.starts_with("mbarrier.try_wait") || opcode.starts_with("mbarrier.test_wait"))
        return {Does::Try};
    using Kind = ptx::MatrixForm::Kind;
    const auto form = ptx::matrixForm(opcode);
    return {form && (form->kind == Kind::Product || form->kind == Kind::AsyncProduct) ? Does::Product : Does::Other};
}

struct Seen {
    double time = 0, waited = 0;     // cycles
    std::uint32_t groupsAhead = 0;   // that were under way while a product was made
    std::uint32_t rounds = 0;        // products with a wait for groups before them
    std::set<std::uint32_t> tries{}; // lines
    void add(const Seen& other) {
        time += other.time;
        waited += other.waited;
        groupsAhead = std::max(groupsAhead, other.groupsAhead);
        rounds = std::max(rounds, other.rounds);
        tries.insert(other.tries.begin(), other.tries.end());
    }
};

// What a warp waits behind a try is for that; before a wait for groups, too. Only what lies between two products counts.
Seen lookAt(std::span<const StateRow> states, const std::map<std::uint32_t, Line>& lines) {
    Seen seen, since; // since the last product
    bool made = false, waited = false;
    std::uint32_t under = 0, tried = 0, rounds = 0;
    for (const StateRow& s : states) {
        const double length = double((s.end - s.begin).value);
        const auto found = lines.find(s.ptxLine);
        const Line line = found == lines.end() ? Line{} : found->second;
        since.time += length;
        if (s.state != WarpState::Selected) {
            const bool waits = s.state == WarpState::StallLongScoreboard || s.state == WarpState::StallBarrier;
            if (waits && (tried != 0 || line.does == Does::WaitGroup)) {
                since.waited += length;
                if (tried != 0)
                    since.tries.insert(tried);
            }
            continue;
        }
        tried = line.does == Does::Try ? s.ptxLine : 0;
        if (line.does == Does::Commit)
            ++under;
        else if (line.does == Does::WaitGroup) {
            under = std::min(under, line.groups);
            waited = true;
        } else if (line.does == Does::Product) {
            rounds += waited;
            waited = false;
            since.groupsAhead = under;
            if (made)
                seen.add(since);
            made = true;
            since = {};
        }
    }
    seen.rounds = rounds;
    return seen;
}

// Phases that one block's mbarriers complete of copies that a line waits for: the fullest line's, or all lines' where each has
// an mbarrier of its own.
std::uint32_t roundsOf(const Trace& trace, const std::set<std::uint32_t>& tries, const std::set<std::uint32_t>& told,
                       std::size_t perLine) {
    std::map<std::uint32_t, std::set<std::uint32_t>> linesOf; // of an mbarrier
    for (const PhaseEvent& e : trace.phaseEvents)
        if (e.site < trace.sites.size() && told.contains(e.barrier) && tries.contains(trace.sites[e.site].ptxLine))
            linesOf[e.barrier].insert(trace.sites[e.site].ptxLine);
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> ofBlock; // phases, by block and line
    for (const PhaseEvent& e : trace.phaseEvents)
        if (const auto lines = linesOf.find(e.barrier); lines != linesOf.end() && e.kind == PhaseEventKind::Complete)
            for (const std::uint32_t line : lines->second)
                ++ofBlock[e.block][perLine == 1 ? 0 : line];
    std::uint32_t rounds = 0;
    for (const auto& [block, lines] : ofBlock)
        for (const auto& [line, phases] : lines)
            rounds = std::max(rounds, phases);
    return rounds;
}

} // namespace

std::uint32_t enoughStages(std::uint32_t stages, double waits) {
    if (waits <= 0 || waits >= 1)
        return stages;
    if (stages <= 1) // nothing is asked for ahead: copies take what is waited
        return 1 + std::uint32_t(std::ceil(waits / (1 - waits) - 1e-9));
    return 1 + std::uint32_t(std::ceil((stages - 1) / (1 - waits) - 1e-9));
}

double savedByStages(const Pipeline& p, std::uint32_t stages) {
    const double own = 1 - p.waits;
    const double copies = p.stages <= 1 ? p.waits : p.stages - 1;
    return 1 - std::max(own, copies / std::max(1u, stages - 1));
}

std::optional<Pipeline> pipelineOf(const Trace& trace, std::uint32_t launch) {
    if (launch >= trace.launches.size())
        return std::nullopt;
    const Launch& l = trace.launches[launch];
    std::map<std::uint32_t, Line> lines; // that are of interest
    std::uint32_t number = 0;
    for (const std::string_view text : linesOf(trace.kernelOf(l).ptx)) {
        ++number;
        if (const Line line = read(text); line.does != Does::Other)
            lines[number] = line;
    }
    std::set<std::uint32_t> told; // mbarriers that copies tell
    for (const AsyncCopy& copy : trace.copies)
        if (copy.barrier != noIndex)
            told.insert(copy.barrier);
    std::map<std::uint32_t, bool> ofCopies; // of a line that is known to ask mbarriers: whether copies tell one of them
    for (const PhaseEvent& e : trace.phaseEvents)
        if (e.site < trace.sites.size())
            ofCopies[trace.sites[e.site].ptxLine] |= told.contains(e.barrier);
    std::erase_if(lines, [&](const auto& line) { // who waits for his turn does not wait for copies
        const auto known = ofCopies.find(line.first);
        return line.second.does == Does::Try && known != ofCopies.end() && !known->second;
    });
    Seen all;
    for (const Block& block : trace.blocksOf(l))
        for (const Warp& warp : trace.warpsOf(block))
            all.add(lookAt(trace.statesOf(warp), lines));
    if (all.time <= 0 || all.waited <= 0)
        return std::nullopt;
    Pipeline p;
    p.waits = all.waited / all.time;
    p.stages = all.groupsAhead + 1;
    p.rounds = all.rounds;
    if (!all.tries.empty()) { // as many as there are mbarriers that tell of copies and are waited for at one line
        std::map<std::uint32_t, std::set<std::uint32_t>> barriers; // of a line
        for (const PhaseEvent& e : trace.phaseEvents)
            if (e.site < trace.sites.size() && told.contains(e.barrier))
                if (const std::uint32_t line = trace.sites[e.site].ptxLine; all.tries.contains(line))
                    barriers[line].insert(e.barrier);
        std::size_t most = 0;
        for (const auto& [line, of] : barriers)
            most = std::max(most, of.size());
        p.stages = std::uint32_t(most == 1 ? barriers.size() : most);
        p.rounds = roundsOf(trace, all.tries, told, most);
    }
    if (p.stages == 0)
        return std::nullopt;
    p.enough = enoughStages(p.stages, p.waits);
    return p;
}

} // namespace warpglass
