// SPDX-License-Identifier: GPL-3.0-or-later
// What all views promise of their pictures, tried with each on a run of the emulator.
#include "app/window/model/run.h"
#include "app/window/view_registry.h"
#include "tests/qt_tests.h"
#include "views/common/view_widget.h"

#include <QtTest>

using namespace warpglass;

class TestPictures : public QObject {
    Q_OBJECT
    TracePtr m_trace;
    static constexpr QSize m_size{1200, 700};

    PaintContext context() const {
        PaintContext c;
        c.trace = m_trace;
        c.theme = Theme::make(ThemeKind::Light);
        c.selection.warp = 0;
        c.selection = completed(c.selection, *m_trace);
        const TimeRange range = m_trace->range();
        c.selection.time = {range.begin.value + range.length().value / 2};
        return c;
    }

    static QImage painted(const Picture& picture) {
        QImage image(m_size, QImage::Format_RGB32);
        QPainter painter(&image);
        paintPicture(picture, painter);
        return image;
    }

private slots:
    void initTestCase() {
        RunRequest request;
        request.kernel = "reduceNeighbored";
        request.launch.size = 256;
        request.launch.block = Dim3{64, 1, 1};
        Progress progress;
        const Result<RunPtr> run = obtain(RunSource(request), progress);
        QVERIFY(run.ok());
        m_trace = (*run)->trace;
    }

    void eachView_data() {
        QTest::addColumn<QString>("key");
        for (const QString& key : viewKeys())
            QTest::newRow(qPrintable(key)) << key;
    }

    // A real click changes selection and options as the spot under it said, and does what it said at once.
    void eachView() {
        QFETCH(QString, key);
        const PaintContext c = context();
        SelectionModel selection;
        selection.set(c.selection);
        ViewWidget widget(makeView(key), &selection);
        widget.resize(m_size);
        widget.setTheme(c.theme);
        widget.setTrace(m_trace);
        QTRY_VERIFY(widget.picture());
        if (widget.picture()->emptiness())
            QSKIP("nothing to show of this run");
        int changes = 0;
        for (int y = 20; y < m_size.height(); y += 44)
            for (int x = 20; x < m_size.width(); x += 58) {
                QTRY_VERIFY(widget.picture());
                const Spot spot = widget.picture()->spotAt(QPointF(x, y));
                const Change before{widget.context().options, selection.get()};
                QSignalSpy action(&widget, &ViewWidget::actionRequested);
                QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(x, y));
                const Change after{widget.context().options, selection.get()};
                QCOMPARE(action.count(), spot.action.isEmpty() ? 0 : 1);
                QCOMPARE(after.options, (spot.click && spot.action.isEmpty() ? *spot.click : before).options);
                QVERIFY(after.selection == (spot.click && spot.action.isEmpty() ? *spot.click : before).selection);
                changes += !(after == before);
            }
        if (key != QLatin1String("charts")) // its launches are opened by an action, and only those of a sweep
            QVERIFY(changes > 0);
    }

    void theSameContextIsTheSamePicture_data() { eachView_data(); }

    // Composing takes over what it can from any previous picture, and must not show that it did.
    void theSameContextIsTheSamePicture() {
        QFETCH(QString, key);
        const auto view = makeView(key);
        const QRectF area(QPointF(0, 0), QSizeF(m_size));
        PaintContext c = context();
        Progress nobody;
        const PicturePtr first = view->compose(c, area);
        PaintContext other = c;
        other.selection.warp = 3;
        other.selection.time = m_trace->range().begin;
        other.theme = Theme::make(ThemeKind::Dark);
        const PicturePtr between = view->compose(other, QRectF(0, 0, 700, 500), nobody, first);
        const PicturePtr again = view->compose(c, area, nobody, between);
        QCOMPARE(painted(*again), painted(*first));
        QCOMPARE(again->csv(), first->csv());
        QCOMPARE(again->caption(), first->caption());
        QVERIFY(!first->caption().isEmpty());
        // A picture of another view is no help, and no harm.
        const PicturePtr foreign = makeView(key == QLatin1String("lanes") ? "source" : "lanes")->compose(c, area);
        QCOMPARE(painted(*view->compose(c, area, nobody, foreign)), painted(*first));
    }
};

WARPGLASS_QT_TEST(TestPictures)
#include "test_pictures.moc"
