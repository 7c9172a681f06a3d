// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.
SENTENCE(WhyLineSource, "line %1", "第 %1 行")
SENTENCE(WhyLinePtx, "PTX line %1", "PTX 第 %1 行")
SENTENCE(WhyLineAccess, "%1 (%2)", "%1（%2）")
SENTENCE(Load, "load", "加载")
SENTENCE(Store, "store", "存储")
SENTENCE(Atomic, "atomic", "原子操作")
SENTENCE(Condition, "%1, the launch would take %2 less.", "%1，这次启动可少用 %2 的时间。")
SENTENCE(OfLine, "%1: %2", "%1：%2")
SENTENCE(WithoutBoth,
         "Without %1, and without %2, the launch would take %3 less.",
         "同时去掉“%1”和“%2”，这次启动可少用 %3 的时间。")
SENTENCE(WithoutAll, "Without all of them it would take %1, %2 less.", "去掉所有限制后需要 %1，少用 %2 的时间。")
SENTENCE(EvenWithoutAll,
         "Even without all of them it would take %1, %2 of its time: what remains are instructions of a thread that wait "
         "for each other's results.",
         "即使去掉所有限制仍需 %1，即现在的 %2：剩下的是同一线程中互相等待结果的指令。")
SENTENCE(NoSingleLimit,
         "No single limit costs this launch much: there is nothing to gain from taking one away.",
         "没有哪一项限制让这次启动付出多少代价：去掉任何一项都没有可省的。")
SENTENCE(EvenAsleep,
         "Even without all of them it would take %1, %2 of its time: what remains are warps that sleep, or wait for launches of "
         "their own.",
         "即使去掉所有限制仍需 %1，即现在的 %2：剩下的是休眠的线程束，或在等待自己启动的核函数的线程束。")
SENTENCE(IdleSmsShared,
         "Of the device's %2 SMs, %3 never get a block: the grid has only %1. The same work shared among all of them would take up "
         "to %4 less.",
         "设备的 %2 个 SM 中有 %3 个始终分不到线程块：网格只有 %1 个线程块。同样的工作若分给所有 SM，最多可少用 %4 的时间。")
SENTENCE(IdleSms,
         "Of the device's %2 SMs, %3 never get a block: the grid has only %1.",
         "设备的 %2 个 SM 中有 %3 个始终分不到线程块：网格只有 %1 个线程块。")
SENTENCE(WarpsSpend, "Warps spend %1 of their time on %2.", "线程束有 %1 的时间用于：%2。")
SENTENCE(WarmSentence,
         "The launch finds in L2 what came before it, as far as that is still there. Its code lies there, too, so that it "
         "begins a microsecond sooner than one that is launched alone.",
         "启动时 L2 中有此前留下的数据（以仍在其中的为限）。其代码也在那里，因此它比单独启动时早约一微秒开始。")
SENTENCE(HeldToHardware,
         "Held to hardware: %1 pairs of kernels, the second without %2. An H200 gained %3; the model had predicted %4.",
         "与硬件对照：%1 对核函数，每对的第二个没有“%2”。H200 上省了 %3；模型预测为 %4。")
SENTENCE(NoPairMeasured,
         "No pair of kernels with and without %1 was measured: only the model speaks here.",
         "没有测量过有无“%1”的成对核函数：这里只有模型的说法。")
SENTENCE(AllModelledAlone,
         "All times are modelled; nothing was measured on this device to compare them with.",
         "所有时间都由模型得出；没有在该设备上测量过可供比较的数据。")

// What a line has to do with a limit
SENTENCE(GoBothWays,
         "%1 of the warps that come to this branch go both ways; %2 of all that do.",
         "到达此分支的线程束有 %1 两边都走；占所有这种情况的 %2。")
SENTENCE(TouchesSectors,
         "a warp touches %1 sectors where %2 would do; %3.",
         "一个线程束触及 %1 个扇区，本来 %2 个就够；%3。")
SENTENCE(TakesPasses,
         "a warp's access takes %1 passes where %2 would do; %3.",
         "一个线程束的访问要 %1 趟，本来 %2 趟就够；%3。")
SENTENCE(LoadsSector, "a warp loads %1 sector here, %2 of all; %3.", "一个线程束在此加载 %1 个扇区，占全部的 %2；%3。")
SENTENCE(LoadsSectors, "a warp loads %1 sectors here, %2 of all; %3.", "一个线程束在此加载 %1 个扇区，占全部的 %2；%3。")
SENTENCE(LanesMeet, "on average %1 lanes of a warp meet at one address; %2.", "线程束平均有 %1 个通道访问同一地址；%2。")
SENTENCE(WarpsMeet,
         "lanes of one warp do not meet at an address here, but warps do; %1.",
         "此处同一线程束的通道不会访问同一地址，但不同线程束会；%1。")
SENTENCE(ServedOneByOne,
         "lanes that want one word of shared memory are served one after the other; %1.",
         "要访问共享内存同一个字的各通道逐个得到服务；%1。")
SENTENCE(PaddedTile,
         "with rows %1 bytes longer, all accesses to this tile would take %2 passes where they take %3",
         "若每行加长 %1 字节，对此分块的所有访问只需 %2 趟，现在为 %3 趟")
SENTENCE(SwizzledTile,
         "with its addresses swizzled by %1 (of bytes), all accesses to this tile would take %2 passes where they take %3",
         "若其地址按 %1（以字节计）混洗，对此分块的所有访问只需 %2 趟，现在为 %3 趟")
SENTENCE(WithLayout, "%1 Laid out otherwise: %2.", "%1 换一种布局：%2。")
SENTENCE(WithoutThat, "without that the launch would take %1 less", "若没有它，这次启动可少用 %1 的时间")
SENTENCE(NextToNothing, "mending that alone would save next to nothing", "只改这一处几乎省不了时间")
SENTENCE(OfBarrierTime, "%1 of the time that warps wait at barriers.", "占线程束在屏障处等待时间的 %1。")
SENTENCE(OfLatencyTime,
         "%1 of the time that warps wait for what they loaded; here it is needed.",
         "占线程束等待加载结果的时间的 %1；结果在这里被用到。")
SENTENCE(OfMemoryTimeMostly,
         "%1 of the time that warps wait for memory, most of it on %2.",
         "占线程束等待内存的时间的 %1，主要用于：%2。")
SENTENCE(OfIssueTimeMostly,
         "%1 of the time that warps issue or could, most of it on %2.",
         "占线程束发射或可发射的时间的 %1，主要用于：%2。")
SENTENCE(OfMemoryTime, "%1 of the time that warps wait for memory.", "占线程束等待内存的时间的 %1。")
SENTENCE(OfIssueTime, "%1 of the time that warps issue or could.", "占线程束发射或可发射的时间的 %1。")

// What warps spend their time on, by the field's names
SENTENCE(SpentSelected, "issuing", "发射指令")
SENTENCE(SpentEligible, "being ready while another warp issues", "就绪但由别的线程束发射")
SENTENCE(SpentBarrier, "barriers", "屏障")
SENTENCE(SpentLongScoreboard,
         "long scoreboard: what was loaded from global or local memory has not come",
         "长记分牌：从全局或局部内存加载的数据还没到")
SENTENCE(SpentShortScoreboard,
         "short scoreboard: shared memory or the unit for special functions has not answered",
         "短记分牌：共享内存或特殊函数单元还没有应答")
SENTENCE(SpentWait,
         "fixed latencies: an instruction that depends on the one before it",
         "固定延迟：指令依赖于前一条指令的结果")
SENTENCE(SpentMathPipe, "math pipe throttle: the unit is busy", "运算管线受限：该单元正忙")
SENTENCE(SpentLg,
         "LG throttle: the queue for global and local memory is full",
         "LG 受限：全局和局部内存的队列已满")
SENTENCE(SpentMio,
         "MIO throttle: the queue for shared memory, shuffles and special functions is full",
         "MIO 受限：共享内存、洗牌和特殊函数的队列已满")
SENTENCE(SpentBranch, "resolving branches", "解析分支")
SENTENCE(SpentNoInstruction, "waiting for code, or for the block to begin", "等待取指，或等待线程块开始")
SENTENCE(SpentMembar, "fences", "内存栅栏")
SENTENCE(SpentSleeping, "sleeping", "休眠")
SENTENCE(SpentDrain, "drain: stores have to leave before the warp ends", "排空：线程束结束前要等存储送出")
SENTENCE(SpentDispatch, "dispatch", "分派")

// Limits
SENTENCE(LimitDivergence, "divergent branches", "分支分化")
SENTENCE(IfDivergence, "If both sides of each branch ran at once", "如果每个分支的两边同时执行")
SENTENCE(LimitCoalescing, "uncoalesced access", "未合并的访问")
SENTENCE(IfCoalescing, "If only the bytes that are asked for moved", "如果只搬运所要的字节")
SENTENCE(LimitConflicts, "bank conflicts", "存储体冲突")
SENTENCE(IfConflicts, "If shared memory had no bank conflicts", "如果共享内存没有存储体冲突")
SENTENCE(LimitL1, "L1 misses", "L1 未命中")
SENTENCE(IfL1, "If every load hit L1", "如果每次加载都命中 L1")
SENTENCE(LimitL2, "L2 misses", "L2 未命中")
SENTENCE(IfL2, "If everything lay in L2", "如果所有数据都在 L2 中")
SENTENCE(LimitBandwidth, "memory bandwidth", "内存带宽")
SENTENCE(IfBandwidth, "If memory moved any number of bytes a second", "如果内存带宽没有上限")
SENTENCE(LimitLatency, "memory latency", "内存延迟")
SENTENCE(IfLatency, "If memory answered at once", "如果内存立即应答")
SENTENCE(LimitAtomics, "atomics on one address", "同一地址上的原子操作")
SENTENCE(IfAtomics, "If atomics on one address did not queue", "如果对同一地址的原子操作不必排队")
SENTENCE(LimitBarriers, "waiting at barriers", "屏障处的等待")
SENTENCE(IfBarriers, "If nobody waited at a barrier", "如果谁都不必在屏障处等待")
SENTENCE(LimitIssue, "issue slots", "发射槽")
SENTENCE(IfIssue, "If all ready warps could issue at once", "如果所有就绪的线程束都能同时发射")
SENTENCE(LimitTensor, "tensor cores", "张量核心")
SENTENCE(IfTensor, "If products of matrices took the tensor cores no time", "如果矩阵乘不占张量核心的时间")
SENTENCE(LimitCopyEngine, "the copy engine", "复制引擎")
SENTENCE(IfCopyEngine,
         "If the copy engine (TMA) moved as many bytes as it is asked for at once",
         "如果复制引擎（TMA）能立即搬运所要的任意多字节")
SENTENCE(LimitRegisters, "registers of an SM", "SM 的寄存器")
SENTENCE(IfRegisters, "If registers did not limit how many blocks are resident", "如果寄存器不限制驻留的线程块数")
SENTENCE(LimitShared, "shared memory of an SM", "SM 的共享内存")
SENTENCE(IfShared, "If shared memory did not limit how many blocks are resident", "如果共享内存不限制驻留的线程块数")
SENTENCE(LimitThreads, "places for warps and blocks", "线程束和线程块的位置")
SENTENCE(IfThreads, "If an SM had places for any number of warps and blocks", "如果 SM 能容纳任意多的线程束和线程块")
SENTENCE(LimitTail, "the tail", "尾部")
SENTENCE(IfTail, "If all SMs were at work until the end", "如果所有 SM 一直工作到最后")
SENTENCE(LimitLaunch, "launching", "启动开销")
SENTENCE(IfLaunch, "If launching and starting blocks cost nothing", "如果启动核函数和线程块不花时间")

// How far the model is off launches of a kind
SENTENCE(KindDeviceLaunches, "kernels that launch others", "启动其他核函数的核函数")
SENTENCE(KindTensorMemory, "products by tcgen05", "tcgen05 矩阵乘")
SENTENCE(KindAttentionWgmma, "attention by wgmma", "wgmma 注意力")
SENTENCE(KindProductsWgmma, "products by wgmma", "wgmma 矩阵乘")
SENTENCE(KindProductsWmma, "products by wmma", "wmma 矩阵乘")
SENTENCE(KindAttentionMma, "attention by mma.sync", "mma.sync 注意力")
SENTENCE(KindProductsMma, "products by mma.sync", "mma.sync 矩阵乘")
SENTENCE(KindClusters, "clusters without products", "无矩阵乘的线程块簇")
SENTENCE(KindBulkCopies, "bulk copies without products", "无矩阵乘的批量复制")
SENTENCE(KindTextures, "textures and surfaces", "纹理与表面")
SENTENCE(KindMatching, "lanes that match, as in a radix sort", "通道匹配，如基数排序")
SENTENCE(KindExponentialSums, "exponentials summed up by warps, as in a softmax", "线程束内的指数求和，如 softmax")
SENTENCE(KindNorms, "roots of what warps sum up, as in a norm", "线程束求和后开方，如归一化")
SENTENCE(KindWarpSums, "sums and scans by shuffles", "洗牌求和与扫描")
SENTENCE(KindAtomics, "atomics", "原子操作")
SENTENCE(KindDoubles, "arithmetic on doubles", "双精度运算")
SENTENCE(KindSpecialFunctions, "special functions", "特殊函数")
SENTENCE(KindSharedMemory, "shared memory with barriers", "共享内存与屏障")
SENTENCE(KindGlobalMemory, "global memory alone", "仅全局内存")
SENTENCE(KindAsWritten, "compiled as written", "按原样编译")
SENTENCE(KindError, "%1 launches like this one: %2", "%1 次同类启动：%2")
SENTENCE(KindWithout, "no measurement of such kernels", "没有这类核函数的测量")
SENTENCE(KindErrorOf,
         "%1 launches like this one (%2) that the model was not made with are off by %3 on average on an H100 or H200.",
         "建模时未用过的 %1 次同类启动（%2），在 H100 或 H200 上平均相差 %3。")
SENTENCE(KindWithoutOf, "No measurement of such kernels: %1.", "没有这类核函数的测量：%1。")
SENTENCE(DeviceNotMeasured, "Nothing was measured on this device to compare the model with.",
         "没有可与模型对比的该设备测量值。")
SENTENCE(KindAllModelled, "All times are modelled. %1", "所有时间都由模型得出。%1")

// Products whose tiles come by asynchronous copies
SENTENCE(PipelineStages,
         "The product waits for copies %1 of its time: with %2 stages instead of %3 it would not, as far as memory keeps up.",
         "矩阵乘有 %1 的时间在等待复制：若用 %2 级而不是 %3 级流水，只要内存跟得上，就不必等待。")
SENTENCE(PipelineRoom,
         "The product waits for copies %1 of its time: %2 stages instead of %3 would hide it, but need %4 KB of shared memory, "
         "and a block has %5 at most.",
         "矩阵乘有 %1 的时间在等待复制：%2 级而不是 %3 级流水可以掩盖它，但需要 %4 KB 共享内存，而一个线程块最多有 %5 KB。")
SENTENCE(PipelineMemory,
         "The product waits for copies %1 of its time, and more than its %2 stages would not help: copies come as fast as "
         "memory gives them.",
         "矩阵乘有 %1 的时间在等待复制，比现在的 %2 级更多也无济于事：复制已达到内存的速度。")
SENTENCE(PipelineAll,
         "The product waits for copies %1 of its time, and more than its %2 stages would not help: its %3 tiles are all asked for "
         "before the first of them is needed.",
         "矩阵乘有 %1 的时间在等待复制，比现在的 %2 级更多也无济于事：它的 %3 个分块在需要第一个之前就已全部请求。")

// What ptxas says
SENTENCE(SpillsMoved,
         "ptxas has no room for all values of %1 in %2 {register|registers} a thread: it keeps some in local memory (spills), %3 "
         "bytes of stores and %4 bytes of loads in the code of each thread, %5 {access|accesses} at least, more where they stand "
         "in loops. The timing model does not see them.",
         "ptxas 无法把 %1 的所有值放进每线程 %2 个寄存器：它把一部分放在局部内存（溢出），每个线程的代码中有 %3 字节的存储和 %4 "
         "字节的加载，至少 %5 次访问，位于循环中则更多。时序模型看不到它们。")
SENTENCE(SpillsExecuted,
         "ptxas has no room for all values of %1 in %2 {register|registers} a thread: it keeps some in local memory (spills), %3 "
         "bytes of stores and %4 bytes of loads in the code of each thread. Warps execute %5 such {access|accesses}, %6 of their "
         "machine instructions. The timing model does not see them.",
         "ptxas 无法把 %1 的所有值放进每线程 %2 个寄存器：它把一部分放在局部内存（溢出），每个线程的代码中有 %3 字节的存储和 %4 "
         "字节的加载。线程束执行 %5 次这样的访问，占其机器指令的 %6。时序模型看不到它们。")
SENTENCE(LocalArrayUsed,
         "%1 lies in local memory (%2 bytes a thread), since its place is known at run time only: warps make %3 {load|loads} and %4 "
         "{store|stores} of it, which go by way of L1.",
         "%1 位于局部内存（每线程 %2 字节），因为其下标在运行时才知道：线程束对它有 %3 次加载和 %4 次存储，经由 L1。")
SENTENCE(TheLocals, "a local array", "一个局部数组")
