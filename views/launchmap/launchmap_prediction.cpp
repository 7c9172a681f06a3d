// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_prediction.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_model.h"
#include "views/launchmap/launchmap_text.h"

#include <algorithm>

namespace warpglass {

std::optional<Prediction> wavesPrediction(const Trace& trace, std::uint32_t launch, const Selection& selection) {
    const LaunchMapModel model(trace, launch, blocksThatFit(trace, launch));
    const Waves& waves = model.waves();
    const Time end = std::max(model.range().end, model.range().begin + Time{1});
    if (waves.capacity == 0 || waves.count() == 0 || selection.time >= end)
        return std::nullopt;
    Prediction p;
    p.asked = Asked::Number;
    p.moment = end;
    p.number = waves.count();
    // Bars to paint where the answer is small; their number does not tell it.
    p.most = p.number <= 8 ? 12 : p.number <= 16 ? 24 : 9'999'999;
    p.origin = waves.basis == CapacityBasis::Computed ? Origin::Counted : trace.info.timeOrigin;
    PredictionWords& w = p.words;
    w.question =
        LaunchMapText::tr("In how many waves does this grid run, the last one counted even if it is not full?");
    const Launch& row = trace.launches[launch];
    w.given << agreeing(LaunchMapText::tr("%1 {block|blocks} (grid %2, block %3) on %4 {SM|SMs}."),
                        numberText(model.blockCount()), QString::fromStdString(row.grid.text()),
                        QString::fromStdString(row.block.text()), model.smCount())
            << (waves.basis == CapacityBasis::Computed
                    ? agreeing(LaunchMapText::tr("An SM holds %1 such {block|blocks} at once."), waves.blocksPerSm)
                    : LaunchMapText::tr("No SM was seen to hold more than %1 of them at once.").arg(waves.blocksPerSm));
    w.yes = LaunchMapText::tr("a wave");
    w.no = LaunchMapText::tr("none");
    w.truth =
        waves.lastWaveBlocks
            ? agreeing(
                  LaunchMapText::tr("%1 {SM|SMs} x %2 = %3 {place|places}: %4 full {wave|waves}, and a last one of "
                                    "%5 {block|blocks}, %6 of the places."),
                  model.smCount(), waves.blocksPerSm, numberText(waves.capacity), numberText(waves.full),
                  numberText(waves.lastWaveBlocks), percentText(waves.lastWaveFill(), 1))
            : agreeing(LaunchMapText::tr(
                           "%1 {SM|SMs} x %2 = %3 {place|places}: %4 full {wave|waves}, and nothing is left over."),
                       model.smCount(), waves.blocksPerSm, numberText(waves.capacity), numberText(waves.full));
    return p;
}

} // namespace warpglass
