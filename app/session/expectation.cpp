// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/expectation.h"
#include "gpu/base/messages/session.h"

#include "app/session/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warpglass::session {

namespace {

class ExpectationReader : ExpressionReader {
public:
    using ExpressionReader::ExpressionReader;

    Expectation expectation() {
        Expectation expectation;
        expectation.text = std::string(m_text);
        expectation.sides.push_back(side());
        while (const auto relation = takeRelation()) {
            expectation.relations.push_back(*relation);
            expectation.sides.push_back(side());
        }
        expectEnd();
        if (expectation.relations.empty())
            throw NotUnderstood{"nothing is said of it: = != < <= > or >= is missing"};
        for (const Side& side : expectation.sides)
            collectNumbers(side, side.value, expectation.numbers);
        return expectation;
    }

private:
    static void collectNumbers(const Side& side, const Expression& value, std::vector<double>& numbers) {
        if (value.op == Expression::Op::Number)
            numbers.push_back(value.number);
        if (value.op == Expression::Op::Name)
            for (const auto& word : side.terms[value.at].place.words)
                if (word.second)
                    numbers.push_back(double(*word.second));
        for (const Expression& part : value.parts)
            collectNumbers(side, part, numbers);
    }

    std::optional<Relation> takeRelation() {
        constexpr std::pair<std::string_view, Relation> relations[] = {
            {"!=", Relation::Unequal}, {"<=", Relation::LessOrEqual}, {">=", Relation::MoreOrEqual},
            {"=", Relation::Equal},    {"<", Relation::Less},         {">", Relation::More}};
        for (const auto& [word, relation] : relations)
            if (take(word))
                return relation;
        return std::nullopt;
    }

    Side side() {
        skip();
        const std::size_t begin = m_at;
        Side result;
        m_terms = &result.terms;
        result.value = sum();
        result.text = std::string(m_text.substr(begin, m_at - begin));
        while (result.text.ends_with(' '))
            result.text.pop_back();
        if (result.value.op == Expression::Op::Number && result.value.digits > 0)
            result.tolerance = 0.5 * std::pow(10.0, -result.value.digits);
        return result;
    }
    Expression named(std::string name) override {
        const Fact* fact = findFact(name);
        if (!fact && !isFactWord(name))
            throw NotUnderstood{fmt::format("\"{}\" is no fact and no metric", name)};
        Term term{.name = name, .isFact = fact != nullptr};
        if (take("[")) {
            if (!fact)
                throw NotUnderstood{fmt::format("\"{}\" takes no brackets", name)};
            do
                term.place.words.push_back(placeWord(*fact, name));
            while (take(","));
            expect("]");
        }
        m_terms->push_back(std::move(term));
        return {.op = Expression::Op::Name, .name = std::move(name), .at = m_terms->size() - 1};
    }
    std::pair<std::string, std::optional<std::int64_t>> placeWord(const Fact& fact, const std::string& name) {
        const std::string what = word();
        const auto among = [&](const std::vector<std::string_view>& list) {
            return std::find(list.begin(), list.end(), what) != list.end();
        };
        if (among(fact.words))
            return {what, std::nullopt};
        if (!among(fact.numbered))
            throw NotUnderstood{fmt::format("\"{}\" cannot be asked of \"{}\"", name, what)};
        skip();
        std::int64_t value = 0;
        const auto [next, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc{} || value < 0)
            throw NotUnderstood{fmt::format("a number is missing behind \"{}\"", what)};
        m_at = std::size_t(next - m_text.data());
        return {what, value};
    }

    std::vector<Term>* m_terms = nullptr; // of the side that is read
};

class SideValues : ExpressionValues {
public:
    SideValues(const Side& side, const Observed& observed) : m_side(side), m_observed(observed) {}

    FactValue all() {
        if (m_side.value.op == Expression::Op::Name)
            return valueOf(m_side.value);
        try {
            return {.number = value(m_side.value)};
        } catch (const NotUnderstood& wrong) {
            return {.why = wrong.message};
        }
    }

private:
    FactValue valueOf(const Expression& name) const {
        const Term& term = m_side.terms[name.at];
        return term.isFact ? session::valueOf(*findFact(term.name), term.name, m_observed, term.place)
                           : FactValue{.word = term.name};
    }
    double named(const Expression& name) override {
        const FactValue value = valueOf(name);
        if (!value.number)
            throw NotUnderstood{value.word.empty() ? value.why : fmt::format("{} is a word and no number", value.word)};
        return *value.number;
    }

    const Side& m_side;
    const Observed& m_observed;
};

bool relationHolds(Relation relation, double a, double b, double tolerance) {
    // Facts are sums and quotients of counts: what differs less than this is rounding of the last bits.
    const double slack = std::max(tolerance, 1e-9 * std::max(std::fabs(a), std::fabs(b)));
    const bool equal = std::fabs(a - b) <= slack * (1 + 1e-9);
    switch (relation) {
    case Relation::Equal:
        return equal;
    case Relation::Unequal:
        return !equal;
    case Relation::Less:
        return a < b && !equal;
    case Relation::LessOrEqual:
        return a < b || equal;
    case Relation::More:
        return a > b && !equal;
    case Relation::MoreOrEqual:
        return a > b || equal;
    }
    return false;
}

// Told in hexadecimal: a mask by itself, and whatever is held against what is written so.
bool tellsMask(const Expectation& expectation, const Side& side) {
    const bool alone = side.value.op == Expression::Op::Name && side.terms.front().isFact;
    return (alone && findFact(side.terms.front().name)->mask) || expectation.text.find("0x") != std::string::npos;
}

} // namespace

bool FactPlace::has(std::string_view word) const {
    return std::any_of(words.begin(), words.end(), [&](const auto& w) { return w.first == word; });
}

std::int64_t FactPlace::at(std::string_view word, std::int64_t otherwise) const {
    for (const auto& [name, value] : words)
        if (name == word && value)
            return *value;
    return otherwise;
}

Result<Expectation> parseExpectation(std::string_view text) {
    try {
        return ExpectationReader(text).expectation();
    } catch (const NotUnderstood& wrong) {
        return Error{.message = say::ExpectationNotUnderstood(beginningOf(text), wrong.message),
                     .remedy = say::FactsAreListed};
    }
}

Judgement judge(const Expectation& expectation, const Observed& observed) {
    std::vector<FactValue> values;
    Judgement judgement{.holds = true};
    for (const Side& side : expectation.sides) {
        values.push_back(SideValues(side, observed).all());
        const FactValue& value = values.back();
        const bool told = value.number || !value.word.empty();
        if (!told)
            return {.holds = false, .found = fmt::format("{} cannot be told: {}", side.text, value.why)};
        if (side.value.parts.empty() && (side.terms.empty() || !side.terms.front().isFact))
            continue; // what is written needs not be told again
        const std::string shown = !value.number ? value.word
                                  : tellsMask(expectation, side) && *value.number >= 0 && *value.number <= 0xffffffffu
                                      ? fmt::format("{:#x}", std::uint64_t(*value.number))
                                      : numberText(*value.number);
        judgement.found += fmt::format("{}{} is {}", judgement.found.empty() ? "" : ", ", side.text, shown);
    }
    for (std::size_t i = 0; i < expectation.relations.size(); ++i) {
        const FactValue &a = values[i], &b = values[i + 1];
        const Relation relation = expectation.relations[i];
        const double tolerance = std::max(expectation.sides[i].tolerance, expectation.sides[i + 1].tolerance);
        const bool words = !a.number || !b.number;
        const bool same = words && !a.number && !b.number && a.word == b.word;
        judgement.holds &= words ? (relation == Relation::Equal     ? same
                                    : relation == Relation::Unequal ? !same
                                                                    : false)
                                 : relationHolds(relation, *a.number, *b.number, tolerance);
    }
    return judgement;
}

} // namespace warpglass::session
