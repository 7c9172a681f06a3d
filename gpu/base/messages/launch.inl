// SPDX-License-Identifier: GPL-3.0-or-later
// SENTENCE(identifier, English, Chinese): catalogue.h says what stands in the texts. The identifier is its word in files.

// Shapes
SENTENCE(BlockEmpty, "a block of %1 has no threads: its %2 is 0", "大小为 %1 的线程块没有线程：其 %2 为 0")
SENTENCE(EveryAxisOfBlock, "Give every axis of the block at least 1.", "线程块的每个轴至少为 1。")
SENTENCE(BlockTooLarge,
         "a block of %1 has %2 {thread|threads}; %3 (compute capability %4) runs at most %5 {thread|threads} a block",
         "大小为 %1 的线程块有 %2 个线程；%3（计算能力 %4）每块最多运行 %5 个线程")
SENTENCE(BlockMuchTooLarge,
         "a block of %1 has more than %2 {thread|threads}; %3 (compute capability %4) runs at most %5 {thread|threads} a "
         "block",
         "大小为 %1 的线程块有超过 %2 个线程；%3（计算能力 %4）每块最多运行 %5 个线程")
SENTENCE(SmallerBlock, "Make the block smaller and the grid larger.", "请缩小线程块并增大网格。")
SENTENCE(BlockTooLongZ,
         "a block of %1 has %2 {thread|threads} along z; a block may have %3 along z",
         "大小为 %1 的线程块沿 z 有 %2 个线程；沿 z 最多 %3 个")
SENTENCE(GridEmpty, "a grid of %1 has no blocks: its %2 is 0", "大小为 %1 的网格没有线程块：其 %2 为 0")
SENTENCE(EveryAxisOfGrid, "Give every axis of the grid at least 1.", "网格的每个轴至少为 1。")
SENTENCE(GridTooLong,
         "a grid of %1 has %2 {block|blocks} along %3; %4 allows %5 along %6",
         "大小为 %1 的网格沿 %3 有 %2 个线程块；%4 沿 %6 最多允许 %5 个")
SENTENCE(LargerBlocks, "Make the blocks larger, or let a thread do more.", "请增大线程块，或让每个线程做更多工作。")
SENTENCE(LongestOnX, "Put the longest axis of the grid on x.", "请把网格最长的轴放在 x 上。")
SENTENCE(ChooseGridBlock, "Choose another --grid or --block.", "请选择其他的 --grid 或 --block。")
SENTENCE(CompiledForBlocks,
         "the kernel is compiled for blocks of %1 (%2 {thread|threads}; .reqntid, __block_size__), not of %3",
         "核函数是为大小为 %1（%2 个线程；.reqntid、__block_size__）的线程块编译的，而不是 %3")
SENTENCE(CompiledForMost,
         "the kernel is compiled for at most %1 {thread|threads} a block (.maxntid, __launch_bounds__), not for %2",
         "核函数是为每块最多 %1 个线程（.maxntid、__launch_bounds__）编译的，而不是 %2 个")
SENTENCE(CompiledForClusters,
         "the kernel is compiled for clusters of %1 (%2 {block|blocks}; .reqnctapercluster, __cluster_dims__), not of %3",
         "核函数是为大小为 %1（%2 个线程块；.reqnctapercluster、__cluster_dims__）的集群编译的，而不是 %3")
SENTENCE(ClusterSize,
         "a cluster of %1 has %2 {block|blocks}: it can have 1 to 16",
         "大小为 %1 的集群有 %2 个线程块：可以有 1 到 16 个")
SENTENCE(NoWholeClusters,
         "a grid of %1 is no whole number of clusters of %2",
         "大小为 %1 的网格不是大小为 %2 的集群的整数倍")
SENTENCE(SharedTooMuch,
         "the block needs %1 {byte|bytes} of shared memory; %2 gives a block at most %3 {byte|bytes}",
         "线程块需要 %1 字节共享内存；%2 每块最多提供 %3 字节")
SENTENCE(LessShared,
         "Use less shared memory a block, or choose a device with more.",
         "请减少每块的共享内存，或选择共享内存更多的设备。")

// What a module may have
SENTENCE(ConstantsTooMuch,
         "with %1 the module has %2 {byte|bytes} of constant memory; a GPU has %3",
         "加上 %1，模块有 %2 字节常量内存；GPU 只有 %3")
SENTENCE(SharedOfNoGpu,
         "%1 has %2 {byte|bytes} of shared memory; no GPU gives a block so much",
         "%1 有 %2 字节共享内存；没有 GPU 能给一个线程块这么多")
SENTENCE(ParametersTooMuch,
         "%1 takes more than the %2 {byte|bytes} of parameters that a kernel may have",
         "%1 的参数超过核函数可有的 %2 字节")
SENTENCE(ResultsTooMuch, "the results of %1 take more than %2 {byte|bytes}", "%1 的结果超过 %2 字节")
SENTENCE(HandsOverTooMuch,
         "%1 has %2 {byte|bytes}; what a call hands over has %3 at most",
         "%1 有 %2 字节；一次调用传递的最多 %3")
SENTENCE(LocalTooMuch,
         "with %1 the threads of %2 have %3 {byte|bytes} of local memory each; a GPU has %4 for a thread",
         "加上 %1，%2 的每个线程有 %3 字节局部内存；GPU 每个线程只有 %4")
SENTENCE(SmallerArray, "Use a smaller array, or one in global memory.", "请使用更小的数组，或放在全局内存中。")
SENTENCE(DeviceMemoryTooSmall,
         "the buffers and variables of the launch take %1; %2 has %3",
         "这次启动的缓冲区和变量需要 %1；%2 只有 %3")
SENTENCE(SmallerBuffers,
         "Use smaller buffers, or choose a device with more memory.",
         "请使用更小的缓冲区，或选择内存更大的设备。")
SENTENCE(BuffersTooMuch,
         "the buffers of the launch take %1 of this machine's memory, where the largest of them is copied after the run; %2 "
         "is the limit",
         "这次启动的缓冲区需要本机 %1 内存（运行后会复制其中最大的一个），而上限为 %2")
SENTENCE(GridNotes,
         "a grid of %1 has %2 {block|blocks}, of each of which something is noted: that takes more than %3 of memory, which "
         "is the limit",
         "大小为 %1 的网格有 %2 个线程块，每个都要记下一些内容：所需内存超过上限 %3")
SENTENCE(GridNotesMore,
         "a grid of %1 has more than %2 {block|blocks}, of each of which something is noted: that takes more than %3 of "
         "memory, which is the limit",
         "大小为 %1 的网格有超过 %2 个线程块，每个都要记下一些内容：所需内存超过上限 %3")
SENTENCE(SmallerGrid, "Make the grid smaller.", "请缩小网格。")
SENTENCE(DetailOutside,
         "detail was asked for block %1, but the grid has %2 {block|blocks}",
         "要求了线程块 %1 的细节，而网格有 %2 个线程块")
SENTENCE(ChooseBlockZero, "Choose block 0.", "请选择线程块 0。")
SENTENCE(ChooseBlocks, "Choose blocks from 0 to %1.", "请在 0 到 %1 之间选择线程块。")

// Arguments
SENTENCE(WholeNumberSigned, "a whole number from -%1 to %2", "-%1 到 %2 的整数")
SENTENCE(WholeNumber, "a whole number from 0 to %1", "0 到 %1 的整数")
SENTENCE(IsNot, "\"%1\" is not %2", "“%1”不是%2")
SENTENCE(IsNotContents,
         "\"%1\" is not %2; a buffer begins as a number in all its elements, as numbers between commas and then 0, as iota "
         "(0, 1, 2 ...), random(LOW,HIGH,seed=N) or file:PATH, or, without =, with nothing written",
         "“%1”不是%2；缓冲区的初始内容可以是所有元素的同一个数、以逗号分隔的数（其余为 0）、iota（0、1、2 "
         "…）、random(LOW,HIGH,seed=N) 或 file:PATH；不写 = 则没有写入任何内容")
SENTENCE(InitialValuesFor, "%1 initial {value|values} for %2 {element|elements}", "%2 个元素给出了 %1 个初值")
SENTENCE(RandomForm,
         "random takes a low end, a high end and perhaps a seed: random(0,255,seed=1)",
         "random 需要下限、上限，还可有种子：random(0,255,seed=1)")
SENTENCE(SeedForm, "the seed \"%1\" is not a whole number from 0 to 4294967295", "种子“%1”不是 0 到 4294967295 的整数")
SENTENCE(RandomEnds, "random's low end is above its high end", "random 的下限高于上限")
SENTENCE(NoFileBut,
         "\"%1\" is no file but a folder, a pipe, a socket or a device",
         "“%1”不是文件，而是文件夹、管道、套接字或设备")
SENTENCE(FileUnreadable, "the file \"%1\" cannot be read", "无法读取文件“%1”")
SENTENCE(FileTooShort, "the file \"%1\" holds %2 {byte|bytes}, the buffer %3", "文件“%1”有 %2 字节，而缓冲区有 %3")
SENTENCE(HexDigits, "hex: takes two digits a byte, and \"%1\" is at byte %2", "hex: 每字节两位数字，而第 %2 字节处是“%1”")
SENTENCE(ArgumentStart, "an argument starts with its name and a colon", "实参以名称和冒号开头")
SENTENCE(NoTypeOf, "\"%1\" is not a type; types are %2", "“%1”不是类型；类型有 %2")
SENTENCE(ElementCount, "the number of elements in [ ] is a whole number of at least 1", "[ ] 中的元素个数须为至少 1 的整数")
SENTENCE(TooManyElements, "%1 {element|elements} are more than any device can hold", "%1 个元素超过任何设备的容量")
SENTENCE(ContentsAfterCount, "after [COUNT] comes = and the initial contents", "[COUNT] 之后须有 = 和初始内容")
SENTENCE(ValueNeeds, "a value needs = and a number", "值须有 = 和一个数")
SENTENCE(NameTwice, "the name \"%1\" is used twice", "名称“%1”用了两次")
SENTENCE(PointsToNone,
         "\"%1\" points to \"%2\", which is no buffer of this launch",
         "“%1”指向“%2”，而它不是这次启动的缓冲区")
SENTENCE(AddBuffer, "Add one with --buffer NAME:TYPE[COUNT]=INITIAL.", "请用 --buffer NAME:TYPE[COUNT]=INITIAL 添加一个。")
SENTENCE(BuffersAre, "Its buffers are %1; --buffer adds more.", "其缓冲区有 %1；可用 --buffer 添加。")
SENTENCE(DumpForm, "a dump is written ARG=FILE", "转储写作 ARG=FILE")
SENTENCE(DumpExample, "For example --dump out=out.bin.", "例如 --dump out=out.bin。")
SENTENCE(BytesUnwritten, "%1 {byte|bytes} cannot be written", "无法写入 %1 字节")
SENTENCE(CheckFolder,
         "Check that the folder exists, may be written to and has room.",
         "请检查文件夹是否存在、可写且有空间。")
SENTENCE(NoBufferNamed, "the kernel has no buffer \"%1\"", "核函数没有缓冲区“%1”")
SENTENCE(NoBuffersAtAll, "It has no buffers at all.", "它根本没有缓冲区。")
SENTENCE(ItsBuffers, "Its buffers are %1.", "其缓冲区有 %1。")
SENTENCE(ArgumentForm,
         "Write NAME:TYPE[COUNT]=INITIAL for a buffer, NAME:TYPE=VALUE for a value or NAME:{FIELD:TYPE=VALUE,...} for a "
         "struct, for example in:i32[4096]=random(0,255,seed=1) or n:u32=4096.",
         "缓冲区写作 NAME:TYPE[COUNT]=INITIAL，值写作 NAME:TYPE=VALUE，结构体写作 NAME:{FIELD:TYPE=VALUE,...}，例如 "
         "in:i32[4096]=random(0,255,seed=1) 或 n:u32=4096。")
SENTENCE(AddressesFor, "%1 {address|addresses} for %2 {element|elements}", "%2 个元素给出了 %1 个地址")
SENTENCE(NoAddressForm,
         "\"%1\" is no address; write a buffer's name, NAME+BYTES, or 0 for a null pointer",
         "“%1”不是地址；请写缓冲区的名称、NAME+BYTES，或以 0 表示空指针")
SENTENCE(StructEnds, "a struct ends with }", "结构体以 } 结尾")
SENTENCE(StructInStruct,
         "\"%1\" is a struct of its own; its fields stand among the others",
         "“%1”本身是结构体；其字段须与其他字段并列")
SENTENCE(NoField,
         "\"%1\" is no field; write NAME:TYPE=VALUE with a type of %2",
         "“%1”不是字段；请写 NAME:TYPE=VALUE，类型为 %2")
SENTENCE(FieldElements, "\"%1\" has no number of elements from 1 to 4096", "“%1”的元素个数不在 1 到 4096 之间")
SENTENCE(ValuesFor, "%1 {value|values} for %2 {element|elements} of \"%3\"", "“%3”的 %2 个元素给出了 %1 个值")

// Tensor maps
SENTENCE(NoNumberText, "\"%1\" is no number", "“%1”不是数")
SENTENCE(CornerNumbers, "a corner has three numbers at most", "一个角最多有三个数")
SENTENCE(Im2colRank, "a tensor for im2col has 3 to 5 dimensions", "im2col 的张量有 3 到 5 维")
SENTENCE(Im2colChannels, "%1 {channel|channels} a pixel: 1 to 256", "每像素 %1 个通道：须为 1 到 256")
SENTENCE(Im2colPixels, "%1 {pixel|pixels} a column: 1 to 1024", "每列 %1 个像素：须为 1 到 1024")
SENTENCE(Im2colKind, "kind %1 of im2col is none", "没有第 %1 种 im2col")
SENTENCE(Im2colSwizzle,
         "a tensor for im2col::w is not swizzled 128 bytes by 64",
         "im2col::w 的张量不能以 64 为单位做 128 字节的 swizzle")
SENTENCE(CornerAt, "a corner is at %1: %2 to %3", "一个角在 %1：须为 %2 到 %3")
SENTENCE(CornersEmpty, "from corner %1 to corner %2 of dimension %3 lies no element", "第 %3 维从角 %1 到角 %2 没有元素")
SENTENCE(TensorMapForm,
         "a tensor map is written {base=BUFFER,dims=...,box=...}",
         "张量映射写作 {base=BUFFER,dims=...,box=...}")
SENTENCE(NoEquals, "\"%1\" has no =", "“%1”中没有 =")
SENTENCE(NoByteNumber, "\"%1\" is no number of bytes", "“%1”不是字节数")
SENTENCE(NoTensorType, "\"%1\" is no type of a tensor map", "“%1”不是张量映射的类型")
SENTENCE(FillForm, "fill is zero or nan", "fill 须为 zero 或 nan")
SENTENCE(WideForm, "wide is w or w128", "wide 须为 w 或 w128")
SENTENCE(NoTensorKey, "a tensor map has no \"%1\"", "张量映射没有“%1”")
SENTENCE(TooManyNumbers, "%1 has too many numbers", "%1 的数太多")
SENTENCE(TensorNeedsBase, "a tensor map needs a base", "张量映射须有 base")
SENTENCE(TensorRank, "a tensor has 1 to 5 dimensions", "张量有 1 到 5 维")
SENTENCE(TensorTypeNone, "type %1 of its elements is none", "没有第 %1 种元素类型")
SENTENCE(DimensionElements, "dimension %1 has %2 {element|elements}: 1 to 2^32", "第 %1 维有 %2 个元素：须为 1 到 2^32")
SENTENCE(BoxElements,
         "the box has %1 {element|elements} along dimension %2: 1 to 256",
         "框沿第 %2 维有 %1 个元素：须为 1 到 256")
SENTENCE(ElementStride, "the element stride of dimension %1 is %2: 1 to 8", "第 %1 维的元素步幅为 %2：须为 1 到 8")
SENTENCE(StrideOf,
         "the stride of dimension %1 is %2 {byte|bytes}: a multiple of 16 below 2^40",
         "第 %1 维的步幅为 %2 字节：须为小于 2^40 的 16 的倍数")
SENTENCE(TravelBy, "%1 and %2 elements: they travel by %3", "%1 和 %2 个元素：须以 %3 个为单位")
SENTENCE(RowOfBox, "a row of the box has %1 {byte|bytes}: a multiple of 16", "框的一行有 %1 字节：须为 16 的倍数")
SENTENCE(BoxBytes, "the box has %1 {byte|bytes}: %2 at most", "框有 %1 字节：最多 %2")
SENTENCE(Interleaved, "interleaved tensors (16 or 32 bytes) are not known", "不支持交错的张量（16 或 32 字节）")
SENTENCE(SwizzleBytes, "a swizzle of %1 {byte|bytes}: 0, 32, 64 or 128", "%1 字节的 swizzle：须为 0、32、64 或 128")
SENTENCE(RowOverSwizzle,
         "a row of the box has %1 {byte|bytes}, more than the swizzle's %2",
         "框的一行有 %1 字节，超过 swizzle 的 %2")
SENTENCE(AtomBytes,
         "%1 {byte|bytes} are moved together: 16, or, of a swizzle of 128, 32 or 64",
         "一起移动 %1 字节：须为 16，或在 128 的 swizzle 中为 32 或 64")
SENTENCE(FlipBytes,
         "eight bytes change places where a swizzle moves 32 bytes together, of elements of eight at most",
         "只有一起移动 32 字节且元素不超过八字节的 swizzle 才交换八字节")
SENTENCE(L2Fetch, "%1 {byte|bytes} are fetched into L2: 0, 64, 128 or 256", "向 L2 预取 %1 字节：须为 0、64、128 或 256")
SENTENCE(OnlyFloatsNan, "only floats are filled with NaN", "只有浮点数可用 NaN 填充")

// Textures and surfaces
SENTENCE(OfTexture, "\"%1\": %2", "“%1”：%2")
SENTENCE(NoTexels, "it has no texels", "没有纹素")
SENTENCE(EveryAxis, "Give every axis at least 1.", "每个轴至少为 1。")
SENTENCE(LargerThanAny, "%1 is larger than any device allows (%2x%3x%4)", "%1 超过任何设备所允许的（%2x%3x%4）")
SENTENCE(MakeSmaller, "Make it smaller.", "请把它缩小。")
SENTENCE(ChannelCount, "%1 {channel|channels}", "%1 个通道")
SENTENCE(ChannelsOfTexel, "A texel has 1, 2 or 4 channels.", "一个纹素有 1、2 或 4 个通道。")
SENTENCE(FacesSquare, "the faces of a cube are squares, and a cube has six of them", "立方体的面是正方形，且有六个")
SENTENCE(Write64, "Write 64x64.", "请写 64x64。")
SENTENCE(LevelsOf, "%1 {level|levels} of a mipmap whose longest side is %2", "最长边为 %2 的 mipmap 有 %1 级")
SENTENCE(LevelsPossible, "It can have 1 to %1.", "可以有 1 到 %1 级。")
SENTENCE(LinearNoMipmap, "linear memory has no mipmap", "线性内存没有 mipmap")
SENTENCE(ChooseArrayShape, "Choose a shape of arrays, such as 2d.", "请选择数组的形状，例如 2d。")
SENTENCE(NotNormalised, "%1 is not read as a normalised float", "%1 不能读作归一化浮点数")
SENTENCE(ForSmallTypes, "That is for u8, u16, s8 and s16.", "这适用于 u8、u16、s8 和 s16。")
SENTENCE(NoLinearFilter, "there is no linear filter of %1 read as integers", "读作整数的 %1 没有线性滤波")
SENTENCE(AddFloat, "Add the option float, or filter by point.", "请加上选项 float，或用 point 滤波。")
SENTENCE(FilterByPoint, "Filter by point.", "请用 point 滤波。")
SENTENCE(SrgbFor, "sRGB is for u8 read as floats", "sRGB 用于读作浮点数的 u8")
SENTENCE(LeaveSrgb, "Leave srgb out, or add float.", "请去掉 srgb，或加上 float。")
SENTENCE(LinearWhole, "linear memory is read by whole numbers, without a filter", "线性内存以整数读取，不做滤波")
SENTENCE(Choose1d, "Choose 1d or pitch.", "请选择 1d 或 pitch。")
SENTENCE(PitchClamp, "pitch-linear memory is read with clamp or border", "pitch 线性内存以 clamp 或 border 读取")
SENTENCE(ChooseOr2d, "Choose one of them, or 2d.", "请选择其中之一，或 2d。")
SENTENCE(MipmapNormalised, "a mipmap has normalised coordinates", "mipmap 使用归一化坐标")
SENTENCE(AddNormalized, "Add the option normalized.", "请加上选项 normalized。")
SENTENCE(SurfaceNeedsArray, "a surface needs an array", "表面需要数组")
SENTENCE(Choose1d2d, "Choose 1d or 2d.", "请选择 1d 或 2d。")
SENTENCE(SurfaceOneLevel, "a surface is one level", "表面只有一级")
SENTENCE(LeaveLevels, "Leave levels out.", "请去掉 levels。")
SENTENCE(TextureForm,
         "Write NAME=SHAPE:SIZE:FORMAT[:OPTION,...][:INITIAL], for example img=2d:64x64:f32:linear,clamp,normalized:iota.",
         "请写 NAME=SHAPE:SIZE:FORMAT[:OPTION,...][:INITIAL]，例如 img=2d:64x64:f32:linear,clamp,normalized:iota。")
SENTENCE(SurfaceForm,
         "Write NAME=SHAPE:SIZE:FORMAT[:INITIAL], for example out=2d:64x64:f32, or NAME=@TEXTURE for the texture's own "
         "array.",
         "请写 NAME=SHAPE:SIZE:FORMAT[:INITIAL]，例如 out=2d:64x64:f32；或写 NAME=@TEXTURE 使用纹理自己的数组。")
SENTENCE(NoSize,
         "\"%1\" is no size; write the texels of each axis, such as 64x32",
         "“%1”不是大小；请写每个轴的纹素数，例如 64x32")
SENTENCE(SizeCount, "a shape of %1 has %2 {size|sizes}, not %3", "%1 的形状有 %2 个大小，而不是 %3 个")
SENTENCE(NoChannelNumber, "\"%1\" has no number of channels; they are 1, 2 or 4", "“%1”没有通道数；须为 1、2 或 4")
SENTENCE(NoFormat,
         "\"%1\" is no format; write one of u8 u16 u32 s8 s16 s32 f16 f32, with x2 or x4",
         "“%1”不是格式；请写 u8 u16 u32 s8 s16 s32 f16 f32 之一，可带 x2 或 x4")
SENTENCE(TooManyModes, "there are address modes for more than three axes", "给出的寻址模式超过三个轴")
SENTENCE(BorderForm, "a border has up to four channels: border=1;0.5;0;1", "边界最多四个通道：border=1;0.5;0;1")
SENTENCE(NoBorderChannel, "\"%1\" is no channel of a border", "“%1”不是边界的通道值")
SENTENCE(NoLevelNumber, "\"%1\" is no number of levels", "“%1”不是级数")
SENTENCE(NoLevelFilter,
         "\"%1\" is no filter between levels; write mip=point or mip=linear",
         "“%1”不是级间滤波；请写 mip=point 或 mip=linear")
SENTENCE(NoBias, "\"%1\" is no bias of a level", "“%1”不是级的偏置")
SENTENCE(NoLevels, "\"%1\" are no levels; write lod=0..3", "“%1”不是级的范围；请写 lod=0..3")
SENTENCE(OptionUnknown, "%1 is not known", "不认识 %1")
SENTENCE(NoTextureOption, "\"%1\" is no option of a texture", "“%1”不是纹理的选项")
SENTENCE(StartsWithName, "it starts with its name and =", "以名称和 = 开头")
SENTENCE(NoTextureBefore, "there is no texture or surface \"%1\" before it", "它之前没有纹理或表面“%1”")
SENTENCE(ArrayHasContents, "the array of another has its contents already", "另一个对象的数组已有内容")
SENTENCE(ShapesAre, "%1; shapes are %2", "%1；形状有 %2")

// Results
SENTENCE(ElementWrong, "%1[%2] is %3, the host computes %4", "%1[%2] 为 %3，主机算得 %4")
SENTENCE(ElementsWrong,
         "%1[%2] is %3, the host computes %4 (the first of %5 wrong {value|values} of %6)",
         "%1[%2] 为 %3，主机算得 %4（%6 个值中有 %5 个错误，这是第一个）")
SENTENCE(CellWrong, "C[%1][%2] is %3, the host computes %4", "C[%1][%2] 为 %3，主机算得 %4")
SENTENCE(NotWhole, "%1 did not come back whole", "%1 没有完整返回")
SENTENCE(BlockFoundLanes, "block %1 found %2 lanes in a warp, not 32", "线程块 %1 发现线程束有 %2 个通道，而不是 32 个")
SENTENCE(BlockSaysSm, "block %1 says it runs on SM %2 of %3", "线程块 %1 报告自己在 SM %2 上，而 SM 共有 %3 个")

// The gallery's kernels
SENTENCE(SizeImpossible, "size %1 is not possible here", "此处不能用规模 %1")
SENTENCE(ThisSizeImpossible, "this size is not possible here", "此处不能用这个规模")
SENTENCE(ChooseSize, "Choose a size from %1 to %2.", "请在 %1 到 %2 之间选择规模。")
SENTENCE(PrintsLine, "Every thread prints a line: choose a size up to %1.", "每个线程打印一行：请选择不超过 %1 的规模。")
SENTENCE(ShapeWithZero, "a shape with a zero holds nothing", "含零的形状是空的")
SENTENCE(BlockHoldsNothing, "a block of %1 holds nothing", "大小为 %1 的线程块是空的")
SENTENCE(GridHoldsNothing, "a grid of %1 holds nothing", "大小为 %1 的网格是空的")
SENTENCE(EachDimension, "Each dimension must be at least 1.", "每一维至少为 1。")
SENTENCE(NotWithBlock, "this kernel does not work with a block of %1", "此核函数不适用于大小为 %1 的线程块")
SENTENCE(NotWithGrid, "this kernel does not work with a grid of %1", "此核函数不适用于大小为 %1 的网格")
SENTENCE(CountsThreadsX, "It counts its threads along x only: give one number.", "它只沿 x 统计线程数：请只给一个数。")
SENTENCE(CountsBlocksX, "It counts its blocks along x only: give one number.", "它只沿 x 统计线程块数：请只给一个数。")
SENTENCE(MoreThanData,
         "%1 {block|blocks} of %2 are more than this kernel's data can hold",
         "%1 个大小为 %2 的线程块超过此核函数的数据容量")
SENTENCE(FewerBlocks, "Choose fewer blocks.", "请选择更少的线程块。")
SENTENCE(WorksOnMatrix, "It works on a matrix: give two numbers.", "它处理矩阵：请给两个数。")
SENTENCE(HalvesThreads,
         "It halves its threads again and again: choose a power of two from %1 to %2.",
         "它反复把线程减半：请选择 %1 到 %2 之间的 2 的幂。")
SENTENCE(AllLanesShuffle,
         "All 32 lanes of each warp take part in its shuffles: choose a multiple of 32.",
         "每个线程束的 32 个通道都参与洗牌：请选择 32 的倍数。")
SENTENCE(WrittenForBlock, "It is written for a block of %1.", "它是为大小为 %1 的线程块编写的。")
SENTENCE(TilesAre, "Its tiles are 16x16 and 32x32.", "其分块为 16x16 和 32x32。")
SENTENCE(LastBehindInt, "the last element would lie behind the range of an int", "最后一个元素会超出 int 的范围")
SENTENCE(SmallerStride, "Choose a smaller size or stride.", "请选择更小的规模或步长。")
