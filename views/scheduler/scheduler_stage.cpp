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

constexpr qreal leastStageRow = 15, mostStageRow = 44, leastCycle = 44; // px at the usual type
constexpr std::int64_t fewestShown = 4, mostShown = 16;                 // that are shown
constexpr double revealed = 0.3; // of the way: before it the cycle is still empty, then it is there

struct IssueStage {
    AskedCycle at;
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
        paintGrid(painter, m_stage.grid, *m_stage.at.model, {.cursor = m_stage.cursor, .playing = true}, theme);
        const double x = m_stage.grid.scale.x(double(m_stage.at.cycle));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.attention, 2));
        painter.drawRect(QRectF(x, m_stage.grid.rows.top(), m_stage.grid.scale.perCycle(), m_stage.grid.rows.height()));
        for (int i = 0; i < int(m_stage.notes.size()); ++i)
            paintText(painter, m_stage.notes[i], m_stage.words[i], theme.small(), theme.textMuted);
    }

    const AskedCycle& at() const { return m_stage.at; }

private:
    IssueStage m_stage;
};

} // namespace

const AskedCycle* askedCycle(const Picture* ground) {
    const auto* picture = dynamic_cast<const IssueStagePicture*>(ground);
    return picture ? &picture->at() : nullptr;
}

std::optional<PredictionStage> issueStage(const AskedCycle& at, const PaintContext& context, const Prediction& asked,
                                          double way, const QRectF& area) {
    const Theme& theme = context.theme;
    const qreal s = theme.fontScale;
    const auto& model = at.model;
    const std::int64_t cycle = at.cycle;
    if (cycle < 0 || model->clock.time(double(cycle)) != asked.moment)
        return std::nullopt;
    IssueStage in;
    in.at = at;
    in.cursor = way > revealed ? cycle : cycle - 1;
    qreal words = 0;
    for (const PredictedItem& item : asked.items)
        words = std::max(words, textWidth(theme.small(), item.open ? item.note : item.closed));
    words = std::min(words + 12 * s, area.width() * 0.4);
    const QRectF left = area.adjusted(0, 0, -words, 0);
    const double line = lineHeight(theme.body());
    const auto layout = [&](CycleRange window) {
        return gridLayout(left, int(model->rows.size()), line, false, mostStageRow * s, window);
    };
    const auto room = std::int64_t(layout({0, 1}).rows.width() / (leastCycle * s));
    const std::int64_t shown = std::clamp(room, fewestShown, mostShown);
    const std::int64_t begin = std::max(model->range.begin.value, cycle + 1 - shown);
    in.grid = layout({double(begin), double(std::max(cycle + 1, begin + fewestShown))});
    if (in.grid.rowHeight < leastStageRow * s || in.grid.scale.perCycle() < leastCycle * s * 0.6)
        return std::nullopt;
    PredictionStage stage;
    const double x = in.grid.scale.x(double(cycle)), each = in.grid.scale.perCycle();
    for (std::size_t row = 0; row < model->rows.size(); ++row) {
        if (!model->rows[row].states.at(*model->trace, cycle))
            continue;
        const QRectF bar = in.grid.row(int(row));
        const int item = int(stage.cells.size());
        if (item >= int(asked.items.size()))
            return std::nullopt;
        stage.cells.append(QRectF(x, bar.top(), each, bar.height()).adjusted(2, 2, -2, -2));
        in.notes.append(QRectF(x + each + 8 * s, bar.top(), area.right() - x - each - 8 * s, bar.height()));
        in.words.append(asked.items[item].open ? asked.items[item].note : asked.items[item].closed);
    }
    if (stage.cells.size() != asked.items.size())
        return std::nullopt;
    stage.ground = std::make_shared<const IssueStagePicture>(context, area, std::move(in));
    return stage;
}

} // namespace warpglass
