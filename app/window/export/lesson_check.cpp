// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/lesson_check.h"

#include "app/window/export/lesson_steps.h"
#include "app/window/model/select_spec.h"
#include "app/window/view_registry.h"
#include "views/common/shown_words.h"
#include "views/common/view.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warpglass {

namespace {

constexpr std::array<double, 3> knownNumbers{0, 1, lanesPerWarp};

session::Observed observedOf(const RunPtr& run) {
    if (!run)
        return {};
    return {.trace = run->trace.get(), .check = run->check, .faulted = run->fault.has_value()};
}

// What the step's view is given; of no theme, since nothing is painted.
Result<PaintContext> contextOf(const LessonStep& step, const RunPtr& run, const RunPtr& other) {
    const Result<SelectSpec> spec = parseSelect(step.select, *run->trace);
    if (!spec)
        return spec.error();
    PaintContext context;
    context.trace = run->trace;
    context.other = other ? other->trace : nullptr;
    context.options = step.options;
    context.selection = completed(spec->selection, *run->trace);
    if (auto ok = answerWhy(context, step.view, *run); !ok)
        return ok.error();
    return context;
}

// Why the step's view would not show what the step is about; empty: it does.
QString viewProblem(const LessonStep& step, const PaintContext& context) {
    if (step.view.isEmpty())
        return {};
    const std::unique_ptr<View> view = makeView(step.view);
    for (const Switch& s : view->switches(context)) {
        const auto set = step.options.constFind(s.option);
        if (set == step.options.cend())
            continue;
        const bool known = std::any_of(s.choices.begin(), s.choices.end(),
                                       [&](const auto& choice) { return choice.first == set->toString(); });
        if (!known)
            return QStringLiteral("the view \"%1\" has no \"%2\" for \"%3\"").arg(step.view, set->toString(), s.option);
    }
    if (const auto emptiness = view->thoroughEmptiness(context))
        return QStringLiteral("the view \"%1\" shows nothing: %2").arg(step.view, emptiness->why);
    return {};
}

QString maskText(std::uint32_t bits) {
    return QStringLiteral("0x%1").arg(bits, 8, 16, QLatin1Char('0'));
}

// Why the view would not ask what the step says it does, or would show another answer; empty: it does.
QString predictionProblem(const LessonStep& step, PaintContext context) {
    if (!step.predict)
        return {};
    const std::unique_ptr<View> view = makeView(step.view);
    std::optional<Prediction> asked = view->prediction(context);
    if (!asked) { // as in the window: behind the last one it begins again
        context.selection.time = context.trace->range().begin - Time{1};
        asked = view->prediction(context);
    }
    if (!asked)
        return QStringLiteral("the view \"%1\" has nothing to predict there").arg(step.view);
    const Guess truth = truthOf(*asked);
    if (truth != step.predict->guess()) {
        const bool mask = step.predict->truth.startsWith(QLatin1String("0x")) && asked->asked == Asked::Items;
        LaneMask lanes;
        for (const int item : truth.items)
            if (mask && item < lanesPerWarp)
                lanes.bits |= std::uint32_t(1) << item;
        return QStringLiteral("\"predict\": the answer is %1, not \"%2\"")
            .arg(mask ? maskText(lanes.bits) : truth.text(), step.predict->truth);
    }
    return {};
}

QStringList textsOf(const LessonStep& step) {
    QStringList texts;
    const auto add = [&texts](const LocalText& text) { texts << text.en << text.zh; };
    add(step.title);
    add(step.text);
    if (step.predict)
        add(step.predict->answer);
    if (step.ask) {
        add(step.ask->question);
        add(step.ask->answer);
        if (step.ask->right >= 0)
            add(step.ask->choices[step.ask->right]);
    }
    return texts;
}

int complain(const QString& sentence) {
    QTextStream(stderr) << shown(sentence) << Qt::endl;
    return 1;
}

// A quotation's two ends, so that what is said of it stays to be read.
QString brief(const QString& text) {
    constexpr int most = 600;
    return text.size() <= most ? text : text.left(most / 2) + QStringLiteral(" … ") + text.right(most / 2);
}

} // namespace

QVector<double> numbersOf(const QString& text) {
    // A device's name, quoted code, a number (the 2nd of four, too), a name: what is taken first cannot be taken again.
    static const QRegularExpression parts(QStringLiteral(
        R"re((?:RTX|GTX) \d+|`[^`]*`|0x[0-9a-fA-F]+|(?<number>\d{1,3}(?:,\d{3})++|\d++(?:\.\d++)?)(?!(?!(?:st|nd|rd|th)\b)[A-Za-z_]*[A-WYZa-wyz_])|[xX](?=\d)|[A-Za-z_][A-Za-z0-9_]*+|\d++)re"));
    QVector<double> numbers;
    for (auto part = parts.globalMatch(text); part.hasNext();) {
        const auto match = part.next();
        double value = 0;
        if (match.captured().startsWith(QLatin1String("0x")))
            value = double(match.captured().toULongLong(nullptr, 16));
        else if (!match.captured(QStringLiteral("number")).isEmpty())
            value = match.captured(QStringLiteral("number")).remove(QLatin1Char(',')).toDouble();
        else
            continue;
        if (!numbers.contains(value))
            numbers.append(value);
    }
    return numbers;
}

QVector<double> unprovenNumbers(const LessonStep& step) {
    QVector<double> unproven;
    const auto look = [&](double number) {
        if (std::find(knownNumbers.begin(), knownNumbers.end(), number) != knownNumbers.end())
            return;
        const bool proven = std::any_of(step.expectations.begin(), step.expectations.end(), [&](const auto& e) {
            const std::vector<double>& written = e.expectation.numbers;
            return std::find(written.begin(), written.end(), number) != written.end();
        });
        if (!proven && !unproven.contains(number))
            unproven.append(number);
    };
    for (const QString& text : textsOf(step))
        for (const double number : numbersOf(text))
            look(number);
    if (step.ask && step.ask->number)
        look(*step.ask->number);
    if (step.ask && step.ask->lanes)
        look(step.ask->lanes->bits);
    return unproven;
}

// Whether a step's title, which is read before the question, says the number that is asked for: in digits or in a word.
bool titleTellsAnswer(const LessonStep& step) {
    if (!step.ask || !step.ask->number)
        return false;
    static const std::array<std::pair<const char*, const char*>, 13> words{
        {{"no|nothing|none|nobody|never", "没有|没人|无"},
         {"", ""},
         {"", ""},
         {"three", "三"},
         {"four", "四"},
         {"five", "五"},
         {"six", "六"},
         {"seven", "七"},
         {"eight", "八"},
         {"nine", "九"},
         {"ten", "十"},
         {"eleven", "十一"},
         {"twelve", "十二"}}};
    const double number = *step.ask->number;
    const auto tells = [&](const QString& title, const QString& question, const QString& word) {
        if (numbersOf(title).contains(number) && !numbersOf(question).contains(number))
            return true;
        const QRegularExpression said(word, QRegularExpression::CaseInsensitiveOption);
        return !word.isEmpty() && said.match(title).hasMatch() && !said.match(question).hasMatch();
    };
    const bool named = number >= 0 && number < double(words.size()) && number == std::floor(number) &&
                       *words[std::size_t(number)].first;
    const auto& [english, chinese] = words[named ? std::size_t(number) : 1];
    const LocalText &title = step.title, &question = step.ask->question;
    return tells(title.en, question.en,
                 named ? QStringLiteral("\\b(?:%1)\\b").arg(QLatin1String(english)) : QString()) ||
           tells(title.zh, question.zh, QString::fromUtf8(chinese));
}

// A number as the lesson writes it: a mask of lanes in hexadecimal.
QString asWritten(const LessonStep& step, double number) {
    static const QRegularExpression masks(QStringLiteral("0x[0-9a-fA-F]+"));
    if (step.ask && step.ask->lanes && number == step.ask->lanes->bits)
        return maskText(step.ask->lanes->bits);
    for (const QString& text : textsOf(step))
        for (auto mask = masks.globalMatch(text); mask.hasNext();)
            if (QString word = mask.next().captured(); double(word.toULongLong(nullptr, 16)) == number)
                return word;
    return QString::number(number, 'g', 12);
}

LessonReport checkLesson(const Lesson& lesson, Progress& progress) {
    LessonReport report;
    RunPtr run;
    for (int i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        // What it quotes may be of any length: cut, as errors are.
        const auto found = [&](int line, const QString& text) {
            report.findings.append({i, line, QString::fromStdString(Error{text.toStdString()}.text())});
        };
        ++report.steps;
        for (const double number : unprovenNumbers(step))
            found(step.line, QStringLiteral("the text says %1, and no expectation of the step holds that number")
                                 .arg(asWritten(step, number)));
        if (titleTellsAnswer(step))
            found(step.line, QStringLiteral("the title \"%1\" tells the answer of its question").arg(step.title.en));
        RunPtr other;
        const auto get = [&](const std::optional<RunSource>& source, RunPtr& into, const char* what) {
            if (!source)
                return;
            into = nullptr;
            Result<RunPtr> got = obtain(*source, progress);
            if (got)
                into = std::move(*got);
            else
                found(step.line, QStringLiteral("\"%1\" does not run: %2")
                                     .arg(QLatin1String(what), QString::fromStdString(got.error().text())));
        };
        get(step.run, run, "run");
        get(step.compare, other, "compare");
        if (!run || (step.compare && !other))
            continue;
        if (const auto context = contextOf(step, run, other); !context) {
            found(step.line, QString::fromStdString(context.error().text()));
        } else {
            if (const QString problem = viewProblem(step, *context); !problem.isEmpty())
                found(step.line, problem);
            if (const QString problem = predictionProblem(step, *context); !problem.isEmpty())
                found(step.line, problem);
        }
        const session::Observed beside = observedOf(other);
        session::Observed observed = observedOf(run);
        observed.other = other ? &beside : nullptr;
        for (const LessonExpectation& expected : step.expectations) {
            ++report.expectations;
            const session::Judgement judgement = session::judge(expected.expectation, observed);
            if (!judgement.holds)
                found(expected.line, QStringLiteral("\"%1\" does not hold: %2")
                                         .arg(brief(QString::fromStdString(expected.expectation.text)),
                                              brief(QString::fromStdString(judgement.found))));
        }
    }
    return report;
}

int checkLessons(const QStringList& lessons) {
    int status = 0;
    for (const QString& name : lessons) {
        QString path = QStringLiteral(":/lessons/%1.json").arg(name);
        if (!QFileInfo::exists(path))
            path = name;
        const Result<Lesson> lesson = readLesson(path, viewKeys());
        if (!lesson) {
            status = complain(QString::fromStdString(lesson.error().text()));
            continue;
        }
        Progress progress;
        const LessonReport report = checkLesson(lesson.value(), progress);
        for (const LessonFinding& finding : report.findings)
            status = complain(QStringLiteral("%1:%2: step %3: %4")
                                  .arg(QFileInfo(path).fileName(), QString::number(finding.line),
                                       QString::number(finding.step + 1), finding.text));
        if (report.findings.isEmpty())
            QTextStream(stdout) << QFileInfo(path).fileName() << ": " << report.steps << " steps, "
                                << report.expectations << " expectations hold" << Qt::endl;
    }
    return status;
}

} // namespace warpglass
