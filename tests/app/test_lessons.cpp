// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons of the program are true: their launches are run, and what they expect of them is judged. The build runs this
// test in parts beside each other (WARPGLASS_PART=2/4 in the environment); without that it is all of them.
#include "app/window/export/lesson_check.h"
#include "app/window/language.h"
#include "app/window/model/select_spec.h"
#include "app/window/view_registry.h"
#include "tests/qt_tests.h"
#include "views/memory/memory_model.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

namespace {

const QByteArray lessonText = R"({
  "format": 1, "name": "mine", "title": "t",
  "steps": [
    {
      "title": "a", "text": "Both of its 2 warps diverge.",
      "run": {"kernel": "mathKernel1", "size": 64, "block": "64", "mode": "as-written"},
      "view": "lanes", "options": {"layer": "source"},
      "select": "block=0,warp=0,time=50%",
      "ask": {"question": "How many?", "number": 2, "answer": "All 2."},
      "expect": [
        "warps = 2",
        "divergent[line 24] = 2"
      ]
    }
  ]
})";

Result<Lesson> parsed(const QByteArray& text) {
    return parseLesson(text, QStringLiteral("mine.json"), viewKeys());
}

} // namespace

class TestLessons : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { initialiseResources(); }

    void theLessonsOfTheProgramAreTrue_data() {
        QTest::addColumn<QString>("path");
        const QStringList part = qEnvironmentVariable("WARPGLASS_PART", QStringLiteral("1/1")).split(QLatin1Char('/'));
        QCOMPARE(part.size(), 2);
        const QStringList paths = builtInLessonPaths();
        for (int i = part[0].toInt() - 1; i < paths.size(); i += part[1].toInt())
            QTest::newRow(qPrintable(QFileInfo(paths[i]).completeBaseName())) << paths[i];
    }
    void theLessonsOfTheProgramAreTrue() {
        QFETCH(QString, path);
        const Result<Lesson> lesson = readLesson(path, viewKeys());
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        QVERIFY2(lesson.value().steps.size() >= 4 && lesson.value().steps.size() <= 7, qPrintable(path));
        for (const LessonStep& step : lesson.value().steps) {
            QVERIFY2((step.ask || step.predict) && !step.expectations.isEmpty(), qPrintable(step.title.en));
            if (step.predict) // the view asks
                QVERIFY2(!step.predict->answer.zh.isEmpty(), qPrintable(step.title.en));
            else
                QVERIFY2(!step.ask->question.zh.isEmpty() && !step.ask->answer.zh.isEmpty(), qPrintable(step.title.en));
            QVERIFY2(!step.view.isEmpty(), qPrintable(step.title.en));
        }
        Progress progress;
        const LessonReport report = checkLesson(lesson.value(), progress);
        QStringList sentences;
        for (const LessonFinding& finding : report.findings)
            sentences
                << QStringLiteral("line %1, step %2: %3").arg(finding.line).arg(finding.step + 1).arg(finding.text);
        QVERIFY2(sentences.isEmpty(), qPrintable(sentences.join(QLatin1Char('\n'))));
    }

    void aTrueLessonHasNoFindings() {
        const Result<Lesson> lesson = parsed(lessonText);
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        Progress progress;
        const LessonReport report = checkLesson(lesson.value(), progress);
        QVERIFY(report.findings.isEmpty());
        QCOMPARE(report.expectations, 2);
    }

    // What is false, with the line of the file that says it. Each row changes one thing of the true lesson.
    void whatIsFalseIsToldWithItsLine_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("part");
        QTest::newRow("an expectation") << QByteArray("[line 24] = 2") << QByteArray("[line 24] = 1") << 12
                                        << QStringLiteral("divergent[line 24] is 2");
        QTest::newRow("a number of the text")
            << QByteArray("Both of its 2") << QByteArray("Of its 17") << 4 << QStringLiteral("17");
        QTest::newRow("a number of the answer")
            << QByteArray("\"All 2.\"") << QByteArray("\"All 3,000.\"") << 4 << QStringLiteral("3000");
        QTest::newRow("the right number")
            << QByteArray("\"number\": 2") << QByteArray("\"number\": 7") << 4 << QStringLiteral("7");
        QTest::newRow("a title that tells the answer")
            << QByteArray("\"title\": \"a\"") << QByteArray("\"title\": \"2 divided warps\"") << 4
            << QStringLiteral("tells the answer");
        QTest::newRow("a mask, told as it is written")
            << QByteArray("\"All 2.\"") << QByteArray("\"All 2, 0x5555000f.\"") << 4
            << QStringLiteral("says 0x5555000f");
        QTest::newRow("a place") << QByteArray("warp=0") << QByteArray("warp=9") << 4 << QStringLiteral("warp");
        QTest::newRow("a switch") << QByteArray("{\"layer\": \"source\"}") << QByteArray("{\"layer\": \"sauce\"}") << 4
                                  << QStringLiteral("sauce");
        QTest::newRow("a launch that is refused")
            << QByteArray("\"block\": \"64\"") << QByteArray("\"block\": \"4096\"") << 4
            << QStringLiteral("does not run");
    }
    void whatIsFalseIsToldWithItsLine() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QVERIFY(lessonText.contains(from));
        const Result<Lesson> lesson = parsed(QByteArray(lessonText).replace(from, to));
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        Progress progress;
        const LessonReport report = checkLesson(lesson.value(), progress);
        QVERIFY(!report.findings.isEmpty());
        QTEST(report.findings.first().line, "line");
        QFETCH(QString, part);
        QVERIFY2(report.findings.first().text.contains(part), qPrintable(report.findings.first().text));
    }

    // An expectation of 4,000 characters, as long as one may be nearly, is quoted by its two ends, and what was found stands behind it.
    void aFindingThatQuotesMuchIsShort() {
        QByteArray sum = "1";
        while (sum.size() < 4'000)
            sum += " + 1";
        const Result<Lesson> lesson = parsed(QByteArray(lessonText).replace("warps = 2", "warps = " + sum));
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        Progress progress;
        const LessonReport report = checkLesson(lesson.value(), progress);
        QVERIFY(!report.findings.isEmpty());
        for (const LessonFinding& finding : report.findings)
            QVERIFY2(finding.text.size() < 7000, qPrintable(QString::number(finding.text.size())));
        const QString& first = report.findings.first().text;
        QVERIFY2(first.startsWith(QStringLiteral("\"warps = 1 + 1")), qPrintable(first));
        QVERIFY2(first.contains(QStringLiteral("does not hold: ")), qPrintable(first));
    }

    // What a step says of an access is said of the one that its view shows: by hand from the kernels' code, the
    // transposes load a row (4 sectors) and store a column (32), or go through a tile, whose column of 32 words lies in
    // one bank (32 passes), or with a 33rd word in each row in all of them (1).
    void theTransposesStepsShowTheAccessThatTheyTellOf_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("beside");
        QTest::addColumn<bool>("shared");
        QTest::addColumn<int>("figure"); // sectors or passes
        QTest::newRow("the store of a column") << 0 << false << false << 32;
        QTest::newRow("the load from the tile") << 1 << false << true << 32;
        QTest::newRow("the load from the tile, beside") << 2 << false << true << 32;
        QTest::newRow("the load from the padded tile") << 2 << true << true << 1;
    }
    void theTransposesStepsShowTheAccessThatTheyTellOf() {
        QFETCH(int, step);
        QFETCH(bool, beside);
        QFETCH(bool, shared);
        const Result<Lesson> lesson =
            readLesson(QStringLiteral(":/lessons/bank-conflicts-and-the-transpose.json"), viewKeys());
        QVERIFY(lesson.ok());
        const LessonStep& told = lesson.value().steps[step];
        Progress progress;
        const Result<RunPtr> run = obtain(beside ? *told.compare : *told.run, progress);
        QVERIFY(run.ok());
        const Trace& trace = *run.value()->trace;
        const Result<SelectSpec> spec = parseSelect(told.select, trace);
        QVERIFY(spec.ok());
        const auto shown = shownAccess(trace, completed(spec->selection, trace), SpaceFilter::All);
        QVERIFY(shown);
        QCOMPARE(shown->isShared, shared);
        QCOMPARE(shown->row->kind, shared ? AccessKind::Load : AccessKind::Store);
        QTEST(shared ? shown->shared.passes : int(shown->global.sectors.size()), "figure");
    }

    // A damaged lesson is not read at all; one sentence says where and why.
    void whatIsDamagedIsToldWithItsLine_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("part");
        QTest::newRow("an unknown fact") << QByteArray("\"warps = 2\"") << QByteArray("\"wraps = 2\"") << 11
                                         << QStringLiteral("wraps");
        QTest::newRow("nothing said") << QByteArray("\"warps = 2\"") << QByteArray("\"warps\"") << 11
                                      << QStringLiteral("nothing is said");
        QTest::newRow("an unknown kernel")
            << QByteArray("mathKernel1") << QByteArray("mathKernel9") << 6 << QStringLiteral("steps[0].run.kernel");
        QTest::newRow("an unknown view") << QByteArray("\"lanes\"") << QByteArray("\"lane\"") << 7
                                         << QStringLiteral("steps[0].view");
        QTest::newRow("two kinds of answers")
            << QByteArray("\"number\": 2,") << QByteArray("\"number\": 2, \"lanes\": \"0x1\",") << 9
            << QStringLiteral("steps[0].ask");
        QTest::newRow("no kind of answer")
            << QByteArray("\"number\": 2,") << QByteArray() << 9 << QStringLiteral("steps[0].ask");
        QTest::newRow("a right choice that is not there")
            << QByteArray("\"number\": 2") << QByteArray("\"choices\": [\"x\", \"y\"], \"right\": 3") << 9
            << QStringLiteral("steps[0].ask.right");
        QTest::newRow("no mask") << QByteArray("\"number\": 2") << QByteArray("\"lanes\": \"all\"") << 9
                                 << QStringLiteral("steps[0].ask.lanes");
        QTest::newRow("no answer") << QByteArray(", \"answer\": \"All 2.\"") << QByteArray() << 9
                                   << QStringLiteral("steps[0].ask.answer");
        QTest::newRow("a word twice") << QByteArray("\"title\": \"a\"")
                                      << QByteArray("\"title\": \"a\", \"title\": \"b\"") << 5
                                      << QStringLiteral("twice");
        QTest::newRow("a recording that is not there")
            << QByteArray(R"({"kernel": "mathKernel1", "size": 64, "block": "64", "mode": "as-written"})")
            << QByteArray(R"({"recording": "nonesuch"})") << 6 << QStringLiteral("nonesuch");
        QTest::newRow("a file that is not there")
            << QByteArray(R"({"kernel": "mathKernel1",)") << QByteArray(R"({"kernel": "k", "file": "nonesuch.cu",)")
            << 6 << QStringLiteral("nonesuch.cu");
        QTest::newRow("a recording of another folder")
            << QByteArray(R"({"kernel": "mathKernel1", "size": 64, "block": "64", "mode": "as-written"})")
            << QByteArray(R"({"recording": "../nonesuch"})") << 6 << QStringLiteral("beside the lesson");
        for (const char* other : {"../k.cu", "/etc/k.ptx"})
            QTest::newRow(other) << QByteArray(R"({"kernel": "mathKernel1",)")
                                 << QByteArray(R"({"kernel": "k", "file": ")") + other + "\"," << 6
                                 << QStringLiteral("is not the name of a file beside the lesson");
        QTest::newRow("a file's bytes")
            << QByteArray(R"({"kernel": "mathKernel1",)")
            << QByteArray(R"({"kernel": "mathKernel1", "arguments": ["a:i32[4]=file:/etc/passwd"],)") << 6
            << QStringLiteral("takes its values from a file");
        QTest::newRow("a limit that there is not")
            << QByteArray("\"size\": 64,") << QByteArray("\"size\": 64, \"timing\": true, \"without\": \"gravity\",")
            << 6 << QStringLiteral("steps[0].run.without");
        QTest::newRow("a limit without a time")
            << QByteArray("\"size\": 64,") << QByteArray("\"size\": 64, \"without\": \"conflicts\",") << 6
            << QStringLiteral("\"timing\" is missing");
        QTest::newRow("a comma is missing")
            << QByteArray("\"warps = 2\",") << QByteArray("\"warps = 2\"") << 12 << QStringLiteral("JSON");
    }
    void whatIsDamagedIsToldWithItsLine() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QVERIFY(lessonText.contains(from));
        const Result<Lesson> lesson = parsed(QByteArray(lessonText).replace(from, to));
        QVERIFY(!lesson.ok());
        QTEST(lesson.error().line, "line");
        QFETCH(QString, part);
        QVERIFY2(QString::fromStdString(lesson.error().text()).contains(part), lesson.error().text().c_str());
    }

    // Line 24 asks tid % 2 == 0: the even lanes go on, 0x55555555.
    void aPredictionIsHeldToWhatTheViewAsks() {
        const auto problems = [](const QByteArray& truth, const QByteArray& select) {
            QByteArray text = lessonText;
            text.replace(R"("ask": {"question": "How many?", "number": 2, "answer": "All 2."},)",
                         R"("predict": {"truth": ")" + truth + R"(", "answer": "All 2."},)");
            text.replace("block=0,warp=0,time=50%", select);
            const Result<Lesson> lesson = parsed(text);
            if (!lesson)
                return QStringList{QString::fromStdString(lesson.error().text())};
            QStringList found;
            Progress progress;
            for (const LessonFinding& finding : checkLesson(lesson.value(), progress).findings)
                found << finding.text;
            return found;
        };
        const QByteArray before = "block=0,warp=0,line=24,time=start";
        QCOMPARE(problems("0x55555555", before), QStringList());
        QCOMPARE(problems("0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30", before), QStringList());
        QVERIFY(problems("0x55555557", before).join('\n').contains("the answer is 0x55555555,")); // as it was written
        QVERIFY(problems("0,2,5", before).join('\n').contains("the answer is 0,2,4,"));
        QVERIFY(problems("", before).join('\n').contains("the answer is 0,2,4,"));
        QCOMPARE(problems("0x55555555", "block=0,warp=0,line=24,time=end"), QStringList()); // it begins again
        QVERIFY(problems("some lanes", before).join('\n').contains("steps[0].predict.truth"));
    }

    void numbersAreToldFromNames() {
        QCOMPARE(
            numbersOf(QStringLiteral("mathKernel1 on an H200: 1,024 of 2048 threads, 62.5 %, 16x8, 0x0f and `a[7]`.")),
            (QVector<double>{1024, 2048, 62.5, 16, 8, 15}));
        QCOMPARE(numbersOf(QStringLiteral("共 8 个线程束，每个32个通道；sm_90 不算。")), (QVector<double>{8, 32}));
        QCOMPARE(numbersOf(QStringLiteral("the 32nd, every 8th, 0.25")), (QVector<double>{32, 8, 0.25}));
        QVERIFY(numbersOf(QStringLiteral("reduce0, D4, threadIdx.x, RTX 4070, 32bit")).isEmpty());
    }

    void theCommandSaysSoByItsStatus() {
        QTemporaryDir folder;
        const auto call = [&](const QByteArray& text) {
            QFile file(folder.filePath(QStringLiteral("mine.json")));
            if (!file.open(QIODevice::WriteOnly))
                return std::pair(-1, QByteArray());
            file.write(text);
            file.close();
            QProcess program;
            program.start(QStringLiteral(WARPGLASS_BINARY_DIR "/bin/warpglass"),
                          {QStringLiteral("lesson"), file.fileName(), QStringLiteral("--check")});
            program.waitForFinished(60000);
            return std::pair(program.exitCode(), program.readAllStandardError() + program.readAllStandardOutput());
        };
        const auto good = call(lessonText);
        QCOMPARE(good.first, 0);
        QVERIFY2(good.second.contains("1 steps, 2 expectations hold"), good.second.constData());
        const auto wrong = call(QByteArray(lessonText).replace("[line 24] = 2", "[line 24] = 1"));
        QCOMPARE(wrong.first, 1);
        QVERIFY2(wrong.second.contains("mine.json:12: step 1: "), wrong.second.constData());
        const auto damaged = call(QByteArray(lessonText).replace("\"warps = 2\"", "\"wraps = 2\""));
        QCOMPARE(damaged.first, 1);
        QVERIFY2(damaged.second.contains("mine.json:11: "), damaged.second.constData());
    }
};

WARPGLASS_QT_TEST(TestLessons)
#include "test_lessons.moc"
