// SPDX-License-Identifier: GPL-3.0-or-later
// Device code of the program: modules from the images that it registers or loads, their kernels and variables. A module
// is parsed when something of it is first asked for, a kernel decoded when it is first launched.
#pragma once

#include "gpu/emulator/resident.h"
#include "gpu/fatbin/fatbin.h"
#include "gpu/program/kernel_source.h"
#include "gpu/program/program_recorder.h"
#include "gpu/virtual/core/abi.h"
#include "gpu/virtual/core/memory.h"

#include <list>
#include <map>
#include <memory>
#include <string>

namespace warpglass::virtual_device {

struct Module;

// A kernel's handle: cudaFunction_t, cudaKernel_t, CUfunction and CUkernel are all pointers to one.
struct LoadedKernel : program::RecordedKernel {
    Module* module = nullptr;
    std::uint32_t maxDynamicShared = 48 * 1024;
    std::optional<std::uint32_t> registers; // a thread, by its machine code for the device, if the program has any
    bool registersAsked = false;
    std::map<std::string, std::uint32_t>
        frames;                        // bytes of stack, of it and of functions that it calls; known with the former
    std::optional<MachineCodes> codes; // of the program's own, those that a recording keeps, once they were asked for
    std::optional<program::KernelSource> source; // with its headers, as of its first launch that is recorded
    double modelled = 1;                         // the timing model's duration of a launch, for one that is estimated
};

struct Module {
    std::string name;            // for messages: "module 2"
    const void* image = nullptr; // in the program's memory
    std::string text;            // PTX, if it came as text or from a file
    // On each device it has variables of its own.
    struct Loaded {
        bool tried = false;
        Status why = success; // why it could not be loaded
        Said message;
        std::unique_ptr<emulator::ResidentModule> code;
    };
    std::vector<Loaded> on;                                                            // [device]
    emulator::ResidentModule& code(unsigned device) const { return *on[device].code; } // once it is loaded there
    std::map<std::string, std::unique_ptr<LoadedKernel>> kernels;
    struct ManagedVariable {
        void** hostPointer;
        std::string name;
        std::size_t bytes;
        std::uint64_t address = 0; // of the memory that all devices share
    };
    std::vector<ManagedVariable> managed;
};

class Modules {
public:
    // textures: of each device.
    Modules(DeviceMemory& memory, std::vector<emulator::TextureMemory*> textures, std::uint32_t capability)
        : m_memory(memory), m_textures(std::move(textures)), m_capability(capability) {}

    Module* add(const void* image); // of the program's memory, which stays
    Module* addText(std::string ptx);
    void remove(Module* module);
    // Parses and places it, once a device. What cannot be loaded has why and message.
    Status load(Module& module, unsigned device);
    Status kernel(Module& module, const std::string& entry, LoadedKernel*& kernel, unsigned device);
    // Of a variable: its address as the device has it, and its size.
    struct Variable {
        std::uint64_t address = 0, bytes = 0;
        std::byte* data = nullptr;
    };
    Status variable(Module& module, const std::string& name, Variable& variable, unsigned device);

    // What the program's own stubs say: host addresses that stand for kernels and variables.
    struct HostSymbol {
        Module* module;
        std::string name;
    };
    void registerKernel(const void* host, Module* module, std::string entry) {
        m_kernels[host] = {module, std::move(entry)};
    }
    void registerVariable(const void* host, Module* module, std::string name) {
        m_variables[host] = {module, std::move(name)};
    }
    Status kernelOf(const void* host, LoadedKernel*& kernel, unsigned device); // also of a kernel itself
    Status variableOf(const void* host, Variable& variable, unsigned device);
    // LoadedKernel::registers, looked up when it is asked for first.
    std::optional<std::uint32_t> registersOf(LoadedKernel& kernel) const;
    // The program's own machine code of it for the device, as recordings keep it. Empty: it has none with lines of PTX.
    const MachineCodes& codesOf(LoadedKernel& kernel, unsigned device) const;
    // The variable whose host shadow holds the address; nothing if none does.
    std::optional<std::string> shadowAt(std::uint64_t address, unsigned device);
    // The host address that stands for a kernel; the kernel's own handle if none does.
    const void* hostOf(const LoadedKernel* kernel) const;
    bool isKernel(const void* handle) const;
    template <class F>
    void eachFailed(F f) { // modules that could not be loaded, with why
        for (Module& module : m_modules)
            for (Module::Loaded& there : module.on)
                if (there.why != success)
                    f(module, there);
    }
    // Variables have their first values again. Modules with managed ones stay as they are: the host's pointers lead there.
    void reset(unsigned device);
    void loadManaged(); // managed variables get their memory before the host looks at them

private:
    Status parse(Module& module, unsigned device);
    DeviceMemory& m_memory;
    std::vector<emulator::TextureMemory*> m_textures; // [device]
    std::uint32_t m_capability;
    std::list<Module> m_modules;
    std::map<const void*, HostSymbol> m_kernels, m_variables;
    std::map<const void*, LoadedKernel*> m_resolved; // [host address] of kernels that were found
    std::map<const void*, bool> m_handles;           // every kernel
    std::uint32_t m_count = 0;
};

} // namespace warpglass::virtual_device
