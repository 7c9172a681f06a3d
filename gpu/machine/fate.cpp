// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/fate.h"
#include "gpu/machine/operations.h"

#include "gpu/ptx/describe.h"
#include "gpu/ptx/register_use.h"
#include "gpu/ptx/write.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace warpglass::machine {

namespace {

// The machine instructions that do what one instruction of PTX asks for, one of them for one: so many there are, so often it
// is there. nullopt: it takes several of several kinds, and their number says nothing.
std::optional<bool> doesOneOf(const ptx::Description& d, std::string_view name) {
    const bool isFloat = d.type() == ptx::Type::F32;
    switch (d.opcode) {
    case ptx::Opcode::Ld:
    case ptx::Opcode::St:
        if (d.space == ptx::StateSpace::Param || d.space == ptx::StateSpace::Const)
            return std::nullopt;
        return isPlainAccess(name) && name.starts_with(d.opcode == ptx::Opcode::Ld ? "LD" : "ST");
    case ptx::Opcode::Fma:
        return isFloat ? std::optional(name == "FFMA") : std::nullopt;
    case ptx::Opcode::Shfl:
        return name == "SHFL";
    case ptx::Opcode::Bar:
    case ptx::Opcode::Barrier:
        return name == "BAR";
    default:
        return std::nullopt;
    }
}

void registersIn(const ptx::Operand& o, std::vector<std::string_view>& into) {
    if (o.kind == ptx::Operand::Kind::Register || (o.kind == ptx::Operand::Kind::Address && o.baseIsRegister))
        into.push_back(o.name);
    for (const ptx::Operand& element : o.elements)
        registersIn(element, into);
}

// A loop of the PTX, from where it is jumped back to up to the jump.
struct Loop {
    std::uint32_t first = 0, last = 0;
    bool left = false; // some of its instructions stand in a loop of the machine code
};

class FateReader {
public:
    FateReader(const Function& code, unsigned arch, const ptx::Function& function)
        : m_code(code), m_arch(arch), m_function(function), m_labels(function) {}

    Fates read() {
        findLines();
        findLoops();
        findUses();
        Fates fates;
        for (std::uint32_t i = 0; i < m_function.body.size(); ++i) {
            fates.lines.push_back(fateOf(i));
            const PtxFate& fate = fates.lines.back();
            for (const std::uint32_t c : fate.code)
                if (isSpill(i, c))
                    fates.spills.push_back(c);
            if (isDecision(m_function.body[i]))
                if (auto decision = decisionOf(i))
                    fates.decisions.push_back(std::move(*decision));
        }
        std::ranges::sort(fates.lines, {}, &PtxFate::line);
        std::ranges::sort(fates.decisions, {}, &Decision::line);
        std::ranges::sort(fates.spills);
        return fates;
    }

private:
    std::string_view nameOf(std::uint32_t c) const { return mnemonic(m_code.code[c].opcode, m_arch); }
    std::uint32_t lineAt(std::uint32_t c) const {
        const LineRow* row = m_code.ptx.at(c * instructionBytes);
        return row ? row->line : 0;
    }

    void findLines() {
        const std::size_t end = std::min(m_code.withoutFilling(), m_code.helpers());
        for (std::uint32_t c = 0; c < end; ++c)
            if (nameOf(c) != "NOP")
                m_codeOf[lineAt(c)].push_back(c);
    }

    void findLoops() {
        m_looped.assign(m_code.code.size(), 0);
        std::vector<std::int32_t> begins(m_code.code.size() + 1, 0);
        for (std::uint32_t c = 0; c < m_code.code.size(); ++c) {
            const Instruction& in = m_code.code[c];
            if (in.flow == Flow::Branch && in.target && *in.target < c * instructionBytes) {
                ++begins[*in.target / instructionBytes];
                --begins[c + 1];
            }
        }
        std::int32_t open = 0;
        for (std::uint32_t c = 0; c < m_code.code.size(); ++c)
            m_looped[c] = (open += begins[c]) > 0;
        std::vector<std::uint32_t> loopedUpTo(m_function.body.size() + 1, 0); // instructions with code in a loop
        for (std::uint32_t i = 0; i < m_function.body.size(); ++i)
            loopedUpTo[i + 1] =
                loopedUpTo[i] + std::ranges::any_of(codeOf(i), [&](std::uint32_t c) { return m_looped[c] != 0; });
        m_loopOf.assign(m_function.body.size(), nullptr);
        for (std::uint32_t i = 0; i < m_function.body.size(); ++i)
            if (const auto target = targetOf(i); target && *target <= i)
                m_loops.push_back({*target, i, loopedUpTo[i + 1] > loopedUpTo[*target]});
        // The larger first, so that the innermost comes last.
        std::ranges::stable_sort(m_loops, std::ranges::greater(), [](const Loop& l) { return l.last - l.first; });
        constexpr std::size_t mostMarks = 1 << 24;
        std::size_t marks = 0;
        for (const Loop& loop : m_loops) {
            if ((marks += loop.last - loop.first) > mostMarks) // no compiler's text
                break;
            std::fill(m_loopOf.begin() + loop.first, m_loopOf.begin() + loop.last + 1, &loop);
        }
    }

    void findUses() {
        for (std::uint32_t i = 0; i < m_function.body.size(); ++i) {
            const ptx::Instruction& in = m_function.body[i];
            std::vector<std::string_view> used;
            for (std::size_t o = ptx::firstIsResult(in) ? 1 : 0; o < in.operands.size(); ++o)
                registersIn(in.operands[o], used);
            if (in.guarded())
                used.push_back(in.guard);
            if (ptx::firstIsResult(in) && in.operands[0].kind == ptx::Operand::Kind::Register)
                m_maker[in.operands[0].name] = i;
            if (in.opcode == ptx::Opcode::Setp) {
                if (!codeOf(i).empty())
                    m_compared.insert(comparedBy(in));
                std::vector<std::string_view> made;
                registersIn(in.operands[0], made);
                for (const std::string_view predicate : made)
                    m_predicates[predicate].push_back(i);
            }
            for (const std::string_view r : used)
                m_users[r].push_back(i);
        }
    }

    const std::vector<std::uint32_t>& codeOf(std::uint32_t i) const {
        static const std::vector<std::uint32_t> none;
        const auto at = m_codeOf.find(std::uint32_t(m_function.body[i].line));
        return at == m_codeOf.end() ? none : at->second;
    }

    std::optional<std::uint32_t> targetOf(std::uint32_t i) const {
        const ptx::Instruction& in = m_function.body[i];
        if (in.opcode != ptx::Opcode::Bra || in.operands.empty())
            return std::nullopt;
        return m_labels.find(in.operands.back().name);
    }

    bool isSpill(std::uint32_t i, std::uint32_t c) const {
        if (nameOf(c) != "LDL" && nameOf(c) != "STL")
            return false;
        const ptx::Description d = ptx::describe(m_function.body[i]);
        if (d.opcode == ptx::Opcode::Call)
            return false; // what is given to a function may lie on the stack
        const bool may = d.space == ptx::StateSpace::Local || d.space == ptx::StateSpace::Generic ||
                         d.space == ptx::StateSpace::Param;
        return d.access == ptx::Access::None || !may;
    }

    PtxFate fateOf(std::uint32_t i) const {
        const ptx::Instruction& in = m_function.body[i];
        PtxFate fate{.line = std::uint32_t(in.line), .code = codeOf(i)};
        for (const std::uint32_t c : fate.code)
            fate.spills += isSpill(i, c);
        if (fate.code.empty())
            return absent(i, std::move(fate));
        const ptx::Description d = ptx::describe(in);
        std::uint32_t times = 0;
        for (const std::uint32_t c : fate.code)
            times += doesOneOf(d, nameOf(c)).value_or(false) && !isSpill(i, c);
        const std::uint32_t whole = d.access == ptx::Access::None ? 1 : pieces(d, fate.code);
        if (times > whole) {
            fate.fate = LineFate::Copied;
            fate.copies = (times + whole - 1) / whole;
            fate.inLoop = m_loopOf[i] != nullptr;
            return fate;
        }
        if (isMovedOut(i, fate.code)) {
            fate.fate = LineFate::Hoisted;
            return fate;
        }
        const bool guards = std::ranges::any_of(fate.code, [&](std::uint32_t c) { return isGuarded(c); });
        if (guards && !in.guarded() && in.opcode != ptx::Opcode::Bra)
            fate.fate = LineFate::Predicated;
        return fate;
    }

    // Machine instructions that one access of the PTX takes: two for what is wider than the widest.
    std::uint32_t pieces(const ptx::Description& d, const std::vector<std::uint32_t>& code) const {
        std::uint32_t widest = 1;
        for (const std::uint32_t c : code)
            widest = std::max(widest, accessBytes(m_code, c, m_arch));
        return std::max<std::uint32_t>(1, (d.bytes() * d.elements + widest - 1) / widest);
    }

    bool isGuarded(std::uint32_t c) const {
        const Instruction& in = m_code.code[c];
        return in.guard != alwaysTrue && !isUniform(nameOf(c)) && in.flow == Flow::Next;
    }

    bool isMovedOut(std::uint32_t i, const std::vector<std::uint32_t>& code) const {
        return m_loopOf[i] && m_loopOf[i]->left &&
               std::ranges::none_of(code, [&](std::uint32_t c) { return m_looped[c] != 0; });
    }

    PtxFate absent(std::uint32_t i, PtxFate fate) const {
        const ptx::Instruction& in = m_function.body[i];
        const ptx::Description d = ptx::describe(in);
        fate.fate = LineFate::Gone;
        if (d.access == ptx::Access::Load || d.access == ptx::Access::Store) {
            if (const auto with = widerNeighbour(i, d)) {
                fate.fate = LineFate::Joined;
                fate.into = std::uint32_t(m_function.body[with->first].line);
                fate.bytes = with->second;
                return fate;
            }
        }
        if (const auto user = whoDoesIt(i)) {
            fate.fate = LineFate::Merged;
            fate.into = std::uint32_t(m_function.body[*user].line);
        }
        return fate;
    }

    // An access near it of the same kind that moves more than it asks for.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> widerNeighbour(std::uint32_t i,
                                                                          const ptx::Description& d) const {
        constexpr std::uint32_t near = 64; // instructions
        const std::uint32_t begin = i > near ? i - near : 0;
        const auto end = std::uint32_t(std::min<std::size_t>(m_function.body.size(), i + near));
        std::optional<std::pair<std::uint32_t, std::uint32_t>> found;
        std::uint32_t distance = near;
        for (std::uint32_t k = begin; k < end; ++k) {
            const ptx::Description other = ptx::describe(m_function.body[k]);
            if (k == i || other.access != d.access || other.space != d.space)
                continue;
            const std::uint32_t away = k > i ? k - i : i - k;
            for (const std::uint32_t c : codeOf(k))
                if (const std::uint32_t bytes = accessBytes(m_code, c, m_arch);
                    bytes > other.bytes() * other.elements && away < distance) {
                    found = std::pair(k, bytes);
                    distance = away;
                }
        }
        return found;
    }

    // The first instruction that has machine code and uses the result, or the result of who does.
    std::optional<std::uint32_t> whoDoesIt(std::uint32_t i) const {
        std::set<std::uint32_t> seen{i};
        std::vector<std::uint32_t> open{i};
        std::optional<std::uint32_t> first;
        for (std::size_t at = 0; at < open.size() && open.size() < 256; ++at) {
            const ptx::Instruction& in = m_function.body[open[at]];
            if (!ptx::firstIsResult(in))
                continue;
            std::vector<std::string_view> results;
            registersIn(in.operands[0], results);
            for (const std::string_view r : results) {
                const auto users = m_users.find(r);
                if (users == m_users.end())
                    continue;
                for (const std::uint32_t u : users->second) {
                    if (!seen.insert(u).second)
                        continue;
                    if (codeOf(u).empty())
                        open.push_back(u);
                    else if (!first || (u > i) > (*first > i) || ((u > i) == (*first > i) && u < *first))
                        first = u;
                }
            }
            if (first)
                return first;
        }
        return first;
    }

    static bool isDecision(const ptx::Instruction& in) {
        return (in.opcode == ptx::Opcode::Bra && in.guarded()) || in.opcode == ptx::Opcode::Selp;
    }

    // nullopt: its comparison is there, and what asks for that is not to be told.
    std::optional<Decision> decisionOf(std::uint32_t i) const {
        const ptx::Instruction& in = m_function.body[i];
        Decision decision{.line = std::uint32_t(in.line), .asked = askedAt(i)};
        if (in.opcode == ptx::Opcode::Selp) {
            decision = choice(i, std::move(decision));
            if (decision.fate == BranchFate::Gone && isStillAsked(in.operand(3).name))
                return std::nullopt;
            return decision;
        }
        const auto target = targetOf(i);
        decision.isLoop = target && *target <= i;
        for (const std::uint32_t c : codeOf(i))
            if (m_code.code[c].flow == Flow::Branch)
                decision.code.push_back(c);
        if (!decision.code.empty())
            return branchLeft(std::move(decision));
        for (const std::uint32_t c : codeOf(i))
            if (m_code.code[c].flow == Flow::Exit && m_code.code[c].guard != alwaysTrue) {
                decision.fate = BranchFate::Exit;
                decision.code.push_back(c);
            }
        if (!decision.code.empty())
            return decision;
        if (auto followed = byItsPredicate(decision))
            return followed;
        if (decision.isLoop) {
            const auto loop = std::ranges::find_if(m_loops, [&](const Loop& l) { return l.last == i; });
            if (loop != m_loops.end() && !loop->left)
                decision.fate = BranchFate::Unrolled;
        } else if (target) {
            region(i, *target, decision);
        }
        if (decision.fate == BranchFate::Gone && isStillAsked(in.guard))
            return std::nullopt;
        return decision;
    }

    // Whether something of its comparison is left, or of one of the same values: then the answer may be used.
    bool isStillAsked(std::string_view predicate) const {
        const auto makers = m_predicates.find(predicate);
        if (makers == m_predicates.end())
            return true; // made of other predicates
        return std::ranges::any_of(makers->second, [&](std::uint32_t maker) {
            return m_compared.contains(comparedBy(m_function.body[maker]));
        });
    }
    static std::string comparedBy(const ptx::Instruction& setp) {
        return ptx::write(setp.operand(1)) + ' ' + ptx::write(setp.operand(2));
    }

    // The predicate that a comparison or a logical operation writes: bits 81 to 83. (Mesa's nak.)
    std::optional<unsigned> resultPredicate(std::uint32_t c) const {
        static const std::set<std::string_view> writers{"ISETP", "FSETP", "DSETP", "HSETP2", "LOP3", "PLOP3"};
        if (!writers.contains(nameOf(c)))
            return std::nullopt;
        const auto predicate = unsigned(m_code.bits[c][1] >> (81 - 64) & 7U);
        if (predicate == alwaysTrue)
            return std::nullopt;
        return predicate;
    }

    // The table gives the branch to another line, or there is none: what is guarded by the comparison's result, up to where
    // that is written anew or the code leads elsewhere.
    std::optional<Decision> byItsPredicate(Decision decision) const {
        constexpr std::uint32_t near = 64; // instructions
        std::vector<std::uint32_t> guarded, exits;
        const auto compared = m_codeOf.find(decision.asked);
        if (compared == m_codeOf.end())
            return std::nullopt;
        for (const std::uint32_t compare : compared->second) {
            const auto predicate = resultPredicate(compare);
            for (std::uint32_t c = compare + 1; predicate && c < m_code.code.size() && c < compare + near; ++c) {
                const Instruction& in = m_code.code[c];
                if (in.guard == *predicate) {
                    if (in.flow == Flow::Branch)
                        decision.code.push_back(c);
                    else if (in.flow == Flow::Exit)
                        exits.push_back(c);
                    else
                        guarded.push_back(c);
                } else if (in.flow == Flow::Branch || in.flow == Flow::Exit) {
                    break;
                }
                if (resultPredicate(c) == predicate)
                    break;
            }
        }
        if (!decision.code.empty())
            return branchLeft(std::move(decision));
        if (exits.empty() && guarded.empty())
            return std::nullopt;
        decision.fate = exits.empty() ? BranchFate::Predicated : BranchFate::Exit;
        decision.code = exits.empty() ? std::move(guarded) : std::move(exits);
        return decision;
    }

    // Where the predicate of a branch or a choice was worked out; what stands behind it in a loop is not before it.
    std::uint32_t askedAt(std::uint32_t i) const {
        const ptx::Instruction& in = m_function.body[i];
        const std::string_view predicate = in.opcode == ptx::Opcode::Selp ? in.operand(3).name : in.guard;
        std::uint32_t line = std::uint32_t(in.line);
        if (const auto makers = m_predicates.find(predicate); makers != m_predicates.end())
            for (const std::uint32_t maker : makers->second)
                if (maker < i)
                    line = std::uint32_t(m_function.body[maker].line);
        return line;
    }

    Decision choice(std::uint32_t i, Decision decision) const {
        std::vector<std::uint32_t> guarded;
        const auto take = [&](std::uint32_t from) {
            for (const std::uint32_t c : codeOf(from)) {
                if (isSelect(nameOf(c)))
                    decision.code.push_back(c);
                else if (isGuarded(c))
                    guarded.push_back(c);
            }
        };
        take(i);
        if (codeOf(i).empty()) { // one of the values is worked out where the lane keeps it, and not elsewhere
            const ptx::Instruction& in = m_function.body[i];
            for (std::size_t o = 1; o < 3 && o < in.operands.size(); ++o)
                if (const auto maker = m_maker.find(in.operands[o].name); maker != m_maker.end())
                    take(maker->second);
        }
        if (!decision.code.empty()) {
            decision.fate = BranchFate::Select;
        } else if (!guarded.empty()) {
            decision.fate = BranchFate::Predicated;
            decision.code = guarded;
        }
        return decision;
    }

    Decision branchLeft(Decision decision) const {
        const std::uint32_t c = decision.code.back();
        const bool uniform =
            std::ranges::all_of(decision.code, [&](std::uint32_t b) { return m_code.code[b].opcode == 0x547; });
        decision.fate = uniform ? BranchFate::Uniform : BranchFate::Left;
        for (std::uint32_t b = c; b-- > 0;) {
            const Instruction& in = m_code.code[b];
            if (in.flow != Flow::Meet || !in.target || *in.target <= c * instructionBytes)
                continue;
            decision.meets = in.target;
            decision.meetsLine = lineAt(std::uint32_t(*in.target / instructionBytes));
            break;
        }
        return decision;
    }

    // What stands between a branch and where it jumps, and in its other side if it has one.
    void region(std::uint32_t i, std::uint32_t target, Decision& decision) const {
        std::uint32_t end = target;
        if (target > i + 1)
            if (const auto over = targetOf(target - 1);
                over && *over > target && !m_function.body[target - 1].guarded())
                end = *over;
        std::vector<std::uint32_t> selects, guarded, exits;
        for (std::uint32_t k = i + 1; k < end && k < m_function.body.size(); ++k)
            for (const std::uint32_t c : codeOf(k)) {
                if (isSelect(nameOf(c)))
                    selects.push_back(c);
                else if (isGuarded(c) && !m_function.body[k].guarded())
                    guarded.push_back(c);
                else if (m_code.code[c].flow == Flow::Exit && m_code.code[c].guard != alwaysTrue)
                    exits.push_back(c);
            }
        if (target < m_function.body.size()) // it jumped to the end
            for (const std::uint32_t c : codeOf(target))
                if (m_code.code[c].flow == Flow::Exit && m_code.code[c].guard != alwaysTrue)
                    exits.push_back(c);
        const auto take = [&](BranchFate fate, std::vector<std::uint32_t>& code) {
            decision.fate = fate;
            decision.code = std::move(code);
            std::ranges::sort(decision.code);
        };
        if (!guarded.empty())
            take(BranchFate::Predicated, guarded);
        else if (!selects.empty())
            take(BranchFate::Select, selects);
        else if (!exits.empty())
            take(BranchFate::Exit, exits);
    }

    const Function& m_code;
    unsigned m_arch;
    const ptx::Function& m_function;
    ptx::LabelMap m_labels;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_codeOf; // [PTX line]
    std::vector<Loop> m_loops;
    std::vector<const Loop*> m_loopOf;                                   // [instruction]: the innermost, or null
    std::vector<std::uint8_t> m_looped;                                  // [machine instruction]: in a loop
    std::map<std::string_view, std::vector<std::uint32_t>> m_users;      // [register]
    std::map<std::string_view, std::vector<std::uint32_t>> m_predicates; // [predicate]: who compares for it
    std::set<std::string> m_compared;                                    // the values of comparisons that are left
    std::map<std::string_view, std::uint32_t> m_maker;                   // [register]: the last that writes it
};

} // namespace

Fates fatesOf(const Function& function, unsigned arch, const ptx::Module& module, const std::string& within) {
    const ptx::Function* text = module.findFunction(within.empty() ? function.name : within);
    if (!text || text->body.empty() || function.ptx.rows.empty())
        return {};
    return FateReader(function, arch, *text).read();
}

} // namespace warpglass::machine
