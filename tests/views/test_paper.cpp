// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that leave the program, in the size of a column of a paper: 840 x 600 with type half as large again. Nothing
// can be scrolled to or pressed there: all steps are in sight, no words are cut, no buttons are printed.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/chart_tables.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "tests/views/scheduler_traces.h"
#include "views/charts/charts_view.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_picture.h"
#include "views/scheduler/scheduler_view.h"

#include <QXmlStreamReader>
#include <QtTest>

using namespace warpglass;

namespace {

constexpr QSize column(840, 600);

PaintContext onColumn(TracePtr trace) {
    PaintContext context;
    context.trace = std::move(trace);
    context.theme = Theme::make(ThemeKind::Print, 1.5);
    return context;
}

QStringList wordsOf(const Page& page) {
    QStringList words;
    QXmlStreamReader xml(svgOf(page));
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("text"))
            words << xml.readElementText(QXmlStreamReader::IncludeChildElements).simplified();
    }
    return words;
}

TracePtr reductionOf512() {
    LaunchRequest request;
    request.block = Dim3{512};
    request.size = 512;
    auto plan = makePlan(*findKernel("reduceNeighbored"), request);
    if (!plan)
        return nullptr;
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress progress;
    auto recording = makeEmulator()->run(*plan, options, progress);
    return recording ? recording->trace : nullptr;
}

} // namespace

class TestPaper : public QObject {
    Q_OBJECT
private slots:
    // 512 numbers are folded in log2 512 = 9 steps; the picture is at its end, with the sum of step 9.
    void aTreeOf512NumbersKeepsItsLastStep() {
        PaintContext context = onColumn(reductionOf512());
        QVERIFY(context.trace);
        context.selection.time = context.trace->range().end;
        const Page page = composePage(*makeReductionView(), context, column);
        samples::keep(samples::pictureOf(*makeReductionView(), context, column), "paper-reduction-window");
        const auto* picture = dynamic_cast<const ReductionPicture*>(page.picture.get());
        QVERIFY(picture);
        const ReductionLayout& l = picture->scene.layout;
        QCOMPARE(l.steps, 9);
        QVERIFY2(l.cellRect(9, 0).bottom() <= l.plot.bottom() + 0.5,
                 qPrintable(QStringLiteral("%1 > %2").arg(l.cellRect(9, 0).bottom()).arg(l.plot.bottom())));
        const QStringList words = wordsOf(page);
        QVERIFY(words.contains("step 9") && words.contains("stride 256"));
        QVERIFY2(words.contains("How block (0) folds its 512 numbers · reduceNeighbored"),
                 qPrintable(words.join('\n')));
        // In the window steps keep their height, and one scrolls.
        const PicturePtr shown = makeReductionView()->compose(context, QRectF(QPointF(), QSizeF(column)));
        const ReductionLayout& s = dynamic_cast<const ReductionPicture&>(*shown).scene.layout;
        QVERIFY(s.step > l.step);
    }

    void theSchedulersButtonsAreNotPrinted() {
        const PaintContext context = onColumn(samples::tenCycles());
        for (const QSize size : {column, QSize(1600, 900)}) {
            const Page page = composePage(*makeSchedulerView(), context, size);
            const QStringList words = wordsOf(page);
            QVERIFY(!words.contains("cycle ▶") && !words.contains("◀ instruction"));
            const auto& picture = dynamic_cast<const CyclesPicture&>(*page.picture);
            QVERIFY(words.contains(QStringLiteral("cycle %1").arg(picture.axis.cursor(picture.unchanged()))));
            for (const QRectF& button : picture.layout.button)
                QVERIFY(button.isEmpty());
        }
        const PicturePtr shown = makeSchedulerView()->compose(context, QRectF(0, 0, 1000, 640));
        QVERIFY(!dynamic_cast<const CyclesPicture&>(*shown).layout.button[2].isEmpty());
    }

    // What a picture says of itself ends with how far the model is off: the part that must not be cut.
    void theLineBelowIsWholeHoweverNarrow() {
        auto trace = std::make_shared<Trace>(*samples::mathKernel(false));
        trace->info.timing = true;
        trace->info.timeUnit = TimeUnit::Nanoseconds;
        trace->info.timeOrigin = Origin::Modelled;
        const PaintContext context = onColumn(trace);
        const Page page = composePage(*makeChartsView(), context, column);
        QVERIFY2(page.caption.contains("launches like this one"), qPrintable(page.caption));
        QVERIFY(page.footer.height() > 2 * lineHeight(context.theme.small()));
        QCOMPARE(page.footer.bottom(), 600.0);
        QCOMPARE(page.footer.top(), page.picture->area.bottom());
        const QStringList words = wordsOf(page);
        for (const QString& word : page.caption.split(' ', Qt::SkipEmptyParts))
            QVERIFY2(words.join(' ').contains(word), qPrintable(word));
        QVERIFY(std::none_of(words.begin(), words.end(), [](const QString& w) { return w.contains(QChar(0x2026)); }));
        // Where there is room it stays one line.
        const Page wide = composePage(*makeChartsView(), context, {1600, 900});
        QVERIFY(wide.footer.height() < 2 * lineHeight(context.theme.small()));
    }

    void aTitleGetsSmallerBeforeItIsCut() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const QString title = QStringLiteral("When each warp ran and waited");
        const double whole = textWidth(theme.title(), title);
        const auto used = [&](double width) {
            QImage image(600, 60, QImage::Format_RGB32);
            QPainter painter(&image);
            return paintHeading(painter, {0, 0, width, 40}, title, theme);
        };
        QCOMPARE(used(whole + 10), whole);
        QVERIFY(used(whole * 0.8) <= whole * 0.8 && used(whole * 0.8) > whole * 0.65); // smaller, and whole
        QVERIFY(used(whole * 0.3) <= whole * 0.3 + 1);
    }
};

WARPGLASS_QT_TEST(TestPaper)
#include "test_paper.moc"
