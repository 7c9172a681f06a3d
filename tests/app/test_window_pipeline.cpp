// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline view in the window: what it asks, and what the panels beside it follow.
#include "app/window/panels/view_area.h"
#include "app/window/predict/predict_desk.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/prediction_picture.h"

using namespace warpglass;

class TestWindowPipeline : public QObject, WindowFixture {
    Q_OBJECT
    PredictDesk& desk() { return m_window->prediction(); }
    ViewWidget& view() { return *m_window->views().current(); }
    // warp 4 of block 0 of matmul_producer asks for two copies a tile, of A and of B, all by itself: those of tile n are numbers
    // 2 n and 2 n + 1 of its copies.
    Time orderedAt(std::size_t tile) {
        const Trace& trace = *m_window->current()->trace;
        const std::uint32_t warp = trace.blocks[0].firstWarp + 4;
        auto copy = std::ranges::find(trace.copies, warp, &AsyncCopy::warp) + std::ptrdiff_t(2 * tile);
        return copy->issued;
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("pipeline")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    // F6: "which slot is filled next?" Tile n of the kernel goes into slot n % 4. Right behind the copies of tile 3 it is slot 0,
    // which the keys choose; behind those of tile 5 slot 2, which the mouse chooses; slot 1 is wrong there.
    void theNextSlotIsPredicted() {
        RunRequest request;
        request.kernel = "matmul_producer";
        request.options.timing = true;
        m_window->run(request);
        settle();
        m_window->views().showView(QStringLiteral("pipeline"));
        m_window->selection().setTime(orderedAt(3));
        view().setFocus();
        const auto answered = [&](auto&& choose) { // whether the question was wholly right
            QTest::keyClick(&view(), Qt::Key_F6);
            [&] { QTRY_VERIFY(desk().asked()); }();
            choose();
            const PredictionScore before = desk().score();
            QTest::keyClick(&view(), Qt::Key_Return);
            const PredictionScore after = desk().score();
            QTest::keyClick(&view(), Qt::Key_Escape);
            return after.questions == before.questions + 1 && after.whole == before.whole + 1;
        };
        QVERIFY(answered([&] {
            QCOMPARE(desk().asked()->words.question, QString("Which slot is filled next?"));
            QCOMPARE(desk().asked()->moment, orderedAt(4));
            QCOMPARE(desk().asked()->items.size(), qsizetype(4));
            QTest::keyClick(&view(), Qt::Key_Home);
            QTest::keyClick(&view(), Qt::Key_Space);
        }));
        for (const int slot : {1, 2}) {
            m_window->selection().setTime(orderedAt(5));
            QCOMPARE(answered([&] {
                         QTest::mouseClick(&view(), Qt::LeftButton, Qt::NoModifier,
                                           predictedCell(*view().picture(), slot).center().toPoint());
                     }),
                     slot == 2);
        }
    }
};

WARPGLASS_QT_TEST(TestWindowPipeline)
#include "test_window_pipeline.moc"
