// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/triton.h"

#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "app/session/triton_script.h"
#include "app/session/user_file.h"
#include "gpu/base/messages/session.h"
#include "gpu/device/device.h"
#include "gpu/launch/arguments.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// "fp32", "*bf16", "i64".
std::string tritonType(const Argument& a) {
    std::string type = name(a.type);
    if (type.front() == 'f')
        type.insert(1, "p");
    return (a.isBuffer ? "*" : "") + type;
}

// Of a whole number; null of all else.
json valueOf(const Argument& a) {
    if (a.isBuffer || name(a.type)[0] == 'f' || name(a.type)[0] == 'b' || a.scalar.size() > sizeof(std::int64_t))
        return {};
    std::int64_t value = 0;
    std::memcpy(&value, a.scalar.data(), a.scalar.size());
    const int unused = 64 - 8 * int(a.scalar.size());
    return name(a.type)[0] == 'i' && unused < 64 ? (value << unused) >> unused : value;
}

// "sm_90a", "compute_90", "90" or that of the device: 90.
int capabilityOf(const RunRequest& request) {
    const std::string& arch = request.compile.arch;
    int number = 0;
    if (const std::size_t digit = arch.find_first_of("0123456789"); digit != std::string::npos)
        std::from_chars(arch.data() + digit, arch.data() + arch.size(), number);
    else if (const DeviceSpec* device = findDevice(request.options.device))
        number = device->ccMajor * 10 + device->ccMinor;
    return number ? number : 90;
}

Result<json> answerOf(std::string_view program, const json& question, const std::string& file) {
    const char* named = std::getenv("WARPGLASS_PYTHON");
    const std::string python = named && *named ? named : "python3";
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    const fs::path script = scratch.path / "compile_triton.py", request = scratch.path / "request.json",
                   answer = scratch.path / "answer.json", said = scratch.path / "said.txt";
    for (const auto& [path, content] : {std::pair(script, std::string(program)), std::pair(request, question.dump())})
        if (auto ok = session::writeAll(path, content); !ok)
            return ok.error();
    ChildLimits limits;
    limits.memoryBytes = std::uint64_t(64) << 30; // libraries that a file imports reserve much
    const ChildEnd end =
        runChild({"/usr/bin/env", python, script.string(), request.string(), answer.string()}, said, limits);
    const auto unusable = [&](const std::string& why) {
        return Error{.message = say::TritonNotUsed(why), .file = file, .remedy = say::InstallTriton};
    };
    if (end.how != ChildEnd::How::Exited)
        return endedBadly(file, python, end);
    json told = json::parse(readAll(answer), nullptr, false);
    if (end.status != 0 || !told.is_object()) {
        const std::string text = readAll(said);
        const std::size_t last = text.find_last_not_of('\n');
        const std::size_t begin = last == std::string::npos ? last : text.rfind('\n', last);
        return unusable(last == std::string::npos ? python : text.substr(begin + 1, last - begin));
    }
    if (const auto error = told.find("error"); error != told.end()) {
        const std::string text = error->is_string() ? error->get<std::string>() : std::string();
        if (text.starts_with("this Python has no Triton"))
            return unusable(text);
        return Error{.message = text, .file = file, .line = told.value("line", 0)};
    }
    return told;
}

// What Triton makes of the request's kernel.
Result<json> answered(const RunRequest& request, const std::vector<Argument>& arguments) {
    const fs::path file = fs::absolute(request.kernel);
    json question{{"file", file.string()},         {"text", request.text ? json(*request.text) : json()},
                  {"kernel", request.entry},       {"arguments", json::array()},
                  {"definitions", json::object()}, {"arch", capabilityOf(request)}};
    for (const Argument& a : arguments)
        question["arguments"].push_back({a.name, tritonType(a), valueOf(a)});
    for (const std::string& define : request.compile.defines) {
        const std::size_t equals = define.find('=');
        question["definitions"][define.substr(0, equals)] =
            equals == std::string::npos ? "True" : define.substr(equals + 1);
    }
    return answerOf(tritonScript(), question, file.filename().string());
}

// "fp32" -> f32; nothing for a word of none.
std::optional<ElementType> elementOfTriton(std::string type) {
    std::erase(type, 'p');
    const auto element = parseEnum<ElementType>(type);
    return element ? std::optional(*element) : std::nullopt;
}

KernelParameter parameterOfTriton(const json& told) {
    KernelParameter p;
    p.name = told.value("name", "");
    p.usual = told.value("usual", "");
    p.scales = told.value("scales", false);
    const std::string is = told.value("kind", "");
    p.isConstexpr = is == "constexpr";
    p.isUntyped = !p.isConstexpr;
    p.isPointer = is == "pointer";
    p.element = elementOfTriton(told.value("element", "")).value_or(p.isPointer ? ElementType::F32 : ElementType::I32);
    p.bytes = p.isPointer ? 8 : std::uint64_t(bytesOf(p.element));
    p.type = p.isConstexpr ? is : name(p.element) + std::string(p.isPointer ? "*" : "");
    return p;
}

} // namespace

bool isTritonFile(const std::string& kernel) {
    return kernel.ends_with(".py");
}

Result<KernelFile> kernelsOfTriton(const RunRequest& request) {
    auto text = textOfFile(request);
    if (!text)
        return text.error();
    const std::string called = fs::path(request.kernel).filename().string();
    const auto answer = answerOf(tritonReader(), {{"file", called}, {"text", *text}}, called);
    if (!answer)
        return answer.error();
    KernelFile file;
    for (const json& told : answer->value("kernels", json::array())) {
        FileKernel kernel;
        kernel.entry = kernel.signature = told.value("name", "");
        kernel.line = told.value("line", 0);
        for (const json& parameter : told.value("parameters", json::array()))
            kernel.parameters.push_back(parameterOfTriton(parameter));
        file.kernels.push_back(std::move(kernel));
    }
    if (file.kernels.empty())
        return Error{.message = say::FileNoKernel, .file = called, .remedy = say::TritonFunction};
    file.compiled = std::make_shared<CompiledText>(CompiledText{{}, std::move(*text), {}, request.launch.mode});
    return file;
}

Result<RunRequest> compiledByTriton(RunRequest request) {
    auto source = textOfFile(request);
    if (!source)
        return source.error();
    auto arguments = parseArguments(request.arguments);
    if (!arguments)
        return arguments.error();
    const fs::path file = fs::absolute(request.kernel);
    const auto answer = answered(request, *arguments);
    if (!answer)
        return answer.error();

    request.text = answer->value("ptx", "");
    request.ttgir = answer->value("ttgir", "");
    request.entry = answer->value("entry", "");
    request.kernel = (file.parent_path() / (request.entry + ".ptx")).string();
    request.sourceName = file.filename().string();
    request.source = std::move(*source);
    request.compile = {};
    request.compiled.reset();
    if (!request.launch.block)
        request.launch.block = Dim3{answer->value("warps", 4u) * 32};
    if (!request.launch.sharedBytes)
        request.launch.sharedBytes = answer->value("shared", 0u);
    // In the order of the parameters that are left, and behind them the scratch memory that Triton adds, or null.
    std::vector<std::string> inOrder;
    for (const json& parameter : answer->value("parameters", json::array()))
        for (std::size_t n = 0; n < arguments->size(); ++n)
            if (parameter == (*arguments)[n].name)
                inOrder.push_back(request.arguments[n]);
    const auto module = ptx::parse(*request.text, request.entry);
    if (!module)
        return module.error();
    const ptx::Function* entry = module->findFunction(request.entry);
    // Of the first each program has its own part: there Triton makes tensor maps, for one.
    const std::uint64_t scratch =
        answer->value("scratch", std::uint64_t(0)) * request.launch.grid.value_or(Dim3{1}).count();
    for (std::size_t n = 0; entry && inOrder.size() < entry->params.size(); ++n)
        inOrder.push_back(n == 0 && scratch > 0 ? fmt::format("scratch{}:u8[{}]", n, scratch)
                                                : fmt::format("scratch{}:u64=0", n));
    request.arguments = std::move(inOrder);
    return request;
}

Result<std::string> ttgirByTriton(const RunRequest& request) {
    auto arguments = parseArguments(request.arguments);
    if (!arguments)
        return arguments.error();
    const auto answer = answered(request, *arguments);
    return answer ? Result<std::string>(answer->value("ttgir", "")) : Result<std::string>(answer.error());
}

} // namespace warpglass::session
