// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that CUDA's device runtime provides: printf, assert, malloc. Launches are in device_launch.cpp.
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/access/generic_memory.h"
#include "gpu/emulator/ops/call_words.h"
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/ops/device_printf.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/heap_rooms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

Handler launchHandler(std::string_view name); // device_launch.cpp

namespace {

bool print(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint64_t format = callWide(x, in, 0, lane);
        if (format == 0) {
            callResult(x, in, lane, ~std::uint64_t(0)); // what CUDA's printf answers
            continue;
        }
        const Printed printed = printArguments(x, lane, format, callWide(x, in, 1, lane));
        constexpr std::uint64_t copies = 4; // of the block, of the launch, of the trace, and room to grow
        if (!keep(x, in, lane, copies * printed.text.size()))
            return false;
        x.block->output += printed.text;
        // As an H200 was seen to take: 33,792 calls with two arguments stay of those that overrun a MiB.
        x.device->printed += 16 + 8 * std::uint64_t(printed.arguments);
        callResult(x, in, lane, printed.arguments);
        if (!printed.refused.empty() && !x.diagnostics->repeated(x, DiagnosticKind::Other, in.index))
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, say::PrintsUnknown(printed.refused));
    }
    return true;
}

bool assertFail(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return true;
    const int lane = std::countr_zero(m);
    const std::string what = readText(x, lane, callWide(x, in, 0, lane)),
                      file = readText(x, lane, callWide(x, in, 1, lane)),
                      function = readText(x, lane, callWide(x, in, 3, lane));
    const auto line = std::uint32_t(callWide(x, in, 2, lane));
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const Dim3 t = x.launch->block.at(x.warp->number * 32u + std::uint32_t(std::countr_zero(rest)));
        x.block->output +=
            fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line,
                        function, x.block->blockIdx.x, x.block->blockIdx.y, x.block->blockIdx.z, t.x, t.y, t.z, what);
    }
    x.diagnostics->add(x, DiagnosticKind::Trap, in.index, lane, 0, say::AssertionFails(what, file, line), true);
    return false;
}

bool allocate(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        callResult(x, in, lane, takeHeap(x, in, lane, callWide(x, in, 0, lane)));
        if (x.stop == Stop::Fault)
            return false;
    }
    return true;
}

bool release(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        if (!giveHeap(x, in, lane, callWide(x, in, 0, lane)))
            return false;
    }
    return true;
}

} // namespace

constexpr std::uint64_t noteBytes = sizeof(Area) + sizeof(Diagnostic) + 1536; // of a piece of the heap, and words

std::uint64_t takeHeap(Exec& x, const Inst& in, int lane, std::uint64_t bytes) {
    const std::uint64_t limit = std::min(x.device->heapLimit, std::uint64_t(1) << 50);
    if (bytes == 0 || bytes > limit)
        return 0;
    const std::uint64_t room = heapRoom(bytes);
    if (x.device->heapUsed + room > limit * heapGrain)
        return 0;
    const Dim3 thread = x.launch->block.at(x.warp->number * 32u + std::uint32_t(lane));
    const std::size_t before = x.global->areas().size(); // a place that was freed long ago serves again
    Area* area = x.global->allocateHeap(bytes, say::HeapOf(x.block->blockIdx.indexText(), thread.indexText()));
    if (!area)
        return 0;
    if (x.global->areas().size() > before && !keep(x, in, lane, noteBytes))
        return 0;
    x.device->heapUsed += room;
    area->ifLost = std::make_shared<Diagnostic>(
        Diagnostics::describe(x, DiagnosticKind::MemoryLeak, in.index, lane, area->base, say::HeapNotFreed(bytes)));
    area->takenBy = x.program->info[in.index].source;
    return area->base;
}

bool giveHeap(Exec& x, const Inst& in, int lane, std::uint64_t address) {
    if (address == 0)
        return true;
    x.hint = nullptr;
    Area* area = x.global->find(address, 1, x.hint);
    x.hint = nullptr;
    if (!area || !area->heap || area->base != address) {
        const Area* near = x.global->nearest(address);
        const bool again = near && near->freedBytes && near->base == address;
        const bool inside = near && address - near->base < near->bytes;
        const std::string at = fmt::format("{:#x}", address);
        const Message what = again    ? say::FreesAgain(at, near->name)
                             : inside ? say::FreesInside(at, address - near->base, near->name)
                                      : say::FreesUnknown(at);
        if (!x.reportFaults || !x.diagnostics->repeated(x, DiagnosticKind::InvalidFree, in.index))
            x.diagnostics->add(x, DiagnosticKind::InvalidFree, in.index, lane, address, what, !x.reportFaults);
        return x.reportFaults;
    }
    x.device->heapUsed -= heapRoom(area->bytes);
    const std::size_t before = x.global->areas().size(); // pieces that were freed long ago may be forgotten
    x.global->freeHeap(*area);
    const std::uint64_t forgotten = (before - x.global->areas().size()) * noteBytes;
    x.device->kept -= std::min<std::uint64_t>(x.device->kept, forgotten); // some may be of launches before
    return true;
}

Handler builtinHandler(std::string_view name) {
    if (name == "vprintf")
        return &print;
    if (name == "__assertfail" || name == "__assert_fail")
        return &assertFail;
    if (name == "malloc")
        return &allocate;
    if (name == "free")
        return &release;
    if (const Handler handler = launchHandler(name))
        return handler;
    return runtimeHandler(name);
}

} // namespace warpglass::emulator
