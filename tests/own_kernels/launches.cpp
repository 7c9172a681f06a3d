// SPDX-License-Identifier: GPL-3.0-or-later
#include "launches.h"

#include "gpu/cuda/cuda_backend.h"
#include "gpu/emulator/emulator.h"

#include <fstream>
#include <sstream>

namespace warpglass::own_kernels {

namespace {

std::string ptxOf(const Launch& launch, const std::string& target) {
    std::ifstream file(std::string(WARPGLASS_SOURCE_DIR) + "/tests/own_kernels/" + launch.file + "_" + target + ".ptx");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// Code for "75" runs on everything newer, code for "90a" on 9.0 alone.
bool runsOn(const CudaDevice& device, const std::string& target) {
    const int capability = device.ccMajor * 10 + device.ccMinor;
    const int made = std::stoi(target);
    return target.back() == 'a' ? capability == made : capability >= made;
}

} // namespace

Argument value(int v) {
    Argument a;
    a.name = "value";
    a.scalar.resize(4);
    std::memcpy(a.scalar.data(), &v, 4);
    return a;
}

void everywhere(const Launch& launch, const std::function<void(const Recording&)>& judge) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = launch.entry;
    plan.moduleName = launch.file + ".ptx";
    plan.grid = launch.grid;
    plan.block = launch.block;
    plan.arguments = launch.arguments;
    plan.globalBuffers = launch.others;
    Progress progress;
    for (const std::string& target : launch.targets) {
        plan.ptx = ptxOf(launch, target);
        ASSERT_FALSE(plan.ptx.empty());
        for (const Reconvergence way : {Reconvergence::PostDominatorStack, Reconvergence::IndependentThreads}) {
            SCOPED_TRACE(launch.entry + " for " + target + ", " + name(way));
            RunOptions options;
            options.reconvergence = way;
            options.checkRaces = true;
            options.detail.kind = Detail::Kind::None;
            const auto r = makeEmulator()->run(plan, options, progress);
            ASSERT_TRUE(r) << r.error().text();
            ASSERT_FALSE(r->fault) << r->fault->text();
            for (const Diagnostic& d : r->trace->diagnostics)
                ADD_FAILURE() << d.message;
            judge(*r);
        }
    }
    const auto gpu = loadCudaBackend();
    if (!gpu->available())
        return;
    const auto devices = cudaDevices();
    ASSERT_TRUE(devices) << devices.error().text();
    for (const std::string& target : launch.targets) {
        if (!runsOn(devices->at(0), target))
            continue;
        SCOPED_TRACE(launch.entry + " on the GPU, for " + target);
        plan.ptx = ptxOf(launch, target);
        RunOptions options;
        options.device = "0";
        const auto r = gpu->run(plan, options, progress);
        ASSERT_TRUE(r) << r.error().text();
        ASSERT_FALSE(r->fault) << r->fault->text();
        judge(*r);
    }
}

Floats fractions(std::size_t n, unsigned seed) {
    Floats v = randoms<float>(n, -1000, 1000, seed);
    for (float& f : v)
        f /= 1000;
    return v;
}

} // namespace warpglass::own_kernels
