// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that leaves the program, looked at by other programs: drawings, documents, tables, reports and films.
#include "app/window/export/film.h"
#include "app/window/export/report.h"
#include "app/window/language.h"
#include "app/window/model/run.h"
#include "app/window/view_registry.h"
#include "tests/app/export_checks.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/svg_device.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

class TestExport : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    TracePtr m_trace, m_other;

    QString at(const QString& name) const { return m_folder.filePath(name); }

    static TracePtr run(const char* kernel) {
        RunRequest request;
        request.kernel = kernel;
        request.launch.size = 256;
        request.launch.block = Dim3{64, 1, 1};
        Progress progress;
        const Result<RunPtr> run = obtain(RunSource(request), progress);
        return run ? (*run)->trace : nullptr;
    }

    PaintContext context(const char* theme = "light") const {
        PaintContext c;
        c.trace = m_trace;
        c.theme = Theme::named(QLatin1String(theme));
        const TimeRange range = m_trace->range();
        c.selection.block = 0;
        c.selection.warp = 0;
        c.selection.time = {range.begin.value + range.length().value / 2};
        return c;
    }

    // The views that show something of this trace.
    QStringList views() const {
        QStringList keys;
        for (const QString& key : viewKeys())
            if (!makeView(key)->emptiness(context()))
                keys << key;
        return keys;
    }

    static QString plain(QString text) {
        text = text.normalized(QString::NormalizationForm_KC); // a ligature is the letters it stands for
        return text.remove(QLatin1Char(' ')).remove(QLatin1Char('\n')).remove(QLatin1Char('\f'));
    }

private slots:
    void initTestCase() {
        initialiseResources();
        m_trace = run("reduceNeighbored");
        m_other = run("reduceInterleaved");
        QVERIFY(m_trace && m_other);
        QVERIFY(views().size() >= 5);
    }

    void everyDrawingIsWellFormedAndItsTextIsText() {
        for (const QString& key : views()) {
            const auto view = makeView(key);
            const QString path = at(key + QStringLiteral(".svg"));
            QCOMPARE(exportView(*view, context(), path, {1200, 700}), QString());
            const checks::Svg svg = checks::parseSvg(checks::bytesOf(path));
            QVERIFY2(svg.error.isEmpty(), qPrintable(key + svg.error));
            QVERIFY2(svg.texts > 5 && svg.shapes > 5, qPrintable(key));
            QVERIFY2(svg.loose.isEmpty(), qPrintable(key + svg.loose.join(QLatin1Char(' '))));
            QCOMPARE(svg.images, 0); // vectors, no pictures of them
            QVERIFY2(plain(svg.text).contains(QStringLiteral("emulatedNVIDIAH200")), qPrintable(key)); // its origin
        }
    }

    void everyDrawingLooksLikeTheScreenToAnotherProgram() {
        if (!checks::installed("rsvg-convert"))
            QSKIP("rsvg-convert (librsvg2-bin) is not installed");
        for (const char* theme : {"light", "print"})
            for (const QString& key : views()) {
                const auto view = makeView(key);
                QCOMPARE(exportView(*view, context(theme), at("a.svg"), {1200, 700}), QString());
                QCOMPARE(exportView(*view, context(theme), at("a.png"), {1200, 700}), QString());
                QVERIFY(!checks::outputOf("rsvg-convert", {at("a.svg"), "-o", at("b.png")}).isNull());
                const auto d = checks::difference(QImage(at("a.png")), QImage(at("b.png")));
                QVERIFY2(d.mean < 0.02 && d.worst < 0.35,
                         qPrintable(QStringLiteral("%1 %2: %3, %4").arg(key, theme).arg(d.mean).arg(d.worst)));
            }
    }

    void everyDocumentEmbedsItsFontsAndLooksLikeTheScreen() {
        if (!checks::installed("pdftoppm") || !checks::installed("pdffonts") || !checks::installed("pdftotext"))
            QSKIP("poppler-utils is not installed");
        for (const QString& key : views()) {
            const auto view = makeView(key);
            const QString path = at("a.pdf");
            QCOMPARE(exportView(*view, context(), path, {1200, 700}), QString());
            QCOMPARE(exportView(*view, context(), at("a.png"), {1200, 700}), QString());
            const QStringList fonts =
                QString::fromUtf8(checks::outputOf("pdffonts", {path})).split('\n', Qt::SkipEmptyParts);
            QVERIFY2(fonts.size() >= 3, qPrintable(key)); // two lines of heading, then a font each
            for (qsizetype i = 2; i < fonts.size(); ++i)
                QVERIFY2(fonts[i].simplified().contains(QStringLiteral(" yes ")), qPrintable(key + fonts[i]));
            QVERIFY2(plain(QString::fromUtf8(checks::outputOf("pdftotext", {path, "-"})))
                         .contains(QStringLiteral("emulatedNVIDIAH200")),
                     qPrintable(key));
            QVERIFY(!checks::outputOf("pdftoppm", {"-r", "72", "-png", "-singlefile", path, at("p")}).isNull());
            const auto d = checks::difference(QImage(at("a.png")), QImage(at("p.png")));
            QVERIFY2(d.mean < 0.02 && d.worst < 0.35,
                     qPrintable(QStringLiteral("%1: %2, %3").arg(key).arg(d.mean).arg(d.worst)));
        }
    }

    void everyTableHasAHeaderAndFullRows() {
        int tables = 0;
        for (const QString& key : views()) {
            const QString csv = makeView(key)->compose(context(), QRectF(0, 0, 1200, 800))->csv();
            if (csv.isEmpty())
                continue;
            ++tables;
            const QVector<QStringList> rows = checks::parseCsv(csv);
            QVERIFY2(rows.size() >= 2, qPrintable(key));
            for (const QStringList& row : rows)
                QVERIFY2(row.size() == rows[0].size(), qPrintable(key + QStringLiteral(": ") + row.join('|')));
            QVERIFY2(csv.contains(QStringLiteral("counted")), qPrintable(key)); // where the numbers come from
        }
        QVERIFY(tables >= 4);
    }

    void aPictureHasTheSizeAndScaleAskedFor() {
        const auto view = makeView("lanes");
        QCOMPARE(exportView(*view, context(), at("s.png"), {700, 400}, 2.5), QString());
        QCOMPARE(QImage(at("s.png")).size(), QSize(1750, 1000));
    }

    // A row of spans of two colours, as a timeline of a million events is one: each says its colour and its place, and not
    // once more what lies around all of them.
    void whatAlternatesInAnSvgIsNotToldTwice() {
        SvgDevice device({1000, 100}, {}, {}, "t");
        constexpr int spans = 500;
        {
            QPainter painter(&device);
            painter.setClipRect(QRectF(10, 10, 900, 80));
            painter.setClipRect(QRectF(10, 10, 900, 60), Qt::IntersectClip);
            for (int i = 0; i < spans; ++i)
                painter.fillRect(QRectF(10 + i, 10, 1, 20), i % 2 ? Qt::red : Qt::blue);
        }
        const QByteArray document = device.document();
        QCOMPARE(document.count("clip-path="), 2);
        QVERIFY2(document.size() < spans * 90, qPrintable(QString::number(document.size() / spans)));
        const checks::Svg svg = checks::parseSvg(document);
        QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
        QCOMPARE(svg.shapes, spans + 2); // and the outlines of two clips
    }

    void clipsAndHatchesSurviveInSvg() {
        SvgDevice device({100, 100}, "a < b", {}, "t");
        {
            QPainter painter(&device);
            painter.save();
            painter.setClipRect(QRectF(10, 10, 20, 20));
            painter.fillRect(QRectF(0, 0, 100, 100), Qt::red);
            painter.save();
            painter.translate(50, 0);
            painter.setClipRect(QRectF(-30, 0, 100, 100), Qt::IntersectClip); // 20 to 120 of the drawing
            painter.fillRect(QRectF(-50, 0, 100, 100), Qt::blue);
            painter.restore();
            painter.restore();
            painter.fillRect(QRectF(60, 60, 20, 20), QBrush(Qt::green, Qt::BDiagPattern));
            painter.fillRect(QRectF(0, 90, 10, 10), Qt::black);
        }
        const checks::Svg svg = checks::parseSvg(device.document());
        QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
        QCOMPARE(svg.clips, 2);
        QVERIFY(svg.loose.isEmpty());
        if (!checks::installed("rsvg-convert"))
            QSKIP("rsvg-convert (librsvg2-bin) is not installed");
        QFile file(at("clip.svg"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(device.document());
        file.close();
        QVERIFY(!checks::outputOf("rsvg-convert", {"-b", "white", at("clip.svg"), "-o", at("clip.png")}).isNull());
        const QImage image(at("clip.png"));
        QCOMPARE(image.pixelColor(5, 5), QColor(Qt::white));   // outside the clip
        QCOMPARE(image.pixelColor(15, 15), QColor(Qt::red));   // inside the first only
        QCOMPARE(image.pixelColor(25, 15), QColor(Qt::blue));  // inside both
        QCOMPARE(image.pixelColor(45, 15), QColor(Qt::white)); // inside the second only
        QCOMPARE(image.pixelColor(5, 95), QColor(Qt::black));  // the clip has ended
        int ink = 0, ground = 0;
        for (int y = 62; y < 78; ++y)
            for (int x = 62; x < 78; ++x)
                (image.pixelColor(x, y).red() < 160 ? ink : ground) += 1;
        QVERIFY(ink > 20 && ground > 20); // lines, neither nothing nor all
    }

    void aReportHoldsViewsFactsAndMetrics() {
        ReportRequest request;
        request.context = context();
        Progress progress;
        QCOMPARE(writeReport(request, at("r.html"), progress), QString());
        const QByteArray html = checks::bytesOf(at("r.html"));
        QXmlStreamReader xml(html);
        int svgs = 0, rows = 0;
        QStringList headings;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            svgs += xml.name() == QLatin1String("svg");
            rows += xml.name() == QLatin1String("tr");
            if (xml.name() == QLatin1String("h2"))
                headings << xml.readElementText();
            for (const char* outside : {"src", "href"})
                QVERIFY(!xml.attributes().value(QLatin1String(outside)).startsWith(QLatin1String("http")));
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(svgs, int(views().size()));
        QVERIFY(rows > 20);
        for (const QString& key : views())
            QVERIFY2(headings.contains(makeView(key)->title()), qPrintable(key));
        for (const char* said : {"reduceNeighbored", "branch_efficiency", "counted", "NVIDIA H200", "grid 4, block 64",
                                 "Qt 6", "smsp__sass_branch_targets.sum"})
            QVERIFY2(html.contains(said), said);
        const checks::Svg all = checks::parseSvg(html);
        QVERIFY2(all.loose.isEmpty(), "ids of several drawings");
    }

    // Names and texts out of a file are words in a report and in every drawing, whatever they look like.
    void aStrangersWordsStayWords() {
        const std::string bad = "</title></style></svg><script>alert(1)</script><img src=x "
                                "onerror=alert(2)>\"'&]]>\x01\x1b[31m\xe2\x80\xae"; // U+202E
        auto trace = std::make_shared<Trace>(*m_trace);
        trace->info.deviceName = trace->info.program = trace->info.command = trace->info.driver = trace->info.when =
            bad;
        for (Kernel& k : trace->kernels) {
            k.name = k.entry = k.sourceName = bad;
            k.source = "// " + bad + "\n" + k.source;
            for (std::string& file : k.files)
                file = bad;
        }
        for (Site& s : trace->sites)
            s.text = bad;
        trace->counters.push_back({0, bad, bad, 1.5, bad, Origin::Measured});
        Diagnostic wrong;
        wrong.message = bad;
        trace->diagnostics.push_back(wrong);
        trace->output = bad;
        ReportRequest request;
        request.context = context();
        request.context.trace = trace;
        Progress progress;
        QCOMPARE(writeReport(request, at("bad.html"), progress), QString());
        QList<QByteArray> documents{checks::bytesOf(at("bad.html"))};
        for (const QString& key : views()) {
            const QString path = at(QStringLiteral("bad-") + key + QStringLiteral(".svg"));
            QCOMPARE(exportView(*makeView(key), request.context, path, {1200, 700}), QString());
            documents << checks::bytesOf(path);
        }
        QVERIFY(documents.size() > 5);
        int told = 0;
        QVERIFY(documents[0].contains("\\x01\\x1b[31m\\u202e"));
        for (const QByteArray& document : documents) {
            QVERIFY(!document.contains('\x1b') && !document.contains("\xe2\x80\xae"));
            QXmlStreamReader xml(document);
            while (!xml.atEnd()) {
                xml.readNext();
                told += xml.isCharacters() && xml.text().contains(QLatin1String("alert(1)"));
                if (!xml.isStartElement())
                    continue;
                for (const char* active : {"script", "img", "iframe", "object", "embed", "foreignObject", "a"})
                    QVERIFY2(xml.name().compare(QLatin1String(active), Qt::CaseInsensitive) != 0, active);
                for (const QXmlStreamAttribute& attribute : xml.attributes())
                    QVERIFY2(!attribute.name().startsWith(QLatin1String("on"), Qt::CaseInsensitive) &&
                                 !attribute.value().contains(QLatin1String("alert")),
                             qPrintable(attribute.name().toString()));
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        }
        QVERIFY2(told > 5, "as words they are there");
    }

    void aReportIsADocumentToo() {
        ReportRequest request;
        request.context = context("print");
        request.context.other = m_other;
        request.views = {{"lanes", {}}, {"memory", {}}};
        Progress progress;
        QCOMPARE(writeReport(request, at("r.pdf"), progress), QString());
        QVERIFY(checks::bytesOf(at("r.pdf")).startsWith("%PDF-"));
        if (!checks::installed("pdftotext"))
            QSKIP("poppler-utils is not installed");
        const QString text = plain(QString::fromUtf8(checks::outputOf("pdftotext", {"-layout", at("r.pdf"), "-"})));
        for (const char* said : {"reduceNeighbored", "reduceInterleaved", "branch_efficiency", "B/A", "RunB"})
            QVERIFY2(text.contains(QLatin1String(said)), said);
    }

    void aReportThatCannotBeMadeSaysWhyAndLeavesNothing() {
        ReportRequest request;
        request.context = context();
        Progress progress;
        QVERIFY(writeReport(request, at("r.doc"), progress).contains(QStringLiteral("r.doc")));
        QVERIFY(writeReport(request, "/no/such/r.html", progress).contains(QStringLiteral("/no/such/r.html")));
        request.views = {{"nonesuch", {}}};
        QVERIFY(writeReport(request, at("n.html"), progress).contains(QStringLiteral("nonesuch")));
        request.views.clear();
        Progress cancelled;
        cancelled.cancel();
        QVERIFY(!writeReport(request, at("c.html"), cancelled).isEmpty());
        QVERIFY(!QFile::exists(at("c.html")));
    }

    void aFilmGoesFromTheFirstMomentToTheLast() {
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.seconds = 2;
        request.fps = 10;
        Progress progress;
        const std::vector<Time> times = frameTimes(request, progress);
        QCOMPARE(times.size(), std::size_t(20));
        QVERIFY(std::is_sorted(times.begin(), times.end()));
        std::int64_t first = INT64_MAX, last = INT64_MIN; // the launch begins before its first event and ends after all
        for (const Launch& launch : m_trace->launches) {
            first = std::min(first, launch.start.value);
            last = std::max(last, launch.end.value);
        }
        QCOMPARE(times.front().value, first);
        QCOMPARE(times.back().value, last);
    }

    void framesArePicturesOfDifferentMoments() {
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.output = at("frames");
        request.size = {480, 300};
        request.seconds = 1;
        request.fps = 4;
        Progress progress;
        QCOMPARE(makeFilm(request, progress), QString());
        QCOMPARE(QDir(at("frames")).entryList({"*.png"}),
                 (QStringList{"frame-00001.png", "frame-00002.png", "frame-00003.png", "frame-00004.png"}));
        const QImage first(at("frames/frame-00001.png")), last(at("frames/frame-00004.png"));
        QCOMPARE(first.size(), QSize(480, 300));
        QVERIFY(first != last);
        QCOMPARE(progress.fraction(), 1.0);
    }

    void aFilmHasEveryFrame() {
        if (!checks::installed("ffmpeg") || !checks::installed("ffprobe"))
            QSKIP("ffmpeg is not installed");
        FilmRequest request;
        request.view = "timeline";
        request.context = context();
        request.size = {321, 241}; // odd sides are rounded down
        request.seconds = 1;
        request.fps = 12;
        request.output = at("a.mp4"); // a GIF, which ffmpeg does not make: test_page.cpp
        Progress progress;
        QCOMPARE(makeFilm(request, progress), QString());
        const QByteArray facts =
            checks::outputOf("ffprobe", {"-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                                         "stream=nb_read_frames,width,height", "-of", "csv=p=0", request.output});
        QCOMPARE(facts.trimmed(), QByteArray("320,240,12"));
        QCOMPARE(QDir(m_folder.path()).entryList({"*.part*"}, QDir::Files | QDir::Hidden).size(), 0);
    }

    void withoutFfmpegASentenceAndFramesStillWork() {
        const QByteArray path = qgetenv("PATH");
        QTemporaryDir empty;
        qputenv("PATH", empty.path().toUtf8());
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.output = at("none.mp4");
        request.size = {200, 120};
        request.seconds = 1;
        request.fps = 2;
        Progress progress;
        const QString problem = makeFilm(request, progress);
        request.output = at("still");
        const QString frames = makeFilm(request, progress);
        qputenv("PATH", path);
        QVERIFY2(problem.contains(QStringLiteral("ffmpeg is not installed")), qPrintable(problem));
        QVERIFY(!QFile::exists(at("none.mp4")));
        QCOMPARE(frames, QString());
        QCOMPARE(QDir(at("still")).entryList({"*.png"}).size(), 2);
    }

    // A program called ffmpeg that fails: what it says is what the person reads, and the older film stays.
    void whatFfmpegSaysIsTold() {
        QTemporaryDir bin;
        QFile script(bin.filePath("ffmpeg"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\ncat >/dev/null\necho 'no such encoder' >&2\nexit 3\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile older(at("old.mp4"));
        QVERIFY(older.open(QIODevice::WriteOnly));
        older.write("the older film");
        older.close();
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", bin.path().toUtf8() + ":" + path);
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.output = at("old.mp4");
        request.size = {200, 120};
        request.seconds = 1;
        request.fps = 2;
        Progress progress;
        const QString problem = makeFilm(request, progress);
        qputenv("PATH", path);
        QVERIFY2(problem.contains(QStringLiteral("no such encoder")), qPrintable(problem));
        QCOMPARE(checks::bytesOf(at("old.mp4")), QByteArray("the older film"));
    }

    // 16000 x 16000 pixels are a gigabyte a frame.
    void aFilmOfGigabytesIsRefused() {
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.output = at("huge.gif");
        request.size = {16000, 16000};
        Progress progress;
        QVERIFY(makeFilm(request, progress).contains(QStringLiteral("16000 x 16000")));
        request.size = {8192, 4051}; // 8192 * 4050 = 33177600 = 7680 * 4320
        QVERIFY(makeFilm(request, progress).contains(QStringLiteral("8192 x 4051")));
        QVERIFY(!QFile::exists(at("huge.gif")));
    }

    void aCancelledFilmLeavesNoFile() {
        FilmRequest request;
        request.view = "lanes";
        request.context = context();
        request.output = at("cancelled.mp4");
        Progress progress;
        progress.cancel();
        QVERIFY(!makeFilm(request, progress).isEmpty());
        QVERIFY(!QFile::exists(at("cancelled.mp4")));
    }
};

WARPGLASS_QT_TEST(TestExport)
#include "test_export.moc"
