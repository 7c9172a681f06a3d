// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/budgets.h"
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/rank.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>

namespace warpglass::record {

namespace {

struct RankCommand {
    std::vector<std::string> kernels, variants, results;
    std::string unused; // the kernel of addKernelOptions
    RunWords words;
    std::string tolerance = "1e-5";
    bool json = false;
};

// Every kernel with every variant. Error: a word that would be wrong for all of them.
Result<std::vector<session::Candidate>> candidatesOf(const RankCommand& command) {
    std::vector<session::Candidate> all;
    const std::vector<std::string> variants =
        command.variants.empty() ? std::vector<std::string>{""} : command.variants;
    for (const std::string& kernel : command.kernels)
        for (const std::string& variant : variants) {
            auto words = shellWords(variant);
            if (!words)
                return Error{.message = words.error().message, .file = "--variant"};
            words->insert(words->begin(), kernel);
            auto read = kernelWordsOf(*words, command.words);
            if (!read)
                return Error{.message = fmt::format("{}: {}", variant, read.error().message.text()),
                             .file = "--variant"};
            session::Candidate candidate{.name = command.kernels.size() > 1 || variant.empty() ? kernel : "",
                                         .request = {}};
            if (!variant.empty())
                candidate.name += (candidate.name.empty() ? "" : " ") + variant;
            auto request = requestOf(read->kernel, read->run);
            if (!request && !read->kernel.ends_with(".py")) // of which Triton says what is wrong with one alone
                return request.error();
            if (request)
                candidate.request = std::move(*request);
            else
                candidate.wrong = request.error();
            all.push_back(std::move(candidate));
        }
    return all;
}

int run(const RankCommand& command) {
    session::RankRequest request{.candidates = {}, .results = command.results, .threads = command.words.threads};
    const char* const end = command.tolerance.data() + command.tolerance.size();
    const auto [next, failure] = std::from_chars(command.tolerance.data(), end, request.tolerance);
    if (failure != std::errc() || next != end || !(request.tolerance >= 0))
        return report(Error{.message = fmt::format("\"{}\" is no tolerance", command.tolerance), .file = "--tolerance"},
                      badInput);
    if (command.words.backend != name(BackendKind::Emulator))
        return report(Error{.message = "what a kernel is limited by is asked of the timing model",
                            .file = "--backend",
                            .remedy = "Leave it out; `sweep` compares on a GPU."},
                      badInput);
    auto candidates = candidatesOf(command);
    if (!candidates)
        return report(candidates.error(), badInput);
    request.candidates = std::move(*candidates);
    if (std::any_of(request.candidates.begin(), request.candidates.end(),
                    [](const session::Candidate& c) { return !c.wrong && session::isCaged(c.request); }))
        tellMissingWalls();
    Progress progress;
    std::atomic<std::size_t> finished = 0;
    auto order = [&] {
        const Interrupt interrupt(
            progress, [&] { return fmt::format("{} of {} candidates", finished.load(), request.candidates.size()); });
        return session::rank(request, progress, [&](std::size_t n) { finished = n; });
    }();
    if (!order)
        return report(order.error(), failed);
    const bool any = !order->empty() && order->front().state == session::RankState::Ok;
    return print(command.json
                     ? session::rankJson(*order).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
                     : session::rankText(*order),
                 any ? done : failed);
}

} // namespace

void addRank(const Command& app, Action& action) {
    auto command = std::make_shared<RankCommand>();
    const Command sub = app.command("rank", "Order candidates for one kernel by modelled time, wrong ones last");
    addKernelOptions(sub, command->unused, command->words);
    sub.withdraw("KERNEL");
    sub.option("KERNELS", &command->kernels,
               "files (.cu, .ptx, .py) or names of the catalogue; the results of all are held against the first one's")
        .required();
    addRunOptions(sub, command->words);
    sub.describe("--threads", "candidates at a time; 0 = as many as there are processors");
    sub.option("--variant", &command->variants,
               "a candidate of each file with these further options: '-D TILE=16 --block 16x16'")
        .onceEach();
    sub.option("--result", &command->results, "compare this buffer; else all that two candidates have by the same name")
        .onceEach();
    sub.option("--tolerance", &command->tolerance, "of floating-point results, relative").showDefault();
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
