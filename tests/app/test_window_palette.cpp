// SPDX-License-Identifier: GPL-3.0-or-later
// What needs no place of its own in the window: the palette, menus under the right button, clipboard, paper, and the
// session of the day before.
#include "app/window/export/paper.h"
#include "app/window/palette/command_palette.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QClipboard>
#include <QLineEdit>
#include <QMenu>

using namespace warpglass;

class TestWindowPalette : public QObject, WindowFixture {
    Q_OBJECT

    // Opens the palette by its key, types, takes what is first.
    void take(const QString& typed) {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* field = child<QLineEdit>("paletteField");
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, typed);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!child<CommandPalette>("palette")->isVisible());
    }

    QMenu* menuOf(QWidget* widget, const char* name) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, widget->rect().center(),
                                widget->mapToGlobal(widget->rect().center()));
        QApplication::sendEvent(widget, &event);
        QMenu* found = nullptr;
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->objectName() == QLatin1String(name) && top->isVisible())
                found = qobject_cast<QMenu*>(top);
        return found;
    }

    static QAction* entry(const QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text() == text)
                return action;
        return nullptr;
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassPalette")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void everythingIsReachedByItsName() {
        take(QStringLiteral("mathKernel2"));
        settle();
        QCOMPARE(m_window->current()->name, QString("mathKernel2"));
        QTRY_VERIFY(m_window->views().current()->hasFocus());
        take(QStringLiteral("timeline"));
        QCOMPARE(m_window->views().currentKey(), QString("timeline"));
        take(QStringLiteral("dark"));
        QCOMPARE(m_window->theme().kind, ThemeKind::Dark);
        take(QStringLiteral("one warp two"));
        settle();
        QCOMPARE(m_window->views().currentKey(), QString("lanes"));
        QVERIFY(m_window->views().strip->isVisible());
    }

    // What the menu calls "Run and model cycles", by the word for it.
    void theTimingModelIsFoundByItsName() {
        take(QStringLiteral("mathKernel1"));
        settle();
        QVERIFY(m_window->current()->trace->timings.empty());
        take(QStringLiteral("timing model"));
        settle();
        QTRY_VERIFY(!m_window->current()->trace->timings.empty());
    }

    void thePaletteIsWalkedAndClosedByKeys() {
        take(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr run = m_window->current();
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* field = child<QLineEdit>("paletteField");
        auto* list = child<QListWidget>("paletteList");
        QVERIFY(list->count() > 100); // kernels, views, lessons, actions
        QTest::keyClicks(field, QStringLiteral("mathKernel"));
        QCOMPARE(list->currentRow(), 0);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(list->currentRow(), 2);
        QTest::keyClick(field, Qt::Key_Space); // is typed, plays nothing
        QVERIFY(!m_window->transport().playback().playing);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!child<CommandPalette>("palette")->isVisible());
        QTRY_VERIFY(m_window->views().current()->hasFocus());
        QCOMPARE(m_window->current(), run);
    }

    void theGalleryFindsNamesFirst() {
        auto* field = child<QLineEdit>("gallerySearch");
        QTest::keyClicks(field, QStringLiteral("transpose"));
        const auto* list = child<QListWidget>("gallery");
        bool summary = false; // once names are through, none follows
        int names = 0;
        for (int i = 0; i < list->count(); ++i) {
            const bool inName = list->item(i)->text().contains(QLatin1String("transpose"), Qt::CaseInsensitive);
            QVERIFY2(!inName || !summary, qPrintable(list->item(i)->text()));
            summary = summary || !inName;
            names += inName;
        }
        QVERIFY(names > 2);
        QTest::keyClick(field, Qt::Key_Return); // the first is taken
        settle();
        QVERIFY(m_window->current()->name.startsWith(QLatin1String("transpose")));
    }

    void numbersOfAViewAreCopied() {
        take(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        ViewWidget* view = m_window->views().current();
        QTRY_VERIFY(view->picture());
        QMenu* menu = menuOf(view, "viewMenu");
        QVERIFY(menu);
        QVERIFY(entry(menu, QStringLiteral("Copy the picture"))->isEnabled());
        entry(menu, QStringLiteral("Copy the numbers"))->trigger();
        menu->close();
        const QMimeData* copied = QApplication::clipboard()->mimeData();
        const QString csv = QString::fromUtf8(copied->data(QStringLiteral("text/csv")));
        QCOMPARE(csv, view->picture()->csv());
        QVERIFY(csv.size() > 50);
        QCOMPARE(copied->text(), tabSeparated(csv));
    }

    void aKernelOfTheGalleryIsComparedFromItsMenu() {
        take(QStringLiteral("mathKernel1"));
        settle();
        auto* list = child<QListWidget>("gallery");
        QListWidgetItem* item = list->findItems(QStringLiteral("   mathKernel3"), Qt::MatchExactly).value(0);
        QVERIFY(item);
        list->scrollToItem(item);
        emit list->customContextMenuRequested(list->visualItemRect(item).center());
        const QMenu* menu = nullptr;
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->objectName() == QLatin1String("galleryMenu") && top->isVisible())
                menu = qobject_cast<QMenu*>(top);
        QVERIFY(menu);
        entry(menu, QStringLiteral("Compare with what is open"))->trigger();
        settle();
        QCOMPARE(m_window->current()->name, QString("mathKernel1"));
        QCOMPARE(m_window->other()->name, QString("mathKernel3"));
    }

    void aViewIsPrintedOnOnePage() {
        take(QStringLiteral("mathKernel1"));
        settle();
        const ViewWidget* view = m_window->views().widget(QStringLiteral("lanes"));
        const QString path = m_folder->filePath(QStringLiteral("print.pdf"));
        {
            QPrinter printer(QPrinter::ScreenResolution);
            printer.setOutputFormat(QPrinter::PdfFormat);
            printer.setOutputFileName(path);
            printer.setPageOrientation(QPageLayout::Landscape);
            QCOMPARE(printView(view->view(), view->context(), printer), QString());
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray pdf = file.readAll();
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.contains("/Count 1")); // pages
        QVERIFY(pdf.size() > 3000);
    }

    void theSessionComesBack() {
        take(QStringLiteral("reduceNeighbored"));
        settle();
        auto* block = child<QLineEdit>("block");
        block->selectAll();
        QTest::keyClicks(block, QStringLiteral("32"));
        QTest::keyClick(block, Qt::Key_Return);
        settle();
        m_window->views().showView(QStringLiteral("reduction"));
        m_window->close();
        const auto reopen = [this] {
            m_window = std::make_unique<OpenWindow>();
            m_shown = m_seen = 0;
            QObject::connect(m_window.get(), &MainWindow::shown, m_window.get(), [this] { ++m_shown; });
            m_window->show();
        };
        reopen();
        QVERIFY(m_window->restoreSession());
        settle();
        QCOMPARE(m_window->current()->name, QString("reduceNeighbored"));
        QCOMPARE(m_window->current()->trace->launches[0].block, (Dim3{32, 1, 1}));
        QCOMPARE(m_window->views().currentKey(), QString("reduction"));

        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        m_window->close();
        reopen();
        QVERIFY(m_window->restoreSession());
        settle();
        QCOMPARE(m_window->current()->file, QString(":/recordings/mathKernel1-as-written.wgt"));

        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        m_window->close();
        reopen();
        QVERIFY(m_window->restoreSession());
        settle();
        QVERIFY(m_window->views().strip->isVisible());
        m_window->setLanguage(QStringLiteral("en"));
    }

    void withoutASessionThereIsNothingToRestore() { QVERIFY(!m_window->restoreSession()); }
};

WARPGLASS_QT_TEST(TestWindowPalette)
#include "test_window_palette.moc"
