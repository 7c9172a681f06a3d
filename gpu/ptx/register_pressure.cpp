// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/register_pressure.h"

#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/describe.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace warpglass::ptx {

namespace {

constexpr std::size_t mostBits = std::size_t(1) << 28; // of the live sets of all blocks together

// Whether the instruction's first operand is its result.
bool firstIsResult(const Instruction& i) {
    if (i.operands.empty() || i.operands[0].kind == Operand::Kind::Address)
        return false;
    const Row& is = row(i.opcode);
    switch (is.family) {
    case Family::Call: // call (results), function, (arguments)
        return i.operands[0].kind == Operand::Kind::List;
    case Family::Barrier:
        return i.has(Modifier::Red);
    case Family::Fence:
        return false;
    default:
        break;
    }
    if (i.opcode == Opcode::Cp || i.opcode == Opcode::Sust || i.opcode == Opcode::Sured)
        return false;
    return !is.operands.empty() && std::string_view("dDqv*").find(is.operands[0]) != std::string_view::npos;
}

struct Use {
    std::vector<std::uint32_t> reads, writes; // numbers of Function::registers
    bool certain = true;                      // it writes for every thread that comes by: no guard
};

class Liveness {
public:
    explicit Liveness(const Function& function) : m_function(function) {
        for (std::uint32_t k = 0; k < function.registers.size(); ++k)
            m_number.emplace(function.registers[k].name, k);
    }

    std::optional<RegisterPressure> run() {
        const auto flow = controlFlow(m_function);
        if (!flow)
            return std::nullopt;
        for (const Instruction& i : m_function.body)
            m_uses.push_back(useOf(i));
        leaveOutConstants();
        foldAddresses();
        if (!solve(*flow))
            return std::nullopt;
        RegisterPressure most, hoisted;
        for (std::uint32_t b = 0; b < flow->blocks.size(); ++b) {
            const BasicBlock& block = flow->blocks[b];
            std::vector<std::uint32_t> order(block.end - block.first);
            std::iota(order.begin(), order.end(), block.first);
            walk(b, order, most);
            walk(b, loadsFirst(block), hoisted);
            if (std::find(block.successors.begin(), block.successors.end(), b) != block.successors.end())
                most.loopLoads = std::max(most.loopLoads, loadsOf(block));
        }
        most.hoisted = hoisted.words;
        most.calls = std::any_of(m_function.body.begin(), m_function.body.end(),
                                 [](const Instruction& i) { return i.opcode == Opcode::Call; });
        return most;
    }

private:
    void collect(const Operand& o, std::vector<std::uint32_t>& into) const {
        const bool named = o.kind == Operand::Kind::Register || (o.kind == Operand::Kind::Address && o.baseIsRegister);
        if (named)
            if (const auto found = m_number.find(o.name); found != m_number.end())
                into.push_back(found->second);
        for (const Operand& element : o.elements)
            collect(element, into);
    }

    Use useOf(const Instruction& i) const {
        Use use;
        use.certain = !i.guarded();
        if (i.guarded())
            if (const auto found = m_number.find(i.guard); found != m_number.end())
                use.reads.push_back(found->second);
        const bool result = firstIsResult(i);
        for (std::size_t k = 0; k < i.operands.size(); ++k)
            collect(i.operands[k], k == 0 && result ? use.writes : use.reads);
        if (result && i.opcode == Opcode::Wgmma) // adds to what is there
            collect(i.operands[0], use.reads);
        return use;
    }

    // What the machine finds in constant memory, whenever it wants: parameters, sizes of grid and block, numbers, __constant__
    // variables at a place that is known, and addresses made of these. Such values take no register.
    void leaveOutConstants() {
        m_constant.assign(m_function.registers.size(), true);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = 0; k < m_uses.size(); ++k) {
                const Use& use = m_uses[k];
                if (use.writes.empty())
                    continue;
                const bool constant = use.certain && isConstant(m_function.body[k], use);
                for (const std::uint32_t r : use.writes)
                    if (!constant && m_constant[r]) {
                        m_constant[r] = false;
                        changed = true;
                    }
            }
        }
    }
    bool isConstant(const Instruction& i, const Use& use) const {
        const bool loaded =
            i.opcode == Opcode::Ld && ((i.has(Modifier::Param) && m_function.isEntry) || i.has(Modifier::Const));
        if (!loaded && i.opcode != Opcode::Mov && i.opcode != Opcode::Cvta)
            return false;
        for (const Operand& o : i.operands)
            if (o.kind == Operand::Kind::Special && o.name != "%ntid" && o.name != "%nctaid" && o.name != "WARP_SZ")
                return false;
        return std::all_of(use.reads.begin(), use.reads.end(), [&](std::uint32_t r) { return bool(m_constant[r]); });
    }

    // An address and a number more is an operand of the machine's loads and stores: where a sum serves as an address
    // only, what it was made of is what lives on.
    void foldAddresses() {
        std::vector<std::uint32_t> writers(m_constant.size(), 0), others(m_constant.size(), 0);
        for (std::size_t k = 0; k < m_uses.size(); ++k) {
            for (const std::uint32_t r : m_uses[k].writes)
                ++writers[r];
            std::vector<std::uint32_t> bases;
            for (const Operand& o : m_function.body[k].operands)
                if (o.kind == Operand::Kind::Address)
                    collect(o, bases);
            for (const std::uint32_t r : m_uses[k].reads)
                if (const auto base = std::find(bases.begin(), bases.end(), r); base != bases.end())
                    bases.erase(base);
                else
                    ++others[r];
        }
        std::vector<std::uint32_t> standsFor(m_constant.size());
        for (std::uint32_t r = 0; r < standsFor.size(); ++r)
            standsFor[r] = r;
        for (std::size_t k = 0; k < m_uses.size(); ++k) {
            const Instruction& i = m_function.body[k];
            Use& use = m_uses[k];
            if (i.opcode == Opcode::Add && use.certain && use.writes.size() == 1 && use.reads.size() == 1 &&
                i.operands[2].kind == Operand::Kind::Integer && writers[use.writes[0]] == 1 &&
                writers[use.reads[0]] == 1 && others[use.writes[0]] == 0) {
                standsFor[use.writes[0]] = standsFor[use.reads[0]];
                use.reads.clear();
                use.writes.clear();
            }
            for (std::uint32_t& r : use.reads)
                r = standsFor[r];
        }
    }

    std::uint32_t words(std::uint32_t r) const {
        const Type type = m_function.registers[r].type;
        return m_constant[r] || type == Type::Pred ? 0 : std::max(1u, std::uint32_t(bytesOf(type)) / 4);
    }

    // Which registers are live at the end of each block. Only those that some block reads before it writes them can be
    // live between blocks; the others, which are most, are left out.
    bool solve(const ControlFlow& flow) {
        const std::size_t blocks = flow.blocks.size();
        m_slot.assign(m_function.registers.size(), noSlot);
        const auto keep = [&](std::uint32_t r) {
            if (m_slot[r] == noSlot) {
                m_slot[r] = std::uint32_t(m_kept.size());
                m_kept.push_back(r);
            }
        };
        std::vector<std::uint32_t> writtenIn(m_slot.size(), noSlot);
        for (std::uint32_t b = 0; b < blocks; ++b)
            for (std::uint32_t k = flow.blocks[b].first; k < flow.blocks[b].end; ++k) {
                for (const std::uint32_t r : m_uses[k].reads)
                    if (writtenIn[r] != b)
                        keep(r);
                for (const std::uint32_t r : m_uses[k].writes)
                    if (m_uses[k].certain)
                        writtenIn[r] = b;
                    else if (writtenIn[r] != b) // what was there before may live on
                        keep(r);
            }
        const std::size_t slots = m_kept.size();
        if (slots * blocks > mostBits)
            return false;
        const std::size_t cells = (slots + 63) / 64;
        const auto bit = [](std::uint32_t slot) { return std::uint64_t(1) << slot % 64; };
        std::vector<std::vector<std::uint64_t>> in(blocks, std::vector<std::uint64_t>(cells));
        m_out = in;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t b = std::uint32_t(blocks); b-- > 0;) {
                for (const std::uint32_t next : flow.blocks[b].successors)
                    for (std::size_t c = 0; next < blocks && c < cells; ++c)
                        m_out[b][c] |= in[next][c];
                std::vector<std::uint64_t> now = m_out[b];
                for (std::uint32_t k = flow.blocks[b].end; k-- > flow.blocks[b].first;) {
                    for (const std::uint32_t r : m_uses[k].writes)
                        if (m_uses[k].certain && m_slot[r] != noSlot)
                            now[m_slot[r] / 64] &= ~bit(m_slot[r]);
                    for (const std::uint32_t r : m_uses[k].reads)
                        if (m_slot[r] != noSlot)
                            now[m_slot[r] / 64] |= bit(m_slot[r]);
                }
                if (now != in[b]) {
                    in[b] = std::move(now);
                    changed = true;
                }
            }
        }
        return true;
    }

    // Nothing is moved past these.
    static bool isWall(const Instruction& i) {
        switch (row(i.opcode).family) {
        case Family::Arithmetic:
        case Family::Predicate:
        case Family::Compare:
        case Family::Select:
        case Family::Move:
        case Family::Address:
        case Family::Convert:
        case Family::Video:
            return false;
        case Family::Load:
            return i.has(Modifier::Volatile);
        default:
            return true;
        }
    }

    // The block's instructions as ptxas likes them: between two walls first what loads need and the loads, in turns (a load
    // whose address was loaded comes in the second turn), then everything else.
    std::vector<std::uint32_t> loadsFirst(const BasicBlock& block) const {
        std::vector<std::uint32_t> order;
        for (std::uint32_t first = block.first; first < block.end;) {
            std::uint32_t end = first;
            while (end < block.end && !isWall(m_function.body[end]))
                ++end;
            const std::uint32_t n = end - first;
            std::vector<bool> wanted(n, false), isLoad(n, false);
            std::vector<std::uint32_t> turn(n, 0); // even: computes, odd: loads
            std::vector<std::vector<std::uint32_t>> needs(n);
            std::unordered_map<std::uint32_t, std::uint32_t> writer;               // [register] the last one so far
            std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> readers; // since then
            for (std::uint32_t k = 0; k < n; ++k) {
                const Use& use = m_uses[first + k];
                const Instruction& i = m_function.body[first + k];
                isLoad[k] = row(i.opcode).family == Family::Load && !i.has(Modifier::Param);
                const auto after = [&](std::uint32_t before) {
                    needs[k].push_back(before);
                    turn[k] = std::max(turn[k], turn[before] + (isLoad[before] ? 1 : 0));
                };
                for (const std::uint32_t r : use.reads)
                    if (const auto last = writer.find(r); last != writer.end())
                        after(last->second);
                for (const std::uint32_t r : use.writes) {
                    if (const auto last = writer.find(r); last != writer.end())
                        after(last->second);
                    for (const std::uint32_t reader : readers[r])
                        after(reader);
                }
                for (const std::uint32_t r : use.reads)
                    readers[r].push_back(k);
                for (const std::uint32_t r : use.writes) {
                    writer[r] = k;
                    readers[r].clear();
                }
                turn[k] |= isLoad[k] ? 1 : 0;
            }
            for (std::uint32_t k = n; k-- > 0;) {
                if (isLoad[k])
                    wanted[k] = true;
                if (wanted[k])
                    for (const std::uint32_t before : needs[k])
                        wanted[before] = true;
            }
            std::vector<std::uint32_t> mine(n);
            std::iota(mine.begin(), mine.end(), 0u);
            std::stable_sort(mine.begin(), mine.end(), [&](std::uint32_t x, std::uint32_t y) {
                return (wanted[x] ? turn[x] : ~0u) < (wanted[y] ? turn[y] : ~0u);
            });
            for (const std::uint32_t k : mine)
                order.push_back(first + k);
            if (end < block.end)
                order.push_back(end++);
            first = end;
        }
        return order;
    }

    // Words that the loads of a loop's only block bring; none where something in it cannot be moved past.
    std::uint32_t loadsOf(const BasicBlock& block) const {
        std::uint32_t loads = 0;
        for (std::uint32_t k = block.first; k < block.end; ++k) {
            const Instruction& i = m_function.body[k];
            if (isWall(i) && row(i.opcode).family != Family::Branch)
                return 0;
            if (row(i.opcode).family == Family::Load)
                for (const std::uint32_t r : m_uses[k].writes)
                    loads += words(r);
        }
        return loads;
    }

    // From the block's end to its beginning, with what is live.
    void walk(std::uint32_t number, const std::vector<std::uint32_t>& order, RegisterPressure& most) const {
        std::set<std::uint32_t> live;
        std::uint32_t words = 0, predicates = 0;
        const auto add = [&](std::uint32_t r) {
            if (live.insert(r).second) {
                words += this->words(r);
                predicates += m_function.registers[r].type == Type::Pred ? 1 : 0;
            }
        };
        for (std::size_t slot = 0; slot < m_kept.size(); ++slot)
            if (m_out[number][slot / 64] >> slot % 64 & 1)
                add(m_kept[slot]);
        for (std::size_t at = order.size(); at-- > 0;) {
            const std::uint32_t k = order[at];
            const Use& use = m_uses[k];
            for (const std::uint32_t r : use.writes) // a result that nobody reads has a register all the same
                add(r);
            most.words = std::max(most.words, words);
            most.predicates = std::max(most.predicates, predicates);
            if (use.certain)
                for (const std::uint32_t r : use.writes)
                    if (live.erase(r)) {
                        words -= this->words(r);
                        predicates -= m_function.registers[r].type == Type::Pred ? 1 : 0;
                    }
            for (const std::uint32_t r : use.reads)
                add(r);
            most.words = std::max(most.words, words);
            most.predicates = std::max(most.predicates, predicates);
        }
    }

    static constexpr std::uint32_t noSlot = ~0u;
    const Function& m_function;
    std::unordered_map<std::string, std::uint32_t> m_number;
    std::vector<Use> m_uses;                       // [instruction]
    std::vector<bool> m_constant;                  // [register] takes none of the machine's
    std::vector<std::uint32_t> m_slot;             // [register] in the live sets
    std::vector<std::uint32_t> m_kept;             // [slot] -> register
    std::vector<std::vector<std::uint64_t>> m_out; // [block][slot] live at its end
};

} // namespace

std::optional<RegisterPressure> registerPressure(const Function& function) {
    return Liveness(function).run();
}

} // namespace warpglass::ptx
