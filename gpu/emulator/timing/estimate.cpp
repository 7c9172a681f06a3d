// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/estimate.h"

#include "gpu/emulator/timing/machine_code.h"

#include <algorithm>
#include <cmath>

namespace warpglass::emulator {

namespace {

bool isGlobal(MemorySpace space) {
    return space == MemorySpace::Global || space == MemorySpace::Local;
}

// A warp that is alone, in order, through one piece of code.
class Alone {
public:
    Alone(const Program& program, const MachineCode& code, const DeviceTiming& timing)
        : m_program(program), m_code(code), m_timing(timing), m_ready(code.registerCount, 0) {}

    // Cycles of a run of the piece, of loads that take so many.
    double run(const Piece& piece, double memory) {
        m_now = m_last = 0;
        const std::uint32_t rounds = roundsOf(piece);
        pass(piece, rounds, memory);
        double cycles = std::max(m_now, m_last);
        if (goesToItself(piece)) { // what one round leaves the next one waits for
            const double before = m_now;
            pass(piece, rounds, memory);
            cycles = m_now - before;
        }
        for (const std::uint32_t r : m_written)
            m_ready[r] = 0;
        m_written.clear();
        return cycles / rounds;
    }
    std::uint32_t roundsOf(const Piece& piece) const {
        std::uint32_t rounds = 1;
        for (std::uint32_t k = piece.first; k < piece.end; ++k)
            rounds = std::max<std::uint32_t>(rounds, at(k).rounds);
        return rounds;
    }
    const MachineOp& at(std::uint32_t k) const { return m_code.ops[m_program.code[k].index]; }

private:
    bool goesToItself(const Piece& piece) const {
        const InstInfo& last = m_program.info[m_program.code[piece.end - 1].index];
        return last.isBranch && last.is.opcode == ptx::Opcode::Bra &&
               m_program.code[piece.end - 1].branch.target == piece.first;
    }
    double operands(const MachineOp& op) const {
        double ready = 0;
        for (const std::uint32_t r : m_code.awaited(op))
            ready = std::max(ready, m_ready[r]);
        return ready;
    }
    double latencyOf(const MachineOp& op, const InstInfo& info, double memory) const {
        if (info.opClass == OpClass::Shuffle)
            return m_timing.shuffle;
        if (op.pipe == Pipe::Mio)
            return info.access == AccessKind::Atomic && info.isMemory ? m_timing.atomicShared : m_timing.shared;
        if (op.pipe != Pipe::Lsu)
            return op.latency;
        if (info.space == MemorySpace::Constant)
            return m_timing.constant;
        return info.access == AccessKind::Atomic || op.strong ? std::max<double>(memory, m_timing.atomicL2) : memory;
    }
    void write(const MachineOp& op, double when) {
        for (const std::uint32_t r : m_code.writes(op)) {
            m_ready[r] = when;
            m_written.push_back(r);
            m_last = std::max(m_last, when);
        }
    }
    void pass(const Piece& piece, std::uint32_t rounds, double memory) {
        for (std::uint32_t round = 0; round < rounds; ++round)
            for (std::uint32_t k = piece.first; k < piece.end; ++k)
                issue(at(k), m_program.info[m_program.code[k].index], round + 1, memory);
    }
    void issue(const MachineOp& op, const InstInfo& info, std::uint32_t round, double memory) {
        const bool early = round < op.rounds;
        double ready = operands(op);
        if (op.slots == 0 || (op.goesAlong && early)) { // it is gone
            write(op, ready);
            return;
        }
        const double late = op.defers && early ? std::max(0.0, ready - m_now) : 0;
        if (op.defers && early)
            ready = 0;
        else if (op.is(Trait::Conditional))
            ready += m_timing.predicate;
        const double begins = std::max(m_now, ready) + (op.slots - 1) * op.gap;
        const double done = begins + late + latencyOf(op, info, memory);
        m_now = begins + 1;
        write(op, done);
        if (op.branch)
            m_now = begins + m_timing.branch;
        if (op.is(Trait::Barrier))
            m_now = begins + m_timing.barrier + op.latency;
        if (op.is(Trait::Fence))
            m_now = begins + (op.fence == FenceKind::Sleep ? 200 : m_timing.fences[std::size_t(op.fence)].alone);
        if (op.alone)
            m_now = std::max(begins + op.gap, done);
    }

    const Program& m_program;
    const MachineCode& m_code;
    const DeviceTiming& m_timing;
    std::vector<double> m_ready; // [register]
    std::vector<std::uint32_t> m_written;
    double m_now = 0, m_last = 0;
};

} // namespace

KernelCost costOf(const Program& program, const DeviceTiming& timing) {
    const MachineCode code = machineCode(program, timing);
    const Program scheduled = inOrder(program, code);
    Alone alone(scheduled, code, timing);
    KernelCost cost;
    for (const Piece& piece : scheduled.pieces) {
        KernelCost::Of& of = cost.pieces.emplace_back();
        const std::array<double, 3> memory = {double(timing.l1), double(timing.l2), double(timing.dram)};
        for (std::size_t level = 0; level < memory.size(); ++level)
            of.alone[level] = alone.run(piece, memory[level]);
        double loads = 0;
        for (std::uint32_t k = piece.first; k < piece.end; ++k) {
            const MachineOp& op = alone.at(k);
            const double times = op.goesAlong ? 1.0 / op.rounds : 1;
            cost.combined |= op.atomic.combined;
            of.slots += times * op.slots;
            of.barriers += op.is(Trait::Barrier);
            of.shuffles += op.is(Trait::Shuffle);
            loads += op.pipe == Pipe::Lsu && op.slots > 0 && !code.writes(op).empty();
            if (op.pipe == Pipe::None || op.slots == 0)
                continue;
            const double each = op.busy ? op.busy : timing.interval[std::size_t(op.pipe)];
            of.pipes[std::size_t(op.pipe)] += times * each * (op.slots - op.special);
            of.pipes[std::size_t(Pipe::Xu)] += times * op.special * timing.interval[std::size_t(Pipe::Xu)];
        }
        if (const double waits = (of.alone[1] - of.alone[0]) / double(timing.l2 - timing.l1); waits > 0)
            of.atOnce = std::max(1.0, loads / waits);
    }
    return cost;
}

double EstimateParts::together() const {
    constexpr double p = 3;
    double sum = 0;
    for (const double part : {alone, pipes, unit, port, l2, dram, atomics, starts})
        sum += std::pow(part, p);
    return std::pow(sum, 1 / p);
}

EstimateParts estimateParts(const EstimateInput& in) {
    const DeviceTiming& t = in.timing;
    const double perNs = in.clockMHz / 1000;
    const auto blocks = double(in.steps.size());
    const double sms = std::min(blocks, double(in.device.smCount));
    const double resident = std::min(double(in.footprint.residentBlocks), std::ceil(blocks / sms));
    const double warps = in.footprint.warps;
    // The SM that has most to do has that many times an SM's share.
    const double uneven = std::ceil(blocks / sms) / (blocks / sms);
    const double schedulers = std::min(double(t.schedulers), warps * resident);

    // The SM's own unit for memory, and what leaves it.
    EstimateParts parts;
    double unit = 0, reads = 0, readLines = 0, stores = 0, storeLines = 0, queue = 0, hot = 0, words = 0,
           requestsToRead = 0;
    const auto add = [&](const InstInfo& info, MemorySpace space, const MemoryCount& m) {
        if (m.requests == 0)
            return;
        const double requests = double(m.requests), sectors = double(m.sectors);
        if (!isGlobal(space)) {
            unit += std::max(requests, double(m.passes));
            return;
        }
        const bool whole = m.bytesDistinct >= 32 * m.sectors;
        if (info.access == AccessKind::Store) {
            unit += std::max(requests * t.storeCycles, sectors * (whole ? t.storeSectorCycles : t.storePartCycles));
            stores += sectors;
            storeLines += double(m.lines);
        } else if (info.access == AccessKind::Atomic) {
            unit += std::max(requests * t.storeCycles, sectors * t.atomicSectorCycles);
            const double each = ptx::isFloat(info.is.type()) ? t.floatAtomicCycles : t.sameAddressAtomicCycles;
            const double met = in.cost.combined ? std::min(1.0, in.reuse.hottest) : in.reuse.hottest;
            queue += requests * met * each / (in.reuse.hotLines > 0 ? 1 : blocks);
            hot += in.reuse.hotLines > 0 ? sectors * perNs / DeviceTiming::hotRate(t.hotSectorsPerNs, in.reuse.hotLines)
                                         : 0;
            words += double(m.bytesDistinct) / std::max(1u, info.is.bytes());
        } else {
            unit += std::max({requests, double(m.lines) / t.loadLinesPerCycle, sectors / t.sectorsPerCycle,
                              requests * in.reuse.pass});
            reads += sectors;
            readLines += double(m.lines);
            requestsToRead += requests;
        }
    };
    for (std::size_t k = 0; k < in.counters.memory.size(); ++k) {
        add(in.program.info[k], in.program.info[k].space, in.counters.memory[k]);
        for (const SplitCount& s : in.counters.split[k])
            add(in.program.info[k], s.space, s.count);
    }
    const double room = double(t.l1Bytes - std::min(t.l1Bytes, in.footprint.shared * in.footprint.residentBlocks));
    const double kept = std::min(1.0, room / std::max(1.0, in.reuse.ofBlock * 32 * resident));
    const double missed = in.reuse.read + (1 - in.reuse.read) * (1 - kept) * 0.3; // of L1
    const double fetched = reads * missed;
    const double firstBlock = reads / blocks * in.reuse.read;
    double cold = std::min(firstBlock + (fetched - firstBlock) * in.reuse.fresh, fetched);
    if (in.reached > 0)
        cold = std::min(cold, in.reached / 32);
    cold *= 1 - in.inL2;
    double written = stores;
    if (in.reached > 0)
        written = std::min(written, in.reached / 32);
    const double dramWrites =
        written * std::clamp(1 - double(in.device.l2Bytes) / 2 / (32 * (written + cold) + 1), 0.0, 1.0);

    const double perSector = 32 * perNs;
    parts.port =
        uneven / sms *
        std::max((fetched + stores) * 32 / t.l2BytesPerCycle, (readLines * missed + storeLines) * t.portRequestCycles);
    parts.l2 = std::max((fetched + stores / t.l2StoreShare) * perSector / t.l2GBs,
                        (readLines * missed + storeLines) * perNs / t.l2RequestsPerNs);
    parts.dram = (cold * in.reuse.dram + dramWrites) * perSector / t.dramGBs;
    parts.atomics = std::max({queue, hot, words / t.atomicLanesPerCycle});

    // What a warp takes alone, and its schedulers. Who wants many sectors at once waits for the slowest of them: that is as
    // if so many more came from DRAM instead of L2.
    const double toDram = fetched > 0 ? cold / fetched : 0;
    const double sectorsAtOnce = requestsToRead > 0 ? reads / requestsToRead : 1;
    const double slowest = sectorsAtOnce / (sectorsAtOnce + 1), dramOfL2 = double(t.dram - t.l2);
    const double lateL2 = DeviceTiming::quantile(t.l2Spread, slowest) / dramOfL2,
                 lateDram = DeviceTiming::quantile(t.dramSpread, slowest) / dramOfL2;
    double cycles = 0, instructions = 0, slots = 0;
    std::array<double, std::size_t(Pipe::Count_)> pipes{};
    for (std::size_t p = 0; p < in.cost.pieces.size(); ++p) {
        const auto times = double(in.counters.pieceExecutions[p]);
        if (times == 0)
            continue;
        const KernelCost::Of& of = in.cost.pieces[p];
        const Piece& piece = in.program.pieces[p];
        const double beyondL1 = reads > 0 ? std::min(1.0, missed * of.atOnce) : 0;
        const double dram = std::min(beyondL1, missed * toDram * of.atOnce), l2 = beyondL1 - dram;
        const double asDram = dram * (1 + lateDram) + l2 * lateL2;
        cycles += times * (of.alone[0] + beyondL1 * (of.alone[1] - of.alone[0]) + asDram * (of.alone[2] - of.alone[1]));
        cycles += times * of.barriers * t.barrierArrival * warps;
        instructions += times * (piece.end - piece.first);
        slots += times * of.slots;
        unit += times * of.shuffles;
        for (std::size_t pipe = 0; pipe < pipes.size(); ++pipe)
            if (pipe != std::size_t(Pipe::Lsu) && pipe != std::size_t(Pipe::Mio))
                pipes[pipe] += times * of.pipes[pipe];
    }
    parts.unit = unit / sms * uneven;
    parts.pipes = std::max(slots, *std::max_element(pipes.begin(), pipes.end())) / (sms * schedulers) * uneven;
    const double perStep = instructions > 0 ? cycles / instructions : 0;
    double all = 0, longest = 0;
    for (const std::int64_t s : in.steps) {
        all += double(s);
        longest = std::max(longest, double(s));
    }
    const double places = std::min(blocks, double(in.device.smCount) * in.footprint.residentBlocks);
    const double mean = all / blocks, waves = std::ceil(blocks / places);
    const double inTurn =
        longest <= 1.05 * mean ? waves * mean : std::max(longest, all / places + (waves > 1 ? mean / 2 : 0));
    parts.alone = perStep * inTurn + waves * t.blockStart;
    parts.starts = std::max(t.blockInterval * blocks, t.warpInterval * warps * blocks / sms);
    return parts;
}

} // namespace warpglass::emulator
