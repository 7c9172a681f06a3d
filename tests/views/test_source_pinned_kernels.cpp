// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned run behind the lines of a source.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "views/common/pinned.h"
#include "views/source/listing.h"
#include "views/source/source_paint.h"
#include "views/source/source_view.h"

#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

class TestSourcePinnedKernels : public QObject {
    Q_OBJECT

    static TracePtr added(std::uint32_t blocks) {
        LaunchRequest request;
        request.block = Dim3{64};
        request.size = 64 * blocks;
        const auto plan = makePlan(*findKernel("vectorAdd"), request);
        Progress nobody;
        const auto recording = makeEmulator()->run(*plan, {}, nobody);
        return recording ? recording->trace : nullptr;
    }

private slots:
    // A of four blocks behind B of two: each line was executed by 8 warps in A and by 4 in B, so A issued twice as much and
    // stands as a frame at B's lines. The other way round A did less, and there is none.
    void whatThePinnedRunDidMoreIsFramed() {
        const TracePtr a = added(4), b = added(2);
        QVERIFY(a && b);
        const auto its = makeListings(a, 0), mine = makeListings(b, 0);
        const LineMatch match = matchLines(its->kernel().source, mine->kernel().source);
        int lines = 0;
        for (int n = 1; n <= int(mine->source.lines.size()); ++n) {
            const std::uint64_t issued = mine->source.lines[n - 1].count.issued;
            lines += issued > 0;
            QCOMPARE(pinnedWork(*its, match, mine->source, n).value_or(0), 2 * issued);
            QVERIFY(!pinnedWork(*mine, match, its->source, n));
        }
        QVERIFY(lines >= 3);

        PaintContext context;
        context.trace = b;
        context.theme = Theme::make(ThemeKind::Light);
        const auto framed = [&] {
            return pixelsLike(pictureOf(*makeSourceView(), context, {1100, 600}), pinnedColour(context.theme),
                              QRect(0, 0, 1100, 600));
        };
        const auto without = framed();
        context.pinned = a;
        QVERIFY2(framed() > without + 20 * lines, qPrintable(QString::number(framed())));
        context.trace = a;
        context.pinned = b;
        QCOMPARE(framed(), without);
    }
};

WARPGLASS_QT_TEST(TestSourcePinnedKernels)
#include "test_source_pinned_kernels.moc"
