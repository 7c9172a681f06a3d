// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of a launch's kernel, as views show it.
#pragma once

#include "gpu/base/result.h"
#include "gpu/machine/whole.h"
#include "gpu/trace/trace.h"

#include <QString>
#include <QVariant>

#include <memory>

namespace warpglass {

// What somebody has found out of the machine code of an open trace, where the trace does not tell it all.
struct MachineFound {
    MachineCodes codes;
    machine::Disassembly texts; // where NVIDIA's disassembler is there
};
struct MachineAnswer {
    std::weak_ptr<const Trace> trace; // that it is of
    std::uint32_t kernel = 0;         // and which of its kernels
    Result<MachineFound> found;       // an Error is a sentence for whoever looks for the code
};
// The answers among PaintContext::options, of whatever traces are open.
using MachineAnswers = std::shared_ptr<const std::vector<MachineAnswer>>;
inline constexpr const char* machineOption = "machine";
inline QVariant machineToOption(const MachineAnswers& answers) {
    return answers ? QVariant::fromValue(answers) : QVariant();
}
MachineAnswers machineFromOption(const QVariant& option);
// Null: nobody has asked yet.
const MachineAnswer* machineAnswerOf(const MachineAnswers& answers, const TracePtr& trace, std::uint32_t kernel);

struct MachineSight {
    TracePtr trace;
    MachineAnswers answers;
    std::uint32_t kernel = 0;
    machine::Cubin cubin;
    machine::Whole whole; // the kernel and what it calls
    bool kept = false;    // in the recording

    const machine::Function& code() const { return whole.code; }
    // What NVIDIA's disassembler says; null without it.
    const machine::Disassembled* disassembled(std::size_t instruction) const;
    // As the disassembler writes it, else guard, opcode, width of an access and target.
    QString textOf(std::size_t instruction) const;
    // 0: none.
    std::uint32_t ptxLineOf(std::size_t instruction) const;
    const machine::PtxFate* fateOf(std::uint32_t ptxLine) const;      // null: the line is no instruction
    const machine::Decision* decisionAt(std::uint32_t ptxLine) const; // null: none is made there
    Message wordsOf(const machine::Decision& decision) const;         // the end of a sentence about it
    // "sm_90, ptxas V13.0.88"
    QString origin() const;
};
using MachineSightPtr = std::shared_ptr<const MachineSight>;

// Null: there is none. `before` serves again if it is of the same.
MachineSightPtr machineSightOf(const TracePtr& trace, std::uint32_t launch, const QVariant& option,
                               const MachineSightPtr& before = {});

} // namespace warpglass
