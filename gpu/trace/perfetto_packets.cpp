// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/perfetto_packets.h"

#include "gpu/base/utf8.h"

#include <array>
#include <bit>

namespace warpglass {

namespace {

enum Field {
    packetInTrace = 1,
    // TracePacket
    timestamp = 8,
    sequenceId = 10,
    trackEvent = 11,
    internedData = 12,
    sequenceFlags = 13,
    trackDescriptor = 60,
    // TrackDescriptor
    trackUuid = 1,
    trackName = 2,
    trackProcess = 3,
    trackThread = 4,
    trackParent = 5,
    trackCounter = 8,
    processPid = 1,
    processName = 6,
    threadPid = 1,
    threadTid = 2,
    threadName = 5,
    // TrackEvent
    eventArgument = 4,
    eventType = 9,
    eventTrack = 11,
    eventName = 23,
    eventCounterValue = 30,
    eventRealCounterValue = 44,
    // DebugAnnotation
    argumentNameNumber = 1,
    argumentNumber = 4,
    argumentReal = 5,
    argumentText = 6,
    argumentPointer = 7, // shown in hexadecimal
    argumentName = 10,
    argumentTextNumber = 17,
    // InternedData
    argumentNames = 3,
    argumentTexts = 29,
    internedNumber = 1,
    internedText = 2,
};
constexpr std::uint64_t sliceBegin = 1, sliceEnd = 2, instantEvent = 3, counterEvent = 4;
constexpr std::uint64_t stateCleared = 1, needsState = 2;

constexpr std::array<std::string_view, std::size_t(PerfettoArgument::Count_)> argumentWords{"",
                                                                                            "launch",
                                                                                            "block",
                                                                                            "warp in block",
                                                                                            "lanes with a thread",
                                                                                            "active",
                                                                                            "taken",
                                                                                            "lanes on",
                                                                                            "source line",
                                                                                            "instruction",
                                                                                            "cycles",
                                                                                            "from cycle",
                                                                                            "grid",
                                                                                            "block shape",
                                                                                            "kernel",
                                                                                            "stream",
                                                                                            "depth",
                                                                                            "parent",
                                                                                            "status",
                                                                                            "reason",
                                                                                            "dynamic shared bytes"};

} // namespace

void PerfettoMessage::varint(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7)
        m_bytes += char(n | 0x80);
    m_bytes += char(n);
}

void PerfettoMessage::number(int field, std::uint64_t value) {
    varint(std::uint64_t(field) << 3);
    varint(value);
}

void PerfettoMessage::real(int field, double value) {
    varint(std::uint64_t(field) << 3 | 1);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte)
        m_bytes += char(bits >> (8 * byte));
}

void PerfettoMessage::lengthAndBytes(int field, std::string_view value) {
    varint(std::uint64_t(field) << 3 | 2);
    varint(value.size());
    m_bytes += value;
}

void PerfettoMessage::text(int field, std::string_view value) {
    lengthAndBytes(field, validUtf8(value));
}

void PerfettoMessage::message(int field, const PerfettoMessage& value) {
    lengthAndBytes(field, value.m_bytes);
}

namespace {

PerfettoMessage argument(PerfettoArgument name) {
    PerfettoMessage m;
    m.number(argumentNameNumber, std::uint64_t(name));
    return m;
}

} // namespace

PerfettoArguments& PerfettoArguments::number(PerfettoArgument name, std::int64_t value) {
    m_all.push_back(argument(name));
    m_all.back().number(argumentNumber, std::uint64_t(value));
    return *this;
}

PerfettoArguments& PerfettoArguments::mask(PerfettoArgument name, std::uint32_t bits) {
    m_all.push_back(argument(name));
    m_all.back().number(argumentPointer, bits);
    return *this;
}

PerfettoArguments& PerfettoArguments::text(PerfettoArgument name, std::string_view value) {
    m_all.push_back(argument(name));
    m_all.back().text(argumentText, value);
    return *this;
}

PerfettoArguments& PerfettoArguments::named(std::string_view name, double value) {
    m_all.emplace_back();
    m_all.back().text(argumentName, name);
    m_all.back().real(argumentReal, value);
    return *this;
}

PerfettoArguments& PerfettoArguments::interned(PerfettoArgument name, std::uint64_t text) {
    m_all.push_back(argument(name));
    m_all.back().number(argumentTextNumber, text);
    return *this;
}

void PerfettoArguments::addTo(PerfettoMessage& event) const {
    for (const PerfettoMessage& one : m_all)
        event.message(eventArgument, one);
}

PerfettoPackets::PerfettoPackets(std::ostream& out, const std::vector<std::string>& texts) : m_out(out) {
    PerfettoMessage data, packet;
    const auto say = [&data](int list, std::uint64_t number, std::string_view text) {
        PerfettoMessage entry;
        entry.number(internedNumber, number);
        entry.text(internedText, text);
        data.message(list, entry);
    };
    for (std::size_t i = 1; i < argumentWords.size(); ++i)
        say(argumentNames, i, argumentWords[i]);
    for (std::size_t i = 0; i < texts.size(); ++i)
        say(argumentTexts, i + 1, texts[i]);
    packet.message(internedData, data);
    write(packet);
}

void PerfettoPackets::write(PerfettoMessage& packet) {
    packet.number(sequenceId, 1);
    packet.number(sequenceFlags, m_first ? stateCleared : needsState);
    m_first = false;
    PerfettoMessage all;
    all.message(packetInTrace, packet);
    m_out.write(all.bytes().data(), std::streamsize(all.bytes().size()));
}

void PerfettoPackets::describe(const PerfettoMessage& track) {
    PerfettoMessage packet;
    packet.message(trackDescriptor, track);
    write(packet);
}

std::uint64_t PerfettoPackets::process(int pid, std::string_view name) {
    PerfettoMessage process, track;
    process.number(processPid, std::uint64_t(pid));
    process.text(processName, name);
    track.number(trackUuid, ++m_uuid);
    track.message(trackProcess, process);
    describe(track);
    return m_uuid;
}

std::uint64_t PerfettoPackets::thread(int pid, std::int64_t tid, std::string_view name) {
    PerfettoMessage thread, track;
    thread.number(threadPid, std::uint64_t(pid));
    thread.number(threadTid, std::uint64_t(tid));
    thread.text(threadName, name);
    track.number(trackUuid, ++m_uuid);
    track.message(trackThread, thread);
    describe(track);
    return m_uuid;
}

std::uint64_t PerfettoPackets::track(std::uint64_t parent, std::string_view name) {
    PerfettoMessage track;
    track.number(trackUuid, ++m_uuid);
    track.text(trackName, name);
    track.number(trackParent, parent);
    describe(track);
    return m_uuid;
}

std::uint64_t PerfettoPackets::counter(std::uint64_t parent, std::string_view name) {
    PerfettoMessage track;
    track.number(trackUuid, ++m_uuid);
    track.text(trackName, name);
    track.number(trackParent, parent);
    track.message(trackCounter, {});
    describe(track);
    return m_uuid;
}

void PerfettoPackets::event(std::int64_t at, const PerfettoMessage& event) {
    PerfettoMessage packet;
    packet.number(timestamp, std::uint64_t(at));
    packet.message(trackEvent, event);
    write(packet);
}

void PerfettoPackets::begin(std::uint64_t track, std::int64_t at, std::string_view name,
                            const PerfettoArguments& arguments) {
    PerfettoMessage m;
    m.number(eventType, sliceBegin);
    m.number(eventTrack, track);
    m.text(eventName, name);
    arguments.addTo(m);
    event(at, m);
}

void PerfettoPackets::end(std::uint64_t track, std::int64_t at) {
    PerfettoMessage m;
    m.number(eventType, sliceEnd);
    m.number(eventTrack, track);
    event(at, m);
}

void PerfettoPackets::instant(std::uint64_t track, std::int64_t at, std::string_view name,
                              const PerfettoArguments& arguments) {
    PerfettoMessage m;
    m.number(eventType, instantEvent);
    m.number(eventTrack, track);
    m.text(eventName, name);
    arguments.addTo(m);
    event(at, m);
}

void PerfettoPackets::value(std::uint64_t counter, std::int64_t at, std::int64_t value) {
    PerfettoMessage m;
    m.number(eventType, counterEvent);
    m.number(eventTrack, counter);
    m.number(eventCounterValue, std::uint64_t(value));
    event(at, m);
}

void PerfettoPackets::value(std::uint64_t counter, std::int64_t at, double value) {
    PerfettoMessage m;
    m.number(eventType, counterEvent);
    m.number(eventTrack, counter);
    m.real(eventRealCounterValue, value);
    event(at, m);
}

} // namespace warpglass
