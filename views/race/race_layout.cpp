// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/race/race_layout.h"

#include <algorithm>

namespace warpglass {

RaceLayout raceLayout(const QRectF& area, double line, Time longest, bool noted) {
    RaceLayout l;
    const QRectF in = area.adjusted(1.3 * line, 0.8 * line, -1.3 * line, -0.8 * line);
    // In little height the tracks keep theirs; the view's name says what is asked, and tool tips how much is done.
    constexpr double lowLines = 18;
    constexpr double roomyLines = 28; // from there on the result has room around it
    const bool low = area.height() < lowLines * line, roomy = area.height() >= roomyLines * line;
    l.title = {in.left(), in.top(), in.width(), low ? 0 : 1.5 * line};
    l.question = {in.left(), l.title.bottom(), in.width(), low ? 0 : 1.2 * line};
    l.note = {in.left(), in.bottom() - (noted ? 1.3 * line : 0), in.width(), noted ? 1.3 * line : 0};
    l.result = {in.left(), l.note.top() - (roomy ? 3 : 2) * line, in.width(), (roomy ? 2.8 : 1.9) * line};
    l.ruler = {in.left(), l.result.top() - 1.8 * line, in.width(), 1.4 * line};
    const double top = l.question.bottom() + (low ? 0 : 0.5 * line), bottom = l.ruler.top();
    const double percent = 3.2 * line, flag = 5.2 * line; // left of the field; right of it, for the winner's time
    const double each = std::max(2.6 * line, (bottom - top) / 2);
    for (int i = 0; i < 2; ++i) {
        RaceTrack& track = l.tracks[std::size_t(i)];
        track.heading = {in.left(), top + i * each, in.width(), 1.5 * line};
        const double fieldTop = track.heading.bottom() + 0.6 * line; // the percents' names stand half above their lines
        track.field = {in.left() + percent, fieldTop, std::max(line, in.width() - percent - flag),
                       std::max(line, top + (i + 1) * each - 0.7 * line - fieldTop)};
    }
    l.axis = {{{0}, {std::max<std::int64_t>(1, longest.value)}}, l.tracks[0].field.left(), l.tracks[0].field.width()};
    return l;
}

} // namespace warpglass
