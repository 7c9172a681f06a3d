// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/selection.h"

#include <QFont>

namespace warpglass {

// What an exported picture must say about itself in one line: kernel, shape, device, backend, origin of the times,
// losses, clock error. Translated.
QString traceCaption(const Trace& trace, const Selection& selection);
// The same on a line of this width: whole parts go where there is no room, losses and the kernel last.
QString fittedTraceCaption(const Trace& trace, const Selection& selection, const QFont& font, qreal width);

} // namespace warpglass
