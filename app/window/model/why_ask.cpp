// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/why_ask.h"

#include "app/session/why.h"
#include "app/window/model/requests.h"
#include "gpu/base/messages/session.h"

namespace warpglass {

namespace {

constexpr std::uint64_t quickInstructions = 400'000; // of warps: 80 ms a run

std::uint64_t executions(const Trace& trace) {
    std::uint64_t sum = 0;
    for (const InstructionCount& c : trace.counts)
        sum += c.executions;
    return sum;
}

std::uint64_t sectors(const Trace& trace) {
    std::uint64_t sum = 0;
    for (const InstructionCount& c : trace.counts)
        sum += c.sectors + c.passes;
    return sum;
}

} // namespace

bool isModelled(const Trace& trace) {
    return trace.info.backend == BackendKind::Emulator && trace.info.timing;
}

bool isQuicklyAnswered(const Trace& trace) {
    return isModelled(trace) && executions(trace) <= quickInstructions;
}

Result<RunRequest> whyRequest(const Run& open) {
    return timedRequest({}, &open);
}

Result<Why> askWhy(const RunRequest& request, const Run& open, Progress& progress,
                   const std::function<void(int, int)>& step, const std::function<void(Why)>& soFar) {
    const auto plan = session::planOf(request);
    if (!plan)
        return plan.error();
    // Files of older formats name a kernel and its shape, not all that the kernel was given.
    const auto isOfOpen = [&](const Why& why) {
        return !isModelled(*open.trace) ||
               (executions(*why.trace) == executions(*open.trace) && sectors(*why.trace) == sectors(*open.trace));
    };
    const auto told = [&](Why part) {
        if (isOfOpen(part))
            soFar(std::move(part));
    };
    auto why = session::why(request, *plan, progress, step, true, soFar ? told : std::function<void(Why)>());
    if (why && !isOfOpen(*why))
        return Error{.message = say::NotAsItWas, .remedy = say::OpenOwnFile};
    return why;
}

} // namespace warpglass
