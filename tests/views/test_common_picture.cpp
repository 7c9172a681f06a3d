// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and the widget that shows them: composed once, asked often, kept until what they depend on changes.
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "tests/views/text_places.h"
#include "views/common/page.h"
#include "views/common/switch_bar.h"

#include <QComboBox>
#include <QSemaphore>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

enum class Mode { A, B };

Choice<Mode> modeChoice() {
    return {"mode", QStringLiteral("mode"), {{Mode::A, "a", QStringLiteral("A")}, {Mode::B, "b", QStringLiteral("B")}}};
}

constexpr Setting<int> notches{"notches", 7};

struct Counts {
    std::atomic<int> composed{0}, modelled{0}, painted{0};
};

// Left half: a click chooses warp 5. Right half: the window's action. The wheel counts notches. Its model, a launch's,
// is taken over from the previous picture.
class CountingPicture final : public Picture {
public:
    CountingPicture(const PaintContext& c, const QRectF& on, Counts& counts, const CountingPicture* previous)
        : Picture(c, on), m_counts(counts) {
        ++counts.composed;
        if (!previous || previous->context.selection.launch != c.selection.launch)
            ++counts.modelled;
    }
    void paint(QPainter& painter) const override {
        ++m_counts.painted;
        painter.fillRect(area, context.theme.accent);
    }
    Spot spotAt(QPointF at) const override {
        Spot spot;
        spot.toolTip = QStringLiteral("here");
        if (at.x() < area.center().x()) {
            Selection selection = context.selection;
            selection.warp = 5;
            spot.click = selecting(selection);
        } else {
            spot.action = QStringLiteral("as-written");
            spot.cursor = Qt::PointingHandCursor;
        }
        return spot;
    }
    std::optional<Change> answer(const Input& input) const override {
        const auto* wheel = std::get_if<WheelInput>(&input);
        if (!wheel)
            return std::nullopt;
        Change change = unchanged();
        notches.set(change.options, notches.of(context.options) + int(wheel->steps));
        return change;
    }

private:
    Counts& m_counts;
};

class CountingView : public View {
public:
    explicit CountingView(Counts& counts) : m_counts(counts) {}
    QString key() const override { return QStringLiteral("counting"); }
    QString title() const override { return QStringLiteral("Counting"); }
    QString question() const override { return QStringLiteral("How often?"); }
    QVector<Switch> switches(const PaintContext&) const override { return {modeChoice().dropDown()}; }
    Selection looksAt(const Selection& s) const override { // not at time
        Selection seen = s;
        seen.time = {};
        return seen;
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        return std::make_shared<CountingPicture>(c, area, m_counts,
                                                 dynamic_cast<const CountingPicture*>(previous.get()));
    }
    Counts& m_counts;
};

// The same, but its first picture takes as long as the test wants.
class SlowView final : public CountingView {
public:
    SlowView(Counts& counts, QSemaphore& go, std::atomic<int>& cancelled)
        : CountingView(counts), m_go(go), m_cancelled(cancelled) {}
    bool quick(const PaintContext&, const Picture* previous) const override { return previous != nullptr; }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        while (!previous && !m_go.tryAcquire(1, 5))
            if (progress.cancelled()) {
                ++m_cancelled;
                return nullptr;
            }
        return CountingView::makePicture(c, area, progress, previous);
    }

private:
    QSemaphore& m_go;
    std::atomic<int>& m_cancelled;
};

// Empty until there is a trace; its table is there before.
class WaitingView final : public CountingView {
public:
    using CountingView::CountingView;
    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (c.trace)
            return std::nullopt;
        return Emptiness{QStringLiteral("nothing yet"), QStringLiteral("run"), QStringLiteral("Run")};
    }
    QString tableWithoutPicture(const PaintContext&) const override { return QStringLiteral("a,b\n"); }
};

void turn(QWidget& widget, int steps) {
    const QPointF at(40, 40);
    QWheelEvent e(at, widget.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                  false);
    QCoreApplication::sendEvent(&widget, &e);
}

} // namespace

class TestCommonPicture : public QObject {
    Q_OBJECT
    // A widget that is shown, painted, and counted from there.
    struct Shown {
        Counts counts;
        SelectionModel selection;
        ViewWidget widget{std::make_unique<CountingView>(counts), &selection};
        int composed = 0, modelled = 0, painted = 0;

        Shown() {
            widget.resize(300, 200);
            widget.show();
            QVERIFY(QTest::qWaitForWindowExposed(&widget));
            QTRY_VERIFY(counts.painted >= 1);
            QCoreApplication::processEvents();
            remember();
        }
        void remember() {
            widget.repaint();
            composed = counts.composed;
            modelled = counts.modelled;
            painted = counts.painted;
        }
        // How often since then, after painting what is due.
        int composedSince() {
            widget.repaint();
            return counts.composed - composed;
        }
        int modelledSince() const { return counts.modelled - modelled; }
        int paintedSince() const { return counts.painted - painted; }
    };

private slots:
    void hoverDoesNotPaintThePictureAgain() {
        Shown s;
        for (int x = 10; x < 200; x += 10) {
            QTest::mouseMove(&s.widget, QPoint(x, 50));
            s.widget.repaint();
        }
        QCOMPARE(s.paintedSince(), 0);
        s.widget.setTheme(Theme::make(ThemeKind::Dark)); // a theme is switched live
        QCOMPARE(s.composedSince(), 1);
        QCOMPARE(s.paintedSince(), 1);
    }

    void onePictureServesPaintHoverToolTipAndClick() {
        Shown s;
        QTest::mouseMove(&s.widget, QPoint(200, 50));
        QCOMPARE(s.widget.cursor().shape(), Qt::PointingHandCursor);
        QHelpEvent help(QEvent::ToolTip, QPoint(20, 50), s.widget.mapToGlobal(QPoint(20, 50)));
        QCoreApplication::sendEvent(&s.widget, &help);
        QSignalSpy action(&s.widget, &ViewWidget::actionRequested);
        QTest::mouseClick(&s.widget, Qt::LeftButton, {}, QPoint(200, 50));
        QCOMPARE(action.count(), 1);
        QCOMPARE(s.composedSince(), 0);
        QTest::mouseClick(&s.widget, Qt::LeftButton, {}, QPoint(20, 50));
        QCOMPARE(s.selection.get().warp, 5u);
        QCOMPARE(s.composedSince(), 1); // for the selection changed
        QCOMPARE(s.modelledSince(), 0); // but not the launch
    }

    void aClickDoesWhatTheSpotSays() {
        Shown s;
        const Spot spot = s.widget.picture()->spotAt({20, 50});
        QVERIFY(spot.click);
        QTest::mouseClick(&s.widget, Qt::LeftButton, {}, QPoint(20, 50));
        QCOMPARE(s.selection.get(), spot.click->selection);
        QVERIFY(!s.widget.picture()->spotAt({20, 50}).click); // chosen already
    }

    void inputBecomesAChangeOfTheViewsOptions() {
        Shown s;
        QSignalSpy changed(&s.widget, &ViewWidget::optionsChanged);
        turn(s.widget, 2);
        turn(s.widget, -1);
        QCOMPARE(notches.of(s.widget.context().options), 7 + 2 - 1);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(s.modelledSince(), 0);
    }

    void whatAViewDoesNotLookAtKeepsThePicture() {
        Shown s;
        for (int t = 0; t < 50; ++t) {
            s.selection.setTime({t});
            s.widget.repaint();
        }
        QCOMPARE(s.composedSince(), 0);
        QCOMPARE(s.paintedSince(), 0);
        // The picture is of time 0; what it answers must not turn time back.
        QTest::mouseClick(&s.widget, Qt::LeftButton, {}, QPoint(20, 50));
        QCOMPARE(s.selection.get().warp, 5u);
        QCOMPARE(s.selection.get().time.value, 49);
    }

    void theModelIsTakenOverUntilItIsOfSomethingElse() {
        Shown s;
        s.widget.resize(310, 210);
        s.widget.setTheme(Theme::make(ThemeKind::Print));
        QVERIFY(s.composedSince() >= 1);
        QCOMPARE(s.modelledSince(), 0);
        Selection other;
        other.launch = 1;
        s.selection.set(other);
        QVERIFY(s.composedSince() >= 1);
        QCOMPARE(s.modelledSince(), 1);
    }

    void aLongPictureIsComposedElsewhere() {
        Counts counts;
        QSemaphore go;
        std::atomic<int> cancelled{0};
        SelectionModel selection;
        ViewWidget widget(std::make_unique<SlowView>(counts, go, cancelled), &selection);
        widget.resize(300, 200);
        QVERIFY(!widget.picture());
        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(20, 50)); // there is nothing to point at yet
        QCOMPARE(selection.get().warp, noIndex);
        selection.setTime({3});                                        // not looked at
        widget.setOption(QStringLiteral("mode"), QStringLiteral("b")); // a newer one: the older is cancelled
        QVERIFY(!widget.picture());
        QTRY_COMPARE(cancelled.load(), 1);
        QCOMPARE(counts.composed.load(), 0);
        go.release();
        QTRY_VERIFY(widget.picture());
        QCOMPARE(counts.composed.load(), 1);
        QCOMPARE(modeChoice().of(widget.picture()->context.options), Mode::B);
    }

    void whoeverWaitsNoLongerCancels() {
        Counts counts;
        QSemaphore go;
        std::atomic<int> cancelled{0};
        {
            ViewWidget widget(std::make_unique<SlowView>(counts, go, cancelled), nullptr);
            widget.resize(300, 200);
            QVERIFY(!widget.picture());
        }
        QCOMPARE(cancelled.load() + counts.composed.load(), cancelled.load());
    }

    void anEmptyPictureHasAButtonOnTheScreenAndNoneOnPaper() {
        Counts counts;
        WaitingView view(counts);
        PaintContext c;
        c.theme = Theme::make(ThemeKind::Light);
        const QRectF area(0, 0, 600, 400);
        const auto buttons = [&] {
            const PicturePtr picture = view.compose(c, area);
            int found = 0;
            for (int y = 0; y < 400; y += 4)
                for (int x = 0; x < 600; x += 4)
                    found += picture->spotAt(QPointF(x, y)).action == QLatin1String("run");
            return found;
        };
        QVERIFY(buttons() > 10);
        c.clickable = false;
        QCOMPARE(buttons(), 0);
        QCOMPARE(counts.composed.load(), 0);
        QCOMPARE(view.compose(c, area)->csv(), QStringLiteral("a,b\n"));
        c.trace = mathKernel(false);
        QVERIFY(!view.compose(c, area)->emptiness());
    }

    void aPageLeavesRoomForWhatThePictureSaysOfItself() {
        Counts counts;
        CountingView view(counts);
        PaintContext c;
        c.theme = Theme::make(ThemeKind::Light);
        const Page silent = composePage(view, c, {600, 400});
        QCOMPARE(silent.picture->area, QRectF(0, 0, 600, 400));
        c.trace = mathKernel(false);
        const Page page = composePage(view, c, {600, 400}, silent.picture);
        QVERIFY(page.caption.contains(QStringLiteral("mathKernel1")));
        QVERIFY(page.picture->area.bottom() < 390);
        QCOMPARE(page.footer.top(), page.picture->area.bottom());
        QCOMPARE(counts.modelled.load(), 1); // two pages, one model
    }

    // A film's line holds its clock, too: however narrow the page is, the caption is whole beside it, in every frame.
    void theCaptionIsWholeBesideAClock() {
        Counts counts;
        CountingView view(counts);
        PaintContext c;
        c.theme = Theme::make(ThemeKind::Light);
        c.trace = mathKernel(false);
        const QString widest = QStringLiteral("71 steps / 71 steps");
        qreal height = 0;
        for (int width = 420; width <= 1000; width += 20) {
            const QSize size(width, 400);
            const Page page = composePage(view, c, size, {}, widest);
            samples::TextPlaces device(size);
            QPainter painter(&device);
            paintPage(page, painter, widest);
            painter.end();
            for (const samples::TextPlace& place : device.places())
                QVERIFY2(place.whole.bottom() <= size.height() + 0.5, qPrintable(place.text));
            QVERIFY(height == 0 || page.footer.height() <= height); // wider, and not higher
            height = page.footer.height();
        }
    }

    void choicesAndSettingsAreTypedInsideAndWordsOutside() {
        Options options;
        QCOMPARE(modeChoice().of(options), Mode::A);           // the first, if nobody chose
        options[QStringLiteral("mode")] = QStringLiteral("b"); // as the command line writes it
        QCOMPARE(modeChoice().of(options), Mode::B);
        options[QStringLiteral("mode")] = QStringLiteral("c");
        QCOMPARE(modeChoice().of(options), Mode::A);
        modeChoice().set(options, Mode::B);
        QCOMPARE(options.value(QStringLiteral("mode")).toString(), QStringLiteral("b"));
        QCOMPARE(notches.of(options), 7);
        options[QStringLiteral("notches")] = QStringLiteral("12");
        QCOMPARE(notches.of(options), 12);
        notches.set(options, 3);
        QVERIFY(notches.isSet(options));
        QCOMPARE(notches.of(options), 3);
        notches.clear(options);
        QVERIFY(!options.contains(QStringLiteral("notches")));
    }

    void theSwitchBarSetsOptionsAndFollowsThem() {
        Counts counts;
        SelectionModel selection;
        ViewWidget widget(std::make_unique<CountingView>(counts), &selection);
        SwitchBar bar(&widget);
        auto* box = bar.findChild<QComboBox*>(QStringLiteral("mode"));
        QVERIFY(box);
        box->setCurrentIndex(1);
        emit box->activated(1);
        QCOMPARE(widget.context().options.value(QStringLiteral("mode")).toString(), QStringLiteral("b"));
        widget.setOption(QStringLiteral("mode"), QStringLiteral("a"));
        QCoreApplication::processEvents();
        QCOMPARE(bar.findChild<QComboBox*>(QStringLiteral("mode"))->currentIndex(), 0);
    }
};

WARPGLASS_QT_TEST(TestCommonPicture)
#include "test_common_picture.moc"
