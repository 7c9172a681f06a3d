// SPDX-License-Identifier: GPL-3.0-or-later
// What a person steps into: keys that go elsewhere, windows that do not go, and pictures beside words of another one.
#include "app/window/export/export_dialog.h"
#include "app/window/model/pad.h"
#include "app/window/model/what_changed.h"
#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/palette/command_palette.h"
#include "app/window/panels/scroll_page.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/start/tour.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/side_names.h"

#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

using namespace warpglass;

namespace {

// out[i] = in[i] + n of 64 threads, without a compiler.
constexpr const char* addsPtx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".visible .entry adds(.param .u64 out, .param .u32 n)\n{\n"
                                "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n"
                                "  ld.param.u64 %rd1, [out];\n  cvta.to.global.u64 %rd1, %rd1;\n"
                                "  ld.param.u32 %r1, [n];\n  mov.u32 %r2, %tid.x;\n"
                                "  mul.wide.u32 %rd2, %r2, 4;\n  add.u64 %rd3, %rd1, %rd2;\n"
                                "  add.u32 %r3, %r2, %r1;\n  st.global.u32 [%rd3], %r3;\n  ret;\n}\n";
constexpr const char* endlessPtx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                   ".visible .entry endless(.param .u64 out)\n{\n"
                                   "  .reg .b64 %rd<2>;\n  .reg .b32 %r<2>;\n  mov.u32 %r1, 0;\n"
                                   "again:\n  add.u32 %r1, %r1, 1;\n  bra again;\n}\n";

session::KernelParameter parameter(const char* name) {
    session::KernelParameter p;
    p.name = name;
    p.type = "int";
    p.element = ElementType::I32;
    p.bytes = 4;
    return p;
}

class LargerOnceShown : public QWidget {
protected:
    void showEvent(QShowEvent*) override { setMinimumSize(700, 500); }
};

} // namespace

class TestWindowTraps : public QObject, WindowFixture {
    Q_OBJECT
    QString write(const QString& name, const QByteArray& text) {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("cannot write");
        return path;
    }
    void openAdds() {
        m_window->openFile(write(QStringLiteral("adds.ptx"), addsPtx));
        settle();
        QCOMPARE(m_window->current()->name, QStringLiteral("adds"));
    }
    // Another text of the pad's, as somebody types it.
    void retype(const QByteArray& from, const QByteArray& to) {
        auto* editor = child<PadEditor>("padEditor");
        editor->setText(QString::fromUtf8(QByteArray(addsPtx).replace(from, to)));
        settle();
    }
    QTabBar* tabs() { return child<QTabBar>("sourceTabs"); }
    QString other() {
        auto* label = child<QLabel>("padOther");
        return label->isVisible() ? label->text() : QString();
    }
    QLineEdit* palette(const QString& typed) {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* field = child<QLineEdit>("paletteField");
        [&] { QTRY_VERIFY(field->hasFocus()); }();
        QTest::keyClicks(field, typed);
        return field;
    }
    bool paletteIsOpen() { return child<CommandPalette>("palette")->isVisible(); }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassTraps")); }
    void init() { openWindow({1500, 860}); }
    void cleanup() { closeWindow(); }

    // The button sets a kernel against its run before, the older as A; an edit keeps A, and is B.
    void anOwnKernelIsComparedWithItsRunBefore() {
        openAdds();
        const RunPtr first = m_window->current();
        retype("add.u32 %r3, %r2, %r1", "sub.u32 %r3, %r2, %r1");
        const RunPtr second = m_window->current();
        QVERIFY(second != first);
        m_window->action("compare")->trigger();
        settle();
        QCOMPARE(m_window->current(), first);
        QCOMPARE(m_window->other(), second);
        const Options options = m_window->views().current()->context().options;
        QCOMPARE(nameOfFirst.of(options), QStringLiteral("run 1"));
        QCOMPARE(nameOfSecond.of(options), QStringLiteral("run 2: line 14: sub.u32 %r3, %r2, %r1;"));
        QVERIFY(child<QLabel>("differencesTitle")->toolTip().contains(QStringLiteral("A: run 1 · adds")));
        retype("add.u32 %r3, %r2, %r1", "mul.lo.u32 %r3, %r2, %r1");
        QCOMPARE(m_window->current(), first);
        QVERIFY(m_window->other() && m_window->other() != second);
        QCOMPARE(m_window->bench().numberOf(m_window->other()), 3);

        QMenu* menu = child<QToolButton>("compareButton")->menu();
        emit menu->aboutToShow();
        QStringList runs;
        for (const QAction* a : menu->actions())
            if (a->text().contains(QStringLiteral("run 2")))
                runs << a->text();
        QCOMPARE(runs.size(), 1);
        QVERIFY2(runs.first().contains(QStringLiteral("sub.u32")), qPrintable(runs.first())); // in what it differs
        m_window->action("compare")->trigger(); // and what was written last is what stays
        settle();
        QVERIFY(!m_window->other());
        QCOMPARE(m_window->bench().numberOf(m_window->current()), 3);
    }

    void whatChangedIsSaidInAFewWords() {
        RunRequest a, b;
        QCOMPARE(whatChanged(a, b), QString());
        b.launch.block = Dim3{128};
        b.options.timing = true;
        QCOMPARE(whatChanged(a, b), QStringLiteral("block 128, with cycles"));
        a = b;
        a.text = "one\ntwo\nthree\n";
        b.text = "one\n  2;\nthree\n";
        QCOMPARE(whatChanged(a, b), QStringLiteral("line 2: 2;"));
    }

    // 1000 elements in blocks of 256 are 4 blocks, in blocks of 128 they are 8.
    void theLaunchAtTheRightIsThePictures() {
        RunRequest request;
        request.kernel = "vectorAdd";
        request.launch.size = 1000;
        request.launch.block = Dim3{256};
        m_window->run(request);
        settle();
        auto* warp = child<WarpPanel>("warpPanel");
        QVERIFY(!warp->ofLaunch().isEmpty());
        QCOMPARE(warp->ofLaunch().first().value, QStringLiteral("4 × 256"));
        auto* block = child<QLineEdit>("block");
        block->setFocus();
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("128"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->trace->launches.front().block, Dim3{128});
        QCOMPARE(warp->ofLaunch().first().value, QStringLiteral("8 × 128"));
        // What is marked to be written over stays so when a run comes: 64, not 12864.
        block->setFocus();
        block->selectAll();
        m_window->run(*m_window->bench().request());
        settle();
        QTest::keyClicks(block, QStringLiteral("64"));
        QCOMPARE(block->text(), QStringLiteral("64"));
    }

    void theCodeBesideThePictureIsItsOwnOrSaysThatItIsNot() {
        openAdds();
        const int pad = tabs()->count() - 1;
        QCOMPARE(tabs()->currentIndex(), pad);
        QCOMPARE(other(), QString());
        retype("add.u32 %r3, %r2, %r1", "sub.u32 %r3, %r2, %r1");
        QCOMPARE(other(), QString());
        m_window->action("undo")->trigger();
        QCOMPARE(other(), QString()); // the text goes back with its picture
        QCOMPARE(child<PadEditor>("padEditor")->text(), QString::fromUtf8(addsPtx));
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QCOMPARE(tabs()->currentIndex(), 0); // its own code
        tabs()->setCurrentIndex(pad);
        QVERIFY2(other().contains(QStringLiteral("mathKernel1")), qPrintable(other()));
        tabs()->setCurrentIndex(0);
        m_window->runKernel(QStringLiteral("mathKernel2"));
        settle();
        m_window->action("undo")->trigger();
        m_window->action("undo")->trigger();
        QCOMPARE(m_window->current()->name, QStringLiteral("adds"));
    }

    // The row of the last parameter goes while somebody writes elsewhere: its neighbour is not opened, and the keys stay.
    void aRowThatGoesTakesNoKeys() {
        QWidget box;
        ArgumentTable table(&box);
        QLineEdit elsewhere(&box);
        table.resize(500, 200);
        elsewhere.move(0, 220);
        box.resize(520, 260);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        box.activateWindow();
        table.show({{parameter("a")}, {parameter("n")}, {parameter("k")}}, {}, Dim3{64});
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualItemRect(table.item(2, 3)).center());
        QTRY_VERIFY(table.viewport()->findChild<QLineEdit*>());
        elsewhere.setFocus();
        QTRY_VERIFY(elsewhere.hasFocus());
        table.show({{parameter("a")}, {parameter("n")}}, {}, Dim3{64});
        QCoreApplication::processEvents();
        QVERIFY(elsewhere.hasFocus());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("77"));
        QCOMPARE(elsewhere.text(), QStringLiteral("77"));
        QCOMPARE(table.item(1, 3)->text(), QStringLiteral("64"));
    }

    // What is being written is written on; where its row is another one now, what was written until then counts.
    void aCellThatIsWrittenInIsLeftAlone() {
        ArgumentTable table;
        table.resize(500, 200);
        static_cast<QWidget&>(table).show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.activateWindow();
        table.show({{parameter("a")}, {parameter("k")}}, {}, Dim3{64});
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualItemRect(table.item(1, 3)).center());
        QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("12"));
        table.show({{parameter("a")}, {parameter("k")}, {parameter("z")}}, {}, Dim3{128});
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(field));
        QCOMPARE(field->text(), QStringLiteral("12"));
        QTest::keyClicks(field, QStringLiteral("3"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(table.item(1, 3)->text(), QStringLiteral("123")); // the delegate writes a moment later
        QCOMPARE(table.set().value(QStringLiteral("k")).initial, QStringLiteral("123"));
        table.editItem(table.item(1, 3));
        QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("45"));
        table.show({{parameter("k")}}, {}, Dim3{64});
        QCOMPARE(table.item(0, 3)->text(), QStringLiteral("45"));
    }

    void thePaletteGoesWhateverComes() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QLineEdit* field = palette(QStringLiteral("zzqqxx"));
        auto* list = child<QListWidget>("paletteList");
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains(QStringLiteral("Nothing")));
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!paletteIsOpen());
        palette(QStringLiteral("zzqqxx"));
        click(m_window->views().header());
        QVERIFY(!paletteIsOpen());
        field = palette(QStringLiteral("zzqqxx"));
        QTest::keyClick(field, Qt::Key_Return);
        m_window->setPresenting(true);
        if (paletteIsOpen())
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!paletteIsOpen());
        m_window->setPresenting(false);
        palette(QStringLiteral("zzqqxx"));
        m_window->views().current()->setFocus(Qt::OtherFocusReason); // as a shortcut of the class's does
        QVERIFY(!paletteIsOpen());
        palette(QStringLiteral("zzqqxx"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_8, Qt::ControlModifier); // a view it covers
        QVERIFY(!paletteIsOpen());
    }

    void thePaletteKnowsStepsWorksheetsLanguagesAndTheOwnKernel() {
        openAdds();
        const auto finds = [&](const QString& typed, const QString& name) {
            QLineEdit* field = palette(typed);
            auto* found = child<QListWidget>("paletteList");
            bool any = false;
            for (int i = 0; i < found->count(); ++i)
                any |= found->item(i)->text().contains(name);
            QTest::keyClick(field, Qt::Key_Escape);
            return any;
        };
        QVERIFY(finds(QStringLiteral("Neighbours disagree"), QStringLiteral("Neighbours disagree")));
        QVERIFY(finds(QStringLiteral("worksheet"), QStringLiteral("One warp, two paths")));
        QVERIFY(finds(QStringLiteral("chinese"), QString::fromUtf8("简体中文")));
        QVERIFY(finds(QStringLiteral("adds"), QStringLiteral("adds.ptx")));
        QVERIFY(!finds(QStringLiteral("chinese"), QStringLiteral("English"))); // what Enter would take
        palette(QStringLiteral("Ask by warps, not by"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        settle();
        QVERIFY(m_window->views().question->isVisible() || m_window->views().strip->isVisible());
    }

    void aNoteGoesByItselfAndIsNoneOfTheClasss() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        MessageBar* message = m_window->views().message;
        message->showNote(QStringLiteral("Written to x."));
        QVERIFY(message->isVisible());
        m_window->setPresenting(true);
        QVERIFY(!message->isVisible());
        message->showNote(QStringLiteral("Written to y."));
        QTRY_VERIFY_WITH_TIMEOUT(!message->isVisible(), 12000);
        message->showError(QStringLiteral("cannot be written"));
        m_window->setPresenting(false);
        QVERIFY(message->isVisible());
    }

    // Qt gives the focus by the wheel to whoever takes it that way.
    void theWheelTakesNoFocus() {
        for (const QComboBox* box : m_window->findChildren<QComboBox*>())
            if (box->isVisible())
                QVERIFY2(box->focusPolicy() != Qt::WheelFocus, qPrintable(box->objectName()));
        m_window->runKernel(QStringLiteral("reduceUnrolling8"));
        settle();
        for (const QAbstractSpinBox* box : m_window->findChildren<QAbstractSpinBox*>())
            if (box->isVisible())
                QVERIFY2(box->focusPolicy() != Qt::WheelFocus, qPrintable(box->objectName()));
        QCOMPARE(child<QComboBox>("mode")->focusPolicy(), Qt::StrongFocus);
    }

    // After a second it says who turns where; Esc in the editor stops it, and what ran so far is shown.
    void aLoopWithoutEndIsNamedAndStoppedByEsc() {
        RunRequest request;
        m_window->openFile(write(QStringLiteral("adds.ptx"), addsPtx));
        settle();
        request = *m_window->bench().request();
        request.text = endlessPtx;
        request.kernel = m_folder->filePath(QStringLiteral("endless.ptx")).toStdString();
        request.entry = "endless";
        request.compiled.reset();
        request.arguments = {"out:i32[64]=0"};
        request.options.instructionLimit = 3'000'000'000; // so that it would go on
        m_window->bench().runAlone(request);
        MessageBar* message = m_window->views().message;
        QTRY_VERIFY2_WITH_TIMEOUT(message->text().contains(QStringLiteral("warp 0 turns on line 10")) ||
                                      message->text().contains(QStringLiteral("warp 0 turns on line 9")),
                                  qPrintable(message->text()), 20000);
        QCOMPARE(m_window->current()->name, QStringLiteral("endless")); // shown that far while it goes on
        QVERIFY(m_window->busy());
        QCOMPARE(m_window->bench().numberOf(m_window->current()), 0);
        auto* editor = child<PadEditor>("padEditor");
        editor->setFocus();
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(!m_window->busy());
        QCOMPARE(m_window->bench().numberOf(m_window->current()), 2);
        QCOMPARE(m_window->current()->name, QStringLiteral("endless"));
        QVERIFY(m_window->current()->fault.has_value());
        const Trace& trace = *m_window->current()->trace;
        QVERIFY(!trace.counts.empty()); // it is shown that far
        QVERIFY(trace.events.size() <= 1'000'000);
        QVERIFY(message->showsError());
        m_window->action("undo")->trigger(); // one step: the part was no run of its own
        QCOMPARE(m_window->current()->name, QStringLiteral("adds"));
        QVERIFY(!m_window->bench().canUndo());
    }

    // With cycles an instruction is kept in some 140 bytes, so that 20 million of a warp were 2.8 GB.
    void aPadsLoopEndsBeforeItFillsTheMemory() {
        RunRequest like;
        const auto limit = [&] { return padSource(like, {}, {}, {}).options.instructionLimit; };
        QCOMPARE(limit(), std::uint64_t(20'000'000));
        like.options.timing = true;
        QVERIFY(limit() <= 5'000'000);
    }

    void theSidesComeBackFromAClassAsWideAsTheyWere() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* dock = child<QDockWidget>("rightDock");
        auto* columns = qobject_cast<QMainWindow*>(dock->parentWidget());
        columns->resizeDocks({dock}, {560}, Qt::Horizontal);
        QTRY_COMPARE(dock->width(), 560);
        m_window->setPresenting(true);
        QTRY_VERIFY(!dock->isVisible());
        m_window->setPresenting(false);
        QTRY_VERIFY(dock->isVisible());
        QTRY_COMPARE(dock->width(), 560);
    }

    void theExportMakesItsFolderAndKeepsItsFields() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->action("export")->trigger();
        auto* dialog = child<ExportDialog>("exportDialog");
        auto* page = dialog->findChild<QScrollArea*>();
        auto* path = dialog->findChild<QLineEdit*>("exportPath");
        auto* go = dialog->findChild<QPushButton*>("exportWrite");
        QTRY_COMPARE(page->verticalScrollBar()->maximum(), 0);
        QSignalSpy failed(dialog, &ExportDialog::failed);
        path->setText(QStringLiteral("/proc/nothing/here/x.png"));
        QTest::mouseClick(go, Qt::LeftButton);
        QCOMPARE(failed.size(), 1);
        QTRY_COMPARE(page->verticalScrollBar()->maximum(), 0);
        path->setText(m_folder->filePath("not/there/yet/x.png"));
        QSignalSpy written(dialog, &ExportDialog::written);
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(written.size(), 1, 60000);
        QVERIFY(QFileInfo::exists(m_folder->filePath("not/there/yet/x.png")));
    }

    // What is larger once it is shown than it said before is given its room.
    void aDialogGrowsWithWhatItHolds() {
        QDialog dialog(m_window.get());
        auto* contents = new LargerOnceShown;
        auto* page = new ScrollPage(contents, &dialog);
        (new QVBoxLayout(&dialog))->addWidget(page);
        fitToWindow(dialog);
        dialog.show();
        QTRY_VERIFY(contents->width() >= 700);
        QTRY_COMPARE(page->horizontalScrollBar()->maximum(), 0);
        QTRY_COMPARE(page->verticalScrollBar()->maximum(), 0);
    }

    void theSweepOpensWholeAndLeavesItsResult() {
        m_window->runKernel(QStringLiteral("sumMatrix2D"));
        settle();
        m_window->action("sweep")->trigger();
        SweepDialog* dialog = m_window->sweep().dialog();
        auto* page = dialog->findChild<QScrollArea*>();
        QTRY_VERIFY(page->isVisible());
        QTRY_COMPARE(page->verticalScrollBar()->maximum(), 0);
        QCOMPARE(page->horizontalScrollBar()->maximum(), 0);
        dialog->findChild<QLineEdit*>("sweepBlocks")->setText(QStringLiteral("32x8, 16x16"));
        dialog->findChild<QLineEdit*>("sweepSizes")->setText(QStringLiteral("64"));
        QSignalSpy finished(&m_window->sweep(), &SweepControl::finished);
        QTest::mouseClick(dialog->findChild<QPushButton*>("primary"), Qt::LeftButton);
        QVERIFY(finished.wait(60000));
        QVERIFY(!dialog->isVisible());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("charts"));
    }

    // Five lanes were marked, sixteen enter: the answer lies over reality, 21 of 32 right, and Esc leaves the picture.
    void aWrongAnswerIsLaidOverRealityAndIsAskedAgain() {
        m_window->begin();
        auto* start = child<StartPage>("startPage");
        click(start->predict);
        settle();
        QuestionCard* card = m_window->views().question;
        const auto answer = [&] {
            for (QToolButton* lane : card->findChildren<QToolButton*>(QStringLiteral("questionLane")))
                if (lane->text().toInt() < 10 && lane->text().toInt() % 2 == 0)
                    click(lane);
            click(child<QPushButton>("questionGive"));
        };
        QTRY_VERIFY(card->isVisible());
        answer();
        QVERIFY(!card->isVisible());
        QVERIFY(m_window->prediction().state() == PredictDesk::State::Shown);
        const ViewWidget* view = m_window->views().current();
        QVERIFY(predicting().of(view->context().options) == Predicting::Shown);
        QCOMPARE(Guess::from(predictionGuess.of(view->context().options)).items, (std::set<int>{0, 2, 4, 6, 8}));
        const PredictionMarks marks =
            judge(*m_window->prediction().asked(), Guess::from(predictionGuess.of(view->context().options)));
        QCOMPARE(marks.right, 21);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!m_window->prediction().on());
        click(child<QToolButton>("home"));
        QVERIFY(start->isVisible());
        click(start->predict);
        QTRY_VERIFY(card->isVisible());
    }

    void theTourComesWhenItIsAskedFor() {
        m_window->begin();
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QTest::qWait(100);
        QVERIFY(!m_window->tour().running());
    }
};

WARPGLASS_QT_TEST(TestWindowTraps)
#include "test_window_traps.moc"
