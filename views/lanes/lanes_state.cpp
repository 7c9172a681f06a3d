// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_state.h"

#include "views/lanes/lanes_text.h"

namespace warpglass {

namespace {

Choice<LanesLayer> layerChoice() {
    return {"layer",
            LanesText::tr("layer"),
            {{LanesLayer::Source, "source", LanesText::tr("source")},
             {LanesLayer::Ptx, "ptx", LanesText::tr("PTX")},
             {LanesLayer::Machine, "machine", LanesText::tr("machine code")}}};
}

Choice<bool> wholeBlockChoice() {
    return {"scope",
            LanesText::tr("of"),
            {{false, "warp", LanesText::tr("one warp")}, {true, "block", LanesText::tr("all warps of the block")}}};
}

Choice<bool> allBranchesChoice() {
    return {"branch",
            LanesText::tr("branches"),
            {{false, "one", LanesText::tr("the chosen one")}, {true, "all", LanesText::tr("all in order")}}};
}

Choice<bool> overTimeChoice() {
    return {"axis",
            LanesText::tr("across"),
            {{false, "steps", LanesText::tr("step by step")}, {true, "time", LanesText::tr("over time")}}};
}

} // namespace

LanesState lanesState(const Options& options) {
    if (lanesStage.of(options))
        return {.layer = layerChoice().of(options), .stage = true};
    return {.layer = layerChoice().of(options),
            .wholeBlock = wholeBlockChoice().of(options),
            .allBranches = allBranchesChoice().of(options),
            .overTime = overTimeChoice().of(options),
            .from = lanesFrom.of(options),
            .columnWidth = lanesColumnWidth.of(options)};
}

QVector<Switch> lanesSwitches() {
    return {layerChoice().dropDown(), wholeBlockChoice().dropDown(), allBranchesChoice().dropDown(),
            overTimeChoice().dropDown()};
}

} // namespace warpglass
