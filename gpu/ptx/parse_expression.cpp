// SPDX-License-Identifier: GPL-3.0-or-later
// Constant expressions: what may stand wherever a number may, "((128 >> 4) << 16)" or "-8 + 4*2". They have C's operators
// and precedence over 64-bit integers, signed unless a literal ends in U or does not fit, and differ from C in four
// things: % divides its operands as unsigned ones, ~ makes an unsigned number, a shift counts modulo 64 and keeps its left
// operand's type, and ?: keeps that of the side it takes. Decimal fractions have the four operations and the comparisons.
#include "gpu/base/messages/code.h"
#include "gpu/ptx/parser.h"

#include <cstring>

namespace warpglass::ptx {
namespace {

constexpr int mostNested = 64;
constexpr std::uint64_t warpSize = 32;

enum class Operator {
    None,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
};

struct Spelling {
    std::string_view text; // longer ones before their beginnings
    Operator meaning;
    int precedence;
};
constexpr Spelling spellings[] = {
    {"||", Operator::Or, 1},          {"&&", Operator::And, 2},
    {"==", Operator::Equal, 6},       {"!=", Operator::NotEqual, 6},
    {"<<", Operator::ShiftLeft, 8},   {">>", Operator::ShiftRight, 8},
    {"<=", Operator::LessOrEqual, 7}, {">=", Operator::GreaterOrEqual, 7},
    {"<", Operator::Less, 7},         {">", Operator::Greater, 7},
    {"|", Operator::BitOr, 3},        {"^", Operator::BitXor, 4},
    {"&", Operator::BitAnd, 5},       {"+", Operator::Add, 9},
    {"-", Operator::Subtract, 9},     {"*", Operator::Multiply, 10},
    {"/", Operator::Divide, 10},
};

// The operator that begins at a token, whose marks are of one character each.
Spelling operatorAt(const Token& first, const Token& second) {
    if (first.kind == Token::Kind::Name && first.text == "%")
        return {"%", Operator::Remainder, 10};
    if (first.kind != Token::Kind::Mark)
        return {"", Operator::None, 0};
    const bool touching = second.kind == Token::Kind::Mark && second.text.data() == first.text.data() + 1;
    for (const Spelling& s : spellings)
        if (s.text[0] == first.text[0] && (s.text.size() == 1 || (touching && s.text[1] == second.text[0])))
            return s;
    return {"", Operator::None, 0};
}

Constant integer(std::uint64_t bits, bool isUnsigned = false) {
    return {bits, 0, isUnsigned, false};
}

bool truth(const Constant& c) {
    return c.isReal ? c.real != 0 : c.bits != 0;
}

template <typename T>
std::optional<bool> compared(Operator o, T a, T b) {
    switch (o) {
    case Operator::Equal:
        return a == b;
    case Operator::NotEqual:
        return a != b;
    case Operator::Less:
        return a < b;
    case Operator::LessOrEqual:
        return a <= b;
    case Operator::Greater:
        return a > b;
    case Operator::GreaterOrEqual:
        return a >= b;
    default:
        return std::nullopt;
    }
}

std::optional<Constant> ofReals(Operator o, double a, double b) {
    if (const auto answer = compared(o, a, b))
        return integer(*answer);
    switch (o) {
    case Operator::Add:
        return Constant{0, a + b, false, true};
    case Operator::Subtract:
        return Constant{0, a - b, false, true};
    case Operator::Multiply:
        return Constant{0, a * b, false, true};
    case Operator::Divide:
        return Constant{0, a / b, false, true};
    default:
        return std::nullopt;
    }
}

// A divisor of zero was refused before.
std::uint64_t quotient(std::uint64_t a, std::uint64_t b, bool isUnsigned) {
    if (b == 0)
        return 0;
    if (isUnsigned)
        return a / b;
    if (b == ~0ull)
        return 0 - a; // the least number has no positive counterpart
    return std::uint64_t(std::int64_t(a) / std::int64_t(b));
}

Constant ofIntegers(Operator o, const Constant& a, const Constant& b) {
    const bool isUnsigned = a.isUnsigned || b.isUnsigned;
    if (const auto answer =
            isUnsigned ? compared(o, a.bits, b.bits) : compared(o, std::int64_t(a.bits), std::int64_t(b.bits)))
        return integer(*answer);
    const std::uint64_t count = b.bits & 63;
    switch (o) {
    case Operator::Or:
        return integer(truth(a) || truth(b));
    case Operator::And:
        return integer(truth(a) && truth(b));
    case Operator::BitOr:
        return integer(a.bits | b.bits, isUnsigned);
    case Operator::BitXor:
        return integer(a.bits ^ b.bits, isUnsigned);
    case Operator::BitAnd:
        return integer(a.bits & b.bits, isUnsigned);
    case Operator::ShiftLeft:
        return integer(a.bits << count, a.isUnsigned);
    case Operator::ShiftRight:
        return integer(a.isUnsigned ? a.bits >> count : std::uint64_t(std::int64_t(a.bits) >> count), a.isUnsigned);
    case Operator::Add:
        return integer(a.bits + b.bits, isUnsigned);
    case Operator::Subtract:
        return integer(a.bits - b.bits, isUnsigned);
    case Operator::Multiply:
        return integer(a.bits * b.bits, isUnsigned);
    case Operator::Divide:
        return integer(quotient(a.bits, b.bits, isUnsigned), isUnsigned);
    default:
        return integer(b.bits == 0 ? 0 : a.bits % b.bits, true); // Remainder
    }
}

} // namespace

bool Parser::continuesExpression(std::size_t ahead) const {
    const Token& at = peek(ahead);
    if (at.kind == Token::Kind::Mark && std::string_view(",;]})").find(at.text[0]) != std::string_view::npos)
        return false; // nearly always
    return at.is('?') || operatorAt(at, peek(ahead + 1)).meaning != Operator::None;
}

bool Parser::readExpression(Constant& value, int depth) {
    if (!readBinary(value, 1, depth))
        return false;
    if (!peek().is('?'))
        return true;
    next();
    Constant taken, left;
    if (!readExpression(taken, depth + 1) || !expect(':') || !readExpression(left, depth + 1))
        return false;
    value = truth(value) ? taken : left;
    return true;
}

// The operators that bind at least as strongly as `least`; those of one precedence from left to right.
bool Parser::readBinary(Constant& value, int least, int depth) {
    if (!readUnary(value, depth))
        return false;
    for (;;) {
        const Token& at = peek();
        const Spelling o = operatorAt(at, peek(1));
        if (o.meaning == Operator::None || o.precedence < least)
            return true;
        for (std::size_t k = 0; k < o.text.size(); ++k)
            next();
        Constant right;
        if (!readBinary(right, o.precedence + 1, depth + 1))
            return false;
        if (value.isReal != right.isReal)
            return fail(at, say::FractionAndInteger);
        if (value.isReal) {
            const auto result = ofReals(o.meaning, value.real, right.real);
            if (!result)
                return fail(at, say::FractionOperation);
            value = *result;
            continue;
        }
        if ((o.meaning == Operator::Divide || o.meaning == Operator::Remainder) && right.bits == 0)
            return fail(at, say::ConstantByZero);
        value = ofIntegers(o.meaning, value, right);
    }
}

bool Parser::readUnary(Constant& value, int depth) {
    if (depth > mostNested)
        return fail(peek(), say::ConstantTooDeep);
    const Token& at = peek();
    if (at.is('-') || at.is('+') || at.is('~') || at.is('!')) {
        next();
        if (!readUnary(value, depth + 1))
            return false;
        if (at.is('!'))
            value = integer(!truth(value));
        else if (at.is('~') && value.isReal)
            return fail(at, say::OnlyIntegersComplement);
        else if (at.is('~'))
            value = integer(~value.bits, true);
        else if (at.is('-'))
            value = {0 - value.bits, -value.real, value.isUnsigned, value.isReal};
        return true;
    }
    if (accept('(')) {
        if (peek().is(".s64") || peek().is(".u64")) {
            const bool isUnsigned = next().is(".u64");
            if (!expect(')') || !readUnary(value, depth + 1))
                return false;
            if (value.isReal)
                return fail(at, say::FractionToInteger);
            value.isUnsigned = isUnsigned;
            return true;
        }
        return readExpression(value, depth + 1) && expect(')');
    }
    if (accept("WARP_SZ")) {
        value = integer(warpSize);
        return true;
    }
    if (at.kind != Token::Kind::Number)
        return failExpected(say::ANumber);
    if (const auto real = floatLiteral(at.text)) {
        if (real->single)
            return fail(at, say::Number0f);
        value = {0, 0, false, true};
        std::memcpy(&value.real, &real->bits, sizeof value.real);
    } else if (const auto bits = integerLiteral(at.text)) {
        value = integer(*bits, *bits >> 63 || at.text.ends_with('U') || at.text.ends_with('u'));
    } else {
        return fail(at, say::NoNumber(at.text));
    }
    next();
    return true;
}

// What is added to a register or a name: "+ 8", "- 8", "+ (1 << 3)".
bool Parser::readOffset(std::int64_t& value) {
    const Token& at = peek();
    accept('+'); // a minus belongs to the number
    Constant constant;
    if (!readExpression(constant, 0))
        return false;
    if (constant.isReal)
        return fail(at, say::OffsetInteger);
    value = std::int64_t(constant.bits);
    return true;
}

} // namespace warpglass::ptx
