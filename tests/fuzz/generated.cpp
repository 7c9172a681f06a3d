// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/generated.h"

#include "gpu/metrics/metrics.h"

#include "tests/fuzz/instruction_text.h"
#include "tests/fuzz/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace warpglass::fuzz {

namespace {

// What stands above the kernel where something names it: most of the time goes into reading the text.
struct Named {
    std::string_view name, text;
};
constexpr Named named[] = {
    {"f", ".func (.param .b32 r) f(.param .b32 a, .param .align 16 .b8 b[48])\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, "
          "[b+44];\n"
          "st.param.b32 [r], %r1;\nret;\n}\n"},
    {"vprintf", ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"},
    {"malloc", ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"},
    {"free", ".extern .func free(.param .b64 n);\n"},
    {"cudaMalloc", ".extern .func (.param .b32 r) cudaMalloc(.param .b64 a, .param .b64 n);\n"},
    {"cudaFree", ".extern .func (.param .b32 r) cudaFree(.param .b64 a);\n"},
    {"cudaMemcpyAsync", ".extern .func (.param .b32 r) cudaMemcpyAsync(.param .b64 a, .param .b64 b, .param .b64 n, "
                        ".param .b32 k, .param .b64 s);\n"},
    {"cudaMemsetAsync",
     ".extern .func (.param .b32 r) cudaMemsetAsync(.param .b64 a, .param .b32 v, .param .b64 n, .param .b64 s);\n"},
    {"cudaMemset2DAsync", ".extern .func (.param .b32 r) cudaMemset2DAsync(.param .b64 a, .param .b64 p, .param .b32 "
                          "v, .param .b64 w, .param .b64 h, .param .b64 s);\n"},
    {"cudaGetParameterBufferV2", ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f, .param .align "
                                 "4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);\n"},
    {"cudaLaunchDeviceV2", ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 p, .param .b64 s);\n"},
    {"cudaStreamCreateWithFlags",
     ".extern .func (.param .b32 r) cudaStreamCreateWithFlags(.param .b64 p, .param .b32 s);\n"},
    {"cudaGetErrorString", ".extern .func (.param .b64 r) cudaGetErrorString(.param .b32 e);\n"},
    {"cudaGetDeviceCount", ".extern .func (.param .b32 r) cudaGetDeviceCount(.param .b64 p);\n"},
    {"cudaDeviceGetAttribute",
     ".extern .func (.param .b32 r) cudaDeviceGetAttribute(.param .b64 p, .param .b32 a, .param .b32 d);\n"},
    {"__assertfail",
     ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n"},
    {"fmt", ".global .align 16 .b8 fmt[64] = "
            "{37,115,37,110,37,57,57,57,57,57,57,57,57,57,100,37,42,46,42,102,37,108,115,37,99,0};\n"},
    {"cc", ".const .align 16 .b8 cc[64] = {1,2,3,4,5,6,7,8};\n"},
    {"gg", ".global .align 16 .b8 gg[61] = {37,115,1,2,3};\n"},
    {"map", ".global .align 128 .b8 map[128];\n"},
    {"tt", ".global .b64 tt[2] = {f, k};\n"},
    {"img", ".global .texref img;\n"},
    {"surf", ".global .surfref surf;\n"},
};
constexpr const char* head = ".version 8.8\n.target sm_100a\n.address_size 64\n";
constexpr const char* kernelHead =
    ".visible .entry k(.param .u64 o, .param .align 64 .b8 m[128], .param .u32 n, .param .u64 t, .param .u64 u, "
    ".param .align 16 .b8 w[8192])\n{\n";
static_assert(8 * numbersOfAll == 8192);
constexpr const char* begin = R"(.shared .align 128 .b8 s[2000];
.shared .align 8 .b64 bar;
.local .align 16 .b8 l[100];
.param .align 16 .b8 pp[48];
mov.u32 %r0, %laneid;
mov.u32 %r1, %tid.x;
cvt.u64.u32 %d0, %r0;
setp.eq.u32 %p0, %r1, 0;
@%p0 mbarrier.init.shared.b64 [bar], 64;
bar.sync 0;
.reg .b64 %from, %row;
.reg .b32 %turn, %until, %at;
.reg .pred %again;
mov.u64 %from, w;
cvta.param.u64 %from, %from;
shr.u32 %turn, %r1, 5;
mov.u32 %at, %ctaid.x;
mad.lo.u32 %turn, %at, 4, %turn;
)";
// Around the body, with how many turns, how many rows of w less one, and how long each of them is.
constexpr const char* turnBegins = "add.u32 %until, %turn, {};\nTURN:\nand.b32 %at, %turn, {};\n"
                                   "mad.wide.u32 %row, %at, {}, %from;\n";
constexpr const char* turnEnds =
    "add.u32 %turn, %turn, 1;\nsetp.lt.u32 %again, %turn, %until;\n@%again bra TURN;\nret;\n}\n";

int linesOf(std::string_view text) {
    return int(std::count(text.begin(), text.end(), '\n'));
}

bool namesWord(std::string_view text, std::string_view word) {
    const auto isPart = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '.';
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isPart(text[at - 1])) && (end == text.size() || !isPart(text[end])))
            return true;
    }
    return false;
}

Argument scalar(const char* name, ElementType type, std::uint64_t value, int bytes) {
    Argument a;
    a.name = name;
    a.type = type;
    for (int k = 0; k < bytes; ++k)
        a.scalar.push_back(std::byte(k < 8 ? value >> 8 * k : 0));
    return a;
}

TensorMap tensorMap(Dice& dice) {
    TensorMap map;
    map.buffer = "o";
    map.rank = 2;
    map.dims = {16, 16, 1, 1, 1};
    map.strides = {64, 1024, 1024, 1024};
    map.box = {4, 4, 1, 1, 1};
    TensorMap other = map;
    other.type = TensorType(dice.below(16));
    other.rank = std::uint32_t(1 + dice.below(5));
    for (std::size_t k = 0; k < 5; ++k) {
        other.dims[k] = 1 + dice.below(k ? 6 : 33);
        other.box[k] = std::uint32_t(1 + dice.below(k ? 4 : 17));
        if (k < 4)
            other.strides[k] = 16 * (1 + dice.below(16));
        other.elementStrides[k] = dice.oneIn(4) ? std::uint32_t(1 + dice.below(8)) : 1;
    }
    other.interleave = std::uint32_t(dice.oneIn(4) ? 16 * dice.below(3) : 0);
    other.swizzle = std::uint32_t(dice.oneIn(2) ? 32 << dice.below(3) : 0);
    other.fillNan = dice.oneIn(4);
    if (dice.oneIn(4) && other.rank >= 3) {
        Im2col i;
        for (std::size_t k = 0; k < 3; ++k) {
            i.lower[k] = std::int32_t(dice.below(5)) - 2;
            i.upper[k] = std::int32_t(dice.below(5)) - 2;
        }
        i.channels = std::uint32_t(1 + dice.below(16));
        i.pixels = std::uint32_t(1 + dice.below(32));
        i.along = Im2col::Along(dice.below(3));
        other.im2col = i;
    }
    return checkTensorMap(other) ? other : map;
}

void addTextures(LaunchPlan& plan, Dice& dice) {
    for (int n = 0; n < 2; ++n) {
        TexelArray array;
        array.name = n ? "a1" : "a0";
        TexelArray drawn = array;
        drawn.shape = ArrayShape(dice.below(9));
        drawn.extent = {std::uint32_t(1 + dice.below(9)), std::uint32_t(1 + dice.below(5)),
                        std::uint32_t(1 + dice.below(6))};
        if (drawn.shape == ArrayShape::D1 || drawn.shape == ArrayShape::Linear || drawn.shape == ArrayShape::D1Layered)
            drawn.extent.height = 1;
        if (!hasLayers(drawn.shape) && drawn.shape != ArrayShape::D3)
            drawn.extent.depth = 1;
        if (isCube(drawn.shape)) {
            drawn.extent.height = drawn.extent.width;
            drawn.extent.depth = drawn.shape == ArrayShape::Cube ? 6 : 12;
        }
        drawn.type = ChannelType(dice.below(8));
        drawn.channels = 1u << dice.below(3);
        Sampler sampler;
        for (AddressMode& mode : sampler.address)
            mode = AddressMode(dice.below(4));
        const std::uint8_t flags = dice.byte();
        sampler.linear = flags & 1;
        sampler.normalized = flags & 2;
        sampler.asFloat = flags & 4;
        sampler.srgb = flags & 8;
        sampler.seamless = flags & 16;
        sampler.mipLinear = flags & 32;
        if (n == 0 && !checkTexture(drawn, sampler))
            sampler = {};
        const bool sound = n == 0 ? bool(checkTexture(drawn, sampler)) : bool(checkSurface(drawn));
        if (!sound) {
            drawn = array;
            drawn.extent = {4, 4, 1};
        }
        plan.arrays.push_back(drawn);
        for (const char* name : {"t", "img"})
            if (n == 0)
                plan.textures.push_back({name, 0, sampler});
        for (const char* name : {"u", "surf"})
            if (n == 1)
                plan.surfaces.push_back({name, 1});
    }
}

Generated launchOf(Dice& dice) {
    Generated it;
    LaunchPlan& plan = it.plan;
    plan.moduleName = "fuzz.ptx";
    plan.entry = plan.kernelName = "k";
    static constexpr std::uint32_t blocks[] = {32, 64, 33, 128, 1};
    plan.block = {dice.of(blocks), 1, 1};
    const std::uint8_t flags = dice.byte(), more = dice.byte();
    plan.grid = {flags & 1 ? 2u : flags & 2 ? 4u : 1u, 1, 1};
    if (plan.grid.x > 1 && flags & 4)
        plan.cluster = Dim3{2, 1, 1};
    plan.heapLimit = 1 << 16;
    plan.pendingLaunchLimit = 4;
    Argument o;
    o.name = "o";
    o.isBuffer = true;
    o.type = ElementType::U8;
    o.count = 2048;
    plan.arguments.push_back(std::move(o));
    Argument m = scalar("m", ElementType::U8, 0, int(tensorMapBytes));
    m.tensorMap = tensorMap(dice);
    plan.arguments.push_back(std::move(m));
    plan.arguments.push_back(scalar("n", ElementType::U32, dice.byte(), 4));
    for (const char* name : {"t", "u"}) {
        Argument object = scalar(name, ElementType::U64, 0, 8);
        object.pointers.push_back({0, name, 0});
        plan.arguments.push_back(std::move(object));
    }
    plan.arguments.push_back(scalar("w", ElementType::U8, 0, int(8 * numbersOfAll)));
    addTextures(plan, dice);
    RunOptions& options = it.options;
    options.threads = 1;
    options.instructionLimit = 6000;
    options.maxEvents = 20000;
    options.onFault = flags & 0x18 ? OnFault::Report : OnFault::Stop; // which ends the launch at the first one
    options.reconvergence =
        (flags & 0x60) == 0x20 ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
    options.takenSideFirst = flags & 0x80;
    options.timing = (more & 7) == 1;
    options.checkRaces = (more & 0x18) == 8;
    options.detail.accesses = (more & 0xe0) == 0x20;
    options.detail.kind = options.detail.accesses || options.timing ? Detail::Kind::All : Detail::Kind::None;
    return it;
}

void addOne(Body& body) {
    const auto rows = ptx::allRows();
    const ptx::Row& row = rows[1 + body.dice.below(rows.size() - 1)];
    const auto forms = ptx::formsOf(row.opcode);
    if (forms.empty() || row.operands.find('l') != std::string_view::npos || row.opcode == ptx::Opcode::Call)
        return addPiece(body);
    const ptx::Form& form = forms[body.dice.below(forms.size())];
    if (form.emulated)
        addInstruction(body, row.opcode, form);
}

Generated whole(Generated it, const Body& body) {
    it.lines = body.lines();
    it.declarations = body.declarations();
    it.numbers = body.numbers();
    it.turns = it.options.timing || it.options.checkRaces || it.options.detail.accesses ? 4 : 64; // these take longer
    it.makeText();
    it.options.timing =
        it.options.timing && it.plan.ptx.find("tcgen05") == std::string::npos; // which has no model of time
    return it;
}

} // namespace

void Generated::makeText() {
    std::string body;
    for (const std::string& line : lines)
        body += line + '\n';
    plan.ptx = head;
    std::string above;
    for (auto it = std::rbegin(named); it != std::rend(named); ++it) // what one names stands before it
        if (namesWord(body, it->name) || namesWord(above, it->name))
            above.insert(0, it->text);
    plan.ptx += above;
    plan.ptx += kernelHead + declarations + begin;
    plan.ptx += fmt::format(turnBegins, turns, rows() - 1, 8 * numbers.size());
    firstLine = linesOf(plan.ptx) + 1;
    plan.ptx += body + turnEnds;
}

bool Generated::leaveOut(const std::string& error) {
    std::vector<int> found;
    for (const std::string_view mark : {"line ", "fuzz.ptx:"})
        for (std::size_t at = error.find(mark); at != std::string::npos; at = error.find(mark, at + 1)) {
            int line = 0;
            const char* const from = error.data() + at + mark.size();
            if (std::from_chars(from, error.data() + error.size(), line).ec == std::errc() && line >= firstLine &&
                std::size_t(line - firstLine) < lines.size())
                found.push_back(line - firstLine);
        }
    for (const int line : found)
        lines[std::size_t(line)].clear();
    return !found.empty();
}

bool Generated::run(Backend& backend) {
    static const bool shown = std::getenv("WARPGLASS_FUZZ_SHOW") != nullptr;
    constexpr int mostTurns = 6;
    give(0);
    for (int turn = 0; turn < mostTurns; ++turn) {
        if (shown)
            std::fprintf(stderr, "%s\n", plan.ptx.c_str());
        Progress progress;
        const auto made = backend.run(plan, options, progress);
        if (shown)
            std::fprintf(stderr, "%s\n",
                         !made         ? made.error().text().c_str()
                         : made->fault ? made->fault->text().c_str()
                                       : "ran");
        if (made) {
            if (const auto ok = validate(*made->trace); !ok)
                wrong(("the trace of a run is not sound: " + ok.error().text()).c_str());
            if (options.timing || options.detail.accesses)
                (void)metrics(*made->trace, 0);
            return true;
        }
        if (made.error().message.empty())
            wrong("a kernel was refused without a sentence");
        if (!leaveOut(made.error().text()))
            return false;
        makeText();
    }
    return false;
}

Generated generated(std::string_view bytes) {
    Dice dice(bytes);
    Generated it = launchOf(dice);
    Body body(dice);
    constexpr int most = 8;
    for (int n = 0; n < most && (n == 0 || !dice.done()); ++n)
        if (dice.oneIn(5))
            addPiece(body);
        else
            addOne(body);
    return whole(std::move(it), body);
}

Generated generatedOne(std::string_view bytes, std::size_t row, std::size_t form) {
    Dice dice(bytes);
    Generated it = launchOf(dice);
    Body body(dice);
    const ptx::Opcode opcode = ptx::allRows()[row].opcode;
    addInstruction(body, opcode, ptx::formsOf(opcode)[form]);
    return whole(std::move(it), body);
}

} // namespace warpglass::fuzz
