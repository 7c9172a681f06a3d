// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/play_page.h"

#include "app/window/export/film.h"
#include "app/window/export/page_frames.h"
#include "app/window/export/report_parts.h"
#include "app/window/language.h"
#include "app/window/view_registry.h"
#include "views/common/page.h"
#include "views/common/shown_words.h"
#include "views/common/svg_device.h"
#include "views/common/ticks.h"
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <functional>

namespace warpglass {

namespace {

struct PlayPageText {
    Q_DECLARE_TR_FUNCTIONS(PlayPage)
};

constexpr qsizetype mostBytes = 1'900'000; // of a file: what a mail takes, and a slow line in a moment
constexpr int mostFrames = 128, fewestFrames = 8;
// Pictures between two moments: as many as make a short run move and do not make a long one large.
constexpr std::size_t shortRun = 12, longRun = 40;
constexpr int manyBetween = 8, someBetween = 4;
constexpr const char* languages[] = {"en", "zh_CN"};

QString textIn(const LocalText& text, const char* language) {
    return shown(shownText(text.in(QLatin1String(language))));
}

// The words of the page itself, in this thread's language, by the names that player.js asks for.
QJsonObject pageWords() {
    const std::pair<const char*, QString> words[] = {
        {"play", PlayPageText::tr("Play")},
        {"pause", PlayPageText::tr("Pause")},
        {"first", PlayPageText::tr("To the start")},
        {"back", PlayPageText::tr("One back")},
        {"forward", PlayPageText::tr("One on")},
        {"last", PlayPageText::tr("To the end")},
        {"position", PlayPageText::tr("Where the run is")},
        {"speed", PlayPageText::tr("Speed")},
        {"aSecond", PlayPageText::tr("%1 a second")},
        {"dark", PlayPageText::tr("Dark")},
        {"light", PlayPageText::tr("Light")},
        {"steps", PlayPageText::tr("Steps")},
        {"stepOf", PlayPageText::tr("Step %1 of %2")},
        {"previousStep", PlayPageText::tr("Previous step")},
        {"nextStep", PlayPageText::tr("Next step")},
        {"predict", PlayPageText::tr("Predict before you look")},
        {"give", PlayPageText::tr("That is my answer")},
        {"show", PlayPageText::tr("Show me")},
        {"askAgain", PlayPageText::tr("Ask me again")},
        {"right", PlayPageText::tr("Right.")},
        {"wrong", PlayPageText::tr("Not so.")},
        {"kernel", PlayPageText::tr("The kernel")},
        {"numbers", PlayPageText::tr("The numbers")},
        {"again", PlayPageText::tr("What makes this page again")},
        {"lane", PlayPageText::tr("lane %1")},
        {"moment", PlayPageText::tr("%1 of %2")},
        {"some", PlayPageText::tr("%1 of %2 moments are in this file.")},
        {"keys",
         PlayPageText::tr("Space plays, the arrows step, Home and End go to the ends, Page Up and Page Down change the "
                          "step.")},
        {"broken", PlayPageText::tr("This page cannot be shown: %1")},
        {"madeBy", PlayPageText::tr("Made by Warpglass %1")},
    };
    QJsonObject object;
    for (const auto& [name, text] : words)
        object[QLatin1String(name)] = text;
    return object;
}

QJsonObject questionJson(const LessonQuestion& ask, const char* language) {
    QJsonObject json{{"question", textIn(ask.question, language)}, {"answer", textIn(ask.answer, language)}};
    if (!ask.choices.isEmpty()) {
        QJsonArray choices;
        for (const LocalText& choice : ask.choices)
            choices.append(textIn(choice, language));
        json["choices"] = choices;
        json["right"] = ask.right;
    } else if (ask.lanes) {
        json["lanes"] = double(ask.lanes->bits);
    } else if (ask.number) {
        json["number"] = *ask.number;
    }
    return json;
}

// In this thread's language.
QJsonObject numbersJson(const PaintContext& context) {
    const ReportTable table = numbersTable(*context.trace, context.other.get());
    QJsonArray right, rows;
    for (const int column : table.rightAligned)
        right.append(column);
    for (const QVector<ReportCell>& row : table.rows) {
        QJsonArray cells;
        for (const ReportCell& cell : row)
            cells.append(shown(shownText(cell.text)));
        rows.append(cells);
    }
    return {{"header", QJsonArray::fromStringList(table.header)}, {"right", right}, {"rows", rows}};
}

// The commands behind a page: each run as it was recorded, where that is known, and the page of them.
QString commandsOf(const PageStep& step) {
    QStringList lines;
    QString page = QStringLiteral("warpglass page A.wgt --view %1").arg(step.view);
    const auto add = [&](const Trace& trace, const char* file) {
        const QString command = shown(QString::fromStdString(trace.info.command));
        if (command.startsWith(QLatin1String("run ")))
            lines << QStringLiteral("warpglass-record %1 -o %2").arg(command, QLatin1String(file));
        else if (!command.isEmpty())
            lines << QStringLiteral("# %1: %2").arg(QLatin1String(file), command);
    };
    add(*step.context.trace, "A.wgt");
    if (step.context.other) {
        add(*step.context.other, "B.wgt");
        page += QLatin1String(" --compare B.wgt");
    }
    lines << page + QLatin1String(" -o page.html");
    return lines.join(QLatin1Char('\n'));
}

// One language's frames of one step: the picture as the step selects it, then those of its moments.
struct Painted {
    QVector<FramePool::Frame> frames;
    QString title, question, caption;
    QString label; // of the picture as the step selects it
    QStringList labels;
};

// The pictures of one theme, each taking over the model of the one before.
class StepPainter {
public:
    StepPainter(const View& view, const PaintContext& context, const char* theme, QSize size)
        : m_view(view), m_context(context), m_size(size) {
        m_context.theme = Theme::named(QLatin1String(theme));
    }
    QByteArray at(const std::optional<ScorePoint>& point) {
        PaintContext context = m_context;
        if (point) {
            context.selection.time = point->time;
            context.selection.motion = point->motion;
        }
        m_page = composePage(m_view, context, m_size, m_page.picture);
        return svgOf(m_page);
    }
    const QString& caption() const { return m_page.caption; }

private:
    const View& m_view;
    PaintContext m_context;
    QSize m_size;
    Page m_page;
};

Painted paintStep(FramePool& pool, const View& view, const PaintContext& context, QSize size,
                  const PageMoments& moments, const std::function<bool()>& goOn) {
    Painted painted;
    StepPainter light(view, context, "light", size), dark(view, context, "dark", size);
    painted.frames.append(pool.add(light.at({}), dark.at({})));
    painted.title = view.title();
    painted.question = view.question();
    painted.caption = light.caption();
    const TimeUnit unit = context.trace ? context.trace->info.timeUnit : TimeUnit{};
    const auto label = [&](Time time) {
        return PlayPageText::tr("%1 of %2")
            .arg(timeText(time - moments.range.begin, unit), timeText(moments.range.length(), unit));
    };
    painted.label = label(context.selection.time);
    const auto add = [&](const ScorePoint& point) {
        if (!goOn())
            return false;
        painted.frames.append(pool.add(light.at(point), dark.at(point)));
        return true;
    };
    for (const ScorePoint& point : moments.points) {
        if (!add(point))
            return painted;
        painted.labels << label(point.time);
    }
    for (const ScorePoint& point : moments.between)
        if (!add(point))
            return painted;
    return painted;
}

// The document that the page's script reads, packed; nothing if it was cancelled.
QByteArray packed(const PageRequest& request, int most, bool moving, PageMade& made, Progress& progress) {
    FramePool pool;
    made = {.most = most};
    QJsonArray steps;
    FramePool::Frame before;
    int finished = 0;
    for (const PageStep& step : request.steps) {
        const std::unique_ptr<View> view = makeView(step.view);
        const PageMoments moments = pageMoments(*view, step.context, request.size, std::size_t(most), progress, moving);
        made.frames += int(moments.points.size() + moments.between.size()) + 1;
        made.left += moments.points.size() < moments.all;
        QJsonObject json{{"view", step.view}, {"code", step.code}};
        QJsonArray weights;
        int start = 0;
        for (std::size_t i = 0; i < moments.points.size(); ++i) {
            weights.append(moments.weights[i]);
            if (moments.points[i].time <= step.context.selection.time)
                start = int(i);
        }
        json["weights"] = weights;
        json["between"] = moments.betweenEach;
        json["start"] = start; // which moment the step's own picture is nearest to
        json["moments"] = int(moments.all);
        QJsonArray spoken;
        for (const char* language : languages) {
            const ThreadLanguage speak{QLatin1String(language)};
            int frame = 0;
            const auto goOn = [&] {
                const double share = double(++frame) / double(moments.points.size() + moments.between.size() + 1);
                progress.report((finished + share) / double(2 * request.steps.size()));
                return !progress.cancelled();
            };
            const Painted painted = paintStep(pool, *view, step.context, request.size, moments, goOn);
            if (progress.cancelled())
                return {};
            QJsonArray frames;
            for (const FramePool::Frame& one : painted.frames) {
                frames.append(FramePool::told(one, before));
                before = one;
            }
            QJsonObject words{{"title", textIn(step.title, language)},
                              {"text", textIn(step.text, language)},
                              {"viewTitle", painted.title},
                              {"viewQuestion", painted.question},
                              {"caption", painted.caption},
                              {"run", textIn(step.run, language)},
                              {"label", painted.label},
                              {"labels", QJsonArray::fromStringList(painted.labels)},
                              {"frames", frames}};
            if (step.numbers && step.context.trace)
                words["numbers"] = numbersJson(step.context);
            if (step.ask)
                words["ask"] = questionJson(*step.ask, language);
            spoken.append(words);
            ++finished;
        }
        json["spoken"] = spoken;
        if (step.numbers && step.context.trace)
            json["again"] = commandsOf(step);
        steps.append(json);
    }
    QJsonArray titles, summaries, words, tags;
    for (const char* language : languages) {
        const ThreadLanguage speak{QLatin1String(language)};
        titles.append(textIn(request.title, language));
        summaries.append(textIn(request.summary, language));
        words.append(pageWords());
        tags.append(QString::fromLatin1(language).replace(QLatin1Char('_'), QLatin1Char('-')));
    }
    const QJsonObject all{{"format", 1},
                          {"version", QCoreApplication::applicationVersion()},
                          {"languages", tags},
                          {"words", words},
                          {"titles", titles},
                          {"summaries", summaries},
                          {"width", request.size.width()},
                          {"height", request.size.height()},
                          {"lines", pool.lines()},
                          {"colours", pool.colours()},
                          {"steps", steps}};
    constexpr int lengthField = 4; // qCompress puts the length before what any other program reads
    return qCompress(QJsonDocument(all).toJson(QJsonDocument::Compact), 9).mid(lengthField);
}

QByteArray pageFile(const char* name) {
    QFile file(QStringLiteral(":/page/%1").arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray hashed(const QByteArray& bytes) {
    return "'sha256-" + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toBase64() + "'";
}

// Two themes' colours as properties of the page's style.
QByteArray styleColours(const Theme& t) {
    const std::pair<const char*, QColor> shades[] = {
        {"window", t.window},
        {"panel", t.panel},
        {"sunken", t.sunken},
        {"border", t.border},
        {"text", t.text},
        {"muted", t.textMuted},
        {"accent", t.accent},
        {"accent-soft", t.accentSoft},
        {"on-accent", t.textOnAccent},
        {"good", t.good},
        {"wrong", t.wrong},
    };
    QByteArray css;
    for (const auto& [name, colour] : shades)
        css += QByteArray("--") + name + ':' + colour.name().toLatin1() + ';';
    return css;
}

QByteArray pageHtml(const PageRequest& request, const QByteArray& data) {
    const QByteArray style = ":root{color-scheme:light;" + styleColours(Theme::make(ThemeKind::Light)) +
                             "}\n:root[data-theme=dark]{color-scheme:dark;" +
                             styleColours(Theme::make(ThemeKind::Dark)) + "}\n" + pageFile("page.css");
    const QByteArray script = pageFile("player.js");
    QByteArray out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src " +
                     hashed(script) + "; style-src " + hashed(style) +
                     "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"generator\" content=\"Warpglass\">\n<title>" +
                     xmlText(textIn(request.title, "en")).toUtf8() + "</title>\n<style>" + style +
                     "</style></head>\n<body><noscript>";
    for (const char* language : languages) {
        const ThreadLanguage speak{QLatin1String(language)};
        out +=
            "<p>" +
            xmlText(PlayPageText::tr("This page plays by a script that it holds. Allow scripts to see it.")).toUtf8() +
            "</p>";
    }
    return out + "</noscript>\n<div id=\"page\"></div>\n<script type=\"application/octet-stream\" id=\"data\">" +
           data.toBase64() + "</script>\n<script>" + script + "</script></body></html>\n";
}

// "mathKernel1 <<<1, 64>>>"
QString launchName(const Trace& trace, std::uint32_t row) {
    if (row >= trace.launches.size())
        return {};
    const Launch& launch = trace.launches[row];
    const auto shape = [](const Dim3& d) {
        return d.z > 1   ? QStringLiteral("(%1, %2, %3)").arg(d.x).arg(d.y).arg(d.z)
               : d.y > 1 ? QStringLiteral("(%1, %2)").arg(d.x).arg(d.y)
                         : QString::number(d.x);
    };
    return QStringLiteral("%1 <<<%2, %3>>>")
        .arg(shown(QString::fromStdString(trace.kernelOf(launch).name)), shape(launch.grid), shape(launch.block));
}

} // namespace

PageMoments pageMoments(const View& view, const PaintContext& context, QSize size, std::size_t most, Progress& progress,
                        bool moving) {
    PageMoments moments;
    if (!context.trace)
        return moments;
    Selection early = context.selection, late = early;
    early.time = context.trace->range().begin;
    late.time = context.trace->range().end;
    if (early.time == late.time || view.looksAt(early) == view.looksAt(late))
        return moments; // one picture for all times
    Progress nobody;
    PaintContext onPaper = context; // the beats of the picture that is painted
    onPaper.clickable = false;
    onPaper.paper = true;
    const PicturePtr first = view.compose(onPaper, QRectF(QPointF(0, 0), QSizeF(size)), nobody);
    const std::vector<Time> times = shownMoments(context, progress);
    if (times.empty() || !first || first->emptiness())
        return moments;
    moments.range = {times.front(), times.back()};
    const std::vector<Beat> own = first->beats();
    const Score score = scoreOf(own.empty() ? beatsOf(times, times.size()) : own, moments.range);
    moments.all = score.beats.size();
    const std::size_t count = std::min(moments.all, std::max<std::size_t>(2, most)), last = moments.all - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = count > 1 ? i * last / (count - 1) : 0;
        const Time time = score.beats[at].time;
        const bool rests = at == last || own.empty();
        moments.points.push_back({time, rests ? Motion{} : Motion{true, time, 1}});
        moments.weights.push_back(score.beats[at].weight);
    }
    Selection way = early;
    way.motion = {true, late.time, 0.5};
    if (!moving || own.empty() || count < moments.all || count > longRun || view.looksAt(way) == view.looksAt(early))
        return moments; // nothing that a picture shows lies between two moments
    moments.betweenEach = count <= shortRun ? manyBetween : someBetween;
    for (std::size_t i = 0; i + 1 < count; ++i)
        for (int b = 0; b < moments.betweenEach; ++b)
            moments.between.push_back(
                {moments.points[i].time, {true, moments.points[i + 1].time, double(b) / double(moments.betweenEach)}});
    return moments;
}

PageRequest pageOf(const Lesson& lesson, const QVector<StepShown>& steps) {
    PageRequest request;
    request.title = lesson.title;
    request.summary = lesson.summary;
    for (const StepShown& shown : steps)
        request.steps.append(
            {shown.step->title, shown.step->text, shown.step->ask, shown.code, shown.title, shown.view, shown.context});
    return request;
}

PageRequest pageOf(const QString& view, const PaintContext& context) {
    PageRequest request;
    PageStep step;
    step.view = view;
    step.context = context;
    step.numbers = true;
    const auto run = [&](const char* language) {
        const ThreadLanguage speak{QLatin1String(language)};
        QString name = context.trace ? launchName(*context.trace, context.selection.launch) : QString();
        if (context.other)
            name += QStringLiteral(" · ") + launchName(*context.other, context.selection.launch);
        return name;
    };
    step.run = {run(languages[0]), run(languages[1])};
    const std::unique_ptr<View> named = makeView(view);
    const auto title = [&](const char* language) {
        const ThreadLanguage speak{QLatin1String(language)};
        const QString launch = textIn(step.run, language);
        return named ? named->title() + (launch.isEmpty() ? QString() : QStringLiteral(": ") + launch) : QString();
    };
    request.title = {title(languages[0]), title(languages[1])};
    request.steps.append(step);
    return request;
}

QString writePage(const PageRequest& request, const QString& path, Progress& progress, PageMade* made) {
    for (const PageStep& step : request.steps) {
        const std::unique_ptr<View> view = makeView(step.view);
        if (!view)
            return PlayPageText::tr("There is no view \"%1\".").arg(step.view);
        if (const auto empty = view->thoroughEmptiness(step.context))
            return PlayPageText::tr("This view has nothing to show: %1").arg(empty->why);
    }
    PageMade facts;
    QByteArray bytes;
    // Fewer moments where all of them would make the file too large.
    bool moving = true;
    for (int most = mostFrames; most >= fewestFrames; most = moving ? most : most / 2, moving = false) {
        const QByteArray data = packed(request, most, moving, facts, progress);
        if (progress.cancelled())
            return PlayPageText::tr("The page was cancelled.");
        bytes = pageHtml(request, data);
        if (bytes.size() <= mostBytes)
            break;
    }
    if (bytes.size() > mostBytes)
        return PlayPageText::tr("The page would be larger than %1 MB. Show less of the run, or a smaller one.").arg(2);
    WholeFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return file.whyNot();
    facts.bytes = bytes.size();
    if (made)
        *made = facts;
    progress.report(1.0);
    return {};
}

} // namespace warpglass
