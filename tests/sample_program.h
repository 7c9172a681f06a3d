// SPDX-License-Identifier: GPL-3.0-or-later
// A program worked out by hand: 1000 ns, two streams in use, four launches of two kernels.
//
//   row       operations (number: ns)
//   host      0: allocation 0-10, 7: wait 320-800, 9: free 990-1000
//   stream 0  1: copy 20-60, 2: scale 100-200 recorded, 3: scale 200-260, 5: scale 300-320, 8: copy 800-980
//   stream 1  4: sum<int> 250-650 failed, 6: fill 700-710
//   stream 2  nothing
#pragma once

#include "gpu/program/program.h"

#include <cstring>

namespace warpglass::samples {

inline program::Operation operation(program::OperationKind kind, std::int64_t start, std::int64_t end,
                                    std::uint32_t stream = 0) {
    program::Operation o;
    o.kind = kind;
    o.start = o.called = start;
    o.end = o.returned = end;
    o.stream = stream;
    return o;
}

inline program::ProgramTrace handProgram() {
    using program::OperationKind;
    program::ProgramTrace p;
    p.info.command = "sample 42";
    p.info.device = "NVIDIA H200";
    p.info.exitStatus = 1;
    p.info.lost = 3;
    p.kernels = {{"scale", "scale(int*, int)", "_Z5scalePii", {{"u64", 0, 8}, {"u32", 8, 4}}, ""},
                 {"sum<int>", "void sum<int>(int*)", "_Z3sumIiEvPi", {{"u64", 0, 8}}, ""}};
    p.shapes = {{{4, 1, 1}, {128, 1, 1}}, {{2, 2, 1}, {16, 16, 1}, {1, 1, 1}, 2048}};
    p.streams = {{"default"}, {}, {}};
    const auto launch = [&](std::int64_t start, std::int64_t end, std::uint32_t stream, std::uint32_t kernel) {
        program::Operation o = operation(OperationKind::Launch, start, end, stream);
        o.kernel = kernel;
        o.shape = kernel;
        o.arguments = p.arguments.size();
        const std::uint64_t pointer = 0x1010;
        const std::int32_t n = -7;
        p.arguments.resize(p.arguments.size() + p.kernels[kernel].parameterBytes());
        std::memcpy(p.arguments.data() + o.arguments, &pointer, 8);
        if (kernel == 0)
            std::memcpy(p.arguments.data() + o.arguments + 8, &n, 4);
        p.operations.push_back(o);
    };
    const auto add = [&](program::Operation o, std::uint64_t bytes, std::uint64_t to,
                         program::Direction direction = program::Direction::None) {
        o.bytes = bytes;
        o.to = to;
        o.direction = direction;
        p.operations.push_back(o);
    };
    add(operation(OperationKind::Allocate, 0, 10), 4096, 0x1000);
    add(operation(OperationKind::Copy, 20, 60), 4096, 0x1000, program::Direction::HostToDevice);
    launch(100, 200, 0, 0);
    launch(200, 260, 0, 0);
    launch(250, 650, 1, 1);
    launch(300, 320, 0, 0);
    add(operation(OperationKind::Fill, 700, 710, 1), 64, 0x1000);
    add(operation(OperationKind::Wait, 320, 800), 0, 0);
    add(operation(OperationKind::Copy, 800, 980), 4096, 0, program::Direction::DeviceToHost);
    add(operation(OperationKind::Free, 990, 1000), 0, 0x1000);
    p.operations[2].recording = 0;
    p.recordings = {{2, "launch-000000.wgt"}};
    p.operations[4].error = 700;
    p.messages = {{4, "an address that nobody has"}, {noIndex, "of the program"}};
    p.allocations = program::allocationsOf(p.operations);
    return p;
}

// n launches of two kernels in turn, 10 ns each, one every 100 ns.
inline program::ProgramTrace longProgram(std::uint32_t n) {
    program::ProgramTrace p = handProgram();
    p.operations.clear();
    p.recordings.clear();
    p.messages.clear();
    p.arguments.clear();
    p.allocations.clear();
    for (std::uint32_t k = 0; k < n; ++k) {
        program::Operation o =
            operation(program::OperationKind::Launch, 100 * std::int64_t(k), 100 * std::int64_t(k) + 10);
        o.kernel = o.shape = k % 2;
        p.operations.push_back(o);
    }
    return p;
}

} // namespace warpglass::samples
