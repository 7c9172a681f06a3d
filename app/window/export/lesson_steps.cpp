// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/lesson_steps.h"
#include "gpu/base/messages/session.h"

#include "app/window/language.h"
#include "app/window/model/carry.h"
#include "app/window/model/select_spec.h"
#include "app/window/model/why_ask.h"
#include "app/window/panels/question_card.h"
#include "app/window/view_registry.h"
#include "views/why/why_view.h"

#include <QFileInfo>

namespace warpglass {

Result<Lesson> findLesson(const QString& nameOrFile) {
    QString path = QStringLiteral(":/lessons/%1.json").arg(nameOrFile);
    if (!QFileInfo::exists(path))
        path = nameOrFile;
    if (!QFileInfo::exists(path)) {
        QStringList names;
        for (const QString& known : builtInLessonPaths())
            names << QFileInfo(known).completeBaseName();
        return Error{.message = say::NoLesson(nameOrFile.toStdString()),
                     .remedy = say::LessonsAre(names.join(QStringLiteral(", ")).toStdString())};
    }
    return readLesson(path, viewKeys());
}

Result<WhyAnswer> putWhy(PaintContext& context, const RunRequest& request, const Run& run) {
    Progress progress;
    auto why = askWhy(request, run, progress, {});
    if (!why)
        return why.error();
    auto answer = std::make_shared<const Result<Why>>(std::move(why));
    context.options[QLatin1String(whyOption)] = whyToOption(answer);
    return WhyAnswer(std::move(answer));
}

Result<void> answerWhy(PaintContext& context, const QString& view, const Run& run) {
    if (view != QLatin1String("why") || !isQuicklyAnswered(*run.trace))
        return {};
    const auto request = whyRequest(run);
    if (!request)
        return request.error();
    const auto answer = putWhy(context, *request, run);
    return answer ? Result<void>() : answer.error();
}

Result<QVector<StepShown>> showSteps(const Lesson& lesson, Progress& progress) {
    QVector<StepShown> shown;
    RunPtr run;
    for (const LessonStep& step : lesson.steps) {
        if (progress.cancelled())
            return Error{say::Cancelled};
        std::optional<RunSource> other;
        if (step.compare)
            other = step.compare;
        Progress part;
        const Result<Opened> opened = step.run ? obtain(*step.run, other, part) : obtain(RunSource(run), other, part);
        if (!opened)
            return opened.error();
        run = opened->current;
        StepShown now;
        now.step = &step;
        now.view = step.view.isEmpty() ? viewKeys().value(0) : step.view;
        const auto title = [&](const char* language) {
            const ThreadLanguage speak{QLatin1String(language)};
            return titleOf(*run) + (opened->other ? QStringLiteral(" · ") + titleOf(*opened->other) : QString());
        };
        now.title = {title("en"), title("zh_CN")};
        now.code = codeOf(*run->trace);
        if (opened->other)
            if (const QString beside = codeOf(*opened->other->trace); beside != now.code)
                now.code += QStringLiteral("\n") + beside;
        PaintContext& context = now.context;
        context.trace = run->trace;
        context.other = opened->other ? opened->other->trace : nullptr;
        context.otherShift = opened->otherShift;
        context.theme = Theme::make(ThemeKind::Light);
        context.options = step.options;
        const Result<SelectSpec> spec = parseSelect(step.select, *run->trace);
        if (!spec)
            return spec.error();
        context.selection = completed(spec.value().selection, *run->trace);
        if (!spec.value().hasTime)
            context.selection.time = middleOf(*run->trace);
        if (auto ok = answerWhy(context, now.view, *run); !ok)
            return ok.error();
        shown.append(now);
        progress.report(double(shown.size()) / double(lesson.steps.size()));
    }
    return shown;
}

} // namespace warpglass
