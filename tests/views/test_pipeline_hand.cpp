// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline view with a real mouse and keyboard, beside the timeline and the source that follow it. What is expected is the
// table of twoSlots() in pipeline_traces.h.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/pipeline_traces.h"
#include "tests/views/text_places.h"
#include "views/common/view_widget.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_view.h"
#include "views/source/source_view.h"
#include "views/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

using namespace warpglass;

namespace {

struct Shown {
    SelectionModel selection;
    ViewWidget pipeline{makePipelineView(), &selection}, timeline{makeTimelineView(), &selection},
        source{makeSourceView(), &selection};

    Shown() {
        for (ViewWidget* widget : {&pipeline, &timeline, &source}) {
            widget->setTrace(samples::twoSlots());
            widget->resize(900, 480);
            widget->show();
            if (!QTest::qWaitForWindowExposed(widget))
                qFatal("no window");
            widget->grab();
        }
        pipeline.setFocus();
    }
    const PipelinePicture& picture() { return dynamic_cast<const PipelinePicture&>(*pipeline.picture()); }
    QPoint lane(qsizetype n, std::int64_t t) { return in(picture().layout.lanes[n], t); }
    QPoint slot(qsizetype n, std::int64_t t) { return in(picture().layout.ringSlots[n], t); }
    QPoint in(const QRectF& row, std::int64_t t) {
        return QPointF(picture().layout.scale.x({t}) + 1, row.center().y()).toPoint();
    }
    const Selection& click(QPoint at) {
        QTest::mouseClick(&pipeline, Qt::LeftButton, {}, at);
        return selection.get();
    }
    QString hover(QPoint at) {
        QToolTip::hideText();
        QTest::mouseMove(&pipeline, at);
        QHelpEvent help(QEvent::ToolTip, at, pipeline.mapToGlobal(at));
        QCoreApplication::sendEvent(&pipeline, &help);
        return QToolTip::text();
    }
    // The column that the timeline marks as now.
    int nowInTimeline() {
        if (!QTest::qWaitFor([&] { return timeline.picture(); }, 60000)) // it is composed elsewhere
            return -1;
        const QImage image = timeline.grab().toImage();
        const QColor attention = timeline.context().theme.attention;
        int best = -1, most = 0;
        for (int x = 0; x < image.width(); ++x) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y) { // the line may lie between two columns
                const QColor there = image.pixelColor(x, y);
                count += std::abs(there.red() - attention.red()) + std::abs(there.green() - attention.green()) +
                             std::abs(there.blue() - attention.blue()) <
                         90;
            }
            if (count > most) {
                most = count;
                best = x;
            }
        }
        return best;
    }
    // Of the row of the PTX that begins so. (Line 1 has one of its own, too: there the warps stand.)
    QColor ground(const QString& text) {
        samples::TextPlaces device(source.size());
        QPainter painter(&device);
        source.picture()->paint(painter);
        painter.end();
        for (const samples::TextPlace& place : device.places())
            if (place.text.startsWith(text))
                return source.grab().toImage().pixelColor(place.where.topLeft().toPoint() - QPoint(3, 0));
        return {};
    }
};

} // namespace

class TestPipelineHand : public QObject {
    Q_OBJECT

private slots:
    // Fill 0 is 2048 bytes, ordered by warp 0 at 10 into slot 0; warps 1 and 2 wait for it from 5 to 41. Warp 0 waits for who
    // empties slot 0, from 14 to 71.
    void thePointerTellsWhoFilledAndWhoWaits() {
        Shown shown;
        const QString fill = shown.hover(shown.slot(0, 20));
        for (const char* part :
             {"slot 0, fill 0: 2 KB", "ordered by warp 0 at 10",
              "warps 1, 2 waited 36 steps for the copy into slot 0: phase 0 of the mbarrier at byte 0"})
            QVERIFY2(fill.contains(QLatin1String(part)), qPrintable(fill));
        const QString later =
            shown.hover(shown.slot(0, 130)); // from 121 to 150 fill 2 is read, and nobody waits for it
        QVERIFY2(later.contains(QStringLiteral("slot 0, fill 2")) && !later.contains(QStringLiteral("waited")),
                 qPrintable(later));
        const QString waits = shown.hover(shown.lane(0, 40));
        QVERIFY2(waits.contains(QStringLiteral("waits for a free slot")) &&
                     waits.contains(QStringLiteral("warp 0 waited 57 steps for warps 1, 2: phase 0 of the mbarrier at "
                                                   "byte 16")),
                 qPrintable(waits));
        // Who ended the wait is marked while the pointer is there.
        const auto attention = [&](QPoint at) {
            QTest::mouseMove(&shown.pipeline, at);
            const QImage image = shown.pipeline.grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == shown.pipeline.context().theme.attention;
            return count;
        };
        const int none = attention(shown.slot(1, 130));
        QVERIFY(attention(shown.lane(0, 40)) > none + 20);
    }

    // Fill 1 was ordered at PTX line 1 by warp 0; at 80 the products of warps 1 and 2 are those of line 2, from 75 to 100; at 30
    // warp 0 waits at line 3. Times 20, 80, 140 lie equally far apart in the timeline.
    void aClickIsFollowedBySourceAndTimeline() {
        Shown shown;
        const QString copy = QStringLiteral("cp.async.bulk.shared"), product = QStringLiteral("mma.sync"),
                      wait = QStringLiteral("mbarrier.try_wait");
        const QColor marked = shown.source.context().theme.accentSoft, none = shown.ground(product),
                     stood = shown.ground(copy);
        QVERIFY(none.isValid() && stood.isValid() && none != marked);
        Selection now = shown.click(shown.slot(1, 20));
        QCOMPARE(now.warp, 0U);
        QCOMPARE(now.ptxLine, 1U);
        QVERIFY(std::abs(now.time.value - 20) <= 1);
        QVERIFY(shown.ground(copy) != stood);
        QCOMPARE(shown.ground(product), none);
        const int at20 = shown.nowInTimeline();
        now = shown.click(shown.lane(1, 80));
        QCOMPARE(now.warp, 1U);
        QCOMPARE(now.ptxLine, 2U);
        QCOMPARE(shown.ground(product), marked);
        QCOMPARE(shown.ground(copy), stood);
        const int at80 = shown.nowInTimeline();
        shown.click(shown.lane(1, 140));
        const int at140 = shown.nowInTimeline();
        QVERIFY2(at80 - at20 > 100 && std::abs((at140 - at80) - (at80 - at20)) <= 6,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(at20).arg(at80).arg(at140)));
        now = shown.click(shown.lane(0, 30));
        QCOMPARE(now.warp, 0U);
        QCOMPARE(now.ptxLine, 3U);
        QCOMPARE(shown.ground(wait), marked);
        QCOMPARE(shown.ground(product), none);
        // Where it neither multiplies nor waits, nothing that was chosen before is left.
        now = shown.click(shown.lane(1, 72));
        QCOMPARE(now.ptxLine, 0U);
    }

    // The phase of empty 16 was over at 70, when warps 1 and 2 had arrived, and warp 0 went on at 71: an arrow up from their lane.
    void aClickOnAnArrowChoosesWhoWaited() {
        Shown shown;
        const QRectF to = shown.picture().layout.lanes[0], from = shown.picture().layout.lanes[1];
        const double x = shown.picture().layout.scale.x({71});
        const QPoint on = QPointF(x, (to.bottom() + from.top()) / 2).toPoint();
        QCOMPARE(shown.hover(on),
                 QStringLiteral("warp 0 waited 57 steps for warps 1, 2: phase 0 of the mbarrier at byte 16"));
        const Selection& now = shown.click(on);
        QCOMPARE(now.warp, 0U);
        QCOMPARE(now.ptxLine, 3U);
        QCOMPARE(now.time.value, 71);
    }

    // Down and up go from lane to lane, and stay at the last; plus and minus in time by W and S, sideways by A and D.
    void keysGoThroughLanesAndTime() {
        Shown shown;
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(&shown.pipeline, key);
            return shown.selection.get();
        };
        QCOMPARE(press(Qt::Key_Down).warp, 0U);
        QCOMPARE(press(Qt::Key_Down).warp, 1U);
        QCOMPARE(press(Qt::Key_Down).warp, 1U);
        QCOMPARE(press(Qt::Key_Up).warp, 0U);
        press(Qt::Key_W);
        const TimeRange near = press(Qt::Key_W).visible; // 0.8 * 0.8 of 160 is 102
        QVERIFY(std::abs(near.length().value - 102) <= 2);
        QVERIFY(press(Qt::Key_Right).visible.begin > near.begin);
        QCOMPARE(press(Qt::Key_Left).visible, near);
        QVERIFY(press(Qt::Key_Home).visible == TimeRange{});
    }
};

WARPGLASS_QT_TEST(TestPipelineHand)
#include "test_pipeline_hand.moc"
