// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks and notes: kept in order, written beside the trace, driven by keys; exports stay small whatever the trace.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"
#include "views/timeline/timeline_notes.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace warpglass;

namespace {

// A million events on 4 SMs x 16 warpSlots, each span of another length, masks and barriers mixed: nothing to merge.
TracePtr million() {
    auto trace = std::make_shared<Trace>();
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->info.smClockMHz = 1980;
    trace->kernels.push_back({.name = "synthetic"});
    trace->sites.push_back({.kind = SiteKind::Branch, .ptxLine = 1});
    std::mt19937 random(7);
    constexpr std::uint32_t warpSlots = 16, sms = 4, events = 15'625;
    std::int64_t end = 0;
    for (std::uint32_t sm = 0; sm < sms; ++sm) {
        trace->blocks.push_back({.index = sm,
                                 .firstWarp = std::uint32_t(trace->warps.size()),
                                 .warpCount = warpSlots,
                                 .sm = std::uint16_t(sm)});
        for (std::uint32_t w = 0; w < warpSlots; ++w) {
            Warp warp{.block = sm,
                      .warpInBlock = std::uint16_t(w),
                      .slot = std::uint16_t(w),
                      .liveLanes = LaneMask::all(),
                      .firstEvent = trace->events.size(),
                      .eventCount = events};
            std::int64_t at = 0;
            for (std::uint32_t e = 0; e < events; ++e) {
                const bool waits = random() % 2 == 0;
                trace->events.push(at, 0, waits ? EventKind::BarrierArrive : EventKind::Branch,
                                   {std::uint32_t(random())}, {});
                at += 1 + random() % 400;
            }
            warp.end = {at};
            end = std::max(end, at);
            trace->warps.push_back(warp);
        }
        trace->blocks.back().end = {end};
    }
    trace->launches.push_back({.grid = {sms}, .block = {warpSlots * 32}, .end = {end}, .blockCount = sms});
    return trace;
}

} // namespace

class TestTimelineNotes : public QObject {
    Q_OBJECT
private slots:
    void notesStayInOrderAndAreFound() {
        TimelineNotes notes;
        for (std::int64_t t : {50, 10, 30})
            notes = withNote(notes, {{t}, noIndex, QString::number(t)});
        notes = withNote(notes, {{30}, noIndex, "again"}); // replaces
        QCOMPARE(notes.size(), 3);
        QCOMPARE(notes[0].text, QString("10"));
        QCOMPARE(notes[1].text, QString("again"));
        QCOMPARE(noteNear(notes, {33}, {5}), 1);
        QCOMPARE(noteNear(notes, {40}, {5}), -1);
        QCOMPARE(noteAfter(notes, {30}, 1), 2);
        QCOMPARE(noteAfter(notes, {50}, 1), 0); // round again
        QCOMPARE(noteAfter(notes, {30}, -1), 0);
        QCOMPARE(noteAfter(notes, {10}, -1), 2);
        QCOMPARE(notesFromOption(notesToOption(notes)), notes);
    }

    void notesLieBesideTheTrace() {
        QTemporaryDir folder;
        const QString trace = folder.filePath("run.wgt");
        TimelineNotes notes = withNote({}, {{1LL << 60}, 3, QString::fromUtf8("late \u201cwarp\u201d, \u6700\u540e")});
        QCOMPARE(writeNotes(trace, notes), QString());
        QVERIFY(QFile::exists(folder.filePath("run.wgt.notes.json")));
        QCOMPARE(readNotes(trace), notes);
        QCOMPARE(writeNotes(trace, {}), QString());
        QVERIFY(!QFile::exists(notesPath(trace)));
        // What is damaged is told, and left as it is.
        QFile broken(notesPath(trace));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"notes\": [");
        broken.close();
        QString problem;
        QVERIFY(readNotes(trace, &problem).isEmpty());
        QVERIFY(!problem.isEmpty());
        QVERIFY(!writeNotes(folder.filePath("no/such/folder/run.wgt"), notes).isEmpty());
    }

    void keysAddEditFindAndRemoveThemAndTheKeeperSaves() {
        QTemporaryDir folder;
        const QString path = folder.filePath("run.wgt");
        QString answer = "all wait here";
        SelectionModel selection;
        ViewWidget widget(makeAskingTimelineView([&](const QString&, const QString&) { return std::optional(answer); }),
                          &selection);
        OptionKeeper keeper(&widget, keptNotes());
        widget.resize(1000, 600);
        widget.setTrace(samples::manyBranches(2000));
        keeper.follow(path);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QTRY_VERIFY(widget.picture());
        widget.setFocus();
        const QImage without = widget.grab().toImage();
        const TimeRange all = widget.context().trace->range();
        const Time first = all.begin + Time{all.length().value / 4}, second = all.begin + Time{all.length().value / 2};
        selection.setTime(second);
        QTest::keyClick(&widget, Qt::Key_B);
        selection.setTime(first);
        QTest::keyClick(&widget, Qt::Key_B);
        QTest::keyClick(&widget, Qt::Key_E);
        QCOMPARE(readNotes(path).size(), 2);
        QCOMPARE(readNotes(path)[0].text, answer);
        QVERIFY(samples::differingPixels(without, widget.grab().toImage()) > 0);
        QTest::keyClick(&widget, Qt::Key_N);
        QCOMPARE(selection.get().time, second);
        QTest::keyClick(&widget, Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(selection.get().time, first);
        QTest::keyClick(&widget, Qt::Key_Delete);
        QCOMPARE(readNotes(path).size(), 1);
        QCOMPARE(readNotes(path)[0].time, second);
        // Jumping brings the note into sight.
        selection.setTime(all.begin);
        for (int i = 0; i < 8; ++i)
            QTest::keyClick(&widget, Qt::Key_W);
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&widget, Qt::Key_A);
        QVERIFY(selection.get().visible.end < second);
        QTest::keyClick(&widget, Qt::Key_N);
        QVERIFY(selection.get().visible.begin <= second && selection.get().visible.end > second);
        // Another view of the same file finds them again.
        ViewWidget again(makeTimelineView(), &selection);
        OptionKeeper(&again, keptNotes()).follow(path);
        QCOMPARE(notesFromOption(again.context().options.value(notesOption)).size(), 1);
    }

    // "It draws what is seen": spans are merged to pixels, so the drawing of a full window does not grow with events.
    void drawingsOfManyEventsStaySmall() {
        QTemporaryDir folder;
        const auto view = makeTimelineView();
        const PaintContext context = contextOf(million());
        for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
            const QString path = folder.filePath(QString("timeline.") + suffix);
            QCOMPARE(exportView(*view, context, path, {1920, 1080}), QString());
            QVERIFY(QFile(path).size() > 1000);
            QVERIFY2(QFile(path).size() < 2'000'000,
                     qPrintable(QString("%1: %2 bytes").arg(suffix).arg(QFile(path).size())));
        }
    }

    void everyTextIsSaidInChinese() {
        samples::Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeAskingTimelineView([](const QString&, const QString&) { return std::nullopt; });
        for (const TracePtr& trace : {samples::manyBranches(2000), samples::neighbored(false), million()}) {
            PaintContext context = contextOf(trace);
            context.options[notesOption] = notesToOption(withNote({}, {{5}, noIndex, {}}));
            for (const char* rows : {"hardware", "program"}) {
                context.options["rows"] = rows;
                samples::pictureOf(*view, context, {1280, 720});
                const PicturePtr picture = view->compose(context, QRectF(0, 0, 1280, 720));
                for (int y = 0; y < 720; y += 9)
                    picture->spotAt(QPointF(300 + y, y));
            }
            samples::answers(*view, QRectF(0, 0, 1280, 720), context, KeyInput{Qt::Key_E, {}});
            view->switches(context);
        }
        PaintContext empty = contextOf(nullptr);
        view->emptiness(empty);
        view->title();
        view->question();
        readNotes("/");
        writeNotes("/no/such/folder/x", withNote({}, {}));
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join("\n")));
    }
};

WARPGLASS_QT_TEST(TestTimelineNotes)
#include "test_timeline_notes.moc"
