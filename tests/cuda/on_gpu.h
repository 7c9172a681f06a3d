// SPDX-License-Identifier: GPL-3.0-or-later
// Cases that need a GPU; skipped where there is none.
#pragma once

#include "gpu/cuda/cuda_backend.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace warpglass {

class OnGpu : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        whyNot = loadCudaBackend()->available() ? "" : loadCudaBackend()->available().error().text();
    }
    void SetUp() override {
        if (!whyNot.empty())
            GTEST_SKIP() << whyNot;
    }
    Result<Recording> run(const LaunchPlan& plan, RunOptions options = {}) {
        options.device = "0";
        return backend->run(plan, options, progress);
    }
    inline static std::string whyNot;
    std::unique_ptr<Backend> backend = loadCudaBackend();
    Progress progress;
};

} // namespace warpglass
