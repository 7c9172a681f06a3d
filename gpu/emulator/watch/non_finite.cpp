// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/non_finite.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/launch/half.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace warpglass::emulator {

using ptx::Opcode;
using ptx::Type;

namespace {

bool isWatched(Type type) {
    return ptx::isFloat(type) || ptx::isHalf(type) || type == Type::TF32 || type == Type::F32x2;
}
bool isPair(Type type) {
    return type == Type::F16x2 || type == Type::BF16x2 || type == Type::F32x2;
}

// One lane's numbers in a row of floating-point numbers: one or two.
struct LaneNumbersOf {
    std::array<double, 2> value{};
    std::size_t count = 1;
    bool finite() const { return std::isfinite(value[0]) && (count == 1 || std::isfinite(value[1])); }
};
LaneNumbersOf numbersOf(const std::byte* rows, const FloatRow& operand, std::size_t lane) {
    const auto take = [&](auto v, std::size_t each) { // the v'th of these in the row
        std::memcpy(&v, rows + operand.row + each * sizeof v, sizeof v);
        return v;
    };
    const auto half = [&](SmallFloat kind, std::size_t k) {
        return valueOf(take(std::uint16_t(), 2 * lane + k), kind);
    };
    switch (operand.type) {
    case Type::F64:
        return {{take(double(), lane)}};
    case Type::F32x2:
        return {{take(float(), 2 * lane), take(float(), 2 * lane + 1)}, 2};
    case Type::F16:
        return {{half(binary16, 0)}};
    case Type::BF16:
        return {{half(bfloat16, 0)}};
    case Type::F16x2:
        return {{half(binary16, 0), half(binary16, 1)}, 2};
    case Type::BF16x2:
        return {{half(bfloat16, 0), half(bfloat16, 1)}, 2};
    default: // f32, and tf32, which lies as one
        return {{take(float(), lane)}};
    }
}

// As short as tells them apart, of their own type.
std::string textOf(double v, Type type) {
    if (std::isnan(v))
        return "NaN";
    if (type == Type::F64)
        return fmt::format("{}", v);
    if (ptx::isHalf(type))
        return fmt::format("{:.6g}", v);
    return fmt::format("{}", float(v));
}

std::string wordOf(const ptx::Instruction& instruction) { // "add.f16"
    const std::string_view text = instruction.text;
    const std::size_t begin = instruction.guarded() ? text.find_first_not_of(" \t", text.find_first_of(" \t")) : 0;
    return std::string(text.substr(begin, text.find_first_of(" \t", begin) - begin));
}

// The lanes of m whose numbers are all finite.
std::uint32_t finiteIn(const std::byte* rows, const std::vector<FloatRow>& operands, std::uint32_t m) {
    for (const FloatRow& operand : operands)
        for (std::uint32_t rest = m; rest; rest &= rest - 1)
            if (const int lane = std::countr_zero(rest); !numbersOf(rows, operand, std::size_t(lane)).finite())
                m &= ~(1u << lane);
    return m;
}

// What one lane's operands hold: of pairs the numbers of the one that has gone bad.
std::string operandsText(const FiniteWatch& w, const std::vector<std::array<LaneNumbersOf, 32>>& before, int lane,
                         std::size_t number) {
    std::string text;
    for (std::size_t k = 0; k < w.sources.size(); ++k) {
        const LaneNumbersOf& n = before[k][std::size_t(lane)];
        text += (k == 0 ? "" : ", ") + textOf(n.value[std::min(number, n.count - 1)], w.sources[k].type);
    }
    return text;
}

bool finiteThen(Exec& x, const Inst& in) {
    const FiniteWatch& w = x.program->finite[in.index];
    const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
    std::uint32_t fine = finiteIn(x.rows, w.sources, m);
    if (w.wholeWarp && fine != m)
        fine = 0;
    std::vector<std::array<LaneNumbersOf, 32>> before; // the result may take an operand's row
    if (!w.wholeWarp)
        for (const FloatRow& source : w.sources)
            for (std::size_t lane = 0; auto& n : before.emplace_back())
                n = numbersOf(x.rows, source, lane++);
    if (!w.run(x, in))
        return false;
    for (const FloatRow& result : w.results) {
        const std::uint32_t bad = fine & ~finiteIn(x.rows, {result}, fine);
        if (bad == 0)
            continue;
        if (x.diagnostics->repeated(x, DiagnosticKind::NotFinite, in.index))
            return true;
        const int lane = std::countr_zero(bad);
        const LaneNumbersOf made = numbersOf(x.rows, result, std::size_t(lane));
        const std::size_t number = std::isfinite(made.value[0]) ? 1 : 0;
        const std::string what = textOf(made.value[number], result.type),
                          opcode = wordOf(*x.program->info[in.index].source);
        x.diagnostics->add(x, DiagnosticKind::NotFinite, in.index, lane, 0,
                           w.wholeWarp ? say::MatrixNotFinite(what, opcode)
                                       : say::NotFinite(what, opcode, operandsText(w, before, lane, number)));
        return true;
    }
    return true;
}

bool mayGoBad(Opcode opcode) {
    switch (opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Fma:
    case Opcode::Div:
    case Opcode::Rcp:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Sin:
    case Opcode::Cos:
    case Opcode::Ex2:
    case Opcode::Lg2:
        return true;
    default:
        return false;
    }
}

FiniteWatch watchOf(const Program& program, std::uint32_t at) {
    const Inst& in = program.code[at];
    const InstInfo& info = program.info[at];
    FiniteWatch w;
    const auto put = [](std::vector<FloatRow>& to, const std::vector<Row>& rows, Type type) {
        if (isWatched(type))
            for (const Row row : rows)
                if (row != noRow)
                    to.push_back({row, type});
    };
    if (!info.source)
        return w;
    const ptx::Family family = ptx::row(info.is.opcode).family;
    const std::vector<Row> operands{in.a, in.b, in.c};
    const std::size_t count = std::min<std::size_t>(info.source->operands.size(), 4);
    if (family == ptx::Family::Arithmetic && mayGoBad(info.is.opcode) && isWatched(info.is.type()) && count > 1) {
        put(w.results, {in.dst}, info.is.firstType());
        for (std::size_t k = 0; k + 1 < count; ++k) // what is added to a product has the result's type
            put(w.sources, {operands[k]}, k == 2 ? info.is.firstType() : info.is.type());
    } else if (family == ptx::Family::Convert && isWatched(info.is.firstType()) && isWatched(info.is.type())) {
        const bool two = isPair(info.is.firstType()) && !isPair(info.is.type());
        put(w.results, {in.dst}, info.is.firstType());
        put(w.sources, {in.a}, info.is.type());
        if (two)
            put(w.sources, {in.b}, info.is.type());
    } else if (info.is.opcode == Opcode::Mma || info.is.opcode == Opcode::Wmma) {
        const MatrixCode& code = program.matrices[in.memory.site];
        if (code.form.kind != ptx::MatrixForm::Kind::Product)
            return w;
        const auto packed = [](Type type) { // two in each register
            return type == Type::F16 ? Type::F16x2 : type == Type::BF16 ? Type::BF16x2 : type;
        };
        w.wholeWarp = true;
        put(w.results, code.d, packed(code.form.d));
        put(w.sources, code.a, packed(code.form.a));
        put(w.sources, code.b, packed(code.form.b));
        put(w.sources, code.c, packed(code.form.c));
    }
    return w;
}

} // namespace

void watchFinite(Program& program, bool on) {
    if (on == !program.finite.empty())
        return;
    if (on)
        program.finite.resize(program.code.size());
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
        Inst& in = program.code[at];
        FiniteWatch& w = program.finite[at];
        if (on) {
            w = watchOf(program, at);
            if (!w.results.empty())
                w.run = std::exchange(in.run, &finiteThen);
        } else if (w.run) {
            in.run = w.run;
        }
    }
    if (!on)
        program.finite.clear();
}

} // namespace warpglass::emulator
