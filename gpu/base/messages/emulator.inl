// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.

// Where, and who
SENTENCE(OfThread, "%1: %2, block %3, thread %4, %5.", "%1：%2，线程块 %3，线程 %4，%5。")
SENTENCE(OfBlock, "%1: %2, block %3, %4.", "%1：%2，线程块 %3，%4。")
SENTENCE(OfThreadHere, "%1: %2, block %3, thread %4", "%1：%2，线程块 %3，线程 %4") // the line is told elsewhere
SENTENCE(OfBlockHere, "%1: %2, block %3", "%1：%2，线程块 %3")
SENTENCE(SourceLine, "line %1 of %2 (PTX line %3)", "%2 第 %1 行（PTX 第 %3 行）")
SENTENCE(PtxLine, "PTX line %1 (%2)", "PTX 第 %1 行（%2）")
SENTENCE(SourceLineIn, "line %1 of %2, in %3 at line %4 (PTX line %5)", "%2 第 %1 行，位于 %3 的第 %4 行（PTX 第 %5 行）")
SENTENCE(EndOfFunction, "the end of the function", "函数末尾")
SENTENCE(Lane, "lane %1", "通道 %1")
SENTENCE(AnotherLane, "another lane", "另一通道")

// What an access does
SENTENCE(Reads, "reads", "读取")
SENTENCE(Writes, "writes", "写入")
SENTENCE(Changes, "changes", "修改")
SENTENCE(DidWrite, "wrote", "写入了")
SENTENCE(DidAlsoWrite, "also wrote", "也写入了")
SENTENCE(DidRead, "read", "读取了")
SENTENCE(DidChange, "atomically changed", "以原子操作修改了")

// Places in memory
SENTENCE(SharedOfBlock, "shared memory of the block", "线程块的共享内存")
SENTENCE(LocalOfThread, "local memory of the thread", "线程的局部内存")
SENTENCE(ConstantMemory, "constant memory", "常量内存")
SENTENCE(Parameters, "the kernel's parameters", "核函数的参数区")
SENTENCE(BufferNamed, "buffer \"%1\"", "缓冲区“%1”")
SENTENCE(VariableNamed, "variable %1", "变量 %1")
SENTENCE(MemoryAt, "memory at %1", "%1 处的内存")
SENTENCE(ManagedMemoryAt, "managed memory at %1", "%1 处的托管内存")
SENTENCE(PinnedMemoryAt, "pinned memory at %1", "%1 处的锁页内存")
SENTENCE(PeerMemoryAt, "memory of device %1 at %2", "设备 %1 在 %2 处的内存")
SENTENCE(HeapOf, "the device heap memory that block %1, thread %2 allocated", "线程块 %1 的线程 %2 分配的设备堆内存")
SENTENCE(ArrayNamed, "array \"%1\"", "数组“%1”")
SENTENCE(RegisteredMemory, "registered memory", "已注册的内存")
SENTENCE(ByteOf, "byte %1 of %2", "%2的第 %1 字节")
SENTENCE(ByteOfSized, "byte %1 of %2 (%3 {byte|bytes})", "%2（%3 字节）的第 %1 字节")
SENTENCE(ByteOfShared, "byte %1 of shared memory", "共享内存的第 %1 字节")
SENTENCE(AtByte, "at byte %1", "（第 %1 字节处）")
SENTENCE(ByteNumber, "byte %1", "第 %1 字节")
SENTENCE(Address, "address %1", "地址 %1")
SENTENCE(AddressWithin, "%1 (%2)", "%1（%2）")
SENTENCE(LocalVariable, "a local variable (byte %1 of the thread's local memory)", "一个局部变量（线程局部内存的第 %1 字节）")
SENTENCE(NoMemoryThere, "where there is no memory", "那里没有内存")
SENTENCE(IndexWrapped,
         "2^32 elements of %1 {byte|bytes} below byte %2 of %3: a 32-bit index wrapped past 2^31; it has to be computed in 64 "
         "bits (size_t)",
         "比%3的第 %2 字节低 2^32 个 %1 字节的元素：32 位下标越过 2^31 而回绕；须用 64 位（size_t）计算")
SENTENCE(BeforeBegin, "%1 {byte|bytes} before the beginning of %2 (%3 {byte|bytes})", "位于%2（%3 字节）起点之前 %1 字节")
SENTENCE(PastEnd, "%1 {byte|bytes} past the end of %2 (%3 {byte|bytes})", "越过%2（%3 字节）末尾 %1 字节")

// Faults of memory
SENTENCE(ThroughNull, "A thread %1 %2 {byte|bytes} through a null pointer (address %3)", "某线程通过空指针%1 %2 字节（地址 %3）")
SENTENCE(InFreed, "A thread %1 %2 {byte|bytes} at %3, in memory that was already freed (byte %4 of %5)",
         "某线程在 %3 处%1 %2 字节，该内存已被释放（%5的第 %4 字节）")
SENTENCE(Outside, "A thread %1 %2 {byte|bytes} at %3, %4", "某线程在 %3 处%1 %2 字节，%4")
SENTENCE(AtOffset, "A thread %1 %2 {byte|bytes} at offset %3 of the %4, which has %5 {byte|bytes}",
         "某线程在%4的偏移 %3 处%1 %2 字节，而它只有 %5 字节")
SENTENCE(NoDynamicShared,
         "%1; the kernel takes dynamic shared memory, and the launch gives it none (--shared, or the third value in "
         "<<<grid, block, bytes>>>)",
         "%1；此核函数需要动态共享内存，而启动没有分配（用 --shared，或 <<<grid, block, bytes>>> 中的第三个值）")
SENTENCE(DynamicShared,
         "%1, %2 of them dynamic as the launch asks (--shared, or the third value in <<<grid, block, bytes>>>)",
         "%1，其中 %2 字节是启动申请的动态共享内存（--shared，或 <<<grid, block, bytes>>> 中的第三个值）")
SENTENCE(Misaligned, "A thread accesses %1 {byte|bytes} at %2, which is not a multiple of %3",
         "某线程在 %2 处访问 %1 字节，该地址不是 %3 的倍数")
SENTENCE(Uninitialised, "A thread %1 %2 before anything was written there, so it finds whatever was left there by others",
         "某线程%1%2，而那里还从未写入过，因此得到的是其他代码先前遗留的任意内容")
SENTENCE(OutsideObject, "A thread %1 %2[%3], but %2 has %4 {element|elements} of %5 {byte|bytes}: that is %6",
         "某线程%1 %2[%3]，但 %2 只有 %4 个 %5 字节的元素：那里是%6")
SENTENCE(OutsideLocals, "A thread %1 %2 {byte|bytes} outside of its function's variables, %3", "某线程在其函数的变量之外%1 %2 字节，%3")
SENTENCE(AcrossObjects, "A thread %1 %2 {byte|bytes} that begin in %3 and end in another variable, %4",
         "某线程%1 %2 字节，它们从%3开始，却结束于另一个变量%4")
SENTENCE(NotFinite, "A thread makes %1 of finite numbers: %2 of %3", "某线程由有限的数得到 %1：%2 作用于 %3")
SENTENCE(MatrixNotFinite, "A product of matrices makes %1 of finite numbers: %2", "矩阵乘由有限的数得到 %1：%2")
SENTENCE(ElementOf, "%1[%2]", "%1[%2]")
SENTENCE(ElementNumber, "element %1 of %2", "%2的第 %1 个元素")
SENTENCE(LocalsOf, "the local variables of %1", "%1 的局部变量")
SENTENCE(NoObjectThere, "memory of no variable", "不属于任何变量的内存")
SENTENCE(HeapNotFreed, "%1 {byte|bytes} that malloc gave a thread {is|are} never freed", "malloc 分配给某线程的 %1 字节从未释放")
SENTENCE(NothingPointsThere, "%1 Nothing points to them any more.", "%1已经没有任何指针指向它们。")
SENTENCE(HeapInAll, "%1 In all %2 pieces of this line, %3 bytes, are not freed.", "%1这一行总共有 %2 块、%3 字节没有释放。")
SENTENCE(FreesAgain, "A thread frees %1, which was freed before (%2)", "某线程释放 %1，而它此前已被释放（%2）")
SENTENCE(FreesInside, "A thread frees %1, which no malloc of the kernel returned: it is byte %2 of %3",
         "某线程释放 %1，而核函数的 malloc 从未返回过它：它是%3的第 %2 字节")
SENTENCE(FreesUnknown, "A thread frees %1, which no malloc of the kernel returned", "某线程释放 %1，而核函数的 malloc 从未返回过它")
SENTENCE(KeepsTooMuch,
         "What the kernel prints, launches, calls, copies and allocates takes more than %1 of memory, which is the limit "
         "(the variable WARPGLASS_MEMORY sets another)",
         "核函数打印、启动、调用、复制和分配的内容占用的内存超过上限 %1（可用变量 WARPGLASS_MEMORY 另行设定）")

// Races
SENTENCE(GlobalRace, "Two threads race in global memory: this one %1 %2 (%3), which block %4, thread %5 %6 (%7) at %8; %9",
         "两个线程在全局内存中竞争：本线程%1%2（%3），而线程块 %4 的线程 %5 在%8%6它（%7）；%9")
SENTENCE(NothingOrders, "no barrier, and no fence with an atomic or a flag, says which comes first",
         "没有屏障，也没有配合原子操作或标志的栅栏来规定先后")
SENTENCE(AtomicOfBlock, "an atomic of the block's scope is one for the threads of its own block alone",
         "线程块作用域的原子操作只对本块的线程是原子的")
SENTENCE(PlainFlag,
         "it went on since it found %1 changed at %2, which the other wrote at %3 by a plain store, and that releases "
         "nothing: there a __threadfence() and an atomic are missing, or a store that releases",
         "它继续执行是因为在%2发现%1已改变，而对方是在%3用普通存储写入的，这并不释放任何内容：那里缺少 __threadfence() "
         "和原子操作，或者带释放语义的存储")
SENTENCE(ReleaseMissing,
         "it found %1 changed at %2 and went on, but the write of that at %3 releases nothing: a __threadfence() is missing "
         "before it, or it has to be a store that releases",
         "它在%2发现%1已改变而继续执行，但%3对它的写入没有释放任何内容：之前缺少 __threadfence()，或者该写入应带释放语义")
SENTENCE(ReleaseOfBlock,
         "it went on since it found %1 changed at %2, but what comes before the write of %1 at %3 is released for the "
         "threads of that block alone: the scope of the device is needed, as __threadfence() has it",
         "它继续执行是因为在%2发现%1已改变，但%3写入%1之前的内容只对那个线程块的线程释放：需要设备作用域，如 "
         "__threadfence()")
SENTENCE(AcquireMissing,
         "it went on since it found %1 changed at %2, but acquires nothing there: behind it a __threadfence() is missing, or "
         "it has to be a load that acquires",
         "它继续执行是因为在%2发现%1已改变，但在那里没有获取：之后缺少 __threadfence()，或者该读取应带获取语义")
SENTENCE(AcquireOfBlock,
         "it went on since it found %1 changed at %2, but acquires there what its own block released alone: the scope of the "
         "device is needed, as __threadfence() has it",
         "它继续执行是因为在%2发现%1已改变，但在那里只获取本线程块释放的内容：需要设备作用域，如 __threadfence()")
SENTENCE(LanesGoApart,
         "both are lanes of one warp that go different ways, and from compute capability 7.0 on nothing orders them without "
         "__syncwarp(), or a fence with an atomic",
         "二者是同一线程束中走不同路径的通道，从计算能力 7.0 起，没有 __syncwarp() 或配合原子操作的栅栏就没有先后次序")
SENTENCE(AtTheEnd, "right past the end of %1 (%2 {byte|bytes})", "紧接在%1（%2 字节）的末尾之后")
SENTENCE(CopyWithoutBarrier,
         "A thread reads %1 while an asynchronous copy into it is under way, which warp %2 asked for at %3 since the "
         "last barrier: it may find the next copy's bytes in place of its own; between the read and that copy a barrier is "
         "missing",
         "某线程读取%1时，一个写入该处的异步复制正在进行，它由线程束 %2 在上一个屏障之后于%3发出：读到的可能是下一次复制的字节；"
         "在读取与该复制之间缺少屏障")
SENTENCE(RacesPartly,
         "Races are looked for in a part of global memory only: the launch touches more of it than the check remembers",
         "只在全局内存的一部分中查找竞争：这次启动访问的范围超出了检查所能记住的")
SENTENCE(RaceReads,
         "Two threads race: this one reads %1 from a word of shared memory (%2) that thread %3 of another warp %4 "
         "(%5) at %6 with no __syncthreads() in between, so the result depends on which warp comes first",
         "两个线程竞争：本线程从共享内存的一个字（%2）读到 %1，而另一个线程束的线程 %3 在%6%4它（%5），其间没有 "
         "__syncthreads()，因此结果取决于哪个线程束在先")
SENTENCE(RaceWrites,
         "Two threads race: this one writes %1 to a word of shared memory (%2) that thread %3 of another warp %4 (%5) "
         "at %6 with no __syncthreads() in between, so the result depends on which warp comes first",
         "两个线程竞争：本线程向共享内存的一个字（%2）写入 %1，而另一个线程束的线程 %3 在%6%4它（%5），其间没有 "
         "__syncthreads()，因此结果取决于哪个线程束在先")
SENTENCE(RaceChanges,
         "Two threads race: this one atomically changes a word of shared memory (%1) that thread %2 of another warp "
         "%3 (%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first",
         "两个线程竞争：本线程以原子操作修改共享内存的一个字（%1），而另一个线程束的线程 %2 在%5%3它（%4），其间没有 "
         "__syncthreads()，因此结果取决于哪个线程束在先")
SENTENCE(RaceWithReader,
         "Two threads race: this one writes %1 to a word of shared memory (%2) that a thread of another warp read "
         "with no __syncthreads() in between, so the result depends on which warp comes first",
         "两个线程竞争：本线程向共享内存的一个字（%2）写入 %1，而另一个线程束的一个线程读取了它，其间没有 "
         "__syncthreads()，因此结果取决于哪个线程束在先")
SENTENCE(NoSyncwarp,
         "A thread %1 a word of shared memory (%2) that %3 of the same warp %4 at %5 with no __syncwarp() in between; "
         "this is only right while the lanes run in lock-step, which compute capability 7.0 and later do not promise",
         "某线程%1共享内存的一个字（%2），同一线程束的%3在%5%4它，其间没有 "
         "__syncwarp()；只有各通道步调一致时这才正确，而计算能力 7.0 及以上并不保证这一点")
SENTENCE(NoSyncwarpVolatile,
         "A thread reads through a volatile pointer what lane %1 of the same warp wrote, with no __syncwarp() in between; "
         "this is only right while the lanes run in lock-step, which compute capability 7.0 and later do not promise",
         "某线程通过 volatile 指针读取同一线程束的通道 %1 写入的内容，其间没有 __syncwarp()；只有各通道步调一致时这才正确，而计算能力 "
         "7.0 及以上并不保证这一点")

// Lanes that work together
SENTENCE(NotNamedFault,
         "A thread names the members %1 and is itself none of them (lane %2); a GPU ends the launch with an illegal "
         "instruction",
         "某线程列出成员 %1，而自己不在其中（通道 %2）；GPU 会因非法指令而终止启动")
SENTENCE(NotNamedHint,
         "A thread names the members %1 and is itself none of them (lane %2); PTX leaves undefined what it gets",
         "某线程列出成员 %1，而自己不在其中（通道 %2）；PTX 没有规定它会得到什么")
SENTENCE(MembersMissing,
         "Of the named members %1 the lanes %2 never come here: they go another way, and wait there. A GPU may wait for "
         "them for ever, and what the others get is undefined",
         "所列成员 %1 中的通道 %2 永远不会来到这里：它们走了另一条路，并在那里等待。GPU 可能会永远等待它们，而其他通道得到什么没有规定")
SENTENCE(OtherMembers,
         "Threads name each other as members, but not the same ones (%1 and others); an H200 lets only those work together "
         "that name the same, and PTX leaves undefined what they get",
         "各线程互相列为成员，但所列并不相同（%1 等）；H200 只让所列相同的线程一起工作，而 PTX 没有规定它们会得到什么")
SENTENCE(LanesMissing,
         "%1 of the 32 lanes of a warp run %2: all of them must come to an instruction on matrices together (.aligned), or "
         "nobody knows what it does",
         "一个线程束的 32 个通道中只有 %1 个执行 %2：矩阵指令（.aligned）必须由全部通道一起执行，否则其行为没有规定")

// Barriers
SENTENCE(BarrierDivergence,
         "Only %1 of the warp's %2 lanes {1:reaches|reach} this __syncthreads() together; a barrier in a branch that not "
         "all threads take is undefined",
         "该线程束的 %2 个通道中只有 %1 个一起到达这个 __syncthreads()；在并非所有线程都进入的分支中使用屏障，其行为未定义")
SENTENCE(BarrierLeftOut,
         "%1 of the block's %2 threads {1:has|have} taken another way and ended without this __syncthreads(): the guide allows a "
         "barrier in a branch only where all threads take it. The others go on since threads that have ended are not waited for",
         "线程块的 %2 个线程中有 %1 个走了另一条路，没有到达这个 __syncthreads() "
         "就已结束：编程指南只允许在所有线程都进入的分支中使用屏障。其余线程能继续，是因为已结束的线程不再被等待")
SENTENCE(NoBarrier, "There is no barrier %1: a block has barriers 0 to 15", "没有屏障 %1：一个线程块只有屏障 0 到 15")
SENTENCE(ClusterOutside, "A thread asks for the shared memory of block %1 of its cluster, which has %2",
         "某线程访问其集群中线程块 %1 的共享内存，而集群只有 %2 个块")
SENTENCE(ClusterEnded,
         "A thread asks for the shared memory of block %1 of its cluster, which has already ended: a cluster needs a "
         "barrier behind its last access",
         "某线程访问其集群中线程块 %1 的共享内存，而该块已经结束：集群在最后一次访问之后需要一个屏障")
SENTENCE(ClusterNotBegun,
         "A thread asks for the shared memory of block %1 of its cluster, which has not yet begun: a cluster needs a "
         "barrier before its first access",
         "某线程访问其集群中线程块 %1 的共享内存，而该块尚未开始：集群在第一次访问之前需要一个屏障")
SENTENCE(ClusterTwice, "A thread arrives at the cluster's barrier for the second time without having waited",
         "某线程未经等待就第二次到达集群的屏障")

// Locks
SENTENCE(LocksInTwoOrders,
         "A thread takes the lock %1 while it holds %2, and another took %2 while it held %1, %3: when each has its first, neither "
         "ever gets its second. Take them in the same order everywhere",
         "某线程在持有锁 %2 时获取锁 %1，而另一线程曾在持有 %1 时获取 %2，%3：当双方各自拿到第一个锁时，谁也拿不到第二个。请在各处按相同的顺序获取")

SENTENCE(LocksInARing,
         "Threads take locks in a ring, each one while it holds the one before: %1. When each has its first, none ever gets its "
         "second. Take them in the same order everywhere",
         "线程按环形顺序获取锁，每个都在持有前一个锁时获取下一个：%1。当各方都拿到第一个锁时，谁也拿不到第二个。请在各处按相同的顺序获取")
SENTENCE(LockTakenAt, "%1 at %2", "在%2获取 %1")

// Beside itself in fp64
SENTENCE(DigitsLost, "A thread makes %1 where fp64 makes %2 (relative error %3): %4 of %5, in fp64 of %6%7; %8",
         "某线程得到 %1，而 fp64 得到 %2（相对误差 %3）：%4 作用于 %5，在 fp64 中作用于 %6%7；%8")
SENTENCE(DigitsLostAt, "Threads make numbers that fp64 makes otherwise: %1%2; %3", "若干线程得到的数与 fp64 不同：%1%2；%3")
SENTENCE(RoundedBefore, "; most of the error was made before, by %1 on %2", "；误差大多在此之前由%2的 %1 造成")
SENTENCE(LeavesOff,
         "%1 {number|numbers} that the launch leaves in memory {1:comes|come} from there, the worst of them %2: %3, in fp64 %4",
         "这次启动留在内存中的 %1 个数由此而来，其中最差的是 %2：%3，在 fp64 中为 %4")
SENTENCE(AgainstTwin,
         "Against fp64, of %1 {number|numbers} that the launch leaves in %2 %3 {is|are} beyond the tolerance; largest error %4 (%5: "
         "%6, in fp64 %7), mean %8, relative to the largest number of the same store",
         "与 fp64 相比：这次启动留在%2中的 %1 个数里有 %3 个超出容差；最大误差 %4（%5：%6，在 fp64 中为 %7），平均 %8，均相对于同一存储指令写下的最大数")
SENTENCE(DecidesOtherwise,
         "A thread decides otherwise than fp64 would: %1 of %2, in fp64 of %3; comparisons and roundings to whole numbers do so %4 "
         "{time|times} in all",
         "某线程的判断与 fp64 不同：%1 作用于 %2，在 fp64 中作用于 %3；比较与取整总共有 %4 次如此")
SENTENCE(NoTwinTiming, "beside itself in fp64 a launch is not timed", "与 fp64 对照运行时不计时")

// Who used a word
SENTENCE(WordUsed, "A thread %1 %2 at step %3 of its warp", "某线程%1 %2（其线程束的第 %3 步）")
SENTENCE(WordUses, "%1 {read|reads} and %2 {write|writes} of the word in all; the last %3 {is|are} told",
         "该字总共被读取 %1 次、写入 %2 次；列出最后 %3 次")
SENTENCE(VariableSet, "A thread sets %1 to %2 at step %3 of its warp (time %4 of the block)",
         "某线程将 %1 设为 %2（其线程束的第 %3 步，线程块的时间 %4）")
SENTENCE(VariableHeld, "A thread has %2 in %1 at step %3 of its warp (time %4 of the block)",
         "某线程的 %1 为 %2（其线程束的第 %3 步，线程块的时间 %4）")
SENTENCE(VariableSets,
         "%1 {value|values} of the variable in all; the last %2 {is|are} told. Where it is, the debug information says at %3 of "
         "the %4 instructions of its scope",
         "该变量总共有 %1 个值；列出最后 %2 个。在其作用域的 %4 条指令中，调试信息在 %3 条处说明了它的位置")
SENTENCE(NoDebugInfo, "the PTX of this launch tells nothing of variables", "这次启动的 PTX 没有关于变量的信息")
SENTENCE(CompileDebug, "Compile with nvcc -G for variables of functions: -lineinfo tells lines alone.",
         "要查看函数中的变量，请用 nvcc -G 编译：-lineinfo 只提供行号。")
SENTENCE(NoVariableIn, "no function of this launch has a variable %1", "这次启动的函数中没有变量 %1")
SENTENCE(NoVariableAtLine, "no variable %1 is in scope at line %2", "第 %2 行处没有名为 %1 的变量")
SENTENCE(VariablesOfFunctions, "They have %1", "它们有 %1")
SENTENCE(KeptNowhere,
         "the values of %1 are not known: the debug information does not say where it is", "%1 的值未知：调试信息没有说明它的位置")
SENTENCE(NoPartOf, "%1 has no part %2", "%1 没有 %2 这一部分")
SENTENCE(NameAPart, "%1 is more than one value: name an element or a member", "%1 不止一个值：请指出其中的一个元素或成员")
SENTENCE(NoWordOf, "there is no %1 in the memory of this launch", "这次启动的内存中没有 %1")

// What never ends
SENTENCE(BlockHangs, "The block can never go on: %1", "线程块永远无法继续：%1")
SENTENCE(LaunchHangs, "The launch can never go on: %1", "本次启动永远无法继续：%1")
SENTENCE(LoopWaits, "A loop that never finishes, since it waits for what is never written: %1, and %2",
         "一个永不结束的循环，因为它等待的内容永远不会被写入：%1；而且%2")
SENTENCE(NobodyLeft,
         "nobody is left who could write there: %1 of %2 {block has|blocks have} ended, and in the others all threads wait "
         "or have ended",
         "再没有谁能写入那里：%2 个线程块中有 %1 个已结束，其余块中的所有线程都在等待或已结束")
SENTENCE(CannotBegin,
         "%1 {block|blocks} cannot begin before {another one|one of them} ends: %2 {lives|live} on the device at once",
         "有 %1 个线程块要等其中一个结束才能开始：设备上同时只能容纳 %2 个")
SENTENCE(LanesWait, "%1 {lane|lanes} of %2 {block|blocks} {1:waits|wait} for %3 at %4", "%2 个线程块的 %1 个通道在%4等待%3")
SENTENCE(LanesOfBlock, "%1 {lane|lanes} of block %2 {1:waits|wait} for %3 at %4", "线程块 %2 的 %1 个通道在%4等待%3")
SENTENCE(MorePlaces, "%1 more {place|places}", "另有 %1 处")
SENTENCE(WriterBlockEnded, "whose block has ended", "而它的线程块已结束")
SENTENCE(WriterEnded, "which has ended", "而它已结束")
SENTENCE(WriterAtBarrier, "which stands at a barrier at %1", "而它停在%1的屏障处")
SENTENCE(WriterWaits, "which itself waits at %1", "而它自己在%1等待")
SENTENCE(WriterStands,
         "which stands still until these lanes of its own warp have come to where it is: lanes that may each go on alone "
         "are another way to reconverge (independent)",
         "而它要等同一线程束的这些通道来到它所在之处才能继续：让各通道各自前进是另一种重汇聚方式（independent）")
SENTENCE(WriterElsewhere, "which does not come to write again", "而它不会再次写入")
SENTENCE(WriterEarlier, "in an earlier launch", "那是在更早的一次启动中")
SENTENCE(ClusterBarrier, "the barrier of their cluster, to which %1 of %2 {thread|threads} {1:has|have} not come",
         "其集群的屏障，%2 个线程中有 %1 个尚未到达")
SENTENCE(GridBarrier, "the barrier of the grid, to which %1 of %2 {block has|blocks have} come",
         "网格的屏障（%2 个线程块中有 %1 个已到达）")
SENTENCE(WaitsInPhase, "phase %1 of the mbarrier %2, to which %3", "mbarrier %2 的阶段 %1，%3")
SENTENCE(ArrivalsMissing, "%1 of %2 {arrival has|arrivals have} not come", "%2 次到达中有 %1 次尚未发生")
SENTENCE(BytesMissing, "%1 {byte|bytes} of copies {is|are} missing", "复制还缺 %1 字节")
SENTENCE(BothMissing, "%1 of %2 {arrival has|arrivals have} not come and %3 {byte|bytes} of copies {is|are} missing",
         "%2 次到达中有 %1 次尚未发生，复制还缺 %3 字节")
SENTENCE(WarpsWaitAt, "%1 {warp|warps} (%2) {1:waits|wait} for %3 at %4", "%1 个线程束（%2）在%4等待%3")
SENTENCE(ComeToBarrier, "barrier %1, to which %2 of %3 {thread has|threads have} come", "屏障 %1（%3 个线程中有 %2 个已到达）")
SENTENCE(OthersOfWarp, "the other lanes of their warp", "其线程束的其他通道")
SENTENCE(OthersOfGroup, "the other warps of their warpgroup", "其线程束组的其他线程束")

// Why it never comes
SENTENCE(WhyNever, "%1: %2", "%1：%2")
SENTENCE(AndAlso, "%1, and %2", "%1，并且%2")
SENTENCE(WarpsEnded, "%1 {warp|warps} (%2) {1:has|have} ended", "%1 个线程束（%2）已结束")
SENTENCE(WarpsEndedOf, "%1 {warp|warps} (%2) of block %3 {1:has|have} ended", "线程块 %3 的 %1 个线程束（%2）已结束")
SENTENCE(WarpsStand, "%1 {warp|warps} (%2) {1:waits|wait} at %3", "%1 个线程束（%2）在%3等待")
SENTENCE(WarpsStandOf, "%1 {warp|warps} (%2) of block %3 {1:waits|wait} at %4", "线程块 %3 的 %1 个线程束（%2）在%4等待")
SENTENCE(WarpsElsewhere, "%1 {warp|warps} (%2) {1:does|do} not come", "%1 个线程束（%2）没有到来")
SENTENCE(OnlyThreads, "the block has only %1 {thread|threads} left", "线程块只剩 %1 个线程")
SENTENCE(ArrivedBefore, "%1, having arrived there before at %2", "%1，此前曾在%2到达")
SENTENCE(ArrivedInPhase, "%1, having last arrived there in phase %2 at %3", "%1，此前最后一次在阶段 %2 于%3到达")
SENTENCE(CameTimes, "%1, having come there %2 {time|times} before, last at %3", "%1，此前曾到达 %2 次，最后一次在%3")
SENTENCE(NotWithTheOthers, "%1, not having arrived with the other threads of their warp at %2",
         "%1，而未与同一线程束的其他线程一起在%2到达")
SENTENCE(BlocksEnded, "%1 {block|blocks}, %2, {1:has|have} ended", "%1 个线程块（%2）已结束")
SENTENCE(BlocksStand, "%1 {block|blocks}, %2, {1:waits|wait} at %3", "%1 个线程块（%2）在%3等待")
SENTENCE(BlocksNotBegun, "%1 {block|blocks}, %2, {1:has|have} not begun", "%1 个线程块（%2）尚未开始")
SENTENCE(MeetingLeftOut,
         "%1 {warp|warps} (%2) came there %3 {time|times}, last at %4, and {1:has|have} since come %6 {time|times} to "
         "barrier %5, last at %7, where it was %8 each time before",
         "%1 个线程束（%2）曾到达 %3 次，最后一次在%4，此后 %6 次到达屏障 %5，最后一次在%7，而以前每次其间只有 %8 次")
SENTENCE(ThreadsEnded, "%1 {thread|threads} (%2) {1:has|have} ended", "%1 个线程（%2）已结束")
SENTENCE(ThreadsStand, "%1 {thread|threads} (%2) {1:waits|wait} at %3", "%1 个线程（%2）在%3等待")
SENTENCE(ThreadsLeft, "%1 {thread|threads} (%2) {1:has|have} gone on to %3", "%1 个线程（%2）已前往%3")
SENTENCE(ThreadsElsewhere, "%1 {thread|threads} (%2) {1:does|do} not come", "%1 个线程（%2）没有到来")
SENTENCE(SoFar,
         "it was made for %1 {arrival|arrivals} at %2, of which %3 {3:has|have} come so far",
         "它在%2初始化为等待 %1 次到达，到目前为止只有 %3 次")
SENTENCE(CountTooLarge,
         "it was made for %1 {arrival|arrivals} at %2, and no more than %3 {thread|threads} ever {3:arrives|arrive} there",
         "它在%2被初始化为 %1 次到达，而从来只有 %3 个线程在那里到达")
SENTENCE(NobodyArrives, "it was made for %1 {arrival|arrivals} at %2, and nobody has ever arrived there",
         "它在%2被初始化为 %1 次到达，而从未有线程在那里到达")
SENTENCE(LeftOut,
         "%1 {warp|warps} (%2) passed phase %3 of the mbarrier %4 at %5 and {1:has|have} not arrived there since, as is always "
         "done behind it at %6",
         "%1 个线程束（%2）在%5通过了 mbarrier %4 的阶段 %3，此后却没有在那里到达，而其后总是在%6到达")
SENTENCE(OwnTurn,
         "%1 {warp|warps} (%2) {1:arrives|arrive} at the mbarrier %3 at %4, for which nobody else waits",
         "%1 个线程束（%2）在%4到达 mbarrier %3，而除它们自己外没有谁等待它")
SENTENCE(FirstTries,
         "%1 {warp|warps} (%2) {1:asks|ask} there for the first time when phase %3 is over, for the parity by which %4 "
         "{warp|warps} (%5) passed before any phase was",
         "%1 个线程束（%2）首次在那里等待时阶段 %3 已结束，所用的奇偶值正是 %4 个线程束（%5）在任何阶段结束之前借以通过的那个")
SENTENCE(ToldElsewhere, "%1 {byte|bytes} that were asked for behind that at %2 were told to the mbarrier %3",
         "其后在%2请求的 %1 字节通知了 mbarrier %3")
SENTENCE(CameElsewhere, "%1, having come to barrier %2 instead, last at %3", "%1，而它们去的是屏障 %2，最后一次在%3")
SENTENCE(MadeAt, "it was made at %1", "它在%1创建")
SENTENCE(MadeAmong, "it is number %1, counted from 0, of %2 that {was|were} made at %3", "它是在%3创建的 %2 个中的第 %1 个（从 0 数起）")
SENTENCE(FillerBegins, "%1: %2, behind which copies are asked for", "%1：%2，其后才请求复制")
SENTENCE(RanAhead,
         "it has run ahead: it was made for %1 {arrival|arrivals} at %2, and %3 {thread|threads} {3:arrives|arrive} there each "
         "time, so that %4 {phase is|phases are} over after %5 {time|times}",
         "它跑到了前面：它在%2被初始化为 %1 次到达，而每轮有 %3 个线程到达，因此 %5 轮之后已有 %4 个阶段结束")
SENTENCE(CameAgain,
         "it has run ahead: %1 {phase is|phases are} over that nobody has waited for, since %2 {warp|warps} (%3) arrived %4 times "
         "meanwhile, last at %5",
         "它跑到了前面：有 %1 个阶段已结束而没有谁等待过，因为 %2 个线程束（%3）在此期间到达了 %4 次，最后一次在%5")
SENTENCE(RanAheadBy, "it has run ahead: it was made for %1 {arrival|arrivals} at %2, and %3 {phase is|phases are} over",
         "它跑到了前面：它在%2被初始化为 %1 次到达，已有 %3 个阶段结束")
SENTENCE(ArrivedTimes, "%1 {warp|warps} (%2) of block %3 arrived there %4 {time|times}, last at %5",
         "线程块 %3 的 %1 个线程束（%2）在那里到达了 %4 次，最后一次在%5")
SENTENCE(PassedEarly, "%1 {warp|warps} (%2) passed the mbarrier %3 at %4 before any phase of it was over",
         "%1 个线程束（%2）在 mbarrier %3 的任何阶段结束之前就在%4通过了它")
SENTENCE(BytesNeverCome, "%1 {byte|bytes} {1:was|were} announced at %2, and copies brought %3",
         "在%2宣告了 %1 字节，而复制只带来 %3 字节")
SENTENCE(BytesTooMany, "copies brought %1 {byte|bytes} more than were announced", "复制带来的字节比宣告的多 %1 字节")
SENTENCE(WordNeverWritten, "no thread has ever written there", "从未有线程写入过那里")
SENTENCE(WordLastWritten, "block %1, thread %2 last wrote %3 there at %4, %5", "线程块 %1 的线程 %2 最后在%4向那里写入 %3，%5")
SENTENCE(WouldWrite, "block %1, thread %2, %4, would write it at %3, as others there write theirs, but has not come there",
         "按照其他线程在那里写入各自位置的规律，应由线程块 %1 的线程 %2 在%3写入它，但该线程没有到过那里：%4")
SENTENCE(WouldWriteButWrote, "block %1, thread %2, %4, would write it at %3, as others there write theirs, but wrote %5 instead",
         "按照其他线程在那里写入各自位置的规律，应由线程块 %1 的线程 %2 在%3写入它，但该线程写入的是%5：%4")
SENTENCE(NobodyCameTo, "nobody has come to %1, which would write there", "没有线程到过%1，而那里会写入它")
SENTENCE(ComparedWith, "it is compared with %1", "它与 %1 比较")
SENTENCE(LeftUndone,
         "%1 {time|times} a thread came to %2 and went on without coming to %3, where the word is changed else: %4",
         "有 %1 次线程到达%2后没有到%3（通常在那里修改该字）就继续前进：%4")
SENTENCE(LeftUndonePast,
         "%1 {time|times} a thread came to %2 and went on without coming to %3, where the word is changed else, past the "
         "branch at %5: %4",
         "有 %1 次线程到达%2后经%5的分支绕过了%3（通常在那里修改该字）：%4")
SENTENCE(NotBefore,
         "block %1, thread %2 had not changed %3 at %4 on its way there, as had been done each time before",
         "线程块 %1 的线程 %2 到达那里之前没有像以往每次那样在%4修改 %3")
SENTENCE(ReadTooLate,
         "what it is compared with was read there at %1 only behind that, by who had changed %2 at %3 before it",
         "与之比较的值是在那次写入之后才在%1从那里读取的，而读取者在那次写入之前已在%3修改了 %2")
SENTENCE(NoWayToBarrier, "no way leads from %1 to barrier %2, which is for %3 threads", "从%1没有路径通向要等 %3 个线程的屏障 %2")
SENTENCE(RaisedAndArrived,
         "what arrives at %1 has first raised the arrivals that the phase waits for, one for each: with .noinc it counts among "
         "those that the mbarrier was made for",
         "在%1到达的每一次都先把该阶段等待的到达数加一：使用 .noinc 才会计入 mbarrier 初始化时的到达数")
SENTENCE(ArrivedAtOwn,
         "%1 {warp|warps} (%2) of block %3 arrived at %4 at the mbarrier of their own block, to which others arrive for them",
         "线程块 %3 的 %1 个线程束（%2）在%4到达的是自己线程块的 mbarrier，而那里本由其他线程块替它们到达")
SENTENCE(WordSeen, "block %1, thread %2 found that value at %3 and went on, %4", "线程块 %1 的线程 %2 在%3读到该值后继续执行，%4")
SENTENCE(NotGivenBack, "%1 {thread|threads} changed it at %2 and {1:has|have} not done so since at %3, as others do: %4",
         "%1 个线程在%2修改了它，此后却没有像其他线程那样在%3再次修改：%4")
SENTENCE(ThreadOfBlock, "block %1, thread %2", "线程块 %1 的线程 %2")
SENTENCE(ChildOfTail, "the launch of %1 at %2 begins only when this one has ended: it is in the tail launch stream",
         "在%2启动的 %1 要等本次启动结束后才开始：它在尾部启动流中")
SENTENCE(ChildNotBegun, "the launch of %1 at %2 has not begun, and CUDA doesn't promise that it does before this one has ended",
         "在%2启动的 %1 尚未开始，而 CUDA 并不保证它在本次启动结束之前开始")
SENTENCE(LanesEnded, "%1 {lane|lanes} (%2) {1:has|have} ended", "%1 个通道（%2）已结束")
SENTENCE(LanesStand, "%1 {lane|lanes} (%2) {1:waits|wait} at %3", "%1 个通道（%2）在%3等待")
SENTENCE(InARing, "%1; they wait for each other in a ring", "%1；它们循环等待对方")
SENTENCE(NobodyBegins,
         "%1; nothing has been handed on yet: one of them has to begin its first round without waiting",
         "%1；还没有传递过任何东西：其中一方的第一轮必须不等待就开始")
SENTENCE(TwoCounts,
         "Threads come to barrier %1 with different counts, %2 and, at %3, %4: all that use it at a time must name the same",
         "线程以不同的计数到达屏障 %1：%2，以及在%3为 %4：同时使用它的线程必须给出相同的计数")
SENTENCE(DeafLoop,
         "A loop that nothing can end: no instruction of it reads memory, so what it looks at can't change (%1 {instruction|instructions} "
         "of this warp)",
         "一个没有什么能使其结束的循环：其中没有读取内存的指令，因此它所查看的值不会改变（该线程束已执行 %1 条指令）")
SENTENCE(DeafLoopOf,
         "A loop that nothing can end: the value that it looks at was loaded once, before it, at %1, and what another thread "
         "writes there afterwards is not seen; a volatile or atomic load asks anew each time",
         "一个没有什么能使其结束的循环：它所查看的值只在循环之前于%1加载过一次，之后其他线程写入那里的内容不会被看到；volatile 或原子加载会每次重新读取")
SENTENCE(Endless,
         "A warp has run %1 {instruction|instructions} and does not end: a loop that never finishes, or a lane that waits for another "
         "lane of its own warp",
         "一个线程束已执行 %1 条指令仍未结束：循环永不结束，或某通道在等待同一线程束的另一通道")

// Calls and the like
SENTENCE(PrintsUnknown, "A thread prints by %1, which printf on a GPU does not know", "某线程以 %1 打印，而 GPU 上的 printf 不支持它")
SENTENCE(AssertionFails, "An assertion does not hold: %1 (%2:%3)", "断言不成立：%1（%2:%3）")
SENTENCE(CallsNothing, "A thread calls a function at %1, where there is none", "某线程调用 %1 处的函数，而那里没有函数")
SENTENCE(CallsUnlike, "A thread calls %1 through a register, which %2", "某线程通过寄存器调用 %1，而它%2")
SENTENCE(CalleeKernel, "is a kernel", "是核函数")
SENTENCE(CalleeParameters, "has parameters of other types than the call", "的参数类型与调用不符")
SENTENCE(CalleeResults, "has results of other types than the call", "的结果类型与调用不符")
SENTENCE(StackOverflow,
         "A thread's calls are %1 deep and take %2 {byte|bytes} of stack, and a thread has %3: cudaDeviceSetLimit("
         "cudaLimitStackSize, bytes) gives more",
         "某线程的调用已深达 %1 层，占用栈 %2 字节，而每个线程只有 %3 字节：cudaDeviceSetLimit(cudaLimitStackSize, 字节数) 可给得更多")
SENTENCE(StackUsedUp, "A thread's calls are %1 deep and no end is in sight: its stack is used up",
         "某线程的调用已达 %1 层且看不到尽头：其栈已用尽")
SENTENCE(AllocaTooMuch, "A thread asks for %1 {byte|bytes} by alloca: its stack of %2 bytes is used up",
         "某线程用 alloca 申请 %1 字节：其 %2 字节的栈已用尽")
SENTENCE(StackSetBack, "A thread sets its stack back to %1, where it never was", "某线程把栈恢复到 %1，而栈从未到过那里")
SENTENCE(Trapped, "A thread stops the kernel on purpose (trap)", "某线程有意终止核函数（trap）")
SENTENCE(DividesByZero,
         "A thread divides an integer by zero; a GPU does not stop for that, the result is of no use",
         "某线程做整数除法时除以零；GPU 不会因此停止，结果没有意义")

// Launches by kernels
SENTENCE(WrapIgnored,
         "A coordinate lies outside the texture, and its address mode %1 is ignored, as CUDA does where coordinates are not "
         "normalized: it is clamped. Set normalizedCoords and give coordinates from 0 to 1",
         "坐标位于纹理之外，而寻址模式 %1 被忽略（坐标未归一化时 CUDA 即如此），按边缘截取。请设置 normalizedCoords 并使用 0 到 1 的坐标")
SENTENCE(ChildAt, "%1 (launched at %2)", "%1（在%2启动）")
SENTENCE(ChildRace,
         "A thread %1 %2, which its child %3 %4, and cannot wait for it: what needs it belongs into cudaStreamTailLaunch",
         "线程%1 %2，而其子核函数 %3 %4它，线程无法等待：需要它的工作应放入 cudaStreamTailLaunch")
SENTENCE(LaunchDropped,
         "A device-side launch was dropped: %1. The launching thread gets the error, and the work is missing from the "
         "result: block %2, thread %3.",
         "一次设备端启动被丢弃：%1。只有发起启动的线程得到错误，结果中缺少这部分工作：线程块 %2，线程 %3。")
SENTENCE(ShapeImpossible, "a grid of %1 {block|blocks} of %2 {thread|threads} cannot be launched",
         "无法启动 %1 个线程块、每块 %2 个线程的网格")
SENTENCE(TooDeep, "more than %1 levels of launches (error %2)", "启动嵌套超过 %1 层（错误 %2）")
SENTENCE(TooManyPending,
         "%1 {launch is|launches are} pending, which is all that a limit of %2 lets wait (error %3); the host is not told",
         "已有 %1 次启动在等待，上限 %2 只容许这么多（错误 %3）；主机得不到通知")
SENTENCE(NoKernelOfModule, "it is no kernel of this module", "它不是此模块的核函数")
SENTENCE(FailedBefore, "the program had failed before its turn", "轮到它之前程序已经失败")
SENTENCE(ChildFailed, "A thread waits for grids that it has launched, and one of them has failed",
         "某线程等待它所启动的网格，而其中一个已失败")
SENTENCE(FillOutside, "A thread fills %1 {row|rows} of %2 {byte|bytes} from %3 on, which do not lie in one allocation of global memory",
         "某线程从 %3 起填充 %1 行、每行 %2 字节，它们不在全局内存的同一次分配之内")
SENTENCE(CopyOutside,
         "A thread copies %1 {row|rows} of %2 {byte|bytes} from %3 to %4, which do not lie in one allocation of global "
         "memory each",
         "某线程从 %3 向 %4 复制 %1 行、每行 %2 字节，两边都须各在全局内存的同一次分配之内")

// Asynchronous copies and mbarriers
SENTENCE(SourceOverwritten,
         "Shared memory (%1) was overwritten while an asynchronous copy out of it was still under way: a thread has to wait "
         "for the copy before it writes there again",
         "共享内存（%1）在异步复制尚在读取它时被改写：线程须先等复制完成，才能再写入那里")
SENTENCE(SourceOverwrittenBy,
         "Shared memory (%1) was overwritten by thread %2 (%3) while an asynchronous copy out of it was still under way: a "
         "thread has to wait for the copy before anybody writes there again",
         "共享内存（%1）在异步复制尚在读取它时被线程 %2（%3）改写：须先等复制完成，才能再写入那里")
SENTENCE(ProductOverwritten,
         "Shared memory (%1) was overwritten by thread %2 (%3) while this product of matrices could still read it: "
         "wgmma.wait_group has to come before anybody writes there again",
         "共享内存（%1）被线程 %2（%3）改写，而这个矩阵乘可能仍在读取它：须先执行 wgmma.wait_group，才能再写入那里")
SENTENCE(CopyUnderCopy,
         "A copy into shared memory (%1) is asked for while another one that was asked for at %2 is still under way there: "
         "that one has to be waited for first",
         "向共享内存（%1）发起复制，而在%2发起的另一次复制仍在那里进行：须先等那一次完成")
SENTENCE(CopyUnderProduct,
         "A copy into shared memory (%1) is asked for while the product of matrices at %2 may still read there: "
         "wgmma.wait_group has to come first",
         "向共享内存（%1）发起复制，而%2的矩阵乘可能仍在读取那里：须先执行 wgmma.wait_group")
SENTENCE(CopyRaces,
         "A copy into shared memory (%1) is asked for that thread %2 of another warp %3 at %4 with no barrier in between, so "
         "the copy may come first",
         "向共享内存（%1）发起复制，而另一个线程束的线程 %2 在%4%3那里，其间没有屏障，因此复制可能在先")
SENTENCE(NoProxyFence,
         "No fence.proxy.async stands between the store of %2 by thread %3 at %4 and %1 that reads it here: it may find what was "
         "there before. Threads that store need the fence behind it, before the barrier",
         "线程 %3 在%4对 %2 的存储与在这里读取它的%1之间没有 fence.proxy.async：读到的可能是先前的内容。存储的线程须在存储之后、屏障之前执行该栅栏")
SENTENCE(TheCopy, "the asynchronous copy", "异步复制")
SENTENCE(TheProduct, "the product of matrices", "矩阵乘")
SENTENCE(EarlyOperand,
         "A product of matrices reads shared memory (%1) before the asynchronous copy into it has been waited for (asked for "
         "by warp %2 at %3): it needs %4",
         "矩阵乘读取共享内存（%1），而写入那里的异步复制（由线程束 %2 在%3发起）还没有等到完成：需要%4")
SENTENCE(RegistersUnderWay,
         "A thread uses a register of the product of matrices at %1 before wgmma.wait_group: until then nobody knows what it "
         "holds",
         "某线程在 wgmma.wait_group 之前使用%1的矩阵乘的寄存器：在那之前其内容没有规定")
SENTENCE(EarlyRead,
         "A thread reads %1 before the asynchronous copy into it has been waited for (asked for by warp %2 at %3): what it finds there is not yet the copy; it needs %4",
         "某线程读取%1，而写入那里的异步复制（由线程束 %2 在%3发起）还没有等到完成：读到的还不是复制的内容；需要%4")
SENTENCE(ReadByOldPhase,
         "The wait at %1 was satisfied by phase %2 that ended before the copy was asked for at %3: a thread reads %4 before that "
         "copy has come",
         "%1的等待由阶段 %2 满足，而该阶段在%3发起复制之前就已结束：某线程在复制到来之前读取 %4")
SENTENCE(EarlyReadOldPhase,
         "%1. It belongs to phase %2 (warp %3 asked): the wait needs the other parity, which changes with each phase",
         "%1。该复制属于阶段 %2（由线程束 %3 发起）：等待须用另一个奇偶值，它随每个阶段变化")
SENTENCE(ArrivesAgain,
         "The wait at %4 was satisfied by phase %5 that had ended before: a thread arrives at the mbarrier %1 again while phase %2 "
         "still waits for %3 {byte|bytes} of copies. The wait needs the other parity, which changes with each phase",
         "%4的等待由早已结束的阶段 %5 满足：阶段 %2 仍在等待复制的 %3 字节时，某线程就再次到达 mbarrier %1。等待须用另一个奇偶值，它随每个阶段变化")
SENTENCE(ReadsAndArrivesAgain,
         "%1 (%2), and arrives at the mbarrier %3 again while phase %4, to which it belongs, still waits for %5 {byte|bytes}. The "
         "wait needs the other parity, which changes with each phase",
         "%1（%2），并在该复制所属的阶段 %4 仍等待 %5 字节时再次到达 mbarrier %3。等待须用另一个奇偶值，它随每个阶段变化")
SENTENCE(StageRefilled,
         "An asynchronous copy is asked for into %1, where warp %2 reads at %3, and nothing has told this thread that it is done: "
         "behind the read an arrival at an mbarrier is missing that this thread waits for, or a barrier",
         "某异步复制被要求写入%1，而线程束 %2 在%3读取那里，且没有什么告知本线程它已读完：读取之后缺少对 mbarrier 的到达（由本线程等待），或一个屏障")
SENTENCE(NeedsMbarrier, "a successful wait at the mbarrier that the copy reports to", "在该复制所通知的 mbarrier 上等待成功")
SENTENCE(NeedsGroup, "cp.async.wait_group (or cp.async.wait_all) and a barrier", "cp.async.wait_group（或 cp.async.wait_all）和一个屏障")
SENTENCE(StoreTellsAnother, "An asynchronous store goes to one block of the cluster and tells an mbarrier of another one",
         "一次异步存储写入集群的一个块，却通知另一个块的 mbarrier")
SENTENCE(CopyTellsAnother, "A copy goes to one block of the cluster and tells an mbarrier of another one",
         "一次复制写入集群的一个块，却通知另一个块的 mbarrier")
SENTENCE(MapsToBlock, "A thread maps an address to block %1 of its cluster, which has %2", "某线程把地址映射到其集群的线程块 %1，而集群只有 %2 个块")
SENTENCE(MapsElsewhere, "A thread maps the address %1 to another block, which is not in shared memory",
         "某线程把地址 %1 映射到另一个块，而该地址不在共享内存中")
SENTENCE(CopyToBlock, "A copy goes to block %1 of the cluster, which has %2", "一次复制写入集群的线程块 %1，而集群只有 %2 个块")
SENTENCE(BlockHasNoMbarrier, "Block %1 of the cluster has no mbarrier at byte %2, which the copy is to tell",
         "集群的线程块 %1 在第 %2 字节处没有 mbarrier，而复制要通知它")
SENTENCE(CommitHasNoMbarrier, "Block %1 of the cluster has no mbarrier at byte %2, which tcgen05.commit is to tell",
         "集群的线程块 %1 在第 %2 字节处没有 mbarrier，而 tcgen05.commit 要通知它")
SENTENCE(CommitToBlock, "tcgen05.commit tells block %1 of its cluster, which has %2", "tcgen05.commit 通知其集群的线程块 %1，而集群只有 %2 个块")
SENTENCE(AsyncReadsMore, "cp.async of %1 {byte|bytes} cannot read %2", "%1 字节的 cp.async 不能读取 %2 字节")
SENTENCE(TooManyArrivals,
         "%1 {arrival|arrivals} at the mbarrier %2, whose phase waits for %3 more: too many "
         "threads arrive, or its count is too small",
         "mbarrier %2 有 %1 次到达，而其阶段只再等待 %3 次：到达的线程太多，或其计数太小")
SENTENCE(MbarrierBytes, "An mbarrier cannot expect %1 {byte|bytes} at once", "mbarrier 不能一次期待 %1 字节")
SENTENCE(MbarrierCountsBytes, "An mbarrier cannot count %1 {byte|bytes} at once", "mbarrier 不能一次计入 %1 字节")
SENTENCE(ArrivalsNone, "An arrival counts for at least 1", "一次到达至少计为 1")
SENTENCE(NoComplete, "An arrival with .noComplete would end the phase of its mbarrier", "带 .noComplete 的到达将结束其 mbarrier 的阶段")
SENTENCE(MbarrierCount, "An mbarrier cannot wait for %1 {arrival|arrivals}: from 1 to %2", "mbarrier 不能等待 %1 次到达：须为 1 到 %2")
SENTENCE(MbarrierElsewhere, "An mbarrier lies in shared memory; %1 is elsewhere", "mbarrier 位于共享内存；%1 在别处")
SENTENCE(NoMbarrier,
         "There is no mbarrier at byte %1 of shared memory: nothing called mbarrier.init there, or another thread's call "
         "has not been waited for",
         "共享内存第 %1 字节处没有 mbarrier：没有谁在那里执行过 mbarrier.init，或另一线程的调用还没有等到完成")

// Tensor maps and tensor memory
SENTENCE(NoTensorMap, "There is no tensor map at %1: %2", "%1 处没有张量映射：%2")
SENTENCE(NoTensorMapToChange, "There is no tensor map to change", "没有可修改的张量映射")
SENTENCE(MapNotDescribed, "the launch has to describe one (an argument of kind tensormap)", "启动须给出一个（tensormap 类的实参）")
SENTENCE(MapRank, "The instruction names %1 {coordinate|coordinates}, but its tensor has %2 {dimension|dimensions}",
         "指令给出 %1 个坐标，而其张量有 %2 维")
SENTENCE(MapMadeFor, "The instruction copies %1, but its tensor map was made for %2", "指令复制 %1，而其张量映射是为 %2 建立的")
SENTENCE(MapFourRows,
         "The instruction names four rows, and each is a box one row high; its tensor map's has %1",
         "指令给出四行，每行是一个一行高的框；而其张量映射的框有 %1 行")
SENTENCE(NoHalo, "The emulator copies by %1 without a halo; this one has %2 {pixel|pixels}", "模拟器按 %1 复制时不带 halo；这一次有 %2 个像素")
SENTENCE(FirstCoordinate,
         "The first coordinate, %1, is %2 bytes away from the tensor's begin: it has to be a multiple of 16 (a GPU calls "
         "it an illegal instruction)",
         "第一个坐标 %1 距张量起点 %2 字节：须为 16 的倍数（GPU 视之为非法指令）")
SENTENCE(TensorColumnsOutside, "Columns %1 to %2 of tensor memory, which has 512", "张量内存的第 %1 到 %2 列，而它只有 512 列")
SENTENCE(TensorColumnFree, "Column %1 of tensor memory is not allocated in block %2", "线程块 %2 没有分配张量内存的第 %1 列")
SENTENCE(TensorGivesBack,
         "%1 {column|columns} of tensor memory from column %2 on are given back: no allocation of this block is that",
         "归还张量内存从第 %2 列起的 %1 列：本块没有这样的分配")
SENTENCE(EarlyTensor,
         "Warp %1 reaches for column %2 of tensor memory while what warp %3 asked for at %4 may still write there: it "
         "needs tcgen05.commit behind that, and a successful wait at its mbarrier",
         "线程束 %1 访问张量内存的第 %2 列，而线程束 %3 在%4发起的操作可能仍在写入那里：其后需要 tcgen05.commit，并在其 mbarrier "
         "上等待成功")
SENTENCE(TensorCount, "%1 columns of tensor memory: 32, 64, 128, 256 or 512", "张量内存的 %1 列：须为 32、64、128、256 或 512")
SENTENCE(TensorNoneLeft,
         "%1 columns of tensor memory are asked for, but %2 of 512 are left: a GPU would wait here until this block gives "
         "some back",
         "申请张量内存的 %1 列，而 512 列中只剩 %2 列：GPU 会在此等待，直到本块归还一些")
SENTENCE(TensorLanes, "Warp %1 asks for lane %2 of tensor memory: it reaches lanes %3 to %4", "线程束 %1 访问张量内存的通道 %2：它只能访问通道 %3 到 %4")
SENTENCE(TensorFromLane, "Tensor memory is asked for from lane %1 on: %2 lanes begin at a multiple of %3",
         "访问张量内存从通道 %1 起：%2 个通道须从 %3 的倍数开始")
SENTENCE(NoLayout, "The descriptor of a matrix names no layout (bits 61 to 63)", "矩阵描述符没有给出布局（第 61 到 63 位）")
SENTENCE(NarrowAlongK, "Elements of four and six bits follow each other along k", "四位和六位的元素须沿 k 依次排列")
SENTENCE(RowBehindLanes, "Row %1 of a lies behind the last lane", "a 的第 %1 行在最后一个通道之后")
SENTENCE(InstructionDescriptor, "The instruction descriptor of tcgen05.mma (%1) %2", "tcgen05.mma 的指令描述符（%1）%2")
SENTENCE(SaysNotSparse, "does not say that a is sparse", "没有说明 a 是稀疏的")
SENTENCE(SaysSparse, "says that a is sparse, which the instruction is not", "说明 a 是稀疏的，而指令不是")
SENTENCE(NamesTypesOfAB, "names types of a and b (%1 and %2) that this kind does not have", "给出的 a 和 b 的类型（%1 和 %2）此类指令没有")
SENTENCE(AsksSparseRows, "asks for %1 sparse rows of a block: 128 are known", "要求每块 %1 个稀疏行：只支持 128")
SENTENCE(AsksAlongK, "asks for 96 elements along k, which are not known", "要求沿 k 有 96 个元素，尚不支持")
SENTENCE(AsksScalesOfTwo, "asks for 128 rows with block scales of two blocks, whose layout is not known",
         "要求 128 行并带两个块的块缩放，其布局尚不清楚")
SENTENCE(NamesTypeOfD, "names a type of d (%1) that this kind does not have", "给出的 d 的类型（%1）此类指令没有")
SENTENCE(AsksShape, "asks for %1 rows and %2 columns", "要求 %1 行 %2 列")
SENTENCE(ZeroColumnsShift, "The descriptor of columns that are zero shifts columns, which is not known", "零列描述符要求移动列，尚不支持")
SENTENCE(NoRoomForD, "Tensor memory from lane %1 on has no room for d", "张量内存从通道 %1 起放不下 d")
SENTENCE(PairNeedsEven, "cta_group::2 needs a cluster with an even number of blocks", "cta_group::2 需要块数为偶数的集群")
SENTENCE(PairEnded, "cta_group::2 needs block %1 of the cluster, which has ended: a cluster needs a barrier there",
         "cta_group::2 需要集群的线程块 %1，而它已经结束：集群在那里需要一个屏障")
SENTENCE(PairNotBegun, "cta_group::2 needs block %1 of the cluster, which has not yet begun: a cluster needs a barrier there",
         "cta_group::2 需要集群的线程块 %1，而它尚未开始：集群在那里需要一个屏障")

// Textures and surfaces
SENTENCE(SamplesWith, "Lane %1 samples with %2, which is no sampler of this launch", "通道 %1 用 %2 采样，而它不是这次启动的采样器")
SENTENCE(AsksAbout, "Lane %1 asks about %2, which is no texture, sampler or surface of this launch",
         "通道 %1 询问 %2，而它不是这次启动的纹理、采样器或表面")
SENTENCE(NamesAsTexture, "Lane %1 names %2 as a texture, which is none of this launch", "通道 %1 把 %2 当作纹理，而这次启动没有它")
SENTENCE(NamesAsSurface, "Lane %1 names %2 as a surface, which is none of this launch", "通道 %1 把 %2 当作表面，而这次启动没有它")
SENTENCE(UsesAsTexture, "Lane %1 uses \"%2\" as a texture, which it is not", "通道 %1 把“%2”用作纹理，而它不是纹理")
SENTENCE(UsesAsSurface, "Lane %1 uses \"%2\" as a surface, which it is not", "通道 %1 把“%2”用作表面，而它不是表面")
SENTENCE(OtherShapeOfTexture, "Lane %1 uses texture \"%2\" with another number of dimensions or layers than it has (%3)",
         "通道 %1 使用纹理“%2”时维数或层数与其自身（%3）不同")
SENTENCE(OtherShapeOfSurface, "Lane %1 uses surface \"%2\" with another number of dimensions or layers than it has (%3)",
         "通道 %1 使用表面“%2”时维数或层数与其自身（%3）不同")
SENTENCE(SurfaceOutside, "Lane %1 %2 %3 {byte|bytes} at %4 of surface \"%5\", which is %6 and has rows of %7 {byte|bytes}",
         "通道 %1 在表面“%5”的 %4 处%2 %3 字节，而它是 %6，每行 %7 字节")
SENTENCE(SurfaceMisaligned, "Lane %1 %2 %3 {byte|bytes} at %4 of surface \"%5\", which is not a multiple of %6 {byte|bytes}",
         "通道 %1 在表面“%5”的 %4 处%2 %3 字节，而它不是 %6 字节的倍数")

// Launches that do not begin
SENTENCE(NoDevice, "there is no device \"%1\"", "没有设备“%1”")
SENTENCE(ChooseDevice, "Choose one of the device list", "请从设备列表中选择")
SENTENCE(NoKernelInModule, "there is no kernel %1 in the module", "模块中没有核函数 %1")
SENTENCE(NameAnEntry, "Name one of its .entry functions", "请指定其中一个 .entry 函数")
SENTENCE(NoTensorTiming, "there is no timing model of tensor memory (tcgen05): nobody here has measured such a card",
         "没有张量内存（tcgen05）的时序模型：这样的显卡尚未测量过")
SENTENCE(RunUntimed, "Run it without the timing model", "请不带时序模型运行")
SENTENCE(ParametersKept, "%1 takes %2 {byte|bytes} of parameters, and %3 {is|are} kept", "%1 需要 %2 字节参数，而只保存了 %3 字节")
SENTENCE(ParametersGiven, "%1 takes %2 {byte|bytes} of parameters, and %3 {is|are} given", "%1 需要 %2 字节参数，而只给出了 %3 字节")
SENTENCE(BlockTakes, "a block's registers, parameters and local memory take %1 of this machine's memory; %2 is the limit",
         "一个线程块的寄存器、参数和局部内存占用本机 %1 内存；上限为 %2")
SENTENCE(RunStopped, "the run was stopped", "运行已停止")
SENTENCE(TextureUnbound, "%1 uses the texture reference \"%2\", which nothing is bound to", "%1 使用纹理引用“%2”，而它没有绑定任何内容")
SENTENCE(SurfaceUnbound, "%1 uses the surface reference \"%2\", which nothing is bound to", "%1 使用表面引用“%2”，而它没有绑定任何内容")
SENTENCE(BindIt, "Bind it: %1", "请绑定它：%1")
SENTENCE(AddressHasNoRoom, "no address of \"%1\" can stand at byte %2: there is no room", "“%1”的地址不能放在第 %2 字节处：没有位置")
SENTENCE(AddressOfNoBuffer, "no address of \"%1\" can stand at byte %2: there is no such buffer", "“%1”的地址不能放在第 %2 字节处：没有这样的缓冲区")
SENTENCE(MapNamesNoBuffer, "a tensor map names \"%1\", which is no buffer of this launch", "张量映射指向“%1”，而它不是这次启动的缓冲区")
SENTENCE(ArgumentCount, "%1 has %2 {parameter|parameters}, but %3 {argument is|arguments are} given", "%1 有 %2 个参数，而给出了 %3 个实参")
SENTENCE(GiveOneEach, "Give one argument for each parameter, in order", "请按顺序为每个参数给出一个实参")
SENTENCE(BufferForNoPointer, "argument %1 is a buffer, but the kernel's parameter is no pointer", "实参 %1 是缓冲区，而核函数的参数不是指针")
SENTENCE(ArgumentBytes, "argument %1 has %2 {byte|bytes}, but the kernel's parameter has %3", "实参 %1 有 %2 字节，而核函数的参数有 %3 字节")
SENTENCE(GiveParametersType, "Give it the parameter's type", "请使用参数的类型")
SENTENCE(VariableNotSet, "variable %1 cannot be set: it does not exist or is smaller", "无法设置变量 %1：它不存在，或者太小")
SENTENCE(KeptUnlike, "no launch of this module began with the memory that is kept: %1", "此模块的启动都不是从所保存的内存开始的：%1")
SENTENCE(KeptBegan, "the launch began with %1 of memory, and %2 is the limit", "这次启动开始时有 %1 内存，而上限为 %2")
SENTENCE(NoGlobalAt, "there is no global memory at %1", "%1 处没有全局内存")
SENTENCE(NoConstant, "it has no constant %1 of %2 {byte|bytes}", "它没有 %2 字节的常量 %1")
SENTENCE(NoVariable, "it has no variable %1", "它没有变量 %1")
SENTENCE(VariableLarger, "its variable %1 has more than %2 {byte|bytes}", "它的变量 %1 大于 %2 字节")
SENTENCE(KeptDamaged, "the memory that the recording keeps is damaged", "录制所保存的内存已损坏")
SENTENCE(KernelFailedBeforeEnd, "the kernel failed before its end", "核函数在结束前失败")

// The same, as older recordings tell it
SENTENCE(BlockStuck, "The block can never go on: %1. Threads that they wait for never come there",
         "线程块永远无法继续：%1。它们等待的线程永远不会到达")
SENTENCE(LaunchStuck, "The launch can never go on: %1. Nobody is left who could do that",
         "本次启动永远无法继续：%1。已经没有谁能做到这一点")
SENTENCE(PhaseOfBarrier, "phase %1 of the mbarrier at byte %2, to which %3", "第 %2 字节处 mbarrier 的阶段 %1，%3")
SENTENCE(WarpWaits, "warp %1 waits for %2", "线程束 %1 等待%2")
SENTENCE(WarpsWait, "warps %1 wait for %2", "线程束 %1 等待%2")
SENTENCE(WarpsMoreWait, "warps %1 and %2 more wait for %3", "线程束 %1 及另外 %2 个等待%3")
SENTENCE(LanesOfWarp, "the other lanes of their warp at %1", "其线程束的其他通道（在%1）")
SENTENCE(WarpsOfGroup, "the other warps of their warpgroup at %1", "其线程束组的其他线程束（在%1）")
SENTENCE(BarrierAt, "barrier %1 at %2", "屏障 %1（在%2）")
SENTENCE(NeverWritten, "%1, where no thread has ever written", "%1，那里从未有线程写入过")
SENTENCE(LastWritten, "%1, where block %2, thread %3 last wrote %4 at %5, %6",
         "%1，最后写入那里的是线程块 %2 的线程 %3，它在%5写入 %4，%6")
