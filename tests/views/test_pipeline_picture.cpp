// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a block as a factory: hangs, words, what is seen from afar, names of roles, and what a frame costs.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/pipeline_traces.h"
#include "tests/views/text_faults.h"
#include "tests/views/view_rooms.h"
#include "views/pipeline/hang_picture.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_view.h"
#include "views/pipeline/pipeline_words.h"

#include <QPicture>
#include <QtTest>

#include <set>

using namespace warpglass;

class TestPipelinePicture : public QObject {
    Q_OBJECT

private slots:
    // Warps 2 and 3 leave behind tile 4: warp 4 waits for their arrivals at empty[1], warps 0 and 1 for what it would fill.
    void aHangIsDrawn() {
        const TracePtr trace = samples::filledRing(8, 5, false);
        const Diagnostic* hang = hangOf(*trace, 0);
        QVERIFY(hang);
        QVERIFY(tellsPipeline(*trace));
        const auto view = makePipelineView();
        PaintContext context = contextOf(trace);
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 900, 480));
        const auto* shown = dynamic_cast<const HangPicture*>(picture.get());
        QVERIFY(shown);
        QCOMPARE(shown->boxes().size(), qsizetype(2));
        QVERIFY(shown->hang.waits[0].isRoot && !shown->hang.waits[1].isRoot);
        QCOMPARE(shown->boxes()[0].who, QStringLiteral("warp 4 of block (0) at line 44"));
        QVERIFY(shown->boxes()[0].whatText.contains(QStringLiteral("empty[1]")));
        QVERIFY(shown->boxes()[0].where.bottom() < shown->boxes()[1].where.top());
        const Spot root = picture->spotAt(shown->boxes()[0].where.center());
        QVERIFY(root.click);
        QCOMPARE(root.click->selection.sourceLine, 44U);
        QCOMPARE(trace->warps[root.click->selection.warp].warpInBlock, std::uint16_t(4));
        QVERIFY(picture->csv().contains(QStringLiteral("\n1,0,0,1,64,0-1,51,")));
        // What was done until then is a switch away.
        QCOMPARE(view->switches(context).size(), qsizetype(1));
        context.options[QStringLiteral("show")] = QStringLiteral("pipeline");
        QVERIFY(dynamic_cast<const PipelinePicture*>(view->compose(context, QRectF(0, 0, 900, 480)).get()));
    }

    // Words stand clear in every window, in both languages; and all of them are there in Chinese.
    void wordsAreClear_data() {
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("en") << false;
        QTest::newRow("zh_CN") << true;
    }
    void wordsAreClear() {
        QFETCH(bool, isChinese);
        samples::Chinese chinese;
        if (isChinese)
            QCoreApplication::installTranslator(&chinese);
        QStringList wrong;
        const auto view = makePipelineView();
        for (const TracePtr& trace :
             {samples::twoSlots(), samples::barriersAlone(), samples::copiedByGroups(),
              samples::copiedByGroups({1024, 2048, 3072}), samples::measuredGroup(), samples::filledRing(8, 8, true),
              samples::filledRing(8, 8, false), samples::filledRing(8, 5, false)})
            for (const samples::ViewRoom& room : samples::viewRooms) {
                const PaintContext context = contextOf(trace, ThemeKind::Light, room.type);
                const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(room.view)));
                samples::TextPlaces device(room.view);
                QPainter painter(&device);
                const QVector<PaintedWord> words = paintPicture(*picture, painter);
                painter.end();
                for (const QString& fault :
                     samples::textFaults(device, context.theme) + samples::elidedWithoutTip(device, *picture, words))
                    wrong << QStringLiteral("%1x%2 %3: %4")
                                 .arg(room.view.width())
                                 .arg(room.view.height())
                                 .arg(room.type)
                                 .arg(fault);
                for (int y = 0; y < room.view.height(); y += 12)
                    for (int x = 0; x < room.view.width(); x += 40)
                        picture->spotAt(QPointF(x, y));
                picture->csv();
                view->prediction(context);
                view->whyNotAsked(context);
            }
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QStringLiteral("%1 faults\n").arg(wrong.size()) + wrong.mid(0, 20).join('\n')));
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join('\n')));
    }

    // 100,000 spans of 10 beside each other, of which one multiplies: in nodes narrower than 1,000 it is still there, within one
    // of them, and what is walked through are some 1,000 nodes and no spans. From near, each span is there by itself.
    void aRareSpanIsSeenFromAfar() {
        std::vector<LaneSpan> spans;
        for (std::int64_t n = 0; n < 100'000; ++n)
            spans.push_back({{10 * n}, {10 * n + 10}, n == 77'777 ? Doing::Multiplies : Doing::WaitsCopy});
        const SpanTree tree(spans, [](const LaneSpan& span) { return rankOf(span); });
        const auto isSmall = [](Time begin, Time end) { return (end - begin).value < 1000; };
        int nodes = 0, ones = 0;
        Time end{0}, rare{-1};
        tree.walk(spans, {0}, {1'000'000}, isSmall, [&](Time from, Time to, const LaneSpan& span, bool isOne) {
            ++(isOne ? ones : nodes);
            if (from != end)
                end = {-1};
            end = to;
            if (span.doing == Doing::Multiplies)
                rare = from;
            return true;
        });
        QCOMPARE(end.value, std::int64_t(1'000'000));
        QVERIFY2(ones == 0 && nodes < 2000, qPrintable(QStringLiteral("%1 nodes").arg(nodes)));
        QVERIFY(rare.value <= 777'770 && rare.value > 777'770 - 1000);
        std::vector<std::int64_t> near;
        tree.walk(
            spans, {25}, {60}, [](Time, Time) { return false; },
            [&](Time from, Time, const LaneSpan&, bool isOne) {
                near.push_back(isOne ? from.value : -1);
                return true;
            });
        QCOMPARE(near, (std::vector<std::int64_t>{20, 30, 40, 50}));
    }

    // A name of one's own stands where the role's was, and comes back from the file beside the trace; without a name the role is
    // called by what it does again.
    void rolesAreRenamed() {
        QString answer = QStringLiteral("  the  producer ");
        const auto view = makeAskingPipelineView([&](const QString&, const QString&) { return std::optional(answer); });
        PaintContext context = contextOf(samples::twoSlots());
        const auto compose = [&] { return view->compose(context, QRectF(0, 0, 900, 480)); };
        context.selection.warp = 0;
        const auto change = compose()->answer(KeyInput{Qt::Key_E, Qt::NoModifier});
        QVERIFY(change);
        context.options = change->options;
        QVERIFY(compose()->csv().contains(QStringLiteral("lane,the producer warp 0,")));
        const auto model = samples::pipelineModel(context.trace);
        QVERIFY(
            pipelineHeadline(*model, roleNamesOf(context.options)).contains(QStringLiteral("the producer: warp 0")));
        QVERIFY(!pipelineHeadline(*model).contains(QStringLiteral("producer")));

        QTemporaryDir folder;
        const KeptOption kept = keptRoleNames();
        const QString path = folder.filePath(QStringLiteral("run.wgt"));
        QCOMPARE(kept.write(path, context.options.value(kept.option)), QString());
        QString problem;
        QCOMPARE(kept.read(path, &problem), context.options.value(kept.option));
        // Another window named the others meanwhile: both names are there.
        const QVariant theirs = roleNamesToOption({{QStringLiteral("pipeline 1-2"), QStringLiteral("consumers")}});
        Options both;
        both[kept.option] = kept.merged(QString(), context.options.value(kept.option), theirs);
        QVERIFY(pipelineHeadline(*model, roleNamesOf(both)).contains(QStringLiteral("consumers: warps 1, 2")));
        QVERIFY(pipelineHeadline(*model, roleNamesOf(both)).contains(QStringLiteral("the producer: warp 0")));

        answer.clear();
        context.options = compose()->answer(KeyInput{Qt::Key_E, Qt::NoModifier})->options;
        QVERIFY(compose()->csv().contains(QStringLiteral("lane,orders copies warp 0,")));
        QCOMPARE(kept.write(path, context.options.value(kept.option)), QString());
        QVERIFY(!QFile::exists(path + QStringLiteral(".roles.json")));
    }

    // What a frame costs follows its pixels: of five million spans and 60,000 fills it paints at most three pieces in
    // each of 1,900 columns of 5 rows.
    void aFrameCostsItsPixels() {
        const auto small = samples::pipelineModel(samples::twoSlots());
        auto large = std::make_shared<PipelineModel>(*small);
        constexpr std::int64_t length = 5'000'000;
        large->range = {{0}, {length}};
        for (PipelineLane& lane : large->lanes) {
            lane.spans.clear();
            for (std::int64_t t = 0; t < length; t += 2)
                lane.spans.push_back({{t}, {t + 2}, t % 4 ? Doing::Multiplies : Doing::WaitsCopy});
        }
        for (PipelineSlot& slot : large->ringSlots) {
            slot.fills.clear();
            for (std::int64_t t = 0; t + 160 <= length; t += 160)
                slot.fills.push_back({.number = std::uint32_t(t / 80),
                                      .begin = {t},
                                      .full = {t + 40},
                                      .read = {t + 60},
                                      .freed = {t + 150},
                                      .isFull = true,
                                      .isRead = true});
        }
        large->idle.clear();
        for (std::int64_t t = 0; t < length; t += 10)
            large->idle.push_back({{t}, {t + 5}, Bubble::Copy});
        large->sumUp();
        const PaintContext context = contextOf(large->trace);
        const PipelinePicture picture(context, QRectF(0, 0, 1920, 1080), large);
        QPicture painted;
        QPainter painter(&painted);
        paintPicture(picture, painter);
        painter.end();
        QVERIFY2(painted.size() < 5 * 1900 * 3 * 120, qPrintable(QString::number(painted.size())));
        // On a raster narrow pieces are copied as lines of an image: the same pixels as the pieces that a picture is made of. Where
        // those end in the middle of a pixel they are blended there, and the line has the colour that has more of it; where three meet in one, either may win.
        QImage lines(1920, 1080, QImage::Format_RGB32), pieces = lines;
        QPainter onLines(&lines), onPieces(&pieces);
        paintPicture(picture, onLines);
        onPieces.drawPicture(0, 0, painted);
        onLines.end();
        onPieces.end();
        int different = 0, all = 0;
        std::set<QRgb> colours;
        for (const QRectF& row : picture.layout.ringSlots + QVector<QRectF>{picture.layout.units})
            for (int x = int(row.left()) + 1; x < int(row.right()); ++x)
                colours.insert(lines.pixel(x, int(row.center().y())));
        QVERIFY2(colours.size() >= 3 && colours.size() < 12, qPrintable(QString::number(colours.size())));
        const auto nearest = [&](QRgb colour) {
            const auto apart = [colour](QRgb other) {
                return std::abs(qRed(colour) - qRed(other)) + std::abs(qGreen(colour) - qGreen(other)) +
                       std::abs(qBlue(colour) - qBlue(other));
            };
            return *std::ranges::min_element(colours, {}, apart);
        };
        for (const QRectF& row : picture.layout.ringSlots + QVector<QRectF>{picture.layout.units})
            for (int x = int(row.left()) + 1; x < int(row.right()); ++x, ++all) {
                const int y = int(row.center().y());
                different +=
                    lines.pixel(x, y) != nearest(pieces.pixel(x, y)) || lines.pixel(x, y) != lines.pixel(x, y + 3);
            }
        QVERIFY2(different * 100 <= 15 * all, qPrintable(QStringLiteral("%1 of %2").arg(different).arg(all)));
    }

    // Slot 0 is full from 40 on and read from 41: both are told. A GPU tells nobody when the bytes came; where each wait saw them
    // at once, no slot is ever full, and neither "filling" nor "full" is claimed. Of 160 warp 0 waits 57, from 14 to 71.
    void theLegendTellsWhatOccurs() {
        const auto view = makePipelineView();
        const auto said = [&](const TracePtr& trace) {
            const PicturePtr picture = view->compose(contextOf(trace), QRectF(0, 0, 1280, 800));
            samples::TextPlaces device(QSize(1280, 800));
            QPainter painter(&device);
            paintPicture(*picture, painter);
            painter.end();
            QSet<QString> texts;
            for (const samples::TextPlace& place : device.places())
                texts.insert(place.text);
            return texts;
        };
        const QString untold = QStringLiteral("slot is filled or full: a GPU does not tell when bytes come");
        const TracePtr told = samples::twoSlots();
        const QSet<QString> known = said(told);
        QVERIFY(known.contains(QStringLiteral("slot is filled")) && known.contains(QStringLiteral("is full")));
        QVERIFY(known.contains(QStringLiteral("filling 0")) && !known.contains(untold));
        QVERIFY(known.contains(QStringLiteral("waits for a free slot 36 %")));
        auto seen = std::make_shared<Trace>(*told);
        seen->info.backend = BackendKind::Cuda;
        for (PhaseEvent& event : seen->phaseEvents) // not before the wait went on
            if (event.barrier < 16 && (event.kind == PhaseEventKind::Complete || event.kind == PhaseEventKind::Copied))
                event.time = {event.barrier == 8 ? 75 : event.phase == 0 ? 41 : 121};
        std::stable_sort(seen->phaseEvents.begin(), seen->phaseEvents.end(),
                         [](const PhaseEvent& a, const PhaseEvent& b) { return a.time < b.time; });
        const QSet<QString> unknown = said(seen);
        QVERIFY(unknown.contains(untold) && unknown.contains(QStringLiteral("fill 0")));
        QVERIFY(!unknown.contains(QStringLiteral("is full")) && !unknown.contains(QStringLiteral("slot is filled")));
    }

    void aPictureTellsWhatItShows() {
        const auto view = makePipelineView();
        const auto context = contextOf(samples::twoSlots());
        const PicturePtr picture = view->compose(context, QRectF(0, 0, 900, 480));
        const auto& shown = dynamic_cast<const PipelinePicture&>(*picture);
        const auto at = [&](const QRectF& row, std::int64_t t) {
            return QPointF(shown.layout.scale.x({t}) + 1, row.center().y());
        };
        QVERIFY(
            picture->spotAt(at(shown.layout.lanes[0], 30)).toolTip.contains(QStringLiteral("waits for a free slot")));
        const Spot full = picture->spotAt(at(shown.layout.ringSlots[0], 20));
        QVERIFY(full.toolTip.contains(QStringLiteral("slot 0, fill 0: 2 KB")));
        QVERIFY(full.click);
        QCOMPARE(full.click->selection.warp, 0U);
        QCOMPARE(full.click->selection.ptxLine, 1U);
        QVERIFY(picture->csv().contains(QStringLiteral("slot,slot 0,filling,0,10,40,,counted")) ||
                picture->csv().contains(QStringLiteral("slot,slot 0,filling,0,10,40,,modelled")));
        // Nearer, and back.
        const auto zoomed = picture->answer(WheelInput{at(shown.layout.lanes[0], 80), 4, Qt::NoModifier});
        QVERIFY(zoomed && zoomed->selection.visible.length().value < 160);
        QVERIFY(picture->answer(KeyInput{Qt::Key_Home, Qt::NoModifier}));
    }
};

WARPGLASS_QT_TEST(TestPipelinePicture)
#include "test_pipeline_picture.moc"
