// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of cycles in which it is predicted who issues: they end before the cycle that is asked for. What may be known
// of each warp stands where the cycles to come would be.
#include "views/common/marks.h"
#include "views/scheduler/scheduler_paint.h"
#include "views/scheduler/scheduler_prediction.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr qreal leastStageRow = 15, mostStageRow = 44;  // px at the usual type
constexpr qreal leastCycle = 26, usualCycle = 44;       // of a cycle's width
constexpr std::int64_t fewestShown = 4, mostShown = 16; // that are shown
constexpr double revealed = 0.3; // of the way: before it the cycles are still empty, then they come one after the other

struct IssueStage {
    AskedCycles at;
    std::int64_t cursor = 0;
    GridLayout grid;
    QVector<QRectF> notes;
    QStringList words; // of the notes
};

class IssueStagePicture final : public Picture {
public:
    IssueStagePicture(const PaintContext& c, const QRectF& on, IssueStage of)
        : Picture(c, on), m_stage(std::move(of)) {}

    void paint(QPainter& painter) const override {
        const Theme& theme = context.theme;
        const GridLayout& grid = m_stage.grid;
        const CycleRange& cycles = m_stage.at.cycles;
        paintGrid(painter, grid, *m_stage.at.model, {.cursor = m_stage.cursor, .playing = true, .asked = true}, theme);
        const bool several = cycles.length() > 1; // whose last cells are the scheduler's own
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.attention, 2));
        painter.drawRect(QRectF(QPointF(grid.scale.x(cycles.begin), grid.rows.top()),
                                QPointF(grid.scale.x(cycles.end), several ? grid.issue.bottom() : grid.rows.bottom())));
        for (int i = 0; i < int(m_stage.notes.size()); ++i)
            paintText(painter, m_stage.notes[i], m_stage.words[i], theme.small(), theme.textMuted);
    }

    const AskedCycles& at() const { return m_stage.at; }

private:
    IssueStage m_stage;
};

// The last cycle that is to be seen.
std::int64_t cursorAt(const CycleRange& cycles, double way) {
    if (way <= revealed)
        return std::int64_t(cycles.begin) - 1;
    const double share = (way - revealed) / (1 - revealed);
    return std::min(std::int64_t(cycles.begin + share * cycles.length()), std::int64_t(cycles.end) - 1);
}

} // namespace

const AskedCycles* askedCycles(const Picture* ground) {
    const auto* picture = dynamic_cast<const IssueStagePicture*>(ground);
    return picture ? &picture->at() : nullptr;
}

std::optional<PredictionStage> issueStage(const AskedCycles& at, const PaintContext& context, const Prediction& asked,
                                          double way, const QRectF& area) {
    const Theme& theme = context.theme;
    const qreal s = theme.fontScale;
    const auto& model = at.model;
    const auto first = std::int64_t(at.cycles.begin), end = std::int64_t(at.cycles.end);
    const std::int64_t count = end - first;
    if (count < 1 || model->clock.time(double(first)) != asked.moment)
        return std::nullopt;
    IssueStage in;
    in.at = at;
    in.cursor = cursorAt(at.cycles, way);
    qreal words = 0;
    for (const PredictedItem& item : asked.items)
        words = std::max(words, textWidth(theme.small(), item.note));
    words = std::min(words + 12 * s, area.width() * 0.4);
    const QRectF left = area.adjusted(0, 0, -words, 0);
    const double line = lineHeight(theme.body());
    const auto layout = [&](CycleRange window) {
        return gridLayout(left, int(model->rows.size()), line, false, mostStageRow * s, window);
    };
    // What has been is shown as far as there is room for it, and a little of it in any case.
    const auto room = std::int64_t(layout({0, 1}).rows.width() / (usualCycle * s));
    const std::int64_t shown = std::clamp(room, count + fewestShown - 1, std::max(mostShown, count + fewestShown));
    const std::int64_t begin = std::max(model->range.begin.value, end - shown);
    in.grid = layout({double(begin), double(std::max(end, begin + fewestShown))});
    if (in.grid.rowHeight < leastStageRow * s || in.grid.scale.perCycle() < leastCycle * s)
        return std::nullopt;
    PredictionStage stage;
    stage.columns = int(count);
    const double each = in.grid.scale.perCycle();
    const auto cells = [&](const QRectF& bar) {
        const int item = int(stage.cells.size());
        for (std::int64_t cycle = first; cycle < end; ++cycle)
            stage.cells.append(
                QRectF(in.grid.scale.x(double(cycle)), bar.top(), each, bar.height()).adjusted(2, 2, -2, -2));
        const double x = in.grid.scale.x(double(end)) + 8 * s;
        in.notes.append(QRectF(x, bar.top(), area.right() - x, bar.height()));
        in.words.append(item < int(asked.items.size()) ? asked.items[item].note : QString());
    };
    for (std::size_t row = 0; row < model->rows.size(); ++row)
        if (isAsked(*model, row, at.cycles))
            cells(in.grid.row(int(row)));
    if (count > 1) { // in the scheduler's own strip: nobody
        cells(in.grid.issue);
        in.words.back() = asked.items.back().name;
    }
    if (stage.cells.size() != asked.items.size())
        return std::nullopt;
    stage.ground = std::make_shared<const IssueStagePicture>(context, area, std::move(in));
    return stage;
}

} // namespace warpglass
