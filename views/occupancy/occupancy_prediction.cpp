// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_prediction.h"

#include "views/common/ticks.h"
#include "views/occupancy/occupancy_model.h"
#include "views/occupancy/occupancy_text.h"

#include <algorithm>

namespace warpglass {

std::optional<Prediction> blocksPrediction(const PaintContext& context) {
    if (!context.trace || context.selection.launch >= context.trace->launches.size())
        return std::nullopt;
    const Trace& trace = *context.trace;
    const Launch& launch = trace.launches[context.selection.launch];
    const Time end = std::max(launch.end, launch.start + Time{1});
    if (launch.status != LaunchStatus::Ran || context.selection.time >= end)
        return std::nullopt;
    const OccupancyQuestion question = occupancyQuestion(&trace, context.selection.launch, context.options);
    const OccupancyInput& input = question.input;
    const CapabilityLimits& limits = *question.limits;
    const Occupancy result = occupancy(limits, input);
    Prediction p;
    p.asked = Asked::Number;
    p.moment = end;
    p.number = result.blocksPerSm;
    p.most = std::max<std::uint32_t>(limits.blocksPerSm, result.blocksPerSm);
    PredictionWords& w = p.words;
    w.question = OccupancyText::tr("How many blocks of this launch does an SM hold at once?");
    w.given << OccupancyText::tr("A block: %1 threads, %2 registers a thread, %3 bytes of shared memory.")
                   .arg(numberText(std::uint64_t(input.threads)))
                   .arg(input.registers)
                   .arg(numberText(std::uint64_t(input.sharedStatic) + input.sharedDynamic))
            << OccupancyText::tr(
                   "An SM of compute capability %1.%2: %3 threads, %4 registers, %5 bytes of shared memory, "
                   "%6 blocks at most.")
                   .arg(limits.major)
                   .arg(limits.minor)
                   .arg(numberText(std::uint64_t(limits.warpsPerSm) * lanesPerWarp),
                        numberText(std::uint64_t(limits.registersPerSm)), numberText(std::uint64_t(limits.sharedPerSm)))
                   .arg(limits.blocksPerSm);
    w.yes = OccupancyText::tr("a block");
    w.no = OccupancyText::tr("none");
    w.truth = OccupancyText::tr("Blocks: %1, which are %2 of %3 warps: occupancy %4.")
                  .arg(result.blocksPerSm)
                  .arg(result.activeWarps)
                  .arg(result.maxWarps)
                  .arg(percentText(result.percent, 1));
    return p;
}

} // namespace warpglass
