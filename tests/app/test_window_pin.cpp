// SPDX-License-Identifier: GPL-3.0-or-later
// Pin and type in the window, by mouse and keys.
#include "app/window/pad/change_line.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/run_strip.h"
#include "app/window/pad/turn_row.h"
#include "app/window/view_registry.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/pinned.h"
#include "views/memory/memory_pinned.h"

#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>

using namespace warpglass;

namespace {

// A column of the tile is read: 32 lanes, one bank, 32 passes; with a row of 33 words one.
constexpr const char* tile = "constexpr int PAD = 0;\n"
                             "extern \"C\" __global__ void turn(const float* in, float* out)\n"
                             "{\n"
                             "    __shared__ float tile[32][32 + PAD];\n"
                             "    int x = threadIdx.x, y = threadIdx.y;\n"
                             "    tile[y][x] = in[y * 32 + x];\n"
                             "    __syncthreads();\n"
                             "    out[y * 32 + x] = tile[x][y];\n"
                             "}\n";

constexpr const char* fills = ".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry fills(.param .u64 out)\n{\n"
                              "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n"
                              "  ld.param.u64 %rd1, [out];\n"
                              "  mov.u32 %r1, %tid.x;\n"
                              "  mul.wide.u32 %rd2, %r1, 4;\n"
                              "  add.u64 %rd3, %rd1, %rd2;\n"
                              "  mov.u32 %r2, 5;\n"
                              "  st.global.u32 [%rd3], %r2;\n  ret;\n}\n";

} // namespace

class TestWindowPin : public QObject, WindowFixture {
    Q_OBJECT
    QString write(const QString& name, const QByteArray& text) {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("cannot write");
        return path;
    }
    PadEditor* editor() { return child<PadEditor>("padEditor"); }
    ChangeLine* line() { return child<ChangeLine>("changeLine"); }
    RunStrip* strip() { return child<RunStrip>("runStrip"); }
    QString openText() { return QString::fromStdString(*m_window->current()->request->text); }
    void openTile() {
        const QString path = write(QStringLiteral("turn.cu"), tile);
        PadSettings settings;
        settings.kernels[QStringLiteral("turn")].block = Dim3{32, 32, 1};
        QVERIFY(writePadSettings(path, settings).ok());
        m_window->openFile(path);
        settle();
        QVERIFY(m_window->current());
        QCOMPARE(m_window->current()->name, QStringLiteral("turn"));
    }
    void openFills() {
        m_window->openFile(write(QStringLiteral("fills.ptx"), fills));
        settle();
        QCOMPARE(m_window->current()->name, QStringLiteral("fills"));
    }
    // By the keyboard, in the place of what stands there.
    void type(const QString& from, const QString& to) {
        const QString text = editor()->text();
        const qsizetype at = text.indexOf(from);
        QVERIFY(at >= 0);
        const int row = int(text.left(at).count('\n')), column = int(at - (text.lastIndexOf('\n', at) + 1));
        editor()->setFocus();
        editor()->setSelection(row, column, row, column + int(from.size()));
        QTest::keyClicks(editor(), to);
        settle();
    }
    TracePtr shadow() { return m_window->views().widget(QStringLiteral("memory"))->context().pinned; }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassPin")); }
    void init() { openWindow({1600, 900}); }
    void cleanup() { closeWindow(); }

    void whatIsTypedAfterAPinIsHeldAgainstIt() {
        openFills();
        auto* button = child<QToolButton>("pinButton");
        const RunPtr a = m_window->current();
        QVERIFY(!shadow());
        click(button);
        QCOMPARE(m_window->bench().pin(), a);
        QVERIFY(button->isChecked());
        QVERIFY2(line()->text().startsWith(QStringLiteral("A is pinned")), qPrintable(line()->text()));
        QVERIFY(!shadow()); // A itself is what is open
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 7"));
        QCOMPARE(shadow(), a->trace);
        QVERIFY(!m_window->other());
        QVERIFY2(line()->text().contains(QStringLiteral("other results from out[0] on: 7, in A 5")),
                 qPrintable(line()->text()));
        QCOMPARE(editor()->changes().size(), 1);
        QCOMPARE(editor()->changes().first().line, 12);
        // Another kernel, and back to the pad: nothing but a person ends it.
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        QCOMPARE(m_window->bench().pin(), a);
        type(QStringLiteral("%r2, 7"), QStringLiteral("%r2, 5"));
        QVERIFY2(line()->text().endsWith(QStringLiteral("same results")), qPrintable(line()->text()));
        QVERIFY(editor()->changes().isEmpty());
        QVERIFY(editor()->hasFocus());
        QTest::keyClick(editor(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_window->bench().pin());
        QVERIFY(!button->isChecked() && !shadow());
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->bench().pin(), m_window->current());
    }

    void aPinnedRunStandsBesideWhatIsOpenByCompare() {
        openFills();
        const RunPtr a = m_window->current();
        click(child<QToolButton>("pinButton"));
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 7"));
        type(QStringLiteral("%r2, 7"), QStringLiteral("%r2, 8"));
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QCOMPARE(m_window->current(), a); // not the run before, which was 7
        QVERIFY(!shadow());               // it is there in full
    }

    void undoInTheEditorGoesThroughRunsWithTheirText() {
        openFills();
        const RunPtr a = m_window->current();
        click(child<QToolButton>("pinButton"));
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 71"));
        type(QStringLiteral("%r2, 71"), QStringLiteral("%r2, 82"));
        const RunPtr c = m_window->current();
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(editor()->text().contains(QStringLiteral("%r2, 71")));
        QCOMPARE(openText(), editor()->text());
        QVERIFY(line()->text().contains(QStringLiteral("71, in A 5")));
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->current(), a);
        QCOMPARE(editor()->text(), QString::fromUtf8(fills));
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->current(), c);
        QVERIFY(editor()->text().contains(QStringLiteral("%r2, 82")));
        QTest::qWait(900); // nothing is run again for it
        QCOMPARE(m_window->current(), c);
        // What has not run yet is undone as text.
        editor()->setCursorPosition(0, 0);
        QTest::keyClicks(editor(), QStringLiteral("x"));
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(editor()->text().contains(QStringLiteral("%r2, 82")));
        QVERIFY(!editor()->text().startsWith(QLatin1Char('x')));
        QCOMPARE(m_window->current(), c);
    }

    // A race needs two, and what was answered of one run is of no other: the strip shows where their blocks went then.
    void whatSaysNothingOfARunAloneLeavesItsMap() {
        openFills();
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 7"));
        QTRY_VERIFY(strip()->isVisible());
        m_window->views().showView(QStringLiteral("race"));
        const auto colours = [this](int n) {
            const QImage image = strip()->item(n)->icon().pixmap(strip()->iconSize()).toImage();
            QSet<QRgb> found;
            for (int y = 4; y < image.height() - 4; ++y)
                for (int x = 4; x < image.width() - 4; ++x)
                    found << image.pixel(x, y);
            return found.size();
        };
        QTRY_VERIFY2(colours(0) > 8 && colours(1) > 8,
                     qPrintable(QStringLiteral("%1 %2").arg(colours(0)).arg(colours(1))));
    }

    void keptRunsStandInAStripToPinFrom() {
        openFills();
        const RunPtr a = m_window->current();
        QVERIFY(!strip()->isVisible());
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 7"));
        QTRY_VERIFY(strip()->isVisible());
        QCOMPARE(strip()->count(), 2);
        QCOMPARE(strip()->item(0)->text(), QStringLiteral("fills"));
        QCOMPARE(strip()->item(1)->text(), QStringLiteral("line 12")); // no B without an A
        QTest::mouseClick(strip()->viewport(), Qt::LeftButton, Qt::NoModifier,
                          strip()->visualItemRect(strip()->item(0)).center());
        QCOMPARE(m_window->bench().pin(), a);
        QCOMPARE(strip()->item(0)->text(), QStringLiteral("A · fills"));
        QCOMPARE(strip()->item(1)->text(), QStringLiteral("B · line 12"));
        QVERIFY2(line()->text().contains(QStringLiteral("7, in A 5")), qPrintable(line()->text()));
        // The small pictures are of both, and of the view in front.
        const auto picture = [this](int n) { return strip()->item(n)->icon().pixmap(strip()->iconSize()).toImage(); };
        const QImage before = picture(1);
        m_window->views().showView(QStringLiteral("occupancy"));
        QTRY_VERIFY_WITH_TIMEOUT(picture(1) != before, 20000);
    }

    void aSliderMovesThePictureAndTheTextFollowsWhenItIsLetGo() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        openTile();
        click(child<QToolButton>("pinButton"));
        const RunPtr a = m_window->current();
        auto* pad = child<QSlider>("turn PAD");
        QVERIFY(pad->isVisible());
        QStyleOptionSlider option;
        option.initFrom(pad);
        option.orientation = Qt::Horizontal;
        option.minimum = pad->minimum();
        option.maximum = pad->maximum();
        option.sliderPosition = option.sliderValue = pad->value();
        const QPoint handle =
            pad->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, pad).center();
        const int step = std::max(1, pad->width() / (pad->maximum() - pad->minimum()));
        QTest::mousePress(pad, Qt::LeftButton, Qt::NoModifier, handle);
        QTest::mouseMove(pad, handle + QPoint(3 * step, 0));
        const int held = pad->value();
        QVERIFY(held > 0);
        settle();
        QCOMPARE(editor()->text(), QString::fromUtf8(tile)); // not yet
        QVERIFY(openText().contains(QStringLiteral("PAD = %1;").arg(held)));
        QTest::mouseMove(pad, handle + QPoint(step, 0));
        QCOMPARE(pad->value(), 1);
        settle();
        QVERIFY(openText().contains(QStringLiteral("PAD = 1;")));
        QTest::mouseRelease(pad, Qt::LeftButton, Qt::NoModifier, handle + QPoint(step, 0));
        QVERIFY(editor()->text().contains(QStringLiteral("PAD = 1;")));
        settle();
        QVERIFY2(line()->text().contains(QStringLiteral("32 → 1 passes at line 8")), qPrintable(line()->text()));
        QVERIFY2(line()->toolTip().contains(QStringLiteral("shared passes: 1,056 → 64")),
                 qPrintable(line()->toolTip()));
        QVERIFY2(line()->toolTip().contains(QStringLiteral("same results")), qPrintable(line()->toolTip()));
        QCOMPARE(editor()->changes().size(), 1);
        QCOMPARE(editor()->changes().first().line, 1);
        QCOMPARE(editor()->changes().first().effect, Effect::Better);
        // Behind the one pass of B's first warp lie the 32 of A's, all in one bank.
        PaintContext memory = m_window->views().widget(QStringLiteral("memory"))->context();
        memory.selection.sourceLine = 8;
        const auto shown = shownAccess(*memory.trace, memory.selection, SpaceFilter::Shared);
        QVERIFY(shown);
        QCOMPARE(shown->shared.passes, 1);
        const auto was = pinnedAccess(memory, *shown, SpaceFilter::Shared);
        QVERIFY(was);
        QCOMPARE(was->shared.passes, 32);
        QCOMPARE(memoryLayout(QRectF(0, 0, 900, 700), &*shown, 16, &*was).passRows.size(), std::size_t(32));
        // What was on the way is not kept.
        QCOMPARE(strip()->count(), 2);
        QCOMPARE(strip()->item(1)->text(), QStringLiteral("B · PAD 1"));
        // By the keyboard, a shape: its fields follow.
        auto* grid = child<QSlider>("turn grid");
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Right);
        settle();
        QCOMPARE(m_window->current()->trace->launches.front().grid, Dim3{2});
        QCOMPARE(child<QLineEdit>("grid")->text(), QStringLiteral("2"));
        // And back, with the text.
        editor()->setFocus();
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(grid->value(), 0); // once the text was looked into
        QTest::keyClick(editor(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->current(), a);
        QCOMPARE(editor()->text(), QString::fromUtf8(tile));
    }

    void whatWentIsSeenBehindWhatIs() {
        if (!hasCompiler())
            QSKIP("nvcc is not on PATH");
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
        click(child<QToolButton>("pinButton"));
        const RunPtr a = m_window->current();
        type(QStringLiteral("i % 2 == 0"), QStringLiteral("i % 4 == 0")); // 8 lanes of 16 go the other way now
        const auto picture = [this](const char* key, bool pinned) {
            PaintContext context = m_window->views().widget(QLatin1String(key))->context();
            if (!pinned)
                context.pinned.reset();
            QImage image(900, 700, QImage::Format_RGB32);
            QPainter painter(&image);
            paintView(*makeView(QLatin1String(key)), painter, QRectF(image.rect()), context);
            return image;
        };
        for (const char* key : {"lanes", "timeline", "occupancy"})
            QVERIFY2(picture(key, true) != picture(key, false), key);
        // Where nothing differs nothing is drawn.
        type(QStringLiteral("i % 4 == 0"), QStringLiteral("i % 2 == 0"));
        QCOMPARE(picture("lanes", true), picture("lanes", false));
        const PaintContext& context = m_window->views().widget(QStringLiteral("timeline"))->context();
        QCOMPARE(pinnedRange(context)->length(), a->trace->range().length());
        PaintContext clock = context; // steps and nanoseconds are not laid over each other
        auto timed = std::make_shared<Trace>(*a->trace);
        timed->info.timeUnit = TimeUnit::Nanoseconds;
        clock.pinned = timed;
        QVERIFY(!pinnedRange(clock));
    }

    void twoOfTheGallerysStayComparedWhileOneWrites() {
        openFills();
        m_window->runKernel(QStringLiteral("mathKernel1"));
        settle();
        RunRequest second = *m_window->current()->request;
        second.kernel = "mathKernel2";
        m_window->compareWith(RunSource(second));
        settle();
        const RunPtr a = m_window->current();
        type(QStringLiteral("%r2, 5"), QStringLiteral("%r2, 7"));
        QCOMPARE(m_window->current(), a);
        QVERIFY(m_window->other());
        QCOMPARE(m_window->other()->name, QStringLiteral("fills"));
    }

    // What IKET writes lies over the timeline of its kernel, of the next run of it, too, and over no other.
    void anotherProfilersRangesLieOverTheTimeline() {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QString& kernel) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QStringLiteral(R"json({"launches": [{"kernelName": "%1", "ranges": [{"rangeName": "phase",
                "startTs": 0, "endTs": 320, "warpLocs": [{"ctaId": [0, 0, 0], "warpId": 0}]}]}]})json")
                           .arg(kernel)
                           .toUtf8());
        };
        write(QStringLiteral("its.json"), QStringLiteral("mathKernel1"));
        write(QStringLiteral("other.json"), QStringLiteral("add"));
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        const auto layer = [&] { return m_window->views().at(m_window->views().count() - 1)->context().layer; };
        m_window->openFile(folder.filePath(QStringLiteral("other.json")));
        QTRY_VERIFY(m_window->views().message->showsError());
        QVERIFY2(m_window->views().message->text().contains(QStringLiteral("it tells of add, not of mathKernel1")),
                 qPrintable(m_window->views().message->text()));
        QVERIFY(!layer());
        m_window->openFile(folder.filePath(QStringLiteral("its.json")));
        QTRY_VERIFY(layer());
        QCOMPARE(m_window->views().currentKey(), QStringLiteral("timeline"));
        m_window->openFile(QStringLiteral(":/recordings/mathKernel2-as-written.wgt"));
        settle();
        QVERIFY(!layer());
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        settle();
        QVERIFY(layer());
    }
};

WARPGLASS_QT_TEST(TestWindowPin)
#include "test_window_pin.moc"
