// SPDX-License-Identifier: GPL-3.0-or-later
// How a person begins: the start page with mouse and keyboard, the first picture that is predicted, and the tour.
#include "app/window/files/files_feature.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/panels/question_card.h"
#include "app/window/panels/step_strip.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/start/start_page.h"
#include "app/window/start/tour.h"
#include "app/window/view_registry.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryFile>

using namespace warpglass;

class TestWindowStart : public QObject, WindowFixture {
    Q_OBJECT

    StartPage& page() { return *child<StartPage>("startPage"); }
    Tour& tour() { return m_window->tour(); }
    QString strip(const char* label) { return child<QLabel>(label)->text(); }

    // What a person does who goes somewhere with the Tab key alone.
    bool tabTo(const QWidget* wanted) {
        for (int pressed = 0; pressed < 60 && QApplication::focusWidget() != wanted; ++pressed)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        return QApplication::focusWidget() == wanted;
    }
    void clickRow(StartList* list, int row) {
        list->scrollToItem(list->item(row));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(list->item(row)).center());
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("start")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    // As large as a small screen, it would lie under its own frame; who has moved it finds it where it was.
    void theFirstTimeItTakesAllOfASmallScreen() {
        QVERIFY(QGuiApplication::primaryScreen()->availableSize().width() <= 1440);
        QSettings().remove(QStringLiteral("geometry"));
        OpenWindow first;
        first.appear();
        QTRY_VERIFY(first.isMaximized());
        first.showNormal();
        first.resize(900, 600);
        first.close();
        OpenWindow second;
        second.appear();
        QVERIFY(!second.isMaximized());
    }

    // However wide the page is, the sentence is not: it keeps the height of its lines.
    void theSentenceIsNotCutOnALargeScreen() {
        m_window->begin();
        m_window->resize(1920, 1080);
        auto* about = child<QLabel>("startAbout");
        QTRY_VERIFY(about->isVisible() && m_window->width() == 1920);
        QTRY_VERIFY(about->height() >= about->heightForWidth(about->width()));
        QVERIFY(about->height() >= 2 * about->fontMetrics().height()); // two lines of it
    }

    // The first five minutes, step by step, with the mouse:
    // 1. The program is opened for the first time: the start page, nothing behind it.
    // 2. The great button: a question about the 32 lanes of a warp, with the kernel beside it; no picture that tells.
    // 3. The even lanes are marked, and the answer is given.
    // 4. It is right, the strip says so, and the picture of the run is there to be compared with.
    // 5. The next step is one click away, and so is the start page; nothing is a dead end.
    void aNewcomerPredictsADivergencePicture() {
        m_window->begin();
        QVERIFY(page().isVisible());
        QVERIFY(!m_window->current() && !m_window->transport().isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), page().predict); // Enter would do as well

        click(page().predict);
        QVERIFY(!page().isVisible());
        settle();
        QuestionCard* card = m_window->views().question;
        QVERIFY(card->isVisible());
        QVERIFY(!m_window->views().current()->isVisible());
        QVERIFY(!child<QPlainTextEdit>("questionCode")->toPlainText().isEmpty());
        QVERIFY(!tour().running()); // never over a question

        const QList<QToolButton*> lanes = card->findChildren<QToolButton*>(QStringLiteral("questionLane"));
        QCOMPARE(lanes.size(), 32);
        for (QToolButton* lane : lanes)
            if (lane->text().toInt() % 2 == 0)
                click(lane);
        click(child<QPushButton>("questionGive"));

        QVERIFY(!card->isVisible());
        QVERIFY2(strip("stepAnswer").startsWith(QLatin1String("Right: ")), qPrintable(strip("stepAnswer")));
        ViewWidget* view = m_window->views().current();
        QVERIFY(view->isVisible());
        QCOMPARE(m_window->views().currentKey(), QString("lanes"));
        QTRY_VERIFY_WITH_TIMEOUT(view->picture() && !view->picture()->emptiness(), 60000);
        // Two warps of 32 threads, each of which parts into 16 and 16: what was predicted is what is shown.
        QCOMPARE(view->context().trace->warps.size(), std::size_t(2));

        QVERIFY(m_window->views().strip->next->isEnabled());
        click(m_window->views().strip->next);
        settle();
        QVERIFY(card->isVisible());
        click(child<QToolButton>("home"));
        QVERIFY(page().isVisible() && page().back->isVisible());
    }

    void theSameByKeyboardAlone() {
        m_window->begin();
        QTRY_COMPARE(QApplication::focusWidget(), page().predict);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        settle();
        QuestionCard* card = m_window->views().question;
        for (QToolButton* lane : card->findChildren<QToolButton*>(QStringLiteral("questionLane")))
            if (lane->text().toInt() % 2 == 0) {
                QVERIFY2(tabTo(lane), qPrintable(lane->text()));
                QTest::keyClick(lane, Qt::Key_Space);
            }
        auto* give = child<QPushButton>("questionGive");
        QVERIFY(tabTo(give));
        QTest::keyClick(give, Qt::Key_Space);
        QVERIFY2(strip("stepAnswer").startsWith(QLatin1String("Right: ")), qPrintable(strip("stepAnswer")));
        QCOMPARE(QApplication::focusWidget(), m_window->views().current());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home, Qt::AltModifier);
        QVERIFY(page().isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape); // back to the lesson
        QVERIFY(!page().isVisible() && m_window->views().current()->isVisible());
    }

    // The other way, without a lesson and without a mouse: a kernel is found by its name, its view asks with F6, and what was
    // painted by keys is right.
    // 1. Tab to the gallery's button, Enter: the field that searches has the focus.
    // 2. The name, Enter: the kernel runs, and the keys mean the view.
    // 3. Ctrl+3: divergence. F6: which of 32 lanes go on into line 25? Even threads do: tid % 2 == 0.
    // 4. Space at every second lane, Enter: all 32 lanes right. Esc: the picture.
    void aKernelIsPredictedByKeyboardAlone() {
        m_window->begin();
        QTRY_COMPARE(QApplication::focusWidget(), page().predict);
        const auto press = [](int key, Qt::KeyboardModifiers with = Qt::NoModifier) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key(key), with);
        };
        QVERIFY(tabTo(page().gallery));
        press(Qt::Key_Return);
        QVERIFY(!page().isVisible());
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("mathKernel1"));
        press(Qt::Key_Return);
        settle();
        QCOMPARE(m_window->current()->name, QString("mathKernel1"));
        press(Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(m_window->views().currentKey(), QString("lanes"));
        press(Qt::Key_F6);
        PredictDesk& desk = m_window->prediction();
        QTRY_VERIFY(desk.asked());
        QCOMPARE(QApplication::focusWidget(), m_window->views().current());
        QCOMPARE(desk.asked()->words.question, QString("Which lanes go on into line 25?"));
        for (int lane = 0; lane < 32; lane += 2) {
            press(Qt::Key_Space);
            press(Qt::Key_Right);
            press(Qt::Key_Right);
        }
        press(Qt::Key_Return);
        QCOMPARE(desk.score().whole, 1);
        QCOMPARE(desk.score().right, std::int64_t(32));
        press(Qt::Key_Escape);
        QVERIFY(!desk.on());
        QCOMPARE(QApplication::focusWidget(), m_window->views().current());
    }

    void lessonsStandInTheirOrderAndOpen() {
        m_window->begin();
        StartList* lessons = page().lessons;
        QCOMPARE(lessons->count(), int(builtInLessonPaths().size()));
        QCOMPARE(lessons->item(0)->text(), QString("What runs where"));
        QVERIFY(tabTo(lessons));
        QTest::keyClick(lessons, Qt::Key_Down);
        QTest::keyClick(lessons, Qt::Key_Return);
        settle();
        QVERIFY(!page().isVisible());
        QVERIFY(strip("stepTitle").size() > 3);
        QCOMPARE(child<QTabWidget>("leftTabs")->currentIndex(), 1);
        QVERIFY(m_window->views().question->isVisible());
    }

    void anExerciseOpensInThePad() {
        m_window->begin();
        QVERIFY(page().exercises->count() >= 12);
        clickRow(page().exercises, 0);
        QVERIFY(!page().isVisible());
        QVERIFY(m_window->exercises().current());
        settle();
    }

    void filesAreOpenedOrAnswered() {
        const QString whole = m_folder->filePath(QStringLiteral("whole.wgt")),
                      damaged = m_folder->filePath(QStringLiteral("damaged.wgt"));
        QVERIFY(QFile::copy(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"), whole));
        m_window->openFile(whole);
        settle();
        m_window->action(QStringLiteral("home"))->trigger();
        QVERIFY(page().isVisible());
        QCOMPARE(page().recent->count(), 1);
        // One that cannot be read is answered where it was asked for.
        QFile file(damaged);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a letter\n") > 0);
        file.close();
        m_window->openFile(damaged);
        settle();
        QVERIFY(page().isVisible() && page().message->showsError());
        clickRow(page().recent, 0);
        settle();
        QVERIFY(!page().isVisible());
        QCOMPARE(m_window->current()->file, whole);

        // Gone with the folder for the time being that it lay in, it is no recent file; one that lay elsewhere may come back.
        QVERIFY(whole.startsWith(QDir::tempPath()) && QFile::remove(whole));
        FilesFeature& files = m_window->feature<FilesFeature>();
        QTemporaryFile ini;
        QVERIFY(ini.open());
        QSettings settings(ini.fileName(), QSettings::IniFormat);
        settings.setValue(QStringLiteral("recent"), QStringList{whole, QStringLiteral("/media/stick/far.wgt")});
        files.readSettings(settings);
        QCOMPARE(files.recent(), QStringList{QStringLiteral("/media/stick/far.wgt")});
    }

    void galleryAndPadAreOneClickAway() {
        m_window->begin();
        click(page().gallery);
        QVERIFY(!page().isVisible());
        QCOMPARE(child<QTabWidget>("leftTabs")->currentIndex(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::AltModifier);
        QVERIFY(page().isVisible());
        click(page().write);
        QVERIFY(!page().isVisible());
        QTRY_VERIFY(m_window->findChild<PadPanel*>()->isVisible());
    }

    void languageAndThemeAreAtHand() {
        m_window->begin();
        const auto look = [this](const char* name) {
            for (QToolButton* button : page().findChildren<QToolButton*>(QStringLiteral("startLook")))
                if (button->defaultAction() == m_window->action(QLatin1String(name)))
                    return button;
            return static_cast<QToolButton*>(nullptr);
        };
        click(look("language_zh_CN"));
        QCOMPARE(page().predict->text(), QString::fromUtf8("预测第一幅图"));
        QCOMPARE(page().lessons->item(0)->text(), readLesson(builtInLessonPaths().first(), viewKeys())->title.zh);
        QVERIFY(page().lessons->item(0)->text() != QLatin1String("What runs where"));
        click(look("language_en"));
        QCOMPARE(page().predict->text(), QString("Predict your first picture"));
        click(look("theme_dark"));
        QVERIFY(m_window->theme().kind == ThemeKind::Dark);
        QVERIFY(page().isVisible());
    }

    void nothingBehindThePageIsMeant() {
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->showStartPage(true);
        for (const char* name : {"run", "save", "export", "play", "stepForward", "follow", "predict"})
            QVERIFY2(!m_window->action(QLatin1String(name))->isEnabled(), name);
        QVERIFY(!child<QPushButton>("primary")->isVisible() || page().isAncestorOf(child<QPushButton>("primary")));
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier); // a view
        QVERIFY(!page().isVisible());
        QCOMPARE(m_window->views().currentKey(), QString("timeline"));
        QVERIFY(m_window->action(QStringLiteral("play"))->isEnabled());
    }

    void everythingOnThePageHasANameAndFitsInside() {
        m_window->begin();
        for (const QSize size : {QSize(1600, 900), QSize(1024, 700), QSize(800, 440)})
            for (const qreal scale : {1.0, 2.0}) {
                m_window->resize(size);
                m_window->setFontScale(scale);
                QCoreApplication::sendPostedEvents();
                QCoreApplication::processEvents();
                for (const QPushButton* button : page().findChildren<QPushButton*>()) {
                    if (!button->isVisible() || button->parent() == page().message)
                        continue;
                    QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
                    QVERIFY(!button->text().isEmpty());
                }
            }
        m_window->setFontScale(1.0);
    }

    // Seven stations at most, each over a part that is to be seen; the card never lies outside, nor the spot.
    void theTourGoesOverTheWindow() {
        m_window->begin();
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QCoreApplication::processEvents();
        QVERIFY(!tour().running()); // nobody asked for it
        m_window->action(QStringLiteral("tour"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(tour().running(), 60000);
        QStringList titles;
        for (int steps = 0; tour().running() && steps < 20; ++steps) {
            QVERIFY(m_window->rect().contains(tour().spot()));
            const QWidget* card = tour().next->parentWidget();
            QVERIFY(tour().rect().contains(card->geometry()));
            QVERIFY(tour().text->height() >= tour().text->heightForWidth(tour().text->width()));
            QVERIFY(!titles.contains(tour().title->text()));
            titles << tour().title->text();
            QTest::keyClick(QApplication::focusWidget(), steps % 2 ? Qt::Key_Right : Qt::Key_Return);
        }
        QVERIFY(titles.size() >= 5 && titles.size() <= 7);
        QVERIFY(!tour().isVisible());
        m_window->runKernel(QStringLiteral("mathKernel2"));
        settle();
        QCoreApplication::processEvents();
        QVERIFY(!tour().running());
    }

    void theTourIsLeftByEscAndFoundInHelp() {
        m_window->begin();
        m_window->action(QStringLiteral("tour"))->trigger(); // runs a kernel first: there is something to see
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(tour().running(), 60000);
        const Time time = m_window->selection().get().time;
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_BracketRight); // means nothing behind it
        QCOMPARE(m_window->selection().get().time, time);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(tour().count->text().left(1), QString("2"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QCOMPARE(tour().count->text().left(1), QString("1"));
        click(tour().next);
        QCOMPARE(tour().count->text().left(1), QString("2"));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE(tour().next->text(), QString::fromUtf8("下一步"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!tour().running());
        QVERIFY(page().isVisible()); // where it was asked for
    }
};

WARPGLASS_QT_TEST(TestWindowStart)
#include "test_window_start.moc"
