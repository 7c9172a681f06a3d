// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/requests.h"
#include "gpu/base/messages/session.h"

#include "app/session/asked.h"
#include "app/session/triton.h"
#include "gpu/device/device.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::uint64_t mostThreads = 1024; // of a block, on every device

class RequestsText {
    Q_DECLARE_TR_FUNCTIONS(Variants)
};

void onGpu(RunRequest& request, bool gpu) {
    request.backend = gpu ? "cuda" : "emulator";
    request.options.device = gpu ? "0" : "h200";
}

} // namespace

RunRequest firstLook(const CatalogueEntry& entry, const Run* open) {
    RunRequest request;
    request.kernel = entry.name;
    request.launch = entry.look;
    if (open && open->request) { // device, policy and mode are the person's, not the kernel's
        request.backend = open->request->backend;
        request.options = open->request->options;
        request.launch.mode = open->request->launch.mode;
        request.modeChosen = open->request->modeChosen;
    } else {
        request.launch.mode = usualMode(request.options.timing);
    }
    return request;
}

CompileMode usualMode(bool timing) {
    return timing ? CompileMode::Optimised : CompileMode::AsWritten;
}

void recordCycles(RunRequest& request, bool timing) {
    if (request.options.timing == timing)
        return;
    request.modeChosen |= request.launch.mode != usualMode(request.options.timing);
    if (!request.modeChosen)
        request.launch.mode = usualMode(timing);
    request.options.timing = timing;
}

RunRequest withKernel(const RunRequest& request, const std::string& kernel) {
    RunRequest result = request;
    result.kernel = kernel;
    const CatalogueEntry* entry = findKernel(kernel);
    std::erase_if(result.launch.set, [&](const auto& pair) {
        return !entry || std::none_of(entry->parameters.begin(), entry->parameters.end(),
                                      [&](const Parameter& p) { return p.name == pair.first; });
    });
    return result;
}

std::vector<std::string> relatives(const std::string& kernel) {
    std::vector<std::string> names;
    if (const CatalogueEntry* mine = findKernel(kernel))
        for (const CatalogueEntry& entry : catalogue())
            if (entry.family == mine->family && entry.name != mine->name)
                names.push_back(entry.name);
    return names;
}

RunRequest partnerOf(const RunRequest& request) {
    const std::vector<std::string> others = relatives(request.kernel);
    if (others.empty())
        return request;
    bool passed = false;
    for (const CatalogueEntry& entry : catalogue()) {
        passed = passed || entry.name == request.kernel;
        if (passed && std::find(others.begin(), others.end(), entry.name) != others.end())
            return withKernel(request, entry.name);
    }
    return withKernel(request, others.back());
}

bool sameLaunch(const RunRequest& a, const RunRequest& b) {
    return a.kernel == b.kernel && a.backend == "emulator" && b.backend == "emulator" &&
           a.launch.size == b.launch.size && a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
           a.launch.mode == b.launch.mode && a.launch.set == b.launch.set && a.accesses == b.accesses &&
           a.options.device == b.options.device && a.options.timing == b.options.timing;
}

Result<RunRequest> timedRequest(const RunRequest& asked, const Run* open) {
    RunRequest request = asked;
    // What Triton made of a .py is in the recording, and is not made once more.
    const bool recording = open && (!open->request || session::isTritonFile(open->request->kernel));
    if (recording) {
        auto kept = session::requestOf(*open->trace);
        if (!kept)
            return kept.error();
        request = std::move(*kept);
    } else if (request.kernel.empty()) {
        if (!open)
            return Error{say::NothingOpen};
        request = *open->request;
    }
    if (!recording && request.backend == "emulator")
        recordCycles(request, true);
    request.options.timing = true; // of what a GPU ran, or a file shows, the same code
    if (request.backend == "emulator" && findDevice(request.options.device))
        return request;
    onGpu(request, false);
    for (const DeviceSpec& device : devices())
        if (open && device.name == open->trace->info.deviceName)
            request.options.device = device.key;
    return request;
}

QVector<Variant> variantsOf(const RunRequest& request, Dim3 block, bool gpuUsable) {
    QVector<Variant> variants;
    const auto add = [&](const QString& text, const auto& change) {
        variants.append({text, request});
        change(variants.last().request);
    };
    const auto addBlock = [&](const QString& text, Dim3 other) {
        add(text.arg(QString::fromStdString(other.text())), [other](RunRequest& r) {
            r.launch.block = other;
            r.launch.grid.reset(); // as many blocks as the size needs
        });
    };
    if (block.x >= 2 && block.x % 2 == 0)
        addBlock(RequestsText::tr("half the block: %1"), {block.x / 2, block.y, block.z});
    if (const Dim3 twice{block.x * 2, block.y, block.z}; twice.count() <= mostThreads)
        addBlock(RequestsText::tr("twice the block: %1"), twice);
    const bool written = request.launch.mode == CompileMode::AsWritten;
    add(written ? RequestsText::tr("optimised by the compiler") : RequestsText::tr("compiled as written"),
        [written](RunRequest& r) {
            r.launch.mode = written ? CompileMode::Optimised : CompileMode::AsWritten;
            r.modeChosen = true;
        });
    if (request.options.timing && request.backend == "emulator")
        for (const SchedulingPolicy policy : allOf<SchedulingPolicy>)
            if (policy != request.options.policy)
                add(RequestsText::tr("policy %1").arg(QLatin1String(name(policy))),
                    [policy](RunRequest& r) { r.options.policy = policy; });
    const bool gpu = request.backend == "cuda";
    if (gpu || gpuUsable) // a GPU that can be used, or the way back from it
        add(gpu ? RequestsText::tr("on the emulator") : RequestsText::tr("on the GPU"),
            [gpu](RunRequest& r) { onGpu(r, !gpu); });
    return variants;
}

} // namespace warpglass
