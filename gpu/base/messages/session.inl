// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.

// Launches
SENTENCE(NoKernelHere,
         "there is no kernel \"%1\" in the catalogue, and it is no .ptx or .cu file",
         "目录中没有核函数“%1”，它也不是 .ptx 或 .cu 文件")
SENTENCE(WordIsNone, "the recording's word for %1 is none: \"%2\"", "此录制中 %1 的内容无效：“%2”")
SENTENCE(NotAsItWas, "The launch of this recording cannot be run again just as it was", "此录制的启动无法原样再次运行")
SENTENCE(OpenOwnFile,
         "Open the kernel's own file (.cu or .ptx), run it with its arguments, and ask there.",
         "请打开该核函数自己的文件（.cu 或 .ptx），用它的实参运行，再在那里提问。")
SENTENCE(NotInGallery,
         "This recording holds no launch that can be run again: its kernel is not in the gallery",
         "此录制中没有可以再次运行的启动：它的核函数不在核函数库中")
SENTENCE(CodeAlone,
         "This launch cannot be run again from its recording: the program carries no PTX of its kernel, and machine code "
         "is shown, never executed in place of a GPU",
         "无法从此录制再次运行这次启动：程序中没有其核函数的 PTX，而机器码只供查看，绝不代替 GPU 执行")
SENTENCE(ShowsCode,
         "warpglass-record sass shows its code. Built with PTX (code=compute_90 beside code=sm_90) it can be run again.",
         "warpglass-record sass 会显示它的代码。若构建时带有 PTX（code=sm_90 之外再加 code=compute_90），它便可以再次运行。")
SENTENCE(DataNotKept,
         "This launch cannot be run again from its recording: some of its data came from a file that was too large to be "
         "kept",
         "无法从此录制再次运行这次启动：它的部分数据来自一个太大而没有保留的文件")
SENTENCE(NamesNoKernel,
         "This recording holds no launch that can be run again: it does not name its kernel",
         "此录制中没有可以再次运行的启动：它没有指明核函数")
SENTENCE(TexturesNotKept,
         "This launch of a program cannot be run again from its recording: it uses textures, whose memory is not kept",
         "无法从此录制再次运行程序的这次启动：它使用纹理，而纹理的内存没有保留")
SENTENCE(MemoryNotKept,
         "This launch of a program cannot be run again from its recording: it began with more memory than was to be kept",
         "无法从此录制再次运行程序的这次启动：它开始时的内存超过了要保留的量")
SENTENCE(KeepMoreMemory, "Record the program again with a larger --keep-memory.", "请用更大的 --keep-memory 重新录制该程序。")
SENTENCE(NoLaunchInTrace, "the trace holds no launch", "轨迹中没有启动")
SENTENCE(NoDetailChoice, "\"%1\" is no choice of detail", "“%1”不是有效的细节选项")
SENTENCE(DetailForm,
         "Write none, auto, all, or block: and numbers: block:0,7,31.",
         "请写 none、auto、all，或 block: 加编号：block:0,7,31。")
SENTENCE(ResultWrong, "The result is wrong: %1", "结果有误：%1")
SENTENCE(ResultOfWrong, "the result of %1 is wrong: %2", "%1 的结果有误：%2")
SENTENCE(SweepResultWrong, "the result is wrong: %1", "结果有误：%1")

// Compilers
SENTENCE(NoArchitecture, "\"%1\" is no architecture", "“%1”不是架构")
SENTENCE(ArchitectureForm, "Write it as nvcc does: sm_90.", "请按 nvcc 的写法：sm_90。")
SENTENCE(NoSuchFolder, "there is no such folder", "没有这个文件夹")
SENTENCE(NvrtcAlone,
         "This is NVRTC, which compiles device code alone: a program with a main() needs nvcc (CUDA toolkit; Debian: "
         "nvidia-cuda-toolkit).",
         "这是 NVRTC，它只编译设备代码：带 main() 的程序需要 nvcc（CUDA 工具包；Debian：nvidia-cuda-toolkit）。")
SENTENCE(MendSource, "Mend the source.", "请修改源代码。")
SENTENCE(NoCompiler,
         "a .cu file needs CUDA's compiler, and neither nvcc nor NVRTC can be used here (%1)",
         ".cu 文件需要 CUDA 的编译器，而这里既不能用 nvcc 也不能用 NVRTC（%1）")
SENTENCE(InstallToolkit,
         "Install CUDA's toolkit (Debian: nvidia-cuda-toolkit) and put nvcc on PATH; or compile elsewhere with nvcc -ptx "
         "-lineinfo and open the .ptx file, which needs no compiler.",
         "请安装 CUDA 工具包（Debian：nvidia-cuda-toolkit）并把 nvcc 加入 PATH；或在别处用 nvcc -ptx -lineinfo "
         "编译，再打开不需要编译器的 .ptx 文件。")
SENTENCE(NotStarted, "%1 cannot be started", "无法启动 %1")
SENTENCE(ArchitectureLetter,
         "For what only this architecture has, write --arch sm_%1a.",
         "若要使用只有此架构才有的功能，请写 --arch sm_%1a。")
SENTENCE(DefinesNothing, "\"%1\" defines nothing", "“%1”没有定义任何内容")
SENTENCE(DefineForm, "Write NAME or NAME=VALUE.", "请写 NAME 或 NAME=VALUE。")
SENTENCE(ShellCharacters, "\"%1\" has characters that a shell would follow", "“%1”含有 shell 会解释的字符")
SENTENCE(ShellRemedy,
         "nvcc hands its options to a shell. Leave out $, `, ;, |, &, < and >.",
         "nvcc 把选项交给 shell。请去掉 $、`、;、|、&、< 和 >。")
SENTENCE(NoTemporaryFolder, "no folder for temporary files can be made here", "无法在此处创建存放临时文件的文件夹")
SENTENCE(LetTmpdir,
         "Let the variable TMPDIR name a folder that can be written to.",
         "请让变量 TMPDIR 指向一个可写的文件夹。")
SENTENCE(NvccSilent, "nvcc failed without a word", "nvcc 失败，没有给出说明")
SENTENCE(NvccFailed, "nvcc failed: %1", "nvcc 失败：%1")
SENTENCE(InstanceForm,
         "Write the instance as C++ does, with the name's template arguments: scale<float, 128>.",
         "请按 C++ 的写法给出实例，带模板实参：scale<float, 128>。")
SENTENCE(CompilerEndless, "the compiler was stopped: it did not come to an end", "编译器已被停止：它迟迟不结束")
SENTENCE(CompilerKilled,
         "the compiler was killed: it took too much memory, or was interrupted",
         "编译器被终止：占用内存过多，或被中断")
SENTENCE(LookForEndless,
         "Look for an include without end or a template that recurs for ever.",
         "请检查没有尽头的包含或无限递归的模板。")

// Hand-ins
SENTENCE(NotGraded, "it could not be graded: %1", "无法评判：%1")
SENTENCE(GradingStopped, "the grading was stopped", "评判已停止")
SENTENCE(FileNoKernel, "the file has no kernel", "文件中没有核函数")
SENTENCE(NotSavedNowhere,
         "the kernel is not saved: another program has changed it, and what it wrote there can be kept nowhere",
         "核函数未保存：其他程序修改了它，而那份内容无处可留")
SENTENCE(SaveAnotherName, "Save it under another name.", "请另存为其他名称。")
SENTENCE(VariablesOfFile, "The variables of its file are %1.", "其文件的变量有 %1。")

// Kernels, arguments and variables of files
SENTENCE(OwnArguments, "%1 is a kernel of the catalogue and brings its own arguments", "%1 是目录中的核函数，自带实参")
SENTENCE(UseSizeSet,
         "Use --size and --set to change them; --arg and --kernel are for .ptx and .cu files.",
         "请用 --size 和 --set 更改；--arg 和 --kernel 用于 .ptx 和 .cu 文件。")
SENTENCE(ListShowsAll, "warpglass-record list shows them all.", "warpglass-record list 会全部列出。")
SENTENCE(PerhapsYouMeant, "Perhaps you meant %1.", "也许是 %1。")
SENTENCE(NoEmulatedDevice, "the emulator knows no device \"%1\"", "模拟器不认识设备“%1”")
SENTENCE(ItCanBe, "It can be %1.", "可以是 %1。")
SENTENCE(NothingLeadsTo, "nothing of this launch leads to \"%1\"", "这次启动中没有任何内容指向“%1”")
SENTENCE(GiveToParameter,
         "Give it to a parameter: --arg NAME:ptr=%1; a texture reference of the file is bound by its own name.",
         "请交给一个参数：--arg NAME:ptr=%1；文件的纹理引用以其自己的名称绑定。")
SENTENCE(SeveralOfName, "\"%1\" is the name of several kernels", "“%1”是几个核函数的名称")
SENTENCE(SayWhich, "Say which with --kernel: %1.", "请用 --kernel 指明：%1。")
SENTENCE(ItsKernels, "Its kernels are %1.", "其核函数有 %1。")
SENTENCE(NoKernelNamed, "the file has no kernel \"%1\"", "文件中没有核函数“%1”")
SENTENCE(TemplateInstance,
         "A kernel is a __global__ function; a template needs its instance named: --kernel 'scale<float, 128>'.",
         "核函数是 __global__ 函数；模板须指明实例：--kernel 'scale<float, 128>'。")
SENTENCE(GlobalFunction, "A kernel is a __global__ function.", "核函数是 __global__ 函数。")
SENTENCE(SeveralKernels, "the file has more than one kernel", "文件中有多个核函数")
SENTENCE(EmulatorAlone, "a launch of a program is made again on the emulator alone", "程序的启动只能在模拟器上重做")
SENTENCE(RecordWhole, "Record the whole program with --backend cuda.", "请用 --backend cuda 录制整个程序。")
SENTENCE(SetForCatalogue, "--set is for kernels of the catalogue", "--set 用于目录中的核函数")
SENTENCE(UseArg, "Use --arg.", "请使用 --arg。")
SENTENCE(NoVariableNamed, "the file has no variable \"%1\"", "文件中没有变量“%1”")
SENTENCE(ItsVariables, "Its variables are %1.", "其变量有 %1。")
SENTENCE(NoVariablesAtAll, "It has none at all.", "它根本没有变量。")
SENTENCE(KnownWithoutType, "the PTX knows %1 as %2 {byte|bytes} without a type", "PTX 只知道 %1 是 %2 字节，没有类型")
SENTENCE(WriteGlobal,
         "Write --global %1:f32[%2]=INITIAL, or what type it has.",
         "请写 --global %1:f32[%2]=INITIAL，或其实际类型。")
SENTENCE(LessThanGiven, "%1 has %2 {byte|bytes}, less than is given", "%1 有 %2 字节，少于所给出的")
SENTENCE(NotCatalogueKernel,
         "%1 is no kernel of the catalogue and cannot be run again from its trace",
         "%1 不是目录中的核函数，无法从其轨迹再次运行")

// Programs
SENTENCE(NoVirtualDevice, "the virtual device's libraries are not beside this program", "虚拟设备的库不在本程序旁边")
SENTENCE(InstallVirtual,
         "Install the package warpglass-virtual, or build the target warpglass_virtual_names.",
         "请安装软件包 warpglass-virtual，或构建目标 warpglass_virtual_names。")
SENTENCE(NoProgramPart, "this Warpglass has no part for programs on a GPU", "这个 Warpglass 不含在 GPU 上运行程序的部分")
SENTENCE(InstallSeat,
         "Install the package warpglass-seat, build where a CUDA toolkit is, or record on the emulator.",
         "请安装软件包 warpglass-seat，或在装有 CUDA 工具包的机器上构建，或在模拟器上录制。")
SENTENCE(CannotBeRun, "this cannot be run", "这无法运行")
SENTENCE(NoSuchProgram, "there is no such program", "没有这个程序")
SENTENCE(NoProcess, "no process can be started", "无法启动进程")
SENTENCE(NoProcessWhy, "no process can be started: %1", "无法启动进程：%1")
SENTENCE(ChooseOfDevices, "Choose one of warpglass-record devices.", "请从 warpglass-record devices 中选择。")
SENTENCE(NeverUsedDevice, "the program never used the device; nothing is recorded", "程序从未使用设备；没有录制任何内容")
SENTENCE(FolderNotWritten, "the folder cannot be written: %1", "无法写入文件夹：%1")
SENTENCE(StillIn, "What was recorded is still in %1.", "已录制的内容仍在 %1。")
SENTENCE(CarriesRuntime,
         "the program carries CUDA's runtime in itself, which runs on NVIDIA's driver only",
         "程序自带 CUDA 运行时，只能在 NVIDIA 驱动程序上运行")
SENTENCE(BuildShared,
         "Build it with nvcc -cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared), or give the .cu files and it is built so.",
         "请用 nvcc -cudart shared 构建（CMake：CUDA_RUNTIME_LIBRARY Shared），或给出 .cu 文件由此处这样构建。")
SENTENCE(NvccNotFound,
         "a program in .cu files needs CUDA's compiler, and nvcc is not found here",
         ".cu 文件中的程序需要 CUDA 的编译器，而这里找不到 nvcc")
SENTENCE(InstallNvcc,
         "Install CUDA's toolkit (Debian: nvidia-cuda-toolkit) and put nvcc on PATH, or build elsewhere with nvcc -cudart "
         "shared and give the program.",
         "请安装 CUDA 工具包（Debian：nvidia-cuda-toolkit）并把 nvcc 加入 PATH，或在别处用 nvcc -cudart shared "
         "构建后给出程序。")
SENTENCE(NoMain, "nothing to be built has a main()", "要构建的内容中没有 main()")
SENTENCE(GiveMain,
         "Give the file that has it, too; a kernel alone is run by warpglass-record run FILE.cu --kernel NAME.",
         "请一并给出含有它的文件；单独的核函数用 warpglass-record run FILE.cu --kernel NAME 运行。")
SENTENCE(GiveAllFiles,
         "Give all files of the program, and libraries with --nvcc -lNAME.",
         "请给出程序的所有文件，库用 --nvcc -lNAME 给出。")
SENTENCE(TraceNotMoved, "the launch's trace cannot be moved: %1", "无法移动这次启动的轨迹：%1")
SENTENCE(NotMadeByYou,
         "the recording was not made by you on this machine, and it is not followed in what it says is to be run",
         "此录制不是你在本机上制作的，因此不会按其中所写运行任何内容")
SENTENCE(RecordIfTrusted,
         "If you trust it, record the program itself once more: warpglass-record program.",
         "如果信任它，请重新录制程序本身：warpglass-record program。")
SENTENCE(NotHowStarted,
         "the recording does not say how the program was started: another program started it, or an older Warpglass "
         "recorded it",
         "录制没有说明程序如何启动：由另一程序启动，或由较旧的 Warpglass 录制")
SENTENCE(RecordOnceMore,
         "Record the program itself once more: warpglass-record program.",
         "请重新录制程序本身：warpglass-record program。")
SENTENCE(RecorderNotBeside,
         "warpglass-record, which runs programs, is not beside this program",
         "运行程序的 warpglass-record 不在本程序旁边")
SENTENCE(RecordingFolderUnwritable, "the recording's folder cannot be written", "无法写入录制的文件夹")
SENTENCE(StartFolderGone,
         "the folder in which the program was started is not there any more",
         "启动程序时所在的文件夹已不存在")
SENTENCE(MoreStopped, "recording more launches was stopped", "已停止录制更多启动")
SENTENCE(NotRunAgain, "the program could not be run again", "无法再次运行程序")
SENTENCE(NotRunAgainWhy, "the program could not be run again: %1", "无法再次运行程序：%1")

// Sweeps
SENTENCE(NoSweepPart, "this is no part of a sweep, or it is damaged", "这不是扫描的一部分，或已损坏")
SENTENCE(TakeAwayRunAgain, "Take it away and run that part again.", "请移走它并重新运行该部分。")
SENTENCE(CannotBeWritten, "cannot be written: %1", "无法写入：%1")
SENTENCE(PartUnknown, "\"%1\" is no part", "“%1”不是有效的部分编号")
SENTENCE(PartForm, "Write 3/16 for the third of sixteen.", "第三个（共十六个）写作 3/16。")
SENTENCE(OtherSweepPart, "this file is a part of another sweep, or another part", "此文件是另一次扫描的一部分，或是另一部分")
SENTENCE(OtherOutput, "Give -o another name, or take the file away.", "请给 -o 另一个名称，或移走该文件。")
SENTENCE(PartRunning, "another process is running this part", "另一个进程正在运行此部分")
SENTENCE(PartOfOther, "this is a part of another sweep than %1", "这与 %1 不是同一次扫描的部分")
SENTENCE(PartTwice, "this is part %1 of %2, as %3 is", "这是第 %1 部分（共 %2），与 %3 相同")
SENTENCE(PartUnfinished,
         "part %1 of %2 is unfinished: %3 of its %4 launches are there",
         "第 %1 部分（共 %2）未完成：%4 次启动中已有 %3 次")
SENTENCE(StartAgain, "Start its command again; it goes on where it was.", "请重新执行其命令；它会从中断处继续。")
SENTENCE(NoPartNamed, "no part was named", "没有指定部分")
SENTENCE(PartsMissing, "of the %1 parts these are missing: %2", "共 %1 个部分，缺少：%2")

// Of what a session, the window or the catalogue is asked
SENTENCE(NumberExpected, "a number or an expression was expected", "应为数字或表达式")
SENTENCE(ClaimBroken, "claim %1: %2", "论断 %1：%2")
SENTENCE(IsMissing, "it is missing", "缺少该项")
SENTENCE(ClaimsNotRead, "the claims cannot be read", "无法读取论断")
SENTENCE(NoTableOfLaunches,
         "this is no table of launches: its first line has no column \"kernel\"",
         "这不是启动的表格：其首行没有“kernel”列")
SENTENCE(IsNo, "\"%1\" is no %2", "“%1”不是 %2")
SENTENCE(TableWithoutRows, "the table has no row", "表格没有数据行")
SENTENCE(NoSuchParameter, "%1 has no parameter %2", "%1 没有参数 %2")
SENTENCE(HasNone, "It has none.", "它没有参数。")
SENTENCE(ParametersAre, "It has: %1.", "它有：%1。")
SENTENCE(ParameterOutOfRange, "%1 = %2 is out of its range", "%1 = %2 超出其范围")
SENTENCE(ChooseFromTo, "Choose from %1 to %2.", "请在 %1 到 %2 之间选择。")
SENTENCE(NoExercise, "there is no exercise \"%1\"", "没有练习“%1”")
SENTENCE(ExercisesAre, "There are %1; and any .json file of an exercise.", "有 %1；也可以是任何练习的 .json 文件。")
SENTENCE(ExpectationNotUnderstood, "the expectation \"%1\" is not understood: %2", "无法理解期望“%1”：%2")
SENTENCE(FactsAreListed,
         "The facts that can be asked for are listed in docs/lessons.md.",
         "可以询问的事实列在 docs/lessons.md 中。")
SENTENCE(NoSuchElement, "\"%1\": there is no such element of a buffer", "“%1”：缓冲区没有这个元素")
SENTENCE(NotComputed, "\"%1\" cannot be computed: %2", "无法计算“%1”：%2")
SENTENCE(ArgumentsGiven, "%1 takes %2 {argument|arguments} and %3 {was|were} given", "%1 需要 %2 个实参，给出了 %3 个")
SENTENCE(LeaveArgOut, "Leave --arg out.", "请去掉 --arg。")
SENTENCE(OneArgEach, "Give one --arg each, in order: %1.", "请按顺序各给一个 --arg：%1。")
SENTENCE(ArgumentOfBytes,
         "argument \"%1\" has %2 {byte|bytes} and the kernel's parameter %3 has %4",
         "实参“%1”有 %2 字节，而核函数的参数 %3 有 %4 字节")
SENTENCE(InTheKernel, "In the kernel %1.", "在核函数中：%1。")
SENTENCE(ArgumentOtherNumber,
         "argument \"%1\" is of type %2, whose bits are another number in the kernel's parameter %3",
         "实参“%1”的类型是 %2，其位模式在核函数的参数 %3 中是另一个数")
SENTENCE(BufferOtherNumbers,
         "argument \"%1\" is a buffer of %2, and the kernel's parameter %3 leads to other numbers",
         "实参“%1”是 %2 的缓冲区，而核函数的参数 %3 指向另一种数")
SENTENCE(InTheKernelBytes,
         "In the kernel %1. Bytes that are meant as they are come by =file: or =hex:.",
         "在核函数中：%1。若要按原样给出字节，请用 =file: 或 =hex:。")
SENTENCE(NotTimed, "the launch was not timed", "这次启动没有计时")
SENTENCE(NoLimitsOnGpu, "a GPU cannot be asked what it would be without its limits", "无法询问 GPU 若没有其限制会怎样")
SENTENCE(UseBackendEmulator, "Use --backend emulator.", "请使用 --backend emulator。")
SENTENCE(MendOrFetch, "Mend the file or fetch it again.", "请修复该文件或重新获取。")
SENTENCE(NoJsonHere, "%1 is not valid JSON here", "%1 在此处不是有效的 JSON")
SENTENCE(NoView, "there is no view \"%1\"", "没有视图“%1”")
SENTENCE(ViewsAre, "Views are: %1.", "视图有：%1。")
SENTENCE(NoLesson, "there is no lesson \"%1\"", "没有课程“%1”")
SENTENCE(LessonsAre, "Lessons are: %1.", "课程有：%1。")
SENTENCE(Cancelled, "cancelled", "已取消")
SENTENCE(OneLaunchNotProgram, "this is the recording of one launch, not of a program", "这是一次启动的录制，而不是程序的录制")
SENTENCE(NoRecordingOfLaunch, "this is no GPU's recording of the launch that is modelled", "这不是 GPU 对所建模的启动的录制")
SENTENCE(BothOfOneKernel,
         "Both must be of one kernel, compiled alike and launched in the same shape.",
         "两者必须是同一个核函数，以相同方式编译并以相同形状启动。")
SENTENCE(NotAligned, "the two traces cannot be aligned at \"%1\"", "两份轨迹无法在“%1”处对齐")
SENTENCE(BothHave, "Both have %1.", "两者都有 %1。")
SENTENCE(LessonNotOpened, "the lesson cannot be opened: %1", "无法打开课程：%1")
SENTENCE(LessonTooLarge, "the lesson cannot be used: it has more than 16 MB", "无法使用课程：它超过 16 MB")
SENTENCE(SettingsNotRead, "the settings beside the kernel cannot be read: %1", "无法读取核函数旁的设置：%1")
SENTENCE(MendOrDelete, "Mend or delete that file.", "请修复或删除该文件。")
SENTENCE(SettingsNotKept, "the settings cannot be kept beside the kernel: %1", "无法在核函数旁保存设置：%1")
SENTENCE(NothingOpen, "nothing is open", "没有打开任何内容")
SENTENCE(TraceWithoutLaunch, "the trace holds no launch, so there is nothing to show", "轨迹中没有启动，因此没有可显示的内容")
SENTENCE(SelectExample,
         "Write for example launch=0,block=2,warp=0,line=10,option:layer=ptx.",
         "例如：launch=0,block=2,warp=0,line=10,option:layer=ptx。")
SENTENCE(SettingsOfOthers,
         "the settings beside the kernel were not made by you, and options of theirs that can start programs are left "
         "out: %1",
         "核函数旁的设置不是由你写入的，其中可启动程序的选项已略去：%1")
SENTENCE(TypeThem, "If you want them, type them as options of the compiler.", "如果需要，请自行输入为编译器选项。")
SENTENCE(KernelNotSaved, "the kernel cannot be saved: %1", "无法保存核函数：%1")
SENTENCE(OtherFolder, "Choose another folder.", "请选择另一个文件夹。")
SENTENCE(NoPlaceToWrite, "the program has no place where it can be written", "没有可写入该程序的位置")
SENTENCE(ProgramNotRun, "the program could not be run", "无法运行该程序")
SENTENCE(ProgramsRunBy, "programs are run by %1, which cannot be started", "程序由 %1 运行，但无法启动它")
SENTENCE(InstallWhole, "Install Warpglass whole, or build the target programs.", "请完整安装 Warpglass，或构建目标 programs。")
SENTENCE(NothingToChart, "there is nothing to chart", "没有可绘制图表的内容")
SENTENCE(FormulaNotUnderstood, "the formula \"%1\" is not understood: %2", "无法理解公式“%1”：%2")
SENTENCE(FieldsOfLine, "this line has %1 fields and the first line %2", "此行有 %1 个字段，而首行有 %2 个")
SENTENCE(AndMore, "%1 (and %2 more)", "%1（另有 %2 条）")

// Who used a word
SENTENCE(NoWordOfMemory, "\"%1\" is no word of memory", "“%1”不是内存中的一个字")
SENTENCE(WriteAWord,
         "Write out[17], tile[3] of block 5, an address: 0x7f0012340000, or a variable of a function's: sum, k at line 12, sum of "
         "block 5 thread 3",
         "请写成 out[17]、tile[3] of block 5、一个地址：0x7f0012340000，或函数中的变量：sum、k at line 12、sum of block 5 thread 3")
SENTENCE(WordsThereAre, "It has %1, and variables by their names.", "它有 %1，以及按名称的变量。")

// Triton
SENTENCE(TritonNotUsed, "a .py file is compiled by the Triton of python3, which cannot be used here (%1)",
         ".py 文件由 python3 的 Triton 编译，而这里无法使用它（%1）")
SENTENCE(InstallTriton,
         "Install it (pip install triton), or name the Python that has it in WARPGLASS_PYTHON. On a machine that has it, "
         "open the .ptx of Triton's cache instead.",
         "请安装它（pip install triton），或在 WARPGLASS_PYTHON 中指出带有它的 Python。也可以改为打开 Triton 缓存中的 .ptx。")
SENTENCE(TritonFunction, "Write a function with @triton.jit.", "请写一个带 @triton.jit 的函数。")
SENTENCE(OfOneLaunch, "this is the recording of a single launch", "这是单次启动的录制")
SENTENCE(LeaveLaunchOut, "Leave --launch out.", "请去掉 --launch。")
SENTENCE(NoLaunchInDetail, "no launch of this program was recorded in detail", "该程序没有详细录制的启动")
SENTENCE(OfSeveralLaunches,
         "this is the recording of a program with several launches",
         "这是含有多次启动的程序的录制")
SENTENCE(LaunchNotInDetail, "launch %1 was not recorded in detail", "启动 %1 没有详细录制")
SENTENCE(GiveLaunchOf, "Give --launch with one of %1.", "请用 --launch 给出其中之一：%1。")
