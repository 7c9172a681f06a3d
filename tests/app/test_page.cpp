// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons and views as one HTML file, read without a browser (test_browser.cpp opens them in one), and the animated GIF.
#include "app/window/export/film.h"
#include "app/window/export/gif.h"
#include "app/window/export/lesson_check.h"
#include "app/window/export/play_page.h"
#include "app/window/export/worksheet.h"
#include "app/window/help/guide_dialog.h"
#include "app/window/language.h"
#include "app/window/view_registry.h"
#include "tests/app/export_checks.h"
#include "tests/app/hand_trace.h"
#include "tests/app/page_reader.h"
#include "tests/qt_tests.h"
#include "views/common/page.h"
#include "views/common/shown_words.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QImageReader>
#include <QTemporaryDir>
#include <QWidget>
#include <QtTest>

#include <numeric>

using namespace warpglass;

namespace {

constexpr const char* languages[] = {"en", "zh_CN"};
constexpr const char* themes[] = {"light", "dark"};

PaintContext handContext(TracePtr trace = handTrace()) {
    PaintContext context;
    context.trace = std::move(trace);
    context.selection.block = 0;
    context.selection.warp = 0;
    context.selection.time = {12};
    return context;
}

// The lines of a drawing, without what stands around them.
QStringList linesOf(const QByteArray& svg) {
    return QString::fromUtf8(checks::between(svg, "</desc>\n", "</svg>")).trimmed().split(QLatin1Char('\n'));
}

} // namespace

class TestPage : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QByteArray written(const PageRequest& request, PageMade* made = nullptr) {
        const QString path = m_folder.filePath(QStringLiteral("page.html"));
        Progress progress;
        const QString problem = writePage(request, path, progress, made);
        return problem.isEmpty() ? checks::bytesOf(path) : problem.toUtf8();
    }

private slots:
    void initTestCase() { initialiseResources(); }

    // The hand-made trace has one branch of warp 0, at 12, between the launch's start at 10 and its end at 20.
    void aViewHasAFrameForEveryBeat() {
        PageMade made;
        const QByteArray html = written(pageOf(QStringLiteral("lanes"), handContext()), &made);
        const checks::ReadPage page = checks::readPage(html);
        QCOMPARE(page.frames.size(), 1);
        QCOMPARE(page.frames[0].size(), 2); // both languages
        for (int language = 0; language < 2; ++language) {
            const QJsonObject words =
                page.data["steps"].toArray()[0].toObject()["spoken"].toArray()[language].toObject();
            QCOMPARE(words["labels"].toArray().size(), 3);            // 10, 12, 20
            QCOMPARE(page.frames[0][language].size(), 1 + 3 + 2 * 8); // with the picture as selected, and two ways
        }
        QCOMPARE(made.frames, 20);
        QCOMPARE(made.bytes, html.size());
        QCOMPARE(page.data["steps"].toArray()[0].toObject()["start"].toInt(), 1); // 12 is selected
        const QJsonArray labels =
            page.data["steps"].toArray()[0].toObject()["spoken"].toArray()[0].toObject()["labels"].toArray();
        QVERIFY2(labels[1].toString().startsWith(QLatin1String("2 ")), qPrintable(labels[1].toString())); // 12 - 10
        PaintContext later = handContext();
        later.selection.time = {15}; // between two moments: what is shown first says so
        const checks::ReadPage other = checks::readPage(written(pageOf(QStringLiteral("lanes"), later)));
        const QString own =
            other.data["steps"].toArray()[0].toObject()["spoken"].toArray()[0].toObject()["label"].toString();
        QVERIFY2(own.startsWith(QLatin1String("5 ")), qPrintable(own));
    }

    void everyFrameIsWhatTheViewPaints_data() {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("two kernels") << QStringLiteral("one-warp-two-paths");
        QTest::newRow("a sweep's charts") << QStringLiteral("reading-a-real-recording");
    }
    void everyFrameIsWhatTheViewPaints() {
        QFETCH(QString, lesson);
        const Result<Lesson> read = findLesson(lesson);
        QVERIFY(read.ok());
        Progress progress;
        const Result<QVector<StepShown>> steps = showSteps(*read, progress);
        QVERIFY2(steps.ok(), steps.ok() ? "" : steps.error().text().c_str());
        PageRequest request = pageOf(*read, *steps);
        request.size = {900, 520};
        PageMade made;
        const QByteArray html = written(request, &made);
        QVERIFY2(html.startsWith("<!DOCTYPE html>"), html.left(200).constData());
        QVERIFY2(html.size() < 2'000'000, QByteArray::number(html.size()).constData());
        const checks::ReadPage page = checks::readPage(html);
        QCOMPARE(page.frames.size(), read->steps.size());
        for (int s = 0; s < page.frames.size(); ++s) {
            const StepShown& shown = (*steps)[s];
            const QJsonObject json = page.data["steps"].toArray()[s].toObject();
            QCOMPARE(json["view"].toString(), shown.view);
            for (int l = 0; l < 2; ++l) {
                const ThreadLanguage speak{QLatin1String(languages[l])};
                const QJsonObject words = json["spoken"].toArray()[l].toObject();
                const LessonStep& step = *shown.step;
                QCOMPARE(words["title"].toString(), shownText(step.title.in(languages[l])));
                QCOMPARE(words["text"].toString(), shownText(step.text.in(languages[l])));
                QCOMPARE(words.contains("ask"), step.ask.has_value());
                const QString run = words["run"].toString();
                QVERIFY2(run == shown.title.in(languages[l]) && run.contains(QStringLiteral("编译")) == (l == 1),
                         qPrintable(run));
                const std::unique_ptr<View> view = makeView(shown.view);
                QCOMPARE(words["viewTitle"].toString(), view->title());
                const PageMoments moments = pageMoments(*view, shown.context, request.size, 128, progress, true);
                std::vector<ScorePoint> points = moments.points;
                points.insert(points.end(), moments.between.begin(), moments.between.end());
                QCOMPARE(page.frames[s][l].size(), qsizetype(points.size()) + 1);
                QCOMPARE(json["between"].toInt(), moments.betweenEach);
                // The first, one in the middle, the last moment and the last on the way, painted anew, each for itself.
                const int last = int(moments.points.size()), all = int(points.size());
                for (const int f : {0, (last + 1) / 2, last, all})
                    for (int t = 0; t < 2; ++t) {
                        PaintContext context = shown.context;
                        context.theme = Theme::named(QLatin1String(themes[t]));
                        if (f > 0) {
                            context.selection.time = points[std::size_t(f) - 1].time;
                            context.selection.motion = points[std::size_t(f) - 1].motion;
                        }
                        const QByteArray svg = svgOf(composePage(*view, context, request.size));
                        const QStringList painted = linesOf(svg), kept = page.drawing(s, l, f, t);
                        for (qsizetype i = 0; i < std::min(painted.size(), kept.size()); ++i)
                            QCOMPARE(kept[i], painted[i]);
                        QCOMPARE(kept.size(), painted.size());
                    }
            }
        }
    }

    // What plays: the beats of the picture itself, none left out while there are few.
    void momentsAreTheBeatsOfThePicture() {
        const std::unique_ptr<View> view = makeView(QStringLiteral("lanes"));
        const PaintContext context = handContext();
        const std::vector<Beat> beats = view->compose(context, QRectF(0, 0, 900, 520))->beats();
        const Score score = scoreOf(beats, {{10}, {20}});
        Progress progress;
        const PageMoments moments = pageMoments(*view, context, {900, 520}, 128, progress);
        QCOMPARE(moments.points.size(), score.beats.size());
        for (std::size_t i = 0; i < score.beats.size(); ++i)
            QCOMPARE(moments.points[i].time, score.beats[i].time);
        QVERIFY(!moments.points.back().motion.playing); // at rest at the end
        const PageMoments two = pageMoments(*view, context, {900, 520}, 2, progress);
        QCOMPARE(two.points.size(), std::size_t(2)); // both ends stay
        QCOMPARE(two.points.front().time, Time{10});
        QCOMPARE(two.points.back().time, Time{20});
        QCOMPARE(two.all, score.beats.size());
        // Between each two of the moments so many pictures, from the one on to the next.
        QVERIFY(moments.between.empty());
        const PageMoments moving = pageMoments(*view, context, {900, 520}, 128, progress, true);
        QCOMPARE(moving.between.size(), (moving.points.size() - 1) * std::size_t(moving.betweenEach));
        QVERIFY(moving.betweenEach > 1);
        QCOMPARE(moving.between.front().time, Time{10});
        QCOMPARE(moving.between.back().motion.to, Time{20});
        for (const ScorePoint& point : moving.between)
            QVERIFY(point.motion.playing && point.motion.way >= 0 && point.motion.way < 1);
    }

    void whatDoesNotChangeIsOnePicture() {
        const std::unique_ptr<View> view = makeView(QStringLiteral("occupancy"));
        PaintContext context = handContext();
        Progress progress;
        Selection late = context.selection;
        late.time = {20};
        if (view->looksAt(context.selection) == view->looksAt(late))
            QVERIFY(pageMoments(*view, context, {900, 520}, 128, progress).points.empty());
        const std::unique_ptr<View> charts = makeView(QStringLiteral("charts"));
        QVERIFY(pageMoments(*charts, context, {900, 520}, 128, progress).points.empty());
    }

    // The page allows one script and one style, by their hashes, and nothing from anywhere.
    // Two warps branch, one of them both ways: 2 branches, 1 that diverges. In the run beside it none does.
    void aPageHoldsItsNumbersAndWhatMakesItAgain() {
        const auto branching = [](std::uint64_t divergent, const char* command) {
            auto trace = std::make_shared<Trace>(*handTrace());
            InstructionCount count;
            count.ptxLine = 2;
            count.executions = 2;
            count.lanes = 64;
            count.isBranch = count.isConditional = true;
            count.divergent = divergent;
            trace->counts.push_back(count);
            trace->info.command = command;
            return trace;
        };
        const auto stepOf = [&](const PaintContext& context) {
            const QByteArray html = written(pageOf(QStringLiteral("lanes"), context));
            return checks::readPage(html).data["steps"].toArray()[0].toObject();
        };
        const auto rowOf = [](const QJsonObject& step, int language, const char* metric) {
            const QJsonObject words = step["spoken"].toArray()[language].toObject();
            for (const QJsonValue& row : words["numbers"].toObject()["rows"].toArray())
                if (row.toArray()[0].toString() == QLatin1String(metric))
                    return row.toArray();
            return QJsonArray();
        };
        PaintContext context = handContext(branching(1, "run one --size 64"));
        const QJsonObject alone = stepOf(context);
        QCOMPARE(rowOf(alone, 0, "divergent_branch")[1].toString(), QStringLiteral("1"));
        QCOMPARE(rowOf(alone, 0, "branch")[1].toString(), QStringLiteral("2"));
        QCOMPARE(rowOf(alone, 1, "branch")[2].toString(), QStringLiteral("计数"));
        QCOMPARE(alone["again"].toString(), QStringLiteral("warpglass-record run one --size 64 -o A.wgt\n"
                                                           "warpglass page A.wgt --view lanes -o page.html"));

        context.other = branching(0, "app 42");
        const QJsonObject both = stepOf(context);
        const QJsonArray row = rowOf(both, 0, "divergent_branch"); // metric, A, origin, B, origin, B - A, B / A
        QCOMPARE(row[1].toString(), QStringLiteral("1"));
        QCOMPARE(row[3].toString(), QStringLiteral("0"));
        QCOMPARE(both["again"].toString(),
                 QStringLiteral("warpglass-record run one --size 64 -o A.wgt\n# B.wgt: app 42\n"
                                "warpglass page A.wgt --view lanes --compare B.wgt -o page.html"));
    }
    void thePageForbidsTheNetwork() {
        const QByteArray html = written(pageOf(QStringLiteral("lanes"), handContext()));
        const QByteArray policy = checks::between(html, "Content-Security-Policy\" content=\"", "\"");
        QVERIFY2(policy.startsWith("default-src 'none';"), policy.constData());
        QVERIFY(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("connect-src"));
        const auto hash = [](const QByteArray& bytes) {
            return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toBase64();
        };
        const QByteArray script = html.mid(html.lastIndexOf("<script>") + 8);
        QVERIFY(policy.contains("script-src 'sha256-" + hash(script.left(script.indexOf("</script>"))) + "'"));
        QVERIFY(policy.contains("style-src 'sha256-" + hash(checks::between(html, "<style>", "</style>")) + "'"));
        QByteArray without = html;
        without.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "");
        for (const char* word : {"http:", "https:", "src=\"", "href=\"", "innerHTML", "eval(", "fetch(", "XMLHttp",
                                 "import(", "document.write", "outerHTML", "insertAdjacent"})
            QVERIFY2(!without.contains(word), word);
        QCOMPARE(html.count("<script"), 2); // the data, which is none, and the player
        QCOMPARE(html.count("</script"), 2);
    }

    void hostileNamesStayWords() {
        const QString evil = QStringLiteral("</script><img src=x onerror=alert(1)>&\"'~0\x01\n]]>--><b onclick=\"x\">");
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->kernels[0].name = evil.toStdString();
        trace->kernels[0].source = "first\nif (\"</svg><script>alert(2)</script>\")\nthird\n";
        trace->info.deviceName = evil.toStdString();
        PageRequest request = pageOf(QStringLiteral("lanes"), handContext(trace));
        request.title = {evil, evil};
        PageStep& step = request.steps[0];
        step.title = step.text = {evil, evil};
        step.code = evil;
        LessonQuestion ask;
        ask.question = ask.answer = {evil, evil};
        ask.choices = {{evil, evil}, {evil, evil}};
        ask.right = 1;
        step.ask = ask;
        const QByteArray html = written(request);
        QVERIFY(!html.contains("<img") && !html.contains("onerror=alert(1)>") && !html.contains("<b onclick"));
        QCOMPARE(html.count("</script"), 2);
        const checks::ReadPage page = checks::readPage(html);
        QCOMPARE(page.data["titles"].toArray()[0].toString(), shown(evil));
        const QJsonObject words = page.data["steps"].toArray()[0].toObject()["spoken"].toArray()[0].toObject();
        QCOMPARE(words["ask"].toObject()["choices"].toArray()[1].toString(), shown(evil));
        for (int frame = 0; frame < page.frames[0][0].size(); ++frame)
            for (int theme = 0; theme < 2; ++theme) {
                const QString drawing = page.drawing(0, 0, frame, theme).join(QLatin1Char('\n'));
                const checks::Svg svg = checks::parseSvg(
                    QByteArray("<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\">") + drawing.toUtf8() + "</svg>");
                QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
                QVERIFY(!drawing.contains(QLatin1String("<script")) && !drawing.contains(QLatin1String("<img")));
            }
    }

    void whatCannotBeShownIsToldAndNoFileIsLeft() {
        const QString path = m_folder.filePath(QStringLiteral("none.html"));
        Progress progress;
        PageRequest request = pageOf(QStringLiteral("nonesuch"), handContext());
        QVERIFY(writePage(request, path, progress).contains(QLatin1String("nonesuch")));
        request = pageOf(QStringLiteral("lanes"), handContext());
        QVERIFY(
            writePage(request, QStringLiteral("/no/such/folder/x.html"), progress).contains(QLatin1String("/no/such")));
        progress.cancel();
        QVERIFY(!writePage(request, path, progress).isEmpty());
        QVERIFY(!QFileInfo::exists(path));
    }

    // Questions alone, then with what is right: in both languages, as a page and as a document.
    void aWorksheetAsksAndAnswers_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void aWorksheetAsksAndAnswers() {
        QFETCH(QString, language);
        const Result<Lesson> lesson = findLesson(QStringLiteral("one-warp-two-paths"));
        QVERIFY(lesson.ok());
        Progress progress;
        const Result<QVector<StepShown>> steps = showSteps(*lesson, progress);
        QVERIFY(steps.ok());
        const auto sheet = [&](bool answers) {
            const QString path = m_folder.filePath(QStringLiteral("sheet.html"));
            const QString problem = writeWorksheet({&*lesson, &*steps, language, answers}, path, progress);
            return problem.isEmpty() ? QString::fromUtf8(checks::bytesOf(path)) : problem;
        };
        const QString asked = sheet(false), answered = sheet(true);
        int questions = 0, lanes = 0;
        for (const LessonStep& step : lesson->steps) {
            if (!step.ask)
                continue;
            ++questions;
            const auto words = [&](const LocalText& text) { return shownText(text.in(language)).toHtmlEscaped(); };
            for (const QString& html : {asked, answered}) {
                QVERIFY(html.contains(words(step.ask->question)));
                for (const LocalText& choice : step.ask->choices)
                    QVERIFY(html.contains(words(choice)));
            }
            QVERIFY(!asked.contains(words(step.ask->answer)) && !asked.contains(words(step.text)));
            QVERIFY(answered.contains(words(step.ask->answer)) && answered.contains(words(step.text)));
            lanes += step.ask->lanes ? step.ask->lanes->count() : 0;
        }
        QVERIFY(questions >= 3);
        QCOMPARE(asked.count(QLatin1String("<svg")), 0); // a picture would tell
        QCOMPARE(answered.count(QLatin1String("<svg")), questions);
        QCOMPARE(asked.count(QLatin1String("<span class=\"on\">")), 0);
        QCOMPARE(answered.count(QLatin1String("<span class=\"on\">")), lanes);
        QVERIFY(lanes >= 16 && asked.contains(QLatin1String("mathKernel1")));
        for (const bool answers : {false, true}) {
            const QString path = m_folder.filePath(QStringLiteral("sheet.pdf"));
            QCOMPARE(writeWorksheet({&*lesson, &*steps, language, answers}, path, progress), QString());
            QVERIFY(checks::bytesOf(path).startsWith("%PDF"));
            const QByteArray text = checks::outputOf("pdftotext", {path, "-"});
            if (!text.isNull() && language == QLatin1String("en")) {
                const QString plain = QString::fromUtf8(text).simplified();
                QCOMPARE(plain.contains(QLatin1String("Every second lane")), answers);
                QVERIFY(plain.contains(QLatin1String("Mark the lanes of warp 0")));
            }
            // No page begins in the middle of what is asked: where a title stands, there stand its question and, on a
            // sheet to be filled in, the line for a reason.
            const QStringList pages = QString::fromUtf8(text).split(QLatin1Char('\f'));
            for (const QString& page : pages)
                for (const LessonStep& step : lesson->steps) {
                    const auto on = [&](const LocalText& words) {
                        return page.simplified()
                            .remove(QLatin1Char(' '))
                            .contains(shownText(words.in(language)).remove(QLatin1Char(' ')));
                    };
                    if (!step.ask)
                        continue;
                    QCOMPARE(on(step.title), on(step.ask->question));
                    for (const LocalText& choice : step.ask->choices)
                        QVERIFY(!on(step.title) || on(choice));
                }
            if (!text.isNull() && !answers && language == QLatin1String("en"))
                for (const QString& page : pages)
                    QCOMPARE(
                        page.count(QRegularExpression(QStringLiteral("^Why"), QRegularExpression::MultilineOption)),
                        page.count(
                            QRegularExpression(QStringLiteral("^\\d\\. "), QRegularExpression::MultilineOption)));
        }
        QVERIFY(writeWorksheet({&*lesson, &*steps, language, false}, m_folder.filePath("x.txt"), progress)
                    .contains(QLatin1String("x.txt")));
    }

    // What the guide says is true of what it shows, and it is whole in both languages.
    void theGuideIsTrueAndWritten() {
        const Result<Lesson> guide = readGuide();
        QVERIFY2(guide.ok(), guide.ok() ? "" : guide.error().text().c_str());
        Progress progress;
        for (const LessonFinding& finding : checkLesson(*guide, progress).findings)
            QFAIL(qPrintable(finding.text));
        for (const LessonStep& step : guide->steps)
            for (const LocalText* text : {&step.title, &step.text})
                QVERIFY2(!text->en.isEmpty() && !text->zh.isEmpty() && text->en != text->zh, qPrintable(text->en));
        QCOMPARE(writeGuide(m_folder.filePath(QStringLiteral("guide")), progress), QString());
        for (const char* language : languages) {
            const QByteArray html =
                checks::bytesOf(m_folder.filePath(QStringLiteral("guide/%1.html").arg(QLatin1String(language))));
            QCOMPARE(html.count("<figure>"), guide->steps.size());
            QVERIFY(html.contains("default-src 'none'") && html.contains("<kbd>Ctrl+E</kbd>"));
            // The picture of Why has its answer: what the launch would take without uncoalesced access.
            QVERIFY(html.contains(qstrcmp(language, "en") == 0 ? ">uncoalesced access<" : ">未合并的访问<"));
            const checks::Svg svg = checks::parseSvg(html.mid(html.indexOf("<html")));
            QVERIFY2(svg.error.isEmpty(), qPrintable(svg.error));
            QVERIFY2(svg.loose.isEmpty(), qPrintable(svg.loose.join(QLatin1Char(' '))));
            for (const LessonStep& step : guide->steps)
                QVERIFY(html.contains(shownText(step.text.in(QLatin1String(language))).toHtmlEscaped().toUtf8()));
        }
    }

    void theGuideIsInTheWindow() {
        GuideDialog dialog(QStringLiteral("en"), Theme::make(ThemeKind::Light));
        dialog.show();
        auto* sections = dialog.findChild<QListWidget*>("guideSections");
        auto* text = dialog.findChild<QTextBrowser*>("guideText");
        QCOMPARE(qsizetype(sections->count()), readGuide().value().steps.size() + 1);
        QVERIFY(text->toPlainText().contains(QLatin1String("First steps")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.painted(), 200000);
        sections->setCurrentRow(2);
        QVERIFY(text->toPlainText().contains(QLatin1String("Divergence")));
        QVERIFY(text->toHtml().contains(QLatin1String("guide:picture")));
        QTest::keyClick(sections, Qt::Key_End);
        QVERIFY(text->toPlainText().contains(QLatin1String("Ctrl+E")));
    }

    // An export speaks another language than the window, and the window does not notice.
    void aThreadSpeaksALanguageOfItsOwn() {
        QWidget widget;
        widget.show();
        int told = 0;
        struct Listener : QObject {
            int* told;
            bool eventFilter(QObject*, QEvent* event) override {
                *told += event->type() == QEvent::LanguageChange;
                return false;
            }
        } listener;
        listener.told = &told;
        widget.installEventFilter(&listener);
        const auto word = [] { return QCoreApplication::translate("any", "Predict before you look"); };
        const QString chinese = QStringLiteral("先预测，再观察"), english = QStringLiteral("Predict before you look");
        Language language;
        {
            const ThreadLanguage speak{QStringLiteral("zh_CN")};
            QCOMPARE(word(), chinese);
            QString elsewhere;
            std::unique_ptr<QThread> other(QThread::create([&] { elsewhere = word(); }));
            other->start();
            QVERIFY(other->wait(60000));
            QCOMPARE(elsewhere, english);
            const ThreadLanguage inside{QStringLiteral("en")};
            QCOMPARE(word(), english);
        }
        QCOMPARE(word(), english);
        QCoreApplication::processEvents();
        QCOMPARE(told, 0);
        language.set(QStringLiteral("zh_CN"));
        QCOMPARE(word(), chinese);
        {
            const ThreadLanguage speak{QStringLiteral("en")};
            QCOMPARE(word(), english);
        }
        QCOMPARE(word(), chinese);
    }

    // Read by Qt's own reader: every pixel of every frame. Noise grows the dictionary past its end, so it starts anew.
    void aGifHoldsEveryFrame() {
        constexpr int side = 120;
        std::vector<QImage> frames;
        std::uint32_t noise = 1;
        for (int f = 0; f < 4; ++f) {
            QImage image = f == 0 ? QImage(side, side, QImage::Format_RGB32) : frames.back();
            if (f == 0)
                image.fill(0xff204060);
            if (f != 2) // the third is the second again
                for (int y = 10 * f; y < (f == 1 ? side : 10 * f + 7); ++y)
                    for (int x = 5; x < side - 5; ++x) {
                        noise = noise * 1664525u + 1013904223u;
                        image.setPixel(x, y, 0xff000000u | ((noise >> 24) * 0x10101u)); // 256 greys
                    }
            frames.push_back(image);
        }
        QBuffer file;
        QVERIFY(file.open(QIODevice::ReadWrite));
        GifWriter writer(file, {side, side}, 10);
        for (const QImage& frame : frames)
            QVERIFY(writer.add(frame));
        QVERIFY(writer.finish());
        file.seek(0);
        QImageReader reader(&file, "gif");
        std::vector<QImage> read;
        std::vector<int> delays;
        for (QImage image = reader.read(); !image.isNull(); image = reader.read()) {
            read.push_back(image.convertToFormat(QImage::Format_RGB32));
            delays.push_back(reader.nextImageDelay());
        }
        QCOMPARE(read.size(), std::size_t(3));
        const std::size_t of[] = {0, 1, 3};
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY2(read[i] == frames[of[i]], QByteArray::number(int(i)).constData());
        QCOMPARE(std::accumulate(delays.begin(), delays.end(), 0), 400); // four frames at ten a second
    }

    // Two colours and one bit of change a time; and more colours than a frame has room for become near ones.
    void manyColoursBecomeNearOnes() {
        QImage image(64, 64, QImage::Format_RGB32);
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                image.setPixel(x, y, qRgb(4 * x, 4 * y, 128)); // 4096 colours
        QBuffer file;
        QVERIFY(file.open(QIODevice::ReadWrite));
        GifWriter writer(file, {64, 64}, 10);
        QVERIFY(writer.add(image) && writer.finish());
        file.seek(0);
        const QImage read = QImageReader(&file, "gif").read();
        QCOMPARE(read.size(), image.size());
        QCOMPARE(read.convertToFormat(QImage::Format_RGB32).pixelColor(0, 0).blue(), 128);
    }

    void aFilmAsGifNeedsNoOtherProgram() {
        const QByteArray path = qgetenv("PATH");
        QTemporaryDir empty;
        FilmRequest request;
        request.view = QStringLiteral("lanes");
        request.context = handContext();
        request.context.theme = Theme::make(ThemeKind::Light);
        request.output = m_folder.filePath(QStringLiteral("film.gif"));
        request.size = {321, 241};
        request.seconds = 1;
        request.fps = 6;
        Progress progress;
        qputenv("PATH", empty.path().toUtf8());
        const QString problem = makeFilm(request, progress);
        qputenv("PATH", path);
        QCOMPARE(problem, QString());
        QImageReader reader(request.output);
        QCOMPARE(reader.size(), QSize(321, 241));
        QVERIFY(reader.imageCount() >= 2);
    }
};

WARPGLASS_QT_TEST(TestPage)
#include "test_page.moc"
