// SPDX-License-Identifier: GPL-3.0-or-later
//
// The vendor's calculator as an oracle: 100,000 random launches, every limit equal. Built only where the toolkit's
// header is.
#ifdef WARPGLASS_HAS_CUDA_OCCUPANCY
#include "gpu/device/occupancy.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

#include <gtest/gtest.h>

#include <random>

using namespace warpglass;

namespace {

cudaOccDeviceProp propertiesOf(const CapabilityLimits& limits) {
    cudaOccDeviceProp p;
    p.computeMajor = limits.major;
    p.computeMinor = limits.minor;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = int(limits.warpsPerSm * 32);
    p.regsPerBlock = int(limits.registersPerBlock);
    p.regsPerMultiprocessor = int(limits.registersPerSm);
    p.warpSize = 32;
    p.sharedMemPerBlock = 48 * 1024;
    p.sharedMemPerMultiprocessor = limits.sharedPerSm;
    p.numSms = 1;
    p.sharedMemPerBlockOptin = limits.sharedPerBlockOptIn;
    p.reservedSharedMemPerBlock = limits.sharedReserved;
    return p;
}

std::uint32_t limitOf(int limit) {
    return limit == INT_MAX ? unlimited : std::uint32_t(limit);
}

} // namespace

TEST(CudaOccupancy, agreesOn100000RandomLaunches) {
    std::vector<const CapabilityLimits*> capabilities;
    for (const CapabilityLimits& limits : allCapabilities())
        if (limits.major >= 3) // the header knows no older one
            capabilities.push_back(&limits);

    std::mt19937 random(20240917);
    const auto upTo = [&](std::uint32_t most) { return std::uint32_t(random() % (most + 1)); };
    int ran = 0;
    for (int n = 0; n < 100000; ++n) {
        const CapabilityLimits& limits = *capabilities[upTo(std::uint32_t(capabilities.size() - 1))];
        OccupancyInput input;
        input.threads = 1 + upTo(upTo(9) == 0 ? 1500 : 1023);
        input.registers = upTo(upTo(4) == 0 ? 270 : 96);
        input.sharedStatic = upTo(1) ? upTo(48 * 1024) : upTo(4096);
        input.sharedDynamic = upTo(2) == 0 ? upTo(240 * 1024) : upTo(1) ? 0 : upTo(16 * 1024);
        input.sharedLimit = upTo(1) ? SharedLimit::OptIn : SharedLimit::Default;
        input.carveoutPercent = int(upTo(101)) - 1;
        if (limits.major < 7)
            input.carveoutPercent = -1;
        input.barriers = upTo(16);

        cudaOccFuncAttributes function;
        function.maxThreadsPerBlock = INT_MAX;
        function.numRegs = int(input.registers);
        function.sharedSizeBytes = input.sharedStatic;
        function.partitionedGCConfig = PARTITIONED_GC_OFF;
        function.shmemLimitConfig =
            input.sharedLimit == SharedLimit::OptIn ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
        function.maxDynamicSharedSizeBytes = input.sharedDynamic; // the program asked for exactly what it uses
        function.numBlockBarriers = int(input.barriers);
        cudaOccDeviceState state;
        state.carveoutConfig = input.carveoutPercent;
        const cudaOccDeviceProp properties = propertiesOf(limits);
        cudaOccResult expected{};
        ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &properties, &function, &state, int(input.threads),
                                                          input.sharedDynamic),
                  CUDA_OCC_SUCCESS);

        const Occupancy o = occupancy(limits, input);
        SCOPED_TRACE(testing::Message() << limits.major << "." << limits.minor << " threads " << input.threads
                                        << " registers " << input.registers << " shared " << input.sharedStatic << "+"
                                        << input.sharedDynamic << " optin " << int(input.sharedLimit) << " carveout "
                                        << input.carveoutPercent << " barriers " << input.barriers);
        ASSERT_EQ(o.blocksPerSm, std::uint32_t(expected.activeBlocksPerMultiprocessor));
        ASSERT_EQ(o.limitWarps, limitOf(expected.blockLimitWarps));
        ASSERT_EQ(o.limitRegisters, limitOf(expected.blockLimitRegs));
        ASSERT_EQ(o.limitShared, limitOf(expected.blockLimitSharedMem));
        ASSERT_EQ(o.limitBlocks, limitOf(expected.blockLimitBlocks));
        ASSERT_EQ(o.limitBarriers, limitOf(expected.blockLimitBarriers));
        ASSERT_EQ(o.registersPerBlock, std::uint32_t(expected.allocatedRegistersPerBlock));
        ASSERT_EQ(o.sharedPerBlock, expected.allocatedSharedMemPerBlock);
        ran += o.blocksPerSm > 0 ? 1 : 0;
    }
    EXPECT_GT(ran, 30000); // most of them are launches that can run
    EXPECT_LT(ran, 95000); // and some are not
}
#endif
