// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_view.h"

#include "views/pipeline/hang_picture.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_prediction.h"
#include "views/pipeline/pipeline_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::uint64_t quickRows = 100'000; // events and states of a block: worked through before anybody notices

enum class PipelineShow { Pipeline, Hang };
Choice<PipelineShow> pipelineShow(bool hangs) {
    return {"show",
            PipelineText::tr("show"),
            {{PipelineShow::Pipeline, "pipeline", PipelineText::tr("who did what")},
             {PipelineShow::Hang, "hang", PipelineText::tr("who waits for whom at the end")}},
            hangs ? 1U : 0U};
}

class PipelineViewOf final : public View {
public:
    explicit PipelineViewOf(AskText ask) : m_ask(std::move(ask)) {}

    QString key() const override { return QStringLiteral("pipeline"); }
    QString title() const override { return PipelineText::tr("Pipeline"); }
    QString question() const override { return PipelineText::tr("Who fills, who computes, who waits for whom?"); }
    QString whyNotAsked(const PaintContext&) const override {
        return PipelineText::tr("No ring of slots is filled again: there is nothing to predict.");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {480, 380}; }
    Selection looksAt(const Selection& selection) const override { return selection; }

    QVector<Switch> switches(const PaintContext& context) const override {
        return hang(context) && blockOf(context) != noIndex ? QVector<Switch>{pipelineShow(true).dropDown()}
                                                            : QVector<Switch>{};
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace || context.trace->launches.empty())
            return Emptiness{PipelineText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             PipelineText::tr("Run the chosen kernel")};
        if (blockOf(context) == noIndex && !hang(context))
            return Emptiness{PipelineText::tr("No block of this launch was recorded in detail."), QStringLiteral("run"),
                             PipelineText::tr("Run the chosen kernel")};
        return std::nullopt;
    }

    std::optional<Prediction> prediction(const PaintContext& context) const override {
        if (emptiness(context) || showsHang(context))
            return std::nullopt;
        Progress nobody;
        const auto model = buildPipelineModel(context.trace, blockOf(context), nobody);
        return fillPrediction(*model, context.selection);
    }

    bool quick(const PaintContext& context, const Picture* previous) const override {
        if (emptiness(context) || showsHang(context) || serving(previous, context))
            return true;
        std::uint64_t rows = context.trace->phaseEvents.size();
        for (const Warp& w : context.trace->warpsOf(context.trace->blocks[blockOf(context)]))
            rows += w.eventCount + w.stateCount;
        return rows <= quickRows;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        if (const Diagnostic* hangs = showsHang(context))
            return std::make_shared<HangPicture>(context, area, *hangs);
        PipelineModelPtr model = serving(previous.get(), context);
        if (!model)
            model = buildPipelineModel(context.trace, blockOf(context), progress);
        return model ? std::make_shared<PipelinePicture>(context, area, model, m_ask) : nullptr;
    }

private:
    static const Diagnostic* hang(const PaintContext& context) {
        return context.trace ? hangOf(*context.trace, context.selection.launch) : nullptr;
    }
    // Null: the pipeline is shown.
    static const Diagnostic* showsHang(const PaintContext& context) {
        const Diagnostic* hangs = hang(context);
        const bool asked = pipelineShow(hangs).of(context.options) == PipelineShow::Hang;
        return asked || blockOf(context) == noIndex ? hangs : nullptr;
    }
    static std::uint32_t blockOf(const PaintContext& context) {
        return pipelineBlock(*context.trace, context.selection.launch, context.selection.block);
    }
    static PipelineModelPtr serving(const Picture* previous, const PaintContext& context) {
        const auto* last = dynamic_cast<const PipelinePicture*>(previous);
        return last && last->model->trace == context.trace && last->model->block == blockOf(context) ? last->model
                                                                                                     : nullptr;
    }

    AskText m_ask;
};

} // namespace

bool tellsPipeline(const Trace& trace) {
    return !trace.copies.empty() || !trace.phaseEvents.empty() ||
           std::any_of(trace.diagnostics.begin(), trace.diagnostics.end(),
                       [](const Diagnostic& d) { return !d.waits.empty(); });
}

std::unique_ptr<View> makePipelineView() {
    return makeAskingPipelineView(askByDialog([] { return PipelineText::tr("name"); }));
}
std::unique_ptr<View> makeAskingPipelineView(AskText ask) {
    return std::make_unique<PipelineViewOf>(std::move(ask));
}

} // namespace warpglass
