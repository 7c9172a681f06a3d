// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/asked.h"

#include "app/session/kernel_names.h"
#include "app/session/user_file.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"
#include "gpu/base/whole_number.h"
#include "gpu/device/device.h"
#include "gpu/trace/register_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace warpglass::session {

namespace {

constexpr std::string_view fileWord = "file:";
constexpr std::uint64_t mostInstructions = std::uint64_t(1) << 30; // of a warp, whatever a stranger's file asks for

// Where the contents of a buffer or a texture are said to be those of a file; they are the last of what is said.
std::size_t fileAt(std::string_view spec) {
    for (const char before : {'=', ':'})
        if (const std::size_t at = spec.find(std::string(1, before) + std::string(fileWord));
            at != std::string_view::npos)
            return at + 1;
    return std::string_view::npos;
}

// The spec with its file's bytes in the file's place, or with its name alone, without the folders of this machine.
std::string withoutPath(const std::string& spec, std::uint64_t& bytesLeft) {
    const std::size_t at = fileAt(spec);
    if (at == std::string::npos)
        return spec;
    const std::filesystem::path path(spec.substr(at + fileWord.size()));
    std::error_code code;
    if (const auto size = std::filesystem::file_size(path, code); !code && size <= bytesLeft)
        if (const auto contents = readFile(path); contents && contents->size() <= bytesLeft) {
            bytesLeft -= contents->size();
            std::string kept = spec.substr(0, at) + "hex:";
            kept.reserve(kept.size() + 2 * contents->size());
            for (const char c : *contents) {
                constexpr const char* digits = "0123456789abcdef";
                kept += {digits[std::uint8_t(c) >> 4], digits[std::uint8_t(c) & 15]};
            }
            return kept;
        }
    return spec.substr(0, at + fileWord.size()) + path.filename().string();
}

const char* flag(bool on) {
    return on ? "on" : "";
}

Error noWord(const AskedWord& word) {
    return Error{.message = say::WordIsNone("--" + word.option.substr(0, 40), word.value.substr(0, 80))};
}

constexpr auto askTheFile = say::OpenOwnFile;

// How each word is taken into a request; false: it is none.
using Take = std::function<bool(RunRequest&, const std::string&)>;

template <typename Options> // that a request's are made of
Take number(std::uint64_t Options::*member, std::uint64_t most) {
    return [member, most](RunRequest& r, const std::string& value) {
        const auto n = wholeNumber<std::uint64_t>(value);
        if (n)
            r.options.*member = std::min(*n, most);
        return n.has_value();
    };
}

template <typename T>
Take optionalNumber(std::optional<T> LaunchRequest::*member) {
    return [member](RunRequest& r, const std::string& value) {
        r.launch.*member = wholeNumber<T>(value);
        return (r.launch.*member).has_value();
    };
}

Take shape(std::optional<Dim3> LaunchRequest::*member) {
    return [member](RunRequest& r, const std::string& value) {
        r.launch.*member = parseDim3(value);
        return (r.launch.*member).has_value();
    };
}

Take list(std::vector<std::string> RunRequest::*member) {
    return [member](RunRequest& r, const std::string& value) {
        (r.*member).push_back(value);
        return true;
    };
}

template <Worded Enum, typename Options>
Take oneOf(Enum Options::*member) {
    return [member](RunRequest& r, const std::string& value) {
        const auto known = parseEnum<Enum>(value);
        if (known)
            r.options.*member = *known;
        return known.ok();
    };
}

bool takeSetting(RunRequest& r, const std::string& value) {
    const std::size_t equals = value.find('=');
    const auto n = equals == std::string::npos ? std::nullopt
                                               : wholeNumber<std::int64_t>(std::string_view(value).substr(equals + 1));
    if (n)
        r.launch.set[value.substr(0, equals)] = *n;
    return n.has_value();
}

const std::map<std::string, Take, std::less<>>& takers() {
    static const std::map<std::string, Take, std::less<>> all{
        {"file", [](RunRequest& r, const std::string& v) { return (r.kernel = v, isUserFile(v)); }},
        {"catalogue", [](RunRequest& r, const std::string& v) { return (r.kernel = v, findKernel(v) != nullptr); }},
        {"kernel", [](RunRequest& r, const std::string& v) { return (r.entry = v, true); }},
        {"arg", list(&RunRequest::arguments)},
        {"buffer", list(&RunRequest::buffers)},
        {"texture", list(&RunRequest::textures)},
        {"surface", list(&RunRequest::surfaces)},
        {"global", list(&RunRequest::globals)},
        {"set", takeSetting},
        {"size", optionalNumber(&LaunchRequest::size)},
        {"grid", shape(&LaunchRequest::grid)},
        {"block", shape(&LaunchRequest::block)},
        {"cluster", shape(&LaunchRequest::cluster)},
        {"shared", optionalNumber(&LaunchRequest::sharedBytes)},
        {"as-in-document", [](RunRequest& r, const std::string&) { return (r.documentLaunch = true); }},
        {"mode",
         [](RunRequest& r, const std::string& v) {
             const auto mode = parseEnum<CompileMode>(v);
             if (mode)
                 r.launch.mode = *mode;
             return mode.ok();
         }},
        {"pending-launches",
         [](RunRequest& r, const std::string& v) {
             r.pendingLaunches = wholeNumber<std::uint32_t>(v);
             return r.pendingLaunches.has_value();
         }},
        {"heap-limit",
         [](RunRequest& r, const std::string& v) {
             r.heapLimit = wholeNumber<std::uint64_t>(v);
             return r.heapLimit.has_value();
         }},
        {"memory", [](RunRequest&, const std::string&) { return true; }}, // says of Trace::kept why it is empty
        {"device", [](RunRequest& r, const std::string& v) { return (r.options.device = v, true); }},
        {"timing", [](RunRequest& r, const std::string&) { return (r.options.timing = true); }},
        {"cold-code", [](RunRequest& r, const std::string&) { return (r.options.coldCode = true); }},
        {"warm-l2", [](RunRequest& r, const std::string&) { return (r.options.warmL2 = true); }},
        {"l2",
         [](RunRequest& r, const std::string& v) {
             const auto pieces = parseL2Pieces(v == "nothing" ? "" : v);
             if (pieces)
                 r.options.l2 = *pieces;
             return bool(pieces);
         }},
        {"accesses", [](RunRequest& r, const std::string&) { return (r.accesses = true); }},
        {"check",
         [](RunRequest& r, const std::string& v) {
             r.options.checkRaces = v.starts_with("race");
             r.options.checkFinite = v.ends_with("finite");
             return v == "race" || v == "finite" || v == "race,finite";
         }},
        {"policy", oneOf(&RunOptions::policy)},
        {"reconvergence", oneOf(&RunOptions::reconvergence)},
        {"on-fault", oneOf(&RunOptions::onFault)},
        {"max-events", number(&RunOptions::maxEvents, RunOptions().maxEvents)},
        {"max-instructions", number(&RunOptions::instructionLimit, mostInstructions)},
        {"without",
         [](RunRequest& r, const std::string& v) {
             const auto limits = parseLimits(v);
             if (limits)
                 r.options.without = *limits;
             return limits.ok();
         }},
        {"detail",
         [](RunRequest& r, const std::string& v) {
             auto detail = parseDetail(v);
             if (detail)
                 r.options.detail = std::move(*detail);
             return detail.ok();
         }},
    };
    return all;
}

// What a program's launch began with. Error: it is not there, and why.
Result<void> takeMemory(RunRequest& request, const Trace& trace) {
    const auto said = std::find_if(trace.asked.begin(), trace.asked.end(),
                                   [](const AskedWord& word) { return word.option == "memory"; });
    if (said == trace.asked.end())
        return {};
    const auto keeping = parseEnum<Keeping>(said->value);
    if (!keeping)
        return noWord(*said);
    if (*keeping == Keeping::Textures)
        return Error{.message = say::TexturesNotKept};
    if (*keeping != Keeping::Kept || trace.kept.empty())
        return Error{.message = say::MemoryNotKept, .remedy = say::KeepMoreMemory};
    request.kept = std::make_shared<const KeptMemory>(trace.kept);
    request.countRegisters = false; // as in the program
    if (!registersEstimated(trace, 0))
        request.registers = trace.kernelOf(trace.launches.front()).registers;
    return {};
}

// On the emulator, as the device that the trace names.
void onItsDevice(RunRequest& request, const Trace& trace) {
    request.backend = "emulator";
    if (trace.info.backend == BackendKind::Emulator && findDevice(request.options.device))
        return;
    request.options.device = RunOptions().device;
    for (const DeviceSpec& device : devices())
        if (device.name == trace.info.deviceName)
            request.options.device = device.key;
}

} // namespace

std::vector<AskedWord> askedOf(const RunRequest& request) {
    const bool ofUser = isUserFile(request.kernel);
    const RunOptions& o = request.options;
    const RunOptions usual;
    std::vector<AskedWord> words;
    const auto add = [&](const char* option, std::string value) {
        if (!value.empty())
            words.push_back({option, std::move(value)});
    };
    add(ofUser ? "file" : "catalogue",
        ofUser ? std::filesystem::path(request.kernel).filename().string() : request.kernel);
    add("kernel", request.entry);
    std::uint64_t bytesLeft = keptFileBytes;
    const auto addAll = [&](const char* option, const std::vector<std::string>& specs) {
        for (const std::string& spec : specs)
            add(option, withoutPath(spec, bytesLeft));
    };
    addAll("arg", request.arguments);
    addAll("buffer", request.buffers);
    addAll("texture", request.textures);
    addAll("surface", request.surfaces);
    addAll("global", request.globals);
    for (const auto& [setting, value] : request.launch.set)
        add("set", fmt::format("{}={}", setting, value));
    const auto addShape = [&](const char* option, const std::optional<Dim3>& value) {
        add(option, value ? value->text() : "");
    };
    const auto addNumber = [&](const char* option, const auto& value) {
        add(option, value ? std::to_string(*value) : "");
    };
    addNumber("size", request.launch.size);
    addShape("grid", request.launch.grid);
    addShape("block", request.launch.block);
    addShape("cluster", request.launch.cluster);
    addNumber("shared", request.launch.sharedBytes);
    add("as-in-document", flag(request.documentLaunch));
    add("mode", name(request.launch.mode));
    addNumber("pending-launches", request.pendingLaunches);
    addNumber("heap-limit", request.heapLimit);
    add("memory", request.kept ? name(Keeping::Kept) : "");
    add("device", o.device);
    add("timing", flag(o.timing));
    add("cold-code", flag(o.coldCode));
    add("warm-l2", flag(o.warmL2));
    if (o.l2)
        add("l2", o.l2->empty() ? "nothing" : text(*o.l2));
    add("accesses", flag(request.accesses));
    add("check", o.checkRaces && o.checkFinite ? "race,finite" : o.checkRaces ? "race" : o.checkFinite ? "finite" : "");
    add("policy", o.policy == usual.policy ? "" : name(o.policy));
    add("reconvergence", o.reconvergence == usual.reconvergence ? "" : name(o.reconvergence));
    add("on-fault", o.onFault == usual.onFault ? "" : name(o.onFault));
    add("max-events", o.maxEvents == usual.maxEvents ? "" : std::to_string(o.maxEvents));
    add("max-instructions", o.instructionLimit == usual.instructionLimit ? "" : std::to_string(o.instructionLimit));
    add("without", text(o.without));
    add("detail", text(o.detail));
    return words;
}

Result<RunRequest> requestOf(const Trace& trace) {
    if (trace.launches.empty())
        return Error{.message = say::NoLaunchInTrace};
    RunRequest request;
    if (trace.asked.empty()) {
        request = launchOf(trace);
        if (!trace.codes.all.empty() && trace.kernelOf(trace.launches.front()).ptx.empty())
            return Error{.message = say::CodeAlone, .remedy = say::ShowsCode};
        if (!findKernel(request.kernel))
            return Error{.message = say::NotInGallery, .remedy = askTheFile};
        if (request.launch.size)
            request.launch.grid.reset(); // as many blocks as the size needs
        request.options.detail.accesses = false;
        onItsDevice(request, trace);
        return request;
    }
    for (const AskedWord& word : trace.asked) {
        const auto take = takers().find(word.option);
        if (take == takers().end() || !take->second(request, word.value))
            return noWord(word);
        const bool ofData = word.option == "arg" || word.option == "buffer" || word.option == "texture" ||
                            word.option == "surface" || word.option == "global";
        if (ofData && fileAt(word.value) != std::string::npos)
            return Error{.message = say::DataNotKept,
                         .file = fmt::format("--{} {:.80}", word.option, word.value),
                         .remedy = askTheFile};
    }
    if (auto ok = takeMemory(request, trace); !ok)
        return ok.error();
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    if (isUserFile(request.kernel)) {
        // Lanes meet as they did: by the code that was kept. A program's launches are emulated by their text.
        const bool ofProgram = std::ranges::find(trace.asked, "memory", &AskedWord::option) != trace.asked.end();
        const bool byCode = !trace.codes.all.empty() && !(ofProgram && trace.info.backend == BackendKind::Emulator);
        request.meetsByCode = byCode || trace.info.backend == BackendKind::Cuda;
        if (byCode)
            request.codes = trace.codes;
        request.kernel = std::filesystem::path(request.kernel).filename().string();
        const bool isSource = !request.kernel.ends_with(".ptx");
        request.text = isSource ? kernel.source : kernel.ptx;
        if (isSource) {
            request.compiled = std::make_shared<const CompiledText>(
                CompiledText{kernel.ptx, kernel.source, instanceIn(request.entry), request.launch.mode});
        } else { // a program's, from a file that is none of nvcc's own (kernel.h)
            request.source = kernel.source;
            request.ttgir = kernel.ttgir;
            request.sourceName = kernel.sourceName;
        }
    } else if (request.kernel.empty()) {
        return Error{.message = say::NamesNoKernel};
    }
    request.command = trace.info.command;
    onItsDevice(request, trace);
    return request;
}

RunRequest launchOf(const Trace& trace) {
    const Launch& launch = trace.launches.front();
    RunRequest request;
    request.kernel = trace.kernelOf(launch).name;
    request.launch.block = launch.block;
    request.launch.grid = launch.grid;
    if (trace.info.size > 0)
        request.launch.size = trace.info.size;
    request.launch.mode = trace.info.mode;
    request.options.timing = trace.info.timing;
    request.options.detail.accesses = trace.info.recordedAccesses;
    const bool gpu = trace.info.backend == BackendKind::Cuda;
    request.backend = gpu ? "cuda" : "emulator";
    request.options.device = gpu ? "0" : "h200";
    for (const DeviceSpec& device : devices())
        if (!gpu && device.name == trace.info.deviceName)
            request.options.device = device.key;
    return request;
}

Result<Detail> parseDetail(std::string_view text) {
    if (const auto kind = parseEnum<Detail::Kind>(text))
        return Detail{.kind = *kind};
    const Error wrong{.message = say::NoDetailChoice(text), .file = "--detail", .remedy = say::DetailForm};
    if (!text.starts_with("block:"))
        return wrong;
    Detail detail{.kind = Detail::Kind::Blocks};
    for (std::string_view rest = text.substr(6);;) {
        const std::size_t comma = rest.find(',');
        const auto block = wholeNumber<std::uint64_t>(rest.substr(0, comma));
        if (!block)
            return wrong;
        detail.blocks.push_back(*block);
        if (comma == std::string_view::npos)
            return detail;
        rest.remove_prefix(comma + 1);
    }
}

std::string text(const Detail& detail) {
    if (detail.kind != Detail::Kind::Blocks)
        return name(detail.kind);
    std::string words = "block:";
    for (std::size_t i = 0; i < detail.blocks.size(); ++i)
        words += (i > 0 ? "," : "") + std::to_string(detail.blocks[i]);
    return words;
}

} // namespace warpglass::session
