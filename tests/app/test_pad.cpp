// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad without its widgets: what parameters get, what is kept beside a file, which lines an error marks.
#include "app/window/model/pad.h"
#include "tests/qt_tests.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;
using session::FileKernel;
using session::KernelFile;
using session::KernelParameter;

class TestPad : public QObject {
    Q_OBJECT
private slots:
    void parametersGetWhatTheirNamesAndTypesSay() {
        const auto usual = [](const KernelParameter& p) {
            const PadArgument a = usualArgument(p, 96);
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

    void settingsComeBack() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("k.cu"));
        QVERIFY(readPadSettings(path).ok()); // there are none yet
        PadSettings settings;
        settings.kernel = QStringLiteral("scale<float, 4>");
        settings.mode = CompileMode::Optimised;
        settings.includes << QStringLiteral("inc");
        settings.arch = QStringLiteral("sm_90a");
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
        const PadKernel k = again->kernels[settings.kernel];
        QCOMPARE(*k.block, (Dim3{8, 8, 2}));
        QVERIFY(!k.grid);
        QCOMPARE(k.shared, 4096u);
        QVERIFY((k.arguments[QStringLiteral("x")] == PadArgument{QStringLiteral("7"), QStringLiteral("é")}));
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
        QCOMPARE(marks[0].text, QString("identifier \"b\" is undefined"));
        QCOMPARE(marks[1].line, 9);
        QVERIFY(marksOf(Error{.message = "x", .file = "--grid", .line = 3}, QStringLiteral("k.cu")).isEmpty());
    }
};

WARPGLASS_QT_TEST(TestPad)
#include "test_pad.moc"
