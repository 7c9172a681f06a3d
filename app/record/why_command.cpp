// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/assembled.h"
#include "app/session/why.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <memory>

namespace warpglass::record {

namespace {

struct WhyCommand {
    std::string kernel;
    RunWords words;
    bool json = false;
};

int run(const WhyCommand& command) {
    auto request = requestOf(command.kernel, command.words);
    if (!request)
        return report(request.error(), badInput);
    auto plan = session::planOf(*request);
    if (!plan)
        return report(plan.error(), badInput);
    if (session::isCaged(*request))
        tellMissingWalls();
    Progress progress;
    std::atomic<int> now = 1, all = 1;
    auto why = [&] { // what it writes on the terminal is gone before the answer comes
        const Interrupt interrupt(progress, [&] { return fmt::format("run {} of {}", now.load(), all.load()); });
        return session::why(*request, *plan, progress, [&](int done, int runs) {
            now = done + 1;
            all = runs;
        });
    }();
    if (!why)
        return report(why.error(), why.error().line > 0 && !progress.cancelled() ? badInput : failed);
    if (session::isCaged(*request))
        why->compiler =
            session::compilerCosts(*why->trace, *plan, session::assembledOf(*plan, request->options.device));
    return print(command.json ? session::whyJson(*why).dump(2) + "\n" : session::whyText(*why));
}

} // namespace

void addWhy(const Command& app, Action& action) {
    auto command = std::make_shared<WhyCommand>();
    const Command sub =
        app.command("why", "Say what a launch's time is spent on: the timing model without one limit at a time");
    addKernelOptions(sub, command->kernel, command->words);
    addRunOptions(sub, command->words);
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
