// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_view.h"

#include "views/common/beside.h"
#include "views/common/sentences.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_picture.h"
#include "views/launchmap/launchmap_prediction.h"
#include "views/launchmap/launchmap_state.h"
#include "views/launchmap/launchmap_text.h"

namespace warpglass {
namespace {

// Below this many blocks the model is there before anybody could notice that it was not.
constexpr std::uint32_t atOnce = 200'000;

// What must be modelled: a launch of one trace, or of two that are compared.
struct Wanted {
    TracePtr trace; // null: nothing
    std::uint32_t launch = 0;
};

std::array<Wanted, 2> wantedFor(const PaintContext& c) {
    std::array<Wanted, 2> wanted{{{c.trace, shownLaunch(*c.trace, c.selection)}, {}}};
    if (c.other && !c.other->launches.empty()) {
        wanted[1] = {c.other, shownLaunch(*c.other, contextOfOther(c).selection)};
    }
    return wanted;
}

class LaunchMapView final : public View {
public:
    QString key() const override { return QStringLiteral("launchmap"); }
    QString title() const override { return LaunchMapText::tr("Launch map"); }
    QString question() const override {
        return LaunchMapText::tr(
            "Which threads share a warp, where did each block run, and why did the last wave waste the GPU?");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {460, 340}; }
    QVector<Switch> switches(const PaintContext&) const override { return launchMapSwitches(); }
    Selection looksAt(const Selection& selection) const override { return selection; }
    std::optional<Emptiness> emptiness(const PaintContext& context) const override;
    std::optional<Prediction> prediction(const PaintContext& c) const override {
        return emptiness(c) ? std::nullopt : wavesPrediction(*c.trace, shownLaunch(*c.trace, c.selection), c.selection);
    }

    std::optional<PredictionStage> predictionStage(const PaintContext& c, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture* before) const override {
        return wavesStage(c, shownLaunch(*c.trace, c.selection), asked, way, area, before);
    }

    bool quick(const PaintContext& c, const Picture* previous) const override {
        if (emptiness(c)) {
            return true;
        }
        const auto* old = dynamic_cast<const LaunchMapPicture*>(previous);
        for (const Wanted& w : wantedFor(c)) {
            if (w.trace && w.trace->launches[w.launch].blockCount > atOnce &&
                !(old && old->modelOf(w.trace, w.launch))) {
                return false;
            }
        }
        return true;
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        const auto* old = dynamic_cast<const LaunchMapPicture*>(previous.get());
        const auto wanted = wantedFor(c);
        LaunchMapModels models;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& [trace, launch] = wanted[i];
            if (!trace) {
                continue;
            }
            models[i] = old ? old->modelOf(trace, launch) : nullptr;
            if (!models[i]) {
                models[i] = std::make_shared<LaunchMapModel>(*trace, launch, blocksThatFit(*trace, launch));
            }
        }
        if (models[1]) // two are compared with one another
            return std::make_shared<LaunchMapPicture>(c, area, models);
        const LaunchMapGhostPtr before = old ? old->scene().ghost : nullptr;
        const bool same = before && before->recording == c.ghost && old->context.trace == c.trace &&
                          old->scene().launchRow == wanted[0].launch;
        return std::make_shared<LaunchMapPicture>(c, area, models,
                                                  same ? before : launchMapGhost(c.trace, wanted[0].launch, c.ghost),
                                                  launchMapPinned(c, *models[0], old ? old->scene().pinned : nullptr));
    }
};

std::optional<Emptiness> LaunchMapView::emptiness(const PaintContext& context) const {
    if (!context.trace || context.trace->launches.empty()) {
        return Emptiness{
            LaunchMapText::tr(
                "No launch is open. Run a kernel, and every block of its grid appears here with the SM it went to."),
            QStringLiteral("run"), LaunchMapText::tr("Run a kernel")};
    }
    const Launch& launch = context.trace->launches[shownLaunch(*context.trace, context.selection)];
    if (launch.status == LaunchStatus::Dropped) {
        return Emptiness{
            LaunchMapText::tr("This launch was dropped, so no block of it ran: %1").arg(sentence(launch.reason)),
            QStringLiteral("view:launchtree"), LaunchMapText::tr("Choose another launch")};
    }
    if (launch.blockCount == 0) {
        return Emptiness{LaunchMapText::tr("This trace holds no blocks of this launch."), QStringLiteral("detail"),
                         LaunchMapText::tr("Run and record all blocks")};
    }
    return std::nullopt;
}

} // namespace

std::unique_ptr<View> makeLaunchMapView() {
    return std::make_unique<LaunchMapView>();
}

} // namespace warpglass
