// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a reduction tree whose columns are too narrow for them.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/text_places.h"
#include "views/reduction/reduction_view.h"

#include <QTest>

#include <array>
#include <cstring>
#include <numeric>

using namespace warpglass;

class TestNarrowReductionKernels : public QObject {
    Q_OBJECT
private slots:
    // The numbers 0 to 63 in a block of 64: the first step of the interleaved sum adds x[i] and x[i + 32], by thread 0
    // 0 + 32 = 32, by thread 31 31 + 63 = 94. Read without zoom: upright where 64 columns have room for that, else as sums
    // below the tree.
    void sixtyFourNumbersAreReadWithoutZoom() {
        const QStringList wide = wordsOf(64, {1160, 760}), narrow = wordsOf(64, {780, 560});
        QVERIFY(wide.contains("63") && wide.contains("94"));
        QVERIFY2(!narrow.contains("63"), qPrintable(narrow.join('|')));
        QVERIFY2(narrow.join(' ').contains("thread 0: 0 + 32 = 32  ·  thread 1: 1 + 33 = 34"),
                 qPrintable(narrow.join('|')));
    }

    // 128: thread 31 adds 31 + 95 = 126, thread 63 63 + 127 = 190. In a window of 1920x1080 beside the gallery, and whole.
    void aHundredAndTwentyEightNumbersToo() {
        for (const QSize size : {QSize(1600, 860), QSize(1900, 860)}) {
            const QStringList words = wordsOf(128, size);
            QVERIFY2(words.contains("127") && words.contains("190") && words.contains("126"),
                     qPrintable(words.join('|')));
        }
    }

private:
    // What is read of the numbers 0 to n - 1, summed up by a block of n.
    static QStringList wordsOf(int n, const QSize& size) {
        LaunchRequest request;
        request.block = Dim3{std::uint32_t(n)};
        request.size = n;
        auto plan = makePlan(*findKernel("reduceInterleaved"), request);
        if (!plan.ok())
            return {};
        plan->arguments[0].fill = [](std::span<std::byte> bytes) {
            std::array<std::int32_t, 128> numbers;
            std::iota(numbers.begin(), numbers.end(), 0);
            std::memcpy(bytes.data(), numbers.data(), std::min(bytes.size(), sizeof numbers));
        };
        RunOptions options;
        options.detail.kind = Detail::Kind::All;
        options.detail.accesses = true;
        Progress nobody;
        const auto recording = makeEmulator()->run(*plan, options, nobody);
        if (!recording.ok())
            return {};
        const TracePtr trace = recording->trace;
        const auto view = makeReductionView();
        PaintContext context;
        context.trace = trace;
        context.theme = Theme::make(ThemeKind::Light);
        context.selection.block = 0;
        context.selection.time = trace->range().end;
        samples::TextPlaces device(size);
        QPainter painter(&device);
        paintPicture(*view->compose(context, QRectF(QPointF(), QSizeF(size))), painter);
        painter.end();
        QStringList words;
        for (const samples::TextPlace& place : device.places())
            words << place.text.trimmed();
        return words;
    }
};

WARPGLASS_QT_TEST(TestNarrowReductionKernels)
#include "test_narrow_reduction_kernels.moc"
