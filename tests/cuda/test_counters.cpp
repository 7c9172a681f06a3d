// SPDX-License-Identifier: GPL-3.0-or-later
// What is said where the profiling library says no. It needs the toolkit's headers, and no GPU.
#ifdef WARPGLASS_WITH_PLUGIN

#include "gpu/cuda/plugin/cupti_library.h"

#include <gtest/gtest.h>

namespace warpglass::cuda {
namespace {

Cupti speaking() {
    Cupti cupti;
    cupti.cuptiGetErrorMessage = [](CUptiResult, const char** words) {
        *words = "the library's words";
        return CUPTI_SUCCESS;
    };
    return cupti;
}

TEST(Counters, WithoutPermissionNameTheSettingThatGivesThem) {
    const Error error = errorOf(speaking(), CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, plain("counters"));
    EXPECT_EQ(error.message, "counters: the library's words (CUPTI error 35)");
    EXPECT_NE(error.remedy.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << error.remedy;
}

TEST(Counters, OfAVirtualGpuAreItsHostsToGive) {
    const Error error = errorOf(speaking(), CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, plain("counters"));
    EXPECT_NE(error.remedy.find("enable_profiling=1"), std::string::npos) << error.remedy;
}

TEST(Counters, OfAGpuThatIsProfiledAlreadyNameTheOtherProfiler) {
    for (const CUptiResult code : {CUPTI_ERROR_HARDWARE_BUSY, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED})
        EXPECT_NE(errorOf(speaking(), code, plain("counters")).remedy.find("Another profiler"), std::string::npos);
}

TEST(Counters, ThatFailForAnotherReasonPromiseNoRemedy) {
    const Error error = errorOf({}, CUPTI_ERROR_UNKNOWN, plain("counters")); // a library without words
    EXPECT_EQ(error.message, "counters: no words for it (CUPTI error 999)");
    EXPECT_TRUE(error.remedy.empty());
}

} // namespace
} // namespace warpglass::cuda

#endif
