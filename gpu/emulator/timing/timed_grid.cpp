// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_grid.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/grid_run.h"
#include "gpu/emulator/run/living_blocks.h"
#include "gpu/emulator/timing/first_touches.h"
#include "gpu/emulator/timing/residency.h"
#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/timing/untimed_sms.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/spin_loops.h"

#include <algorithm>
#include <array>
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
          m_sms(std::uint64_t(std::max(1, run.options.device.smCount))),
          m_resident(run.options.footprint.residentBlocks),
          m_code(machineCode(*run.launch.program, *run.options.timing)),
          m_program(inOrder(*run.launch.program, m_code)) {
        const std::vector<std::uint32_t>& lines = m_options.asked.withoutLines;
        for (const MachineOp& op : m_code.ops) {
            const bool here = lines.empty() || std::binary_search(lines.begin(), lines.end(), op.line);
            m_without.push_back(here ? m_options.asked.without : LimitSet());
        }
        run.result.timed = std::make_shared<TimedGrid>();
        run.result.timed->issued.assign(m_blocks, 0);
        run.result.timed->activeSms = std::uint32_t(std::min(m_blocks, m_sms));
    }

    void run() {
        m_had = whatL2Had(m_run);
        const std::uint64_t most = std::clamp<std::uint64_t>(sectorsThereAre(m_run), 1024, bounds.touchedSectors);
        if (m_options.firstRun) {
            byTurns(*m_options.firstRun);
            return;
        }
        const auto first = std::make_shared<FirstRun>(std::min(most, m_blocks * 16384), most); // grows between two SMs
        TouchTable& table = first->touched;
        if (const bool wait = waits(); wait || swaps()) {
            together(*first, wait ? bounds.timedTogether : bounds.timedSwapping);
            rest();
            return;
        }
        first->perSm = share(0);
        if (launches())
            first->perSm = 1; // which launches are accepted depends on the order of blocks: the first alone is timed
        else if (m_options.timedSms.size() < std::min(m_sms, m_blocks))
            first->perSm = firstWaves(table, first->perSm);
        first->partFills = partFills(m_run, table, ranIn(m_window));
        first->dramStores = dramStores(m_run, table, ranIn(m_window));
        for (const std::uint32_t sm : m_options.timedSms)
            if (!m_run.stopped() &&
                !(again(table) && m_options.timedSms.size() == 1)) // others find what one has fetched
                timeSm(sm, *first);
        for (const auto& place : m_spare)
            m_run.result.counters.add(place->runner->counters());
        m_spare.clear();
        if (again(table) && !m_run.stopped() && !m_run.progress.cancelled())
            m_run.result.firstRun = first;
        else
            rest();
    }

private:
    // The first waves without the timed SMs, so that these find what the others touch. Blocks that each of them is to time,
    // at most that many.
    std::uint64_t firstWaves(TouchTable& table, std::uint64_t most) {
        const std::uint64_t wave = m_sms * m_resident;
        m_window = std::min(m_blocks, wave); // blocks from 0 on that have run or are timed
        functional(0, m_window, &table);
        const std::uint64_t ran = ranIn(m_window);
        std::uint64_t work = 0;
        for (std::uint64_t b = 0; b < m_window; ++b)
            work += m_run.result.timed->issued[b];
        const double each = ran ? std::max(1.0, double(work) / double(ran)) : 1;
        const std::uint64_t perSm =
            std::clamp<std::uint64_t>(std::uint64_t(double(m_options.budget) / each), m_resident, most);
        const std::uint64_t waves = std::min(bounds.touchedWaves, (perSm + m_resident - 1) / m_resident);
        const std::uint64_t end = std::min(m_blocks, waves * wave);
        functional(m_window, end, &table);
        m_window = end;
        return perSm;
    }

    // Whether the launch is to be made again, by turns.
    bool again(const TouchTable& table) const { return m_options.repeatable && !launches() && table.meet(); }

    // Blocks that the budget did not reach, or that nobody asked to see in time.
    void rest() {
        std::vector<std::uint64_t> others;
        std::vector<bool> done(m_blocks, false);
        for (const SmResult& r : m_run.result.timed->results)
            for (const TimedBlock& b : r.blocks)
                done[b.index] = true;
        for (std::uint64_t b = 0; b < m_blocks; ++b)
            if (!done[b] && !(b < m_window && !isTimed(b)) && !(m_untimed && m_untimed->hasBegun(b)))
                others.push_back(b);
        if (!m_run.stopped())
            m_run.blocks(BlockList{&others, 0}, nullptr, 0, true);
        steadyState(*m_run.result.timed, m_resident, m_options.timing->blockStart);
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
    std::uint64_t ranIn(std::uint64_t end) const { // blocks up to that one that are not timed
        std::uint64_t n = 0;
        for (std::uint64_t b = 0; b < end; ++b)
            n += !isTimed(b);
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

    // Blocks of an SM that go on behind the end of its time, and what they have issued since.
    struct Cut {
        std::map<const BlockRunner*, std::uint64_t> living; // what each had issued before
        std::uint64_t over = 0;                             // by those that have ended
        std::uint64_t issued() const {
            std::uint64_t sum = over;
            for (const auto& [runner, before] : living)
                sum += runner->issued() - before;
            return sum;
        }
        void end(const BlockRunner& runner) {
            const auto block = living.find(&runner);
            over += runner.issued() - block->second;
            living.erase(block);
        }
    };

    // What one timed SM needs while it runs.
    struct Timing {
        explicit Timing(const SmSetup& s) : setup(s) {}
        SmSetup setup;
        std::map<std::uint64_t, std::unique_ptr<Recorder>> recorders;
        std::unique_ptr<RunningSm> sm; // of those that run together
        std::int64_t reached = 0;      // cycle, by turns
    };

    using Next = std::pair<std::int64_t, std::size_t>; // cycle, of all SMs that run together

    std::unique_ptr<BlockRunner> makeRunner() {
        auto runner = std::make_unique<BlockRunner>(m_run.launch, m_options, m_run.memory, m_run.constants,
                                                    m_run.device, m_run.progress);
        runner->join(&m_run.living().clusters());
        return runner;
    }

    // All SMs at once, the one whose next cycle is the earliest first: who waits for a block of another SM goes on in
    // the cycle after that block has written. The order of SMs within a cycle is that of their numbers.
    void together(FirstRun& first, std::uint64_t budget) {
        first.perSm = share(0);
        SharedQueues queues;
        std::vector<std::unique_ptr<Timing>> all;
        std::priority_queue<Next, std::vector<Next>, std::greater<>> order;
        for (std::uint32_t sm = 0; sm < std::min(m_sms, m_blocks / m_cluster); ++sm) {
            auto timing = prepare(sm, first, sm);
            timing->setup.budget = 0;
            timing->setup.shareSectors = false;
            timing->setup.around.together = &queues;
            timing->sm = startSm(
                timing->setup, [this] { return makeRunner(); }, m_run.progress);
            order.push({timing->sm->next(), sm});
            m_run.result.timed->sms.push_back(sm);
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
        for (std::uint32_t k = 0; k < all.size(); ++k)
            failed |= finish(*all[k], k, failed);
    }

    // Timed SMs and the others, the one that has come least far first. The others are as quick as the timed ones.
    void byTurns(FirstRun& first) {
        const DeviceTiming& timing = *m_options.timing;
        UntimedSms untimed(m_run, m_resident, timing.blockStart);
        m_untimed = &untimed;
        std::vector<std::unique_ptr<Timing>> all;
        std::priority_queue<Next, std::vector<Next>, std::greater<>> order;
        const std::uint64_t sms = std::min(m_sms, m_blocks / m_cluster);
        const double interval = std::max(timing.blockInterval * double(sms),
                                         timing.warpInterval * double(warpsFor(m_run.launch.block.count())));
        for (std::uint32_t sm = 0; sm < sms; ++sm) {
            if (!std::binary_search(m_options.timedSms.begin(), m_options.timedSms.end(), sm)) {
                untimed.deal(blocksOfSm(sm, m_blocks), sm * timing.blockInterval, interval);
                continue;
            }
            auto made = prepare(sm, first, all.size());
            made->setup.shareSectors = false;
            made->setup.byTurns = true;
            made->sm = startSm(
                made->setup, [this] { return makeRunner(); }, m_run.progress);
            order.push({made->sm->next(), all.size()});
            m_run.result.timed->sms.push_back(sm);
            all.push_back(std::move(made));
        }
        m_run.result.timed->results.resize(all.size());
        bool failed = false;
        const auto end = [&](std::size_t k) {
            const std::uint32_t sm = all[k]->setup.around.sm;
            failed |= finish(*all[k], k, failed || m_run.stopped());
            std::vector<std::uint64_t> left = blocksOfSm(sm, m_blocks);
            left.erase(left.begin(), left.begin() + std::ptrdiff_t(m_run.result.timed->results[k].blocks.size()));
            untimed.deal(std::move(left), double(all[k]->reached), interval);
        };
        double come = 0; // warp-instructions of a timed block, on the average
        for (; !order.empty() && !failed && !m_run.stopped();) {
            const auto [cycle, k] = order.top();
            untimed.comeTo(cycle, come);
            if (m_run.stopped())
                break;
            order.pop();
            RunningSm& sm = *all[k]->sm;
            const std::uint64_t before = sm.issued();
            const bool more = sm.advance() && !sm.faulted();
            const double living = livingOn(all, cycle);
            come += living > 0 ? double(sm.issued() - before) / living : 0;
            all[k]->reached = cycle;
            if (more)
                order.push({sm.next() < never ? sm.next() : cycle, k});
            else
                end(k);
        }
        for (; !order.empty(); order.pop())
            end(order.top().second);
        untimed.finish();
        rest();
        m_untimed = nullptr;
    }

    // Timed blocks that live in that cycle.
    static double livingOn(const std::vector<std::unique_ptr<Timing>>& all, std::int64_t cycle) {
        std::size_t living = 0;
        for (const auto& timing : all)
            living += timing->sm->living(cycle);
        return double(living);
    }

    // Of a number that runs with others. True: the launch has failed.
    bool finish(Timing& timing, std::size_t k, bool failedElsewhere) {
        Counters counters;
        counters.reset(*m_run.launch.program);
        SmResult result = timing.sm->finish(counters, failedElsewhere && !timing.sm->faulted());
        const bool failed = result.faulted;
        m_run.result.counters.add(counters);
        keep(timing, std::move(result), k);
        return failed;
    }

    void timeSm(std::uint32_t sm, FirstRun& first) {
        const std::size_t k = m_run.result.timed->results.size();
        first.dramStores = dramStores(m_run, first.touched, ranIn(m_window));
        const auto timing = prepare(sm, first, k);
        timing->setup.uses = m_options.repeatable && !launches() ? &first.touched : nullptr;
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
    std::unique_ptr<Timing> prepare(std::uint32_t sm, FirstRun& first, std::size_t k) {
        GridRun& run = m_run;
        auto made = std::make_unique<Timing>(SmSetup{run.launch, m_options, m_program, m_code});
        SmSetup& setup = made->setup;
        setup.at = &m_without;
        setup.blockInterval = m_options.timing->blockInterval * double(std::min(m_sms, m_blocks));
        setup.shareSectors = m_options.timedSms.size() > 1;
        setup.budget = m_options.budget;
        setup.blocks = blocksOfSm(sm, first.perSm);
        setup.around.sm = sm;
        setup.around.cyclesPerNs = m_options.device.smClockMHz / 1000;
        setup.around.activeSms = run.result.timed->activeSms;
        setup.around.sharedBytes = m_options.sharedOfSm;
        setup.around.waveBlocks = m_sms * m_resident;
        setup.around.l2Bytes = m_options.device.l2Bytes;
        setup.around.had = m_had;
        setup.around.touched = &first.touched;
        setup.around.partFills = first.partFills;
        setup.around.firstStores = m_options.asked.without.has(Limit::L2Misses) ? 0 : 1;
        setup.around.dramStores = m_options.asked.without.has(Limit::L2Misses) ? 0 : first.dramStores;
        auto& recorders = made->recorders;
        setup.recorderOf = [this, &run, &recorders](std::uint64_t block) -> Recorder* {
            if (run.recordedRow(block) == GridRun::noRow)
                return nullptr;
            auto& recorder = recorders[block];
            if (!recorder)
                recorder = std::make_unique<Recorder>(m_options.asked.detail.accesses, m_options.eventsPerWarp);
            return recorder.get();
        };
        setup.putAside = [this, &recorders, k, others = std::make_shared<Cut>()](std::unique_ptr<BlockRunner> runner,
                                                                                 const SmSetup::PutAside& aside) {
            LivingBlock block;
            block.index = runner->block().index;
            block.runner = std::move(runner);
            block.ownCounters = true;
            if (const auto events = recorders.find(block.index); events != recorders.end())
                block.recorder = std::move(events->second);
            others->living.emplace(block.runner.get(), block.runner->issued());
            block.ended = [this, k, aside, others](LivingBlock& b, std::int64_t steps) {
                others->end(*b.runner);
                const auto own = double(std::max<std::int64_t>(0, steps - aside.cut));
                const double rest = m_untimed ? std::max(own, double(others->issued()) * aside.cyclesPerIssue)
                                              : own * aside.cyclesPerStep;
                TimedBlock& timed = m_run.result.timed->results[k].blocks[aside.row];
                timed.issued = b.runner->issued();
                timed.end = timed.start + aside.cut + std::int64_t(rest);
                m_run.result.steps[b.index] = timed.end - timed.start;
                if (b.recorder)
                    b.recorder->stretchAfter(aside.cut, own > 0 ? rest / own : 1);
            };
            if (m_untimed)
                m_untimed->adopt(std::move(block));
            else
                m_run.living().adopt(std::move(block));
        };
        setup.leave = [&run](std::uint64_t block, std::string output, std::vector<Diagnostic> diagnostics) {
            if (run.options.races)
                run.options.races->ended(block);
            run.leave(block, std::move(output), std::move(diagnostics));
        };
        return made;
    }

    GridRun& m_run;
    const GridOptions& m_options;
    std::vector<L2Piece> m_had;
    std::uint64_t m_blocks, m_cluster, m_sms;
    std::uint32_t m_resident;
    std::uint64_t m_window = 0;
    MachineCode m_code;
    Program m_program;
    std::vector<LimitSet> m_without; // [position]
    std::vector<std::unique_ptr<ResidentBlock>> m_spare;
    UntimedSms* m_untimed = nullptr; // by turns
};

} // namespace

void runTimed(GridRun& run) {
    Timed(run).run();
}

} // namespace warpglass::emulator
