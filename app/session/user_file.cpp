// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/user_file.h"

#include "app/session/assembler.h"
#include "app/session/compile.h"
#include "app/session/held_arguments.h"
#include "app/session/kernel_names.h"
#include "app/session/variables.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"
#include "gpu/base/utf8.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/device/device.h"
#include "gpu/launch/arguments.h"
#include "gpu/launch/elements.h"
#include "gpu/launch/included.h"
#include "gpu/launch/texture_words.h"
#include "gpu/launch/validate.h"
#include "gpu/machine/kept.h"
#include "gpu/machine/meets.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace warpglass::session {

namespace {

Result<const ptx::Function*> chooseEntry(const ptx::Module& module, const std::string& wanted,
                                         const std::string& file) {
    struct Candidate {
        const ptx::Function* function;
        KernelName name;
        int match;
    };
    std::vector<Candidate> all;
    constexpr std::size_t mostLetters = 4000; // of a sentence: a recording's own words may be of any length
    int best = 0;
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry || function.isExtern)
            continue;
        KernelName name = kernelName(function.name);
        const int match = wanted.empty() ? 1 : matches(name, wanted);
        best = std::max(best, match);
        all.push_back({&function, std::move(name), match});
    }
    const auto names = [&] { // for a person to choose from: not thousands
        std::string text;
        std::size_t unnamed = 0;
        for (const Candidate& c : all)
            if (std::string signature = c.name.signature(); text.size() + signature.size() <= mostLetters)
                text += (text.empty() ? "" : "; ") + std::move(signature);
            else
                ++unnamed;
        return unnamed > 0 ? text + fmt::format("{}{} more", text.empty() ? "" : "; and ", unnamed) : text;
    };
    if (all.empty())
        return Error{.message = say::FileNoKernel, .file = file, .remedy = say::TemplateInstance};
    const std::string asked =
        wanted.size() <= mostLetters ? wanted : validUtf8(std::string_view(wanted).substr(0, mostLetters)) + "...";
    if (best == 0)
        return Error{.message = say::NoKernelNamed(asked), .file = file, .remedy = say::ItsKernels(names())};
    std::erase_if(all, [&](const Candidate& c) { return c.match < best; });
    if (all.size() == 1)
        return all.front().function;
    return Error{.message = wanted.empty() ? say::SeveralKernels : say::SeveralOfName(asked),
                 .file = file,
                 .remedy = say::SayWhich(names())};
}

// Error: a texture or surface that no parameter, no buffer and no reference of the module leads to.
Result<void> checkObjectsUsed(const LaunchPlan& plan, const ptx::Module& module) {
    const auto leadsTo = [&](const std::string& name) {
        const auto points = [&](const auto& holder) {
            return std::any_of(holder.pointers.begin(), holder.pointers.end(),
                               [&](const BufferPointer& p) { return p.buffer == name; });
        };
        const ptx::Variable* v = module.findVariable(name);
        return (v && v->opaque != ptx::Opaque::None) ||
               std::any_of(plan.arguments.begin(), plan.arguments.end(), points) ||
               std::any_of(plan.globalBuffers.begin(), plan.globalBuffers.end(), points) ||
               std::any_of(plan.globals.begin(), plan.globals.end(), points);
    };
    const auto unused = [](const char* option, const std::string& name) {
        return Error{.message = say::NothingLeadsTo(name),
                     .file = fmt::format("{} {}", option, name),
                     .remedy = say::GiveToParameter(name)};
    };
    for (const TextureBinding& t : plan.textures)
        if (!leadsTo(t.name))
            return unused("--texture", t.name);
    for (const SurfaceBinding& s : plan.surfaces)
        if (!leadsTo(s.name))
            return unused("--surface", s.name);
    return {};
}

// Where the source has the kernel; 0 where the PTX does not say it.
int lineInSource(const ptx::Module& module, const ptx::Function& function) {
    std::uint32_t place = function.body.empty() ? ptx::noPlace : function.body.front().place;
    while (place < module.places.size() && module.places[place].inlinedAt < module.places.size())
        place = module.places[place].inlinedAt;
    return place < module.places.size() ? module.places[place].line : 0;
}

// Device-side code of what a file is compiled for if nobody says: the emulated device's, but no older one than current
// compilers know.
std::string architectureOf(const RunRequest& request) {
    constexpr int oldest = 75;
    int capability = oldest;
    if (request.backend == "cuda") {
        const auto gpus = cudaDevices();
        if (gpus && !gpus->empty())
            capability = gpus->front().ccMajor * 10 + gpus->front().ccMinor;
    } else if (const DeviceSpec* device = findDevice(request.options.device)) {
        capability = device->ccMajor * 10 + device->ccMinor;
    }
    return fmt::format("compute_{}", std::max(capability, oldest));
}

} // namespace

Result<std::string> textOfFile(const RunRequest& request) {
    if (request.text)
        return *request.text;
    return readFile(request.kernel);
}

Result<std::string> ptxOfFile(const RunRequest& request, const std::string& text) {
    const std::filesystem::path path(request.kernel);
    if (path.extension() != ".cu")
        return text;
    CompileOptions options = request.compile;
    options.mode = request.launch.mode;
    options.instance = instanceIn(request.entry);
    if (const auto& made = request.compiled;
        made && request.text && made->text == text && made->mode == options.mode && made->instance == options.instance)
        return made->ptx;
    return compileToPtx(path, text, options, architectureOf(request));
}

namespace {

template <typename Name>
void namesOf(const ptx::Operand& operand, const Name& name) {
    name(operand.name);
    for (const ptx::Operand& element : operand.elements)
        namesOf(element, name);
}

// What the entry names, and what the functions and variables that it names do. Where one of them calls through a register:
// what any function names. Each is looked at once, however many there are.
std::unordered_set<std::string_view> reachedFrom(const ptx::Module& module, const ptx::Function& entry) {
    std::unordered_multimap<std::string_view, const ptx::Function*> functions;
    std::unordered_multimap<std::string_view, const ptx::Variable*> variables;
    for (const ptx::Function& f : module.functions)
        functions.emplace(f.name, &f);
    for (const ptx::Variable& v : module.variables)
        if (!v.initialAddresses.empty())
            variables.emplace(v.name, &v);
    std::unordered_set<std::string_view> names;
    std::vector<std::string_view> open;
    const auto name = [&](std::string_view its) {
        if (names.insert(its).second)
            open.push_back(its);
    };
    name(entry.name);
    for (bool any = false; !open.empty();) {
        const std::string_view next = open.back();
        open.pop_back();
        const auto [first, last] = functions.equal_range(next);
        for (auto f = first; f != last; ++f)
            for (const ptx::Instruction& i : f->second->body)
                for (const ptx::Operand& operand : i.operands) {
                    namesOf(operand, name);
                    if (any || i.opcode != ptx::Opcode::Call || operand.kind != ptx::Operand::Kind::Register)
                        continue;
                    any = true;
                    for (const ptx::Function& called : module.functions)
                        if (!called.isEntry)
                            name(called.name);
                }
        const auto [from, to] = variables.equal_range(next);
        for (auto v = from; v != to; ++v)
            for (const auto& a : v->second->initialAddresses)
                name(a.symbol);
    }
    return names;
}

std::size_t instructionsFrom(const ptx::Module& module, const ptx::Function& entry) {
    const std::unordered_set<std::string_view> names = reachedFrom(module, entry);
    std::size_t instructions = 0;
    for (const ptx::Function& f : module.functions)
        instructions += names.contains(f.name) ? f.body.size() : 0;
    return instructions;
}

// By ptxas, where there is one; 0: it did not say.
std::uint32_t countedRegisters(const ptx::Module& module, const ptx::Function& entry, const DeviceSpec& device,
                               std::string& why) {
    const std::string assembler = findAssembler();
    if (assembler.empty())
        return 0;
    if (const std::size_t instructions = instructionsFrom(module, entry); instructions > mostAssembled) {
        why = fmt::format("{} has {} instructions, and ptxas is asked about {} at most: its registers are estimated",
                          kernelName(entry.name).instance(), instructions, mostAssembled);
        return 0;
    }
    return assembledRegisters(assembler, module, entry.name, device.ccMajor * 10 + device.ccMinor, &why).value_or(0);
}

} // namespace

// As the emulator lays them out: module-scope variables of other kernels take no room.
std::uint32_t staticSharedBytes(const ptx::Module& module, const ptx::Function& entry) {
    const std::unordered_set<std::string_view> names = reachedFrom(module, entry);
    std::uint64_t bytes = 0;
    const auto add = [&](const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& v : variables) {
            if (v.space != ptx::StateSpace::Shared || v.isExtern || v.sizeBytes() == 0 || !names.contains(v.name))
                continue;
            const auto alignment =
                std::uint64_t(v.alignment ? v.alignment : std::max(1, ptx::bytesOf(v.type) * v.vector));
            bytes = (bytes + alignment - 1) / alignment * alignment + v.sizeBytes();
        }
    };
    add(module.variables);
    for (const ptx::Function& f : module.functions)
        if (names.contains(f.name))
            add(f.locals);
    return std::uint32_t(std::min<std::uint64_t>(bytes, 0xffffffffu));
}

bool isUserFile(const std::string& kernel) {
    return kernel.ends_with(".ptx") || kernel.ends_with(".cu");
}

Result<LaunchPlan> planOfFile(const RunRequest& request, std::uint32_t& staticShared) {
    const std::filesystem::path path(request.kernel);
    auto text = textOfFile(request);
    if (!text)
        return text.error();
    LaunchPlan plan;
    plan.mode = request.launch.mode;
    plan.moduleName = path.filename().string();
    plan.source = request.source;
    plan.sourceName = request.sourceName;
    plan.ttgir = request.ttgir;
    if (plan.ttgir.empty() && !request.text && path.extension() == ".ptx") // as they lie in Triton's cache
        if (auto beside = readFile(std::filesystem::path(path).replace_extension(".ttgir")))
            plan.ttgir = std::move(*beside);
    if (path.extension() == ".cu") {
        auto compiled = ptxOfFile(request, *text);
        if (!compiled)
            return compiled.error();
        plan.sourceName = path.filename().string();
        plan.source = std::move(*text);
        plan.headers = cuda_text::includedTexts(plan.source, path.parent_path(), request.compile.includes);
        plan.moduleName = path.stem().string() + ".ptx";
        text = std::move(compiled);
    }
    auto module = request.kept ? ptx::parseJoined(*text, plan.moduleName) : ptx::parse(*text, plan.moduleName);
    if (!module)
        return module.error();
    const bool isSource = path.extension() == ".cu"; // whose PTX nobody has seen
    const std::string& file = isSource ? plan.sourceName : plan.moduleName;
    auto entry = chooseEntry(*module, request.entry, file);
    if (!entry)
        return entry.error();
    const ptx::Function& function = **entry;
    auto arguments = parseArguments(request.arguments);
    if (!arguments)
        return arguments.error();
    plan.kept = request.kept;
    if (plan.kept && request.backend != name(BackendKind::Emulator))
        return Error{.message = say::EmulatorAlone, .file = "--backend", .remedy = say::RecordWhole};
    if (auto ok = holdAgainstParameters(function, *arguments, request.arguments, file, isSource ? 0 : function.line);
        !ok && !request.kept)
        return ok.error();
    if (!request.launch.set.empty())
        return Error{.message = say::SetForCatalogue, .file = "--set", .remedy = say::UseArg};
    auto buffers = parseArguments(request.buffers);
    if (!buffers)
        return buffers.error();
    for (const std::string& spec : request.globals) {
        auto patch = parseGlobal(*module, spec);
        if (!patch)
            return patch.error();
        plan.globals.push_back(std::move(*patch));
    }

    staticShared = staticSharedBytes(*module, function);
    plan.registers = request.registers;
    if (const DeviceSpec* device = findDevice(request.options.device);
        device && !plan.registers && request.countRegisters && request.backend == name(BackendKind::Emulator)) {
        plan.registers = countedRegisters(*module, function, *device, plan.notCounted);
        if (request.meetsByCode && request.codes.all.empty()) { // the code that they were counted in says it, too
            const std::string code = lastAssembled(*text, function.name, device->ccMajor * 10 + device->ccMinor);
            if (const auto cubin = machine::readCubin(std::as_bytes(std::span(code))))
                plan.meets = machine::meetsOf(*cubin, *module);
        }
    }
    if (request.meetsByCode)
        if (const auto cubin = machine::codeWith(request.codes, function.name))
            plan.meets = machine::meetsOf(*cubin, *module);
    plan.ptx = std::move(*text);
    plan.entry = function.name;
    plan.kernelName = kernelName(function.name).instance();
    plan.arguments = std::move(*arguments);
    plan.globalBuffers = std::move(*buffers);
    for (const std::string& spec : request.textures)
        if (auto ok = addTexture(plan, spec); !ok)
            return ok.error();
    for (const std::string& spec : request.surfaces)
        if (auto ok = addSurface(plan, spec); !ok)
            return ok.error();
    if (auto ok = checkPointers(plan); !ok)
        return ok.error();
    if (auto ok = checkObjectsUsed(plan, *module); !ok)
        return ok.error();
    plan.sharedBytes = request.launch.sharedBytes.value_or(0);
    plan.size = request.launch.size.value_or(0);
    const Dim3 required{function.reqntid[0], std::max(function.reqntid[1], 1u), std::max(function.reqntid[2], 1u)};
    plan.block = request.launch.block.value_or(required.x ? required : Dim3{request.launch.size ? 256u : 32u});
    const std::uint64_t threads = std::max<std::uint64_t>(plan.block.count(), 1);
    plan.grid = request.launch.grid.value_or(Dim3{
        request.launch.size
            ? std::uint32_t((std::uint64_t(std::max<std::int64_t>(*request.launch.size, 1)) + threads - 1) / threads)
            : 1u});
    if (auto ok = validate(function, plan.grid, plan.block, file, request.launch.cluster); !ok && !request.kept) {
        Error error = ok.error();
        if (isSource)
            error.line = lineInSource(*module, function);
        return error;
    }
    return plan;
}

} // namespace warpglass::session
