// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/selection.h"

namespace warpglass {

// What an exported picture must say about itself in one line: kernel, shape, device, backend, origin of the times,
// losses, clock error. Translated.
QString traceCaption(const Trace& trace, const Selection& selection);

} // namespace warpglass
