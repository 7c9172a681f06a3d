// SPDX-License-Identifier: GPL-3.0-or-later
// Grid and device in which it is predicted how many waves there are: outlines in the grid are the waves of the guess,
// then the blocks go to the device, and the outlines of the waves that ran lie beside those of the guess.
#include "views/common/marks.h"
#include "views/common/prediction_marks.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_prediction.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_state.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::uint64_t mostOutlines = 200;
constexpr qreal leastOutline = 3;                 // px of a wave's height: of thinner ones the first alone is drawn
constexpr qreal leastHeight = 9, leastWidth = 26; // lines of text

// Blocks [begin, end) of a slice in the order of their numbers: a stair at either end.
QPolygonF stair(const GridGeometry& g, std::uint64_t slice, std::uint64_t begin, std::uint64_t end) {
    const QPointF at = g.sliceOrigin(slice);
    const auto x = [&](std::uint64_t column) { return at.x() + double(column) * g.tile.width(); };
    const auto y = [&](std::uint64_t row) { return at.y() + double(row) * g.tile.height(); };
    const std::uint64_t c = g.columns, r0 = begin / c, r1 = (end - 1) / c;
    const std::uint64_t from = begin % c, to = (end - 1) % c + 1;
    if (r0 == r1)
        return QPolygonF{{x(from), y(r0)}, {x(to), y(r0)}, {x(to), y(r0 + 1)}, {x(from), y(r0 + 1)}};
    return QPolygonF{{x(from), y(r0)},   {x(c), y(r0)},     {x(c), y(r1)},     {x(to), y(r1)},
                     {x(to), y(r1 + 1)}, {x(0), y(r1 + 1)}, {x(0), y(r0 + 1)}, {x(from), y(r0 + 1)}};
}

void paintWave(QPainter& painter, const GridGeometry& g, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t slice = g.wrapped ? g.grid.count() : g.columns * g.rows;
    while (begin < end) {
        const std::uint64_t n = begin / slice, until = std::min(end, (n + 1) * slice);
        painter.drawPolygon(stair(g, n, begin - n * slice, until - n * slice));
        begin = until;
    }
}

class WavesStagePicture final : public Picture {
public:
    WavesStagePicture(const PaintContext& c, LaunchMapScene of, const QRectF& on, const Prediction& asked, Guess guess,
                      bool isAsked, bool judged)
        : Picture(c, on), m_scene(std::move(of)), m_truth(asked.number), m_guess(std::move(guess)), m_asked(isAsked),
          m_judged(judged) {}

    void paint(QPainter& painter) const override {
        paintGrid(painter, m_scene);
        paintDevice(painter, m_scene);
        painter.save();
        painter.setClipRect(m_scene.layout.grid.adjusted(-8, -8, 8, 8), Qt::IntersectClip);
        const std::uint64_t mine = ofWave(m_guess), real = m_scene.model->waves().capacity;
        const bool right = m_guess.number == m_truth;
        if (m_judged)
            outlines(painter, real, Standing::Right, QPen(m_scene.theme.good, 5));
        if (mine && (m_asked || m_judged))
            outlines(painter, mine,
                     m_asked ? Standing::Chosen
                     : right ? Standing::Right
                             : Standing::Wrong,
                     QPen(m_asked || right ? m_scene.theme.accent : m_scene.theme.wrong, 2,
                          m_asked || right ? Qt::DashLine : Qt::DotLine));
        if (m_judged) {
            sign(painter, real, right ? Standing::Right : Standing::Missed);
            if (mine && !right)
                sign(painter, mine, Standing::Wrong);
        }
        painter.restore();
    }

    const LaunchMapModelPtr& model() const { return m_scene.model; }

    // Blocks of a wave: as a hand showed it, else as many waves of one size as were said.
    std::uint64_t ofWave(const Guess& guess) const {
        const std::uint64_t all = m_scene.model->blockCount();
        if (!guess.number || *guess.number == 0)
            return 0;
        return guess.items.empty() ? (all + *guess.number - 1) / *guess.number
                                   : std::uint64_t(*guess.items.begin()) + 1;
    }

private:
    void outlines(QPainter& painter, std::uint64_t each, Standing how, const QPen& pen) const {
        const GridGeometry& g = m_scene.grid;
        const std::uint64_t all = m_scene.model->blockCount();
        const bool thin = double(each) / double(g.columns) * g.tile.height() < leastOutline;
        painter.setPen(pen);
        for (std::uint64_t k = 0; k * each < all && k < mostOutlines && (k == 0 || !thin); ++k) {
            QColor fill = pen.color();
            fill.setAlpha(how == Standing::Chosen && k == 0 ? 60 : 0); // the first wave is the one that is painted
            painter.setBrush(fill);
            paintWave(painter, g, k * each, std::min(all, (k + 1) * each));
        }
    }
    // At the last block of the first wave.
    void sign(QPainter& painter, std::uint64_t each, Standing how) const {
        const std::uint64_t last = std::min(each, m_scene.model->blockCount()) - 1;
        paintStandingSign(painter, m_scene.grid.tileRect(last).bottomRight(), how, m_scene.theme);
    }

    LaunchMapScene m_scene;
    std::uint64_t m_truth;
    Guess m_guess;
    bool m_asked, m_judged;
};

// Each wave takes an equal part of the way, however short it was.
Time playedTo(const LaunchMapModel& model, double way) {
    const std::uint64_t waves = model.waves().count();
    if (way <= 0 || waves == 0)
        return model.range().begin - Time{1};
    if (way >= 1)
        return model.range().end;
    const double at = way * double(waves);
    const auto k = std::min(std::uint64_t(at), waves - 1);
    const Time from = model.waveStart(k), to = k + 1 < waves ? model.waveStart(k + 1) : model.range().end;
    return from + Time{std::int64_t(double((to - from).value) * (at - double(k)))};
}

} // namespace

std::optional<PredictionStage> wavesStage(const PaintContext& context, std::uint32_t launch, const Prediction& asked,
                                          double way, const QRectF& area, const Picture* before) {
    const qreal line = lineHeight(context.theme.small());
    if (asked.asked != Asked::Number || area.height() < leastHeight * line || area.width() < leastWidth * line)
        return std::nullopt;
    const auto* earlier = dynamic_cast<const WavesStagePicture*>(before);
    LaunchMapModelPtr model =
        earlier ? earlier->model()
                : std::make_shared<const LaunchMapModel>(*context.trace, launch, blocksThatFit(*context.trace, launch));
    const bool isAsked = predicting().of(context.options) != Predicting::Shown;
    const Time now = isAsked ? model->range().begin - Time{1} : playedTo(*model, way);
    PaintContext staged = context;
    setGridZoom(staged.options, {});
    staged.selection = {};
    staged.selection.launch = launch;
    staged.selection.time = now;
    staged.selection.motion = {true, now, 1};
    LaunchMapScene scene = launchMapScene(area, staged, std::move(model), nullptr, LaunchMapParts::Waves);
    const GridGeometry grid = scene.grid;
    const std::uint64_t all = scene.model->blockCount();
    PredictionStage stage;
    stage.ground = std::make_shared<const WavesStagePicture>(
        staged, std::move(scene), area, asked, Guess::from(predictionGuess.of(context.options)), isAsked, way >= 1);
    stage.guessAt = [grid, all](QPointF at) -> std::optional<Guess> {
        const auto block = grid.blockAt(at);
        if (!block || *block >= all)
            return std::nullopt;
        Guess guess;
        guess.number = (all + *block) / (*block + 1); // all / (block + 1), rounded up
        guess.items = {int(*block)};
        return guess;
    };
    return stage;
}

} // namespace warpglass
