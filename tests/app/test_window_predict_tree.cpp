// SPDX-License-Identifier: GPL-3.0-or-later
// Who launches is predicted in the window, by mouse, by keys and by ear; a view that asks nothing says why.
#include "app/window/panels/view_area.h"
#include "app/window/predict/predict_desk.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QAccessible>

using namespace warpglass;

class TestWindowPredictTree : public QObject, WindowFixture {
    Q_OBJECT

    ViewWidget& view() { return *m_window->views().current(); }
    PredictDesk& desk() { return m_window->prediction(); }
    QString heard() { return QAccessible::queryAccessibleInterface(&view())->text(QAccessible::Description); }
    // Two blocks of eight threads, each of which launches a grid of four, and so on.
    void ask(const char* viewKey) {
        RunRequest request;
        request.kernel = "nestedHelloWorld";
        request.launch.grid = Dim3{2};
        request.launch.block = Dim3{8};
        m_window->run(request);
        settle();
        m_window->views().showView(QLatin1String(viewKey));
        m_window->selection().setTime(m_window->current()->trace->range().begin - Time{1});
        desk().start();
        view().setFocus();
        QTRY_VERIFY(view().picture());
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("predict_tree")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    // Both blocks launch one: marked by keys, each told as it is marked. Then of the first child's four threads, thread 0.
    void whoLaunchesIsMarkedByKeys() {
        ask("launchtree");
        QVERIFY(desk().state() == PredictDesk::State::Asking);
        QVERIFY(heard().startsWith(QStringLiteral("Which blocks")));
        QTest::keyClick(&view(), Qt::Key_Home);
        QCOMPARE(heard(), QString("block 0: launches none"));
        QTest::keyClick(&view(), Qt::Key_Space);
        QCOMPARE(heard(), QString("block 0: launches a grid"));
        QTest::keyClick(&view(), Qt::Key_Right);
        QTest::keyClick(&view(), Qt::Key_Space);
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(desk().state() == PredictDesk::State::Shown);
        QCOMPARE(desk().score().whole, 1);
        QCOMPARE(desk().score().right, std::int64_t(2));
        QVERIFY2(heard().startsWith(QStringLiteral("all 2 blocks right")), qPrintable(heard()));
        QTest::keyClick(&view(), Qt::Key_Return); // the next question
        QVERIFY(desk().asked() && desk().asked()->items.size() == 4);
        QTest::keyClick(&view(), Qt::Key_Return); // with nothing marked: three of four are right
        QVERIFY2(heard().contains(QStringLiteral("3 of 4 threads right")), qPrintable(heard()));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(!desk().on());
    }

    void whoLaunchesIsMarkedByMouse() {
        ask("launchtree");
        for (int item = 0; item < 2; ++item) {
            QPoint place;
            for (int y = 0; y < view().height() && place.isNull(); y += 4)
                for (int x = 0; x < view().width() && place.isNull(); x += 4)
                    if (const Spot spot = view().picture()->spotAt(QPointF(x, y));
                        spot.click && Guess::from(predictionGuess.of(spot.click->options)).items.contains(item))
                        place = QPoint(x, y);
            QVERIFY(!place.isNull());
            QTest::mouseClick(&view(), Qt::LeftButton, Qt::NoModifier, place);
            QTRY_VERIFY(Guess::from(predictionGuess.of(view().context().options)).items.contains(item));
        }
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(desk().score().whole, 1);
    }

    void aViewThatDoesNotAskSaysWhy() {
        ask("timeline");
        QVERIFY(desk().state() == PredictDesk::State::Nothing);
        const auto note = [&] { return predictionNote.of(view().context().options); };
        QVERIFY2(note().contains(QStringLiteral("do not follow from the code")), qPrintable(note()));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(!note().contains(QStringLiteral("follow")), qPrintable(note()));
    }
};

WARPGLASS_QT_TEST(TestWindowPredictTree)
#include "test_window_predict_tree.moc"
