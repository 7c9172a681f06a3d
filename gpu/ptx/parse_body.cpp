// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies: statements, nested scopes, labels, source places. What comes out is flat: one list of registers, of
// variables, of instructions and of labels; a name that an inner scope declares a second time gets a suffix, as do its
// uses.
#include "gpu/base/large_pages.h"
#include "gpu/base/messages/code.h"
#include "gpu/ptx/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::ptx {
namespace {
constexpr std::uint32_t mostRegisters = 1u << 20; // of one function; ptxas gives up long before
constexpr std::size_t mostReserved = 1 << 20;     // statements that memory is taken for before they are read
} // namespace

bool Parser::readBody(Function& function) {
    m_scopes.clear();
    m_takenLabels = TakenLabels(&m_labelMemory);
    m_labelMemory.release();
    m_scopes.emplace_back(0, &m_labelMemory);
    m_scope = 0;
    m_taken.clear();
    m_suffixes.clear();
    m_labelSuffixes.clear();
    m_vectors.clear();
    m_wide.clear();
    m_labelUses.clear();
    m_locations.clear();
    m_latestLocation.clear();
    for (const auto* list : {&function.returns, &function.params})
        for (const Variable& v : *list) {
            m_scopes[0].names.emplace(v.name, Local{v.name, v.space == StateSpace::Reg});
            m_taken.insert(v.name);
        }
    for (const auto& [name, elements] : m_vectorParameters) {
        m_scopes[0].names.emplace(name, Local{name, true});
        m_taken.insert(name);
        m_vectors.emplace(name, elements);
    }

    function.bodyLine = peek().line;
    if (!expect('{'))
        return false;
    std::size_t statements = 0, labels = 0; // of a large body, which then lies where it is from the beginning
    for (std::size_t at = m_at, open = 1; at < m_tokens.size() && open > 0; ++at) {
        open += m_tokens[at].is('{') ? 1 : 0;
        open -= m_tokens[at].is('}') ? 1 : 0;
        statements += m_tokens[at].is(';') ? 1 : 0;
        labels += m_tokens[at].is(':') ? 1 : 0;
    }
    statements = std::min(statements, mostReserved);
    function.body.reserve(statements);
    askForLargePages(function.body.data(), statements * sizeof(Instruction));
    labels = std::min(labels, mostReserved);
    m_takenLabels.reserve(labels);
    m_scopes[0].labels.reserve(labels);
    int depth = 1;
    for (;;) {
        if (peek().kind == Token::Kind::End)
            return failExpected(say::EndOfBody(function.name));
        if (peek().is('}')) {
            function.endLine = next().line;
            if (--depth == 0)
                break;
            m_scope = m_scopes[m_scope].parent;
        } else if (accept('{')) {
            ++depth;
            m_scopes.emplace_back(m_scope, &m_labelMemory);
            m_scope = m_scopes.size() - 1;
        } else if (!readStatement(function)) {
            return false;
        }
    }
    return finishBody(function);
}

bool Parser::readStatement(Function& function) {
    const Token& at = peek();
    if (at.kind == Token::Kind::Name && peek(1).is(':'))
        return readLabel(function);
    if (at.kind == Token::Kind::Name || at.is('@'))
        return readInstruction(function);
    if (accept(';'))
        return true;
    if (accept(std::string_view(".reg")))
        return readRegisters(function);
    if (accept(std::string_view(".loc")))
        return readLocation();
    for (const std::string_view space : {".local", ".shared", ".param", ".global", ".const"})
        if (at.is(space))
            return readLocal(function);
    if (accept(std::string_view(".pragma"))) {
        if (peek().kind != Token::Kind::String)
            return failExpected(say::TextOfPragma);
        function.pragmas.emplace_back(next().text);
        function.pragmaAt.push_back(std::uint32_t(function.body.size()));
        return expect(';');
    }
    if (at.kind == Token::Kind::Directive)
        return fail(at, say::UnknownDirectiveInFunction(at.text));
    return fail(at, say::BeginsNothing(at.text));
}

// A free name for something declared in an inner scope (or hiding what a scope beside it called the same).
std::string Parser::flatName(std::string_view name, bool inner) {
    std::string flat(name);
    const auto taken = [&] {
        return m_taken.contains(flat) || (inner && (m_variableAt.contains(flat) || m_functionAt.contains(flat)));
    };
    if (!taken())
        return flat;
    // Inline assembly has the same name in thousands of scopes: the search goes on where it ended.
    int& suffix = m_suffixes.try_emplace(std::string(name), 1).first->second;
    for (; taken(); ++suffix)
        flat = std::string(name) + "$" + std::to_string(suffix);
    return flat;
}

const Parser::Local* Parser::findLocal(std::string_view name) const {
    for (std::size_t scope = m_scope;; scope = m_scopes[scope].parent) {
        const auto found = m_scopes[scope].names.find(name);
        if (found != m_scopes[scope].names.end())
            return &found->second;
        if (scope == 0)
            return nullptr;
    }
}

// A vector of registers becomes one register for each element: %v.x is %v$x from here on.
bool Parser::declareRegister(Function& function, const Token& at, const std::string& name, Type type,
                             std::uint32_t elements) {
    if (m_scopes[m_scope].names.contains(name))
        return fail(at, say::DeclaredTwice(name));
    if (function.registers.size() + elements > mostRegisters)
        return fail(at, say::TooManyRegisters);
    m_registers += elements; // who declares many has an instruction for each
    if (m_registers > mostRegisters + m_module.text.size())
        return fail(at, say::TooManyRegistersInAll);
    std::string flat = flatName(name, m_scope != 0);
    m_taken.insert(flat);
    m_scopes[m_scope].names.emplace(name, Local{flat, true});
    if (type == Type::B128)
        m_wide.insert(flat);
    if (elements == 1) {
        function.registers.push_back({std::move(flat), type});
        return true;
    }
    m_vectors.emplace(flat, elements);
    for (std::uint32_t k = 0; k < elements; ++k) {
        std::string element = elementName(flat, k);
        if (!m_taken.insert(element).second)
            return fail(at, say::DeclaredTwice(element));
        function.registers.push_back({std::move(element), type});
    }
    return true;
}

bool Parser::readRegisters(Function& function) {
    std::uint32_t elements = 1;
    if (accept(std::string_view(".v2")))
        elements = 2;
    else if (accept(std::string_view(".v4")))
        elements = 4;
    const auto type = peek().kind == Token::Kind::Directive ? parseType(peek().text.substr(1)) : std::nullopt;
    if (!type)
        return failExpected(say::TypeOfRegister);
    next();
    do {
        const Token& at = peek();
        std::string name;
        if (!readName(name, say::NameOfRegister))
            return false;
        if (accept('<')) {
            std::uint32_t count = 0;
            if (!readUnsigned(count, say::NumberOfRegisters) || !expect('>'))
                return false;
            if (count > mostRegisters)
                return fail(at, say::TooManyRegisters);
            for (std::uint32_t i = 0; i < count; ++i)
                if (!declareRegister(function, at, name + std::to_string(i), *type, elements))
                    return false;
        } else if (!declareRegister(function, at, name, *type, elements)) {
            return false;
        }
    } while (accept(','));
    return expect(';');
}

bool Parser::readLocal(Function& function) {
    const Token& at = peek();
    std::vector<Variable> variables;
    if (!readVariables({}, variables))
        return false;
    for (Variable& v : variables) {
        if (m_scopes[m_scope].names.contains(v.name))
            return fail(at, say::DeclaredTwice(v.name));
        std::string flat = flatName(v.name, m_scope != 0);
        m_taken.insert(flat);
        m_scopes[m_scope].names.emplace(v.name, Local{flat, false});
        v.name = std::move(flat);
        function.locals.push_back(std::move(v));
    }
    return true;
}

// .loc FILE LINE COLUMN [, function_name LABEL [+ N], inlined_at FILE LINE COLUMN]
bool Parser::readLocation() {
    std::int64_t file = 0, line = 0, column = 0;
    if (!readInt(file, say::FileOfPlace) || !readInt(line, say::LineOfPlace) || !readInt(column, say::ColumnOfPlace))
        return false;
    Location location;
    location.file = int(file);
    location.line = int(line);
    location.column = int(column);
    while (accept(',')) {
        if (accept(std::string_view("function_name"))) {
            if (!readName(location.function, say::NameOfFunction))
                return false;
            std::int64_t offset = 0;
            if (accept('+') && !readInt(offset, say::AnOffset))
                return false;
            if (offset != 0)
                location.function += "+" + std::to_string(offset);
        } else if (accept(std::string_view("inlined_at"))) {
            if (!readInt(file, say::AFile) || !readInt(line, say::ALine) || !readInt(column, say::AColumn))
                return false;
            const std::tuple<int, int, int> outer{int(file), int(line), int(column)};
            // The compiler writes the outer place just before; a hand-written file may not have it.
            auto known = m_latestLocation.find(outer);
            if (known == m_latestLocation.end()) {
                Location synthetic;
                std::tie(synthetic.file, synthetic.line, synthetic.column) = outer;
                known = m_latestLocation.emplace(outer, m_locations.size()).first;
                m_locations.push_back(synthetic);
            }
            location.inlinedAt = known->second;
        } else {
            return failExpected(say::InlinedWord);
        }
    }
    m_latestLocation[{location.file, location.line, location.column}] = m_locations.size();
    m_locations.push_back(std::move(location));
    return true;
}

// Places enter the module when an instruction needs them, outermost first, each once.
std::uint32_t Parser::placeOf(std::size_t location) {
    std::vector<std::size_t> chain;
    for (std::size_t at = location; at < m_locations.size(); at = m_locations[at].inlinedAt) {
        chain.push_back(at);
        if (m_locations[at].place != noPlace)
            break;
    }
    std::uint32_t outer = noPlace;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        Location& l = m_locations[*it];
        if (l.place == noPlace) {
            const auto [known, isNew] = m_placeIndex.try_emplace({l.file, l.line, l.column, outer, l.function},
                                                                 std::uint32_t(m_module.places.size()));
            if (isNew)
                m_module.places.push_back({l.file, l.line, l.column, outer, l.function});
            l.place = known->second;
        }
        outer = l.place;
    }
    return outer;
}

// A free name for a label, a list of targets or a prototype, which share one name space of their own.
bool Parser::declareLabel(const Token& at, std::string& flat, bool isPlace) {
    const auto [own, isNew] = m_scopes[m_scope].labels.try_emplace(at.text);
    if (!isNew)
        return fail(at, say::LabelTwice(at.text));
    flat = at.text;
    auto taken = m_takenLabels.try_emplace(flat, isPlace);
    if (!taken.second)
        for (int& suffix = m_labelSuffixes.try_emplace(flat, 1).first->second; !taken.second; ++suffix) {
            flat = fmt::format("{}${}", at.text, suffix);
            taken = m_takenLabels.try_emplace(flat, isPlace);
        }
    own->second = &*taken.first;
    return true;
}

const Parser::TakenLabel* Parser::findLabel(std::string_view name, std::size_t scope) const {
    for (;; scope = m_scopes[scope].parent) {
        const auto found = m_scopes[scope].labels.find(name);
        if (found != m_scopes[scope].labels.end())
            return found->second;
        if (scope == 0)
            return nullptr;
    }
}

// The flat name of a list or a prototype that stands before this place.
const std::string* Parser::findList(std::string_view name) const {
    const TakenLabel* label = findLabel(name, m_scope);
    return label && !label->second ? &label->first : nullptr;
}

bool Parser::readLabel(Function& function) {
    const Token& at = next();
    next(); // ':'
    const bool isList = peek().is(std::string_view(".branchtargets")) || peek().is(std::string_view(".calltargets"));
    const bool isPrototype = peek().is(std::string_view(".callprototype"));
    std::string flat;
    if (!declareLabel(at, flat, !isList && !isPrototype))
        return false;
    if (isList)
        return readTargetList(function, std::move(flat));
    if (isPrototype)
        return readPrototype(function, std::move(flat));
    function.labels.push_back({std::move(flat), std::uint32_t(function.body.size()), at.line});
    return true;
}

bool Parser::readTargetList(Function& function, std::string name) {
    const bool calls = next().is(std::string_view(".calltargets"));
    TargetList list;
    list.name = std::move(name);
    do {
        if (!calls) {
            LabelUse use;
            use.scope = m_scope;
            use.token = m_at;
            use.inList = true;
            use.list = function.targetLists.size();
            use.target = list.targets.size();
            m_labelUses.push_back(use);
        } else {
            m_symbolUses.emplace_back(std::string(peek().text), m_at);
        }
        std::string target;
        if (!readName(target, say::ATarget))
            return false;
        list.targets.push_back(std::move(target));
    } while (accept(','));
    function.targetLists.push_back(std::move(list));
    return expect(';');
}

bool Parser::readPrototype(Function& function, std::string name) {
    next();
    Function::Prototype prototype;
    prototype.name = std::move(name);
    if (peek().is('(') && !readParameters(prototype.returns))
        return false;
    std::string underscore;
    if (!readName(underscore, say::UnderscoreMark))
        return false;
    if (peek().is('(') && !readParameters(prototype.params))
        return false;
    while (peek().kind == Token::Kind::Directive || peek().kind == Token::Kind::Number)
        next(); // .noreturn, .abi_preserve N: nothing for us
    function.prototypes.push_back(std::move(prototype));
    return expect(';');
}

bool Parser::finishBody(Function& function) {
    // The innermost scope's own label first, then outwards.
    for (const LabelUse& use : m_labelUses) {
        std::string& name = use.inList ? function.targetLists[use.list].targets[use.target]
                                       : function.body[use.instruction].operands[use.operand].name;
        const bool wantsList = !use.inList && use.operand == 1; // of brx
        const TakenLabel* label = findLabel(name, use.scope);
        if (!label || label->second == wantsList)
            return fail(m_tokens[use.token],
                        (wantsList ? say::ListUndefined : say::LabelUndefined)(name, function.name));
        name = label->first;
    }
    moveParameters(function);
    return true;
}

} // namespace warpglass::ptx
