// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/user_file.h"

#include "app/session/compile.h"
#include "gpu/launch/arguments.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include <cxxabi.h>

namespace warpglass::session {

namespace {

constexpr std::uint64_t pointerBytes = 8;

// "_Z9vectorAddPKfS0_Pfi" -> "vectorAdd"; a name that is not mangled stays as it is.
std::string plainName(const std::string& mangled) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                std::free);
    if (status != 0 || !text)
        return mangled;
    std::string name = text.get();
    const std::size_t end = std::min(name.find('('), name.find('<'));
    const std::size_t space = name.rfind(' ', std::min(end, name.size())); // a template's return type comes first
    return name.substr(space == std::string::npos ? 0 : space + 1,
                       end == std::string::npos ? end : end - (space == std::string::npos ? 0 : space + 1));
}

Result<const ptx::Function*> chooseEntry(const ptx::Module& module, const std::string& wanted) {
    std::vector<const ptx::Function*> matching;
    std::string all;
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry || function.isExtern)
            continue;
        const std::string plain = plainName(function.name);
        all +=
            (all.empty() ? "" : ", ") + (plain == function.name ? plain : fmt::format("{} ({})", plain, function.name));
        if (function.name == wanted)
            return &function;
        if (wanted.empty() || plain == wanted)
            matching.push_back(&function);
    }
    if (matching.size() == 1)
        return matching.front();
    if (all.empty())
        return Error{
            .message = "the file has no kernel", .file = module.name, .remedy = "A kernel is a __global__ function."};
    if (wanted.empty())
        return Error{.message = "the file has more than one kernel",
                     .file = module.name,
                     .remedy = fmt::format("Say which with --kernel: {}.", all)};
    return Error{.message = matching.empty() ? fmt::format("the file has no kernel \"{}\"", wanted)
                                             : fmt::format("\"{}\" is the name of several kernels", wanted),
                 .file = module.name,
                 .remedy = fmt::format("Its kernels are {}.", all)};
}

// How a person would describe this parameter, for the message that asks for it.
std::string exampleOf(const ptx::Variable& parameter, std::size_t index) {
    if (parameter.isArray)
        return fmt::format("parameter {} is a struct of {} bytes", index, parameter.sizeBytes());
    const std::string type = ptx::name(parameter.type);
    switch (parameter.sizeBytes()) {
    case 8:
        return fmt::format("parameter {} is .{}: --arg p{}:i32[1024]=0 for a pointer, p{}:i64=0 for a number", index,
                           type, index, index);
    case 4:
        return fmt::format("parameter {} is .{}: --arg p{}:{}=0", index, type, index,
                           parameter.type == ptx::Type::F32 ? "f32" : "i32");
    default:
        return fmt::format("parameter {} is .{}", index, type);
    }
}

Result<void> holdAgainstParameters(const ptx::Function& entry, const std::vector<Argument>& arguments,
                                   const std::string& file) {
    if (arguments.size() != entry.params.size()) {
        std::string wanted;
        for (std::size_t i = 0; i < entry.params.size(); ++i)
            wanted += (i ? "; " : "") + exampleOf(entry.params[i], i);
        return Error{.message = fmt::format("{} takes {} arguments and {} were given", plainName(entry.name),
                                            entry.params.size(), arguments.size()),
                     .file = file,
                     .line = entry.line,
                     .remedy = wanted.empty() ? "Leave --arg out."
                                              : fmt::format("Give one --arg each, in order: {}.", wanted)};
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::uint64_t wanted = entry.params[i].sizeBytes();
        const std::uint64_t given = arguments[i].isBuffer ? pointerBytes : arguments[i].scalar.size();
        if (given != wanted)
            return Error{.message = fmt::format("argument \"{}\" has {} bytes and the kernel's parameter {} has {}",
                                                arguments[i].name, given, i, wanted),
                         .file = file,
                         .line = entry.line,
                         .remedy = fmt::format("In the kernel {}.", exampleOf(entry.params[i], i))};
    }
    return {};
}

// Static shared memory that the entry can reach: variables of the module and of its own body.
std::uint32_t staticSharedBytes(const ptx::Module& module, const ptx::Function& entry) {
    std::uint64_t bytes = 0;
    const auto add = [&](const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& variable : variables)
            if (variable.space == ptx::StateSpace::Shared && !variable.isExtern)
                bytes += variable.sizeBytes();
    };
    add(module.variables);
    add(entry.locals);
    return std::uint32_t(std::min<std::uint64_t>(bytes, 0xffffffffu));
}

Result<std::string> readText(const std::filesystem::path& path) {
    std::error_code ignored;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, ignored))
        return Error{.message = "the file cannot be read", .file = path.string(), .remedy = "Check the path."};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

bool isUserFile(const std::string& kernel) {
    return kernel.ends_with(".ptx") || kernel.ends_with(".cu");
}

Result<LaunchPlan> planOfFile(const RunRequest& request, std::uint32_t& staticShared) {
    const std::filesystem::path path(request.kernel);
    auto text = readText(path);
    if (!text)
        return text.error();
    LaunchPlan plan;
    plan.mode = request.launch.mode;
    plan.moduleName = path.filename().string();
    if (path.extension() == ".cu") {
        auto compiled = compileToPtx(path, plan.mode);
        if (!compiled)
            return compiled.error();
        plan.sourceName = path.filename().string();
        plan.source = std::move(*text);
        plan.moduleName = path.stem().string() + ".ptx";
        text = std::move(compiled);
    }
    auto module = ptx::parse(*text, plan.moduleName);
    if (!module)
        return module.error();
    auto entry = chooseEntry(*module, request.entry);
    if (!entry)
        return entry.error();
    const ptx::Function& function = **entry;
    auto arguments = parseArguments(request.arguments);
    if (!arguments)
        return arguments.error();
    if (auto ok = holdAgainstParameters(function, *arguments, plan.moduleName); !ok)
        return ok.error();
    if (!request.launch.set.empty())
        return Error{.message = "--set is for kernels of the catalogue", .file = "--set", .remedy = "Use --arg."};

    staticShared = staticSharedBytes(*module, function);
    plan.ptx = std::move(*text);
    plan.entry = function.name;
    plan.kernelName = plainName(function.name);
    plan.arguments = std::move(*arguments);
    plan.sharedBytes = request.launch.sharedBytes.value_or(0);
    plan.size = request.launch.size.value_or(0);
    const Dim3 required{function.reqntid[0], std::max(function.reqntid[1], 1u), std::max(function.reqntid[2], 1u)};
    plan.block = request.launch.block.value_or(required.x ? required : Dim3{request.launch.size ? 256u : 32u});
    const std::uint64_t threads = std::max<std::uint64_t>(plan.block.count(), 1);
    plan.grid = request.launch.grid.value_or(Dim3{
        request.launch.size
            ? std::uint32_t((std::uint64_t(std::max<std::int64_t>(*request.launch.size, 1)) + threads - 1) / threads)
            : 1u});
    return plan;
}

} // namespace warpglass::session
