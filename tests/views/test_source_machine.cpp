// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code beside the source: the kernels of tests/machine/data/fates.cu, whose listing was read by hand
// (tests/machine/fate_test.cpp).
#include "gpu/machine/kept.h"
#include "gpu/ptx/parse.h"
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "views/common/machine_sight.h"
#include "views/common/page.h"
#include "views/source/machine_listing.h"
#include "views/source/machine_paint.h"
#include "views/source/source_layout.h"
#include "views/source/source_view.h"

#include <QFile>
#include <QtTest>

using namespace warpglass;

namespace {

QByteArray cubinFile() {
    QFile file(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/machine/data/fates.sm_90.cubin"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

machine::Bytes bytesOf(const QByteArray& array) {
    return std::as_bytes(std::span(array.constData(), std::size_t(array.size())));
}

// A launch of it, without events; its code is kept in the trace, or not.
TracePtr traceOf(const std::string& kernel, bool kept) {
    const QByteArray file = cubinFile();
    const auto cubin = machine::readCubin(bytesOf(file));
    auto trace = std::make_shared<Trace>();
    Kernel k;
    k.name = k.entry = kernel;
    for (const std::string& line : cubin->ptx)
        k.ptx += line + "\n";
    const auto module = ptx::parse(k.ptx);
    for (const ptx::Instruction& i : module->findFunction(kernel)->body)
        k.lines.push_back({std::uint32_t(i.line), {}, 0});
    trace->kernels.push_back(k);
    Launch launch;
    launch.grid = launch.block = {1, 1, 1};
    trace->launches.push_back(launch);
    for (const LineLink& l : k.lines) {
        InstructionCount c;
        c.ptxLine = l.ptxLine;
        c.executions = 3;
        c.lanes = 3;
        trace->counts.push_back(c);
    }
    if (kept)
        (void)machine::keep(trace->codes, bytesOf(file), {kernel});
    return trace;
}

} // namespace

class TestSourceMachine : public QObject {
    Q_OBJECT
private slots:
    // Of a library's kernel there is neither source nor PTX: its code has the whole width, an instruction a row.
    void aKernelWithoutPtxShowsItsCode() {
        auto bare = std::make_shared<Trace>(*traceOf("choose", true));
        bare->kernels[0].ptx.clear();
        bare->kernels[0].lines.clear();
        bare->counts.clear();
        const TracePtr trace = bare;
        const auto machine = makeMachineListing(*makeListings(trace, 0), machineSightOf(trace, 0, {}));
        QCOMPARE(int(machine->rows.size()), 0xb0 / 16 + 1);
        QCOMPARE(machine->listing.lines[0x90 / 16].text, QStringLiteral("@P0 IMAD"));
        const auto view = makeSourceView();
        PaintContext context = contextOf(trace);
        QVERIFY(!view->emptiness(context));
        const QString svg = QString::fromUtf8(svgOf(composePage(*view, context, {1000, 600})));
        QVERIFY(svg.contains(QLatin1String("@P0")) && svg.contains(QLatin1String("IMAD")));
        QVERIFY(!svg.contains(QLatin1String("no PTX")));
        if (const QString to = qEnvironmentVariable("WARPGLASS_PICTURES"); !to.isEmpty()) {
            QFile file(to + QStringLiteral("/source_code_alone.svg"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(svg.toUtf8());
        }
    }
    // choose: 90 @P0 IMAD is of PTX line 39, 60 LDG of 35; behind b0 EXIT nothing but filling.
    void rowsAreLinkedWithThePtx() {
        const TracePtr trace = traceOf("choose", true);
        const auto listings = makeListings(trace, 0);
        const auto machine = makeMachineListing(*listings, machineSightOf(trace, 0, {}));
        QCOMPARE(int(machine->rows.size()), 0xb0 / 16 + 1);
        QCOMPARE(machine->rows[0x90 / 16].ptx, 39u);
        QCOMPARE(machine->rowsOfPtx[39], QVector<int>{0x90 / 16 + 1});
        QCOMPARE(machine->rows[0x90 / 16].executions, std::uint64_t(3)); // its PTX line's
        QCOMPARE(machine->listing.lines[0x90 / 16].text, QStringLiteral("@P0 IMAD"));
        QCOMPARE(placeText(0x90 / 16 + 1), QStringLiteral("90"));
        QVERIFY(machine->sight->kept);
        QCOMPARE(machine->sight->origin(), QStringLiteral("sm_90, ptxas V13.0.88"));
    }

    // Samples at 60 (LDG, PTX line 35) and 90 (IMAD, 39): 30 + 10 of which a selected warp is none, and 20; of 50 the
    // load has 60 %. The same counts with the other's lines: another code was sampled, and nothing stands anywhere.
    void samplesOfAGpuStandAtTheirInstructions() {
        Trace sampled = *traceOf("choose", true);
        for (const std::uint32_t line : {35u, 39u})
            sampled.sites.push_back({.kind = SiteKind::Instruction, .ptxLine = line});
        const std::string stalled = "smsp__pcsamp_warps_issue_stalled_";
        sampled.samples = {{0, 0, 0x60, stalled + "wait", 5},
                           {0, 0, 0x60, stalled + "long_scoreboard", 25},
                           {0, 0, 0x60, stalled + "selected", 10},
                           {0, 1, 0x90, stalled + "wait", 20}};
        const auto machineOf = [](const Trace& trace) {
            const auto shared = std::make_shared<Trace>(trace);
            return makeMachineListing(*makeListings(shared, 0), machineSightOf(shared, 0, {}));
        };
        const auto machine = machineOf(sampled);
        QCOMPARE(machine->sampled, std::uint64_t(50));
        const MachineRow& load = machine->rows[0x60 / 16];
        QCOMPARE(load.sampled, std::uint64_t(30));
        QCOMPARE(load.samples.front(), std::pair(QStringLiteral("long_scoreboard"), std::uint64_t(25)));
        const QString tip = machineToolTip(*machine, 0x60 / 16 + 1);
        QVERIFY2(tip.contains(QStringLiteral("stall samples: 30 (measured): long_scoreboard 25, wait 5")),
                 qPrintable(tip));
        QVERIFY(machineCsv(*machine).contains(QStringLiteral(",30,long_scoreboard 25; wait 5,")));
        std::swap(sampled.sites[0].ptxLine, sampled.sites[1].ptxLine);
        QCOMPARE(machineOf(sampled)->sampled, std::uint64_t(0));
    }

    // Without a sample: 4 warps at 60 (LDG, PTX line 35), and at 90 (IMAD, 39) as many, of whose lanes a predicate lets 10 on.
    // What was counted stands in place of the PTX line's 3 warps; with the other's lines another code was counted.
    void countsOfAGpuStandAtTheirInstructions() {
        Trace counted = *traceOf("choose", true);
        for (const std::uint32_t line : {35u, 39u})
            counted.sites.push_back({.kind = SiteKind::Instruction, .ptxLine = line});
        counted.machineCounts = {{0, 0, 0x60, 4, 128}, {0, 1, 0x90, 4, 10}};
        const auto machineOf = [](const Trace& trace) {
            const auto shared = std::make_shared<Trace>(trace);
            return makeMachineListing(*makeListings(shared, 0), machineSightOf(shared, 0, {}));
        };
        const auto machine = machineOf(counted);
        const MachineRow& guarded = machine->rows[0x90 / 16];
        QVERIFY(guarded.counted && !machine->rows[0x70 / 16].counted);
        QCOMPARE(guarded.executions, std::uint64_t(3)); // its PTX line's
        QCOMPARE(executionsText(guarded), QStringLiteral("4"));
        const QString tip = machineToolTip(*machine, 0x90 / 16 + 1);
        QVERIFY2(tip.contains(QStringLiteral("executed by 4 warps, in 10 lanes (counted)")), qPrintable(tip));
        QVERIFY(machineCsv(*machine).contains(QStringLiteral("0x90,39,")));
        QVERIFY(machineCsv(*machine).contains(QStringLiteral(",3,4,10,0,0,")));
        std::swap(counted.sites[0].ptxLine, counted.sites[1].ptxLine);
        QVERIFY(!machineOf(counted)->rows[0x90 / 16].counted);
    }

    // together: 180 STS waits for the four loads; its PTX line is 192.
    void aSelectedInstructionSaysWhatItWaitsFor() {
        const TracePtr trace = traceOf("together", true);
        const auto listings = makeListings(trace, 0);
        const auto machine = makeMachineListing(*listings, machineSightOf(trace, 0, {}));
        const QString store = machineSentences(*listings, *machine, 0x180 / 16 + 1, 192, 0);
        QVERIFY2(store.contains(QLatin1String("It waits for LDG (b0), LDG (e0), LDG (100), LDG (110).")),
                 qPrintable(store));
        const QString load = machineSentences(*listings, *machine, 0xe0 / 16 + 1, 190, 0);
        QVERIFY2(load.contains(QLatin1String("For it waits STS.128 (180).")), qPrintable(load));
        QVERIFY2(load.contains(QLatin1String("PTX line 190: 1 machine instruction: LDG.")), qPrintable(load));
    }

    // part: PTX 110 is left, its lanes meet at PTX 146.
    void aLineSaysWhatBecameOfItsBranch() {
        const TracePtr trace = traceOf("part", true);
        const auto listings = makeListings(trace, 0);
        const auto machine = makeMachineListing(*listings, machineSightOf(trace, 0, {}));
        const QString said = machineSentences(*listings, *machine, 0, 110, 0);
        QVERIFY2(said.contains(QLatin1String("Your decision is a branch still; its lanes meet at PTX line 146.")),
                 qPrintable(said));
        QVERIFY(machineCsv(*machine).contains(QLatin1String("0x180,138,0,3,")));
    }

    // ptxas: 148 bytes of spill stores and loads each, in words of 4: 74 instructions.
    void spillsStandOut() {
        const TracePtr trace = traceOf("spilled", true);
        const auto listings = makeListings(trace, 0);
        const auto machine = makeMachineListing(*listings, machineSightOf(trace, 0, {}));
        QCOMPARE(std::count_if(machine->rows.begin(), machine->rows.end(), [](const auto& r) { return r.spill; }), 74);
        QVERIFY(machineSentences(*listings, *machine, 0, 0, 0).contains(QLatin1String("74 are spills")));
    }

    void whatWasFoundIsShownOfItsOwnTraceAlone() {
        const TracePtr trace = traceOf("choose", false), other = traceOf("choose", false);
        QVERIFY(!machineSightOf(trace, 0, {}));
        MachineFound found;
        QVERIFY(bool(machine::keep(found.codes, bytesOf(cubinFile()), {})));
        const QVariant option = machineToOption(
            std::make_shared<const std::vector<MachineAnswer>>(std::vector<MachineAnswer>{{trace, 0, found}}));
        const auto sight = machineSightOf(trace, 0, option);
        QVERIFY(sight);
        QVERIFY(!sight->kept);
        QVERIFY(!machineSightOf(other, 0, option));
    }

    // A strip at the right until it is clicked; then a third column, whose heading folds it again.
    void theColumnFolds() {
        PaintContext context = contextOf(traceOf("choose", true));
        const auto view = makeSourceView();
        const QRectF area(0, 0, 1000, 600);
        PicturePtr picture = view->compose(context, area);
        const auto find = [&](const QString& tip) {
            for (qreal x = area.right() - 1; x > 0; x -= 3)
                for (const qreal y : {100.0, 300.0})
                    if (const Spot spot = picture->spotAt({x, y}); spot.toolTip == tip)
                        return spot;
            return Spot{};
        };
        const Spot folded = find(QStringLiteral("Show the machine code"));
        QVERIFY(folded.click);
        context.options = folded.click->options;
        picture = view->compose(context, area);
        QVERIFY(!find(QStringLiteral("Show the machine code")).click);
        // A line of it is chosen: so is its line of PTX.
        bool chosen = false;
        for (qreal y = 100; y < 500 && !chosen; y += 4)
            if (const Spot spot = picture->spotAt({area.right() - 60, y});
                spot.click && spot.click->selection.ptxLine == 39)
                chosen = true;
        QVERIFY(chosen);
        context.paper = true;
        context.options.clear();
        picture = view->compose(context, area);
        QVERIFY(!find(QStringLiteral("Show the machine code")).click);
    }

    void withoutCodeOneSentenceSaysWhy() {
        PaintContext context = contextOf(traceOf("choose", false));
        const Error none{.message = plain("There is no machine code here.")};
        context.options[QLatin1String(machineOption)] =
            machineToOption(std::make_shared<const std::vector<MachineAnswer>>(
                std::vector<MachineAnswer>{{context.trace, 0, Result<MachineFound>(none)}}));
        const auto view = makeSourceView();
        const QString svg = QString::fromUtf8(svgOf(composePage(*view, context, {1000, 600})));
        QVERIFY(svg.contains(QLatin1String("There is no machine code here.")));
    }
};

WARPGLASS_QT_TEST(TestSourceMachine)

#include "test_source_machine.moc"
