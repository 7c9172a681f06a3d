// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's time is spent on, as it is shown: the answer is made by hand, so that every number can be worked out;
// the two launches under it are run by the timing model.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/metrics/limit_pairs.h"
#include "gpu/metrics/why_words.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/text_places.h"
#include "views/common/sentences.h"
#include "views/why/why_picture.h"
#include "views/why/why_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

constexpr QSize whySize(1300, 820);

TracePtr transposed(LimitSet without) {
    LaunchRequest request;
    request.block = Dim3{32, 32, 1};
    request.size = 64;
    const auto plan = makePlan(*findKernel("transpose_smem"), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    RunOptions options;
    options.timing = true;
    options.detail.accesses = true; // as the window records few blocks
    options.without = without;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

// 10,000 ns; without conflicts 6,000 (40 % less), without uncoalesced access 9,000 (10 %), without both 5,200 (48 %),
// without any limit 2,000 (80 %). The others save 1 %, which is not worth a word. Two lines have conflicts: 3,000
// ns (30 %) are the first one's, 100 ns (1 %) the second one's.
Why byHand() {
    Why why;
    why.trace = transposed({});
    why.fromSource = true;
    why.ns = 10'000;
    why.floorNs = 2'000;
    why.modelError = 0.1;
    WhyLimit conflicts{.limit = Limit::Conflicts, .ns = 6'000};
    conflicts.trace = transposed(LimitSet().with(Limit::Conflicts));
    const Kernel& kernel = why.trace->kernels.front();
    for (const InstructionCount& c : why.trace->countsOf(0))
        if (c.isMemory && c.space == MemorySpace::Shared && conflicts.lines.size() < 2) {
            const bool first = conflicts.lines.empty();
            conflicts.lines.push_back({.line = sourceLineOf(kernel, c.ptxLine),
                                       .access = c.access,
                                       .ptxLines = {c.ptxLine},
                                       .savedNs = first ? 3'000 : 100,
                                       .share = first ? 0.75 : 0.25,
                                       .found = first ? 32.0 : 1.5,
                                       .least = 1});
        }
    why.limits.push_back(conflicts);
    why.limits.push_back({.limit = Limit::Coalescing, .ns = 9'000});
    for (const Limit limit : allOf<Limit>)
        if (limit != Limit::Conflicts && limit != Limit::Coalescing)
            why.limits.push_back({.limit = limit, .ns = 9'900});
    why.pair = WhyPair{Limit::Conflicts, Limit::Coalescing, 5'200};
    return why;
}

WhyAnswer answered() {
    static const WhyAnswer answer = std::make_shared<const Result<Why>>(byHand());
    return answer;
}

PaintContext asked(const WhyAnswer& answer = answered()) {
    PaintContext c;
    c.trace = (*answer)->trace;
    c.options[QLatin1String(whyOption)] = whyToOption(answer);
    c.theme = Theme::make(ThemeKind::Light);
    return c;
}

QRectF whole(QSize of = whySize) {
    return {QPointF(), QSizeF(of)};
}

const WhyPicture& whyIn(const PicturePtr& picture) {
    return dynamic_cast<const WhyPicture&>(*picture);
}

} // namespace

class TestWhy : public QObject {
    Q_OBJECT
private slots:
    void aBarALimitThatSavesSomething() {
        const PicturePtr picture = makeWhyView()->compose(asked(), whole());
        const WhyPicture& why = whyIn(picture);
        QStringList keys;
        std::vector<double> saved;
        for (const WhyRow& row : why.rows) {
            keys << row.key;
            saved.push_back(std::round(1000 * row.saved) / 10);
        }
        QCOMPARE(keys, (QStringList{"as-is", "conflicts", "coalescing", "pair", "all"}));
        QCOMPARE(saved, (std::vector<double>{0, 40, 10, 48, 80}));
        // A bar is as long as its time: 6,000 of 10,000, and the whiskers of 10 % lie inside the plot.
        const auto length = [&](double ns) { return why.layout.x(ns) - why.layout.plot.left(); };
        QCOMPARE(length(6'000) / length(10'000), 0.6);
        QVERIFY(why.layout.x(11'000) <= why.layout.plot.right());
        QVERIFY(why.layout.plot.right() < why.layout.rows[0].right()); // the numbers have room
        // Every word stays in its place and nothing lies on something else.
        QVERIFY(why.layout.rows.back().bottom() <= why.layout.ruler.top());
        QVERIFY(why.layout.ruler.bottom() <= why.layout.nothing.top());
        QVERIFY(why.layout.legend.bottom() <= whySize.height());
        QVERIFY(why.timelines);
    }

    // Beside another run the picture is still of the first one alone, and says so.
    void besideAnotherRunItSaysWhoseItIs() {
        const auto said = [](const PaintContext& context) {
            samples::TextPlaces device(whySize);
            QPainter painter(&device);
            makeWhyView()->compose(context, whole())->paint(painter);
            QStringList texts;
            for (const samples::TextPlace& place : device.places())
                texts << place.text;
            return texts;
        };
        PaintContext context = asked();
        QVERIFY(!said(context).contains(QStringLiteral("of the two runs, A alone")));
        context.other = context.trace;
        QVERIFY(said(context).contains(QStringLiteral("of the two runs, A alone")));
    }

    // The sentences are made from the numbers above and from nothing else.
    void sentencesSayTheNumbers() {
        const Why& why = **answered();
        const std::vector<WhyRow> rows = whyRows(why);
        const WhyDetails conflicts = whyDetails(why, rows[1]);
        QCOMPARE(conflicts.sentence,
                 QString("If shared memory had no bank conflicts, the launch would take 40 % less."));
        QCOMPARE(conflicts.lines.size(), std::size_t(2));
        QCOMPARE(conflicts.lines[0].finding,
                 QString("A warp's access takes 32 passes where 1 would do; without that the "
                         "launch would take 30 % less."));
        QCOMPARE(conflicts.lines[1].finding, QString("A warp's access takes 1.5 passes where 1 would do; mending that "
                                                     "alone would save next to nothing."));
        QCOMPARE(conflicts.lines[0].share, 0.75);
        QVERIFY(!conflicts.lines[0].code.isEmpty());
        QCOMPARE(whyDetails(why, rows[3]).sentence,
                 QString("Without bank conflicts, and without uncoalesced access, the "
                         "launch would take 48 % less."));
        QCOMPARE(whyDetails(why, rows[4]).sentence, QString("Without all of them it would take 2.00 µs, 80 % less."));
        const WhyDetails coalescing = whyDetails(why, rows[2]);
        QVERIFY(coalescing.lines.empty() && !coalescing.noLines.isEmpty());
    }

    // The caption tells how the prediction fared: the pairs of kernels of resources/model/pairs.csv.
    void theCaptionHoldsTheModelToHardware() {
        QVERIFY(limitPairs(Limit::Conflicts).size() >= 2);
        const WhyDetails details = whyDetails(**answered(), whyRows(**answered())[1]);
        QVERIFY2(details.note.startsWith("Held to hardware: 4 pairs of kernels, the second without bank conflicts."),
                 qPrintable(details.note));
        QVERIFY(limitPairs(Limit::Tail).empty());
        QVERIFY(heldToHardware(Limit::Tail).find("only the model speaks here") != std::string::npos);
        QVERIFY(makeWhyView()->compose(asked(), whole())->caption().contains("transpose_smem"));
    }

    void whereNothingIsToGainItSaysSo() {
        Why none = byHand();
        for (WhyLimit& limit : none.limits)
            limit = {.limit = limit.limit, .ns = 9'800}; // 2 %
        none.pair.reset();
        const auto answer = std::make_shared<const Result<Why>>(none);
        const PicturePtr picture = makeWhyView()->compose(asked(answer), whole());
        QCOMPARE(whyIn(picture).rows.size(), std::size_t(2)); // as it is, and without all
        QCOMPARE(nothingAtAll(none),
                 std::string("No single limit costs this launch much: there is nothing to gain from taking one away."));
        QVERIFY(!whyIn(picture).timelines);
        keep(pictureOf(*makeWhyView(), asked(answer), whySize), "why-nothing");
    }

    void aClickOnABarChoosesIt() {
        SelectionModel selection;
        ViewWidget widget(makeWhyView(), &selection);
        widget.resize(whySize);
        widget.setTrace((*answered())->trace);
        widget.setOption(QLatin1String(whyOption), whyToOption(answered()));
        widget.show();
        QTRY_VERIFY(widget.picture());
        const auto now = [&]() -> const WhyPicture& { return dynamic_cast<const WhyPicture&>(*widget.picture()); };
        QCOMPARE(now().rows[now().chosen].key, QString("conflicts")); // what saves most
        QTest::mouseClick(&widget, Qt::LeftButton, {}, now().layout.rows[2].center().toPoint());
        QCOMPARE(now().rows[now().chosen].key, QString("coalescing"));
        QVERIFY(!now().timelines); // nothing was recorded without it
        QTest::mouseClick(&widget, Qt::LeftButton, {}, now().layout.rows[1].center().toPoint());

        // A line selects its access, and a warp that makes it.
        const WhyLine& line = (*answered())->limits[0].lines[0];
        QTest::mouseClick(&widget, Qt::LeftButton, {}, now().layout.lines[0].center().toPoint());
        const Selection chosen = selection.get();
        QCOMPARE(chosen.sourceLine, line.line);
        QCOMPARE(chosen.ptxLine, line.ptxLines[0]);
        QVERIFY(chosen.warp < (*answered())->trace->warps.size());
        QVERIFY(chosen.block != noIndex);
        QVERIFY(isSelected(**answered(), line, chosen));
        QVERIFY(!isSelected(**answered(), (*answered())->limits[0].lines[1], chosen));
        // Selected elsewhere, it is selected here.
        Selection elsewhere = chosen;
        elsewhere.ptxLine = (*answered())->limits[0].lines[1].ptxLines[0];
        QVERIFY(isSelected(**answered(), (*answered())->limits[0].lines[1], elsewhere));
    }

    void theKeyboardReachesEveryBarAndLine() {
        SelectionModel selection;
        ViewWidget widget(makeWhyView(), &selection);
        widget.resize(whySize);
        widget.setTrace((*answered())->trace);
        widget.setOption(QLatin1String(whyOption), whyToOption(answered()));
        widget.show();
        QTRY_VERIFY(widget.picture());
        const auto chosen = [&] {
            const auto& now = dynamic_cast<const WhyPicture&>(*widget.picture());
            return now.rows[now.chosen].key;
        };
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(chosen(), QString("coalescing"));
        for (int n = 0; n < 5; ++n)
            QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(chosen(), QString("all"));
        for (int n = 0; n < 3; ++n)
            QTest::keyClick(&widget, Qt::Key_Up);
        QCOMPARE(chosen(), QString("conflicts"));
        QCOMPARE(selection.get().ptxLine, 0U);
        const std::vector<WhyLine>& lines = (*answered())->limits[0].lines;
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(selection.get().ptxLine, lines[0].ptxLines[0]);
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(selection.get().ptxLine, lines[1].ptxLines[0]);
        QTest::keyClick(&widget, Qt::Key_Left);
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(chosen(), QString("coalescing")); // among the bars again
        QTest::keyClick(&widget, Qt::Key_Home);
        QCOMPARE(chosen(), QString("conflicts"));
    }

    // Both run on one clock from their own starts; a click in either sets the moment.
    // As long as it is asked: what is known, and neither a pair nor a floor, which follow from all.
    void aPartOfAnAnswerShowsWhatIsKnown() {
        Why part = byHand();
        part.whole = false;
        part.limits.resize(2); // conflicts and coalescing, which save 40 and 10 %
        part.limits[0].lines.clear();
        part.pair.reset();
        const std::vector<WhyRow> rows = whyRows(part);
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows[1].key, QStringLiteral("conflicts"));
        QCOMPARE(rows[2].key, QStringLiteral("coalescing"));
        QVERIFY(whyDetails(part, rows[1]).noLines.startsWith(QStringLiteral("Which lines pay")));
        PaintContext context = contextOf(part.trace);
        context.options[QLatin1String(whyOption)] = whyToOption(std::make_shared<const Result<Why>>(Result<Why>(part)));
        TextPlaces device(whySize);
        QPainter painter(&device);
        const auto view = makeWhyView();
        const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(whySize)));
        picture->paint(painter);
        painter.end();
        QStringList texts;
        for (const TextPlace& place : device.places())
            texts << place.text;
        QVERIFY2(texts.join(' ').contains(QStringLiteral("2 of %1 limits asked so far").arg(allOf<Limit>.size())),
                 qPrintable(texts.join('|')));
        QVERIFY(!picture->csv().contains(QStringLiteral("\nall,")));
    }

    // A was pinned and took 12,000 ns by the model: its bar reaches beyond B's 10,000 with B's error, 11,000.
    void thePinnedRunsBarLiesBehind() {
        const Why why = byHand();
        PaintContext context = contextOf(why.trace);
        context.options[QLatin1String(whyOption)] = whyToOption(std::make_shared<const Result<Why>>(Result<Why>(why)));
        auto pinned = std::make_shared<Trace>(*why.trace);
        pinned->timings.front().durationNs = 12'000;
        context.pinned = pinned;
        const auto view = makeWhyView();
        const PicturePtr composed = view->compose(context, QRectF(QPointF(), QSizeF(whySize)));
        const auto& picture = dynamic_cast<const WhyPicture&>(*composed);
        QCOMPARE(picture.pinned, 12'000.0);
        QCOMPARE(picture.layout.most, 1.02 * 12'000);
        QVERIFY(composed->spotAt(picture.layout.bar(0).center())
                    .toolTip.contains(QStringLiteral("A, which is pinned, took 12.0 µs, modelled")));
        context.pinned.reset();
        const PicturePtr alone = view->compose(context, QRectF(QPointF(), QSizeF(whySize)));
        QCOMPARE(dynamic_cast<const WhyPicture&>(*alone).layout.most, 1.02 * 11'000);
    }

    void theTimelinesAreInStep() {
        PaintContext c = asked();
        const auto view = makeWhyView();
        const PicturePtr picture = view->compose(c, whole());
        const WhyPicture& why = whyIn(picture);
        const Launch &as = why.why().trace->launches[0], &without = why.why().limits[0].trace->launches[0];
        QVERIFY(without.end - without.start < as.end - as.start); // it is quicker without
        QCOMPARE(why.layout.stacks[0].left(), why.layout.stacks[1].left());
        QCOMPARE(why.layout.stacks[0].width(), why.layout.stacks[1].width());
        for (const QRectF& stack : why.layout.stacks) {
            const Selection at = clicked(*view, whole(), c, stack.center());
            QVERIFY(std::abs((at.time - as.start).value - (as.end - as.start).value / 2) <=
                    (as.end - as.start).value / 100);
        }
        c.options["show"] = "timelines";
        const QImage both = pictureOf(*view, c, whySize);
        keep(both, "why-timelines");
        QVERIFY(differingPixels(both, pictureOf(*view, asked(), whySize)) > 0.05);
    }

    void whatAGpuTookStandsBeside() {
        PaintContext c = asked();
        test::Schedule schedule; // 8 blocks on 8 places: 1,000 ns, measured
        c.ghost = test::scheduled(schedule);
        QCOMPARE(measuredNs(c.ghost.get()), 1000.0);
        const auto view = makeWhyView();
        const PicturePtr picture = view->compose(c, whole());
        const QRectF bar = whyIn(picture).layout.bar(0);
        const QImage image = pictureOf(*view, c, whySize);
        keep(image, "why-measured");
        const double x = whyIn(picture).layout.x(1000);
        QVERIFY(pixelsLike(image, c.theme.originMeasured, QRectF(x - 2, bar.top(), 4, bar.height()).toRect(), 40) > 5);
        QVERIFY(view->compose(c, whole())->csv().contains("as-is,,,1000.0,,,,,measured"));
    }

    void theTableHasABarAndALineARow() {
        const QStringList lines = makeWhyView()->compose(asked(), whole())->csv().trimmed().split('\n');
        // header; as it is; fifteen limits; two lines; the pair; all
        QCOMPARE(lines.size(), 1 + 1 + int(allOf<Limit>.size()) + 2 + 1 + 1);
        QVERIFY(lines[1].startsWith("as-is,,,10000.0,0.00"));
        QVERIFY2(lines[2].startsWith("conflicts,,,6000.0,40.00,,,,modelled,10.0"), qPrintable(lines[2]));
        QVERIFY2(lines[3].contains(",7000.0,30.00,75.00,32.00,1.00,modelled"), qPrintable(lines[3]));
        QVERIFY(lines.back().startsWith("all,,,2000.0,80.00"));
        for (const QString& line : lines.mid(1))
            QVERIFY(line.contains("modelled"));
    }

    // A small window scrolls; on paper everything is in sight.
    void aSmallWindowReachesEverything() {
        const auto view = makeWhyView();
        PaintContext c = asked();
        const QRectF small = whole({560, 380});
        const PicturePtr before = view->compose(c, small);
        QVERIFY(whyIn(before).layout.contentHeight > small.height());
        QVERIFY(answers(*view, small, c, KeyInput{Qt::Key_Return, {}}));
        const PicturePtr after = view->compose(c, small);
        QVERIFY(whyIn(after).layout.lines[0].bottom() <= small.bottom());
        QVERIFY(whyIn(after).layout.lines[0].top() >= small.top());
        QVERIFY(answers(*view, small, c, WheelInput{small.center(), -40, {}}));
        QVERIFY(!answers(*view, small, c, WheelInput{small.center(), -1, {}})); // the end
        const PicturePtr end = view->compose(c, small);
        QVERIFY(whyIn(end).layout.legend.bottom() <= small.bottom());
        keep(pictureOf(*view, asked(), {560, 380}), "why-small");
        for (const QSize paper : {QSize(900, 900), QSize(900, 420), QSize(420, 500)}) {
            PaintContext printed = asked();
            printed.paper = true;
            const PicturePtr page = view->compose(printed, whole(paper));
            QVERIFY(whyIn(page).layout.contentHeight <= paper.height());
            QVERIFY(bool(whyIn(page).timelines) == (paper.height() == 900));
        }
    }

    void whatCannotBeShownSaysWhy() {
        const auto view = makeWhyView();
        PaintContext c;
        QCOMPARE(view->emptiness(c)->action, QString("run"));
        c.trace = (*answered())->trace;
        QCOMPARE(view->emptiness(c)->action, QString("why"));
        auto recording = std::make_shared<Trace>(*test::scheduled({}));
        recording->info.backend = BackendKind::Cuda;
        c.trace = recording;
        QCOMPARE(view->emptiness(c)->action, QString("why"));
        QVERIFY(view->emptiness(c)->why.startsWith("A GPU cannot be asked"));
        c.options[QLatin1String(whyOption)] = whyToOption(
            std::make_shared<const Result<Why>>(Error{.message = "it cannot be run again", .remedy = "Run it."}));
        QCOMPARE(view->emptiness(c)->action, QString("open")); // the kernel's own file
        QCOMPARE(view->emptiness(c)->why, QString("it cannot be run again. Run it."));
        QVERIFY(view->switches(c).isEmpty());
    }

    void everyWordIsChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const Why& why = **answered();
        QStringList said;
        for (const WhyRow& row : whyRows(why)) {
            const WhyDetails details = whyDetails(why, row);
            said << row.name << details.sentence << details.note;
            for (const WhyDetails::Line& line : details.lines)
                said << line.name << line.finding;
        }
        for (const Limit limit : allOf<Limit>) {
            const WhyLimit row{.limit = limit, .ns = 1'000};
            const WhyLine line{.line = 7, .share = 0.5, .found = 3, .least = 2};
            for (const Said& english :
                 {sentence(why, row), finding(why, row, line), heldToHardware(limit), Said(wordsOf(limit))})
                if (!english.empty()) {
                    said << sentence(english);
                    QVERIFY2(said.back() != QString::fromStdString(english.text()), english.c_str());
                }
        }
        const WhyLimit atomics{.limit = Limit::Atomics, .ns = 1'000};
        for (const Said& english :
             {warmSentence(), finding(why, atomics, WhyLine{.line = 7, .share = 0.5, .found = 128, .least = 0})}) {
            said << sentence(english);
            QVERIFY2(said.back() != QString::fromStdString(english.text()), english.c_str());
        }
        said.replaceInStrings("L2", QString());
        const QImage image = pictureOf(*makeWhyView(), asked(), whySize);
        QCoreApplication::removeTranslator(&chinese);
        static const QRegularExpression word(QStringLiteral("[A-Za-z]{4,}"));
        for (const QString& text : said) {
            const auto match = word.match(text);
            QVERIFY2(!match.hasMatch() || match.captured() == "H200", qPrintable(text));
        }
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join('\n')));
        keep(image, "why-chinese");
    }

    void pictures() {
        const auto view = makeWhyView();
        for (const auto& [name, kind, of] : {std::tuple{"why-light", ThemeKind::Light, whySize},
                                             {"why-dark", ThemeKind::Dark, whySize},
                                             {"why-print", ThemeKind::Print, QSize(700, 900)}}) {
            PaintContext c = asked();
            c.theme = Theme::make(kind);
            c.selection = selectionOf(**answered(), (*answered())->limits[0].lines[0], *c.trace, {});
            const QImage image = pictureOf(*view, c, of);
            keep(image, name);
            QVERIFY(pixelsLike(image, c.theme.accent) > 1000); // the bars
        }
    }
};

WARPGLASS_QT_TEST(TestWhy)
#include "test_why.moc"
