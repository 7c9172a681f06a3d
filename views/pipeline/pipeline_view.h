// SPDX-License-Identifier: GPL-3.0-or-later
// views/pipeline: a block as a factory. Roles that were found by what warps do, as lanes of time; below them the tensor cores,
// and the ring of slots in shared memory, filled, full, read and free; arrows from who arrived last to who had waited; and
// what the tensor cores lacked. Of a launch that hangs, who waits for whom (hang_picture.h). All of it from the trace (pipeline_model.h): no kernel is known here.
#pragma once

#include "views/common/ask_text.h"
#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makePipelineView(); // asks for names of roles by a small dialog
std::unique_ptr<View> makeAskingPipelineView(AskText ask);

// Whether the trace holds what a pipeline is made of: copies beside the warps, phases of mbarriers, or who waits for whom.
bool tellsPipeline(const Trace& trace);

} // namespace warpglass
