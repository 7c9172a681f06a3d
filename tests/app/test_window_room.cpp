// SPDX-License-Identifier: GPL-3.0-or-later
// Larger type in a small window: no word of a view lies outside of its picture, is cut, or lies over another one.
#include "app/window/panels/question_card.h"
#include "app/window/panels/switch_holder.h"
#include "app/window/panels/view_area.h"
#include "app/window/sides/side_dock.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "tests/views/text_places.h"
#include "tests/views/view_rooms.h"

#include <QComboBox>
#include <QRegularExpression>

using namespace warpglass;

class TestWindowRoom : public QObject, WindowFixture {
    Q_OBJECT

    // Of all views as large as they are in the window now.
    QStringList wrongOnes() {
        QStringList wrong;
        for (int i = 0; i < m_window->views().count(); ++i) {
            const ViewWidget* widget = m_window->views().at(i);
            const QSize size = m_window->views().current()->size();
            PaintContext context = widget->context();
            context.theme = m_window->theme();
            const PicturePtr picture = widget->view().compose(context, QRectF(QPointF(), size));
            constexpr int lowest = 120; // px: a lesson of twice the type leaves less of a small window
            if (picture->emptiness() || size.height() < lowest)
                continue;
            samples::TextPlaces places(size);
            QPainter painter(&places);
            picture->paint(painter);
            painter.end();
            for (const QString& one : samples::misplaced(places.places(), size))
                wrong << QStringLiteral("%1 %2x%3: %4")
                             .arg(widget->view().key())
                             .arg(size.width())
                             .arg(size.height())
                             .arg(one);
        }
        return wrong;
    }

    // The drop-downs above the view that is seen, with what holds each.
    QList<std::pair<const SwitchHolder*, const QComboBox*>> shownSwitches() {
        QList<std::pair<const SwitchHolder*, const QComboBox*>> shown;
        for (const SwitchHolder* holder : m_window->findChildren<SwitchHolder*>())
            for (const QComboBox* box : holder->findChildren<QComboBox*>())
                if (box->isVisible())
                    shown.emplaceBack(holder, box);
        return shown;
    }

    // Of them, those that are cut or lie outside, and a row with room for a line that is not there.
    QStringList wrongSwitches(int view) {
        QStringList wrong;
        const QString key = m_window->views().at(view)->view().key();
        for (const auto& [holder, box] : shownSwitches()) {
            const QRect where(box->mapTo(holder, QPoint()), box->size());
            const bool whole = box->fontMetrics().horizontalAdvance(box->currentText()) + 16 <= box->width();
            if (where.left() < 0 || where.right() > holder->width() || where.bottom() > holder->height() || !whole)
                wrong << key + QLatin1Char(' ') + box->currentText();
            const int lines = holder->findChild<SwitchBar*>()->lines();
            if (holder->height() >= (lines + 1) * box->height())
                wrong << key + QStringLiteral(": room for a line that is not there");
        }
        return wrong;
    }

    void run(const char* kernel, int size, unsigned block) {
        RunRequest request;
        request.kernel = kernel;
        request.launch.size = size;
        request.launch.block = Dim3{block};
        request.launch.mode = CompileMode::AsWritten;
        request.options.detail.accesses = request.accesses = true;
        request.options.timing = true;
        m_window->run(request);
        settle();
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("room")); }
    void cleanup() { closeWindow(); }

    void viewsYield_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"})
            for (const double scale : {1.0, 1.6, 2.0})
                for (const char* lesson : {"", "one-warp-two-paths"})
                    for (const QSize size : {QSize(1280, 720), QSize(1024, 700)})
                        QTest::addRow("%dx%d %g %s %s", size.width(), size.height(), scale, lesson, language)
                            << size << scale << QString::fromLatin1(lesson) << QString::fromLatin1(language);
    }
    void viewsYield() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QFETCH(QString, lesson);
        QFETCH(QString, language);
        openWindow(size);
        m_window->setLanguage(language);
        m_window->setFontScale(scale);
        if (lesson.isEmpty()) {
            run("reduceNeighbored", 256, 128);
            for (const char* side : {"leftDock", "rightDock"})
                child<SideDock>(side)->setFolded(false); // though there is no room
        } else {
            m_window->startLesson(lesson);
            settle();
            emit m_window->views().question->answered({}, false);
        }
        QCoreApplication::processEvents();
        const QStringList wrong = wrongOnes();
        m_window->setLanguage(QStringLiteral("en"));
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QString::number(wrong.size()) + QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }

    // The sizes in which the texts of all kernels are looked at are those of this window: the least that a view has in it.
    void viewsAreAsLargeAsTheTextsAreLookedAt_data() {
        QTest::addColumn<int>("room");
        for (int n = 0; n < int(samples::viewRooms.size()); ++n) {
            const samples::ViewRoom& room = samples::viewRooms[std::size_t(n)];
            QTest::addRow("%dx%d %g %s", room.window.width(), room.window.height(), room.type,
                          room.sides ? "both sides" : "no sides")
                << n;
        }
    }
    void viewsAreAsLargeAsTheTextsAreLookedAt() {
        QFETCH(int, room);
        const samples::ViewRoom& taken = samples::viewRooms[std::size_t(room)];
        openWindow(taken.window);
        m_window->setFontScale(taken.type);
        run("reduceNeighbored", 256, 128);
        for (const char* side : {"leftDock", "rightDock"})
            child<SideDock>(side)->setFolded(!taken.sides);
        const auto least = [&] {
            QSize size = taken.window;
            for (int i = 0; i < m_window->views().count(); ++i) {
                m_window->views().showView(i);
                QCoreApplication::processEvents();
                size = size.boundedTo(m_window->views().current()->size());
            }
            return size;
        };
        QSize before;
        QVERIFY(QTest::qWaitFor([&] { // laid out by and by
            const QSize last = before;
            before = least();
            return before == last;
        }));
        const QSize off = before - taken.view;
        constexpr int near = 6; // px: another font
        QVERIFY2(std::abs(off.width()) <= near && std::abs(off.height()) <= near,
                 qPrintable(QStringLiteral("{%1, %2}").arg(before.width()).arg(before.height())));
    }

    // Two runs beside each other have half the room each.
    void viewsYieldBesideEachOther_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"})
            for (const double scale : {1.0, 1.6, 2.0})
                for (const QSize size : {QSize(1600, 900), QSize(1280, 720), QSize(1024, 700)})
                    QTest::addRow("%dx%d %g %s", size.width(), size.height(), scale, language)
                        << size << scale << QString::fromLatin1(language);
    }
    void viewsYieldBesideEachOther() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QFETCH(QString, language);
        openWindow(size);
        m_window->setLanguage(language);
        m_window->setFontScale(scale);
        run("reduceNeighbored", 65536, 512);
        RunRequest other;
        other.kernel = "transpose_smem";
        other.options.timing = true;
        m_window->compareWith(RunSource(other));
        settle();
        for (const char* side : {"leftDock", "rightDock"})
            child<SideDock>(side)->setFolded(false); // though there is no room
        QCoreApplication::processEvents();
        const QStringList wrong = wrongOnes();
        m_window->setLanguage(QStringLiteral("en"));
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QString::number(wrong.size()) + QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }

    // Of two runs every view says which is A and which is B, or that it is A of which it tells. Charts call each run by
    // what differs between them.
    void comparedViewsSayWhichIsWhich_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 2.0})
            QTest::addRow("%g", scale) << scale;
    }
    void comparedViewsSayWhichIsWhich() {
        QFETCH(double, scale);
        openWindow(QSize(1280, 720));
        m_window->setFontScale(scale);
        run("reduceNeighbored", 65536, 512);
        RunRequest other;
        other.kernel = "reduceInterleaved";
        other.launch.size = 65536;
        other.options.detail.accesses = other.accesses = other.options.timing = true;
        m_window->compareWith(RunSource(other));
        settle();
        for (int i = 0; i < m_window->views().count(); ++i) {
            const ViewWidget* widget = m_window->views().at(i);
            const QString key = widget->view().key();
            PaintContext context = widget->context();
            context.theme = m_window->theme();
            const QSize size = m_window->views().current()->size();
            const PicturePtr picture = widget->view().compose(context, QRectF(QPointF(), size));
            if (picture->emptiness() || key == QLatin1String("charts"))
                continue;
            samples::TextPlaces places(size);
            QPainter painter(&places);
            picture->paint(painter);
            painter.end();
            bool a = false, b = key == QLatin1String("scheduler");
            for (const samples::TextPlace& place : places.places()) {
                static const QRegularExpression isA(QStringLiteral("^(of the two runs, )?A( |$)")),
                    isB(QStringLiteral("^B( |$)"));
                a = a || place.text.contains(isA);
                b = b || place.text.contains(isB);
            }
            QVERIFY2(a && b, qPrintable(key));
        }
    }

    // With both sides open: no switch above a view lies outside, each shows all of what is chosen, and a view whose switches
    // fit on one line has no more.
    void switchesAreWhole_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("en") << QStringLiteral("en");
        QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
    }
    void switchesAreWhole() {
        QFETCH(QString, language);
        openWindow(QSize(1024, 700));
        m_window->setLanguage(language);
        run("reduceNeighbored", 256, 128);
        for (const char* side : {"leftDock", "rightDock"})
            child<SideDock>(side)->setFolded(false);
        QStringList wrong;
        int seen = 0;
        for (int i = 0; i < m_window->views().count(); ++i) {
            m_window->views().showView(i);
            QStringList wrongHere;
            // The row is laid out by and by: a change of its lines moves what holds it, which asks for its lines once more.
            if (!QTest::qWaitFor([&] { return (wrongHere = wrongSwitches(i)).isEmpty(); }))
                wrong << wrongHere;
            seen += shownSwitches().size();
        }
        m_window->setLanguage(QStringLiteral("en"));
        QVERIFY(seen > 10);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

WARPGLASS_QT_TEST(TestWindowRoom)
#include "test_window_room.moc"
