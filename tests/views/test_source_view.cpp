// SPDX-License-Identifier: GPL-3.0-or-later
// The source view as a person uses it, and the parts below it.
#include "gpu/trace/file.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/sample_traces.h"
#include "views/common/view_widget.h"
#include "views/source/listing.h"
#include "views/source/source_layout.h"
#include "views/source/source_paint.h"
#include "views/source/source_view.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

QVector<TokenKind> kindsOf(const QVector<Token>& tokens) {
    QVector<TokenKind> kinds;
    for (const Token& t : tokens)
        kinds << t.kind;
    return kinds;
}

} // namespace

class TestSourceView : public QObject {
    Q_OBJECT
private slots:
    void tokensCoverTheLineWithoutGaps() {
        const QStringList lines{"  if (tid % 2 == 0) { a = 100.0f; } // even", "#include <cstdio>",
                                "char c = '\\''; const char* s = \"a // b\";", "", "\tx += 1e-3f;"};
        for (const QString& line : lines) {
            bool comment = false;
            int at = 0;
            for (const Token& t : cudaTokens(line, comment)) {
                QCOMPARE(t.begin, at);
                QVERIFY(t.length > 0);
                at += t.length;
            }
            QCOMPARE(at, int(line.size()));
        }
    }

    void cudaWordsAreToldApart() {
        bool comment = false;
        const QString line = QStringLiteral("for(int i=threadIdx.x;");
        QVector<QPair<QString, TokenKind>> seen;
        for (const Token& t : cudaTokens(line, comment))
            seen << qMakePair(line.mid(t.begin, t.length), t.kind);
        QVERIFY(seen.contains(qMakePair(QStringLiteral("for"), TokenKind::Keyword)));
        QVERIFY(seen.contains(qMakePair(QStringLiteral("int"), TokenKind::Type)));
        QVERIFY(seen.contains(qMakePair(QStringLiteral("threadIdx"), TokenKind::Builtin)));
    }

    void aBlockCommentGoesOnOverLines() {
        bool comment = false;
        QCOMPARE(kindsOf(cudaTokens(QStringLiteral("a /* b"), comment)),
                 (QVector<TokenKind>{TokenKind::Plain, TokenKind::Comment}));
        QVERIFY(comment);
        QCOMPARE(kindsOf(cudaTokens(QStringLiteral("c */ d"), comment)),
                 (QVector<TokenKind>{TokenKind::Comment, TokenKind::Plain}));
        QVERIFY(!comment);
    }

    // A # begins a comment, not a directive; a text of three quotes goes on over lines; every letter is of one token.
    void pythonWordsAreToldApart() {
        bool comment = false;
        const auto seen = [&](const QString& line) {
            QVector<QPair<QString, TokenKind>> all;
            int at = 0;
            for (const Token& t : pythonTokens(line, comment)) {
                if (t.begin != at)
                    return QVector<QPair<QString, TokenKind>>();
                at += t.length;
                all << qMakePair(line.mid(t.begin, t.length), t.kind);
            }
            return all;
        };
        const auto load = seen(QStringLiteral("    x = tl.load(p, other=-1.5) if m else 'a#b'  # why"));
        for (const auto& [word, kind] : {std::pair("tl", TokenKind::Builtin), std::pair("if", TokenKind::Keyword),
                                         std::pair("1.5", TokenKind::Number), std::pair("'a#b'", TokenKind::String),
                                         std::pair("# why", TokenKind::Comment)})
            QVERIFY2(load.contains(qMakePair(QString::fromLatin1(word), kind)), word);
        QVERIFY(seen(QStringLiteral("@triton.jit"))
                    .contains(qMakePair(QStringLiteral("@triton.jit"), TokenKind::Directive)));
        QCOMPARE(seen(QStringLiteral("\"\"\"Adds")).front().second, TokenKind::Comment);
        QVERIFY(comment);
        QCOMPARE(seen(QStringLiteral("two.\"\"\"")).front().second, TokenKind::Comment);
        QVERIFY(!comment);
    }

    void ptxWordsAreToldApart() {
        bool comment = false;
        const QString line = QStringLiteral("@%p1 bra $L__BB0_2; // skip");
        const auto tokens = ptxTokens(line, comment);
        QCOMPARE(kindsOf(tokens),
                 (QVector<TokenKind>{TokenKind::Register, TokenKind::Plain, TokenKind::Opcode, TokenKind::Plain,
                                     TokenKind::Label, TokenKind::Plain, TokenKind::Comment}));
        QCOMPARE(line.mid(tokens[2].begin, tokens[2].length), QStringLiteral("bra"));
        const QString load = QStringLiteral("ld.global.f32 %f1, [%rd1];");
        const auto second = ptxTokens(load, comment);
        QCOMPARE(load.mid(second[0].begin, second[0].length), QStringLiteral("ld.global.f32"));
        QCOMPARE(second[0].kind, TokenKind::Opcode);
    }

    // Line 4 of mathKernel1 is three instructions (and, setp, bra), each run by 2 warps with all lanes; its branch
    // parts both. Line 5 is two instructions run with half the lanes.
    void aSourceLineSumsItsInstructions() {
        const auto l = makeListings(mathKernel(false), 0);
        const LineCount& four = l->source.lines[3].count;
        QCOMPARE(four.executions, std::uint64_t(2));
        QCOMPARE(four.issued, std::uint64_t(6));
        QCOMPARE(four.divergent, std::uint64_t(2));
        QCOMPARE(four.lanesOn(), 1.0);
        QCOMPARE(l->source.lines[4].count.lanesOn(), 0.5);
        QCOMPARE(l->source.lines[8].count.sectorsPerRequest(), 4.0); // 32 floats in a row
        QCOMPARE(l->ptxOfSource[4], (QVector<std::uint32_t>{5, 6, 7}));
        QCOMPARE(l->sourceOfPtx[11], std::uint32_t(7));
        QVERIFY(!l->source.lines[2].count.any()); // declarations without an instruction
    }

    // An H200's recording of 2 x 2 blocks of 16 x 16 holds events and no counts. All of its 32 warps read and store 2 x 16
    // numbers of 4 bytes, 2 sectors for each row, and go through rows of 17 words, of which 2 share a bank: 2 passes.
    void aRecordingWithoutCountsTellsWhatItsEventsSay() {
        Progress progress;
        const auto trace = openTrace(WARPGLASS_SOURCE_DIR "/tests/trace/data/events_alone.wgt", progress);
        QVERIFY(trace.ok());
        QVERIFY((*trace)->countsOf(0).empty());
        const auto l = makeListings(*trace, 0);
        QVERIFY(l->anyCount);
        QCOMPARE(l->countedWarps, std::uint64_t(32));
        QCOMPARE(l->allWarps, std::uint64_t(32));
        for (const int line : {23, 27}) { // tile[y][x] = in[...]; out[...] = tile[x][y]
            const LineCount& c = l->source.lines[line - 1].count;
            QCOMPARE(c.executions, std::uint64_t(32));
            QCOMPARE(c.requests, std::uint64_t(32));
            QCOMPARE(c.sectors, std::uint64_t(4 * 32));
            QCOMPARE(c.sharedRequests, std::uint64_t(32));
            QCOMPARE(c.passes, std::uint64_t(2 * 32));
            QCOMPARE(c.lanesOn(), 1.0);
        }
        const LineCount& branch = l->source.lines[22 - 1].count; // x < n && y < m holds for all
        QCOMPARE(branch.branches, std::uint64_t(32));
        QCOMPARE(branch.divergent, std::uint64_t(0));
        QCOMPARE(l->source.lines[25 - 1].count.executions, std::uint64_t(32)); // __syncthreads()
        QVERIFY(lineToolTip(l->source, 23, false, true).contains(QStringLiteral("of those that were recorded")));
    }

    void whereNeitherCountsNorEventsAreNothingIsClaimed() {
        Trace trace = *mathKernel(false);
        trace.counts.clear();
        for (Warp& warp : trace.warps)
            warp.eventCount = 0;
        trace.events = {};
        const auto l = makeListings(std::make_shared<const Trace>(std::move(trace)), 0);
        QVERIFY(!l->anyCount);
        for (const ListingLine& line : l->source.lines)
            QVERIFY(!line.count.any());
    }

    // The same line with a second branch, at its first instruction, of which one of the two warps' lanes part: two
    // warps part at the line, not three, though three of its branches' executions did.
    void branchesOfOneConditionPartAWarpOnce() {
        Trace trace = *mathKernel(false);
        for (InstructionCount& c : trace.counts)
            if (c.ptxLine == 5) {
                c.isConditional = true;
                c.divergent = 1;
            }
        const auto l = makeListings(std::make_shared<const Trace>(std::move(trace)), 0);
        const LineCount& four = l->source.lines[3].count;
        QCOMPARE(four.divergent, std::uint64_t(3));
        QCOMPARE(four.parted, std::uint64_t(2));
        QCOMPARE(divergentText(four), QStringLiteral("2"));
        QCOMPARE(l->ptx.lines[4].count.parted, std::uint64_t(1));
    }

    void theCurrentLineFollowsTheWarp() {
        const auto l = makeListings(mathKernel(false), 0);
        QCOMPARE(currentLine(*l, 0, {-1}).ptx, std::uint32_t(0));
        QCOMPARE(currentLine(*l, 0, {3}).source, std::uint32_t(4));
        QCOMPARE(currentLine(*l, 0, {4}).source, std::uint32_t(5)); // the even lanes' path
        QCOMPARE(currentLine(*l, 0, {6}).source, std::uint32_t(7)); // the odd lanes'
        QCOMPARE(currentLine(*l, 0, {7}).source, std::uint32_t(9)); // together again
        QVERIFY(currentLine(*l, 0, {100}).ended);
    }

    void panesStandSideBySideOnlyWhereThereIsRoom() {
        SourceRequest r;
        r.source.lines = r.ptx.lines = 100;
        r.area = {0, 0, 1200, 700};
        SourceLayout wide = layoutSource(r);
        QVERIFY(wide.sideBySide);
        QVERIFY(wide.source.whole.right() < wide.ptx.whole.left());
        r.area = {0, 0, 360, 700};
        SourceLayout narrow = layoutSource(r);
        QVERIFY(!narrow.sideBySide);
        QVERIFY(narrow.source.whole.bottom() < narrow.ptx.whole.top());
        for (const SourceLayout& l : {wide, narrow})
            for (const Pane& p : {l.source, l.ptx}) {
                QVERIFY(p.code.width() > 150);
                QVERIFY(p.lanes.right() <= p.code.left()); // no code under the bars
                QVERIFY(p.numbers.right() <= p.lanes.left());
            }
    }

    // At 160 % between two open sides: 416 px less margins 35, a legend of 40 and two panes' headings and captions of 117
    // leave 224 px, less than the 230 of twice four lines of 28.8 px.
    void inALowViewTheSourceStandsAlone() {
        SourceRequest r;
        r.scale = 1.6;
        r.titleHeight = 35, r.smallHeight = 24, r.lineHeight = 28.8;
        r.source.lines = r.ptx.lines = 100;
        r.area = {0, 0, 648, 416};
        const SourceLayout low = layoutSource(r);
        QVERIFY(low.source.shown() && !low.ptx.shown() && low.title.isNull());
        QVERIFY(low.source.inSight >= 8);
        r.area.setHeight(520); // without its title there is room for both
        const SourceLayout higher = layoutSource(r);
        QVERIFY(higher.ptx.shown() && higher.title.isNull());
        QVERIFY(higher.source.inSight >= 4 && higher.ptx.inSight >= 4);
        r.area.setHeight(700);
        QVERIFY(layoutSource(r).ptx.shown() && !layoutSource(r).title.isNull());
        r.area.setHeight(416), r.shown = ShownText::Ptx;
        QVERIFY(layoutSource(r).ptx.shown());
    }

    // Two panes of 571 px in a view of 1,200, two of 396 in one of 850. By hand, in px at 7 a digit: mark 12, numbers
    // of lines 21 and 6, executions 35 and 7, lanes 34 and 5, partings 13 + 21 and 5, sectors 45 (their caption) and 4, and 5 before
    // the code: 213, or 37 %; of the small pane, with the lanes below the executions, 174.
    void moreThanHalfTheWidthIsCode() {
        SourceRequest r;
        r.source = {.lines = 100, .executions = 5, .divergent = 3, .sectors = 5};
        r.ptx = r.source;
        r.area = {0, 0, 1200, 700};
        const SourceLayout wide = layoutSource(r);
        QCOMPARE(wide.source.code.left() - wide.source.whole.left(), 213.0);
        QVERIFY(wide.source.code.width() + wide.ptx.code.width() > 0.59 * r.area.width());
        QVERIFY(wide.source.lanes.left() > wide.source.executions.right());
        r.area = {0, 0, 850, 700};
        const SourceLayout narrow = layoutSource(r);
        QVERIFY(narrow.sideBySide);
        QCOMPARE(narrow.source.code.left() - narrow.source.whole.left(), 174.0);
        QVERIFY(narrow.source.code.width() + narrow.ptx.code.width() > 0.52 * r.area.width());
        // What no line has takes no room.
        r.source.divergent = r.source.sectors = 0;
        QCOMPARE(layoutSource(r).source.code.left() - narrow.source.whole.left(), 174.0 - 39 - 49);
    }

    // Two panes beside each other in 1,200 px: 1,168 within the margins, 1,142 without the gap, halves of 571. Nothing counted:
    // a margin of 12 + 21 + 6 + 5 = 44 before the code. Code of 700 px asks for 44 + 700 + 10 = 754, code of 250 for 304: the
    // rest of 1,142 - 754 = 388 is the other's. Where both ask for more than a half, both have one.
    void theTextThatIsLongerHasMoreRoom() {
        SourceRequest r;
        r.source.lines = r.ptx.lines = 100;
        r.area = {0, 0, 1200, 700};
        r.source.code = 700, r.ptx.code = 250;
        const SourceLayout longer = layoutSource(r);
        QCOMPARE(longer.source.whole.width(), 754.0);
        QCOMPARE(longer.ptx.whole.width(), 388.0);
        QCOMPARE(longer.ptx.whole.right(), 1184.0);
        r.source.code = 2000; // never less than the other one's code
        QCOMPARE(layoutSource(r).ptx.whole.width(), 304.0);
        r.ptx.code = 800;
        QCOMPARE(layoutSource(r).source.whole.width(), 571.0);
    }

    // mathKernel1's lines: 4 and 5 of three and two instructions (above); each run by 2 warps, 2 of them in one path only.
    void aLinesShareIsOfAllInstructions() {
        const auto l = makeListings(mathKernel(false), 0);
        std::uint64_t sum = 0;
        for (const ListingLine& line : l->ptx.lines)
            sum += line.count.issued;
        QCOMPARE(l->issued, sum);
        const LineCount& four = l->source.lines[3].count;
        QCOMPARE(four.workOf(l->issued), 6.0 / double(sum));
        QVERIFY(heatOf(four, 6) == 1 && heatOf(four, 24) == 1 && heatOf(four, 96) == 0.5 && heatOf(four, 601) == 0);
        QVERIFY(
            lineToolTip(l->source, 4, false, false, 24).contains(QStringLiteral("25 % of the launch's instructions")));
        QVERIFY(!lineToolTip(l->source, 4, false, true).contains(QStringLiteral("of the launch's instructions")));
    }

    // k calls outer() in lines 9 and 10, which calls inner(); all of it was inlined. Each of the 6 instructions is run
    // by 2 warps. Lines 2 and 5 are each there twice: 2 instructions of 2 warps. Line 6 has no instruction of its own
    // and calls that of line 2. Line 9 is a load, and calls 2 instructions; so does line 10, a store.
    void inlinedCodeCountsForItsBodyAndForItsCallers() {
        TraceMaker m("k",
                     "__device__ int inner(int x) {\n    return x * 3;\n}\n__device__ int outer(int x) {\n"
                     "    int y = x + 1;\n    return inner(y);\n}\n__global__ void k(int* p) {\n"
                     "    int a = outer(p[0]);\n    p[1] = outer(a);\n}\n",
                     ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                     "\t.reg .b32 %r<6>;\n\t.reg .b64 %rd<2>;\n"
                     "\t.loc 1 9 19\n\tld.global.u32 %r1, [%rd1];\n"
                     "\t.loc 1 5 5, function_name $a, inlined_at 1 9 13\n\tadd.s32 %r2, %r1, 1;\n"
                     "\t.loc 1 6 12, function_name $a, inlined_at 1 9 13\n"
                     "\t.loc 1 2 5, function_name $b, inlined_at 1 6 12\n\tmul.lo.s32 %r3, %r2, 3;\n"
                     "\t.loc 1 5 5, function_name $a, inlined_at 1 10 12\n\tadd.s32 %r4, %r3, 1;\n"
                     "\t.loc 1 6 12, function_name $a, inlined_at 1 10 12\n"
                     "\t.loc 1 2 5, function_name $b, inlined_at 1 6 12\n\tmul.lo.s32 %r5, %r4, 3;\n"
                     "\t.loc 1 10 5\n\tst.global.u32 [%rd1+4], %r5;\n\tret;\n}\n"
                     ".file 1 \"k.cu\"\n",
                     {});
        Kernel& kernel = m.trace().kernels[0];
        kernel.lines = {{9, {0, 9, 19}, 9},  {11, {0, 5, 5}, 9},  {14, {0, 2, 5}, 9},
                        {16, {0, 5, 5}, 10}, {19, {0, 2, 5}, 10}, {21, {0, 10, 5}, 10}};
        m.launch({1}, {64});
        for (const LineLink& link : kernel.lines) {
            InstructionCount c;
            c.ptxLine = link.ptxLine;
            c.executions = 2;
            c.lanes = 64;
            c.isMemory = link.ptxLine == 9 || link.ptxLine == 21;
            c.requests = c.isMemory ? 2 : 0;
            c.sectors = c.isMemory ? 2 : 0; // all lanes of a warp at one place
            m.count(c);
        }
        const auto l = makeListings(m.finish(), 0);
        const auto of = [&](int line) { return l->source.lines[line - 1].count; };
        struct Expected {
            int line;
            std::uint64_t executions, issued, inlined;
        };
        for (const Expected& e : {Expected{2, 4, 4, 0}, {5, 4, 4, 0}, {6, 4, 4, 4}, {9, 2, 6, 4}, {10, 2, 6, 4}}) {
            QCOMPARE(of(e.line).executions, e.executions);
            QCOMPARE(of(e.line).issued, e.issued);
            QCOMPARE(of(e.line).inlined, e.inlined);
        }
        QCOMPARE(of(9).requests, std::uint64_t(2)); // the load is its own
        QCOMPARE(l->sourceOfPtx[14], std::uint32_t(2));
        QCOMPARE(l->ptxOfSource[6], (QVector<std::uint32_t>{14, 19}));
        QCOMPARE(l->ptxOfSource[9], (QVector<std::uint32_t>{9, 11, 14}));
        QVERIFY(
            csvOf(*makeSourceView(), contextOf(l->trace)).contains("source,6,6,4,4,128,100.000,0,0,0,0,0,4,counted"));
    }

    // A line that reads global memory in 4 sectors a request and shared memory in 32 passes says both; without a conflict
    // the passes say nothing.
    void aLineSaysItsSectorsAndItsConflicts() {
        LineCount c;
        c.issued = 1;
        c.requests = 10;
        c.sectors = 40;
        QCOMPARE(perRequestText(c), QString("4.0"));
        c.sharedRequests = c.passes = 10;
        QCOMPARE(perRequestText(c), QString("4.0"));
        c.passes = 320;
        QCOMPARE(perRequestText(c), QString("4.0 · 32 p"));
        c.inlined = 1;
        QCOMPARE(perRequestText(c), QString("(4.0 · 32 p)"));
        c.requests = 0;
        c.passes = 20;
        QCOMPARE(perRequestText(c), QString("(2.0 p)"));
    }

    void aLineIsFoundWhereItIsPainted() {
        SourceRequest r;
        r.area = {0, 0, 1200, 700};
        r.source.lines = 500;
        r.source.from = 120.25;
        const Pane pane = layoutSource(r).source;
        for (int line = 125; line < 150; ++line)
            QCOMPARE(pane.lineAt(pane.row(line).center().y()), line);
        QCOMPARE(pane.lineAt(pane.rows.top() - 1), 0);
    }

    void theLineThatMattersIsInSight() {
        SourceRequest r;
        r.area = {0, 0, 1200, 500};
        r.source.lines = 1000;
        r.source.firstLinked = 300;
        Pane pane = layoutSource(r).source;
        QVERIFY(pane.first() <= 300 && pane.end() > 300);
        r.source.focus = 700;
        pane = layoutSource(r).source;
        QVERIFY(pane.first() <= 700 && pane.end() > 700);
    }

    void clickingALineSelectsItAndItsPartners() {
        SelectionModel selection;
        ViewWidget widget(makeSourceView(), &selection);
        widget.resize(1100, 640);
        widget.setTrace(mathKernel(false));
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        const auto click = [&](std::uint32_t source, std::uint32_t ptx) {
            for (int y = 40; y < widget.height(); y += 4)
                for (int x : {300, 900}) {
                    const auto change = widget.picture()->spotAt(QPointF(x, y)).click;
                    const Selection s = change ? change->selection : selection.get();
                    if (s.sourceLine == source && s.ptxLine == ptx) {
                        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(x, y));
                        return true;
                    }
                }
            return false;
        };
        QVERIFY(click(7, 0));
        QCOMPARE(selection.get().sourceLine, std::uint32_t(7));
        QVERIFY(click(4, 7)); // the PTX branch selects its source line too
        QCOMPARE(selection.get().sourceLine, std::uint32_t(4));
        QCOMPARE(selection.get().ptxLine, std::uint32_t(7));
        selection.back();
        QCOMPARE(selection.get().sourceLine, std::uint32_t(7));
        QTest::keyClick(&widget, Qt::Key_Down);
        QCOMPARE(selection.get().sourceLine, std::uint32_t(8));
    }

    void theWheelScrollsOnlyThePaneUnderThePointer() {
        const auto view = makeSourceView();
        PaintContext c = contextOf(neighbored(false));
        const QRectF area(0, 0, 1100, 240);
        QVERIFY(answers(*view, area, c, WheelInput{{900, 150}, -1, {}}));
        QVERIFY(c.options.contains(QStringLiteral("ptxFrom")));
        QVERIFY(!c.options.contains(QStringLiteral("sourceFrom")));
    }

    void aTraceWithoutSourceStillShowsItsPtx() {
        auto t = std::make_shared<Trace>(*mathKernel(false));
        t->kernels[0].source.clear();
        for (LineLink& l : t->kernels[0].lines)
            l.callLine = 0;
        const auto view = makeSourceView();
        PaintContext c = contextOf(t);
        QVERIFY(!view->emptiness(c));
        QVERIFY(pixelsLike(pictureOf(*view, c, {1100, 640}), c.theme.accent, QRect(550, 60, 550, 500), 30) >
                20); // opcodes are there
        t->kernels[0].ptx.clear();
        QVERIFY(view->emptiness(c));
    }

    void countsAreExportedWithTheirOrigin() {
        const auto view = makeSourceView();
        const QString csv = csvOf(*view, contextOf(mathKernel(false)));
        QVERIFY(csv.contains(QStringLiteral("source,4,4,2,6,192,100.000,2,")));
        QVERIFY(csv.contains(QStringLiteral("counted")));
    }

    void everythingIsSaidInChinese() {
        Chinese chinese;
        QCoreApplication::installTranslator(&chinese);
        const auto view = makeSourceView();
        PaintContext c = contextOf(neighbored(false));
        c.selection.time = {10};
        keep(pictureOf(*view, c, {1100, 640}), QStringLiteral("source-zh"));
        pictureOf(*view, c, {350, 640});
        view->switches(c);
        const PicturePtr picture = view->compose(c, QRectF(0, 0, 1100, 640));
        for (int y = 100; y < 500; y += 10)
            picture->spotAt(QPointF(300, y));
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(chinese.missing().isEmpty(),
                 qPrintable(QStringList(chinese.missing().values()).join(QLatin1Char('\n'))));
    }

    void picturesForLooking() {
        const auto view = makeSourceView();
        struct Shot {
            const char* name;
            TracePtr trace;
            QSize size;
            ThemeKind theme;
            std::int64_t time;
            std::uint32_t line;
        };
        const QVector<Shot> shots{{"source-wide-light", neighbored(false), {1290, 900}, ThemeKind::Light, 10, 8},
                                  {"source-mid-dark", mathKernel(false), {830, 600}, ThemeKind::Dark, 4, 4},
                                  {"source-dock-light", neighbored(false), {350, 640}, ThemeKind::Light, 10, 8},
                                  {"source-print", divergent20of32(), {1100, 600}, ThemeKind::Print, 50, 0}};
        for (const Shot& shot : shots) {
            PaintContext c = contextOf(shot.trace, shot.theme);
            c.selection.time = {shot.time};
            c.selection.sourceLine = shot.line;
            keep(pictureOf(*view, c, shot.size), QString::fromLatin1(shot.name));
        }
    }
};

WARPGLASS_QT_TEST(TestSourceView)
#include "test_source_view.moc"
