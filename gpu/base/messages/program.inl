// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue of messages (catalogue.h): identifier, its word in files, kind, English, Chinese. %1 to %9 are the
// arguments; of a pair {byte|bytes} the first is said behind a 1. Words in files never change their meaning.

MESSAGE(Times, "times", Part, "%1 (%2 {time|times})", "%1（%2 次）")

// What kernels do
MESSAGE(KernelFault, "fault", Fault, "%1", "%1")
MESSAGE(KernelFaultBeside, "fault-beside", Fault, "%1", "%1") // of an allocation: a GPU may not notice
MESSAGE(KernelHang, "hang", Hang, "%1", "%1")
MESSAGE(BlocksWait, "blocks-wait", Hang, "blocks of %1 wait for each other in a way that needs all of them at a time",
        "%1 的线程块互相等待，其方式要求所有线程块同时驻留")
MESSAGE(KernelPassedOver, "passed-over", PassedOver, "%1", "%1")
MESSAGE(KernelRace, "race", Race, "%1", "%1")
MESSAGE(KernelNotFinite, "kernel-not-finite", NotFinite, "%1", "%1")
MESSAGE(KernelDigitsLost, "kernel-digits-lost", NotFinite, "%1", "%1")
MESSAGE(KernelNote, "note", Note, "%1", "%1")
MESSAGE(KernelFaultHosts, "fault-hosts", Fault,
        "%1 lies in the host's own memory, which no kernel reaches: copy it into memory of cudaMalloc, or take "
        "cudaMallocManaged. %2",
        "%1 位于主机自己的内存中，任何核函数都访问不到：请把它复制到 cudaMalloc 分配的内存，或使用 cudaMallocManaged。%2")
MESSAGE(KernelLeak, "kernel-leak", Leak, "%1", "%1")

// Launches that did not happen
MESSAGE(LaunchRefused, "refused", Refused, "%1 was not launched: %2", "%1 没有启动：%2")
MESSAGE(RefusedCooperative, "refused-cooperative-room", Refused,
        "%1 was not launched: the blocks of a cooperative launch must all live at once, and of its %2 blocks the device has "
        "room for %3, %4 on each of its %5 SMs (cudaOccupancyMaxActiveBlocksPerMultiprocessor)",
        "%1 没有启动：协作启动的线程块必须全部同时驻留，而它的 %2 个线程块中设备只放得下 %3 个，%5 个 SM 上各 %4 "
        "个（cudaOccupancyMaxActiveBlocksPerMultiprocessor）")
MESSAGE(RefusedShared, "refused-shared", Refused,
        "%1 was not launched: %2 {byte|bytes} of dynamic shared memory, %3 with what the kernel declares, are more than "
        "the 48 KiB that a block gets unless cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize asks "
        "for more",
        "%1 没有启动：动态共享内存 %2 字节（连同核函数声明的共 %3 字节）超过了线程块默认可得的 48 KiB；更多须以 "
        "cudaFuncSetAttribute 和 cudaFuncAttributeMaxDynamicSharedMemorySize 申请")
MESSAGE(RefusedRegisters, "refused-registers", Refused,
        "%1 was not launched: it takes %2 registers a thread, and a block of %3 threads finds room for them on no SM: "
        "%4 threads at most, or fewer registers by __launch_bounds__(%3)",
        "%1 没有启动：每个线程要用 %2 个寄存器，%3 个线程的线程块在任何 SM 上都放不下：至多 %4 个线程，或用 "
        "__launch_bounds__(%3) 减少寄存器")
MESSAGE(LaunchImpossible, "launch-impossible", Refused, "%1", "%1")
MESSAGE(NotRun, "not-run", NotRun, "%1 was not run: operation %2 had failed", "%1 没有运行：操作 %2 已失败")
MESSAGE(NotRunOnDevice, "not-run-on-device", NotRun, "%1 was not run: the device had failed",
        "%1 没有运行：设备已处于失败状态")

// Calls that CUDA answers with a number only
MESSAGE(FreedTwice, "freed-twice", Mistake, "%1 (%2 {byte|bytes}) is freed a second time",
        "%1（%2 字节）被第二次释放")
MESSAGE(FreedWithin, "freed-within", Mistake,
        "%1 cannot be freed: it lies %2 {byte|bytes} behind the beginning of the %3 {byte|bytes} that were allocated at "
        "%4",
        "%1 无法释放：它位于在 %4 处分配的 %3 字节的开头之后 %2 字节处")
MESSAGE(FreedRegistered, "freed-registered", Mistake,
        "%1 cannot be freed: it is registered memory, which cudaHostUnregister gives back to the host",
        "%1 无法释放：它是已注册的内存，应由 cudaHostUnregister 还给主机")
MESSAGE(FreedMapped, "freed-mapped", Mistake, "%1 cannot be freed: it was mapped, and cuMemUnmap takes it away",
        "%1 无法释放：它是映射来的，应由 cuMemUnmap 解除")
MESSAGE(FreedUnknown, "freed-unknown", Mistake, "%1 cannot be freed: the device has no memory there",
        "%1 无法释放：设备在那里没有内存")
MESSAGE(FreedHosts, "freed-hosts", Mistake,
        "%1 cannot be freed: it is the host's own memory, which no call of CUDA gave",
        "%1 无法释放：它是主机自己的内存，不是由 CUDA 的调用分配的")
MESSAGE(CopyReads, "copy-reads", Part, "A copy reads", "复制操作读取")
MESSAGE(CopyWrites, "copy-writes", Part, "A copy writes", "复制操作写入")
MESSAGE(FillWrites, "fill-writes", Part, "A fill writes", "填充操作写入")
MESSAGE(LibraryReads, "library-reads", Part, "%1 reads", "%1 读取")
MESSAGE(LibraryWrites, "library-writes", Part, "%1 writes", "%1 写入")
MESSAGE(PlaceNull, "place-null", Mistake, "%1 through a null pointer", "%1空指针")
MESSAGE(PlaceFreed, "place-freed", Mistake,
        "%1 %2 {byte|bytes} at %3, in memory that was already freed (byte %4 of %5)",
        "%1 %3 处的 %2 字节，位于已释放的内存中（%5 的第 %4 字节）")
MESSAGE(PlacePastEnd, "place-past-end", Mistake,
        "%1 %2 {byte|bytes} at %3: %4 {byte|bytes} past the end of %5 (%6 {byte|bytes})",
        "%1 %3 处的 %2 字节：超出 %5（%6 字节）末尾 %4 字节")
MESSAGE(PlaceNone, "place-none", Mistake, "%1 %2 {byte|bytes} at %3, where the device has no memory",
        "%1 %3 处的 %2 字节，而设备在那里没有内存")
MESSAGE(PlaceHosts, "place-hosts", Mistake,
        "%1 %2 {byte|bytes} at %3, in the host's own memory, which only the host may fill",
        "%1 %3 处的 %2 字节，那是主机自己的内存，只有主机可以写入")
MESSAGE(CopyFromHost, "copy-from-host", Mistake,
        "A copy of %1 {byte|bytes} is asked for as %2, and where it reads, %3, is the host's own memory",
        "%1 字节的复制以 %2 方式提出，而它读取的 %3 是主机自己的内存")
MESSAGE(CopyToHost, "copy-to-host", Mistake,
        "A copy of %1 {byte|bytes} is asked for as %2, and where it writes, %3, is the host's own memory",
        "%1 字节的复制以 %2 方式提出，而它写入的 %3 是主机自己的内存")
MESSAGE(CopyOfShadow, "copy-of-shadow", Mistake,
        "A copy of %1 {byte|bytes} is asked for as %2, and %3 is the host's shadow of %4: cudaMemcpyToSymbol and "
        "cudaMemcpyFromSymbol reach the variable itself, or the address that cudaGetSymbolAddress gives",
        "%1 字节的复制以 %2 方式提出，而 %3 是 %4 在主机上的影子：变量本身由 cudaMemcpyToSymbol 和 cudaMemcpyFromSymbol "
        "访问，或经 cudaGetSymbolAddress 给出的地址")
MESSAGE(TexturePitch, "texture-pitch", Mistake,
        "A texture is asked for over rows of %1 {byte|bytes}, which is no multiple of %2 "
        "(cudaDeviceProp::texturePitchAlignment): cudaMallocPitch gives rows that are",
        "纹理要建立在每行 %1 字节的内存上，而这不是 %2 的倍数（cudaDeviceProp::texturePitchAlignment）：cudaMallocPitch "
        "给出的行才是")
MESSAGE(StackLimit, "stack-limit", Mistake,
        "A stack of %1 {byte|bytes} a thread is asked for (cudaLimitStackSize), and a thread may have %2 at most: the limit "
        "stays as it was",
        "要求每线程 %1 字节的栈（cudaLimitStackSize），而每线程最多只能有 %2 字节：限制保持不变")
MESSAGE(HeapLimitLate, "heap-limit-late", Mistake,
        "The heap of the kernels' malloc is to get another size (cudaLimitMallocHeapSize), and a kernel that uses it has "
        "run already: the limit stays as it was. It has to be set before",
        "要改变核函数 malloc 的堆大小（cudaLimitMallocHeapSize），但已有使用它的核函数运行过：限制保持不变。须在此之前设置")
MESSAGE(StreamGone, "stream-gone", Mistake, "the stream %1 was used after cudaStreamDestroy",
        "流 %1 在 cudaStreamDestroy 之后仍被使用")
MESSAGE(EventGone, "event-gone", Mistake, "the event %1 was used after cudaEventDestroy",
        "事件 %1 在 cudaEventDestroy 之后仍被使用")
MESSAGE(EventAsStream, "event-as-stream", Mistake, "%1 is an event, and was given as a stream",
        "%1 是事件，却作为流传入")
MESSAGE(StreamAsEvent, "stream-as-event", Mistake, "%1 is a stream, and was given as an event",
        "%1 是流，却作为事件传入")
MESSAGE(NoStream, "no-stream", Mistake,
        "%1 is no stream of this program: it was never made, or by a call that failed",
        "%1 不是本程序的流：它从未创建，或创建它的调用失败了")
MESSAGE(NoEvent, "no-event", Mistake, "%1 is no event of this program: it was never made, or by a call that failed",
        "%1 不是本程序的事件：它从未创建，或创建它的调用失败了")
MESSAGE(EventUntimed, "event-untimed", Mistake,
        "cudaEventElapsedTime was given an event of cudaEventDisableTiming, which has no time",
        "传给 cudaEventElapsedTime 的事件带有 cudaEventDisableTiming，没有时间")
MESSAGE(EventUnrecorded, "event-unrecorded", Mistake, "cudaEventElapsedTime was given an event that was never recorded",
        "传给 cudaEventElapsedTime 的事件从未记录过")

MESSAGE(CallInHostFunction, "call-in-host-function", Mistake,
        "a function that cudaLaunchHostFunc or cudaStreamAddCallback has the host run calls CUDA, which refuses that "
        "(cudaErrorNotPermitted): what it asks for is not done",
        "由 cudaLaunchHostFunc 或 cudaStreamAddCallback 让主机运行的函数调用了 CUDA，CUDA 会拒绝"
        "（cudaErrorNotPermitted）：它要求的事不会执行")

// What a program's work is ordered by
MESSAGE(WorkOf, "work-of", Part, "operation %1 (%2)", "操作 %1（%2）")
MESSAGE(WorkAt, "work-at", Part, "operation %1 (%2, %3)", "操作 %1（%2，%3）")
MESSAGE(LineOf, "line-of", Part, "line %1", "第 %1 行")
MESSAGE(LineOfFile, "line-of-file", Part, "line %1 of %2", "%2 第 %1 行")
MESSAGE(MemoryOfOperation, "memory-of-operation", Part, "the memory of operation %1", "操作 %1 的内存")
MESSAGE(MemoryOfOperationAt, "memory-of-operation-at", Part, "the memory of operation %1, %2", "操作 %1（%2）的内存")
MESSAGE(WorkCopy, "work-copy", Part, "copy", "复制")
MESSAGE(WorkFill, "work-fill", Part, "fill", "填充")
MESSAGE(WorkAllocate, "work-allocate", Part, "allocation", "分配")
MESSAGE(WorkFree, "work-free", Part, "free", "释放")
MESSAGE(WorkHost, "work-host", Part, "host function", "主机函数")
MESSAGE(UseReads, "use-reads", Part, "reads", "读取")
MESSAGE(UseWrites, "use-writes", Part, "writes", "写入")
MESSAGE(UseTakes, "use-takes", Part, "allocates", "分配")
MESSAGE(UseFrees, "use-frees", Part, "frees", "释放")
MESSAGE(MemoryOfWork, "memory-of-work", Part, "the %1 {byte|bytes} that operation %2 allocated",
        "操作 %2 分配的 %1 字节")
MESSAGE(MemoryOfWorkAt, "memory-of-work-at", Part, "the %1 {byte|bytes} that operation %2 (%3) allocated",
        "操作 %2（%3）分配的 %1 字节")
MESSAGE(WorkRace, "work-race", Race,
        "%1 %2 %3 {byte|bytes}, the first of them byte %4 of %5, that %6 %7, and nothing orders the two: behind operation "
        "%8 a cudaEventRecord is missing, and before operation %9 a cudaStreamWaitEvent",
        "%1 %2 %3 字节（第一个是%5中的第 %4 字节），而 %6 也在%7它们，二者之间没有任何次序：缺少操作 %8 之后的 "
        "cudaEventRecord 和操作 %9 之前的 cudaStreamWaitEvent")
MESSAGE(CertainRace, "certain-race", Race,
        "%1 %2 at least %3 {byte|bytes}, the first of them byte %4 of %5, that %6 %7, and nothing orders the two: behind operation "
        "%8 a cudaEventRecord is missing, and before operation %9 a cudaStreamWaitEvent",
        "%1 至少%2 %3 字节（第一个是%5中的第 %4 字节），而 %6 也在%7它们，二者之间没有任何次序：缺少操作 %8 之后的 "
        "cudaEventRecord 和操作 %9 之前的 cudaStreamWaitEvent")
MESSAGE(HostUnknown, "host-unknown", Part, "the host", "主机")
MESSAGE(HostAtLine, "host-at-line", Part, "the host (line %1 of %2)", "主机（%2 第 %1 行）")
MESSAGE(HostInPlace, "host-in-place", Part, "the host (in %1)", "主机（位于 %1）")
MESSAGE(GraphRace, "graph-race", Race,
        "%1 %2 %3 {byte|bytes}, the first of them byte %4 of %5, that %6 %7, and no edge of their graph leads from one to the "
        "other: one from the node of operation %8 to that of operation %9 is missing",
        "%1 %2 %3 字节（第一个是%5中的第 %4 字节），而 %6 也在%7它们，它们所在的图没有从一个通往另一个的边：缺少从操作 %8 "
        "的节点到操作 %9 的节点的边")
MESSAGE(HostRace, "host-race", Race,
        "%1 %2 byte %3 of %4, which %5 %6, and has not waited for that: before it a cudaStreamSynchronize or "
        "cudaDeviceSynchronize is missing",
        "%1 %2 %4中的第 %3 字节，而 %5 正在%6它，主机并未等待：此前缺少 cudaStreamSynchronize 或 cudaDeviceSynchronize")
MESSAGE(PrintedUnwaited, "printed-unwaited", Note,
        "%1 prints, and the program ends without waiting for it: on a GPU it may print nothing. A cudaDeviceSynchronize "
        "at the end is missing",
        "%1 有输出，而程序没有等它就结束了：在 GPU 上可能什么也不打印。末尾缺少 cudaDeviceSynchronize")
MESSAGE(PrintedTooMuch, "printed-too-much", Note,
        "%1 brings what is printed before anything waits for it to %2 bytes (16 a call, 8 an argument), and the buffer "
        "has %3: a GPU loses the oldest lines. cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...) gives it more",
        "%1 使尚未被等待的输出达到 %2 字节（每次调用 16 字节，每个参数 8 字节），而缓冲区只有 %3 字节：GPU 会丢失最早的行。"
        "可用 cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...) 加大")

// Where memory comes from
MESSAGE(CopiedUnwritten, "copied-unwritten", Note,
        "%1 brings %2 {byte|bytes} to the host, of which nobody wrote %3: the first is byte %4 of %5. %6",
        "%1 把 %2 字节带回主机，其中 %3 字节从未有人写过：第一个是%5中的第 %4 字节。%6")
MESSAGE(LastGiven, "last-given", Part,
        "The last launch that was given this memory is %1, of %2 {block|blocks} of %3 {thread|threads}",
        "最后得到这块内存的启动是 %1，共 %2 个线程块，每块 %3 个线程")
MESSAGE(NeverGiven, "never-given", Part, "No launch was given this memory", "没有任何启动得到过这块内存")
MESSAGE(NoteOfSource, "note-of-source", Note, "%1 %2", "%1 %2")
MESSAGE(WroteFirst, "wrote-first", Part, "%1 wrote the first %2 of its %3 {byte|bytes}",
        "%1 写了它 %3 字节中的前 %2 字节")
MESSAGE(WroteSome, "wrote-some", Part, "%1 wrote %2 of its %3 {byte|bytes}", "%1 写了它 %3 字节中的 %2 字节")
MESSAGE(LaunchedAt, "launched-at", Part, "%1 Launched at %2.", "%1 启动于%2。")
MESSAGE(FaultFreed, "fault-freed", Fault, "%1 It was freed by %2", "%1 它由 %2 释放")
MESSAGE(FreedTwiceBy, "freed-twice-by", Mistake, "%1 (%2 {byte|bytes}) is freed a second time: %3 had freed it",
        "%1（%2 字节）被第二次释放：%3 已将它释放")
MESSAGE(FaultShadow, "fault-shadow", Fault,
        "%1 is the host's shadow of %2: a kernel names %2 itself, or gets the address that cudaGetSymbolAddress gives. %3",
        "%1 是 %2 在主机上的影子：核函数应直接使用 %2，或得到 cudaGetSymbolAddress 给出的地址。%3")

// Libraries of the device's, which the host answers
MESSAGE(LibraryBy, "library-by", Unrecorded,
        "calls of %1 are answered on the host by %2: results are not NVIDIA's bit for bit, and their time is not modelled",
        "%1 的调用由主机上的 %2 完成：结果与 NVIDIA 的并非逐位相同，所用时间也未建模")
MESSAGE(ByOwnLoops, "by-own-loops", Part, "loops of its own, which are slow, since OpenBLAS (libopenblas.so.0) was not found",
        "自带的循环（较慢，因为没有找到 OpenBLAS，即 libopenblas.so.0）")
MESSAGE(ByGenerators, "by-generators", Part, "the published algorithms, seeded in a way of its own",
        "公开发表的算法（种子方式自定）")
MESSAGE(LibraryAbsent, "library-absent", Refused, "%1 was not run: it needs %2, and %3 was not found",
        "%1 没有运行：它需要 %2，而没有找到 %3")
MESSAGE(LibraryUnwritten, "library-unwritten", Note, "%1 reads %2 {byte|bytes} that nobody wrote: the first is byte %3 of %4",
        "%1 读取了 %2 字节从未有人写过的内存：第一个是%4中的第 %3 字节")

// What CUDA refuses within a kernel, or ignores
MESSAGE(FaultGridSync, "fault-grid-sync", Fault,
        "grid.sync() traps, since this launch is not cooperative and its grid group not valid: "
        "cudaLaunchCooperativeKernel is needed. %1",
        "grid.sync() 触发陷阱，因为这次启动不是协作启动，其网格组无效：需要 cudaLaunchCooperativeKernel。%1")
MESSAGE(LinearIgnored, "linear-ignored", Note,
        "%1 of a texture over linear memory is ignored by CUDA: it is read by whole numbers, and what lies outside is 0. "
        "cudaResourceTypePitch2D or an array has it",
        "线性内存上的纹理，其 %1 被 CUDA 忽略：它按整数下标读取，越界处为 0。cudaResourceTypePitch2D 或数组支持此设置")

// Memory that the program never frees
MESSAGE(DeviceMemory, "device-memory", Part, "device memory", "设备内存")
MESSAGE(ManagedMemory, "managed-memory", Part, "managed memory", "托管内存")
MESSAGE(PinnedMemory, "pinned-memory", Part, "pinned memory", "锁页内存")
MESSAGE(Unfreed, "unfreed", Leak, "%1 {byte|bytes} of %2 {is|are} never freed: allocated by operation %3.",
        "%1 字节%2从未释放：由操作 %3 分配。")
MESSAGE(UnfreedAlike, "unfreed-alike", Leak,
        "%1 {allocation|allocations} of %2 {byte|bytes} of %3 each, %4 {byte|bytes} in all, are never freed: operations %5.",
        "%1 次分配（每次 %2 字节%3，共 %4 字节）从未释放：操作 %5。")

// What could not be recorded
MESSAGE(NotDetailed, "not-detailed", Unrecorded, "%1 was not recorded in detail: %2", "%1 没有被详细记录：%2")
MESSAGE(NotKept, "not-kept", Unrecorded, "%1", "%1")
MESSAGE(SourceNewer, "source-newer", Unrecorded,
        "%1 is newer than the program, which may have been built from another text: it is not shown",
        "%1 比程序新，程序可能是由另一份文本构建的：不显示它")
MESSAGE(NoTimes, "no-times", Unrecorded, "%1", "%1")

// Images and their PTX
SENTENCE(NoPtxInIt, "there is no PTX in it", "其中没有 PTX")
SENTENCE(NeitherPtxNorContainer, "the image is neither PTX nor a container of nvcc's", "映像既不是 PTX，也不是 nvcc 的容器")
SENTENCE(NoMemoryForManaged, "there is no memory for its managed variables", "没有内存存放其托管变量")
SENTENCE(MapAligned, "the 128 bytes of a tensor map lie at a multiple of 64", "张量映射的 128 字节须位于 64 的倍数处")
SENTENCE(TensorAligned, "a tensor lies at a multiple of 16", "张量须位于 16 的倍数处")
SENTENCE(NoSuchType, "there is no such type", "没有这样的类型")
SENTENCE(NoSuchSwizzle, "there is no such swizzle", "没有这样的 swizzle")
SENTENCE(MapHasBox, "a tensor map has a box", "张量映射须有一个框")
SENTENCE(Im2colDimensions, "a tensor for im2col has 3 to 5 dimensions and two corners", "用于 im2col 的张量有 3 到 5 维和两个角")
SENTENCE(Im2colWide,
         "a tensor for im2col::w has 3 to 5 dimensions, one of two modes and 1 to 1024 pixels a column",
         "用于 im2col::w 的张量有 3 到 5 维、两种模式之一，每列 1 到 1024 个像素")
SENTENCE(NewerElements,
         "elements of four and six bits and swizzles by 32 and 64 bytes are for devices from compute capability 10.0 "
         "on",
         "四位和六位的元素以及按 32 和 64 字节的 swizzle 仅适用于计算能力 10.0 及以上的设备")
SENTENCE(NoPtxInProgram,
         "the program carries no PTX. Build it with -gencode arch=compute_90,code=compute_90 or -arch=sm_90",
         "程序中没有 PTX。请用 -gencode arch=compute_90,code=compute_90 或 -arch=sm_90 构建它")
SENTENCE(OnlyMachineCode,
         "the program carries no PTX (it holds machine code for sm_%1). Build it with -gencode "
         "arch=compute_90,code=compute_90 or -arch=sm_90",
         "程序中没有 PTX（它含有用于 sm_%1 的机器码）。请用 -gencode arch=compute_90,code=compute_90 或 -arch=sm_90 构建它")

// Reports of other profilers
MESSAGE(NcuOneByOne, "ncu-one-by-one", Note,
        "read from a report of Nsight Compute, which runs one launch at a time and tells no times between them: they stand "
        "one behind the other here",
        "读自 Nsight Compute 的报告：它一次只运行一个启动，不说明各启动之间的时间，因此在这里依次排列")
MESSAGE(NsysGraph, "nsys-graph", Unrecorded,
        "the report tells the graph as a whole; with \"nsys profile --cuda-graph-trace=node\" it tells its nodes",
        "报告只记录整个图；用“nsys profile --cuda-graph-trace=node”可记录其节点")
MESSAGE(NsysRead, "nsys-read", Note,
        "read from an export of Nsight Systems: times are its own, and launches have no warps. To see inside one, record the "
        "program with \"warpglass-record program\"",
        "读自 Nsight Systems 的导出文件：时间为其自身所测，启动中没有线程束。要看到启动内部，请用“warpglass-record program”记录该程序")
