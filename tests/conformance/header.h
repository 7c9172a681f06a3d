// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/conformance/case.h"

namespace warpglass::conformance {

// Everything that the comments at the head of a file say; its instructions are left unread.
Result<Case> readHeader(const std::string& text, const std::string& file);

// A comment line, broken into lines that end in a backslash where it is longer than a hundred letters.
std::string wrapped(const std::string& comment);

} // namespace warpglass::conformance
