// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/little.h"

#include "gpu/base/lane_mask.h"
#include "gpu/device/device.h"
#include "gpu/device/device_timing.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) {
    return unit > 0 ? (value + unit - 1) / unit : 0;
}

std::vector<LittleFigures> makeFigures() {
    std::vector<LittleFigures> list;
    const auto document = [&list](const char* key, const char* name, int operations, double bytes, int sms,
                                  int mostWarps, double gb, double ghz, const char* source) {
        LittleFigures f;
        f.key = key;
        f.name = name;
        f.arithmetic = {20, operations, 1};
        f.memory = {800, bytes, 4, 1};
        f.memoryOfDevice = true;
        f.memoryClock = true;
        f.sms = sms;
        f.mostWarps = mostWarps;
        f.gigabytes = gb;
        f.gigahertz = ghz;
        f.source = source;
        list.push_back(f);
    };
    document("documents", "RTX 4070", 32, 19, 46, 48, 200, 10.501, "D4");
    document("fermi", "Fermi", 32, 92, 16, 48, 144, 1.566, "D0 2.4");
    document("kepler", "Kepler", 192, 96, 14, 64, 250, 2.6, "D0 2.4");
    for (const DeviceSpec& device : devices()) {
        const DeviceTiming& timing = timingOf(device);
        LittleFigures f;
        f.key = device.key;
        f.name = device.name;
        const int busy = std::max<int>(1, timing.interval[std::size_t(Pipe::Fma)]);
        f.arithmetic = {timing.alu, timing.schedulers * lanesPerWarp / busy, 1};
        f.sms = device.smCount;
        f.mostWarps = int(device.limits().warpsPerSm);
        f.gigabytes = device.dramGBs;
        f.gigahertz = device.smClockMHz / 1000;
        // In tenths: finer than any of the figures it comes from.
        f.memory = {timing.dram, std::round(10 * f.gigabytes / f.gigahertz / f.sms) / 10, 4, 1};
        f.source = std::string(timing.source);
        list.push_back(f);
    }
    return list;
}

} // namespace

std::int64_t ArithmeticNeed::warps() const {
    return roundedUp(inFlight(), std::int64_t(lanesPerWarp) * independent);
}

std::int64_t MemoryNeed::threads() const {
    return std::int64_t(std::ceil(inFlight() / (double(bytesPerLoad) * loads) - 1e-9));
}

std::int64_t MemoryNeed::warps() const {
    return roundedUp(threads(), lanesPerWarp);
}

const std::vector<LittleFigures>& littleFigures() {
    static const std::vector<LittleFigures> list = makeFigures();
    return list;
}

const LittleFigures& littleFigures(std::string_view key) {
    for (const LittleFigures& f : littleFigures())
        if (f.key == key)
            return f;
    return littleFigures().front();
}

std::string littleKeyOf(std::string_view deviceName) {
    for (const DeviceSpec& device : devices())
        if (device.name == deviceName)
            return device.key;
    return {};
}

} // namespace warpglass
