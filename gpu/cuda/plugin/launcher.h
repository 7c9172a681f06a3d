// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of one plan: its buffers on the device, its parameters, and a wait that ends.
#pragma once

#include "gpu/cuda/plugin/device_buffer.h"
#include "gpu/cuda/plugin/device_textures.h"
#include "gpu/cuda/plugin/linked_module.h"
#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"

#include <functional>
#include <optional>
#include <vector>

namespace warpglass::cuda {

// What a launch finds in memory: how it is put back as it was, and what the kernel is given.
class LaunchMemory {
public:
    virtual ~LaunchMemory() = default;
    virtual Result<void> restore() = 0;                                      // before each launch
    virtual Result<void> setVariables(const LinkedModule& module) const = 0; // of the module that will be launched
    virtual Result<std::vector<std::vector<std::byte>>> read() const = 0;    // as Buffers, after the launch
    virtual std::vector<void*> values() = 0;        // the kernel's own parameters, as cuLaunchKernel takes them
    virtual bool canRepeat() const { return true; } // false: restore() does nothing, the launch may happen once
    virtual bool isSlow() const { return false; }   // once is enough to time it
    virtual void launching() {}                     // the launch that is recorded is next
};

// A plan's arguments and further buffers on the device, beside an untouched copy of what they hold at first, so that
// every launch begins alike.
class Arguments : public LaunchMemory {
public:
    // initial: as initialContents() gives them, arguments in order, then LaunchPlan::globalBuffers and arrays; empty for
    // one of zeros. Addresses of buffers inside others are filled in. Error: an address of a buffer that is not there.
    static Result<Arguments> make(const Driver& driver, const LaunchPlan& plan,
                                  std::vector<std::vector<std::byte>> initial);
    Result<void> restore() override;
    // Writes the plan's variables into the module that will be launched, as restore() does with the buffers, and binds
    // its texture and surface references.
    Result<void> setVariables(const LinkedModule& module) const override;
    Result<std::vector<std::vector<std::byte>>> read() const override; // as Buffers: scalars are empty; arrays last

    // The kernel's own, as cuLaunchKernel takes them; valid while this lives.
    std::vector<void*> values() override;

private:
    struct One {
        bool isBuffer = false;
        DeviceBuffer memory, pristine;
        std::uint64_t address = 0;
        std::vector<std::byte> scalar;
    };
    struct Variable {
        std::string symbol;
        std::vector<std::byte> bytes;
    };
    std::optional<DeviceTextures> m_textures; // if the plan has any
    std::vector<One> m_all;
    std::size_t m_parameters = 0; // of m_all, those of the kernel itself
    std::vector<Variable> m_variables;
};

struct LaunchShape {
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0;
    std::optional<Dim3> cluster; // blocks of one; none: as the kernel says
    bool cooperative = false;    // all blocks must be resident together; refused if they cannot be
};

// Whether the kernel, or what it calls, asks for the grid's workspace (%envreg1 and 2), as cooperative groups do to
// synchronise a grid: only a cooperative launch has one.
bool synchronisesGrid(const ptx::Module& module, const std::string& entry);

// What a launch came to.
struct Launched {
    bool ended = true; // false: it was still running at the time limit. The GPU is not to be used any more
    cudaError_t code = cudaSuccess;
    double milliseconds = 0; // by events
};

// Checks a shape against the device's limits: Error names the limit.
Result<void> checkShape(const LaunchShape& shape, int device);

// Launches and waits; parameters as values() gives them. Error: the launch was refused. alive() is called now and then.
Result<Launched> launchAndWait(const Driver& driver, CUfunction function, const LaunchShape& shape,
                               std::vector<void*> parameters, double limitSeconds, const std::function<void()>& alive);

// The sentence for a kernel that failed while it ran.
Error faultOf(const Launched& launched, const Said& kernel, double limitSeconds);

} // namespace warpglass::cuda
