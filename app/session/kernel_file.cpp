// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_file.h"

#include "app/session/kernel_names.h"
#include "app/session/triton.h"
#include "app/session/user_file.h"
#include "gpu/base/messages/session.h"
#include "gpu/launch/included.h"
#include "gpu/launch/source_tokens.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/register_estimate.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <regex>
#include <utility>

namespace warpglass::session {

using namespace cuda_text;

namespace {

struct Declared {
    std::vector<std::string> names, types;
};

// Each declaration between two tokens: its last word is the name, what stands before it the type. Its default is left
// out; brackets of an array are a star.
Declared declared(const std::vector<Token>& tokens, std::size_t from, std::size_t to) {
    Declared all;
    std::vector<std::string> words; // of one declaration, up to its name
    std::string name, brackets;
    bool over = false;
    int depth = 0;
    const auto end = [&] {
        std::string type;
        for (const std::string& word : words)
            type += (type.empty() || !isWord(type.back()) || !isWord(word.front()) ? "" : " ") + word;
        all.names.push_back(std::exchange(name, {}));
        all.types.push_back(type + std::exchange(brackets, {}));
        words.clear();
        over = false;
    };
    for (std::size_t i = from; i < to; ++i) {
        const std::string& t = tokens[i].text;
        if (depth == 0 && t == ",") {
            end();
            continue;
        }
        depth += (t == "(" || t == "<" || t == "[" || t == "{") - (t == ")" || t == ">" || t == "]" || t == "}");
        if (t == "[")
            brackets += "*";
        over = over || t == "=" || t == "[";
        if (over || t == "__restrict__")
            continue;
        if (depth == 0 && isWord(t.front()) && !std::isdigit(static_cast<unsigned char>(t.front()))) {
            if (!name.empty())
                words.push_back(name);
            name = t;
        } else {
            if (!name.empty())
                words.push_back(std::exchange(name, {}));
            words.push_back(t);
        }
    }
    if (from < to)
        end();
    return all;
}

struct ElementOf {
    const char* word;
    ElementType type;
};
// By the longest word first.
ElementType elementNamed(const std::string& type, std::uint64_t bytes) {
    if (type.find("bfloat16") != std::string::npos)
        return ElementType::BF16;
    static const std::regex half("(^|.*[^\\w])(__)?half2?($|[^\\w].*)");
    if (std::regex_match(type, half))
        return ElementType::F16;
    for (const ElementOf& e : std::initializer_list<ElementOf>{{"unsigned long", ElementType::U64},
                                                               {"unsigned char", ElementType::U8},
                                                               {"unsigned short", ElementType::U16},
                                                               {"unsigned", ElementType::U32},
                                                               {"double", ElementType::F64},
                                                               {"float", ElementType::F32},
                                                               {"long", ElementType::I64},
                                                               {"bool", ElementType::U8},
                                                               {"signed char", ElementType::I8},
                                                               {"char", ElementType::I8},
                                                               {"short", ElementType::I16},
                                                               {"int", ElementType::I32}})
        if (type.find(e.word) != std::string::npos)
            return e.type;
    switch (bytes) {
    case 1:
        return ElementType::U8;
    case 2:
        return ElementType::U16;
    case 8:
        return ElementType::U64;
    default:
        return ElementType::I32;
    }
}

// Of PTX alone: 64 bits are mostly a pointer, and nothing tells to what.
ElementType elementOf(ptx::Type type) {
    return type == ptx::Type::F32 ? ElementType::F32 : type == ptx::Type::F64 ? ElementType::F64 : ElementType::I32;
}

KernelParameter parameterOf(const ptx::Variable& variable, const KernelName& name, std::size_t index,
                            const SourceKernel* source, const StructLayouts& structs) {
    KernelParameter p;
    p.bytes = variable.sizeBytes();
    // Of extern "C" the name does not tell, and the source does, unless a template's letter stands there.
    const bool written = !name.hasParameters && source && index < source->types.size() &&
                         source->templateParameters.empty() && !source->types[index].empty();
    const bool told = index < name.parameters.size() || written;
    p.type = index < name.parameters.size() ? name.parameters[index]
             : written                      ? source->types[index]
                                            : "." + std::string(ptx::name(variable.type));
    p.isPointer = told && p.type.ends_with('*');
    p.isStruct = variable.isArray;
    const std::string pointee = p.isPointer ? p.type.substr(0, p.type.size() - 1) : p.type;
    p.element = told ? elementNamed(pointee, p.isPointer ? 4 : p.bytes) : elementOf(variable.type);
    p.isConst = pointee.find("const") != std::string::npos;
    if (const auto layout = told ? layoutOf(p.type, structs) : std::nullopt; layout && layout->bytes == p.bytes) {
        if (p.isStruct)
            p.fields = layout->fields;
        else if (p.isPointer && layout->fields.front().pointeeElements) {
            p.element = layout->fields.front().pointee;
            p.elementsEach = layout->fields.front().pointeeElements;
        }
    }
    if (source && index < source->parameters.size())
        p.name = source->parameters[index];
    else if (!told && variable.name.find("_param_") == std::string::npos) // written by hand
        p.name = variable.name;
    if (p.name.empty())
        p.name = "p" + std::to_string(index);
    return p;
}

// Definitions of structs: those of the text, and of the files that it names in quotes, wherever a person keeps them.
StructLayouts structsOf(const std::string& text, const RunRequest& request) {
    StructLayouts structs; // what is included is known to who includes it
    addStructs(
        cuda_text::includedTexts(text, std::filesystem::path(request.kernel).parent_path(), request.compile.includes),
        structs);
    addStructs(text, structs);
    return structs;
}

bool usesDynamicShared(const ptx::Module& module) {
    return std::any_of(module.variables.begin(), module.variables.end(),
                       [](const ptx::Variable& v) { return v.space == ptx::StateSpace::Shared && v.isExtern; });
}

} // namespace

SourceFacts factsOfSource(const std::string& text) {
    SourceFacts facts;
    const std::vector<Token> tokens = tokensOf(text);
    const auto is = [&](std::size_t i, const char* t) { return i < tokens.size() && tokens[i].text == t; };
    std::string templateParameters;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is(i, "template") && is(i + 1, "<")) {
            const std::size_t end = behind(tokens, i + 1, "<", ">");
            templateParameters.clear();
            for (const std::string& name : declared(tokens, i + 2, end - 1).names)
                templateParameters += (templateParameters.empty() ? "" : ", ") + name;
            i = end - 1;
        } else if (is(i, "__global__")) {
            // To the name: a word before a parenthesis, which is no attribute's.
            std::size_t at = i + 1;
            for (; at < tokens.size() && !is(at, ";") && !is(at, "{"); ++at) {
                if (!is(at + 1, "(") || !isWord(tokens[at].text.front()))
                    continue;
                const std::string& word = tokens[at].text;
                if (word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__block_size__" ||
                    word == "__attribute__" || word == "__maxnreg__" || word == "alignas") {
                    at = behind(tokens, at + 1, "(", ")") - 1;
                    continue;
                }
                break;
            }
            if (at >= tokens.size() || !is(at + 1, "("))
                continue;
            const std::size_t end = behind(tokens, at + 1, "(", ")");
            // What is declared first and defined later is one kernel; what is defined twice are two of one name.
            const bool defines = is(end, "{");
            Declared parameters = declared(tokens, at + 2, end - 1);
            const auto same = [&](const SourceKernel& k) { return k.name == tokens[at].text && !k.defined; };
            if (defines)
                std::erase_if(facts.kernels, same);
            if (defines || std::none_of(facts.kernels.begin(), facts.kernels.end(), same))
                facts.kernels.push_back({tokens[at].text, tokens[at].line, std::move(parameters.names),
                                         std::move(parameters.types), std::exchange(templateParameters, {}), defines});
            i = end - 1;
        } else if (is(i, "main") && is(i + 1, "(") && i > 0 && is(i - 1, "int")) {
            facts.hasMain = true;
        } else if (is(i, "{")) {
            const bool opensScope = [&] { // what stands in a namespace is looked at, what stands in a body is not
                for (std::size_t k = i; k-- > 0 && i - k < 4;)
                    if (is(k, "namespace") || is(k, "extern"))
                        return true;
                return i > 0 && is(i - 1, "extern");
            }();
            if (!opensScope)
                i = behind(tokens, i, "{", "}") - 1;
        } else if (is(i, ";")) {
            templateParameters.clear();
        }
    }
    return facts;
}

namespace {

// The highest component of threadIdx that it reads.
int dimensionsOf(const ptx::Operand& operand) {
    int most = operand.kind == ptx::Operand::Kind::Special && operand.name == "%tid" ? operand.component + 1 : 1;
    for (const ptx::Operand& element : operand.elements)
        most = std::max(most, dimensionsOf(element));
    return most;
}

int dimensionsOf(const ptx::Function& function) {
    int most = 1;
    for (const ptx::Instruction& instruction : function.body)
        for (const ptx::Operand& operand : instruction.operands)
            most = std::max(most, dimensionsOf(operand));
    return most;
}

} // namespace

Result<KernelFile> lookInto(const RunRequest& request) {
    if (isTritonFile(request.kernel))
        return kernelsOfTriton(request);
    auto text = textOfFile(request);
    if (!text)
        return text.error();
    const bool cuda = request.kernel.ends_with(".cu");
    const SourceFacts facts = cuda ? factsOfSource(*text) : SourceFacts{};
    const StructLayouts structs = cuda ? structsOf(*text, request) : StructLayouts{};
    auto ptx = ptxOfFile(request, *text);
    if (!ptx)
        return ptx.error();
    auto module = ptx::parse(*ptx, request.kernel);
    if (!module)
        return module.error();
    KernelFile file;
    if (request.text)
        file.compiled =
            std::make_shared<CompiledText>(CompiledText{*ptx, *text, instanceIn(request.entry), request.launch.mode});
    file.hasMain = facts.hasMain;
    for (StructField& global : cuda ? globalsIn(*text, structs) : std::vector<StructField>{}) {
        const auto known = [&](const ptx::Variable& v) { // else the source is not what it seems
            return !v.isExtern && (v.space == ptx::StateSpace::Global || v.space == ptx::StateSpace::Const) &&
                   kernelName(v.name).plain == global.name &&
                   v.sizeBytes() == global.count * std::uint64_t(bytesOf(global.element));
        };
        if (std::any_of(module->variables.begin(), module->variables.end(), known))
            file.globals.push_back(std::move(global));
    }
    std::map<std::string, int> instances;
    int called = 1; // of functions that are none of the kernels
    for (const ptx::Function& function : module->functions)
        called = function.isEntry ? called : std::max(called, dimensionsOf(function));
    for (const ptx::Function& function : module->functions) {
        if (!function.isEntry || function.isExtern)
            continue;
        const KernelName name = kernelName(function.name);
        const std::string last = name.plain.substr(name.plain.rfind(':') + 1); // npos + 1 = 0
        const auto source = std::find_if(facts.kernels.begin(), facts.kernels.end(),
                                         [&](const SourceKernel& k) { return k.name == last; });
        FileKernel kernel;
        kernel.entry = name.instance();
        kernel.symbol = function.name;
        kernel.signature = name.signature();
        kernel.line = source != facts.kernels.end() ? source->line : function.line;
        kernel.sharedBytes = staticSharedBytes(*module, function);
        kernel.registers = ptx::estimateRegisters(*module, function.name).value_or(0);
        kernel.takesDynamicShared = usesDynamicShared(*module);
        if (function.reqntid[0])
            kernel.requiredBlock = {function.reqntid[0], std::max(function.reqntid[1], 1u),
                                    std::max(function.reqntid[2], 1u)};
        kernel.dimensions = std::max(called, dimensionsOf(function));
        for (std::size_t i = 0; i < function.params.size(); ++i)
            kernel.parameters.push_back(
                parameterOf(function.params[i], name, i, source != facts.kernels.end() ? &*source : nullptr, structs));
        ++instances[kernel.entry];
        file.kernels.push_back(std::move(kernel));
    }
    for (std::size_t i = 0, at = 0; i < module->functions.size(); ++i) { // overloads go by their mangled names
        const ptx::Function& function = module->functions[i];
        if (!function.isEntry || function.isExtern)
            continue;
        if (instances[file.kernels[at].entry] > 1)
            file.kernels[at].entry = function.name;
        ++at;
    }
    for (const SourceKernel& source : facts.kernels)
        if (!source.templateParameters.empty())
            file.templates.push_back(source.name + "<" + source.templateParameters + ">");
    if (file.kernels.empty() && file.templates.empty() && !file.hasMain)
        return Error{.message = say::FileNoKernel, .file = request.kernel, .remedy = say::GlobalFunction};
    return file;
}

} // namespace warpglass::session
