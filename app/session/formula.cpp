// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/formula.h"
#include "gpu/base/messages/session.h"

#include "gpu/launch/elements.h"
#include "gpu/launch/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace warpglass::session {

namespace {

class FormulaReader : ExpressionReader {
public:
    using ExpressionReader::ExpressionReader;

    Formula formula() {
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
        formula.right = all();
        return formula;
    }

private:
    Expression named(std::string name) override {
        Expression result{.op = Expression::Op::Name, .name = std::move(name)};
        if (take("[")) {
            result.parts.push_back(choice());
            expect("]");
        }
        return result;
    }
};

struct Named {
    std::string name;
    bool isBuffer = false;
    std::vector<double> values;
};

class FormulaHost : ExpressionValues {
public:
    explicit FormulaHost(const std::vector<Named>& named) : m_named(named) {}

    double at(const Expression& right, std::uint64_t i) {
        m_i = double(i);
        return value(right);
    }

private:
    double named(const Expression& name) override {
        if (name.name == "i" && name.parts.empty())
            return m_i;
        const auto of =
            std::find_if(m_named.begin(), m_named.end(), [&](const Named& n) { return n.name == name.name; });
        if (of == m_named.end())
            throw NotUnderstood{fmt::format("the launch has no \"{}\"", name.name)};
        if (name.parts.empty()) {
            if (of->isBuffer || of->values.empty())
                throw NotUnderstood{fmt::format("\"{}\" is a buffer and needs an index", name.name)};
            return of->values.front();
        }
        const double index = value(name.parts[0]);
        if (!of->isBuffer || !(index >= 0) || index >= double(of->values.size()) || index != std::floor(index))
            throw NotUnderstood{fmt::format("there is no {}[{}]", name.name, index)};
        return of->values[std::size_t(index)];
    }

    const std::vector<Named>& m_named;
    double m_i = 0;
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
        return FormulaReader(text).formula();
    } catch (const NotUnderstood& problem) {
        return Error{.message = say::FormulaNotUnderstood(beginningOf(text), problem.message)};
    }
}

double workOf(const std::vector<Formula>& formulas, const std::vector<Argument>& arguments) {
    double work = 0;
    for (const Argument& a : arguments) {
        const double elements = a.isBuffer ? double(a.count) : 1;
        work += elements;
        for (const Formula& formula : formulas)
            if (a.name == formula.buffer)
                work += (formula.element ? 1 : elements) * (1 + double(formula.text.size()) / 8);
    }
    return work;
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
            return Error{.message = say::NoSuchElement(formula.text)};
        RightResult::Values values{.argument = std::size_t(of - arguments.begin()),
                                   .first = formula.element.value_or(0)};
        const std::uint64_t end = formula.element ? *formula.element + 1 : of->count;
        try {
            for (std::uint64_t i = values.first; i < end; ++i)
                values.values.push_back(host.at(formula.right, i));
        } catch (const NotUnderstood& problem) {
            return Error{.message = say::NotComputed(formula.text, problem.message)};
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
