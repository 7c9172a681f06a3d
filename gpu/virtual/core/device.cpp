// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/device.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/launch/leaks.h"
#include "gpu/virtual/core/host_faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include <pthread.h>

namespace warpglass::virtual_device {

namespace {

DeviceSpec specOf(const program::Settings& settings) {
    const DeviceSpec* found = findDevice(settings.device);
    const DeviceSpec& spec = found ? *found : *findDevice("h200");
    return withCapability(spec, settings.capability).value_or(spec);
}

std::vector<std::unique_ptr<emulator::TextureMemory>> texturesFor(unsigned devices) {
    std::vector<std::unique_ptr<emulator::TextureMemory>> all;
    for (unsigned n = 0; n < devices; ++n)
        all.push_back(std::make_unique<emulator::TextureMemory>());
    return all;
}

std::vector<emulator::TextureMemory*> pointersTo(const std::vector<std::unique_ptr<emulator::TextureMemory>>& all) {
    std::vector<emulator::TextureMemory*> pointers;
    pointers.reserve(all.size());
    for (const auto& one : all)
        pointers.push_back(one.get());
    return pointers;
}

} // namespace

Machine::Machine(program::Settings s)
    : settings(std::move(s)), spec(specOf(settings)), memory(spec.memoryBytes, settings.devices),
      mappings(memory, settings.devices), textures(texturesFor(settings.devices)),
      modules(memory, pointersTo(textures), std::uint32_t(spec.ccMajor * 10 + spec.ccMinor)), streams(settings.devices),
      recorder(settings, BackendKind::Emulator), pools(settings.devices) {
    if (settings.adverse)
        later.emplace(*settings.adverse);
    for (unsigned n = 0; n < settings.devices; ++n)
        devices.push_back(std::make_unique<Device>(*this, n));
    meetings.add({.name = "default"}); // as the recording begins with it
}

std::uint32_t Machine::add(const program::ProgramStream& stream) {
    meetings.add(stream);
    return recorder.add(stream);
}

Machine::~Machine() = default;

Device::Device(Machine& machine, unsigned n)
    : number(n), lock(machine.lock), spec(machine.spec), memory(machine.memory), textures(*machine.textures[n]),
      modules(machine.modules), streams(machine.streams), recorder(machine.recorder), pools(machine.pools),
      arrays(machine.arrays), m_machine(machine), m_l2(machine.spec.l2Bytes) {}

// Work that was put off is done, too, when the program makes no call for so long: a host may wait for it by looking at memory,
// and a GPU works whether it is asked or not.
static void workUnasked(Machine& m) {
    constexpr std::chrono::milliseconds each{100};
    constexpr int rounds = 20;
    for (std::uint64_t seen = 0, same = 0;;) {
        std::this_thread::sleep_for(each);
        const std::lock_guard lock(m.lock);
        const std::uint64_t given = m.later->given();
        same = given == seen && !m.later->empty() ? same + 1 : 0;
        seen = given;
        if (same >= rounds)
            m.devices[0]->finishAll();
    }
}

Machine& machine() {
    // Never destroyed: a program may still use it while its own globals go.
    static Machine* const one = [] {
        auto* made = new Machine(program::settingsOfProcess());
        pthread_atfork([] { machine().lock.lock(); }, [] { machine().lock.unlock(); },
                       [] { // the lock knows its holder by a number that the child does not have
                           new (&machine().lock) std::recursive_mutex;
                           machine().recorder.forked();
                           machine().meetings = {};
                           machine().meetings.add({.name = "default"});
                       });
        if (made->later)
            std::thread(workUnasked, std::ref(*made)).detach();
        std::atexit([] {
            const std::lock_guard lock(machine().lock);
            for (const auto& d : machine().devices) {
                d->endWithoutWaiting();
                d->tellLeaks();
            }
        });
        return made;
    }();
    return *one;
}

Device& device() {
    return *machine().devices[currentDevice()];
}

// The first device's is the recording's first row.
std::uint32_t Device::defaultRow() {
    if (m_defaultRow == noIndex)
        m_defaultRow = number == 0 ? 0 : m_machine.add(program::ProgramStream{.name = "default", .device = number});
    return m_defaultRow;
}

void Device::flush() {
    if (m_output.empty())
        return;
    std::fwrite(m_output.data(), 1, m_output.size(), stdout);
    std::fflush(stdout);
    m_output.clear();
    m_printing = 0;
    m_printed.reset();
}

Status Device::wait(std::uint32_t streamRow, std::uint64_t what) {
    tellHostAccesses();
    if (std::optional<Later>& later = m_machine.later) {
        if (what == program::waitsForStream)
            later->finish(streamRow, streamRow == defaultRow());
        else if (what == program::waitsForDevice || what == 0)
            later->finishAll();
        else
            later->finishEvent(reinterpret_cast<void*>(what));
    }
    flush();
    pools.wait(number);
    Operation o;
    o.kind = OperationKind::Wait;
    o.stream = streamRow;
    o.from = what;
    o.start = o.end = recorder.now();
    o.error = std::uint32_t(broken);
    list(o);
    settleHost();
    return broken;
}

void Device::finishAll() {
    if (m_machine.later)
        m_machine.later->finishAll();
}

void Device::reset() {
    tellHostAccesses();
    finishAll();
    flush();
    m_machine.meetings.hostKnowsAll();
    settleHost();
    tellLeaks();
    memory.global(number).dropHeap();
    m_heapUsed = 0;
    std::erase_if(m_machine.taken, [&](const auto& piece) { // so that it goes with its graph
        const DeviceMemory::Block* block = memory.find(piece.first);
        return block && block->device == number;
    });
    streams.reset(number);
    for (const std::uint64_t address : std::set(m_allocated)) // each goes from it
        release(address);
    for (unsigned peer = 0; peer < m_machine.devices.size(); ++peer) {
        memory.disconnect(number, peer);
        memory.disconnect(peer, number);
    }
    arrays.forget(number);
    textures.removeOver(0, ~std::uint64_t(0));
    pools.reset(number);
    modules.reset(number);
    limits = firstLimits;
    broken = success;
    m_brokenBy = noIndex;
}

// A kernel that was stopped had no time to free anything.
void Device::tellLeaks() {
    if (broken == success && m_heapUsed > 0)
        for (const Message& leak : emulator::leaksAtTheEnd(memory.global(number)))
            recorder.tellOfProgram(say::KernelLeak(leak));
    if (broken == success && m_machine.settings.leaks)
        tellUnfreed();
}

// Blocks of one size in one sentence: they mostly come from one place in the program.
void Device::tellUnfreed() {
    struct Size {
        std::uint64_t blocks = 0;
        std::vector<std::uint32_t> operations; // the first ones
    };
    constexpr std::size_t mostNamed = 8;
    std::map<std::pair<MemoryKind, std::uint64_t>, Size> sizes;
    for (const auto& [address, block] : memory.blocks())
        if (block.device == number && block.operation != noIndex) {
            Size& size = sizes[{block.kind, block.bytes}];
            ++size.blocks;
            size.operations.push_back(block.operation);
        }
    for (auto& [what, size] : sizes) {
        std::sort(size.operations.begin(), size.operations.end());
        const bool more = size.operations.size() > mostNamed;
        size.operations.resize(std::min(size.operations.size(), mostNamed));
        const auto [kind, bytes] = what;
        const Message of = kind == MemoryKind::Managed ? say::ManagedMemory
                           : kind == MemoryKind::Host  ? say::PinnedMemory
                                                       : say::DeviceMemory;
        recorder.tellOfProgram(
            size.blocks == 1
                ? say::Unfreed(bytes, of, std::to_string(size.operations.front()))
                : say::UnfreedAlike(size.blocks, bytes, of, size.blocks * bytes,
                                    fmt::format("{}{}", fmt::join(size.operations, ", "), more ? ", ..." : "")));
    }
    for (const auto& [address, block] : memory.blocks()) // once, if the device is reset and the program goes on
        if (block.device == number)
            memory.setOperation(address, noIndex);
}

std::uint64_t Device::allocate(std::uint64_t bytes, MemoryKind kind, unsigned flags, std::uint32_t stream) {
    Operation o;
    o.kind = OperationKind::Allocate;
    o.memory = kind;
    o.bytes = bytes;
    o.stream = stream == noIndex ? defaultRow() : stream;
    o.from = stream == noIndex ? 0 : program::inStreamsOrder;
    o.start = recorder.now();
    o.to = memory.allocate(bytes, kind, number, flags);
    o.end = recorder.now();
    o.error = o.to ? 0 : memoryAllocation;
    const std::uint32_t row = list(o, stream == noIndex ? Touched() : Touched{.writes = {{o.to, o.to + bytes}}});
    if (o.to) {
        m_allocated.insert(o.to);
        memory.setOperation(o.to, row);
    }
    return o.to;
}

std::uint64_t Device::allocateFrom(const std::shared_ptr<MemoryPool>& pool, std::uint64_t bytes, std::uint32_t stream) {
    if (pool->limit && pool->used + bytes > pool->limit)
        return 0;
    const std::uint64_t address = m_machine.devices[pool->device]->allocate(bytes, MemoryKind::Device, 0, stream);
    if (address) {
        pools.took(pool, address, bytes);
        if (pool->shownTo)
            memory.share(address, pool->shownTo);
    }
    return address;
}

Status Device::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, Mappings::Piece* piece) {
    Operation o;
    o.kind = OperationKind::Allocate;
    o.memory = MemoryKind::Device;
    o.bytes = bytes;
    o.stream = defaultRow();
    o.start = recorder.now();
    const bool ok = m_machine.mappings.map(address, bytes, offset, piece);
    o.to = ok ? address : 0;
    o.end = recorder.now();
    o.error = ok ? 0 : invalidValue;
    recorder.add(o);
    return ok ? success : invalidValue;
}

Status Device::unmap(std::uint64_t address, std::uint64_t bytes) {
    finishAll();
    flush();
    Operation o;
    o.kind = OperationKind::Free;
    o.to = address;
    o.stream = defaultRow();
    o.start = recorder.now();
    const bool ok = m_machine.mappings.unmap(address, bytes);
    o.end = recorder.now();
    o.error = ok ? 0 : invalidValue;
    recorder.add(o);
    return ok ? success : invalidValue;
}

Status Device::release(std::uint64_t address, std::uint32_t stream) {
    const bool waits = stream == noIndex;
    if (waits) {
        tellHostAccesses();
        finishAll(); // cudaFree waits for the device
        flush();
    }
    if (Status status = success; giveBack(address, waits ? defaultRow() : stream, status))
        return status;
    Operation o;
    o.kind = OperationKind::Free;
    o.to = address;
    o.stream = waits ? defaultRow() : stream;
    o.from = waits ? 0 : program::inStreamsOrder;
    o.start = recorder.now();
    Touched touched;
    const DeviceMemory::Block* block = memory.find(address);
    const std::uint64_t end = block ? block->address + block->bytes : address;
    if (block && block->address == address) {
        Device& owner = *m_machine.devices[block->device];
        owner.textures.removeOver(address, block->bytes);
        owner.m_allocated.erase(address);
        if (!waits)
            touched.writes = {{address, end}};
        leaveHost(address, end);
    }
    const std::uint32_t born = block ? block->operation : noIndex;
    const bool ok = memory.release(address);
    if (ok) {
        pools.gave(address);
        memory.noteFreedBy(address, recorder.next());
    } else {
        tellFree(address);
    }
    o.end = recorder.now();
    o.error = ok ? 0 : invalidValue;
    m_freed = {address, end, born};
    list(o, std::move(touched));
    m_freed = {};
    if (ok && waits) {
        m_machine.meetings.hostKnowsAll();
        settleHost();
    }
    if (ok)
        m_machine.meetings.forget(address, end);
    return ok ? success : invalidValue;
}

} // namespace warpglass::virtual_device
