// SPDX-License-Identifier: GPL-3.0-or-later
// views/why: what a launch's time is spent on. A bar a limit of the machine, as long as the launch would take without it;
// beside it the lines that pay for it, each of which selects its access or branch in all views; below, the warps' states
// as they are and without the limit, on one scale of time. In: a trace, and the timing model's answer (gpu/metrics/why.h)
// as an option of the view. why_model says which rows there are, why_layout where things lie.
#pragma once

#include "gpu/metrics/why.h"
#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeWhyView();

// The answer among PaintContext::options. It is of the context's trace; nothing: nobody has asked.
inline constexpr const char* whyOption = "why";
inline QVariant whyToOption(const WhyAnswer& answer) {
    return answer ? QVariant::fromValue(answer) : QVariant();
}
WhyAnswer whyFromOption(const QVariant& option);

} // namespace warpglass
