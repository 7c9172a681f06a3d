// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's time is spent on, in words that are made of the numbers and of nothing else. In English; the window
// knows these sentences by their form and says them in its own language (views/common/sentences.h).
#pragma once

#include "gpu/metrics/why.h"

#include <string>

namespace warpglass {

std::string name(const Why& why, const WhyLine& line); // "line 17 (store)"
const char* wordsOf(Limit limit);                      // "bank conflicts"

// "If shared memory had no bank conflicts, the launch would take 44 % less."; "" if the limit is not worth a word.
std::string sentence(const Why& why, const WhyLimit& limit);
// What a line has to do with it, with its name before; and the same without.
std::string sentence(const Why& why, const WhyLimit& limit, const WhyLine& line);
std::string finding(const Why& why, const WhyLimit& limit, const WhyLine& line);
std::string sentence(const Why& why, const WhyPair& pair);
std::string remains(const Why& why);       // where much of the time is due to no limit; else ""
std::string floorSentence(const Why& why); // what it would take without all of them
// Where no limit is worth a word; else "".
std::string nothingAtAll(const Why& why);
// How well the gain was predicted where it could be measured (limit_pairs.h).
std::string heldToHardware(Limit limit);
// How far the model's times are from measured ones.
std::string errorSentence(const Why& why);
// What L2 holds when the launch begins, where it holds something.
std::string warmSentence();

std::string nsText(double ns); // "12.4 µs", "6.52 µs", "850 ns"

} // namespace warpglass
