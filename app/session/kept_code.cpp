// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kept_code.h"

#include "app/session/assembler.h"
#include "gpu/base/messages/machine.h"
#include "gpu/kernels/machine_code.h"
#include "gpu/machine/kept.h"
#include "gpu/trace/columns.h"

#include <fmt/format.h>

#include <set>

namespace warpglass::session {

namespace {

constexpr unsigned shippedArch = 90; // of what was made of our kernels
constexpr std::size_t mostShipped = 1 << 20;

unsigned archOf(const Trace& trace) {
    return unsigned(trace.info.ccMajor * 10 + trace.info.ccMinor);
}

MachineCodes kept(machine::Bytes cubin, const Trace& trace) {
    MachineCodes codes;
    if (!machine::keepAll(codes, cubin, trace.kernels))
        return {};
    return codes;
}

MachineCodes shipped(const Trace& trace, std::string_view ptx) {
    if (archOf(trace) != shippedArch)
        return {};
    const auto plain = decompress(std::as_bytes(kernels::packedMachineCode(ptx)), 1, mostShipped);
    return plain ? kept(std::as_bytes(std::span(*plain)), trace) : MachineCodes();
}

} // namespace

MachineCodes codeOfRun(const Trace& trace, const LaunchPlan& plan) {
    MachineCodes codes = shipped(trace, plan.ptx);
    if (codes.all.empty())
        if (const std::string cubin = lastAssembled(plan.ptx, plan.entry, int(archOf(trace))); !cubin.empty())
            codes = kept(std::as_bytes(std::span(cubin)), trace);
    return codes;
}

Result<MachineCodes> codeOf(const Trace& trace, std::uint32_t number) {
    const Kernel& kernel = trace.kernels[number];
    if (machine::codeWith(trace.codes, kernel.entry))
        return trace.codes;
    MachineCodes codes = shipped(trace, kernel.ptx);
    if (!codes.all.empty())
        return codes;
    const std::string assembler = findAssembler();
    if (assembler.empty() || kernel.ptx.empty())
        return Error{.message = say::CodeUnknown};
    std::string arch = targetOf(kernel.ptx);
    if (!arch.ends_with('a') && !arch.ends_with('f'))
        arch = fmt::format("sm_{}", archOf(trace));
    // Other kernels of a large text would take their time, too; a launched child's code is asked for by itself.
    const auto made = assemble(assembler, kernel.ptx, arch, kernel.entry, patience);
    if (!made)
        return Error{.message = say::CodeNotMade(made.error().message)};
    if (auto ok = machine::keep(codes, std::as_bytes(std::span(made->cubin)), {kernel.entry}); !ok)
        return ok.error();
    if (!machine::codeWith(codes, kernel.entry))
        return Error{.message = say::CodeNotMade(plain("no code of " + kernel.entry))};
    return codes;
}

} // namespace warpglass::session
