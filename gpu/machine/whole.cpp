// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/whole.h"

#include "gpu/machine/operations.h"

#include <algorithm>

namespace warpglass::machine {

namespace {

void addNamed(const std::vector<ptx::Operand>& operands, const ptx::Module& module, std::vector<std::string>& names) {
    for (const ptx::Operand& operand : operands) {
        addNamed(operand.elements, module, names);
        if (operand.kind == ptx::Operand::Kind::Symbol && module.findFunction(operand.name) &&
            std::ranges::find(names, operand.name) == names.end())
            names.push_back(operand.name);
    }
}

// The kernel, then whatever functions it and they name.
std::vector<std::string> namedBy(const std::string& kernel, const ptx::Module& module) {
    std::vector<std::string> names{kernel};
    for (std::size_t n = 0; n < names.size(); ++n)
        if (const ptx::Function* f = module.findFunction(names[n]))
            for (const ptx::Instruction& in : f->body)
                addNamed(in.operands, module, names);
    return names;
}

void addRows(LineTable& to, const LineTable& from, std::uint64_t by, std::uint64_t bytes) {
    if (!from.files)
        return;
    if (!to.files)
        to.files = from.files;
    const bool same = to.files == from.files; // of one text; else a row's file is not told
    const auto first = std::uint32_t(to.rows.size());
    for (LineRow row : from.rows) {
        if (row.address >= bytes)
            row.line = 0;
        row.file = same ? row.file : std::uint32_t(to.files->size());
        row.address = std::min(row.address, bytes) + by;
        row.inlinedAt = row.inlinedAt == noRow ? noRow : row.inlinedAt + first;
        to.rows.push_back(row);
    }
    to.rows.push_back({.address = by + bytes});
    to.end = by + bytes;
}

void addFates(Fates& to, Fates from, std::uint32_t by) {
    for (PtxFate& fate : from.lines) {
        for (std::uint32_t& i : fate.code)
            i += by;
        to.lines.push_back(std::move(fate));
    }
    for (Decision& decision : from.decisions) {
        for (std::uint32_t& i : decision.code)
            i += by;
        if (decision.meets)
            *decision.meets += by * instructionBytes;
        to.decisions.push_back(std::move(decision));
    }
    for (const std::uint32_t i : from.spills)
        to.spills.push_back(i + by);
}

} // namespace

Whole wholeOf(const Cubin& cubin, const std::string& kernel, const ptx::Module& module) {
    Whole whole;
    for (const std::string& name : namedBy(kernel, module)) {
        const auto found = std::ranges::find(cubin.functions, name, &Function::name);
        if (found == cubin.functions.end()) { // its code lies in the kernel's
            if (!whole.parts.empty())
                addFates(whole.fates, fatesOf(cubin.functions[whole.parts.front().function], cubin.arch, module, name),
                         0);
            continue;
        }
        const Function& f = *found;
        Whole::Part part{.function = std::size_t(found - cubin.functions.begin()),
                         .first = whole.code.code.size(),
                         .size = f.withoutFilling()};
        if (whole.parts.empty())
            whole.code = {.name = f.name,
                          .entry = f.entry,
                          .registers = f.registers,
                          .stackBytes = f.stackBytes,
                          .sharedBytes = f.sharedBytes,
                          .barriers = f.barriers};
        const std::uint64_t by = part.first * instructionBytes;
        for (std::size_t i = 0; i < part.size; ++i) {
            whole.code.code.push_back(f.code[i]);
            whole.code.bits.push_back(f.bits[i]);
            if (whole.code.code.back().target)
                *whole.code.code.back().target += by;
        }
        const std::size_t own = std::min(part.size, f.helpers());
        addRows(whole.code.source, f.source, by, own * instructionBytes);
        addRows(whole.code.ptx, f.ptx, by, own * instructionBytes);
        addFates(whole.fates, fatesOf(f, cubin.arch, module), std::uint32_t(part.first));
        if (const ptx::Function* text = module.findFunction(name); text && !text->body.empty()) {
            part.firstLine = std::uint32_t(text->body.front().line);
            part.end = std::uint32_t(text->body.back().line) + 1;
        }
        if (part.first > 0)
            whole.names[part.first] = f.name;
        for (const auto& [place, inner] : f.inner)
            if (place / instructionBytes < part.size)
                whole.names[part.first + place / instructionBytes] = inner;
        whole.parts.push_back(part);
    }
    std::vector<std::uint32_t>& spills = whole.fates.spills;
    std::ranges::sort(spills);
    spills.erase(std::unique(spills.begin(), spills.end()), spills.end());
    std::ranges::sort(whole.fates.lines, {}, &PtxFate::line);
    std::ranges::sort(whole.fates.decisions, {}, &Decision::line);
    return whole;
}

const Whole::Part& Whole::partOf(std::size_t instruction) const {
    const auto behind = std::ranges::upper_bound(parts, instruction, {}, &Part::first);
    return behind == parts.begin() ? parts.front() : *(behind - 1);
}

std::vector<std::uint32_t> Whole::awaited(const Cubin& cubin, std::size_t instruction) const {
    const Part& part = partOf(instruction);
    std::vector<std::uint32_t> all = machine::awaited(cubin.functions[part.function], instruction - part.first);
    for (std::uint32_t& i : all)
        i += std::uint32_t(part.first);
    std::erase_if(all, [&](std::uint32_t i) { return i >= part.first + part.size; });
    return all;
}

} // namespace warpglass::machine
