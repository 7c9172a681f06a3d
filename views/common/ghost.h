// SPDX-License-Identifier: GPL-3.0-or-later
// The ghost of the hardware: a recording of the launch that is modelled, as a GPU ran it. Where one is there, it lies
// under the model, and the difference between the two is an error that one sees. Every view that shows it uses the same
// tints and the same key.
#pragma once

#include "views/common/picture.h"

namespace warpglass {

// Whether a GPU's recording is of the launch that a trace models: the same kernel, compiled alike, in the same shape. Both
// must have times.
bool recordsLaunchOf(const Trace& recorded, const Trace& modelled);

// How long the launch took in both. A recording's events come from a run with probes, which takes longer: what a model is
// held against is the run without them, what is drawn is the other.
struct GhostTimes {
    std::string device; // that measured
    Time modelled, measured, recorded;
    double error() const; // percent: positive where the model is slower
};
GhostTimes ghostTimes(const Trace& recorded, const Trace& modelled);
QString ghostErrorText(double percent); // "+7 %", "−12 %"
// "GPU drawn with probes: 39.4 µs", where they slowed it by so much that it is seen; else empty.
QString ghostProbesText(const GhostTimes& times);

// What only one of the two has is tinted and hatched in its colour.
QColor modelOnlyColour(const Theme& theme);
QColor gpuOnlyColour(const Theme& theme); // and what the GPU did is outlined in it
void paintGhostPart(QPainter& painter, const QRectF& where, const QColor& colour);

// What the tints mean, how far the launch's times are apart and what probes did, at the right end of a row of text: as
// much of it as there is room for, the tints in any case; returns its width. Paints nothing if painter is null.
double paintGhostKey(QPainter* painter, const QRectF& where, const GhostTimes& times, const Theme& theme);

} // namespace warpglass
