// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/case.h"

#include "tests/conformance/header.h"

#include "gpu/launch/texture_words.h"
#include "gpu/ptx/parse.h"
#include "tests/ptx_file.h"

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

// Where what comes out of a parameter stands among the buffers: those of arguments first, then the arrays of textures and
// surfaces.
std::size_t bufferOf(const Case& c, const Parameter& of) {
    const auto arguments = c.arguments();
    if (of.object.empty())
        return std::size_t(std::find(arguments.begin(), arguments.end(), &of) - arguments.begin());
    std::size_t at = arguments.size();
    for (const Parameter& p : c.parameters) {
        if (&p == &of)
            break;
        at += !p.object.empty() && p.object != "tensormap" && !p.spec.starts_with('@');
    }
    return at;
}

} // namespace

std::vector<const Parameter*> Case::arguments() const {
    std::vector<const Parameter*> found;
    for (const Parameter& p : parameters)
        if (!p.isReference)
            found.push_back(&p);
    return found;
}

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
    for (Parameter& p : c->parameters) {
        const ptx::Variable* v = p.object.empty() ? nullptr : module->findVariable(p.name);
        p.isReference = v && v->opaque != ptx::Opaque::None;
    }
    const auto arguments = c->arguments();
    if (entry->params.size() != arguments.size())
        return Error{
            fmt::format("the head names {} parameters, the kernel has {}", arguments.size(), entry->params.size()),
            file.string(), entry->line};
    for (std::size_t k = 0; k < entry->params.size(); ++k) {
        const Parameter& p = *arguments[k];
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
        if (p.object == "tensormap") {
            Argument& a = plan.arguments.emplace_back();
            a.name = p.name;
            a.type = ElementType::U8;
            a.scalar = p.initial;
            a.tensorMap = *parseTensorMap(p.spec, p.spec); // the head was read
            continue;
        }
        if (!p.object.empty()) { // a spec that is wrong leaves nothing, and the launch is refused for it
            const std::string spec = p.name + "=" + p.spec;
            (void)(p.object == "texture" ? addTexture(plan, spec) : addSurface(plan, spec));
        }
        if (p.isReference)
            continue;
        Argument& a = plan.arguments.emplace_back();
        a.name = p.name;
        a.isBuffer = p.isBuffer;
        a.type = elementType(p.kind);
        if (!p.isBuffer) {
            a.scalar = p.initial;
            if (!p.object.empty())
                a.pointers.push_back({.offset = 0, .buffer = p.name, .addend = 0});
            continue;
        }
        a.count = std::max(p.initial.size() / p.kind.bytes, p.expected.size() / p.kind.bytes + p.more);
        if (!p.initial.empty())
            a.fill = [bytes = p.initial](std::span<std::byte> to) {
                std::memcpy(to.data(), bytes.data(), bytes.size());
            };
    }
    return plan;
}

Difference firstDifference(const Case& c, const Buffers& buffers) {
    for (const Parameter& p : c.parameters) {
        if (!p.compared)
            continue;
        const std::size_t k = bufferOf(c, p);
        const std::size_t count = p.expected.size() / p.kind.bytes;
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t at = n * p.kind.bytes;
            if (k >= buffers.size() || at + p.kind.bytes > buffers[k].size())
                return {&p, n, writeElement(&p.expected[at], p.kind), "nothing"};
            if (!equalElements(&buffers[k][at], &p.expected[at], p.kind, c.within))
                return {&p, n, writeElement(&p.expected[at], p.kind), writeElement(&buffers[k][at], p.kind)};
        }
        if (p.more == 0)
            continue;
        const std::size_t from = p.expected.size(), length = p.more * p.kind.bytes;
        const bool whole = k < buffers.size() && buffers[k].size() >= from + length;
        const std::uint64_t got = whole ? hashOf(std::span(buffers[k]).subspan(from, length), p.kind) : 0;
        if (!whole || got != p.moreHash)
            return {&p, count, fmt::format("{} values with hash {:016x}", p.more, p.moreHash),
                    whole ? fmt::format("{:016x}", got) : "nothing"};
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
            const std::string answers = writeElements(buffers[bufferOf(c, *p)], p->kind);
            if (!p->object.empty()) {
                text += wrapped(fmt::format("// {} {}: {} -> {}", p->object, p->name, p->spec, answers));
                continue;
            }
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

std::map<std::string, std::filesystem::path> allCases() {
    auto all = casesBelow(WARPGLASS_SOURCE_DIR "/tests/ptx");
    all.merge(casesBelow(tests::madePtx));
    return all;
}

std::string readFile(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace warpglass::conformance
