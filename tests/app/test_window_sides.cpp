// SPDX-License-Identifier: GPL-3.0-or-later
// Small windows: numbers, words and views keep their room, and the panels at the sides give theirs.
#include "app/window/sides/side_dock.h"
#include "app/window/top/top_bar.h"
#include "app/window/warp/warp_panel.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"

#include <QMenu>
#include <QTabBar>
#include <QToolButton>
#include <QToolTip>

using namespace warpglass;

class TestWindowSides : public QObject, WindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassSides")); }
    void init() { openWindow({1024, 700}); }
    void cleanup() { closeWindow(); }

    void numbersAreWholeBeforeAnythingElseIs() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* panel = child<WarpPanel>("warpPanel");
        const Theme theme = m_window->theme();
        QFont bold = theme.body();
        bold.setBold(true);
        bool mask = false;
        for (const QVector<Fact>& facts : {panel->facts().facts, panel->ofLaunch()}) {
            QVERIFY(facts.size() > 2);
            for (const qreal width : {180.0, 222.0, 330.0}) { // 222: the narrowest that the panel becomes
                const FactRows laid = layFacts(facts, width, theme);
                QCOMPARE(laid.rows.size(), facts.size());
                for (const FactRow& row : laid.rows) {
                    QVERIFY2(row.valueWidth >= textWidth(bold, row.value), qPrintable(row.label + row.value));
                    QVERIFY(row.valueAt + row.valueWidth + row.originWidth <= width + 0.01);
                    QCOMPARE(row.of != laid.origin,
                             row.originWidth > 0); // no notes here: said once, but where it differs
                    mask = mask || row.value == QLatin1String("0x55555555");
                }
            }
        }
        QVERIFY(mask); // even lanes enter
    }

    // Where the middle shows the code the side does not; what is written there stays.
    void theCodeStandsOnce() {
        auto* tabs = child<QTabBar>("sourceTabs");
        const QWidget* code = m_window->shell().parts->code;
        const auto shows = [&](const char* view) {
            m_window->views().showView(QString::fromLatin1(view));
            return code->isVisible();
        };
        tabs->setCurrentIndex(0);
        QVERIFY(shows("launchmap"));
        QVERIFY(!shows("source"));
        QVERIFY(child<WarpPanel>("warpPanel")->isVisible());
        QVERIFY(shows("timeline"));
        tabs->setCurrentIndex(tabs->count() - 1); // the pad
        QVERIFY(shows("source"));
        tabs->setCurrentIndex(1);
        QVERIFY(!code->isVisible());
        QVERIFY(shows("launchmap"));
    }

    void keysFoldTheSidesAway() {
        auto* left = child<SideDock>("leftDock");
        auto* right = child<SideDock>("rightDock");
        QVERIFY(left->isVisible() && right->isVisible());
        const int before = m_window->views().width();
        QTest::keyClick(m_window.get(), Qt::Key_F4);
        QVERIFY(!left->isVisible() && !right->isVisible());
        QTRY_VERIFY(m_window->views().width() > before + 400);
        QTest::keyClick(m_window.get(), Qt::Key_F4);
        QVERIFY(left->isVisible() && right->isVisible());
        QTRY_COMPARE(m_window->views().width(), before); // as wide as they were
        QTest::keyClick(m_window.get(), Qt::Key_F4, Qt::ShiftModifier);
        QVERIFY(!left->isVisible() && right->isVisible());
        QVERIFY(!m_window->action(QStringLiteral("leftSide"))->isChecked());
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier); // what is asked for comes back
        QVERIFY(left->isVisible());
        QTRY_VERIFY(child<QLineEdit>("gallerySearch")->hasFocus());
        for (auto* button : right->findChildren<QToolButton*>())
            if (button->property("buttonName").toString() == QLatin1String("fold"))
                click(button);
        QVERIFY(!right->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F5); // the class room forgets nothing
        QVERIFY(!left->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(left->isVisible() && !right->isVisible());
    }

    // At 160 % three columns want 760 x 1.6 = 1,216 px: of 1,280 they have them, of 1,000 not. Who asks for a side has it.
    void theSidesFoldWhereThereIsNoRoom() {
        m_window->resize(1280, 720);
        m_window->setFontScale(1.6);
        auto *left = child<SideDock>("leftDock"), *right = child<SideDock>("rightDock");
        QTRY_COMPARE(m_window->width(), 1280);
        QVERIFY(!left->isFolded() && !right->isFolded());
        m_window->resize(1000, 720);
        QTRY_VERIFY(left->isFolded() && right->isFolded());
        QVERIFY2(QToolTip::text().contains(QLatin1String("F4")), qPrintable(QToolTip::text()));
        QTest::keyClick(m_window.get(), Qt::Key_F4);
        QVERIFY(!left->isFolded());
        m_window->resize(980, 720);
        QCoreApplication::processEvents();
        QVERIFY(!left->isFolded());
        m_window->setFontScale(1.0);
    }

    void whereTheSidesStandIsRemembered() {
        auto* columns = child<QMainWindow>("columns");
        auto* left = child<SideDock>("leftDock");
        columns->addDockWidget(Qt::RightDockWidgetArea, left);
        child<SideDock>("rightDock")->setFolded(true);
        m_window->close();
        m_window = std::make_unique<OpenWindow>();
        m_window->resize(1024, 700);
        m_window->show();
        columns = child<QMainWindow>("columns");
        left = child<SideDock>("leftDock");
        QCOMPARE(columns->dockWidgetArea(left), Qt::RightDockWidgetArea);
        QVERIFY(left->isVisible());
        QVERIFY(!child<SideDock>("rightDock")->isVisible());
        QVERIFY(!m_window->action(QStringLiteral("rightSide"))->isChecked());
        m_window->action(QStringLiteral("sidesAtFirst"))->trigger();
        QCOMPARE(columns->dockWidgetArea(left), Qt::LeftDockWidgetArea);
        QVERIFY(!child<SideDock>("rightDock")->isVisible()); // the code was folded at first
    }

    // Below the views a panel is wide and low: what it holds lies side by side, and the views keep most of the height.
    void aPanelBelowTheViewsLiesFlat() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* columns = child<QMainWindow>("columns");
        auto* left = child<SideDock>("leftDock");
        auto* lessons = child<QTabWidget>("leftTabs");
        auto* launch = child<QWidget>("launchPanel");
        QVERIFY(launch->mapTo(columns, QPoint()).y() > lessons->mapTo(columns, QPoint()).y());
        const int width = m_window->views().width();
        const QList<QAction*> places = left->places()->actions();
        QCOMPARE(places.size(), 4);
        QVERIFY(places[0]->isChecked());
        places[3]->trigger();
        QCOMPARE(columns->dockWidgetArea(left), Qt::BottomDockWidgetArea);
        const auto liesFlat = [&] {
            return launch->mapTo(columns, QPoint()).x() > lessons->mapTo(columns, QPoint()).x() + 100 &&
                   left->y() > m_window->views().mapTo(columns, QPoint()).y() + m_window->views().height() / 2;
        };
        QTRY_VERIFY(liesFlat());
        QTRY_VERIFY(m_window->views().width() > width + 150);
        QVERIFY2(m_window->views().height() >= 200, qPrintable(QString::number(m_window->views().height())));
        QVERIFY(m_window->height() <= 700 && m_window->width() <= 1024);
        if (const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES"); !folder.isEmpty())
            m_window->grab().save(folder + QStringLiteral("/sides-below.png")); // for who wants to look
        m_window->close();
        m_window = std::make_unique<OpenWindow>();
        m_window->resize(1024, 700);
        m_window->show();
        columns = child<QMainWindow>("columns");
        left = child<SideDock>("leftDock");
        lessons = child<QTabWidget>("leftTabs");
        launch = child<QWidget>("launchPanel");
        QCOMPARE(columns->dockWidgetArea(left), Qt::BottomDockWidgetArea); // remembered, and flat still
        QTRY_VERIFY(liesFlat());
        m_window->action(QStringLiteral("sidesAtFirst"))->trigger();
        QCOMPARE(columns->dockWidgetArea(left), Qt::LeftDockWidgetArea);
        QTRY_VERIFY(launch->mapTo(columns, QPoint()).y() > lessons->mapTo(columns, QPoint()).y());
    }

    void aPanelOutOfTheWindowIsTheWindowsStill() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr run = m_window->current();
        auto* left = child<SideDock>("leftDock");
        left->setFloating(true);
        QTRY_VERIFY(left->isFloating() && left->isVisible());
        auto* mode = child<QComboBox>("mode");
        mode->setFocus();
        QTest::keyClick(mode, Qt::Key_Home); // as within the window
        QTest::keyClick(mode, Qt::Key_End);
        QTest::qWait(500);
        QCOMPARE(m_window->current(), run);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(!left->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(left->isVisible());
    }

    void aPlaceKeepsTheBeginningOfWhatIsInnermost() {
        ElidedLabel label;
        label.setText(QStringLiteral("app.wgt › launch 3 › void scale<float, 4>"));
        const auto widthOf = [&](const char* text) {
            return label.fontMetrics().horizontalAdvance(QString::fromUtf8(text));
        };
        const int whole = widthOf("app.wgt › launch 3 › void scale<float, 4>");
        QCOMPARE(label.textFor(whole), label.text());
        QCOMPARE(label.textFor(whole - 1), QStringLiteral("… › launch 3 › void scale<float, 4>"));
        const int last = widthOf("… › void scale<float, 4>");
        QCOMPARE(label.textFor(last), QStringLiteral("… › void scale<float, 4>"));
        QVERIFY(label.textFor(last - 1).startsWith(QStringLiteral("… › void scale<float")));
        QVERIFY(label.textFor(last - 1).endsWith(QStringLiteral("…")));
    }

    void wordsOfTheTopBarAreWhole() {
        clickKernel(QStringLiteral("gpuRecursiveReduceNosync")); // a long name, of a family with a long name
        settle();
        for (const char* language : {"en", "zh_CN"})
            for (const int width : {800, 1024, 1600}) {
                m_window->setLanguage(QLatin1String(language));
                m_window->resize(width, 600);
                QTRY_COMPARE(m_window->width(), width);
                QCoreApplication::processEvents();
                for (const QAbstractButton* button : child<QWidget>("topBar")->findChildren<QAbstractButton*>())
                    if (button->isVisible()) {
                        QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
                        QVERIFY(button->mapTo(m_window.get(), QPoint(button->width(), 0)).x() <= width);
                    }
            }
        m_window->setLanguage(QStringLiteral("en"));
    }

    void tabsOfViewsFoldIntoAList() {
        auto* tabs = child<QTabBar>("viewTabs");
        auto* list = child<QToolButton>("viewList");
        clickKernel(QStringLiteral("mathKernel1")); // what says nothing has no tab
        settle();
        m_window->resize(800, 600); // beside both sides there is little room
        QTRY_VERIFY(list->isVisible() && !tabs->isVisible());
        QTRY_VERIFY(list->x() < 40); // where the first tab was
        QTRY_COMPARE(list->text(), m_window->views().current()->view().title());
        emit list->menu()->aboutToShow();
        QList<QAction*> entries = list->menu()->actions(); // by group, each below its name
        entries.removeIf([](const QAction* entry) { return entry->isSeparator(); });
        QCOMPARE(entries.size(), m_window->views().count());
        const QString third = m_window->views().at(2)->view().title();
        (*std::find_if(entries.begin(), entries.end(), [&](const QAction* e) {
            return e->text() == third;
        }))->trigger();
        QCOMPARE(m_window->views().current(), m_window->views().at(2));
        QCOMPARE(list->text(), m_window->views().at(2)->view().title());
        QTest::keyClick(m_window.get(), Qt::Key_F4); // with room they are tabs
        QTRY_VERIFY(tabs->isVisible());
        QCOMPARE(tabs->currentIndex(), int(ViewGroup::Who));
        QTest::keyClick(m_window.get(), Qt::Key_F4);
        QTRY_VERIFY(list->isVisible() && !tabs->isVisible());
    }
};

WARPGLASS_QT_TEST(TestWindowSides)
#include "test_window_sides.moc"
