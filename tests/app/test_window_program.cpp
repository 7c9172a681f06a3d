// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program in the real window: opened, walked through by mouse and keyboard, a launch looked at and left again,
// more of it recorded. The program is the one of sample_program.h; recording more runs a real one, skipped without nvcc.
#include "app/session/report.h"
#include "app/window/model/program_tables.h"
#include "app/window/program/name_delegate.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/machine/own_code.h"
#include "gpu/metrics/metrics.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "views/program/program_layout.h"
#include "views/program/program_model.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QScrollBar>
#include <QTableView>

#include <cstdlib>

using namespace warpglass;

namespace {

// Times are told of a GPU alone.
program::ProgramTrace measured() {
    program::ProgramTrace p = samples::handProgram();
    p.info.backend = BackendKind::Cuda;
    return p;
}

} // namespace

class TestWindowProgram : public QObject, WindowFixture {
    Q_OBJECT

    ProgramPage* page() { return child<ProgramPage>("programPage"); }
    QTableView* kernels() { return page()->kernels; }
    QTableView* launches() { return page()->launches; }
    QString note() { return child<QLabel>("launchNote")->text(); }
    QToolButton* toProgram() { return child<QToolButton>("toProgram"); }
    QString cell(QTableView* table, int row, int column) {
        return table->model()->index(row, column).data().toString();
    }
    QString place() { return child<QLabel>("breadcrumb")->text(); }

    // The hand-made program and the trace of its only recorded launch, beside it or inside.
    QString write(bool inside) {
        Progress progress;
        const QString trace = m_folder->filePath(QStringLiteral("launch-000000.wgt"));
        if (!writeTrace(*handTrace(), trace.toStdString(), progress).ok())
            qFatal("no trace");
        const QString path = m_folder->filePath(inside ? QStringLiteral("all.wgt") : QStringLiteral("program.wgt"));
        const auto ok = program::writeProgram(measured(), path.toStdString(),
                                              inside ? m_folder->path().toStdString() : std::string());
        if (!ok.ok())
            qFatal("no program");
        if (inside)
            QFile::remove(trace);
        return path;
    }
    void open(const QString& path) {
        m_window->openFile(path);
        settle();
    }
    QPoint placeOf(std::uint32_t operation) {
        const ViewWidget* view = page()->view;
        const ProgramModel& model = *view->context().program;
        const ProgramLayout l =
            layoutProgram(view->rect(), view->context().theme, model, view->context().selection.visible, 0);
        const program::Operation& o = model.operation(operation);
        for (int r = 0; r < l.count; ++r)
            if (!model.rows[std::size_t(r)].host && model.rows[std::size_t(r)].stream == o.stream)
                return QPointF(l.axis.x({o.start + lengthOf(o) / 2}), l.upper(r).bottom() - 3).toPoint();
        return {};
    }
    QPoint middleOf(QTableView* table, int row, int column) {
        return table->visualRect(table->model()->index(row, column)).center();
    }
    // As the system does it: a press, its release, the second press as a double click.
    void doubleClick(QTableView* table, int row, int column = 3) {
        const QPoint at = middleOf(table, row, column);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassProgram")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void aProgramOpensOnItsPage() {
        QVERIFY(!toProgram()->isVisible());
        open(write(false));
        QVERIFY(page()->isVisible());
        QVERIFY(!m_window->views().isVisible());
        QCOMPARE(place(), QStringLiteral("sample"));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("sample – Warpglass"));
        // By total time: sum 400 ns of 580, scale 180; worked out in test_program_model.
        QCOMPARE(kernels()->model()->rowCount(), 2);
        QCOMPARE(cell(kernels(), 0, KernelTable::Name), QStringLiteral("sum<int>"));
        QCOMPARE(cell(kernels(), 0, KernelTable::Share), QStringLiteral("69.0 %"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Launches), QStringLiteral("3"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Total), QStringLiteral("180 ns"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Mean), QStringLiteral("60 ns"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Least), QStringLiteral("20 ns"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Most), QStringLiteral("100 ns"));
        QCOMPARE(launches()->model()->rowCount(), 4);
        QCOMPARE(cell(launches(), 2, LaunchTable::Grid), QStringLiteral("2x2"));
        QCOMPARE(cell(launches(), 2, LaunchTable::Stream), QStringLiteral("stream 1"));
    }

    // The emulator's clock tells how long it worked: no share, no mean, no order by that.
    void kernelsOfTheEmulatorAreNotRankedByItsOwnWork() {
        program::ProgramTrace p = samples::handProgram();
        p.info.backend = BackendKind::Emulator;
        const QString path = m_folder->filePath(QStringLiteral("emulated.wgt"));
        QVERIFY(program::writeProgram(p, path.toStdString(), {}).ok());
        open(path);
        QCOMPARE(cell(kernels(), 0, KernelTable::Launches), QStringLiteral("3")); // as the program called them
        for (const int column : {KernelTable::Total, KernelTable::Share, KernelTable::Mean, KernelTable::Most})
            QCOMPARE(cell(kernels(), 0, column), QString());
    }

    // Names of libraries begin alike and are long: what stands behind their scopes is what is seen of them, the columns
    // of numbers leave them room, and a column that says "no" in every row is not there.
    void longNamesAreToldApart() {
        program::ProgramTrace p = measured();
        p.kernels[0].name = "at::native::(anonymous namespace)::scale_all<float, std::plus<float> >";
        p.kernels[0].entry = "scale";
        p.kernels[1].name = "at::native::sum<int>";
        p.kernels[1].entry = "sum";
        p.recordings.clear();
        for (program::Operation& o : p.operations)
            o.recording = noIndex;
        p.operations[2].end += 10'000'000; // beside which the other is little, but not nothing
        const QString path = m_folder->filePath(QStringLiteral("long.wgt"));
        QVERIFY(program::writeProgram(p, path.toStdString(), {}).ok());
        open(path);
        QVERIFY(kernels()->isColumnHidden(KernelTable::Recorded));
        const auto seen = [&](QTableView* table, int row, int column) {
            QStyleOptionViewItem option;
            option.initFrom(table->viewport());
            option.widget = table;
            option.rect = table->visualRect(table->model()->index(row, column));
            qobject_cast<NameDelegate*>(table->itemDelegateForColumn(column))
                ->initStyleOption(&option, table->model()->index(row, column));
            return option.text;
        };
        QCOMPARE(cell(kernels(), 0, KernelTable::Name), QString::fromStdString(p.kernels[0].name));
        QVERIFY2(seen(kernels(), 0, KernelTable::Name).startsWith("scale_all<float"),
                 qPrintable(seen(kernels(), 0, KernelTable::Name)));
        QVERIFY(seen(launches(), 0, LaunchTable::Kernel).startsWith("scale_all<"));
        QCOMPARE(cell(kernels(), 1, KernelTable::Share), QStringLiteral("< 0.1 %"));
        m_window->resize(1920, 1080);
        QTRY_VERIFY(launches()->columnWidth(LaunchTable::Kernel) >
                    launches()->fontMetrics().averageCharWidth() * 20); // what the numbers leave
        QCOMPARE(launches()->horizontalScrollBar()->maximum(), 0);
    }

    void theHeadersSort() {
        open(write(false));
        QHeaderView* head = kernels()->horizontalHeader();
        const auto press = [&](int column) {
            QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                              {head->sectionViewportPosition(column) + 8, head->height() / 2});
        };
        press(KernelTable::Launches);
        QVERIFY(cell(kernels(), 0, KernelTable::Launches) != cell(kernels(), 1, KernelTable::Launches));
        const QString first = cell(kernels(), 0, KernelTable::Name);
        press(KernelTable::Launches);
        QVERIFY(cell(kernels(), 0, KernelTable::Name) != first);
        launches()->sortByColumn(LaunchTable::Duration, Qt::DescendingOrder);
        QCOMPARE(cell(launches(), 0, LaunchTable::Duration), QStringLiteral("400 ns"));
        QCOMPARE(cell(launches(), 3, LaunchTable::Duration), QStringLiteral("20 ns"));
    }

    void whatIsChosenInOneIsChosenInAll() {
        open(write(false));
        QTest::mouseClick(kernels()->viewport(), Qt::LeftButton, {}, middleOf(kernels(), 1, 0));
        QCOMPARE(page()->kernel(), 0u);
        QCOMPARE(launches()->model()->rowCount(), 3);
        QVERIFY(launches()->isColumnHidden(LaunchTable::Kernel));
        QTest::mouseClick(launches()->viewport(), Qt::LeftButton, {}, middleOf(launches(), 2, 0));
        QCOMPARE(page()->operation(), 5u);
        QTest::mouseClick(page()->view, Qt::LeftButton, {}, placeOf(4)); // of the other kernel
        QCOMPARE(page()->operation(), 4u);
        QCOMPARE(kernels()->currentIndex().row(), 0);
        QCOMPARE(launches()->model()->rowCount(), 1);
        QVERIFY(note().contains(QStringLiteral("cudaErrorIllegalAddress")));
        click(child<QPushButton>("allKernels"));
        QCOMPARE(page()->kernel(), noIndex);
        QCOMPARE(launches()->model()->rowCount(), 4);
        QVERIFY(!kernels()->selectionModel()->hasSelection());
    }

    void aDoubleClickShowsTheLaunchAndTheProgramStays() {
        for (const bool inside : {false, true}) {
            open(write(inside));
            QTest::mouseDClick(page()->view, Qt::LeftButton, {}, placeOf(2));
            settle();
            QVERIFY(m_window->views().isVisible());
            QVERIFY(!page()->isVisible());
            QCOMPARE(m_window->current()->trace->warps.size(), handTrace()->warps.size());
            QVERIFY(place().startsWith(QStringLiteral("launch 0")));
            QVERIFY(toProgram()->isVisible());
            click(toProgram());
            QVERIFY(page()->isVisible());
            QCOMPARE(page()->operation(), 2u);                            // where one was
            QTest::keyClick(m_window.get(), Qt::Key_Up, Qt::AltModifier); // and to the launch again
            QVERIFY(m_window->views().isVisible());
            m_window->bench().show({});
        }
    }

    void aDoubleClickInTheListDoesTheSame() {
        open(write(false));
        doubleClick(launches(), 0);
        settle();
        QVERIFY(m_window->views().isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(page()->isVisible());
        doubleClick(kernels(), 1); // its first launch that was recorded
        settle();
        QVERIFY(m_window->views().isVisible());
    }

    // Of a library's kernel: what a double click shows is its code.
    void aLaunchWithoutPtxShowsItsMachineCode() {
        QFile file(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/machine/data/fates.sm_90.cubin"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        Trace trace;
        trace.info.backend = BackendKind::Cuda;
        trace.kernels.push_back({.name = "choose", .entry = "choose"});
        trace.launches.push_back({.grid = {2, 1, 1}, .block = {32, 1, 1}});
        trace.codes = machine::codeAlone(file.readAll().toStdString(), "choose");
        QVERIFY(!trace.codes.all.empty());
        Progress progress;
        QVERIFY(
            writeTrace(trace, m_folder->filePath(QStringLiteral("launch-000000.wgt")).toStdString(), progress).ok());
        program::ProgramTrace p = measured();
        const std::uint32_t row = p.recordings.front().operation;
        p.kernels[p.operations[row].kernel].unrecorded = say::MachineCodeOnly;
        const QString path = m_folder->filePath(QStringLiteral("program.wgt"));
        QVERIFY(program::writeProgram(p, path.toStdString(), {}).ok());
        open(path);
        const int launch = int(*page()->view->context().program->numberOf(row));
        QCOMPARE(cell(launches(), launch, LaunchTable::Recorded), QStringLiteral("code only"));
        QTest::mouseClick(launches()->viewport(), Qt::LeftButton, {}, middleOf(launches(), launch, 3));
        QVERIFY2(note().contains(QStringLiteral("without PTX. Its machine code was kept")), qPrintable(note()));
        QVERIFY(child<QPushButton>("openLaunch")->isVisible());
        QVERIFY(!child<QPushButton>("recordLaunch")->isEnabled());
        doubleClick(launches(), launch);
        settle();
        QVERIFY(m_window->views().isVisible());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("source"));
        if (const QString to = qEnvironmentVariable("WARPGLASS_PICTURES"); !to.isEmpty())
            QVERIFY(m_window->grab().save(to + QStringLiteral("/code_alone.png")));
    }

    void theKeyboardReachesEverything() {
        open(write(false));
        QVERIFY(page()->view->hasFocus());
        QTest::keyClick(page()->view, Qt::Key_Period);
        QTest::keyClick(page()->view, Qt::Key_Period);
        QTest::keyClick(page()->view, Qt::Key_Period);
        QCOMPARE(page()->operation(), 2u);
        QTest::keyClick(page()->view, Qt::Key_Return);
        settle();
        QVERIFY(m_window->views().isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_Up, Qt::AltModifier);
        launches()->setFocus();
        QTest::keyClick(launches(), Qt::Key_Down); // of scale: the second, which was not recorded
        QCOMPARE(page()->operation(), 3u);
        QTest::keyClick(launches(), Qt::Key_Return);
        QVERIFY(page()->isVisible());
        QVERIFY(note().contains(QStringLiteral("only the first launch of each kernel")));
        QSet<QWidget*> reached; // Tab goes through all of it
        page()->view->setFocus();
        for (int n = 0; n < 40; ++n) {
            reached << QApplication::focusWidget();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(reached.contains(page()->view) && reached.contains(kernels()) && reached.contains(launches()));
        for (const QWidget* w : std::initializer_list<QWidget*>{page()->view, kernels(), launches()})
            QVERIFY(!w->accessibleName().isEmpty());
    }

    // Launches 0 and 3 were recorded: from the first moment of one it goes back to the last of the other, and on likewise.
    void stepsGoOnToTheLaunchBeside() {
        Progress progress;
        program::ProgramTrace p = measured();
        p.operations[5].recording = 1;
        p.recordings.push_back({5, "launch-000003.wgt"});
        for (const auto& r : p.recordings)
            QVERIFY(writeTrace(*handTrace(), m_folder->filePath(QString::fromStdString(r.file)).toStdString(), progress)
                        .ok());
        const QString path = m_folder->filePath(QStringLiteral("program.wgt"));
        QVERIFY(program::writeProgram(p, path.toStdString(), {}).ok());
        open(path);
        QTest::mouseDClick(page()->view, Qt::LeftButton, {}, placeOf(5));
        settle();
        const auto at = [&](const QString& launch, std::int64_t time) {
            return place().startsWith(launch) && m_window->selection().get().time.value == time;
        };
        QWidget* view = m_window->views().current();
        view->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        QVERIFY2(at(QStringLiteral("launch 3"), 10), qPrintable(place()));
        QTest::keyClick(view, Qt::Key_BracketLeft);
        settle();
        QVERIFY2(at(QStringLiteral("launch 0"), 20), qPrintable(place()));
        if (const QString to = qEnvironmentVariable("WARPGLASS_PICTURES"); !to.isEmpty())
            QVERIFY(m_window->grab().save(to + QStringLiteral("/launch_before.png")));
        QTest::keyClick(m_window->views().current(), Qt::Key_BracketLeft); // within it again
        QVERIFY2(at(QStringLiteral("launch 0"), 18), qPrintable(place()));
        QTest::keyClick(m_window->views().current(), Qt::Key_BracketRight);
        QVERIFY2(at(QStringLiteral("launch 0"), 20), qPrintable(place()));
        QTest::keyClick(m_window->views().current(), Qt::Key_BracketRight);
        settle();
        QVERIFY2(at(QStringLiteral("launch 3"), 10), qPrintable(place()));
        for (QToolButton* button : m_window->transport().findChildren<QToolButton*>())
            if (button->toolTip().endsWith(QStringLiteral("([)")))
                click(button);
        settle();
        QVERIFY2(at(QStringLiteral("launch 0"), 20), qPrintable(place()));
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        QTest::keyClick(m_window->views().current(), Qt::Key_BracketLeft); // nothing was recorded before it
        QVERIFY2(at(QStringLiteral("launch 0"), 10), qPrintable(place()));
        QCOMPARE(m_window->views().message->text(), QStringLiteral("This is the first launch that was recorded."));
    }

    void aLaunchWithoutATraceSaysWhy() {
        open(write(false));
        QTest::mouseDClick(page()->view, Qt::LeftButton, {}, placeOf(3));
        QVERIFY(page()->isVisible());
        QVERIFY(note().contains(QStringLiteral("only the first launch of each kernel")));
        QVERIFY(child<QPushButton>("recordLaunch")->isVisible());
        QVERIFY(!child<QPushButton>("recordLaunch")->isEnabled()); // nobody knows how it was started
        QVERIFY(note().contains(QStringLiteral("does not say how the program was started")));
        QVERIFY(!child<QPushButton>("openLaunch")->isVisible());
    }

    void whatWentWrongIsListedAndLeadsThere() {
        open(write(false));
        auto* tabs = child<QTabWidget>("programTabs");
        QCOMPARE(tabs->tabText(1), QStringLiteral("What went wrong (4)"));
        tabs->setCurrentIndex(1);
        auto* faults = child<QListWidget>("programFaults");
        QVERIFY(faults->item(2)->text().contains(QStringLiteral("an address that nobody has")));
        QTest::mouseClick(faults->viewport(), Qt::LeftButton, {}, faults->visualItemRect(faults->item(2)).center());
        QCOMPARE(page()->operation(), 4u);
    }

    void aMissingTraceIsOneSentence() {
        const QString path = write(false);
        QFile::remove(m_folder->filePath(QStringLiteral("launch-000000.wgt")));
        open(path);
        QTest::mouseDClick(page()->view, Qt::LeftButton, {}, placeOf(2));
        settle();
        QVERIFY(page()->isVisible());
        QVERIFY(page()->message->showsError());
        QVERIFY(page()->message->text().contains(QStringLiteral("launch-000000.wgt")));
    }

    // Cut anywhere, or with bytes turned over: a sentence, and the window lives.
    void aDamagedFileIsOneSentence() {
        const QString path = write(false);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        for (int n = 0; n < 24; ++n) {
            QByteArray bytes = whole;
            if (n < 8)
                bytes.truncate(100 + n * whole.size() / 8);
            else
                for (qsizetype at = 100 + n * 37; at < bytes.size(); at += 211 + n)
                    bytes[at] = char(~bytes[at]);
            const QString damaged = m_folder->filePath(QStringLiteral("damaged-%1.wgt").arg(n));
            QFile out(damaged);
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
            out.close();
            m_window->openFile(damaged);
            settle();
            const QString said = page()->isVisible() ? page()->message->text() : m_window->views().message->text();
            QVERIFY(page()->isVisible() || !said.isEmpty());
            QVERIFY(!said.contains(QLatin1Char('\n')));
            page()->grab();
        }
        open(path);
        QVERIFY(page()->isVisible());
    }

    void droppedAndRecentFilesOpen() {
        const QString path = write(false);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &drop);
        settle();
        QVERIFY(page()->isVisible());
        auto* recent = m_window->findChild<QAction*>(QStringLiteral("open"));
        QVERIFY(recent);
        QTest::keyClick(m_window.get(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(!page()->isVisible());
        open(m_folder->path()); // the folder is the recording, too
        QVERIFY(page()->isVisible());
    }

    void theViewOfTheProgramIsExported() {
        open(write(false));
        const QString path = m_folder->filePath(QStringLiteral("p.csv"));
        QCOMPARE(m_window->exportCurrentView(path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 11);
        QVERIFY(m_window->action(QStringLiteral("export"))->isEnabled());
        QVERIFY(!m_window->action(QStringLiteral("report"))->isEnabled()); // of a launch only
        QVERIFY(!m_window->action(QStringLiteral("play"))->isEnabled());   // nothing plays behind the page
        QVERIFY(m_window->action(QStringLiteral("nextEvent"))->isEnabled());
        click(toProgram());
        QVERIFY(m_window->action(QStringLiteral("play"))->isEnabled());
    }

    void aKernelOfTheGalleryTakesThePlaceAndTheProgramStays() {
        open(write(false));
        click(toProgram()); // to the gallery: nothing was run yet
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QVERIFY(m_window->views().isVisible());
        QVERIFY(!place().contains(QStringLiteral("launch 0")));
        click(toProgram());
        QVERIFY(page()->isVisible());
    }

    // many.cu: 5000 launches of one kernel, of which the first is recorded by itself.
    void moreLaunchesAreRecordedByRunningItAgain() {
#ifdef WARPGLASS_WITHOUT_PROGRAMS
        QSKIP("a sanitizer's library must be loaded before all others, and nvcc's programs do not");
#endif
        if (!hasCompiler())
            QSKIP("no nvcc here");
        for (const QString& output : {QStringLiteral("folder"), QStringLiteral("one.wgt")}) {
            QProcess process;
            process.setWorkingDirectory(m_folder->path());
            QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("many.cu"))) ||
                    QFile::copy(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/programs/sources/many.cu"),
                                m_folder->filePath(QStringLiteral("many.cu"))));
            for (const QString& header : {QStringLiteral("check.h"), QStringLiteral("want.h")})
                QFile::copy(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/programs/sources/") + header,
                            m_folder->filePath(header));
            process.start(QStringLiteral(WARPGLASS_BINARY_DIR "/bin/warpglass-record"),
                          {"program", "many.cu", "-o", output});
            QVERIFY(process.waitForFinished(120000));
            QCOMPARE(process.exitCode(), 0);
            open(m_folder->filePath(output));
            QVERIFY(page()->isVisible());
            const ProgramModelPtr before = m_window->programs().program();
            QCOMPARE(before->kernels[0].recorded, std::uint64_t(1));
            const std::uint32_t third = before->launches[3];
            doubleClick(launches(), 3);
            QCOMPARE(page()->operation(), third);
            auto* record = child<QPushButton>("recordLaunch");
            QVERIFY(record->isEnabled() && record->hasFocus());
            QTest::keyClick(record, Qt::Key_Space);
            settle();
            QVERIFY2(!page()->message->showsError(), qPrintable(page()->message->text()));
            const ProgramModelPtr after = m_window->programs().program();
            QCOMPARE(after->kernels[0].recorded, std::uint64_t(2));
            QCOMPARE(page()->operation(), third);
            // Times stay those of the first run, and the first recording is there as well.
            QCOMPARE(after->operation(third).start, before->operation(third).start);
            for (const int launch : {0, 3}) {
                doubleClick(launches(), launch);
                settle();
                QVERIFY(m_window->views().isVisible());
                QVERIFY(place().startsWith(QStringLiteral("launch %1").arg(launch)));
                click(toProgram());
            }
            QVERIFY(!QDir(m_folder->path()).entryList({"*.more-*"}, QDir::AllEntries).size());
        }
    }

    // By hand: 14 kernels, of which one has "gemm" in its name and one in its signature. The first was launched three times in
    // two shapes: 2 x 64 twice, 100 + 300 ns, and 1 x 32 once, 50 ns.
    void findsKernelsAndGroupsLaunchesByShape() {
        program::ProgramTrace p;
        p.info.backend = BackendKind::Cuda;
        p.streams.push_back({.name = "default"});
        for (int k = 0; k < 14; ++k)
            p.kernels.push_back({.name = k == 0 ? "big_Gemm" : "k" + std::to_string(k),
                                 .signature = k == 5 ? "void k5<gemm>(int)" : "",
                                 .entry = "e" + std::to_string(k)});
        p.shapes = {{{2, 1, 1}, {64, 1, 1}}, {{1, 1, 1}, {32, 1, 1}}};
        std::int64_t time = 0;
        const auto launch = [&](std::uint32_t kernel, std::uint32_t shape, std::int64_t ns) {
            program::Operation o{.start = time, .end = time + ns, .kernel = kernel, .shape = shape};
            o.called = o.returned = time;
            time += ns;
            p.operations.push_back(o);
        };
        launch(0, 1, 50);
        launch(0, 0, 100);
        launch(0, 0, 300);
        for (std::uint32_t k = 1; k < 14; ++k)
            launch(k, 0, 10);
        const QString path = m_folder->filePath(QStringLiteral("many.wgt"));
        QVERIFY(program::writeProgram(p, path.toStdString()).ok());
        open(path);
        auto* find = child<QLineEdit>("findKernel");
        auto* shapes = child<QComboBox>("launchShapes");
        QVERIFY(find->isVisible());
        QVERIFY(!shapes->isVisible());
        QCOMPARE(kernels()->model()->rowCount(), 14);
        QTest::mouseClick(find, Qt::LeftButton);
        QTest::keyClicks(find, QStringLiteral("gemm"));
        QCoreApplication::processEvents();
        QCOMPARE(kernels()->model()->rowCount(), 2);
        QTest::mouseClick(kernels()->viewport(), Qt::LeftButton, {}, middleOf(kernels(), 0, 0));
        QCoreApplication::processEvents();
        QVERIFY(shapes->isVisible());
        QCOMPARE(shapes->count(), 3);
        QCOMPARE(shapes->itemText(1).simplified(), QStringLiteral("2 × 64: 2 launches, 400 ns"));
        QCOMPARE(shapes->itemText(2).simplified(), QStringLiteral("1 × 32: 1 launch, 50 ns"));
        QCOMPARE(launches()->model()->rowCount(), 3);
        shapes->setFocus();
        QTest::keyClick(shapes, Qt::Key_Down);
        QCoreApplication::processEvents();
        QCOMPARE(launches()->model()->rowCount(), 2);
        page()->choose(0); // the launch of the other shape is seen, not hidden
        QCoreApplication::processEvents();
        QCOMPARE(launches()->model()->rowCount(), 3);
        QCOMPARE(shapes->currentIndex(), 0);
        find->clear();
        QCoreApplication::processEvents();
        QCOMPARE(kernels()->model()->rowCount(), 14);
    }

    // A report of Nsight Compute: three launches, each with the metrics that were measured, and no warps. By hand: 19,232,
    // 9,120 and 8,480 ns, of which the first is 52.2 %.
    void opensAReportOfAnotherProfiler() {
        const QString report = QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/profilers/data/raw.csv");
        open(report);
        QVERIFY(page()->isVisible());
        QCOMPARE(kernels()->model()->rowCount(), 3);
        QCOMPARE(cell(kernels(), 0, 0), QStringLiteral("transposeNaive"));
        QVERIFY2(cell(kernels(), 0, 3).contains(QLatin1String("52.2")), qPrintable(cell(kernels(), 0, 3)));
        doubleClick(launches(), 1);
        settle();
        QVERIFY(place().contains(QLatin1String("transposeTiled")));
        const TracePtr trace = m_window->bench().current()->trace;
        QVERIFY(trace->warps.empty());
        QCOMPARE(metric(*trace, 0, "shared_bank_conflicts")->value.value_or(0), 1015808.0);
        // A table of a sweep ends in .csv, too, and is none.
        QVERIFY(!session::isReport(WARPGLASS_SOURCE_DIR "/resources/model/launches.csv"));
    }
};

WARPGLASS_QT_TEST(TestWindowProgram)
#include "test_window_program.moc"
