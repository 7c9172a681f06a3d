// SPDX-License-Identifier: GPL-3.0-or-later
// What the program has loaded onto the GPU: images with the PTX in them, and the kernels that it has launched.
#pragma once

#include "gpu/program/program_recorder.h"
#include "gpu/ptx/module.h"
#include "gpu/seat/calls.h"

#include <atomic>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpglass::seat {

// A module or library of the program's. Its PTX is unpacked when a kernel of it is first launched, and parsed when one is
// first recorded in detail.
struct LoadedImage {
    std::string name;             // for messages: "module 2"
    const void* memory = nullptr; // in the program, which keeps it
    std::vector<std::byte> copy;  // of what the program may let go of
    std::string file;             // of images that the driver reads itself
    bool unpacked = false, parsed = false;
    std::vector<std::string> texts;
    std::string maker, ttgir; // of PTX that was found beside machine code; jit_cache.h
    std::optional<std::filesystem::file_time_type> compiled;
    Said why; // why there is no PTX; empty: there is
    std::unique_ptr<ptx::Module> module;

    // entry: a kernel of it, by whose name the PTX of mere machine code is looked for.
    void unpack(std::uint32_t capability, const std::string& entry);
    // Its machine code with that kernel, made for such a device; empty: it has none.
    std::string cubin(std::uint32_t capability, const std::string& entry) const;
    // The parsed module; nullptr and why, if it cannot be read.
    const ptx::Module* parse(std::uint32_t capability, const std::string& entry);
};

struct LoadedKernel : program::RecordedKernel {
    CUfunction function = nullptr;
    CUmodule module = nullptr;
    LoadedImage* image = nullptr; // nullptr: made in a way that the seat does not see
    std::uint64_t nameHash = 0;
    std::uint32_t maxThreads = 0, sharedBytes = 0; // of a block; static shared memory
    std::optional<MachineCodes> codes; // of the program's own, those that a recording keeps, once they were asked for
};

class Images {
public:
    void addModule(CUmodule module, const void* image);
    void addModuleFile(CUmodule module, const char* file);
    void addLibrary(CUlibrary library, const void* image);
    void addLibraryFile(CUlibrary library, const char* file);
    void forked() { m_changes.fetch_add(1, std::memory_order_release); }
    void forget(const void* handle); // a module or library that is unloaded, with its kernels
    // The kernel behind a handle that a launch was given, a CUfunction or a CUkernel; nullptr if the driver knows none.
    LoadedKernel* kernel(void* handle);
    // Grows with every forget(), of any thread: a kernel that was there before may be gone.
    unsigned changes() const { return m_changes.load(std::memory_order_acquire); }

private:
    LoadedImage& add(const void* handle, const void* image);
    LoadedImage* imageOf(CUmodule module) const;
    std::list<LoadedImage> m_images;
    std::map<const void*, LoadedImage*> m_byHandle; // CUmodule, CUlibrary
    std::set<CUlibrary> m_libraries;
    std::unordered_map<void*, std::unique_ptr<LoadedKernel>> m_kernels; // [CUfunction]
    std::unordered_map<void*, LoadedKernel*> m_known;                   // [handle of either kind]
    void* m_lastHandle = nullptr;
    LoadedKernel* m_last = nullptr;
    unsigned m_count = 0;
    std::atomic<unsigned> m_changes = 0;
};

// Compute capability of the current context's device: 90.
std::uint32_t currentCapability();

} // namespace warpglass::seat
