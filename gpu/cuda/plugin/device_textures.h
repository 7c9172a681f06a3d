// SPDX-License-Identifier: GPL-3.0-or-later
// A plan's arrays on the device, and the texture and surface objects over them.
#pragma once

#include "gpu/cuda/plugin/device_buffer.h"
#include "gpu/cuda/plugin/driver.h"
#include "gpu/launch/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace warpglass::cuda {

class DeviceTextures {
public:
    // initial: the contents of LaunchPlan::arrays in order, all levels of each; empty for zeros. Error: what the driver
    // does not accept.
    static Result<DeviceTextures> make(const Driver& driver, const LaunchPlan& plan,
                                       std::vector<std::vector<std::byte>> initial);
    DeviceTextures(DeviceTextures&&) noexcept;
    DeviceTextures& operator=(DeviceTextures&&) noexcept;
    ~DeviceTextures();

    // The 64-bit object of that name; nullptr if there is none.
    const std::uint64_t* object(const std::string& name) const;
    Result<void> restore(); // the arrays hold again what they held at first
    Result<std::vector<std::vector<std::byte>>> read() const;
    // Binds the module's .texref and .surfref variables that the plan has a texture or surface for.
    Result<void> bindReferences(CUmodule module) const;

private:
    struct All;
    explicit DeviceTextures(std::unique_ptr<All> all);
    std::unique_ptr<All> m_all;
};

} // namespace warpglass::cuda
