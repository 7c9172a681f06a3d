// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/record/interrupt.h"
#include "app/session/check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <memory>

namespace warpglass::record {

namespace {

struct CheckCommand {
    session::CheckOptions options;
    std::string backend = "emulator", language = "en";
    bool json = false;
};

std::string cell(std::optional<double> value) {
    return value ? fmt::format("{:.6g}", *value) : "-";
}

std::string heading() {
    return fmt::format("{:<4} {:<26} {:>12} {:>12} {:>12} {:<6} {:<22} {}\n", "doc", "metric", "claimed", "measured",
                       "emulated", "unit", "verdict", "statement");
}

std::string row(const CheckedClaim& c, bool chinese) {
    std::string text = fmt::format("{:<4} {:<26} {:>12} {:>12} {:>12} {:<6} {:<22} {}\n", c.claim->document,
                                   c.claim->metric, cell(c.claim->claimed), cell(c.measured), cell(c.emulated),
                                   c.claim->unit == "1" ? "" : c.claim->unit, name(c.judgement.verdict),
                                   chinese ? c.claim->statement.zh : c.claim->statement.en);
    const std::string& why = chinese ? c.judgement.why.zh : c.judgement.why.en;
    if (!why.empty() && c.judgement.verdict != Verdict::OtherHardware)
        text += fmt::format("     {}\n", why);
    return text;
}

std::string totals(const std::vector<CheckedClaim>& checked) {
    std::map<std::string, int> counts;
    for (const CheckedClaim& c : checked)
        ++counts[name(c.judgement.verdict)];
    std::string text = fmt::format("\n{} claims:", checked.size());
    for (const auto& [verdict, count] : counts)
        text += fmt::format(" {} {},", count, verdict);
    text.back() = '\n';
    return text;
}

int run(CheckCommand command) {
    const auto kind = parseEnum<BackendKind>(command.backend, "--backend");
    if (!kind)
        return report(kind.error(), badInput);
    command.options.gpu = *kind == BackendKind::Cuda;
    if (command.options.gpu)
        if (const auto backend = session::makeBackend("cuda"); !backend)
            return report(backend.error(), failed);
    const auto claims = session::shippedClaims();
    if (!claims)
        return report(claims.error(), failed);
    Progress progress;
    const Interrupt interrupt(progress);
    const bool chinese = command.language.starts_with("zh");
    int printed = done;
    bool any = false;
    // Each claim is printed as soon as it is judged: with a GPU and large launches the whole list takes minutes.
    const auto finished = [&](const CheckedClaim& c) {
        if (command.json || printed != done)
            return;
        printed = print(any ? row(c, chinese) : heading() + row(c, chinese));
        std::cout.flush();
        any = true;
    };
    const auto checked = session::checkClaims(*claims, command.options, progress, finished);
    if (progress.cancelled())
        return report(Error{.message = fmt::format("cancelled after {} claims", checked.size())}, failed);
    if (checked.empty())
        return report(Error{.message = fmt::format("no claim is from document \"{}\"", command.options.document),
                            .file = "--document",
                            .remedy = "The documents are D0, D1, D2, D3 and D4."},
                      badInput);
    if (!command.json)
        return printed != done ? printed : print(totals(checked));
    nlohmann::ordered_json object{{"claims", nlohmann::ordered_json::array()}};
    for (const CheckedClaim& c : checked)
        object["claims"].push_back(claimJson(c));
    return print(object.dump(2) + "\n");
}

} // namespace

void addCheck(const Command& app, Action& action) {
    auto command = std::make_shared<CheckCommand>();
    const Command sub = app.command("check", "Measure the documents' claims again and judge them");
    sub.option("--document", &command->options.document, "only the claims of one document: D0 to D4");
    sub.option("--backend", &command->backend, "emulator, or cuda to measure on this machine's GPU too").showDefault();
    sub.flag("--timing", command->options.timing, "run the timing model for claims about time; takes longer");
    sub.option("--threads", &command->options.threads, "host threads of the emulator; 0 = all").inRange(0, 4096);
    sub.option("--lang", &command->language, "en or zh_CN, for the table").showDefault();
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
