// SPDX-License-Identifier: GPL-3.0-or-later
// What a program can ask of a device, each as a plain struct: it is done at once, or kept as a node of a graph (graph.h)
// and done whenever that is launched.
#pragma once

#include "gpu/program/program_recorder.h"
#include "gpu/virtual/core/abi.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace warpglass::virtual_device {

struct Graph;
struct LoadedKernel;

struct KernelRequest {
    LoadedKernel* kernel = nullptr;
    program::RecordedShape shape;
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
    bool waited = false;                                 // the host goes on when it is done
    std::shared_ptr<const CallCopy3D> asked;             // as the program put it, if it asked for a box
};

// As the recording shows it: what the program said, else where its ends lie.
program::Direction directionOf(const CopyRequest& request, bool fromDevice, bool toDevice);

struct FillRequest {
    std::uint64_t to = 0;
    std::uint32_t value = 0, valueBytes = 1;
    std::uint64_t count = 0; // values of a row
    std::uint64_t rows = 1, pitch = 0, slices = 1, slicePitch = 0;
};

struct HostCall {
    void (*function)(void*) = nullptr;
    void* data = nullptr;
};
struct ChildGraph {
    std::shared_ptr<Graph> graph; // its own copy
};
struct Nothing {};
struct EventWait {
    void* event = nullptr;
};
struct EventRecord {
    void* event = nullptr;
};
// Memory that a graph takes and gives back when it runs; its address is known beforehand and stays.
struct GraphAllocation {
    std::uint64_t address = 0, bytes = 0;
};
struct GraphFree {
    std::uint64_t address = 0;
};

// Graphs of which one runs, or none, or one again and again, by a word of the device's memory that kernels write.
struct Conditional {
    enum class Kind : int { If, While, Switch };
    std::uint64_t word = 0; // its address
    Kind kind = Kind::If;
    std::vector<std::shared_ptr<Graph>> bodies; // its own copies
};

// A call of cuBLAS, cuFFT or cuRAND, answered on the host when its turn in the stream comes.
struct LibraryCall {
    program::RecordedKernel* name = nullptr; // as the list has it
    struct Piece {
        std::uint64_t address = 0, bytes = 0; // of a row
        std::uint64_t rows = 1, pitch = 0;
        bool reads = false, writes = false;
        std::uint64_t end() const { return address + (rows - 1) * pitch + bytes; }
    };
    std::vector<Piece> pieces;
    // Is told where each of them lies on the host.
    std::function<void(std::span<std::byte* const>)> work;
};

// In the order of CUDA's numbers for types of nodes.
using Work = std::variant<KernelRequest, CopyRequest, FillRequest, HostCall, ChildGraph, Nothing, EventWait,
                          EventRecord, GraphAllocation, GraphFree, Conditional, LibraryCall>;

} // namespace warpglass::virtual_device
