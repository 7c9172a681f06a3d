// SPDX-License-Identifier: GPL-3.0-or-later
// What CUDA refuses with a number, in words: many programs do not ask for the number, and it does not say what was wrong.
#include "gpu/base/quantity.h"
#include "gpu/emulator/memory/past_end.h"
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

namespace warpglass::virtual_device {

void Device::tellMistake(const std::string& kind, std::string what, bool ofOperation) {
    if (!m_toldOf.insert("mistake " + kind).second)
        return;
    if (ofOperation)
        recorder.tell(std::move(what));
    else
        recorder.tellOfProgram(std::move(what));
}

void Device::tellHandle() {
    if (std::string what = streams.unknownHandle(); !what.empty())
        tellMistake(what.find(" after ") == std::string::npos ? "handle" : "destroyed", std::move(what), false);
}

void Device::tellFree(std::uint64_t address) {
    const emulator::GlobalMemory& global = memory.global(number);
    if (const auto* freed = global.freed(address); freed && freed->base == address)
        tellMistake("freed twice",
                    fmt::format("{} ({}) is freed a second time", freed->name, quantity(freed->bytes, "byte")));
    else if (const auto* block = memory.find(address); block && block->address != address)
        tellMistake("free within", fmt::format("0x{:x} cannot be freed: it lies {} behind the beginning of the {} that "
                                               "were allocated at 0x{:x}",
                                               address, quantity(address - block->address, "byte"),
                                               quantity(block->bytes, "byte"), block->address));
    else if (block && block->kind == MemoryKind::Registered)
        tellMistake("free registered", fmt::format("0x{:x} cannot be freed: it is registered memory, which "
                                                   "cudaHostUnregister gives back to the host",
                                                   address));
    else if (block)
        tellMistake("free mapped",
                    fmt::format("0x{:x} cannot be freed: it was mapped, and cuMemUnmap takes it away", address));
    else
        tellMistake("free unknown",
                    fmt::format("0x{:x} cannot be freed: {}", address,
                                memory.isDevices(address) ? "the device has no memory there"
                                                          : "it is the host's own memory, which no call of CUDA gave"));
}

void Device::tellPlace(const char* does, std::uint64_t address, std::uint64_t bytes) {
    const emulator::GlobalMemory& global = memory.global(number);
    const std::string what = fmt::format("{} {} at 0x{:x}", does, quantity(bytes, "byte"), address);
    const emulator::Area* area = global.nearest(address);
    constexpr std::uint64_t near = std::uint64_t(1) << 20; // as far as there is nothing behind an allocation
    if (address == 0)
        tellMistake("null", fmt::format("{} through a null pointer", does));
    else if (const auto* freed = global.freed(address))
        tellMistake("use of freed", fmt::format("{}, in memory that was already freed (byte {} of {})", what,
                                                address - freed->base, freed->name));
    else if (area && address - area->base < area->bytes + near)
        tellMistake("past the end",
                    fmt::format("{}: {} past the end of {} ({})", what,
                                quantity(emulator::bytesPastEnd(address, bytes, area->base + area->bytes), "byte"),
                                area->name, quantity(area->bytes, "byte")));
    else
        tellMistake("no memory",
                    fmt::format("{}, {}", what,
                                memory.isDevices(address) ? "where the device has no memory"
                                                          : "in the host's own memory, which only the host may fill"));
}

} // namespace warpglass::virtual_device
