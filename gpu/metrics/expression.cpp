// SPDX-License-Identifier: GPL-3.0-or-later
//
// A recursive descent of four levels: sum, product, power, atom. It exists so that the arithmetic of a document can be
// written down as the document has it, and done again.
#include "gpu/metrics/expression.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace warpglass {

namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    Result<double> all() {
        const double value = sum();
        skip();
        if (m_ok && m_at == m_text.size())
            return value;
        return Error{.message = fmt::format("\"{}\" cannot be worked out: stopped at character {}", m_text, m_at + 1)};
    }

private:
    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool take(char c) {
        skip();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    double fail() {
        m_ok = false;
        return 0;
    }
    double sum() {
        double value = product();
        while (m_ok)
            if (take('+'))
                value += product();
            else if (take('-'))
                value -= product();
            else
                break;
        return value;
    }
    double product() {
        double value = power();
        while (m_ok)
            if (take('*'))
                value *= power();
            else if (take('/'))
                value /= power();
            else
                break;
        return value;
    }
    double power() {
        const double base = atom();
        return m_ok && take('^') ? std::pow(base, power()) : base;
    }
    double atom() {
        if (++m_depth > 64)
            return fail();
        const double value = take('-') ? -atom() : take('(') ? closed(sum()) : named();
        --m_depth;
        return value;
    }
    double closed(double value) { return take(')') ? value : fail(); }
    double named() {
        for (const std::string_view function : {"ceil", "floor", "min", "max"}) {
            if (!m_text.substr(m_at).starts_with(function))
                continue;
            m_at += function.size();
            if (!take('('))
                return fail();
            const double a = sum();
            if (function == "ceil")
                return closed(std::ceil(a));
            if (function == "floor")
                return closed(std::floor(a));
            if (!take(','))
                return fail();
            const double b = sum();
            return closed(function == "min" ? std::fmin(a, b) : std::fmax(a, b));
        }
        double value = 0;
        const auto [next, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc{})
            return fail();
        m_at = std::size_t(next - m_text.data());
        return value;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_ok = true;
};

} // namespace

Result<double> evaluateExpression(std::string_view text) {
    return Reader(text).all();
}

} // namespace warpglass
