// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/user_file.h"

#include "app/session/assembler.h"
#include "app/session/compile.h"
#include "app/session/kernel_names.h"
#include "gpu/base/read_file.h"
#include "gpu/base/utf8.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/device/device.h"
#include "gpu/launch/arguments.h"
#include "gpu/launch/elements.h"
#include "gpu/launch/texture_words.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace warpglass::session {

namespace {

constexpr std::uint64_t pointerBytes = 8;

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
        return Error{.message = "the file has no kernel",
                     .file = file,
                     .remedy = "A kernel is a __global__ function; a template needs its instance named: "
                               "--kernel 'scale<float, 128>'."};
    const std::string asked =
        wanted.size() <= mostLetters ? wanted : validUtf8(std::string_view(wanted).substr(0, mostLetters)) + "...";
    if (best == 0)
        return Error{.message = fmt::format("the file has no kernel \"{}\"", asked),
                     .file = file,
                     .remedy = fmt::format("Its kernels are {}.", names())};
    std::erase_if(all, [&](const Candidate& c) { return c.match < best; });
    if (all.size() == 1)
        return all.front().function;
    return Error{.message = wanted.empty() ? "the file has more than one kernel"
                                           : fmt::format("\"{}\" is the name of several kernels", asked),
                 .file = file,
                 .remedy = fmt::format("Say which with --kernel: {}.", names())};
}

// The word that --arg has for elements of such a type of the source; by the PTX's where it has none.
const char* elementOf(std::string_view type, ptx::Type ptxType) {
    for (const auto& [word, spec] : std::initializer_list<std::pair<const char*, const char*>>{
             {"unsigned long", "u64"},
             {"unsigned char", "u8"},
             {"unsigned short", "u16"},
             {"unsigned", "u32"},
             {"uchar", "u8"},
             {"ushort", "u16"},
             {"uint", "u32"},
             {"ulong", "u64"},
             {"dim3", "u32"},
             {"bfloat16", "bf16"},
             {"__half", "f16"},
             {"double", "f64"},
             {"float", "f32"},
             {"long", "i64"},
             {"bool", "u8"},
             {"char", "i8"},
             {"short", "i16"},
         })
        if (type.find(word) != std::string_view::npos)
            return spec;
    return ptxType == ptx::Type::F32 ? "f32" : ptxType == ptx::Type::F64 ? "f64" : "i32";
}

// CUDA's vectors and numbers of two bytes, which are structs to the PTX; empty for other structs.
std::string valueOfStruct(const std::string& type, const char* element) {
    if (type == "__half" || type == "__nv_bfloat16")
        return fmt::format("{}=0", element);
    static constexpr std::string_view vectors[] = {"char",  "uchar",    "short",     "ushort", "int",    "uint", "long",
                                                   "ulong", "longlong", "ulonglong", "float",  "double", "dim"};
    const std::string_view base = std::string_view(type).substr(0, type.size() - 1);
    const int fields = type.back() - '0';
    if (std::find(std::begin(vectors), std::end(vectors), base) == std::end(vectors) || fields < 1 || fields > 4)
        return {};
    std::string text;
    for (int k = 0; k < fields; ++k)
        text += fmt::format("{}{}:{}={}", k ? "," : "", "xyzw"[k], element, base == "dim" ? 1 : 0);
    return '{' + text + '}';
}

// How a person would describe this parameter, for the message that asks for it: by the type in the source where the
// kernel's name tells it, else by that of the PTX.
std::string exampleOf(const ptx::Variable& parameter, const KernelName& name, std::size_t index) {
    const bool told = index < name.parameters.size();
    const std::string type = told ? name.parameters[index] : fmt::format(".{}", ptx::name(parameter.type));
    std::string what = fmt::format("parameter {} is {}", index, type);
    const char* const element = elementOf(told ? type : "", parameter.type);
    if (parameter.isArray) {
        if (const std::string value = valueOfStruct(type, element); !value.empty())
            return fmt::format("{}: --arg p{}:{}", what, index, value);
        return fmt::format("{}, a struct of {} bytes: --arg p{}:{{x:f32=0,n:i32=0}} with its fields", what,
                           parameter.sizeBytes(), index);
    }
    if (told && type.ends_with("**"))
        return fmt::format("{}: --arg p{}:ptr[2]=a,b with --buffer a:{}[1024]=0 --buffer b:{}[1024]=0", what, index,
                           element, element);
    if (told && type.find('*') != std::string::npos) // of an array, too: float (*) [16]
        return fmt::format("{}: --arg p{}:{}[1024]=0", what, index, element);
    const std::uint64_t bytes = parameter.sizeBytes();
    if (!told && bytes == 8 && parameter.type != ptx::Type::F64)
        return fmt::format("{}: --arg p{}:i32[1024]=0 for a pointer, p{}:i64=0 for a number", what, index, index);
    const ElementType* known = findType(element);
    if (known && std::uint64_t(bytesOf(*known)) == bytes)
        return fmt::format("{}: --arg p{}:{}=0", what, index, element);
    for (const char* whole : {"i64", "u16", "u8"}) // of an enumeration, whose type nobody tells
        if (std::uint64_t(bytesOf(*findType(whole))) == bytes)
            return fmt::format("{}: --arg p{}:{}=0", what, index, whole);
    return what;
}

// Of a value of as many bytes: whether the kernel would take it for another number. Of the PTX's whole numbers nobody
// knows what they are, unless the source tells.
bool isAnotherNumber(const ptx::Variable& parameter, const KernelName& name, std::size_t index, const Argument& given) {
    const auto isReal = [](ptx::Type type) { return type == ptx::Type::F32 || type == ptx::Type::F64; };
    const bool told = index < name.parameters.size(), real = isReal(parameter.type);
    if (given.isBuffer || given.tensorMap || !given.pointers.empty() || parameter.isArray || (!real && !told))
        return false;
    return real ? given.type == ElementType::I32 || given.type == ElementType::U32 || given.type == ElementType::I64 ||
                      given.type == ElementType::U64
                : given.type == ElementType::F32 || given.type == ElementType::F64;
}

// line: of the entry in the file, or 0.
Result<void> holdAgainstParameters(const ptx::Function& entry, const std::vector<Argument>& arguments,
                                   const std::string& file, int line) {
    const KernelName name = kernelName(entry.name);
    if (arguments.size() != entry.params.size()) {
        std::string wanted;
        for (std::size_t i = 0; i < entry.params.size(); ++i)
            wanted += (i ? "; " : "") + exampleOf(entry.params[i], name, i);
        return Error{.message = fmt::format("{} takes {} argument{} and {} {} given", name.plain, entry.params.size(),
                                            entry.params.size() == 1 ? "" : "s", arguments.size(),
                                            arguments.size() == 1 ? "was" : "were"),
                     .file = file,
                     .line = line,
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
                         .line = line,
                         .remedy = fmt::format("In the kernel {}.", exampleOf(entry.params[i], name, i))};
        if (isAnotherNumber(entry.params[i], name, i, arguments[i]))
            return Error{.message = fmt::format("argument \"{}\" is of type {}, whose bits are another number in the "
                                                "kernel's parameter {}",
                                                arguments[i].name, warpglass::name(arguments[i].type), i),
                         .file = file,
                         .line = line,
                         .remedy = fmt::format("In the kernel {}.", exampleOf(entry.params[i], name, i))};
    }
    return {};
}

// A variable of the module as the source calls it.
const ptx::Variable* findGlobal(const ptx::Module& module, std::string_view wanted) {
    for (const ptx::Variable& variable : module.variables)
        if ((variable.space == ptx::StateSpace::Global || variable.space == ptx::StateSpace::Const) &&
            !variable.isExtern && matches(kernelName(variable.name), wanted) > 0)
            return &variable;
    return nullptr;
}

// What "i32[64]" a variable of the PTX is; empty where the PTX has only bytes.
std::string typeOf(const ptx::Variable& variable) {
    using ptx::Type;
    constexpr std::pair<Type, const char*> names[] = {{Type::F32, "f32"}, {Type::F64, "f64"}, {Type::S32, "i32"},
                                                      {Type::B32, "i32"}, {Type::U32, "u32"}, {Type::S64, "i64"},
                                                      {Type::B64, "i64"}, {Type::U64, "u64"}};
    const auto* named =
        std::find_if(std::begin(names), std::end(names), [&](const auto& pair) { return pair.first == variable.type; });
    if (named == std::end(names))
        return {};
    const std::uint64_t count = variable.sizeBytes() / std::uint64_t(ptx::bytesOf(variable.type));
    return fmt::format("{}[{}]", named->second, std::max<std::uint64_t>(count, 1));
}

// --global NAME=VALUES or NAME:TYPE[COUNT]=INITIAL.
Result<GlobalPatch> parseGlobal(const ptx::Module& module, const std::string& spec) {
    const std::size_t equals = spec.find('=');
    // The colon of a type, not one of "demo::table".
    std::size_t colon = spec.find(':');
    while (colon != std::string::npos && colon < equals && spec.substr(colon).starts_with("::"))
        colon = spec.find(':', colon + 2);
    const bool typed = colon != std::string::npos && colon < equals;
    const std::string name = spec.substr(0, typed ? colon : equals);
    const ptx::Variable* variable = findGlobal(module, name);
    if (!variable) {
        std::string names;
        for (const ptx::Variable& other : module.variables)
            if (other.space == ptx::StateSpace::Global || other.space == ptx::StateSpace::Const)
                names += (names.empty() ? "" : ", ") + kernelName(other.name).plain;
        return Error{.message = fmt::format("the file has no variable \"{}\"", name),
                     .file = "--global " + spec,
                     .remedy = names.empty() ? "It has none at all." : fmt::format("Its variables are {}.", names)};
    }
    const std::string type = typeOf(*variable);
    if (equals == std::string::npos || (!typed && type.empty()))
        return Error{.message = fmt::format("the PTX knows {} as {} bytes without a type", name, variable->sizeBytes()),
                     .file = "--global " + spec,
                     .remedy = fmt::format("Write --global {}:f32[{}]=INITIAL, or what type it has.", name,
                                           variable->sizeBytes() / 4)};
    auto value = parseArgument(typed ? "global:" + spec.substr(colon + 1)
                                     : fmt::format("global:{}={}", type, spec.substr(equals + 1)));
    if (!value)
        return value.error();
    GlobalPatch patch{.symbol = variable->name, .bytes = std::move(value->scalar), .pointers = value->pointers};
    if (value->isBuffer) {
        const std::uint64_t bytes = value->count * std::uint64_t(bytesOf(value->type));
        patch.bytes.resize(std::min(bytes, variable->sizeBytes() + 1)); // one more is already too many
        if (value->fill && bytes <= variable->sizeBytes())
            value->fill(patch.bytes);
    }
    if (patch.bytes.size() > variable->sizeBytes())
        return Error{.message = fmt::format("{} has {} bytes, less than is given", name, variable->sizeBytes()),
                     .file = "--global " + spec};
    return patch;
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
        return Error{.message = fmt::format("nothing of this launch leads to \"{}\"", name),
                     .file = fmt::format("{} {}", option, name),
                     .remedy =
                         fmt::format("Give it to a parameter: --arg NAME:ptr={}; a texture reference of the file is "
                                     "bound by its own name.",
                                     name)};
    };
    for (const TextureBinding& t : plan.textures)
        if (!leadsTo(t.name))
            return unused("--texture", t.name);
    for (const SurfaceBinding& s : plan.surfaces)
        if (!leadsTo(s.name))
            return unused("--surface", s.name);
    return {};
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
    if (path.extension() == ".cu") {
        auto compiled = ptxOfFile(request, *text);
        if (!compiled)
            return compiled.error();
        plan.sourceName = path.filename().string();
        plan.source = std::move(*text);
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
        return Error{.message = "a launch of a program is made again on the emulator alone",
                     .file = "--backend",
                     .remedy = "Record the whole program with --backend cuda."};
    if (auto ok = holdAgainstParameters(function, *arguments, file, isSource ? 0 : function.line); !ok && !request.kept)
        return ok.error();
    if (!request.launch.set.empty())
        return Error{.message = "--set is for kernels of the catalogue", .file = "--set", .remedy = "Use --arg."};
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
        device && !plan.registers && request.countRegisters && request.backend == name(BackendKind::Emulator))
        plan.registers =
            assembledRegisters(findAssembler(), *module, function.name, device->ccMajor * 10 + device->ccMinor)
                .value_or(0);
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
    return plan;
}

} // namespace warpglass::session
