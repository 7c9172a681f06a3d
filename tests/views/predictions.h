// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose moments are predicted in tests.
#pragma once

#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "views/common/prediction.h"
#include "views/common/view.h"

namespace warpglass::predictions {

inline constexpr Time before{-1};

inline TracePtr tracedRun(const char* kernel, std::int64_t size, Dim3 block,
                          std::map<std::string, std::int64_t> set = {}, CompileMode mode = CompileMode::AsWritten) {
    LaunchRequest request;
    request.size = size;
    request.block = block;
    request.set = std::move(set);
    request.mode = mode;
    const auto plan = makePlan(*findKernel(kernel), request);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s", recording.error().text().c_str());
    return recording->trace;
}

inline PaintContext contextAt(TracePtr trace, Time time = before) {
    PaintContext context;
    context.trace = std::move(trace);
    context.selection.time = time;
    context.theme = Theme::make(ThemeKind::Light);
    return context;
}

inline std::set<int> evenLanes() {
    std::set<int> lanes;
    for (int lane = 0; lane < 32; lane += 2)
        lanes.insert(lane);
    return lanes;
}

inline std::set<int> upTo(int count, int from = 0) {
    std::set<int> items;
    for (int i = from; i < count; ++i)
        items.insert(i);
    return items;
}

} // namespace warpglass::predictions
