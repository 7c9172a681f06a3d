// SPDX-License-Identifier: GPL-3.0-or-later
// What of the program's work meets other work, or the host, in memory, with nothing between them that says which comes first.
#include "gpu/base/messages/program.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/virtual/core/device.h"
#include "gpu/virtual/core/host_faults.h"
#include "gpu/virtual/core/host_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace warpglass::virtual_device {

namespace {

constexpr std::uint64_t hostPage = 4096;
constexpr std::uint64_t mostRows = 4096; // of a copy or fill that are noted one by one

bool hostSees(const DeviceMemory::Block* block) {
    return block && (block->kind == MemoryKind::Managed || block->kind == MemoryKind::Host);
}

} // namespace

std::uint32_t Device::list(const Operation& o, Touched touched, std::span<const std::byte> arguments) {
    const std::uint32_t row = recorder.next();
    if (row < Machine::mostPlaces) {
        m_machine.calledFrom.resize(row + 1);
        m_machine.calledFrom[row] = calledFrom;
    }
    program::Meetings& meetings = m_machine.meetings;
    const bool seen = std::any_of(touched.reads.begin(), touched.reads.end(),
                                  [&](const ByteRange& r) { return hostSees(memory.find(r.begin)); }) ||
                      std::any_of(touched.writes.begin(), touched.writes.end(),
                                  [&](const ByteRange& r) { return hostSees(memory.find(r.begin)); }) ||
                      !touched.strongWrites.empty();
    if (const auto found = meetings.next(o, row, std::move(touched)))
        tellMeeting(o, row, *found);
    const std::uint32_t added = recorder.add(o, arguments);
    // Its function may have told the host; and a copy to memory that is not pinned is done when the call returns.
    const bool toPageable = o.kind == OperationKind::Copy && !memory.isDevices(o.to) && !memory.find(o.to);
    if (o.kind == OperationKind::HostFunction || toPageable) {
        meetings.hostKnows(o);
        settleHost();
    } else if (seen) {
        watchHostFor(row);
    }
    return added;
}

std::optional<Message> Device::lineOf(std::uint32_t row, std::string* named) const {
    const auto& places = m_machine.calledFrom;
    const std::optional<HostLine> at = hostLine(row < places.size()      ? places[row]
                                                : row == recorder.next() ? calledFrom
                                                                         : CallPlace{});
    if (!at)
        return std::nullopt;
    if (named && *named == at->file)
        return say::LineOf(at->line);
    if (named)
        *named = at->file;
    return say::LineOfFile(at->line, at->file);
}

Message Device::withLines(Message message) const {
    if (message.id == say::MemoryOfOperation.id && message.arguments.size() == 1)
        if (const auto* operation = std::get_if<std::string>(&message.arguments[0]))
            if (std::optional<Message> line = lineOf(std::uint32_t(std::strtoul(operation->c_str(), nullptr, 10))))
                return say::MemoryOfOperationAt(*operation, std::move(*line));
    for (Message::Argument& a : message.arguments)
        if (auto* const parts = std::get_if<std::vector<Message>>(&a))
            for (Message& part : *parts)
                part = withLines(std::move(part));
    return message;
}

Message Device::workOf(const Operation& o, std::uint32_t row, std::string* named) const {
    const auto kernel = m_machine.kernelNames.find(o.kernel);
    const Message what = program::workName(o, kernel == m_machine.kernelNames.end() ? "" : kernel->second);
    if (std::optional<Message> line = lineOf(row, named))
        return say::WorkAt(std::to_string(row), what, std::move(*line));
    return say::WorkOf(std::to_string(row), what);
}

Message Device::memoryAt(std::uint64_t address, std::uint64_t& offset, std::string* named) const {
    const auto of = [&](std::uint64_t bytes, std::uint32_t operation) -> Message {
        if (std::optional<Message> line = lineOf(operation, named))
            return say::MemoryOfWorkAt(bytes, std::to_string(operation), std::move(*line));
        return say::MemoryOfWork(bytes, std::to_string(operation));
    };
    if (address >= m_freed.begin && address < m_freed.end && m_freed.operation != noIndex) {
        offset = address - m_freed.begin;
        return of(m_freed.end - m_freed.begin, m_freed.operation);
    }
    const DeviceMemory::Block* block = memory.find(address);
    offset = block ? address - block->address : address;
    if (block && block->operation != noIndex)
        return of(block->bytes, block->operation);
    return block && block->kind == MemoryKind::Managed ? say::ManagedMemory
           : block && block->kind == MemoryKind::Host  ? say::PinnedMemory
                                                       : say::DeviceMemory;
}

void Device::tellMeeting(const Operation& o, std::uint32_t row, const program::Meetings::Found& found) {
    const std::optional<Operation> earlier = m_machine.meetings.operationOf(found.earlier);
    const bool ofGraph = m_machine.meetings.isOfGraph(found.earlier);
    if (!earlier || !m_toldMeetings.isNew(*earlier, found.earlier, o, row, ofGraph))
        return;
    program::MeetingNames names;
    std::string named; // the file
    names.later = workOf(o, row, &named);
    names.memory = memoryAt(found.meeting.first, names.offset, &named);
    names.earlier = workOf(*earlier, found.earlier, &named);
    recorder.tellOf(row, program::raceOf(*earlier, o, row, found, names,
                                         ofGraph ? program::Between::Nodes : program::Between::Streams));
}

void Device::tellHostAccesses() {
    for (const HostAccess& a : takeHostAccesses()) {
        const std::optional<Operation> o = m_machine.meetings.operationOf(a.operation);
        if (!o || !m_toldOf.insert(fmt::format("host {} {}", unsigned(o->kind), o->kernel)).second)
            continue;
        std::uint64_t offset = 0;
        const auto host = hostLine({a.code + 1, 0});
        std::string named = host ? host->file : std::string();
        const Message where = memoryAt(a.address, offset, &named);
        recorder.tellOf(a.operation, say::HostRace(hostPlace(a.code), a.writes ? say::UseWrites : say::UseReads,
                                                   std::to_string(offset), where, workOf(*o, a.operation, &named),
                                                   a.workWrites ? say::UseWrites : say::UseReads));
    }
}

// Whole pages, so that a host that uses its own part of a page sees nothing of it. Where a flag cannot be watched nothing is:
// the host may have waited for it.
void Device::watchHostFor(std::uint32_t row) {
    constexpr std::size_t mostRanges = 16;
    const Touched* kept = m_machine.meetings.touchedBy(row);
    if (!kept)
        return;
    const Touched& touched = *kept;
    if (touched.strongWrites.size() + touched.writes.size() + touched.reads.size() > mostRanges)
        return;
    const auto watch = [&](const ByteRange& r, HostMay may) {
        const DeviceMemory::Block* block = memory.find(r.begin);
        if (!hostSees(block))
            return true;
        const std::uint64_t last = block->address + block->bytes;
        const std::uint64_t begin = (r.begin + hostPage - 1) / hostPage * hostPage,
                            end = (r.end == last ? last + hostPage - 1 : r.end) / hostPage * hostPage;
        return begin < end && watchHost(begin, end, may, row) && begin == r.begin && (r.end == last || end == r.end);
    };
    for (const ByteRange& r : touched.strongWrites)
        if (!watch(r, HostMay::Ask))
            return leaveHost(row);
    for (const ByteRange& r : touched.writes)
        watch(r, HostMay::Nothing);
    for (const ByteRange& r : touched.reads)
        watch(r, HostMay::Read);
}

void Device::settleHost() {
    for (const std::uint32_t operation : watchedOperations())
        if (!m_machine.meetings.isPending(operation))
            leaveHost(operation);
}

void Device::hostWaited() {
    if (m_machine.later)
        m_machine.later->finish(defaultRow(), true);
    flush();
    hostKnowsStream(defaultRow());
}

void Device::hostKnowsStream(std::uint32_t row) {
    tellHostAccesses();
    if (m_machine.later)
        m_machine.later->finish(row, row == defaultRow());
    m_machine.meetings.hostKnowsStream(row);
    settleHost();
}

void Device::hostKnowsEvent(std::uint64_t event) {
    tellHostAccesses();
    if (m_machine.later)
        m_machine.later->finishEvent(reinterpret_cast<void*>(event));
    m_machine.meetings.hostKnowsEvent(event);
    settleHost();
}

void Device::endWithoutWaiting() {
    tellHostAccesses();
    finishAll();
    if (m_printed)
        recorder.tellOf(m_printed->first, say::PrintedUnwaited(m_printed->second));
    if (m_machine.later) { // nobody waited for it
        m_output.clear();
        m_printed.reset();
    }
    flush();
}

// One stream alone is in order with itself, but for a graph that forks: then only what the host sees is of interest.
bool Device::notesTouched(const KernelRequest& request) const {
    if (m_machine.meetings.hasSeveralStreams() || m_machine.graphForks || !request.kernel->module->managed.empty())
        return true;
    for (std::size_t at = 0; at + 8 <= request.arguments.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, request.arguments.data() + at, 8);
        if (memory.isDevices(word) && hostSees(memory.find(word)))
            return true;
    }
    return false;
}

Touched Device::touchedBy(const CopyRequest& r) const {
    Touched t = m_machine.meetings.spare();
    const auto add = [&](ByteRanges& ranges, const void* begin, std::uint64_t pitch, std::uint64_t slice) {
        for (std::uint64_t n = 0; n < std::min(r.rows * r.slices, mostRows); ++n) {
            const std::uint64_t at = reinterpret_cast<std::uint64_t>(begin) + n / r.rows * slice + n % r.rows * pitch;
            if (memory.isDevices(at))
                addRange(ranges, at, at + r.bytes);
        }
    };
    add(t.reads, r.from, r.fromPitch, r.fromSlice);
    add(t.writes, r.to, r.toPitch, r.toSlice);
    return t;
}

Touched Device::touchedBy(const LibraryCall& call) {
    Touched t;
    const auto add = [](ByteRanges& ranges, const LibraryCall::Piece& p) {
        if (p.rows > mostRows || p.pitch <= p.bytes)
            return addRange(ranges, p.address, p.end());
        for (std::uint64_t n = 0; n < p.rows; ++n)
            addRange(ranges, p.address + n * p.pitch, p.address + n * p.pitch + p.bytes);
    };
    for (const LibraryCall::Piece& p : call.pieces) {
        if (p.reads)
            add(t.reads, p);
        if (p.writes)
            add(t.writes, p);
    }
    return t;
}

Touched Device::touchedBy(const FillRequest& r) const {
    Touched t;
    for (std::uint64_t n = 0; n < std::min(r.rows * r.slices, mostRows); ++n) {
        const std::uint64_t at = r.to + n / r.rows * r.slicePitch + n % r.rows * r.pitch;
        if (memory.isDevices(at))
            addRange(t.writes, at, at + r.count * r.valueBytes);
    }
    return t;
}

// ---- where memory comes from ----

void Device::tellUnwritten(const CopyRequest& r, std::uint32_t row) {
    DeviceMemory::Unwritten all;
    for (std::uint64_t n = 0; n < std::min(r.rows * r.slices, mostRows); ++n) {
        const std::uint64_t at =
            reinterpret_cast<std::uint64_t>(r.from) + n / r.rows * r.fromSlice + n % r.rows * r.fromPitch;
        const DeviceMemory::Unwritten piece = memory.unwritten(at, r.bytes);
        if (all.bytes == 0)
            all.first = piece.first;
        all.bytes += piece.bytes;
    }
    const DeviceMemory::Block* block = all.bytes > 0 ? memory.find(all.first) : nullptr;
    if (!block || !m_toldOf.insert(fmt::format("unwritten {}", block->operation)).second)
        return;
    std::uint64_t offset = 0;
    const Message where = memoryAt(all.first, offset);
    Operation copy;
    copy.kind = OperationKind::Copy;
    const DeviceMemory::Block::Given& given = block->given;
    Operation launch;
    launch.kernel = given.kernel;
    recorder.tellOf(row, say::CopiedUnwritten(
                             workOf(copy, row), r.bytes * r.rows * r.slices, all.bytes, std::to_string(offset), where,
                             given.operation == noIndex
                                 ? say::NeverGiven
                                 : say::LastGiven(workOf(launch, given.operation), given.blocks, given.threads)));
}

// With who has freed, or written a part of, what it is about.
std::optional<Message> Device::withSource(const Diagnostic& d, Message said) const {
    const auto of = [&](OperationKind kind, std::uint32_t row, std::uint32_t kernel = noIndex) {
        Operation o;
        o.kind = kind;
        o.kernel = kernel;
        return workOf(o, row);
    };
    if (const auto* freed = d.fatal ? memory.global(number).freed(d.address) : nullptr)
        if (const std::uint32_t by = memory.freedBy(freed->base); by != noIndex)
            return say::FaultFreed(std::move(said), of(OperationKind::Free, by));
    const DeviceMemory::Block* block = memory.find(d.address);
    if (d.kind != DiagnosticKind::UninitialisedRead || !block || block->writer.operation == noIndex)
        return std::nullopt;
    const auto& w = block->writer;
    const Message by = of(w.kind, w.operation, w.kernel);
    return say::NoteOfSource(std::move(said),
                             (w.from == 0 ? say::WroteFirst : say::WroteSome)(by, w.bytes, block->bytes));
}

} // namespace warpglass::virtual_device
