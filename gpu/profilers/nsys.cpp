// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/nsys.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/messages/program.h"
#include "gpu/profilers/tables.h"
#include "gpu/trace/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace warpglass::profilers {

namespace {

using namespace program;

constexpr std::size_t mostOperations = 20'000'000;

// Of cuda.h and cupti_activity.h: how a copy goes, what memory is, and what a synchronisation waits for.
constexpr std::int64_t hostToDevice = 1, deviceToHost = 2, hostToHost = 9;
constexpr std::int64_t eventSync = 1, streamWaitEvent = 2, streamSync = 3, contextSync = 4;
constexpr std::int64_t pageableMemory = 0, pinnedMemory = 1, managedMemory = 4;
constexpr std::int64_t freed = 1; // MEMORY_USAGE: memoryOperationType

// "globalPid" holds the process in its bits 24 to 47 (the reference's "Serialized process and thread identifiers").
std::int64_t processOf(std::int64_t global) {
    return (global >> 24) & 0xffffff;
}

// Calls that wait: a name as it is exported has the version of the interface behind it.
struct WaitingCall {
    std::string_view name;
    OperationKind kind;
    std::uint64_t waitsFor; // 0: an event
};
const WaitingCall* waitingCall(std::string_view call) {
    static constexpr std::array<WaitingCall, 8> calls{{{"cudaDeviceSynchronize", OperationKind::Wait, waitsForDevice},
                                                       {"cuCtxSynchronize", OperationKind::Wait, waitsForDevice},
                                                       {"cudaStreamSynchronize", OperationKind::Wait, waitsForStream},
                                                       {"cuStreamSynchronize", OperationKind::Wait, waitsForStream},
                                                       {"cudaEventSynchronize", OperationKind::Wait, 0},
                                                       {"cuEventSynchronize", OperationKind::Wait, 0},
                                                       {"cudaStreamWaitEvent", OperationKind::StreamWait, 0},
                                                       {"cuStreamWaitEvent", OperationKind::StreamWait, 0}}};
    const auto found = std::ranges::find_if(calls, [&](const WaitingCall& c) { return call.starts_with(c.name); });
    return found == calls.end() ? nullptr : &*found;
}

class Export {
public:
    Export(Database& database, ProgramTrace& program) : m_database(database), m_program(program) {}

    Result<void> read() {
        for (const auto step : {&Export::kernels, &Export::graphs, &Export::copies, &Export::fills, &Export::memory,
                                &Export::events, &Export::waits, &Export::calls})
            if (auto ok = (this->*step)(); !ok)
                return ok;
        finish();
        return facts();
    }

private:
    // "SELECT a, NULL, c FROM table": NULL for a column that this version does not have. Empty: it has no such table, or not
    // one of the first `needed`.
    Result<std::string> select(const std::string& table, const std::vector<std::string>& columns, std::size_t needed) {
        auto there = m_database.columnsOf(table);
        if (!there)
            return there.error();
        std::string sql;
        for (std::size_t n = 0; n < columns.size(); ++n) {
            const bool has = std::ranges::find(*there, columns[n]) != there->end();
            if (!has && n < needed)
                return std::string();
            sql +=
                fmt::format("{}{}", sql.empty() ? "SELECT " : ", ", has ? fmt::format("\"{}\"", columns[n]) : "NULL");
        }
        return fmt::format("{} FROM {}", sql, table);
    }
    template <class F>
    Result<void> each(const std::string& table, const std::vector<std::string>& columns, std::size_t needed, F row) {
        const Result<std::string> sql = select(table, columns, needed);
        if (!sql)
            return sql.error();
        return sql->empty() ? Result<void>() : m_database.forEachRow(*sql, [&](Statement& s) -> Result<void> {
            if (m_program.operations.size() >= mostOperations)
                return Error{say::ReportTooLong(mostOperations)};
            row(s);
            return {};
        });
    }

    std::uint32_t process(std::int64_t global) {
        const std::int64_t number = processOf(global);
        const auto found = std::ranges::find(m_processes, number);
        if (found == m_processes.end())
            return m_processes.push_back(number), std::uint32_t(m_processes.size() - 1);
        return std::uint32_t(found - m_processes.begin());
    }
    std::uint32_t stream(std::int64_t global, std::int64_t device, std::int64_t context, std::int64_t number) {
        const std::tuple key{process(global), device, context, number};
        const auto [place, isNew] = m_streams.emplace(key, std::uint32_t(m_program.streams.size()));
        if (isNew)
            m_program.streams.push_back({.name = streamName(std::uint32_t(number)),
                                         .device = std::uint32_t(device),
                                         .process = std::get<0>(key)});
        return place->second;
    }
    // Of what belongs to none: the process's first.
    std::uint32_t anyStream(std::int64_t global, std::int64_t device) {
        const std::uint32_t own = process(global);
        const auto found = m_streams.lower_bound(std::tuple(own, std::int64_t(0), std::int64_t(0), std::int64_t(0)));
        constexpr std::int64_t legacy = 7;
        return found != m_streams.end() && std::get<0>(found->first) == own ? found->second
                                                                            : stream(global, device, 0, legacy);
    }
    // The call that a work is of, and when it was made.
    void callIs(Operation& o, const Statement& s, const WaitingCall* wait) {
        o.called = s.integer(0);
        o.returned = std::max(s.integer(0), s.integer(1));
        if (o.kind == OperationKind::Record)
            o.start = o.end = o.called;
        if (wait && (o.kind == OperationKind::Wait || o.kind == OperationKind::StreamWait)) {
            // The call knows better: version 2025.3 says of every synchronisation that a stream waits for an event.
            o.kind = wait->kind;
            o.from = wait->waitsFor ? wait->waitsFor : o.from;
        }
    }
    // Which call a work is of. Numbers are of a process.
    void expectCall(std::int64_t global, std::int64_t correlation) {
        m_calls.emplace(std::pair(processOf(global), correlation), m_program.operations.size());
    }
    Operation work(OperationKind kind, const Statement& s) {
        Operation o{.start = s.integer(0), .end = std::max(s.integer(0), s.integer(1)), .kind = kind};
        o.called = o.returned = o.start;
        return o;
    }

    Result<void> kernels() {
        // Names first: a join reads the table of texts once a row.
        std::unordered_map<std::int64_t, std::uint32_t> rows;
        auto found = select("CUPTI_ACTIVITY_KIND_KERNEL", {"start", "end", "demangledName"}, 3);
        if (!found)
            return found.error();
        if (!found->empty()) {
            auto names =
                m_database.forEachRow("SELECT id, value FROM StringIds WHERE id IN (SELECT DISTINCT demangledName FROM "
                                      "CUPTI_ACTIVITY_KIND_KERNEL)",
                                      [&](Statement& s) -> Result<void> {
                                          rows.emplace(s.integer(0), kernelRow(m_program, std::string(s.text(1))));
                                          return {};
                                      });
            if (!names)
                return names;
        }
        return each("CUPTI_ACTIVITY_KIND_KERNEL",
                    {"start", "end", "deviceId", "streamId", "demangledName", "gridX", "gridY", "gridZ", "blockX",
                     "blockY", "blockZ", "dynamicSharedMemory", "correlationId", "globalPid", "contextId"},
                    11, [&](Statement& s) {
                        Operation o = work(OperationKind::Launch, s);
                        o.stream = stream(s.integer(13), s.integer(2), s.integer(14), s.integer(3));
                        const auto kernel = rows.find(s.integer(4));
                        o.kernel = kernel != rows.end() ? kernel->second : kernelRow(m_program, "?");
                        const auto side = [&](int column) { return std::uint32_t(s.integer(column)); };
                        o.shape = shapeRow(m_program, {.grid = {side(5), side(6), side(7)},
                                                       .block = {side(8), side(9), side(10)},
                                                       .sharedBytes = side(11)});
                        expectCall(s.integer(13), s.integer(12));
                        m_program.operations.push_back(o);
                    });
    }

    // Graphs that were traced as a whole: their nodes are not told.
    Result<void> graphs() {
        return each("CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                    {"start", "end", "graphId", "deviceId", "streamId", "correlationId", "globalPid", "contextId"}, 3,
                    [&](Statement& s) {
                        Operation o = work(OperationKind::Launch, s);
                        o.stream = stream(s.integer(6), s.integer(3), s.integer(7), s.integer(4));
                        o.kernel = kernelRow(m_program, fmt::format("graph {}", s.integer(2)));
                        m_program.kernels[o.kernel].unrecorded = say::NsysGraph;
                        expectCall(s.integer(6), s.integer(5));
                        m_program.operations.push_back(o);
                    });
    }

    Result<void> copies() {
        return each(
            "CUPTI_ACTIVITY_KIND_MEMCPY",
            {"start", "end", "bytes", "copyKind", "deviceId", "streamId", "correlationId", "globalPid", "contextId"}, 4,
            [&](Statement& s) {
                Operation o = work(OperationKind::Copy, s);
                o.bytes = std::uint64_t(s.integer(2));
                const std::int64_t kind = s.integer(3);
                o.direction = kind == hostToDevice   ? Direction::HostToDevice
                              : kind == deviceToHost ? Direction::DeviceToHost
                              : kind == hostToHost   ? Direction::HostToHost
                                                     : Direction::DeviceToDevice;
                o.stream = stream(s.integer(7), s.integer(4), s.integer(8), s.integer(5));
                expectCall(s.integer(7), s.integer(6));
                m_program.operations.push_back(o);
            });
    }

    Result<void> fills() {
        return each("CUPTI_ACTIVITY_KIND_MEMSET",
                    {"start", "end", "bytes", "deviceId", "streamId", "correlationId", "globalPid", "contextId"}, 3,
                    [&](Statement& s) {
                        Operation o = work(OperationKind::Fill, s);
                        o.bytes = std::uint64_t(s.integer(2));
                        o.stream = stream(s.integer(6), s.integer(3), s.integer(7), s.integer(4));
                        expectCall(s.integer(6), s.integer(5));
                        m_program.operations.push_back(o);
                    });
    }

    Result<void> memory() {
        return each("CUDA_GPU_MEMORY_USAGE_EVENTS",
                    {"start", "address", "bytes", "memKind", "memoryOperationType", "globalPid", "deviceId",
                     "contextId", "correlationId"},
                    5, [&](Statement& s) {
                        Operation o;
                        o.start = o.end = o.called = o.returned = s.integer(0);
                        o.kind = s.integer(4) == freed ? OperationKind::Free : OperationKind::Allocate;
                        o.to = std::uint64_t(s.integer(1));
                        o.bytes = o.kind == OperationKind::Allocate ? std::uint64_t(s.integer(2)) : 0;
                        const std::int64_t kind = s.integer(3);
                        o.memory = kind == managedMemory                            ? MemoryKind::Managed
                                   : kind == pinnedMemory || kind == pageableMemory ? MemoryKind::Host
                                                                                    : MemoryKind::Device;
                        o.stream = anyStream(s.integer(5), s.integer(6));
                        m_program.operations.push_back(o);
                    });
    }

    // Records of events; their times stand in the rows of the calls.
    Result<void> events() {
        return each("CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                    {"correlationId", "eventId", "streamId", "deviceId", "globalPid", "contextId"}, 3,
                    [&](Statement& s) {
                        Operation o{.from = std::uint64_t(s.integer(1)), .kind = OperationKind::Record};
                        o.stream = stream(s.integer(4), s.integer(3), s.integer(5), s.integer(2));
                        m_untimed.push_back(m_program.operations.size());
                        expectCall(s.integer(4), s.integer(0));
                        m_program.operations.push_back(o);
                    });
    }

    // Waits. The host's stand in the calls, too, which are there where this table is not.
    Result<void> waits() {
        return each(
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            {"start", "end", "syncType", "streamId", "eventId", "correlationId", "deviceId", "globalPid", "contextId"},
            3, [&](Statement& s) {
                const std::int64_t kind = s.integer(2);
                if (kind < eventSync || kind > contextSync)
                    return;
                Operation o = work(kind == streamWaitEvent ? OperationKind::StreamWait : OperationKind::Wait, s);
                o.returned = o.end;
                o.from = kind == streamSync    ? waitsForStream
                         : kind == contextSync ? waitsForDevice
                                               : std::uint64_t(s.integer(4));
                o.stream = kind == contextSync ? anyStream(s.integer(7), s.integer(6))
                                               : stream(s.integer(7), s.integer(6), s.integer(8), s.integer(3));
                expectCall(s.integer(7), s.integer(5));
                m_program.operations.push_back(o);
            });
    }

    Result<void> calls() {
        std::unordered_map<std::int64_t, const WaitingCall*> waiting; // by the number of its name
        auto names = each("StringIds", {"id", "value"}, 2, [&](Statement& s) {
            if (const WaitingCall* call = waitingCall(s.text(1)))
                waiting.emplace(s.integer(0), call);
        });
        if (!names)
            return names;
        return each("CUPTI_ACTIVITY_KIND_RUNTIME",
                    {"start", "end", "correlationId", "nameId", "globalTid", "returnValue"}, 4, [&](Statement& s) {
                        const std::int64_t global = s.integer(4);
                        const auto name = waiting.find(s.integer(3));
                        const WaitingCall* wait = name == waiting.end() ? nullptr : name->second;
                        // A graph's launch is the call of many.
                        const auto [first, last] = m_calls.equal_range(std::pair(processOf(global), s.integer(2)));
                        for (auto it = first; it != last; ++it)
                            callIs(m_program.operations[it->second], s, wait);
                        if (!wait || wait->kind != OperationKind::Wait || first != last)
                            return;
                        Operation o = work(OperationKind::Wait, s);
                        o.returned = o.end;
                        o.from = wait->waitsFor;
                        o.error = std::uint32_t(s.integer(5));
                        o.stream = anyStream(global, 0);
                        m_program.operations.push_back(o);
                    });
    }

    // In the order of their calls, on a clock that begins with the first of them; records without a call have no time.
    void finish() {
        auto& all = m_program.operations;
        for (auto it = m_untimed.rbegin(); it != m_untimed.rend(); ++it)
            if (all[*it].called == 0)
                all.erase(all.begin() + std::ptrdiff_t(*it));
        std::ranges::stable_sort(all, {}, &Operation::called);
        std::int64_t begin = all.empty() ? 0 : all.front().called;
        for (const Operation& o : all)
            begin = std::min({begin, o.called, o.start});
        for (Operation& o : all)
            for (std::int64_t* time : {&o.start, &o.end, &o.called, &o.returned})
                *time -= begin;
        m_begin = begin;
        for (std::size_t n = 0; n < m_processes.size(); ++n)
            m_program.info.processes.push_back({.process = m_processes[n]});
        if (m_processes.size() == 1) {
            m_program.info.process = m_processes.front();
            m_program.info.processes.clear();
        }
    }

    Result<void> facts() {
        ProgramInfo& info = m_program.info;
        info.backend = BackendKind::Cuda;
        info.made = "Nsight Systems";
        if (auto ok = each("TARGET_INFO_GPU", {"name"}, 1,
                           [&](Statement& s) {
                               if (info.device.empty())
                                   info.device = s.text(0);
                           });
            !ok)
            return ok;
        if (auto ok = each("PROCESSES", {"globalPid", "name"}, 2,
                           [&](Statement& s) {
                               const bool own = !m_processes.empty() && processOf(s.integer(0)) == m_processes.front();
                               const std::string_view name = s.text(1);
                               if (own)
                                   info.command = name.substr(name.find_last_of("/\\") + 1);
                           });
            !ok)
            return ok;
        return each("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, 1,
                    [&](Statement& s) { info.began = s.integer(0) + m_begin; });
    }

    Database& m_database;
    ProgramTrace& m_program;
    std::vector<std::int64_t> m_processes;
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t>, std::uint32_t> m_streams;
    std::multimap<std::pair<std::int64_t, std::int64_t>, std::size_t>
        m_calls;                        // rows of operations by process and number
    std::vector<std::size_t> m_untimed; // rows of records
    std::int64_t m_begin = 0;
};

} // namespace

Result<ProgramTrace> readNsys(const std::filesystem::path& path, const Progress* progress) {
    auto database = Database::openForeign(path, progress);
    if (!database)
        return database.error();
    ProgramTrace program;
    if (auto ok = Export(*database, program).read(); !ok) {
        Error error = ok.error();
        error.file = path.string();
        return error;
    }
    if (program.operations.empty())
        return Error{say::NsysNoWork, path.string(), 0, 0, say::NsysRemedy};
    listAllocations(program);
    program.messages.push_back(messageOf(noIndex, say::NsysRead));
    return program;
}

} // namespace warpglass::profilers
