// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/serve_calls.h"
#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "gpu/base/companion.h"
#include "gpu/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

namespace warpglass::record {

namespace {

namespace fs = std::filesystem;
using nlohmann::json, nlohmann::ordered_json;
using session::ChildEnd;

struct Ran {
    ChildEnd end;
    std::string out, said;
    bool tooMuch = false;
};

fs::path ownProgram() {
    std::error_code failed;
    return fs::read_symlink("/proc/self/exe", failed);
}

session::ChildFiles filesOf(const ToolPlace& place, const ToolWords& words) {
    std::vector<fs::path> readable = cage::toolchainFiles(session::findCompiler());
    readable.insert(readable.end(),
                    {place.root, ownProgram().parent_path(), companion("warpglass-cage").parent_path()});
    std::vector<fs::path> writable{place.scratch, "/dev/null"};
    if (!words.written.empty())
        writable.push_back(words.written.parent_path());
    return {cage::FileRules(readable, writable), place.scratch};
}

// Lines without the program's name before each.
std::string plainText(const std::string& said) {
    constexpr std::string_view name = "warpglass-record: ";
    std::string text;
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t end = std::min(said.find('\n', at), said.size());
        std::string_view line = std::string_view(said).substr(at, end - at);
        if (line.starts_with(name))
            line.remove_prefix(name.size());
        if (!line.empty())
            text += (text.empty() ? "" : "\n") + std::string(line);
        at = end + 1;
    }
    constexpr std::size_t most = 1 << 16;
    return validUtf8(text.size() > most ? text.substr(0, most) + " ..." : text);
}

Ran runOne(const std::vector<std::string>& words, const ToolPlace& place, const session::ChildFiles* files,
           const ServeSettings& settings, const std::atomic<bool>& cancelled) {
    const session::ChildPlace at{.output = place.scratch / "answer.json",
                                 .errors = place.scratch / "said.txt",
                                 .folder = place.root,
                                 .cancelled = &cancelled};
    session::ChildLimits limits;
    // Threads and libraries reserve addresses that they never use; the child holds its runs against WARPGLASS_MEMORY.
    limits.memoryBytes = (std::uint64_t(settings.memoryMb) << 21) + (std::uint64_t(4) << 30);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // which map terabytes for themselves
    limits.memoryBytes = ~std::uint64_t(0);
#endif
    limits.wallSeconds = settings.seconds;
    limits.cpuSeconds = settings.seconds * std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::string> line{ownProgram().string()};
    line.insert(line.end(), words.begin(), words.end());
    Ran ran{.end = session::runChild(line, at, limits, files), .out = {}, .said = {}};
    std::error_code failed;
    ran.tooMuch = fs::file_size(at.output, failed) > std::uintmax_t(settings.answerMb) << 20 && !failed;
    if (!ran.tooMuch)
        ran.out = session::readAll(at.output);
    if (fs::file_size(at.errors, failed) < 1 << 22 && !failed)
        ran.said = plainText(session::readAll(at.errors));
    return ran;
}

// What keeps a run from having an answer.
std::optional<std::string> problemOf(const Ran& ran, const ServeSettings& settings) {
    switch (ran.end.how) {
    case ChildEnd::How::NotStarted:
        return "warpglass-record could not be started";
    case ChildEnd::How::OutOfTime:
        return fmt::format("it was ended after {} s (serve --time)", settings.seconds);
    case ChildEnd::How::Killed:
        return "it was ended by a signal" + (ran.said.empty() ? "" : ": " + ran.said);
    default:
        break;
    }
    if (ran.tooMuch)
        return fmt::format("its answer is longer than {} MB (serve --answer)", settings.answerMb);
    return std::nullopt;
}

ordered_json textContent(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
}

// Of a run, whether it comes to its end.
ordered_json hangAnswer(const ordered_json& run) {
    ordered_json answer{{"kernel", run.value("kernel", "")}, {"hangs", run.contains("hang")}};
    for (const char* member : {"fault", "hang"})
        if (run.contains(member))
            answer[member] = run[member];
    return answer;
}

} // namespace

ordered_json errorAnswer(const std::string& text) {
    return {{"content", ordered_json::array({textContent(text)})}, {"isError", true}};
}

ordered_json answerOf(const Tool& tool, const json& arguments, const ServeSettings& settings,
                      const std::atomic<bool>& cancelled) {
    const session::ScratchFolder scratch;
    if (scratch.path.empty())
        return errorAnswer(session::ScratchFolder::missing().text());
    const ToolPlace place{settings.root, scratch.path, settings.allowPrograms};
    const auto words = wordsOf(tool, arguments, place);
    if (!words)
        return errorAnswer(words.error().text());
    // What runs on the host may open whatever its user may.
    std::optional<session::ChildFiles> files;
    if (!settings.allowPrograms)
        files.emplace(filesOf(place, *words));
    Ran ran = runOne(words->words, place, files ? &*files : nullptr, settings, cancelled);
    std::string printed; // by a program
    if (tool.runsPrograms && ran.end.how == ChildEnd::How::Exited && fs::exists(words->written)) {
        printed = validUtf8(ran.out.substr(0, 1 << 16));
        Ran listed = runOne({"launches", "--json", words->written.string()}, place, nullptr, settings, cancelled);
        listed.said = ran.said;
        listed.end.status = listed.end.status == 0 ? ran.end.status : listed.end.status;
        ran = std::move(listed);
    }
    if (ran.end.how == ChildEnd::How::Cancelled)
        return {};
    if (const auto problem = problemOf(ran, settings))
        return errorAnswer(*problem);
    ordered_json object = ordered_json::parse(ran.out, nullptr, false);
    if (!object.is_object())
        return errorAnswer(!ran.said.empty() ? ran.said
                                             : fmt::format("it ended with {} and no answer", ran.end.status));
    if (tool.answer == "hangs")
        object = hangAnswer(object);
    // A launch that faults has been run all the same: the object says so, and the sentence stands below it.
    ordered_json answer{{"content", ordered_json::array()}};
    answer["content"].push_back(textContent(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
    if (ran.end.status != 0 && !ran.said.empty())
        answer["content"].push_back(textContent(ran.said));
    if (!printed.empty())
        answer["content"].push_back(textContent(printed));
    answer["structuredContent"] = std::move(object);
    answer["isError"] = false;
    return answer;
}

} // namespace warpglass::record
