// SPDX-License-Identifier: GPL-3.0-or-later
// `serve`: what this program can do, for agents, as tools of the Model Context Protocol: JSON-RPC 2.0, a message a line,
// on standard input and output (docs/json.md). A call is a child of this process, so that what breaks, hangs or takes too
// much ends there; nothing but messages goes to standard output.
#include "app/record/command.h"
#include "app/record/serve_calls.h"
#include "app/session/json_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace warpglass::record {

namespace {

using nlohmann::json, nlohmann::ordered_json;

// Of the protocol, the newest first; a client that asks for another is answered with that, and decides.
constexpr std::array<std::string_view, 3> versions{"2025-11-25", "2025-06-18", "2024-11-05"};

enum RpcError : int { parseError = -32700, invalidRequest = -32600, unknownMethod = -32601, invalidParams = -32602 };

constexpr std::size_t mostWaiting = 1024, mostWaitingBytes = 64 << 20; // of calls that wait for their turn

struct ServeCommand {
    ServeSettings settings;
    std::string root;
    std::uint32_t atOnce = 2, lineMb = 8;
};

struct Call {
    json id, arguments;
    const Tool* tool = nullptr;
    std::size_t bytes = 0; // of its message
    std::atomic<bool> cancelled = false;
};

class Server {
public:
    Server(const ServeCommand& command, std::vector<Tool> tools)
        : m_settings(command.settings), m_longestLine(std::size_t(command.lineMb) << 20), m_tools(std::move(tools)) {
        for (std::uint32_t i = 0; i < command.atOnce; ++i)
            m_workers.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }

    // To the end of standard input; calls that run then are answered still, unless nobody listens any more.
    int run() {
        std::string line;
        bool tooLong = false;
        std::array<char, 1 << 16> piece{};
        for (ssize_t got = 0; !m_gone;) {
            got = read(STDIN_FILENO, piece.data(), piece.size());
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            for (const char *at = piece.data(), *const end = at + got; at != end;) {
                const char* const next = std::find(at, end, '\n');
                if (!tooLong)
                    line.append(at, next);
                if (line.size() > m_longestLine) {
                    tooLong = true;
                    line.clear();
                }
                at = next;
                if (at == end)
                    break;
                ++at;
                if (tooLong)
                    sendError(nullptr, invalidRequest, fmt::format("a message has more than {} bytes", m_longestLine));
                else
                    hear(line);
                line.clear();
                tooLong = false;
            }
        }
        if (!line.empty() && !tooLong)
            hear(line);
        end();
        return done;
    }

private:
    void send(const ordered_json& message) {
        const std::string text = message.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
        const std::lock_guard lock(m_output);
        if (!m_gone && (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0))
            m_gone = true;
    }
    void sendResult(const json& id, ordered_json result) {
        send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
    }
    void sendError(const json& id, RpcError code, const std::string& text) {
        send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", int(code)}, {"message", text}}}});
    }

    void hear(const std::string& line) {
        if (std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\r' || c == '\t'; }))
            return;
        const json message =
            session::isNestedDeeply(line) ? json(json::value_t::discarded) : json::parse(line, nullptr, false);
        if (message.is_discarded())
            return sendError(nullptr, parseError, "the line is no JSON that is read here");
        if (!message.is_object())
            return sendError(nullptr, invalidRequest, "a message is an object; the protocol has no batches");
        const auto id = message.find("id"), method = message.find("method");
        const bool isAsked = id != message.end();
        const json whose = isAsked && (id->is_string() || id->is_number_integer()) ? *id : json();
        if (message.value("jsonrpc", json()) != "2.0" || (isAsked && whose.is_null()))
            return sendError(whose, invalidRequest,
                             "a request has \"jsonrpc\": \"2.0\" and a text or number as its id");
        if (method == message.end() && (message.contains("result") || message.contains("error")))
            return; // to a request of ours, of which there are none
        if (method == message.end() || !method->is_string())
            return sendError(whose, invalidRequest, "a request has a method");
        const json params = message.value("params", json::object());
        if (!isAsked)
            return notified(*method, params);
        if (!params.is_object())
            return sendError(whose, invalidParams, "params are an object");
        asked(whose, *method, params, line.size());
    }

    void notified(const std::string& method, const json& params) {
        if (method != "notifications/cancelled" || !params.is_object() || !params.contains("requestId"))
            return;
        const std::lock_guard lock(m_calls);
        for (Call& call : m_all)
            if (call.id == params["requestId"])
                call.cancelled = true;
    }

    void asked(const json& id, const std::string& method, const json& params, std::size_t bytes) {
        if (method == "initialize")
            return sendResult(id, initialised(params));
        if (method == "ping")
            return sendResult(id, ordered_json::object());
        if (method == "tools/list") {
            ordered_json list = ordered_json::array();
            for (const Tool& tool : m_tools)
                list.push_back(describe(tool));
            return sendResult(id, {{"tools", std::move(list)}});
        }
        if (method == "tools/call")
            return called(id, params, bytes);
        sendError(id, unknownMethod, fmt::format("there is no method \"{}\"", method));
    }

    static ordered_json initialised(const json& params) {
        const json wanted = params.value("protocolVersion", json());
        const auto known = std::find_if(versions.begin(), versions.end(),
                                        [&](std::string_view version) { return wanted == std::string(version); });
        return {
            {"protocolVersion", known != versions.end() ? *known : versions.front()},
            {"capabilities", {{"tools", ordered_json::object()}}},
            {"serverInfo", {{"name", "warpglass"}, {"title", "Warpglass"}, {"version", WARPGLASS_VERSION}}},
            {"instructions",
             "Runs CUDA kernels on an emulator with a timing model; no GPU is needed. run says what a launch did, why "
             "what its time is spent on and which lines pay, hang who waits for whom. Durations are modelled, and "
             "answers say how far off they may be; what is counted is exact."}};
    }

    void called(const json& id, const json& params, std::size_t bytes) {
        const json name = params.value("name", json());
        const auto tool =
            std::find_if(m_tools.begin(), m_tools.end(), [&](const Tool& t) { return name == std::string(t.name); });
        if (tool == m_tools.end())
            return sendError(id, invalidParams,
                             "there is no such tool: " + name.dump(-1, ' ', true, json::error_handler_t::replace));
        const std::lock_guard lock(m_calls);
        if (std::any_of(m_all.begin(), m_all.end(), [&](const Call& call) { return call.id == id; }))
            return sendError(id, invalidRequest, "a request with this id is being answered");
        if (m_waiting.size() >= mostWaiting || m_waitingBytes > mostWaitingBytes)
            return sendResult(id, errorAnswer(fmt::format("{} calls wait already; ask again later", m_waiting.size())));
        Call& call = m_all.emplace_back();
        call.id = id;
        call.tool = &*tool;
        call.bytes = bytes;
        m_waitingBytes += bytes;
        call.arguments = params.value("arguments", json::object());
        m_waiting.push_back(&call);
        m_more.notify_one();
    }

    void work(const std::stop_token& stop) {
        for (;;) {
            std::unique_lock lock(m_calls);
            if (!m_more.wait(lock, stop, [this] { return !m_waiting.empty(); }))
                return;
            Call* const call = m_waiting.front();
            m_waiting.pop_front();
            m_waitingBytes -= call->bytes;
            lock.unlock();
            ordered_json answer; // of one that was cancelled there is none
            if (!call->cancelled)
                answer = answerOf(*call->tool, call->arguments, m_settings, call->cancelled);
            lock.lock();
            const json id = call->id;
            m_all.remove_if([&](const Call& c) { return &c == call; });
            lock.unlock();
            if (!answer.is_null())
                sendResult(id, std::move(answer));
            m_less.notify_all();
        }
    }

    void end() {
        constexpr auto turn = std::chrono::milliseconds(100);
        std::unique_lock lock(m_calls);
        while (!m_less.wait_for(lock, turn, [this] { return m_all.empty(); })) {
            pollfd output{STDOUT_FILENO, 0, 0};
            if (m_gone || (poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0))
                for (Call& call : m_all)
                    call.cancelled = true;
        }
        lock.unlock();
        m_workers.clear(); // which asks each to stop, and waits for it to have sent what it has
    }

    const ServeSettings m_settings;
    const std::size_t m_longestLine;
    const std::vector<Tool> m_tools;
    std::mutex m_output, m_calls;
    std::atomic<bool> m_gone = false; // nobody reads what is written
    std::list<Call> m_all;
    std::deque<Call*> m_waiting;
    std::size_t m_waitingBytes = 0;
    std::condition_variable_any m_more, m_less;
    std::vector<std::jthread> m_workers;
};

int serve(ServeCommand command, const Command& app) {
    std::error_code failedToFind;
    command.settings.root = std::filesystem::canonical(command.root.empty() ? "." : command.root, failedToFind);
    if (failedToFind || !std::filesystem::is_directory(command.settings.root))
        return report(Error{.message = "there is no such folder", .file = command.root}, badInput);
    setenv("WARPGLASS_MEMORY", fmt::format("{}M", command.settings.memoryMb).c_str(), 1); // of the children
    tellMissingWalls();
    return Server(command, toolsOf(app, command.settings.allowPrograms)).run();
}

} // namespace

void addServe(const Command& app, Action& action) {
    auto command = std::make_shared<ServeCommand>();
    const Command sub = app.command(
        "serve", "Offer commands as tools to an agent: the Model Context Protocol on standard input and output");
    sub.option("--root", &command->root, "the folder below which files are read; else this one");
    sub.flag("--allow-programs", command->settings.allowPrograms,
             "run programs of the host and Python files, too: with all that this user may do");
    sub.option("--time", &command->settings.seconds, "seconds that a call may take").inRange(1, 86400).showDefault();
    sub.option("--memory", &command->settings.memoryMb, "MB that a call may take").inRange(64, 1 << 20).showDefault();
    sub.option("--answer", &command->settings.answerMb, "MB that an answer may have").inRange(1, 1024).showDefault();
    sub.option("--calls", &command->atOnce, "calls at once; the others wait").inRange(1, 64).showDefault();
    sub.option("--line", &command->lineMb, "MB that a message may have").inRange(1, 1024).showDefault();
    sub.whenChosen([command, &app, &action] { action = [command, &app] { return serve(*command, app); }; });
}

} // namespace warpglass::record
