// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/machine_differences.h"

#include "gpu/machine/fate.h"
#include "gpu/machine/kept.h"
#include "gpu/ptx/parse.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

class MachineDifferencesText {
    Q_DECLARE_TR_FUNCTIONS(Differences)
};

struct CodeSide {
    std::map<std::string, double> kinds;
    double instructions = 0, registers = 0, local = 0, spills = 0;
};

std::optional<CodeSide> codeSideOf(const Trace& trace) {
    if (trace.launches.empty())
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    const auto cubin = machine::codeWith(trace.codes, kernel.entry);
    if (!cubin)
        return std::nullopt;
    const auto f = std::ranges::find(cubin->functions, kernel.entry, &machine::Function::name);
    CodeSide side{.instructions = double(f->withoutFilling()),
                  .registers = double(f->registers.value_or(0)),
                  .local = double(f->stackBytes.value_or(0))};
    for (std::size_t i = 0; i < f->withoutFilling(); ++i)
        side.kinds[std::string(machine::mnemonic(f->code[i].opcode, cubin->arch))] += 1;
    if (const auto module = ptx::parse(kernel.ptx))
        side.spills = double(machine::fatesOf(*f, cubin->arch, *module).spills.size());
    return side;
}

Difference codeRow(const QString& name, double a, double b, const char* unit = "1") {
    Difference d;
    d.metric = name;
    d.unit = QLatin1String(unit);
    d.a = a;
    d.b = b;
    return d;
}

} // namespace

QVector<Difference> machineDifferences(const Trace& traceA, const Trace& traceB) {
    const auto a = codeSideOf(traceA), b = codeSideOf(traceB);
    if (!a || !b)
        return {};
    QVector<Difference> rows;
    rows << codeRow(MachineDifferencesText::tr("machine instructions"), a->instructions, b->instructions)
         << codeRow(MachineDifferencesText::tr("registers in the machine code"), a->registers, b->registers)
         << codeRow(MachineDifferencesText::tr("local memory a thread"), a->local, b->local, "B")
         << codeRow(MachineDifferencesText::tr("instructions that spill"), a->spills, b->spills);
    auto kinds = a->kinds;
    kinds.insert(b->kinds.begin(), b->kinds.end());
    QVector<Difference> changed;
    for (const auto& [kind, count] : kinds) {
        const auto of = [&kind = kind](const CodeSide& side) {
            const auto at = side.kinds.find(kind);
            return at == side.kinds.end() ? 0 : at->second;
        };
        if (!kind.empty() && of(*a) != of(*b))
            changed << codeRow(MachineDifferencesText::tr("machine code: %1").arg(QString::fromStdString(kind)), of(*a),
                               of(*b));
    }
    std::ranges::stable_sort(changed, std::ranges::greater(),
                             [](const Difference& d) { return std::abs(*d.difference()); });
    return rows + changed;
}

} // namespace warpglass
