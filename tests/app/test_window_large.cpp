// SPDX-License-Identifier: GPL-3.0-or-later
// Twice the type in a window of 1280x720: dialogs stay within it, a long message and the texts leave the picture its
// room, and what stands at the sides grows or stands one below the other.
#include "app/window/panels/scroll_page.h"
#include "app/window/panels/view_area.h"
#include "app/window/sides/side_dock.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QComboBox>
#include <QDialog>
#include <QScrollBar>

using namespace warpglass;

class TestWindowLarge : public QObject, WindowFixture {
    Q_OBJECT

    static constexpr QSize small{1280, 720};
    void addLanguages() {
        QTest::addColumn<QString>("language");
        QTest::newRow("en") << QStringLiteral("en");
        QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
    }
    void openLarge(qreal scale) {
        QFETCH(QString, language);
        openWindow(small);
        m_window->setLanguage(language);
        m_window->setFontScale(scale);
    }
    void run() {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 64;
        request.launch.block = Dim3{64};
        request.launch.mode = CompileMode::AsWritten;
        m_window->run(request);
        settle();
    }
    QDialog* dialogInFront() {
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            if (dialog->isVisible())
                return dialog;
        return nullptr;
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("large")); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        m_window->setFontScale(1.0);
        closeWindow();
    }

    // Every dialog fits into the window, and its buttons are whole and in sight; what does not fit above them scrolls.
    void dialogsStayWithinTheWindow_data() { addLanguages(); }
    void dialogsStayWithinTheWindow() {
        openLarge(2.0);
        run();
        for (const char* name : {"keys", "about", "guide", "sweep", "export", "exportAll", "report", "film", "page"}) {
            m_window->action(QLatin1String(name))->trigger();
            QDialog* dialog = nullptr;
            QTRY_VERIFY2((dialog = dialogInFront()), name);
            QTRY_VERIFY2(dialog->width() <= small.width() && dialog->height() <= small.height(), name);
            for (const QPushButton* button : dialog->findChildren<QPushButton*>()) {
                if (!button->isVisible() || button->text().isEmpty())
                    continue;
                const QRect where(button->mapTo(dialog, QPoint()), button->size());
                bool scrolls = false;
                for (const ScrollPage* page : dialog->findChildren<ScrollPage*>())
                    scrolls = scrolls || page->isAncestorOf(button);
                QVERIFY2(scrolls || dialog->rect().contains(where), qPrintable(name + button->text()));
                QFont font = button->font();
                const int words = QFontMetrics(font).horizontalAdvance(button->text().remove(QLatin1Char('&')));
                QVERIFY2(words < button->width(), qPrintable(name + button->text()));
            }
            dialog->close();
            QTRY_VERIFY(!dialogInFront());
        }
    }

    // What is broader than the window stands in one column: nobody scrolls to the side to read a line.
    void keysAreReadWithoutScrollingToTheSide_data() { addLanguages(); }
    void keysAreReadWithoutScrollingToTheSide() {
        openLarge(2.0);
        m_window->action(QStringLiteral("keys"))->trigger();
        QTRY_VERIFY(dialogInFront());
        QCoreApplication::processEvents();
        for (const ScrollPage* page : dialogInFront()->findChildren<ScrollPage*>())
            if (page->isVisible())
                QCOMPARE(page->horizontalScrollBar()->maximum(), 0);
        dialogInFront()->close();
    }

    // A message of 400 words takes a third of the window, scrolls, and its end is reached by keys.
    void aLongMessageLeavesTheViewItsRoom_data() { addLanguages(); }
    void aLongMessageLeavesTheViewItsRoom() {
        openLarge(2.0);
        run();
        MessageBar& bar = *m_window->views().message;
        bar.showError(QStringLiteral("a thread reads past the end ").repeated(66));
        QTRY_VERIFY(bar.height() > 100 && bar.height() <= small.height() / 3);
        auto* scroll = child<QScrollArea>("messageScroll");
        QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
        scroll->setFocus();
        QTest::keyClick(scroll, Qt::Key_Down);
        QVERIFY(scroll->verticalScrollBar()->value() > 0);
        QVERIFY2(m_window->views().current()->height() > 150,
                 qPrintable(QString::number(m_window->views().current()->height())));
        bar.showNote(QStringLiteral("written"));
        QTRY_VERIFY(bar.height() < 100);
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    }

    // Without a lesson the picture has the larger half of the window: switches stand beside the view's name, and the
    // kernel's story is one line, all of which is told on hover and to a screen reader.
    void thePictureHasTheLargerHalf_data() { addLanguages(); }
    void thePictureHasTheLargerHalf() {
        openLarge(2.0);
        run();
        for (int i = 0; i < m_window->views().count(); ++i) {
            m_window->views().showView(i);
            QTRY_VERIFY2(m_window->views().current()->height() > small.height() / 2,
                         qPrintable(m_window->views().currentKey()));
        }
        const auto* story = m_window->views().strip->findChild<QLabel*>(QStringLiteral("storyText"));
        QVERIFY(story->height() < 2 * story->fontMetrics().height());
        for (const char* side : {"leftDock", "rightDock"}) // narrower, so that the line is cut elsewhere
            child<SideDock>(side)->setFolded(false);
        QTRY_VERIFY(m_window->views().width() < small.width() * 3 / 4);
        QTRY_VERIFY(story->height() < 2 * story->fontMetrics().height());
        QVERIFY(!child<QScrollArea>("stepScroll")->verticalScrollBar()->isVisible());
        QVERIFY(story->text() == story->accessibleName() || story->toolTip().startsWith(story->accessibleName()));
        m_window->setFontScale(1.0);
        QTRY_COMPARE(story->text(), story->accessibleName());
    }

    // A lesson's long text scrolls: it takes half of its column at most, and the keys reach its end. At the usual type it is seen whole.
    void aLessonsTextLeavesThePictureRoom_data() { addLanguages(); }
    void aLessonsTextLeavesThePictureRoom() {
        openLarge(2.0);
        const QStringList lessons = builtInLessonPaths();
        const int lesson = int(lessons.indexOf(QStringLiteral(":/lessons/resources-and-occupancy.json")));
        QVERIFY(lesson >= 0);
        m_window->startLesson(lesson, 2); // a step of many words
        QTRY_VERIFY_WITH_TIMEOUT(m_window->current() && !m_window->busy(), 60000);
        emit m_window->views().question->answered({}, false);
        ViewWidget* view = m_window->views().current();
        auto* scroll = child<QScrollArea>("stepScroll");
        QTRY_VERIFY(scroll->height() <= m_window->views().height() / 2); // the code has the rest of the column
        QTRY_VERIFY2(view->height() >= small.height() * 2 / 5, qPrintable(QString::number(view->height())));
        QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
        scroll->setFocus();
        for (int i = 0; i < 200; ++i)
            QTest::keyClick(scroll, Qt::Key_Down);
        QCOMPARE(scroll->verticalScrollBar()->value(), scroll->verticalScrollBar()->maximum());
        m_window->setFontScale(1.0);
        QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
        QTRY_VERIFY(scroll->focusPolicy() == Qt::NoFocus);
    }

    // At 160 % both sides take as much more, up to a quarter of the window each: 264 x 1.6 and 360 x 1.6 are more than
    // 1280 / 4. At the usual type again the left one is as wide as at first.
    void sidesGrowWithTheType_data() { addLanguages(); }
    void sidesGrowWithTheType() {
        openLarge(1.0);
        run();
        auto* left = child<SideDock>("leftDock");
        auto* right = child<SideDock>("rightDock");
        QCOMPARE(left->width(), left->firstWidth());
        m_window->setFontScale(1.6);
        for (SideDock* side : {left, right})
            side->setFolded(false);
        QTRY_VERIFY(left->width() >= small.width() / 4 - 2);
        QVERIFY(right->width() >= small.width() / 4 - 2);
        QVERIFY(m_window->views().width() >= small.width() * 3 / 10);
        m_window->setFontScale(1.0);
        QTRY_VERIFY(qAbs(left->width() - left->firstWidth()) <= 60);
    }

    // The buttons below the claims show all of their words beside both open sides, whatever the type.
    void buttonsOfClaimsAreWhole_data() { addLanguages(); }
    void buttonsOfClaimsAreWhole() {
        openLarge(1.0);
        run();
        for (const qreal scale : {1.0, 1.6, 2.0}) {
            m_window->setFontScale(scale);
            for (const char* side : {"leftDock", "rightDock"})
                child<SideDock>(side)->setFolded(false);
            child<QTabWidget>("leftTabs")->setCurrentIndex(2);
            const auto cut = [&] {
                QStringList texts;
                for (const char* name : {"runClaim", "showClaim", "checkClaims", "openClaimsTable"}) {
                    const auto* button = child<QPushButton>(name);
                    if (button->height() < button->fontMetrics().height() ||
                        button->width() < button->fontMetrics().horizontalAdvance(button->text()))
                        texts << QStringLiteral("%1 %2x%3")
                                     .arg(button->text())
                                     .arg(button->width())
                                     .arg(button->height());
                }
                return texts;
            };
            QTRY_VERIFY2(cut().isEmpty(), qPrintable(QString::number(scale) + cut().join(QLatin1Char('\n'))));
        }
    }
};

WARPGLASS_QT_TEST(TestWindowLarge)
#include "test_window_large.moc"
