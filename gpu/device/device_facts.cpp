// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/device_facts.h"

namespace warpglass {

namespace {

DeviceFact count(std::string key, std::string en, std::string zh, std::uint64_t number) {
    return {std::move(key), std::move(en), std::move(zh), std::to_string(number), double(number)};
}

// "64.00 KB"; every amount here is a multiple of 1 KB.
DeviceFact kilobytes(std::string key, std::string en, std::string zh, std::uint64_t bytes) {
    return {std::move(key), std::move(en), std::move(zh), std::to_string(bytes / 1024) + ".00 KB", double(bytes)};
}

} // namespace

std::vector<DeviceFact> deviceFacts(const DeviceSpec& device) {
    const CapabilityLimits& limits = device.limits();
    return {
        count("multiprocessors", "Number of multiprocessors", "流式多处理器数量", std::uint64_t(device.smCount)),
        kilobytes("constant_bytes", "Total amount of constant memory", "常量内存总量", device.constantBytes),
        kilobytes("shared_bytes_per_block", "Total amount of shared memory per block", "每个线程块的共享内存",
                  defaultSharedPerBlock),
        count("registers_per_block", "Total number of registers available per block", "每个线程块可用的寄存器",
              limits.registersPerBlock),
        count("warp_size", "Warp size", "线程束大小", warpSize),
        count("threads_per_block", "Maximum number of threads per block", "每个线程块的最大线程数",
              limits.threadsPerBlock),
        count("threads_per_multiprocessor", "Maximum number of threads per multiprocessor",
              "每个流式多处理器的最大线程数", std::uint64_t(limits.warpsPerSm) * warpSize),
        count("warps_per_multiprocessor", "Maximum number of warps per multiprocessor",
              "每个流式多处理器的最大线程束数", limits.warpsPerSm),
    };
}

} // namespace warpglass
