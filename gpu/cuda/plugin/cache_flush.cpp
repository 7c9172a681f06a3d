// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/cache_flush.h"

#include "gpu/cuda/plugin/launcher.h"

#include <algorithm>
#include <string>

namespace warpglass::cuda {

namespace {

constexpr std::uint32_t threadsABlock = 256, bytesAThread = 16;

// One load of 16 bytes a thread. The store never happens (the memory is zero), but the loads are kept for its sake.
std::string readAll() {
    return std::string(R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry )") +
           cacheFlushKernel + R"((.param .u64 memory)
{
	.reg .pred %p;
	.reg .b32 %r<8>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [memory];
	cvta.to.global.u64 %rd1, %rd1;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r1, %r2, 256, %r1;
	mad.wide.u32 %rd2, %r1, 16, %rd1;
	ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd2];
	or.b32 %r3, %r3, %r4;
	or.b32 %r5, %r5, %r6;
	or.b32 %r3, %r3, %r5;
	setp.ne.u32 %p, %r3, 0;
	@%p st.global.u32 [%rd2], %r3;
	ret;
}
)";
}

} // namespace

Result<CacheFlush> CacheFlush::make(const Driver& driver, const std::function<void()>& alive) {
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
    constexpr std::size_t bytesABlock = std::size_t(threadsABlock) * bytesAThread;
    const std::size_t wanted = 2 * std::size_t(std::max(bytes, 0)) / bytesABlock * bytesABlock;
    auto module = LinkedModule::link(driver, readAll(), "flush.ptx", CompileMode::Optimised);
    if (!module)
        return module.error();
    const auto function = module->function(cacheFlushKernel);
    if (!function)
        return function.error();
    auto memory = DeviceBuffer::allocate(std::max(wanted, bytesABlock));
    if (!memory)
        return memory.error();
    return CacheFlush(driver, std::move(*module), *function, std::move(*memory), alive);
}

Result<void> CacheFlush::flush() const {
    const std::uint32_t blocks = std::uint32_t(m_memory.bytes() / (std::size_t(threadsABlock) * bytesAThread));
    std::uint64_t address = m_memory.address();
    constexpr double limitSeconds = 10;
    const auto launched = launchAndWait(m_driver, m_function, {{blocks, 1, 1}, {threadsABlock, 1, 1}, 0}, {&address},
                                        limitSeconds, m_alive);
    if (!launched)
        return launched.error();
    if (!launched->ended || launched->code != cudaSuccess)
        return faultOf(*launched, "the kernel that empties the caches", limitSeconds);
    return {};
}

} // namespace warpglass::cuda
