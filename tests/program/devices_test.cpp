// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/devices.h"

#include <gtest/gtest.h>

using namespace warpglass;
using namespace warpglass::program;

// Two devices. Device 0 launches from 0 to 100 and copies to device 1 from 100 to 160; device 1 launches from 40 to 120 and,
// behind an event after the copy, from 160 to 200: without that it would have gone on at 120, so it waited 40 ns.
//   device 0: at work 160 of 160 ns; device 1: 80 + 40 = 120 of 200 - 40 = 160 ns
TEST(Devices, sumsUpAndNamesPeers) {
    ProgramTrace p;
    p.info.backend = BackendKind::Cuda;
    p.streams = {{.name = "default", .device = 0}, {.name = "default", .device = 1}};
    p.kernels.resize(1);
    const auto add = [&](OperationKind kind, std::uint32_t stream, std::int64_t start, std::int64_t end) -> Operation& {
        Operation& o = p.operations.emplace_back();
        o.kind = kind;
        o.stream = stream;
        o.start = start;
        o.end = end;
        if (kind == OperationKind::Launch)
            o.kernel = 0;
        return o;
    };
    for (std::uint32_t device = 0; device < 2; ++device) {
        Operation& o = add(OperationKind::Allocate, device, 0, 0);
        o.to = 0x1000 * (device + 1);
        o.bytes = 256;
    }
    add(OperationKind::Launch, 0, 0, 100);
    add(OperationKind::Launch, 1, 40, 120);
    Operation& copy = add(OperationKind::Copy, 0, 100, 160);
    copy.direction = Direction::DeviceToDevice;
    copy.from = 0x1010;
    copy.to = 0x2000;
    copy.bytes = 64;
    Operation inside = copy;
    add(OperationKind::Record, 0, 160, 160).from = 7;
    add(OperationKind::StreamWait, 1, 160, 160).from = 7;
    add(OperationKind::Launch, 1, 160, 200);
    inside.to = 0x1080;
    inside.error = 1; // not work
    p.operations.push_back(inside);
    listAllocations(p);

    ASSERT_TRUE(peersOf(p, 4));
    EXPECT_EQ(peersOf(p, 4)->from, 0u);
    EXPECT_EQ(peersOf(p, 4)->to, 1u);
    EXPECT_FALSE(peersOf(p, 2)); // a launch
    EXPECT_FALSE(peersOf(p, 8)); // within a device
    const auto sums = deviceSums(p, waitsOf(p));
    ASSERT_EQ(sums.size(), 2u);
    EXPECT_EQ(sums[0].busy, 160);
    EXPECT_EQ(sums[0].length(), 160);
    EXPECT_EQ(sums[0].copies, 1u);
    EXPECT_EQ(sums[0].waited, 0);
    EXPECT_EQ(sums[1].device, 1u);
    EXPECT_EQ(sums[1].launches, 2u);
    EXPECT_EQ(sums[1].busy, 120);
    EXPECT_EQ(sums[1].length(), 160);
    EXPECT_EQ(sums[1].waited, 40);
    ASSERT_TRUE(sums[1].longest);
    EXPECT_EQ(sums[1].longest->operation, 7u);
    EXPECT_EQ(sums[1].longest->behind, 4u); // the copy, through the event
}
