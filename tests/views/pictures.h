// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view_widget.h"

#include <QImage>

namespace warpglass::samples {

QImage pictureOf(const View& view, const PaintContext& context, QSize size);
// What the picture of a view says and does, asked once: of the thing at a point, and after an input, which changes the
// context as a widget would.
Spot spotAt(const View& view, const QRectF& area, const PaintContext& context, QPointF at);
Selection clicked(const View& view, const QRectF& area, const PaintContext& context, QPointF at);
bool answers(const View& view, const QRectF& area, PaintContext& context, const Input& input);
QString csvOf(const View& view, const PaintContext& context);
// Share of pixels that differ by more than `tolerance` in a channel; 1 if the sizes differ.
double differingPixels(const QImage& a, const QImage& b, int tolerance = 24);
// How many pixels are this colour, give or take.
int pixelsLike(const QImage& image, const QColor& colour, QRect where = {}, int tolerance = 6);
// Between the luminances of two colours, 1 to 21, as WCAG 2 counts it.
double contrast(const QColor& a, const QColor& b);
// Saves the picture if the environment names a folder (WARPGLASS_PICTURES), so that a person can look.
void keep(const QImage& image, const QString& name);

} // namespace warpglass::samples
