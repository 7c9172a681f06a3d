// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/launch: the one way into either backend.
//
// A LaunchPlan says what to run: module text, entry, shape, arguments with their initial data, and how to judge the
// result. The catalogue (gpu/kernels) and the command line (arguments.h) make plans; Backend::run turns one into a
// Recording.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/result.h"
#include "gpu/launch/tensor_map.h"
#include "gpu/launch/texture.h"
#include "gpu/ptx/control_flow.h"
#include "gpu/trace/kept_memory.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass {

enum class ElementType : std::uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, Ptr, F16, BF16 };
int bytesOf(ElementType type);
template <>
inline constexpr auto enumWords<ElementType> = EnumWords("element type", {"i8", "u8", "i16", "u16", "i32", "u32", "i64",
                                                                          "u64", "f32", "f64", "ptr", "f16", "bf16"});

// An address that only the backend knows: at offset, the 8-byte device address of the plan's buffer of that name plus
// addend bytes; of a texture or a surface the 64-bit object.
struct BufferPointer {
    std::uint64_t offset = 0;
    std::string buffer;
    std::uint64_t addend = 0;
};

// One kernel parameter, in order.
struct Argument {
    std::string name;
    bool isBuffer = false; // a pointer to count elements in global memory; otherwise a value
    ElementType type = ElementType::I32;
    std::uint64_t count = 1;       // elements of a buffer
    std::vector<std::byte> scalar; // value of a scalar or a struct passed by value, little-endian
    // Writes the initial contents of a buffer (count * bytesOf(type) bytes, zeroed before). Empty: zeros.
    std::function<void(std::span<std::byte>)> fill;
    bool uninitialised = false; // a buffer whose contents are undefined before the launch: reading it first is reported
    std::vector<BufferPointer> pointers; // in the buffer's contents or in the value
    std::optional<TensorMap> tensorMap;  // the value is this map's 128 bytes, which the backend makes
};

// A buffer's bytes after the run, in argument order; scalars have an empty one.
using Buffers = std::vector<std::vector<std::byte>>;

enum class Check : std::uint8_t { None, Ok, Wrong };
template <>
inline constexpr auto enumWords<Check> = EnumWords("result of a check", {"none", "ok", "wrong"});

struct CheckResult {
    Check check = Check::None;
    Said why; // when wrong: "output[3] is 7, the host computes 9"
    // Values that differ from the host's, of how many; 0 of 0 where the check does not count them.
    std::uint64_t wrongValues = 0, values = 0;
};

// Contents for a variable of the module (.global or .const) before the launch, as a host sets it with
// cudaMemcpyToSymbol. What the probes need: their control block holds addresses of buffers that no kernel parameter
// points to.
struct GlobalPatch {
    std::string symbol;
    std::vector<std::byte> bytes;        // written from the variable's first byte on; not longer than it
    std::vector<BufferPointer> pointers; // into LaunchPlan::globalBuffers or the arguments
};

// A variable of the module, by its name in the PTX.
struct DumpedVariable {
    std::string symbol;
    std::uint64_t bytes = 0;
};

struct LaunchPlan {
    std::string kernelName;         // catalogue name or the entry's
    std::string moduleName;         // for errors: "reduce_global.ptx"
    std::string ptx;                // module text
    std::string entry;              // entry's name in the module
    std::string sourceName, source; // CUDA source text if known
    std::string headers; // texts that it includes (included.h), for the names in a hang; they are not recorded
    std::string ttgir;   // of a kernel of Triton's, if known
    CompileMode mode = CompileMode::Optimised;
    Dim3 grid, block;
    std::optional<Dim3> cluster;   // blocks of one, where the kernel itself names none
    std::uint32_t sharedBytes = 0; // dynamic
    std::int64_t size = 0;         // problem size, for the record
    std::vector<Argument> arguments;
    std::vector<GlobalPatch> globals;    // set before the launch
    std::vector<Argument> globalBuffers; // buffers reached only through globals or pointers in other buffers; after the
                                         // run their bytes stand in Recording::buffers behind those of the arguments
    std::vector<TexelArray> arrays;      // what textures and surfaces look at; after the run their bytes stand in
                                         // Recording::buffers behind those of globalBuffers
    std::vector<TextureBinding> textures;
    std::vector<SurfaceBinding> surfaces;
    std::vector<DumpedVariable> dumped; // whose bytes after the run stand in Recording::buffers, last. For the emulator
    // Of a launch that a program has made: what its memory held, in place of arguments, variables, buffers and textures.
    // For the emulator.
    std::shared_ptr<const KeptMemory> kept;
    std::function<CheckResult(const Buffers&)> check; // empty: nothing to check
    std::uint32_t pendingLaunchLimit = 2048;
    std::uint64_t heapLimit = 8u << 20;  // bytes of the kernels' malloc (emulator)
    std::uint32_t registers = 0;         // a thread, if known from ptxas (resources/ptx/*.json); 0 = unknown
    std::vector<ptx::BranchMeets> meets; // from machine code, where it is there (machine::meetsOf); for the emulator
    std::string notCounted;              // a sentence: why ptxas was not asked for them, or did not answer; or empty
};

} // namespace warpglass
