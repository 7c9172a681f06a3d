// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.
SENTENCE(NoGpuPart, "this Warpglass has no part for GPUs", "这个 Warpglass 不含用于 GPU 的部分")
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
         "设备没有为它分配参数缓冲区：待处理的启动太多，或形状不允许；主机得不到通知")
SENTENCE(BufferWithoutLaunch,
         "a parameter buffer was asked for, and its launch was not seen: where too many launches are pending, several "
         "threads are given the same buffer",
         "申请了参数缓冲区，却没有看到它的启动：待处理的启动太多时，多个线程会得到同一个缓冲区")
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
         "没有细节的线程块画到其第一个线程束结束为止；在有细节的线程块中，最后一个线程束最多晚 %1 %2 结束。")
SENTENCE(LaunchesLeftOut,
         "%1 device-side {launch is|launches are} not in the recording: there was room for %2.",
         "%1 次设备端启动不在录制中：只有 %2 次的空间。")
SENTENCE(SmWithoutClocks,
         "SM %1 has no pair of clocks: its blocks stand at time 0.",
         "SM %1 缺少成对的时钟读数：其线程块都位于时间 0。")
SENTENCE(ProbesIncomplete, "the buffers of the probes are incomplete", "探针的缓冲区不完整")
SENTENCE(CopyBack, "Copy all of them back after the run", "请在运行后把它们全部复制回来")
SENTENCE(NoProbedKernel, "the probed module has no kernel '%1'", "带探针的模块中没有核函数“%1”")
SENTENCE(CleanRunWrong, "The results of the clean run are wrong: %1", "不带探针的运行结果有误：%1")
SENTENCE(CleanRunWrongDropped,
         "The results of the clean run are wrong: %1. In the run with probes %2 launches were dropped; %3",
         "不带探针的运行结果有误：%1。带探针的运行中有 %2 次启动被丢弃；%3")
SENTENCE(CountOf, "%1: %2", "%1：%2")

// Of the GPU's part: worker, plug-in, probes, profiler
SENTENCE(ReferenceOfItsModule,
         "its texture or surface reference %1 is bound to its own module",
         "其纹理或表面引用 %1 绑定在自己的模块上")
SENTENCE(VariableNotFound, "the driver does not tell where its variable %1 lies", "驱动程序没有给出其变量 %1 的位置")
SENTENCE(ProgramHadFailed, "the program had failed before", "程序此前已经失败")
SENTENCE(TexturesAreThePrograms,
         "it uses textures or surfaces, which are the program's alone: --in-place records it in the program",
         "它使用只属于该程序的纹理或表面：--in-place 在程序内部录制它")
SENTENCE(ReachesTooMuch,
         "it can reach more than %1 GB of memory, too much for a process beside the program: --in-place records it in "
         "the program",
         "它能访问超过 %1 GB 的内存，程序之外的独立进程放不下：--in-place 在程序内部录制它")
SENTENCE(BesideTheProgram, "with probes, in a process beside the program: %1", "带探针、在程序之外的独立进程中：%1")
SENTENCE(NoRoomForCopy,
         "there is no room for a copy of the program's memory (%1 MB, %2 MB free)",
         "没有空间存放程序内存的副本（需要 %1 MB，空闲 %2 MB）")
SENTENCE(CopyNotMade, "a copy of the program's memory could not be made", "无法复制程序的内存")
SENTENCE(NotPutBack, "the program's memory could not be put back", "无法还原程序的内存")
SENTENCE(VariableNotTaken, "the value of its variable %1 could not be taken over", "无法取得其变量 %1 的值")
SENTENCE(MemoryNotRead, "the memory at %1 cannot be read", "无法读取 %1 处的内存")
SENTENCE(WorkerNotUnderstood, "the GPU worker's answer is not understood", "无法理解 GPU 工作进程的应答")
SENTENCE(BesideDidNotEnd,
         "with probes it did not end within %1 seconds beside the program: it may wait for the host or for another "
         "kernel",
         "带探针在独立进程中运行时，它在 %1 秒内没有结束：它可能在等待主机或另一个核函数")
SENTENCE(ProbedAlready, "this module has probes already", "此模块已有探针")
SENTENCE(AsTheCompilerMadeIt, "Give the module as the compiler made it", "请给出编译器生成的原始模块")
SENTENCE(TooManyPlaces, "this module has more places to probe than a record can name", "此模块要探测的位置多于一条记录所能表示的数目")
SENTENCE(GridNotProbed, "a grid of %1 blocks of %2 threads cannot be probed", "无法探测线程块数为 %1、每块线程数为 %2 的网格")
SENTENCE(ThreadsOfABlock, "Use 1 to 1024 threads a block", "请使用每块 1 到 1024 个线程")
SENTENCE(GridTooLarge, "a grid of %1 blocks is too large for a row a block", "%1 个线程块的网格太大，无法每块一行")
SENTENCE(BlockOutside, "block %1 is outside the grid of %2 blocks", "线程块 %1 不在 %2 个线程块的网格之内")
SENTENCE(TooManyWarps, "more warps are chosen than can be numbered", "选择的线程束多于可以编号的数目")
SENTENCE(FewerProbedBlocks, "Choose fewer blocks", "请选择更少的线程块")
SENTENCE(NoElf, "the machine code is no ELF file", "机器码不是 ELF 文件")
SENTENCE(CodeNoKernel, "the machine code has no kernel %1", "机器码中没有核函数 %1")
SENTENCE(RunCancelled, "the run was cancelled", "运行已取消")
SENTENCE(WorkerWithoutWords, "the GPU worker failed without saying why", "GPU 工作进程失败，没有说明原因")
SENTENCE(OtherVersion,
         "this is Warpglass %1, and the other half of what runs kernels on a GPU is of version %2",
         "这是 Warpglass %1，而在 GPU 上运行核函数的另一半是版本 %2")
SENTENCE(OlderVersion,
         "this is Warpglass %1, and the other half of what runs kernels on a GPU is of an older version",
         "这是 Warpglass %1，而在 GPU 上运行核函数的另一半是更旧的版本")
SENTENCE(PackagesOfOneVersion,
         "Install the packages warpglass and warpglass-gpu of one version, or build all programs again.",
         "请安装同一版本的软件包 warpglass 和 warpglass-gpu，或重新构建所有程序。")
SENTENCE(MessageNotUnderstood,
         "the message between program and GPU worker is not understood: %1",
         "无法理解程序与 GPU 工作进程之间的消息：%1")
SENTENCE(NoPipe, "no pipe to the GPU worker (%1)", "没有通往 GPU 工作进程的管道（%1）")
SENTENCE(WorkerNotStarted, "the GPU worker could not be started (%1)", "无法启动 GPU 工作进程（%1）")
SENTENCE(WorkerSilent, "the GPU worker said nothing for %1 seconds and was stopped", "GPU 工作进程在 %1 秒内没有应答，已被停止")
SENTENCE(GpuMayBeBusy, "The GPU may be busy or hung: try again, or use the emulator.", "GPU 可能正忙或已挂起：请重试，或使用模拟器。")
SENTENCE(WorkerEnded, "the GPU worker ended early (%1)", "GPU 工作进程提前结束（%1）")
SENTENCE(WorkerEndedSaying, "the GPU worker ended early (%1): %2", "GPU 工作进程提前结束（%1）：%2")
SENTENCE(PipeClosed, "its pipe was closed", "其管道已关闭")
SENTENCE(NoNvrtc,
         "CUDA source cannot be compiled here: NVIDIA's run-time compiler (libnvrtc) was not found",
         "无法在此编译 CUDA 源代码：没有找到 NVIDIA 的运行时编译器（libnvrtc）")
SENTENCE(InstallNvrtc,
         "Install the CUDA toolkit or NVRTC (libnvrtc), or compile the file with nvcc -ptx and open the PTX.",
         "请安装 CUDA 工具包或 NVRTC（libnvrtc），或用 nvcc -ptx 编译该文件并打开其 PTX。")
SENTENCE(CompilerNotStarted, "the compiler could not be started", "无法启动编译器")
SENTENCE(NoPlugin, "this Warpglass has no CUDA plug-in", "这个 Warpglass 没有 CUDA 插件")
SENTENCE(PluginNotOpened, "the CUDA plug-in cannot be opened (%1)", "无法打开 CUDA 插件（%1）")
SENTENCE(OtherPlugin, "the CUDA plug-in is not of this program", "CUDA 插件不属于本程序")
SENTENCE(PluginNotOpenedAtAll, "the CUDA plug-in cannot be opened (no reason given)", "无法打开 CUDA 插件（没有给出原因）")
SENTENCE(NoCupti, "NVIDIA's profiling library (libcupti) was not found", "没有找到 NVIDIA 的性能分析库（libcupti）")
SENTENCE(InstallCupti, "Install the CUDA toolkit's CUPTI to get counters.", "要得到计数器，请安装 CUDA 工具包中的 CUPTI。")
SENTENCE(OldCupti,
         "NVIDIA's profiling library (libcupti) is too old: it has no %1",
         "NVIDIA 的性能分析库（libcupti）太旧：没有 %1")
SENTENCE(InstallNewerCuda, "Install CUDA 12.6 or newer to get counters.", "要得到计数器，请安装 CUDA 12.6 或更新版本。")
SENTENCE(CuptiSays, "%1: %2 (CUPTI error %3)", "%1：%2（CUPTI 错误 %3）")
SENTENCE(ProfilingRestricted,
         "Load the NVIDIA kernel module with NVreg_RestrictProfilingToAdminUsers=0, or run as an administrator.",
         "请以 NVreg_RestrictProfilingToAdminUsers=0 加载 NVIDIA 内核模块，或以管理员身份运行。")
SENTENCE(VirtualGpu,
         "This GPU is a virtual one: its host must let it be profiled (enable_profiling=1).",
         "此 GPU 是虚拟的：其主机必须允许对它进行性能分析（enable_profiling=1）。")
SENTENCE(OtherProfiler, "Another profiler is attached to the GPU: stop it.", "另一个性能分析器正在使用此 GPU：请停止它。")
SENTENCE(NoWords, "no words for it", "没有说明文字")
SENTENCE(NotEnoughGpuMemory, "the GPU has not enough free memory for %1 bytes more", "GPU 没有足够的空闲内存再放下 %1 字节")
SENTENCE(DriverSays, "%1: %2 (error %3)", "%1：%2（错误 %3）")
SENTENCE(NoDriverFunction, "the NVIDIA driver has no function %1", "NVIDIA 驱动程序没有函数 %1")
SENTENCE(DriverSilent, "the NVIDIA driver does not answer", "NVIDIA 驱动程序没有应答")
SENTENCE(DriverNotStarted, "the NVIDIA driver could not be started", "无法启动 NVIDIA 驱动程序")
SENTENCE(LaunchNotPutBack, "the launch's memory could not be put back", "无法还原这次启动的内存")
SENTENCE(ConstantNotTaken, "the value of a constant could not be taken over", "无法取得一个常量的值")
SENTENCE(GpuNotUsed, "the GPU cannot be used", "无法使用 GPU")
SENTENCE(GpuVariableNotSet, "a variable of the module could not be set", "无法设置模块的一个变量")
SENTENCE(GpuRefused, "the GPU refused the launch", "GPU 拒绝了这次启动")
SENTENCE(GpuMemoryNotTaken, "GPU memory could not be taken", "无法分配 GPU 内存")
SENTENCE(GpuMemoryNotCleared, "GPU memory could not be cleared", "无法清零 GPU 内存")
SENTENCE(NotCopiedTo, "data could not be copied to the GPU", "无法把数据复制到 GPU")
SENTENCE(NotCopiedOn, "data could not be copied on the GPU", "无法在 GPU 上复制数据")
SENTENCE(NotCopiedFrom, "data could not be copied from the GPU", "无法从 GPU 复制数据")
SENTENCE(NotCompiled, "the driver could not compile the kernel", "驱动程序无法编译该核函数")
SENTENCE(PendingNotSet, "the limit of pending launches could not be set", "无法设置待处理启动的上限")
SENTENCE(ProbesNotCleared, "the probes' memory could not be cleared", "无法清零探针的内存")
SENTENCE(ProbesNotTold, "the probes could not be told where to write", "无法告知探针写入的位置")
SENTENCE(ModuleNoKernel, "the module has no kernel %1", "模块中没有核函数 %1")
SENTENCE(ModuleNoVariable, "the module has no variable %1", "模块中没有变量 %1")
SENTENCE(NotCompiledSaying, "the driver could not compile the kernel: %1", "驱动程序无法编译该核函数：%1")
SENTENCE(NeedsDeviceRuntime,
         "kernels that launch kernels need libcudadevrt.a, which was not found",
         "启动核函数的核函数需要 libcudadevrt.a，但没有找到")
SENTENCE(InstallDeviceRuntime,
         "Install the CUDA toolkit, or put the file beside the program.",
         "请安装 CUDA 工具包，或把该文件放在程序旁边。")
SENTENCE(OfBuffer, "%1 of \"%2\"", "“%2”：%1")
SENTENCE(NoArrayMade, "the GPU made no array", "GPU 没有创建数组")
SENTENCE(NoMipmapMade, "the GPU made no mipmap", "GPU 没有创建 mipmap")
SENTENCE(NoSuchLevel, "the GPU has no such level", "GPU 没有这一级")
SENTENCE(TexelsNotCopied, "texels could not be copied", "无法复制纹素")
SENTENCE(TextureReferenceNotBound, "the GPU does not bind the texture reference", "GPU 无法绑定该纹理引用")
SENTENCE(NoTextureObject, "the GPU made no texture object", "GPU 没有创建纹理对象")
SENTENCE(NoSurfaceObject, "the GPU made no surface object", "GPU 没有创建表面对象")
SENTENCE(SurfaceReferenceNotBound, "the GPU does not bind the surface reference", "GPU 无法绑定该表面引用")
SENTENCE(NoSuchGpu, "this machine has no GPU \"%1\"", "本机没有 GPU“%1”")
SENTENCE(ItHas, "It has: %1.", "本机有：%1。")
SENTENCE(GpuNotListed, "the GPU cannot be used: it is not among those listed", "无法使用该 GPU：它不在列出的 GPU 之中")
SENTENCE(NoSamplerReferences,
         "a GPU binds no sampler references: CUDA's driver has no call for independent texture mode",
         "GPU 无法绑定采样器引用：CUDA 驱动程序没有用于独立纹理模式的调用")
SENTENCE(TextureObjects, "Run it on the emulator, or use texture objects.", "请在模拟器上运行，或使用纹理对象。")
SENTENCE(NoAddressAt, "no address of \"%1\" can stand at byte %2", "“%1”的地址不能位于第 %2 字节")
SENTENCE(GridRunsNothing, "a grid of %1 blocks of %2 threads runs nothing", "线程块数为 %1、每块线程数为 %2 的网格什么也不运行")
SENTENCE(ThreadsOverLimit, "%1 threads a block are more than this GPU's limit of %2", "每块 %1 个线程多于此 GPU 的上限 %2")
SENTENCE(ThreadsInXOverLimit,
         "%1 threads a block in x are more than this GPU's limit of %2",
         "每块 x 方向 %1 个线程多于此 GPU 的上限 %2")
SENTENCE(ThreadsInYOverLimit,
         "%1 threads a block in y are more than this GPU's limit of %2",
         "每块 y 方向 %1 个线程多于此 GPU 的上限 %2")
SENTENCE(ThreadsInZOverLimit,
         "%1 threads a block in z are more than this GPU's limit of %2",
         "每块 z 方向 %1 个线程多于此 GPU 的上限 %2")
SENTENCE(BlocksInXOverLimit, "%1 blocks in x are more than this GPU's limit of %2", "x 方向 %1 个线程块多于此 GPU 的上限 %2")
SENTENCE(BlocksInYOverLimit, "%1 blocks in y are more than this GPU's limit of %2", "y 方向 %1 个线程块多于此 GPU 的上限 %2")
SENTENCE(BlocksInZOverLimit, "%1 blocks in z are more than this GPU's limit of %2", "z 方向 %1 个线程块多于此 GPU 的上限 %2")
SENTENCE(SharedOverLimit,
         "%1 bytes of shared memory a block are more than this GPU's limit of %2",
         "每块 %1 字节共享内存多于此 GPU 的上限 %2")
SENTENCE(NoClusters,
         "the driver launches no clusters: it is older than compute capability 9.0",
         "驱动程序不能启动集群：它早于计算能力 9.0")
SENTENCE(ProbesNotRead, "what the probes wrote could not be read beside the kernel", "无法在核函数运行时读取探针所写的内容")
SENTENCE(EndedThisTime, "with probes it came to its end", "带探针时它运行到了结束")
SENTENCE(PhaseOfParity, "a phase of parity %1 of the mbarrier at byte %2 of shared memory", "共享内存第 %2 字节处 mbarrier 的一个奇偶值为 %1 的阶段")
SENTENCE(SomePhase, "a phase of an mbarrier", "某个 mbarrier 的阶段")
SENTENCE(SomeValue, "a value that its loop reads", "其循环所读的值")
SENTENCE(SomeValueOf, "a value of %1 that its loop reads", "其循环从 %1 所读的值")
SENTENCE(SomeEnd, "the end of its loop, which reads nothing", "其循环的结束（循环中不读取任何值）")
SENTENCE(SomethingBehind, "something behind it that probes do not see", "其后探针看不到的某件事")
SENTENCE(LastRecords,
         "%1: the last records of the probes in %2 {block|blocks} say where warps stand: %3",
         "%1：%2 个线程块中探针的最后记录说明线程束停在哪里：%3")
SENTENCE(DidNotEnd, "%1 did not end within %2 seconds and was stopped", "%1 在 %2 秒内没有结束，已被停止")
SENTENCE(LookForEndlessLoop,
         "Look for a loop that never ends or a barrier that some threads never reach; the emulator names the line.",
         "请查找永不结束的循环，或有些线程永远到不了的屏障；模拟器会指出所在的行。")
SENTENCE(FailedOnGpu, "%1 failed on the GPU: %2 (error %3)", "%1 在 GPU 上失败：%2（错误 %3）")
SENTENCE(EmulatorNamesTheLine,
         "Run it on the emulator, which names the line, block and thread.",
         "请在模拟器上运行，它会指出行、线程块和线程。")
SENTENCE(OtherSharedLayout,
         "a copy of it with probes would lay out shared memory otherwise (%1 bytes a block for %2)",
         "带探针的副本会改变共享内存的布局（每块 %1 字节，而不是 %2）")
SENTENCE(NoRoomForAddresses, "the worker has no room for addresses at %1", "工作进程没有空间放置 %1 处的地址")
SENTENCE(NoRoomTwice, "the GPU has no room for its memory twice (%1 MB)", "GPU 没有空间存放它的两份内存（%1 MB）")
SENTENCE(NoMemoryAt, "the worker cannot have memory at %1", "工作进程无法取得 %1 处的内存")
SENTENCE(NoMemoryAtPrograms,
         "the worker cannot have memory at %1, where the program's lies",
         "工作进程无法取得程序内存所在的 %1 处的内存")
SENTENCE(RequestBrokeOff, "the request to the GPU worker broke off", "发给 GPU 工作进程的请求中断了")
SENTENCE(RequestNotUnderstood, "the request to the GPU worker is not understood", "无法理解发给 GPU 工作进程的请求")
SENTENCE(RequestUnknown, "the GPU worker does not know the request \"%1\"", "GPU 工作进程不认识请求“%1”")
SENTENCE(CopyForLinesOtherwise,
         "the copy whose code could be told by lines would lay out shared memory otherwise",
         "可按行区分代码的副本会改变共享内存的布局")
SENTENCE(NoTensorMapsMade, "the driver makes no tensor maps: it is older than the kernel", "驱动程序不能创建张量映射：它比核函数旧")
SENTENCE(Im2colW,
         "a tensor map for im2col::w is made for devices from compute capability 10.0 on",
         "im2col::w 的张量映射仅适用于计算能力 10.0 及以上的设备")
SENTENCE(TensorMapRefused, "the driver refused the tensor map of \"%1\"", "驱动程序拒绝了“%1”的张量映射")
SENTENCE(CountersTakeTooLong,
         "No hardware counters: the launch takes too long to be run again for them.",
         "没有硬件计数器：这次启动耗时太长，无法为它们再次运行。")
SENTENCE(CountersWithoutCupti,
         "No hardware counters: NVIDIA's profiling library (libcupti) was not found; install the CUDA toolkit's CUPTI "
         "to get them.",
         "没有硬件计数器：没有找到 NVIDIA 的性能分析库（libcupti）；要得到它们，请安装 CUDA 工具包中的 CUPTI。")
SENTENCE(NoCounters, "No hardware counters: %1", "没有硬件计数器：%1")
SENTENCE(RunAgainToBeCounted, "the kernel, run again to be counted,", "为计数而再次运行的核函数")
SENTENCE(NoEvents, "No events were recorded: %1", "没有记录到事件：%1")
SENTENCE(NoInstructionCounts, "Executions of machine instructions were not counted: %1", "未统计机器指令的执行次数：%1")
SENTENCE(NoStallSamples, "No stall samples: %1", "没有停顿采样：%1")
SENTENCE(ProbedDiffers,
         "The probed run's results differ from the clean run's in %1 bytes: the kernel depends on the order in which "
         "its threads run, or reads what it did not write.",
         "带探针运行的结果与不带探针的有 %1 字节不同：核函数依赖其线程的执行顺序，或读取了它没有写入的内容。")
SENTENCE(KernelWithProbes, "the kernel with probes", "带探针的核函数")
SENTENCE(ChipNotKnown, "the chip is not known to the profiler", "性能分析器不认识该芯片")
SENTENCE(CountersNotRead, "hardware counters cannot be read", "无法读取硬件计数器")
SENTENCE(ProfilerNotStarted, "the profiler could not be started", "无法启动性能分析器")
SENTENCE(CountersNotChosen, "the counters could not be chosen", "无法选择计数器")
SENTENCE(CountersNotEvaluated, "the counters could not be evaluated", "无法计算计数器的值")
SENTENCE(CountersNotPrepared, "the counters could not be prepared", "无法准备计数器")
SENTENCE(CountersNotReadBack, "the counters could not be read back", "无法读回计数器")
SENTENCE(DurationsNotRead, "durations cannot be read", "无法读取时长")
SENTENCE(StallsNotSampled, "stalled warps cannot be sampled", "无法对停顿的线程束采样")
SENTENCE(SamplingNotSetUp, "the sampling could not be set up", "无法设置采样")
SENTENCE(SamplingNotStarted, "the sampling could not be started", "无法开始采样")
SENTENCE(SamplingNotStopped, "the sampling could not be stopped", "无法停止采样")
SENTENCE(SamplesNotReadBack, "the samples could not be read back", "无法读回采样")
SENTENCE(InstructionsNotCounted, "executed instructions cannot be counted", "无法统计执行的指令")
SENTENCE(InstructionsNotReadBack, "the counted instructions could not be read back", "无法读回指令计数")
SENTENCE(StallReasonsNotRead, "the stall reasons could not be read", "无法读取停顿原因")
SENTENCE(RanOnce,
         "The launch ran once, with probes: %1. There are no counters, and its duration is that with probes.",
         "这次启动只带探针运行了一次：%1。没有计数器，其时长是带探针的时长。")
SENTENCE(Allocates, "it allocates memory while it runs", "它在运行时分配内存")
SENTENCE(Prints, "it prints", "它会打印")
SENTENCE(WritesSurface, "it writes to a surface", "它写入表面")
SENTENCE(ReachesHosts,
         "it can come to memory of the host, which the program may use meanwhile",
         "它能访问主机的内存，而程序可能同时在使用")
SENTENCE(UnknownMemory,
         "it is given memory that was not seen being allocated, which others may use meanwhile",
         "它得到的内存没有观察到分配过程，其他代码可能同时在使用")
SENTENCE(MachineCodeOnly, "it was loaded as machine code, without PTX", "它是作为机器码加载的，没有 PTX")
SENTENCE(NoPtxOfIt, "the program carries no PTX of it", "程序中没有它的 PTX")
SENTENCE(NoPtxForThisGpu, "the program carries no PTX of it for this GPU, only %1", "程序中没有它用于此 GPU 的 PTX，只有 %1")
SENTENCE(PtxForArch, "PTX for sm_%1", "用于 sm_%1 的 PTX")
SENTENCE(CodeForArch, "machine code for sm_%1", "用于 sm_%1 的机器码")
SENTENCE(ModuleOfLinker,
         "its module was made by the driver's linker or belongs to a library; there is no PTX of it",
         "它的模块由驱动程序的链接器生成，或属于某个库；没有它的 PTX")
SENTENCE(PeersUse, "another device may use its memory meanwhile", "另一个设备可能同时在使用其内存")
SENTENCE(ProcessesUse, "another process may use its memory meanwhile", "另一个进程可能同时在使用其内存")
SENTENCE(GraphicsUse, "a graphics interface may use its memory meanwhile", "图形接口可能同时在使用其内存")
SENTENCE(NoProbesThroughPointers,
         "Functions that are called through a pointer run without probes where kernels launch kernels: nothing inside "
         "them is seen.",
         "在核函数会启动核函数的地方，通过指针调用的函数不带探针运行：看不到其内部。")
SENTENCE(FunctionEndsThreads,
         "A function other than a kernel ends threads itself: the end of such blocks is that of their last recorded "
         "event.",
         "核函数以外的函数自行结束线程：这类线程块的结束时间是其最后一个记录到的事件的时间。")
