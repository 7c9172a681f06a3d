// SPDX-License-Identifier: GPL-3.0-or-later
// Every form of the instruction table that the emulator runs has a file in tests/ptx.
//
// What must be there, for each such form: each of its types (each pair of them, where it has two) and each of its
// modifiers, in an instruction of that form. An instruction counts in a file whose "form:" names its opcode, so that the
// loads and moves around what is tested do not. Exceptions stand in tests/ptx/without_file.txt, each with its reason; one
// that is not needed any more is a fault, too, so that the list only shrinks.
#include "tests/conformance/case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include <fnmatch.h>

namespace warpglass::conformance {
namespace {

using ptx::Form;
using ptx::Modifier;

// The opcodes that a form: names, as "add" of "add.cc, addc.cc.u32".
std::set<std::string> namedOpcodes(const std::string& form) {
    std::set<std::string> names;
    std::istringstream words(form);
    for (std::string word; words >> word;)
        names.insert(word.substr(0, word.find_first_of(".,")));
    return names;
}

struct Words { // of an instruction
    std::vector<Modifier> types;
    ptx::ModifierSet others;

    explicit Words(const ptx::Instruction& i) {
        for (const Modifier m : i.modifiers)
            if (ptx::typeOf(m) == ptx::Type::None)
                others.set(std::size_t(m));
            else
                types.push_back(m);
    }
    bool isOf(const Form& form) const {
        if ((others & ~form.modifiers).any())
            return false;
        if (types.empty())
            return form.untyped;
        // Matrices name the accumulator's type again behind those of the factors, and then that of the scales.
        const auto isSource = [&](Modifier m) {
            return form.sources.test(std::size_t(m)) || (types.size() > 2 && form.types.test(std::size_t(m))) ||
                   form.further[2].test(std::size_t(m));
        };
        return form.types.test(std::size_t(types[0])) && (types.size() > 1) == form.sources.any() &&
               std::all_of(types.begin() + 1, types.end(), isSource);
    }
};

std::vector<Modifier> members(const ptx::ModifierSet& set) {
    std::vector<Modifier> list;
    for (std::size_t m = 1; m < set.size(); ++m)
        if (set.test(m))
            list.push_back(Modifier(m));
    return list;
}

// "cvt .f32.u8", "ld .v4 of b8": a type or pair of them; a modifier of the form that begins with this type.
std::string typesNeed(std::string_view opcode, Modifier type, Modifier source) {
    return source == Modifier::Unknown ? fmt::format("{} .{}", opcode, name(type))
                                       : fmt::format("{} .{}.{}", opcode, name(type), name(source));
}
// Caches, orders and hints of memory, shapes of matrices and textures: one file of the opcode is enough for each.
std::string modifierNeed(std::string_view opcode, const Form& form, Modifier modifier) {
    const ptx::Family family = ptx::row(ptx::parseOpcode(opcode)).family;
    if (family == ptx::Family::Load || family == ptx::Family::Store || family == ptx::Family::Atomic ||
        family == ptx::Family::Texture || family == ptx::Family::Surface || family == ptx::Family::Matrix)
        return fmt::format("{} .{}", opcode, name(modifier));
    const std::vector<Modifier> types = members(form.types), sources = members(form.sources);
    const std::string of = types.empty() ? "" : fmt::format(" of {}", name(types[0]));
    return fmt::format("{} .{}{}{}", opcode, name(modifier), of,
                       sources.empty() ? "" : fmt::format(".{}", name(sources[0])));
}

std::set<std::string> needs() {
    std::set<std::string> all;
    for (const ptx::Row& row : ptx::allRows())
        for (const Form& form : ptx::formsOf(row.opcode)) {
            if (!form.emulated)
                continue;
            if (form.untyped)
                all.insert(std::string(row.name));
            for (const Modifier type : members(form.types)) {
                if (form.sources.none())
                    all.insert(typesNeed(row.name, type, Modifier::Unknown));
                for (const Modifier source : members(form.sources))
                    all.insert(typesNeed(row.name, type, source));
            }
            for (const Modifier modifier : members(form.modifiers))
                all.insert(modifierNeed(row.name, form, modifier));
        }
    return all;
}

void tick(const ptx::Instruction& i, std::set<std::string>& open) {
    const Words words(i);
    const std::string_view opcode = name(i.opcode);
    for (const Form& form : ptx::formsOf(i.opcode)) {
        if (!form.emulated || !words.isOf(form))
            continue;
        if (words.types.empty())
            open.erase(std::string(opcode));
        else
            open.erase(typesNeed(opcode, words.types[0], Modifier::Unknown));
        for (std::size_t k = 1; k < words.types.size(); ++k)
            open.erase(typesNeed(opcode, words.types[0], words.types[k]));
        for (const Modifier modifier : members(words.others))
            open.erase(modifierNeed(opcode, form, modifier));
    }
}

struct Exceptions {
    std::set<std::string> needs;
    std::string wrong; // lines without a reason
};

// "NEED: REASON", a line each; a * stands for anything. Lines that begin with '#' are for people.
Exceptions exceptions() {
    Exceptions found;
    std::istringstream lines(readFile(WARPGLASS_SOURCE_DIR "/tests/ptx/without_file.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        const std::size_t colon = line.find(": "); // "::" is a part of some words
        if (colon == std::string::npos || colon + 2 == line.size())
            found.wrong += line + "\n";
        else
            found.needs.insert(line.substr(0, colon));
    }
    return found;
}

TEST(Forms, OfTheTableThatAreEmulatedHaveAFile) {
    std::set<std::string> open = needs();
    ASSERT_GT(open.size(), 500u);
    for (const auto& [name, file] : allCases()) {
        const auto c = readCase(readFile(file), name, file);
        if (!c)
            continue; // is a failure of its own
        const std::set<std::string> named = namedOpcodes(c->form);
        for (const ptx::Function& f : c->module.functions)
            for (const ptx::Instruction& i : f.body)
                if (named.count(std::string(i.opcodeName())))
                    tick(i, open);
    }
    const Exceptions excepted = exceptions();
    EXPECT_EQ(excepted.wrong, "") << "a reason is missing";
    std::string without, needless;
    std::set<std::string> used;
    for (const std::string& need : open) {
        bool known = false;
        for (const std::string& pattern : excepted.needs)
            if (fnmatch(pattern.c_str(), need.c_str(), 0) == 0) {
                known = true;
                used.insert(pattern);
            }
        if (!known)
            without += need + "\n";
    }
    for (const std::string& pattern : excepted.needs)
        if (!used.count(pattern))
            needless += pattern + "\n";
    EXPECT_EQ(without, "") << "have no file in tests/ptx, and no reason in tests/ptx/without_file.txt";
    EXPECT_EQ(needless, "") << "need no line in tests/ptx/without_file.txt any more";
}

} // namespace
} // namespace warpglass::conformance
