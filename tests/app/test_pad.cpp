// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad without its widgets: what parameters get, what is kept beside a file, which lines an error marks.
#include "app/window/model/pad.h"
#include "app/window/pad/program_run.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/session.h"
#include "gpu/launch/arguments.h"
#include "tests/qt_tests.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstddef>
#include <cstring>

using namespace warpglass;
using session::FileKernel;
using session::KernelFile;
using session::KernelParameter;

class TestPad : public QObject {
    Q_OBJECT
private slots:
    void parametersGetWhatTheirNamesAndTypesSay() {
        const auto usual = [](const KernelParameter& p) {
            const PadArgument a = usualArgument(p, Dim3{96});
            return a.count + QLatin1Char('|') + a.initial;
        };
        const KernelParameter in{"in", "float const*", 8, true, false, ElementType::F32, true};
        const KernelParameter out{"out", "float*", 8, true, false, ElementType::F32, false};
        QCOMPARE(usual(in), QString("96|iota"));
        QCOMPARE(usual(out), QString("96|0"));
        for (const char* name : {"n", "N", "size", "numElements", "count"})
            QCOMPARE(usual({name, "int", 4, false, false, ElementType::I32, false}), QString("|96"));
        QCOMPARE(usual({"x", "int", 4, false, false, ElementType::I32, false}), QString("|1"));
        QCOMPARE(usual({"n", "float", 4, false, false, ElementType::F32, false}),
                 QString("|1")); // no count of anything
        QCOMPARE(usual({"p", "Pair", 8, false, true, ElementType::I32, false}), QString("|a:u8[8]=0"));
    }

    // Of 16 x 16 threads: a picture of 16 columns and 16 rows, of which w * h = 256 elements are there.
    void whatReadsThreadsInRowsIsLaunchedInRows() {
        FileKernel kernel;
        QCOMPARE(usualBlock(kernel), (Dim3{64}));
        kernel.dimensions = 2;
        QCOMPARE(usualBlock(kernel), (Dim3{16, 16}));
        kernel.dimensions = 3;
        QCOMPARE(usualBlock(kernel), (Dim3{8, 8, 4}));
        kernel.requiredBlock = {32, 1, 1};
        QCOMPARE(usualBlock(kernel), (Dim3{32}));
        const auto number = [](const char* name, Dim3 threads) {
            const KernelParameter parameter{name, "int", 4, false, false, ElementType::I32, false};
            return usualArgument(parameter, threads).initial;
        };
        const Dim3 threads = threadsOf({.grid = Dim3{2, 1}, .block = Dim3{16, 8}});
        QCOMPARE(threads, (Dim3{32, 8}));
        QCOMPARE(number("width", threads), QString("32"));
        QCOMPARE(number("h", threads), QString("8"));
        QCOMPARE(number("n", threads), QString("8")); // the side of what is square: 8 * 8 are there
        QCOMPARE(number("count", threads), QString("256"));
        QCOMPARE(number("w", Dim3{64}), QString("1")); // in one row nobody knows
        const KernelParameter in{"in", "float*", 8, true, false, ElementType::F32, true};
        QCOMPARE(usualArgument(in, threads).count, QString("256"));
    }

    void aLaunchIsWhatTheCommandLineWouldSay() {
        KernelFile file;
        file.compiled = std::make_shared<session::CompiledText>();
        FileKernel k;
        k.entry = "k";
        k.parameters = {{"in", "double const*", 8, true, false, ElementType::F64, true},
                        {"by", ".u64", 8, false, false, ElementType::I32, false},
                        {"p", "Pair", 8, false, true, ElementType::I32, false}};
        PadSettings settings;
        PadKernel& set = settings.kernels[QStringLiteral("k")];
        set.grid = Dim3{2, 3, 1};
        set.block = Dim3{32};
        set.shared = 128;
        set.arguments[QStringLiteral("by")] = {QString(), QStringLiteral("5")}; // a number, not a buffer
        set.arguments[QStringLiteral("p")] = {QString(), QStringLiteral("a:i32=1,b:i32=2")};
        settings.defines << QStringLiteral("N=4");
        RunRequest like;
        like.options.device = "v100";
        const RunRequest r = padRequest(like, QStringLiteral("k.cu"), QStringLiteral("text"), file, k, settings);
        QCOMPARE(r.arguments,
                 (std::vector<std::string>{"in:f64[192]=iota", "by:i64=5", "p:{a:i32=1,b:i32=2}"})); // 2 * 3 * 32
        QCOMPARE(*r.launch.grid, (Dim3{2, 3, 1}));
        QCOMPARE(*r.launch.sharedBytes, 128u);
        QCOMPARE(r.options.device, std::string("v100"));
        QCOMPARE(r.compile.defines, std::vector<std::string>{"N=4"});
        k.requiredBlock = {64, 2, 1};
        set.block.reset();
        QCOMPARE(*padRequest(like, QStringLiteral("k.cu"), QString(), file, k, settings).launch.block,
                 (Dim3{64, 2, 1}));
    }

    void fieldsOfAStructAreRowsAndBecomeItsBytes() {
        struct Inner { // what the source below says, by the host's compiler
            char tag;
            double weight;
        };
        struct Box {
            std::int32_t n;
            float low[3];
            Inner in[2];
            std::int16_t last;
        };
        cuda_text::StructLayouts structs;
        cuda_text::addStructs("struct Inner { char tag; double weight; };\n"
                              "struct Box { int n; float low[3]; Inner in[2]; short last; };",
                              structs);
        KernelFile file;
        file.compiled = std::make_shared<session::CompiledText>();
        FileKernel k;
        k.entry = "k";
        KernelParameter box{"box", "Box", sizeof(Box), false, true};
        box.fields = cuda_text::layoutOf("Box", structs)->fields;
        k.parameters = {box};
        QStringList names;
        for (const PadRow& row : padRows(k.parameters))
            names << QString::fromStdString(row.what.name);
        QCOMPARE(names, (QStringList{"box.n", "box.low", "box.in[0].tag", "box.in[0].weight", "box.in[1].tag",
                                     "box.in[1].weight", "box.last"}));
        PadSettings settings;
        PadKernel& set = settings.kernels[QStringLiteral("k")];
        set.block = Dim3{96};
        set.arguments[QStringLiteral("box.low")] = {QString(), QStringLiteral("1.5,2,-3")};
        set.arguments[QStringLiteral("box.in[1].weight")] = {QString(), QStringLiteral("0.25")};
        set.arguments[QStringLiteral("box.last")] = {QString(), QStringLiteral("-7")};
        const RunRequest r = padRequest({}, QStringLiteral("k.cu"), QString(), file, k, settings);
        const auto argument = parseArgument(r.arguments.at(0));
        QVERIFY2(argument.ok(), r.arguments[0].c_str());
        QCOMPARE(argument->scalar.size(), sizeof(Box));
        const auto at = [&](std::size_t offset, auto value) {
            std::memcpy(&value, argument->scalar.data() + offset, sizeof value);
            return value;
        };
        QCOMPARE(at(offsetof(Box, n), 0), 96); // called n: as many as there are threads
        QCOMPARE(at(offsetof(Box, low), 0.0f), 1.5f);
        QCOMPARE(at(offsetof(Box, low) + 8, 0.0f), -3.0f);
        QCOMPARE(at(offsetof(Box, in) + offsetof(Inner, tag), char(0)), char(1)); // the usual
        QCOMPARE(at(offsetof(Box, in) + sizeof(Inner) + offsetof(Inner, weight), 0.0), 0.25);
        QCOMPARE(at(offsetof(Box, last), std::int16_t(0)), std::int16_t(-7));
    }

    void aPointerInAStructHasABufferOfItsOwn() {
        KernelFile file;
        file.compiled = std::make_shared<session::CompiledText>();
        FileKernel k;
        k.entry = "k";
        cuda_text::StructLayouts structs;
        cuda_text::addStructs("struct Matrix { const float4* data; int width; };", structs);
        KernelParameter m{"m", "Matrix", 16, false, true};
        m.fields = cuda_text::layoutOf("Matrix", structs)->fields;
        k.parameters = {m};
        PadSettings settings;
        RunRequest r = padRequest({}, QStringLiteral("k.cu"), QString(), file, k, settings);
        QCOMPARE(r.buffers, std::vector<std::string>{"m.data:f32[256]=iota"}); // a float4 for each of 64 threads
        QVERIFY2(r.arguments[0].find("ptr=m.data") != std::string::npos, r.arguments[0].c_str());
        settings.kernels[QStringLiteral("k")].arguments[QStringLiteral("m.data")] = {QString(), QStringLiteral("0")};
        r = padRequest({}, QStringLiteral("k.cu"), QString(), file, k, settings);
        QVERIFY(r.buffers.empty()); // null
        QVERIFY2(r.arguments[0].find("ptr=0") != std::string::npos, r.arguments[0].c_str());
    }

    void variablesOfTheDeviceAreRowsAndSetWhenSomebodySaysSo() {
        KernelFile file;
        file.compiled = std::make_shared<session::CompiledText>();
        file.globals = {{"weights", "__constant__ float", ElementType::F32, 4}, {"counter", "__device__ int"}};
        FileKernel k;
        k.entry = "k";
        const std::vector<PadRow> rows = padRows(k.parameters, file.globals);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(usualArgument(rows[0], Dim3{64}) == PadArgument{});
        PadSettings settings;
        QVERIFY(padRequest({}, QStringLiteral("k.cu"), QString(), file, k, settings).globals.empty());
        auto& set = settings.kernels[QStringLiteral("k")].arguments;
        set[QStringLiteral("::weights")] = {QString(), QStringLiteral("1,2,3,4")};
        set[QStringLiteral("::counter")] = {QString(), QStringLiteral("7")};
        QCOMPARE(padRequest({}, QStringLiteral("k.cu"), QString(), file, k, settings).globals,
                 (std::vector<std::string>{"weights:f32[4]=1,2,3,4", "counter:i32=7"}));
    }

    void pathsAreMeantFromTheFilesFolder() {
        KernelFile file;
        file.compiled = std::make_shared<session::CompiledText>();
        FileKernel k;
        k.entry = "k";
        k.parameters = {{"in", "int const*", 8, true, false, ElementType::I32, true}};
        PadSettings settings;
        settings.includes << QStringLiteral("inc") << QStringLiteral("/usr/include");
        settings.nvcc << QStringLiteral("--use_fast_math");
        settings.programFiles << QStringLiteral("more.cu");
        settings.programArguments = QStringLiteral("4 \"two words\"");
        settings.kernels[QStringLiteral("k")].arguments[QStringLiteral("in")] = {QStringLiteral("8"),
                                                                                 QStringLiteral("file:numbers.bin")};
        const RunRequest r = padRequest({}, QStringLiteral("/x/y/k.cu"), QString(), file, k, settings);
        QCOMPARE(r.arguments, std::vector<std::string>{"in:i32[8]=file:/x/y/numbers.bin"});
        QCOMPARE(r.compile.includes, (std::vector<std::string>{"/x/y/inc", "/usr/include"}));
        QCOMPARE(r.compile.nvcc, std::vector<std::string>{"--use_fast_math"});
        const session::ProgramRequest p =
            padProgram({}, QStringLiteral("/x/y/k.cu"), QStringLiteral("/tmp/copy/k.cu"), settings);
        QCOMPARE(p.sources, (std::vector<std::string>{"/tmp/copy/k.cu", "/x/y/more.cu"}));
        QCOMPARE(p.words, (std::vector<std::string>{"4", "two words"}));
        QCOMPARE(p.compile.includes, (std::vector<std::string>{"/x/y", "/x/y/inc", "/usr/include"}));
    }

    void wordsOfALineComeBack() {
        for (const QStringList& words :
             {QStringList{}, QStringList{"N=4", "FAST"}, QStringList{"a b", "", "c"},
              QStringList{"S=\"x y\"", "/with blank/inc"}, QStringList{"it's", "back\\slash", "\\\"", "\\"}})
            QCOMPARE(wordsOf(lineOf(words)), words);
        QCOMPARE(wordsOf(QStringLiteral("  a 'b \"c' d\"e f\"g ")), (QStringList{"a", "b \"c", "de fg"}));
    }

    void theRecorderIsToldWhatThePadSays() {
        session::ProgramRequest request;
        request.sources = {"/x/a.cu", "/x/b.cu"};
        request.words = {"4", "-v"};
        request.compile.defines = {"N=2"};
        request.compile.nvcc = {"-lineinfo"};
        request.compile.mode = CompileMode::AsWritten;
        request.settings.launches = {{0, 0}, {3, 5}};
        request.settings.device = "v100";
        request.output = "/out";
        const QString line = recorderWords(request, "emulator").join(QLatin1Char(' '));
        QCOMPARE(line, QString("program /x/a.cu /x/b.cu -D N=2 --nvcc=-lineinfo --mode as-written --backend emulator "
                               "--device v100 --policy gto --launches 0,3-5 -o /out -- 4 -v"));
    }

    void whatTheRecorderSaysIsAnError() {
        const Error error =
            recorderError(QStringLiteral("warpglass-record: /x/k.cu:2: identifier \"b\" is undefined\n"
                                         "    a[0] = b;\n           ^\n"
                                         "/x/k.cu:3: identifier \"c\" is undefined. Mend the source.\n"));
        QCOMPARE(error.line, 2);
        QCOMPARE(error.remedy, std::string("Mend the source."));
        const QVector<PadMark> marks = marksOf(error, QStringLiteral("k.cu"));
        QCOMPARE(marks.size(), 2);
        QCOMPARE(marks[1].line, 3);
        QCOMPARE(marks[1].text.text(), std::string("identifier \"c\" is undefined"));
        QCOMPARE(recorderError(QStringLiteral("warpglass-record: there is none. Get one.\n")).message,
                 std::string("there is none. Get one."));
    }

    void aFaultOfCompiledCodeIsAtItsSourceLine() {
        const Error fault{.message = say::OfThread(plain("A thread writes past the end of \"out\""), "k", "(0)", "(63)",
                                                   say::SourceLine(3, "k.cu", 42)),
                          .file = "k.ptx",
                          .line = 42};
        const QVector<PadMark> marks = marksOf(fault, QStringLiteral("/x/k.cu"));
        QCOMPARE(marks.size(), 1);
        QCOMPARE(marks[0].line, 3);
        QCOMPARE(saidOnce(fault, QStringLiteral("/x/k.cu")).text(),
                 std::string("k.cu:3: A thread writes past the end of \"out\": k, block (0), thread (63)"));
        QCOMPARE(saidOnce(fault, QStringLiteral("/x/k.cu")).message.id(), say::OfThreadHere.id); // in any language
        QCOMPARE(marksOf(fault, QStringLiteral("/x/other.cu")).size(), 0);
        const Error compiler{.message = "x is undefined\n  x;\n  ^\n/x/k.cu:9: expected a \";\"",
                             .file = "/x/k.cu",
                             .line = 4,
                             .remedy = say::MendSource};
        QCOMPARE(saidOnce(compiler, QStringLiteral("/x/k.cu")).text(),
                 std::string("k.cu:4: x is undefined (and 1 more)"));
    }

    void faultsOfAProgramAreAtTheirLines() {
        const QVector<PadMark> marks = marksOfProgram(
            QStringLiteral(
                "line 3 of k.cu\n"
                "warpglass-record: operation 1: A thread writes past the end: write, block (0), thread (16), "
                "line 8 of my k.cu (PTX line 62).\n"
                "warpglass-record: operation 2: A thread reads, line 9 of other.cu (PTX line 2).\n"
                "warpglass-record: note: operation 3: Two threads race: this one reads what thread (1) wrote at line 4 "
                "of my k.cu (PTX line 3): k, block (0), thread (2), line 5 of my k.cu (PTX line 9).\n"),
            QStringLiteral("/x/my k.cu"));
        QCOMPARE(marks.size(), 2);
        QCOMPARE(marks[1].line, 5); // what failed nothing has its place, too: the reader's, who is told of the writer
        QCOMPARE(marks[0].line, 8);
        QCOMPARE(marks[0].text.text(), std::string("A thread writes past the end: write, block (0), thread (16)"));
    }

    // Nobody has chosen how the text is compiled: with cycles it is optimised. A choice holds either way.
    void withCyclesThePadsCodeIsOptimised() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("k.cu"));
        RunRequest like;
        PadSettings settings;
        const auto mode = [&](bool timing) {
            like.options.timing = timing;
            const RunRequest request = padSource(like, path, QString(), settings);
            const auto program = padProgram(like, path, path, settings);
            return request.launch.mode == request.compile.mode && program.compile.mode == request.compile.mode
                       ? std::optional(request.launch.mode)
                       : std::nullopt;
        };
        QVERIFY(mode(false) == CompileMode::AsWritten);
        QVERIFY(mode(true) == CompileMode::Optimised);
        QVERIFY(writePadSettings(path, settings).ok());
        QVERIFY(!readPadSettings(path)->mode); // what nobody chose is not kept as a choice
        for (const CompileMode chosen : allOf<CompileMode>) {
            settings.mode = chosen;
            QVERIFY(mode(false) == chosen);
            QVERIFY(mode(true) == chosen);
            QVERIFY(writePadSettings(path, settings).ok());
            QVERIFY(readPadSettings(path)->mode == chosen);
        }
    }

    void settingsComeBack() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("k.cu"));
        QVERIFY(readPadSettings(path).ok()); // there are none yet
        PadSettings settings;
        settings.kernel = QStringLiteral("scale<float, 4>");
        settings.mode = CompileMode::Optimised;
        settings.includes << QStringLiteral("inc");
        settings.arch = QStringLiteral("sm_90a");
        settings.nvcc << QStringLiteral("--use_fast_math");
        settings.programFiles << QStringLiteral("b.cu");
        settings.programArguments = QStringLiteral("3 \"x y\"");
        settings.kernels[settings.kernel].block = Dim3{8, 8, 2};
        settings.kernels[settings.kernel].shared = 4096;
        settings.kernels[settings.kernel].arguments[QStringLiteral("x")] = {QStringLiteral("7"), QStringLiteral("é")};
        QVERIFY(writePadSettings(path, settings).ok());
        const auto again = readPadSettings(path);
        QVERIFY(again.ok());
        QCOMPARE(again->kernel, settings.kernel);
        QVERIFY(again->mode == CompileMode::Optimised);
        QCOMPARE(again->includes, settings.includes);
        QCOMPARE(again->arch, settings.arch);
        QCOMPARE(again->nvcc, settings.nvcc);
        QCOMPARE(again->programFiles, settings.programFiles);
        QCOMPARE(again->programArguments, settings.programArguments);
        const PadKernel k = again->kernels[settings.kernel];
        QCOMPARE(*k.block, (Dim3{8, 8, 2}));
        QVERIFY(!k.grid);
        QCOMPARE(k.shared, 4096u);
        QVERIFY((k.arguments[QStringLiteral("x")] == PadArgument{QStringLiteral("7"), QStringLiteral("é")}));
    }

    // What one has typed comes back; what a stranger's file brings is followed only where it changes code alone.
    void optionsOfAStrangersSettingsStartNoProgram() {
        const QTemporaryDir folder, user;
        qputenv("XDG_DATA_HOME", folder.filePath(QStringLiteral("data")).toLocal8Bit());
        const QString path = folder.filePath(QStringLiteral("k.cu"));
        PadSettings settings;
        settings.nvcc << QStringLiteral("-O1") << QStringLiteral("-ccbin") << QStringLiteral("./evil")
                      << QStringLiteral("-Xcompiler=-fplugin=x.so") << QStringLiteral("--use_fast_math");
        QVERIFY(writePadSettings(path, settings).ok());
        QCOMPARE(readPadSettings(path)->nvcc, settings.nvcc);
        qputenv("XDG_DATA_HOME", user.path().toLocal8Bit());
        const auto foreign = readPadSettings(path);
        QCOMPARE(foreign->nvcc, (QStringList{QStringLiteral("-O1"), QStringLiteral("--use_fast_math")}));
        QCOMPARE(foreign->withheld, settings.nvcc.mid(1, 3));
        QVERIFY(writePadSettings(path, *foreign).ok());
        QVERIFY(readPadSettings(path)->withheld.isEmpty());
        qunsetenv("XDG_DATA_HOME");
    }

    void absurdSettingsAreRefusedOrPassedOver() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("k.cu"));
        const auto with = [&](const char* text) {
            QFile file(padSettingsPath(path));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
                qFatal("cannot write");
            file.close();
            return readPadSettings(path);
        };
        QVERIFY(!with("[1, 2]").ok());
        QVERIFY(!with("{\"kernels\": {\"k\": 3}}").ok());
        const auto odd = with("{\"kernel\": 5, \"includes\": [1, \"a\"], \"kernels\": {\"k\": {\"block\": \"x\", "
                              "\"shared\": 99999999999, \"arguments\": {\"a\": 1}}}}");
        QVERIFY(odd.ok());
        QVERIFY(odd->kernel.isEmpty());
        QCOMPARE(odd->includes, QStringList{"a"});
        QVERIFY(!odd->kernels[QStringLiteral("k")].block);
        QCOMPARE(odd->kernels[QStringLiteral("k")].shared, ~0u);
    }

    void everyListedErrorIsAMark() {
        const Error error{.message = "identifier \"b\" is undefined\n  a = b;\n      ^\n/x/k.cu:9: expected a \";\"\n"
                                     "/x/other.h:3: elsewhere",
                          .file = "/x/k.cu",
                          .line = 4};
        const QVector<PadMark> marks = marksOf(error, QStringLiteral("/y/k.cu"));
        QCOMPARE(marks.size(), 2);
        QCOMPARE(marks[0].line, 4);
        QCOMPARE(marks[0].text.text(), std::string("identifier \"b\" is undefined"));
        QCOMPARE(marks[1].line, 9);
        QVERIFY(marksOf(Error{.message = "x", .file = "--grid", .line = 3}, QStringLiteral("k.cu")).isEmpty());
    }
};

WARPGLASS_QT_TEST(TestPad)
#include "test_pad.moc"
