// SPDX-License-Identifier: GPL-3.0-or-later
// A Trace as Perfetto shows it: a process for the launches, one for each SM; in an SM a track for each warp slot and,
// with the timing model, one for the states of that slot; counter tracks for what is resident and for the metrics.
//
// Perfetto knows nanoseconds and nothing else. A trace in steps says so in the names of its processes. A trace with
// states has cycles shorter than a nanosecond: there a nanosecond is written as a microsecond, and the names say that.
#include "gpu/base/messages/files.h"
#include "gpu/trace/export.h"

#include "gpu/base/new_file.h"
#include "gpu/trace/perfetto_packets.h"
#include "gpu/trace/warp_slots.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace warpglass {

namespace {

using Argument = PerfettoArgument;
constexpr std::int64_t fine = 1000; // parts of a nanosecond where states are written

std::vector<std::string> instructions(const Trace& trace) {
    std::vector<std::string> texts;
    for (const Site& site : trace.sites)
        texts.push_back(site.text.empty() ? name(site.kind) : site.text);
    return texts;
}

// Gives each of a row of spans, ascending by start, the first track that is free by then.
class Tracks {
public:
    // make(n) describes the n-th track and returns what stands for it.
    template <typename Make>
    std::uint64_t take(std::int64_t start, std::int64_t end, Make&& make) {
        auto at = std::find_if(m_all.begin(), m_all.end(), [&](const Track& t) { return t.free <= start; });
        if (at == m_all.end())
            at = m_all.insert(m_all.end(), Track{make(m_all.size()), 0});
        at->free = end;
        return at->id;
    }

private:
    struct Track {
        std::uint64_t id;
        std::int64_t free;
    };
    std::vector<Track> m_all;
};

class PerfettoWriter {
public:
    PerfettoWriter(const Trace& trace, std::ostream& out)
        : m_trace(trace), m_packets(out, instructions(trace)), m_scale(trace.states.empty() ? 1 : fine) {
        bool any = false;
        const auto first = [&](Time t) {
            m_origin = any ? std::min(m_origin, t.value) : t.value;
            any = true;
        };
        for (const Launch& l : trace.launches)
            first(l.start);
        for (const Block& b : trace.blocks)
            first(b.start);
        for (const Warp& w : trace.warps)
            first(w.start);
        if (trace.info.timeUnit == TimeUnit::Steps)
            m_note = " (1 ns shown is 1 step, counted)";
        else
            m_note = fmt::format(" ({}{})", m_scale == 1 ? "" : "1 us shown is 1 ns, ", name(trace.info.timeOrigin));
    }

    void write(Progress& progress) {
        writeLaunches();
        const std::vector<WarpSlot> slots = warpSlots(m_trace);
        int lastSm = -1;
        for (std::size_t i = 0; i < slots.size() && !progress.cancelled(); ++i) {
            progress.report(double(i) / double(slots.size()));
            if (slots[i].sm != lastSm)
                smTrack(slots[i].sm);
            lastSm = slots[i].sm;
            writeSlot(slots[i]);
        }
        if (!progress.cancelled())
            writeResidency();
    }

private:
    static constexpr int launchPid = 1, firstSmPid = 2; // 0 is the idle process

    std::int64_t at(Time t) const { return (t.value - m_origin) * m_scale; }

    // Launches: a parent above its children, those that run at the same time side by side.
    void writeLaunches() {
        const std::uint64_t process = m_packets.process(launchPid, "Launches" + m_note);
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < m_trace.launches.size(); ++i)
            order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return m_trace.launches[a].start < m_trace.launches[b].start;
        });
        std::map<std::uint32_t, Tracks> depths;
        std::map<std::uint32_t, std::uint64_t> dropped; // a track for those that never ran
        for (const std::uint32_t i : order) {
            const Launch& l = m_trace.launches[i];
            const std::string label =
                fmt::format("{} <<<{}, {}>>>", m_trace.kernelOf(l).name, l.grid.text(), l.block.text());
            if (l.status == LaunchStatus::Dropped) {
                auto [track, made] = dropped.try_emplace(l.depth, 0);
                if (made)
                    track->second = m_packets.track(process, fmt::format("depth {}: dropped", l.depth));
                m_packets.instant(track->second, at(l.start), label, argumentsOf(i));
                continue;
            }
            const std::int64_t start = at(l.start), end = at(l.end);
            const std::uint64_t track = depths[l.depth].take(start, end, [&](std::size_t n) {
                return m_packets.track(process, n == 0 ? fmt::format("depth {}", l.depth)
                                                       : fmt::format("depth {} ({})", l.depth, n + 1));
            });
            m_packets.begin(track, start, label, argumentsOf(i));
            m_packets.end(track, end);
        }
        writeMetrics(process);
    }

    PerfettoArguments argumentsOf(std::uint32_t row) const {
        const Launch& l = m_trace.launches[row];
        PerfettoArguments a;
        a.number(Argument::Launch, row)
            .text(Argument::Kernel, m_trace.kernelOf(l).name)
            .text(Argument::Grid, l.grid.text())
            .text(Argument::BlockShape, l.block.text())
            .number(Argument::SharedBytes, l.sharedBytes)
            .text(Argument::Stream, name(l.stream))
            .number(Argument::Depth, l.depth)
            .text(Argument::Status, name(l.status));
        if (l.parentLaunch != noIndex)
            a.number(Argument::Parent, l.parentLaunch);
        if (!l.reason.empty())
            a.text(Argument::Reason, l.reason);
        for (const Counter& c : m_trace.counters)
            if (c.launch == row)
                a.named(counterName(c), c.value);
        return a;
    }

    static std::string counterName(const Counter& c) {
        return fmt::format("{} [{}{}{}]", c.metric, c.unit, c.unit.empty() ? "" : ", ", name(c.origin));
    }

    // A metric holds for a whole launch: the value from its start to its end.
    void writeMetrics(std::uint64_t process) {
        std::map<std::string, std::vector<const Counter*>> all;
        for (const Counter& c : m_trace.counters)
            if (c.launch < m_trace.launches.size())
                all[counterName(c)].push_back(&c);
        for (auto& [label, values] : all) {
            const auto launch = [&](const Counter* c) -> const Launch& { return m_trace.launches[c->launch]; };
            std::stable_sort(values.begin(), values.end(),
                             [&](const Counter* a, const Counter* b) { return launch(a).start < launch(b).start; });
            const std::uint64_t track = m_packets.counter(process, label);
            std::int64_t last = 0;
            for (const Counter* c : values) {
                const std::int64_t start = std::max(last, at(launch(c).start));
                m_packets.value(track, start, c->value);
                last = std::max(start, at(launch(c).end));
                m_packets.value(track, last, c->value);
            }
        }
    }

    std::uint64_t smTrack(int sm) {
        auto [track, made] = m_sms.try_emplace(sm, 0);
        if (made)
            track->second = m_packets.process(firstSmPid + sm, fmt::format("SM {}{}", sm, m_note));
        return track->second;
    }

    // Blocks on each SM, of all blocks, with detail or without.
    void writeResidency() {
        std::map<int, std::map<std::int64_t, std::int64_t>> changes; // by SM and time
        for (const Block& b : m_trace.blocks) {
            if (b.end <= b.start)
                continue;
            ++changes[b.sm][at(b.start)];
            --changes[b.sm][at(b.end)];
        }
        for (const auto& [sm, times] : changes) {
            const std::uint64_t track = m_packets.counter(smTrack(sm), "resident blocks [counted]");
            std::int64_t now = 0;
            for (const auto& [t, change] : times) {
                now += change;
                if (change != 0)
                    m_packets.value(track, t, now);
            }
        }
    }

    PerfettoArguments argumentsOf(const Event& e) const {
        const Site& site = m_trace.sites[e.site];
        PerfettoArguments a;
        a.mask(Argument::ActiveMask, e.active.bits).number(Argument::LanesOn, e.active.count());
        if (e.kind == EventKind::Branch || e.kind == EventKind::Launch || e.kind == EventKind::Exit)
            a.mask(Argument::TakenMask, e.taken.bits);
        if (!site.where.empty() && site.where.back().line != 0)
            a.number(Argument::Line, site.where.back().line);
        a.interned(Argument::Instruction, std::uint64_t(e.site) + 1);
        return a;
    }

    void writeWarp(const Warp& w, std::uint64_t track) {
        const Block& b = m_trace.blockOf(w);
        const std::string place = m_trace.blockIndex(b).indexText();
        PerfettoArguments arguments;
        arguments.number(Argument::Launch, b.launch)
            .text(Argument::Block, place)
            .number(Argument::WarpInBlock, w.warpInBlock)
            .mask(Argument::LiveLanes, w.liveLanes.bits);
        m_packets.begin(track, at(w.start), fmt::format("block {} warp {}", place, w.warpInBlock), arguments);
        for (std::uint32_t n = 0; n < w.eventCount; ++n) {
            const Event e = m_trace.event(w, n);
            const Time end = std::min(n + 1 < w.eventCount ? m_trace.event(w, n + 1).time : w.end, w.end);
            if (end <= e.time)
                continue;
            m_packets.begin(track, at(e.time), fmt::format("{} {:08x}", name(e.kind), e.active.bits), argumentsOf(e));
            m_packets.end(track, at(end));
        }
        m_packets.end(track, at(w.end));
    }

    // States are counted in cycles of the SM; the warp's first cycle is the warp's start.
    void writeStates(const Warp& w, std::uint64_t track) {
        const auto states = m_trace.statesOf(w);
        const double clock = m_trace.info.smClockMHz > 0 ? m_trace.info.smClockMHz : 1000.0;
        const std::int64_t from = at(w.start), to = at(w.end);
        const auto moment = [&](Time cycle) {
            const double ns = double(cycle.value - states.front().begin.value) * 1000.0 / clock;
            return std::min(to, from + std::int64_t(ns * double(m_scale)));
        };
        for (const StateRow& s : states) {
            const std::int64_t begin = moment(s.begin), end = moment(s.end);
            if (end <= begin)
                continue;
            PerfettoArguments arguments;
            arguments.number(Argument::FromCycle, s.begin.value).number(Argument::Cycles, (s.end - s.begin).value);
            if (s.ptxLine != 0)
                arguments.text(Argument::Instruction, fmt::format("PTX line {}", s.ptxLine));
            m_packets.begin(track, begin, name(s.state), arguments);
            m_packets.end(track, end);
        }
    }

    void writeSlot(const WarpSlot& slot) {
        const bool timed = std::any_of(slot.warps.begin(), slot.warps.end(),
                                       [&](std::uint32_t row) { return m_trace.warps[row].stateCount > 0; });
        Tracks tracks;
        std::map<std::uint64_t, std::uint64_t> stateTracks;
        for (const std::uint32_t row : slot.warps) {
            const Warp& w = m_trace.warps[row];
            const std::uint64_t track = tracks.take(at(w.start), at(w.end), [&](std::size_t n) {
                const int pid = firstSmPid + slot.sm;
                const std::int64_t tid = std::int64_t(pid) * 1000000 + std::int64_t(slot.slot) * 1000 + std::int64_t(n);
                const std::string extra = n == 0 ? "" : fmt::format(", {}", n + 1);
                const std::uint64_t made = m_packets.thread(
                    pid, tid, fmt::format("slot {} (scheduler {}{})", slot.slot, slot.scheduler, extra));
                if (timed)
                    stateTracks[made] =
                        m_packets.track(smTrack(slot.sm), fmt::format("slot {} states{}", slot.slot, extra));
                return made;
            });
            writeWarp(w, track);
            if (w.stateCount > 0)
                writeStates(w, stateTracks[track]);
        }
    }

    const Trace& m_trace;
    PerfettoPackets m_packets;
    std::int64_t m_scale, m_origin = 0;
    std::string m_note; // what the times are, for the names of processes
    std::map<int, std::uint64_t> m_sms;
};

} // namespace

Result<void> exportPerfetto(const Trace& trace, const std::filesystem::path& file, Progress& progress) {
    NewFile out(file);
    if (out.stream())
        PerfettoWriter(trace, out.stream()).write(progress);
    if (progress.cancelled())
        return Error{say::ExportCancelled};
    if (!out.finish())
        return Error{say::ExportNotWritten, file.string(), 0, 0, say::CheckFolderDisk};
    return {};
}

} // namespace warpglass
