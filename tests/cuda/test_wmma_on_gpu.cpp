// SPDX-License-Identifier: GPL-3.0-or-later
// What wmma.load and wmma.store ask of global memory, by the card's counters and by the emulator's counts.
#include "gpu/emulator/emulator.h"
#include "tests/cuda/on_gpu.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <vector>

namespace warpglass {
namespace {

struct Form {
    std::string_view role, layout, shape, type; // of wmma.load; role d: of wmma.store
    unsigned registers;
    std::string_view registerType; // b32, f32, f64
    unsigned bits;                 // of an element
    unsigned line;                 // elements of a line of the matrix
};

// A line of a, by rows, and of b, by columns, is k elements; of a by columns m, of b by rows n. Of c and d, by rows n, by
// columns m. Registers a lane: PTX ISA, "Matrix Fragments for WMMA".
constexpr Form forms[] = {
    {"a", "row", "m16n16k16", "f16", 8, "b32", 16, 16},  {"a", "col", "m16n16k16", "f16", 8, "b32", 16, 16},
    {"b", "row", "m16n16k16", "f16", 8, "b32", 16, 16},  {"b", "col", "m16n16k16", "f16", 8, "b32", 16, 16},
    {"c", "row", "m16n16k16", "f16", 4, "b32", 16, 16},  {"c", "col", "m16n16k16", "f16", 4, "b32", 16, 16},
    {"c", "row", "m16n16k16", "f32", 8, "f32", 32, 16},  {"c", "col", "m16n16k16", "f32", 8, "f32", 32, 16},
    {"d", "row", "m16n16k16", "f16", 4, "b32", 16, 16},  {"d", "col", "m16n16k16", "f16", 4, "b32", 16, 16},
    {"d", "row", "m16n16k16", "f32", 8, "f32", 32, 16},  {"d", "col", "m16n16k16", "f32", 8, "f32", 32, 16},
    {"a", "row", "m32n8k16", "f16", 8, "b32", 16, 16},   {"a", "col", "m32n8k16", "f16", 8, "b32", 16, 32},
    {"b", "row", "m32n8k16", "f16", 8, "b32", 16, 8},    {"b", "col", "m32n8k16", "f16", 8, "b32", 16, 16},
    {"c", "row", "m32n8k16", "f32", 8, "f32", 32, 8},    {"c", "col", "m32n8k16", "f32", 8, "f32", 32, 32},
    {"d", "row", "m32n8k16", "f32", 8, "f32", 32, 8},    {"d", "col", "m32n8k16", "f32", 8, "f32", 32, 32},
    {"a", "row", "m8n32k16", "f16", 8, "b32", 16, 16},   {"a", "col", "m8n32k16", "f16", 8, "b32", 16, 8},
    {"b", "row", "m8n32k16", "f16", 8, "b32", 16, 32},   {"b", "col", "m8n32k16", "f16", 8, "b32", 16, 16},
    {"c", "row", "m8n32k16", "f32", 8, "f32", 32, 32},   {"c", "col", "m8n32k16", "f32", 8, "f32", 32, 8},
    {"d", "row", "m8n32k16", "f32", 8, "f32", 32, 32},   {"d", "col", "m8n32k16", "f32", 8, "f32", 32, 8},
    {"a", "row", "m16n16k16", "bf16", 4, "b32", 16, 16}, {"b", "row", "m16n16k16", "bf16", 4, "b32", 16, 16},
    {"a", "row", "m16n16k8", "tf32", 4, "b32", 32, 8},   {"a", "col", "m16n16k8", "tf32", 4, "b32", 32, 16},
    {"b", "row", "m16n16k8", "tf32", 4, "b32", 32, 16},  {"b", "col", "m16n16k8", "tf32", 4, "b32", 32, 8},
    {"c", "row", "m16n16k8", "f32", 8, "f32", 32, 16},   {"d", "row", "m16n16k8", "f32", 8, "f32", 32, 16},
    {"a", "row", "m16n16k16", "s8", 2, "b32", 8, 16},    {"a", "col", "m16n16k16", "s8", 2, "b32", 8, 16},
    {"b", "row", "m16n16k16", "u8", 2, "b32", 8, 16},    {"b", "col", "m16n16k16", "u8", 2, "b32", 8, 16},
    {"c", "row", "m16n16k16", "s32", 8, "b32", 32, 16},  {"d", "row", "m16n16k16", "s32", 8, "b32", 32, 16},
    {"d", "col", "m16n16k16", "s32", 8, "b32", 32, 16},  {"a", "row", "m32n8k16", "s8", 4, "b32", 8, 16},
    {"b", "col", "m32n8k16", "s8", 1, "b32", 8, 16},     {"a", "row", "m8n8k4", "f64", 1, "f64", 64, 4},
    {"b", "col", "m8n8k4", "f64", 1, "f64", 64, 4},      {"c", "row", "m8n8k4", "f64", 2, "f64", 64, 8},
    {"c", "col", "m8n8k4", "f64", 2, "f64", 64, 8},      {"d", "row", "m8n8k4", "f64", 2, "f64", 64, 8},
    {"a", "row", "m8n8k32", "s4", 1, "b32", 4, 32},      {"b", "col", "m8n8k32", "u4", 1, "b32", 4, 32},
    {"a", "row", "m8n8k128", "b1", 1, "b32", 1, 128},    {"b", "col", "m8n8k128", "b1", 1, "b32", 1, 128},
    {"c", "row", "m8n8k128", "s32", 2, "b32", 32, 8},    {"d", "row", "m8n8k128", "s32", 2, "b32", 32, 8},
};

// What else the lines may be: apart from each other, one behind the other; and the address's space unknown.
struct Place {
    unsigned apart = 1; // lines of the matrix from line to line
    bool generic = false;
};
constexpr Place places[] = {{1, false}, {3, false}, {3, true}};

// One warp loads a fragment and stores its registers, exclusively or'd, a word a lane; or stores one whose registers are the
// lane's number.
LaunchPlan planOf(const Form& form, const Place& place) {
    const bool stores = form.role == "d";
    std::string list, work;
    for (unsigned k = 0; k < form.registers; ++k) {
        list += fmt::format("{}%v{}", k ? ", " : "", k);
        if (stores)
            work += form.registerType == "b32" ? fmt::format("mov.b32 %v{}, %r1;\n", k)
                                               : fmt::format("cvt.rn.{}.u32 %v{}, %r1;\n", form.registerType, k);
        else if (form.registerType == "f64")
            work += fmt::format("mov.b64 {{%r3, %r4}}, %v{};\nxor.b32 %r2, %r2, %r3;\nxor.b32 %r2, %r2, %r4;\n", k);
        else
            work += fmt::format("mov.b32 %r3, %v{};\nxor.b32 %r2, %r2, %r3;\n", k);
    }
    const std::string name = fmt::format("wmma.{}.{}.sync.aligned.{}.{}{}.{}", stores ? "store" : "load", form.role,
                                         form.layout, form.shape, place.generic ? "" : ".global", form.type);
    const unsigned stride = form.line * place.apart;
    const std::string moves =
        stores ? fmt::format("{}{} [%rd1], {{{}}}, {};\n", work, name, list, stride)
               : fmt::format("{} {{{}}}, [%rd1], {};\n{}st.global.u32 [%rd3], %r2;\n", name, list, stride, work);
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "wmma.ptx";
    plan.ptx = fmt::format(R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 matrix, .param .u64 out)
{{
.reg .{} %v<8>;
.reg .b32 %r<5>;
.reg .b64 %rd<5>;
ld.param.u64 %rd1, [matrix];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, 0;
mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd3, %rd2, %rd3;
{}ret;
}}
)",
                           form.registerType, moves);
    plan.grid = {1};
    plan.block = {32};
    Argument matrix{.name = "matrix", .isBuffer = true, .type = ElementType::U8, .count = 1 << 15};
    matrix.fill = [](std::span<std::byte> to) {
        for (std::size_t k = 0; k < to.size(); ++k)
            to[k] = std::byte(k * k >> 3);
    };
    plan.arguments = {matrix, {.name = "out", .isBuffer = true, .type = ElementType::U32, .count = 32}};
    return plan;
}

struct Asked {
    double loads = 0, loadSectors = 0, stores = 0, storeSectors = 0;
    bool operator==(const Asked&) const = default;
};
void PrintTo(const Asked& a, std::ostream* out) {
    *out << fmt::format("loads {} of {} sectors, stores {} of {}", a.loads, a.loadSectors, a.stores, a.storeSectors);
}

Asked byCard(const Trace& trace) {
    const auto counter = [&](std::string_view metric) {
        for (const Counter& c : trace.counters)
            if (c.metric == metric)
                return c.value;
        return -1.0;
    };
    return {counter("gld_requests"), counter("gld_transactions"), counter("gst_requests"), counter("gst_transactions")};
}

Asked byEmulator(const Trace& trace) {
    Asked asked;
    for (const InstructionCount& c : trace.countsOf(0))
        if (c.isMemory && c.space == MemorySpace::Global) {
            (c.access == AccessKind::Load ? asked.loads : asked.stores) += double(c.requests);
            (c.access == AccessKind::Load ? asked.loadSectors : asked.storeSectors) += double(c.sectors);
        }
    return asked;
}

template <typename Body>
void forEachForm(Body&& body) {
    for (const Form& form : forms)
        for (const Place& place : places) {
            SCOPED_TRACE(fmt::format("{} {} {} {}, {} lines apart{}", form.role, form.layout, form.shape, form.type,
                                     place.apart, place.generic ? ", generic" : ""));
            body(form, place);
        }
}

Recording emulated(const LaunchPlan& plan) {
    Progress progress;
    auto r = makeEmulator()->run(plan, {}, progress);
    if (!r)
        throw std::runtime_error(r.error().text());
    return std::move(*r);
}

// Of m x k elements of a, k x n of b, m x n of c and d.
unsigned matrixBytes(const Form& form) {
    unsigned m = 0, n = 0, k = 0;
    std::sscanf(std::string(form.shape).c_str(), "m%un%uk%u", &m, &n, &k);
    return (form.role == "a" ? m * k : form.role == "b" ? k * n : m * n) * form.bits / 8;
}

// Whatever the instructions, all bytes of the matrix are asked for: as many sectors as they fill, and
// not every sector for each of its words.
TEST(WmmaCounts, AskForAllOfTheMatrix) {
    forEachForm([](const Form& form, const Place& place) {
        const Recording r = emulated(planOf(form, place));
        ASSERT_FALSE(r.fault) << r.fault->text();
        const Asked asked = byEmulator(*r.trace);
        const bool stores = form.role == "d";
        const double sectors = stores ? asked.storeSectors : asked.loadSectors;
        EXPECT_GE(sectors, matrixBytes(form) / 32);
        EXPECT_LE(sectors, 4 * matrixBytes(form) / 32);
        EXPECT_EQ(stores ? asked.loads : asked.stores, stores ? 0 : 1); // the word a lane
    });
}

TEST_F(OnGpu, CountsWmmaAsTheEmulatorDoes) {
    RunOptions options;
    options.detail.kind = Detail::Kind::None; // no probes, no samples: the worker stays
    forEachForm([&](const Form& form, const Place& place) {
        const LaunchPlan plan = planOf(form, place);
        const auto onGpu = run(plan, options);
        if (!onGpu || onGpu->fault) {
            ADD_FAILURE() << (onGpu ? *onGpu->fault : onGpu.error()).text();
            return;
        }
        const Recording onHost = emulated(plan);
        EXPECT_EQ(byCard(*onGpu->trace), byEmulator(*onHost.trace)); // the card's first
        EXPECT_EQ(onGpu->buffers, onHost.buffers);
    });
}

} // namespace
} // namespace warpglass
