// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/picture.h"

namespace warpglass {

inline PaintContext contextOf(TracePtr trace, ThemeKind theme = ThemeKind::Light, qreal fontScale = 1) {
    PaintContext context;
    context.trace = std::move(trace);
    context.theme = Theme::make(theme, fontScale);
    return context;
}

// Of two that are compared.
inline PaintContext contextOf(TracePtr trace, TracePtr other, ThemeKind theme = ThemeKind::Light) {
    PaintContext context = contextOf(std::move(trace), theme);
    context.other = std::move(other);
    return context;
}

} // namespace warpglass
