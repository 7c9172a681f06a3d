// SPDX-License-Identifier: GPL-3.0-or-later
// Pin and type without a window: what a run became of another, told from numbers that are worked out here.
#include "app/window/model/pinned_change.h"
#include "app/window/model/turnable.h"
#include "app/window/model/what_changed.h"
#include "gpu/metrics/model_accuracy.h"
#include "tests/qt_tests.h"
#include "views/common/line_match.h"

#include <QtTest>

#include <cstring>

using namespace warpglass;

namespace {

// A tile of 32 x 32 floats, turned by 32 warps of one block: a lane a column, a warp a row.
const char* const plainTile = "__global__ void turn(const float* in, float* out)\n"
                              "{\n"
                              "    __shared__ float tile[32][32];\n"
                              "    int x = threadIdx.x, y = threadIdx.y;\n"
                              "    tile[y][x] = in[y * 32 + x];\n"
                              "    __syncthreads();\n"
                              "    out[y * 32 + x] = tile[x][y];\n"
                              "}\n";

InstructionCount shared(std::uint32_t line, AccessKind kind, std::uint64_t passes) {
    InstructionCount c;
    c.ptxLine = line;
    c.executions = c.requests = 32;
    c.lanes = 1024;
    c.isMemory = true;
    c.space = MemorySpace::Shared;
    c.access = kind;
    c.passes = passes;
    c.idealPasses = 32;
    return c;
}

InstructionCount global(std::uint32_t line, AccessKind kind, std::uint64_t sectors) {
    InstructionCount c = shared(line, kind, 0);
    c.space = MemorySpace::Global;
    c.idealPasses = 0;
    c.sectors = sectors;
    return c;
}

struct Made {
    std::shared_ptr<Run> run = std::make_shared<Run>();
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
};

// PTX line n stands for source line n.
Made runOf(const std::string& text, std::vector<InstructionCount> counts, std::int64_t ns = 0) {
    Made made;
    Kernel kernel;
    kernel.name = "turn";
    kernel.source = text;
    kernel.files = {"turn.cu"};
    kernel.sourceName = "turn.cu";
    for (std::uint32_t line = 1; line <= 12; ++line)
        kernel.lines.push_back({line, {0, line, 1}, line});
    made.trace->kernels.push_back(kernel);
    Launch launch;
    launch.block = {32, 32, 1};
    launch.end = {ns};
    made.trace->launches.push_back(launch);
    made.trace->info.deviceName = "NVIDIA H200";
    if (ns > 0)
        made.trace->info.timeUnit = TimeUnit::Nanoseconds;
    made.trace->counts = std::move(counts);
    made.run->trace = made.trace;
    made.run->name = "turn";
    made.run->request.emplace();
    made.run->request->kernel = "turn.cu";
    made.run->request->text = text;
    return made;
}

RunBuffer floats(const char* name, std::vector<float> values) {
    RunBuffer buffer{name, ElementType::F32, std::vector<std::byte>(values.size() * sizeof(float))};
    std::memcpy(buffer.bytes.data(), values.data(), buffer.bytes.size());
    return buffer;
}

std::string padded() {
    return QString::fromUtf8(plainTile).replace("tile[32][32]", "tile[32][33]").toStdString();
}

// Unpadded, the 32 lanes that read a column of the tile ask one bank for 32 words: 32 passes a request, 1,024 of the 32
// warps. With a row of 33 each lane has its own bank: one pass, 32. Written, and in global memory, nothing changes: a row
// of 32 floats is 128 bytes, four sectors, 128 of 32 warps.
std::vector<InstructionCount> tileCounts(std::uint64_t passesOfReading) {
    return {global(5, AccessKind::Load, 128), shared(5, AccessKind::Store, 32),
            shared(7, AccessKind::Load, passesOfReading), global(7, AccessKind::Store, 128)};
}

} // namespace

class TestPinModel : public QObject {
    Q_OBJECT
private slots:
    void linesAreFoundAgainWhereTextWasPutInOrTaken() {
        const LineMatch match = matchLines("a\nb\nc\nd\n", "a\nx\ny\nc  \nd\ne\n");
        // b became x, y is new; blanks at an end are nothing; e stands behind all.
        QCOMPARE(match.ofB, (std::vector<std::uint32_t>{0, 1, 2, 0, 3, 4, 0}));
        QCOMPARE(match.parts, (std::vector<ChangedPart>{{2, 3, 2, 4}, {5, 5, 6, 7}}));
        QVERIFY(matchLines("a\nb\n", "a\nb\n").parts.empty());
        QCOMPARE(matchLines("a\nb\nc\n", "a\nc\n").parts, (std::vector<ChangedPart>{{2, 3, 2, 2}}));
        QCOMPARE(matchLines("", "a\n").parts, (std::vector<ChangedPart>{{1, 1, 1, 2}}));
    }

    void apaddedTilesPassesAreToldAtTheirLine() {
        const Made a = runOf(plainTile, tileCounts(1024)), b = runOf(padded(), tileCounts(32));
        QCOMPARE(sumsOf(*a.trace), (RunSums{128, 0, 256, 1056}));
        QCOMPARE(sumsOf(*b.trace), (RunSums{128, 0, 256, 64}));
        const PinnedChange change = pinnedChange(*a.run, *b.run);
        QCOMPARE(change.line(), QStringLiteral("32 → 1 passes at line 7"));
        QCOMPARE(change.effect, Effect::Better);
        QVERIFY2(change.numbers.contains(QStringLiteral("shared passes: 1,056 → 64")), qPrintable(change.numbers));
        QVERIFY2(change.numbers.contains(QStringLiteral("sectors: 256\n")), qPrintable(change.numbers));
        QCOMPARE(pinnedChange(*b.run, *a.run).parts.first().effect, Effect::Worse);
        // The line that was changed did it, though it is counted at another one.
        const QVector<ChangedLine> lines = changedLines(*a.run, *b.run);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0].line, 3);
        QCOMPARE(lines[0].effect, Effect::Better);
        QCOMPARE(lines[0].what, QStringLiteral("shared passes 1,056 → 64"));
    }

    void ofTwoChangesEachHasWhatIsCountedAtIt() {
        // Line 5 reads with a stride as well: 32 sectors a request, 1,024.
        const std::string other =
            QString::fromStdString(padded()).replace("in[y * 32 + x]", "in[x * 32 + y]").toStdString();
        std::vector<InstructionCount> counts = tileCounts(32);
        counts[0].sectors = 1024;
        const Made a = runOf(plainTile, tileCounts(1024)), b = runOf(other, counts);
        const QVector<ChangedLine> lines = changedLines(*a.run, *b.run);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].line, 3);
        QCOMPARE(lines[0].effect, Effect::Unknown); // passes fell at line 7, and line 5 may have done it as well
        QCOMPARE(lines[1].line, 5);
        QCOMPARE(lines[1].effect, Effect::Worse);
        QCOMPARE(lines[1].what, QStringLiteral("sectors 128 → 1,024"));
        // log(32) of passes is more than log(4.5) of sectors.
        QCOMPARE(pinnedChange(*a.run, *b.run).line(),
                 QStringLiteral("32 → 1 passes at line 7 · 4 → 32 sectors at line 5"));
    }

    void aChangeThatDoesNothingIsMarkedAsSuch() {
        const std::string other = QString::fromUtf8(plainTile).replace("int x", "unsigned x").toStdString();
        const Made a = runOf(plainTile, tileCounts(1024)), b = runOf(other, tileCounts(1024));
        QCOMPARE(pinnedChange(*a.run, *b.run).line(), QString());
        const QVector<ChangedLine> lines = changedLines(*a.run, *b.run);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0].line, 4);
        QCOMPARE(lines[0].effect, Effect::None);
    }

    void timesAreHeldToTheModelsError() {
        const double error = *expectedError(*runOf(plainTile, {}, 10000).run->trace); // 8 to 20 %
        const int percent = qRound(100 * error);
        const Made a = runOf(plainTile, {}, 10000),
                   near = runOf(plainTile, {}, 10000 - std::int64_t(10000 * error / 2)),
                   far = runOf(plainTile, {}, 6900);
        QCOMPARE(pinnedChange(*a.run, *far.run).line(),
                 QStringLiteral("time −31 %, beyond the error of %1 %").arg(percent));
        QCOMPARE(pinnedChange(*a.run, *far.run).effect, Effect::Better);
        const PinnedChange draw = pinnedChange(*a.run, *near.run);
        QVERIFY2(draw.line().endsWith(QStringLiteral("within the error of %1 %: a draw").arg(percent)),
                 qPrintable(draw.line()));
        QCOMPARE(draw.effect, Effect::None);
        // Measured times have no model's error; on a device that nobody measured, nobody knows it.
        Made measured[2] = {runOf(plainTile, {}, 10000), runOf(plainTile, {}, 9900)};
        for (Made& m : measured)
            m.trace->info.timeOrigin = Origin::Measured;
        QCOMPARE(pinnedChange(*measured[0].run, *measured[1].run).line(), QStringLiteral("time −1.0 %, measured"));
        Made other = runOf(plainTile, {}, 5000);
        other.trace->info.deviceName = "another";
        QVERIFY(
            pinnedChange(*a.run, *other.run).line().contains(QStringLiteral("Nothing was measured on this device")));
        // Steps are no time; then estimates are, with an error of their own.
        Made x = runOf(plainTile, {}), y = runOf(plainTile, {});
        QVERIFY(!timeChange(*x.run, *y.run));
        x.run->estimatedNs = 2000;
        y.run->estimatedNs = 1000;
        QCOMPARE(timeChange(*x.run, *y.run)->error, estimateAccuracy().meanError);
        QVERIFY(
            pinnedChange(*x.run, *y.run).line().startsWith(QStringLiteral("time about −50 %, beyond the error of")));
    }

    void theFirstNumberThatIsOtherIsToldByNameAndPlace() {
        Made a = runOf(plainTile, {}), b = runOf(plainTile, {});
        QVERIFY(!compareResults(*a.run, *b.run)); // nobody kept them
        a.run->buffers = {floats("in", {1, 2, 3}), floats("out", {5, 6, 7, 8})};
        b.run->buffers = a.run->buffers;
        QVERIFY(compareResults(*a.run, *b.run)->same());
        QCOMPARE(pinnedChange(*a.run, *b.run).line(), QStringLiteral("same results"));
        b.run->buffers[1] = floats("out", {5, 6.00001F, 7, 8}); // 1.7e-6 of it
        QVERIFY(compareResults(*a.run, *b.run)->same());
        QCOMPARE(pinnedChange(*a.run, *b.run).line(), QStringLiteral("same results but for rounding"));
        b.run->buffers[1] = floats("out", {5, 6.00001F, 9, -8});
        const auto held = compareResults(*a.run, *b.run);
        QCOMPARE(held->differing, 2u);
        QCOMPARE(held->elements, 7u);
        const PinnedChange change = pinnedChange(*a.run, *b.run);
        QCOMPARE(change.line(), QStringLiteral("other results from out[2] on: 9, in A 7"));
        QCOMPARE(change.effect, Effect::Worse);
        b.run->request->arguments = {"in:f32[3]=7"}; // it began with other memory
        QVERIFY(!compareResults(*a.run, *b.run));
        // Whole numbers are the same or not, with their sign.
        a.run->buffers = {{"n", ElementType::I8, {std::byte{0xff}}}};
        b.run->buffers = {{"n", ElementType::I8, {std::byte{0x01}}}};
        b.run->request->arguments.clear();
        QCOMPARE(compareResults(*a.run, *b.run)->a, QStringLiteral("-1"));
        // What is known to be right is not held against A alone.
        b.run->check.check = Check::Ok;
        a.run->check.check = Check::Wrong;
        a.run->buffers.clear();
        QCOMPARE(pinnedChange(*a.run, *b.run).line(), QStringLiteral("right now"));
    }

    void constantsOfTheTextCanBeTurned() {
        const QString text =
            QStringLiteral("#define N 32 // threads\n"
                           "#define UNUSED 7\n"
                           "#define F(x) 3\n"
                           "// #define OLD 4\n"
                           "constexpr int PAD = 1;\n"
                           "static const unsigned int stages{4u};\n"
                           "#define TWICE 1\n#define TWICE 2\n"
                           "const float half = 5;\n"
                           "const char* name = \"PAD = 9;\";\n"
                           "__global__ void k(int* a) { a[PAD + N + stages + TWICE + OLD + half] = F(1); }\n");
        const QVector<Turnable> found = turnablesIn(text);
        QStringList names;
        for (const Turnable& t : found)
            names << QStringLiteral("%1=%2@%3").arg(t.name).arg(t.value).arg(t.line);
        QCOMPARE(names, (QStringList{"N=32@1", "PAD=1@5", "stages=4@6"}));
        QVERIFY(turned(text, QStringLiteral("PAD"), 12).contains(QStringLiteral("constexpr int PAD = 12;")));
        QVERIFY(turned(text, QStringLiteral("N"), 8).startsWith(QStringLiteral("#define N 8 // threads\n")));
        QCOMPARE(turned(text, QStringLiteral("half"), 8), text);
        QCOMPARE(stopsOf(32), (QVector<qint64>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
        QCOMPARE(stopsOf(1), (QVector<qint64>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
        QVERIFY(stopsOf(-2).contains(-2) && stopsOf(1000).contains(1000) && stopsOf(1000).size() < 64);
        // A square stays one, of at most 1,024 threads; two rows of 48 are turned along x.
        QCOMPARE(shapeStops(Dim3{16, 16}, 1024), (QVector<qint64>{2, 4, 8, 16, 32}));
        QCOMPARE(shapeTurned(Dim3{16, 16}, 32), (Dim3{32, 32}));
        QCOMPARE(shapeStops(Dim3{48, 2}, 128), (QVector<qint64>{1, 2, 4, 8, 16, 32, 48, 64}));
        QCOMPARE(shapeTurned(Dim3{48, 2}, 32), (Dim3{32, 2}));
    }

    void aRunsWordIsWhatWasDifferent() {
        RunRequest before, now;
        before.text = "#define N 4\nint a = N;\n";
        now = before;
        QCOMPARE(changeWord(before, now), QString());
        now.text = "#define N 8\nint a = N;\n";
        QCOMPARE(changeWord(before, now), QStringLiteral("N 8"));
        now.text = "#define N 4\nint b = N;\n";
        QCOMPARE(changeWord(before, now), QStringLiteral("line 2"));
        now.text = before.text;
        now.launch.block = Dim3{128};
        QCOMPARE(changeWord(before, now), QStringLiteral("block 128"));
    }
};

WARPGLASS_QT_TEST(TestPinModel)
#include "test_pin_model.moc"
