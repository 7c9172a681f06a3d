// SPDX-License-Identifier: GPL-3.0-or-later
// Two things swept at once, as a table of colours. The table by hand: time in ns of a kernel for three blocks (across)
// and two sizes (down), of which one launch was refused.
//
//          64   128   256
//   1000  400   200   100     the best
//   2000  800   400   refused
#include "tests/qt_tests.h"
#include "tests/views/chart_tables.h"
#include "tests/views/chinese.h"
#include "tests/views/pictures.h"
#include "views/charts/chart_drawing.h"
#include "views/charts/chart_kind.h"
#include "views/charts/charts_view.h"
#include "views/common/marks.h"
#include "views/common/page.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace warpglass;
using samples::Chinese;
using samples::launch;

namespace {

constexpr QRectF area(0, 0, 1000, 600);

ResultsPtr blocksAndSizes() {
    auto table = std::make_shared<ResultTable>();
    const double ns[2][3] = {{400, 200, 100}, {800, 400, 0}};
    for (int size = 0; size < 2; ++size)
        for (int b = 0; b < 3; ++b) {
            const std::uint32_t threads = 64u << b;
            ResultRow row = launch("reduce0", {threads, 1, 1}, ns[size][b], 50, 100);
            row.size = 1000 * (size + 1);
            row.grid = {std::uint32_t(row.size) / threads + 1, 1, 1}; // follows, and is nothing of its own
            if (ns[size][b] == 0) {
                row.values.clear();
                row.error = "too many registers";
            }
            table->rows.push_back(std::move(row));
        }
    return table;
}

PaintContext mapping(ResultsPtr results, const QMap<QString, QVariant>& options = {{"metrics", "duration_ns"}},
                     ThemeKind theme = ThemeKind::Light) {
    PaintContext context;
    context.theme = Theme::make(theme);
    context.results = std::move(results);
    context.options = options;
    return context;
}

QPointF cellOf(const ChartDrawing& drawing, int column, int line) {
    return drawing.plots[0].cells.cell(column, line).center();
}

} // namespace

class TestHeatMap : public QObject {
    Q_OBJECT
private slots:
    void twoThingsSweptMakeAHeatMap() {
        const PaintContext context = mapping(blocksAndSizes());
        QCOMPARE(QString(kindToShow(context, *context.results).key), QString("heatmap"));
        const Chart chart = chartOf(context, *context.results);
        QCOMPARE(chart.panels.size(), 1);
        const ChartPanel& panel = chart.panels[0];
        QCOMPARE(panel.columns, (QStringList{"64", "128", "256"}));
        QCOMPARE(panel.series.size(), 2);
        QCOMPARE(panel.series[0].name, QString("1000"));
        QCOMPARE(panel.series[1].name, QString("2000"));
        QCOMPARE(panel.xTitle, QString("Block"));
        QCOMPARE(panel.yTitle, QString("Problem size"));
        QCOMPARE(panel.series[0].points.size(), 3);
        QCOMPARE(panel.series[1].points.size(), 2);
        QCOMPARE(panel.series[0].points[2].y, 100.0);
        QVERIFY(panel.series[0].points[2].best);
        QVERIFY(!panel.series[1].points[0].best && panel.series[1].points[1].best); // of 2000 numbers, not of fewer
        QVERIFY(chartOf(mapping(blocksAndSizes()), *blocksAndSizes()).notes.join(' ').contains("of its problem size"));
        QCOMPARE(panel.refusals.size(), 1);
        QCOMPARE(panel.refusals[0].column, 2);
        QCOMPARE(panel.refusals[0].line, 1);
    }

    void whatIsSweptOnceStaysBars() {
        QCOMPARE(QString(kindToShow(mapping(samples::blockSweep()), *samples::blockSweep()).key), QString("bars"));
        QCOMPARE(QString(kindToShow(mapping(samples::bothBackends()), *samples::bothBackends()).key), QString("bars"));
        // A block that each kernel has of its own is no second thing.
        ResultTable own;
        for (std::uint32_t k = 1; k <= 4; ++k)
            own.rows.push_back(launch("kernel" + std::to_string(k), {32 * k, 1, 1}, 100 * k, 50, 100));
        QCOMPARE(QString(kindToShow(mapping(nullptr), own).key), QString("bars"));
    }

    // Shapes 32x32, 32x16, 16x32 and 16x16: threads in x across, in y down.
    void theTwoAxesOfABlockAreTwoThings() {
        auto table = std::make_shared<ResultTable>();
        for (const std::uint32_t y : {32u, 16u})
            for (const std::uint32_t x : {32u, 16u})
                table->rows.push_back(launch("sumMatrix2D", {x, y, 1}, 10 * x + y, 50, 100));
        const PaintContext context = mapping(table);
        const Chart chart = chartOf(context, *table);
        QCOMPARE(QString(chart.kind->key), QString("heatmap"));
        QCOMPARE(chart.panels[0].columns, (QStringList{"16", "32"}));
        QCOMPARE(chart.panels[0].xTitle, QString("Threads in x"));
        QCOMPARE(chart.panels[0].series[1].name, QString("32"));
        QCOMPARE(chart.panels[0].series[0].points[1].y, 176.0); // x = 16, y = 16, second of its line as run
    }

    void aPersonChoosesWhatIsAcross() {
        const PaintContext context =
            mapping(blocksAndSizes(), {{"metrics", "duration_ns"}, {"across", "size"}, {"down", "block"}});
        const Chart chart = chartOf(context, *context.results);
        QCOMPARE(chart.panels[0].columns, (QStringList{"1000", "2000"}));
        QCOMPARE(chart.panels[0].series.size(), 3);
        QCOMPARE(chart.panels[0].series[0].points[1].y, 800.0);
        const QVector<Switch> switches = makeChartsView()->switches(context);
        const auto named = [&](const char* option) {
            const auto at =
                std::find_if(switches.begin(), switches.end(), [&](const Switch& s) { return s.option == option; });
            QStringList words;
            for (const auto& [value, label] : at == switches.end() ? Switch().choices : at->choices)
                words << label;
            return words;
        };
        QCOMPARE(named("across"), (QStringList{"→ Block", "→ Problem size"}));
        QCOMPARE(named("down"), (QStringList{"↓ Block", "↓ Problem size"}));
        // Where nobody chose, what lies there is said, and no second number is offered beside the usual ones.
        for (const auto& [across, standard] : {std::pair{"", "size"}, {"block", "size"}, {"size", "block"}}) {
            Options options;
            if (*across)
                options["across"] = across;
            const auto all = makeChartsView()->switches(mapping(blocksAndSizes(), options));
            QCOMPARE(all[0].choices[0].second, QStringLiteral("Automatic: Heat map"));
            QCOMPARE(all[2].option, QStringLiteral("down"));
            QCOMPARE(all[2].standard, QLatin1String(standard));
            QVERIFY(std::none_of(all.begin(), all.end(), [](const Switch& s) { return s.option == "beside"; }));
        }
    }

    // A third thing: the same six launches of a second kernel, twice as long, are a second table.
    void aThirdThingMakesATableOfEachOfItsValues() {
        auto table = std::make_shared<ResultTable>(*blocksAndSizes());
        const ResultsPtr first = blocksAndSizes();
        for (ResultRow row : first->rows) {
            row.kernel = "reduce1";
            for (ResultValue& v : row.values)
                v.median = *v.median * 2;
            table->rows.push_back(std::move(row));
        }
        const PaintContext context = mapping(table, {{"metrics", "duration_ns"}, {"chart", "heatmap"}});
        const Chart chart = chartOf(context, *table);
        QCOMPARE(chart.panels.size(), 2);
        QVERIFY(chart.panels[1].title.endsWith("reduce1"));
        QCOMPARE(chart.panels[1].series[1].points[0].text, QString("1.6")); // µs
    }

    // From 100 to 800: 400 is at 300 / 700 of a linear scale, at log 4 / log 8 = 2 / 3 of a logarithmic one.
    void theScaleTellsNumbersApart() {
        const Chart chart = chartOf(mapping(blocksAndSizes()), *blocksAndSizes());
        const NumberScale linear = heatScale(chart.panels[0], false), log = heatScale(chart.panels[0], true);
        QCOMPARE(linear.from, 100.0);
        QCOMPARE(linear.to, 800.0);
        QVERIFY(std::abs(linear.share(400) - 3.0 / 7) < 1e-12);
        QVERIFY(std::abs(log.share(400) - 2.0 / 3) < 1e-12);
        QCOMPARE(linear.ticks(6), (QVector<double>{200, 400, 600, 800}));
        QCOMPARE((NumberScale{1, 1000, true}.ticks(6)), (QVector<double>{1, 10, 100, 1000}));
        QCOMPARE((NumberScale{0, 100, false}.ticks(6)), (QVector<double>{0, 20, 40, 60, 80, 100}));
        for (const auto& [from, to] : {std::pair{3.01, 3.02}, {0.0, 7.0}, {99.0, 101.0}, {-1.0, 1.0}, {7e9, 8e9}})
            QVERIFY2((NumberScale{from, to, false}.ticks(6)).size() >= 2, qPrintable(QString::number(from)));
        // A share is seen against the whole.
        const PaintContext percent = mapping(blocksAndSizes(), {{"metrics", "achieved_occupancy"}});
        const NumberScale whole = heatScale(chartOf(percent, *percent.results).panels[0], false);
        QCOMPARE(whole.from, 0.0);
        QCOMPARE(whole.to, 100.0);
    }

    void coloursGoOneWayAndDigitsStandOut() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print}) {
            const Theme theme = Theme::make(kind);
            double before = -1;
            for (int n = 0; n <= 100; ++n) {
                const QColor colour = heatColour(n / 100.0, theme);
                QVERIFY2(samples::contrast(colour, inkOn(colour)) > 4.2, qPrintable(colour.name()));
                const double dark = samples::contrast(colour, Qt::white), step = kind == ThemeKind::Dark ? -dark : dark;
                QVERIFY(n == 0 || step > before); // in black and white, too
                before = step;
            }
        }
    }

    void aCellHasTheColourOfItsNumber() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print}) {
            const PaintContext context = mapping(blocksAndSizes(), {{"metrics", "duration_ns"}}, kind);
            const ChartDrawing drawing = drawChart(chartOf(context, *context.results), area, context.theme);
            const QImage image = samples::pictureOf(*makeChartsView(), context, area.size().toSize());
            samples::keep(image, QStringLiteral("heatmap-%1").arg(int(kind)));
            const auto colourAt = [&](int column, int line) {
                const QRectF cell = drawing.plots[0].cells.cell(column, line);
                return image.pixel((cell.topLeft() + QPointF(8, 8)).toPoint()); // beside the digits
            };
            QCOMPARE(colourAt(0, 1), heatColour(1, context.theme).rgb());       // 800
            QCOMPARE(colourAt(2, 0), heatColour(0, context.theme).rgb());       // 100
            QCOMPARE(colourAt(0, 0), heatColour(3.0 / 7, context.theme).rgb()); // 400
            QCOMPARE(colourAt(1, 1), colourAt(0, 0));
        }
    }

    void aPointerLearnsEverything() {
        const PaintContext context = mapping(blocksAndSizes());
        const auto view = makeChartsView();
        const ChartDrawing drawing = drawChart(chartOf(context, *context.results), area, context.theme);
        const Spot ran = samples::spotAt(*view, area, context, cellOf(drawing, 1, 1));
        QVERIFY2(ran.toolTip.contains("Time: 400 ns (measured)"), qPrintable(ran.toolTip));
        QVERIFY(ran.toolTip.contains("Block: 128") && ran.toolTip.contains("Problem size: 2000"));
        QCOMPARE(ran.action, QString("openResult:4"));
        const Spot refused = samples::spotAt(*view, area, context, cellOf(drawing, 2, 1));
        QVERIFY2(refused.toolTip.contains("too many registers"), qPrintable(refused.toolTip));
        QVERIFY(refused.action.isEmpty());
        // The frame round the cell under the pointer.
        const PicturePtr picture = view->compose(context, area);
        QImage image(area.size().toSize(), QImage::Format_RGB32);
        image.fill(context.theme.window);
        QPainter painter(&image);
        picture->paintOverlay(painter, cellOf(drawing, 1, 1));
        painter.end();
        const QRect edge = drawing.plots[0].cells.cell(1, 1).toRect().adjusted(-2, -2, 2, 2);
        QVERIFY(samples::pixelsLike(image, context.theme.attention, edge, 30) > edge.width());
    }

    void itsTableIsWritten() {
        const PaintContext context = mapping(blocksAndSizes());
        const QStringList lines = samples::csvOf(*makeChartsView(), context).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 7); // head, five numbers, one refusal
        QCOMPARE(lines[0], QString("table,Block,Problem size,value,unit,origin,low,high,repeats,note"));
        QCOMPARE(lines[1], QString("Time,64,1000,400,ns,measured,400,400,1,"));
        QCOMPARE(lines[6], QString("Time,256,2000,,,,,,,too many registers"));
    }

    void nothingOverlapsAndAllIsInside() {
        for (const QSize size : {QSize(420, 300), QSize(1000, 600), QSize(1600, 900)}) {
            const PaintContext context = mapping(blocksAndSizes());
            const QRectF whole(QPointF(0, 0), QSizeF(size));
            const ChartDrawing d = drawChart(chartOf(context, *context.results), whole, context.theme);
            const CellTable& t = d.plots[0].cells;
            QVERIFY(whole.contains(t.grid) && whole.contains(t.colours) && whole.contains(t.lines));
            QVERIFY(t.lines.right() <= t.grid.left() && t.grid.right() < t.colours.left());
            QVERIFY(t.columns.bottom() <= t.grid.top() + 0.5 && t.across.bottom() <= t.columns.top() + 0.5);
            QVERIFY(t.cell(0, 0).width() > 30);
        }
    }

    // Three numbers are three tables; in a low picture the first is whole and the others make room for it.
    void tablesThatWouldBeCrowdedAreLeftOut() {
        const PaintContext context =
            mapping(blocksAndSizes(), {{"metrics", "duration_ns+achieved_occupancy+gld_efficiency"}});
        const auto drawn = [&](const QRectF& where) {
            return drawChart(chartOf(context, *context.results), where, context.theme);
        };
        QCOMPARE(drawn({0, 0, 1000, 600}).chart.panels.size(), 3);
        const ChartDrawing low = drawn({0, 0, 420, 300});
        QVERIFY(low.chart.panels.size() < 3);
        QCOMPARE(low.chart.panels[0].metric, QString("duration_ns"));
        QVERIFY(low.chart.notes.contains(QStringLiteral("%1 of 3 tables are drawn.").arg(low.chart.panels.size())));
        for (int p = 0; p < low.chart.panels.size(); ++p) {
            QVERIFY(low.plots[p].cells.cell(0, 0).height() >= lineHeight(context.theme.small()));
            QVERIFY(low.plots[p].cells.grid.bottom() <= low.layout.notes.top());
        }
    }

    void everythingIsSaidInChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeChartsView();
        const PaintContext context = mapping(blocksAndSizes());
        samples::keep(samples::pictureOf(*view, context, {1000, 600}), QStringLiteral("heatmap-zh"));
        view->switches(context);
        const ChartDrawing drawing = drawChart(chartOf(context, *context.results), area, context.theme);
        samples::spotAt(*view, area, context, cellOf(drawing, 0, 0));
        const PaintContext one = mapping(samples::blockSweep(), {{"chart", "heatmap"}});
        samples::pictureOf(*view, one, {1000, 600});
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(),
                 qPrintable(QStringList(chinese.missing().values()).join(QLatin1Char('\n'))));
    }
};

WARPGLASS_QT_TEST(TestHeatMap)
#include "test_heat_map.moc"
