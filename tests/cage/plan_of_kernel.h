// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernels/catalogue.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace warpglass::tests {

// Of the gallery, as it is launched there.
inline LaunchPlan planOfKernel(const std::string& name) {
    auto plan = makePlan(*findKernel(name), {});
    EXPECT_TRUE(plan.ok()) << name;
    return plan ? std::move(*plan) : LaunchPlan();
}

} // namespace warpglass::tests
