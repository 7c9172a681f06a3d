// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong around a window: a full disk, a file that changes while it is shown, a window that is closed while it
// runs, two windows on one file, a recording with numbers that nobody would write.
#include "app/window/export/film.h"
#include "app/window/export/play_page.h"
#include "app/window/export/report.h"
#include "app/window/model/run.h"
#include "app/window/pad/pad_panel.h"
#include "app/window/panels/message_bar.h"
#include "app/window/view_registry.h"
#include "gpu/trace/compare.h"
#include "gpu/trace/file.h"
#include "gpu/trace/rows.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/view_widget.h"
#include "views/common/whole_file.h"
#include "views/timeline/timeline_notes.h"

#include <QPlainTextEdit>
#include <QtTest>

#include <csignal>
#include <cstdio>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace warpglass;

namespace {

// As long as it lives, a file that grows past so many bytes is what a full disk makes of it.
class FullDisk {
public:
    explicit FullDisk(qint64 bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const struct rlimit small { rlim_t(bytes), m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    struct rlimit m_before {};
    void (*m_handler)(int);
};

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Puts an odd value into one column of a row. What cannot be in a file at all, validate() refuses afterwards.
struct Bend {
    int column, kind, at = 0;

    template <typename T>
    void operator()(const char*, T& value, const char*) {
        if (at++ == column)
            bend(value);
    }
    template <typename T>
    void bend(T& value) const {
        if constexpr (std::is_same_v<T, bool>) {
            value = !value;
        } else if constexpr (std::is_enum_v<T>) {
            value = T((int(value) + kind) & 0xff);
        } else if constexpr (std::is_floating_point_v<T>) {
            const T odd[] = {0, T(-1), std::numeric_limits<T>::max(), T(1e-300), T(std::nan("")), T(1e12)};
            value = odd[kind];
        } else if constexpr (std::is_integral_v<T>) {
            const T odd[] = {0,         1, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(value + 1),
                             T(1 << 20)};
            value = odd[kind];
        } else if constexpr (std::is_same_v<T, Time>) {
            const std::int64_t odd[] = {0,      1, std::int64_t(1) << 50, -(std::int64_t(1) << 50), value.value + 1,
                                        1 << 20};
            value.value = odd[kind];
        } else if constexpr (std::is_same_v<T, LaneMask>) {
            const std::uint32_t odd[] = {0, 1, 0xffffffff, 0x80000000, 0x55555555, 0xffff};
            value = LaneMask(odd[kind]);
        } else if constexpr (std::is_same_v<T, std::string>) {
            const char* odd[] = {"", "<b>&\"'", "\xff\xfe", "\n\n\t", "\xe2\x80\xae", "a"};
            value = kind == 5 ? std::string(60'000, 'a') : odd[kind];
        }
    }
    static constexpr int kinds = 6;
};

template <typename Row>
int columnsOf(Row& row) {
    int columns = 0;
    describe([&](const char*, auto&, const char*) { ++columns; }, row);
    return columns;
}

} // namespace

class TestFaults : public QObject, WindowFixture {
    Q_OBJECT
    TracePtr m_trace;

    static RunRequest request(int size) {
        RunRequest request;
        request.kernel = "reduceInterleaved";
        request.launch.size = size;
        request.launch.block = Dim3{64, 1, 1};
        request.options.timing = true;
        request.accesses = true;
        return request;
    }
    PaintContext context() const {
        PaintContext c;
        c.trace = m_trace;
        c.theme = Theme::make(ThemeKind::Light);
        c.selection.warp = 0;
        c.selection = completed(c.selection, *m_trace);
        return c;
    }
    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    QString recorded(const char* name) const {
        Progress progress;
        const auto written = writeTrace(*m_trace, at(name).toStdString(), progress);
        return written ? at(name) : QString();
    }

    // write(path): empty, or why not. It is tried on disks that are full at once, somewhere, and at the last byte.
    template <typename Write>
    void keepsTheOldFile(const char* name, Write write) {
        const QString whole = at(name), path = m_folder->filePath(QLatin1String("old-") + QLatin1String(name));
        QCOMPARE(write(whole), QString());
        const qint64 size = bytesOf(whole).size();
        QVERIFY2(size > 100, name);
        for (const qint64 most : {qint64(0), size / 2, size - 40}) { // documents carry the time: sizes differ a little
            QFile old(path);
            QVERIFY(old.open(QIODevice::WriteOnly));
            old.write("old");
            old.close();
            QString problem;
            {
                const FullDisk full(most);
                problem = write(path);
            }
            QVERIFY2(problem.startsWith(path + QStringLiteral(" does not fit: the disk is full")),
                     qPrintable(QStringLiteral("%1 at %2: \"%3\"").arg(name).arg(most).arg(problem)));
            QCOMPARE(bytesOf(path), QByteArray("old"));
        }
        QCOMPARE(write(path), QString());
        QVERIFY(bytesOf(path).size() > size / 2);
        const QStringList left =
            QDir(m_folder->path()).entryList({QStringLiteral("*old-*")}, QDir::Files | QDir::Hidden);
        QCOMPARE(left.size(), 1); // nothing beside it
        QFile::remove(path);
    }

    // Every picture of a trace and every table of it, as small as they can be drawn and as large as on a screen.
    static void showEverything(const TracePtr& trace, const QString& scratch) {
        PaintContext c;
        c.trace = trace;
        c.theme = Theme::make(ThemeKind::Light);
        for (const bool chosen : {false, true}) {
            if (chosen) {
                c.selection.warp = trace->warps.empty() ? noIndex : 0;
                c.selection.time = trace->range().end;
            }
            c.selection = completed(c.selection, *trace);
            for (const QString& key : viewKeys()) {
                const auto view = makeView(key);
                if (view->emptiness(c))
                    continue;
                const Page page = composePage(*view, c, chosen ? QSize(900, 500) : QSize(60, 40));
                QImage image(page.size, QImage::Format_RGB32);
                QPainter painter(&image);
                paintPage(page, painter);
                if (chosen)
                    (void)page.picture->csv();
            }
        }
        Progress progress;
        (void)shownMoments(c, progress);
        ReportRequest report{.context = c, .views = {{QStringLiteral("launchmap"), {}}}, .file = {}};
        (void)writeReport(report, scratch, progress);
    }

    // A film and a page of the view whose turn it is: whole, or a sentence why not and nothing in their place.
    void playOne(const TracePtr& trace, std::size_t turn) {
        PaintContext c;
        c.trace = trace;
        c.theme = Theme::make(ThemeKind::Light);
        c.selection.warp = trace->warps.empty() ? noIndex : 0;
        c.selection = completed(c.selection, *trace);
        const QString key = viewKeys()[qsizetype(turn) % viewKeys().size()];
        Progress progress;
        const auto isWhole = [&](const char* name, const QString& problem, const QByteArray& begin,
                                 const QByteArray& end) {
            const QByteArray bytes = bytesOf(at(name));
            QVERIFY2(problem.isEmpty() ? bytes.startsWith(begin) && bytes.endsWith(end) : bytes.isEmpty(),
                     qPrintable(QStringLiteral("%1 of %2: \"%3\", %4 bytes")
                                    .arg(QLatin1String(name), key, problem)
                                    .arg(bytes.size())));
            QFile::remove(at(name));
        };
        FilmRequest film{.view = key, .context = c, .output = at("bent.gif"), .size = {320, 200}};
        film.seconds = 0.4;
        film.fps = 10;
        isWhole("bent.gif", makeFilm(film, progress), "GIF89a", ";");
        isWhole("bent-page.html", writePage(pageOf(key, c), at("bent-page.html"), progress), "<!", "</html>\n");
    }

private slots:
    void initTestCase() {
        prepareWindowTests(QStringLiteral("WarpglassFaults"));
        Progress progress;
        const Result<RunPtr> run = obtain(RunSource(request(256)), progress);
        QVERIFY(run.ok());
        m_trace = (*run)->trace;
    }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void aFullDiskLeavesTheOldFile() {
        const PaintContext c = context();
        const auto timeline = makeView(QStringLiteral("timeline"));
        const auto source = makeView(QStringLiteral("source"));
        Progress progress;
        for (const char* name : {"a.png", "a.svg", "a.pdf"})
            keepsTheOldFile(name, [&](const QString& path) { return exportView(*timeline, c, path, {600, 400}); });
        // A table of a few kilobytes waits in a buffer until its file is closed.
        keepsTheOldFile("a.csv", [&](const QString& path) { return exportView(*source, c, path, {600, 400}); });
        for (const char* name : {"report.html", "report.pdf"})
            keepsTheOldFile(name, [&](const QString& path) {
                return writeReport({.context = c, .views = {{QStringLiteral("lanes"), {}}}, .file = {}}, path,
                                   progress);
            });
        FilmRequest film{.view = QStringLiteral("lanes"),
                         .context = c,
                         .output = {},
                         .size = {320, 200},
                         .seconds = 0.2,
                         .fps = 10,
                         .still = true};
        keepsTheOldFile("film.gif", [&](const QString& path) {
            film.output = path;
            return makeFilm(film, progress);
        });
        keepsTheOldFile("page.html", [&](const QString& path) {
            return writePage(pageOf(QStringLiteral("lanes"), c), path, progress);
        });
    }

    void nothingTakesThePlaceOfAPipe() {
        const QTemporaryDir folder;
        const QString pipe = folder.filePath(QStringLiteral("pipe")), link = folder.filePath(QStringLiteral("a.png"));
        QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
        QVERIFY(QFile::link(pipe, link));
        QString why;
        QVERIFY(!writeWhole(link, QByteArray(21, 'a'), &why));
        QCOMPARE(why, link + QStringLiteral(" is no file. Choose the name of a file, or a new one."));
        QVERIFY(!writeWholePng(pipe, QImage(2, 2, QImage::Format_RGB32)));
        struct stat about {};
        QCOMPARE(stat(qPrintable(pipe), &about), 0);
        QVERIFY(S_ISFIFO(about.st_mode));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{QStringLiteral("a.png"), QStringLiteral("pipe")}));
    }

    void aFileThatIsCutOffWhileItIsOpenIsShownOn() {
        const QString path = recorded("shown.wgt");
        QVERIFY(!path.isEmpty());
        m_window->openFile(path);
        settle();
        QVERIFY(!m_window->views().message->showsError());
        QVERIFY(QFile::resize(path, 5000));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.write(QByteArray(5000, '\xff'));
        file.close();
        for (const QString& key : viewKeys()) {
            m_window->views().showView(key);
            QTRY_VERIFY_WITH_TIMEOUT(m_window->views().current()->picture(), 60000);
        }
        const auto difference = firstDifference(*m_trace, *m_window->current()->trace); // reads every row
        QVERIFY2(!difference, difference ? difference->c_str() : "");
        QVERIFY(!m_window->views().message->showsError());
        m_window->openFile(path); // now it is damaged
        settle();
        QVERIFY(m_window->views().message->showsError());
        QVERIFY(m_window->views().message->text().contains(QStringLiteral("shown.wgt")));
        QCOMPARE(m_window->current()->file, path); // what was open still is
        QVERIFY(QFile::remove(path));
        m_window->openFile(path);
        settle();
        QVERIFY(m_window->views().message->showsError());
    }

    void aWindowThatIsClosedWhileItRunsEnds() {
        m_window->bench().runAlone(request(1 << 22)); // minutes
        QTRY_VERIFY_WITH_TIMEOUT(m_window->busy(), 60000);
        QTest::qWait(300);
        QElapsedTimer clock;
        clock.start();
        m_window->close();
        m_window.reset(); // waits for what runs
        QVERIFY2(clock.elapsed() < 60000, qPrintable(QString::number(clock.elapsed())));
    }

    void twoWindowsOnOneFileKeepEachOthersNotes() {
        const QString path = recorded("twice.wgt");
        SelectionModel selection;
        ViewWidget one(makeView(QStringLiteral("timeline")), &selection),
            two(makeView(QStringLiteral("timeline")), &selection);
        OptionKeeper first(&one, keptNotes()), second(&two, keptNotes());
        first.follow(path);
        second.follow(path);
        const TimelineNote a{{10}, noIndex, QStringLiteral("a")}, b{{20}, noIndex, QStringLiteral("b")},
            c{{30}, noIndex, QStringLiteral("c")};
        one.setOption(notesOption, notesToOption({a, c}));
        two.setOption(notesOption, notesToOption({b}));
        QCOMPARE(readNotes(path), (TimelineNotes{a, b, c}));
        QCOMPARE(notesFromOption(two.context().options.value(notesOption)), (TimelineNotes{a, b, c})); // and are shown
        two.setOption(notesOption, notesToOption({b, c})); // one takes away what the other has made
        QCOMPARE(readNotes(path), (TimelineNotes{b, c}));
        const TimelineNote changed{{30}, noIndex, QStringLiteral("said better")};
        one.setOption(notesOption, notesToOption({a, changed}));
        QCOMPARE(readNotes(path), (TimelineNotes{b, changed})); // a stays away, b stays
    }

    void twoWindowsOnOneKernelKeepBothTexts() {
        const QString path = at("both.ptx"), other = QStringLiteral("// the other window's\n");
        const QString text = QStringLiteral(".version 8.0\n.target sm_90\n.address_size 64\n"
                                            ".visible .entry k(.param .u64 p) { ret; }\n");
        QVERIFY(writeWhole(path, text.toUtf8()));
        PadPanel pad;
        QVERIFY(pad.openFile(path));
        QSignalSpy told(&pad, &PadPanel::told);
        QVERIFY(pad.save(path)); // nobody else has been there
        QVERIFY(!QFile::exists(path + QLatin1Char('~')));
        QVERIFY(writeWhole(path, other.toUtf8()));
        QVERIFY(pad.save(path));
        QCOMPARE(bytesOf(path), text.toUtf8());
        QCOMPARE(bytesOf(path + QLatin1Char('~')), other.toUtf8());
        QVERIFY(!told.isEmpty() && told.last().first().toString().contains(QStringLiteral("both.ptx~")));
        QVERIFY(pad.save(path)); // and that was told once
        QCOMPARE(bytesOf(path + QLatin1Char('~')), other.toUtf8());
        // Words in another encoding would be lost: they stay beside it, too.
        const QByteArray gbk = "// \xba\xcb\xba\xaf\xca\xfd\n" + text.toUtf8();
        const QString chinese = at("gbk.ptx");
        QVERIFY(writeWhole(chinese, gbk));
        QVERIFY(pad.openFile(chinese));
        QVERIFY(pad.save(chinese));
        QCOMPARE(bytesOf(chinese + QLatin1Char('~')), gbk);
    }

    // Whatever a file may say, every view shows it or says why not, and ends. All columns of all tables take minutes:
    // WARPGLASS_EVERY=1 tries them, else every fortieth. A part of what is shown is played, too.
    void everyViewTakesWhatAFileMaySay() {
        const std::size_t every = qEnvironmentVariableIsSet("WARPGLASS_EVERY") ? 1 : 40;
        const std::size_t playedEvery = every == 1 ? 40 : 4;
        RunRequest nested;
        nested.kernel = "nestedHelloWorld";
        nested.launch.size = 8;
        nested.launch.block = Dim3{8, 1, 1};
        Progress progress;
        const Result<RunPtr> tree = obtain(RunSource(nested), progress);
        QVERIFY(tree.ok());
        std::size_t tried = 0, shown = 0;
        const QString file = at("bent.wgt");
        for (const TracePtr& base : {m_trace, (*tree)->trace}) {
            const auto tryIt = [&](const Trace& bent) {
                if (!validate(bent))
                    return;
                const auto written = writeTrace(bent, file.toStdString(), progress);
                QVERIFY2(written, written ? "" : written.error().text().c_str());
                const auto read = readTrace(file.toStdString(), progress);
                if (!read || (*read)->launches.empty() || (*read)->kernels.empty())
                    return;
                showEverything(*read, at("bent.html"));
                if (++shown % playedEvery == 0) // pages take longer than all else
                    playOne(*read, shown / playedEvery);
            };
            const auto bendTable = [&](const char* table, auto rowsOf) {
                Trace once = *base;
                FlatRows flat = flatten(once);
                auto& rows = rowsOf(once, flat);
                if (rows.empty())
                    return;
                const int columns = columnsOf(rows.front());
                for (const std::size_t row : {std::size_t(0), rows.size() - 1})
                    for (int column = 0; column < columns; ++column)
                        for (int kind = 0; kind < Bend::kinds; ++kind) {
                            if (++tried % every)
                                continue;
                            Trace bent = *base;
                            FlatRows parts = flatten(bent);
                            describe(Bend{column, kind}, rowsOf(bent, parts)[row]);
                            for (Kernel& kernel : bent.kernels) { // unflatten() adds to them
                                kernel.files.clear();
                                kernel.lines.clear();
                            }
                            for (Site& site : bent.sites)
                                site.where.clear();
                            bent.output.clear();
                            if (!unflatten(std::move(parts), bent))
                                continue;
                            if (qEnvironmentVariableIsSet("WARPGLASS_EVERY"))
                                std::fprintf(stderr, "%s, row %zu, column %d, kind %d\n", table, row, column, kind);
                            tryIt(bent);
                        }
            };
#define WG_TABLE(name, rows)                                                                                           \
    bendTable(                                                                                                         \
        name, [](Trace & t, FlatRows & f) -> auto& {                                                                   \
            (void)t, (void)f;                                                                                          \
            return rows;                                                                                               \
        })
            WG_TABLE("trace", f.info);
            WG_TABLE("kernels", t.kernels);
            WG_TABLE("kernel_lines", f.kernelLines);
            WG_TABLE("sites", t.sites);
            WG_TABLE("launches", t.launches);
            WG_TABLE("blocks", t.blocks);
            WG_TABLE("warps", t.warps);
            WG_TABLE("counts", t.counts);
            WG_TABLE("counters", t.counters);
            WG_TABLE("timings", t.timings);
            WG_TABLE("diagnostics", t.diagnostics);
            WG_TABLE("states", t.states);
            WG_TABLE("accesses", t.accesses);
#undef WG_TABLE
        }
        QVERIFY2(shown >= 10, qPrintable(QStringLiteral("%1 of %2").arg(shown).arg(tried)));
    }

    void aNameWithoutEndIsDrawnAtOnce() {
        const QFont font = Theme::make(ThemeKind::Light).body();
        const qreal line = paintParagraph(nullptr, {0, 0, 200, 0}, QStringLiteral("one"), font, Qt::black);
        QVERIFY(paintParagraph(nullptr, {0, 0, 200, 0}, QString(2'000'000, QLatin1Char('a')), font, Qt::black) <
                60 * line);
        // Words that end stay, however many they are: a text is no name.
        const QString words = QStringLiteral("word ").repeated(400);
        const qreal all = paintParagraph(nullptr, {0, 0, 200, 0}, words, font, Qt::black);
        QVERIFY(all >=
                0.9 * 2 * paintParagraph(nullptr, {0, 0, 200, 0}, words.first(words.size() / 2), font, Qt::black));
    }

    void workThatStandsStillIsAskedAbout() {
        qputenv("WARPGLASS_PATIENCE", "1");
        MessageBar bar;
        QSignalSpy stop(&bar, &MessageBar::stopRequested);
        bar.showProgress(0.25);
        const QString running = bar.text();
        QTRY_VERIFY_WITH_TIMEOUT(
            (bar.showProgress(0.25), bar.text().contains(QStringLiteral("Nothing has moved for 1 s"))), 60000);
        bar.showProgress(0.25);
        QVERIFY(bar.text().contains(QStringLiteral("Nothing has moved"))); // as long as nothing does
        QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("stopRun")), Qt::LeftButton);
        QCOMPARE(stop.count(), 1);
        bar.showProgress(0.3);
        QCOMPARE(bar.text(), running);
        bar.showProgress(0.35, false, std::pair(7, 30)); // of a question that takes thirty runs
        QCOMPARE(bar.text(), QStringLiteral("Running: 7 of 30"));
        qunsetenv("WARPGLASS_PATIENCE");
    }

    void aPictureOfTheWindowIsWhole() {
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(Qt::red);
        const QString path = at("w.png");
        QVERIFY(writeWholePng(path, image));
        const QByteArray whole = bytesOf(path);
        image.fill(Qt::blue);
        {
            const FullDisk full(20);
            QVERIFY(!writeWholePng(path, image));
            QVERIFY(!writeWhole(path, QByteArray(21, 'a'))); // which QSaveFile takes for written
        }
        QCOMPARE(bytesOf(path), whole);
        QVERIFY(writeWhole(path, QByteArray(21, 'a')));
        QCOMPARE(bytesOf(path), QByteArray(21, 'a'));
    }
};

WARPGLASS_QT_TEST(TestFaults)
#include "test_faults.moc"
