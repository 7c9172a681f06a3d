// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/why_words.h"

#include "gpu/base/messages/why.h"
#include "gpu/device/capability.h"
#include "gpu/metrics/limit_pairs.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
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
    MessageForm<0> name;      // what is to blame
    MessageForm<0> condition; // what the machine would be like, for "If ..., the launch would take ... less."
};

LimitWords of(Limit limit) {
    switch (limit) {
    case Limit::Divergence:
        return {say::LimitDivergence, say::IfDivergence};
    case Limit::Coalescing:
        return {say::LimitCoalescing, say::IfCoalescing};
    case Limit::Conflicts:
        return {say::LimitConflicts, say::IfConflicts};
    case Limit::L1Misses:
        return {say::LimitL1, say::IfL1};
    case Limit::L2Misses:
        return {say::LimitL2, say::IfL2};
    case Limit::Bandwidth:
        return {say::LimitBandwidth, say::IfBandwidth};
    case Limit::Latency:
        return {say::LimitLatency, say::IfLatency};
    case Limit::Atomics:
        return {say::LimitAtomics, say::IfAtomics};
    case Limit::Barriers:
        return {say::LimitBarriers, say::IfBarriers};
    case Limit::Issue:
        return {say::LimitIssue, say::IfIssue};
    case Limit::Tensor:
        return {say::LimitTensor, say::IfTensor};
    case Limit::CopyEngine:
        return {say::LimitCopyEngine, say::IfCopyEngine};
    case Limit::Registers:
        return {say::LimitRegisters, say::IfRegisters};
    case Limit::Shared:
        return {say::LimitShared, say::IfShared};
    case Limit::Threads:
        return {say::LimitThreads, say::IfThreads};
    case Limit::Tail:
        return {say::LimitTail, say::IfTail};
    case Limit::Launch:
        return {say::LimitLaunch, say::IfLaunch};
    }
    return {say::LimitLaunch, say::IfLaunch};
}

Message spentOn(WarpState state) {
    switch (state) {
    case WarpState::Selected:
        return say::SpentSelected;
    case WarpState::Eligible:
        return say::SpentEligible;
    case WarpState::StallBarrier:
        return say::SpentBarrier;
    case WarpState::StallLongScoreboard:
        return say::SpentLongScoreboard;
    case WarpState::StallShortScoreboard:
        return say::SpentShortScoreboard;
    case WarpState::StallWait:
        return say::SpentWait;
    case WarpState::StallMathPipeThrottle:
        return say::SpentMathPipe;
    case WarpState::StallLgThrottle:
        return say::SpentLg;
    case WarpState::StallMioThrottle:
        return say::SpentMio;
    case WarpState::StallBranchResolving:
        return say::SpentBranch;
    case WarpState::StallNoInstruction:
        return say::SpentNoInstruction;
    case WarpState::StallMembar:
        return say::SpentMembar;
    case WarpState::StallSleeping:
        return say::SpentSleeping;
    case WarpState::StallDrain:
        return say::SpentDrain;
    default:
        return say::SpentDispatch;
    }
}

std::string percents(const std::vector<LimitPair>& pairs, double LimitPair::*value) {
    std::string list;
    for (const LimitPair& pair : pairs)
        list += (list.empty() ? "" : ", ") + fmt::format("{:.0f}", 100 * pair.*value);
    return list + " %";
}

// "…; with rows 4 bytes longer, all accesses to this tile would take 64 passes where they take 1056."
Said laidOut(Message conflicts, const WhyLine& line) {
    if (!line.layout)
        return conflicts;
    const TileLayout& l = line.layout->layout;
    return say::WithLayout(conflicts, l.order == TileOrder::Padded
                                          ? say::PaddedTile(l.padding, line.layout->passes(), line.passes)
                                          : say::SwizzledTile(nameOf(l, 1), line.layout->passes(), line.passes));
}

} // namespace

std::string nsText(double ns) {
    const auto inUnits = [](double value, const char* unit) {
        return value < 10 ? fmt::format("{:.2f} {}", value, unit) : fmt::format("{:.1f} {}", value, unit);
    };
    return ns < 1e3 ? fmt::format("{:.0f} ns", ns) : ns < 1e6 ? inUnits(ns / 1e3, "\u00b5s") : inUnits(ns / 1e6, "ms");
}

MessageForm<0> wordsOf(Limit limit) {
    return of(limit).name;
}

Message name(const Why& why, const WhyLine& line) {
    Message place = (why.fromSource ? say::WhyLineSource : say::WhyLinePtx)(line.line);
    if (!line.access)
        return place;
    return say::WhyLineAccess(place, *line.access == AccessKind::Load    ? say::Load
                                     : *line.access == AccessKind::Store ? say::Store
                                                                         : say::Atomic);
}

Said sentence(const Why& why, const WhyLimit& limit) {
    if (!why.worth(limit))
        return {};
    return say::Condition(of(limit.limit).condition, percent(why.saved(limit.ns)));
}

Said finding(const Why& why, const WhyLimit& limit, const WhyLine& line) {
    const auto gain = [&]() -> Message {
        const double saved = line.savedNs ? *line.savedNs / why.ns : 0;
        return saved >= worthSaving ? say::WithoutThat(percent(saved)) : Message(say::NextToNothing);
    };
    switch (limit.limit) {
    case Limit::Divergence:
        return say::GoBothWays(percent(line.found), percent(line.share));
    case Limit::Coalescing:
        return say::TouchesSectors(number(line.found), number(line.least), gain());
    case Limit::Conflicts:
        return laidOut(say::TakesPasses(number(line.found), number(line.least), gain()), line);
    case Limit::L1Misses:
    case Limit::L2Misses:
        return (number(line.found) == "1" ? say::LoadsSector : say::LoadsSectors)(number(line.found),
                                                                                  percent(line.share), gain());
    case Limit::Atomics:
        if (line.least <= 0) // of shared memory, where different words are not counted
            return say::ServedOneByOne(gain());
        // Bytes that its lanes ask for over bytes of different words: so many lanes wait for each other.
        return line.found > 1.05 * line.least ? say::LanesMeet(number(line.found / line.least), gain())
                                              : say::WarpsMeet(gain());
    case Limit::Barriers:
        return say::OfBarrierTime(percent(line.share));
    case Limit::Latency:
        return say::OfLatencyTime(percent(line.share));
    case Limit::Bandwidth:
        if (line.mostly)
            return say::OfMemoryTimeMostly(percent(line.share), spentOn(*line.mostly));
        return say::OfMemoryTime(percent(line.share));
    case Limit::Issue:
        if (line.mostly)
            return say::OfIssueTimeMostly(percent(line.share), spentOn(*line.mostly));
        return say::OfIssueTime(percent(line.share));
    default:
        return {};
    }
}

Said sentence(const Why& why, const WhyLimit& limit, const WhyLine& line) {
    return say::OfLine(name(why, line), finding(why, limit, line));
}

Said sentence(const Why& why, const WhyPair& pair) {
    return say::WithoutBoth(of(pair.first).name, of(pair.second).name, percent(why.saved(pair.ns)));
}

Said remains(const Why& why) {
    if (why.floorNs < 0.25 * why.ns)
        return {};
    const bool asleep =
        std::ranges::any_of(why.trace ? why.trace->counters : std::vector<Counter>(), [](const Counter& c) {
            return c.launch == 0 && c.metric == "share_" + std::string(name(WarpState::StallSleeping)) && c.value > 50;
        });
    return (asleep ? say::EvenAsleep : say::EvenWithoutAll)(nsText(why.floorNs), percent(why.floorNs / why.ns));
}

Said floorSentence(const Why& why) {
    Said rest = remains(why);
    return !rest.empty() ? rest : say::WithoutAll(nsText(why.floorNs), percent(why.saved(why.floorNs)));
}

Said nothingAtAll(const Why& why) {
    for (const WhyLimit& limit : why.limits)
        if (why.worth(limit))
            return {};
    return say::NoSingleLimit;
}

Said pipelineSentence(const Why& why) {
    const auto p = why.trace ? pipelineOf(*why.trace) : std::nullopt;
    if (!p || p->waits < worthSaving)
        return {};
    const auto without = [&](Limit limit) {
        const auto found =
            std::find_if(why.limits.begin(), why.limits.end(), [&](const WhyLimit& l) { return l.limit == limit; });
        return found == why.limits.end() ? 0.0 : why.saved(found->ns);
    };
    const std::string waits = percent(p->waits);
    if (without(Limit::Bandwidth) >= worthSaving && without(Limit::Bandwidth) > without(Limit::Latency))
        return say::PipelineMemory(waits, p->stages);
    if (p->rounds > 0 && p->rounds <= p->stages)
        return say::PipelineAll(waits, p->stages, p->rounds);
    const TraceInfo& info = why.trace->info;
    const CapabilityLimits* const limits = capabilityLimits(info.ccMajor, info.ccMinor);
    const Launch& launch = why.trace->launches.front();
    const std::uint64_t shared =
        std::uint64_t(why.trace->kernelOf(launch).sharedBytes + launch.sharedBytes) / p->stages * p->enough;
    if (limits && limits->sharedPerBlockOptIn > 0 && shared > limits->sharedPerBlockOptIn)
        return say::PipelineRoom(waits, p->enough, p->stages, shared / 1024, limits->sharedPerBlockOptIn / 1024);
    return say::PipelineStages(waits, p->enough, p->stages);
}

Said idleSms(const Why& why) {
    const std::uint64_t blocks = why.trace ? why.trace->launches.front().grid.count() : 0;
    const auto sms = std::uint64_t(why.trace ? std::max(0, why.trace->info.smCount) : 0);
    if (blocks >= sms)
        return {};
    // What it takes beside launching is a matter of the SMs that have a block.
    double work = why.ns;
    for (const WhyLimit& limit : why.limits)
        if (limit.limit == Limit::Launch)
            work = limit.ns;
    const double less =
        why.ns > 0 && why.trace->launches.size() == 1 ? work / why.ns * (1 - double(blocks) / double(sms)) : 0;
    return less >= worthSaving ? say::IdleSmsShared(blocks, sms, sms - blocks, percent(less))
                               : say::IdleSms(blocks, sms, sms - blocks);
}

std::vector<Said> spent(const Why& why) {
    constexpr double least = 10; // per cent
    constexpr std::size_t most = 3;
    std::vector<std::pair<double, WarpState>> order;
    for (const Counter& c : why.trace ? why.trace->counters : std::vector<Counter>()) {
        if (c.launch != 0 || c.value < least)
            continue;
        for (const WarpState state : allOf<WarpState>)
            if (state != WarpState::Selected &&
                (state == WarpState::StallBarrier ? c.metric == "stall_sync"
                                                  : c.metric == "share_" + std::string(name(state))))
                order.emplace_back(-c.value, state);
    }
    std::sort(order.begin(), order.end());
    std::vector<Said> all;
    for (const auto& [share, state] : order)
        if (all.size() < most)
            all.emplace_back(say::WarpsSpend(percent(-share / 100), spentOn(state)));
    return all;
}

Said heldToHardware(Limit limit) {
    const std::vector<LimitPair> pairs = limitPairs(limit);
    if (pairs.empty())
        return say::NoPairMeasured(of(limit).name);
    return say::HeldToHardware(pairs.size(), of(limit).name, percents(pairs, &LimitPair::measured),
                               percents(pairs, &LimitPair::predicted));
}

Said warmSentence() {
    return say::WarmSentence;
}

Said errorSentence(const Why& why) {
    return why.trace ? say::KindAllModelled(kindErrorSentence(*why.trace)) : Said(say::AllModelledAlone);
}

} // namespace warpglass
