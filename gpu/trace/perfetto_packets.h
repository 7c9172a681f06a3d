// SPDX-License-Identifier: GPL-3.0-or-later
// Perfetto's trace format, as far as an export of warps needs it: a protobuf message Trace of TracePackets. The field
// numbers are those of perfetto's trace_packet.proto, track_descriptor.proto, track_event.proto and
// debug_annotation.proto; so few are needed that they are encoded here, without a library.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

// Protobuf's wire format: numbers of 7 bits a byte, messages and text with their length before them.
class PerfettoMessage {
public:
    void number(int field, std::uint64_t value);
    void real(int field, double value);
    void text(int field, std::string_view value); // what is no UTF-8 gets replacement characters
    void message(int field, const PerfettoMessage& value);
    const std::string& bytes() const { return m_bytes; }
    bool empty() const { return m_bytes.empty(); }

private:
    void varint(std::uint64_t n);
    void lengthAndBytes(int field, std::string_view value);
    std::string m_bytes;
};

// The names of arguments: said once in the file, then numbers.
enum class PerfettoArgument : std::uint8_t {
    Launch = 1, // Perfetto's number 0 means none
    Block,
    WarpInBlock,
    LiveLanes,
    ActiveMask,
    TakenMask,
    LanesOn,
    Line,
    Instruction,
    Cycles,
    FromCycle,
    Grid,
    BlockShape,
    Kernel,
    Stream,
    Depth,
    Parent,
    Status,
    Reason,
    SharedBytes,
    Count_
};

// What a slice says of itself when it is clicked.
class PerfettoArguments {
public:
    PerfettoArguments& number(PerfettoArgument name, std::int64_t value);
    PerfettoArguments& mask(PerfettoArgument name, std::uint32_t bits); // shown in hexadecimal
    PerfettoArguments& text(PerfettoArgument name, std::string_view value);
    PerfettoArguments& named(std::string_view name, double value);
    PerfettoArguments& interned(PerfettoArgument name, std::uint64_t text); // number of a text of PerfettoPackets
    void addTo(PerfettoMessage& event) const;

private:
    std::vector<PerfettoMessage> m_all;
};

class PerfettoPackets {
public:
    // texts: said once, so that every event at a site can point at its instruction; number i + 1 is texts[i].
    PerfettoPackets(std::ostream& out, const std::vector<std::string>& texts);

    // Tracks; each returns its uuid.
    std::uint64_t process(int pid, std::string_view name);
    std::uint64_t thread(int pid, std::int64_t tid, std::string_view name);
    std::uint64_t track(std::uint64_t parent, std::string_view name);
    std::uint64_t counter(std::uint64_t parent, std::string_view name);

    void begin(std::uint64_t track, std::int64_t at, std::string_view name, const PerfettoArguments& arguments = {});
    void end(std::uint64_t track, std::int64_t at);
    void instant(std::uint64_t track, std::int64_t at, std::string_view name, const PerfettoArguments& arguments = {});
    void value(std::uint64_t counter, std::int64_t at, std::int64_t value);
    void value(std::uint64_t counter, std::int64_t at, double value);

private:
    void write(PerfettoMessage& packet);
    void describe(const PerfettoMessage& track);
    void event(std::int64_t at, const PerfettoMessage& event);

    std::ostream& m_out;
    std::uint64_t m_uuid = 0;
    bool m_first = true;
};

} // namespace warpglass
