// SPDX-License-Identifier: GPL-3.0-or-later
// Memory as it is when the launch begins: buffers, module variables with their initial values, constants, parameters.
#pragma once

#include "gpu/emulator/decode/decode.h"
#include "gpu/emulator/state/memory_map.h"
#include "gpu/emulator/state/texture_memory.h"
#include "gpu/launch/plan.h"

#include <memory>

namespace warpglass::emulator {

struct LaunchMemory {
    LaunchMemory()
        : own(std::make_unique<GlobalMemory>()), ownTextures(std::make_unique<TextureMemory>()), memory(*own),
          textures(*ownTextures) {}
    // In memory that outlives it: of a device on which launch follows launch.
    LaunchMemory(GlobalMemory& shared, TextureMemory& sharedTextures) : memory(shared), textures(sharedTextures) {}

    std::unique_ptr<GlobalMemory> own;
    std::unique_ptr<TextureMemory> ownTextures;
    GlobalMemory& memory;
    std::vector<std::byte> constants;
    std::vector<std::byte> params; // of the host's launch
    TextureMemory& textures;
    Symbols symbols;
    std::vector<Area*> buffers; // arguments in order (nullptr for values), then LaunchPlan::globalBuffers and arrays
};

// Functions, variables with their initial values and constants of the module; no launch's buffers and textures.
void placeModule(const ptx::Module& module, LaunchMemory& image);
// The memory from a variable's first byte on, as far as it goes; empty if there is none of that name. Others may have the same
// name, or a recording keep less of it: how large one is declared says nothing.
std::span<std::byte> bytesOfVariable(LaunchMemory& image, const std::string& name);
// Error: the arguments do not fit the entry's parameters, or a patched variable does not exist.
Result<std::unique_ptr<LaunchMemory>> makeLaunchMemory(const ptx::Module& module, const LaunchPlan& plan,
                                                       std::uint32_t entry);
Buffers takeBuffers(const LaunchPlan& plan, LaunchMemory& image);

} // namespace warpglass::emulator
