// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/protocol.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace warpglass::cuda {

namespace {

using nlohmann::json;

constexpr std::uint64_t largestFrame = std::uint64_t(1) << 40;

bool writeAll(int fd, const char* data, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t n = ::write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= std::size_t(n);
    }
    return true;
}

bool readAll(int fd, char* data, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t n = ::read(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= std::size_t(n);
    }
    return true;
}

json shapeJson(Dim3 d) {
    return json::array({d.x, d.y, d.z});
}
Dim3 shapeFrom(const json& j) {
    return {j.at(0), j.at(1), j.at(2)};
}

// JSON holds text, not bytes.
json bytesJson(const std::vector<std::byte>& bytes) {
    json all = json::array();
    for (const std::byte b : bytes)
        all.push_back(unsigned(b));
    return all;
}

json pointersJson(const std::vector<BufferPointer>& pointers) {
    json all = json::array();
    for (const BufferPointer& p : pointers)
        all.push_back({p.offset, p.buffer, p.addend});
    return all;
}

std::vector<BufferPointer> pointersFrom(const json& all) {
    std::vector<BufferPointer> pointers;
    for (const json& p : all)
        pointers.push_back({p.at(0), p.at(1), p.at(2)});
    return pointers;
}

json argumentsJson(const std::vector<Argument>& arguments) {
    json all = json::array();
    for (const Argument& a : arguments)
        all.push_back({{"name", a.name},
                       {"buffer", a.isBuffer},
                       {"type", int(a.type)},
                       {"count", a.count},
                       {"pointers", pointersJson(a.pointers)}});
    return all;
}

std::vector<Argument> argumentsFrom(const json& all) {
    std::vector<Argument> arguments;
    for (const json& a : all) {
        Argument argument;
        argument.name = a.at("name");
        argument.isBuffer = a.at("buffer");
        argument.type = ElementType(int(a.at("type")));
        argument.count = a.at("count");
        argument.pointers = pointersFrom(a.at("pointers"));
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

// A reader that turns the library's exceptions into errors at this border.
template <typename T, typename Read>
Result<T> reading(Read&& read) {
    try {
        return read();
    } catch (const json::exception& e) {
        return Error{std::string("the message between program and GPU worker is not understood: ") + e.what()};
    }
}

} // namespace

bool writeFrame(int fd, FrameKind kind, const void* data, std::size_t bytes) {
    char head[9];
    head[0] = char(kind);
    const std::uint64_t length = bytes;
    std::memcpy(head + 1, &length, sizeof length);
    return writeAll(fd, head, sizeof head) && writeAll(fd, static_cast<const char*>(data), bytes);
}

std::optional<Frame> readFrame(int fd) {
    char head[9];
    if (!readAll(fd, head, sizeof head))
        return std::nullopt;
    std::uint64_t length = 0;
    std::memcpy(&length, head + 1, sizeof length);
    if (length > largestFrame)
        return std::nullopt;
    Frame frame;
    frame.kind = FrameKind(head[0]);
    frame.payload.resize(length);
    if (!readAll(fd, frame.payload.data(), length))
        return std::nullopt;
    return frame;
}

json toJson(const LaunchPlan& plan) {
    json globals = json::array();
    for (const GlobalPatch& g : plan.globals)
        globals.push_back(
            {{"symbol", g.symbol}, {"bytes", bytesJson(g.bytes)}, {"pointers", pointersJson(g.pointers)}});
    return {{"kernel", plan.kernelName},
            {"module", plan.moduleName},
            {"ptx", plan.ptx},
            {"entry", plan.entry},
            {"sourceName", plan.sourceName},
            {"source", plan.source},
            {"mode", int(plan.mode)},
            {"grid", shapeJson(plan.grid)},
            {"block", shapeJson(plan.block)},
            {"shared", plan.sharedBytes},
            {"size", plan.size},
            {"arguments", argumentsJson(plan.arguments)},
            {"globalBuffers", argumentsJson(plan.globalBuffers)},
            {"globals", globals},
            {"pending", plan.pendingLaunchLimit}};
}

Result<LaunchPlan> planFromJson(const json& j) {
    return reading<LaunchPlan>([&]() -> Result<LaunchPlan> {
        LaunchPlan plan;
        plan.kernelName = j.at("kernel");
        plan.moduleName = j.at("module");
        plan.ptx = j.at("ptx");
        plan.entry = j.at("entry");
        plan.sourceName = j.at("sourceName");
        plan.source = j.at("source");
        plan.mode = CompileMode(int(j.at("mode")));
        plan.grid = shapeFrom(j.at("grid"));
        plan.block = shapeFrom(j.at("block"));
        plan.sharedBytes = j.at("shared");
        plan.size = j.at("size");
        plan.pendingLaunchLimit = j.at("pending");
        plan.arguments = argumentsFrom(j.at("arguments"));
        plan.globalBuffers = argumentsFrom(j.at("globalBuffers"));
        for (const json& g : j.at("globals")) {
            GlobalPatch patch;
            patch.symbol = g.at("symbol");
            for (const json& b : g.at("bytes"))
                patch.bytes.push_back(std::byte(unsigned(b)));
            patch.pointers = pointersFrom(g.at("pointers"));
            plan.globals.push_back(std::move(patch));
        }
        return plan;
    });
}

json toJson(const RunOptions& o) {
    return {{"detail", int(o.detail.kind)}, {"blocks", o.detail.blocks}, {"accesses", o.detail.accesses},
            {"device", o.device},           {"maxEvents", o.maxEvents},  {"counters", o.counters},
            {"limit", o.timeLimitSeconds},  {"command", o.command}};
}

Result<RunOptions> optionsFromJson(const json& j) {
    return reading<RunOptions>([&]() -> Result<RunOptions> {
        RunOptions o;
        o.detail.kind = Detail::Kind(int(j.at("detail")));
        o.detail.blocks = j.at("blocks").get<std::vector<std::uint64_t>>();
        o.detail.accesses = j.at("accesses");
        o.device = j.at("device");
        o.maxEvents = j.at("maxEvents");
        o.counters = j.at("counters");
        o.timeLimitSeconds = j.at("limit");
        o.command = j.at("command");
        return o;
    });
}

json toJson(const Error& e) {
    return {{"message", e.message}, {"file", e.file}, {"line", e.line}, {"column", e.column}, {"remedy", e.remedy}};
}

Error errorFromJson(const json& j) {
    Error error;
    error.message = j.value("message", "the GPU worker failed without saying why");
    error.file = j.value("file", "");
    error.line = j.value("line", 0);
    error.column = j.value("column", 0);
    error.remedy = j.value("remedy", "");
    return error;
}

std::vector<std::byte> initialContents(const Argument& argument) {
    if (!argument.isBuffer)
        return argument.scalar;
    if (!argument.fill)
        return {};
    std::vector<std::byte> bytes(argument.count * std::uint64_t(bytesOf(argument.type)));
    argument.fill(bytes);
    return bytes;
}

} // namespace warpglass::cuda
