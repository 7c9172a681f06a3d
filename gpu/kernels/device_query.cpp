// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/device_query.h"

#include <fmt/format.h>

namespace warpglass::kernels {

std::vector<DeviceFact> deviceFacts(const DeviceSpec& device) {
    const CapabilityLimits& limits = device.limits();
    constexpr double sharedPerBlock = 48 * 1024; // without opting in, on every capability since 2.0
    auto kilobytes = [](double bytes) { return fmt::format("{:.2f} KB", bytes / 1024); };
    return {
        {"Device", "设备", device.name},
        {"Number of multiprocessors", "多处理器（SM）数量", std::to_string(device.smCount)},
        {"Total amount of constant memory", "常量内存总量", kilobytes(double(device.constantBytes))},
        {"Total amount of shared memory per block", "每个线程块的共享内存", kilobytes(sharedPerBlock)},
        {"Total number of registers available per block", "每个线程块可用的寄存器数",
         std::to_string(limits.registersPerBlock)},
        {"Warp size", "线程束大小", "32"},
        {"Maximum number of threads per block", "每个线程块的最大线程数", std::to_string(limits.threadsPerBlock)},
        {"Maximum number of threads per multiprocessor", "每个 SM 的最大线程数",
         std::to_string(limits.warpsPerSm * 32)},
        {"Maximum number of warps per multiprocessor", "每个 SM 的最大线程束数", std::to_string(limits.warpsPerSm)},
    };
}

} // namespace warpglass::kernels
