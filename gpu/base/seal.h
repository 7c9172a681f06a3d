// SPDX-License-Identifier: GPL-3.0-or-later
// A seal says that this user's Warpglass has written some words itself. Files hold words that lead to programs being
// started: how a recorded program is run again, further options of a compiler. Those of a file that somebody else has
// made must not be followed only because the file was opened, and those of one's own must not be asked about.
//
// The seal is SipHash-2-4 (Aumasson and Bernstein 2012) under a key of 128 random bits, which lies in the user's data
// folder, readable by nobody else, and is made when it is first needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace warpglass {

// 16 hexadecimal digits; empty where no key can be kept. purpose: seals for one thing are none for another.
std::string sealOf(const std::string& purpose, std::span<const std::string> words);
bool isSealed(const std::string& seal, const std::string& purpose, std::span<const std::string> words);

std::uint64_t sipHash(const std::array<std::uint64_t, 2>& key, std::span<const unsigned char> bytes);

} // namespace warpglass
