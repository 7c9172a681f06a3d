// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_view.h"
#include "views/common/sentences.h"

#include "views/lanes/fragments_picture.h"
#include "views/lanes/lanes_picture.h"
#include "views/lanes/lanes_prediction.h"
#include "views/lanes/tiles_picture.h"

namespace warpglass {

namespace {

// Whether what there is to see are branches, and the compiler's own count names none. Of a kernel that calls others only
// its events tell.
bool mayDecideNothing(const PaintContext& c) {
    const LanesState state = lanesState(c.options);
    const Kernel& kernel = c.trace->kernelOf(c.trace->launches[completed(c.selection, *c.trace).launch]);
    return !state.machine() && !state.overTime && !c.other && kernel.ptxBranches == 0 && kernel.ptxSelects == 0;
}

Emptiness decidesNothing() {
    return {LanesText::tr(
                "This kernel decides nothing: it has no branch and no select, so all lanes always walk together."),
            QStringLiteral("view:timeline"), LanesText::tr("Show its warps over time")};
}

class LanesView final : public View {
public:
    QString key() const override { return QStringLiteral("lanes"); }
    QString title() const override { return LanesText::tr("Divergence"); }
    QString question() const override {
        return LanesText::tr("Which lanes of a warp go where at a branch, and what do the others pay?");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {420, 300}; }
    QVector<Switch> switches(const PaintContext&) const override { return lanesSwitches(); }
    Selection looksAt(const Selection& selection) const override { return selection; }
    std::optional<Prediction> prediction(const PaintContext& c) const override {
        return emptiness(c) ? std::nullopt : lanesPrediction(c);
    }

    // The warp's earlier steps as they were, and the step in question with nothing decided: its cells are painted.
    std::optional<PredictionStage> predictionStage(const PaintContext& c, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture*) const override {
        PaintContext staged = c;
        clearPrediction(staged.options);
        lanesStage.set(staged.options, true);
        staged.other.reset();
        staged.clickable = false;
        staged.selection = completed(c.selection, *c.trace);
        staged.selection.time = asked.moment;
        staged.selection.motion = {true, asked.moment, way};
        staged.selection.ptxLine = asked.ptxLine;
        staged.selection.sourceLine = 0;
        auto scene = LanesPicture::sceneOf(staged, nullptr);
        if (scene->branches().empty())
            return std::nullopt;
        const auto ground = std::make_shared<const LanesPicture>(staged, area, std::move(scene), nullptr);
        PredictionStage stage{ground, ground->stageCells(), 1};
        return stage.cells.isEmpty() ? std::nullopt : std::optional(std::move(stage));
    }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (!c.trace || c.trace->launches.empty())
            return Emptiness{LanesText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             LanesText::tr("Run the chosen kernel")};
        const Selection s = completed(c.selection, *c.trace);
        const Launch& launch = c.trace->launches[s.launch];
        if (launch.status == LaunchStatus::Dropped)
            return Emptiness{LanesText::tr("This launch never ran: %1").arg(sentence(launch.reason)),
                             QStringLiteral("view:launchtree"), LanesText::tr("Choose another launch")};
        const LanesState state = lanesState(c.options);
        if (state.machine())
            return std::nullopt;
        const std::uint32_t warp = warpToShow(s, *c.trace);
        if (warp == noIndex)
            return Emptiness{
                LanesText::tr(
                    "No events were recorded for this block. Choose a block with detail, or run again and record it."),
                QStringLiteral("detail"), LanesText::tr("Run and record all blocks")};
        return std::nullopt;
    }

    std::optional<Emptiness> thoroughEmptiness(const PaintContext& c) const override {
        if (auto empty = emptiness(c))
            return empty;
        const Selection s = completed(c.selection, *c.trace);
        if (selectedTiles(*c.trace, s) || selectedFragments(*c.trace, s))
            return std::nullopt;
        return mayDecideNothing(c) && LanesPicture::sceneOf(c, nullptr)->branches().empty()
                   ? std::optional(decidesNothing())
                   : std::nullopt;
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        const Selection s = completed(c.selection, *c.trace);
        if (auto tiles = selectedTiles(*c.trace, s))
            return std::make_shared<TilesPicture>(c, area, std::move(*tiles));
        if (auto fragments = selectedFragments(*c.trace, s))
            return std::make_shared<FragmentsPicture>(c, area, std::move(*fragments));
        const auto* before = dynamic_cast<const LanesPicture*>(previous.get());
        auto scene = LanesPicture::sceneOf(c, before);
        if (mayDecideNothing(c) && scene->branches().empty())
            return emptyPicture(c, area, decidesNothing());
        return std::make_shared<LanesPicture>(c, area, std::move(scene), before);
    }
};

} // namespace

std::unique_ptr<View> makeLanesView() {
    return std::make_unique<LanesView>();
}

} // namespace warpglass
