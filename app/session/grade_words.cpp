// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/grade_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::session::words {

LocalWords title(const std::string& goal, const Exercise& exercise) {
    if (goal == "compiles")
        return {"It compiles", "能够编译"};
    if (goal == "kernel")
        return {fmt::format("It has the kernel {}", exercise.signature()),
                fmt::format("有核函数 {}", exercise.signature())};
    if (goal == "ends")
        return {"Every launch comes to its end", "每次启动都能运行结束"};
    if (goal == "clean")
        return {"No race, and nothing read that nobody wrote", "没有竞争，也不读取无人写入的内容"};
    return {"The result is right", "结果正确"};
}

LocalWords emptyFile() {
    return {"the file is empty", "文件是空的"};
}
LocalWords emptyFileHelp(const Exercise& exercise) {
    return {fmt::format("Start from the exercise's own text: grade --exercise {} --starter -o FILE.cu.", exercise.name),
            fmt::format("从练习自带的代码开始：grade --exercise {} --starter -o FILE.cu。", exercise.name)};
}
LocalWords forbidden(const std::string& include) {
    return {fmt::format("\"{}\" is not allowed in a hand-in", include),
            fmt::format("提交的代码中不允许使用“{}”", include)};
}
LocalWords forbiddenHelp() {
    return {
        "Include headers of CUDA by their names in angle brackets alone, and put everything else into this one file.",
        "只能用尖括号按名称包含 CUDA 的头文件，其他内容都写在这一个文件里。"};
}
LocalWords forbiddenByteHelp() {
    return {"A source is plain text: take that character out, or save the file as text once more.",
            "源代码是纯文本：请删除该字符，或重新把文件保存为文本。"};
}
LocalWords compileHelp() {
    return {"Mend the first error first: those below it often follow from it.",
            "先改正第一个错误：后面的错误往往由它引起。"};
}
LocalWords compilerEndless() {
    return {"Look for an include of itself, or a template that never comes to an end.",
            "检查是否有包含自身的文件，或没有尽头的模板。"};
}
LocalWords noKernel(const Exercise& exercise, const std::string& there) {
    return there.empty() ? LocalWords{fmt::format("there is no kernel {}", exercise.kernel),
                                      fmt::format("没有核函数 {}", exercise.kernel)}
                         : LocalWords{fmt::format("there is no kernel {}; the file has {}", exercise.kernel, there),
                                      fmt::format("没有核函数 {}；文件中有 {}", exercise.kernel, there)};
}
LocalWords noKernelHelp(const Exercise& exercise) {
    return {
        fmt::format("Write __global__ void {}, with this very name, in no namespace and no template.",
                    exercise.signature()),
        fmt::format("请写 __global__ void {}，名称必须一致，不能放在命名空间里，也不能是模板。", exercise.signature())};
}
LocalWords otherParameters(const std::string& signature) {
    return {fmt::format("the kernel is {}", signature), fmt::format("核函数是 {}", signature)};
}
LocalWords otherParametersHelp(const Exercise& exercise) {
    return {fmt::format("Keep the parameters as they were: {}.", exercise.signature()),
            fmt::format("参数要保持原样：{}。", exercise.signature())};
}
LocalWords launchesOthers() {
    return {"the kernel launches another grid, which this exercise does not allow",
            "核函数又启动了另一个网格，本练习不允许这样做"};
}
LocalWords launchesOthersHelp() {
    return {"Do the work in the kernel itself: what is measured is the launch that the exercise makes.",
            "请在核函数自身中完成工作：评判的是练习所做的那次启动。"};
}
LocalWords uncounted(const std::string& what) {
    return {fmt::format("{} moves data, or waits, where no goal counts it", what),
            fmt::format("{} 会在任何目标都不统计的地方搬运数据或等待", what)};
}
LocalWords uncountedHelp() {
    return {
        "Use loads, stores and __syncthreads(): this exercise allows no copies, barriers and functions of CUDA that "
        "go on beside the threads.",
        "请使用加载、存储和 __syncthreads()：本练习不允许使用在线程之外进行的 CUDA 复制、屏障和函数。"};
}
LocalWords launchRefusedHelp() {
    return {
        "A GPU would refuse this launch. Ask for less shared memory, or for fewer threads in the kernel's attributes.",
        "GPU 会拒绝这次启动。请减少共享内存，或减少核函数属性中的线程数。"};
}
LocalWords tooMuchMemoryHelp() {
    return {"Ask for less memory: __device__ and __shared__ arrays, and arrays of each thread, all count.",
            "请减少所需的内存：__device__ 数组、__shared__ 数组和每个线程自己的数组都算在内。"};
}
LocalWords unknownInstructionHelp() {
    return {"Only instructions that PTX has can be graded: look at what stands in asm, and write it in C++ if you can.",
            "只能评判 PTX 中存在的指令：请检查 asm 里的内容，尽量改用 C++ 编写。"};
}
LocalWords outOfTime(std::uint32_t seconds) {
    return {fmt::format("it was stopped after {} seconds", seconds), fmt::format("{} 秒后被停止", seconds)};
}
LocalWords outOfTimeHelp() {
    return {"Look for a loop whose condition never turns false, or one that does far more than it has to.",
            "检查是否有条件永远不变为假的循环，或做了太多多余工作的循环。"};
}

LocalWords diagnosticHelp(DiagnosticKind kind) {
    switch (kind) {
    case DiagnosticKind::OutOfBounds:
        return {"Compare the index with the number of elements before you use it: the last block has threads to spare.",
                "使用下标之前先与元素个数比较：最后一个线程块会有多余的线程。"};
    case DiagnosticKind::OutsideObject:
        return {"Compare the index with the array's length: what lies behind an array belongs to another variable.",
                "请将下标与数组长度比较：数组之后的内存属于另一个变量。"};
    case DiagnosticKind::NotFinite:
        return {
            "Look at the operands' size: a wider type, another order or a shifted exponent keeps the result finite.",
            "请检查操作数的大小：更宽的类型、不同的运算次序或移位后的指数可以使结果保持有限。"};
    case DiagnosticKind::Misaligned:
        return {"An access of 8 or 16 bytes needs an address that is a multiple of as much.",
                "8 字节或 16 字节的访问，地址必须是 8 或 16 的倍数。"};
    case DiagnosticKind::UninitialisedRead:
        return {"Write the element before it is read, by the same thread or by another one before a barrier.",
                "读取之前要先写入：由同一线程写，或由其他线程在屏障之前写。"};
    case DiagnosticKind::SharedRace:
        return {"Put a __syncthreads() between the write and the other thread's access.",
                "在写入与另一个线程的访问之间放一个 __syncthreads()。"};
    case DiagnosticKind::GlobalRace:
        return {"Let one thread alone write each element, or use an atomic operation.",
                "让每个元素只由一个线程写入，或使用原子操作。"};
    case DiagnosticKind::MissingSyncwarp:
        return {"Lanes of a warp need a __syncwarp() between them, too.", "同一线程束的通道之间也需要 __syncwarp()。"};
    case DiagnosticKind::BarrierDivergence:
    case DiagnosticKind::Deadlock:
        return {"Take the __syncthreads() out of the branch or loop: every thread of the block has to come to it, and "
                "none may return before.",
                "把 __syncthreads() 移出分支或循环：线程块的每个线程都必须到达，也不能提前返回。"};
    case DiagnosticKind::DivisionByZero:
        return {"Look at what the divisor is for the first and the last thread.",
                "看看第一个和最后一个线程的除数是多少。"};
    case DiagnosticKind::EndlessLoop:
        return outOfTimeHelp();
    default:
        return {"Read the sentence above and look at that line.", "请阅读上面的说明，检查那一行。"};
    }
}

namespace {
LocalWords hangHelp(HangKind kind) {
    switch (kind) {
    case HangKind::Mbarrier:
        return {
            "Count for one phase of that mbarrier who arrives and how many bytes are announced: it has to be as many "
            "as it was made for, in every round of the loops on both sides.",
            "请数一数该 mbarrier 的一个阶段有谁到达、声明了多少字节：两侧循环的每一轮都必须与初始化的计数一致。"};
    case HangKind::Word:
        return {
            "Let the thread that writes that word do so before it waits for anything itself, and let the loop read the "
            "word anew each time.",
            "写该字的线程要在自己等待任何事之前写入，循环每次都要重新读取该字。"};
    case HangKind::Cluster:
        return {"Every thread of all blocks of the cluster has to come to its barrier, and none may return before.",
                "集群所有线程块的每个线程都必须到达集群屏障，也不能提前返回。"};
    case HangKind::Lanes:
        return {"Name in the mask only lanes that come to this line, and let all of those come.",
                "掩码中只写会到达这一行的通道，并让它们全部到达。"};
    case HangKind::Warpgroup:
        return {"All four warps of a warpgroup have to come to this instruction together.",
                "线程束组的四个线程束必须一起到达这条指令。"};
    case HangKind::Barrier:
        break;
    }
    return diagnosticHelp(DiagnosticKind::Deadlock);
}
} // namespace

LocalWords diagnosticHelp(const Diagnostic& diagnostic) {
    const auto root = std::find_if(diagnostic.waits.begin(), diagnostic.waits.end(),
                                   [](const HangWait& wait) { return wait.isRoot; });
    if (root != diagnostic.waits.end())
        return hangHelp(root->kind);
    return diagnostic.waits.empty() ? diagnosticHelp(diagnostic.kind) : hangHelp(diagnostic.waits.front().kind);
}

LocalWords wrongResult(const WrongValues& v) {
    return {fmt::format("{}[{}] is {}, the host computes {} ({} of {} values are wrong)", v.buffer, v.element, v.found,
                        v.right, v.wrong, v.of),
            fmt::format("{}[{}] 是 {}，主机计算得 {}（{} 个值中有 {} 个错误）", v.buffer, v.element, v.found, v.right,
                        v.of, v.wrong)};
}
LocalWords wrongResultHelp(bool othersRight, bool hidden) {
    if (!othersRight)
        return {"Work the first wrong element out by hand: which thread should write it, and what does it read?",
                "手工推算第一个错误的元素：应由哪个线程写入？它读取什么？"};
    if (hidden)
        return {"The launches that you see are right and one that you do not see is wrong. Count on no number of the "
                "example: use the parameters, blockDim and gridDim.",
                "看得见的启动结果正确，看不见的那次却是错的。不要依赖示例中的数字：请使用参数、blockDim 和 gridDim。"};
    return {"Other launches are right. What is different about this one: its size, its blocks, its values?",
            "其他启动的结果正确。这一次有什么不同：大小、线程块，还是数值？"};
}

LocalWords inLaunch(LocalWords words, const ExerciseLaunch& launch, int number) {
    const std::string grid = launch.request.launch.grid.value_or(Dim3{1}).text(),
                      block = launch.request.launch.block.value_or(Dim3{1}).text();
    words.en +=
        fmt::format(" (launch {}{}: grid {}, block {})", number, launch.hidden ? ", not shown" : "", grid, block);
    words.zh +=
        fmt::format("（第 {} 次启动{}：网格 {}，线程块 {}）", number, launch.hidden ? "，未公开" : "", grid, block);
    return words;
}
LocalWords mostAtLine(LocalWords words, int line) {
    words.en += fmt::format(", most of it at line {}", line);
    words.zh += fmt::format("，大部分在第 {} 行", line);
    return words;
}

LocalWords state(GoalState state) {
    switch (state) {
    case GoalState::Reached:
        return {"reached", "达到"};
    case GoalState::Missed:
        return {"missed", "未达到"};
    case GoalState::NotJudged:
        break;
    }
    return {"not judged", "未评判"};
}

} // namespace warpglass::session::words
