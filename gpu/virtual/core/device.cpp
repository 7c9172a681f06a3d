// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/device.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include <pthread.h>

namespace warpglass::virtual_device {

namespace {

const DeviceSpec& specOf(const std::string& key) {
    const DeviceSpec* spec = findDevice(key);
    return spec ? *spec : *findDevice("h200");
}

program::Settings settingsOfProcess() {
    const char* text = std::getenv(program::settingsVariable);
    return program::settingsFrom(text ? text : "");
}

} // namespace

Device::Device(program::Settings settings)
    : spec(specOf(settings.device)), memory(spec.memoryBytes),
      modules(memory, textures, std::uint32_t(spec.ccMajor * 10 + spec.ccMinor)),
      recorder(settings, BackendKind::Emulator), m_settings(std::move(settings)) {}

Device& device() {
    // Never destroyed: a program may still use it while its own globals go.
    static Device* const one = [] {
        auto* made = new Device(settingsOfProcess());
        pthread_atfork([] { device().lock.lock(); }, [] { device().lock.unlock(); },
                       [] { // the lock knows its holder by a number that the child does not have
                           new (&device().lock) std::recursive_mutex;
                           device().recorder.forked();
                       });
        std::atexit([] { device().flush(); });
        return made;
    }();
    return *one;
}

void Device::flush() {
    if (m_output.empty())
        return;
    std::fwrite(m_output.data(), 1, m_output.size(), stdout);
    std::fflush(stdout);
    m_output.clear();
}

Status Device::wait(std::uint32_t streamRow) {
    flush();
    Operation o;
    o.kind = OperationKind::Wait;
    o.stream = streamRow;
    o.start = o.end = recorder.now();
    o.error = std::uint32_t(broken);
    recorder.add(o);
    return broken;
}

void Device::reset() {
    flush();
    broken = success;
}

std::uint64_t Device::allocate(std::uint64_t bytes, MemoryKind kind, unsigned flags) {
    Operation o;
    o.kind = OperationKind::Allocate;
    o.memory = kind;
    o.bytes = bytes;
    o.start = recorder.now();
    o.to = memory.allocate(bytes, kind, flags);
    o.end = recorder.now();
    o.error = o.to ? 0 : memoryAllocation;
    recorder.add(o);
    return o.to;
}

Status Device::release(std::uint64_t address) {
    flush();
    if (Status status = success; giveBack(address, 0, status))
        return status;
    Operation o;
    o.kind = OperationKind::Free;
    o.to = address;
    o.start = recorder.now();
    const DeviceMemory::Block* block = memory.find(address);
    if (block && block->address == address)
        textures.removeOver(address, block->bytes);
    const bool ok = memory.release(address);
    o.end = recorder.now();
    o.error = ok ? 0 : invalidValue;
    recorder.add(o);
    return ok ? success : invalidValue;
}

} // namespace warpglass::virtual_device
