// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/database.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpglass {

// Of a word that is one of the enumeration's; false of any other.
template <typename Enum>
bool takeWord(std::string_view word, Enum& value) {
    for (unsigned n = 0; n < 256; ++n) {
        const std::string_view known = name(Enum(n));
        if (known == "unknown")
            return false;
        if (known == word) {
            value = Enum(n);
            return true;
        }
    }
    return false;
}

// Takes one field after the other from a row; remembers the first column that does not hold what it should.
struct Taker {
    const Statement& statement;
    int column = 0;
    const char* wrong = nullptr;
    std::uint64_t bytes = 0; // of texts

    template <typename T>
    void operator()(const char* columnName, T& field, const char*) {
        const int at = column++;
        bool good = true;
        if constexpr (std::is_same_v<T, std::string>) {
            good = statement.isText(at);
            field = std::string(statement.text(at));
            bytes += field.size();
        } else if constexpr (std::is_enum_v<T>) {
            good = statement.isText(at) && takeWord(statement.text(at), field);
        } else if constexpr (std::is_same_v<T, double>) {
            // SQLite keeps no NaN; it comes back as NULL.
            field = statement.isNull(at) ? std::numeric_limits<double>::quiet_NaN() : statement.real(at);
        } else {
            good = statement.isInteger(at);
            const std::int64_t n = statement.integer(at);
            if constexpr (std::is_same_v<T, LaneMask>) {
                field.bits = std::uint32_t(n);
                good = good && std::int64_t(field.bits) == n;
            } else if constexpr (std::is_same_v<T, Time>) {
                field.value = n;
            } else {
                field = T(n);
                good = good && std::int64_t(field) == n;
            }
        }
        if (!good && !wrong)
            wrong = columnName;
    }
};

} // namespace warpglass
