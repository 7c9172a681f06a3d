// SPDX-License-Identifier: GPL-3.0-or-later
// The documents' kernels in the scheduler view, run by the real timing model.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "views/scheduler/scheduler_model.h"
#include "views/scheduler/scheduler_view.h"

#include <QTest>

#include <map>

using namespace warpglass;

namespace {

TracePtr run(const std::string& kernel, SchedulingPolicy policy, std::uint32_t block, std::int64_t size) {
    LaunchRequest request;
    request.block = Dim3{block};
    request.size = size;
    const auto plan = makePlan(*findKernel(kernel), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    RunOptions options;
    options.timing = true;
    options.policy = policy;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

std::shared_ptr<const SchedulerModel> modelOf(const TracePtr& trace, SchedulerPlace place) {
    Progress nobody;
    return buildSchedulerModel(trace, 0, place, nobody);
}

} // namespace

class TestSchedulerKernels : public QObject {
    Q_OBJECT
private slots:
    // A scheduler issues one instruction a cycle at most, each of them is a line of the PTX, and as many cycles are
    // accounted for as its warps were there.
    void aSchedulerIssuesAtMostOnceACycleAndStatesAddUp() {
        for (const char* kernel : {"reduce0", "reduceNeighbored", "vectorAdd"}) {
            const TracePtr trace = run(kernel, SchedulingPolicy::Gty, 256, 4096);
            const auto places = schedulerPlaces(*trace, 0);
            QVERIFY(places.size() >= 4);
            for (const SchedulerPlace& place : {places[0], places[3]}) {
                const auto model = modelOf(trace, place);
                const StateTimes times = model->times(model->range.begin.value, model->range.end.value);
                const SlotUse use = model->use(model->range.begin.value, model->range.end.value);
                QCOMPARE(times.of(WarpState::Selected), use.issued); // two in one cycle would be counted once
                std::int64_t there = 0, issued = 0;
                for (const SchedulerRow& row : model->rows)
                    for (std::uint64_t n = 0; n < row.states.size(); ++n) {
                        const StateRow& state = row.states.row(*trace, n);
                        there += (state.end - state.begin).value;
                        if (state.state != WarpState::Selected)
                            continue;
                        issued += (state.end - state.begin).value;
                        QVERIFY(!model->ptx(state.ptxLine).empty());
                    }
                QCOMPARE(times.total(), there);
                QCOMPARE(issued, use.issued);
                QVERIFY(use.cycles >= use.issued + use.empty);
            }
        }
    }

    // From barrier to barrier: a warp of reduce0 with blocks of 64 meets one before the loop and one a stride: 1 + 6.
    void steppingByBarrierMeetsEachOnce() {
        const TracePtr trace = run("reduce0", SchedulingPolicy::Gty, 64, 128);
        const auto model = modelOf(trace, schedulerPlaces(*trace, 0).front());
        const std::uint32_t warp = model->rows.front().states.warps().front();
        int barriers = 0;
        std::int64_t cycle = model->range.begin.value - 1;
        for (std::int64_t next; (next = barrierFrom(*model, warp, cycle, 1)) != cycle; cycle = next)
            ++barriers;
        QCOMPARE(barriers, 7);
    }

    // More warps hide more: the same kernel with 2 warps on an SM and with 16 of them.
    void moreWarpsUseMoreIssueSlots() {
        const TracePtr few = run("reduceNeighbored", SchedulingPolicy::Gty, 64, 64),
                       many = run("reduceNeighbored", SchedulingPolicy::Gty, 512, 512);
        const auto use = [](const TracePtr& trace) {
            const auto model = modelOf(trace, schedulerPlaces(*trace, 0).front());
            return model->use(model->range.begin.value, model->range.end.value);
        };
        QVERIFY(use(many).issueShare() > use(few).issueShare());
        QVERIFY(use(many).hiddenShare() > use(few).hiddenShare());
    }

    void theThreePoliciesAreShownSideBySide() {
        PaintContext context;
        context.theme = Theme::make(ThemeKind::Light);
        context.trace = run("reduce0", SchedulingPolicy::Gty, 256, 1024);
        context.companions = {run("reduce0", SchedulingPolicy::Gto, 256, 1024),
                              run("reduce0", SchedulingPolicy::Lrr, 256, 1024)};
        context.options["show"] = "policies";
        const auto view = makeSchedulerView();
        QVERIFY(!view->emptiness(context));
        const QStringList lines = samples::csvOf(*view, context).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[1].startsWith("reduce0,lrr,"));
        QVERIFY(lines[2].startsWith("reduce0,gto,"));
        QVERIFY(lines[3].startsWith("reduce0,gty,"));
        // The same instructions, whoever comes first: a scheduler issues as many under each policy.
        QCOMPARE(lines[1].split(',')[5], lines[3].split(',')[5]);
    }
};

WARPGLASS_QT_TEST(TestSchedulerKernels)
#include "test_scheduler_kernels.moc"
