// SPDX-License-Identifier: GPL-3.0-or-later
// What roles, doings, slots and bubbles are called.
#pragma once

#include "views/pipeline/role_names.h"

#include <QStringList>

namespace warpglass {

QString doingName(Doing doing); // "multiplies", "waits for bytes on their way"
QString bubbleName(const Bubbles& bubbles, Bubble why);
QString roleName(const PipelineRole& role);                                     // "orders copies"
QString warpsText(const Trace& trace, const std::vector<std::uint32_t>& warps); // "warps 4 to 7"
QString slotName(const PipelineModel& model, const PipelineSlot& slot); // "slot 1", with several rings "ring 0, slot 1"
QString slotBytesText(std::uint64_t bytes);                             // "16 KB"
// Who was found, the slots, and of a GPU what the probes cost.
QString pipelineHeadline(const PipelineModel& model, const RoleNames& names = {});
// Of the row that says when the units work: whose they are, and how much of what is counted. Without cycles nobody knows how much
// of them a product takes, but that one is under way; steps are no time.
QString unitsName(const PipelineModel& model);
QString unitsShareText(const PipelineModel& model);
QString pipelineIdleHeading(const PipelineModel& model);

// For the card beside the pointer.
QString laneTip(const PipelineModel& model, const PipelineLane& lane, const LaneSpan& span,
                const RoleNames& names = {});
QString roleTip(const PipelineModel& model, const PipelineRole& role);
QString fillTip(const PipelineModel& model, const PipelineSlot& slot, const SlotFill& fill);
QString arrowText(const PipelineModel& model, const PipelineArrow& arrow);

QString pipelineCsv(const PipelineModel& model, const RoleNames& names = {});

} // namespace warpglass
