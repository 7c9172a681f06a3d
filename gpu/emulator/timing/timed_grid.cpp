// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_grid.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/grid_run.h"
#include "gpu/emulator/run/living_blocks.h"
#include "gpu/emulator/timing/findings.h"
#include "gpu/emulator/timing/first_touches.h"
#include "gpu/emulator/timing/residency.h"
#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/timing/sm_groups.h"
#include "gpu/emulator/timing/timed_parts.h"
#include "gpu/emulator/timing/untimed_sms.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/spin_loops.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace warpglass::emulator {

namespace {

class Timed {
public:
    explicit Timed(GridRun& run)
        : m_run(run), m_options(run.options), m_blocks(run.launch.grid.count()),
          m_groups(run.launch, run.living().clusters(), std::uint64_t(std::max(1, run.options.device.smCount))),
          m_sms(m_groups.sms()), m_resident(run.options.footprint.residentBlocks),
          m_timedSms(m_groups.whole(run.options.timedSms)),
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
        if (m_options.alone && m_options.asked.findings)
            if (auto known = readFindings(*m_options.asked.findings, findingsFor()))
                return onlyTimed(*known);
        const std::uint64_t most = std::clamp<std::uint64_t>(sectorsThereAre(m_run), 1024, bounds.touchedSectors);
        if (m_options.firstRun) {
            byTurns(*m_options.firstRun);
            if (m_options.alone && m_options.asked.keepFindings)
                keepFindings(findingsOf(findingsFor(), *m_options.firstRun, true, 0));
            return;
        }
        const auto first = std::make_shared<FirstRun>(
            std::make_unique<TouchTable>(std::min(most, m_blocks * 16384), most)); // grows between two SMs
        TouchTable& table = first->touched;
        table.setWave(m_sms * m_resident);
        if (const bool wait = waits(); wait || swaps()) {
            together(*first, wait ? bounds.timedTogether : bounds.timedSwapping);
            rest();
            return;
        }
        first->perSm = m_groups.share();
        if (launches())
            first->perSm = 1; // which launches are accepted depends on the order of blocks: the first alone is timed
        else if (m_timedSms.size() < m_groups.busy())
            first->perSm = firstWaves(table, first->perSm);
        first->partFills = partFills(m_run, table, ranIn(m_window));
        first->dramStores = dramStores(m_run, table, ranIn(m_window));
        const bool all = m_timedSms.size() == m_groups.busy() && m_groups.busy() > m_groups.size() && !launches();
        std::vector<std::byte> findings;
        if (m_options.alone && m_options.asked.keepFindings && !all)
            findings = findingsOf(findingsFor(), *first, false, m_window);
        if (all)
            sideBySide(*first);
        for (std::size_t k = 0; !all && k < m_timedSms.size(); k += m_groups.size())
            if (!m_run.stopped() &&
                !(again(table) && m_timedSms.size() == m_groups.size())) // others find what one has fetched
                timeGroup(m_timedSms[k], *first);
        takeSpare();
        if (again(table) && !m_run.stopped() && !m_run.progress.cancelled())
            m_run.result.firstRun = first;
        else
            rest();
        if (!findings.empty() && !m_run.result.firstRun && !m_run.stopped())
            keepFindings(std::move(findings));
    }

private:
    FindingsFor findingsFor() const { return {m_blocks, m_sms, m_resident, hashOf(m_timedSms, m_groups.size())}; }
    void keepFindings(std::vector<std::byte> findings) {
        addIssued(findings, m_run.result.timed->issued);
        m_run.result.findings = std::make_shared<const std::vector<std::byte>>(std::move(findings));
    }
    // What an earlier run has found out is not looked for again.
    void onlyTimed(Findings& known) {
        if (known.meet)
            return byTurns(*known.first);
        m_window = known.window;
        m_isKnown = true;
        m_run.result.timed->issued = std::move(known.issued);
        for (std::size_t k = 0; k < m_timedSms.size() && !m_run.stopped(); k += m_groups.size())
            timeGroup(m_timedSms[k], *known.first);
        takeSpare();
        rest();
    }
    void takeSpare() {
        for (const auto& place : m_spare)
            m_run.result.counters.add(place->runner->counters());
        m_spare.clear();
    }
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
        const std::uint64_t share = m_options.budget / m_groups.size();
        const std::uint64_t perSm = std::clamp<std::uint64_t>(std::uint64_t(double(share) / each), m_resident, most);
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
        for (std::uint64_t b = 0; b < m_blocks && !m_isKnown; ++b)
            if (!done[b] && !(b < m_window && !isTimed(b)) && !(m_untimed && m_untimed->hasBegun(b)))
                others.push_back(b);
        if (!m_run.stopped())
            m_run.blocks(BlockList{&others, 0}, nullptr, 0, true);
        steadyState(*m_run.result.timed, m_resident, m_options.timing->blockStart);
    }

    bool isTimed(std::uint64_t block) const {
        return std::binary_search(m_timedSms.begin(), m_timedSms.end(), m_groups.smOf(block));
    }
    bool any(bool (*what)(const InstInfo&)) const {
        const std::vector<InstInfo>& info = m_run.launch.program->info;
        return m_run.launch.program->ordered && std::any_of(info.begin(), info.end(), what);
    }
    bool launches() const {
        return any([](const InstInfo& i) { return i.isLaunch; });
    }
    // Whether blocks may wait for what others write.
    bool waits() const { return !launches() && (any(&orderedForOthers) || pollsInLoop(*m_run.launch.program)); }
    // Whether they try again when others come in between.
    bool swaps() const { return !launches() && m_blocks > 1 && swapsInLoop(*m_run.launch.program); }
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
        if (list.empty())
            return;
        const std::uint64_t touches = std::max<std::uint64_t>(64, bounds.touchedSectors * 2 / list.size());
        if (table)
            table->setTouches(touches);
        m_run.blocks(BlockList{&list, 0}, table, touches, false);
    }

    std::unique_ptr<BlockRunner> makeRunner() {
        auto runner = std::make_unique<BlockRunner>(m_run.launch, m_options, m_run.memory, m_run.constants,
                                                    m_run.device, m_run.progress);
        runner->join(&m_run.living().clusters());
        return runner;
    }

    // The SMs of a group, from that one on: they are the next rows of TimedGrid::results. change: what their setup has of its own.
    template <typename Change>
    void begin(std::uint32_t sm, FirstRun& first, std::vector<std::unique_ptr<Timing>>& all, SmOrder& order,
               std::size_t row, Change change) {
        std::vector<const SmSetup*> setups;
        const std::size_t from = all.size();
        for (std::uint32_t k = 0; k < m_groups.size(); ++k) {
            all.push_back(prepare(sm + k, first, row + k));
            change(all.back()->setup);
            setups.push_back(&all.back()->setup);
            m_run.result.timed->sms.push_back(sm + k);
        }
        const auto runner = [this] { return makeRunner(); };
        if (setups.size() == 1) {
            all[from]->sm = startSm(*setups[0], runner, m_run.progress);
        } else {
            auto started = startGroup(setups, runner, m_run.progress);
            for (std::size_t k = 0; k < started.size(); ++k)
                all[from + k]->sm = std::move(started[k]);
        }
        for (std::size_t k = from; k < all.size(); ++k)
            order.add(*all[k]->sm);
    }

    // One after the other in the order of their cycles, each a few of them at a time, until so much has been issued or none can
    // go on. True: the launch has failed.
    bool goOn(const std::vector<std::unique_ptr<Timing>>& all, SmOrder& order, std::uint64_t budget,
              std::int64_t atATime) {
        std::uint64_t issued = 0;
        while (!order.empty() && issued < budget) {
            const std::size_t k = order.pop();
            RunningSm& sm = *all[k]->sm;
            const std::uint64_t before = sm.issued();
            const std::int64_t until = sm.next() + atATime;
            bool more = sm.advance();
            while (more && sm.next() < until)
                more = sm.advance();
            issued += sm.issued() - before;
            if (sm.faulted())
                return true;
            if (sm.endless() || (!more && (m_run.progress.cancelled() || sm.next() < never))) {
                if (atATime > 0 && !m_run.progress.cancelled())
                    continue; // the others have budgets of their own
                break;        // cancelled, or its budget is used up
            }
            if (more)
                order.put(k, sm.next());
            order.wakeGroup(k);
            for (std::size_t m = 0; m_groups.size() > 1 && order.empty() && m < all.size(); ++m)
                if (all[m]->sm->advance()) // lanes that wait for their siblings depart
                    order.put(m, all[m]->sm->next());
        }
        return false;
    }

    // All SMs at once, the one whose next cycle is the earliest first: who waits for a block of another SM goes on in
    // the cycle after that block has written. The order of SMs within a cycle is that of their numbers.
    void together(FirstRun& first, std::uint64_t budget) {
        first.perSm = m_groups.share();
        SharedQueues queues;
        atOnce(first, budget, 0, [&](SmSetup& setup) {
            setup.budget = 0;
            setup.around.together = &queues;
        });
    }

    // All SMs at once, which have the same lines as soon as one has fetched them. They do not wait for each other: it is enough that
    // none is far ahead, and each has its budget.
    void sideBySide(FirstRun& first) {
        const std::int64_t atATime = m_groups.size() == 1 ? 64 : 1; // cycles; a fetch takes ten times as long
        atOnce(first, ~std::uint64_t(0), atATime,
               [&](SmSetup& setup) { setup.uses = m_options.repeatable ? &first.touched : nullptr; });
    }

    template <typename Change>
    void atOnce(FirstRun& first, std::uint64_t budget, std::int64_t atATime, Change change) {
        SharedFetches fetches;
        std::vector<std::unique_ptr<Timing>> all;
        SmOrder order(m_groups.size());
        for (std::uint32_t sm = 0; sm < m_groups.busy(); sm += std::uint32_t(m_groups.size()))
            begin(sm, first, all, order, sm, [&](SmSetup& setup) {
                setup.shareSectors = false;
                setup.around.fetches = &fetches;
                change(setup);
            });
        bool failed = goOn(all, order, budget, atATime);
        m_run.result.timed->results.resize(all.size()); // blocks that are put aside write into them later
        for (std::uint32_t k = 0; k < all.size(); ++k)
            failed |= finish(*all[k], k, failed);
    }

    // Timed SMs and the others, the one that has come least far first. The others are as quick as the timed ones.
    void byTurns(FirstRun& first) {
        const DeviceTiming& timing = *m_options.timing;
        const std::size_t size = m_groups.size();
        UntimedSms untimed(m_run, m_resident * size, timing.blockStart);
        m_untimed = &untimed;
        std::vector<std::unique_ptr<Timing>> all;
        SmOrder order(size);
        const double interval = std::max(timing.blockInterval * double(m_groups.busy()),
                                         timing.warpInterval * double(warpsFor(m_run.launch.block.count())));
        for (std::uint32_t sm = 0; sm < m_groups.busy(); sm += std::uint32_t(size)) {
            if (std::binary_search(m_timedSms.begin(), m_timedSms.end(), sm))
                begin(sm, first, all, order, all.size(), [](SmSetup& setup) {
                    setup.shareSectors = false;
                    setup.byTurns = true;
                });
            else
                untimed.deal(m_groups.blocksOf(sm, m_blocks, true), sm * timing.blockInterval, interval);
        }
        m_run.result.timed->results.resize(all.size());
        bool failed = false;
        std::vector<bool> ended(all.size(), false);
        const auto end = [&](std::size_t of) { // the group
            const std::size_t from = of / size * size;
            std::int64_t reached = 0;
            for (std::size_t k = from; k < from + size; ++k) {
                ended[k] = true;
                failed |= finish(*all[k], k, failed || m_run.stopped());
                reached = std::max(reached, all[k]->reached);
            }
            std::vector<std::uint64_t> left = m_groups.blocksOf(all[from]->setup.around.sm, m_blocks, true);
            left.erase(left.begin(),
                       left.begin() + std::ptrdiff_t(m_run.result.timed->results[from].blocks.size() * size));
            untimed.deal(std::move(left), double(reached), interval);
        };
        double come = 0; // warp-instructions of a timed block, on the average
        while (!order.empty() && !failed && !m_run.stopped()) {
            const auto [cycle, k] = order.top();
            if (ended[k]) {
                order.pop();
                continue;
            }
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
                order.put(k, sm.next() < never ? sm.next() : cycle);
            order.wakeGroup(k);
            bool waits = false; // for others of its group
            for (std::size_t m = k / size * size; m < (k / size + 1) * size; ++m)
                waits |= m != k && order.isQueued(m);
            if (!more && !(waits && sm.next() == never))
                end(k);
        }
        for (std::size_t k = 0; k < all.size(); k += size)
            if (!ended[k])
                end(k);
        untimed.finish();
        rest();
        m_untimed = nullptr;
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

    // All by itself.
    void timeGroup(std::uint32_t sm, FirstRun& first) {
        const std::size_t row = m_run.result.timed->results.size();
        if (!m_isKnown)
            first.dramStores = dramStores(m_run, first.touched, ranIn(m_window));
        if (m_groups.blocksOf(sm, 1).empty())
            return;
        const auto change = [&](SmSetup& setup) {
            setup.uses = m_options.repeatable && !launches() && !m_isKnown ? &first.touched : nullptr;
            setup.spare = &m_spare;
        };
        if (m_groups.size() == 1) {
            const auto timing = prepare(sm, first, row);
            change(timing->setup);
            SmResult result = runSm(
                timing->setup, [this] { return makeRunner(); }, m_run.result.counters, m_run.progress);
            m_run.result.timed->sms.push_back(sm);
            m_run.result.timed->results.emplace_back();
            keep(*timing, std::move(result), row);
            return;
        }
        std::vector<std::unique_ptr<Timing>> all;
        SmOrder order(m_groups.size());
        begin(sm, first, all, order, row, change);
        bool failed = goOn(all, order, ~std::uint64_t(0), 0);
        m_run.result.timed->results.resize(row + all.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            failed |= finish(*all[k], row + k, failed);
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
        setup.budget = m_options.budget / m_groups.size(); // SMs of a group take as long as one
        setup.blocks = m_groups.blocksOf(sm, first.perSm);
        setup.around.sm = sm;
        setup.around.cyclesPerNs = m_options.clockMHz / 1000;
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
                recorder = std::make_unique<Recorder>(m_options.detail.accesses, m_options.eventsPerWarp);
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
    std::uint64_t m_blocks;
    SmGroups m_groups;
    std::uint64_t m_sms;
    std::uint32_t m_resident;
    std::vector<std::uint32_t> m_timedSms; // whole groups
    std::uint64_t m_window = 0;
    bool m_isKnown = false; // what other blocks than timed ones do
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
