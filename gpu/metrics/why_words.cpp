// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/why_words.h"

#include "gpu/metrics/limit_pairs.h"

#include <fmt/format.h>

#include <cmath>

namespace warpglass {

namespace {

std::string percent(double share) {
    return fmt::format("{:.0f} %", std::round(100 * share) + 0.0); // never "-0 %"
}

// "32", "4.5": what is whole is written so.
std::string number(double value) {
    return std::abs(value - std::round(value)) < 0.05 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

struct LimitWords {
    const char* name;      // what is to blame
    const char* condition; // what the machine would be like, for "If ..., the launch would take ... less."
};

LimitWords of(Limit limit) {
    switch (limit) {
    case Limit::Divergence:
        return {"divergent branches", "If both sides of each branch ran at once"};
    case Limit::Coalescing:
        return {"uncoalesced access", "If only the bytes that are asked for moved"};
    case Limit::Conflicts:
        return {"bank conflicts", "If shared memory had no bank conflicts"};
    case Limit::L1Misses:
        return {"L1 misses", "If every load hit L1"};
    case Limit::L2Misses:
        return {"L2 misses", "If everything lay in L2"};
    case Limit::Bandwidth:
        return {"memory bandwidth", "If memory moved any number of bytes a second"};
    case Limit::Latency:
        return {"memory latency", "If memory answered at once"};
    case Limit::Atomics:
        return {"atomics on one address", "If atomics on one address did not queue"};
    case Limit::Barriers:
        return {"waiting at barriers", "If nobody waited at a barrier"};
    case Limit::Issue:
        return {"issue slots", "If all ready warps could issue at once"};
    case Limit::Registers:
        return {"registers of an SM", "If registers did not limit how many blocks are resident"};
    case Limit::Shared:
        return {"shared memory of an SM", "If shared memory did not limit how many blocks are resident"};
    case Limit::Threads:
        return {"places for warps and blocks", "If an SM had places for any number of warps and blocks"};
    case Limit::Tail:
        return {"the tail", "If all SMs were at work until the end"};
    case Limit::Launch:
        return {"launching", "If launching and starting blocks cost nothing"};
    }
    return {"", ""};
}

std::string percents(const std::vector<LimitPair>& pairs, double LimitPair::*value) {
    std::string list;
    for (const LimitPair& pair : pairs)
        list += (list.empty() ? "" : ", ") + fmt::format("{:.0f}", 100 * pair.*value);
    return list + " %";
}

} // namespace

std::string nsText(double ns) {
    const auto inUnits = [](double value, const char* unit) {
        return value < 10 ? fmt::format("{:.2f} {}", value, unit) : fmt::format("{:.1f} {}", value, unit);
    };
    return ns < 1e3 ? fmt::format("{:.0f} ns", ns) : ns < 1e6 ? inUnits(ns / 1e3, "\u00b5s") : inUnits(ns / 1e6, "ms");
}

const char* wordsOf(Limit limit) {
    return of(limit).name;
}

std::string name(const Why& why, const WhyLine& line) {
    return fmt::format("{} {}{}", why.fromSource ? "line" : "PTX line", line.line,
                       line.access ? fmt::format(" ({})", name(*line.access)) : std::string());
}

std::string sentence(const Why& why, const WhyLimit& limit) {
    if (!why.worth(limit))
        return {};
    return fmt::format("{}, the launch would take {} less.", of(limit.limit).condition, percent(why.saved(limit.ns)));
}

std::string finding(const Why& why, const WhyLimit& limit, const WhyLine& line) {
    const auto gain = [&] {
        const double saved = line.savedNs ? *line.savedNs / why.ns : 0;
        return saved >= worthSaving ? fmt::format("without that the launch would take {} less", percent(saved))
                                    : std::string("mending that alone would save next to nothing");
    };
    switch (limit.limit) {
    case Limit::Divergence:
        return fmt::format("{} of the warps that come to this branch go both ways; {} of all that do.",
                           percent(line.found), percent(line.share));
    case Limit::Coalescing:
        return fmt::format("a warp touches {} sectors where {} would do; {}.", number(line.found), number(line.least),
                           gain());
    case Limit::Conflicts:
        return fmt::format("a warp's access takes {} passes where {} would do; {}.", number(line.found),
                           number(line.least), gain());
    case Limit::L1Misses:
    case Limit::L2Misses:
        return fmt::format("a warp loads {} {} here, {} of all; {}.", number(line.found),
                           number(line.found) == "1" ? "sector" : "sectors", percent(line.share), gain());
    case Limit::Atomics:
        if (line.least <= 0) // of shared memory, where different words are not counted
            return fmt::format("lanes that want one word of shared memory are served one after the other; {}.", gain());
        // Bytes that its lanes ask for over bytes of different words: so many lanes wait for each other.
        return line.found > 1.05 * line.least
                   ? fmt::format("on average {} lanes of a warp meet at one address; {}.",
                                 number(line.found / line.least), gain())
                   : fmt::format("lanes of one warp do not meet at an address here, but warps do; {}.", gain());
    case Limit::Barriers:
        return fmt::format("{} of the time that warps wait at barriers.", percent(line.share));
    case Limit::Latency:
        return fmt::format("{} of the time that warps wait for what they loaded; here it is needed.",
                           percent(line.share));
    case Limit::Bandwidth:
        return fmt::format("{} of the time that warps wait for memory.", percent(line.share));
    case Limit::Issue:
        return fmt::format("{} of the time that warps issue or could.", percent(line.share));
    default:
        return {};
    }
}

std::string sentence(const Why& why, const WhyLimit& limit, const WhyLine& line) {
    return name(why, line) + ": " + finding(why, limit, line);
}

std::string sentence(const Why& why, const WhyPair& pair) {
    return fmt::format("Without {}, and without {}, the launch would take {} less.", of(pair.first).name,
                       of(pair.second).name, percent(why.saved(pair.ns)));
}

std::string remains(const Why& why) {
    if (why.floorNs < 0.25 * why.ns)
        return {};
    return fmt::format("Even without all of them it would take {}, {} of its time: what remains are instructions of a "
                       "thread that wait for each other's results.",
                       nsText(why.floorNs), percent(why.floorNs / why.ns));
}

std::string floorSentence(const Why& why) {
    const std::string rest = remains(why);
    return !rest.empty() ? rest
                         : fmt::format("Without all of them it would take {}, {} less.", nsText(why.floorNs),
                                       percent(why.saved(why.floorNs)));
}

std::string nothingAtAll(const Why& why) {
    for (const WhyLimit& limit : why.limits)
        if (why.worth(limit))
            return {};
    return "No single limit costs this launch much: there is nothing to gain from taking one away.";
}

std::string heldToHardware(Limit limit) {
    const std::vector<LimitPair> pairs = limitPairs(limit);
    if (pairs.empty())
        return fmt::format("No pair of kernels with and without {} was measured: only the model speaks here.",
                           of(limit).name);
    return fmt::format("Held to hardware: {} pairs of kernels, the second without {}. An H200 gained {}; the model "
                       "had predicted {}.",
                       pairs.size(), of(limit).name, percents(pairs, &LimitPair::measured),
                       percents(pairs, &LimitPair::predicted));
}

std::string warmSentence() {
    return "The launch finds in L2 what came before it, as far as that is still there. "
           "Its code lies there, too, so that it begins a microsecond sooner than one that is launched alone.";
}

std::string errorSentence(const Why& why) {
    if (why.modelError <= 0)
        return "All times are modelled; nothing was measured on this device to compare them with.";
    return fmt::format("All times are modelled: {} off an H200's on average, on kernels the model was not made with.",
                       percent(why.modelError));
}

} // namespace warpglass
