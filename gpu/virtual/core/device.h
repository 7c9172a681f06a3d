// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/virtual: a device without a GPU, behind CUDA's own public interfaces. A program that loads its runtime as a shared
// library (nvcc -cudart shared) or calls the driver finds this library under those libraries' names, and its kernels run
// on the emulator, in its own process.
//
//   core/     the device: memory, modules, streams, launches, what is recorded; no name of CUDA's
//   runtime/  cudaXxx and what nvcc's stubs call, a file a subject
//   driver/   cuXxx
//   names/    names that the real libraries have and this one does not answer: each says so and returns "not supported"
//
// A program with the static runtime is none for it: that runtime makes sure that it talks to NVIDIA's driver, and this
// library does not pretend to be it.
//
// One lock for all: a call of the program holds it, a launch as long as it runs.
#pragma once

#include "gpu/device/device.h"
#include "gpu/virtual/core/memory.h"
#include "gpu/virtual/core/modules.h"
#include "gpu/virtual/core/streams.h"

#include <mutex>

namespace warpglass::virtual_device {

using program::Operation;
using program::OperationKind;
using program::Recorder;

struct LaunchRequest {
    Kernel* kernel = nullptr;
    program::Shape shape;
    std::optional<Dim3> cluster;
    bool cooperative = false;
    std::vector<std::byte> arguments;
};

struct CopyRequest {
    const void* from = nullptr;
    void* to = nullptr;
    std::uint64_t bytes = 0; // of a row
    std::uint64_t rows = 1, slices = 1;
    std::uint64_t fromPitch = 0, toPitch = 0, fromSlice = 0, toSlice = 0;
    int kind = byAddress;
    program::Direction shown = program::Direction::None; // in the recording, if the addresses do not tell
};

struct FillRequest {
    std::uint64_t to = 0;
    std::uint32_t value = 0, valueBytes = 1;
    std::uint64_t count = 0; // values of a row
    std::uint64_t rows = 1, pitch = 0, slices = 1, slicePitch = 0;
};

class Device {
public:
    explicit Device(program::Settings settings);

    std::recursive_mutex lock;
    const DeviceSpec& spec;
    DeviceMemory memory;
    emulator::TextureMemory textures;
    Modules modules;
    Streams streams;
    Recorder recorder;
    Status broken = success; // a kernel's fault: everything that follows answers it
    std::uint64_t pendingLaunchLimit = 2048;

    // Work of a stream: at once, or kept while the stream is captured.
    Status submit(void* stream, Work work);
    // The same, listed as operation o with its times and how it ended; a captured one anew with each launch.
    Status submitRecorded(void* stream, Operation o, std::function<Status(Operation&)> work);
    Status launch(const LaunchRequest& request, void* stream);
    Status copy(const CopyRequest& request, void* stream);
    Status fill(const FillRequest& request, void* stream);
    // What cudaMalloc and the like ask for; 0 if there is no room.
    std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, unsigned flags = 0);
    Status release(std::uint64_t address);
    Status wait(std::uint32_t streamRow = 0); // printf's output comes out here, as a device's does
    void reset();
    void flush();

private:
    Status run(const LaunchRequest& request, std::uint32_t streamRow);
    Status finish(const LaunchRequest& request, const emulator::ResidentOutcome& outcome, bool recorded);
    Status check(const LaunchRequest& request, const emulator::Program& program) const;
    std::byte* hostBytes(const void* address, std::uint64_t bytes, bool& devices);
    Status carryOut(const CopyRequest& request, Operation& operation);
    program::Settings m_settings;
    std::string m_output; // of kernels' printf, until the host waits
    std::shared_ptr<Progress> m_progress = std::make_shared<Progress>();
};

// The process' one device, made on first use.
Device& device();

} // namespace warpglass::virtual_device
