// SPDX-License-Identifier: GPL-3.0-or-later
// What is worked out of a program's operations, against numbers that were worked out by hand (sample_program.h).
#include "gpu/base/messages/gpu.h"
#include "gpu/base/messages/program.h"
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "tests/views/chinese.h"
#include "views/program/program_layout.h"
#include "views/program/program_text.h"

#include <QtTest>

#include <numeric>

using namespace warpglass;
using program::OperationKind;

namespace {

std::vector<std::uint32_t> operationsOf(const RowLine& line) {
    std::vector<std::uint32_t> all;
    for (const RowItem& item : line.items)
        all.push_back(item.operation);
    return all;
}

using Numbers = std::vector<std::uint32_t>;

} // namespace

class TestProgramModel : public QObject {
    Q_OBJECT
    ProgramModelPtr m_model = makeProgramModel(samples::handProgram());

private slots:
    void everyOperationHasItsRow() {
        QCOMPARE(m_model->rows.size(), std::size_t(3)); // the third stream did nothing
        const auto& rows = m_model->rows;
        QVERIFY(rows[0].host && !rows[1].host && !rows[2].host);
        QCOMPARE(rows[2].stream, 1u);
        QCOMPARE(operationsOf(rows[0].upper), Numbers({7}));
        QCOMPARE(operationsOf(rows[0].lower), Numbers({0, 9}));
        QCOMPARE(operationsOf(rows[1].upper), Numbers({2, 3, 5}));
        QCOMPARE(operationsOf(rows[1].lower), Numbers({1, 8}));
        QCOMPARE(operationsOf(rows[2].upper), Numbers({4}));
        QCOMPARE(operationsOf(rows[2].lower), Numbers({6}));
        QVERIFY(m_model->range == (TimeRange{{0}, {1000}}));
    }

    // A GPU works later than it is asked to: the call at 5 to 8 is the host's, what runs from 100 on the stream's.
    void callsThatComeBackEarlierAreOfTheHost() {
        program::ProgramTrace p = samples::handProgram();
        p.operations[2].called = 5;
        p.operations[2].returned = 8;
        p.info.backend = BackendKind::Cuda;
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        QCOMPARE(operationsOf(model->rows[0].upper), Numbers({2, 7}));
        QCOMPARE(model->rows[0].upper.items[0].end, 8);
        QCOMPARE(operationsOf(model->rows[1].upper), Numbers({2, 3, 5}));
        QCOMPARE(clockText(*model), QStringLiteral("times: the GPU's, on the host's clock"));
        program::ProgramTrace called = samples::handProgram();
        called.info.backend = BackendKind::Cuda;
        QCOMPARE(clockText(*makeProgramModel(std::move(called))), QStringLiteral("times: the host's clock"));
        // How long the emulator worked says nothing of the device: nobody is ranked by that.
        QVERIFY(!m_model->deviceTimes && model->deviceTimes);
        QVERIFY(clockText(*m_model).contains(QStringLiteral("the emulator's own work")));
        QVERIFY(operationToolTip(*model, 2).contains(QStringLiteral("asked for at 5 ns, by a call of 3 ns")));
        QVERIFY(!operationToolTip(*model, 3).contains(QStringLiteral("asked for")));
    }

    // An emulated program whose launches have durations: scale 40 (modelled), 50 and 60 (estimates), sum 300, on a stream
    // of its own that waits for the default one as the default one waits for it.
    // The emulator's clock is in none of it. By the pace that was measured (gpu/program/pace.cpp), in ns:
    //   memory until 25000; the copy's call returns when it is done, from 25000 + 1900 + 1500 = 28400 on, for 2330 + 4096 / 10.5,
    //   until 31120, and 2500 behind that, at 33620; each launch is a call of 4000 and begins 1500 later: at 39120, 43120, 47120
    //   and 51120, since the streams are done by then; 64 bytes are filled from 49620 + 1150 + 1500 on, for 1400, until 53670; the
    //   host goes on at 56170; the copy back begins at 56170 + 1900 + 1500 and takes 1750 + 4096 / 9, until 61775; its call
    //   returns at 64275, and to give memory back takes 25000.
    void launchesAreRankedByDurationsOfTheDevice() {
        program::ProgramTrace p = samples::handProgram();
        const auto set = [&](std::size_t n, std::int64_t ns, program::TimeOrigin timed) {
            p.operations[n].duration = ns;
            p.operations[n].timed = timed;
        };
        set(2, 40, program::TimeOrigin::Modelled);
        set(3, 50, program::TimeOrigin::Estimated);
        set(4, 300, program::TimeOrigin::Estimated);
        set(5, 60, program::TimeOrigin::Estimated);
        const ProgramModelPtr model = makeProgramModel(p);
        QVERIFY(model->deviceTimes && !model->durations.measured);
        QCOMPARE(model->kernels[0].total, 150);
        QCOMPARE(model->kernels[1].total, 300);
        QCOMPARE(model->kernels[0].estimated, std::uint64_t(2));
        QVERIFY(std::abs(model->share(model->kernels[1]) - 30000.0 / 450) < 1e-9);
        QVERIFY(model->range == (TimeRange{{0}, {89275}}));
        QCOMPARE(marksOf(model->rows[1].lower, TimeAxis{model->range, 0, 100}, noIndex).back().operation, 8u);
        const std::vector<std::pair<std::int64_t, std::int64_t>> wanted{{39120, 39160}, {43120, 43170}, {47120, 47420},
                                                                        {51120, 51180}, {52270, 53670}, {50770, 56170},
                                                                        {59570, 61775}};
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const program::Operation& o = model->operation(std::uint32_t(k + 2));
            QCOMPARE(std::pair(beginOf(o), beginOf(o) + lengthOf(o)), wanted[k]);
        }
        QCOMPARE(launchTimeText(*model, 2), QStringLiteral("40 ns"));
        QCOMPARE(launchTimeText(*model, 3), QStringLiteral("≈ 50 ns"));
        QCOMPARE(clockText(*model), QStringLiteral("times: estimates, off by %1 % on an H200").arg(estimateError()));
        QVERIFY(clockToolTip(*model).contains(QStringLiteral("Copies, fills and what calls cost")));
        QVERIFY(operationToolTip(*model, 8).contains(QStringLiteral("estimated from its bytes")));
        QVERIFY(operationToolTip(*model, 2).contains(QStringLiteral("modelled cycle by cycle")));
        QVERIFY(operationToolTip(*model, 3).contains(QStringLiteral("estimated from what it has counted")));
        for (const std::size_t n : {3u, 4u, 5u})
            set(n, 50, program::TimeOrigin::Modelled);
        QCOMPARE(clockText(*makeProgramModel(std::move(p))), QStringLiteral("times: modelled"));
    }

    // One launch made a call of a library: it has no number any longer, is counted beside the kernels, and lies where launches do.
    void callsOfLibrariesAreNoLaunches() {
        program::ProgramTrace p = samples::handProgram();
        p.operations[4].kind = program::OperationKind::Library;
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        QCOMPARE(model->launches, Numbers({2, 3, 5}));
        QCOMPARE(model->kernels[1].launches, Numbers({4}));
        QVERIFY(isOfLibrary(*model, model->kernels[1]) && !isOfLibrary(*model, model->kernels[0]));
        QCOMPARE(model->numberOf(4), std::nullopt);
        QVERIFY(isUpper(program::OperationKind::Library));
        QCOMPARE(operationText(*model, 4), QStringLiteral("call of a library, ") + kernelText(*model, 4));
    }

    // scale: 100 + 60 + 20 = 180 ns in 3 launches; sum: 400 in one; together 580.
    void kernelsAreSummedUp() {
        const KernelSum &scale = m_model->kernels[0], &sum = m_model->kernels[1];
        QCOMPARE(scale.launches, Numbers({2, 3, 5}));
        QCOMPARE(scale.total, 180);
        QCOMPARE(scale.mean(), 60.0);
        QCOMPARE(scale.least, 20);
        QCOMPARE(scale.most, 100);
        QCOMPARE(scale.recorded, std::uint64_t(1));
        QCOMPARE(scale.failed, std::uint64_t(0));
        QCOMPARE(sum.failed, std::uint64_t(1));
        QVERIFY(std::abs(m_model->share(scale) - 18000.0 / 580) < 1e-9);
        QVERIFY(std::abs(m_model->share(sum) - 40000.0 / 580) < 1e-9);
        QCOMPARE(scale.spark, std::vector<float>({100, 60, 20}));
    }

    // 96 launches, 48 points: each is the mean of two. Launch n takes n ns: (0 + 1) / 2, (2 + 3) / 2, ...
    void manyLaunchesShareThePointsOfASparkline() {
        program::ProgramTrace p = samples::longProgram(96);
        for (std::size_t n = 0; n < p.operations.size(); ++n) {
            p.operations[n].kernel = 0;
            p.operations[n].end = p.operations[n].start + std::int64_t(n);
        }
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        const std::vector<float>& spark = model->kernels[0].spark;
        QCOMPARE(spark.size(), std::size_t(48));
        QCOMPARE(spark[0], 0.5F);
        QCOMPARE(spark[1], 2.5F);
        QCOMPARE(spark[47], 94.5F);
        QCOMPARE(model->kernels[1].launches.size(), std::size_t(0));
        QCOMPARE(model->kernels[1].mean(), 0.0);
    }

    void launchesAreCountedAsTheCommandLineCountsThem() {
        QCOMPARE(m_model->launches, Numbers({2, 3, 4, 5}));
        QCOMPARE(m_model->numberOf(4), std::optional(2u));
        QCOMPARE(m_model->numberOf(7), std::nullopt);
    }

    // 10 ns a pixel. scale: 10 px at 10, 6 px at 20, 2 px at 30.
    void wideOperationsAreMarksOfTheirOwn() {
        const TimeAxis axis{m_model->range, 0, 100};
        const auto marks = marksOf(m_model->rows[1].upper, axis, 0);
        QCOMPARE(marks.size(), std::size_t(3));
        QCOMPARE(marks[0].left, 10.0);
        QCOMPARE(marks[0].width, 10.0);
        QVERIFY(marks[0].recorded && marks[0].chosen);
        QCOMPARE(marks[1].left, 20.0);
        QCOMPARE(marks[1].width, 6.0);
        QVERIFY(!marks[1].recorded);
        QCOMPARE(marks[2].left, 30.0);
        QCOMPARE(marks[2].width, 2.0);
        const auto failed = marksOf(m_model->rows[2].upper, axis, 0);
        QVERIFY(failed[0].failed && !failed[0].chosen);
    }

    // 1000 ns a pixel, ten launches of 10 ns in each: 100 of 1000 ns are busy.
    void narrowOperationsShareAPixel() {
        program::ProgramTrace p = samples::longProgram(1000);
        p.operations[25].recording = 0;
        p.operations[37].end += 5; // the longest of pixel 3
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        const TimeAxis axis{{{0}, {100'000}}, 50, 100};
        const auto marks = marksOf(model->rows[1].upper, axis, 1);
        QCOMPARE(marks.size(), std::size_t(100));
        for (std::size_t n = 0; n < marks.size(); ++n) {
            QCOMPARE(marks[n].left, 50.0 + double(n));
            QCOMPARE(marks[n].width, 1.0);
            QCOMPARE(marks[n].count, 10u);
            QVERIFY(marks[n].chosen); // five of ten
            QCOMPARE(marks[n].recorded, n == 2);
        }
        QVERIFY(std::abs(marks[0].busy - 0.1F) < 1e-6F);
        QVERIFY(std::abs(marks[3].busy - 0.105F) < 1e-6F);
        QCOMPARE(marks[3].operation, 37u);
    }

    void nothingIsLostHoweverNarrow() {
        const ProgramModelPtr model = makeProgramModel(samples::longProgram(12345));
        for (const double width : {1.0, 7.0, 640.0, 1e6}) {
            const auto marks = marksOf(model->rows[1].upper, {model->range, 0, width}, noIndex);
            QCOMPARE(std::accumulate(marks.begin(), marks.end(), std::uint64_t(0),
                                     [](std::uint64_t n, const Mark& m) { return n + m.count; }),
                     std::uint64_t(12345));
        }
    }

    // From 210 to 255 only the second launch runs, from before the window to behind it.
    void onlyWhatIsInTheWindowIsMarked() {
        const TimeAxis axis{{{210}, {255}}, 0, 90};
        const auto marks = marksOf(m_model->rows[1].upper, axis, noIndex);
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks[0].operation, 3u);
        QCOMPARE(marks[0].left, 0.0);
        QCOMPARE(marks[0].width, 90.0);
        QVERIFY(!marks[0].chosen);
    }

    // A long wait of one thread, short ones of another one meanwhile: the long one is found from any time in it.
    void whatBeganLongBeforeIsFound() {
        program::ProgramTrace p = samples::handProgram();
        p.operations = {samples::operation(OperationKind::Wait, 0, 900),
                        samples::operation(OperationKind::Wait, 10, 20),
                        samples::operation(OperationKind::Wait, 500, 510)};
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        const auto marks = marksOf(model->rows[0].upper, {{{600}, {700}}, 0, 100}, noIndex);
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks[0].operation, 0u);
    }

    void thePointerFindsANearMark() {
        const std::vector<Mark> marks{{.left = 10, .width = 40, .operation = 1},
                                      {.left = 60, .width = 1, .operation = 2}};
        QCOMPARE(markAt(marks, 49)->operation, 1u);
        QCOMPARE(markAt(marks, 59)->operation, 2u);
        QCOMPARE(markAt(marks, 62.5)->operation, 2u);
        QVERIFY(!markAt(marks, 55));
        QVERIFY(!markAt(marks, 70));
        QVERIFY(!markAt({}, 1));
    }

    // Times that go backward, kinds and rows that do not exist: a picture is made all the same.
    void damagedOperationsHaveAPlace() {
        program::ProgramTrace p = samples::handProgram();
        p.operations[2].end = p.operations[2].start - 50;
        p.operations[3].start = std::numeric_limits<std::int64_t>::min();
        p.operations[5].end = std::numeric_limits<std::int64_t>::max();
        p.operations[4].kernel = 77;
        p.operations[6].stream = 99;
        const ProgramModelPtr model = makeProgramModel(std::move(p));
        QVERIFY(model->range.length().value > 0);
        QCOMPARE(lengthOf(model->operation(2)), 0);
        std::uint64_t count = 0;
        for (const ProgramRow& row : model->rows)
            for (const RowLine* line : {&row.upper, &row.lower})
                for (const Mark& mark : marksOf(*line, {model->range, 0, 300}, noIndex))
                    count += mark.count;
        QCOMPARE(count, std::uint64_t(13)); // ten, and the calls of the three whose times are not those of the call
        QVERIFY(!operationToolTip(*model, 4).isEmpty());
    }

    void textsSayWhatAnOperationIs() {
        const QString tip = operationToolTip(*m_model, 2);
        for (const char* part : {"launch 0: scale <<<4, 128>>>", "100 ns at 100 ns", "default stream",
                                 "int* 0x1010 (byte 16 of 4,096 bytes, device memory)", "int -7", "recorded"})
            QVERIFY2(tip.contains(QLatin1String(part)), qPrintable(tip));
        const QString failed = operationToolTip(*m_model, 4);
        for (const char* part : {"sum<int> <<<2x2, 16x16>>>", "2,048 bytes of dynamic shared memory",
                                 "error 700, cudaErrorIllegalAddress", "an address that nobody has"})
            QVERIFY2(failed.contains(QLatin1String(part)), qPrintable(failed));
        program::ProgramTrace two = samples::handProgram(); // devices are named where there are several
        two.streams[1].device = 1;
        QCOMPARE(streamText(two, 0), QStringLiteral("device 0: default stream"));
        QCOMPARE(streamText(two, 1), QStringLiteral("device 1: stream 1"));
        QCOMPARE(operationText(*m_model, 1), QStringLiteral("copy, host to device, 4,096 bytes"));
    }

    void whyALaunchHasNoWarpsIsSaid() {
        QCOMPARE(whyUnrecorded(*m_model, 2), QString());
        QVERIFY(whyUnrecorded(*m_model, 3).contains(QStringLiteral("first launch of each kernel")));
        QVERIFY(whyUnrecorded(*m_model, 4).contains(QStringLiteral("cudaErrorIllegalAddress")));
        program::ProgramTrace p = samples::handProgram();
        p.kernels[0].unrecorded = "the kernel has no PTX";
        QCOMPARE(whyUnrecorded(*makeProgramModel(p), 3), QStringLiteral("the kernel has no PTX"));
        p.kernels[0].unrecorded = say::NoPtxOfIt;
        QCOMPARE(whyUnrecorded(*makeProgramModel(p), 3), QStringLiteral("the program carries no PTX of it"));
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        QCOMPARE(whyUnrecorded(*makeProgramModel(p), 3), QStringLiteral("程序中没有它的 PTX"));
        QCoreApplication::removeTranslator(&chinese);
        p.kernels[0].unrecorded = {};
        p.info.origin.settings = R"({"detail": "none"})";
        QVERIFY(whyUnrecorded(*makeProgramModel(p), 3).contains(QStringLiteral("without detail")));
        p.info.origin.settings = R"({"launches": [[0, 0]]})";
        QVERIFY(whyUnrecorded(*makeProgramModel(p), 3).contains(QStringLiteral("other launches")));
        p.info.origin.settings = R"({"max_recorded": 1})";
        QVERIFY(whyUnrecorded(*makeProgramModel(p), 3).contains(QStringLiteral("the most")));
    }

    void faultsAreListed() {
        const std::vector<FaultText> faults = faultTexts(*m_model);
        QCOMPARE(faults.size(), std::size_t(4));
        QVERIFY(faults[0].text.contains(QStringLiteral("exit status 1")));
        QVERIFY(faults[1].text.contains(QStringLiteral("3 operations")));
        QCOMPARE(faults[2].operation, 4u);
        QVERIFY(faults[2].text.contains(QStringLiteral("an address that nobody has")));
        QCOMPARE(faults[3].text, QStringLiteral("of the program"));
        // What failed without a word is told as well, and a million of them are not all told.
        program::ProgramTrace p = samples::longProgram(3000);
        for (program::Operation& o : p.operations)
            o.error = 719;
        p.info.exitStatus = 0;
        p.info.lost = 0;
        const std::vector<FaultText> many = faultTexts(*makeProgramModel(std::move(p)));
        QCOMPARE(many.size(), std::size_t(1001));
        QCOMPARE(many[0].text, QStringLiteral("launch 0: scale <<<4, 128>>>: error 719, cudaErrorLaunchFailure"));
        QCOMPARE(many[1000].text, QStringLiteral("2,000 more operations failed."));
    }

    // Three ranks, of which the second was killed (128 + 9) and the third says 3.
    void whichProcessDidNotEndWellIsSaid() {
        program::ProgramTrace p = samples::handProgram();
        p.info.exitStatus = 137;
        p.info.lost = 0;
        p.messages.clear();
        p.info.processes = {{.rank = 0, .process = 40, .exitStatus = 0},
                            {.rank = 1, .process = 41, .exitStatus = 137},
                            {.rank = -1, .process = 42, .exitStatus = 3},
                            {.rank = 3, .process = 43, .exitStatus = -1},
                            {.rank = 4, .process = 44, .exitStatus = -2}};
        const std::vector<FaultText> faults = faultTexts(*makeProgramModel(p));
        QVERIFY(faults.size() >= 4);
        QVERIFY(faults[0].text.contains(QStringLiteral("ended by signal 9")));
        QCOMPARE(faults[1].text, QStringLiteral("rank 1 was ended by signal 9 (SIGKILL)."));
        QCOMPARE(faults[2].text, QStringLiteral("process 42 ended with exit status 3."));
        QVERIFY(faults[3].text.startsWith(QStringLiteral("rank 4 ended without a word")));
        QVERIFY(faults.size() == 4 || !faults[4].text.contains(QStringLiteral("rank")));
    }

    // What is no fault is marked as none, by the message's kind and never by its words; a message without an identifier, of
    // an older recording, stands as it came.
    void messagesAreSaidByTheirIdentifiers() {
        program::ProgramTrace p = samples::handProgram();
        p.info.exitStatus = 0;
        p.info.lost = 0;
        p.operations[4].error = 0;
        p.messages = {program::messageOf(2, say::KernelRace(counted(plain("Who is first?"), 1234))),
                      program::messageOf(noIndex, say::FreedTwice(plain("memory at 0x10"), 4000)),
                      program::messageOf(5, say::NotRun("scale", "4")),
                      program::messageOf(3, say::KernelNote(plain("Two threads race"))),
                      {noIndex, "as it came", MessageKind::Leak}};
        const std::vector<FaultText> faults = faultTexts(*makeProgramModel(p));
        QCOMPARE(faults.size(), p.messages.size());
        QVERIFY2(faults[0].text.endsWith(QStringLiteral(": Who is first? (1,234 times)")), qPrintable(faults[0].text));
        QCOMPARE(faults[1].text, QStringLiteral("memory at 0x10 (4,000 bytes) is freed a second time"));
        QVERIFY(faults[2].text.endsWith(QStringLiteral("scale was not run: operation 4 had failed")));
        QCOMPARE(faults[4].text, QStringLiteral("as it came"));
        std::vector<bool> notes;
        for (const FaultText& fault : faults)
            notes.push_back(fault.isNote);
        QCOMPARE(notes, (std::vector<bool>{false, false, true, true, false}));
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const QString freed = messageText(p.messages[1]), notRun = messageText(p.messages[2]);
        QCoreApplication::removeTranslator(&chinese);
        QCOMPARE(freed, QStringLiteral("0x10 处的内存（4,000 字节）被第二次释放"));
        QCOMPARE(notRun, QStringLiteral("scale 没有运行：操作 4 已失败"));
    }

    void namesAreKnownWithoutTheirScopes() {
        QCOMPARE(withoutScopes("at::native::scan<float, std::plus<int> >"), QString("scan<float, plus<int> >"));
        QCOMPARE(withoutScopes("at::(anonymous namespace)::fill<long>"), QString("fill<long>"));
        QCOMPARE(withoutScopes("matmul"), QString("matmul"));
    }

    // A row takes its share of the room, but never so little that nothing can be read.
    void rowsScrollWhenThereAreMany() {
        const Theme theme = Theme::make(ThemeKind::Light);
        ProgramLayout l = layoutProgram({0, 0, 900, 500}, theme, *m_model, {}, 0);
        QCOMPARE(l.count, 3);
        QCOMPARE(l.mostScroll(), 0.0);
        QCOMPARE(l.rowAt(l.rowRect(2).center().y()), 2);
        QCOMPARE(l.rowAt(l.rows.top() - 1), -1);
        program::ProgramTrace p = samples::handProgram();
        p.streams.resize(60);
        for (std::uint32_t s = 0; s < 60; ++s)
            p.operations.push_back(samples::operation(OperationKind::Fill, 10 * s, 10 * s + 5, s));
        const ProgramModelPtr many = makeProgramModel(std::move(p));
        l = layoutProgram({0, 0, 900, 500}, theme, *many, {}, 1e9);
        QCOMPARE(l.count, 61);
        QVERIFY(l.rowHeight >= 2.5 * l.text);
        QVERIFY(l.mostScroll() > 0);
        QCOMPARE(l.scroll, l.mostScroll());
        QCOMPARE(l.rowAt(l.rows.bottom() - 1), 60);
    }
};

WARPGLASS_QT_TEST(TestProgramModel)
#include "test_program_model.moc"
