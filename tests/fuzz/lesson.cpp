// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson's file: what it asks to be run, shown and judged.
#include "app/window/model/lessons.h"
#include "app/window/model/select_spec.h"
#include "tests/fuzz/bounded.h"
#include "tests/fuzz/targets.h"

namespace warpglass::fuzz {

namespace {

void plan(const std::optional<RunSource>& source) {
    const RunRequest* const wanted = source ? std::get_if<RunRequest>(&*source) : nullptr;
    if (!wanted)
        return;
    if (wanted->backend != "emulator" && wanted->backend != "cuda")
        wrong("a lesson asks for a backend that there is not");
    boundedRequest(); // sets the limit of memory
    RunRequest request = *wanted;
    request.backend = "emulator";
    request.countRegisters = false;
    if (!session::planOf(request))
        return;
}

} // namespace

void lesson(std::string_view bytes) {
    constexpr std::size_t most = 1 << 14;
    if (bytes.size() > most)
        return;
    static const QStringList views{QStringLiteral("launchmap"), QStringLiteral("timeline"), QStringLiteral("lanes")};
    const auto read =
        parseLesson(QByteArray(bytes.data(), qsizetype(bytes.size())), QStringLiteral("stranger.json"), views);
    if (!read) {
        if (read.error().message.empty())
            wrong("a lesson was refused without a sentence");
        return;
    }
    if (read->name.isEmpty() || read->steps.isEmpty())
        wrong("a lesson without a name or steps was accepted");
    for (const LessonStep& step : read->steps) {
        if (!step.view.isEmpty() && !views.contains(step.view))
            wrong("a step shows a view that there is not");
        plan(step.run);
        plan(step.compare);
        (void)parseSelect(step.select, Trace{});
        if (step.ask && !step.ask->choices.isEmpty() &&
            (step.ask->right < 0 || step.ask->right >= step.ask->choices.size()))
            wrong("a question's right answer is none of its choices");
        if (step.predict)
            (void)step.predict->guess();
        (void)step.title.in(QStringLiteral("zh_CN"));
    }
}

} // namespace warpglass::fuzz
