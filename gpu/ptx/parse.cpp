// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/parse.h"

#include "gpu/base/messages/code.h"
#include "gpu/base/utf8.h"
#include "gpu/ptx/debug_strings.h"
#include "gpu/ptx/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::ptx {

namespace {

// Compilers write each byte of a letter beyond ASCII as three octal digits: "\\303\\274bung.cu".
std::string pathOf(std::string_view text) {
    const auto octal = [&](std::size_t at, char most) {
        return at < text.size() && text[at] >= '0' && text[at] <= most;
    };
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\\' && octal(i + 1, '3') && text[i + 1] >= '2' && octal(i + 2, '7') && octal(i + 3, '7')) {
            path += char((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 | (text[i + 3] - '0'));
            i += 3;
        } else {
            path += text[i];
        }
    return validUtf8(path) == path ? path : std::string(text);
}

// Whether something of the module begins there: what old compilers wrote behind a declaration that no ';' ends.
bool beginsTopLevel(const Token& at) {
    static constexpr std::string_view words[] = {".visible", ".extern", ".weak",         ".common", ".entry", ".func",
                                                 ".global",  ".const",  ".shared",       ".local",  ".tex",   ".file",
                                                 ".section", ".target", ".address_size", ".alias"};
    return at.kind == Token::Kind::End ||
           std::any_of(std::begin(words), std::end(words), [&](std::string_view w) { return at.is(w); });
}

// PTX ISA, "Target ISA Notes": sm_1x flushes subnormal numbers of .f32 whatever the instruction says, and has a mad
// without rounding, which later devices round to nearest. It is said in the words that all others use.
void sayWhatIsMeant(Function& function) {
    for (Instruction& i : function.body) {
        const auto type =
            std::find_if(i.modifiers.begin(), i.modifiers.end(), [](Modifier m) { return typeOf(m) != Type::None; });
        if (std::find(i.modifiers.begin(), i.modifiers.end(), Modifier::F32) == i.modifiers.end() ||
            i.has(Modifier::Ftz))
            continue;
        Instruction meant = i;
        auto at = meant.modifiers.insert(meant.modifiers.begin() + (type - i.modifiers.begin()), Modifier::Ftz);
        if (i.opcode == Opcode::Mad && !i.has(Modifier::Rn) && !i.has(Modifier::Rz) && !i.has(Modifier::Rm) &&
            !i.has(Modifier::Rp))
            meant.modifiers.insert(at, Modifier::Rn);
        if (support(meant).kind == Support::Kind::Runs)
            i = std::move(meant);
    }
}

} // namespace

Result<Module> parse(std::string text, std::string name) {
    return Parser(std::move(text), std::move(name)).run();
}

Parser::Parser(std::string text, std::string name) {
    m_module.text = std::move(text);
    m_module.name = std::move(name);
}

Result<Module> Parser::run() {
    Result<std::vector<Token>> tokens = lex(m_module.text, m_module.name);
    if (!tokens)
        return tokens.error();
    m_tokens = std::move(*tokens);
    if (!readModule())
        return *m_error;
    m_tokens.clear(); // they point into the text that moves away now
    return std::move(m_module);
}

// --- tokens

const Token& Parser::next() {
    const Token& token = peek();
    if (m_at + 1 < m_tokens.size())
        ++m_at;
    return token;
}

bool Parser::accept(char mark) {
    if (!peek().is(mark))
        return false;
    next();
    return true;
}

bool Parser::accept(std::string_view word) {
    if (!peek().is(word))
        return false;
    next();
    return true;
}

bool Parser::expect(char mark) {
    return accept(mark) || failExpected(say::Mark(std::string(1, mark)));
}

bool Parser::fail(const Token& at, Message message, Said remedy) {
    if (!m_error)
        m_error = Error{std::move(message), m_module.name, at.line, at.column, std::move(remedy)};
    return false;
}

bool Parser::failExpected(Message what) {
    const Token& found = peek();
    if (found.kind == Token::Kind::End)
        return fail(found, say::MissingAtEnd(std::move(what)));
    return fail(found, say::MissingBefore(std::move(what), found.text));
}

bool Parser::readName(std::string& name, MessageForm<0> what) {
    if (peek().kind != Token::Kind::Name)
        return failExpected(what);
    name = next().text;
    return true;
}

bool Parser::readInt(std::int64_t& value, MessageForm<0> what) {
    const bool minus = accept('-');
    const auto literal = peek().kind == Token::Kind::Number ? integerLiteral(peek().text) : std::nullopt;
    if (!literal)
        return failExpected(what);
    next();
    value = std::int64_t(minus ? 0 - *literal : *literal);
    return true;
}

bool Parser::readUnsigned(std::uint32_t& value, MessageForm<0> what) {
    const Token& at = peek();
    std::int64_t wide = 0;
    if (!readInt(wide, what))
        return false;
    if (wide < 0 || wide > 0xffffffffll)
        return fail(at, say::OutOfRange(what));
    value = std::uint32_t(wide);
    return true;
}

std::string Parser::textBetween(std::size_t firstToken, std::size_t endToken) const {
    const std::string_view all = m_module.text;
    std::string line;
    for (std::size_t i = firstToken; i < endToken; ++i) {
        const std::size_t begin = m_tokens[i].offset(all), end = m_tokens[i].end(all);
        if (i > firstToken && m_tokens[i - 1].end(all) != begin)
            line += ' ';
        line += all.substr(begin, end - begin);
    }
    return line;
}

// --- module level

bool Parser::readModule() {
    if (!accept(std::string_view(".version")))
        return fail(peek(), say::NoPtx, say::GivePtx);
    const Token& version = next();
    const std::size_t dot = version.text.find('.');
    const auto major = integerLiteral(version.text.substr(0, dot));
    const auto minor = integerLiteral(dot == std::string_view::npos ? "" : version.text.substr(dot + 1));
    if (version.kind != Token::Kind::Number || !major || !minor || *major > 99 || *minor > 99)
        return fail(version, say::VersionForm);
    m_module.versionMajor = int(*major);
    m_module.versionMinor = int(*minor);
    while (peek().kind != Token::Kind::End)
        if (!readTopLevel())
            return false;

    for (const auto& [symbol, token] : m_symbolUses)
        if (!m_functionAt.contains(symbol) && !m_variableAt.contains(symbol))
            return fail(m_tokens[token], say::NotDeclared(symbol));
    tidy();
    resolveInlinedNames();
    if (m_module.target.size() == 5 && m_module.target.starts_with("sm_1"))
        std::for_each(m_module.functions.begin(), m_module.functions.end(), sayWhatIsMeant);
    return true;
}

bool Parser::readTopLevel() {
    const Token& at = peek();
    if (accept(std::string_view(".target"))) {
        if (!readName(m_module.target, say::TheTarget))
            return false;
        while (accept(',')) {
            std::string option;
            if (!readName(option, say::ATargetOption))
                return false;
            m_module.targetOptions.push_back(option);
        }
        return true;
    }
    if (accept(std::string_view(".address_size"))) {
        std::int64_t bits = 0;
        if (!readInt(bits, say::TheAddressSize))
            return false;
        if (bits != 64)
            return fail(at, say::Only64, say::CompileFor64);
        return true;
    }
    if (accept(std::string_view(".file")))
        return readFile();
    if (accept(std::string_view(".section")))
        return readSection();
    if (at.is(std::string_view(".pragma")) || at.is(std::string_view(".alias"))) {
        const std::size_t first = m_at;
        while (!peek().is(';'))
            if (next().kind == Token::Kind::End)
                return failExpected(say::Mark(";"));
        next();
        m_module.otherDirectives.push_back(textBetween(first, m_at));
        return true;
    }
    if (accept(';'))
        return true;
    return readLinkage();
}

bool Parser::readFile() {
    std::int64_t number = 0;
    if (!readInt(number, say::NumberOfFile))
        return false;
    if (peek().kind != Token::Kind::String)
        return failExpected(say::PathOfFile);
    m_module.files.push_back({int(number), pathOf(next().text)});
    while (accept(',')) { // time stamp and size: of no use here
        std::int64_t ignored = 0;
        if (!readInt(ignored, say::ANumber))
            return false;
    }
    return true;
}

bool Parser::readSection() {
    Module::Section section;
    section.line = peek().line;
    if (peek().kind != Token::Kind::Directive && peek().kind != Token::Kind::Name)
        return failExpected(say::NameOfSection);
    section.name = next().text;
    if (!peek().is('{'))
        return failExpected(say::Mark("{"));
    const std::size_t begin = next().end(m_module.text);
    int depth = 1;
    for (;;) {
        const Token& token = peek();
        if (token.kind == Token::Kind::End)
            return failExpected(say::EndOfSection);
        depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
        if (depth == 0)
            break;
        next();
    }
    section.text = m_module.text.substr(begin, peek().offset(m_module.text) - begin);
    next();
    m_module.sections.push_back(std::move(section));
    return true;
}

bool Parser::readLinkage() {
    const Token& at = peek();
    Variable linkage;
    linkage.line = at.line;
    for (;; next()) {
        if (peek().is(std::string_view(".extern")))
            linkage.isExtern = true;
        else if (peek().is(std::string_view(".visible")))
            linkage.isVisible = true;
        else if (peek().is(std::string_view(".weak")) || peek().is(std::string_view(".common")))
            linkage.isWeak = true;
        else
            break;
    }
    const bool entry = peek().is(std::string_view(".entry"));
    if (entry || peek().is(std::string_view(".func"))) {
        Function function;
        function.isEntry = entry;
        function.isExtern = linkage.isExtern;
        function.isVisible = linkage.isVisible;
        function.isWeak = linkage.isWeak;
        function.line = next().line;
        return readFunction(std::move(function));
    }
    for (const std::string_view space : {".global", ".const", ".shared", ".local"}) {
        if (!peek().is(space))
            continue;
        std::vector<Variable> variables;
        if (!readVariables(linkage, variables))
            return false;
        for (Variable& v : variables)
            addVariable(std::move(v));
        return true;
    }
    if (peek().is(std::string_view(".tex")))
        return readTexture(std::move(linkage));
    if (peek().kind == Token::Kind::End)
        return failExpected(say::ADeclaration);
    return fail(peek(), say::UnknownHere(peek().text), say::GivePtx);
}

bool Parser::readFunction(Function function) {
    m_vectorParameters.clear();
    if (!function.isEntry) {
        while (peek().kind == Token::Kind::Directive) { // .noreturn and the like may stand before the results
            if (!readFunctionDirectives(function))
                return false;
        }
        if (peek().is('(') && !readParameters(function.returns))
            return false;
    }
    if (!readName(function.name, say::NameOfFunction))
        return false;
    if (peek().is('(') && !readParameters(function.params))
        return false;
    while (peek().kind == Token::Kind::Directive && !beginsTopLevel(peek()))
        if (!readFunctionDirectives(function))
            return false;
    if (accept(';') || beginsTopLevel(peek())) {
        addFunction(std::move(function));
        return true;
    }
    if (!peek().is('{'))
        return failExpected(say::BodyOf(function.name));
    function.isExtern = false;
    if (!readBody(function))
        return false;
    addFunction(std::move(function));
    return true;
}

bool Parser::readTriple(std::array<std::uint32_t, 3>& triple) {
    triple = {1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i) {
        if (i > 0 && !accept(','))
            break;
        if (!readUnsigned(triple[i], say::NumberOfThreads))
            return false;
    }
    return true;
}

bool Parser::readFunctionDirectives(Function& function) {
    const std::size_t first = m_at;
    const Token& at = next();
    if (at.is(std::string_view(".maxntid")))
        return readTriple(function.maxntid);
    if (at.is(std::string_view(".reqntid")))
        return readTriple(function.reqntid);
    if (at.is(std::string_view(".reqnctapercluster")))
        return readTriple(function.reqnctapercluster);
    if (at.is(std::string_view(".minnctapersm")))
        return readUnsigned(function.minnctapersm, say::NumberOfBlocks);
    if (at.is(std::string_view(".maxnreg")))
        return readUnsigned(function.maxnreg, say::NumberOfRegisters);
    if (at.is(std::string_view(".noreturn"))) {
        function.isNoReturn = true;
        return true;
    }
    if (at.is(std::string_view(".pragma"))) {
        if (peek().kind != Token::Kind::String)
            return failExpected(say::TextOfPragma);
        function.pragmas.emplace_back(next().text);
        function.pragmaAt.push_back(noPlace);
        return expect(';');
    }
    for (const std::string_view known : {".maxnctapersm", ".explicitcluster", ".maxclusterrank", ".blocksareclusters",
                                         ".abi_preserve", ".abi_preserve_control", ".attribute"}) {
        if (!at.is(known))
            continue;
        while (peek().kind == Token::Kind::Number || peek().is(',') || peek().is('(') || peek().is(')') ||
               (peek().kind == Token::Kind::Directive && m_tokens[m_at - 1].is('(')))
            next();
        function.otherDirectives.push_back(textBetween(first, m_at));
        return true;
    }
    return fail(at, say::UnknownDirective(at.text));
}

namespace {

// Adds what has a name, behind all others; what had it before is gone when the module has been read (dropReplaced), since
// taking it out of the middle would move all that follow.
template <class T>
void addNamed(std::vector<T>& all, T one, std::unordered_map<std::string, std::size_t>& places,
              std::vector<std::size_t>& replaced, bool onlyDeclares) {
    const auto [known, fresh] = places.try_emplace(one.name, all.size());
    if (!fresh) {
        if (onlyDeclares)
            return;
        replaced.push_back(known->second);
        known->second = all.size();
    }
    all.push_back(std::move(one));
}

template <class T>
void dropReplaced(std::vector<T>& all, const std::vector<std::size_t>& replaced) {
    std::vector<bool> gone(all.size(), false);
    for (const std::size_t n : replaced)
        gone[n] = true;
    std::size_t kept = 0;
    for (std::size_t n = 0; n < all.size(); ++n)
        if (!gone[n] && kept++ != n)
            all[kept - 1] = std::move(all[n]);
    all.resize(kept);
}

} // namespace

// A definition replaces its declaration; a later declaration of something known says nothing new.
void Parser::addFunction(Function function) {
    const bool declares = function.bodyLine == 0;
    addNamed(m_module.functions, std::move(function), m_functionAt, m_replacedFunctions, declares);
}

void Parser::addVariable(Variable variable) {
    const bool declares = variable.isExtern;
    addNamed(m_module.variables, std::move(variable), m_variableAt, m_replacedVariables, declares);
}

void Parser::tidy() {
    dropReplaced(m_module.functions, m_replacedFunctions);
    dropReplaced(m_module.variables, m_replacedVariables);
}

void Parser::resolveInlinedNames() {
    // .loc names an inlined function by a label of .debug_str, which stands at the end of the file.
    const DebugStrings strings = debugStrings(m_module);
    for (Place& place : m_module.places) {
        if (place.function.empty())
            continue;
        if (const auto found = strings.byLabel.find(place.function); found != strings.byLabel.end())
            place.function = found->second;
    }
}

} // namespace warpglass::ptx
