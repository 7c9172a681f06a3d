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

QString MachineSight::textOf(std::size_t i) const {
    const MachineAnswer* answer = machineAnswerOf(answers, trace, kernel);
    if (answer && answer->found)
        if (const auto texts = answer->found->texts.find(code().name); texts != answer->found->texts.end())
            if (const auto text = texts->second.find(i * machine::instructionBytes); text != texts->second.end())
                return QString::fromStdString(text->second);
    QString text = QString::fromStdString(machine::plainText(code().code[i], cubin.arch));
    constexpr std::uint32_t usual = 4; // bytes, which the disassembler does not write either
    if (const std::uint32_t bytes = machine::accessBytes(code(), i, cubin.arch); bytes > 0 && bytes != usual)
        text += QStringLiteral(".%1").arg(8 * bytes);
    return text;
}

std::uint32_t MachineSight::ptxLineOf(std::size_t i) const {
    if (i >= code().helpers())
        return 0;
    const machine::LineRow* row = code().ptx.at(i * machine::instructionBytes);
    return row ? row->line : 0;
}

const machine::PtxFate* MachineSight::fateOf(std::uint32_t line) const {
    const auto at = std::ranges::lower_bound(fates.lines, line, {}, &machine::PtxFate::line);
    return at != fates.lines.end() && at->line == line ? &*at : nullptr;
}

const machine::Decision* MachineSight::decisionAt(std::uint32_t line) const {
    const auto at = std::ranges::lower_bound(fates.decisions, line, {}, &machine::Decision::line);
    return at != fates.decisions.end() && at->line == line ? &*at : nullptr;
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
    const auto& functions = sight->cubin.functions;
    sight->function =
        std::size_t(std::ranges::find(functions, kernel.entry, &machine::Function::name) - functions.begin());
    if (const auto module = ptx::parse(kernel.ptx))
        sight->fates = machine::fatesOf(sight->code(), sight->cubin.arch, *module);
    return sight;
}

} // namespace warpglass
