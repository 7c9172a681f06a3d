// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/write.h"

#include "gpu/ptx/debug_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace warpglass::ptx {
namespace {

const char* directive(StateSpace space) {
    switch (space) {
    case StateSpace::Reg:
        return ".reg";
    case StateSpace::Shared:
        return ".shared";
    case StateSpace::Local:
        return ".local";
    case StateSpace::Const:
        return ".const";
    case StateSpace::Param:
        return ".param";
    case StateSpace::Generic:
    case StateSpace::Global:
        break;
    }
    return ".global";
}

std::string join(const std::vector<Operand>& operands) {
    std::string text;
    for (const Operand& operand : operands)
        text += (text.empty() ? "" : ", ") + write(operand);
    return text;
}

std::string withOffset(const std::string& name, std::int64_t offset) {
    return offset == 0 ? name : offset > 0 ? fmt::format("{}+{}", name, offset) : fmt::format("{}{}", name, offset);
}

// --- variables

std::string head(const Variable& v) {
    std::string text = directive(v.space);
    const bool isPointerAttribute = v.attributes.starts_with(".ptr");
    if (!v.attributes.empty() && !isPointerAttribute)
        text += " " + v.attributes;
    if (v.alignment > 0)
        text += fmt::format(" .align {}", v.alignment);
    if (v.vector > 1)
        text += fmt::format(" .v{}", v.vector);
    constexpr const char* opaque[] = {"", "texref", "samplerref", "surfref"};
    text += fmt::format(" .{}", v.opaque == Opaque::None ? name(v.type) : opaque[std::size_t(v.opaque)]);
    if (isPointerAttribute)
        text += " " + v.attributes;
    text += " " + v.name;
    for (const std::uint64_t extent : v.dimensions)
        text += extent == 0 ? "[]" : fmt::format("[{}]", extent);
    return text;
}

std::string symbolText(const Variable::SymbolAddress& a) {
    return withOffset(a.generic ? "generic(" + a.symbol + ")" : a.symbol, a.addend);
}

// Initial values as one flat list of elements; trailing zeros are left out, as an array is zero-padded anyway.
std::string initialText(const Variable& v) {
    const std::size_t size = std::size_t(bytesOf(v.type));
    std::vector<std::string> elements;
    std::size_t used = 1;
    std::size_t nextAddress = 0;
    for (std::size_t at = 0; at + size <= v.initial.size(); at += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, v.initial.data() + at, size);
        if (nextAddress < v.initialAddresses.size()) {
            const Variable::SymbolAddress& a = v.initialAddresses[nextAddress];
            const std::size_t length = size == 1 ? 8 : size; // in bytes, an address is written byte by byte
            if (at >= a.offset && at < a.offset + length) {
                elements.push_back(
                    size == 1 ? fmt::format("{:#X}({})", std::uint64_t(0xff) << (8 * (at - a.offset)), symbolText(a))
                              : symbolText(a));
                if (elements.back().starts_with("0X"))
                    elements.back()[1] = 'x';
                used = elements.size();
                if (at + size >= a.offset + length)
                    ++nextAddress;
                continue;
            }
        }
        if (v.type == Type::F32)
            elements.push_back(fmt::format("0f{:08X}", bits));
        else if (v.type == Type::F64)
            elements.push_back(fmt::format("0d{:016X}", bits));
        else
            elements.push_back(fmt::format("{}", bits));
        if (bits != 0)
            used = elements.size();
    }
    if (!v.isArray && v.vector == 1)
        return elements.empty() ? "0" : elements[0];
    elements.resize(std::min(used, elements.size()));
    // An array of rows wants its braces; rows are written in full.
    if (v.dimensions.size() > 1) {
        std::size_t row = 1;
        for (std::size_t i = 1; i < v.dimensions.size(); ++i)
            row *= std::size_t(v.dimensions[i]);
        elements.resize((elements.size() + row - 1) / row * row, v.type == Type::F32   ? "0f00000000"
                                                                 : v.type == Type::F64 ? "0d0000000000000000"
                                                                                       : "0");
        std::vector<std::string> level = std::move(elements);
        for (std::size_t i = v.dimensions.size() - 1; i > 0; --i) {
            const std::size_t extent = std::size_t(v.dimensions[i]);
            std::vector<std::string> rows;
            for (std::size_t at = 0; at < level.size(); at += extent)
                rows.push_back(fmt::format(
                    "{{{}}}", fmt::join(level.begin() + std::ptrdiff_t(at),
                                        level.begin() + std::ptrdiff_t(std::min(at + extent, level.size())), ", ")));
            level = std::move(rows);
        }
        elements = std::move(level);
    }
    return fmt::format("{{{}}}", fmt::join(elements, ", "));
}

std::string linkage(bool isExtern, bool isVisible, bool isWeak) {
    return isExtern ? ".extern " : isWeak ? ".weak " : isVisible ? ".visible " : "";
}

std::string declaration(const Variable& v) {
    std::string text = linkage(v.isExtern, v.isVisible, v.isWeak) + head(v);
    if (!v.initial.empty())
        text += " = " + initialText(v);
    std::string settings;
    for (const auto& [key, value] : v.settings)
        settings += fmt::format("{}{} = {}", settings.empty() ? "" : ", ", key, value);
    if (!settings.empty())
        text += " = { " + settings + " }";
    return text + ";\n";
}

std::string parameterList(const std::vector<Variable>& list) {
    std::string text;
    for (const Variable& v : list)
        text += (text.empty() ? "" : ", ") + head(v);
    return "(" + text + ")";
}

// --- functions

std::string signature(const Function& f) {
    std::string text = linkage(f.isExtern, f.isVisible, f.isWeak) + (f.isEntry ? ".entry " : ".func ");
    if (!f.returns.empty())
        text += parameterList(f.returns) + " ";
    text += f.name + parameterList(f.params);
    const auto triple = [&](const char* name, const std::array<std::uint32_t, 3>& n) {
        if (n[0] != 0)
            text += fmt::format("\n{} {}, {}, {}", name, n[0], n[1], n[2]);
    };
    triple(".maxntid", f.maxntid);
    triple(".reqntid", f.reqntid);
    triple(".reqnctapercluster", f.reqnctapercluster);
    if (f.minnctapersm != 0)
        text += fmt::format("\n.minnctapersm {}", f.minnctapersm);
    if (f.maxnreg != 0)
        text += fmt::format("\n.maxnreg {}", f.maxnreg);
    for (std::size_t p = 0; p < f.pragmas.size(); ++p)
        if (p >= f.pragmaAt.size() || f.pragmaAt[p] == noPlace)
            text += fmt::format("\n.pragma \"{}\";", f.pragmas[p]);
    if (f.isNoReturn)
        text += "\n.noreturn";
    for (const std::string& other : f.otherDirectives)
        text += "\n" + other;
    return text;
}

// The number at the end of %r12, when it is written as a range writes it; -1 else.
std::int64_t rangeNumber(std::string_view name, std::string_view& stem) {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        --digits;
    if (digits == name.size() || digits == 0 || name.size() - digits > 7 ||
        (name[digits] == '0' && name.size() - digits > 1))
        return -1;
    stem = name.substr(0, digits);
    std::int64_t number = 0;
    for (const char c : name.substr(digits))
        number = number * 10 + (c - '0');
    return number;
}

void writeRegisters(const Function& f, std::string& out) {
    for (std::size_t i = 0; i < f.registers.size();) {
        const Register& first = f.registers[i];
        std::string_view stem, other;
        std::size_t count = 0;
        if (rangeNumber(first.name, stem) == 0)
            while (i + count < f.registers.size() && f.registers[i + count].type == first.type &&
                   rangeNumber(f.registers[i + count].name, other) == std::int64_t(count) && other == stem)
                ++count;
        if (count > 0)
            out += fmt::format("\t.reg .{} {}<{}>;\n", name(first.type), stem, count);
        else
            out += fmt::format("\t.reg .{} {};\n", name(first.type), first.name);
        i += std::max<std::size_t>(count, 1);
    }
}

void writePlace(const Module& m, const DebugStrings& strings, std::uint32_t place, std::string& out) {
    const Place& p = m.places[place];
    out += fmt::format("\t.loc {} {} {}", p.file, p.line, p.column);
    if (p.inlinedAt < place) {
        const Place& outer = m.places[p.inlinedAt];
        const auto label = strings.labelOf.find(p.function);
        const std::string& function = label == strings.labelOf.end() ? p.function : label->second;
        if (!function.empty())
            out += ", function_name " + function;
        out += fmt::format(", inlined_at {} {} {}", outer.file, outer.line, outer.column);
    }
    out += '\n';
}

void writeBody(const Module& m, const Function& f, const DebugStrings& strings, std::string& out) {
    out += "\n{\n";
    writeRegisters(f, out);
    for (const Variable& v : f.locals)
        out += "\t" + declaration(v);
    for (const Function::Prototype& p : f.prototypes)
        out += fmt::format("{}: .callprototype {} _ {};\n", p.name, parameterList(p.returns), parameterList(p.params));
    const LabelMap labels = f.targetLists.empty() ? LabelMap() : LabelMap(f);
    for (const TargetList& list : f.targetLists) {
        const bool calls = std::none_of(list.targets.begin(), list.targets.end(),
                                        [&](const std::string& t) { return labels.contains(t); });
        out += fmt::format("{}: .{} {};\n", list.name, calls ? "calltargets" : "branchtargets",
                           fmt::join(list.targets, ", "));
    }
    std::uint32_t place = noPlace;
    std::size_t nextLabel = 0;
    for (std::uint32_t i = 0; i <= f.body.size(); ++i) {
        for (; nextLabel < f.labels.size() && f.labels[nextLabel].instruction <= i; ++nextLabel)
            out += f.labels[nextLabel].name + ":\n";
        for (std::size_t p = 0; p < f.pragmas.size() && p < f.pragmaAt.size(); ++p)
            if (f.pragmaAt[p] == i)
                out += fmt::format("\t.pragma \"{}\";\n", f.pragmas[p]);
        if (i == f.body.size())
            break;
        const Instruction& instruction = f.body[i];
        if (instruction.place != place && instruction.place < m.places.size()) {
            place = instruction.place;
            std::vector<std::uint32_t> chain{place};
            while (m.places[chain.back()].inlinedAt < chain.back())
                chain.push_back(m.places[chain.back()].inlinedAt);
            for (auto it = chain.rbegin(); it != chain.rend(); ++it)
                writePlace(m, strings, *it, out);
        }
        out += "\t" + write(instruction) + "\n";
    }
    out += "}\n\n";
}

// Names that are used before the function of that name is defined.
std::set<std::string_view> forwardNames(const Module& m) {
    std::set<std::string_view> defined, forward;
    const auto use = [&](const std::string& name) {
        if (!defined.contains(name))
            forward.insert(name);
    };
    for (const Variable& v : m.variables)
        for (const Variable::SymbolAddress& a : v.initialAddresses)
            use(a.symbol);
    for (const Function& f : m.functions) {
        for (const Instruction& i : f.body)
            for (const Operand& o : i.operands)
                if (o.kind == Operand::Kind::Symbol && o.name != f.name)
                    use(o.name);
        for (const TargetList& list : f.targetLists)
            for (const std::string& target : list.targets)
                use(target);
        defined.insert(f.name);
    }
    return forward;
}

} // namespace

std::string write(const Operand& o) {
    using Kind = Operand::Kind;
    const std::string text = [&]() -> std::string {
        switch (o.kind) {
        case Kind::Register:
            return o.name + o.part.text();
        case Kind::Label:
            return o.name;
        case Kind::Integer:
            return fmt::format("{}", o.integer);
        case Kind::Float32:
            return fmt::format("0f{:08X}", std::uint32_t(o.integer));
        case Kind::Float64:
            return fmt::format("0d{:016X}", std::uint64_t(o.integer));
        case Kind::Special:
            return o.component < 0 ? o.name : fmt::format("{}.{}", o.name, "xyzw"[o.component]);
        case Kind::Symbol:
            return withOffset(o.name, o.integer);
        case Kind::Address: {
            std::string inner = o.name.empty()   ? fmt::format("{}", o.integer)
                                : o.integer == 0 ? o.name
                                                 : fmt::format("{}+{}", o.name, o.integer);
            if (!o.elements.empty())
                inner += ", " + join(o.elements);
            return "[" + inner + "]";
        }
        case Kind::Vector:
            return "{" + join(o.elements) + "}";
        case Kind::Pair:
            return write(o.elements[0]) + "|" + write(o.elements[1]);
        case Kind::Sink:
            return "_";
        case Kind::List:
            return "(" + join(o.elements) + ")";
        }
        return {};
    }();
    return o.negated ? "!" + text : o.minus ? "-" + text : text;
}

std::string write(const Instruction& i) {
    std::string text;
    if (i.guarded())
        text = fmt::format("@{}{} ", i.guardNegated ? "!" : "", i.guard);
    text += i.opcodeName();
    auto other = i.otherModifiers.begin(); // words that PTX does not have, in the places of Modifier::Unknown
    for (const Modifier modifier : i.modifiers) {
        if (modifier == Modifier::Unified) // behind the address
            continue;
        text += '.';
        text += modifier == Modifier::Unknown ? std::string_view(*other++) : name(modifier);
    }
    if (!i.operands.empty())
        text += " " + join(i.operands);
    if (i.has(Modifier::Unified))
        if (const std::size_t close = text.find(']'); close != std::string::npos)
            text.insert(close + 1, ".unified");
    return text + ";";
}

std::string write(const Module& m) {
    std::string out = fmt::format(".version {}.{}\n", m.versionMajor, m.versionMinor);
    if (!m.target.empty()) { // a text may do without the line
        out += ".target " + m.target;
        for (const std::string& option : m.targetOptions)
            out += ", " + option;
        out += "\n";
    }
    out += fmt::format(".address_size {}\n\n", m.addressSize);
    for (const std::string& other : m.otherDirectives)
        out += other + "\n";

    const DebugStrings strings = debugStrings(m);
    const std::set<std::string_view> forward = forwardNames(m);
    for (const Function& f : m.functions)
        if (f.bodyLine != 0 && forward.contains(f.name))
            out += signature(f) + ";\n";
    for (const Function& f : m.functions)
        if (f.bodyLine == 0)
            out += signature(f) + ";\n";
    for (const Variable& v : m.variables)
        out += declaration(v);
    out += '\n';
    for (const Function& f : m.functions) {
        if (f.bodyLine == 0)
            continue;
        out += signature(f);
        writeBody(m, f, strings, out);
    }
    for (const Module::File& file : m.files) {
        std::string path; // as compilers write it
        for (const char c : file.path)
            path += static_cast<unsigned char>(c) < 0x80 ? std::string(1, c)
                                                         : fmt::format("\\{:o}", static_cast<unsigned char>(c));
        out += fmt::format("\t.file {} \"{}\"\n", file.number, path);
    }
    for (const Module::Section& section : m.sections)
        out += fmt::format("\t.section {}\n\t{{{}}}\n", section.name, section.text);
    return out;
}

} // namespace warpglass::ptx
