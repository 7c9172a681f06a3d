// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices that the emulator can be. Boost clocks are used, since that is what a short kernel runs at. Peak memory
// bandwidth is clock x 2 x bus / 8 unless the source states a figure of its own.
#include "gpu/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

constexpr std::uint64_t KB = 1024, MB = 1024 * KB, GB = 1024 * MB;

const std::array<DeviceSpec, 9>& specs() {
    static const std::array<DeviceSpec, 9> rows = {{
        {.key = "h200",
         .name = "NVIDIA H200",
         .ccMajor = 9,
         .ccMinor = 0,
         .smCount = 132,
         .smClockMHz = 1980,
         .memoryClockMHz = 3201,
         .tensorClockMHz = 1800,
         .busBits = 6144,
         .dramGBs = 4800,
         .memoryBytes = 141 * GB,
         .l2Bytes = 50 * MB,
         .source = "NVIDIA H200 datasheet (141 GB HBM3e, 4.8 TB/s); SMs and clocks as the driver reports them for the "
                   "SXM part"},
        {.key = "h100",
         .name = "NVIDIA H100 80GB HBM3",
         .ccMajor = 9,
         .ccMinor = 0,
         .smCount = 132,
         .smClockMHz = 1980,
         .memoryClockMHz = 2619,
         .tensorClockMHz = 1800,
         .busBits = 5120,
         .dramGBs = 3352,
         .memoryBytes = 80 * GB,
         .l2Bytes = 50 * MB,
         .source =
             "NVIDIA H100 Tensor Core GPU Architecture whitepaper, SXM5 (132 SMs, 50 MB L2, 5120-bit HBM3, 3.35 TB/s)"},
        {.key = "a100",
         .name = "NVIDIA A100-SXM4-40GB",
         .ccMajor = 8,
         .ccMinor = 0,
         .smCount = 108,
         .smClockMHz = 1410,
         .memoryClockMHz = 1215,
         .busBits = 5120,
         .dramGBs = 1555,
         .memoryBytes = 40 * GB,
         .l2Bytes = 40 * MB,
         .source = "NVIDIA A100 Tensor Core GPU Architecture whitepaper (108 SMs, 1410 MHz, 1555 GB/s, 40 MB L2)"},
        {.key = "v100",
         .name = "Tesla V100-SXM2-16GB",
         .ccMajor = 7,
         .ccMinor = 0,
         .smCount = 80,
         .smClockMHz = 1530,
         .memoryClockMHz = 877,
         .busBits = 4096,
         .dramGBs = 898,
         .memoryBytes = 16 * GB,
         .l2Bytes = 6 * MB,
         .source =
             "NVIDIA Tesla V100 GPU Architecture whitepaper (80 SMs, 1530 MHz, 4096-bit HBM2, 900 GB/s, 6 MB L2)"},
        {.key = "rtx4070",
         .name = "NVIDIA GeForce RTX 4070",
         .ccMajor = 8,
         .ccMinor = 9,
         .smCount = 46,
         .smClockMHz = 2475,
         .memoryClockMHz = 10501,
         .busBits = 192,
         .dramGBs = 504,
         .memoryBytes = 12 * GB,
         .l2Bytes = 36 * MB,
         .source =
             "NVIDIA GeForce RTX 4070 specifications (46 SMs, 2475 MHz boost, 21 Gb/s GDDR6X on 192 bits, 36 MB L2)"},
        {.key = "rtx3090",
         .name = "NVIDIA GeForce RTX 3090",
         .ccMajor = 8,
         .ccMinor = 6,
         .smCount = 82,
         .smClockMHz = 1695,
         .memoryClockMHz = 9751,
         .busBits = 384,
         .dramGBs = 936,
         .memoryBytes = 24 * GB,
         .l2Bytes = 6 * MB,
         .source =
             "NVIDIA Ampere GA102 GPU Architecture whitepaper (82 SMs, 1695 MHz boost, 19.5 Gb/s GDDR6X on 384 bits)"},
        {.key = "gtx1060",
         .name = "NVIDIA GeForce GTX 1060 6GB",
         .ccMajor = 6,
         .ccMinor = 1,
         .smCount = 10,
         .smClockMHz = 1708,
         .memoryClockMHz = 4004,
         .busBits = 192,
         .dramGBs = 192,
         .memoryBytes = 6 * GB,
         .l2Bytes = 1536 * KB,
         .source = "NVIDIA GeForce GTX 1060 specifications (1280 cores, 1708 MHz boost, 8 Gb/s GDDR5 on 192 bits)"},
        {.key = "k20x",
         .name = "Tesla K20X",
         .ccMajor = 3,
         .ccMinor = 5,
         .smCount = 14,
         .smClockMHz = 732,
         .memoryClockMHz = 2600,
         .busBits = 384,
         .dramGBs = 250,
         .memoryBytes = 6 * GB,
         .l2Bytes = 1536 * KB,
         .source = "NVIDIA Tesla K20X board specification BD-06397 (2688 cores, 732 MHz, 2.6 GHz GDDR5 on 384 bits, "
                   "250 GB/s)"},
        {.key = "m2070",
         .name = "Tesla M2070",
         .ccMajor = 2,
         .ccMinor = 0,
         .smCount = 14,
         .smClockMHz = 1150,
         .memoryClockMHz = 1566,
         .busBits = 384,
         .dramGBs = 150,
         .memoryBytes = 6 * GB,
         .l2Bytes = 768 * KB,
         .source = "NVIDIA Tesla M2050/M2070 board specification BD-05238 (448 cores, 1.15 GHz, 1.566 GHz GDDR5 on 384 "
                   "bits)"},
    }};
    return rows;
}

} // namespace

std::span<const DeviceSpec> devices() {
    return specs();
}

const DeviceSpec* findDevice(std::string_view key) {
    const auto& rows = specs();
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const DeviceSpec& d) { return d.key == key; });
    return row == rows.end() ? nullptr : row;
}

std::optional<DeviceSpec> withCapability(const DeviceSpec& device, std::string_view capability) {
    for (const CapabilityLimits& limits : allCapabilities())
        if (fmt::format("{}.{}", limits.major, limits.minor) == capability) {
            DeviceSpec other = device;
            other.ccMajor = limits.major;
            other.ccMinor = limits.minor;
            return other;
        }
    return std::nullopt;
}

} // namespace warpglass
