// SPDX-License-Identifier: GPL-3.0-or-later
// The trees of both traces are worked out of their blocks once and go from picture to picture; a picture lays them out.
#include "views/reduction/reduction_view.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/reduction/reduction_play.h"
#include "views/reduction/reduction_prediction.h"
#include "views/reduction/reduction_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr Setting<double> zoomFactor{"zoom", 1}, zoomCentre{"centre", 0.5}, zoomTop{"top", 0};

ReductionZoom zoomOf(const PaintContext& of) {
    return {zoomFactor.of(of.options), zoomCentre.of(of.options), zoomTop.of(of.options), of.paper};
}

// The selected block, or the first of the launch that has detail.
std::uint32_t shownBlock(const Trace& trace, const Selection& selection) {
    if (selection.block < trace.blocks.size())
        return selection.block;
    if (selection.launch < trace.launches.size()) {
        const Launch& launch = trace.launches[selection.launch];
        for (std::uint32_t i = 0; i < launch.blockCount; ++i)
            if (trace.blocks[launch.firstBlock + i].warpCount)
                return launch.firstBlock + i;
    }
    return trace.blocks.empty() ? noIndex : 0;
}

// What keeps a tree from being found, as far as the trace says without looking for it.
std::optional<Emptiness> lacking(const PaintContext& context) {
    if (!context.trace || context.trace->launches.empty() || context.trace->blocks.empty())
        return Emptiness{
            ReductionText::tr("No kernel has been run yet. Run a reduction, and every addition it makes appears here."),
            QStringLiteral("run"), ReductionText::tr("Run a kernel")};
    if (!context.trace->info.recordedAccesses)
        return Emptiness{ReductionText::tr("The tree is found from the loads and stores of a block, and this run did "
                                           "not record them."),
                         QStringLiteral("accesses"), ReductionText::tr("Run again with addresses")};
    return std::nullopt;
}

std::optional<Emptiness> lacking(const ReductionModel& model) {
    if (model.tree.found())
        return std::nullopt;
    if (model.trace->blocks[model.block].warpCount == 0)
        return Emptiness{
            ReductionText::tr("No detail was recorded for this block. Choose another block, or record this one."),
            QStringLiteral("detail"), ReductionText::tr("Run and record all blocks")};
    if (const ReductionTree& tree = model.tree; tree.results > tree.resultsInTree && tree.given > 0) {
        QString why =
            (tree.results == 1 ? ReductionText::tr("This is no reduction: the block wrote %1 result, and no one "
                                                   "tree of additions leads to it.")
                               : ReductionText::tr("This is no reduction: the block wrote %1 results, and no "
                                                   "one tree of additions leads to them."))
                .arg(numberText(std::uint64_t(tree.results)));
        if (tree.most > 2) // pairs may be sums by chance
            why += QLatin1Char(' ') +
                   ReductionText::tr("Of the %1 numbers that were added, the largest sum holds %2.")
                       .arg(numberText(std::uint64_t(tree.given)), numberText(std::uint64_t(tree.most)));
        return Emptiness{why, QStringLiteral("find"), ReductionText::tr("Find a reduction in the gallery")};
    }
    return Emptiness{
        ReductionText::tr("This block does not fold numbers into one: no sum of what it read was stored or handed on."),
        QStringLiteral("find"), ReductionText::tr("Find a reduction in the gallery")};
}

Selection withThread(const ReductionScene& s, const ReductionValue& v) {
    Selection selection = s.selection;
    selection.launch = s.trace().blocks[s.model->block].launch;
    selection.block = s.model->block;
    if (v.warp != noIndex) {
        selection.warp = v.warp;
        selection.lane = int(v.thread % lanesPerWarp);
        selection.time = v.time;
        selection.ptxLine = s.trace().sites[s.trace().events.site(v.event)].ptxLine;
    }
    return selection;
}

// Two traces stand one above the other, so that columns stay comparable.
qreal halfHeight(const QRectF& area) {
    return (area.height() - 8) / 2;
}
QRectF upper(const QRectF& area, const PaintContext& context) {
    return context.other ? QRectF(area.left(), area.top(), area.width(), halfHeight(area)) : area;
}
QRectF lower(const QRectF& area) {
    return {area.left(), area.bottom() - halfHeight(area), area.width(), halfHeight(area)};
}

} // namespace

ReductionPicture::ReductionPicture(const PaintContext& of, const QRectF& on, ReductionModelPtr model, Second other,
                                   ReductionModelPtr pinned)
    : Picture(of, on), scene(reductionScene(std::move(model), upper(on, of), zoomOf(of), of.selection, of.theme,
                                            of.other ? compared(0) : QString(), std::move(pinned))),
      m_second(std::move(other)) {}

void ReductionPicture::paint(QPainter& painter) const {
    paintReduction(painter, scene);
    if (!context.other)
        return;
    painter.setPen(QPen(context.theme.border, 1));
    painter.drawLine(QPointF(area.left() + 10, area.center().y()), QPointF(area.right() - 10, area.center().y()));
    if (m_second.scene)
        paintReduction(painter, *m_second.scene);
    else
        paintParagraph(&painter, lower(area).adjusted(20, 20, -20, -20), m_second.why, context.theme.body(),
                       context.theme.textMuted);
}

void ReductionPicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    if (const ReductionPlace place = placeAt(scene, pointer); place.value != noIndex)
        paintReductionParts(painter, scene, place.value);
}

Spot ReductionPicture::spotAt(QPointF at) const {
    const ReductionPlace place = placeAt(scene, at);
    Spot spot;
    spot.toolTip = reductionToolTip(scene, place);
    if (place.value != noIndex) {
        spot.click = selecting(withThread(scene, scene.tree().values[place.value]));
    } else if (place.step >= 0) {
        spot.where = scene.layout.sideRect(place.step);
        spot.click = selecting(atEndOf(place.step));
    }
    return spot;
}

Selection ReductionPicture::atEndOf(int step) const {
    Selection selection = context.selection;
    selection.time = scene.tree().steps[step].end;
    selection.block = scene.model->block;
    return selection;
}

std::optional<Change> ReductionPicture::zoomed(const ReductionZoom& wanted) const {
    const ReductionZoom zoom = clampedZoom(scene, wanted);
    if (zoom == scene.layout.zoom)
        return std::nullopt;
    Change change = unchanged();
    zoomFactor.set(change.options, zoom.factor);
    zoomCentre.set(change.options, zoom.centre);
    zoomTop.set(change.options, zoom.top);
    return change;
}

std::optional<Change> ReductionPicture::answer(const Input& input) const {
    const ReductionLayout& l = scene.layout;
    if (const auto* wheel = std::get_if<WheelInput>(&input)) {
        if (!l.plot.contains(wheel->at))
            return std::nullopt;
        return zoomed(wheel->modifiers.testFlag(Qt::ShiftModifier) ? panned(l, {0, wheel->steps * 40})
                                                                   : zoomedAt(l, wheel->at, wheel->steps));
    }
    if (const auto* drag = std::get_if<DragInput>(&input))
        return l.plot.contains(drag->from) ? zoomed(panned(l, drag->to - drag->from)) : std::nullopt;
    return key(std::get<KeyInput>(input).key);
}

std::optional<Change> ReductionPicture::key(int key) const {
    const ReductionLayout& l = scene.layout;
    const auto goTo = [&](int step) {
        return step >= 0 && step < l.steps ? std::optional(Change{context.options, atEndOf(step)}) : std::nullopt;
    };
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Down:
        return goTo(scene.current + 1);
    case Qt::Key_Comma:
    case Qt::Key_Up:
        return goTo(scene.current - 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomed(zoomedAt(l, l.plot.center(), 1));
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomed(zoomedAt(l, l.plot.center(), -1));
    case Qt::Key_A:
    case Qt::Key_Left:
        return zoomed(panned(l, {0.2 * l.plot.width(), 0}));
    case Qt::Key_D:
    case Qt::Key_Right:
        return zoomed(panned(l, {-0.2 * l.plot.width(), 0}));
    case Qt::Key_PageDown:
        return zoomed(panned(l, {0, -l.step}));
    case Qt::Key_PageUp:
        return zoomed(panned(l, {0, l.step}));
    case Qt::Key_Home:
        return zoomed({});
    case Qt::Key_F: {
        const Selection& selection = scene.selection;
        const int column = selection.lane >= 0 && selection.warp < scene.trace().warps.size()
                               ? scene.trace().warps[selection.warp].warpInBlock * lanesPerWarp + selection.lane
                               : 0;
        return zoomed(framed(l, std::min(column, l.columns - 1), 40));
    }
    default:
        return std::nullopt;
    }
}

std::vector<Beat> ReductionPicture::beats() const {
    return reductionBeats(scene, m_second.scene ? &*m_second.scene : nullptr, shiftToOther(context));
}

QString ReductionPicture::csv() const {
    return reductionCsv(*scene.model);
}

ReductionModelPtr ReductionPicture::modelOf(const TracePtr& trace, std::uint32_t block) const {
    for (const ReductionModelPtr& model : {scene.model, m_second.scene ? m_second.scene->model : nullptr, scene.pinned})
        if (model && model->trace == trace && model->block == block)
            return model;
    return nullptr;
}

namespace {

class ReductionView final : public View {
public:
    QString key() const override { return QStringLiteral("reduction"); }
    QString title() const override { return ReductionText::tr("Reduction"); }
    QString question() const override {
        return ReductionText::tr("Which thread adds which numbers, in what order, and is the sum right?");
    }
    QSizeF leastRoom(const PaintContext& of) const override { return {420, of.other ? 520.0 : 260.0}; }
    Selection looksAt(const Selection& selection) const override { return selection; }
    bool hidesWhatIsToCome() const override { return true; }
    std::optional<Prediction> prediction(const PaintContext& context) const override {
        if (lacking(context))
            return std::nullopt;
        const ReductionModelPtr model = reductionModel(context.trace, shownBlock(*context.trace, context.selection));
        return lacking(*model) ? std::nullopt : additionsPrediction(*model, context.selection);
    }
    std::optional<PredictionStage> predictionStage(const PaintContext& context, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture* before) const override {
        ReductionModelPtr model = stagedReduction(before);
        if (!model)
            model = reductionModel(context.trace, shownBlock(*context.trace, context.selection));
        return additionsStage(model, context, asked, way, area);
    }
    std::optional<Emptiness> emptiness(const PaintContext& context) const override { return lacking(context); }
    std::optional<Emptiness> thoroughEmptiness(const PaintContext& context) const override {
        const auto empty = lacking(context);
        return empty ? empty : lacking(*reductionModel(context.trace, shownBlock(*context.trace, context.selection)));
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        const auto* last = dynamic_cast<const ReductionPicture*>(previous.get());
        const auto modelOf = [&](const PaintContext& of) {
            const std::uint32_t block = shownBlock(*of.trace, of.selection);
            const ReductionModelPtr model = last ? last->modelOf(of.trace, block) : nullptr;
            return model ? model : reductionModel(of.trace, block);
        };
        const ReductionModelPtr model = modelOf(context);
        if (const auto why = lacking(*model))
            return emptyPicture(context, area, *why);
        ReductionPicture::Second second;
        if (context.other) { // the block of the same number
            PaintContext other = contextOfOther(context);
            other.selection.launch = 0;
            auto why = lacking(other);
            const ReductionModelPtr its = why ? nullptr : modelOf(other);
            if (its)
                why = lacking(*its);
            if (why)
                second.why = why->why;
            else
                second.scene =
                    reductionScene(its, lower(area), zoomOf(other), other.selection, other.theme, compared(1));
        }
        ReductionModelPtr pinned;
        if (const auto a = contextOfPinned(context); a && !context.other && !lacking(*a))
            if (const ReductionModelPtr its = modelOf(*a); !lacking(*its))
                pinned = its;
        return std::make_shared<ReductionPicture>(context, area, model, std::move(second), std::move(pinned));
    }
};

} // namespace

std::unique_ptr<View> makeReductionView() {
    return std::make_unique<ReductionView>();
}

} // namespace warpglass
