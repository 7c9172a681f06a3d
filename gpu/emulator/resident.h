// SPDX-License-Identifier: GPL-3.0-or-later
// A module that stays on an emulated device from launch to launch, as a program uses it: its variables keep their
// values, pointers lead to memory that outlives the launch, and each kernel is decoded once.
//
// Memory and textures belong to the caller and may serve several modules. One launch at a time.
#pragma once

#include "gpu/base/touched.h"
#include "gpu/device/device.h"
#include "gpu/emulator/launch/launch_memory.h"
#include "gpu/launch/backend.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpglass::emulator {

struct Programs;

// What differs from launch to launch.
struct ResidentLaunch {
    std::string kernel; // name of an entry of the module
    Dim3 grid, block;
    std::optional<Dim3> cluster;
    std::uint32_t sharedBytes = 0;     // dynamic
    std::vector<std::byte> parameters; // as the entry's .param space holds them
    std::uint32_t pendingLaunchLimit = 2048;
    std::uint64_t heapLimit = 8u << 20; // bytes of the kernels' malloc
    std::uint64_t heapUsed = 0;         // by launches before, as heapRoom counts
    std::uint64_t stackLimit = 0;       // bytes of a thread's stack; held to where functions call themselves, and:
    const std::map<std::string, std::uint32_t>* frames = nullptr; // what is known of functions' frames
    bool record = false;                                          // a trace is wanted, also if the launch does not hang
    bool noteTouched = false;                                     // and what it touches
    bool cooperative = false;                                     // its grid group is valid
    std::string source, sourceName;                               // of the kernel, for the trace; may be empty
    std::string headers;                                          // that the source includes
    std::uint64_t keepMemory = 0; // bytes of memory that the trace may keep, so that the launch can be made again
};

struct ResidentOutcome {
    bool faulted = false, cancelled = false;
    std::vector<Diagnostic> diagnostics; // of the launch and of what it has launched
    std::string output;                  // of the kernels' printf
    std::uint64_t printed = 0;           // bytes that this takes of printf's buffer
    std::uint64_t warpInstructions = 0;
    std::uint64_t heapUsed = 0; // afterwards
    std::uint64_t reached = 0;  // bytes of global memory that its accesses can have touched at the most
    std::uint64_t stored = 0;   // of these, that lanes' stores have written, what was written twice counted twice
    Touched touched;            // if it was wanted: of the launch and of what it has launched
    bool syncsGrid = false;     // its kernel asks for the grid group that a cooperative launch alone has
    double estimatedNs = 0;     // if RunOptions::estimate asked for it
    TracePtr trace;             // if one was wanted, or the launch hangs
};

class ResidentModule {
public:
    // Error: its variables do not fit a GPU.
    static Result<std::unique_ptr<ResidentModule>> load(ptx::Module module, GlobalMemory& memory,
                                                        TextureMemory& textures);
    ~ResidentModule(); // its variables go away with it
    ResidentModule(const ResidentModule&) = delete;
    ResidentModule& operator=(const ResidentModule&) = delete;

    const ptx::Module& source() const { return m_module; }
    const Symbols& symbols() const { return m_image.symbols; }
    // Where the host and kernels that it hands the address to find a variable. Constant memory lies in global memory, too, as
    // on a GPU.
    std::uint64_t addressOf(const Symbols::Place& variable) const;
    std::byte* bytesOf(const std::string& variable); // nullptr if there is none
    // Moves a variable of global memory to an area of the caller's, before the first kernel(): managed variables lie where
    // the host sees them.
    // With its value if fills says so.
    void move(const std::string& variable, Area& to, bool fills = true);
    std::uint64_t constantBytes() const { return m_image.constants.size(); }

    // Decodes the kernel and what it can launch; the second time the answer is there. Error: an instruction that the
    // emulator does not know, or no such kernel.
    Result<const Program*> kernel(const std::string& entry);
    // Error: the launch is refused, and nothing has happened. What the kernel itself does wrong is in the outcome.
    Result<ResidentOutcome> launch(const ResidentLaunch& launch, const DeviceSpec& device, const RunOptions& options,
                                   Progress& progress);

private:
    ResidentModule(ptx::Module module, GlobalMemory& memory, TextureMemory& textures);
    Result<Programs*> programs(const std::string& entry);

    ptx::Module m_module;
    LaunchMemory m_image;
    std::uint64_t m_constantsAt = 0;                                          // in global memory
    std::map<std::string, std::unique_ptr<Programs>, std::less<>> m_programs; // [entry]
};

} // namespace warpglass::emulator
