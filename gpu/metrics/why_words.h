// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's time is spent on, in words that are made of the numbers and of nothing else. Empty: there is
// nothing to say.
#pragma once

#include "gpu/base/message.h"
#include "gpu/metrics/why.h"

#include <string>
#include <vector>

namespace warpglass {

Message name(const Why& why, const WhyLine& line); // "line 17 (store)"
MessageForm<0> wordsOf(Limit limit);               // "bank conflicts"

// "If shared memory had no bank conflicts, the launch would take 44 % less."; "" if the limit is not worth a word.
Said sentence(const Why& why, const WhyLimit& limit);
// What a line has to do with it, with its name before; and the same without.
Said sentence(const Why& why, const WhyLimit& limit, const WhyLine& line);
Said finding(const Why& why, const WhyLimit& limit, const WhyLine& line);
Said sentence(const Why& why, const WhyPair& pair);
Said remains(const Why& why);       // where much of the time is due to no limit; else ""
Said floorSentence(const Why& why); // what it would take without all of them
// Where no limit is worth a word; else "".
Said nothingAtAll(const Why& why);
// Of a product whose tiles come by asynchronous copies: how long it waits for them, and what would help; else "".
Said pipelineSentence(const Why& why);
Said idleSms(const Why& why); // how many SMs have no block; else ""
// On what its warps spend most of their time beside issuing, what takes most first: up to three.
std::vector<Said> spent(const Why& why);
// How well the gain was predicted where it could be measured (limit_pairs.h).
Said heldToHardware(Limit limit);
// How far the model's times are from measured ones.
Said errorSentence(const Why& why);
// What L2 holds when the launch begins, where it holds something.
Said warmSentence();

std::string nsText(double ns); // "12.4 µs", "6.52 µs", "850 ns"

} // namespace warpglass
