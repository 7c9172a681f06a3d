// SPDX-License-Identifier: GPL-3.0-or-later
// What is worked out of a whole program's operations once, when it is opened: which row of the picture each lies in, in
// the order of time, and what the launches of each kernel sum up to. View, lists and pictures read the same.
#pragma once

#include "gpu/base/time.h"
#include "gpu/program/order.h"
#include "gpu/program/placing.h"
#include "gpu/program/program.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warpglass {

// An operation as a row needs it: small, and beside its neighbours in memory, because all of them are walked over for
// each picture.
struct RowItem {
    std::int64_t start = 0, end = 0; // ns
    std::uint32_t operation = 0;
    std::uint32_t kernel = noIndex; // of a launch
    program::OperationKind kind = program::OperationKind::Launch;
    bool recorded = false, failed = false;
};
static_assert(sizeof(RowItem) == 32);

// Half a row: what is drawn in one line. The upper line of a stream has what runs (launches, the host's functions), the
// lower one what moves (copies, fills, events); of the host, the upper one has its waits and, where the device works
// later than it is asked to, its calls; the lower one its memory. So the place says what a colour alone would say.
struct RowLine {
    std::vector<RowItem> items;       // by start
    std::vector<std::int64_t> latest; // [item] the last end of it and of those before
    // The first item that may reach into times from `begin` on.
    std::size_t firstFrom(std::int64_t begin) const;
};

struct ProgramRow {
    bool host = false;
    std::uint32_t process = 0;
    std::uint32_t stream = 0; // of a stream's row
    RowLine upper, lower;
};

// Whether it is the row of an operation.
bool shows(const ProgramRow& row, const program::ProgramTrace& trace, const program::Operation& operation);

inline constexpr std::size_t kindCount = std::size_t(program::OperationKind::Library) + 1;
inline constexpr int sparkPoints = 48;

// What the launches of a kernel sum up to. Times in ns.
struct KernelSum {
    std::uint32_t kernel = 0;            // ProgramTrace::kernels
    std::vector<std::uint32_t> launches; // operations, in the order of their calls
    std::uint64_t recorded = 0, failed = 0, estimated = 0;
    std::int64_t total = 0, least = 0, most = 0;
    std::vector<float> spark; // mean ns of the launches of each of up to sparkPoints parts, in order

    double mean() const { return launches.empty() ? 0 : double(total) / double(launches.size()); }
};

struct ProgramModel {
    std::shared_ptr<const program::ProgramTrace> trace; // never null; an emulated program's placed by its durations
    program::Durations durations;
    TimeRange range;                                   // of all operations, never empty
    std::vector<ProgramRow> rows;                      // each process: its host, then its streams that have operations
    std::vector<KernelSum> kernels;                    // one for each of trace->kernels
    std::vector<std::uint32_t> launches;               // [number of the launch] its operation
    std::int64_t launchTime = 0;                       // ns of all launches together
    std::vector<program::Waited> waits;                // by operation
    std::vector<program::CollectiveGroup> collectives; // by their begin
    std::array<bool, kindCount> occurs{};              // [kind]
    bool failed = false;                               // an operation has
    bool deviceTimes =
        true; // times are a device's, measured or not; false: of the emulator's work, which rank no kernels
    bool timedByGpu = false; // the GPU said when it did something; else times are those of the calls

    const program::Operation& operation(std::uint32_t n) const { return trace->operations[n]; }
    // Launches are counted from 0 over the program, as --launches counts them; nothing for another operation.
    std::optional<std::uint32_t> numberOf(std::uint32_t operation) const;
    const program::Waited* waitOf(std::uint32_t operation) const; // null: for nothing of another stream
    double share(const KernelSum& kernel) const;                  // percent of launchTime
};
using ProgramModelPtr = std::shared_ptr<const ProgramModel>;

ProgramModelPtr makeProgramModel(std::shared_ptr<const program::ProgramTrace> trace);
ProgramModelPtr makeProgramModel(program::ProgramTrace trace);

// When an operation began, and the ns that it took, never below 0: within what a damaged file may say.
std::int64_t beginOf(const program::Operation& operation);
std::int64_t lengthOf(const program::Operation& operation);
// When the host asked for it, and when its call came back.
std::pair<std::int64_t, std::int64_t> callOf(const program::Operation& operation);

// Whether it is a function of a library, whose calls have no modelled time, and no kernel.
bool isOfLibrary(const ProgramModel& model, const KernelSum& kernel);

// Which line of a row an operation belongs to.
bool isOfHost(program::OperationKind kind);
bool isUpper(program::OperationKind kind);

} // namespace warpglass
