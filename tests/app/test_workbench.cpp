// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench without a window: what is open, and what takes the place of what.
#include "app/session/asked.h"
#include "app/window/language.h"
#include "app/window/model/requests.h"
#include "app/window/model/workbench.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"

#include <QSignalSpy>
#include <QtTest>

using namespace warpglass;

namespace {

RunPtr runOf(TracePtr trace) {
    auto run = std::make_shared<Run>();
    run->name = QString::fromStdString(trace->kernels.front().name);
    run->trace = std::move(trace);
    return run;
}

RunPtr late(std::int64_t by) {
    auto trace = std::make_shared<Trace>(*handTrace());
    for (Launch& l : trace->launches) {
        l.start = {l.start.value + by};
        l.end = {l.end.value + by};
    }
    for (Block& b : trace->blocks) {
        b.start = {b.start.value + by};
        b.end = {b.end.value + by};
    }
    for (Warp& w : trace->warps) {
        w.start = {w.start.value + by};
        w.end = {w.end.value + by};
    }
    return runOf(trace);
}

RunRequest small(const char* kernel) {
    RunRequest request;
    request.kernel = kernel;
    request.launch.size = 64;
    request.launch.block = Dim3{64, 1, 1};
    request.launch.mode = CompileMode::AsWritten;
    return request;
}

// What a workbench says, in its order.
struct Diary {
    QStringList lines;
    explicit Diary(Workbench& bench) {
        const auto note = [this](const char* line) { return [this, line] { lines << QLatin1String(line); }; };
        QObject::connect(&bench, &Workbench::asked, note("asked"));
        QObject::connect(&bench, &Workbench::opened, note("opened"));
        QObject::connect(&bench, &Workbench::failed, note("failed"));
        QObject::connect(&bench, &Workbench::stopped, note("stopped"));
        QObject::connect(&bench, &Workbench::settled, note("settled"));
        QObject::connect(&bench, &Workbench::sightReached,
                         [this](const Sight& sight) { lines << QStringLiteral("sight ") + sight.view; });
        QObject::connect(&bench.selection(), &SelectionModel::changed, note("place"));
    }
};

} // namespace

class TestWorkbench : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { initialiseResources(); }

    // A debug build spends its time otherwise: with cycles code is optimised, unless somebody has chosen.
    void cyclesComeWithOptimisedCode() {
        const CatalogueEntry& entry = *findKernel("mathKernel1");
        RunRequest request = firstLook(entry, nullptr);
        QCOMPARE(request.launch.mode, CompileMode::AsWritten); // one sees what one reads
        recordCycles(request, true);
        QVERIFY(request.options.timing);
        QCOMPARE(request.launch.mode, CompileMode::Optimised);
        recordCycles(request, false);
        QCOMPARE(request.launch.mode, CompileMode::AsWritten);
        // Optimised code without cycles was chosen, too: it stays when cycles come, and when they go again.
        request.launch.mode = CompileMode::Optimised;
        recordCycles(request, true);
        recordCycles(request, false);
        QCOMPARE(request.launch.mode, CompileMode::Optimised);
        Run optimised;
        optimised.request = request;
        RunRequest next = firstLook(*findKernel("mathKernel2"), &optimised);
        recordCycles(next, true);
        recordCycles(next, false);
        QCOMPARE(next.launch.mode, CompileMode::Optimised);
        request = firstLook(entry, nullptr);
        // Chosen: as written with cycles stays so, for the next kernel, too, and when it is modelled again.
        recordCycles(request, true);
        request.launch.mode = CompileMode::AsWritten;
        recordCycles(request, true);
        QCOMPARE(request.launch.mode, CompileMode::AsWritten);
        Run open;
        open.request = request;
        QCOMPARE(firstLook(*findKernel("mathKernel2"), &open).launch.mode, CompileMode::AsWritten);
        QCOMPARE(timedRequest({}, &open)->launch.mode, CompileMode::AsWritten);
        // What runs in order only is modelled optimised; what was chosen to be optimised stays.
        open.request = firstLook(entry, nullptr);
        QCOMPARE(timedRequest({}, &open)->launch.mode, CompileMode::Optimised);
        open.request->launch.mode = CompileMode::Optimised;
        QCOMPARE(timedRequest({}, &open)->launch.mode, CompileMode::Optimised);
        // A GPU's run is modelled as what it was.
        open.request->launch.mode = CompileMode::AsWritten;
        open.request->backend = "cuda";
        open.trace = handTrace();
        QCOMPARE(timedRequest({}, &open)->launch.mode, CompileMode::AsWritten);
        QVERIFY(timedRequest({}, &open)->options.timing);
    }

    // A launch that a wild access ended, opened again: the recording tells of it as the run did.
    void aRecordingTellsWhatEndedItsLaunch() {
        auto trace = std::make_shared<Trace>(*handTrace());
        Diagnostic note, fault;
        note.message = "a note";
        fault.message = "A thread writes 4 bytes at 0x10, where there is no memory";
        fault.fatal = true;
        trace->diagnostics = {note, fault};
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("fault.wgt"));
        Progress progress;
        QVERIFY(writeTrace(*trace, path.toStdString(), progress).ok());
        const Result<RunPtr> run = obtain(RunSource(path), progress);
        QVERIFY(run.ok());
        QVERIFY((*run)->fault);
        QCOMPARE((*run)->fault->message, fault.message);
        trace->diagnostics = {note};
        QVERIFY(writeTrace(*trace, path.toStdString(), progress).ok());
        QVERIFY(!(*obtain(RunSource(path), progress))->fault);
    }

    void aWishIsAnsweredInOrder() {
        Workbench bench;
        Diary diary(bench);
        bench.show(
            {.current = runOf(handTrace()), .sight = Sight{.view = "lanes", .select = "block=0,warp=1,time=18"}});
        QVERIFY(bench.busy() && !bench.current());
        QTRY_COMPARE(diary.lines.value(diary.lines.size() - 1), QString("settled"));
        // The first place (warp 0, where it goes two ways at 12), then the sight's.
        QCOMPARE(diary.lines, (QStringList{"opened", "place", "sight lanes", "place", "settled"}));
        QCOMPARE(bench.selection().get().warp, 1u);
        QCOMPARE(bench.selection().get().time.value, 18);
        QCOMPARE(bench.now().moments->times.size(), std::size_t(5));
        // What is open already is not opened again.
        diary.lines.clear();
        bench.show({.sight = Sight{.view = "source", .select = "block=0,warp=0"}});
        QCOMPARE(diary.lines, (QStringList{"sight source", "place"}));
        QCOMPARE(bench.selection().get().time.value, 18); // no word about time
    }

    void aNewerWishTakesThePlaceOfTheOlder() {
        Workbench bench;
        Diary diary(bench);
        const RunPtr second = runOf(blocksOf("second", {1}));
        bench.show({.current = runOf(blocksOf("first", {1})), .sight = Sight{.view = "lanes"}});
        bench.open(second);
        QTRY_VERIFY(!bench.busy());
        QCOMPARE(bench.current(), second);
        QCOMPARE(diary.lines, (QStringList{"opened", "place", "settled"})); // once, and without the older's sight
        QVERIFY(!bench.previous());
        const RunPtr third = runOf(blocksOf("third", {1}));
        bench.open(third);
        QTRY_COMPARE(bench.current(), third);
        QCOMPARE(bench.previous(), second);
    }

    void whatWasOpenStaysWhenAWishFailsOrIsStopped() {
        Workbench bench;
        const RunPtr run = runOf(handTrace());
        bench.open(run);
        QTRY_VERIFY(!bench.busy());
        Diary diary(bench);
        QSignalSpy failed(&bench, &Workbench::failed);
        bench.open(QStringLiteral("/no/such/file.wgt"));
        QTRY_VERIFY(!bench.busy());
        QCOMPARE(diary.lines, (QStringList{"failed", "settled"}));
        QCOMPARE(bench.current(), run);
        diary.lines.clear();
        bench.open(QStringLiteral("/no/such/file.wgt"));
        QVERIFY(bench.stop());
        QTest::qWait(50);
        QCOMPARE(diary.lines, QStringList{"stopped"});
        QCOMPARE(bench.current(), run);
        QVERIFY(!bench.stop()); // nothing runs
        QCOMPARE(diary.lines, QStringList{"stopped"});
    }

    void wordsThatAreWrongAreToldWithWhoWroteThem() {
        Workbench bench;
        Error error;
        connect(&bench, &Workbench::failed, this, [&error](const Error& e) { error = e; });
        bench.show(
            {.current = runOf(handTrace()), .sight = Sight{.select = "warp=9", .source = "mine, steps[2].select"}});
        QTRY_VERIFY(!error.message.empty());
        QCOMPARE(error.file, std::string("mine, steps[2].select"));
        QVERIFY(bench.current());
    }

    void twoTracesAreAlignedAndTheAlignmentIsRemembered() {
        Workbench bench;
        bench.compareWith(late(100)); // nothing is open: nothing to compare with
        QVERIFY(!bench.busy());
        bench.open(runOf(handTrace()));
        QTRY_VERIFY(!bench.busy());
        bench.compareWith(late(100));
        QTRY_VERIFY(bench.other());
        QCOMPARE(bench.now().otherShift->value, 100); // starts at 10 and 110
        bench.alignAt("exit");
        QTRY_COMPARE(bench.alignment(), QString("exit"));
        bench.alignAt("exit"); // as it is
        QVERIFY(!bench.busy());
        bench.stopComparing();
        QTRY_VERIFY(!bench.other());
        bench.compareWith(late(50));
        QTRY_VERIFY(bench.other());
        QCOMPARE(bench.now().alignment, QString("exit"));
        QCOMPARE(bench.now().otherShift->value, 50); // first exits at 18 and 68
    }

    void whatWasOpenComesBackWithoutRunningAgain() {
        Workbench bench;
        const RunPtr runs[] = {runOf(blocksOf("first", {1})), runOf(blocksOf("second", {1})),
                               runOf(blocksOf("third", {1}))};
        QVERIFY(!bench.canUndo() && !bench.canRedo());
        for (const RunPtr& run : runs) {
            bench.open(run);
            QTRY_COMPARE(bench.current(), run);
        }
        bench.compareWith(late(100));
        QTRY_VERIFY(bench.other());
        Diary diary(bench);
        bench.undo();
        QCOMPARE(diary.lines, (QStringList{"opened", "place", "settled"})); // at once
        QCOMPARE(bench.current(), runs[2]);
        QVERIFY(!bench.other());
        bench.undo();
        QCOMPARE(bench.current(), runs[1]);
        bench.redo();
        bench.redo();
        QVERIFY(bench.other());
        QVERIFY(!bench.canRedo());
        bench.undo();
        bench.undo();
        bench.undo();
        QCOMPARE(bench.current(), runs[0]);
        QVERIFY(!bench.canUndo());
        bench.undo(); // nothing before it
        QCOMPARE(bench.current(), runs[0]);
        bench.open(runs[2]); // another way: what came after is gone
        QTRY_COMPARE(bench.current(), runs[2]);
        QVERIFY(!bench.canRedo() && bench.canUndo());
    }

    void theNewestComesBackHoweverLargeItIs() {
        Workbench bench;
        bench.setKeptEvents(1); // each of these has more
        const RunPtr runs[] = {runOf(blocksOf("first", {1})), runOf(blocksOf("second", {1})),
                               runOf(blocksOf("third", {1}))};
        QVERIFY(runs[0]->trace->events.size() > 1);
        for (const RunPtr& run : runs) {
            bench.open(run);
            QTRY_COMPARE(bench.current(), run);
        }
        bench.undo();
        QCOMPARE(bench.current(), runs[1]);
        QVERIFY(!bench.canUndo()); // the one before it was too much
        bench.redo();
        QCOMPARE(bench.current(), runs[2]);
    }

    void aLaunchThatDidNotRunIsWaitedForUntilAnotherOneIsThere() {
        Workbench bench;
        bench.open(runOf(handTrace()));
        QTRY_VERIFY(bench.current());
        QVERIFY(!bench.waiting());
        bench.run(small("no such kernel"));
        QVERIFY(bench.waiting());
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy(), 60000);
        QVERIFY(bench.waiting()); // it failed
        bench.open(runOf(handTrace()));
        QTRY_VERIFY(!bench.busy());
        QVERIFY(!bench.waiting());
    }

    void aTraceTellsItsLaunch() {
        auto trace =
            std::make_shared<Trace>(*handTrace()); // one block of 64 threads on an H200, recorded without a size
        RunRequest launch = session::launchOf(*trace);
        QCOMPARE(launch.kernel, std::string("mathKernel1"));
        QCOMPARE(launch.launch.block, (Dim3{64, 1, 1}));
        QCOMPARE(launch.launch.grid, (Dim3{1, 1, 1}));
        QVERIFY(!launch.launch.size && !launch.options.timing && !launch.options.detail.accesses);
        QCOMPARE(launch.options.device, std::string("h200"));
        trace->info.size = 64;
        trace->info.backend = BackendKind::Cuda;
        launch = session::launchOf(*trace);
        QCOMPARE(launch.launch.size, 64);
        QCOMPARE(launch.backend, std::string("cuda"));
    }

    void theOtherKernelFollowsTheLaunch() {
        Workbench bench;
        Diary diary(bench);
        bench.run(small("mathKernel1"));
        QCOMPARE(diary.lines, QStringList{"asked"});
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy(), 60000);
        bench.compareWith(small("mathKernel2"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.other(), 60000);
        bench.runWith(small("mathKernel1"), [](RunRequest& r) { r.launch.block = Dim3{32, 1, 1}; });
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy(), 60000);
        QCOMPARE(bench.current()->trace->launches[0].block, (Dim3{32, 1, 1}));
        QCOMPARE(bench.other()->name, QString("mathKernel2"));
        QCOMPARE(bench.other()->trace->launches[0].block, (Dim3{32, 1, 1}));
        bench.runAlone(small("mathKernel1"));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy(), 60000);
        QVERIFY(!bench.other());
    }

    void aKernelsPartnerIsTheNextOfItsFamily() {
        QCOMPARE(partnerOf(small("mathKernel1")).kernel, std::string("mathKernel2"));
        const std::vector<std::string> others = relatives("mathKernel1");
        QVERIFY(!others.empty());
        QVERIFY(std::find(others.begin(), others.end(), "mathKernel1") == others.end());
        std::vector<std::string> family = others; // the last has nobody after it: the one before
        const std::string last = family.back();
        const std::vector<std::string> before = relatives(last);
        QCOMPARE(partnerOf(small(last.c_str())).kernel, before.back());
        QCOMPARE(partnerOf(small("my.ptx")).kernel, std::string("my.ptx"));
        QVERIFY(relatives("my.ptx").empty());
    }

    void variantsChangeOneThingEach() {
        const auto texts = [](const QVector<Variant>& variants) {
            QStringList all;
            for (const Variant& v : variants)
                all << v.text;
            return all;
        };
        RunRequest request = small("mathKernel1");
        QCOMPARE(texts(variantsOf(request, {64, 1, 1}, false)),
                 (QStringList{"half the block: 32", "twice the block: 128", "optimised by the compiler"}));
        QCOMPARE(variantsOf(request, {64, 1, 1}, false)[0].request.launch.block, (Dim3{32, 1, 1}));
        // 1024 threads cannot be doubled; a block of one cannot be halved.
        QCOMPARE(texts(variantsOf(request, {1024, 1, 1}, true)),
                 (QStringList{"half the block: 512", "optimised by the compiler", "on the GPU"}));
        QCOMPARE(texts(variantsOf(request, {1, 1, 1}, false)).first(), QString("twice the block: 2"));
        request.options.timing = true;
        request.options.policy = SchedulingPolicy::Gto;
        QCOMPARE(texts(variantsOf(request, {64, 1, 1}, false)).mid(3), (QStringList{"policy lrr", "policy gty"}));
        request.backend = "cuda"; // the way back is there even if the GPU has gone
        const Variant back = variantsOf(request, {64, 1, 1}, false).last();
        QCOMPARE(back.text, QString("on the emulator"));
        QCOMPARE(back.request.options.device, std::string("h200"));
    }

    void aRecordingIsTimedAsItsKernelOfTheCatalogue() {
        const RunPtr recording = runOf(blocksOf("mathKernel1", {2}));
        const auto timed = timedRequest({}, recording.get());
        QVERIFY(timed);
        QCOMPARE(timed->kernel, std::string("mathKernel1"));
        QVERIFY(timed->options.timing);
        QCOMPARE(timed->options.device, std::string("h200"));
        QCOMPARE(timed->launch.block, (Dim3{64, 1, 1}));
        QVERIFY(!timedRequest({}, runOf(blocksOf("stranger", {2})).get()));
        QVERIFY(!timedRequest({}, nullptr));
        RunRequest onGpu = small("mathKernel1");
        onGpu.backend = "cuda";
        onGpu.options.device = "0";
        QCOMPARE(timedRequest(onGpu, nullptr)->backend, std::string("emulator"));
    }

    // One's own kernel from its recording alone: it is timed, and "again" runs it with its own arguments.
    void aRecordingOfOnesOwnKernelIsRunAgain() {
        RunRequest own;
        own.kernel = WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx";
        own.arguments = {"in:i32[64]=iota", "out:f32[64]=0", "n:u32=64", "step:f32=0.5"};
        own.launch.block = Dim3{64, 1, 1};
        Progress progress;
        const auto first = session::runRequest(own, progress);
        QVERIFY2(first, qPrintable(QString::fromStdString(first ? "" : first.error().text())));
        const RunPtr recording = runOf(first->trace);
        const auto timed = timedRequest({}, recording.get());
        QVERIFY(timed);
        QVERIFY(timed->options.timing);
        QCOMPARE(timed->arguments, own.arguments);
        QCOMPARE(timed->kernel, std::string("scale.ptx"));
        Workbench bench;
        bench.open(recording);
        QTRY_VERIFY(bench.current() && !bench.busy());
        QVERIFY(!bench.request());
        bench.runWith({}, [](RunRequest& r) { r.launch.block = Dim3{32, 1, 1}; });
        QTRY_VERIFY_WITH_TIMEOUT(!bench.busy() && bench.request(), 60000);
        QCOMPARE(bench.current()->name, QString("scale"));
        QCOMPARE(bench.current()->trace->launches[0].block, (Dim3{32, 1, 1}));
    }

    // 3 events a warp, 200,000 warps: more than are walked over before anything is shown. They start at 10, branch at
    // 12 and exit at 20: three moments.
    void momentsOfManyEventsComeAfterwards() {
        Workbench bench;
        QSignalSpy settled(&bench, &Workbench::settled), ready(&bench, &Workbench::momentsReady);
        bench.findMoments(); // nothing is open
        bench.open(runOf(blocksOf("many", std::vector<std::uint32_t>(10'000, 20))));
        QVERIFY(settled.wait());
        QVERIFY(!bench.now().moments);
        QVERIFY(!bench.busy()); // nobody waits for them
        bench.findMoments();
        bench.findMoments();
        QVERIFY(ready.wait());
        QCOMPARE(bench.now().moments->times, (std::vector<std::int64_t>{10, 12, 20}));
        QCOMPARE(bench.now().moments->events, std::uint64_t(600'000));
        bench.findMoments(); // they are there
        QTest::qWait(50);
        QCOMPARE(ready.size(), 1);
        bench.open(runOf(handTrace()));
        QVERIFY(settled.wait());
        QCOMPARE(bench.now().moments->times.size(), std::size_t(5)); // few: at once
        bench.undo();
        QCOMPARE(bench.now().moments->times.size(), std::size_t(3));
    }
};

WARPGLASS_QT_TEST(TestWorkbench)
#include "test_workbench.moc"
