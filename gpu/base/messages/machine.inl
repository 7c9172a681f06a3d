// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.

// What became of a line of PTX
SENTENCE(FateKept, "%1 machine {instruction|instructions}: %2", "%1 条机器指令：%2")
SENTENCE(FateGone, "gone: no machine instruction is left of it", "消失：没有留下机器指令")
SENTENCE(FateMerged, "merged: the machine instruction of PTX line %1 does it, too", "合并：由 PTX 第 %1 行的机器指令一并完成")
SENTENCE(FateJoined,
         "joined: PTX line %1 does both in one access of %2 {byte|bytes}",
         "合并访存：由 PTX 第 %1 行以一次 %2 字节的访问一并完成")
SENTENCE(FateCopied,
         "unrolled: it is there %1 {time|times}, in %2 machine {instruction|instructions}",
         "展开：出现 %1 次，共 %2 条机器指令")
SENTENCE(FateRepeated,
         "on %1 {path|paths}: a copy on each, %2 machine {instruction|instructions} together",
         "位于 %1 条路径：各有一份，共 %2 条机器指令")
SENTENCE(FatePredicated,
         "predicated: %1 machine {instruction|instructions}, executed by those lanes whose predicate says so",
         "谓词化：%1 条机器指令，只由谓词为真的通道执行")
SENTENCE(FateHoisted,
         "moved out of its loop: %1 machine {instruction|instructions} outside of it",
         "移出循环：循环之外有 %1 条机器指令")
SENTENCE(FateSpilled,
         "spills: %1 of its machine instructions {1:moves a value|move values} between registers and local memory",
         "溢出：其中 %1 条机器指令在寄存器与局部内存之间搬移数值")

// What became of a decision
SENTENCE(BranchSelect,
         "became a select in %1 machine {instruction|instructions}: no lane waits",
         "变成了 %1 条机器指令中的选择：没有通道等待")
SENTENCE(BranchPredicated,
         "became the predicate of %1 machine {instruction|instructions}: lanes are switched off there, none jumps",
         "变成了 %1 条机器指令的谓词：通道在那里被关闭，没有跳转")
SENTENCE(BranchLeft, "is a branch still; its lanes meet at %1", "仍是分支；其通道在%1会合")
SENTENCE(BranchLeftNowhere,
         "is a branch still, without a place to meet (no BSSY): ptxas takes it that all lanes go one way, or need not meet",
         "仍是分支，但没有会合处（没有 BSSY）：ptxas 认为所有通道走同一条路，或无需会合")
SENTENCE(BranchExit,
         "ends lanes by a predicate (EXIT): the others go on, none jumps",
         "以谓词结束通道（EXIT）：其余通道继续，没有跳转")
SENTENCE(BranchUniform,
         "is a branch of the whole warp (uniform): its lanes never part",
         "是整个线程束的分支（uniform）：其通道不会分开")
SENTENCE(BranchUnrolled, "is gone: the loop is unrolled altogether", "消失了：循环已完全展开")
SENTENCE(BranchGone, "is gone: no lane jumps", "消失了：没有通道跳转")
SENTENCE(DecisionHere, "Your decision %1", "您的判断%1")
SENTENCE(LoopHere, "The loop's branch %1", "循环的分支%1")
SENTENCE(BranchOf, "line %1: your decision %2", "第 %1 行：您的判断%2")
SENTENCE(LoopOf, "line %1: the loop's branch %2", "第 %1 行：循环的分支%2")
SENTENCE(DecisionOfPtx, "PTX line %1: the decision %2", "PTX 第 %1 行：判断%2")
SENTENCE(LoopOfPtx, "PTX line %1: the loop's branch %2", "PTX 第 %1 行：循环的分支%2")
SENTENCE(PlaceInSource, "line %1 (%2)", "第 %1 行（%2）")
SENTENCE(PlaceLine, "line %1", "第 %1 行")
SENTENCE(PlacePtx, "PTX line %1", " PTX 第 %1 行")

// Where machine code comes from, and why there is none
SENTENCE(CodeUnknown,
         "The machine code is not in this recording, and there is no ptxas on this machine that could make it.",
         "此录制中没有机器码，本机也没有可以生成它的 ptxas。")
SENTENCE(CodeNotMade,
         "The machine code is not in this recording, and ptxas does not make it: %1",
         "此录制中没有机器码，ptxas 也无法生成：%1")
