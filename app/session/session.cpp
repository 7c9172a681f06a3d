// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include "app/session/asked.h"
#include "app/session/kept_code.h"
#include "app/session/user_file.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/cage/caged_emulator.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/emulator/emulator.h"
#include "gpu/launch/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <numeric>
#include <utility>

namespace warpglass::session {

namespace {

// How many letters have to be changed, added or left out to make b of a (Levenshtein).
std::size_t lettersApart(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t other = std::min({row[j] + 1, row[j + 1] + 1, corner + (a[i] == b[j] ? 0 : 1)});
            corner = std::exchange(row[j + 1], other);
        }
    }
    return row.back();
}

// Names that a person may have meant: those that contain what was typed, are contained in it, or are two letters away
// from it, whatever the case.
std::string similarNames(std::string_view typed) {
    const auto lower = [](std::string_view text) {
        std::string out(text);
        std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        return out;
    };
    const std::string wanted = lower(typed);
    constexpr std::size_t mostApart = 2;
    const auto isNear = [&](const std::string& name) { // what is longer by more is not even compared
        const std::size_t longer = std::max(wanted.size(), name.size()), shorter = std::min(wanted.size(), name.size());
        return wanted.size() >= 6 && longer - shorter <= mostApart && lettersApart(wanted, name) <= mostApart;
    };
    std::string names;
    int found = 0;
    for (const CatalogueEntry& entry : catalogue()) {
        const std::string name = lower(entry.name);
        const bool near =
            name.find(wanted) != std::string::npos || wanted.find(name) != std::string::npos || isNear(name);
        if (wanted.size() >= 3 && near && found++ < 6)
            names += (names.empty() ? "" : ", ") + entry.name;
    }
    return names;
}

// What launch leaves out, from the document's own launch.
LaunchRequest asInDocument(const CatalogueEntry& entry, LaunchRequest launch) {
    if (!launch.size && !launch.grid)
        launch.size = entry.document.size;
    if (!launch.block)
        launch.block = entry.document.block;
    if (!launch.grid && !launch.size)
        launch.grid = entry.document.grid;
    if (!launch.sharedBytes)
        launch.sharedBytes = entry.document.sharedBytes;
    for (const auto& [name, value] : entry.document.set)
        launch.set.emplace(name, value);
    return launch;
}

Result<LaunchPlan> planOfCatalogue(const RunRequest& request) {
    const CatalogueEntry* entry = findKernel(request.kernel);
    if (!entry) {
        const std::string similar = similarNames(request.kernel);
        return Error{.message = say::NoKernelHere(request.kernel),
                     .remedy = similar.empty() ? say::ListShowsAll : say::PerhapsYouMeant(similar)};
    }
    if (!request.arguments.empty() || !request.entry.empty())
        return Error{.message = say::OwnArguments(entry->name),
                     .file = request.arguments.empty() ? "--kernel" : "--arg",
                     .remedy = say::UseSizeSet};
    return makePlan(*entry, request.documentLaunch ? asInDocument(*entry, request.launch) : request.launch);
}

std::string deviceKeys() {
    std::string keys;
    for (const DeviceSpec& device : devices())
        keys += (keys.empty() ? "" : ", ") + device.key;
    return keys;
}

} // namespace

Result<LaunchPlan> planOf(const RunRequest& request) {
    std::uint32_t staticShared = 0;
    auto plan = isUserFile(request.kernel) ? planOfFile(request, staticShared) : planOfCatalogue(request);
    if (!plan)
        return plan;
    plan->cluster = request.launch.cluster;
    if (request.pendingLaunches)
        plan->pendingLaunchLimit = *request.pendingLaunches;
    if (request.heapLimit)
        plan->heapLimit = *request.heapLimit;
    if (request.backend == "emulator") { // a GPU's limits are known to the machine that has it
        const DeviceSpec* device = findDevice(request.options.device);
        if (!device)
            return Error{.message = say::NoEmulatedDevice(request.options.device),
                         .file = "--device",
                         .remedy = say::ItCanBe(deviceKeys())};
        if (auto ok = validate(*plan, *device, staticShared); !ok)
            return ok.error();
        if (auto ok = validateMemory({}, *plan, *device); !ok) // of the variables, the emulator knows
            return ok.error();
    }
    if (auto blocks = chosenBlocks(request.options.detail, plan->grid.count()); !blocks)
        return blocks.error();
    return plan;
}

Result<Recording> runPlan(const RunRequest& request, const LaunchPlan& plan, Progress& progress) {
    auto backend = backendFor(request);
    if (!backend)
        return backend.error();
    return runPlan(request, plan, **backend, progress);
}

namespace {

// Of small grids accesses are recorded by themselves. On a GPU not of kernels that copy beside their threads: each lane of each
// access writes 32 bytes, and what stood in the shadow of a copy would come out of it (products of 512 on an H200: 1.8 to 3.2
// times as long as without probes, 1.3 to 1.9 times without accesses).
bool recordsAccesses(const RunRequest& request, const LaunchPlan& plan) {
    if (request.accesses || request.options.detail.accesses)
        return true;
    const auto has = [&](const char* word) { return plan.ptx.find(word) != std::string::npos; };
    const bool copies = request.backend == "cuda" && (has("cp.async") || has("mbarrier."));
    return plan.grid.count() <= accessBlocks && !copies;
}

} // namespace

Result<Recording> runPlan(const RunRequest& request, const LaunchPlan& plan, Backend& backend, Progress& progress) {
    RunOptions options = request.options;
    options.detail.accesses = recordsAccesses(request, plan);
    options.command = request.command;
    options.asked = askedOf(request);
    try {
        auto recording = backend.run(plan, options, progress);
        if (recording && options.detail.kind != Detail::Kind::None && recording->trace->codes.all.empty())
            const_cast<Trace&>(*recording->trace).codes = codeOfRun(*recording->trace, plan); // nobody has seen it yet
        return recording;
    } catch (const std::bad_alloc&) {
        return Error{.message = say::NotEnoughToRun(plan.kernelName), .remedy = say::SmallerSize};
    }
}

Error faultOf(const Recording& recording, const RunRequest& request) {
    Error fault = *recording.fault;
    if (!request.kernel.ends_with(".cu") && request.sourceName.empty())
        return fault;
    fault.file =
        std::filesystem::path(request.sourceName.empty() ? request.kernel : request.sourceName).filename().string();
    fault.line = 0;
    const Trace& trace = *recording.trace;
    const auto fatal =
        std::find_if(trace.diagnostics.begin(), trace.diagnostics.end(), [](const Diagnostic& d) { return d.fatal; });
    if (fatal == trace.diagnostics.end() || fatal->source.line == 0 || fatal->launch >= trace.launches.size())
        return fault;
    const Kernel& of = trace.kernels[trace.launches[fatal->launch].kernel];
    if (fatal->source.file < of.files.size())
        fault.file = std::filesystem::path(of.files[fatal->source.file]).filename().string();
    fault.line = int(fatal->source.line);
    return fault;
}

Result<Recording> runRequest(const RunRequest& request, Progress& progress) {
    auto plan = planOf(request);
    if (!plan)
        return plan.error();
    return runPlan(request, *plan, progress);
}

Result<std::unique_ptr<Backend>> makeBackend(const std::string& name) {
    const auto kind = parseEnum<BackendKind>(name, "--backend");
    if (!kind)
        return kind.error();
    if (*kind == BackendKind::Emulator)
        return makeEmulator();
    auto backend = loadCudaBackend();
    if (auto ok = backend->available(); !ok)
        return ok.error();
    return backend;
}

bool isCaged(const RunRequest& request) {
    return request.backend == name(BackendKind::Emulator) && isUserFile(request.kernel);
}

Result<std::unique_ptr<Backend>> backendFor(const RunRequest& request) {
    if (isCaged(request))
        return makeCagedEmulator();
    return makeBackend(request.backend);
}

} // namespace warpglass::session
