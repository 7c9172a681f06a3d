// SPDX-License-Identifier: GPL-3.0-or-later
// What all views share: theme, selection and its history, ticks, numbers, captions.
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/charts/chart_words.h"
#include "views/common/agreeing.h"
#include "views/common/caption.h"
#include "views/common/marks.h"
#include "views/common/state_words.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_text.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace warpglass;
using namespace warpglass::samples;

namespace {} // namespace

class TestCommon : public QObject {
    Q_OBJECT
private slots:
    void ticksAreRoundInsideAndNotTooMany() {
        QCOMPARE(axisTicks(0, 10, 11), (QVector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        QCOMPARE(axisTicks(0, 100, 6), (QVector<std::int64_t>{0, 20, 40, 60, 80, 100}));
        QCOMPARE(axisTicks(13, 87, 4), (QVector<std::int64_t>{20, 40, 60, 80}));
        QCOMPARE(axisTicks(13, 87, 2), (QVector<std::int64_t>{50}));
        QCOMPARE(axisTicks(-30, 30, 5), (QVector<std::int64_t>{-20, 0, 20}));
        QCOMPARE(axisTicks(7, 7, 5), (QVector<std::int64_t>{7}));
        QVERIFY(axisTicks(5, 4, 5).isEmpty());
        const auto huge =
            axisTicks(std::numeric_limits<std::int64_t>::min() / 2, std::numeric_limits<std::int64_t>::max() / 2, 9);
        QVERIFY(huge.size() >= 2 && huge.size() <= 9);
    }

    void timesAreWrittenWithTheDigitsThatTicksNeed() {
        QCOMPARE(timeText({850}, TimeUnit::Nanoseconds), QStringLiteral("850 ns"));
        QCOMPARE(timeText({12'418}, TimeUnit::Nanoseconds), QStringLiteral("12.418 µs"));
        QCOMPARE(timeText({12'000}, TimeUnit::Nanoseconds, 1000), QStringLiteral("12 µs"));
        QCOMPARE(timeText({12'500}, TimeUnit::Nanoseconds, 500), QStringLiteral("12.5 µs"));
        QCOMPARE(timeText({20'000'000}, TimeUnit::Nanoseconds, 1'000'000), QStringLiteral("20 ms"));
        QCOMPARE(timeText({5'000'000}, TimeUnit::Nanoseconds, 5'000'000), QStringLiteral("5 ms")); // as 10 ms behind it
        QCOMPARE(timeText({0}, TimeUnit::Nanoseconds, 200'000'000), QStringLiteral("0 ms"));
        QCOMPARE(timeText({1284}, TimeUnit::Steps), QStringLiteral("1,284 steps"));
        QCOMPARE(timeText({1}, TimeUnit::Steps), QStringLiteral("1 step"));
    }

    void textCanBeReadInEveryTheme() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print}) {
            const Theme t = Theme::make(kind);
            for (const QColor& ground : {t.window, t.panel}) {
                QVERIFY(samples::contrast(t.text, ground) >= 7);
                for (const QColor& ink : {t.textMuted, t.accent, t.attention, t.wrong})
                    QVERIFY2(samples::contrast(ink, ground) >= 4.0,
                             qPrintable(ink.name() + QStringLiteral(" on ") + ground.name()));
            }
            for (const Origin o : {Origin::Measured, Origin::Counted, Origin::Modelled})
                QVERIFY(samples::contrast(t.origin(o), t.originSoft(o)) >= 4.5);
            QVERIFY(samples::contrast(t.textOnAccent, t.accent) >= 4.5);
            QVERIFY(samples::contrast(t.laneOn, t.laneOff) >= 1.9); // told apart without colour
        }
    }

    void laneStatesDifferWithoutColour() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const QVector<LaneMark> marks{LaneMark::On,     LaneMark::Off,           LaneMark::Exited,
                                      LaneMark::Absent, LaneMark::PredicateTrue, LaneMark::PredicateFalse};
        QVector<QImage> grey;
        for (const LaneMark mark : marks) {
            QImage image(40, 14, QImage::Format_RGB32);
            image.fill(theme.panel);
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing);
            paintLane(painter, QRectF(1, 1, 38, 12), mark, theme);
            painter.end();
            grey << image.convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_RGB32);
        }
        for (int a = 0; a < grey.size(); ++a)
            for (int b = a + 1; b < grey.size(); ++b)
                QVERIFY2(differingPixels(grey[a], grey[b], 18) > 0.02,
                         qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
    }

    void theHistoryHoldsChangesButNotPlayingTime() {
        SelectionModel m;
        QSignalSpy changed(&m, &SelectionModel::changed);
        Selection s = m.get();
        s.warp = 3;
        m.set(s);
        m.setTime({10});
        m.setTime({20});
        s = m.get();
        s.warp = 5;
        m.set(s);
        QCOMPARE(changed.count(), 4);
        m.back();
        QCOMPARE(m.get().warp, 3u);
        QVERIFY(m.canGoForward());
        m.forward();
        QCOMPARE(m.get().warp, 5u);
        m.back();
        s = m.get();
        s.lane = 1;
        m.set(s); // a new way: forward is gone
        QVERIFY(!m.canGoForward());
        m.reset();
        QVERIFY(!m.canGoBack());
    }

    void manyZoomStepsAreOneEntry() {
        SelectionModel m;
        Selection s = m.get();
        s.warp = 1;
        m.set(s);
        for (int i = 1; i <= 20; ++i) {
            s.visible = {{0}, {1000 / i}};
            m.set(s);
        }
        m.back();
        QCOMPARE(m.get().visible, TimeRange{});
        QCOMPARE(m.get().warp, 1u);
    }

    void steppingFollowsTheEventsOfTheWarp() {
        const TracePtr t = mathKernel(false); // events of warp 0 at 0, 3, 4, 6, 7, 9
        Selection s;
        s.warp = 0;
        QVector<std::int64_t> seen;
        for (int i = 0; i < 7; ++i) {
            s = stepped(s, *t, 1);
            seen << s.time.value;
        }
        QCOMPARE(seen, (QVector<std::int64_t>{3, 4, 6, 7, 9, 9, 9}));
        s.time = {5};
        QCOMPARE(stepped(s, *t, -1).time.value, std::int64_t(4));
    }

    void blockAndLaunchFollowFromTheWarp() {
        const TracePtr t = neighbored(false); // two warps a block
        Selection s;
        s.warp = 5;
        QCOMPARE(completed(s, *t).block, 2u);
        s.warp = 5000;
        QCOMPARE(completed(s, *t).warp, noIndex);
        Selection none;
        none.block = 3;
        QCOMPARE(warpToShow(none, *t), 6u);
    }

    void aCaptionTellsOriginLossesAndClockError() {
        auto t = std::make_shared<Trace>(*mathKernel(false));
        QVERIFY(traceCaption(*t, {}).contains(QStringLiteral("mathKernel1 <<<1, 64>>>")));
        t->info.backend = BackendKind::Cuda;
        t->info.timeUnit = TimeUnit::Nanoseconds;
        t->info.timeOrigin = Origin::Measured;
        t->info.clockResidual = 32;
        t->losses.push_back({0, 1234});
        const QString caption = traceCaption(*t, {});
        QVERIFY(caption.contains(QStringLiteral("measured")));
        QVERIFY(caption.contains(QStringLiteral("± 32 ns")));
        QVERIFY(caption.contains(QStringLiteral("1,234")));
        // Where it has no room whole parts go, and what is missing stays beside the name.
        const QFont font = Theme::make(ThemeKind::Light).small();
        QCOMPARE(fittedTraceCaption(*t, {}, font, textWidth(font, caption)), caption);
        for (qreal width = textWidth(font, caption) - 1; width > 0; width -= 20) {
            const QString fitted = fittedTraceCaption(*t, {}, font, width);
            QVERIFY(fitted.startsWith(QStringLiteral("mathKernel1 <<<1, 64>>>")));
            for (const QString& part : fitted.split(QStringLiteral("  ·  ")))
                QVERIFY2(caption.split(QStringLiteral("  ·  ")).contains(part), qPrintable(part));
            QVERIFY(fitted.contains(QStringLiteral("1,234")) || !fitted.contains(QChar(0xb7)));
        }
    }

    void csvFieldsWithCommasAreQuoted() {
        QCOMPARE(csvField(QStringLiteral("a")), QStringLiteral("a"));
        QCOMPARE(csvField(QStringLiteral("a, \"b\"")), QStringLiteral("\"a, \"\"b\"\"\""));
    }

    // What one view calls a state all views call it, and no two states are called alike. Nsight Compute's names are those of
    // its section "Warp State Statistics".
    void statesHaveOneNameEach() {
        QSet<QString> names, words, nsight;
        for (const WarpState state : allOf<WarpState>) {
            names.insert(stateName(state));
            words.insert(stateWord(state));
            nsight.insert(stateNsight(state));
            QVERIFY(!stateMeaning(state).isEmpty());
            QCOMPARE(stateTitle(QStringLiteral("share_") + QString::fromLatin1(name(state))), stateName(state));
            TimelineModel model;
            model.categories = int(WarpState::Count_);
            QCOMPARE(timelineCategoryName(model, int(state)), stateName(state));
            QVERIFY(stateExplained(state).contains(stateNsight(state)));
        }
        QCOMPARE(names.size(), int(WarpState::Count_));
        QCOMPARE(words.size(), int(WarpState::Count_));
        QCOMPARE(nsight.size(), int(WarpState::Count_));
        QCOMPARE(stateNsight(WarpState::StallLongScoreboard), QStringLiteral("Stall Long Scoreboard"));
        QCOMPARE(stateNsight(WarpState::Eligible), QStringLiteral("Stall Not Selected"));
        // A kernel without shared memory waits on the short scoreboard, too: for special registers and functions.
        QVERIFY(!stateName(WarpState::StallShortScoreboard).contains(QStringLiteral("shared")));
        QVERIFY(stateMeaning(WarpState::StallShortScoreboard).contains(QStringLiteral("special register")));
    }

    // "1 lane goes on", "2 lanes go on": a pair follows the number before it.
    void wordsAgreeWithTheirNumber() {
        const QString text = QStringLiteral("%1 {sector is|sectors are} moved for %2 {byte|bytes}: %3");
        QCOMPARE(agreeing(text, 1, 32, QString("100 %")), QString("1 sector is moved for 32 bytes: 100 %"));
        QCOMPARE(agreeing(text, 12u, 1, QString("%1 {a|b}")), QString("12 sectors are moved for 1 byte: %1 {a|b}"));
        QCOMPARE(agreeing(text, 0, QString("1,024"), QString()), QString("0 sectors are moved for 1,024 bytes: "));
        QCOMPARE(agreeing(QStringLiteral("移动 %1 个扇区"), 1), QString::fromUtf8("移动 1 个扇区"));
        QCOMPARE(agreeing(QStringLiteral("{ %1 of %2 } 50 %"), 1, 2), QString("{ 1 of 2 } 50 %"));
    }
};

WARPGLASS_QT_TEST(TestCommon)
#include "test_common.moc"
