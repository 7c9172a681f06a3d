// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/streams.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpglass::probe {
namespace {

constexpr std::uint32_t siteMask = 0x00ffffffu;

bool isLaneRecord(RecordKind kind) {
    return kind == RecordKind::Access || kind == RecordKind::Shuffle;
}

std::size_t recordsOf(const std::vector<BatchMember>& batch) {
    std::size_t last = 2; // the lanes
    for (const BatchMember& member : batch)
        for (const std::uint8_t word : {member.clock, member.before, member.barrier, member.place, member.count})
            if (word != BatchMember::none)
                last = std::max<std::size_t>(last, word);
    return last / 4 + 1;
}

// What a batch tells, as if each had been written where it happened. Words: those of its records.
void unpack(const std::vector<BatchMember>& batch, std::span<const std::uint32_t> words, bool inVain,
            std::uint64_t& clock, std::vector<StreamEvent>& out) {
    const auto word = [&](std::uint8_t n) { return n < words.size() ? words[n] : noIndex; };
    const std::uint32_t lanes = words[2];
    for (std::size_t n = 0; n < batch.size(); ++n) {
        const BatchMember& member = batch[n];
        if (member.kind == RecordKind::Try && word(member.barrier) == noIndex)
            continue; // was jumped over
        StreamEvent e;
        clock += cyclesBetween(std::uint32_t(clock), word(member.clock));
        e.clock = clock;
        e.site = member.site;
        e.kind = member.kind;
        e.lanes = lanes;
        const std::uint32_t barrier = word(member.barrier), address = barrier & ~7u;
        const std::uint32_t count = member.count == BatchMember::none ? member.constant : word(member.count);
        const auto push = [&](std::uint32_t a, std::uint32_t b, std::array<std::uint32_t, 4> data) {
            e.a = a;
            e.b = b;
            e.data = {data};
            out.push_back(e);
        };
        switch (member.kind) {
        case RecordKind::Try:
            push(lanes, inVain && n + 1 == batch.size() ? 0 : lanes,
                 {address, barrier & 1, word(member.before), barrier >> 1 & 1});
            break;
        case RecordKind::Phase:
            push(lanes, address, {count, 0, 0, 0});
            break;
        case RecordKind::Products:
            push(lanes, word(member.before), {});
            break;
        default: // a copy by each
            for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
                e.lanes = left & -left;
                push(word(member.place), member.barrier == BatchMember::none ? noIndex : address, {count, 0, 0, 0});
            }
            break;
        }
    }
}

// One lane's records as events of their own; returns what did not fit.
std::uint64_t readLane(const RawRecords& raw, std::uint64_t stream, std::uint64_t startClock,
                       const std::vector<ProbeSite>& sites, std::uint32_t lane, bool unfinished,
                       std::vector<StreamEvent>& out, bool& damaged) {
    const auto bounds = rowAt<Stream>(raw.buffer[ProbeMemory::Streams], stream);
    const auto cell = rowAt<Cell>(raw.buffer[ProbeMemory::Cells], stream);
    const std::uint64_t capacity = bounds.end > bounds.first ? bounds.end - bounds.first : 0;
    const std::uint64_t written = cell >= 16 ? cell / 16 - 1 : 0;
    std::uint64_t clock = startClock;
    std::uint64_t n = 0;
    // What was in vain is written behind the end, too, where the lane has said how far it came.
    const std::uint64_t end = unfinished || cell == 0 ? capacity : std::min(capacity, written);
    for (; n < end || (unfinished && capacity > 0 && n == capacity); ++n) {
        const auto r = rowAt<Record>(raw.buffer[ProbeMemory::Records], bounds.first + n);
        if (r.what == 0)
            break; // nothing more was written
        StreamEvent e;
        e.kind = RecordKind((r.what >> 24) & 0xf);
        e.spaceBits = r.what >> 28;
        e.site = (r.what & siteMask) - 1;
        if (e.site >= sites.size()) {
            damaged = true;
            break;
        }
        e.a = r.a;
        e.b = r.b;
        if (e.kind == RecordKind::Batch) {
            const std::vector<BatchMember>& batch = sites[e.site].batch;
            if (batch.empty()) {
                damaged = true;
                break;
            }
            const std::size_t records = recordsOf(batch);
            if (n + records > capacity && n != capacity)
                break;
            std::array<std::uint32_t, batchWords> words{};
            for (std::size_t k = 0; k < records && 4 * k < words.size(); ++k) {
                const auto part = rowAt<Record>(raw.buffer[ProbeMemory::Records], bounds.first + n + k);
                std::memcpy(words.data() + 4 * k, &part, sizeof part);
            }
            unpack(batch, words, (r.what & inVain) != 0, clock, out);
            n += records - 1;
            continue;
        }
        clock += cyclesBetween(std::uint32_t(clock), r.clock); // forwards only
        e.clock = clock;
        if (hasWords(e.kind) && n + 1 >= capacity && n != capacity)
            break; // of what did not fit the next one's words lie there
        e.lanes = 1u << lane;
        if (hasWords(e.kind)) {
            const auto data = rowAt<Record>(raw.buffer[ProbeMemory::Records], bounds.first + ++n);
            e.addresses = {e.a | std::uint64_t(e.b) << 32};
            e.data = {{data.clock, data.what, data.a, data.b}};
        }
        out.push_back(std::move(e));
    }
    // Of a kernel that still runs nobody has said how much it would have written: more than fits, once there is something behind.
    const bool overflowed = unfinished && n > capacity && capacity > 0;
    return written > capacity ? written - capacity : overflowed ? 1 : 0;
}

} // namespace

WarpStreams readStreams(const RawRecords& raw, std::uint32_t row, std::uint64_t startClock,
                        const std::vector<ProbeSite>& sites, bool unfinished) {
    WarpStreams result;
    std::vector<StreamEvent> all;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        result.lost +=
            readLane(raw, std::uint64_t(row) * 32 + lane, startClock, sites, lane, unfinished, all, result.damaged);
    // Within a stream order is as written; between streams the clock decides.
    std::stable_sort(all.begin(), all.end(),
                     [](const StreamEvent& x, const StreamEvent& y) { return x.clock < y.clock; });
    // Lanes that wrote the same access at the same clock took part in the same execution of it.
    for (std::size_t i = 0; i < all.size(); ++i) {
        StreamEvent& e = all[i];
        if (isLaneRecord(e.kind)) {
            if (e.lanes == 0)
                continue; // already taken in
            for (std::size_t k = i + 1; k < all.size() && all[k].clock == e.clock; ++k) {
                StreamEvent& other = all[k];
                if (other.kind != e.kind || other.site != e.site || (other.lanes & e.lanes) || other.lanes == 0)
                    continue;
                e.lanes |= other.lanes;
                e.addresses.push_back(other.addresses[0]);
                e.data.push_back(other.data[0]);
                other.lanes = 0;
            }
        }
        result.events.push_back(std::exchange(e, {}));
    }
    return result;
}

std::vector<std::uint32_t> neededRecords(const ProbeMemory& memory, const RawRecords& raw) {
    std::vector<std::uint32_t> needed(memory.chosen.size() * memory.warpsPerBlock * 32);
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const auto cell = rowAt<Cell>(raw.buffer[ProbeMemory::Cells], i);
        needed[i] = cell >= 16 ? cell / 16 - 1 : 0;
    }
    return needed;
}

} // namespace warpglass::probe
