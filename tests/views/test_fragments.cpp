// SPDX-License-Identifier: GPL-3.0-or-later
// Which lane holds which element of an instruction on matrices: the divergence view where one is selected.
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/lanes/fragments.h"
#include "views/lanes/lanes_view.h"

#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

const char* const ptxLines =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
    "{%f5, %f6, %f7, %f8};\n"
    "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;\n"
    "\tldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r7, %r8}, [%r9];\n"
    "@%p1 mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, %r2}, "
    "{%r3, %r4}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};\n"
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r10, %r11, %r12, %r13}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
    "{%r10, %r11, %r12, %r13};\n"
    "add.s32 %r1, %r2, %r3;\n";

TracePtr matrices() {
    TraceMaker m("product", "c = a * b;\nreturn;\n", ptxLines, {{1, 1}, {6, 2}});
    m.launch({1}, {128});
    m.block(0);
    const std::uint32_t entry = m.site(SiteKind::Entry, 1);
    for (int warp = 0; warp < 4; ++warp) {
        m.warp(LaneMask::all());
        m.event(0, entry, EventKind::Entry, LaneMask::all());
        m.endWarp(10);
    }
    return m.finish();
}

PaintContext selecting(std::uint32_t ptxLine, int lane = -1, ThemeKind theme = ThemeKind::Light) {
    PaintContext c;
    c.trace = matrices();
    c.theme = Theme::make(theme);
    c.selection.ptxLine = ptxLine;
    c.selection.lane = lane;
    return c;
}

// The row of the table that has this cell of a matrix.
QString heldBy(const QString& csv, const QString& cell) {
    for (const QString& line : csv.split(u'\n'))
        if (line.startsWith(cell + u','))
            return line.mid(cell.size() + 1);
    return {};
}

} // namespace

class TestFragments : public QObject {
    Q_OBJECT
private slots:
    // Lane 14 is group 3, thread 2: a0 and a1 are row 3, columns 4 and 5, in the first register; a6 and a7 are row 11,
    // columns 12 and 13, in the fourth; b2 and b3 are rows 12 and 13 of column 3; c2 is row 11, column 4. (PTX ISA,
    // "Matrix Fragments for mma.m16n8k16 with floating point type".)
    void sayWhichLaneHoldsAnElement() {
        const QString csv = csvOf(*makeLanesView(), selecting(1));
        QCOMPARE(heldBy(csv, "A,3,5"), QStringLiteral("14,0,%r1"));
        QCOMPARE(heldBy(csv, "A,11,12"), QStringLiteral("14,3,%r4"));
        QCOMPARE(heldBy(csv, "B,13,3"), QStringLiteral("14,1,%r6"));
        QCOMPARE(heldBy(csv, "D,11,4"), QStringLiteral("14,2,%f3"));
        QCOMPARE(csv.count(u'\n'), 1 + 16 * 16 + 16 * 8 + 16 * 8);
    }

    // Bytes: a5 is row 11, column 4 * 2 + 1.
    void goByTheTypeOfTheInstruction() {
        QCOMPARE(heldBy(csvOf(*makeLanesView(), selecting(5)), "A,11,9"), QStringLiteral("14,1,%r2"));
    }

    // Turned, lane 14 has rows 4 and 5 of column 3, of the second matrix below: rows 12 and 13.
    void showRowsOfLdmatrix() {
        const QString csv = csvOf(*makeLanesView(), selecting(3));
        QCOMPARE(heldBy(csv, "D,4,3"), QStringLiteral("14,0,%r7"));
        QCOMPARE(heldBy(csv, "D,13,3"), QStringLiteral("14,1,%r8"));
    }

    // Lane 18 is of the first of four products, whose lanes are 0 to 3 and 16 to 19.
    void showTheProductOfTheChosenLane() {
        const QString csv = csvOf(*makeLanesView(), selecting(4, 18));
        QCOMPARE(heldBy(csv, "A,6,3"), QStringLiteral("18,1,%r2"));
        QCOMPARE(heldBy(csv, "D,0,0"), QStringLiteral("0,0,%f1"));
        QCOMPARE(heldBy(csvOf(*makeLanesView(), selecting(4, 5)), "D,0,0"), QStringLiteral("4,0,%f1"));
    }

    // Warp 2 of wgmma has rows 32 to 47; what lies in shared memory is held by nobody.
    void showTheRowsOfTheChosenWarp() {
        PaintContext c = selecting(2);
        c.selection.warp = 2;
        const QString csv = csvOf(*makeLanesView(), c);
        QCOMPARE(heldBy(csv, "D,35,4").left(5), QStringLiteral("14,0,"));
        QVERIFY(!csv.contains(QStringLiteral("\nA,")) && !csv.contains(QStringLiteral("\nB,")));
    }

    void aSourceLineShowsItsInstruction() {
        PaintContext c = selecting(0);
        c.selection.sourceLine = 1;
        QVERIFY(csvOf(*makeLanesView(), c).startsWith(QStringLiteral("matrix,")));
        c.selection.sourceLine = 2;
        QVERIFY(!csvOf(*makeLanesView(), c).startsWith(QStringLiteral("matrix,")));
    }

    void clicksAndKeysChooseALane() {
        const auto view = makeLanesView();
        const QRectF area(0, 0, 1000, 640);
        PaintContext c = selecting(1);
        const PicturePtr picture = view->compose(c, area);
        QSet<int> lanes;
        for (int y = 60; y < 600; y += 4)
            for (int x = 10; x < 760; x += 4)
                if (const Spot spot = picture->spotAt(QPointF(x, y)); spot.click) {
                    lanes.insert(spot.click->selection.lane);
                    QVERIFY(spot.toolTip.contains(QStringLiteral("lane %1").arg(spot.click->selection.lane)));
                }
        QCOMPARE(lanes.size(), 32); // also lane 0, which is only shown as long as none is chosen
        QVERIFY(answers(*view, area, c, KeyInput{Qt::Key_Down, {}}));
        QVERIFY(answers(*view, area, c, KeyInput{Qt::Key_Right, {}}));
        QCOMPARE(c.selection.lane, 5); // four on, one on
    }

    void theChosenLaneStandsOut() {
        const auto view = makeLanesView();
        const QSize size(1000, 640);
        const Theme theme = Theme::make(ThemeKind::Light);
        const QImage picture = pictureOf(*view, selecting(1, 14), size);
        QVERIFY(pixelsLike(picture, theme.accent) > 1000);
        QVERIFY(differingPixels(picture, pictureOf(*view, selecting(1, 15), size)) > 0.002);
        keep(picture, QStringLiteral("fragments-light"));
        keep(pictureOf(*view, selecting(1, 14, ThemeKind::Dark), size), QStringLiteral("fragments-dark"));
        keep(pictureOf(*view, selecting(2, 14), size), QStringLiteral("fragments-wgmma"));
        keep(pictureOf(*view, selecting(3, 14), size), QStringLiteral("fragments-ldmatrix"));
        keep(pictureOf(*view, selecting(4, 18), size), QStringLiteral("fragments-quads"));
        keep(pictureOf(*view, selecting(5, 14), QSize(1280, 720)), QStringLiteral("fragments-bytes"));
    }

    void allOfItIsSaidInChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeLanesView();
        for (std::uint32_t line = 1; line <= 5; ++line)
            keep(pictureOf(*view, selecting(line, 14), QSize(1000, 640)), QStringLiteral("fragments-zh-%1").arg(line));
        fragmentsOf(QStringLiteral("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}, "
                                   "%r3, 0;"),
                    0, 0);
        PaintContext c = selecting(1);
        view->compose(c, QRectF(0, 0, 1000, 640))->spotAt(QPointF(60, 400));
        QCoreApplication::removeTranslator(&chinese);
        QStringList missing(chinese.missing().begin(), chinese.missing().end());
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
    }
};

WARPGLASS_QT_TEST(TestFragments)
#include "test_fragments.moc"
