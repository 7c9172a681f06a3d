// SPDX-License-Identifier: GPL-3.0-or-later
// The language of arithmetic in which claims, formulas and expectations are written. From the loosest to the tightest:
//
//   c ? a : b    ||    &&    == != <= >= < >    + -    * / %    -a !a    a ^ b (right to left)    ( )
//
// over numbers (2, 1.5, 4e9, 0x1f), floor ceil abs sqrt (a), min max (a, b), and sum least most (k, from, end, a) over
// from <= k < end. What a name means, and what may stand behind it, is up to who reads the text. All values are doubles:
// 7 / 2 is 3.5, whole numbers are exact up to 2^53, and what holds is 1.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// Thrown while such a text is read or worked out, caught by who was asked to.
struct NotUnderstood {
    std::string message;
};

struct Expression {
    enum class Op : std::uint8_t {
        Number,
        Name,
        Counted,
        Choose,
        Or,
        And,
        Equal,
        Unequal,
        LessOrEqual,
        MoreOrEqual,
        Less,
        More,
        Add,
        Subtract,
        Multiply,
        Divide,
        Remainder,
        Power,
        Negate,
        Not,
        Floor,
        Ceil,
        Abs,
        Sqrt,
        Min,
        Max,
        Sum,
        Least,
        Most
    };
    Op op = Op::Number;
    double number = 0;
    int digits = 0;   // of a Number: how many are written behind its point
    std::string name; // of a Name
    std::size_t at =
        0; // of a Name: where its reader keeps what stands behind it; of a Counted: of which sum, 0 is outermost
    std::vector<Expression> parts; // what it is made from; of a Name: its index
};

// Reads a text from the left, blanks passed over. Throws NotUnderstood.
class ExpressionReader {
public:
    explicit ExpressionReader(std::string_view text);
    virtual ~ExpressionReader() = default;

    Expression all(); // the text is one expression

protected:
    virtual Expression named(std::string name) = 0; // one that no sum counts with; what stands behind it is next

    Expression choice();
    Expression sum(); // without choices, logic and comparisons but in parentheses

    void skip();
    bool take(std::string_view mark);
    void expect(std::string_view mark);
    void expectEnd();
    bool atDigit();
    std::string word();

    std::string_view m_text;
    std::size_t m_at = 0;

private:
    Expression level(int at);
    Expression unary();
    Expression atom();
    Expression number();
    Expression function(std::string_view name);

    int m_depth = 0;
    std::vector<std::string> m_counting; // names of the sums around, the outermost first
};

// Works expressions out. Throws NotUnderstood: divided by 0, and what takes too long, over all calls of one object.
class ExpressionValues {
public:
    virtual ~ExpressionValues() = default;
    double value(const Expression& expression);

protected:
    virtual double named(const Expression& name) = 0; // one that no sum counts with

private:
    double over(const Expression& expression);

    std::vector<double> m_counting; // of the sums around, the outermost first
    std::uint64_t m_steps = 0;
};

// A text as errors quote it: its beginning, where it is long.
std::string beginningOf(std::string_view text);

// The value of a text without names.
Result<double> evaluateExpression(std::string_view text);

} // namespace warpglass
