// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/patience.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace warpglass {

namespace {

std::optional<std::chrono::seconds> asked() {
    const char* const words = std::getenv("WARPGLASS_PATIENCE");
    if (!words)
        return std::nullopt;
    const std::string_view text(words);
    long n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const std::string_view unit = text.substr(std::size_t(end - text.data()));
    constexpr long most = 10'000'000; // four months
    if (error != std::errc() || n < 0 || n > most || (!unit.empty() && unit != "s" && unit != "m" && unit != "h"))
        return std::nullopt;
    return std::chrono::seconds(n * (unit == "h" ? 3600 : unit == "m" ? 60 : 1));
}

} // namespace

std::chrono::seconds patience() {
    return asked().value_or(std::chrono::seconds(60));
}

bool patienceIsSet() {
    return asked().has_value();
}

bool Standstill::is(double fraction, Clock::time_point now) {
    m_moved = fraction != m_at;
    if (m_moved) {
        m_at = fraction;
        m_since = now;
        return false;
    }
    if (m_most.count() == 0 || now - m_since < m_most)
        return false;
    m_since = now;
    return true;
}

} // namespace warpglass
