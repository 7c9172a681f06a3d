// SPDX-License-Identifier: GPL-3.0-or-later
// Inside the program: takes down what it does, in a journal, and decides which launches are recorded in detail. The same
// for the virtual device and for the seat before a driver.
#pragma once

#include "gpu/launch/backend.h"
#include "gpu/program/journal.h"
#include "gpu/program/settings.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <regex>

namespace warpglass::program {

// A kernel of the running program, as far as recording goes.
struct RecordedKernel {
    std::string entry;
    std::vector<Parameter> parameters;
    std::string maker;           // as ProgramKernel has it
    Said unrecorded;             // why its launches cannot be recorded in detail; empty: they can
    std::uint32_t row = noIndex; // in the journal of
    std::int64_t process = 0;    // this one
    std::uint64_t launches = 0;

    std::uint32_t parameterBytes() const {
        return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
    }
};

// A graph of the running program: where it stands in the journal of a process.
struct RecordedGraph {
    std::uint32_t row = noIndex;
    std::int64_t process = 0;
};

class ProgramRecorder {
public:
    ProgramRecorder(Settings settings, BackendKind backend);

    std::int64_t now() const; // ns since the device was first used
    // The options of a launch that is to be recorded in detail; nothing for the others. Counts the launch.
    std::optional<RunOptions> choose(RecordedKernel& kernel);
    // Whether a later launch of a kernel can still be chosen.
    bool mayChoose(const RecordedKernel& kernel) const;
    // Counts a launch that cannot be recorded in detail.
    std::optional<RunOptions> pass();
    // The row of the operation.
    std::uint32_t add(const Operation& operation, std::span<const std::byte> arguments = {});
    std::uint32_t kernelRow(RecordedKernel& kernel);
    std::uint32_t shape(const RecordedShape& shape);
    std::uint32_t add(const ProgramStream& stream);
    // Corrects when an operation was done.
    void add(const OperationTime& time);
    // The row of a launch of a graph. describe: says what the graph is, if the journal does not know it yet.
    std::uint32_t launched(RecordedGraph& graph, std::uint32_t stream, std::int64_t called,
                           const std::function<ProgramGraph()>& describe);
    // A call of NCCL's: its row; and that the operation did it.
    std::uint32_t add(const Collective& collective);
    void add(const CollectiveStep& step);
    // Whose work the operations are that follow, in a launch of a graph; nobody's without one.
    void within(std::uint32_t graphLaunch = noIndex, std::uint32_t node = noIndex);
    // Before add() of the launch that it belongs to.
    void keep(const Trace& trace);
    // A launch of which the machine code is all that is known of its kernel: none of those that --max-recorded counts.
    void keepCode(const Trace& trace);
    bool hasRoomForCode() const { return m_codes < mostCodes; }
    void tell(Message message); // of the operation that add() takes next
    void tellOf(std::uint32_t operation, Message message);
    std::uint32_t next() const { return m_next; } // its row
    void tellOfProgram(Message message);          // of none
    // In the child of a fork: the journal is the parent's.
    void forked();
    // Before the first operation: the device's name, as the recording shows it.
    void setDevice(std::string name) { m_device = std::move(name); }
    const Settings& settings() const { return m_settings; }

private:
    bool open();
    bool isWanted(const RecordedKernel& kernel) const;
    Settings m_settings;
    BackendKind m_backend;
    std::string m_device; // its name; empty: as the settings have it
    std::optional<std::regex> m_kernels;
    std::unique_ptr<Journal> m_journal;
    std::string m_prefix; // of file names; empty in the first process
    std::int64_t m_began;
    std::int64_t m_beganDate; // the same, in ns since 1970
    static constexpr std::uint64_t mostCodes = 200;
    bool keepAs(const char* what, const Trace& trace); // whether it was written
    std::uint64_t m_launches = 0, m_recorded = 0, m_codes = 0;
    std::uint32_t m_next = 0; // row of the next operation
    std::uint32_t m_graphLaunch = noIndex, m_graphNode = noIndex;
    bool m_failed = false;
};

} // namespace warpglass::program
