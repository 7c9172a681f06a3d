// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/machine_sight.h"

#include "gpu/base/messages/machine.h"
#include "gpu/machine/kept.h"
#include "gpu/machine/operations.h"
#include "gpu/ptx/parse.h"

#include <algorithm>

namespace warpglass {

MachineAnswers machineFromOption(const QVariant& option) {
    return option.value<MachineAnswers>();
}

const MachineAnswer* machineAnswerOf(const MachineAnswers& answers, const TracePtr& trace, std::uint32_t kernel) {
    if (answers)
        for (const MachineAnswer& answer : *answers)
            if (answer.kernel == kernel && answer.trace.lock() == trace)
                return &answer;
    return nullptr;
}

const machine::Disassembled* MachineSight::disassembled(std::size_t i) const {
    const MachineAnswer* answer = machineAnswerOf(answers, trace, kernel);
    const machine::Whole::Part& part = whole.partOf(i);
    return answer && answer->found
               ? machine::saidOf(answer->found->texts, cubin.functions[part.function].name, i - part.first)
               : nullptr;
}

QString MachineSight::textOf(std::size_t i) const {
    if (const machine::Disassembled* said = disassembled(i)) {
        QString text = QString::fromStdString(said->text);
        if (const auto target = code().code[i].target;
            target && whole.partOf(i).first > 0) // a place in its own function
            text = text.left(text.lastIndexOf(QLatin1String("0x"))) + QStringLiteral("0x%1").arg(*target, 0, 16);
        return text;
    }
    QString text = QString::fromStdString(machine::plainText(code().code[i], cubin.arch));
    constexpr std::uint32_t usual = 4; // bytes, which the disassembler does not write either
    const machine::Whole::Part& part = whole.partOf(i);
    if (const std::uint32_t bytes = machine::accessBytes(cubin.functions[part.function], i - part.first, cubin.arch);
        bytes > 0 && bytes != usual)
        text += QStringLiteral(".%1").arg(8 * bytes);
    return text;
}

std::uint32_t MachineSight::ptxLineOf(std::size_t i) const {
    const machine::LineRow* row = code().ptx.at(i * machine::instructionBytes);
    return row ? row->line : 0;
}

const machine::PtxFate* MachineSight::fateOf(std::uint32_t line) const {
    const auto at = std::ranges::lower_bound(whole.fates.lines, line, {}, &machine::PtxFate::line);
    return at != whole.fates.lines.end() && at->line == line ? &*at : nullptr;
}

const machine::Decision* MachineSight::decisionAt(std::uint32_t line) const {
    const auto at = std::ranges::lower_bound(whole.fates.decisions, line, {}, &machine::Decision::line);
    return at != whole.fates.decisions.end() && at->line == line ? &*at : nullptr;
}

Message MachineSight::wordsOf(const machine::Decision& d) const {
    const std::uint32_t line = d.meets ? sourceLineOf(trace->kernels[kernel], d.meetsLine) : 0;
    return machine::wordsOf(d,
                            line ? say::PlaceLine(std::to_string(line)) : say::PlacePtx(std::to_string(d.meetsLine)));
}

QString MachineSight::origin() const {
    QString text = QStringLiteral("sm_%1").arg(cubin.arch);
    if (!cubin.compiler.empty())
        text += QStringLiteral(", ") + QString::fromStdString(cubin.compiler);
    return text;
}

MachineSightPtr machineSightOf(const TracePtr& trace, std::uint32_t launch, const QVariant& option,
                               const MachineSightPtr& before) {
    if (!trace || launch >= trace->launches.size())
        return nullptr;
    const std::uint32_t number = trace->launches[launch].kernel;
    const MachineAnswers answers = machineFromOption(option);
    if (before && before->trace == trace && before->kernel == number && before->answers == answers)
        return before;
    const Kernel& kernel = trace->kernels[number];
    auto cubin = machine::codeWith(trace->codes, kernel.entry);
    const bool kept = cubin.has_value();
    if (const MachineAnswer* answer = cubin ? nullptr : machineAnswerOf(answers, trace, number);
        answer && answer->found)
        cubin = machine::codeWith(answer->found->codes, kernel.entry);
    if (!cubin)
        return nullptr;
    auto sight = std::make_shared<MachineSight>();
    sight->trace = trace;
    sight->answers = answers;
    sight->kernel = number;
    sight->cubin = std::move(*cubin);
    sight->kept = kept;
    const auto module = ptx::parse(kernel.ptx);
    sight->whole = machine::wholeOf(sight->cubin, kernel.entry, module ? *module : ptx::Module());
    return sight;
}

} // namespace warpglass
