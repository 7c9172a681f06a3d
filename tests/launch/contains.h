// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}
