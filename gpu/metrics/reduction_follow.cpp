// SPDX-License-Identifier: GPL-3.0-or-later
// Follows every number of a block from the cell it was read from to the cell or lane it went to.
#include "gpu/metrics/reduction_follow.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace warpglass {
namespace {

using Kind = ReductionValue::Kind;

constexpr std::size_t mostReads = 4096; // a thread's reads since it last wrote; more is no reduction

std::uint64_t masked(std::uint64_t bits, unsigned bytes) {
    return bytes >= 8 ? bits : bits & ((1ull << (8 * bytes)) - 1);
}

double asFloat(std::uint64_t bits, unsigned bytes) {
    return bytes == 8 ? std::bit_cast<double>(bits) : double(std::bit_cast<float>(std::uint32_t(bits)));
}

struct Read {
    std::uint32_t value;
    std::uint64_t event;
    bool lane; // from another lane
};

struct ThreadState {
    std::vector<Read> reads;      // since it last wrote, shuffled or summed
    std::uint32_t held = noIndex; // value it is known to have in a register
};

struct CellState {
    std::uint32_t cell = 0;
    std::vector<std::uint32_t> versions; // rows of values, oldest first
    std::uint32_t readPhase = noIndex;   // phase of the last read
    std::uint32_t readWarp = noIndex;    // who; manyWarps if several
};
constexpr std::uint32_t manyWarps = noIndex - 1;

// What a lane's value was found to be made of.
enum class Pattern : std::uint8_t { Held, Reads, HeldAndReads };

struct Occurrence { // an access or shuffle, in the order of the block
    std::uint32_t phase;
    Time time;
    std::uint32_t warp;
    std::uint64_t event;
    const AccessRow* access;
};

class Follower {
public:
    Follower(const Trace& trace, std::uint32_t block, ReductionTree& tree)
        : m_trace(trace), m_tree(tree), m_block(trace.blocks[block]) {
        // Threads go by their number in the block, and not every warp of it need have been recorded.
        m_warpRows.resize(m_block.warpCount, noIndex);
        for (std::uint32_t w = m_block.firstWarp; w < m_block.firstWarp + m_block.warpCount; ++w) {
            const std::size_t number = trace.warps[w].warpInBlock;
            m_warpRows.resize(std::max(m_warpRows.size(), number + 1), noIndex);
            m_warpRows[number] = w;
        }
        m_threads.resize(m_warpRows.size() * lanesPerWarp);
    }

    void run() {
        for (const Occurrence& o : occurrences()) {
            if (o.access->shuffle) {
                shuffle(o);
            } else if (o.access->space != MemorySpace::Global && o.access->space != MemorySpace::Shared) {
                continue;
            } else if (o.access->kind == AccessKind::Load) {
                load(o);
            } else if (o.access->kind == AccessKind::Store) {
                store(o);
            } else { // a lane's number is handed to a sum that others make, too
                m_tree.atomics += std::uint64_t(activeOf(o).count());
            }
        }
        for (std::uint32_t t = 0; t < m_threads.size(); ++t) { // sums after a last shuffle that nobody looked at
            const auto& reads = m_threads[t].reads;
            if (!reads.empty() && reads.back().lane && m_threads[t].held != noIndex) {
                assumed(t, Pattern::HeldAndReads);
            }
        }
    }

private:
    std::vector<Occurrence> occurrences() {
        std::vector<Occurrence> list;
        for (std::uint32_t w = m_block.firstWarp; w < m_block.firstWarp + m_block.warpCount; ++w) {
            const Warp& warp = m_trace.warps[w];
            std::uint32_t phase = 0;
            for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
                const Event e = m_trace.event(warp, n);
                if (e.kind == EventKind::BarrierLeave) {
                    ++phase;
                } else if (e.kind == EventKind::Access || e.kind == EventKind::Shuffle) {
                    if (const AccessRow* a = m_trace.accessOfEvent(warp.firstEvent + n)) {
                        list.push_back({phase, e.time, w, warp.firstEvent + n, a});
                    }
                }
            }
            m_tree.barriers = std::max(m_tree.barriers, phase);
        }
        std::stable_sort(list.begin(), list.end(), [](const Occurrence& a, const Occurrence& b) {
            return std::tie(a.phase, a.time, a.warp, a.event) < std::tie(b.phase, b.time, b.warp, b.event);
        });
        return list;
    }

    std::uint32_t threadOf(std::uint32_t warp, int lane) const {
        return std::uint32_t(m_trace.warps[warp].warpInBlock) * lanesPerWarp + std::uint32_t(lane);
    }

    LaneMask activeOf(const Occurrence& o) const { return m_trace.events.active(o.event); }

    std::uint32_t add(ReductionValue v) {
        m_tree.values.push_back(std::move(v));
        return std::uint32_t(m_tree.values.size() - 1);
    }

    CellState& cellAt(MemorySpace space, std::uint64_t address) {
        auto& map = space == MemorySpace::Shared ? m_shared : m_global;
        const auto [it, isNew] = map.try_emplace(address);
        if (isNew) {
            it->second.cell = std::uint32_t(m_tree.cells.size());
            m_tree.cells.push_back({space, address, -1});
        }
        return it->second;
    }

    // The version of the cell that a load of these bits read: the newest with these bits, else something from outside.
    std::uint32_t versionRead(CellState& cell, std::uint64_t bits, const Occurrence& o) {
        const auto& values = m_tree.values;
        for (auto it = cell.versions.rbegin(); it != cell.versions.rend(); ++it) {
            if (values[*it].bits == bits) {
                return *it;
            }
        }
        ReductionValue v;
        v.cell = cell.cell;
        v.bits = bits;
        v.bytes = o.access->bytesPerElement;
        v.isFloat = o.access->isFloat;
        v.event = o.event;
        v.time = o.time;
        v.phase = o.phase;
        const std::uint32_t row = add(v);
        cell.versions.insert(cell.versions.begin(), row); // it was there before whatever the block wrote
        return row;
    }

    void load(const Occurrence& o) {
        const auto addresses = m_trace.addresses(*o.access);
        const auto numbers = m_trace.values(*o.access);
        std::size_t k = 0, n = 0;
        for (std::uint32_t left = activeOf(o).bits; left; left &= left - 1, ++k) {
            const std::uint32_t thread = threadOf(o.warp, std::countr_zero(left));
            for (unsigned e = 0; e < o.access->elements; ++e, ++n) {
                ++m_tree.loads;
                CellState& cell = cellAt(o.access->space, addresses[k] + e * o.access->bytesPerElement);
                m_tree.cells[cell.cell].read = true;
                const std::uint32_t row = versionRead(cell, masked(numbers[n], o.access->bytesPerElement), o);
                ReductionValue& v = m_tree.values[row];
                if (v.thread != noIndex && v.phase == o.phase && v.thread != thread) {
                    (v.warp == o.warp ? v.warpOrder : v.raced) = true;
                }
                if (row != cell.versions.back()) { // an old version: somebody has overwritten it
                    const ReductionValue& newest = m_tree.values[cell.versions.back()];
                    v.raced = v.raced || (newest.phase == o.phase && newest.warp != o.warp);
                }
                cell.readWarp = cell.readPhase != o.phase || cell.readWarp == o.warp ? o.warp : manyWarps;
                cell.readPhase = o.phase;
                auto& reads = m_threads[thread].reads;
                if (!reads.empty() && reads.back().lane && m_threads[thread].held != noIndex) {
                    assumed(thread,
                            Pattern::HeldAndReads); // what came by a shuffle was added; now something new begins
                }
                if (reads.size() < mostReads) {
                    reads.push_back({row, o.event, false});
                }
            }
        }
    }

    void store(const Occurrence& o) {
        const auto addresses = m_trace.addresses(*o.access);
        const auto numbers = m_trace.values(*o.access);
        std::size_t k = 0, n = 0;
        for (std::uint32_t left = activeOf(o).bits; left; left &= left - 1, ++k) {
            const std::uint32_t thread = threadOf(o.warp, std::countr_zero(left));
            for (unsigned e = 0; e < o.access->elements; ++e, ++n) {
                ++m_tree.stores;
                CellState& cell = cellAt(o.access->space, addresses[k] + e * o.access->bytesPerElement);
                const std::uint32_t row =
                    explained(thread, masked(numbers[n], o.access->bytesPerElement), o, cell.cell);
                if (cell.readPhase == o.phase && cell.readWarp != o.warp) {
                    m_tree.values[row].raced = true; // another warp read the cell, and no barrier says in which order
                }
                cell.versions.push_back(row);
                m_tree.cells[cell.cell].last = row;
            }
        }
    }

    // One value of each lane is handed to another lane. What a lane handed over is known if somebody got it; the other
    // lanes are taken to have done as most did.
    void shuffle(const Occurrence& o) {
        const auto sources = m_trace.addresses(*o.access);
        const auto numbers = m_trace.values(*o.access);
        const LaneMask active = activeOf(o);
        std::array<bool, lanesPerWarp> known{};
        std::array<std::uint64_t, lanesPerWarp> bits{};
        std::size_t k = 0;
        for (std::uint32_t left = active.bits; left; left &= left - 1, ++k) {
            ++m_tree.shuffles;
            const auto source = std::size_t(sources[k] & 31);
            known[source] = true;
            bits[source] = masked(numbers[k], o.access->bytesPerElement);
        }
        std::array<std::uint32_t, lanesPerWarp> handed{};
        handed.fill(noIndex);
        std::array<int, 3> patterns{};
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            if (active.has(lane) && known[std::size_t(lane)]) {
                const std::uint32_t thread = threadOf(o.warp, lane);
                handed[std::size_t(lane)] = explained(thread, bits[std::size_t(lane)], o, noIndex);
                ++patterns[std::size_t(m_pattern)];
            }
        }
        const auto common = Pattern(std::max_element(patterns.begin(), patterns.end()) - patterns.begin());
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            if (active.has(lane) && !known[std::size_t(lane)]) {
                handed[std::size_t(lane)] = assumed(threadOf(o.warp, lane), common);
            }
        }
        k = 0;
        for (std::uint32_t left = active.bits; left; left &= left - 1, ++k) {
            const std::uint32_t row = handed[std::size_t(sources[k] & 31)];
            const std::uint32_t thread = threadOf(o.warp, std::countr_zero(left));
            if (row != noIndex && !isZeroOfNowhere(row)) {
                m_threads[thread].reads.push_back({row, o.event, true});
            }
        }
    }

    // A zero that no cell gave: what idle lanes bring along. Adding it is no addition.
    bool isZeroOfNowhere(std::uint32_t row) const {
        const ReductionValue& v = m_tree.values[row];
        return v.kind == Kind::Given && v.cell == noIndex && v.bits == 0;
    }

    std::uint64_t sumOf(const ThreadState& t, std::size_t first, bool withHeld, unsigned bytes, bool isFloat) const {
        std::uint64_t sum = withHeld ? m_tree.values[t.held].bits : 0;
        for (std::size_t i = first; i < t.reads.size(); ++i) {
            const std::uint64_t next = m_tree.values[t.reads[i].value].bits;
            sum = i == first && !withHeld ? next : addedBits(sum, next, bytes, isFloat);
        }
        return sum;
    }

    // A new value in a cell or register of this thread: sum, copy or given. Afterwards the thread holds it.
    std::uint32_t explained(std::uint32_t thread, std::uint64_t bits, const Occurrence& o, std::uint32_t cell) {
        ThreadState& t = m_threads[thread];
        const unsigned bytes = o.access->bytesPerElement;
        bool isFloat = o.access->isFloat || (t.held != noIndex && m_tree.values[t.held].isFloat);
        for (const Read& r : t.reads) {
            isFloat = isFloat || m_tree.values[r.value].isFloat;
        }
        const std::size_t n = t.reads.size();
        const bool held = t.held != noIndex;
        const auto fits = [&](std::size_t first, bool withHeld) {
            return sameNumber(sumOf(t, first, withHeld, bytes, isFloat), bits, bytes, isFloat);
        };
        const auto finish = [&](Kind kind, std::size_t first, bool withHeld, Pattern pattern) {
            m_pattern = pattern;
            return made(thread, kind, bits, bytes, isFloat, first, withHeld, o, cell);
        };
        const bool inPlace = held && cell != noIndex && m_tree.values[t.held].cell == cell;
        if (n >= 2 && fits(0, false)) {
            return finish(Kind::Sum, 0, false, Pattern::Reads);
        }
        const bool single = n == 1 && fits(0, false);
        if (held && n >= 1 && fits(0, true) && (!single || inPlace || t.reads[0].lane)) {
            return finish(Kind::Sum, 0, true, Pattern::HeldAndReads);
        }
        if (single) {
            return finish(Kind::Copy, 0, false, Pattern::Reads);
        }
        for (std::size_t first = 1; first < n; ++first) { // something else was read before
            if (first + 1 < n && fits(first, false)) {
                return finish(Kind::Sum, first, false, Pattern::Reads);
            }
            if (held && fits(first, true)) {
                return finish(Kind::Sum, first, true, Pattern::HeldAndReads);
            }
        }
        if (held && sameNumber(m_tree.values[t.held].bits, bits, bytes, isFloat)) {
            return finish(Kind::Copy, n, true, Pattern::Held);
        }
        for (std::size_t i = n; i-- > 0;) {
            if (m_tree.values[t.reads[i].value].bits == bits) {
                std::swap(t.reads[i], t.reads.back());
                return finish(Kind::Copy, n - 1, false, Pattern::Reads);
            }
        }
        if (held && n >= 1 && t.reads.back().lane) { // what a shuffle brought was added, then dropped for something new
            assumed(thread, Pattern::HeldAndReads);
        }
        return finish(Kind::Given, t.reads.size(), false, Pattern::Held);
    }

    // The same for a lane whose value nobody saw.
    std::uint32_t assumed(std::uint32_t thread, Pattern pattern) {
        ThreadState& t = m_threads[thread];
        // Numbers loaded since stand for themselves, unless most lanes added them to what they held.
        const bool loaded = !t.reads.empty() && !t.reads.back().lane;
        const bool withHeld =
            t.held != noIndex && (pattern == Pattern::HeldAndReads || (pattern == Pattern::Held && !loaded));
        const std::size_t inputs = t.reads.size() + (withHeld ? 1 : 0);
        if (inputs == 0) {
            return noIndex;
        }
        if (t.reads.empty()) {
            return t.held;
        }
        const ReductionValue& like = m_tree.values[t.reads.back().value];
        Occurrence o{};
        const unsigned bytes = like.bytes;
        const bool isFloat = like.isFloat;
        return made(thread, inputs > 1 ? Kind::Sum : Kind::Copy, sumOf(t, 0, withHeld, bytes, isFloat), bytes, isFloat,
                    0, withHeld, o, noIndex);
    }

    std::uint32_t made(std::uint32_t thread, Kind kind, std::uint64_t bits, unsigned bytes, bool isFloat,
                       std::size_t first, bool withHeld, const Occurrence& o, std::uint32_t cell) {
        ThreadState& t = m_threads[thread];
        const bool register1 = cell == noIndex;
        std::uint32_t row = noIndex;
        if (register1 && kind == Kind::Copy) { // a register that holds what was read: the same value
            row = withHeld ? t.held : t.reads[first].value;
        } else {
            ReductionValue v;
            v.kind = kind;
            v.cell = cell;
            v.thread = thread;
            v.warp = m_warpRows[thread / lanesPerWarp];
            v.bits = bits;
            v.bytes = std::uint8_t(bytes);
            v.isFloat = isFloat;
            if (withHeld) {
                v.inputs.push_back(t.held);
            }
            for (std::size_t i = first; i < t.reads.size(); ++i) {
                v.inputs.push_back(t.reads[i].value);
                v.shuffled = v.shuffled || t.reads[i].lane;
            }
            // A sum of lanes was made when the lane's value came, not when somebody saw it.
            const bool fromLane = kind == Kind::Sum && !t.reads.empty() && t.reads.back().lane;
            v.event = fromLane || !o.access ? t.reads.back().event : o.event;
            if (fromLane) {
                v.cell = noIndex; // in the register first: the cell gets a copy
            }
            const Warp& warp = m_trace.warps[v.warp];
            v.time = m_trace.events.time(v.event, warp.start);
            v.phase = phaseOf(warp, v.event);
            ReductionValue copy = v;
            row = add(std::move(v));
            if (fromLane && cell != noIndex) {
                copy.kind = Kind::Copy;
                copy.cell = cell;
                copy.inputs = {row};
                copy.event = o.event;
                copy.time = o.time;
                copy.phase = o.phase;
                const std::uint32_t stored = add(std::move(copy));
                t.held = row;
                t.reads.clear();
                return stored;
            }
        }
        t.held = row;
        t.reads.clear();
        return row;
    }

    std::uint32_t phaseOf(const Warp& warp, std::uint64_t event) {
        auto& leaves = m_leaves[warp.warpInBlock];
        if (leaves.empty()) {
            for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
                if (m_trace.events.kind(warp.firstEvent + n) == EventKind::BarrierLeave) {
                    leaves.push_back(warp.firstEvent + n);
                }
            }
        }
        return std::uint32_t(std::upper_bound(leaves.begin(), leaves.end(), event) - leaves.begin());
    }

    const Trace& m_trace;
    ReductionTree& m_tree;
    const Block& m_block;
    std::vector<std::uint32_t> m_warpRows; // of a warp's number in the block; noIndex: not recorded
    std::vector<ThreadState> m_threads;
    std::unordered_map<std::uint64_t, CellState> m_global, m_shared;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> m_leaves; // barrier leaves, by warp
    Pattern m_pattern = Pattern::Held;                                      // of the value last explained
};

} // namespace

std::uint64_t addedBits(std::uint64_t a, std::uint64_t b, unsigned bytes, bool isFloat) {
    if (!isFloat) {
        return masked(a + b, bytes);
    }
    return bytes == 8 ? std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b))
                      : std::bit_cast<std::uint32_t>(std::bit_cast<float>(std::uint32_t(a)) +
                                                     std::bit_cast<float>(std::uint32_t(b)));
}

bool sameNumber(std::uint64_t a, std::uint64_t b, unsigned bytes, bool isFloat) {
    if (a == b) {
        return true;
    }
    if (!isFloat) {
        return false;
    }
    const double x = asFloat(a, bytes), y = asFloat(b, bytes);
    return std::abs(x - y) <= 1e-5 * std::max(std::abs(x), std::abs(y));
}

double number(const ReductionValue& v) {
    if (v.isFloat) {
        return asFloat(v.bits, v.bytes);
    }
    const unsigned shift = 64 - 8u * std::min<unsigned>(v.bytes, 8);
    return double(std::int64_t(v.bits << shift) >> shift);
}

void followNumbers(const Trace& trace, std::uint32_t block, ReductionTree& tree) {
    Follower(trace, block, tree).run();
}

} // namespace warpglass
