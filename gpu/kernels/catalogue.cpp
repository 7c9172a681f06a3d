// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/catalogue.h"
#include "gpu/base/messages/session.h"

#include "gpu/kernels/families.h"
#include "gpu/kernels/texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass {

namespace {

std::vector<CatalogueEntry> allKernels() {
    std::vector<CatalogueEntry> all;
    for (auto family :
         {kernels::divergenceKernels, kernels::indexKernels, kernels::vectorKernels, kernels::matrixKernels,
          kernels::reduceGlobalKernels, kernels::reduceSharedKernels, kernels::memoryKernels, kernels::atomicKernels,
          kernels::pipelineKernels, kernels::nestedKernels, kernels::deviceKernels})
        for (auto& entry : family())
            all.push_back(std::move(entry));
    return all;
}

// Every name known, every value in range, what is missing from the standards.
Result<void> completeParameters(const CatalogueEntry& entry, LaunchRequest& request) {
    for (const auto& [name, value] : request.set) {
        const auto found = std::ranges::find(entry.parameters, name, &Parameter::name);
        if (found == entry.parameters.end()) {
            std::string known;
            for (const auto& parameter : entry.parameters)
                known += (known.empty() ? "" : ", ") + parameter.name;
            return Error{.message = say::NoSuchParameter(entry.name, name),
                         .file = "--set",
                         .remedy = known.empty() ? Said(say::HasNone) : Said(say::ParametersAre(known))};
        }
        if (value < found->minimum || value > found->maximum)
            return Error{.message = say::ParameterOutOfRange(name, std::to_string(value)),
                         .file = "--set",
                         .remedy = say::ChooseFromTo(std::to_string(found->minimum), std::to_string(found->maximum))};
    }
    for (const auto& parameter : entry.parameters)
        request.set.emplace(parameter.name, parameter.standard);
    return {};
}

} // namespace

std::span<const CatalogueEntry> catalogue() {
    static const std::vector<CatalogueEntry> all = allKernels();
    return all;
}

std::span<const Family> families() {
    static const std::vector<Family> all{
        {"divergence", "Divergence", "线程束分化"},
        {"index", "Threads and indices", "线程与索引"},
        {"vector-matrix", "Vectors and matrices", "向量与矩阵"},
        {"reduction-global", "Reductions in global memory", "全局内存归约"},
        {"reduction-shared", "Reductions in shared memory", "共享内存归约"},
        {"memory", "Memory access", "内存访问"},
        {"atomics", "Atomic operations", "原子操作"},
        {"pipelines", "Pipelines", "流水线"},
        {"nested", "Kernels that launch kernels", "动态并行"},
        {"device", "The device", "设备"},
    };
    return all;
}

const CatalogueEntry* findKernel(std::string_view name) {
    const auto all = catalogue();
    const auto found = std::ranges::find(all, name, &CatalogueEntry::name);
    return found == all.end() ? nullptr : &*found;
}

Result<LaunchPlan> makePlan(const CatalogueEntry& entry, LaunchRequest request) {
    if (!request.size && !request.grid) {
        request.size = entry.look.size;
        if (!request.block)
            request.grid = entry.look.grid;
    }
    if (!request.block)
        request.block = entry.look.block;
    for (const auto& [name, value] : entry.look.set)
        request.set.emplace(name, value);
    if (auto ok = completeParameters(entry, request); !ok)
        return ok.error();

    auto made = entry.plan(request);
    if (!made)
        return made;
    LaunchPlan plan = std::move(made).value();
    if (plan.entry.empty())
        plan.entry = entry.entry;
    if (request.sharedBytes)
        plan.sharedBytes = *request.sharedBytes;
    plan.kernelName = entry.name;
    plan.moduleName = entry.source.substr(0, entry.source.rfind('.')) + ".ptx";
    plan.sourceName = "gpu/kernels/" + entry.source;
    plan.source = kernels::sourceText(entry.source);
    plan.ptx = kernels::ptxText(entry.source, request.mode);
    plan.mode = request.mode;
    plan.registers = kernels::entryResources(entry.source, plan.entry, request.mode).registers;
    return plan;
}

} // namespace warpglass
