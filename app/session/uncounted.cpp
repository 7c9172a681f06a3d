// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/uncounted.h"

#include "gpu/emulator/ops/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpglass::session {

namespace {

using ptx::Modifier;
using ptx::Opcode;

bool isAsynchronous(const ptx::Instruction& i) {
    switch (i.opcode) {
    case Opcode::Cp:
    case Opcode::Mbarrier:
    case Opcode::Tensormap:
    case Opcode::Clusterlaunchcontrol:
    case Opcode::Wgmma:
    case Opcode::Tcgen05:
        return true;
    case Opcode::St:
    case Opcode::Red:
        return i.has(Modifier::Async) || i.has(Modifier::Bulk);
    default:
        return false;
    }
}

// The device runtime's functions, but for those that launch.
bool isRuntimeCall(const ptx::Instruction& i) {
    static const std::set<std::string_view> ofLaunches{"GetParameterBuffer", "GetParameterBufferV2", "LaunchDevice",
                                                       "LaunchDeviceV2",     "GetLastError",         "PeekAtLastError"};
    return i.opcode == Opcode::Call && std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
               const std::string_view name = emulator::runtimeName(o.name);
               return !name.empty() && !ofLaunches.contains(name);
           });
}

} // namespace

std::optional<Uncounted> firstUncounted(const ptx::Module& module, bool asynchronous) {
    std::set<std::string_view> own, others; // functions with instructions, whatever their names; those of elsewhere
    for (const ptx::Function& f : module.functions)
        if (f.isExtern)
            others.insert(f.name); // whatever instructions stand there are not those that run
        else if (!f.body.empty())
            own.insert(f.name);
    const auto isOwn = [&](const ptx::Operand& o) { return own.contains(o.name) && !others.contains(o.name); };
    for (const ptx::Function& f : module.functions)
        for (const ptx::Instruction& i : f.body) {
            const bool calls = isRuntimeCall(i) && std::none_of(i.operands.begin(), i.operands.end(), isOwn);
            if (!calls && (asynchronous || !isAsynchronous(i)))
                continue;
            Uncounted found{.ptxLine = i.line};
            std::uint32_t place = i.place;
            for (int depth = 0; depth < 64 && place < module.places.size(); ++depth) { // the call that it stands in
                found.sourceLine = std::uint32_t(module.places[place].line);
                place = module.places[place].inlinedAt;
            }
            if (calls) {
                for (const ptx::Operand& o : i.operands)
                    if (const std::string_view name = emulator::runtimeName(o.name); !name.empty())
                        found.what = fmt::format("cuda{}", name);
            } else {
                found.what = i.opcodeName();
                for (const Modifier m : i.modifiers)
                    if (m == Modifier::Async || m == Modifier::Bulk || m == Modifier::Tensor)
                        found.what += fmt::format(".{}", name(m));
            }
            return found;
        }
    return std::nullopt;
}

} // namespace warpglass::session
