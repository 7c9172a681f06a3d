// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/residency.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"
#include "views/common/view_widget.h"
#include "views/occupancy/occupancy_model.h"
#include "views/occupancy/occupancy_scene.h"
#include "views/occupancy/occupancy_view.h"

#include <QTest>

#include <memory>

using namespace warpglass;

class TestOccupancyView : public QObject {
    Q_OBJECT
private slots:
    // One document divides 65,536 registers by 40 x 32 and gets 51 warps, 79.7 %; blocks of 8 warps come whole: 6 of
    // them, 48 warps, 75 % (reference case 1).
    void theDocumentsSumAndTheHardwaresDiffer() {
        OccupancyInput input{.threads = 256, .registers = 40, .sharedStatic = 8192};
        const CapabilityLimits& limits = *capabilityLimits(9, 0);
        const NaiveOccupancy naive = naiveOccupancy(limits, input);
        QCOMPARE(naive.warps, 51u);
        QVERIFY(std::abs(naive.percent - 79.6875) < 1e-9);
        QCOMPARE(occupancy(limits, input).activeWarps, 48u);
    }

    void exactlyTheLimitingContainersAreMarked() {
        const CapabilityLimits& limits = *capabilityLimits(9, 0);
        OccupancyInput input{.threads = 256, .registers = 40, .sharedStatic = 8192};
        for (const Container& c : containers(limits, input, occupancy(limits, input)))
            QCOMPARE(c.limits, c.resource == Container::Resource::Registers);
    }

    // The middle of a window of 1280x720 with both sides open, and a little lower: where the curves have no room in
    // spite of it, title and gauges keep theirs.
    void theSmallestWindowShowsTheCurves() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const double line = lineHeight(theme.body());
        for (const double height : {485.0, 440.0}) {
            const QRectF area(0, 0, 648, height);
            const OccupancyLayout l = occupancyLayout(area, theme);
            QCOMPARE(l.curves.isEmpty(), height < 450);
            QVERIFY(l.gauge[0].height() >= line * (height < 450 ? 6.1 : 5));
            QCOMPARE(l.title.isNull(), height > 450);
            QVector<QRectF> parts{l.gauge[0], l.gauge[1], l.containers, l.explanation};
            for (std::size_t i = 0; i < l.curve.size() && !l.curves.isEmpty(); ++i) {
                parts << l.curve[i];
                QVERIFY(l.plot[i].height() >= line * 2);
            }
            for (int a = 0; a < parts.size(); ++a) {
                QVERIFY2(area.contains(parts[a]), qPrintable(QString::number(a)));
                for (int b = a + 1; b < parts.size(); ++b)
                    QVERIFY2((parts[a] & parts[b]).height() < 0.5, qPrintable(QStringLiteral("%1, %2").arg(a).arg(b)));
            }
        }
    }

    void curvesPassThroughThePresentPoint() {
        const CapabilityLimits& limits = *capabilityLimits(8, 6);
        OccupancyInput input{.threads = 192, .registers = 52, .sharedDynamic = 6144};
        const double now = occupancy(limits, input).percent;
        for (Axis axis : {Axis::Threads, Axis::Registers, Axis::Shared})
            for (const CurvePoint& point : occupancyCurve(limits, input, axis))
                if (point.x == valueOf(input, axis))
                    QCOMPARE(point.percent, now);
    }

    void draggingOnACurveChangesThatInputOnly() {
        SelectionModel selection;
        ViewWidget widget(makeOccupancyView(), &selection);
        widget.resize(1200, 700);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(300, 600)); // the left curve: threads
        QVERIFY(widget.context().options.value("threads").toUInt() % 32 == 0);
        QVERIFY(widget.context().options.value("threads").toUInt() > 32);
        QVERIFY(!widget.context().options.contains("registers"));
        QTest::keyClick(&widget, Qt::Key_Home);
        QVERIFY(!widget.context().options.contains("threads"));
    }

    // What was asked of one kernel is not asked of the next; the same kernel in another shape is still that one.
    void whatIfIsOfOneKernel() {
        const auto named = [](const char* name) {
            auto trace = std::make_shared<Trace>();
            trace->info.ccMajor = 9;
            trace->kernels.push_back({.name = name});
            trace->launches.emplace_back();
            return trace;
        };
        SelectionModel selection;
        ViewWidget widget(makeOccupancyView(), &selection);
        widget.setTrace(named("one"));
        for (const char* option : {"threads", "registers", "shared", "limit"})
            widget.setOption(QLatin1String(option), 96);
        widget.setOption(QLatin1String(capabilitySetting.key), QStringLiteral("5.2"));
        widget.setTrace(named("one"));
        QCOMPARE(widget.context().options.size(), 5);
        widget.setTrace(named("two"));
        QCOMPARE(widget.context().options, Options());
    }

    // Two blocks of 2 warps on a device of one SM with 64 slots: [0,10) and [5,15). In 15 columns: 2/64, then 4/64 from
    // 5 to 10, then 2/64.
    void residencyIsTheShareOfWarpSlots() {
        Trace trace;
        trace.info.ccMajor = 9;
        trace.info.smCount = 1;
        trace.kernels.push_back({.name = "k"});
        Launch launch;
        launch.grid = {2, 1, 1};
        launch.block = {64, 1, 1};
        launch.end = {15};
        launch.blockCount = 2;
        trace.launches.push_back(launch);
        trace.blocks.push_back({.start = {0}, .end = {10}});
        trace.blocks.push_back({.index = 1, .start = {5}, .end = {15}});
        const auto share = residencyOverTime(trace, 0, 15);
        QVERIFY(std::abs(share[0] - 2.0 / 64) < 1e-9);
        QVERIFY(std::abs(share[7] - 4.0 / 64) < 1e-9);
        QVERIFY(std::abs(share[14] - 2.0 / 64) < 1e-9);
    }
};

WARPGLASS_QT_TEST(TestOccupancyView)
#include "test_occupancy_view.moc"
