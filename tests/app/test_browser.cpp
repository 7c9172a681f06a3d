// SPDX-License-Identifier: GPL-3.0-or-later
// The pages that lessons become, opened in a real browser: they play, step and answer, look as the program paints the same
// moments, ask the network for nothing and complain of nothing. `./dev browser` installs the browser; without one these are
// skipped. With WARPGLASS_SHOTS=FOLDER what was seen is kept there.
#include "app/window/export/play_page.h"
#include "app/window/language.h"
#include "app/window/view_registry.h"
#include "tests/app/browser.h"
#include "tests/app/export_checks.h"
#include "tests/app/hand_trace.h"
#include "tests/qt_tests.h"
#include "views/common/page.h"

#include <QPainter>
#include <QTemporaryDir>
#include <QUrl>
#include <QtTest>

using namespace warpglass;

class TestBrowser : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    checks::Browser m_browser;

    static constexpr int home = 36, end = 35, left = 37, right = 39, pageUp = 33, pageDown = 34,
                         space = 32; // key codes

    QString address(const QString& name, const QString& fragment) const {
        QUrl url = QUrl::fromLocalFile(m_folder.filePath(name));
        url.setFragment(fragment);
        return url.toString();
    }
    QString words(const char* selector) {
        return m_browser
            .js(QStringLiteral("(document.querySelector('%1') || {textContent: ''}).textContent")
                    .arg(QLatin1String(selector)))
            .toString();
    }
    bool is(const QString& expression) { return m_browser.js(expression).toBool(); }
    void click(const char* selector) {
        m_browser.js(QStringLiteral("document.querySelector('%1').click()").arg(QLatin1String(selector)));
    }
    void keep(const QString& name) {
        if (const QString folder = qEnvironmentVariable("WARPGLASS_SHOTS"); !folder.isEmpty())
            m_browser.picture().save(QDir(folder).filePath(name + QStringLiteral(".png")));
    }

    // The program's own picture of a moment, without the browser and without the page.
    static QImage painted(const StepShown& shown, const std::optional<ScorePoint>& point, const char* theme,
                          QSize size) {
        PaintContext context = shown.context;
        context.theme = Theme::named(QLatin1String(theme));
        if (point) {
            context.selection.time = point->time;
            context.selection.motion = point->motion;
        }
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        paintPage(composePage(*makeView(shown.view), context, size), painter);
        return image;
    }
    // The picture on the page is this one, and letters and edges of another painter are all that differs.
    QString unlike(const QImage& own, const QString& what) {
        const QImage seen = m_browser.picture(QStringLiteral(".picture svg"));
        const checks::Difference d =
            checks::difference(own, seen.scaled(own.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        if (const QString folder = qEnvironmentVariable("WARPGLASS_SHOTS"); !folder.isEmpty() && d.mean > 0.01) {
            own.save(QDir(folder).filePath(what + QStringLiteral("-own.png")));
            seen.save(QDir(folder).filePath(what + QStringLiteral("-seen.png")));
        }
        return d.mean < 0.012 && d.worst < 0.2
                   ? QString()
                   : QStringLiteral("%1: mean %2, worst %3").arg(what).arg(d.mean).arg(d.worst);
    }

private slots:
    void initTestCase() {
        initialiseResources();
        if (!m_browser.start())
            QSKIP("there is no Chromium here");
    }

    void aLessonPlays_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"one-warp-two-paths", "neighbored-or-interleaved", "grid-block-warp"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void aLessonPlays() {
        QFETCH(QString, name);
        const Result<Lesson> lesson = findLesson(name);
        QVERIFY(lesson.ok());
        Progress progress;
        const Result<QVector<StepShown>> steps = showSteps(*lesson, progress);
        QVERIFY(steps.ok());
        const PageRequest request = pageOf(*lesson, *steps);
        const QString file = name + QStringLiteral(".html");
        QCOMPARE(writePage(request, m_folder.filePath(file), progress), QString());
        QVERIFY(QFileInfo(m_folder.filePath(file)).size() < 2'000'000);
        m_browser.size(1280, 900);
        QVERIFY(m_browser.open(address(file, QStringLiteral("lang=en&theme=light"))));
        QCOMPARE(words("h1"), shownText(lesson->title.en));
        int played = 0, compared = 0;
        for (int s = 0; s < steps->size(); ++s) {
            const StepShown& shown = (*steps)[s];
            QCOMPARE(words("h2"), shownText(shown.step->title.en));
            QCOMPARE(words("nav [aria-current]"), QString::number(s + 1));
            QCOMPARE(m_browser.nameless(), 0);
            if (s == 0)
                keep(name + QStringLiteral("-asks"));
            if (shown.step->ask) {
                QVERIFY(is("document.querySelector('.picture') === null")); // it would tell
                click("#show");
            }
            QCOMPARE(words("p.text"), shownText(shown.step->text.en));
            QCOMPARE(m_browser.nameless(), 0);
            const QString at = QStringLiteral("%1-%2").arg(name).arg(s + 1);
            QString problem = unlike(painted(shown, {}, "light", request.size), at + QStringLiteral("-rest"));
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            const std::unique_ptr<View> view = makeView(shown.view);
            const PageMoments moments = pageMoments(*view, shown.context, request.size, 128, progress);
            if (moments.points.size() > 1) {
                ++played;
                const std::size_t last = moments.points.size() - 1;
                m_browser.key(QStringLiteral("Home"), home);
                const QImage first = painted(shown, moments.points[0], "light", request.size);
                problem = unlike(first, at + QStringLiteral("-first"));
                QVERIFY2(problem.isEmpty(), qPrintable(problem));
                m_browser.key(QStringLiteral("ArrowRight"), right);
                const QImage second = painted(shown, moments.points[1], "light", request.size);
                problem = unlike(second, at + QStringLiteral("-second"));
                QVERIFY2(problem.isEmpty(), qPrintable(problem));
                // Where the program's pictures differ much, one is not taken for the other.
                if (checks::difference(first, second).mean > 0.03) {
                    ++compared;
                    QVERIFY(!unlike(first, at + QStringLiteral("-not")).isEmpty());
                }
                const QString there = words("#position");
                m_browser.key(QStringLiteral("ArrowLeft"), left);
                QVERIFY(words("#position") != there || last == 0);
                m_browser.key(QStringLiteral("End"), end);
                problem =
                    unlike(painted(shown, moments.points[last], "light", request.size), at + QStringLiteral("-last"));
                QVERIFY2(problem.isEmpty(), qPrintable(problem));
                const QString over = words("#position");
                // From the start to the end by itself.
                m_browser.js("(() => { const s = document.querySelector('select'); s.value = '16'; "
                             "s.dispatchEvent(new Event('change')); document.activeElement.blur(); })()");
                m_browser.key(QStringLiteral(" "), space);
                QVERIFY(m_browser.until("document.querySelector('#play').getAttribute('aria-label') === 'Play' && "
                                        "document.querySelector('#position').textContent === '" +
                                        over + "'"));
            }
            m_browser.key(QStringLiteral("PageDown"), pageDown);
        }
        QVERIFY(played > 0 || compared == 0);
        m_browser.key(QStringLiteral("PageUp"), pageUp);
        // The other language and the other theme, at the same place.
        click("#language");
        click("#theme");
        QCOMPARE(m_browser.js("document.documentElement.lang").toString(), QStringLiteral("zh-CN"));
        QCOMPARE(words("h1"), shownText(lesson->title.zh));
        const int before = int(steps->size()) - 2;
        {
            const ThreadLanguage speak(QStringLiteral("zh_CN"));
            const QString problem =
                unlike(painted((*steps)[before], {}, "dark", request.size), name + QStringLiteral("-dark"));
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
        }
        keep(name + QStringLiteral("-dark-zh"));
        // On a phone nothing but the picture is wider than the screen, and that scrolls by itself.
        m_browser.size(390, 844, true);
        QVERIFY(is("document.documentElement.scrollWidth <= 390"));
        keep(name + QStringLiteral("-phone"));
        QVERIFY2(m_browser.complaints.isEmpty(), qPrintable(m_browser.complaints.join(QLatin1Char('\n'))));
        QVERIFY2(m_browser.requests.isEmpty(), qPrintable(m_browser.requests.join(QLatin1Char('\n'))));
    }

    // The first step of this lesson wants the even lanes marked, the second a number.
    void questionsAreAnswered() {
        const QString file = QStringLiteral("one-warp-two-paths.html");
        QVERIFY(QFileInfo::exists(m_folder.filePath(file)));
        m_browser.size(1280, 900);
        QVERIFY(m_browser.open(address(file, QStringLiteral("lang=en&theme=light"))));
        m_browser.js("document.querySelectorAll('.lane').forEach((l, i) => { if (i % 2) l.click(); })");
        click(".give");
        QVERIFY(is("document.querySelector('#result').classList.contains('wrong')"));
        click("#result .plain"); // again
        m_browser.js("document.querySelectorAll('.lane').forEach((l, i) => { if (i % 2 === 0) l.click(); })");
        click(".give");
        QVERIFY(is("document.querySelector('#result').classList.contains('right')"));
        QVERIFY(is("document.activeElement.id === 'result'")); // a screen reader goes on there
        keep(QStringLiteral("answered"));
        click("#nextStep");
        m_browser.js("document.querySelector('.number input').value = '0'");
        click(".give");
        QVERIFY(is("document.querySelector('#result').classList.contains('right')"));
        QVERIFY2(m_browser.complaints.isEmpty(), qPrintable(m_browser.complaints.join(QLatin1Char('\n'))));
    }

    void reducedMotionIsHonoured() {
        const QString file = QStringLiteral("one-warp-two-paths.html");
        m_browser.call(
            "Emulation.setEmulatedMedia",
            {{"features", QJsonArray{QJsonObject{{"name", "prefers-reduced-motion"}, {"value", "reduce"}}}}});
        QVERIFY(m_browser.open(address(file, QStringLiteral("lang=en&theme=light"))));
        click("#show");
        QCOMPARE(m_browser.js("document.querySelector('select').value").toString(), QStringLiteral("0.5"));
        QCOMPARE(m_browser.js("document.getAnimations().length").toInt(), 0);
        QCOMPARE(m_browser.js("getComputedStyle(document.querySelector('#play')).transitionDuration").toString(),
                 QStringLiteral("0s"));
        m_browser.call("Emulation.setEmulatedMedia", {{"features", QJsonArray()}});
    }

    // A kernel, a device and a text that would be markup.
    void hostileNamesDoNothing() {
        const QString evil = QStringLiteral("</script><img src=x onerror=alert(1)><svg onload=alert(2)>&\"'");
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->kernels[0].name = trace->info.deviceName = evil.toStdString();
        PaintContext context;
        context.trace = trace;
        context.selection.block = 0;
        context.selection.warp = 0;
        PageRequest request = pageOf(QStringLiteral("lanes"), context);
        request.title = {evil, evil};
        request.steps[0].title = request.steps[0].text = {evil, evil};
        request.steps[0].code = evil;
        Progress progress;
        QCOMPARE(writePage(request, m_folder.filePath(QStringLiteral("evil.html")), progress), QString());
        QVERIFY(m_browser.open(address(QStringLiteral("evil.html"), QStringLiteral("lang=en&theme=light"))));
        QCOMPARE(words("h1"), evil);
        QCOMPARE(words("p.text"), evil);
        QCOMPARE(m_browser.js("document.querySelectorAll('img, [onerror], [onload], iframe, a').length").toInt(), 0);
        QVERIFY(m_browser.js("document.querySelectorAll('.picture text').length").toInt() > 5);
        QVERIFY2(m_browser.complaints.isEmpty(), qPrintable(m_browser.complaints.join(QLatin1Char('\n'))));
        QVERIFY2(m_browser.requests.isEmpty(), qPrintable(m_browser.requests.join(QLatin1Char('\n'))));
        // The page's policy is what holds, not luck: a script that is put in does not run, a picture is not fetched.
        m_browser.js("(() => { const s = document.createElement('script'); s.textContent = 'window.broken = 1'; "
                     "document.body.append(s); const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; })()");
        QVERIFY(is("window.broken === undefined"));
        QVERIFY(!m_browser.complaints.isEmpty()); // and it says so
        QVERIFY(m_browser.complaints.join(QLatin1Char(' ')).contains(QLatin1String("Content Security Policy")));
    }
};

WARPGLASS_QT_TEST(TestBrowser)
#include "test_browser.moc"
