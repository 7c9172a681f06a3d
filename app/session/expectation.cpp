// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/expectation.h"

#include "app/session/summary.h"
#include "app/session/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warpglass::session {

namespace {

class ExpectationReader : TextScanner {
public:
    using TextScanner::TextScanner;

    Expectation all() {
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
        expectation.numbers = std::move(m_numbers);
        return expectation;
    }

private:
    static constexpr int deepest = 64; // parentheses in each other

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
        m_digits = -1;
        sum();
        result.text = std::string(m_text.substr(begin, m_at - begin));
        while (result.text.ends_with(' '))
            result.text.pop_back();
        if (result.terms.size() == 1 && m_digits > 0)
            result.tolerance = 0.5 * std::pow(10.0, -m_digits);
        return result;
    }
    void put(Term::Kind kind) { m_terms->push_back({.kind = kind}); }
    void sum() {
        product();
        for (;;)
            if (take("+"))
                product(), put(Term::Kind::Add);
            else if (take("-"))
                product(), put(Term::Kind::Subtract);
            else
                return;
    }
    void product() {
        atom();
        for (;;)
            if (take("*"))
                atom(), put(Term::Kind::Multiply);
            else if (take("/"))
                atom(), put(Term::Kind::Divide);
            else
                return;
    }
    void atom() {
        if (++m_depth > deepest)
            throw NotUnderstood{"too many parentheses"};
        if (take("-")) {
            atom();
            put(Term::Kind::Negate);
        } else if (take("(")) {
            sum();
            expect(")");
        } else if (atDigit()) {
            number();
        } else {
            named();
        }
        --m_depth;
    }
    void number() {
        const char *begin = m_text.data() + m_at, *end = m_text.data() + m_text.size();
        double value = 0;
        const char* next = nullptr;
        if (m_text.substr(m_at).starts_with("0x")) {
            std::uint64_t bits = 0;
            next = std::from_chars(begin + 2, end, bits, 16).ptr;
            value = double(bits);
            m_digits = 0;
        } else {
            next = std::from_chars(begin, end, value, std::chars_format::fixed).ptr;
            const std::string_view written(begin, std::size_t(next - begin));
            const std::size_t point = written.find('.');
            m_digits = point == std::string_view::npos ? 0 : int(written.size() - point - 1);
        }
        m_at = std::size_t(next - m_text.data());
        m_terms->push_back({.kind = Term::Kind::Number, .number = value});
        m_numbers.push_back(value);
    }
    void named() {
        const std::string name = word();
        constexpr std::pair<std::string_view, Term::Kind> calls[] = {{"ceil", Term::Kind::Ceil},
                                                                     {"floor", Term::Kind::Floor},
                                                                     {"min", Term::Kind::Min},
                                                                     {"max", Term::Kind::Max}};
        for (const auto& [call, kind] : calls) {
            if (name != call)
                continue;
            expect("(");
            sum();
            if (kind == Term::Kind::Min || kind == Term::Kind::Max) {
                expect(",");
                sum();
            }
            expect(")");
            put(kind);
            return;
        }
        const Fact* fact = findFact(name);
        if (!fact && !isFactWord(name))
            throw NotUnderstood{fmt::format("\"{}\" is no fact and no metric", name)};
        Term term{.kind = fact ? Term::Kind::Fact : Term::Kind::Word, .name = name};
        if (take("[")) {
            if (!fact)
                throw NotUnderstood{fmt::format("\"{}\" takes no brackets", name)};
            do
                term.place.words.push_back(placeWord(*fact, name));
            while (take(","));
            expect("]");
        }
        m_terms->push_back(std::move(term));
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
        m_numbers.push_back(double(value));
        return {what, value};
    }

    int m_depth = 0, m_digits = -1;
    std::vector<Term>* m_terms = nullptr;
    std::vector<double> m_numbers;
};

FactValue workOut(const Side& side, const Observed& observed) {
    std::vector<FactValue> stack;
    const auto pop = [&stack] {
        FactValue value = std::move(stack.back());
        stack.pop_back();
        return value;
    };
    for (const Term& term : side.terms) {
        using Kind = Term::Kind;
        switch (term.kind) {
        case Kind::Number:
            stack.push_back({.number = term.number});
            continue;
        case Kind::Word:
            stack.push_back({.word = term.name});
            continue;
        case Kind::Fact:
            stack.push_back(valueOf(*findFact(term.name), term.name, observed, term.place));
            if (!stack.back().number && stack.back().word.empty())
                return stack.back();
            continue;
        default:
            break;
        }
        const bool one = term.kind == Kind::Negate || term.kind == Kind::Ceil || term.kind == Kind::Floor;
        const FactValue right = pop(), left = one ? FactValue{.number = 0} : pop();
        if (!right.number || !left.number)
            return {.why = fmt::format("{} is a word and no number", right.number ? left.word : right.word)};
        const double a = *left.number, b = *right.number;
        switch (term.kind) {
        case Kind::Negate:
            stack.push_back({.number = -b});
            break;
        case Kind::Ceil:
            stack.push_back({.number = std::ceil(b)});
            break;
        case Kind::Floor:
            stack.push_back({.number = std::floor(b)});
            break;
        case Kind::Add:
            stack.push_back({.number = a + b});
            break;
        case Kind::Subtract:
            stack.push_back({.number = a - b});
            break;
        case Kind::Multiply:
            stack.push_back({.number = a * b});
            break;
        case Kind::Min:
            stack.push_back({.number = std::fmin(a, b)});
            break;
        case Kind::Max:
            stack.push_back({.number = std::fmax(a, b)});
            break;
        default:
            if (b == 0)
                return {.why = "divided by 0"};
            stack.push_back({.number = a / b});
        }
    }
    return stack.back();
}

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
    const Term& first = side.terms.front();
    return (side.terms.size() == 1 && first.kind == Term::Kind::Fact && findFact(first.name)->mask) ||
           expectation.text.find("0x") != std::string::npos;
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
        return ExpectationReader(text).all();
    } catch (const NotUnderstood& wrong) {
        return Error{.message = fmt::format("the expectation \"{}\" is not understood: {}", text, wrong.message),
                     .remedy = "The facts that can be asked for are listed in docs/lessons.md."};
    }
}

Judgement judge(const Expectation& expectation, const Observed& observed) {
    std::vector<FactValue> values;
    Judgement judgement{.holds = true};
    for (const Side& side : expectation.sides) {
        values.push_back(workOut(side, observed));
        const FactValue& value = values.back();
        const bool told = value.number || !value.word.empty();
        if (!told)
            return {.holds = false, .found = fmt::format("{} cannot be told: {}", side.text, value.why)};
        if (side.terms.size() == 1 && side.terms.front().kind != Term::Kind::Fact)
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
