// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.

SENTENCE(MemoryRemedy, "Ask for less, or set the variable WARPGLASS_MEMORY to a larger limit, such as 32G.",
         "请减少用量，或将变量 WARPGLASS_MEMORY 设为更大的上限，例如 32G。")

// Memory and the emulator's process
SENTENCE(NotEnoughToRun, "there is not enough memory here to run %1", "这里的内存不足以运行 %1")
SENTENCE(NotEnough, "there is not enough memory here for this", "这里的内存不足以完成此操作")
SENTENCE(SmallerSize, "Choose a smaller size, or record less detail.", "请选择更小的规模，或减少记录的细节。")
SENTENCE(SmallerOrClose,
         "Choose a smaller size, record less detail, or close other programs.",
         "请选择更小的规模、记录更少的细节，或关闭其他程序。")
SENTENCE(EmulatorBroke, "the emulator itself broke here (%1)", "模拟器自身在此出错（%1）")
SENTENCE(EmulatorBrokeSaying, "the emulator itself broke here (%1): %2", "模拟器自身在此出错（%1）：%2")
SENTENCE(EndedBySignal, "signal %1", "信号 %1")
SENTENCE(EndedWithStatus, "status %1", "状态 %1")
SENTENCE(NotWorkedOut, "\"%1\" cannot be worked out: %2", "无法计算“%1”：%2")
SENTENCE(TracesInTwoPlaces, "its traces lie in two places, or nowhere", "其轨迹分在两处，或根本没有")
SENTENCE(NoAnswer, "no answer", "没有应答")
SENTENCE(ReportIt,
         "Please report it, with the kernel's file, its launch (grid, block, arguments, options) and \"Warpglass %1\".",
         "请报告此问题，并附上核函数文件、其启动方式（网格、线程块、实参、选项）和“Warpglass %1”。")
SENTENCE(CageNotStarted, "the process that runs strangers' kernels cannot be started (%1)", "无法启动运行他人核函数的进程（%1）")
SENTENCE(CageNotThere, "the process that runs strangers' kernels is not there: %1", "找不到运行他人核函数的进程：%1")
SENTENCE(CageOfAnotherBuild, "the process that runs strangers' kernels is of another build than this program: %1",
         "运行他人核函数的进程与本程序不是同一次构建的：%1")
SENTENCE(InstallAgain, "Install Warpglass again, or build all of it.", "请重新安装 Warpglass，或重新完整构建。")
SENTENCE(TookProcessorTime, "the run took more than %1 {second|seconds} of the processors", "运行占用处理器超过 %1 秒")
SENTENCE(NotUnderstood, "what was asked is not understood", "无法理解所请求的内容")
SENTENCE(BuildAgain, "Build all programs again.", "请重新构建所有程序。")
SENTENCE(NoLandlock,
         "this system has no Landlock: what a stranger's kernel runs in is closed off by a filter of system calls alone, "
         "and a hand-in's compiler may read what this user may",
         "此系统没有 Landlock：他人的核函数所在的进程仅由系统调用过滤器隔离，编译提交代码的编译器可读取此用户能读取的一切")
SENTENCE(NoSeccomp,
         "this system has no filter of system calls (seccomp): what a stranger's kernel runs in is closed off by Landlock "
         "and limits alone",
         "此系统没有系统调用过滤器（seccomp）：他人的核函数所在的进程仅由 Landlock 和各项限制隔离")
SENTENCE(NoWalls,
         "this system has neither a filter of system calls (seccomp) nor Landlock: what a stranger's kernel runs in is a "
         "process of its own with limits, and no more",
         "此系统既没有系统调用过滤器（seccomp）也没有 Landlock：他人的核函数在一个有限制的独立进程中运行，此外再无隔离")

// Files
SENTENCE(FileNotWritten, "the file cannot be written%1", "无法写入文件%1")
SENTENCE(FileCannotWrite, "the file cannot be written: %1", "无法写入文件：%1")
SENTENCE(FileIsRead, "the file to write is the one that is read", "要写入的文件正是所读取的文件")
SENTENCE(AnotherName, "Give another name for what is written.", "请为写入的内容另取名称。")
SENTENCE(FileTooLarge,
         "the file has more than %1 MB, which is more than is read of such a file",
         "文件超过 %1 MB，超出此类文件的读取上限")
SENTENCE(FileNotRead, "the file cannot be read (%1)", "文件无法读取（%1）")
SENTENCE(FileIsFolder, "the file cannot be read: it is a folder", "无法读取文件：这是一个文件夹")
SENTENCE(CheckPath, "Check the path.", "请检查路径。")
SENTENCE(FileIsPipe,
         "the file cannot be read: it is a pipe, a socket or a device, which may never end",
         "无法读取文件：这是管道、套接字或设备，可能永远读不完")
SENTENCE(WriteIntoFile, "Write what it gives into a file.", "请先把其内容写入文件。")

// Recordings
SENTENCE(TableOf, "table %1: %2", "表 %1：%2")
SENTENCE(TableMoreRows, "table %1 is damaged: it has more than its %2 {row|rows}", "表 %1 已损坏：行数超过应有的 %2 行")
SENTENCE(TableRowColumn, "table %1 is damaged in row %2, column %3", "表 %1 的第 %2 行、%3 列已损坏")
SENTENCE(TableRowsInstead, "table %1 is damaged: it has %2 {row|rows} instead of %3", "表 %1 已损坏：有 %2 行，应有 %3 行")
SENTENCE(TableRowsOther,
         "table %1 is damaged: its rows are not those that were written",
         "表 %1 已损坏：其中的行不是当初写入的")
SENTENCE(TableChunksOther,
         "table %1 is damaged: its chunks are not those that were written",
         "表 %1 已损坏：其中的数据块不是当初写入的")
SENTENCE(TableChunkPlace, "table %1 is damaged: chunk %2 is not in its place", "表 %1 已损坏：数据块 %2 不在原位")
SENTENCE(TableChunkSize, "table %1 is damaged: chunk %2 has an odd size", "表 %1 已损坏：数据块 %2 的大小不对")
SENTENCE(TableLastChunk, "table %1 is damaged: its last chunk is too large", "表 %1 已损坏：最后一个数据块过大")
SENTENCE(TableChunkNumbers,
         "table %1, chunk %2 is damaged: its numbers cannot be unpacked",
         "表 %1 的数据块 %2 已损坏：其中的数字无法解开")
SENTENCE(TableTables, "table tables is damaged", "表 tables 已损坏")
SENTENCE(TableNotListed, "table tables is damaged: it does not list table %1", "表 tables 已损坏：它没有列出表 %1")
SENTENCE(TableChunks,
         "table chunks is damaged: it has chunks of a table that there is none of",
         "表 chunks 已损坏：其中有不存在的表的数据块")
SENTENCE(FileDamaged, "the file is damaged (%1)", "文件已损坏（%1）")
SENTENCE(FileOverlaps, "the file is damaged: table %1 lies where another one does", "文件已损坏：表 %1 与另一个表重叠")
SENTENCE(FilePageSize, "the file is damaged at offset 16: impossible page size", "文件在偏移 16 处已损坏：页大小不合法")
SENTENCE(FileNoEnd,
         "the file is damaged, or its reading was cancelled: it does not come to an end",
         "文件已损坏，或读取被取消：读不到结尾")
SENTENCE(FileLongBlob,
         "the file is damaged: it holds a text or a blob that is longer than any that Warpglass writes",
         "文件已损坏：其中有一段文本或数据比 Warpglass 写出的任何一段都长")
SENTENCE(DiskFull, "the disk is full", "磁盘已满")
SENTENCE(FreeSpace, "Free some space, or write to another disk.", "请腾出空间，或写入另一个磁盘。")
SENTENCE(FileReadWrite, "the file cannot be read or written (%1)", "文件无法读写（%1）")
SENTENCE(FileForeignThing,
         "the file is not as Warpglass writes it: it has a %1 \"%2\"",
         "文件不是 Warpglass 写出的样子：其中有 %1“%2”")
SENTENCE(RecordingMemory,
         "the recording takes %1 of memory when it is read, and %2 is the limit",
         "读取此录制需要 %1 内存，而上限为 %2")
SENTENCE(ReadingCancelled, "reading was cancelled", "读取已取消")
SENTENCE(WritingCancelled, "writing was cancelled", "写入已取消")
SENTENCE(NoSuchFile, "there is no such file", "没有这个文件")
SENTENCE(FolderNoRecording, "this is a folder, not a recording", "这是文件夹，不是录制文件")
SENTENCE(NotRegular, "this is not a regular file", "这不是普通文件")
SENTENCE(FileNotOpened, "the file cannot be opened (%1)", "文件无法打开（%1）")
SENTENCE(FileEmpty, "the file is empty", "文件是空的")
SENTENCE(NoRecording,
         "this is not a Warpglass recording (offset 0 holds something else)",
         "这不是 Warpglass 录制文件（偏移 0 处是别的内容）")
SENTENCE(CutInHeader, "the file is cut off at offset %1, within its header", "文件在偏移 %1 处被截断，尚在文件头之内")
SENTENCE(CutAt, "the file is cut off at offset %1; it should have %2 {byte|bytes}", "文件在偏移 %1 处被截断；应有 %2 字节")
SENTENCE(OfWholeProgram, "this is the recording of a whole program, of many launches", "这是整个程序的录制，包含多次启动")
SENTENCE(ListThem,
         "List them with \"warpglass-record launches\". Open the launch-NNNNNN.wgt that you want where such files lie beside "
         "it; else give --launch.",
         "请用“warpglass-record launches”列出它们。若旁边有 launch-NNNNNN.wgt，请打开所需的那个；否则请用 --launch 指定。")
SENTENCE(OtherDatabase,
         "this is an SQLite database, but not a Warpglass recording (offset 68 holds another program's mark)",
         "这是 SQLite 数据库，但不是 Warpglass 录制文件（偏移 68 处是另一程序的标记）")
SENTENCE(NewerRecording,
         "the recording was written by a newer Warpglass (format %1, this program reads up to %2; offset 60)",
         "此录制由更新的 Warpglass 写出（格式 %1，本程序最多读取 %2；偏移 60）")
SENTENCE(UpdateToOpen, "Update Warpglass to open it.", "请更新 Warpglass 后再打开。")
SENTENCE(NoFormatVersion, "the recording has no format version (offset 60)", "录制没有格式版本（偏移 60）")
SENTENCE(NotRecorded, "the recording could not be written: %1", "无法写入录制：%1")
SENTENCE(RecordingWrite, "the recording could not be written (%1)", "无法写入录制（%1）")
SENTENCE(RecordingFolder, "the recording could not be written: this is a folder", "无法写入录制：这是一个文件夹")
SENTENCE(RecordingNoFolder,
         "the recording could not be written: the folder %1 does not exist",
         "无法写入录制：文件夹 %1 不存在")
SENTENCE(NameOfFile, "Give the name of a file.", "请给出文件的名称。")
SENTENCE(FolderForFiles, "Choose a folder in which you may create files.", "请选择可在其中创建文件的文件夹。")
SENTENCE(ExportNotWritten, "the export could not be written", "无法写入导出内容")
SENTENCE(CheckFolderDisk,
         "Check that the folder may be written to and that the disk is not full.",
         "请检查文件夹可写且磁盘未满。")
SENTENCE(ExportFolder, "the folder for the export could not be made", "无法创建导出文件夹")
SENTENCE(NameOfFolder, "Give the name of a folder, new or existing.", "请给出文件夹的名称，新的或已有的均可。")
SENTENCE(ExportCancelled, "the export was cancelled", "导出已取消")
SENTENCE(PartEmpty, "a part from %1 to %2 is empty", "从 %1 到 %2 的部分是空的")
SENTENCE(EndAfterBegin, "Give an end after the begin.", "终点须在起点之后。")
SENTENCE(NothingRan, "nothing ran from %1 to %2", "从 %1 到 %2 没有任何运行")
SENTENCE(RunIsFrom, "The run is from %1 to %2 %3.", "此次运行从 %1 到 %2 %3。")

// Recordings of programs
SENTENCE(ProgramDamaged, "the recording of a program is damaged: %1", "程序的录制已损坏：%1")
SENTENCE(ProgramRowLong, "a row is longer than any that Warpglass writes", "有一行比 Warpglass 写出的任何一行都长")
SENTENCE(ProgramChunkLength, "a chunk is not as long as it should be", "数据块的长度不对")
SENTENCE(ProgramMemory, "the recording of a program takes more than %1 of memory", "程序的录制占用超过 %1 内存")
SENTENCE(ProgramChunkPacked, "a chunk does not unpack", "数据块无法解开")
SENTENCE(ProgramOperations, "the operations are of another size", "操作的大小不对")
SENTENCE(ProgramShapes, "the shapes are of another size", "形状的大小不对")
SENTENCE(NoProgram, "this is no recording of a program", "这不是程序的录制")
SENTENCE(NewerProgram, "a newer Warpglass has written this recording", "此录制由更新的 Warpglass 写出")
SENTENCE(LaunchMissing, "a launch's trace is missing", "缺少某次启动的轨迹")
SENTENCE(LaunchNotWritten, "the launch's trace cannot be written", "无法写入这次启动的轨迹")
SENTENCE(JournalNotWritten, "the journal cannot be written: %1", "无法写入日志：%1")
SENTENCE(JournalTakes, "It takes %1 MB at first.", "它起初需要 %1 MB。")
SENTENCE(NothingRecorded, "nothing of the program could be recorded", "程序的任何内容都无法录制")
SENTENCE(FreeThere,
         "Free some space there, or record to another disk with -o.",
         "请在那里腾出空间，或用 -o 录制到另一个磁盘。")
SENTENCE(NoJournal, "this is no journal of a program", "这不是程序的日志")
SENTENCE(NoLaunchRange, "\"%1\" is no launch or range of launches", "“%1”不是启动或启动范围")
SENTENCE(LaunchRanges, "Write numbers from 0 and ranges: 0,3,10-12.", "请写从 0 起的编号和范围：0,3,10-12。")
SENTENCE(NoLaunchNamed, "no launch is named", "没有指定启动")
SENTENCE(LaunchExample, "Write 0,3,10-12.", "请写 0,3,10-12。")
SENTENCE(CodeUnreadable, "the device code in the program cannot be read: %1", "无法读取程序中的设备代码：%1")
SENTENCE(CutShort, "it is cut short", "它被截断")
SENTENCE(UnknownContainer, "it is no container of a version known here", "它不是已知版本的容器")
SENTENCE(ImageTooLong, "an image is longer than its container", "映像比其容器长")
SENTENCE(ImageOutside, "an image is longer than its place", "映像比其位置长")
SENTENCE(WrapperVersion, "its wrapper is of a version that is not known here", "其包装的版本未知")
SENTENCE(ImageUnpacksTooMuch, "an image says that it unpacks to more than it can", "映像声称解开后的大小不可能达到")
SENTENCE(ImagePacked, "an image does not unpack", "映像无法解开")
SENTENCE(Lz4Damaged, "an LZ4 image in the program is damaged", "程序中的 LZ4 映像已损坏")

// Errors as parts of other sentences
SENTENCE(Placed, "%1: %2", "%1：%2")
SENTENCE(WithRemedy, "%1. %2", "%1。%2")
SENTENCE(OneAfterAnother, "%1 %2", "%1%2")

// Tables of a recording
SENTENCE(DataBeginning, "its compressed data have no sound beginning", "其压缩数据的开头已损坏")
SENTENCE(DataDamaged, "its compressed data are damaged (%1)", "其压缩数据已损坏（%1）")
SENTENCE(ColumnWidths, "its columns have impossible widths", "其列的宽度不合法")
SENTENCE(DataLength, "its data are too short or too long", "其数据过短或过长")
SENTENCE(TraceRows, "table trace has %1 rows, not one", "表 trace 有 %1 行，而不是一行")
SENTENCE(RowOfNothing, "table %1 names %2 %3, which does not exist", "表 %1 指向不存在的 %2 %3")
SENTENCE(NameOfLines, "table %1, row %2: a name of several lines, which nothing has", "表 %1 第 %2 行：名称有多行，没有东西有这样的名称")
SENTENCE(NameTooLong, "table %1, row %2: a name of %3 bytes, which nothing has", "表 %1 第 %2 行：名称有 %3 字节，不会有这么长的名称")
SENTENCE(DroppedWithBlocks, "table launches, row %1: it was dropped and has blocks", "表 launches 第 %1 行：启动已被丢弃，却有线程块")
SENTENCE(LaunchedByItself,
         "table launches, row %1: it is launched by a launch below it",
         "表 launches 第 %1 行：启动它的是它自己下层的启动")

// Reports of other profilers
SENTENCE(ReportNotNcu, "nothing in it is a page of Nsight Compute as CSV", "其中没有 Nsight Compute 的 CSV 页面")
SENTENCE(ReportRaw,
         "Write one with \"ncu --import REPORT.ncu-rep --csv --page raw\"; lines and samples with \"--page source "
         "--print-source cuda,sass\".",
         "请用“ncu --import REPORT.ncu-rep --csv --page raw”写出；源码行和采样用“--page source --print-source cuda,sass”。")
SENTENCE(ReportDetails, "this is the details page, whose numbers are rounded and named for people",
         "这是 details 页面，其中的数值经过取整，名称也是供人阅读的")
SENTENCE(ReportRow, "the row has %1 {field|fields}, and its heading %2", "此行有 %1 个字段，而表头有 %2 个")
SENTENCE(ReportTooLong, "it holds more than can be read: %1 {row|rows} at most", "内容超出可读取的范围：最多 %1 行")
SENTENCE(ReportNoLaunch, "it tells of no launch", "其中没有任何启动")
SENTENCE(NsysNoWork, "it is no export of Nsight Systems with work of a GPU in it", "它不是含有 GPU 工作的 Nsight Systems 导出文件")
SENTENCE(NsysRemedy,
         "Trace with \"nsys profile --trace=cuda\" and export with \"nsys export --type sqlite REPORT.nsys-rep\".",
         "请用“nsys profile --trace=cuda”跟踪，再用“nsys export --type sqlite REPORT.nsys-rep”导出。")
SENTENCE(NcuNotThere, "reading .ncu-rep takes NVIDIA's ncu, which is not here", "读取 .ncu-rep 需要 NVIDIA 的 ncu，而这里没有")
SENTENCE(NcuFailed, "ncu could not read it: %1", "ncu 无法读取它：%1")
SENTENCE(ScopesNone, "it holds no ranges that were timed inside a kernel", "其中没有在核函数内部计时的区间")
SENTENCE(ScopesRemedy,
         "Give the .chrome_trace of Proton (backend=\"instrumentation\", data=\"trace\") or the .json of \"run-iket profile "
         "--postprocess json\".",
         "请给出 Proton 的 .chrome_trace（backend=\"instrumentation\"，data=\"trace\"），或“run-iket profile --postprocess json”写出的 .json。")
SENTENCE(ScopesOfOthers, "it tells of %1, not of %2", "它记录的是 %1，而不是 %2")
SENTENCE(ScopesNoTimes, "its ranges have times, and this run has none: it was not timed", "区间带有时间，而这次运行没有：它没有计时")
