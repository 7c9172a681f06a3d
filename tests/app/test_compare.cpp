// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces in step: where they are aligned, what differs, and how the window shows it.
#include "app/window/export/export_dialog.h"
#include "app/window/model/alignment.h"
#include "app/window/model/differences.h"
#include "app/window/sides/side_dock.h"
#include "app/window/view_registry.h"
#include "app/window/window_parts.h"
#include "gpu/metrics/metrics.h"
#include "tests/app/export_checks.h"
#include "tests/app/hand_trace.h"
#include "tests/app/page_reader.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/beside.h"

#include <QHeaderView>
#include <QtTest>

using namespace warpglass;

namespace {

// The hand-made trace, later by `late`; its first barrier is made of the branches, which come `slow` later still.
std::shared_ptr<Trace> lateTrace(std::int64_t late) {
    auto t = std::make_shared<Trace>(*handTrace());
    for (Launch& l : t->launches) {
        l.start.value += late;
        l.end.value += late;
    }
    for (Block& b : t->blocks) {
        b.start.value += late;
        b.end.value += late;
    }
    for (Warp& w : t->warps) {
        w.start.value += late;
        w.end.value += late;
    }
    return t;
}

PaintContext pairOf(TracePtr a, TracePtr b) {
    PaintContext c;
    c.trace = std::move(a);
    c.other = std::move(b);
    c.theme = Theme::make(ThemeKind::Light);
    return c;
}

const Difference* find(const QVector<Difference>& rows, const QString& metric) {
    for (const Difference& d : rows)
        if (d.metric == metric)
            return &d;
    return nullptr;
}

} // namespace

class TestCompare : public QObject, WindowFixture {
    Q_OBJECT
    static RunRequest request(const char* kernel) {
        RunRequest r;
        r.kernel = kernel;
        r.launch.size = 256;
        r.launch.block = Dim3{64, 1, 1};
        return r;
    }
    void compareReductions() {
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->compareWith(RunSource(request("reduceInterleaved")));
        settle();
        QVERIFY(m_window->other());
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassCompare")); }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }

    void tracesAreAlignedAtTheirStartOrAtAPlaceBothHave() {
        // Starts at 10 and 110; branches at 12 and, in the second trace, where only warp 1's lanes part, moved.
        const auto a = handTrace();
        const auto b = lateTrace(100);
        QCOMPARE(shiftAt(*a, *b, "start")->value, 100);
        QCOMPARE(shiftAt(*a, *b, "branch")->value, 100);
        QCOMPARE(firstAt(*a, "divergence")->value, 12);
        QCOMPARE(firstAt(*a, "exit")->value, 18); // warp 1 ends first
        QVERIFY(!firstAt(*a, "barrier"));
        QVERIFY(!shiftAt(*a, *b, "barrier"));
        QVERIFY(!shiftAt(*a, *b, "nonsense"));
        QStringList keys;
        for (const AlignmentChoice& choice : alignmentChoices(*a, *b))
            keys << choice.key;
        QCOMPARE(keys, (QStringList{"start", "branch", "divergence", "exit"}));
    }

    void aPlaceIsFoundInTheOtherTraceAndBack() {
        PaintContext c = pairOf(handTrace(), lateTrace(100));
        c.selection.warp = 1;
        c.selection.block = 0;
        c.selection.time = {15};
        c.selection.visible = {{12}, {18}};
        c.selection.lane = 7;
        c.selection.sourceLine = 2;
        const PaintContext other = contextOfOther(c);
        QCOMPARE(other.trace, c.other);
        QVERIFY(!other.other);
        QCOMPARE(other.selection.time.value, 115);
        QCOMPARE(other.selection.visible, (TimeRange{{112}, {118}}));
        QCOMPARE(other.selection.warp, 1u);
        QCOMPARE(other.selection.lane, 7);
        QCOMPARE(other.selection.sourceLine, 2u); // the same source
        QCOMPARE(selectionFromOther(other.selection, c), c.selection);
        c.otherShift = Time{90}; // aligned elsewhere
        QCOMPARE(contextOfOther(c).selection.time.value, 105);
        QCOMPARE(selectionFromOther(contextOfOther(c).selection, c), c.selection);
    }

    void aPlaceThatTheOtherDoesNotHaveStaysUnchosen() {
        auto small = std::make_shared<Trace>(*handTrace());
        small->warps.pop_back();
        small->blocks[0].warpCount = 1;
        PaintContext c = pairOf(handTrace(), small);
        c.selection.block = 0;
        c.selection.warp = 1;
        QCOMPARE(contextOfOther(c).selection.block, 0u);
        QCOMPARE(contextOfOther(c).selection.warp, noIndex);
    }

    void momentsOfBothAreThoseOfTheAlignedTimes() {
        Progress progress;
        const auto a = handTrace();
        const auto b = lateTrace(100);
        // Aligned with 99: the second's 110, 111, 112, 118, 120 stand at 11, 12, 13, 19, 21.
        QCOMPARE(momentsOf(*a, b.get(), progress, 4, Time{99}).times,
                 (std::vector<std::int64_t>{10, 11, 12, 13, 18, 19, 20, 21}));
        QCOMPARE(momentsOf(*a, b.get(), progress, 4).times, (std::vector<std::int64_t>{10, 11, 12, 18, 20}));
    }

    void figuresOfOneOriginAreSetAgainstEachOther() {
        auto a = std::make_shared<Trace>(*handTrace()), b = std::make_shared<Trace>(*handTrace());
        a->counters = {{0, "duration_ns", "gpu__time_duration.sum", 1000, "ns", Origin::Measured},
                       {0, "gld_efficiency", "", 50, "%", Origin::Measured}};
        b->counters = {{0, "duration_ns", "gpu__time_duration.sum", 1250, "ns", Origin::Modelled},
                       {0, "gld_efficiency", "", 25, "%", Origin::Measured}};
        const QVector<Difference> rows = differences(*a, *b);
        const Difference* duration = find(rows, "duration_ns");
        QVERIFY(duration && duration->a && duration->b);
        QCOMPARE(*duration->a, 1000.0);
        QCOMPARE(duration->originB, Origin::Modelled);
        QCOMPARE(*duration->difference(), 250.0);
        QCOMPARE(*duration->ratio(), 1.25);
        QVERIFY(duration->mixed());
        const auto gld = std::find_if(rows.begin(), rows.end(), [](const Difference& d) {
            return d.metric == QLatin1String("gld_efficiency") && d.a && d.originA == Origin::Measured;
        });
        QVERIFY(gld != rows.end());
        QCOMPARE(*gld->ratio(), 0.5);
        QVERIFY(!gld->mixed());
        QCOMPARE(*find(rows, "warps recorded")->a, 2.0);
        QCOMPARE(*find(rows, "events recorded")->b, 6.0);
        const QString warning = differencesWarning(rows, *a, *b);
        QVERIFY2(warning.contains("+25.0 %") && warning.contains("duration_ns"), qPrintable(warning));
        QVERIFY(differencesWarning(differences(*a, *a), *a, *a).isEmpty());
        b->launches[0].block = {32, 1, 1}; // of another launch the gap says nothing about the model
        QVERIFY(!differencesWarning(rows, *a, *b).contains("25.0"));
        QVERIFY(!differencesWarning(rows, *a, *b).isEmpty());
        b->info.timeUnit = TimeUnit::Nanoseconds;
        QVERIFY(differencesWarning(rows, *a, *b).contains("steps"));
    }

    void theTableOfDifferencesIsWrittenWithUnitsAndOrigins() {
        auto a = std::make_shared<Trace>(*handTrace()), b = std::make_shared<Trace>(*handTrace());
        a->counters = {{0, "duration_ns", "n", 1000, "ns", Origin::Measured}};
        b->counters = {{0, "duration_ns", "n", 500, "ns", Origin::Modelled}};
        const QVector<Difference> differing = differences(*a, *b);
        const QVector<QStringList> rows = checks::parseCsv(differencesCsv(differing, "first, one", "second"));
        QCOMPARE(rows.size(), differing.size() + 1);
        QCOMPARE(rows[0], (QStringList{"metric", "nsight", "unit", "A: first, one", "origin of A", "B: second",
                                       "origin of B", "B - A", "B / A", "note"}));
        for (const QStringList& row : rows) {
            QCOMPARE(row.size(), 10);
            if (row[0] != QLatin1String("duration_ns"))
                continue;
            QCOMPARE(row.mid(2, 7), (QStringList{"ns", "1000", "measured", "500", "modelled", "-500", "0.5"}));
            QVERIFY(row[9].contains("model's error"));
        }
    }

    void everyViewTakesTwoTraces() {
        Progress progress;
        const Result<RunPtr> a = obtain(RunSource(request("reduceNeighbored")), progress),
                             b = obtain(RunSource(request("reduceInterleaved")), progress);
        QVERIFY(a && b);
        PaintContext both = pairOf((*a)->trace, (*b)->trace), alone = both;
        both.selection.block = both.selection.warp = 0;
        both.selection.time = {both.trace->range().begin.value + both.trace->range().length().value / 2};
        alone.selection = both.selection;
        alone.other = nullptr;
        for (const char* key :
             {"launchmap", "timeline", "lanes", "reduction", "memory", "launchtree", "occupancy", "source"}) {
            const auto view = makeView(key);
            if (view->emptiness(alone)) // no launches from the device here
                continue;
            QImage pictures[2];
            for (const PaintContext& c : {both, alone}) {
                QImage& image = pictures[c.other ? 0 : 1];
                image = QImage(1200, 800, QImage::Format_RGB32);
                QPainter painter(&image);
                paintView(*view, painter, QRectF(0, 0, 1200, 800), c);
            }
            QVERIFY2(checks::difference(pictures[0], pictures[1]).worst > 0.1, key); // the second is there
        }
    }

    void neighboredAndInterleavedPlayInStep() {
        compareReductions();
        const Trace &a = *m_window->current()->trace, &b = *m_window->other()->trace;
        // The masks of the documents: the first warp of a block of 64, the lanes that add in each step.
        const auto masks = [](const Trace& t) {
            QVector<quint32> adds;
            for (std::uint32_t n = 0; n < t.warps[0].eventCount; ++n) {
                const Event e = t.event(t.warps[0], n);
                if (e.kind == EventKind::Access &&
                    t.accessOfEvent(t.warps[0].firstEvent + n)->kind == AccessKind::Store)
                    adds << e.active.bits;
            }
            return adds;
        };
        QCOMPARE(masks(a).first(5), (QVector<quint32>{0x55555555, 0x11111111, 0x01010101, 0x00010001, 0x00000001}));
        QCOMPARE(masks(b).first(5), (QVector<quint32>{0xffffffff, 0x0000ffff, 0x000000ff, 0x0000000f, 0x00000003}));
        // Playing moves both: every moment of the transport is shown in all views, in both traces.
        const std::vector<std::int64_t>& times = m_window->transport().moments()->times;
        QVERIFY(times.size() > 10);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        const std::int64_t shift = (b.range().begin - a.range().begin).value;
        for (int step = 1; step < 8; ++step) {
            QTest::keyClick(m_window.get(), Qt::Key_BracketRight);
            QCOMPARE(m_window->selection().get().time.value, times[std::size_t(step)]);
            for (int v = 0; v < m_window->views().count(); ++v) {
                const PaintContext& c = m_window->views().at(v)->context();
                QCOMPARE(contextOfOther(c).selection.time.value, times[std::size_t(step)] + shift);
            }
        }
        // Totals, worked out here from the traces' own counts.
        const auto requests = [](const Trace& t) {
            double sum = 0;
            for (const InstructionCount& count : t.counts)
                if (count.isMemory && count.space == MemorySpace::Global && count.access == AccessKind::Load)
                    sum += double(count.sectors);
            return sum;
        };
        const Difference* loads = find(m_window->differences().rows(), "gld_transactions");
        QVERIFY(loads && loads->a && loads->b);
        QCOMPARE(*loads->a, requests(a));
        QCOMPARE(*loads->b, requests(b));
        QVERIFY(*loads->ratio() < 1); // interleaved moves less
        QVERIFY(child<QWidget>("comparePanel")->isVisible());
    }

    void theSecondTraceIsAlignedAtABarrierByKeyboard() {
        compareReductions();
        const Trace &a = *m_window->current()->trace, &b = *m_window->other()->trace;
        auto* align = child<QComboBox>("alignment");
        const int index = align->findData(QStringLiteral("release"));
        QVERIFY(index > 0);
        align->setFocus();
        for (int i = 0; i < index; ++i) {
            QTest::keyClick(align, Qt::Key_Down);
            settle();
        }
        QCOMPARE(m_window->differences().alignment(), QString("release"));
        const std::int64_t wanted = firstAt(b, "release")->value - firstAt(a, "release")->value;
        QVERIFY(wanted != (b.range().begin - a.range().begin).value); // or the test would show nothing
        for (int v = 0; v < m_window->views().count(); ++v)
            QCOMPARE(m_window->views().at(v)->context().otherShift.value().value, wanted);
        const std::vector<std::int64_t>& times = m_window->transport().moments()->times;
        QVERIFY(std::find(times.begin(), times.end(), firstAt(b, "release")->value - wanted) != times.end());
    }

    // However narrow it is, the line above the table names both.
    void bothRunsAreNamedAboveTheDifferences() {
        RunRequest other = request("reduceNeighbored");
        other.launch.block = Dim3{32, 1, 1}; // so that both are told apart by their launch, which is long
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->compareWith(RunSource(other));
        settle();
        m_window->resize(1280, 720);
        auto* title = child<QLabel>("differencesTitle");
        QTRY_VERIFY(title->text() != title->toolTip());
        QVERIFY2(title->text().contains(QRegularExpression("^A: run 1.*B: run 2: block")), qPrintable(title->text()));
        QVERIFY(title->fontMetrics().horizontalAdvance(title->text()) <= title->width());
        for (const char* side : {"leftDock", "rightDock"})
            child<SideDock>(side)->setFolded(false); // though there is no room
        m_window->resize(1024, 700);
        QTRY_VERIFY2(title->text().contains(QRegularExpression("^A: run.*B: run")), qPrintable(title->text()));
    }

    void aClickOnAColumnSortsTheDifferences() {
        compareReductions();
        auto* table = child<QTreeWidget>("differences");
        QCOMPARE(table->topLevelItemCount(), int(m_window->differences().rows().size()));
        QHeaderView* header = table->header();
        const int ratio = 6;
        const auto ratios = [&] {
            QVector<double> all;
            for (int i = 0; i < table->topLevelItemCount(); ++i)
                if (const QVariant v = table->topLevelItem(i)->data(ratio, Qt::UserRole); v.isValid())
                    all << v.toDouble();
            return all;
        };
        for (int clicks = 0; clicks < 2; ++clicks) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                              {header->sectionViewportPosition(ratio) + header->sectionSize(ratio) / 2, 8});
            QVector<double> sorted = ratios();
            QVERIFY(sorted.size() > 5);
            const bool up = header->sortIndicatorOrder() == Qt::AscendingOrder;
            QVERIFY(up ? std::is_sorted(sorted.begin(), sorted.end()) : std::is_sorted(sorted.rbegin(), sorted.rend()));
        }
        QCOMPARE(m_window->differences().exportCsv(m_folder->filePath("d.csv")), QString());
        QVERIFY(QFile::exists(m_folder->filePath("d.csv")));
        QVERIFY(!m_window->differences().exportCsv("/no/such/d.csv").isEmpty());
    }

    void theTableFoldsAwayAndGivesItsRoomToTheViews() {
        compareReductions();
        auto* fold = child<QToolButton>("foldDifferences");
        auto* table = child<QTreeWidget>("differences");
        QCOMPARE(table->isVisible(), fold->isChecked());
        if (!fold->isChecked())
            QTest::mouseClick(fold, Qt::LeftButton);
        QVERIFY(table->isVisible());
        const QWidget* panel = child<QWidget>("comparePanel");
        QTRY_VERIFY(table->height() > 50 && m_window->views().height() + panel->height() <= m_window->height());
        const int before = m_window->views().height(); // what has just been shown has its room
        fold->setFocus();
        QTest::keyClick(fold, Qt::Key_Space);
        QVERIFY(!table->isVisible());
        QTRY_VERIFY(m_window->views().height() > before + 50);
        QVERIFY(child<QComboBox>("alignment")->isVisible());
    }

    void comparingEndsWithThePanel() {
        compareReductions();
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QVERIFY(!m_window->other());
        QVERIFY(!child<QWidget>("comparePanel")->isVisible());
    }

    void theSameKernelWithAnotherBlockIsOneClickAway() {
        m_window->run(request("reduceNeighbored"));
        settle();
        QMenu* menu = child<QToolButton>("compareButton")->menu();
        emit menu->aboutToShow();
        QAction* found = nullptr;
        for (QAction* a : menu->actions())
            if (a->menu())
                for (QAction* inner : a->menu()->actions())
                    if (inner->text().contains(QStringLiteral("128")))
                        found = inner;
        QVERIFY(found);
        found->trigger();
        settle();
        QVERIFY(m_window->other());
        QCOMPARE(m_window->other()->name, QString("reduceNeighbored"));
        QCOMPARE(m_window->other()->trace->launches[0].block, (Dim3{128, 1, 1}));
        QCOMPARE(m_window->other()->trace->launches[0].grid, (Dim3{2, 1, 1})); // the same size
    }

    void exportDialogWritesWhatItSays() {
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
        auto* dialog = child<ExportDialog>("exportDialog");
        auto* path = dialog->findChild<QLineEdit*>("exportPath");
        auto* format = dialog->findChild<QComboBox*>("exportFormat");
        format->setFocus();
        QTest::keyClick(format, Qt::Key_Down); // SVG
        QCOMPARE(format->currentData().toString(), QString("svg"));
        path->setFocus();
        path->selectAll();
        QTest::keyClicks(path, m_folder->filePath("one.svg"));
        QSignalSpy written(dialog, &ExportDialog::written);
        QTest::keyClick(path, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 30000);
        const checks::Svg svg = checks::parseSvg(checks::bytesOf(m_folder->filePath("one.svg")));
        QVERIFY(svg.error.isEmpty() && svg.texts > 5);
    }

    void aReportIsWrittenFromTheWindow() {
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->action("report")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        auto* views = dialog->findChild<QListWidget*>("exportViews");
        QVERIFY(views->isVisible() && views->count() >= 5);
        for (int i = 1; i < views->count(); ++i) // the first alone
            views->item(i)->setCheckState(Qt::Unchecked);
        dialog->findChild<QLineEdit*>("exportPath")->setText(m_folder->filePath("r.html"));
        QSignalSpy written(dialog, &ExportDialog::written);
        QTest::mouseClick(dialog->findChild<QPushButton*>("exportWrite"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 30000);
        QCOMPARE(checks::bytesOf(m_folder->filePath("r.html")).count("<figure>"), 1);
    }

    void aPageThatPlaysIsWrittenFromTheWindow() {
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        m_window->action("page")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        QVERIFY(dialog->findChild<QComboBox*>("exportView")->isVisible());
        QVERIFY(!dialog->findChild<QComboBox*>("exportTheme")->isVisible()); // it has two
        dialog->findChild<QLineEdit*>("exportPath")->setText(m_folder->filePath("p.html"));
        QSignalSpy written(dialog, &ExportDialog::written);
        QTest::mouseClick(dialog->findChild<QPushButton*>("exportWrite"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 120000);
        const checks::ReadPage page = checks::readPage(checks::bytesOf(m_folder->filePath("p.html")));
        QCOMPARE(page.frames.size(), 1);
        QVERIFY(page.frames[0][0].size() > 3);
        QVERIFY(page.data["titles"].toArray()[0].toString().contains(QLatin1String("reduceNeighbored <<<")));
    }

    void aLessonsPageAndWorksheetAreWrittenFromTheWindow() {
        m_window->startLesson(QStringLiteral("resources-and-occupancy"));
        settle();
        m_window->action("page")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        auto* what = dialog->findChild<QComboBox*>("exportWhat");
        QCOMPARE(what->currentData().toInt(), int(ExportDialog::What::LessonPage));
        what->setCurrentIndex(what->findData(int(ExportDialog::What::Worksheet)));
        QVERIFY(dialog->findChild<QCheckBox*>("exportAnswers")->isVisible());
        auto* format = dialog->findChild<QComboBox*>("exportFormat");
        format->setCurrentIndex(format->findData(QStringLiteral("pdf")));
        dialog->findChild<QLineEdit*>("exportPath")->setText(m_folder->filePath("sheet.pdf"));
        QSignalSpy written(dialog, &ExportDialog::written);
        QTest::mouseClick(dialog->findChild<QPushButton*>("exportWrite"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 120000);
        QVERIFY(checks::bytesOf(m_folder->filePath("sheet.pdf")).startsWith("%PDF"));
    }

    void aFilmCanBeStopped() {
        m_window->run(request("reduceNeighbored"));
        settle();
        m_window->action("film")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        auto* format = dialog->findChild<QComboBox*>("exportFormat");
        format->setCurrentIndex(format->findData(QString())); // pictures: needs no ffmpeg
        dialog->findChild<QDoubleSpinBox*>("exportSeconds")->setValue(300);
        dialog->findChild<QLineEdit*>("exportPath")->setText(m_folder->filePath("film"));
        QSignalSpy failed(dialog, &ExportDialog::failed);
        QTest::mouseClick(dialog->findChild<QPushButton*>("exportWrite"), Qt::LeftButton);
        QTRY_VERIFY(dialog->working());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_folder->filePath("film/frame-00002.png")), 30000);
        QTest::keyClick(dialog, Qt::Key_Escape); // stops; the dialog stays and says so
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>("exportNote")->text().contains(QStringLiteral("cancelled")));
        QVERIFY(QDir(m_folder->filePath("film")).entryList({"*.png"}).size() < 7500);
    }
};

WARPGLASS_QT_TEST(TestCompare)
#include "test_compare.moc"
