// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_prediction.h"

#include "views/common/ticks.h"
#include "views/pipeline/pipeline_text.h"
#include "views/pipeline/pipeline_words.h"

#include <algorithm>

namespace warpglass {

namespace {

// What it holds then, and since which fill.
QString heldAt(const PipelineSlot& slot, Time t) {
    const auto after =
        std::partition_point(slot.fills.begin(), slot.fills.end(), [&](const SlotFill& f) { return f.begin <= t; });
    if (after == slot.fills.begin())
        return PipelineText::tr("never filled");
    const SlotFill& fill = *(after - 1);
    if (!fill.isFull || t < fill.full)
        return PipelineText::tr("filling %1").arg(fill.number);
    if (!fill.isRead || t < fill.read)
        return PipelineText::tr("full %1").arg(fill.number);
    return t < fill.freed ? PipelineText::tr("read %1").arg(fill.number)
                          : PipelineText::tr("free, %1 was read").arg(fill.number);
}

} // namespace

std::optional<Prediction> fillPrediction(const PipelineModel& model, const Selection& selection) {
    std::vector<std::size_t> inRing(model.rings);
    for (const PipelineSlot& slot : model.ringSlots)
        ++inRing[slot.ring];
    const Time now = timeShown(selection);
    const PipelineSlot* next = nullptr;
    const SlotFill* fill = nullptr;
    for (const PipelineSlot& slot : model.ringSlots) {
        if (inRing[slot.ring] < 2 || slot.isGroups())
            continue;
        const auto after = std::partition_point(slot.fills.begin(), slot.fills.end(),
                                                [&](const SlotFill& f) { return f.begin <= now; });
        if (after != slot.fills.end() && (!fill || after->begin < fill->begin)) {
            next = &slot;
            fill = &*after;
        }
    }
    if (!fill)
        return std::nullopt;
    Prediction p;
    p.asked = Asked::One;
    p.moment = fill->begin;
    p.origin = model.trace->info.timeOrigin;
    for (const PipelineSlot& slot : model.ringSlots) {
        if (slot.ring != next->ring)
            continue;
        if (&slot == next)
            p.truth.insert(int(p.items.size()));
        p.items.append({QString::number(slot.number), slotName(model, slot), heldAt(slot, now)});
    }
    const std::uint32_t warp = fill->copy == noIndex ? noIndex : model.trace->copies[fill->copy].warp;
    p.words.question = PipelineText::tr("Which slot is filled next?");
    p.words.given = {PipelineText::tr("It is %1.").arg(momentText(*model.trace, now))};
    if (warp != noIndex)
        p.words.given << PipelineText::tr("Warp %1 orders the copies.").arg(model.trace->warps[warp].warpInBlock);
    p.words.counted = PipelineText::tr("%1 of %2 right");
    p.words.all = PipelineText::tr("right");
    p.words.missed = PipelineText::tr("%1 is filled");
    p.words.wrong = PipelineText::tr("%1 is not");
    p.words.yes = PipelineText::tr("is filled next");
    p.words.no = PipelineText::tr("is not");
    p.words.truth =
        PipelineText::tr("%1 gets fill %2 at %3.")
            .arg(slotName(model, *next), QString::number(fill->number), momentText(*model.trace, fill->begin));
    p.words.name = p.words.names = QStringLiteral("%1");
    if (fill->copy != noIndex)
        p.ptxLine = model.trace->sites[model.trace->copies[fill->copy].site].ptxLine;
    return p;
}

} // namespace warpglass
