// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_file.h"

#include "app/session/kernel_names.h"
#include "app/session/user_file.h"
#include "gpu/ptx/parse.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <utility>

namespace warpglass::session {

namespace {

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

struct Token {
    std::string text;
    int line = 0;
};

// Words and single signs; comments, strings and lines of the preprocessor are left out.
std::vector<Token> tokensOf(const std::string& text) {
    std::vector<Token> tokens;
    int line = 1;
    bool lineBegins = true;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            ++i;
            lineBegins = true;
        } else if (std::isspace(static_cast<unsigned char>(c))) {
            ++i;
        } else if (c == '#' && lineBegins) {
            for (; i < text.size() && text[i] != '\n'; ++i)
                if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
                    ++line;
                    ++i;
                }
        } else if (text.compare(i, 2, "//") == 0) {
            while (i < text.size() && text[i] != '\n')
                ++i;
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = std::min(text.find("*/", i + 2), text.size());
            line += int(std::count(text.begin() + std::ptrdiff_t(i), text.begin() + std::ptrdiff_t(end), '\n'));
            i = std::min(end + 2, text.size());
        } else if (c == '"' || (c == '\'' && !(i > 0 && isWord(text[i - 1])))) {
            for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i)
                i += text[i] == '\\';
            i = std::min(i + 1, text.size());
            lineBegins = false;
        } else {
            std::size_t end = i + 1;
            if (isWord(c))
                while (end < text.size() && (isWord(text[end]) || text[end] == '\''))
                    ++end;
            tokens.push_back({text.substr(i, end - i), line});
            i = end;
            lineBegins = false;
        }
    }
    return tokens;
}

// The token behind the bracket that closes the one at `open`.
std::size_t behind(const std::vector<Token>& tokens, std::size_t open, const char* opening, const char* closing) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += (tokens[i].text == opening) - (tokens[i].text == closing);
        if (depth == 0)
            return i + 1;
    }
    return tokens.size();
}

// The last word of each declaration between two tokens, its default and its array brackets left out.
std::vector<std::string> declared(const std::vector<Token>& tokens, std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    std::string last;
    bool any = false, over = false;
    int depth = 0;
    for (std::size_t i = from; i < to; ++i) {
        const std::string& t = tokens[i].text;
        if (depth == 0 && t == ",") {
            names.push_back(std::exchange(last, {}));
            over = false;
            continue;
        }
        any = true;
        depth += (t == "(" || t == "<" || t == "[" || t == "{") - (t == ")" || t == ">" || t == "]" || t == "}");
        over = over || t == "=" || t == "[";
        if (!over && depth == 0 && isWord(t.front()) && !std::isdigit(static_cast<unsigned char>(t.front())))
            last = t;
    }
    if (any)
        names.push_back(last);
    return names;
}

struct ElementOf {
    const char* word;
    ElementType type;
};
// By the longest word first.
ElementType elementNamed(const std::string& type, std::uint64_t bytes) {
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
                            const SourceKernel* source) {
    KernelParameter p;
    p.bytes = variable.sizeBytes();
    const bool told = index < name.parameters.size();
    p.type = told ? name.parameters[index] : "." + std::string(ptx::name(variable.type));
    p.isPointer = told && p.type.ends_with('*');
    p.isStruct = variable.isArray;
    const std::string pointee = p.isPointer ? p.type.substr(0, p.type.size() - 1) : p.type;
    p.element = told ? elementNamed(pointee, p.isPointer ? 4 : p.bytes) : elementOf(variable.type);
    p.isConst = pointee.find("const") != std::string::npos;
    if (source && index < source->parameters.size())
        p.name = source->parameters[index];
    else if (!told && variable.name.find("_param_") == std::string::npos) // written by hand
        p.name = variable.name;
    if (p.name.empty())
        p.name = "p" + std::to_string(index);
    return p;
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
            for (const std::string& name : declared(tokens, i + 2, end - 1))
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
            const auto same = [&](const SourceKernel& k) { return k.name == tokens[at].text && !k.defined; };
            if (defines)
                std::erase_if(facts.kernels, same);
            if (defines || std::none_of(facts.kernels.begin(), facts.kernels.end(), same))
                facts.kernels.push_back({tokens[at].text, tokens[at].line, declared(tokens, at + 2, end - 1),
                                         std::exchange(templateParameters, {}), defines});
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

Result<KernelFile> lookInto(const RunRequest& request) {
    auto text = textOfFile(request);
    if (!text)
        return text.error();
    const bool cuda = request.kernel.ends_with(".cu");
    const SourceFacts facts = cuda ? factsOfSource(*text) : SourceFacts{};
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
    std::map<std::string, int> instances;
    for (const ptx::Function& function : module->functions) {
        if (!function.isEntry || function.isExtern)
            continue;
        const KernelName name = kernelName(function.name);
        const std::string last = name.plain.substr(name.plain.rfind(':') + 1); // npos + 1 = 0
        const auto source = std::find_if(facts.kernels.begin(), facts.kernels.end(),
                                         [&](const SourceKernel& k) { return k.name == last; });
        FileKernel kernel;
        kernel.entry = name.instance();
        kernel.signature = name.signature();
        kernel.line = source != facts.kernels.end() ? source->line : function.line;
        kernel.sharedBytes = staticSharedBytes(*module, function);
        kernel.takesDynamicShared = usesDynamicShared(*module);
        if (function.reqntid[0])
            kernel.requiredBlock = {function.reqntid[0], std::max(function.reqntid[1], 1u),
                                    std::max(function.reqntid[2], 1u)};
        for (std::size_t i = 0; i < function.params.size(); ++i)
            kernel.parameters.push_back(
                parameterOf(function.params[i], name, i, source != facts.kernels.end() ? &*source : nullptr));
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
        return Error{.message = "the file has no kernel",
                     .file = request.kernel,
                     .remedy = "A kernel is a __global__ function."};
    return file;
}

} // namespace warpglass::session
