// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "views/timeline/timeline_picture.h"
#include "views/timeline/timeline_text.h"

namespace warpglass {

namespace {

// The model of a picture, if it is the one that this context needs.
TimelineSource sourceOf(const Picture* picture, const PaintContext& context) {
    const auto* before = dynamic_cast<const TimelinePicture*>(picture);
    const TimelineGrouping grouping = timelineGrouping(context.trace.get()).of(context.options);
    return before && before->source.isOf(context, grouping) ? before->source : TimelineSource{};
}

class TimelineView final : public View {
public:
    explicit TimelineView(AskText ask) : m_ask(std::move(ask)) {}

    QString key() const override { return "timeline"; }
    QString title() const override { return TimelineText::tr("Timeline"); }
    QString whyNotAsked(const PaintContext&) const override {
        return TimelineText::tr(
            "When warps run and wait depends on times that do not follow from the code alone: nothing is asked of "
            "them here.");
    }
    QString question() const override {
        return TimelineText::tr("Do the warps go forward together, and who waits for whom?");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {360, 240}; }
    QVector<Switch> switches(const PaintContext& context) const override {
        return {timelineGrouping(context.trace.get()).dropDown()};
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace)
            return Emptiness{TimelineText::tr("No kernel has been run yet."), "run",
                             TimelineText::tr("Run the chosen kernel")};
        if (context.trace->warps.empty())
            return Emptiness{TimelineText::tr("This recording holds no warps: only totals were kept."), "detail",
                             TimelineText::tr("Run again with detail")};
        return std::nullopt;
    }

    Selection looksAt(const Selection& selection) const override {
        Selection seen;
        seen.launch = selection.launch;
        seen.warp = selection.warp;
        seen.time = selection.time;
        seen.motion = selection.motion; // rows fill as it plays
        seen.visible = selection.visible;
        seen.followed = selection.followed;
        return seen;
    }

    bool quick(const PaintContext& context, const Picture* previous) const override {
        return emptiness(context) || sourceOf(previous, context).model;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        TimelineSource source = sourceOf(previous.get(), context);
        if (!source.model)
            source = {buildTimelineModel(context.trace, context.selection.launch,
                                         timelineGrouping(context.trace.get()).of(context.options), progress),
                      context.selection.launch};
        if (!source.model)
            return nullptr; // cancelled
        return std::make_shared<TimelinePicture>(context, area, std::move(source),
                                                 dynamic_cast<const TimelinePicture*>(previous.get()), m_ask);
    }

private:
    AskText m_ask;
};

} // namespace

std::unique_ptr<View> makeTimelineView() {
    return makeAskingTimelineView(askByDialog([] { return TimelineText::tr("note"); }));
}

std::unique_ptr<View> makeAskingTimelineView(AskText ask) {
    return std::make_unique<TimelineView>(std::move(ask));
}

} // namespace warpglass
