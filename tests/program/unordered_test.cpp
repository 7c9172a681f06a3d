// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of operations as a GPU's program leaves them, and what of them has no order, by hand.
#include "gpu/program/pace.h"
#include "gpu/program/unordered.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::program {
namespace {

constexpr std::uint64_t unorderedBuffer = 0x10000, unorderedHost = 0x90000, unorderedEvent = 0x500,
                        unorderedLarge = 0x1000000;

// Streams: 0 the default one; 1 and 2 do not wait for it. Operation 0 allocates 4096 bytes of the device, 1 as many of pinned
// memory. kernel 0, "set", writes p[block * 64 + thread] (floats); 1, "spin", waits in a loop for a word.
struct UnorderedProgram {
    ProgramTrace p;

    UnorderedProgram() {
        p.streams = {{"default"}, {"a", 0, 0}, {"b", 0, 0}};
        for (const char* name : {"set", "spin"}) {
            ProgramKernel k;
            k.name = k.entry = name;
            k.parameters = {{"u64", 0, 8}};
            p.kernels.push_back(k);
        }
        add(OperationKind::Allocate, 0, unorderedBuffer, 0, 4096);
        add(OperationKind::Allocate, 0, unorderedHost, 0, 4096);
        p.operations.back().memory = MemoryKind::Host;
    }
    Operation& add(OperationKind kind, std::uint32_t stream, std::uint64_t to, std::uint64_t from,
                   std::uint64_t bytes) {
        Operation& o = p.operations.emplace_back();
        o.kind = kind;
        o.stream = stream;
        o.to = to;
        o.from = from;
        o.bytes = bytes;
        o.arguments = p.arguments.size();
        return o;
    }
    void launch(std::uint32_t stream, std::uint64_t pointer, std::uint32_t kernel = 0, std::uint32_t blocks = 16) {
        Operation& o = add(OperationKind::Launch, stream, 0, 0, 0);
        o.kernel = kernel;
        o.shape = std::uint32_t(p.shapes.size());
        p.shapes.push_back({{blocks, 1, 1}, {64, 1, 1}, {1, 1, 1}, 0, 0});
        p.arguments.resize(p.arguments.size() + 8);
        std::memcpy(p.arguments.data() + p.arguments.size() - 8, &pointer, 8);
    }
    Operation& toHost(std::uint32_t stream, std::uint64_t from, std::uint64_t bytes) {
        Operation& o = add(OperationKind::Copy, stream, unorderedHost, from, bytes);
        o.direction = Direction::DeviceToHost;
        return o;
    }
    void event(OperationKind kind, std::uint32_t stream) { add(kind, stream, 0, unorderedEvent, 0); }
    // What is told, each with its operation.
    std::vector<std::string> told() {
        listAllocations(p);
        const bool looping = p.kernels[1].entry == "loops";
        tellUnordered(p, [looping](std::uint32_t kernel) {
            const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
            if (looping)
                return head + ".visible .entry loops(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                              ".reg .pred %p;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\nL:\nst.global.u32 [%rd1], 1;\n"
                              "add.s64 %rd1, %rd1, 64;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 10000;\n"
                              "@%p bra L;\nret;\n}\n";
            return kernel == 0
                       ? head + ".visible .entry set(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                                "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
                                "mad.lo.u32 %r3, %r1, 64, %r2;\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                "st.global.u32 [%rd3], 1;\nret;\n}\n"
                       : head + ".visible .entry spin(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg "
                                ".pred %p;\n"
                                "ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], 1;\nL:\nld.volatile.global.u32 %r1, "
                                "[%rd1+4];\n"
                                "setp.eq.u32 %p, %r1, 0;\n@%p bra L;\nret;\n}\n";
        });
        std::vector<std::string> all;
        for (const ProgramMessage& m : p.messages)
            all.push_back(std::to_string(m.operation) + ": " + m.text);
        return all;
    }
};
using UnorderedTold = std::vector<std::string>;

// The first thread writes byte 0, which the copy reads, and the last one (16 * 64 - 1) byte 4092 to 4095: 8 bytes for certain.
TEST(Unordered, TellsACopyBesideTheKernelThatWrites) {
    UnorderedProgram u;
    u.launch(1, unorderedBuffer);
    u.toHost(2, unorderedBuffer, 4096);
    EXPECT_EQ(
        u.told(),
        UnorderedTold{"3: operation 3 (copy) reads at least 8 bytes, the first of them byte 0 of the 4096 bytes that "
                      "operation 0 allocated, that operation 2 (set) writes, and nothing orders the two: behind "
                      "operation 2 a cudaEventRecord is missing, and before operation 3 a cudaStreamWaitEvent"});
    EXPECT_EQ(u.p.messages[0].kind, MessageKind::Race);
}

TEST(Unordered, IsQuietWhereSomethingOrdersTheTwo) {
    const auto between = [](auto&& what) {
        UnorderedProgram u;
        u.launch(1, unorderedBuffer);
        what(u);
        u.toHost(2, unorderedBuffer, 4096);
        return u.told();
    };
    const UnorderedTold nothing;
    EXPECT_NE(between([](UnorderedProgram&) {}), nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) {
                  u.event(OperationKind::Record, 1);
                  u.event(OperationKind::StreamWait, 2);
              }),
              nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) { u.add(OperationKind::Wait, 1, 0, waitsForStream, 0); }), nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) {
                  u.event(OperationKind::Record, 1);
                  u.add(OperationKind::Wait, 0, 0, unorderedEvent, 0); // waited for, or found done
              }),
              nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) { u.add(OperationKind::HostFunction, 1, 0, 0, 0); }), nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) { u.add(OperationKind::Free, 0, 0x77000, 0, 0); }), nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) { u.toHost(1, unorderedBuffer, 4).memory = waitedFor; }), nothing);
    EXPECT_EQ(between([](UnorderedProgram& u) { u.launch(1, unorderedHost); }),
              nothing); // the host may have seen it end
    EXPECT_NE(between([](UnorderedProgram& u) { u.event(OperationKind::Record, 1); }), nothing); // nobody waits for it
}

// Each stream has its half: 8 blocks of 64 floats are 2048 bytes.
TEST(Unordered, IsQuietWhereEachStreamHasItsPart) {
    UnorderedProgram u;
    u.launch(1, unorderedBuffer, 0, 8);
    u.launch(2, unorderedBuffer + 2048, 0, 8);
    u.toHost(1, unorderedBuffer, 2048);
    u.add(OperationKind::Copy, 2, unorderedHost + 2048, unorderedBuffer + 2048, 2048);
    EXPECT_EQ(u.told(), UnorderedTold());
    u.launch(2, unorderedBuffer + 1024, 0, 8); // its last thread is at 1024 + 2044: its own stream's; its first in a's
    EXPECT_EQ(u.told().size(), 1u);
}

// Of 4 rows of 16 bytes only the first is certain: nobody said how far apart they lie.
TEST(Unordered, IsCertainOfTheFirstRowAlone) {
    for (const std::uint64_t at : {0u, 16u}) {
        UnorderedProgram u;
        u.add(OperationKind::Fill, 1, unorderedBuffer, 0, 64).rowBytes = 16;
        u.launch(2, unorderedBuffer + at);
        EXPECT_EQ(u.told().size(), at == 0 ? 1u : 0u);
    }
}

TEST(Unordered, TellsMemoryGivenBackInAnotherStreamsOrder) {
    UnorderedProgram u;
    u.launch(1, unorderedBuffer);
    u.add(OperationKind::Free, 2, unorderedBuffer, inStreamsOrder, 0);
    const auto told = u.told();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("operation 3 (free) frees at least 8 bytes"), std::string::npos) << told[0];
}

// Who waits for a word in memory may have been told that all is done; and who shares no pointer has nothing in common.
TEST(Unordered, SaysNothingOfKernelsThatListen) {
    UnorderedProgram u;
    u.launch(1, unorderedBuffer, 1);
    u.launch(2, unorderedBuffer);
    EXPECT_EQ(u.told(), UnorderedTold());
}

// One told gap mends what lies around it: one message of a loop.
TEST(Unordered, TellsALoopOnce) {
    UnorderedProgram u;
    for (int n = 0; n < 5; ++n) {
        u.launch(1, unorderedBuffer);
        u.toHost(2, unorderedBuffer, 4096);
    }
    EXPECT_LE(u.told().size(), 2u); // the copy beside the kernel, and the next kernel beside the copy
}

// Each thread writes 4,000 places, 64 bytes apart, before it has made the 20,000 instructions that are followed: after some
// hundred launches no more than the first places are looked at, of which the copy reads one.
TEST(Unordered, TellsTheFirstPlacesOfAnyNumberOfLoops) {
    UnorderedProgram u;
    u.p.operations[0].to = unorderedLarge;
    u.p.operations[0].bytes = 1 << 20;
    u.p.kernels[1].entry = u.p.kernels[1].name = "loops";
    for (int n = 0; n < 2000; ++n) {
        u.launch(1, unorderedLarge, 1);
        u.p.operations.back().shape = 0;
    }
    u.toHost(2, unorderedLarge, 8);
    const UnorderedTold told = u.told();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].substr(0, 6), "2002: ");
    EXPECT_NE(told[0].find("operation 2001 (loops) writes"), std::string::npos) << told[0];
}

} // namespace
} // namespace warpglass::program
