// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_state.h"

#include "views/launchmap/launchmap_text.h"

namespace warpglass {
namespace {

constexpr Setting<double> factor{"gridZoom", 1}, centreX{"gridX", 0.5}, centreY{"gridY", 0.5};

Choice<bool> colourBySmChoice() {
    return {"colour",
            LaunchMapText::tr("Colour by"),
            {{true, "sm", LaunchMapText::tr("SM")}, {false, "state", LaunchMapText::tr("state")}}};
}

Choice<LaunchMapParts> partsChoice() {
    return {"show",
            LaunchMapText::tr("Show"),
            {{LaunchMapParts::Auto, "auto", LaunchMapText::tr("automatic")},
             {LaunchMapParts::All, "all", LaunchMapText::tr("everything")},
             {LaunchMapParts::Device, "device", LaunchMapText::tr("grid and device")},
             {LaunchMapParts::Block, "block", LaunchMapText::tr("block and warp")}}};
}

} // namespace

LaunchMapState launchMapState(const Options& options) {
    return {.colourBySm = colourBySmChoice().of(options),
            .parts = partsChoice().of(options),
            .zoom = {factor.of(options), {centreX.of(options), centreY.of(options)}},
            .warp = launchMapWarp.of(options)};
}

QVector<Switch> launchMapSwitches() {
    return {colourBySmChoice().dropDown(), partsChoice().dropDown()};
}

void showAllParts(Options& options) {
    partsChoice().set(options, LaunchMapParts::All);
}

void setGridZoom(Options& options, const GridZoom& zoom) {
    factor.set(options, zoom.factor);
    centreX.set(options, zoom.centre.x());
    centreY.set(options, zoom.centre.y());
}

} // namespace warpglass
