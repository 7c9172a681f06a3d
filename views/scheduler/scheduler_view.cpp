// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_view.h"

#include "views/scheduler/example.h"
#include "views/scheduler/scheduler_picture.h"
#include "views/scheduler/scheduler_prediction.h"
#include "views/scheduler/scheduler_text.h"

#include <array>

namespace warpglass {

namespace {

constexpr std::size_t smallTrace = 200'000; // rows that are worked through at once, without a thread

// Numbers as words: empty is "of the warp".
const Setting<QString> smSetting{"sm"}, schedulerSetting{"scheduler"};

int numberOf(const Setting<QString>& setting, const Options& options) {
    bool ok = false;
    const int value = setting.of(options).toInt(&ok);
    return ok ? value : -1;
}

std::vector<std::int64_t> cyclesOf(const Trace& trace) {
    std::vector<std::int64_t> cycles;
    for (std::int64_t c = trace.range().begin.value; c < trace.range().end.value; ++c)
        cycles.push_back(c);
    return cycles;
}

SchedulerPage pageOf(const PaintContext& context) {
    return pageChoice().of(context.options);
}

class SchedulerView final : public View {
public:
    QString key() const override { return QStringLiteral("scheduler"); }
    QString title() const override { return SchedulerText::tr("Scheduler"); }
    QString question() const override {
        return SchedulerText::tr("Which warp issues in each cycle, and what do the others wait for?");
    }
    QString whyNotAsked(const PaintContext&) const override {
        return SchedulerText::tr(
            "This scheduler never had two warps that were ready in one cycle: there was nothing to "
            "choose.");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {530, 340}; }

    QVector<Switch> switches(const PaintContext& context) const override {
        const SchedulerPage page = pageOf(context);
        QVector<Switch> list{pageChoice().dropDown()};
        if (page == SchedulerPage::Example)
            return list << ruleChoice().dropDown();
        if (page == SchedulerPage::Little)
            return list << figuresSwitch();
        const auto places = placesOf(context);
        if (places.empty())
            return list;
        const SchedulerPlace here = placeOf(context);
        Switch sm{QString::fromLatin1(smSetting.key),
                  SchedulerText::tr("SM"),
                  {{QString(), SchedulerText::tr("of the warp")}},
                  {}};
        Switch scheduler{QString::fromLatin1(schedulerSetting.key),
                         SchedulerText::tr("scheduler"),
                         {{QString(), SchedulerText::tr("of the warp")}},
                         {}};
        for (const SchedulerPlace& place : places) {
            const QString number = QString::number(place.sm);
            if (sm.choices.back().first != number)
                sm.choices.append({number, number});
            if (place.sm == here.sm)
                scheduler.choices.append({QString::number(place.scheduler), QString::number(place.scheduler)});
        }
        return list << sm << scheduler;
    }

    Selection looksAt(const Selection& selection) const override { return selection; }
    std::optional<OwnClock> ownClock(const PaintContext& context) const override {
        if (pageOf(context) != SchedulerPage::Example)
            return std::nullopt;
        const TracePtr trace = tracesOf(context).front();
        return OwnClock{trace, cyclesOf(*trace), exampleCursor().key, {exampleCursor().of(context.options)}};
    }
    std::optional<Prediction> prediction(const PaintContext& context) const override {
        if (pageOf(context) != SchedulerPage::Cycles || emptiness(context))
            return std::nullopt;
        Progress nobody;
        const auto model = buildSchedulerModel(context.trace, context.selection.launch, placeOf(context), nobody);
        return model && !model->rows.empty() ? issuePrediction(*model, context.selection, context.options)
                                             : std::nullopt;
    }

    std::optional<PredictionStage> predictionStage(const PaintContext& context, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture* before) const override {
        if (const AskedCycles* earlier = askedCycles(before))
            return issueStage(*earlier, context, asked, way, area);
        Progress nobody;
        const auto model = buildSchedulerModel(context.trace, context.selection.launch, placeOf(context), nobody);
        return model ? issueStage({model, cyclesAsked(*model, context.selection, context.options)}, context, asked, way,
                                  area)
                     : std::nullopt;
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        const SchedulerPage page = pageOf(context);
        if (page == SchedulerPage::Example || page == SchedulerPage::Little)
            return std::nullopt;
        if (!context.trace)
            return Emptiness{SchedulerText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             SchedulerText::tr("Run the chosen kernel")};
        if (page == SchedulerPage::Policies) {
            if (policyTraces(context).size() > 1)
                return std::nullopt;
            return Emptiness{
                SchedulerText::tr("The same launch can be run with three ways to choose the next warp: round robin, "
                                  "greedy then oldest, greedy then youngest. They are then shown side by side."),
                QStringLiteral("policies"), SchedulerText::tr("Run with all three policies")};
        }
        if (context.trace->states.empty())
            return Emptiness{
                context.trace->info.backend == BackendKind::Cuda
                    ? SchedulerText::tr("A GPU does not tell what each warp did in each cycle. The emulator's timing "
                                        "model does: run the kernel there to see its cycles.")
                    : SchedulerText::tr("This run counted instructions, not cycles: its timing model was off."),
                QStringLiteral("timing"), SchedulerText::tr("Run with the timing model")};
        if (placesOf(context).empty())
            return notTimed();
        return std::nullopt;
    }

    bool quick(const PaintContext& context, const Picture* previous) const override {
        std::size_t rows = context.trace ? context.trace->blocks.size() : 0;
        for (const TracePtr& trace : tracesOf(context))
            rows += trace->states.size();
        return rows <= smallTrace || emptiness(context) || serving(previous, sourceOf(context));
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        const SchedulerModels source = sourceOf(context);
        SchedulerModelsPtr ready = serving(previous.get(), source);
        if (!ready)
            ready = built(source, progress);
        if (!ready)
            return nullptr; // cancelled
        if (source.page == SchedulerPage::Little)
            return std::make_shared<LittlePicture>(context, area, ready);
        if (ready->models.empty())
            return emptyPicture(context, area, notTimed());
        if (source.page == SchedulerPage::Policies)
            return std::make_shared<PoliciesPicture>(context, area, ready);
        return std::make_shared<CyclesPicture>(context, area, ready);
    }

private:
    static Emptiness notTimed() {
        return {SchedulerText::tr("This launch was not run cycle by cycle: choose another one."),
                QStringLiteral("view:launchtree"), SchedulerText::tr("Choose another launch")};
    }

    static std::uint32_t launchOf(const PaintContext& context) {
        return pageOf(context) == SchedulerPage::Example ? 0 : context.selection.launch;
    }

    // The trace whose schedulers can be chosen.
    static TracePtr firstOf(const PaintContext& context) {
        if (pageOf(context) != SchedulerPage::Policies || (context.trace && !context.trace->states.empty()))
            return context.trace;
        const auto traces = policyTraces(context);
        return traces.empty() ? nullptr : traces.front();
    }

    std::vector<TracePtr> tracesOf(const PaintContext& context) const {
        switch (pageOf(context)) {
        case SchedulerPage::Cycles:
            return context.trace ? std::vector{context.trace} : std::vector<TracePtr>{};
        case SchedulerPage::Policies:
            return policyTraces(context);
        case SchedulerPage::Example:
            return {m_examples[std::size_t(ruleChoice().of(context.options))]};
        case SchedulerPage::Little:
            break;
        }
        return {};
    }

    static std::vector<SchedulerPlace> placesOf(const PaintContext& context) {
        const TracePtr trace = firstOf(context);
        return trace ? schedulerPlaces(*trace, launchOf(context)) : std::vector<SchedulerPlace>{};
    }

    static SchedulerPlace placeOf(const PaintContext& context) {
        const SchedulerPage page = pageOf(context);
        const TracePtr trace = firstOf(context);
        if (page == SchedulerPage::Example || page == SchedulerPage::Little || !trace)
            return {};
        const std::uint32_t warp = trace == context.trace ? context.selection.warp : noIndex;
        return chosenPlace(placesOf(context), *trace, warp, numberOf(smSetting, context.options),
                           numberOf(schedulerSetting, context.options));
    }

    // All but the models.
    SchedulerModels sourceOf(const PaintContext& context) const {
        return {.page = pageOf(context),
                .traces = tracesOf(context),
                .open = context.trace,
                .launch = launchOf(context),
                .place = placeOf(context)};
    }

    static SchedulerModelsPtr serving(const Picture* previous, const SchedulerModels& source) {
        const auto* last = dynamic_cast<const SchedulerPicture*>(previous);
        return last && last->ready->sameSource(source) ? last->ready : nullptr;
    }

    static SchedulerModelsPtr built(SchedulerModels source, Progress& progress) {
        for (const TracePtr& trace : source.traces) {
            auto model = buildSchedulerModel(trace, source.launch, source.place, progress);
            if (!model)
                return nullptr;
            if (!model->rows.empty())
                source.models.push_back(std::move(model));
        }
        if (source.page == SchedulerPage::Little && source.open)
            source.resident = residentWarps(*source.open, source.launch);
        return std::make_shared<const SchedulerModels>(std::move(source));
    }

    // By policy, always there.
    const std::array<TracePtr, 3> m_examples{documentExample(SchedulingPolicy::Lrr),
                                             documentExample(SchedulingPolicy::Gto),
                                             documentExample(SchedulingPolicy::Gty)};
};

} // namespace

std::unique_ptr<View> makeSchedulerView() {
    return std::make_unique<SchedulerView>();
}

} // namespace warpglass
