// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/playing.h"

#include <algorithm>

namespace warpglass {

Score scoreOf(std::vector<Beat> beats, TimeRange range) {
    std::erase_if(beats, [&](const Beat& b) { return b.time < range.begin || b.time > range.end; });
    if (beats.empty() || beats.front().time > range.begin)
        beats.insert(beats.begin(), Beat{range.begin, 1});
    if (beats.back().time < range.end)
        beats.push_back({range.end, 0});
    Score score;
    for (const Beat& beat : beats) {
        score.begins.push_back(score.length);
        score.length += beat.weight;
    }
    score.beats = std::move(beats);
    return score;
}

ScorePoint pointAt(const Score& score, double position, bool still) {
    const std::size_t last = score.beats.size() - 1;
    if (position >= score.length)
        return {score.beats[last].time, {}};
    const auto after = std::upper_bound(score.begins.begin(), score.begins.end(), std::max(0.0, position));
    const std::size_t at = std::size_t(after - score.begins.begin()) - 1;
    const Beat& beat = score.beats[at];
    ScorePoint point{beat.time, {true, at < last ? score.beats[at + 1].time : beat.time, 1}};
    if (still)
        point.motion.to = beat.time;
    else if (beat.weight > 0)
        point.motion.way = std::clamp((position - score.begins[at]) / beat.weight, 0.0, 1.0);
    return point;
}

double positionAt(const Score& score, Time time) {
    const auto after = std::upper_bound(score.beats.begin(), score.beats.end(), time,
                                        [](Time t, const Beat& beat) { return t < beat.time; });
    return after == score.beats.begin() ? 0 : score.begins[std::size_t(after - score.beats.begin()) - 1];
}

std::vector<Beat> beatsOf(std::vector<Time> times, std::size_t most) {
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    std::vector<Beat> beats;
    const std::size_t count = std::min(times.size(), most);
    for (std::size_t i = 0; i < count; ++i)
        beats.push_back({times[count > 1 ? i * (times.size() - 1) / (count - 1) : 0]});
    return beats;
}

std::vector<Beat> evenBeats(TimeRange range, int parts) {
    std::vector<Time> times;
    for (int i = 0; i <= parts; ++i)
        times.push_back({range.begin.value + range.length().value * i / parts});
    return beatsOf(std::move(times), std::size_t(parts) + 1);
}

} // namespace warpglass
