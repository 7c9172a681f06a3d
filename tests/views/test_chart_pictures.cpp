// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"
#include "tests/views/chart_tables.h"
#include "tests/views/chinese.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/charts/chart_drawing.h"
#include "views/charts/chart_kind.h"
#include "views/charts/charts_view.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <cmath>
#include <thread>

using namespace warpglass;
using samples::blockSweep, samples::bothBackends, samples::launch, samples::showing;

namespace {

// All that a drawing says, by an XML reader.
QStringList wordsIn(const QByteArray& svg, int* pictures = nullptr) {
    QStringList words;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("image") && pictures)
            ++*pictures;
        if (xml.isStartElement() && xml.name() == QLatin1String("text"))
            words << xml.readElementText(QXmlStreamReader::IncludeChildElements).simplified();
    }
    return xml.hasError() ? QStringList{xml.errorString()} : words;
}

QByteArray exported(const PaintContext& context, const char* suffix, QSize size = {1280, 720}) {
    static QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.%1").arg(QLatin1String(suffix)));
    const auto view = makeChartsView();
    const QString problem = exportView(*view, context, path, size);
    if (!problem.isEmpty())
        return problem.toUtf8();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestChartPictures : public QObject {
    Q_OBJECT
private slots:
    // 12.5 to 26 % are small shares, and look small: the axis goes to 100, in bars and in lines.
    void percentIsSeenAgainstTheWhole() {
        auto table = std::make_shared<ResultTable>();
        table->rows = {launch("k", {32, 1, 1}, 1000, 20, 12.5), launch("k", {64, 1, 1}, 900, 26, 26)};
        for (const char* kind : {"bars", "lines"}) {
            const PaintContext context = showing(table, {{"chart", kind}, {"metrics", "gld_efficiency"}});
            const Chart chart = chartOf(context, *table);
            QCOMPARE(chart.panels.size(), 1);
            QCOMPARE(chart.panels[0].top.value_or(0), 100.0);
            const QStringList words = wordsIn(exported(context, "svg"));
            QVERIFY2(words.contains(QStringLiteral("100")), kind);
        }
        const PaintContext context = showing(table, {{"metrics", "gld_efficiency"}});
        const ChartDrawing drawing = drawChart(chartOf(context, *table), QRectF(0, 0, 800, 400), context.theme);
        QCOMPARE(drawing.plots[0].axis.scale.to, 100.0);
    }

    // Seven columns side by side leave each 30 pixels or so: room for few marks, but "0" alone is no scale.
    void everyAxisHasTwoMarks() {
        auto table = std::make_shared<ResultTable>();
        for (const std::uint32_t block : {32u, 64u, 128u}) {
            ResultRow row = launch("k", {block, 1, 1}, 1126 + block, 60, 25);
            table->rows.push_back(row);
        }
        for (const QSize size : {QSize(360, 300), QSize(500, 300), QSize(800, 400), QSize(1280, 720)}) {
            const PaintContext context = showing(table, {{"metrics", "duration_ns+achieved_occupancy+gld_efficiency"}});
            const Chart chart = chartOf(context, *table);
            QCOMPARE(chart.panels.size(), 3);
            int zeros = 0, numbers = 0;
            QSet<QString> values; // beside the bars
            for (const ChartPanel& panel : chart.panels)
                for (const ChartSeries& series : panel.series)
                    for (const ChartPoint& point : series.points)
                        values.insert(point.text);
            for (const QString& word : wordsIn(exported(context, "svg", size))) {
                bool number = false;
                word.toDouble(&number);
                zeros += word == QLatin1String("0");
                numbers += number && !values.contains(word) && word != QLatin1String("32") &&
                           word != QLatin1String("64") && word != QLatin1String("128");
            }
            QCOMPARE(zeros, 3);
            QVERIFY2(numbers >= 2 * zeros, qPrintable(QStringLiteral("%1 wide: %2").arg(size.width()).arg(numbers)));
        }
    }

    void nothingOverlapsAtAnySize_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::newRow("slide") << QSize(1280, 720) << 1.0;
        QTest::newRow("screen") << QSize(1920, 1080) << 1.0;
        QTest::newRow("column") << QSize(340, 420) << 1.0;
        QTest::newRow("class room") << QSize(1280, 720) << 1.8;
        QTest::newRow("flat") << QSize(900, 320) << 1.0;
        QTest::newRow("between open sides") << QSize(648, 416) << 1.6;
        QTest::newRow("between open sides, largest type") << QSize(648, 380) << 2.0;
    }
    void nothingOverlapsAtAnySize() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        const Theme theme = Theme::make(ThemeKind::Light, scale);
        const QRectF area(QPointF(0, 0), size);
        for (const ResultsPtr& table : {blockSweep(), bothBackends()}) {
            Chart chart = chartOf(showing(table), *table);
            chart.notes << QStringLiteral("The model against an H200, 53 other launches: mean error 10.5 %.");
            const ChartLayout l = chartLayout(chart, area, theme);
            QVector<QRectF> parts{l.title, l.subtitle};
            if (!chart.legend.isEmpty())
                parts << l.legend;
            parts << l.notes;
            parts.removeAll(QRectF()); // left out for want of room
            for (const ChartLayout::Panel& panel : l.panels) {
                parts << panel.head << panel.plot << panel.values << panel.ticks;
                if (!panel.labels.isNull())
                    parts << panel.labels;
                QVERIFY(panel.plot.width() > 8);
            }
            for (int i = 0; i < parts.size(); ++i) {
                QVERIFY2(area.adjusted(-1, -1, 1, 1).contains(parts[i]), qPrintable(QString::number(i)));
                for (int k = i + 1; k < parts.size(); ++k) {
                    const QRectF both = parts[i] & parts[k];
                    QVERIFY2(both.width() < 1.5 || both.height() < 1.5,
                             qPrintable(QStringLiteral("%1 and %2").arg(i).arg(k)));
                }
            }
        }
    }

    // The colour of a bar ends where its number says: read from the picture, on both scales.
    void barsAreAsLongAsTheirNumbers_data() {
        QTest::addColumn<QString>("scale");
        QTest::newRow("linear") << "linear";
        QTest::newRow("log") << "log";
    }
    void barsAreAsLongAsTheirNumbers() {
        QFETCH(QString, scale);
        const PaintContext context = showing(blockSweep(), {{"scale", scale}, {"metrics", "duration_ns"}});
        const auto view = makeChartsView();
        const QImage image = samples::pictureOf(*view, context, {1000, 600});
        const Chart chart = chartOf(context, *context.results);
        const auto zones = drawChart(chart, QRectF(0, 0, 1000, 600), context.theme).zones;
        QMap<QString, double> ends;
        double begin = 0;
        for (const ChartZone& zone : zones) {
            if (zone.series < 0)
                continue;
            const ChartPoint& point = chart.panels[0].series[0].points[zone.point];
            const int y = int(zone.mark.top() + zone.mark.height() * 0.25); // beside the whisker
            const auto isBar = [&](int x) {
                const QColor c = image.pixelColor(x, y);
                return std::abs(c.red() - 0x00) < 40 && std::abs(c.green() - 0x72) < 40 &&
                       std::abs(c.blue() - 0xb2) < 50;
            };
            int x = int(zone.mark.left()) + 4;
            QVERIFY2(isBar(x), qPrintable(point.label + image.pixelColor(x, y).name()));
            while (x < image.width() - 1 && isBar(x))
                ++x;
            ends[point.label] = x;
            begin = zone.mark.left();
            QVERIFY2(std::abs(x - zone.mark.right()) <= 2.5,
                     qPrintable(QStringLiteral("%1: %2, not %3").arg(point.label).arg(x).arg(zone.mark.right())));
        }
        QCOMPARE(ends.size(), 4);
        const auto close = [](double found, double wanted, double pixels) {
            return std::abs(found - wanted) <= pixels;
        };
        const double longest = ends["64x4"] - begin;
        if (scale == QLatin1String("linear")) {
            for (const auto& [name, ns] : {std::pair{"8x16", 1508128.0}, {"16x16", 1718080.0}, {"32x32", 4244416.0}})
                QVERIFY2(close(ends[name] - begin, longest * ns / 4911072, 3), name);
        } else { // equal ratios are equal distances
            const double unit = (ends["64x4"] - ends["8x16"]) / std::log(4911072.0 / 1508128);
            QVERIFY(close(ends["32x32"] - ends["16x16"], unit * std::log(4244416.0 / 1718080), 3));
        }
    }

    // 0 to 100 in 130 px at 11.3 px a word ("100" is some 21 wide): 0, 50, 100 lie 65 apart and have room; so have 0, 20, 40...
    // only where 26 px hold two halves of "100" and a gap of 8. In 30 px "0" and "100" touch: the end alone is told.
    void marksHaveRoomBesideEachOther() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const auto words = [](const QVector<AxisMark>& marks) {
            QStringList all;
            for (const AxisMark& mark : marks)
                all << mark.text;
            return all;
        };
        QCOMPARE(words(marksBelow({0, 100, false}, 130, theme)), (QStringList{"0", "50", "100"}));
        QCOMPARE(words(marksBelow({0, 100, false}, 300, theme)), (QStringList{"0", "20", "40", "60", "80", "100"}));
        QCOMPARE(words(marksBelow({0, 100, false}, 1, theme)), QStringList{"100"});
        QCOMPARE(words(axisMarks({1e3, 1e4, 1e5})), (QStringList{"10³", "10⁴", "10⁵"}));
        QCOMPARE(words(axisMarks({25000, 50000, 100000})), (QStringList{"25000", "50000", "100000"}));
        QCOMPARE(words(axisMarks({1, 10, 100})), (QStringList{"1", "10", "100"}));
        for (const double scale : {1.0, 2.0})
            for (const NumberScale& one :
                 {NumberScale{0, 100, false}, NumberScale{0, 104729, false}, NumberScale{1, 3e7, true},
                  NumberScale{0.9, 1.7, true}, NumberScale{12, 27, false}})
                for (int length = 40; length < 900; length += 7) {
                    const Theme type = Theme::make(ThemeKind::Light, scale);
                    qreal end = -1000;
                    const QVector<AxisMark> marks = marksBelow(one, length, type);
                    QVERIFY(!marks.isEmpty());
                    for (const AxisMark& mark : marks) {
                        const qreal half = textWidth(type.small(), mark.text) / 2, at = one.share(mark.value) * length;
                        QVERIFY2(marks.size() == 1 || at - half > end - 12 * scale, qPrintable(mark.text));
                        end = at + half;
                    }
                    QVERIFY(length < 120 * scale || marks.size() >= 2);
                }
    }

    // Of a GUI thread's things none is made: a chart of large traces is drawn beside it. The same picture comes of it there.
    void noWidgetIsMadeAndAnyThreadDraws() {
        class Births final : public QObject {
        public:
            int count = 0;
            bool eventFilter(QObject* of, QEvent* event) override {
                count += event->type() == QEvent::Create && of->isWidgetType();
                return false;
            }
        } births;
        qApp->installEventFilter(&births);
        const auto view = makeChartsView();
        for (const char* kind : {"bars", "lines", "scatter", "model", "states", "lanes", "residency", "roofline"}) {
            const PaintContext context = showing(bothBackends(), {{"chart", kind}});
            const QImage here = samples::pictureOf(*view, context, {900, 560});
            QImage there;
            std::thread([&] { there = samples::pictureOf(*view, context, {900, 560}); }).join();
            QCOMPARE(there, here);
        }
        QCOMPARE(births.count, 0);
        const QWidget one;
        const WId made = one.winId(); // what the filter waits for is told of every widget
        QVERIFY(made && births.count > 0);
    }

    void everyKindIsPaintedInEveryTheme() {
        const auto view = makeChartsView();
        for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print})
            for (const char* kind : {"bars", "lines", "scatter", "model"}) {
                PaintContext context = showing(bothBackends(), {{"chart", kind}});
                context.theme = Theme::make(theme);
                QVERIFY2(!view->compose(context, QRectF(0, 0, 900, 560))->emptiness(), kind);
                const QImage image = samples::pictureOf(*view, context, {900, 560});
                QVERIFY2(samples::pixelsLike(image, context.theme.window) < image.width() * image.height() * 0.995,
                         kind);
                samples::keep(image, QStringLiteral("charts-%1-%2").arg(QLatin1String(kind)).arg(int(theme)));
            }
    }

    void wordsStayWordsInADrawing() {
        int pictures = 0;
        const QStringList words = wordsIn(exported(showing(blockSweep()), "svg"), &pictures);
        QCOMPARE(pictures, 0);
        for (const char* wanted :
             {"sumMatrix2D", "Time", "ms", "measured", "counted", "Load efficiency", "32x32", "256x8", "1.508", "90.52",
              "12.5", "100"}) // title, unit, origin, rows, numbers, ticks
            QVERIFY2(words.contains(QLatin1String(wanted)), wanted);
        QVERIFY(words.join('|').contains("2048 threads"));
        QVERIFY(words.join('|').contains("5 launches"));
        for (const char* kind : {"lines", "scatter", "model"}) {
            const QStringList all = wordsIn(exported(showing(bothBackends(), {{"chart", kind}}), "svg"));
            QVERIFY2(all.size() > 8 && all.join('|').contains("modelled"), kind);
        }
    }

    void aDocumentHasItsFontsAndNoPixels() {
        const QByteArray pdf = exported(showing(blockSweep()), "pdf", {640, 400});
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/FontFile2")); // embedded
        QVERIFY(pdf.contains("/ToUnicode")); // can be searched and copied
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void theTableSaysExactlyWhatTheChartShows() {
        const QStringList lines =
            QString::fromUtf8(exported(showing(blockSweep()), "csv")).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines[0], QString("panel,series,label,x,x_unit,value,unit,origin,low,high,repeats,note"));
        QCOMPARE(lines.size(), 1 + 3 * 4 + 1); // three panels of four bars; the refusal
        QVERIFY(lines.contains("Time,,16x16,,,1.71808,ms,measured,1.6,2,5,"));
        QVERIFY(lines.contains("Load efficiency,,8x16,,,50,%,counted,50,50,1,"));
        QVERIFY(lines.last().startsWith(",,256x8,") && lines.last().contains("2048"));
        const QStringList scatter = QString::fromUtf8(exported(showing(blockSweep(), {{"chart", "scatter"}}), "csv"))
                                        .split('\n', Qt::SkipEmptyParts);
        QVERIFY(scatter.contains("Time,,8x16,90.52,%,1.508128,ms,measured,1.508128,1.508128,1,"));
    }

    void aClickOnABarAsksForItsLaunch() {
        SelectionModel selection;
        ViewWidget widget(makeChartsView(), &selection);
        widget.resize(1000, 600);
        widget.setResults(blockSweep());
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QSignalSpy asked(&widget, &ViewWidget::actionRequested);
        const Chart chart = chartOf(widget.context(), *widget.context().results);
        const auto zones = drawChart(chart, QRectF(widget.rect()), widget.context().theme).zones;
        const auto zone = std::find_if(zones.begin(), zones.end(), [&](const ChartZone& z) {
            return z.series >= 0 &&
                   chart.panels[z.panel].series[z.series].points[z.point].label == QLatin1String("8x16");
        });
        QVERIFY(zone != zones.end());
        QTest::mouseClick(&widget, Qt::LeftButton, {}, zone->mark.center().toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().toString(), QString("openResult:2"));
        const QString tip = widget.picture()->spotAt(zone->mark.center()).toolTip;
        QVERIFY2(tip.contains("1.508 ms (measured)") && tip.contains("<<<512x512, 8x16>>>"), qPrintable(tip));
        // The launch that never ran opens nothing.
        QTest::mouseClick(&widget, Qt::LeftButton, {},
                          QPoint(int(zone->rect.left()) + 40, int(zones.last().rect.top())));
        for (const ChartZone& z : zones)
            if (z.series < 0 && z.category == 4)
                QTest::mouseClick(&widget, Qt::LeftButton, {}, z.rect.center().toPoint());
        for (const auto& signal : asked)
            QVERIFY(signal.first().toString() != QLatin1String("openResult:4"));
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(widget.context().options.value("row").toInt(), 0);
        QTest::keyClick(&widget, Qt::Key_Up);
        QCOMPARE(widget.context().options.value("row").toInt(), 4);
    }

    void anEmptyChartSaysWhatFillsIt() {
        const auto view = makeChartsView();
        PaintContext context;
        context.theme = Theme::make(ThemeKind::Light);
        PicturePtr picture;
        const auto empty = [&] {
            picture = view->compose(context, QRectF(0, 0, 900, 560));
            return picture->emptiness();
        };
        QVERIFY(view->emptiness(context));
        QCOMPARE(view->emptiness(context)->action, QString("sweep"));
        QVERIFY(empty());
        context.trace = samples::mathKernel(false);
        QVERIFY(!view->emptiness(context) && !empty());
        for (const auto& [kind, action] :
             {std::pair{"states", "timing"}, {"residency", "timing"}, {"roofline", "timing"}, {"lines", "sweep"}}) {
            context.options["chart"] = kind;
            QVERIFY2(empty() && empty()->action == QLatin1String(action) && !empty()->actionText.isEmpty(), kind);
            QVERIFY2(view->thoroughEmptiness(context), kind); // no report has such a page
        }
        context.options["chart"] = "lanes";
        QVERIFY(!empty() && !view->thoroughEmptiness(context));
        context.results = blockSweep(); // has no masks, but the page still says of what
        QVERIFY(empty() && picture->caption().contains("5 launches"));
    }

    void chineseIsComplete() {
        samples::Chinese chinese;
        qApp->installTranslator(&chinese);
        const auto view = makeChartsView();
        for (const char* kind : {"bars", "lines", "scatter", "model", "states", "lanes", "residency", "roofline"}) {
            const PaintContext context = showing(bothBackends(), {{"chart", kind}});
            view->switches(context);
            samples::pictureOf(*view, context, {900, 560});
        }
        qApp->removeTranslator(&chinese);
        QStringList missing;
        for (const QString& text : chinese.missing())
            if (text.startsWith(QLatin1String("ChartsView")))
                missing << text;
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }
};

WARPGLASS_QT_TEST(TestChartPictures)
#include "test_chart_pictures.moc"
