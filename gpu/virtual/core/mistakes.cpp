// SPDX-License-Identifier: GPL-3.0-or-later
// What CUDA refuses with a number, in words: many programs do not ask for the number, and it does not say what was wrong.
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/program.h"
#include "gpu/emulator/record/past_end.h"
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

namespace warpglass::virtual_device {

namespace {

std::string hex(std::uint64_t address) {
    return fmt::format("0x{:x}", address);
}

} // namespace

void Device::tellMistake(Message what, bool ofOperation) {
    if (!m_toldOf.insert(fmt::format("mistake {}", unsigned(what.id))).second)
        return;
    what = withLines(std::move(what));
    if (ofOperation)
        recorder.tell(std::move(what));
    else
        recorder.tellOfProgram(std::move(what));
}

Status Device::refuseInHostFunction() {
    tellMistake(say::CallInHostFunction, false);
    return notPermitted;
}

void Device::tellOnce(Message what) {
    if (m_toldOf.insert(wholeText(what)).second)
        recorder.tellOfProgram(std::move(what));
}

void Device::tellHandle() {
    if (std::optional<Message> what = streams.unknownHandle())
        tellMistake(std::move(*what), false);
}

void Device::tellFree(std::uint64_t address) {
    const emulator::GlobalMemory& global = memory.global(number);
    const std::string at = hex(address);
    Operation before;
    before.kind = OperationKind::Free;
    if (const auto* freed = global.freed(address); freed && freed->base == address)
        tellMistake(memory.freedBy(address) == noIndex
                        ? say::FreedTwice(freed->name, freed->bytes)
                        : say::FreedTwiceBy(freed->name, freed->bytes, workOf(before, memory.freedBy(address))));
    else if (const auto* block = memory.find(address); block && block->address != address)
        tellMistake(say::FreedWithin(at, address - block->address, block->bytes, hex(block->address)));
    else if (block)
        tellMistake((block->kind == MemoryKind::Registered ? say::FreedRegistered : say::FreedMapped)(at));
    else
        tellMistake((memory.isDevices(address) ? say::FreedUnknown : say::FreedHosts)(at));
}

Message Device::placeOf(const Message& act, std::uint64_t address, std::uint64_t bytes) const {
    const emulator::GlobalMemory& global = memory.global(number);
    const emulator::Area* area = global.nearest(address);
    constexpr std::uint64_t near = std::uint64_t(1) << 20; // as far as there is nothing behind an allocation
    if (address == 0)
        return say::PlaceNull(act);
    if (const auto* freed = global.freed(address))
        return say::PlaceFreed(act, bytes, hex(address), std::to_string(address - freed->base), freed->name);
    if (area && address - area->base < area->bytes + near)
        return say::PlacePastEnd(act, bytes, hex(address),
                                 emulator::bytesPastEnd(address, bytes, area->base + area->bytes), area->name,
                                 area->bytes);
    return (memory.isDevices(address) ? say::PlaceNone : say::PlaceHosts)(act, bytes, hex(address));
}

} // namespace warpglass::virtual_device
