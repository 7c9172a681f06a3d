// SPDX-License-Identifier: GPL-3.0-or-later
// `warpglass render` and `warpglass lesson` as a script calls them: the real program, no display.
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "views/timeline/timeline_notes.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

class TestPictureCommands : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_trace;

    struct Answer {
        int status;
        QString out, err;
    };
    Answer call(const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("DISPLAY"));
        environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
        environment.remove(QStringLiteral("XDG_RUNTIME_DIR")); // as on a server
        environment.insert(QStringLiteral("HOME"), m_folder.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(WARPGLASS_BINARY_DIR "/bin/warpglass"), arguments);
        if (!process.waitForFinished(120000))
            return {-1, {}, process.errorString()};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void initTestCase() {
        Progress progress;
        m_trace = at("hand.wgt");
        QVERIFY(writeTrace(*handTrace(), m_trace.toStdString(), progress).ok());
    }

    void aPictureHasTheSizeAskedFor() {
        const Answer answer = call({"render", m_trace, "--view", "lanes", "-o", at("a.png"), "--size", "800x500",
                                    "--select", "block=0,warp=0", "--theme", "dark"});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        QCOMPARE(answer.err, QString()); // nothing that a library has to say
        const QImage image(at("a.png"));
        QCOMPARE(image.size(), QSize(800, 500));
        QVERIFY(image.pixelColor(2, 2).lightness() < 80); // dark ground
    }

    void aProgramIsPaintedAndSaysWhatItIs() {
        const QString file = at("program.wgt");
        QVERIFY(program::writeProgram(samples::handProgram(), file.toStdString()).ok());
        const Answer answer = call({"render", file, "--view", "program", "-o", at("p.svg"), "--size", "900x420"});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        QFile svg(at("p.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(svg.readAll());
        for (const char* word : {"sample 42", "sum&lt;int&gt;", "stream 1", "the emulator's own work", "exit status 1"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
        const Answer part = call({"render", file, "--view", "program", "-o", at("p.png"), "--size", "900x420",
                                  "--select", "range=90:270,option:kernel=0"});
        QVERIFY2(part.status == 0, qPrintable(part.err));
        QCOMPARE(QImage(at("p.png")).size(), QSize(900, 420));
        const Answer window =
            call({"window", file, "-o", at("window.png"), "--size", "1000x640", "--select", "option:operation=3"});
        QVERIFY2(window.status == 0, qPrintable(window.err));
        QCOMPARE(QImage(at("window.png")).size(), QSize(1000, 640));
        // One sentence each: another view of a program, this view of a launch, half a file.
        QFile half(at("half.wgt"));
        QFile whole(file);
        QVERIFY(whole.open(QIODevice::ReadOnly) && half.open(QIODevice::WriteOnly));
        half.write(whole.read(whole.size() / 2));
        half.close();
        for (const QStringList& wrong : {QStringList{"render", file, "--view", "lanes", "-o", at("w.png")},
                                         QStringList{"render", m_trace, "--view", "program", "-o", at("w.png")},
                                         QStringList{"render", at("half.wgt"), "--view", "program", "-o", at("w.png")},
                                         QStringList{"report", file, "-o", at("w.html")},
                                         QStringList{"film", file, "--view", "lanes", "-o", at("w")}}) {
            const Answer refused = call(wrong);
            QCOMPARE(refused.status, 2);
            QCOMPARE(refused.err.count(QStringLiteral("warpglass: ")), 1);
            QCOMPARE(refused.err.count(QLatin1Char('\n')), 1);
        }
    }

    void everyFormatIsWritten() {
        for (const char* suffix : {"svg", "pdf", "csv"}) {
            const QString path = m_folder.filePath(QStringLiteral("b.%1").arg(QLatin1String(suffix)));
            const Answer answer =
                call({"render", m_trace, "--view", "lanes", "-o", path, "--select", "block=0,warp=0"});
            QVERIFY2(answer.status == 0, qPrintable(answer.err));
            QVERIFY(QFileInfo(path).size() > 20);
        }
    }

    void theTimelineShowsTheNotesBesideTheTrace() {
        QCOMPARE(writeNotes(m_trace, {{Time{12}, noIndex, "the even ones jump"}}), QString());
        const Answer answer = call({"render", m_trace, "--view", "timeline", "-o", at("n.svg")});
        QFile::remove(notesPath(m_trace));
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        QFile file(at("n.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("the even ones jump"));
    }

    void aPresetAndAScaleSayTheSize() {
        QCOMPARE(call({"render", m_trace, "--view", "lanes", "-o", at("c.png"), "--for", "column"}).status, 0);
        const QImage column(at("c.png"));
        QCOMPARE(column.size(), QSize(1680, 1200));            // 840x600 at two pixels each
        QVERIFY(column.pixelColor(2, 2) == QColor(Qt::white)); // for print
        QCOMPARE(call({"render", m_trace, "--view", "lanes", "-o", at("s.png"), "--size", "400x300", "--scale", "1.5"})
                     .status,
                 0);
        QCOMPARE(QImage(at("s.png")).size(), QSize(600, 450));
    }

    void reportAndFilmAreCommands() {
        const Answer written = call({"report", m_trace, "-o", at("r.html"), "--views", "lanes,timeline"});
        QVERIFY2(written.status == 0, qPrintable(written.err));
        QFile file(at("r.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count("<figure>"), 2);
        const Answer film = call({"film", m_trace, "--view", "lanes", "-o", at("film"), "--seconds", "1", "--fps", "3",
                                  "--size", "300x200"});
        QVERIFY2(film.status == 0, qPrintable(film.err));
        QCOMPARE(QDir(at("film")).entryList({"frame-*.png"}).size(), 3);
    }

    void chineseDiffersFromEnglish() {
        QCOMPARE(call({"render", m_trace, "--view", "lanes", "-o", at("en.svg")}).status, 0);
        QCOMPARE(call({"render", m_trace, "--view", "lanes", "-o", at("zh.svg"), "--lang", "zh_CN"}).status, 0);
        QFile en(at("en.svg")), zh(at("zh.svg"));
        QVERIFY(en.open(QIODevice::ReadOnly) && zh.open(QIODevice::ReadOnly));
        QVERIFY(en.readAll() != zh.readAll());
    }

    void wrongInputEndsWithTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("view") << QStringList{"render", "TRACE", "--view", "nonesuch", "-o", "x.png"} << "nonesuch";
        QTest::newRow("ending") << QStringList{"render", "TRACE", "--view", "lanes", "-o", "x.gif"} << "x.gif";
        QTest::newRow("file") << QStringList{"render", "/no/such.wgt", "--view", "lanes", "-o", "x.png"} << "such.wgt";
        QTest::newRow("selection") << QStringList{"render", "TRACE", "--view",   "lanes",
                                                  "-o",     "x.png", "--select", "block=77"}
                                   << "77";
        QTest::newRow("size") << QStringList{"render", "TRACE", "--view", "lanes", "-o", "x.png", "--size", "wide"}
                              << "wide";
        QTest::newRow("option") << QStringList{"render", "TRACE", "--wiew", "lanes", "-o", "x.png"} << "wiew";
        QTest::newRow("report") << QStringList{"report", "TRACE", "-o", "x.doc"} << "x.doc";
        QTest::newRow("views") << QStringList{"report", "TRACE", "-o", "x.pdf", "--views", "lanes,nonesuch"}
                               << "nonesuch";
        QTest::newRow("film") << QStringList{"film", "TRACE", "--view", "nonesuch", "-o", "x.mp4"} << "nonesuch";
        QTest::newRow("align") << QStringList{"render", "TRACE",     "--view", "lanes",   "-o",
                                              "x.png",  "--compare", "TRACE",  "--align", "nowhere"}
                               << "nowhere";
        QTest::newRow("lesson") << QStringList{"lesson", "nonesuch", "--pictures", "x"} << "nonesuch";
        QTest::newRow("window's lesson") << QStringList{"window", "--lesson", "nonesuch", "-o", "x.png"} << "nonesuch";
        QTest::newRow("window's view") << QStringList{"window", "TRACE", "--view", "nonesuch", "-o", "x.png"}
                                       << "nonesuch";
        QTest::newRow("window's action") << QStringList{"window", "TRACE", "--do", "nonesuch", "-o", "x.png"}
                                         << "nonesuch";
        QTest::newRow("window's file") << QStringList{"window", "/no/such.wgt", "-o", "x.png"} << "/no/such.wgt";
    }
    void wrongInputEndsWithTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        arguments.replaceInStrings(QStringLiteral("TRACE"), m_trace);
        const Answer answer = call(arguments);
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(named) || answer.err.contains(QStringLiteral("--view")), qPrintable(answer.err));
    }

    void anUnwritableFileEndsWithOne() {
        const Answer answer = call({"render", m_trace, "--view", "lanes", "-o", "/no/such/folder/x.png"});
        QCOMPARE(answer.status, 1);
        QVERIFY(answer.err.contains(QStringLiteral("/no/such/folder/x.png")));
    }

    void aLessonWritesAPictureForEachStep() {
        const Answer answer = call({"lesson", "one-warp-two-paths", "--pictures", at("lesson"), "--size", "1000x700"});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        const QStringList pictures = QDir(at("lesson")).entryList({"*.png"});
        QCOMPARE(pictures.size(), 4);
        QVERIFY(answer.out.contains(at("lesson")));
        QCOMPARE(QImage(QDir(at("lesson")).filePath(pictures.first())).size(), QSize(1000, 700));
    }

    void theWholeWindowIsAPicture() {
        const QStringList common{"window", m_trace, "--view", "lanes", "--size", "1280x800", "-o"};
        QVERIFY(call(common + QStringList{at("light.png")}).status == 0);
        const Answer answer = call(common + QStringList{at("dark.png"), "--theme", "dark"});
        QVERIFY2(answer.status == 0, qPrintable(answer.err));
        const QImage light(at("light.png")), dark(at("dark.png"));
        QCOMPARE(light.size(), QSize(1280, 800));
        QVERIFY(light.pixelColor(1270, 4).lightness() > 200); // the bar at the top
        QVERIFY(dark.pixelColor(1270, 4).lightness() < 80);
    }
};

WARPGLASS_QT_TEST(TestPictureCommands)
#include "test_picture_commands.moc"
