// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction and its operands.
#include "gpu/base/messages/code.h"
#include "gpu/ptx/parser.h"

#include "gpu/ptx/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace warpglass::ptx {
namespace {

constexpr int mostNesting = 6;

constexpr std::array specialNames = {
    "%tid",
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%is_explicit_cluster",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
    "WARP_SZ",
};

bool isSpecial(std::string_view name) {
    return std::find(specialNames.begin(), specialNames.end(), name) != specialNames.end() ||
           name.starts_with("%reserved_smem_offset_") || name.starts_with("%envreg") || name.starts_with("%pm");
}

int componentOf(std::string_view directive) {
    static constexpr std::array<std::string_view, 8> names = {".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"};
    const auto found = std::find(names.begin(), names.end(), directive);
    return found == names.end() ? -1 : int(found - names.begin()) % 4;
}

// Vectors among the arguments of a call stand for their elements, as they do among the parameters.
void flatten(Operand& list) {
    std::vector<Operand> flat;
    for (Operand& element : list.elements) {
        if (element.kind != Operand::Kind::Vector)
            flat.push_back(std::move(element));
        else
            for (Operand& inner : element.elements)
                flat.push_back(std::move(inner));
    }
    list.elements = std::move(flat);
}

} // namespace

std::string elementName(std::string_view vector, std::uint32_t element) {
    return fmt::format("{}${}", vector, "xyzw"[element & 3]);
}

std::optional<std::uint64_t> integerLiteral(std::string_view text) {
    if (text.ends_with('U') || text.ends_with('u'))
        text.remove_suffix(1);
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        base = 2;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<FloatLiteral> floatLiteral(std::string_view text) {
    if (text.size() >= 2 && text[0] == '0' && std::strchr("fFdD", text[1])) {
        const bool single = text[1] == 'f' || text[1] == 'F';
        if (text.size() != (single ? 10u : 18u))
            return std::nullopt;
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        if (error != std::errc() || end != text.data() + text.size())
            return std::nullopt;
        return FloatLiteral{bits, single};
    }
    if (text.find('.') == std::string_view::npos)
        return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    FloatLiteral literal;
    std::memcpy(&literal.bits, &value, sizeof value);
    return literal;
}

std::size_t Parser::operandsAhead() const {
    std::size_t count = 1;
    int depth = 0;
    for (std::size_t at = m_at; at < m_tokens.size(); ++at) {
        const Token& token = m_tokens[at];
        if (token.kind != Token::Kind::Mark)
            continue;
        const char mark = token.text[0];
        if (mark == ';' || (depth == 0 && (mark == '}' || mark == ')' || mark == ']')))
            break;
        if (mark == ',')
            count += depth == 0 ? 1 : 0;
        else
            depth += mark == '{' || mark == '(' || mark == '[' ? 1 : mark == '}' || mark == ')' || mark == ']' ? -1 : 0;
    }
    return count;
}

void Parser::readModifier(Instruction& instruction) {
    const std::string_view word = next().text.substr(1);
    const Modifier modifier = parseModifier(word);
    instruction.modifiers.push_back(modifier);
    if (modifier == Modifier::Unknown)
        instruction.otherModifiers.emplace_back(word);
}

bool Parser::readInstruction(Function& function) {
    Instruction instruction;
    const std::size_t first = m_at;
    if (accept('@')) {
        instruction.guardNegated = accept('!');
        const Token& at = peek();
        if (!readName(instruction.guard, say::GuardPredicate))
            return false;
        const Local* local = findLocal(instruction.guard);
        if (!local)
            return fail(at, say::GuardUndefined(instruction.guard));
        instruction.guard = local->flat;
    }
    const Token& at = peek();
    if (peek().kind != Token::Kind::Name)
        return failExpected(say::AnInstruction);
    instruction.opcode = parseOpcode(at.text);
    if (instruction.opcode == Opcode::Unknown)
        instruction.otherOpcode = at.text;
    next();
    instruction.line = m_tokens[first].line;
    instruction.column = m_tokens[first].column;
    instruction.modifiers.reserve(6);
    while (peek().kind == Token::Kind::Directive)
        readModifier(instruction);
    if (!m_locations.empty())
        instruction.place = placeOf(m_locations.size() - 1);

    const bool isIndexed = instruction.opcode == Opcode::Brx, isCall = instruction.opcode == Opcode::Call;
    const bool isJump = row(instruction.opcode).family == Family::Branch;
    if (!peek().is(';'))
        instruction.operands.reserve(operandsAhead());
    while (!peek().is(';')) {
        if (!instruction.operands.empty() && !expect(','))
            return false;
        Operand operand;
        // The target of a jump, and the list of an indexed one, are labels; everything else is resolved as it is read.
        const std::size_t labelPosition = isIndexed ? 1 : 0;
        if (isJump && instruction.operands.size() == labelPosition) {
            LabelUse use;
            use.scope = m_scope;
            use.token = m_at;
            use.instruction = function.body.size();
            use.operand = labelPosition;
            m_labelUses.push_back(use);
            operand.kind = Operand::Kind::Label;
            if (!readName(operand.name, say::ALabel))
                return false;
        } else if (const std::string* list =
                       isCall && peek().kind == Token::Kind::Name ? findList(peek().text) : nullptr) {
            operand.kind = Operand::Kind::Label;
            operand.name = *list;
            next();
        } else if (!isCall && peek().is('(')) {
            if (!readNumber(operand))
                return false;
        } else if (!readOperand(operand, 0) || !readSum(function, operand)) {
            return false;
        }
        if (isCall && operand.kind == Operand::Kind::List)
            flatten(operand);
        if (operand.kind == Operand::Kind::Vector)
            moveSpecials(function, operand);
        for (Operand& coordinates : operand.elements)
            if (operand.kind == Operand::Kind::Address && coordinates.kind == Operand::Kind::Vector)
                moveSpecials(function, coordinates);
        const bool isAddress = operand.kind == Operand::Kind::Address;
        instruction.operands.push_back(std::move(operand));
        if (isAddress && peek().text == ".unified") // of loads and stores it stands behind the address
            readModifier(instruction);
        if (!peek().is(';') && !peek().is(','))
            return failExpected(say::Mark(";"));
    }
    next();
    if (isJump && instruction.operands.size() < (isIndexed ? 2u : 1u))
        return fail(at, say::JumpTarget);
    instruction.text = textBetween(first, m_at);
    if (!m_wide.empty() && movesPart(instruction))
        addPartMove(function, std::move(instruction));
    else
        function.body.push_back(std::move(instruction));
    return true;
}

// "{%envreg2, %envreg1}": what a special register holds is moved to a register before this instruction.
void Parser::moveSpecials(Function& function, Operand& vector) {
    for (Operand& element : vector.elements) {
        if (element.kind != Operand::Kind::Special || element.name == "WARP_SZ")
            continue;
        const bool wide = element.name == "%clock64" || element.name == "%globaltimer";
        Register held{flatName("%special$", true), wide ? Type::B64 : Type::B32};
        m_taken.insert(held.name);
        Instruction move;
        move.opcode = Opcode::Mov;
        move.modifiers = {wide ? Modifier::U64 : Modifier::U32};
        move.line = peek().line;
        move.column = peek().column;
        if (!m_locations.empty())
            move.place = placeOf(m_locations.size() - 1);
        Operand result;
        result.name = held.name;
        move.operands = {result, std::move(element)};
        move.text = write(move);
        function.registers.push_back(std::move(held));
        function.body.push_back(std::move(move));
        element = std::move(result);
    }
}

// "%r1 + 4" where a register may stand: the sum is a register of its own, computed by an instruction before this one.
bool Parser::readSum(Function& function, Operand& operand) {
    if (operand.kind != Operand::Kind::Register || (!peek().is('+') && !peek().is('-')))
        return true;
    const Token& at = peek();
    const auto declared = std::find_if(function.registers.begin(), function.registers.end(),
                                       [&](const Register& r) { return r.name == operand.name; });
    const int bytes = declared == function.registers.end() ? 0 : bytesOf(declared->type);
    if (bytes < 2 || bytes > 8 || isFloat(declared->type) || isHalf(declared->type))
        return fail(at, say::NothingAdded(operand.name));
    Operand addend;
    addend.kind = Operand::Kind::Integer;
    if (!readOffset(addend.integer))
        return false;
    Register sum{flatName("%sum$", true), declared->type};
    m_taken.insert(sum.name);
    Instruction add;
    add.opcode = Opcode::Add;
    add.modifiers = {bytes == 2 ? Modifier::S16 : bytes == 4 ? Modifier::S32 : Modifier::S64};
    add.line = at.line;
    add.column = at.column;
    if (!m_locations.empty())
        add.place = placeOf(m_locations.size() - 1);
    Operand result;
    result.name = sum.name;
    add.operands = {result, std::move(operand), std::move(addend)};
    add.text = write(add);
    function.registers.push_back(std::move(sum));
    function.body.push_back(std::move(add));
    operand = std::move(result);
    return true;
}

bool Parser::readSequence(Operand& operand, char close, int depth) {
    next();
    if (!peek().is(close))
        operand.elements.reserve(operandsAhead());
    while (!peek().is(close)) {
        if (!operand.elements.empty() && !expect(','))
            return false;
        Operand element;
        if (!readOperand(element, depth + 1))
            return false;
        operand.elements.push_back(std::move(element));
    }
    next();
    return true;
}

bool Parser::readOperand(Operand& operand, int depth) {
    if (depth > mostNesting)
        return fail(peek(), say::OperandsTooDeep);
    if (peek().is('{')) {
        operand.kind = Operand::Kind::Vector;
        return readSequence(operand, '}', depth) && (!peek().is('|') || readPair(operand));
    }
    if (peek().is('(') && depth > 0)
        return readNumber(operand);
    if (peek().is('(')) {
        operand.kind = Operand::Kind::List;
        return readSequence(operand, ')', depth);
    }
    if (peek().is('['))
        return readAddress(operand, depth);
    if (peek().is('-') && peek(1).kind == Token::Kind::Name) {
        next();
        operand.minus = true;
        return readNamed(operand) && readPart(operand);
    }
    const bool computes =
        peek().is('!') ? peek(1).kind != Token::Kind::Name : peek().is("WARP_SZ") && continuesExpression(1);
    if (peek().kind == Token::Kind::Number || peek().is('-') || peek().is('+') || peek().is('~') || computes)
        return readNumber(operand);
    const bool negated = accept('!');
    if (peek().kind != Token::Kind::Name)
        return failExpected(say::AnOperand);
    if (!readNamed(operand) || !readPart(operand))
        return false;
    operand.negated = negated;
    return !peek().is('|') || readPair(operand);
}

// What follows '|': the predicate of setp and shfl, or a texture's "is resident".
bool Parser::readPair(Operand& operand) {
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.elements.push_back(std::move(operand));
    next();
    Operand second;
    const Token& at = peek();
    if (at.kind != Token::Kind::Name)
        return failExpected(say::SecondOfPair);
    if (!readNamed(second) || !readPart(second))
        return false;
    if (second.kind == Operand::Kind::Vector)
        return fail(at, say::NoSecondOfPair);
    pair.elements.push_back(std::move(second));
    operand = std::move(pair);
    return true;
}

bool Parser::readNamed(Operand& operand) {
    const std::size_t token = m_at;
    const Token& at = next();
    if (at.text == "_") {
        operand.kind = Operand::Kind::Sink;
        return true;
    }
    if (const Local* local = findLocal(at.text)) {
        operand.name = local->flat;
        operand.kind = local->isRegister ? Operand::Kind::Register : Operand::Kind::Symbol;
    } else if (isSpecial(at.text)) {
        operand.kind = Operand::Kind::Special;
        operand.name = at.text;
        if (peek().kind == Token::Kind::Directive) {
            operand.component = componentOf(next().text);
            if (operand.component < 0)
                return fail(m_tokens[token + 1], say::SpecialParts);
        }
        return true;
    } else if (at.text[0] == '%' && !m_module.findVariable(at.text)) {
        return fail(at, say::RegisterNotDeclared(at.text));
    } else {
        operand.kind = Operand::Kind::Symbol;
        operand.name = at.text;
        m_symbolUses.emplace_back(operand.name, token);
    }
    if (operand.kind == Operand::Kind::Symbol && (peek().is('+') || peek().is('-')))
        return readOffset(operand.integer);
    return true;
}

// What may stand behind a register: the element of a vector, or the part that a video instruction takes. A vector that
// stands alone is the list of its elements.
bool Parser::readPart(Operand& operand) {
    if (operand.kind != Operand::Kind::Register)
        return true;
    const auto vector = m_vectors.empty() ? m_vectors.end() : m_vectors.find(operand.name);
    const Token& at = peek();
    const bool suffixed = at.kind == Token::Kind::Directive;
    if (vector == m_vectors.end()) {
        if (!suffixed)
            return true;
        const auto part = Part::read(at.text.substr(1));
        if (!part)
            return fail(at, say::NoPart(operand.name, at.text));
        operand.part = *part;
        next();
        return true;
    }
    if (suffixed) {
        const int element = componentOf(at.text);
        if (element < 0 || std::uint32_t(element) >= vector->second)
            return fail(at, say::NoElement(operand.name, at.text));
        operand.name = elementName(operand.name, std::uint32_t(element));
        next();
        return true;
    }
    operand.kind = Operand::Kind::Vector;
    for (std::uint32_t k = 0; k < vector->second; ++k) {
        operand.elements.emplace_back();
        operand.elements.back().name = elementName(operand.name, k);
    }
    operand.name.clear();
    return true;
}

bool Parser::readAddress(Operand& operand, int depth) {
    next();
    operand.kind = Operand::Kind::Address;
    if (peek().kind == Token::Kind::Name) {
        Operand base;
        if (!readNamed(base) || !readPart(base))
            return false;
        if (base.kind != Operand::Kind::Register && base.kind != Operand::Kind::Symbol)
            return fail(m_tokens[m_at - 1], say::NoAddress);
        operand.name = std::move(base.name);
        operand.integer = base.integer;
        operand.baseIsRegister = base.kind == Operand::Kind::Register;
        if (operand.baseIsRegister && (peek().is('+') || peek().is('-')) && !readOffset(operand.integer))
            return false;
    } else if (!readOffset(operand.integer)) {
        return false;
    }
    while (accept(',')) { // coordinates: [texture, {%f1, %f2}]
        Operand coordinate;
        if (!readOperand(coordinate, depth + 1))
            return false;
        operand.elements.push_back(std::move(coordinate));
    }
    return expect(']');
}

bool Parser::readNumber(Operand& operand) {
    // Nearly every number stands alone; its bits are then those that are written.
    if (peek().kind == Token::Kind::Number && !continuesExpression(1)) {
        const Token& at = next();
        if (const auto real = floatLiteral(at.text)) {
            operand.kind = real->single ? Operand::Kind::Float32 : Operand::Kind::Float64;
            operand.integer = std::int64_t(real->bits);
        } else if (const auto value = integerLiteral(at.text)) {
            operand.kind = Operand::Kind::Integer;
            operand.integer = std::int64_t(*value);
        } else {
            return fail(at, say::NoNumber(at.text));
        }
        return true;
    }
    if (peek().is('-') && peek(1).kind == Token::Kind::Number && !continuesExpression(2))
        if (const auto real = floatLiteral(peek(1).text); real && real->single) {
            next();
            next();
            operand.kind = Operand::Kind::Float32;
            operand.integer = std::int64_t(real->bits ^ 0x80000000ull);
            return true;
        }
    Constant value;
    if (!readExpression(value, 0))
        return false;
    operand.kind = value.isReal ? Operand::Kind::Float64 : Operand::Kind::Integer;
    operand.integer = std::int64_t(value.bits);
    if (value.isReal)
        std::memcpy(&operand.integer, &value.real, sizeof operand.integer);
    return true;
}

} // namespace warpglass::ptx
