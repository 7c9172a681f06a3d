// SPDX-License-Identifier: GPL-3.0-or-later
// Perfetto's trace format: a protobuf message Trace of TracePackets. Only a handful of its fields is needed (field
// numbers from perfetto's trace_packet.proto, track_descriptor.proto and track_event.proto), so they are encoded here.
#include "gpu/trace/export.h"
#include "gpu/trace/lod.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace warpglass {

namespace {

// Protobuf's wire format: numbers of 7 bits a byte, messages and text with their length before them.
class Message {
public:
    void number(int field, std::uint64_t value) {
        varint(std::uint64_t(field) << 3);
        varint(value);
    }
    void text(int field, std::string_view value) {
        varint(std::uint64_t(field) << 3 | 2);
        varint(value.size());
        m_bytes += value;
    }
    void message(int field, const Message& value) { text(field, value.m_bytes); }
    const std::string& bytes() const { return m_bytes; }

private:
    void varint(std::uint64_t n) {
        for (; n >= 0x80; n >>= 7)
            m_bytes += char(n | 0x80);
        m_bytes += char(n);
    }
    std::string m_bytes;
};

enum Field {
    packetInTrace = 1,
    // TracePacket
    timestamp = 8,
    sequenceId = 10,
    trackEvent = 11,
    trackDescriptor = 60,
    // TrackDescriptor
    trackUuid = 1,
    trackName = 2,
    trackProcess = 3,
    trackThread = 4,
    trackParent = 5,
    processPid = 1,
    processName = 6,
    threadPid = 1,
    threadTid = 2,
    threadName = 5,
    // TrackEvent
    eventType = 9,
    eventTrack = 11,
    eventName = 23,
};
constexpr std::uint64_t sliceBegin = 1, sliceEnd = 2;

class PerfettoWriter {
public:
    PerfettoWriter(const Trace& trace, std::ostream& out)
        : m_trace(trace), m_out(out), m_origin(trace.range().begin.value) {
        for (const Warp& w : trace.warps)
            m_origin = std::min(m_origin, w.start.value);
    }

    void write(Progress& progress) {
        const Lod lod = buildLod(m_trace);
        int lastSm = -1;
        for (std::size_t i = 0; i < lod.lanes.size() && !progress.cancelled(); ++i) {
            const LodLane& lane = lod.lanes[i];
            progress.report(double(i) / double(lod.lanes.size()));
            if (lane.sm != lastSm)
                describeSm(lane.sm);
            lastSm = lane.sm;
            writeLane(lod, lane);
        }
    }

private:
    void packet(const Message& packet) {
        Message all;
        all.message(packetInTrace, packet);
        m_out.write(all.bytes().data(), std::streamsize(all.bytes().size()));
    }

    void describeSm(int sm) {
        Message process, track, whole;
        process.number(processPid, std::uint64_t(sm) + 1); // 0 is the idle process
        process.text(processName, fmt::format("SM {}", sm));
        track.number(trackUuid, ++m_uuid);
        track.message(trackProcess, process);
        whole.message(trackDescriptor, track);
        packet(whole);
    }

    std::uint64_t describeSlot(const LodLane& lane, std::size_t extra) {
        Message thread, track, whole;
        const std::string label = extra == 0 ? fmt::format("slot {} (scheduler {})", lane.slot, lane.scheduler)
                                             : fmt::format("slot {} ({})", lane.slot, extra + 1);
        thread.number(threadPid, std::uint64_t(lane.sm) + 1);
        thread.number(threadTid, (std::uint64_t(lane.sm) + 1) * 100000 + std::uint64_t(lane.slot) * 100 + extra + 1);
        thread.text(threadName, label);
        track.number(trackUuid, ++m_uuid);
        track.message(trackThread, thread);
        whole.message(trackDescriptor, track);
        packet(whole);
        return m_uuid;
    }

    void slice(std::uint64_t type, std::uint64_t track, Time at, std::string_view label) {
        Message event, whole;
        event.number(eventType, type);
        event.number(eventTrack, track);
        if (!label.empty())
            event.text(eventName, label);
        whole.number(timestamp, std::uint64_t(at.value - m_origin));
        whole.number(sequenceId, 1);
        whole.message(trackEvent, event);
        packet(whole);
    }

    void writeWarp(const Warp& w, std::uint64_t track) {
        const Block& b = m_trace.blockOf(w);
        slice(sliceBegin, track, w.start,
              fmt::format("block {} warp {}", m_trace.blockIndex(b).indexText(), w.warpInBlock));
        for (std::uint32_t n = 0; n < w.eventCount; ++n) {
            const Event e = m_trace.event(w, n);
            const Time end = n + 1 < w.eventCount ? m_trace.event(w, n + 1).time : w.end;
            if (end <= e.time)
                continue;
            slice(sliceBegin, track, e.time, fmt::format("{} {:08x}", name(e.kind), e.active.bits));
            slice(sliceEnd, track, std::min(end, w.end), "");
        }
        slice(sliceEnd, track, w.end, "");
    }

    void writeLane(const Lod& lod, const LodLane& lane) {
        struct Track {
            std::uint64_t uuid;
            Time free;
        };
        std::vector<Track> tracks;
        for (std::uint32_t i = 0; i < lane.warps; ++i) {
            const Warp& w = m_trace.warps[lod.warps[lane.firstWarp + i]];
            auto at = std::find_if(tracks.begin(), tracks.end(), [&](const Track& t) { return t.free <= w.start; });
            if (at == tracks.end()) {
                const std::uint64_t uuid = describeSlot(lane, tracks.size());
                at = tracks.insert(tracks.end(), Track{uuid, {}});
            }
            writeWarp(w, at->uuid);
            at->free = w.end;
        }
    }

    const Trace& m_trace;
    std::ostream& m_out;
    std::int64_t m_origin;
    std::uint64_t m_uuid = 0;
};

} // namespace

Result<void> exportPerfetto(const Trace& trace, const std::filesystem::path& file, Progress& progress) {
    std::ofstream out(file, std::ios::binary);
    PerfettoWriter(trace, out).write(progress);
    out.close();
    if (progress.cancelled())
        return Error{"the export was cancelled"};
    if (!out)
        return Error{"the export could not be written", file.string(), 0, 0,
                     "Check that the folder may be written to and that the disk is not full."};
    return {};
}

} // namespace warpglass
