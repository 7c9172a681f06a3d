// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/who.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace warpglass::record {

namespace {

struct WhoCommand {
    std::string kernel, word;
    RunWords words;
    bool json = false;
};

int run(const WhoCommand& command) {
    if (auto word = session::checkWord(command.word); !word)
        return report(word.error(), badInput);
    auto request = requestOf(command.kernel, command.words);
    if (!request)
        return report(request.error(), badInput);
    request->countRegisters = false; // of which nothing is said here
    auto plan = session::planOf(*request);
    if (!plan)
        return report(plan.error(), badInput);
    if (request->backend != name(BackendKind::Emulator))
        return report(Error{.message = "who used a word is known of the emulator alone",
                            .file = "--backend",
                            .remedy = "Leave --backend out."},
                      badInput);
    if (session::isCaged(*request))
        tellMissingWalls();
    Progress progress;
    const Interrupt interrupt(progress);
    const auto who = session::who(*request, *plan, command.word, progress);
    if (!who)
        return report(who.error(), progress.cancelled() ? failed : badInput);
    return print(command.json ? session::whoJson(*who).dump(2) + "\n" : session::whoText(*who));
}

} // namespace

void addWho(const Command& app, Action& action) {
    auto command = std::make_shared<WhoCommand>();
    const Command sub = app.command("who", "Say who read and wrote a word of memory in a launch, or what values a "
                                           "variable of the source had, the last first: the "
                                           "launch is made again and watched");
    addKernelOptions(sub, command->kernel, command->words);
    sub.option(
           "--word", &command->word,
           "a word: out[17] (a buffer, a pointer of the kernel's, a variable; elements as the accesses count them), "
           "'tile[3] of block 5' (shared memory) or an address; or a variable of a function compiled with -G: sum, "
           "'k at line 12', 'p.a[3] of block 5 thread 3', 'sum of warp 2'")
        .required();
    addRunOptions(sub, command->words);
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
