// SPDX-License-Identifier: GPL-3.0-or-later
// How states are marked: by colour and hatch; how they are called is in views/common/state_words.h.
#include "gpu/device/policy.h"
#include "views/common/ticks.h"
#include "views/scheduler/scheduler_paint.h"
#include "views/scheduler/scheduler_text.h"

namespace warpglass {

QString policyName(const std::string& policy, bool full) {
    QString key = QString::fromStdString(policy);
    if (!full)
        return key;
    const auto known = parseEnum<SchedulingPolicy>(policy);
    if (!known)
        return key;
    switch (*known) {
    case SchedulingPolicy::Lrr:
        return SchedulerText::tr("round robin: who was issued longest ago");
    case SchedulingPolicy::Gto:
        return SchedulerText::tr("greedy, then the oldest");
    case SchedulingPolicy::Gty:
        return SchedulerText::tr("greedy, then the youngest");
    }
    return key;
}

QColor stateFill(WarpState state, const Theme& theme) {
    if (state == WarpState::Selected)
        return theme.good;
    // Waiting is paler than work, so that what is issued stands out; the hatch has the full colour.
    const QColor full = theme.state(state), ground = theme.panel;
    const float share = state == WarpState::Eligible ? 0.75f : theme.kind == ThemeKind::Dark ? 0.42f : 0.38f;
    const auto mix = [share](float a, float b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(mix(full.redF(), ground.redF()), mix(full.greenF(), ground.greenF()),
                            mix(full.blueF(), ground.blueF()));
}

QString asText(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString warpText(const Trace& trace, std::uint32_t warp) {
    const Warp& row = trace.warps[warp];
    if (trace.launchOf(trace.blockOf(row)).grid.count() == 1)
        return SchedulerText::tr("warp %1").arg(row.warpInBlock);
    return SchedulerText::tr("warp %1 of block %2").arg(row.warpInBlock).arg(blockIndexText(trace, trace.blockOf(row)));
}

} // namespace warpglass
