// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_frame.h"

#include "views/timeline/timeline_text.h"

#include <QtConcurrent>

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

constexpr double leastForLanes = 10;     // px of row height below which only the state is drawn
constexpr std::uint32_t rowsAPiece = 16; // of the work that one thread takes

std::size_t columnsIn(const QRectF& where) {
    return std::size_t(std::max(1.0, where.width()));
}

void takeStates(const TimelineColumns& columns, std::vector<std::int8_t>& states) {
    states.resize(columns.size());
    if (columns.categories() == 2) {
        for (std::size_t c = 0; c < states.size(); ++c)
            states[c] =
                columns.count(c) == 0 ? std::int8_t(-1) : std::int8_t(columns.share(c, 1) > columns.share(c, 0));
        return;
    }
    for (std::size_t c = 0; c < states.size(); ++c)
        states[c] = std::int8_t(columns.dominant(c));
}

void takeLanes(const TimelineColumns& columns, std::vector<std::int8_t>& lanes) {
    lanes.resize(columns.size());
    LaneMask any = LaneMask::none(), all = LaneMask::none(); // neighbours mostly have the same masks
    std::int8_t step = 0;
    for (std::size_t c = 0; c < lanes.size(); ++c) {
        if (columns.count(c) == 0) {
            lanes[c] = -1;
            continue;
        }
        if (columns.any(c) != any || columns.all(c) != all) {
            any = columns.any(c);
            all = columns.all(c);
            step = std::int8_t(laneStep((any.count() + all.count() + 1) / 2));
        }
        lanes[c] = step;
    }
}

// Up to sixteen rows of one group: those in sight become pictures, and all of them the piece's sum, if it is wanted.
struct Piece {
    std::uint32_t group = 0, first = 0, end = 0;
    bool summed = false;
    TimelineColumns sum = {};
};

void work(Piece& piece, const TimelineModel& model, TimeRange window, std::size_t width,
          const std::vector<const TimelineLine*>& lineOf, const TimelineLayout& layout, TimelineFrame& frame) {
    TimelineColumns columns;
    if (piece.summed)
        piece.sum.reset(width, model.categories);
    for (std::uint32_t r = piece.first; r < piece.end; ++r) {
        const TimelineLine* line = lineOf[r];
        if (!line) {
            if (piece.summed)
                model.columns(model.rows[r], window, piece.sum);
            continue;
        }
        TimelineRowPicture& picture = frame.rows[std::size_t(line - layout.lines.data())];
        columns.reset(width, model.categories);
        model.columns(model.rows[r], window, columns);
        if (piece.summed)
            piece.sum.add(columns);
        takeStates(columns, picture.state);
        if (line->height < leastForLanes)
            continue;
        if (model.hasStates()) {
            columns.reset(width, 2);
            model.lanes(model.rows[r], window, columns);
        }
        takeLanes(columns, picture.lanes);
    }
}

} // namespace

std::shared_ptr<const TimelineFrame> timelineFrame(const TimelineLayout& layout, const TimelineModel& model,
                                                   const TimelineFrame* before) {
    auto frame = std::make_shared<TimelineFrame>();
    const TimeRange window = layout.scale.window;
    const std::size_t width = columnsIn(layout.rows);
    frame->window = window;
    frame->rows.resize(layout.lines.size());
    frame->heads.resize(layout.lines.size());
    frame->headsKnown.resize(layout.lines.size());
    frame->stackedKnown = model.known.average(window, width);

    std::vector<const TimelineLine*> lineOf(model.rows.size());
    std::vector<const TimelineLine*> headOf(model.groups.size());
    for (const TimelineLine& line : layout.lines)
        (line.row == noIndex ? headOf[line.group] : lineOf[line.row]) = &line;
    const bool all = model.stackedFromRows(nullptr, window, width);
    std::vector<Piece> pieces;
    for (std::uint32_t g = 0; g < model.groups.size(); ++g) {
        const TimelineGroup& group = model.groups[g];
        const bool summed = all || (headOf[g] && model.stackedFromRows(&group, window, width));
        const std::uint32_t end = group.firstRow + group.rows;
        for (std::uint32_t first = group.firstRow; first < end; first += rowsAPiece) {
            const std::uint32_t last = std::min(end, first + rowsAPiece);
            if (summed || std::any_of(lineOf.begin() + first, lineOf.begin() + last, [](auto* line) { return line; }))
                pieces.push_back({g, first, last, summed});
        }
    }
    QtConcurrent::blockingMap(pieces, [&](Piece& piece) { work(piece, model, window, width, lineOf, layout, *frame); });

    // The pieces' sums in their order, so that the picture does not depend on how many cores there are.
    frame->stacked.reset(width, model.categories);
    if (!all)
        model.stacked(nullptr, window, frame->stacked);
    for (std::uint32_t g = 0; g < model.groups.size(); ++g)
        if (headOf[g]) {
            TimelineColumns& head = frame->heads[std::size_t(headOf[g] - layout.lines.data())];
            head.reset(width, model.categories);
            frame->headsKnown[std::size_t(headOf[g] - layout.lines.data())] =
                model.groups[g].known.average(window, width);
            if (!all && !model.stackedFromRows(&model.groups[g], window, width))
                model.stacked(&model.groups[g], window, head);
        }
    for (const Piece& piece : pieces) {
        if (!piece.summed)
            continue;
        if (all)
            frame->stacked.add(piece.sum);
        if (headOf[piece.group])
            frame->heads[std::size_t(headOf[piece.group] - layout.lines.data())].add(piece.sum);
    }

    const std::size_t whole = columnsIn(layout.overview);
    if (before && before->overview->size() == whole) {
        frame->overview = before->overview;
        frame->overviewKnown = before->overviewKnown;
    } else {
        const auto overview = std::make_shared<TimelineColumns>();
        overview->reset(whole, model.categories);
        model.stacked(nullptr, model.range, *overview);
        frame->overview = overview;
        frame->overviewKnown = model.known.average(model.range, whole);
    }
    return frame;
}

} // namespace warpglass
