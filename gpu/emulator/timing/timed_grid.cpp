// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_grid.h"
#include "gpu/emulator/memory/global_races.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/bounds.h"
#include "gpu/emulator/run/grid_run.h"
#include "gpu/emulator/run/living_blocks.h"
#include "gpu/emulator/run/pointer_origin.h"
#include "gpu/emulator/run/polls.h"
#include "gpu/emulator/timing/residency.h"
#include "gpu/emulator/timing/sm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <utility>

namespace warpglass::emulator {

namespace {

// How long a block takes in a full SM, for a warp-instruction of its own, and the pause between two blocks in one
// place. From what completed between the first wave and the end, or, if there was only one wave, from all.
void steadyState(TimedGrid& timed, std::uint32_t residentBlocks, double restart) {
    double between = 0, duration = 0, work = 0, blocks = 0; // cycles between completions, times places
    for (const SmResult& r : timed.results) {
        std::vector<const TimedBlock*> complete;
        for (const TimedBlock& b : r.blocks)
            if (b.complete)
                complete.push_back(&b);
        std::sort(complete.begin(), complete.end(),
                  [](const TimedBlock* a, const TimedBlock* b) { return a->end < b->end; });
        if (complete.size() < 2 * std::size_t(residentBlocks))
            continue;
        between += double(complete.back()->end - complete[residentBlocks - 1]->end) * residentBlocks;
        for (std::size_t k = residentBlocks; k < complete.size(); ++k) {
            duration += double(complete[k]->end - complete[k]->start);
            work += double(complete[k]->issued);
            blocks += 1;
        }
    }
    if (work > 0) {
        timed.cyclesPerInstruction = duration / work;
        timed.pause = std::max(0.0, (between - duration) / blocks);
        return;
    }
    for (const SmResult& r : timed.results) { // places were taken until the budget was used up, whoever made headway
        for (const TimedBlock& b : r.blocks)
            duration += double(std::max<std::int64_t>(0, std::min(b.end, r.cycles) - b.start));
        work += double(r.issued);
    }
    timed.cyclesPerInstruction = work > 0 ? duration / work : 1;
    timed.pause = restart;
}

class Timed {
public:
    explicit Timed(GridRun& run)
        : m_run(run), m_options(run.options), m_blocks(run.launch.grid.count()), m_cluster(run.launch.cluster.count()),
          m_sms(std::uint64_t(std::max(1, run.options.device->smCount))),
          m_resident(run.options.footprint.residentBlocks),
          m_code(machineCode(*run.launch.program, *run.options.timing)),
          m_program(scheduleCode(*run.launch.program, m_code, *run.options.timing)) {
        const std::vector<std::uint32_t>& lines = m_options.withoutLines;
        for (const MachineOp& op : m_code.ops) {
            const bool here = lines.empty() || std::binary_search(lines.begin(), lines.end(), op.line);
            m_without.push_back(here ? m_options.without : LimitSet());
        }
        run.result.timed = std::make_shared<TimedGrid>();
        run.result.timed->issued.assign(m_blocks, 0);
        run.result.timed->activeSms = std::uint32_t(std::min(m_blocks, m_sms));
    }

    void run() {
        m_had = whatL2Had();
        const std::uint64_t wave = m_sms * m_resident;
        std::uint64_t window = 0; // blocks from 0 on that have run or are timed
        const std::uint64_t most = std::clamp<std::uint64_t>(sectorsThereAre(), 1024, bounds.touchedSectors);
        TouchTable table(std::min(most, m_blocks * 16384), most); // it grows between two SMs
        std::uint64_t perSm = share(0);
        if (const bool wait = waits(); wait || swaps() || meetAtAWord()) {
            together(table, wait ? bounds.timedTogether : bounds.timedSwapping);
            rest();
            return;
        }
        if (launches())
            perSm = 1; // which launches are accepted depends on the order of blocks: the first alone is timed
        else if (m_options.timedSms.size() < std::min(m_sms, m_blocks)) {
            window = std::min(m_blocks, wave);
            functional(0, window, &table);
            const std::uint64_t ran = window - timedIn(0, window);
            std::uint64_t work = 0;
            for (std::uint64_t b = 0; b < window; ++b)
                work += m_run.result.timed->issued[b];
            const double each = ran ? std::max(1.0, double(work) / double(ran)) : 1;
            perSm = std::clamp<std::uint64_t>(std::uint64_t(double(m_options.budget) / each), m_resident, perSm);
            const std::uint64_t waves = std::min(bounds.touchedWaves, (perSm + m_resident - 1) / m_resident);
            const std::uint64_t end = std::min(m_blocks, waves * wave);
            functional(window, end, &table);
            window = end;
        }
        m_window = window;
        m_partFills = partFills(table);
        for (const std::uint32_t sm : m_options.timedSms)
            if (!m_run.stopped())
                timeSm(sm, perSm, table);
        for (const auto& place : m_spare)
            m_run.result.counters.add(place->runner->counters());
        m_spare.clear();
        rest();
    }

private:
    // Blocks that the budget did not reach, or that nobody asked to see in time.
    void rest() {
        std::vector<std::uint64_t> others;
        std::vector<bool> done(m_blocks, false);
        for (const SmResult& r : m_run.result.timed->results)
            for (const TimedBlock& b : r.blocks)
                done[b.index] = true;
        for (std::uint64_t b = 0; b < m_blocks; ++b)
            if (!done[b] && !(b < m_window && !isTimed(b)))
                others.push_back(b);
        if (!m_run.stopped())
            m_run.blocks(BlockList{&others, 0}, nullptr, 0, true);
        steadyState(*m_run.result.timed, m_resident, m_options.timing->blockStart);
    }

    // Of global memory, with all that the kernel may allocate. A table for more than that takes longer to clear than a small
    // launch to run.
    std::uint64_t sectorsThereAre() const {
        std::uint64_t sectors = m_run.launch.program->allocates ? m_run.device.heapLimit / 32 : 0;
        for (const auto& area : m_run.memory.areas())
            sectors += area->bytes / 32 + 2;
        return sectors;
    }
    bool isTimed(std::uint64_t block) const {
        return std::binary_search(m_options.timedSms.begin(), m_options.timedSms.end(), smOfBlock(block));
    }
    bool any(bool (*what)(const InstInfo&)) const {
        const std::vector<InstInfo>& info = m_run.launch.program->info;
        return m_run.launch.program->ordered && std::any_of(info.begin(), info.end(), what);
    }
    bool launches() const {
        return any([](const InstInfo& i) { return i.isLaunch; });
    }
    // Whether blocks may wait for what others write.
    bool waits() const {
        const bool talks = any([](const InstInfo& i) {
            return i.opClass == OpClass::Fence && i.is.family == ptx::Family::Fence && i.is.scope != ptx::Scope::Cta;
        });
        return !launches() && (talks || pollsInLoop(*m_run.launch.program));
    }
    // Whether they try again when others come in between.
    bool swaps() const { return !launches() && m_blocks > 1 && swapsInLoop(*m_run.launch.program); }
    // Whether what they find, or leave, in one word hangs on who comes first.
    bool meetAtAWord() const { return !launches() && m_blocks > 1 && blocksMeetAtAWord(m_run.launch, m_run.memory); }
    // The blocks of a cluster, which live on neighbouring SMs, are timed as if they shared one.
    std::uint32_t smOfBlock(std::uint64_t block) const {
        return std::uint32_t((m_cluster > 1 ? m_run.living().clusters().clusterOf(block) : block) % m_sms);
    }
    std::vector<std::uint64_t> blocksOfSm(std::uint32_t sm, std::uint64_t most) const {
        std::vector<std::uint64_t> blocks;
        for (std::uint64_t unit = sm; unit < m_blocks / m_cluster && blocks.size() < most; unit += m_sms) {
            if (m_cluster == 1)
                blocks.push_back(unit);
            else
                for (const std::uint64_t b : m_run.living().clusters().blocksOf(unit))
                    blocks.push_back(b);
        }
        return blocks;
    }
    std::uint64_t share(std::uint32_t sm) const { return (m_blocks - sm + m_sms - 1) / m_sms; }
    std::uint64_t timedIn(std::uint64_t first, std::uint64_t end) const {
        std::uint64_t n = 0;
        for (std::uint64_t b = first; b < end; ++b)
            n += isTimed(b);
        return n;
    }

    void functional(std::uint64_t first, std::uint64_t end, TouchTable* table) {
        std::vector<std::uint64_t> list;
        for (std::uint64_t b = first; b < end; ++b)
            if (!isTimed(b))
                list.push_back(b);
        if (!list.empty())
            m_run.blocks(
                BlockList{&list, 0}, table,
                std::max<std::uint64_t>(64, bounds.touchedSectors * 2 / std::max<std::uint64_t>(1, list.size())),
                false);
    }

    // What one timed SM needs while it runs.
    struct Timing {
        SmSetup setup;
        std::map<std::uint64_t, std::unique_ptr<Recorder>> recorders;
        std::unique_ptr<RunningSm> sm; // of those that run together
    };

    std::unique_ptr<BlockRunner> makeRunner() {
        auto runner = std::make_unique<BlockRunner>(m_run.launch, m_options, m_run.memory, m_run.constants,
                                                    m_run.device, m_run.progress);
        runner->join(&m_run.living().clusters());
        return runner;
    }

    // All SMs at once, the one whose next cycle is the earliest first: who waits for a block of another SM goes on in
    // the cycle after that block has written. The order of SMs within a cycle is that of their numbers.
    void together(TouchTable& table, std::uint64_t budget) {
        SharedQueues queues;
        std::vector<std::unique_ptr<Timing>> all;
        using Next = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Next, std::vector<Next>, std::greater<>> order;
        for (std::uint32_t sm = 0; sm < std::min(m_sms, m_blocks / m_cluster); ++sm) {
            auto timing = prepare(sm, share(sm), table, sm);
            timing->setup.budget = 0;
            timing->setup.shareSectors = false;
            timing->setup.around.together = &queues;
            timing->setup.around.sm = sm;
            timing->sm = startSm(
                timing->setup, [this] { return makeRunner(); }, m_run.progress);
            order.push({timing->sm->next(), sm});
            all.push_back(std::move(timing));
        }
        std::uint64_t issued = 0;
        bool failed = false;
        while (!order.empty() && issued < budget) {
            const std::size_t k = order.top().second;
            order.pop();
            RunningSm& sm = *all[k]->sm;
            const std::uint64_t before = sm.issued();
            const bool more = sm.advance();
            issued += sm.issued() - before;
            failed |= sm.faulted();
            if (failed || sm.endless() || (!more && m_run.progress.cancelled()))
                break;
            if (more)
                order.push({sm.next(), k});
        }
        m_run.result.timed->results.resize(all.size()); // blocks that are put aside write into them later
        for (std::uint32_t k = 0; k < all.size(); ++k) {
            Counters counters;
            counters.reset(*m_run.launch.program);
            const bool own = all[k]->sm->faulted();
            SmResult result = all[k]->sm->finish(counters, failed && !own);
            failed |= result.faulted;
            m_run.result.counters.add(counters);
            m_run.result.timed->sms.push_back(k);
            keep(*all[k], std::move(result), k);
        }
    }

    void timeSm(std::uint32_t sm, std::uint64_t perSm, TouchTable& table) {
        const std::size_t k = m_run.result.timed->results.size();
        const auto timing = prepare(sm, perSm, table, k);
        if (timing->setup.blocks.empty())
            return;
        timing->setup.spare = &m_spare;
        SmResult result = runSm(
            timing->setup, [this] { return makeRunner(); }, m_run.result.counters, m_run.progress);
        m_run.result.timed->sms.push_back(sm);
        m_run.result.timed->results.emplace_back();
        keep(*timing, std::move(result), k);
    }

    void keep(Timing& timing, SmResult result, std::size_t k) {
        GridRun& run = m_run;
        for (auto& [block, recorder] : timing.recorders)
            if (recorder) // those of blocks that were put aside went with them
                run.result.recorded[run.recordedRow(block)] = std::move(recorder->block());
        for (const TimedBlock& b : result.blocks) {
            run.result.timed->issued[b.index] = std::uint32_t(b.issued);
            run.result.steps[b.index] = b.end - b.start;
        }
        if (result.faulted || run.progress.cancelled())
            run.stop();
        run.result.timed->results[k] = std::move(result);
    }

    // k: row of TimedGrid::results.
    std::unique_ptr<Timing> prepare(std::uint32_t sm, std::uint64_t perSm, TouchTable& table, std::size_t k) {
        GridRun& run = m_run;
        auto made = std::make_unique<Timing>();
        SmSetup& setup = made->setup;
        setup.launch = &run.launch;
        setup.program = &m_program;
        setup.code = &m_code;
        setup.timing = m_options.timing;
        setup.policy = m_options.policy;
        setup.without = m_options.without;
        setup.at = &m_without;
        setup.coldCode = m_options.coldCode;
        setup.sm = sm;
        setup.residentBlocks = m_resident;
        setup.cyclesPerNs = m_options.device->smClockMHz / 1000;
        setup.blockInterval = m_options.timing->blockInterval * double(std::min(m_sms, m_blocks));
        setup.shareSectors = m_options.timedSms.size() > 1;
        setup.budget = m_options.budget;
        setup.blocks = blocksOfSm(sm, perSm);
        setup.around.cyclesPerNs = setup.cyclesPerNs;
        setup.around.activeSms = run.result.timed->activeSms;
        setup.around.sharedBytes = m_options.sharedOfSm;
        setup.around.waveBlocks = m_sms * m_resident;
        setup.around.l2Bytes = m_options.device->l2Bytes;
        setup.around.had = m_had;
        setup.around.touched = &table;
        setup.around.partFills = m_partFills;
        setup.around.firstStores = m_options.without.has(Limit::L2Misses) ? 0 : 1;
        setup.around.dramStores = m_options.without.has(Limit::L2Misses) ? 0 : dramStores(table);
        auto& recorders = made->recorders;
        setup.recorderOf = [this, &run, &recorders](std::uint64_t block) -> Recorder* {
            if (run.recordedRow(block) == GridRun::noRow)
                return nullptr;
            auto& recorder = recorders[block];
            if (!recorder)
                recorder = std::make_unique<Recorder>(m_options.accesses, m_options.eventsPerWarp);
            return recorder.get();
        };
        setup.putAside = [&run, &recorders, k](std::unique_ptr<BlockRunner> runner, std::size_t row, std::int64_t cut,
                                               double cyclesPerStep) {
            LivingBlock block;
            block.index = runner->block().index;
            block.runner = std::move(runner);
            block.ownCounters = true;
            if (const auto events = recorders.find(block.index); events != recorders.end())
                block.recorder = std::move(events->second);
            block.ended = [&run, k, row, cut, cyclesPerStep](LivingBlock& b, std::int64_t steps) {
                TimedBlock& timed = run.result.timed->results[k].blocks[row];
                timed.issued = b.runner->issued();
                timed.end =
                    timed.start + cut + std::int64_t(double(std::max<std::int64_t>(0, steps - cut)) * cyclesPerStep);
                run.result.steps[b.index] = timed.end - timed.start;
                if (b.recorder)
                    b.recorder->stretchAfter(cut, cyclesPerStep);
            };
            run.living().adopt(std::move(block));
        };
        setup.leave = [&run](std::uint64_t block, std::string output, std::vector<Diagnostic> diagnostics) {
            if (run.options.races)
                run.options.races->ended(block);
            run.leave(block, std::move(output), std::move(diagnostics));
        };
        return made;
    }

    // What L2 has when the launch begins: what is said of it, or, where it is only said to be warm, what is left of all
    // memory, touched at one pace.
    std::vector<L2Piece> whatL2Had() const {
        if (!m_options.warmL2)
            return {};
        if (m_options.l2)
            return *m_options.l2;
        std::vector<L2Range> all;
        for (const auto& area : m_run.memory.areas())
            all.push_back({area->base, area->base + area->bytes});
        L2Contents contents(m_options.device->l2Bytes);
        contents.touch(std::move(all));
        return contents.pieces();
    }

    // Written lines stay in L2 as long as there is room, and what is read takes room as well: when the kernel ends, half
    // of L2 holds what it has touched last. How much is touched in all is known from the blocks that have run.
    double dramStores(const TouchTable& table) const {
        const std::uint64_t stored = storedSectors();
        const std::uint64_t ran = m_window - timedIn(0, m_window);
        if (ran == 0 || stored == 0)
            return 0;
        const std::uint64_t sectors = std::max(stored, table.sectors());
        const double bytes = 32.0 * double(sectors) / double(ran) * double(m_blocks);
        return std::clamp(1 - double(m_options.device->l2Bytes) / 2 / bytes, 0.0, 1.0);
    }

    // L2 keeps some sectors as they are, of which a part is written; of more, it fetches the rest. Measured with words at
    // random addresses (scatter, h200-micro.csv): none of 4 MB, most of 16 MB.
    double partFills(const TouchTable& table) const {
        constexpr double kept = 4.0 * 1024 * 1024 / 32;
        const TouchTable::Written written = table.written();
        const std::uint64_t ran = m_window - timedIn(0, m_window);
        if (ran == 0 || written.partly == 0)
            return 0;
        // As many sectors as random ones would have to be for so many stores to find so few; then those of all blocks.
        const double stores = double(std::max(storedSectors(), written.all)), found = double(written.all);
        double most = found;
        for (double step = found; step > 1; step /= 2)
            while (most < 1e3 * found && (most + step) * -std::expm1(-stores / (most + step)) < found)
                most += step;
        const double all = most * -std::expm1(-stores / most * double(m_blocks) / double(ran));
        const double partly = double(written.partly) / found;
        return partly * std::max(0.0, 1 - kept / (partly * all));
    }

    std::uint64_t storedSectors() const { // by blocks that have run
        std::uint64_t stored = 0;
        const Counters& counters = m_run.result.counters;
        for (std::size_t k = 0; k < counters.memory.size(); ++k) {
            const InstInfo& info = m_run.launch.program->info[k];
            if (info.access != AccessKind::Store)
                continue;
            stored += info.space == MemorySpace::Global ? counters.memory[k].sectors : 0;
            for (const SplitCount& s : counters.split[k])
                stored += s.space == MemorySpace::Global ? s.count.sectors : 0;
        }
        return stored;
    }

    GridRun& m_run;
    const GridOptions& m_options;
    double m_partFills = 0;
    std::vector<L2Piece> m_had;
    std::uint64_t m_blocks, m_cluster, m_sms;
    std::uint32_t m_resident;
    std::uint64_t m_window = 0;
    MachineCode m_code;
    Program m_program;
    std::vector<LimitSet> m_without; // [position]
    std::vector<std::unique_ptr<ResidentBlock>> m_spare;
};

} // namespace

void runTimed(GridRun& run) {
    Timed(run).run();
}

} // namespace warpglass::emulator
