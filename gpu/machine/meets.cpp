// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/meets.h"

#include "gpu/machine/open_meetings.h"
#include "gpu/ptx/describe.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace warpglass::machine {

namespace {

constexpr std::uint32_t nowhere = 0xffffffffu;
constexpr std::uint64_t mostSteps = 1 << 18; // what is known of larger functions is left to the text

// What does not change its place among the others: the same in the text and in the code.
enum class Anchor : std::uint8_t { None, Branch, Store, Atomic, Barrier, Call, End };

Anchor anchorOf(const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::Bra:
        return i.guarded() ? Anchor::Branch : Anchor::None;
    case ptx::Opcode::Brx:
        return Anchor::Branch;
    case ptx::Opcode::St:
        return ptx::describe(i).space == ptx::StateSpace::Param ? Anchor::None : Anchor::Store;
    case ptx::Opcode::Atom:
    case ptx::Opcode::Red:
        return Anchor::Atomic;
    case ptx::Opcode::Bar:
    case ptx::Opcode::Barrier:
        return Anchor::Barrier;
    case ptx::Opcode::Call:
        return Anchor::Call;
    case ptx::Opcode::Ret:
    case ptx::Opcode::Exit:
        return Anchor::End;
    default:
        return Anchor::None;
    }
}

Anchor anchorOf(const Instruction& in, std::string_view name) {
    if (in.flow == Flow::Branch)
        return (in.guard != alwaysTrue && !in.ifApart) || name == "BRX" ? Anchor::Branch : Anchor::None;
    if (in.flow == Flow::Exit || in.flow == Flow::Return)
        return Anchor::End;
    if (in.flow == Flow::Call)
        return Anchor::Call;
    if (name == "ST" || name == "STG" || name == "STS")
        return Anchor::Store;
    if (name.starts_with("ATOM") || (name.starts_with("RED") && name != "REDUX"))
        return Anchor::Atomic;
    return name.starts_with("BAR") ? Anchor::Barrier : Anchor::None;
}

class MeetsReader {
public:
    MeetsReader(const Function& code, unsigned arch, const ptx::Function& text, const ptx::ControlFlow& flow)
        : m_code(code), m_arch(arch), m_text(text), m_flow(flow), m_end(std::uint32_t(code.withoutFilling())),
          m_meetings(openMeetings(code)) {}

    std::vector<ptx::BranchMeets> read() {
        findAnchors();
        if (m_anchorOf.empty() || std::uint64_t(m_anchorOf.size()) * m_flow.blocks.size() > mostSteps)
            return {};
        findBranches();
        std::vector<ptx::BranchMeets> all;
        for (std::uint32_t c = 0; c < m_end; ++c) {
            if (m_kind[c] != Anchor::Branch || m_anchor[c] == nowhere || !m_meetings.reached[c])
                continue;
            ptx::BranchMeets meets{m_text.name, m_anchor[c], {}};
            bool known = true;
            for (const std::uint32_t open : m_meetings.open[c]) {
                const std::uint32_t place = placeOf(open, m_anchor[c]);
                known = known && place != nowhere;
                if (known && (meets.places.empty() || meets.places.back() != place))
                    meets.places.push_back(place);
            }
            const auto at = std::ranges::lower_bound(all, meets.branch, {}, &ptx::BranchMeets::branch);
            if (!known)
                continue;
            if (at == all.end() || at->branch != meets.branch) {
                all.insert(at, std::move(meets));
            } else if (at->places != meets.places) { // copies that differ: what they share, and where all come
                keepShared(at->places, meets.places);
                const std::uint32_t block = m_flow.blockOf[at->branch], last = m_flow.postDominator[block];
                const std::uint32_t place = firstOf(last);
                if (last != m_flow.exitBlock() && std::ranges::find(at->places, place) == at->places.end())
                    at->places.push_back(place);
            }
        }
        addOthers(all);
        addYields(all);
        return all;
    }

private:
    std::uint32_t firstOf(std::uint32_t block) const {
        return m_flow.firstOf(block, std::uint32_t(m_text.body.size()));
    }
    // Of places, the innermost last, those that are the same from the outermost on.
    static void keepShared(std::vector<std::uint32_t>& places, const std::vector<std::uint32_t>& others) {
        places.erase(std::ranges::mismatch(places, others).in1, places.end());
    }

    // Branches that the code does not have: lanes stay together, so that both sides meet where the first of them comes to what
    // the other comes to as well. Who jumps over that meets where the branches do that come next.
    void addOthers(std::vector<ptx::BranchMeets>& all) {
        const std::vector<ptx::BranchMeets> known = all;
        for (std::uint32_t b = 0; b < m_flow.exitBlock(); ++b) {
            const std::vector<std::uint32_t>& sides = m_flow.blocks[b].successors;
            const std::uint32_t branch = m_flow.blocks[b].end - 1;
            const auto at = std::ranges::lower_bound(all, branch, {}, &ptx::BranchMeets::branch);
            if (sides.size() < 2 || (at != all.end() && at->branch == branch))
                continue;
            std::optional<std::vector<std::uint32_t>> places;
            for (const std::uint32_t side : sides)
                for (const std::uint32_t first : firstInText(side)) {
                    const auto next = std::ranges::lower_bound(known, first, {}, &ptx::BranchMeets::branch);
                    if (next == known.end() || next->branch != first)
                        continue;
                    if (!places)
                        places = next->places;
                    else
                        keepShared(*places, next->places);
                }
            if (!places)
                places.emplace();
            const std::uint32_t place = firstOf(joinOf(b));
            if (place < m_text.body.size() && std::ranges::find(*places, place) == places->end())
                places->push_back(place);
            all.insert(at, {m_text.name, branch, std::move(*places)});
        }
    }

    // Calls goesOn for each block of the text that is come to from this one, itself first, and goes on behind those for which it
    // is true.
    template <class GoesOn>
    void walk(std::uint32_t from, GoesOn goesOn) const {
        std::vector<bool> seen(m_flow.blocks.size() + 1, false);
        std::vector<std::uint32_t> open{from};
        while (!open.empty()) {
            const std::uint32_t b = open.back();
            open.pop_back();
            if (b >= m_flow.exitBlock() || seen[b])
                continue;
            seen[b] = true;
            if (goesOn(b))
                open.insert(open.end(), m_flow.blocks[b].successors.begin(), m_flow.blocks[b].successors.end());
        }
    }

    // [block] Whether it is come to from this one, not through `without`.
    std::vector<bool> reached(std::uint32_t from, std::uint32_t without) const {
        std::vector<bool> all(m_flow.blocks.size() + 1, false);
        walk(from, [&](std::uint32_t b) { return all[b] = b != without; });
        return all;
    }

    // Of the blocks at which what several sides of a branch come to is entered the one that leads to all others; else its
    // post-dominator.
    std::uint32_t joinOf(std::uint32_t branch) const {
        const std::vector<std::uint32_t>& sides = m_flow.blocks[branch].successors;
        std::vector<std::uint32_t> by(m_flow.blocks.size() + 1, 0); // [block] so many sides come to it
        for (const std::uint32_t side : sides) {
            const std::vector<bool> seen = reached(side, branch);
            for (std::uint32_t b = 0; b < m_flow.exitBlock(); ++b)
                by[b] += seen[b];
        }
        std::set<std::uint32_t> entered;
        for (const std::uint32_t side : sides)
            if (by[side] > 1)
                entered.insert(side);
        for (std::uint32_t b = 0; b < m_flow.exitBlock(); ++b)
            if (by[b] == 1)
                for (const std::uint32_t s : m_flow.blocks[b].successors)
                    if (by[s] > 1)
                        entered.insert(s);
        std::uint32_t first = m_flow.postDominator[branch];
        std::size_t leading = 0;
        for (const std::uint32_t b : entered) {
            const std::vector<bool> seen = reached(b, branch);
            if (std::ranges::all_of(entered, [&](std::uint32_t other) { return seen[other]; }) && ++leading == 1)
                first = b;
        }
        return leading == 1 ? first : m_flow.postDominator[branch];
    }

    static bool isStraight(Flow flow) { return flow == Flow::Next || flow == Flow::Meet || flow == Flow::Join; }

    // What comes first behind YIELD, in its own piece of straight code.
    void addYields(std::vector<ptx::BranchMeets>& all) const {
        for (std::uint32_t c = 0; c < m_end; ++c) {
            if (nameOf(c) != "YIELD" || !m_meetings.reached[c])
                continue;
            std::uint32_t i = c;
            while (i + 1 < m_end && m_anchor[i] == nowhere && isStraight(m_code.code[i].flow))
                ++i;
            if (m_anchor[i] != nowhere)
                all.push_back({m_text.name, m_anchor[i], {}, true});
        }
    }

    std::string_view nameOf(std::uint32_t c) const { return mnemonic(m_code.code[c].opcode, m_arch); }

    // Anchors of the code that are of the text's function, and which they are.
    void findAnchors() {
        std::map<std::uint32_t, std::uint32_t> ofLine; // of PTX, its first
        for (std::uint32_t i = 0; i < m_text.body.size(); ++i)
            if (anchorOf(m_text.body[i]) != Anchor::None)
                ofLine.try_emplace(std::uint32_t(m_text.body[i].line), i);
        m_anchor.assign(m_end, nowhere);
        m_kind.assign(m_end, Anchor::None);
        for (std::uint32_t c = 0; c < m_end; ++c) {
            const LineRow* row = m_code.ptx.at(c * instructionBytes);
            m_kind[c] = anchorOf(m_code.code[c], nameOf(c));
            const auto found = row && m_kind[c] != Anchor::None ? ofLine.find(row->line) : ofLine.end();
            if (found != ofLine.end() && anchorOf(m_text.body[found->second]) == m_kind[c]) {
                m_anchor[c] = found->second;
                m_anchorOf.insert(m_anchor[c]);
            }
        }
    }

    // Branches that stand under another line, since the compiler has moved code: those behind whose sides the same comes first.
    void findBranches() {
        std::vector<std::uint32_t> open; // of the text
        for (std::uint32_t b = 0; b < m_flow.exitBlock(); ++b)
            if (const std::uint32_t i = m_flow.blocks[b].end - 1; m_flow.blocks[b].successors.size() == 2 &&
                                                                  anchorOf(m_text.body[i]) == Anchor::Branch &&
                                                                  !m_anchorOf.contains(i))
                open.push_back(b);
        std::map<std::uint32_t, std::uint32_t> found; // of the code
        for (std::uint32_t c = 0; c < m_end && !open.empty(); ++c) {
            const Instruction& in = m_code.code[c];
            if (m_kind[c] != Anchor::Branch || m_anchor[c] != nowhere || !in.target)
                continue;
            const auto jumps = firstInCode(std::uint32_t(*in.target / instructionBytes)), goesOn = firstInCode(c + 1);
            if (jumps == goesOn)
                continue;
            for (const std::uint32_t b : open) {
                const auto &one = firstInText(m_flow.blocks[b].successors[0]),
                           &other = firstInText(m_flow.blocks[b].successors[1]);
                if ((one == jumps && other == goesOn) || (one == goesOn && other == jumps)) {
                    found[c] = m_flow.blocks[b].end - 1;
                    break;
                }
            }
        }
        for (const auto& [c, branch] : found) {
            m_anchor[c] = branch;
            m_anchorOf.insert(branch);
        }
        m_firstOf.clear();
    }

    // An atomic that one lane does with the sum of all that have come, whom a vote has named.
    bool isOfOneForAll(std::uint32_t c) const {
        if (m_kind[c] != Anchor::Atomic)
            return false;
        while (c > 0 && m_code.code[c - 1].flow == Flow::Next)
            if (nameOf(--c) == "VOTEU")
                return true;
        return false;
    }

    // The anchors that come first behind an instruction, on all ways.
    std::set<std::uint32_t> firstInCode(std::uint32_t from) const {
        std::set<std::uint32_t> found;
        std::vector<std::uint32_t> open{from};
        std::set<std::uint32_t> seen;
        while (!open.empty()) {
            const std::uint32_t c = open.back();
            open.pop_back();
            if (c >= m_end || !seen.insert(c).second)
                continue;
            const Instruction& in = m_code.code[c];
            if (m_anchor[c] != nowhere) {
                found.insert(m_anchor[c]);
                if (in.flow != Flow::Next || in.guard == alwaysTrue || isOfOneForAll(c))
                    continue;
            } // a guard of the code alone: others go by
            if (in.flow == Flow::Branch && in.target)
                open.push_back(std::uint32_t(*in.target / instructionBytes));
            else if (in.flow == Flow::Branch)
                open.insert(open.end(), m_meetings.tables.begin(), m_meetings.tables.end());
            if (in.goesOn())
                open.push_back(c + 1);
        }
        return found;
    }
    std::uint32_t firstInBlock(std::uint32_t block) const {
        const auto first = m_anchorOf.lower_bound(m_flow.blocks[block].first);
        return first != m_anchorOf.end() && *first < m_flow.blocks[block].end ? *first : nowhere;
    }
    const std::set<std::uint32_t>& firstInText(std::uint32_t block) {
        const auto [at, isNew] = m_firstOf.try_emplace(block);
        if (!isNew)
            return at->second;
        walk(block, [&, &found = at->second](std::uint32_t b) {
            const std::uint32_t i = firstInBlock(b);
            if (i != nowhere)
                found.insert(i);
            return i == nowhere;
        });
        return at->second;
    }

    // The block of the text that begins behind the meeting of this BSSY: the one behind which the same comes first. Of several
    // the one that most of the others come to, else the nearest behind the branch. nowhere: there is none.
    std::uint32_t placeOf(std::uint32_t bssy, std::uint32_t branch) {
        const Instruction& in = m_code.code[bssy];
        if (!in.target)
            return nowhere;
        const auto [at, isNew] = m_behindMeeting.try_emplace(bssy);
        if (isNew)
            at->second = firstInCode(std::uint32_t(*in.target / instructionBytes));
        const std::set<std::uint32_t>& first = at->second;
        std::vector<std::uint32_t> best;
        double most = 0.5; // of what comes first in either, that both have
        for (const std::uint32_t b : behind(m_flow.blockOf[branch])) {
            const std::set<std::uint32_t>& here = firstInText(b);
            std::size_t both = 0;
            for (const std::uint32_t i : here)
                both += first.contains(i);
            const std::size_t any = here.size() + first.size() - both;
            const double like = any == 0 ? 1 : double(both) / double(any);
            if (like > most)
                best.clear();
            if (like >= most && like > 0.5) {
                most = like;
                best.push_back(b);
            }
        }
        // Of several the one that most of the others come to.
        std::uint32_t last = nowhere;
        std::size_t mostCome = 0;
        for (const std::uint32_t b : best) {
            const auto come = std::size_t(
                std::ranges::count_if(best, [&](std::uint32_t other) { return other != b && comesTo(other, b); }));
            if (last == nowhere || come > mostCome) {
                last = b;
                mostCome = come;
            }
        }
        return last == nowhere ? nowhere : firstOf(last);
    }

    // Whether a block of the text leads to another with none of what comes first between.
    bool comesTo(std::uint32_t from, std::uint32_t to) const {
        bool comes = false;
        walk(from, [&](std::uint32_t b) {
            if (firstInBlock(b) != nowhere)
                return false;
            comes = comes || std::ranges::count(m_flow.blocks[b].successors, to) > 0;
            return !comes;
        });
        return comes;
    }

    // Blocks that are come to from this one, the nearest first, its post-dominators before others.
    const std::vector<std::uint32_t>& behind(std::uint32_t block) {
        const auto [at, isNew] = m_behind.try_emplace(block);
        std::vector<std::uint32_t>& all = at->second;
        if (!isNew)
            return all;
        std::vector<bool> seen(m_flow.blocks.size() + 1, false);
        for (std::uint32_t d = m_flow.postDominator[block]; d < m_flow.exitBlock() && !seen[d];
             d = m_flow.postDominator[d]) {
            seen[d] = true;
            all.push_back(d);
        }
        std::vector<bool> reached(m_flow.blocks.size() + 1, false);
        std::vector<std::uint32_t> open{block};
        for (std::size_t k = 0; k < open.size(); ++k)
            for (const std::uint32_t s : m_flow.blocks[open[k]].successors)
                if (s < m_flow.exitBlock() && !reached[s]) {
                    reached[s] = true;
                    open.push_back(s);
                    if (!seen[s])
                        all.push_back(s);
                }
        return all;
    }

    const Function& m_code;
    unsigned m_arch;
    const ptx::Function& m_text;
    const ptx::ControlFlow& m_flow;
    std::uint32_t m_end;
    OpenMeetings m_meetings;
    std::vector<std::uint32_t> m_anchor; // [machine instruction] instruction of the text; nowhere: none
    std::vector<Anchor> m_kind;
    std::set<std::uint32_t> m_anchorOf;                               // of the text, that the code has
    std::map<std::uint32_t, std::set<std::uint32_t>> m_firstOf;       // [block of the text]
    std::map<std::uint32_t, std::set<std::uint32_t>> m_behindMeeting; // [BSSY]
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_behind;
};

} // namespace

std::vector<ptx::BranchMeets> meetsOf(const Function& function, unsigned arch, const ptx::Function& text) {
    const auto flow = ptx::controlFlow(text);
    if (!flow || !function.ptx.files)
        return {};
    return MeetsReader(function, arch, text, *flow).read();
}

std::vector<ptx::BranchMeets> meetsOf(const Cubin& cubin, const ptx::Module& module) {
    std::vector<ptx::BranchMeets> all;
    std::set<std::string> done;
    for (const Function& function : cubin.functions) {
        const auto add = [&](const std::string& name) {
            if (const ptx::Function* text = module.findFunction(name); text && done.insert(name).second)
                std::ranges::move(meetsOf(function, cubin.arch, *text), std::back_inserter(all));
        };
        add(function.name);
        for (const auto& [place, name] : function.inner)
            add(name);
    }
    return all;
}

} // namespace warpglass::machine
