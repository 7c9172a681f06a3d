// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson player without a window, and the order of the lessons that lies in their files.
#include "app/window/language.h"
#include "app/window/model/lesson_player.h"
#include "app/window/model/run.h"
#include "app/window/model/select_spec.h"
#include "app/window/view_registry.h"
#include "tests/qt_tests.h"
#include "views/memory/memory_model.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

namespace {

RunRequest of(const char* kernel) {
    RunRequest request;
    request.kernel = kernel;
    return request;
}

// Three steps: a run; the same beside another; another run.
Lesson lessonOf(const char* name) {
    Lesson lesson;
    lesson.name = QLatin1String(name);
    LessonStep first, second, third;
    first.run = of("mathKernel1");
    first.view = second.view = third.view = QStringLiteral("lanes");
    first.options = {{"layer", "source"}, {"scope", "warp"}};
    second.compare = of("mathKernel2");
    second.options = {{"layer", "ptx"}};
    third.run = of("mathKernel3");
    lesson.steps = {first, second, third};
    return lesson;
}

} // namespace

class TestLessonPlayer : public QObject {
    Q_OBJECT
    LessonPlayer m_player;
    QMap<QString, QVariant> m_switches; // "view.option", as the views would have them

    QVariant now(const QString& view, const QString& option) const { return m_switches.value(view + '.' + option); }
    void turn(const QVector<SwitchChange>& changes) {
        for (const SwitchChange& c : changes) {
            if (c.value.isValid())
                m_switches[c.view + '.' + c.option] = c.value;
            else
                m_switches.remove(c.view + '.' + c.option);
        }
    }
    LessonPlayer::SwitchNow asNow() {
        return [this](const QString& view, const QString& option) { return now(view, option); };
    }
    // The step's traces are there.
    void give(int step) {
        const auto wanted = m_player.go(0, step);
        QVERIFY(wanted && wanted->sight);
        turn(m_player.arrived(*wanted->sight, asNow()));
    }

private slots:
    void init() {
        m_player = {};
        m_player.setLessons({lessonOf("one"), lessonOf("two")});
        m_switches.clear();
    }

    void aStepAsksForItsRunAndGoesOnWithWhatIsOpen() {
        QVERIFY(!m_player.playing());
        auto wanted = m_player.go(0, 0);
        QCOMPARE(std::get<RunRequest>(*wanted->current).kernel, std::string("mathKernel1"));
        QVERIFY(!wanted->other);
        m_player.arrived(*wanted->sight, asNow());
        wanted = m_player.go(0, 1); // no run of its own: the first step's, which is open
        QVERIFY(!wanted->current);
        QCOMPARE(std::get<RunRequest>(*wanted->other).kernel, std::string("mathKernel2"));
        m_player.arrived(*wanted->sight, asNow());
        wanted = m_player.go(0, 2);
        QCOMPARE(std::get<RunRequest>(*wanted->current).kernel, std::string("mathKernel3"));
        wanted = m_player.go(0, 1); // back before the third step's run was there
        QCOMPARE(std::get<RunRequest>(*wanted->current).kernel, std::string("mathKernel1"));
        QCOMPARE(m_player.step(), 1);
    }

    void anotherLessonBringsItsOwnRun() {
        give(0);
        QVERIFY(m_player.go(1, 0)->current);
        QCOMPARE(m_player.find("two"), 1);
        QCOMPARE(m_player.find("three"), -1);
    }

    void stepsThatAreNotThereChangeNothing() {
        give(1);
        QVERIFY(!m_player.go(0, 3) && !m_player.go(0, -1) && !m_player.go(2, 0) && !m_player.go(-1, 0));
        QCOMPARE(m_player.lesson(), 0);
        QCOMPARE(m_player.step(), 1);
    }

    void leavingTurnsTheSwitchesBack() {
        m_switches["lanes.layer"] = "sass";
        give(0);
        QCOMPARE(now("lanes", "layer"), QVariant("source"));
        QCOMPARE(now("lanes", "scope"), QVariant("warp"));
        turn(m_player.leave(asNow()));
        QCOMPARE(now("lanes", "layer"), QVariant("sass"));
        QVERIFY(!m_switches.contains("lanes.scope")); // nobody had set it
        QVERIFY(!m_player.playing());
        QVERIFY(m_player.leave(asNow()).isEmpty());
    }

    void aStepStartsFromThePersonsSwitchesAndNotFromTheStepBefore() {
        give(0);
        give(1);
        QCOMPARE(now("lanes", "layer"), QVariant("ptx"));
        QVERIFY(!m_switches.contains("lanes.scope")); // the first step's alone
        give(2);
        QVERIFY(m_switches.isEmpty());
        give(1);
        turn(m_player.leave(asNow()));
        QVERIFY(m_switches.isEmpty());
    }

    void aSwitchThatThePersonTurnedSinceStays() {
        give(0);
        m_switches["lanes.layer"] = "both";
        turn(m_player.leave(asNow()));
        QCOMPARE(now("lanes", "layer"), QVariant("both"));
        QVERIFY(!m_switches.contains("lanes.scope"));
    }

    void aStepThatComesAfterTheLessonWasLeftTurnsNothing() {
        const auto wanted = m_player.go(0, 0);
        m_player.leave(asNow());
        QVERIFY(m_player.arrived(*wanted->sight, asNow()).isEmpty());
    }

    void theBuiltInLessonsHaveAnOrderOfTheirOwn() {
        initialiseResources();
        QMap<int, QString> names;
        for (const QString& path : builtInLessonPaths()) {
            const Result<Lesson> lesson = readLesson(path, viewKeys());
            QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
            QVERIFY2(lesson->order, qPrintable(path));
            QVERIFY2(!names.contains(*lesson->order),
                     qPrintable(QStringLiteral("%1 and %2").arg(path, names.value(*lesson->order))));
            names[*lesson->order] = lesson->name;
        }
        QCOMPARE(names.values(), (QStringList{"what-runs-where",
                                              "grid-block-warp",
                                              "idle-lanes",
                                              "simt-and-simd",
                                              "one-warp-two-paths",
                                              "avoiding-divergence",
                                              "branch-efficiency",
                                              "loops-of-different-length",
                                              "resources-and-occupancy",
                                              "waves-and-tail",
                                              "latency-and-littles-law",
                                              "warp-schedulers",
                                              "block-size-sweeps",
                                              "neighbored-or-interleaved",
                                              "reduction-in-shared-memory",
                                              "unrolling-the-reduction",
                                              "shuffles",
                                              "coalescing",
                                              "struct-layouts",
                                              "bank-conflicts-and-the-transpose",
                                              "atomics",
                                              "matrix-product",
                                              "barriers-races-deadlock",
                                              "independent-threads",
                                              "kernels-that-launch-kernels",
                                              "lost-launches",
                                              "scalability",
                                              "reading-a-real-recording",
                                              "why-is-it-slow",
                                              "copies-that-dont-wait",
                                              "a-ring-of-buffers",
                                              "phases-of-an-mbarrier",
                                              "a-warp-for-each-job",
                                              "tensor-cores-and-what-feeds-them"}));
    }

    void aLessonWithoutEndIsRefused() {
        const auto endless = readLesson(QStringLiteral("/dev/zero"), viewKeys());
        QVERIFY(!endless.ok());
        QVERIFY2(endless.error().message.find("which may never end") != std::string::npos,
                 endless.error().message.c_str());
    }

    // A stranger's lesson runs kernels of the catalogue, and no file.
    void aLessonNamesNoFileToRun() {
        const QByteArray bytes = R"({"format": 1, "name": "x", "title": "x", "steps":
            [{"title": "x", "text": "x", "run": {"kernel": "/tmp/x.cu"}}]})";
        const auto lesson = parseLesson(bytes, QStringLiteral("x.json"), viewKeys());
        QVERIFY(!lesson.ok());
        QVERIFY(lesson.error().message.find("is not in the catalogue") != std::string::npos);
    }

    void lessonsOfAFolderStandInTheirOrder() {
        QTemporaryDir folder;
        const auto write = [&folder](const char* name, const char* text) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("a.json", R"({"order": 30})");
        write("b.json", R"({"order": 7})");
        write("c.json", R"({"format": 1})");
        write("d.json", R"({"order": )"); // damaged: at the end, where reading it says why
        write("e.json", R"({"order": 12})");
        write("notes.txt", R"({"order": 1})");
        QStringList names;
        for (const QString& path : lessonPaths(folder.path()))
            names << QFileInfo(path).fileName();
        QCOMPARE(names, (QStringList{"b.json", "e.json", "a.json", "c.json", "d.json"}));
        const Result<Lesson> damaged = readLesson(folder.filePath("d.json"), {});
        QVERIFY(!damaged.ok());
        QCOMPARE(damaged.error().file, std::string("d.json"));
        QCOMPARE(damaged.error().line, 1);
        QVERIFY(damaged.error().column > 1);
    }

    void anOrderThatIsNoneIsToldWithItsPath() {
        for (const char* order : {"-1", "1.5", "\"first\"", "99999999999"}) {
            const QByteArray json = QByteArray(R"({"format":1,"name":"n","title":"t","order":)") + order +
                                    R"(,"steps":[{"title":"a","text":"b","run":{"kernel":"mathKernel1"}}]})";
            const Result<Lesson> lesson = parseLesson(json, "mine.json", {});
            QVERIFY2(!lesson.ok(), order);
            QVERIFY2(QString::fromStdString(lesson.error().text()).contains("order"), lesson.error().text().c_str());
        }
    }

    // A lesson that tells of bytes shows them. In the first step lanes of reduceNeighboredLess read every other int: 32 times
    // 8 bytes are 8 sectors of 32. Those of reduceInterleaved read 32 ints in a row: 4 sectors.
    void theLessonOfBytesShowsSectors() {
        const Result<Lesson> lesson =
            readLesson(QStringLiteral(":/lessons/neighbored-or-interleaved.json"), viewKeys());
        QVERIFY(lesson);
        const LessonStep& step = lesson.value().steps.last();
        QCOMPARE(step.view, QStringLiteral("memory"));
        QVERIFY(step.run && step.compare);
        const auto sectors = [&](const RunSource& request) {
            Progress progress;
            const Result<RunPtr> run = obtain(request, progress);
            if (!run)
                return -1;
            const Trace& trace = *run.value()->trace;
            const Result<SelectSpec> spec = parseSelect(step.select, trace);
            const auto shown = shownAccess(trace, spec.value().selection, SpaceFilter::All);
            return shown && shown->what.active == LaneMask::all() ? int(shown->global.sectors.size()) : -2;
        };
        QCOMPARE(sectors(*step.run), 8);
        QCOMPARE(sectors(*step.compare), 4);
    }
};

WARPGLASS_QT_TEST(TestLessonPlayer)
#include "test_lesson_player.moc"
