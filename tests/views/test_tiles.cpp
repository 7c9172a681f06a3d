// SPDX-License-Identifier: GPL-3.0-or-later
// Which lane holds which element of a tile of Triton's: the divergence view where a line of its Python is selected. The
// TTGIR is tests/ttgir/data/rowsum.ttgir: at line 13 a load of 32 x 64 pointers to f32, halves of it, and those in shared
// memory.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/lanes/lanes_view.h"
#include "views/lanes/tiles.h"

#include <QtTest>

#include <fstream>
#include <iterator>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

TracePtr rowSum(bool withLayouts = true) {
    TraceMaker m("rowsum", std::string(12, '\n') + "tile = tl.load(x)\ntl.store(out, tl.sum(tile, 1))\n",
                 "ld.global.b32 %r1, [%rd1];\nret;\n", {{1, 13}, {2, 14}});
    std::ifstream in(WARPGLASS_SOURCE_DIR "/tests/ttgir/data/rowsum.ttgir");
    m.trace().kernels[0].sourceName = "rows.py";
    if (withLayouts)
        m.trace().kernels[0].ttgir = std::string(std::istreambuf_iterator<char>(in), {});
    m.launch({2}, {128});
    const std::uint32_t entry = m.site(SiteKind::Entry, 1);
    for (std::uint32_t block = 0; block < 2; ++block) {
        m.block(block);
        for (int warp = 0; warp < 4; ++warp) {
            m.warp(LaneMask::all());
            m.event(0, entry, EventKind::Entry, LaneMask::all());
            m.endWarp(10);
        }
    }
    return m.finish();
}

PaintContext onLine(std::uint32_t line, int lane = -1, ThemeKind theme = ThemeKind::Light) {
    PaintContext c;
    c.trace = rowSum();
    c.theme = Theme::make(theme);
    c.selection.sourceLine = line;
    c.selection.lane = lane;
    return c;
}

} // namespace

class TestTiles : public QObject {
    Q_OBJECT
private slots:
    // sizePerThread [1, 4], threadsPerWarp [4, 8], warpsPerCTA [4, 1]: four values of a lane lie side by side, a warp has 4
    // rows of 32, four warps 16 rows; then columns 32 to 63 are values 4 to 7, and rows 16 to 31 values 8 to 15. [21, 39]:
    // row 21 is row 5 of the second half (value 8 on), of warp 1 its row 1; column 39 is column 7 of the second half (4 more),
    // of lane 1 in the row its last. So warp 1, lane 1 * 8 + 1, values 12 to 15.
    void elementsAreWhereTheLayoutSays() {
        const QString csv = csvOf(*makeLanesView(), onLine(13));
        QVERIFY2(csv.contains(QStringLiteral("\n0,tt.load 32x64 *f32,\"[21, 36..39]\",1,9,12,\n")),
                 qPrintable(csv.left(400)));
        QCOMPARE(csv.count(QStringLiteral("\n0,")), 32 * 16);
    }

    // Rows of 64 halves, groups of 8 exchanged by the row: row 6 is of phase (6 / 2) % 4 = 3, so the third group, 2, lies
    // where 2 ^ 3 = 1 would: 6 * 64 + 8 = 392 elements, at byte 784.
    void sharedMemoryHasBytes() {
        const QString csv = csvOf(*makeLanesView(), onLine(13));
        QVERIFY2(csv.contains(QStringLiteral("\n3,ttg.local_alloc 32x64 f16,\"[6, 16..23]\",,,,784\n")),
                 qPrintable(csv.right(400)));
    }

    // The sum is 32 numbers, of which each is held by the eight lanes of a row: copies.
    void aLineHasWhatItCalls() {
        const auto tiles = selectedTiles(*rowSum(), onLine(14).selection);
        QVERIFY(tiles);
        const auto sum = std::find_if(tiles->tiles.begin(), tiles->tiles.end(),
                                      [](const LaidTile& t) { return t.type == QStringLiteral("32 f32"); });
        QVERIFY(sum != tiles->tiles.end());
        QCOMPARE(sum->holders, 8);
    }

    void onlyLinesOfTritonHaveTiles() {
        PaintContext c = onLine(2);
        QVERIFY(!selectedTiles(*c.trace, c.selection));
        c = onLine(13);
        c.trace = rowSum(false);
        QVERIFY(!selectedTiles(*c.trace, c.selection));
    }

    void clicksChooseLaneWarpAndTensor() {
        const auto view = makeLanesView();
        const QRectF area(0, 0, 1000, 640);
        PaintContext c = onLine(13);
        const PicturePtr picture = view->compose(c, area);
        QSet<int> lanes, warps;
        bool otherTensor = false;
        for (int y = 40; y < 620; y += 3)
            for (int x = 10; x < 760; x += 3)
                if (const Spot spot = picture->spotAt(QPointF(x, y)); spot.click) {
                    otherTensor |= spot.click->options != c.options;
                    lanes.insert(spot.click->selection.lane);
                    warps.insert(int(spot.click->selection.warp));
                }
        QVERIFY(otherTensor);
        for (int lane = 0; lane < 32; ++lane)
            QVERIFY(lanes.contains(lane));
        QVERIFY(warps.contains(1) && warps.contains(3));
        QVERIFY(answers(*view, area, c, KeyInput{Qt::Key_Down, {}}));
        QCOMPARE(c.selection.lane, 4);
    }

    void itIsPaintedInLightAndDark() {
        const auto view = makeLanesView();
        const QSize size(1100, 700);
        const QImage picture = pictureOf(*view, onLine(13, 9), size);
        QVERIFY(pixelsLike(picture, Theme::make(ThemeKind::Light).accent) > 300);
        QVERIFY(differingPixels(picture, pictureOf(*view, onLine(13, 10), size)) > 0.0005);
        keep(picture, QStringLiteral("tiles-light"));
        keep(pictureOf(*view, onLine(13, 9, ThemeKind::Dark), size), QStringLiteral("tiles-dark"));
        PaintContext c = onLine(13, 9);
        c.options[QStringLiteral("tensor")] = 3;
        keep(pictureOf(*view, c, size), QStringLiteral("tiles-shared"));
        keep(pictureOf(*view, onLine(14, 9), QSize(700, 460)), QStringLiteral("tiles-small"));
    }

    void allOfItIsSaidInChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeLanesView();
        for (int tensor = 0; tensor < 4; ++tensor) {
            PaintContext c = onLine(13, 9);
            c.options[QStringLiteral("tensor")] = tensor;
            keep(pictureOf(*view, c, QSize(1000, 640)), QStringLiteral("tiles-zh-%1").arg(tensor));
            view->compose(c, QRectF(0, 0, 1000, 640))->spotAt(QPointF(60, 300));
        }
        pictureOf(*view, onLine(14, 9), QSize(1000, 640));
        QCoreApplication::removeTranslator(&chinese);
        QStringList missing(chinese.missing().begin(), chinese.missing().end());
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }
};

WARPGLASS_QT_TEST(TestTiles)
#include "test_tiles.moc"
