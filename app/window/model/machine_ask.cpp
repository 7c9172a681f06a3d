// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/machine_ask.h"

#include "app/session/kept_code.h"
#include "app/session/machine_code.h"
#include "gpu/machine/kept.h"

namespace warpglass {

namespace {

Result<MachineFound> found(const Trace& trace, std::uint32_t kernel) {
    auto codes = session::codeOf(trace, kernel);
    if (!codes)
        return codes.error();
    MachineFound all{std::move(*codes), {}};
    const machine::Bytes bytes = machine::bytesWith(all.codes, trace.kernels[kernel].entry);
    if (const auto cubin = machine::readCubin(bytes))
        all.texts = session::textsOf(*cubin, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return all;
}

} // namespace

MachineAnswer askMachine(const TracePtr& trace, std::uint32_t kernel) {
    return {trace, kernel, found(*trace, kernel)};
}

bool isMachineToAsk(const Trace& trace, std::uint32_t kernel) {
    static const bool disassembles = !session::findDisassembler().empty();
    return disassembles || machine::bytesWith(trace.codes, trace.kernels[kernel].entry).empty();
}

} // namespace warpglass
