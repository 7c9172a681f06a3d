// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a launch and its twin in fp64.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/watch/twin_places.h"
#include "gpu/emulator/watch/twin_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpglass::emulator {

using ptx::Type;

namespace {

// As short as tells them apart, of their own type.
std::string realText(double v, Type type) {
    if (type == Type::F64 || type == Type::None)
        return fmt::format("{}", v);
    if (ptx::isHalf(type))
        return fmt::format("{:.6g}", v);
    return fmt::format("{}", float(v));
}
std::string twinText(double v) {
    return fmt::format("{:.10g}", v);
}
std::string errorText(double v) {
    return fmt::format("{:.3g}", v);
}
std::string opcodeText(const Program& program, std::uint32_t position) { // "add.f32"
    const ptx::Instruction& source = *program.info[position].source;
    const std::string_view text = source.text;
    const std::size_t begin = source.guarded() ? text.find_first_not_of(" \t", text.find_first_of(" \t")) : 0;
    return std::string(text.substr(begin, text.find_first_of(" \t", begin) - begin));
}

} // namespace

Message TwinWatch::operandsText(const Values& of, bool twins) const {
    std::string text;
    for (std::size_t k = 0; k < of.count; ++k)
        text += (k == 0 ? "" : ", ") +
                (twins ? twinText(of.of[k].number.twin) : realText(of.of[k].real, of.of[k].number.type));
    return plain(std::move(text));
}

Message TwinWatch::elementText(GlobalMemory& memory, const Left& left) const {
    Area* hint = nullptr;
    const Found area = memory.find(left.address, 1, hint);
    const std::uint64_t element = (left.address - area->base) / std::uint64_t(ptx::bytesOf(left.number.type));
    const Message name = area->name.message();
    if (name.id == say::BufferNamed.id || name.id == say::VariableNamed.id)
        if (const auto* const own = std::get_if<std::string>(&name.arguments[0]))
            return say::ElementOf(shortName(*own), element);
    return say::ElementNumber(element, area->name);
}

// All numbers that the launch has made and left in global memory, each held against the largest that the same store has left.
TwinWatch::Lefts TwinWatch::lefts(GlobalMemory& memory) const {
    Lefts all;
    std::map<std::uint32_t, double> largest;           // of a store
    std::vector<std::pair<std::uint32_t, Left>> found; // by which store
    Area* hint = nullptr;
    for (const std::uint64_t number : m_global.words()) {
        const TwinWord& word = *m_global.find(number);
        const Found there = memory.find(number * 4, 4, hint);
        if (!there || twinValueAt<std::uint32_t>(there.bytes()) != word.bits)
            continue;
        for (const TwinNumber* n : {&word.low, &word.high}) {
            if (n->type == Type::None)
                continue;
            Left left{number * 4 + (n == &word.high ? 2u : 0u), 0, 0, *n};
            if (n->type == Type::F64) {
                const TwinWord* const upper = m_global.find(number + 1);
                const Found whole = memory.find(number * 4, 8, hint);
                if (number % 2 || !upper || upper->low.type != Type::F64 || upper->low.twin != n->twin || !whole ||
                    twinValueAt<std::uint32_t>(whole.bytes() + 4) != upper->bits)
                    continue;
            }
            left.real = realOf(there.bytes() + (left.address - number * 4), n->type);
            if (isRoundingError(left.real, *n) && left.real != n->twin)
                continue;
            if (std::isfinite(n->twin))
                largest[word.by] = std::max(largest[word.by], std::fabs(n->twin));
            found.emplace_back(word.by, left);
        }
    }
    for (auto& [by, left] : found) {
        const double error = twinError(left.real, left.number.twin);
        left.error = error == 0 ? 0 : error / largest[by];
        left.isBad = left.error > tolerance(left.number.digits) && left.number.lost != noIndex;
        const Found area = memory.find(left.address, 1, hint);
        all[area->base].push_back(left);
    }
    return all;
}

std::vector<Diagnostic> TwinWatch::told(GlobalMemory& memory) const {
    std::vector<Diagnostic> all;
    const auto stepOf = [&](std::uint32_t step) {
        const auto code =
            std::ranges::find_if(m_codes.rbegin(), m_codes.rend(), [&](const Code& c) { return c.first <= step; });
        return std::pair(code->program, step - code->first);
    };
    const Lefts buffers = lefts(memory);
    struct Off {
        const Left *first = nullptr, *worst = nullptr;
        std::uint64_t count = 0;
    };
    std::map<std::uint32_t, Off> byStep; // where the tolerance was passed
    for (const auto& [base, numbers] : buffers)
        for (const Left& left : numbers) {
            if (!left.isBad)
                continue;
            Off& bad = byStep[m_losses[left.number.lost].step];
            ++bad.count;
            if (!bad.first || left.number.lost < bad.first->number.lost)
                bad.first = &left;
            if (!bad.worst || left.error > bad.worst->error)
                bad.worst = &left;
        }
    std::vector<Off> inTime;
    inTime.reserve(byStep.size());
    for (const auto& [step, bad] : byStep)
        inTime.push_back(bad);
    std::ranges::sort(inTime, {}, [](const Off& b) { return b.first->number.lost; });
    for (const Off& bad : inTime) {
        const Loss& loss = m_losses[bad.first->number.lost];
        const std::uint32_t rounded = loss.result.number.rounded;
        Message before = plain("");
        if (rounded != noIndex && rounded != loss.step) {
            const auto [program, position] = stepOf(rounded);
            before = say::RoundedBefore(opcodeText(*program, position), placeText(*program, position));
        }
        const std::string opcode = opcodeText(*loss.at.program, loss.at.position);
        const Message leads =
            say::LeavesOff(bad.count, elementText(memory, *bad.worst),
                           realText(bad.worst->real, bad.worst->number.type), twinText(bad.worst->number.twin));
        const Message what =
            loss.operands.count == 0
                ? say::DigitsLostAt(opcode, before, leads)
                : say::DigitsLost(realText(loss.result.real, loss.result.number.type),
                                  twinText(loss.result.number.twin),
                                  errorText(twinRelative(loss.result.real, loss.result.number.twin)), opcode,
                                  operandsText(loss.operands, false), operandsText(loss.operands, true), before, leads);
        all.push_back(Diagnostics::describe(loss.at, what, DiagnosticKind::DigitsLost));
        all.back().address = bad.worst->address;
    }
    for (const auto& [base, numbers] : buffers) {
        const Left* worst = &numbers.front();
        double sum = 0;
        std::uint64_t bad = 0;
        for (const Left& left : numbers) {
            worst = left.error > worst->error ? &left : worst;
            sum += left.error;
            bad += left.isBad;
        }
        Area* hint = nullptr;
        const Found area = memory.find(base, 1, hint);
        Diagnostic d;
        d.kind = DiagnosticKind::BesideTwin;
        d.message = say::AgainstTwin(numbers.size(), area->name, bad, errorText(worst->error),
                                     elementText(memory, *worst), realText(worst->real, worst->number.type),
                                     twinText(worst->number.twin), errorText(sum / double(numbers.size())));
        all.push_back(std::move(d));
    }
    if (m_decision)
        all.push_back(
            Diagnostics::describe(m_decision->at,
                                  say::DecidesOtherwise(opcodeText(*m_decision->at.program, m_decision->at.position),
                                                        operandsText(m_decision->operands, false),
                                                        operandsText(m_decision->operands, true), m_decisions),
                                  DiagnosticKind::BesideTwin));
    return all;
}

} // namespace warpglass::emulator
