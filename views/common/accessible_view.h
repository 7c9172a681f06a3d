// SPDX-License-Identifier: GPL-3.0-or-later
// A view for who does not see it. A screen reader is told its name, what it answers, what its numbers are of and where
// one is in the run; the things in the picture that say something to the pointer are its parts, each with its place and
// its words, and what a click does there they do, too.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/selection.h"

#include <QString>

namespace warpglass {

class ViewWidget;

// "step 12 of 40; block (0); warp 1; lane 5; line 24", as far as each is chosen; translated.
QString placeText(const Trace& trace, const Selection& selection);

// Qt is asked for it once; from then on every ViewWidget has one.
void makeViewsAccessible();
// The place, or the picture, is another one: who listens is told.
void tellPlace(ViewWidget* view);
void tellPicture(ViewWidget* view);

} // namespace warpglass
