// SPDX-License-Identifier: GPL-3.0-or-later
// Learn, explore, build: what each shows at first sight and how much that is, that all of the rest is found by its name,
// that they come by themselves, and that each is found again as it was left.
#include "app/window/palette/command_palette.h"
#include "app/window/play/density_strip.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBrowser>

using namespace warpglass;

namespace {

// What a person sees and can press, choose, write in or draw at: each tab is one, a list is one, a board of 32 lanes is one
// answer, and learn, explore, build are one switch of three places. Text that is only read is none, and what is inside a field belongs to it.
QStringList controlsOf(const QWidget* window) {
    QStringList found;
    const auto isOne = [](const QWidget* w) {
        if (qobject_cast<const QScrollBar*>(w))
            return false;
        if (const auto* text = qobject_cast<const QPlainTextEdit*>(w))
            return !text->isReadOnly();
        return qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QComboBox*>(w) ||
               qobject_cast<const QLineEdit*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
               qobject_cast<const QAbstractSlider*>(w) || qobject_cast<const QAbstractItemView*>(w) ||
               qobject_cast<const ViewWidget*>(w) || qobject_cast<const DensityStrip*>(w) ||
               w->inherits("QsciScintilla");
    };
    const auto inside = [&](const QWidget* w) {
        for (const QWidget* p = w->parentWidget(); p && p != window; p = p->parentWidget())
            if (isOne(p) || qobject_cast<const QTabBar*>(p))
                return true;
        return false;
    };
    int lanes = 0, places = 0;
    for (const QWidget* w : window->findChildren<QWidget*>()) {
        if (!w->isVisible() || !w->isEnabled() || w->window() != window || inside(w))
            continue;
        if (const auto* tabs = qobject_cast<const QTabBar*>(w)) {
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isTabVisible(i) && tabs->isTabEnabled(i))
                    found << tabs->objectName() + QLatin1Char(':') + tabs->tabText(i);
        } else if (w->objectName() == QLatin1String("questionLane")) {
            if (lanes++ == 0)
                found << w->objectName();
        } else if (w->objectName() == QLatin1String("arrangement")) {
            if (places++ == 0)
                found << w->objectName();
        } else if (isOne(w)) {
            found << (w->objectName().isEmpty() ? QString::fromLatin1(w->metaObject()->className()) : w->objectName());
        }
    }
    return found;
}

constexpr int mostInLearn = 12, mostInExplore = 25;

} // namespace

class TestWindowArrange : public QObject, WindowFixture {
    Q_OBJECT

    void isAtMost(int most) {
        QCoreApplication::processEvents();
        const QStringList controls = controlsOf(m_window.get());
        QVERIFY2(controls.size() <= most,
                 qPrintable(QStringLiteral("%1: %2").arg(controls.size()).arg(controls.join(QLatin1String(", ")))));
        QVERIFY2(controls.size() > 4, "nothing is found");
    }

    WindowMode mode() { return m_window->shell().seen().mode; }

    void press(int digit) { QTest::keyClick(m_window.get(), Qt::Key(Qt::Key_0 + digit), Qt::AltModifier); }

    QToolButton* segment(const char* action) {
        const TopBar* top = m_window->shell().parts->top;
        return qstrcmp(action, "learn") == 0 ? top->learn : qstrcmp(action, "build") == 0 ? top->build : top->explore;
    }

    // By the palette, as it is typed.
    void takeByName(const QString& name) {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* field = child<QWidget>("palette")->findChild<QLineEdit*>();
        QVERIFY(field && field->isVisible());
        QTest::keyClicks(field, name);
        QTest::keyClick(field, Qt::Key_Return);
    }

    void picture(const char* name) { // for who wants to look
        if (const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES"); !folder.isEmpty()) {
            QTest::qWait(2500);
            m_window->grab().save(QStringLiteral("%1/arrange-%2.png").arg(folder, QLatin1String(name)));
        }
    }

    // The names of everything that the palette offers.
    QStringList offered() {
        QStringList names;
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = child<CommandPalette>("palette");
        for (int i = 0; i < palette->count(); ++i)
            names << palette->item(i).name;
        QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Escape);
        return names;
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("arrange")); }
    void init() { openAtFirst({1280, 720}); }
    void cleanup() { closeWindow(); }

    void learningShowsFewThings() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QCOMPARE(int(mode()), int(WindowMode::LearnQuestion));
        isAtMost(mostInLearn);
        emit m_window->views().question->answered({}, false);
        QCOMPARE(int(mode()), int(WindowMode::Learn));
        isAtMost(mostInLearn);
        // The question's words, the code with the line of the moment, the picture with two thirds of the room, and Play.
        const ViewArea& views = m_window->views();
        QVERIFY(views.strip->isVisible() && views.code->isVisible() && child<QToolButton>("play")->isVisible());
        QVERIFY(views.code->toPlainText().contains(QLatin1String("if (tid % 2 == 0)")));
        QVERIFY(views.code->mapTo(m_window.get(), QPoint()).x() < views.current()->mapTo(m_window.get(), QPoint()).x());
        QVERIFY(views.current()->width() > m_window->width() * 0.58);
        QTRY_VERIFY(!views.code->extraSelections().isEmpty());
    }

    // Every step of three lessons, once it is answered; and with the answer still to be given.
    void noStepOfALessonShowsMore() {
        for (const char* name : {"one-warp-two-paths", "idle-lanes", "waves-and-tail"}) {
            const LessonPlayer& player = m_window->feature<LessonFeature>().player();
            const int lesson = player.find(QLatin1String(name));
            QVERIFY(lesson >= 0);
            for (int step = 0; step < int(player.lessons()[lesson].steps.size()); ++step) {
                m_window->startLesson(lesson, step);
                settle();
                isAtMost(mostInLearn);
                if (m_window->shell().now().asking) {
                    emit m_window->views().question->answered({}, false);
                    isAtMost(mostInLearn);
                }
            }
        }
    }

    void exploringShowsNotManyThings() {
        for (const char* kernel : {"mathKernel1", "vectorAdd", "reduceNeighbored", "transpose_naive"}) {
            clickKernel(QLatin1String(kernel));
            settle();
            QCOMPARE(int(mode()), int(WindowMode::Explore));
            isAtMost(mostInExplore);
        }
        // Nor when a kernel is opened by somebody who knows all groups. The switches of other views come on top of it.
        m_window->views().know(ViewArea::Groups().set());
        for (const bool timing : {false, true}) {
            if (timing)
                m_window->action(QStringLiteral("timing"))->trigger();
            else
                clickKernel(QStringLiteral("vectorAdd"));
            settle();
            m_window->views().showView(QStringLiteral("launchmap"));
            m_window->shell().focusView();
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
                m_window->resize(size);
                QTest::qWait(50); // switches come after it
                isAtMost(mostInExplore);
            }
        }
        m_window->resize(1280, 720);
        QVERIFY(child<QListWidget>("gallery")->isVisible());
        QVERIFY(!child<QWidget>("rightPanel")->isVisible() && child<QToolButton>("rightRail")->isVisible());
        click(child<QToolButton>("rightRail")); // what is folded says how it comes back
        QVERIFY(child<QWidget>("rightPanel")->isVisible() && !child<QToolButton>("rightRail")->isVisible());
        QVERIFY(!child<QWidget>("launchPanel")->isVisible());
        click(child<QToolButton>("launchLine"));
        QVERIFY(child<QWidget>("launchPanel")->isVisible());
        click(child<QToolButton>("launchLine"));
        QVERIFY(!child<QWidget>("launchPanel")->isVisible());
    }

    // In every view of a kernel that fills most of them, with cycles, for somebody who knows all groups.
    void noViewShowsMore() {
        for (const char* kernel : {"reduceNeighbored", "transpose_smem"}) {
            clickKernel(QLatin1String(kernel));
            settle();
            m_window->views().know(ViewArea::Groups().set());
            if (!m_window->action(QStringLiteral("timing"))->isChecked())
                m_window->action(QStringLiteral("timing"))->trigger();
            settle();
            QStringList over;
            for (const QString& view : viewKeys()) {
                m_window->views().showView(view);
                m_window->shell().focusView();
                for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
                    m_window->resize(size);
                    QTest::qWait(60); // switches come after it
                    const QStringList controls = controlsOf(m_window.get());
                    if (controls.size() > mostInExplore)
                        over << QStringLiteral("%1 %2: %3").arg(view).arg(size.width()).arg(controls.size());
                }
            }
            QVERIFY2(over.isEmpty(), qPrintable(over.join(QLatin1Char('\n'))));
        }
    }

    void theLaunchIsOneLine() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const Launch& launch = m_window->current()->trace->launches.front();
        const QString line = child<QToolButton>("launchLine")->text();
        QVERIFY2(line.contains(QString::fromStdString(launch.grid.text()) + QStringLiteral(" × ") +
                               QString::fromStdString(launch.block.text())) &&
                     line.endsWith(QLatin1String("as written")),
                 qPrintable(line));
    }

    void theyComeByThemselves() {
        m_window->showStartPage(true);
        QVERIFY(segment("learn")->isChecked());
        picture("start");
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QVERIFY(segment("learn")->isChecked());
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QVERIFY(segment("explore")->isChecked());
        m_window->action(QStringLiteral("new"))->trigger();
        QVERIFY(segment("build")->isChecked());
        picture("build");
        QVERIFY(child<QWidget>("padPanel")->isVisible() && !child<QListWidget>("gallery")->isVisible());
        m_window->feature<ExerciseFeature>().start(0);
        QCOMPARE(int(mode()), int(WindowMode::Exercise));
        QVERIFY(child<QWidget>("exercisePage")->isVisible() && child<QWidget>("padPanel")->isVisible());
        picture("exercise");
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        QVERIFY(segment("explore")->isChecked());
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(segment("explore")->isChecked());
    }

    // By keys and by the mouse; the sides, the splits and what was opened are found as they were left, in each, and again
    // by the next window.
    void eachIsFoundAsItWasLeft() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* left = child<SideDock>("leftDock");
        auto* right = child<SideDock>("rightDock");
        click(child<QToolButton>("rightRail"));
        click(child<QToolButton>("launchLine"));
        left->moveTo(Qt::BottomDockWidgetArea);
        press(1);
        QCOMPARE(int(mode()), int(WindowMode::Learn));
        QVERIFY(!left->isVisible() && !right->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F4, Qt::ControlModifier); // the code, by hand
        QVERIFY(right->isVisible());
        QSplitter* columns = m_window->views().columns();
        columns->setSizes({300, columns->width() - 300});
        click(segment("build"));
        QCOMPARE(int(mode()), int(WindowMode::Build));
        QVERIFY(right->isVisible() && !left->isVisible());
        auto* frame = child<QMainWindow>("columns");
        QCOMPARE(frame->dockWidgetArea(right), Qt::LeftDockWidgetArea);
        click(child<QToolButton>("launchLine")); // the launch alone: the gallery is gone
        QVERIFY(left->isVisible() && child<QWidget>("launchPanel")->isVisible());
        QVERIFY(!child<QListWidget>("gallery")->isVisible());
        click(segment("explore"));
        const auto asLeft = [&] {
            QVERIFY(right->isVisible() && left->isVisible());
            QCOMPARE(frame->dockWidgetArea(left), Qt::BottomDockWidgetArea);
            QCOMPARE(frame->dockWidgetArea(right), Qt::RightDockWidgetArea);
            QVERIFY(child<QWidget>("launchPanel")->isVisible() && child<QListWidget>("gallery")->isVisible());
            press(1);
            QVERIFY(right->isVisible() && !left->isVisible());
            QTRY_VERIFY(std::abs(m_window->views().columns()->sizes()[0] - 300) < 12);
            press(3);
            QVERIFY(right->isVisible() && left->isVisible());
            QCOMPARE(frame->dockWidgetArea(right), Qt::LeftDockWidgetArea);
            press(2);
            QCOMPARE(frame->dockWidgetArea(left), Qt::BottomDockWidgetArea);
        };
        asLeft();
        QTest::keyClick(m_window.get(), Qt::Key_F5); // a class changes nothing of it
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        asLeft();
        m_window->close();
        m_window = std::make_unique<OpenWindow>();
        m_shown = m_seen = 0;
        connect(m_window.get(), &MainWindow::shown, m_window.get(), [this] { ++m_shown; });
        m_window->resize(1280, 720);
        m_window->show();
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        left = child<SideDock>("leftDock");
        right = child<SideDock>("rightDock");
        frame = child<QMainWindow>("columns");
        asLeft();
        m_window->action(QStringLiteral("sidesAtFirst"))->trigger(); // in this one alone
        QVERIFY(!right->isVisible());
        press(3);
        QVERIFY(left->isVisible());
    }

    // What is hidden is found by its name, in each arrangement: every action that is possible, every view.
    void whatIsHiddenIsInThePalette() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        for (const int arrangement : {1, 2, 3}) {
            press(arrangement);
            const QStringList names = offered();
            for (const ActionRow& row : actionTable()) {
                const QAction* action = m_window->action(QLatin1String(row.name));
                if (!action || !action->isEnabled() || qstrcmp(row.name, "palette") == 0)
                    continue;
                QVERIFY2(names.contains(action->text()), qPrintable(action->text()));
            }
            for (int i = 0; i < m_window->views().count(); ++i)
                QVERIFY(names.contains(m_window->views().at(i)->view().title()));
        }
        press(1);
        takeByName(QStringLiteral("Timeline"));
        QTRY_COMPARE(m_window->views().currentKey(), QStringLiteral("timeline"));
        QVERIFY(m_window->views().current()->isVisible());
        takeByName(QStringLiteral("Fields of the launch"));
        QTRY_VERIFY(child<QWidget>("launchPanel")->isVisible()); // learning, too
        takeByName(QStringLiteral("All buttons of time"));
        QTRY_VERIFY(child<QSlider>("speed")->isVisible());
        takeByName(QStringLiteral("Claims of text books"));
        QTRY_VERIFY(child<QWidget>("claimsPage")->isVisible());
    }

    // mathKernel1 stores one number a thread: no sum, one grid, nobody beside it.
    void onlyWhatSaysSomethingHasATab() {
        const auto shownIn = [this](const char* bar) {
            QStringList texts;
            const auto* tabs = child<QTabBar>(bar);
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isTabVisible(i))
                    texts << tabs->tabText(i);
            return texts;
        };
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QCOMPARE(shownIn("viewTabs"), (QStringList{"Where", "Who", "Memory"})); // a newcomer's three
        const auto* bar = child<QTabBar>("viewTabs"); // as wide as its tabs, also when one of them goes
        const auto isTight = [&] {
            int end = 0;
            for (int i = 0; i < bar->count(); ++i)
                if (bar->isTabVisible(i))
                    end = bar->tabRect(i).right() + 1;
            return bar->width() == end;
        };
        QTRY_VERIFY(isTight());
        for (const char* language : {"language_zh_CN", "language_en"}) {
            m_window->action(QLatin1String(language))->trigger();
            QTRY_VERIFY2(isTight(), language);
        }
        QCOMPARE(shownIn("groupViews"), QStringList{"Launch map"});
        m_window->views().showView(QStringLiteral("timeline")); // who has been there knows the way
        QCOMPARE(shownIn("viewTabs"), (QStringList{"Where", "When", "Who", "Memory"}));
        QVERIFY(!shownIn("groupViews").contains(QLatin1String("Race")));
        m_window->views().showView(QStringLiteral("lanes"));
        QCOMPARE(shownIn("viewTabs"), (QStringList{"Where", "When", "Who", "Memory"}));
        QCOMPARE(shownIn("groupViews"), QStringList{"Divergence"});
        QTest::qWait(300); // nor is a sum found by then
        QCOMPARE(shownIn("groupViews"), QStringList{"Divergence"});
        m_window->action(QStringLiteral("compare"))->trigger();
        settle();
        m_window->views().showView(QStringLiteral("timeline"));
        QVERIFY(shownIn("groupViews").contains(QLatin1String("Race")));
        m_window->views().showView(QStringLiteral("launchtree")); // asked for, it is there though it has one row
        QCOMPARE(shownIn("groupViews"), (QStringList{"Launch map", "Launch tree"}));
        clickKernel(QStringLiteral("reduceNeighbored"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        QTRY_COMPARE(shownIn("groupViews"), (QStringList{"Divergence", "Reduction"}));
        auto* members = child<QTabBar>("groupViews");
        QTest::mouseClick(members, Qt::LeftButton, Qt::NoModifier, members->tabRect(1).center());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("reduction"));
        auto* groups = child<QTabBar>("viewTabs");
        QTest::mouseClick(groups, Qt::LeftButton, Qt::NoModifier, groups->tabRect(int(ViewGroup::Where)).center());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("launchmap")); // the tree, where one was, has one row
        QTest::mouseClick(groups, Qt::LeftButton, Qt::NoModifier, groups->tabRect(int(ViewGroup::Who)).center());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("reduction"));
        m_window->views().showView(QStringLiteral("source"));
        QVERIFY(shownIn("viewTabs").contains(QLatin1String("Code")));
        m_window->views().showView(QStringLiteral("lanes"));
        QVERIFY(!shownIn("viewTabs").contains(QLatin1String("Code"))); // it stands at the side
        RunRequest many; // of so many blocks that no addresses are recorded
        many.kernel = "vectorAdd";
        many.launch.size = 100'000;
        many.launch.block = Dim3{64};
        many.options.timing = true;
        m_window->run(many);
        settle();
        QTRY_VERIFY2(isTight(), qPrintable(QStringLiteral("%1 %2 %3")
                                               .arg(bar->width())
                                               .arg(bar->sizeHint().width())
                                               .arg(bar->tabRect(2).right())));
    }

    // In a class the words and the code stand beside a picture of two thirds.
    void aClassSeesTheSameLarge() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        m_window->setPresenting(true);
        QCOMPARE(int(mode()), int(WindowMode::ClassQuestion));
        emit m_window->views().question->answered({}, false);
        QCOMPARE(int(mode()), int(WindowMode::ClassLesson));
        m_window->resize(1280, 720);
        QTRY_COMPARE(m_window->width(), 1280);
        QCoreApplication::processEvents();
        const ViewArea& views = m_window->views();
        QVERIFY(views.code->isVisible());
        QTRY_VERIFY(views.current()->width() >= m_window->width() * 2 / 3 - 8);
        picture("class");
        QTRY_VERIFY2(views.current()->height() >= m_window->height() - 8,
                     qPrintable(QStringLiteral("%1 of %2").arg(views.current()->height()).arg(m_window->height())));
        QVERIFY2(QFontInfo(views.code->font()).pixelSize() >= 14,
                 qPrintable(QString::number(QFontInfo(views.code->font()).pixelSize())));
        m_window->setPresenting(false);
    }
};

WARPGLASS_QT_TEST(TestWindowArrange)
#include "test_window_arrange.moc"
