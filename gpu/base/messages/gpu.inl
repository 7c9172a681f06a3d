// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.
SENTENCE(NoGpuPart, "this Warpglass has no part for GPUs", "这个 Warpglass 没有用于 GPU 的部分")
SENTENCE(InstallGpuPart,
         "Install the package warpglass-gpu, build where a CUDA toolkit is, or use the emulator.",
         "请安装软件包 warpglass-gpu，或在装有 CUDA 工具包的机器上构建，或使用模拟器。")
SENTENCE(NoDriver, "this machine has no NVIDIA driver", "本机没有 NVIDIA 驱动程序")
SENTENCE(NoGpu, "this machine has an NVIDIA driver but no GPU that can be used", "本机有 NVIDIA 驱动程序，但没有可用的 GPU")
SENTENCE(DriverTooOld,
         "the NVIDIA driver is too old (it supports CUDA %1, this program needs %2)",
         "NVIDIA 驱动程序太旧（支持 CUDA %1，本程序需要 %2）")
SENTENCE(UseEmulator, "Use the emulator, or a machine with an NVIDIA GPU.", "请使用模拟器，或换一台有 NVIDIA GPU 的机器。")
SENTENCE(UpdateDriver, "Update the driver.", "请更新驱动程序。")
SENTENCE(PendingOverLimit,
         "more launches were pending than the limit allows (error 69); the host is not told",
         "待处理的启动多于上限（错误 69）；主机得不到通知")
SENTENCE(NoParameterBuffer,
         "the device gave no parameter buffer for it: too many launches were pending, or its shape is not allowed; the host "
         "is not told",
         "设备没有为它分配参数缓冲区：待处理的启动太多，或形状不被允许；主机得不到通知")
SENTENCE(BufferWithoutLaunch,
         "a parameter buffer was asked for, and its launch was not seen: where too many launches are pending, several "
         "threads are given the same buffer",
         "申请了参数缓冲区，但没有见到它的启动：待处理的启动太多时，几个线程会得到同一个缓冲区")
SENTENCE(TooManyLevels,
         "more levels of launches than the device allows (error 65)",
         "启动嵌套层数超过设备所允许的（错误 65）")
SENTENCE(LaunchReturned, "the launch returned error %1", "启动返回错误 %1")
SENTENCE(AcceptedNeverRan, "it was accepted and never ran", "它被接受但从未运行")
SENTENCE(WarpsMisplaced,
         "%1 {warp holds|warps hold} records that name no place in the code; what follows them in those warps was left out.",
         "%1 个线程束的记录没有指向代码中的位置；这些线程束中其后的内容已略去。")
SENTENCE(BlocksWithoutDetail,
         "Blocks without detail are drawn to the end of their first warp; in blocks with detail the last warp ended up to "
         "%1 %2 later.",
         "没有细节的线程块画到其第一个线程束的末尾；在有细节的线程块中，最后一个线程束最多晚 %1 %2 结束。")
SENTENCE(LaunchesLeftOut,
         "%1 device-side {launch is|launches are} not in the recording: there was room for %2.",
         "%1 次设备端启动不在录制中：只有 %2 次的空间。")
SENTENCE(SmWithoutClocks,
         "SM %1 has no pair of clocks: its blocks stand at time 0.",
         "SM %1 没有成对的时钟：其线程块位于时间 0。")
SENTENCE(ProbesIncomplete, "the buffers of the probes are incomplete", "探针的缓冲区不完整")
SENTENCE(CopyBack, "Copy all of them back after the run", "请在运行后把它们全部复制回来")
SENTENCE(NoProbedKernel, "the probed module has no kernel '%1'", "带探针的模块中没有核函数“%1”")
SENTENCE(CleanRunWrong, "The results of the clean run are wrong: %1", "未带探针的运行结果有误：%1")
SENTENCE(CleanRunWrongDropped,
         "The results of the clean run are wrong: %1. In the run with probes %2 launches were dropped; %3",
         "未带探针的运行结果有误：%1。带探针的运行中有 %2 次启动被丢弃；%3")
SENTENCE(CountOf, "%1: %2", "%1：%2")
