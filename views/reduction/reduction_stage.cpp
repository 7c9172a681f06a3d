// SPDX-License-Identifier: GPL-3.0-or-later
// The tree in which additions are predicted: what was added before stands there, the step in question is empty until it
// is played.
#include "views/common/prediction_marks.h"
#include "views/reduction/reduction_prediction.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr qreal leastPitch = 9; // px of a column that a hand can hit

// The step's sums arrive one moment after the other; later steps stay hidden.
Selection playedTo(const ReductionModel& model, const ReductionStep& step, const Selection& from, double way) {
    Selection s = from;
    if (way <= 0) {
        s.time = step.begin - Time{1};
        s.motion = {true, step.begin, 0};
        return s;
    }
    std::vector<Time> moments;
    moments.reserve(step.sums.size());
    for (const std::uint32_t sum : step.sums)
        moments.push_back(model.tree.values[sum].time);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    const double at = std::clamp(way, 0.0, 1.0) * double(moments.size());
    const auto n = std::min(std::size_t(at), moments.size() - 1);
    s.time = moments[n];
    s.motion = {true, s.time, std::min(1.0, at - double(n))};
    return s;
}

class ReductionStagePicture final : public Picture {
public:
    ReductionStagePicture(const PaintContext& c, ReductionScene of, std::size_t step, const Prediction& asked,
                          double way)
        : Picture(c, of.area), m_scene(std::move(of)), m_row(int(step)), m_number(asked.number),
          m_asked(predicting().of(c.options) != Predicting::Shown), m_judged(!m_asked && way >= 1),
          m_guess(Guess::from(predictionGuess.of(c.options)).number) {
        if (asked.asked == Asked::Number)
            m_into = additionsOf(*m_scene.model, step).front().into;
    }

    void paint(QPainter& painter) const override {
        paintReductionTree(painter, m_scene);
        paintReductionSides(painter, m_scene);
        if (m_into < 0)
            return;
        const ReductionLayout& l = m_scene.layout;
        QRectF into = l.cellRect(m_row, m_into);
        const qreal wider = std::max<qreal>(0, 5 - into.width()) / 2;
        into.adjust(-wider, -1, wider, 1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_scene.theme.attention, 2));
        painter.drawRect(into);
        const auto link = [&](std::uint64_t from, Standing how) {
            const int column = int(std::min(from, std::uint64_t(l.columns - 1)));
            paintPredictedLink(painter, l.cellRect(m_row, m_into), l.cellRect(m_row, column), how, m_scene.theme);
        };
        if (m_judged && m_guess != m_number)
            link(m_number, Standing::Missed);
        if (m_guess && (m_asked || m_judged))
            link(*m_guess, m_asked ? Standing::Chosen : m_guess == m_number ? Standing::Right : Standing::Wrong);
    }

    const ReductionModelPtr& model() const { return m_scene.model; }

private:
    ReductionScene m_scene;
    int m_row;       // of cells, above the step
    int m_into = -1; // column that is added to, where its partner is asked for
    std::uint64_t m_number;
    bool m_asked, m_judged;
    std::optional<std::uint64_t> m_guess;
};

} // namespace

ReductionModelPtr stagedReduction(const Picture* ground) {
    const auto* picture = dynamic_cast<const ReductionStagePicture*>(ground);
    return picture ? picture->model() : nullptr;
}

std::optional<PredictionStage> additionsStage(const ReductionModelPtr& model, const PaintContext& context,
                                              const Prediction& asked, double way, const QRectF& area) {
    const auto& steps = model->tree.steps;
    std::size_t step = 0;
    while (step < steps.size() && (steps[step].begin != asked.moment || additionsOf(*model, step).empty()))
        ++step;
    if (step >= steps.size() || step >= model->rows.size())
        return std::nullopt;
    const Selection now = playedTo(*model, steps[step], context.selection, way);
    // All columns, and the step with as many of those before it as there is room for.
    ReductionZoom zoom;
    zoom.bare = true; // the board says what is to be said
    const ReductionLayout whole = reductionScene(model, area, zoom, now, context.theme).layout;
    zoom.top = double(step) * whole.step - std::max(0.0, whole.plot.height() - whole.step - whole.cell);
    ReductionScene scene = reductionScene(model, area, zoom, now, context.theme);
    const ReductionLayout& l = scene.layout;
    const bool links = asked.asked == Asked::Links;
    if (l.plot.height() < l.step + l.cell || l.side.width() <= 0 || (links && l.pitch < leastPitch))
        return std::nullopt;
    PredictionStage stage;
    const int row = int(step);
    if (links) {
        const qreal radius = l.nodeRadius(), most = l.pitch * 0.45 / context.theme.fontScale;
        stage.sign = std::min<qreal>(stage.sign, most);
        stage.columns = int(asked.items.size());
        for (int column = 0; column < int(asked.items.size()); ++column)
            stage.cells.append(l.cellRect(row, column));
        std::map<std::uint32_t, int> signs; // of a sum
        for (const ReductionAddition& a : additionsOf(*model, step)) {
            const qreal side = 2 * stage.sign * context.theme.fontScale;
            const QPointF node = l.node(row, model->tree.values[a.sum].column);
            // Beside and below the node: the number of the thread that adds stays to be read.
            const qreal away = (radius + side / 2) * 0.75;
            stage.sums[{std::min(a.into, a.from), std::max(a.into, a.from)}] =
                node + QPointF(away + side * signs[a.sum]++, away);
        }
    } else {
        stage.guessAt = [l](QPointF at) -> std::optional<Guess> {
            const auto column = l.columnAt(at.x());
            if (!column || !l.plot.contains(at))
                return std::nullopt;
            Guess guess;
            guess.number = std::uint64_t(*column);
            return guess;
        };
    }
    stage.ground = std::make_shared<const ReductionStagePicture>(context, std::move(scene), step, asked, way);
    return stage;
}

} // namespace warpglass
