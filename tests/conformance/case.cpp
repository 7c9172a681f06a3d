// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/case.h"

#include "tests/conformance/header.h"

#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

namespace warpglass::conformance {
namespace {

ElementType elementType(const ElementKind& kind) {
    switch (kind.bytes) {
    case 1:
        return ElementType::U8;
    case 2:
        return ElementType::U16;
    case 4:
        return kind.isFloat() ? ElementType::F32 : ElementType::U32;
    default:
        return kind.isFloat() ? ElementType::F64 : ElementType::U64;
    }
}

} // namespace

std::string Difference::text() const {
    return parameter ? fmt::format("{}[{}]: expected {}, got {}", parameter->name, index, expected, got)
                     : std::string();
}

Result<Case> readCase(std::string text, std::string name, const std::filesystem::path& file) {
    auto c = readHeader(text, file.string());
    if (!c)
        return c.error();
    c->name = std::move(name);
    c->file = file;
    c->text = std::move(text);
    auto module = ptx::parse(c->text, file.string());
    if (!module)
        return module.error();
    const auto isEntry = [](const ptx::Function& f) { return f.isEntry; };
    const auto entry = std::find_if(module->functions.begin(), module->functions.end(), isEntry);
    if (std::count_if(module->functions.begin(), module->functions.end(), isEntry) != 1)
        return Error{"a file has one .entry", file.string()};
    if (entry->params.size() != c->parameters.size())
        return Error{
            fmt::format("the head names {} parameters, the kernel has {}", c->parameters.size(), entry->params.size()),
            file.string(), entry->line};
    for (std::size_t k = 0; k < entry->params.size(); ++k) {
        const Parameter& p = c->parameters[k];
        const std::uint64_t bytes = entry->params[k].sizeBytes();
        if (bytes != (p.isBuffer ? 8 : p.initial.size()))
            return Error{fmt::format("{} does not fit the kernel's parameter {}, which has {} bytes", p.name,
                                     entry->params[k].name, bytes),
                         file.string(), p.line};
    }
    c->entry = entry->name;
    c->module = std::move(*module);
    return c;
}

LaunchPlan planOf(const Case& c) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = c.entry;
    plan.moduleName = c.file.string();
    plan.ptx = c.text;
    plan.grid = c.grid;
    plan.block = c.block;
    plan.sharedBytes = c.sharedBytes;
    for (const Parameter& p : c.parameters) {
        Argument& a = plan.arguments.emplace_back();
        a.name = p.name;
        a.isBuffer = p.isBuffer;
        a.type = elementType(p.kind);
        if (!p.isBuffer) {
            a.scalar = p.initial;
            continue;
        }
        a.count = std::max(p.initial.size(), p.expected.size()) / p.kind.bytes;
        if (!p.initial.empty())
            a.fill = [bytes = p.initial](std::span<std::byte> to) {
                std::memcpy(to.data(), bytes.data(), bytes.size());
            };
    }
    return plan;
}

Difference firstDifference(const Case& c, const Buffers& buffers) {
    for (std::size_t k = 0; k < c.parameters.size(); ++k) {
        const Parameter& p = c.parameters[k];
        if (!p.compared)
            continue;
        const std::size_t count = p.expected.size() / p.kind.bytes;
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t at = n * p.kind.bytes;
            if (k >= buffers.size() || at + p.kind.bytes > buffers[k].size())
                return {&p, n, writeElement(&p.expected[at], p.kind), "nothing"};
            if (!equalElements(&buffers[k][at], &p.expected[at], p.kind, c.within))
                return {&p, n, writeElement(&p.expected[at], p.kind), writeElement(&buffers[k][at], p.kind)};
        }
    }
    return {};
}

std::string withAnswers(const Case& c, const Buffers& buffers, const std::string& source) {
    std::string text;
    std::istringstream lines(c.text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const auto p = std::find_if(c.parameters.begin(), c.parameters.end(), [&](const Parameter& of) {
            return of.compared && number >= of.line && number <= of.lastLine;
        });
        if (line.starts_with("// source:")) {
            text += "// source: " + source + "\n";
        } else if (p == c.parameters.end()) {
            text += line + "\n";
        } else if (number == p->line) {
            const std::size_t k = std::size_t(p - c.parameters.begin());
            const std::string answers = writeElements(buffers[k], p->kind);
            const std::string before = p->initial.empty() ? "" : writeElements(p->initial, p->kind) + " -> ";
            text += wrapped(fmt::format("// {} {} {}: {}{}", p->initial.empty() ? "out" : "inout", p->name, p->type,
                                        before, answers));
        }
    }
    return text;
}

std::map<std::string, std::filesystem::path> casesBelow(const std::filesystem::path& folder) {
    std::map<std::string, std::filesystem::path> found;
    std::error_code code;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, code)) {
        const std::filesystem::path relative = entry.path().lexically_relative(folder);
        const std::string room = relative.begin()->string();
        if (entry.path().extension() == ".ptx" && room != "data" && room != "models")
            found.emplace((relative.parent_path() / relative.stem()).string(), entry.path());
    }
    return found;
}

std::string readFile(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace warpglass::conformance
