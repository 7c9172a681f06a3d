// SPDX-License-Identifier: GPL-3.0-or-later
// alloca, stacksave, stackrestore: memory behind a function's .local variables, taken and given back as it runs.
//
// Each lane has its own count of bytes in a row of the frame (FunctionCode::stackRow), zero when the frame is taken, so
// that a return gives everything back. The stack grows upwards; addresses are those of local memory.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/emulator/run/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

void give(Exec& x, const Inst& in, int lane, std::uint64_t address) {
    if (in.memory.rowBytes == 8)
        rowAt<std::uint64_t>(x, in.dst)[lane] = address;
    else
        rowAt<std::uint32_t>(x, in.dst)[lane] = std::uint32_t(address);
}
std::uint64_t take(Exec& x, const Inst& in, int lane) {
    return in.memory.rowBytes == 8 ? rowAt<const std::uint64_t>(x, in.a)[lane]
                                   : rowAt<const std::uint32_t>(x, in.a)[lane];
}

bool allocate(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const std::uint64_t bottom = stackBottom(x), alignment = std::uint64_t(in.memory.offset);
    auto* taken = rowAt<std::uint32_t>(x, x.program->functions[x.frame->function].stackRow);
    std::uint64_t top = 0;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t bytes = take(x, in, lane);
        const std::uint64_t at = (bottom + taken[lane] + alignment - 1) / alignment * alignment;
        if (at > mostStack || bytes > mostStack - at) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, say::AllocaTooMuch(bytes, mostStack), true);
            return false;
        }
        taken[lane] = std::uint32_t(at + bytes - bottom);
        top = std::max(top, at + bytes);
        give(x, in, lane, at);
        x.warp->local.reach(top);
        x.warp->local.forget(at / 4, (at + bytes) / 4, 1u << lane);
    }
    return true;
}

bool save(Exec& x, const Inst& in) {
    const auto* taken = rowAt<const std::uint32_t>(x, x.program->functions[x.frame->function].stackRow);
    eachLane(activeMask(x, in), [&](int lane) { give(x, in, lane, stackBottom(x) + taken[lane]); });
    return true;
}

bool restore(Exec& x, const Inst& in) {
    auto* taken = rowAt<std::uint32_t>(x, x.program->functions[x.frame->function].stackRow);
    const std::uint64_t bottom = stackBottom(x);
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint64_t address = take(x, in, lane);
        if (address < bottom || address - bottom > taken[lane]) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, address,
                               say::StackSetBack(fmt::format("{:#x}", address)), true);
            return false;
        }
        taken[lane] = std::uint32_t(address - bottom);
    }
    return true;
}

} // namespace

std::uint64_t stackBottom(const Exec& x) {
    return x.frame->localBase + (x.program->functions[x.frame->function].localBytes + 15) / 16 * 16;
}

std::uint64_t stackTop(const Exec& x) {
    const Row row = x.program->functions[x.frame->function].stackRow;
    if (row == noRow)
        return stackBottom(x);
    std::uint32_t most = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        std::uint32_t taken = 0;
        std::memcpy(&taken, x.frame->rows.get() + row + 4 * lane, 4);
        most = std::max(most, taken);
    }
    return stackBottom(x) + (most + 15) / 16 * 16;
}

Handler allocaHandler() {
    return &allocate;
}
Handler stackSaveHandler() {
    return &save;
}
Handler stackRestoreHandler() {
    return &restore;
}

} // namespace warpglass::emulator
