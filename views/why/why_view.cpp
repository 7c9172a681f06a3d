// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_view.h"

#include "gpu/metrics/why_words.h"
#include "views/common/beside.h"
#include "views/common/sentences.h"
#include "views/timeline/timeline_view.h"
#include "views/why/why_picture.h"
#include "views/why/why_text.h"

namespace warpglass {

WhyAnswer whyFromOption(const QVariant& option) {
    return option.value<WhyAnswer>();
}

namespace {

constexpr double leastType = 0.55;           // of the usual, on small paper
constexpr std::size_t quickStates = 200'000; // of both timelines: summed up before anybody notices

WhyAnswer answerIn(const PaintContext& context) {
    return whyFromOption(context.options.value(QLatin1String(whyOption)));
}

// The launch without the chosen limit; null where a row of another kind is chosen, or nothing was recorded.
TracePtr traceWithout(const Why& why, const Options& options) {
    const std::vector<WhyRow> rows = whyRows(why);
    const WhyRow& row = rows[chosenRow(rows, options)];
    return row.kind == WhyRow::Kind::Limit ? why.limits[row.limit].trace : nullptr;
}

// Both launches as the timeline's view shows two.
PaintContext bothTimelines(const PaintContext& context, const TracePtr& without) {
    PaintContext both = context;
    both.other = without;
    both.otherShift =
        without ? std::optional(without->launches.front().start - context.trace->launches.front().start) : std::nullopt;
    both.ghost.reset();
    both.companions.clear();
    return both;
}

// Each of both timelines' models, from the picture before where it has them.
WhyTimelines timelinesOf(const TracePtr& as, const TracePtr& without, const Picture* previous, Progress& progress) {
    WhyTimelines both;
    if (!without || as->states.empty() || without->states.empty())
        return both;
    const auto* last = dynamic_cast<const WhyPicture*>(previous);
    const auto model = [&](const TracePtr& trace) {
        if (last)
            for (const auto& known : last->timelines.models)
                if (known && known->trace == trace)
                    return known;
        return buildTimelineModel(trace, 0, TimelineGrouping::Hardware, progress);
    };
    both.models = {model(as), model(without)};
    return both;
}

class WhyView final : public View {
public:
    QString key() const override { return QStringLiteral("why"); }
    QString title() const override { return WhyText::tr("Why"); }
    QString whyNotAsked(const PaintContext&) const override {
        return WhyText::tr("What a limit costs is modelled by running the launch again: nothing is asked of it.");
    }
    QString question() const override {
        return WhyText::tr("What is its time spent on, and what would it take without each limit of the machine?");
    }

    QVector<Switch> switches(const PaintContext& context) const override {
        const WhyAnswer answer = answerIn(context);
        if (!answer || !*answer)
            return {};
        const std::vector<WhyRow> rows = whyRows(**answer);
        Switch of{QLatin1String(whyLimitOption), WhyText::tr("compare with"), {}, rows[chosenRow(rows, {})].key};
        for (const WhyRow& row : rows)
            of.choices.append({row.key, row.name});
        return {whyShow().dropDown(), of};
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace || context.trace->launches.empty())
            return Emptiness{WhyText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             WhyText::tr("Run the chosen kernel")};
        const WhyAnswer answer = answerIn(context);
        if (answer && !*answer)
            return Emptiness{sentence(answer->error()), QStringLiteral("open"), WhyText::tr("Open a kernel…")};
        if (answer)
            return std::nullopt;
        const QString ask = WhyText::tr("Ask why");
        if (context.trace->info.backend == BackendKind::Cuda)
            return Emptiness{
                WhyText::tr("A GPU cannot be asked what it would be without its limits, but its model can: "
                            "the launch is run on the emulator, about thirty times."),
                QStringLiteral("why"), ask};
        return Emptiness{
            WhyText::tr(
                "What would this launch take on hardware that lacks one limit: without bank conflicts, without "
                "divergence, with endless bandwidth? The timing model runs it again without each, about thirty times."),
            QStringLiteral("why"), ask};
    }

    Selection looksAt(const Selection& selection) const override {
        Selection seen = selection;
        seen.motion = {};
        return seen;
    }

    bool quick(const PaintContext& context, const Picture* previous) const override {
        if (emptiness(context))
            return true;
        const TracePtr without = traceWithout(**answerIn(context), context.options);
        if (!without)
            return true;
        if (whyShow().of(context.options) == WhyShow::Timelines)
            return m_timelines->quick(bothTimelines(context, without), previous);
        const auto* last = dynamic_cast<const WhyPicture*>(previous);
        if (last && last->timelines && last->timelines.models[1]->trace == without)
            return true;
        return context.trace->states.size() + without->states.size() < quickStates;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        const WhyAnswer answer = answerIn(context);
        const TracePtr without = traceWithout(**answer, context.options);
        if (whyShow().of(context.options) == WhyShow::Timelines)
            return m_timelines->compose(bothTimelines(context, without), area, progress, previous);
        const WhyTimelines both = timelinesOf(context.trace, without, previous.get(), progress);
        if (progress.cancelled())
            return nullptr;
        auto picture = std::make_shared<const WhyPicture>(context, area, answer, both);
        // Paper is not scrolled: what does not fit goes without timelines, and then in smaller type.
        if (context.paper && picture->layout.contentHeight > area.height())
            picture = std::make_shared<const WhyPicture>(context, area, answer, WhyTimelines{});
        for (double scale = 0.9; context.paper && picture->layout.contentHeight > area.height() && scale > leastType;
             scale -= 0.1) {
            PaintContext smaller = context;
            smaller.theme = Theme::make(context.theme.kind, scale * context.theme.fontScale);
            picture = std::make_shared<const WhyPicture>(smaller, area, answer, WhyTimelines{});
        }
        return picture;
    }

private:
    std::unique_ptr<View> m_timelines = makeBesideView(makeTimelineView, BesideLayout::Rows);
};

} // namespace

std::unique_ptr<View> makeWhyView() {
    return std::make_unique<WhyView>();
}

} // namespace warpglass
