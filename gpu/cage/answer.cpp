// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/answer.h"

#include "gpu/base/utf8.h"
#include "gpu/cage/fields.h"
#include "gpu/trace/rows.h"
#include "gpu/trace/values.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace warpglass::cage {

namespace {

// A column of a table (gpu/trace/rows.h).
template <class A>
struct Column {
    A& a;
    template <class T>
    void operator()(const char*, T& field, const char*) {
        travel(a, field);
        if constexpr (!A::packs && std::is_enum_v<T>)
            if (std::string_view(name(field)) == "unknown")
                a.fail();
    }
};

template <class A, class Row>
void travelTable(A& a, std::vector<Row>& rows) {
    std::uint64_t count = rows.size();
    travel(a, count);
    if constexpr (!A::packs) {
        rows.clear();
        while (rows.size() < count && a.good())
            describe(Column<A>{a}, rows.emplace_back());
    } else {
        for (Row& row : rows)
            describe(Column<A>{a}, row);
    }
}

void putChunks(Packer& a, const EventTable& events) {
    std::uint64_t rows = events.size();
    travel(a, rows);
    for (std::size_t n = 0; n << eventChunkBits < rows; ++n) {
        const EventChunk& chunk = events.chunk(n);
        putLasting(a, chunk.word.data(), chunk.word.size());
        putLasting(a, chunk.offset.data(), chunk.offset.size());
        putLasting(a, chunk.wide.data(), chunk.wide.size());
        putLasting(a, chunk.words.data(), chunk.words.size());
    }
}

bool isSound(const EventChunk& chunk, std::size_t rows, std::size_t sites) {
    if (chunk.size() != rows ||
        (chunk.wide.empty() ? chunk.offset : std::vector<std::uint32_t>()).size() + chunk.wide.size() != rows)
        return false;
    const auto most = std::max_element(chunk.word.begin(), chunk.word.end());
    if (most == chunk.word.end() || *most >= chunk.words.size())
        return false;
    constexpr std::int64_t longest =
        std::numeric_limits<std::int64_t>::max() / 4; // sums with a warp's start are numbers
    return std::all_of(chunk.wide.begin(), chunk.wide.end(), [](std::int64_t t) { return t >= 0 && t <= longest; }) &&
           std::all_of(chunk.words.begin(), chunk.words.end(), [&](const EventWord& word) {
               return (word.siteKind & 0x0fffffffu) < sites &&
                      std::string_view(name(EventKind(word.siteKind >> 28))) != "unknown";
           });
}

EventTable takeChunks(Unpacker& a, std::size_t sites) {
    std::uint64_t rows = 0;
    travel(a, rows);
    std::vector<EventChunk> all;
    for (std::uint64_t left = rows; left > 0 && a.good(); left -= std::min<std::uint64_t>(left, eventChunkRows)) {
        EventChunk& chunk = all.emplace_back();
        takeLasting(a, chunk.word);
        takeLasting(a, chunk.offset);
        takeLasting(a, chunk.wide);
        takeLasting(a, chunk.words);
        if (!isSound(chunk, std::min<std::uint64_t>(left, eventChunkRows), sites))
            a.fail();
    }
    return a.good() ? EventTable::of(std::move(all)) : EventTable();
}

// What a reader of one row relies on, as of a file that unpacks itself (gpu/trace/read.cpp).
bool rowsAreSound(const Trace& trace) {
    const auto isFlag = [](const bool& flag) { return reinterpret_cast<const std::uint8_t&>(flag) <= 1; };
    return std::all_of(trace.states.begin(), trace.states.end(),
                       [](const StateRow& s) {
                           return s.state < WarpState::Count_ && s.end >= s.begin && isSensible(s.begin) &&
                                  isSensible(s.end);
                       }) &&
           std::all_of(trace.accesses.begin(), trace.accesses.end(), [&](const AccessRow& a) {
               return a.space <= MemorySpace::Texture && a.kind <= AccessKind::Atomic && isFlag(a.shuffle) &&
                      isFlag(a.isFloat) && a.event < trace.events.size();
           });
}

template <class A>
void travelTrace(A& a, Trace& trace) {
    FlatRows flat;
    if constexpr (A::packs)
        flat = flatten(trace);
    forEachSmallTable(trace, flat, [&](const char*, auto& rows) { travelTable(a, rows); });
    if constexpr (!A::packs) {
        const auto clean = [](Said& said) {
            if (!said.isTyped())
                said = validUtf8(said);
        };
        for (Diagnostic& d : trace.diagnostics)
            clean(d.message);
        for (HangWaitRow& row : flat.hangWaits) {
            clean(row.wait.what);
            clean(row.wait.why);
        }
        for (Launch& l : trace.launches)
            clean(l.reason);
        if (a.good() && !unflatten(std::move(flat), trace))
            a.fail();
    }
    const auto large = [&](auto& rows) {
        if constexpr (A::packs)
            putLasting(a, rows.data(), rows.size());
        else
            takeLasting(a, rows);
    };
    large(trace.blocks);
    large(trace.warps);
    if constexpr (A::packs)
        putChunks(a, trace.events);
    else
        trace.events = takeChunks(a, trace.sites.size());
    large(trace.states);
    large(trace.accesses);
    large(trace.accessAddresses);
    large(trace.accessValues);
}

// How many bytes each of a run's buffers has; of a launch that kept its memory there are none but what is dumped.
std::vector<std::uint64_t> bufferBytes(const LaunchPlan& plan, const RunOptions& options) {
    std::vector<std::uint64_t> bytes;
    if (!options.results && !plan.check)
        return bytes;
    if (!plan.kept) {
        for (const auto* arguments : {&plan.arguments, &plan.globalBuffers})
            for (const Argument& argument : *arguments)
                bytes.push_back(argument.isBuffer ? argument.count * std::uint64_t(bytesOf(argument.type)) : 0);
        for (const TexelArray& array : plan.arrays)
            bytes.push_back(array.bytes());
    }
    for (const DumpedVariable& variable : plan.dumped)
        bytes.push_back(variable.bytes);
    return bytes;
}

// As many as were asked for, each of the size that was asked for; where it can be into memory that there is for it.
void takeBuffers(Unpacker& a, const std::vector<std::uint64_t>& bytes, Buffers room, Buffers& buffers) {
    std::uint64_t count = 0;
    travel(a, count);
    if (count != bytes.size())
        a.fail();
    for (std::size_t n = 0; n < bytes.size() && a.good(); ++n) {
        if (countOf<std::byte>(a) != bytes[n])
            return a.fail();
        std::vector<std::byte>& buffer = buffers.emplace_back();
        if (n < room.size() && room[n].size() == bytes[n]) {
            buffer = std::move(room[n]);
            if (const auto at = a.place(bytes[n]))
                a.reach(buffer.data(), bytes[n], *at);
            else
                a.bytes(buffer.data(), bytes[n]);
            continue;
        }
        buffer.reserve(bytes[n]);
        takeLasting(a, buffer, bytes[n]);
    }
}

} // namespace

bool putAnswer(Packer& packer, Result<Recording>& answer) {
    bool ran = answer.ok();
    travel(packer, ran);
    if (!ran) {
        Error error = answer.error();
        travel(packer, error);
        return packer.finish();
    }
    Recording& recording = *answer;
    travelAll(packer, recording.warpInstructions, recording.wallSeconds, recording.estimatedNs, recording.fault);
    travelFindings(packer, recording.findings);
    std::uint64_t count = recording.buffers.size();
    travel(packer, count);
    for (std::vector<std::byte>& buffer : recording.buffers) {
        putLasting(packer, buffer.data(), buffer.size());
        if (!packer.byPlace())
            buffer = {};
    }
    Trace& trace = const_cast<Trace&>(*recording.trace); // nobody else has seen it
    trace.kept = {};                                     // who asked has it
    trace.asked.clear();
    travelTrace(packer, trace);
    return packer.finish();
}

std::optional<Result<Recording>> takeAnswer(Unpacker& unpacker, const LaunchPlan& plan, const RunOptions& options,
                                            Buffers room) {
    bool ran = false;
    travel(unpacker, ran);
    if (!ran) {
        Error error;
        travel(unpacker, error);
        error.file = validUtf8(error.file);
        return unpacker.good() ? std::optional<Result<Recording>>(std::move(error)) : std::nullopt;
    }
    Recording recording;
    travelAll(unpacker, recording.warpInstructions, recording.wallSeconds, recording.estimatedNs, recording.fault);
    travelFindings(unpacker, recording.findings);
    if (recording.fault)
        recording.fault->file = validUtf8(recording.fault->file);
    takeBuffers(unpacker, bufferBytes(plan, options), std::move(room), recording.buffers);
    auto trace = std::make_shared<Trace>();
    travelTrace(unpacker, *trace);
    trace->info.command = options.command;
    trace->asked = options.asked;
    if (plan.kept)
        trace->kept = *plan.kept;
    if (!unpacker.good() || !validateOutline(*trace) || !rowsAreSound(*trace) || trace->launches.empty())
        return std::nullopt;
    recording.trace = std::move(trace);
    return recording;
}

} // namespace warpglass::cage
