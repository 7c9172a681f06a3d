// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/devices.h"
#include "gpu/base/messages/gpu.h"

#include <algorithm>
#include <charconv>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace warpglass::cuda {

namespace {

// "580.159.03, CUDA 13.0": the driver's own version where the system tells it.
std::string driverText() {
    int version = 0;
    cudaDriverGetVersion(&version);
    const std::string cuda = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    std::ifstream in("/proc/driver/nvidia/version");
    std::string word;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        while (words >> word)
            if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
                return fmt::format("{}, {}", word, cuda);
    }
    return cuda;
}

double attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

} // namespace

std::vector<CudaDevice> listDevices() {
    int count = 0;
    cudaGetDeviceCount(&count);
    const std::string driver = driverText();
    std::vector<CudaDevice> devices;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) != cudaSuccess)
            continue;
        CudaDevice d;
        d.ordinal = i;
        d.name = properties.name;
        d.ccMajor = properties.major;
        d.ccMinor = properties.minor;
        d.smCount = properties.multiProcessorCount;
        d.smClockMHz = attribute(cudaDevAttrClockRate, i) / 1000; // told in kHz
        d.memoryClockMHz = attribute(cudaDevAttrMemoryClockRate, i) / 1000;
        d.memoryBytes = properties.totalGlobalMem;
        d.driver = driver;
        devices.push_back(std::move(d));
    }
    return devices;
}

Result<CudaDevice> chooseDevice(const std::vector<CudaDevice>& devices, const std::string& wanted) {
    if (wanted.empty() && !devices.empty())
        return devices.front();
    int ordinal = -1;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), ordinal);
    const bool isNumber = error == std::errc{} && end == wanted.data() + wanted.size();
    std::string names;
    for (const CudaDevice& d : devices) {
        if (isNumber ? d.ordinal == ordinal : lower(d.name).find(lower(wanted)) != std::string::npos)
            return d;
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", d.ordinal, d.name);
    }
    return Error{say::NoSuchGpu(wanted), "", 0, 0, say::ItHas(names)};
}

} // namespace warpglass::cuda
