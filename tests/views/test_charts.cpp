// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/why.h"
#include "tests/qt_tests.h"
#include "tests/views/chart_tables.h"
#include "tests/views/sample_traces.h"
#include "views/charts/chart_drawing.h"
#include "views/charts/chart_kind.h"
#include "views/charts/chart_table.h"
#include "views/charts/chart_traces.h"
#include "views/charts/chart_words.h"
#include "views/charts/charts_view.h"

#include <QtTest>

#include <cmath>

using namespace warpglass;
using samples::blockSweep, samples::bothBackends, samples::launch, samples::showing, samples::value;

namespace {

const ChartPoint* pointNamed(const ChartPanel& panel, const QString& label) {
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points)
            if (point.label == label)
                return &point;
    return nullptr;
}

} // namespace

class TestCharts : public QObject {
    Q_OBJECT
private slots:
    void aKindOfChartIsChosenByItsKey() {
        QStringList keys;
        for (const ChartKind* kind : chartKinds()) {
            keys << kind->key;
            QVERIFY(!kind->title().isEmpty());
            QCOMPARE(&kindToShow(showing(blockSweep(), {{"chart", kind->key}}), *blockSweep()), kind);
        }
        QCOMPARE(keys, (QStringList{"bars", "heatmap", "lines", "scatter", "states", "lanes", "residency", "model",
                                    "roofline"}));
        QCOMPARE(&kindToShow(showing(blockSweep(), {{"chart", "pies"}}), *blockSweep()), chartKinds().front());
        ResultTable one; // of one launch what its warps do is shown, if that is known
        one.rows = {launch("a", {128, 1, 1}, 1000, 50, 100)};
        QCOMPARE(QString(kindToShow(showing(nullptr), one).key), QString("bars"));
        one.rows[0].values.push_back(value("share_selected", "%", Origin::Modelled, 40));
        QCOMPARE(QString(kindToShow(showing(nullptr), one).key), QString("states"));
    }

    void rowsAreNamedByWhatDiffers() {
        const RowWords blocks = rowWords(*blockSweep());
        QCOMPARE(blocks.category, (QStringList{"32x32", "16x16", "8x16", "64x4", "256x8"}));
        QVERIFY(std::all_of(blocks.series.begin(), blocks.series.end(), [](const QString& s) { return s.isEmpty(); }));
        const RowWords both = rowWords(*bothBackends());
        QCOMPARE(both.category, (QStringList{"a", "a", "b", "b"}));
        QCOMPARE(both.series, (QStringList{"GPU", "emulator", "GPU", "emulator"}));
    }

    // A table of one launch a hundred thousand times is a file, too: no row looks through all before it.
    void theSameLaunchAgainIsARowOfItsOwn() {
        ResultTable table = *blockSweep();
        const ResultRow first = table.rows.front();
        table.rows.assign(100000, first);
        const RowWords words = rowWords(table);
        QCOMPARE(words.category[0], QStringLiteral("sumMatrix2D"));
        QCOMPARE(words.category[1], QStringLiteral("sumMatrix2D (2)"));
        QCOMPARE(words.category[99999], QStringLiteral("sumMatrix2D (100000)"));
    }

    void numbersAreScaledSoThatTheyCanBeRead_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("shown");
        QTest::newRow("ms") << "ns" << 1718080.0 << "1.718 ms";
        QTest::newRow("us") << "ns" << 37632.0 << "37.63 µs";
        QTest::newRow("ns") << "ns" << 850.0 << "850 ns";
        QTest::newRow("TB/s") << "B/s" << 4047640284081.0 << "4.048 TB/s";
        QTest::newRow("percent") << "%" << 12.5 << "12.5 %";
        QTest::newRow("speed-up") << "x" << 30.04 << "30.04 ×";
        QTest::newRow("count") << "1" << 9961472.0 << "9.961 millions";
        QTest::newRow("small") << "1" << 293.875 << "293.9 ";
        QTest::newRow("tiny") << "ns" << 0.01234 << "0.01234 ns";
        QTest::newRow("none") << "%" << 0.0 << "0 %";
    }
    void numbersAreScaledSoThatTheyCanBeRead() {
        QFETCH(QString, unit);
        QFETCH(double, number);
        QFETCH(QString, shown);
        const Scaled scaled = scaledUnit(unit, number);
        QCOMPARE(valueText(number * scaled.factor) + QLatin1Char(' ') + scaled.unit, shown);
    }

    void theDocumentsColumnsAreTheUsualOnes() {
        QCOMPARE(usualMetrics(*blockSweep()), (QStringList{"duration_ns", "achieved_occupancy", "gld_efficiency"}));
        ResultTable kernels;
        kernels.rows = {launch("reduceNeighbored", {512, 1, 1}, 213184, 90, 25.02),
                        launch("reduceInterleaved", {512, 1, 1}, 93248, 90, 96.15)};
        addSpeedups(kernels);
        QCOMPARE(usualMetrics(kernels),
                 (QStringList{"duration_ns", "step_speedup", "total_speedup", "gld_efficiency"}));
    }

    void barsHoldTheTablesNumbers() {
        const Chart chart = chartOf(showing(blockSweep()), *blockSweep());
        QCOMPARE(chart.categories, (QStringList{"32x32", "16x16", "8x16", "64x4", "256x8"}));
        QCOMPARE(chart.panels.size(), 3);
        QCOMPARE(chart.panels[0].unit, QString("ms"));
        const ChartPoint* point = pointNamed(chart.panels[0], "8x16");
        QVERIFY(point && point->best && qAbs(point->y - 1.508128) < 1e-9);
        QCOMPARE(point->text, QString("1.508"));
        QVERIFY(pointNamed(chart.panels[2], "8x16")->best); // the higher efficiency is the better
        QVERIFY(!pointNamed(chart.panels[0], "256x8"));
        QCOMPARE(chart.refused[4], QString("a block of (256, 8) has 2048 threads"));
        QCOMPARE(chart.panels[0].origins, (QVector<Origin>{Origin::Measured}));
        QCOMPARE(chart.panels[2].origins, (QVector<Origin>{Origin::Counted}));
        QVERIFY(chart.notes.join(' ').contains("5 runs"));
    }

    // Twice the numbers take longer, whatever the block: each size has its own best.
    void theBestIsOfItsProblemSize() {
        auto table = std::make_shared<ResultTable>();
        const double ns[2][2] = {{300, 200}, {500, 600}};
        for (int size = 0; size < 2; ++size)
            for (int b = 0; b < 2; ++b) {
                table->rows.push_back(launch("k", {64u << b, 1, 1}, ns[size][b], 50, 100));
                table->rows.back().size = 1000 * (size + 1);
            }
        const Chart chart = chartOf(showing(table, {{"chart", "bars"}, {"metrics", "duration_ns"}}), *table);
        QVector<double> best;
        for (const ChartSeries& series : chart.panels[0].series)
            for (const ChartPoint& point : series.points)
                if (point.best)
                    best << point.y;
        std::sort(best.begin(), best.end());
        QCOMPARE(best, (QVector<double>{200, 500}));
        QVERIFY(chart.notes.join(' ').contains("of its problem size"));
    }

    void theOrderCanBeChosen() {
        const auto order = [](const char* sort) {
            return chartOf(showing(blockSweep(), {{"sort", sort}}), *blockSweep()).categories;
        };
        QCOMPARE(order("value"), (QStringList{"8x16", "16x16", "32x32", "64x4", "256x8"})); // what failed comes last
        QCOMPARE(order("name"), (QStringList{"16x16", "256x8", "32x32", "64x4", "8x16"}));
        const Chart chosen =
            chartOf(showing(blockSweep(), {{"metrics", "gld_efficiency"}, {"beside", "duration_ns"}}), *blockSweep());
        QCOMPARE(chosen.panels.size(), 2);
        QCOMPARE(chosen.panels[0].metric, QString("gld_efficiency"));
        QCOMPARE(chosen.panels[1].metric, QString("duration_ns"));
    }

    void aModelledTimeNeverStandsAloneBesideAMeasuredOne() {
        const QString notes = chartOf(showing(bothBackends()), *bothBackends()).notes.join(' ');
        QVERIFY2(notes.contains("mean error 15.0 %"), qPrintable(notes)); // 20 % and 10 %
        auto apart = std::make_shared<ResultTable>(*bothBackends());
        apart->rows[1].block = {64, 1, 1};
        apart->rows[3].block = {64, 1, 1};
        const QString other = chartOf(showing(apart), *apart).notes.join(' ');
        QVERIFY2(other.contains("not known"), qPrintable(other)); // nobody has told the kernels' kind
        for (ResultRow& row : apart->rows)                        // two are of one kind: it is said once
            row.modelError = say::KindWithoutOf(say::KindTextures);
        const QStringList ofKind = chartOf(showing(apart), *apart).notes.filter("No measurement of such kernels");
        QCOMPARE(ofKind, QStringList{"No measurement of such kernels: textures and surfaces."});
        const Chart model = chartOf(showing(bothBackends(), {{"chart", "model"}}), *bothBackends());
        QCOMPARE(model.categories, (QStringList{"a", "b"}));
        QCOMPARE(pointNamed(model.panels[1], "a")->y, 1.2);
        QCOMPARE(pointNamed(model.panels[1], "b")->y, 0.9);
    }

    // The first kernel has no speed-up of its step: the others keep their colours in that panel.
    void aSeriesHasOneColourInAllPanels() {
        auto table = std::make_shared<ResultTable>();
        for (const int size : {1024, 4096})
            for (const char* kernel : {"first", "second", "third"}) {
                table->rows.push_back(launch(kernel, {128, 1, 1}, size * (kernel[0] == 'f' ? 3 : 2), 50, 100));
                table->rows.back().size = size;
            }
        addSpeedups(*table);
        const Chart chart = chartOf(showing(table, {{"chart", "lines"}}), *table);
        QVERIFY(chart.panels.size() >= 3);
        QCOMPARE(chart.legend.size(), 3);
        for (const ChartPanel& panel : chart.panels)
            for (const ChartSeries& series : panel.series)
                for (const ChartSeries& known : chart.legend)
                    if (series.name == known.name) {
                        QCOMPARE(series.colour, known.colour);
                        QCOMPARE(series.pattern, known.pattern);
                    }
    }

    // Row 1 of divergent20of32(): 20 lanes go round a loop for 100 steps and 12 lanes take one.
    void lanesOnAreSharesOfTime() {
        const TracePtr trace = samples::divergent20of32();
        const auto lanes = lanesOnShares(*trace, 0);
        QVERIFY(lanes);
        double sum = 0;
        for (const double percent : lanes->percent)
            sum += percent;
        QVERIFY(qAbs(sum - 100) < 1e-9);
        QVERIFY2(qAbs(lanes->percent[20] / lanes->percent[12] - 100) < 1,
                 qPrintable(QString::number(lanes->percent[20] / lanes->percent[12])));
        QVERIFY(!lanesOnShares(*trace, 7));
    }

    // A GPU's probes do not say which lanes are on behind the branch: that time is told as unknown, not as 32 lanes.
    void masksThatNobodySawAreNotInvented() {
        auto trace = std::make_shared<Trace>(*samples::mathKernel(false));
        const auto seen = lanesOnShares(*trace, 0);
        QVERIFY(seen && seen->unknownPercent == 0 && seen->percent[16] > 0);
        Trace probed;
        probed.kernels.push_back({.name = "k"});
        probed.launches.push_back({.grid = {1, 1, 1}, .block = {32, 1, 1}, .end = {100}, .blockCount = 1});
        probed.blocks.push_back({.end = {100}, .warpCount = 1});
        probed.warps.push_back({.liveLanes = LaneMask::all(), .end = {100}, .eventCount = 3});
        probed.events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
        probed.events.push(40, 0, EventKind::Branch, LaneMask::all(), {0xffff});
        probed.events.push(90, 0, EventKind::BarrierArrive, LaneMask::all(), {});
        const auto lanes = lanesOnShares(probed, 0);
        QVERIFY(lanes);
        QCOMPARE(lanes->unknownPercent, 50.0); // 40 to 90
        QCOMPARE(lanes->percent[32], 100.0);   // of the rest
    }

    // Two blocks of 2 warps on one SM of 64 slots, [0,10) and [5,15): at first 2 of them, 3.125 %.
    void residencyIsInPercentAndNeedsAClock() {
        auto trace = std::make_shared<Trace>();
        trace->info.ccMajor = 9;
        trace->info.smCount = 1;
        trace->info.timeUnit = TimeUnit::Nanoseconds;
        trace->kernels.push_back({.name = "k"});
        trace->launches.push_back({.grid = {2, 1, 1}, .block = {64, 1, 1}, .end = {15}, .blockCount = 2});
        trace->blocks.push_back({.start = {0}, .end = {10}});
        trace->blocks.push_back({.index = 1, .start = {5}, .end = {15}});
        PaintContext context = showing(nullptr, {{"chart", "residency"}});
        context.trace = trace;
        const ResultsPtr table = tableToShow(context);
        QVERIFY(!chartEmptiness(context, *table));
        const Chart chart = chartOf(context, *table);
        QCOMPARE(chart.panels.size(), 1);
        QCOMPARE(chart.panels[0].series[0].points.first().y, 100 * 2.0 / 64);
        auto steps = std::make_shared<Trace>(*trace);
        steps->info.timeUnit = TimeUnit::Steps;
        context.trace = steps;
        QVERIFY(chartEmptiness(context, *tableToShow(context)));
    }

    void launchesThatAreNotDrawnAreCounted() {
        auto table = std::make_shared<ResultTable>();
        const TracePtr trace = samples::divergent20of32();
        for (std::uint32_t n = 1; n <= 67; ++n) {
            ResultRow row = launch("k", {n, 1, 1}, 1000, 50, 50);
            row.trace = trace;
            table->rows.push_back(row);
        }
        const PaintContext context = showing(table, {{"chart", "lanes"}});
        const Chart chart = chartOf(context, *table);
        QCOMPARE(chart.panels[0].series.size(), 8);
        QVERIFY(chart.notes.join(' ').contains(QStringLiteral("8 of 67 launches")));
        table->rows.resize(8);
        QVERIFY(!chartOf(context, *table).notes.join(' ').contains(QStringLiteral("launches are drawn")));
    }

    void theTableOfOpenTracesIsMadeOnce() {
        PaintContext context = showing(nullptr);
        context.trace = samples::divergent20of32();
        KeptTable tables;
        const ResultsPtr table = tables.of(context);
        QVERIFY(table && table->rows.size() == 1);
        context.options["chart"] = "scatter"; // another chart of the same
        context.selection.time = {7};
        QCOMPARE(tables.of(context), table);
        context.other = samples::mathKernel(false);
        const ResultsPtr both = tables.of(context);
        QCOMPARE(int(both->rows.size()), 2);
        context.results = blockSweep(); // there is a choice then; the traces' stays
        context.options["of"] = ofChoice().dropDown().choices.back().first;
        QCOMPARE(tables.of(context), both);
        context.trace = nullptr;
        context.results = nullptr;
        QVERIFY(!tables.of(context));
    }
};

WARPGLASS_QT_TEST(TestCharts)
#include "test_charts.moc"
