// SPDX-License-Identifier: GPL-3.0-or-later
// Little's law: what must be in flight = latency x throughput (D0 section 2.4, D4 "latency hiding").
//
//   arithmetic   operations = latency [cycles] x operations a cycle; warps = operations / (32 x independent ones a
//   thread) memory       bytes = latency [cycles] x bytes a cycle; threads = bytes / (bytes a load x loads a thread in
//   flight)
//
// Rounded up: fewer do not hide the latency. 20 x 32 = 640 operations = 20 warps; 800 x 19 B = 15,200 B = 3,800 threads
// of 4 bytes = 119 warps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct ArithmeticNeed {
    int latency = 20;    // cycles
    int operations = 32; // a cycle, on an SM
    int independent = 1; // operations of a thread that do not wait for one another

    std::int64_t inFlight() const { return std::int64_t(latency) * operations; }
    std::int64_t warps() const;
};

struct MemoryNeed {
    int latency = 800; // cycles
    double bytesPerCycle = 19;
    int bytesPerLoad = 4;
    int loads = 1; // of a thread, in flight together

    double inFlight() const { return latency * bytesPerCycle; } // bytes
    std::int64_t threads() const;
    std::int64_t warps() const;
};

// Where the figures to begin with come from.
struct LittleFigures {
    std::string key; // "documents", "fermi", "kepler", or a device's key
    std::string name;
    ArithmeticNeed arithmetic;
    MemoryNeed memory;
    bool memoryOfDevice = false; // bytes a cycle are the whole device's, else one SM's
    int sms = 1;
    int mostWarps = 0;                   // that an SM can hold
    double gigabytes = 0, gigahertz = 0; // what bytes a cycle came from: GB/s over GHz (over the SMs, if of one SM)
    bool memoryClock = false;            // the clock is the memory's, as the documents divide; else the SM's
    std::string source;
};

// The documents' figures first, then every device of gpu/device/device.h with the timing model's latencies.
const std::vector<LittleFigures>& littleFigures();
// The first of them for an unknown key.
const LittleFigures& littleFigures(std::string_view key);
// Key of the device of that name or capability that a trace ran on; empty if there is none.
std::string littleKeyOf(std::string_view deviceName);

} // namespace warpglass
