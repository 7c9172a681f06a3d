// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/formula.h"

#include "app/session/text_scanner.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/elements.h"
#include "gpu/launch/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpglass::session {

// A tree; what a node does is one letter or word of the text.
struct FormulaNode {
    enum class Kind : std::uint8_t { Number, Name, Element, Call, Over };
    Kind kind = Kind::Number;
    double number = 0;
    std::string word; // a name; what a Call does: "+", "floor"; what an Over does: "sum"
    std::string over; // the name that an Over counts with
    std::vector<FormulaNode> parts;
};

namespace {

constexpr int deepestFormula = 64;
constexpr std::size_t longestFormula = 4096;    // letters: trees are walked on the stack
constexpr std::uint64_t mostSteps = 50'000'000; // of all formulas of a launch

class FormulaReader : TextScanner {
public:
    using TextScanner::TextScanner;

    Formula all() {
        if (m_text.size() > longestFormula)
            throw NotUnderstood{"it is too long"};
        Formula formula;
        formula.text = std::string(m_text);
        formula.buffer = word();
        expect("[");
        if (const std::string index = word(); index != "i") {
            std::uint64_t element = 0;
            const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), element);
            if (error != std::errc{} || end != index.data() + index.size())
                throw NotUnderstood{"the index on the left is neither i nor a number"};
            formula.element = element;
        }
        expect("]");
        expect("=");
        formula.right = std::make_shared<const FormulaNode>(choice());
        expectEnd();
        return formula;
    }

private:
    static FormulaNode call(std::string word, std::vector<FormulaNode> parts) {
        return {.kind = FormulaNode::Kind::Call, .word = std::move(word), .parts = std::move(parts)};
    }

    FormulaNode choice() {
        FormulaNode condition = level(0);
        if (!take("?"))
            return condition;
        FormulaNode yes = choice();
        expect(":");
        FormulaNode no = choice();
        return call("?", {std::move(condition), std::move(yes), std::move(no)});
    }
    // From the loosest to the tightest; of marks that begin alike the longer one first.
    FormulaNode level(std::size_t at) {
        static const std::vector<std::vector<std::string_view>> levels{
            {"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
        if (at == levels.size())
            return atom();
        FormulaNode left = level(at + 1);
        for (;;) {
            const auto mark =
                std::find_if(levels[at].begin(), levels[at].end(), [&](std::string_view m) { return take(m); });
            if (mark == levels[at].end())
                return left;
            FormulaNode right = level(at + 1);
            left = call(std::string(*mark), {std::move(left), std::move(right)});
        }
    }
    FormulaNode atom() {
        if (++m_depth > deepestFormula)
            throw NotUnderstood{"too many parentheses"};
        FormulaNode result = bareAtom();
        --m_depth;
        return result;
    }
    FormulaNode bareAtom() {
        if (take("-"))
            return call("negate", {atom()});
        if (take("!"))
            return call("!", {atom()});
        if (take("(")) {
            FormulaNode inner = choice();
            expect(")");
            return inner;
        }
        if (atDigit()) {
            double value = 0;
            const char* const begin = m_text.data() + m_at;
            const char* const end =
                std::from_chars(begin, m_text.data() + m_text.size(), value, std::chars_format::general).ptr;
            m_at += std::size_t(end - begin);
            return {.number = value};
        }
        const std::string name = word();
        if (take("[")) {
            FormulaNode index = choice();
            expect("]");
            return {.kind = FormulaNode::Kind::Element, .word = name, .parts = {std::move(index)}};
        }
        if (!take("("))
            return {.kind = FormulaNode::Kind::Name, .word = name};
        return function(name);
    }
    FormulaNode function(const std::string& name) {
        const auto isAmong = [&](std::initializer_list<const char*> names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        FormulaNode node = call(name, {});
        std::size_t wanted = 1;
        if (isAmong({"sum", "least", "most"})) {
            node.kind = FormulaNode::Kind::Over;
            node.over = word();
            expect(",");
            wanted = 3;
        } else if (isAmong({"min", "max"})) {
            wanted = 2;
        } else if (!isAmong({"floor", "ceil", "abs", "sqrt"})) {
            throw NotUnderstood{fmt::format("there is no \"{}\"", name)};
        }
        do
            node.parts.push_back(choice());
        while (take(","));
        expect(")");
        if (node.parts.size() != wanted)
            throw NotUnderstood{fmt::format("\"{}\" takes {}", name, quantity(wanted, "value"))};
        return node;
    }

    int m_depth = 0;
};

struct Named {
    std::string name;
    bool isBuffer = false;
    std::vector<double> values;
};

class FormulaHost {
public:
    explicit FormulaHost(const std::vector<Named>& named) : m_named(named) {}

    double at(const FormulaNode& node, std::uint64_t i) {
        m_counting.assign(1, {"i", double(i)});
        return value(node);
    }

private:
    const Named& find(const std::string& name) const {
        for (const Named& n : m_named)
            if (n.name == name)
                return n;
        throw NotUnderstood{fmt::format("the launch has no \"{}\"", name)};
    }
    double value(const FormulaNode& node) {
        if (++m_steps > mostSteps)
            throw NotUnderstood{"it takes too long: choose smaller launches"};
        switch (node.kind) {
        case FormulaNode::Kind::Number:
            return node.number;
        case FormulaNode::Kind::Name: {
            for (auto c = m_counting.rbegin(); c != m_counting.rend(); ++c)
                if (c->first == node.word)
                    return c->second;
            const Named& named = find(node.word);
            if (named.isBuffer || named.values.empty())
                throw NotUnderstood{fmt::format("\"{}\" is a buffer and needs an index", node.word)};
            return named.values.front();
        }
        case FormulaNode::Kind::Element: {
            const Named& named = find(node.word);
            const double index = value(node.parts[0]);
            if (!named.isBuffer || index < 0 || index >= double(named.values.size()) || index != std::floor(index))
                throw NotUnderstood{fmt::format("there is no {}[{}]", node.word, index)};
            return named.values[std::size_t(index)];
        }
        case FormulaNode::Kind::Over:
            return over(node);
        case FormulaNode::Kind::Call:
            break;
        }
        if (node.word == "?") // what is not chosen may be outside of a buffer
            return value(node.parts[value(node.parts[0]) != 0 ? 1 : 2]);
        const double a = value(node.parts[0]);
        if (node.word == "&&")
            return a != 0 && value(node.parts[1]) != 0;
        if (node.word == "||")
            return a != 0 || value(node.parts[1]) != 0;
        return node.parts.size() == 1 ? ofOne(node.word, a) : ofTwo(node.word, a, value(node.parts[1]));
    }
    double over(const FormulaNode& node) {
        const double from = value(node.parts[0]), end = value(node.parts[1]);
        double result = node.word == "sum"     ? 0.0
                        : node.word == "least" ? std::numeric_limits<double>::infinity()
                                               : -std::numeric_limits<double>::infinity();
        for (double k = from; k < end; ++k) {
            m_counting.emplace_back(node.over, k);
            const double v = value(node.parts[2]);
            m_counting.pop_back();
            result = node.word == "sum"     ? result + v
                     : node.word == "least" ? std::fmin(result, v)
                                            : std::fmax(result, v);
        }
        return result;
    }
    static double ofOne(const std::string& what, double a) {
        return what == "negate"  ? -a
               : what == "!"     ? double(a == 0)
               : what == "floor" ? std::floor(a)
               : what == "ceil"  ? std::ceil(a)
               : what == "abs"   ? std::fabs(a)
                                 : std::sqrt(a);
    }
    static double ofTwo(const std::string& what, double a, double b) {
        if ((what == "/" || what == "%") && b == 0)
            throw NotUnderstood{"divided by 0"};
        return what == "+"     ? a + b
               : what == "-"   ? a - b
               : what == "*"   ? a * b
               : what == "/"   ? a / b
               : what == "%"   ? std::fmod(a, b)
               : what == "=="  ? double(a == b)
               : what == "!="  ? double(a != b)
               : what == "<="  ? double(a <= b)
               : what == ">="  ? double(a >= b)
               : what == "<"   ? double(a < b)
               : what == ">"   ? double(a > b)
               : what == "min" ? std::fmin(a, b)
                               : std::fmax(a, b);
    }

    const std::vector<Named>& m_named;
    std::vector<std::pair<std::string, double>> m_counting;
    std::uint64_t m_steps = 0;
};

template <typename T>
std::vector<double> valuesAs(const std::vector<std::byte>& bytes) {
    std::vector<double> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = double(value);
    }
    return values;
}

// How far a right result may lie from what is computed in doubles, as a share: no nearer than the type's own numbers do.
double slackOf(ElementType type, double tolerance) {
    if (type == ElementType::F16 || type == ElementType::BF16)
        return std::max(tolerance, std::ldexp(1.0, -(type == ElementType::F16 ? binary16 : bfloat16).fraction));
    return isFloat(type) ? tolerance : 0;
}

} // namespace

std::vector<double> valuesOf(const std::vector<std::byte>& bytes, ElementType type) {
    switch (type) {
    case ElementType::I8:
        return valuesAs<std::int8_t>(bytes);
    case ElementType::U8:
        return valuesAs<std::uint8_t>(bytes);
    case ElementType::I16:
        return valuesAs<std::int16_t>(bytes);
    case ElementType::U16:
        return valuesAs<std::uint16_t>(bytes);
    case ElementType::I32:
        return valuesAs<std::int32_t>(bytes);
    case ElementType::U32:
        return valuesAs<std::uint32_t>(bytes);
    case ElementType::I64:
        return valuesAs<std::int64_t>(bytes);
    case ElementType::F32:
        return valuesAs<float>(bytes);
    case ElementType::F64:
        return valuesAs<double>(bytes);
    case ElementType::F16:
    case ElementType::BF16: {
        std::vector<double> values = valuesAs<std::uint16_t>(bytes);
        for (double& v : values)
            v = floatOf(std::uint64_t(v), type);
        return values;
    }
    case ElementType::U64:
    case ElementType::Ptr:
        break;
    }
    return valuesAs<std::uint64_t>(bytes);
}

Result<Formula> parseFormula(std::string_view text) {
    try {
        return FormulaReader(text).all();
    } catch (const NotUnderstood& problem) {
        return Error{.message = fmt::format("the formula \"{}\" is not understood: {}", text, problem.message)};
    }
}

Result<RightResult> rightResult(const std::vector<Formula>& formulas, const std::vector<Argument>& arguments,
                                double tolerance) {
    std::vector<Named> named;
    for (const Argument& a : arguments) {
        std::vector<std::byte> bytes = a.scalar;
        if (a.isBuffer) {
            bytes.assign(a.count * std::uint64_t(bytesOf(a.type)), std::byte{0});
            if (a.fill)
                a.fill(bytes);
        }
        named.push_back({a.name, a.isBuffer, valuesOf(bytes, a.type)});
    }
    RightResult result;
    result.tolerance = tolerance;
    FormulaHost host(named);
    for (const Formula& formula : formulas) {
        const auto of = std::find_if(arguments.begin(), arguments.end(),
                                     [&](const Argument& a) { return a.isBuffer && a.name == formula.buffer; });
        if (of == arguments.end() || formula.element.value_or(0) >= of->count)
            return Error{.message = fmt::format("\"{}\": there is no such element of a buffer", formula.text)};
        RightResult::Values values{.argument = std::size_t(of - arguments.begin()),
                                   .first = formula.element.value_or(0)};
        const std::uint64_t end = formula.element ? *formula.element + 1 : of->count;
        try {
            for (std::uint64_t i = values.first; i < end; ++i)
                values.values.push_back(host.at(*formula.right, i));
        } catch (const NotUnderstood& problem) {
            return Error{.message = fmt::format("\"{}\" cannot be computed: {}", formula.text, problem.message)};
        }
        result.all.push_back(std::move(values));
    }
    return result;
}

WrongValues RightResult::judge(const std::vector<Argument>& arguments, const Buffers& buffers) const {
    WrongValues result;
    for (const Values& right : all) {
        const Argument& argument = arguments[right.argument];
        const std::vector<double> found = valuesOf(buffers[right.argument], argument.type);
        const double slack = slackOf(argument.type, tolerance);
        for (std::size_t n = 0; n < right.values.size(); ++n) {
            const std::uint64_t element = right.first + n;
            const double is = element < found.size() ? found[element] : std::nan("");
            ++result.of;
            if (std::fabs(is - right.values[n]) <= slack * std::fmax(1, std::fabs(right.values[n])))
                continue;
            if (result.wrong++ == 0) {
                result.buffer = argument.name;
                result.element = element;
                result.found = is;
                result.right = right.values[n];
            }
        }
    }
    return result;
}

} // namespace warpglass::session
