// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/register_pressure.h"

#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/describe.h"
#include "gpu/ptx/register_use.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

namespace warpglass::ptx {

namespace {

constexpr std::size_t mostBits = std::size_t(1) << 28; // of the live sets of all blocks together

// Numbers of Function::registers, which stand in a list of all instructions'.
struct Use {
    std::span<std::uint32_t> reads, writes;
    bool certain = true; // it writes for every thread that comes by: no guard
};

// A set of registers that is emptied at once.
class Registers {
public:
    explicit Registers(std::size_t count) : m_round(count) {}
    void clear() { ++m_now; }
    bool contains(std::uint32_t r) const { return m_round[r] == m_now; }
    bool insert(std::uint32_t r) {
        const bool isNew = m_round[r] != m_now;
        m_round[r] = m_now;
        return isNew;
    }
    bool erase(std::uint32_t r) {
        const bool was = m_round[r] == m_now;
        m_round[r] = 0;
        return was;
    }

private:
    std::vector<std::uint32_t> m_round;
    std::uint32_t m_now = 1;
};

class Liveness {
public:
    explicit Liveness(const Function& function)
        : m_function(function), m_live(function.registers.size()), m_written(function.registers.size()),
          m_readers(function.registers.size()), m_writer(function.registers.size()),
          m_lastReader(function.registers.size()) {
        m_number.reserve(function.registers.size());
        for (std::uint32_t k = 0; k < function.registers.size(); ++k)
            m_number.emplace(function.registers[k].name, k);
    }

    std::optional<RegisterPressure> run() {
        const auto flow = controlFlow(m_function);
        if (!flow)
            return std::nullopt;
        collectUses();
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

    void collectUses() {
        struct Counts {
            std::uint32_t writes = 0, reads = 0;
        };
        std::vector<Counts> counts;
        counts.reserve(m_function.body.size());
        for (const Instruction& i : m_function.body) {
            const std::size_t begin = m_all.size();
            const bool result = firstIsResult(i);
            if (result)
                collect(i.operands[0], m_all);
            const std::size_t reads = m_all.size();
            if (i.guarded())
                if (const auto found = m_number.find(i.guard); found != m_number.end())
                    m_all.push_back(found->second);
            for (std::size_t k = result ? 1 : 0; k < i.operands.size(); ++k)
                collect(i.operands[k], m_all);
            if (result && i.opcode == Opcode::Wgmma) // adds to what is there
                collect(i.operands[0], m_all);
            counts.push_back({std::uint32_t(reads - begin), std::uint32_t(m_all.size() - reads)});
        }
        m_uses.reserve(counts.size());
        std::uint32_t* at = m_all.data();
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const auto [writes, reads] = counts[k];
            m_uses.push_back({{at + writes, reads}, {at, writes}, !m_function.body[k].guarded()});
            at += writes + reads;
        }
    }

    // What the machine finds in constant memory, whenever it wants: parameters, sizes of grid and block, numbers, __constant__
    // variables at a place that is known, and addresses made of these. Such values take no register.
    void leaveOutConstants() {
        m_constant.assign(m_function.registers.size(), true);
        std::vector<const Use*> copies; // which may be: of them it depends on what they read
        for (std::size_t k = 0; k < m_uses.size(); ++k)
            if (m_uses[k].certain && mayBeConstant(m_function.body[k]))
                copies.push_back(&m_uses[k]);
            else
                for (const std::uint32_t r : m_uses[k].writes)
                    m_constant[r] = false;
        for (bool changed = true; changed;) {
            changed = false;
            for (const Use* use : copies)
                if (!std::all_of(use->reads.begin(), use->reads.end(),
                                 [&](std::uint32_t r) { return bool(m_constant[r]); }))
                    for (const std::uint32_t r : use->writes)
                        if (m_constant[r]) {
                            m_constant[r] = false;
                            changed = true;
                        }
        }
    }
    bool mayBeConstant(const Instruction& i) const {
        const bool loaded =
            i.opcode == Opcode::Ld && ((i.has(Modifier::Param) && m_function.isEntry) || i.has(Modifier::Const));
        if (!loaded && i.opcode != Opcode::Mov && i.opcode != Opcode::Cvta)
            return false;
        for (const Operand& o : i.operands)
            if (o.kind == Operand::Kind::Special && o.name != "%ntid" && o.name != "%nctaid" && o.name != "WARP_SZ")
                return false;
        return true;
    }

    // An address and a number more is an operand of the machine's loads and stores: where a sum serves as an address
    // only, what it was made of is what lives on.
    void foldAddresses() {
        std::vector<std::uint32_t> writers(m_constant.size(), 0), others(m_constant.size(), 0), bases;
        for (std::size_t k = 0; k < m_uses.size(); ++k) {
            for (const std::uint32_t r : m_uses[k].writes)
                ++writers[r];
            bases.clear();
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
                use.reads = {};
                use.writes = {};
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
    std::vector<std::uint32_t> loadsFirst(const BasicBlock& block) {
        std::vector<std::uint32_t> order;
        order.reserve(block.end - block.first);
        for (std::uint32_t first = block.first; first < block.end;) {
            std::uint32_t end = first;
            while (end < block.end && !isWall(m_function.body[end]))
                ++end;
            const std::uint32_t n = end - first;
            std::vector<bool> wanted(n, false), isLoad(n, false);
            std::vector<std::uint32_t> turn(n, 0); // even: computes, odd: loads
            // needs[needsFrom[k]] on: instructions that k comes behind.
            std::vector<std::uint32_t> needs, needsFrom(n + 1, 0);
            // m_writer[register]: the last one so far; m_lastReader[register]: the last one since then, of those before it
            // chain knows.
            struct Reader {
                std::uint32_t instruction = 0, before = 0; // before: in the chain, from 1 on
            };
            std::vector<Reader> chain;
            m_written.clear();
            m_readers.clear();
            for (std::uint32_t k = 0; k < n; ++k) {
                const Use& use = m_uses[first + k];
                const Instruction& i = m_function.body[first + k];
                isLoad[k] = row(i.opcode).family == Family::Load && !i.has(Modifier::Param);
                const auto after = [&](std::uint32_t before) {
                    needs.push_back(before);
                    turn[k] = std::max(turn[k], turn[before] + (isLoad[before] ? 1 : 0));
                };
                for (const std::uint32_t r : use.reads)
                    if (m_written.contains(r))
                        after(m_writer[r]);
                for (const std::uint32_t r : use.writes) {
                    if (m_written.contains(r))
                        after(m_writer[r]);
                    if (m_readers.contains(r))
                        for (std::uint32_t at = m_lastReader[r]; at != 0; at = chain[at - 1].before)
                            after(chain[at - 1].instruction);
                }
                for (const std::uint32_t r : use.reads) {
                    chain.push_back({k, m_readers.insert(r) ? 0 : m_lastReader[r]});
                    m_lastReader[r] = std::uint32_t(chain.size());
                }
                for (const std::uint32_t r : use.writes) {
                    m_written.insert(r);
                    m_writer[r] = k;
                    m_readers.erase(r);
                }
                turn[k] |= isLoad[k] ? 1 : 0;
                needsFrom[k + 1] = std::uint32_t(needs.size());
            }
            for (std::uint32_t k = n; k-- > 0;) {
                if (isLoad[k])
                    wanted[k] = true;
                for (std::uint32_t at = needsFrom[k]; wanted[k] && at < needsFrom[k + 1]; ++at)
                    wanted[needs[at]] = true;
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
    void walk(std::uint32_t number, const std::vector<std::uint32_t>& order, RegisterPressure& most) {
        m_live.clear();
        std::uint32_t words = 0, predicates = 0;
        const auto add = [&](std::uint32_t r) {
            if (m_live.insert(r)) {
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
                    if (m_live.erase(r)) {
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
    std::unordered_map<std::string_view, std::uint32_t> m_number;
    std::vector<std::uint32_t> m_all;              // of m_uses
    std::vector<Use> m_uses;                       // [instruction]
    std::vector<bool> m_constant;                  // [register] takes none of the machine's
    std::vector<std::uint32_t> m_slot;             // [register] in the live sets
    std::vector<std::uint32_t> m_kept;             // [slot] -> register
    std::vector<std::vector<std::uint64_t>> m_out; // [block][slot] live at its end
    Registers m_live;                              // of walk()
    Registers m_written, m_readers;                // of loadsFirst(): those that m_writer and m_lastReader tell of
    std::vector<std::uint32_t> m_writer, m_lastReader;
};

} // namespace

std::optional<RegisterPressure> registerPressure(const Function& function) {
    return Liveness(function).run();
}

} // namespace warpglass::ptx
