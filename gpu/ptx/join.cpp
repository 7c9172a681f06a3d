// SPDX-License-Identifier: GPL-3.0-or-later
// Three passes: names that belong to one module get their new names there; numbers that count within a module (lines,
// places, files) are moved behind those of the modules before it; then definitions are taken over, one a name.
#include "gpu/ptx/join.h"
#include "gpu/base/messages/code.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpglass::ptx {

namespace {

using Names = std::map<std::string, std::string>;

void rename(std::string& name, const Names& names) {
    if (const auto found = names.find(name); found != names.end())
        name = found->second;
}

void rename(Operand& o, const Names& names) {
    if (o.kind == Operand::Kind::Symbol || (o.kind == Operand::Kind::Address && !o.baseIsRegister))
        rename(o.name, names);
    for (Operand& e : o.elements)
        rename(e, names);
}

void rename(Variable& v, const Names& names) {
    rename(v.name, names);
    for (auto& address : v.initialAddresses)
        rename(address.symbol, names);
}

// Names of a function's own (parameters, locals) hide those of the module.
void renameIn(Function& f, const Names& all) {
    Names names = all;
    for (const auto* list : {&f.params, &f.returns, &f.locals})
        for (const Variable& v : *list)
            if (v.space != StateSpace::Global && v.space != StateSpace::Const)
                names.erase(v.name);
    for (Variable& v : f.locals)
        rename(v, names);
    for (Instruction& i : f.body)
        for (Operand& o : i.operands)
            rename(o, names);
    for (TargetList& list : f.targetLists)
        for (std::string& target : list.targets)
            rename(target, names);
    rename(f.name, all);
}

bool isLocal(const Variable& v) {
    return !v.isVisible && !v.isWeak && !v.isExtern;
}
bool isLocal(const Function& f) {
    return !f.isVisible && !f.isWeak && !f.isExtern && !f.body.empty();
}

template <class F>
void eachName(const Module& m, F f) {
    for (const Variable& v : m.variables)
        f(v.name, isLocal(v));
    for (const Function& function : m.functions) {
        f(function.name, isLocal(function));
        for (const Variable& v : function.locals) // static variables of a function live as long as the module
            if (v.space == StateSpace::Global || v.space == StateSpace::Const)
                f(v.name, true);
    }
}

void renameLocals(std::vector<Module>& modules) {
    std::map<std::string, int> users; // modules that know the name
    for (const Module& m : modules) {
        std::set<std::string> own;
        eachName(m, [&](const std::string& name, bool) { own.insert(name); });
        for (const std::string& name : own)
            ++users[name];
    }
    for (std::size_t k = 1; k < modules.size(); ++k) {
        Names names;
        eachName(modules[k], [&](const std::string& name, bool local) {
            if (local && users[name] > 1)
                names[name] = fmt::format("{}__of_file_{}", name, k + 1);
        });
        if (names.empty())
            continue;
        for (Variable& v : modules[k].variables)
            rename(v, names);
        for (Function& f : modules[k].functions)
            renameIn(f, names);
    }
}

void moveNumbers(Module& m, int lines, int files, std::uint32_t places) {
    const auto moved = [&](std::uint32_t place) { return place == noPlace ? noPlace : place + places; };
    for (Module::File& f : m.files)
        f.number += files;
    for (Place& p : m.places) {
        p.file += files;
        p.inlinedAt = moved(p.inlinedAt);
    }
    for (Variable& v : m.variables)
        v.line += lines;
    for (Function& f : m.functions) {
        f.line += lines;
        if (f.bodyLine != 0) // a declaration has none
            f.bodyLine += lines, f.endLine += lines;
        for (Variable& v : f.locals)
            v.line += lines;
        for (Label& l : f.labels)
            l.line += lines;
        for (Instruction& i : f.body) {
            i.line += lines;
            i.place = moved(i.place);
        }
    }
    for (Module::Section& s : m.sections)
        s.line += lines;
}

// Takes over one definition or declaration. Error: both define it for all.
template <class Symbol>
Result<void> take(std::vector<Symbol>& into, std::map<std::string, std::size_t>& placed, Symbol symbol, bool defines,
                  bool known) {
    const auto found = placed.find(symbol.name);
    if (found == placed.end()) {
        placed[symbol.name] = into.size();
        into.push_back(std::move(symbol));
    } else if (defines && !known) {
        into[found->second] = std::move(symbol);
    } else if (defines && known && !symbol.isWeak && !into[found->second].isWeak) {
        return Error{.message = say::DefinedTwice(symbol.name)};
    }
    return {};
}

void raiseAlignment(Variable& of, int alignment) {
    if (of.isExtern)
        of.alignment = std::max(of.alignment, alignment);
}

// The names of inlined functions, which .loc refers to by labels: those of each file mean something only there.
Module::Section namesOfInlined(const Module& m) {
    std::set<std::string_view> names;
    for (const Place& p : m.places)
        if (!p.function.empty())
            names.insert(p.function);
    Module::Section section{".debug_str", {}, 0};
    for (const std::string_view name : names) {
        section.text += fmt::format("$L__info_string{}:\n.b8 ", section.line++);
        for (const char c : name)
            section.text += fmt::format("{},", unsigned(static_cast<unsigned char>(c)));
        section.text += "0\n";
    }
    section.line = 0;
    return section;
}

} // namespace

Result<Module> join(std::vector<Module> modules) {
    if (modules.size() == 1)
        return std::move(modules.front());
    renameLocals(modules);
    Module all;
    std::map<std::string, std::size_t> variables, functions;
    int files = 0;
    for (Module& m : modules) {
        moveNumbers(m, int(std::count(all.text.begin(), all.text.end(), '\n')), files,
                    std::uint32_t(all.places.size()));
        if (all.text.empty()) {
            all.name = m.name;
            all.versionMajor = m.versionMajor, all.versionMinor = m.versionMinor;
            all.target = m.target, all.targetOptions = m.targetOptions, all.addressSize = m.addressSize;
        }
        all.text += m.text;
        if (!all.text.ends_with('\n'))
            all.text += '\n';
        for (const Module::File& f : m.files)
            files = std::max(files, f.number);
        std::move(m.files.begin(), m.files.end(), std::back_inserter(all.files));
        std::move(m.places.begin(), m.places.end(), std::back_inserter(all.places));
        std::move(m.otherDirectives.begin(), m.otherDirectives.end(), std::back_inserter(all.otherDirectives));
        for (Variable& v : m.variables) {
            const auto found = variables.find(v.name);
            // Extern shared memory without a size is the block's dynamic part: one for all, which lies as the most
            // demanding file wants it.
            if (v.isExtern && found != variables.end())
                raiseAlignment(all.variables[found->second], v.alignment);
            const bool defines = !v.isExtern,
                       known = found != variables.end() && !all.variables[found->second].isExtern;
            if (auto ok = take(all.variables, variables, std::move(v), defines, known); !ok)
                return ok.error();
        }
        for (Function& f : m.functions) {
            const auto found = functions.find(f.name);
            const bool defines = f.bodyLine != 0; // a kernel may be declared, too: another one launches it
            const bool known = found != functions.end() && all.functions[found->second].bodyLine != 0;
            if (auto ok = take(all.functions, functions, std::move(f), defines, known); !ok)
                return ok.error();
        }
    }
    if (Module::Section names = namesOfInlined(all); !names.text.empty())
        all.sections.push_back(std::move(names));
    return all;
}

Result<Module> parseTogether(std::vector<std::string> texts, const std::string& name) {
    std::vector<Module> parts;
    for (std::string& text : texts) {
        auto part = parse(std::move(text), name);
        if (!part)
            return part.error();
        parts.push_back(std::move(*part));
    }
    return join(std::move(parts));
}

namespace {
std::vector<std::string> textsOf(std::string_view text) {
    constexpr std::string_view begin = "\n.version";
    std::vector<std::string> texts;
    std::size_t first = text.starts_with(begin.substr(1)) ? 0 : text.find(begin); // what stands before is comment
    for (std::size_t from = 0; from < text.size();) {
        first = first == std::string_view::npos ? first : text.find(begin, first + 1);
        const std::size_t end = first == std::string_view::npos ? text.size() : first + 1;
        texts.emplace_back(text.substr(from, end - from));
        from = end;
    }
    return texts;
}
} // namespace

Result<Module> parseJoined(std::string_view text, const std::string& name) {
    std::vector<std::string> texts = textsOf(text);
    return texts.empty() ? parse({}, name) : parseTogether(std::move(texts), name);
}

DebugInfo debugInfo(const Module& module, std::string_view text) {
    std::vector<std::string> texts = textsOf(text);
    if (texts.size() < 2)
        return debugInfo(module);
    DebugInfo all;
    for (std::string& one : texts) { // labels and places mean something only in their own file
        const auto part = parse(std::move(one), module.name);
        if (!part)
            continue;
        DebugInfo more = debugInfo(*part);
        const auto types = std::uint32_t(all.types.size());
        const auto moved = [&](std::uint32_t type) { return type == DebugInfo::none ? type : type + types; };
        for (DebugInfo::Type& type : more.types) {
            type.of = moved(type.of);
            for (DebugInfo::Member& member : type.members)
                member.type = moved(member.type);
        }
        std::move(more.types.begin(), more.types.end(), std::back_inserter(all.types));
        for (DebugInfo::Variable& v : more.variables) {
            const Function& own = part->functions[v.function];
            const auto same = std::find_if(module.functions.begin(), module.functions.end(), [&](const Function& f) {
                return f.name == own.name && f.body.size() == own.body.size();
            });
            if (same == module.functions.end()) // renamed, or another file's was taken
                continue;
            v.function = std::uint32_t(same - module.functions.begin());
            v.type = moved(v.type);
            all.variables.push_back(std::move(v));
        }
    }
    return all;
}

} // namespace warpglass::ptx
