// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/expression.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace warpglass {

namespace {

using Op = Expression::Op;

constexpr int deepestText = 64;                 // parentheses, signs and powers in each other
constexpr std::size_t longest = 4096;           // letters: trees are walked on the stack
constexpr std::uint64_t mostSteps = 50'000'000; // of all that one object works out

struct Mark {
    std::string_view text;
    Op op;
    int level; // 0 binds least
};

// Of marks that begin alike the longer one first.
constexpr Mark marks[] = {{"||", Op::Or, 0},      {"&&", Op::And, 1},         {"==", Op::Equal, 2},
                          {"!=", Op::Unequal, 2}, {"<=", Op::LessOrEqual, 2}, {">=", Op::MoreOrEqual, 2},
                          {"<", Op::Less, 2},     {">", Op::More, 2},         {"+", Op::Add, 3},
                          {"-", Op::Subtract, 3}, {"*", Op::Multiply, 4},     {"/", Op::Divide, 4},
                          {"%", Op::Remainder, 4}};
constexpr int levelOfSums = 3, levels = 5;

struct Function {
    std::string_view name;
    Op op;
    std::size_t values;
    bool counts; // a name stands before its values
};
constexpr Function functions[] = {
    {"floor", Op::Floor, 1, false}, {"ceil", Op::Ceil, 1, false},  {"abs", Op::Abs, 1, false},
    {"sqrt", Op::Sqrt, 1, false},   {"min", Op::Min, 2, false},    {"max", Op::Max, 2, false},
    {"sum", Op::Sum, 3, true},      {"least", Op::Least, 3, true}, {"most", Op::Most, 3, true}};

bool inWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

Expression made(Op op, std::vector<Expression> parts) {
    return {.op = op, .parts = std::move(parts)};
}

double ofTwo(Op op, double a, double b) {
    switch (op) {
    case Op::Equal:
        return a == b;
    case Op::Unequal:
        return a != b;
    case Op::LessOrEqual:
        return a <= b;
    case Op::MoreOrEqual:
        return a >= b;
    case Op::Less:
        return a < b;
    case Op::More:
        return a > b;
    case Op::Add:
        return a + b;
    case Op::Subtract:
        return a - b;
    case Op::Multiply:
        return a * b;
    case Op::Power:
        return std::pow(a, b);
    case Op::Min:
        return std::fmin(a, b);
    case Op::Max:
        return std::fmax(a, b);
    default:
        if (b == 0)
            throw NotUnderstood{"divided by 0"};
        return op == Op::Divide ? a / b : std::fmod(a, b);
    }
}

double ofOne(Op op, double a) {
    switch (op) {
    case Op::Negate:
        return -a;
    case Op::Not:
        return a == 0;
    case Op::Floor:
        return std::floor(a);
    case Op::Ceil:
        return std::ceil(a);
    case Op::Abs:
        return std::fabs(a);
    default:
        return std::sqrt(a);
    }
}

} // namespace

ExpressionReader::ExpressionReader(std::string_view text) : m_text(text) {
    if (text.size() > longest)
        throw NotUnderstood{"it is too long"};
}

Expression ExpressionReader::all() {
    Expression expression = choice();
    expectEnd();
    return expression;
}

void ExpressionReader::skip() {
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        ++m_at;
}

bool ExpressionReader::take(std::string_view mark) {
    skip();
    if (!m_text.substr(m_at).starts_with(mark))
        return false;
    m_at += mark.size();
    return true;
}

void ExpressionReader::expect(std::string_view mark) {
    if (!take(mark))
        throw NotUnderstood{fmt::format("\"{}\" is missing before \"{}\"", mark, m_text.substr(m_at))};
}

void ExpressionReader::expectEnd() {
    skip();
    if (m_at < m_text.size())
        throw NotUnderstood{fmt::format("\"{}\" is not understood", m_text.substr(m_at))};
}

bool ExpressionReader::atDigit() {
    skip();
    return m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at]));
}

std::string ExpressionReader::word() {
    skip();
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && inWord(m_text[m_at]))
        ++m_at;
    if (m_at == begin)
        throw NotUnderstood{m_at < m_text.size()
                                ? fmt::format("a number or a name is missing before \"{}\"", m_text.substr(m_at))
                                : std::string("a number or a name is missing at the end")};
    return std::string(m_text.substr(begin, m_at - begin));
}

Expression ExpressionReader::choice() {
    Expression condition = level(0);
    if (!take("?"))
        return condition;
    Expression yes = choice();
    expect(":");
    Expression no = choice();
    return made(Op::Choose, {std::move(condition), std::move(yes), std::move(no)});
}

Expression ExpressionReader::sum() {
    return level(levelOfSums);
}

Expression ExpressionReader::level(int at) {
    if (at == levels)
        return unary();
    Expression left = level(at + 1);
    for (;;) {
        const auto* const mark = std::find_if(std::begin(marks), std::end(marks),
                                              [&](const Mark& m) { return m.level == at && take(m.text); });
        if (mark == std::end(marks))
            return left;
        Expression right = level(at + 1);
        left = made(mark->op, {std::move(left), std::move(right)});
    }
}

Expression ExpressionReader::unary() {
    if (++m_depth > deepestText)
        throw NotUnderstood{"too many parentheses"};
    Expression result;
    if (take("-")) {
        result = made(Op::Negate, {unary()});
    } else if (take("!")) {
        result = made(Op::Not, {unary()});
    } else {
        result = atom();
        if (take("^"))
            result = made(Op::Power, {std::move(result), unary()});
    }
    --m_depth;
    return result;
}

Expression ExpressionReader::atom() {
    if (take("(")) {
        Expression inner = choice();
        expect(")");
        return inner;
    }
    if (atDigit())
        return number();
    std::string name = word();
    if (take("("))
        return function(name);
    for (std::size_t sum = m_counting.size(); sum-- > 0;)
        if (m_counting[sum] == name)
            return {.op = Op::Counted, .at = sum};
    return named(std::move(name));
}

Expression ExpressionReader::number() {
    const char *const begin = m_text.data() + m_at, *const end = m_text.data() + m_text.size();
    Expression result;
    std::from_chars_result read{};
    if (m_text.substr(m_at).starts_with("0x")) {
        std::uint64_t bits = 0;
        read = std::from_chars(begin + 2, end, bits, 16);
        result.number = double(bits);
    } else {
        read = std::from_chars(begin, end, result.number);
        const std::string_view written(begin, std::size_t(read.ptr - begin));
        if (const std::size_t point = written.find('.');
            point != std::string_view::npos && written.find('e') == std::string_view::npos)
            result.digits = int(written.size() - point - 1);
    }
    const char* const next = read.ptr;
    if (read.ec == std::errc::result_out_of_range)
        throw NotUnderstood{fmt::format("no number is as large as \"{}\"", std::string_view(begin, next))};
    if (next != end && inWord(*next))
        throw NotUnderstood{fmt::format("\"{}\" is not understood", std::string_view(next, end))};
    m_at = std::size_t(next - m_text.data());
    return result;
}

Expression ExpressionReader::function(std::string_view function) {
    const auto* const is =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == function; });
    if (is == std::end(functions))
        throw NotUnderstood{fmt::format("there is no \"{}\"", function)};
    Expression result{.op = is->op};
    if (is->counts) { // its name is known in the last value alone
        std::string name = word();
        for (int k = 0; k < 2; ++k) {
            expect(",");
            result.parts.push_back(choice());
        }
        expect(",");
        m_counting.push_back(std::move(name));
    }
    do
        result.parts.push_back(choice());
    while (take(","));
    expect(")");
    if (is->counts)
        m_counting.pop_back();
    if (result.parts.size() != is->values)
        throw NotUnderstood{fmt::format("\"{}\" takes {}", function, quantity(is->values, "value"))};
    return result;
}

double ExpressionValues::value(const Expression& e) {
    if (++m_steps > mostSteps)
        throw NotUnderstood{"it takes too long: choose smaller launches"};
    switch (e.op) {
    case Op::Number:
        return e.number;
    case Op::Name:
        return named(e);
    case Op::Counted:
        return m_counting[e.at];
    case Op::Sum:
    case Op::Least:
    case Op::Most:
        return over(e);
    case Op::Choose: // what is not chosen may have no value
        return value(e.parts[value(e.parts[0]) != 0 ? 1 : 2]);
    case Op::And:
        return value(e.parts[0]) != 0 && value(e.parts[1]) != 0;
    case Op::Or:
        return value(e.parts[0]) != 0 || value(e.parts[1]) != 0;
    default:
        break;
    }
    const double a = value(e.parts[0]);
    return e.parts.size() == 1 ? ofOne(e.op, a) : ofTwo(e.op, a, value(e.parts[1]));
}

double ExpressionValues::over(const Expression& e) {
    const double from = value(e.parts[0]), end = value(e.parts[1]);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double result = e.op == Op::Sum ? 0 : e.op == Op::Least ? infinity : -infinity;
    for (double k = from; k < end; ++k) {
        m_counting.push_back(k);
        const double v = value(e.parts[2]);
        m_counting.pop_back();
        result = e.op == Op::Sum ? result + v : e.op == Op::Least ? std::fmin(result, v) : std::fmax(result, v);
    }
    return result;
}

namespace {

class NoNames : public ExpressionReader, public ExpressionValues {
    using ExpressionReader::ExpressionReader;
    Expression named(std::string name) override { return {.op = Op::Name, .name = std::move(name)}; }
    double named(const Expression& name) override { throw NotUnderstood{fmt::format("there is no \"{}\"", name.name)}; }
};

} // namespace

std::string beginningOf(std::string_view text) {
    constexpr std::size_t most = 200;
    std::size_t end = std::min(text.size(), most);
    while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) // in the middle of a letter
        --end;
    return std::string(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

Result<double> evaluateExpression(std::string_view text) {
    try {
        NoNames expression(text);
        return expression.value(expression.all());
    } catch (const NotUnderstood& wrong) {
        return Error{.message = say::NotWorkedOut(beginningOf(text), wrong.message)};
    }
}

} // namespace warpglass
