// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program_file.h"

#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/part.h"
#include "gpu/base/read_file.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/program/old_messages.h"
#include "gpu/program/program_traces.h"
#include "gpu/program/rows_json.h"
#include "gpu/trace/database.h"
#include "gpu/trace/file_layout.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <system_error>

namespace warpglass::program {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t applicationId = programApplicationId;
constexpr std::size_t chunkRows = 65536;
constexpr std::size_t argumentChunk = 8 << 20; // bytes
constexpr int packLevel = 3;

// Bytes of equal place together, differences where a field counts up: what changes little packs well.
std::vector<std::byte> columnsOf(std::span<const Operation> rows) {
    std::vector<std::byte> out(rows.size_bytes());
    Operation before{};
    for (std::size_t n = 0; n < rows.size(); ++n) {
        Operation o = rows[n];
        const Operation whole = o;
        o.returned -= o.end;
        o.called -= o.start;
        o.end -= o.start;
        o.start -= before.start;
        o.arguments -= before.arguments;
        before = whole;
        const auto bytes = std::as_bytes(std::span(&o, 1));
        for (std::size_t b = 0; b < bytes.size(); ++b)
            out[b * rows.size() + n] = bytes[b];
    }
    return out;
}

// What differences come to; those of a damaged file come to anything.
std::int64_t later(std::int64_t time, std::int64_t by) {
    return std::int64_t(std::uint64_t(time) + std::uint64_t(by));
}

// Version 1 had no times of the call, version 2 no durations, version 6 no bytes of rows: theirs are shorter.
void rowsOf(std::span<const std::byte> columns, std::span<Operation> rows, std::size_t rowBytes) {
    constexpr std::size_t block = 256; // rows that stay in the cache while their columns are read
    const auto bytes = std::as_writable_bytes(rows);
    for (std::size_t first = 0; first < rows.size(); first += block) {
        const std::size_t end = std::min(first + block, rows.size());
        for (std::size_t b = 0; b < rowBytes; ++b)
            for (std::size_t n = first; n < end; ++n)
                bytes[n * sizeof(Operation) + b] = columns[b * rows.size() + n];
    }
    Operation before{};
    for (Operation& o : rows) {
        o.start = later(o.start, before.start);
        o.end = later(o.end, o.start);
        o.called = later(o.called, o.start);
        o.returned = later(o.returned, o.end);
        o.arguments += before.arguments;
        before = o;
    }
}

std::vector<std::byte> packed(std::span<const std::byte> bytes) {
    std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), packLevel));
    return out;
}

Error damaged(const fs::path& path, const Message& what) {
    return Error{.message = say::ProgramDamaged(what), .file = path.string()};
}

constexpr const char* rowTables[] = {"program", "kernels", "streams", "recordings", "messages", "graphs"};
constexpr const char* chunksSchema =
    "CREATE TABLE chunks (name TEXT, number INTEGER, rows INTEGER, bytes INTEGER, data BLOB)";
// A launch's trace is one blob, and SQLite has none longer.
constexpr std::int64_t longestValue = 1'000'000'000;
// Of a row's text, which may become sixty times as many bytes of brackets in brackets.
constexpr std::size_t longestRow = 16 << 20;

std::string rowsSchema(const char* table) {
    return fmt::format("CREATE TABLE {} (number INTEGER PRIMARY KEY, row TEXT)", table);
}

Contents programContents() {
    std::vector<std::string> tables{chunksSchema, tracesSchema, plainTracesSchema};
    for (const char* table : rowTables)
        tables.push_back(rowsSchema(table));
    return {std::move(tables), longestValue};
}

template <class Row>
Result<void> writeRows(Database& db, const char* table, const std::vector<Row>& rows) {
    if (auto ok = db.run(rowsSchema(table)); !ok)
        return ok;
    auto insert = db.prepare(fmt::format("INSERT INTO {} VALUES (?, ?)", table));
    if (!insert)
        return insert.error();
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const std::string text = toJson(rows[n]).dump();
        insert->bind(0, std::int64_t(n));
        insert->bind(1, std::string_view(text));
        if (auto ok = insert->run(); !ok)
            return ok;
    }
    return {};
}

template <class Row>
Result<void> readRows(Database& db, const fs::path& path, const char* table, std::vector<Row>& rows) {
    return db.forEachRow(fmt::format("SELECT row FROM {} ORDER BY number", table),
                         [&](Statement& line) -> Result<void> {
                             if (line.text(0).size() > longestRow)
                                 return damaged(path, say::ProgramRowLong);
                             const auto json = nlohmann::json::parse(line.text(0), nullptr, false);
                             Row& row = rows.emplace_back();
                             if (json.is_object())
                                 fromJson(json, row);
                             return {};
                         });
}

Result<void> writeChunks(Database& db, const ProgramTrace& program) {
    if (auto ok = db.run(chunksSchema); !ok)
        return ok;
    auto insert = db.prepare("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)");
    if (!insert)
        return insert.error();
    const auto write = [&](const char* name, std::size_t number, std::size_t rows, std::span<const std::byte> bytes) {
        const std::vector<std::byte> data = packed(bytes);
        insert->bind(0, std::string_view(name));
        insert->bind(1, std::int64_t(number));
        insert->bind(2, std::int64_t(rows));
        insert->bind(3, std::int64_t(bytes.size()));
        insert->bind(4, std::span(data));
        return insert->run();
    };
    const std::span<const Operation> all(program.operations);
    for (std::size_t at = 0; at < all.size(); at += chunkRows) {
        const auto rows = all.subspan(at, std::min(chunkRows, all.size() - at));
        if (auto ok = write("operations", at / chunkRows, rows.size(), columnsOf(rows)); !ok)
            return ok;
    }
    const std::span<const std::byte> arguments(program.arguments);
    for (std::size_t at = 0; at < arguments.size(); at += argumentChunk) {
        const auto bytes = arguments.subspan(at, std::min(argumentChunk, arguments.size() - at));
        if (auto ok = write("arguments", at / argumentChunk, bytes.size(), bytes); !ok)
            return ok;
    }
    const auto writeAll = [&](const char* name, const auto& rows) {
        return write(name, 0, rows.size(), std::as_bytes(std::span(rows)));
    };
    auto ok = writeAll("shapes", program.shapes);
    ok = ok ? writeAll("graph_launches", program.graphLaunches) : std::move(ok);
    ok = ok ? writeAll("graph_steps", program.graphSteps) : std::move(ok);
    ok = ok ? writeAll("collectives", program.collectives) : std::move(ok);
    return ok ? writeAll("collective_steps", program.collectiveSteps) : std::move(ok);
}

// A table that is one chunk; false: it is damaged.
template <class Row>
bool take(std::span<const std::byte> bytes, std::uint64_t count, std::vector<Row>& rows) {
    if (count > bytes.size() / sizeof(Row) || bytes.size() != count * sizeof(Row)) // the product may begin anew at 0
        return false;
    rows.resize(count);
    if (count)
        std::memcpy(rows.data(), bytes.data(), bytes.size());
    return true;
}

Result<void> readChunks(Database& db, const fs::path& path, ProgramTrace& program) {
    std::uint64_t held = 0;
    return db.forEachRow(
        "SELECT name, rows, bytes, data FROM chunks ORDER BY rowid", [&](Statement& chunk) -> Result<void> {
            const std::string name(chunk.text(0));
            const auto rows = std::uint64_t(chunk.integer(1)), bytes = std::uint64_t(chunk.integer(2));
            const auto data = chunk.blob(3);
            if (bytes > (std::uint64_t(1) << 30) || ZSTD_getFrameContentSize(data.data(), data.size()) != bytes)
                return damaged(path, say::ProgramChunkLength);
            if ((held += bytes) > memoryLimit()) // a few packed bytes can promise a gigabyte
                return Error{.message = say::ProgramMemory(memoryWords(memoryLimit())),
                             .file = path.string(),
                             .remedy = say::MemoryRemedy};
            std::vector<std::byte> unpacked(bytes);
            if (ZSTD_decompress(unpacked.data(), bytes, data.data(), data.size()) != bytes)
                return damaged(path, say::ProgramChunkPacked);
            if (name == "operations") {
                const std::size_t rowBytes = rows ? bytes / rows : 0;
                if (rows > chunkRows || bytes != rows * rowBytes ||
                    (rows && rowBytes != sizeof(Operation) && rowBytes != offsetof(Operation, rowBytes) &&
                     rowBytes != offsetof(Operation, duration) && rowBytes != offsetof(Operation, called)))
                    return damaged(path, say::ProgramOperations);
                const std::size_t at = program.operations.size();
                program.operations.resize(at + rows);
                rowsOf(unpacked, std::span(program.operations).subspan(at), rowBytes);
            } else if (name == "arguments") {
                program.arguments.insert(program.arguments.end(), unpacked.begin(), unpacked.end());
            } else if (name == "shapes" && !take(unpacked, rows, program.shapes)) {
                return damaged(path, say::ProgramShapes);
            } else if ((name == "graph_launches" && !take(unpacked, rows, program.graphLaunches)) ||
                       (name == "graph_steps" && !take(unpacked, rows, program.graphSteps)) ||
                       (name == "collectives" && !take(unpacked, rows, program.collectives)) ||
                       (name == "collective_steps" && !take(unpacked, rows, program.collectiveSteps))) {
                return damaged(path, say::ProgramChunkLength);
            }
            return {};
        });
}

bool isSensible(std::int64_t time) {
    constexpr std::int64_t days = std::int64_t(1) << 52; // 52, in ns
    return time >= -days && time <= days;
}

// Rows that a damaged file makes up are cut off, so that no reader has to ask.
void checkRows(ProgramTrace& p) {
    for (Operation& o : p.operations) {
        if (!isSensible(o.start) || !isSensible(o.end) || !isSensible(o.called) || !isSensible(o.returned))
            o.start = o.end = o.called = o.returned = 0;
        if (o.timed > TimeOrigin::Modelled || o.duration <= 0 || !isSensible(o.duration)) {
            o.timed = TimeOrigin::None;
            o.duration = 0;
        }
        if (o.kernel >= p.kernels.size())
            o.kernel = noIndex;
        if (o.shape >= p.shapes.size())
            o.shape = noIndex;
        if (o.recording >= p.recordings.size())
            o.recording = noIndex;
        if (o.stream >= p.streams.size())
            o.stream = 0;
        if (o.kind > OperationKind::Library)
            o.kind = OperationKind::HostFunction;
        if (o.direction > Direction::HostToHost)
            o.direction = Direction::None;
        if (o.memory > MemoryKind::Variable)
            o.memory = MemoryKind::Device;
    }
    for (ProgramKernel& k : p.kernels) {
        std::erase_if(k.parameters, [](const Parameter& q) { return q.offset > 65536 || q.bytes > 65536; });
        if (!demangled(k.entry).empty()) // older recorders cut names at "(anonymous namespace)"
            k.name = plainName(k.entry);
    }
}

// So that every row that one names is there.
void checkGraphs(ProgramTrace& p) {
    for (ProgramGraph& g : p.graphs)
        for (std::uint32_t n = 0; n < g.nodes.size(); ++n) {
            ProgramGraphNode& node = g.nodes[n];
            if (node.parent >= n)
                node.parent = noIndex;
            if (node.kernel >= p.kernels.size())
                node.kernel = noIndex;
            if (node.shape >= p.shapes.size())
                node.shape = noIndex;
        }
    for (ProgramGraph& g : p.graphs)
        for (std::uint32_t n = 0; n < g.nodes.size(); ++n) {
            ProgramGraphNode& node = g.nodes[n];
            std::erase_if(node.behind, [&](std::uint32_t b) {
                return b >= g.nodes.size() || b == n || g.nodes[b].parent != node.parent ||
                       g.nodes[b].body != node.body;
            });
        }
    std::vector<std::uint32_t> rows; // of launches, as they stay
    std::uint32_t kept = 0;
    for (const GraphLaunch& l : p.graphLaunches)
        rows.push_back(l.graph < p.graphs.size() ? kept++ : noIndex);
    std::erase_if(p.graphLaunches, [&](const GraphLaunch& l) { return l.graph >= p.graphs.size(); });
    for (GraphLaunch& l : p.graphLaunches) {
        l.called = isSensible(l.called) ? l.called : 0;
        l.stream = l.stream < p.streams.size() ? l.stream : 0;
    }
    for (GraphStep& s : p.graphSteps)
        s.launch = s.launch < rows.size() ? rows[s.launch] : noIndex;
    std::erase_if(p.graphSteps, [&](const GraphStep& s) {
        return s.launch == noIndex || s.operation >= p.operations.size() ||
               s.node >= p.graphs[p.graphLaunches[s.launch].graph].nodes.size();
    });
    std::sort(p.graphSteps.begin(), p.graphSteps.end(),
              [](const GraphStep& a, const GraphStep& b) { return a.operation < b.operation; });
}

void checkCollectives(ProgramTrace& p) {
    for (Collective& c : p.collectives) {
        c.called = isSensible(c.called) ? c.called : 0;
        c.stream = c.stream < p.streams.size() ? c.stream : 0;
        c.kind = c.kind <= CollectiveKind::Receive ? c.kind : CollectiveKind::AllReduce;
        c.type = c.type <= CollectiveType::Unknown ? c.type : CollectiveType::Unknown;
        c.op = c.op <= CollectiveOp::None ? c.op : CollectiveOp::None;
    }
    std::erase_if(p.collectiveSteps, [&](const CollectiveStep& s) {
        return s.operation >= p.operations.size() || s.collective >= p.collectives.size();
    });
    std::stable_sort(p.collectiveSteps.begin(), p.collectiveSteps.end(),
                     [](const CollectiveStep& a, const CollectiveStep& b) { return a.operation < b.operation; });
}

// All launches' traces are in the file, or files beside it. Of one that says both, a name would be moved into the file, and whose
// that is the user alone knows.
bool lieInOnePlace(const std::vector<ProgramRecording>& recordings) {
    const auto isInside = [](const ProgramRecording& r) { return r.file.empty(); };
    const auto isBeside = [](const ProgramRecording& r) {
        const fs::path name = fs::path(r.file).filename();
        return !name.empty() && name != "." && name != "..";
    };
    return std::all_of(recordings.begin(), recordings.end(), isInside) ||
           std::all_of(recordings.begin(), recordings.end(), isBeside);
}

Result<void> writeInto(Database& db, const ProgramTrace& program, const fs::path& inside) {
    std::vector<ProgramRecording> recordings = program.recordings;
    if (!inside.empty())
        for (ProgramRecording& r : recordings)
            r.file.clear();
    const std::vector<ProgramInfo> info{program.info};
    const auto step = [](Result<void> ok, auto next) { return ok ? next() : ok; };
    Result<void> ok = db.run(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN", applicationId, programFileVersion));
    ok = step(ok, [&] { return writeRows(db, "program", info); });
    ok = step(ok, [&] { return writeRows(db, "kernels", program.kernels); });
    ok = step(ok, [&] { return writeRows(db, "streams", program.streams); });
    ok = step(ok, [&] { return writeRows(db, "recordings", recordings); });
    ok = step(ok, [&] { return writeRows(db, "messages", program.messages); });
    ok = step(ok, [&] { return writeRows(db, "graphs", program.graphs); });
    ok = step(ok, [&] { return writeChunks(db, program); });
    ok = step(ok, [&] { return db.run(tracesSchema); });
    if (!inside.empty())
        ok = step(ok, [&] { return writeTraces(db, program, inside); });
    return step(ok, [&] { return db.run("COMMIT"); });
}

} // namespace

Result<void> writeProgram(const ProgramTrace& program, const fs::path& path, const fs::path& inside) {
    const auto cannot = [&](const std::error_code& why) {
        return Error{.message = say::FileCannotWrite(why.message()), .file = path.string()};
    };
    Part part(path);
    if (part.problem())
        return cannot(part.problem());
    {
        auto db = Database::create(part.path());
        if (!db)
            return db.error();
        if (auto ok = writeInto(*db, program, inside); !ok)
            return ok;
    }
    if (const std::error_code why = part.finish())
        return cannot(why);
    return {};
}

bool isProgramFile(const fs::path& path) {
    if (!mayBeRead(path))
        return false;
    std::ifstream in(path, std::ios::binary);
    std::array<unsigned char, 72> head{};
    if (!in.read(reinterpret_cast<char*>(head.data()), head.size()))
        return false;
    constexpr std::size_t at = 68; // of the application's id, in SQLite's file format, the high byte first
    const std::uint32_t id = std::uint32_t(head[at]) << 24 | std::uint32_t(head[at + 1]) << 16 |
                             std::uint32_t(head[at + 2]) << 8 | head[at + 3];
    return id == applicationId;
}

namespace {

// One that cannot be read is newer than any.
int versionOf(Database& db) {
    auto version = db.prepare("PRAGMA user_version");
    const Result<bool> row = version ? version->step() : Result<bool>(version.error());
    return row && *row ? int(version->integer(0)) : programFileVersion + 1;
}

} // namespace

Result<ProgramTrace> readProgram(const fs::path& path) {
    if (!isProgramFile(path))
        return Error{.message = say::NoProgram, .file = path.string()};
    auto db = Database::openReadOnly(path, programContents());
    if (!db)
        return db.error();
    const int version = versionOf(*db);
    if (version > programFileVersion)
        return Error{.message = say::NewerProgram, .file = path.string()};
    ProgramTrace program;
    std::vector<ProgramInfo> info;
    const auto step = [](Result<void> ok, auto next) { return ok ? next() : ok; };
    Result<void> ok = readRows(*db, path, "program", info);
    ok = step(ok, [&] { return readRows(*db, path, "kernels", program.kernels); });
    ok = step(ok, [&] { return readRows(*db, path, "streams", program.streams); });
    ok = step(ok, [&] { return readRows(*db, path, "recordings", program.recordings); });
    ok = step(ok, [&] { return readRows(*db, path, "messages", program.messages); });
    if (version >= 5) // older ones have no graphs
        ok = step(ok, [&] { return readRows(*db, path, "graphs", program.graphs); });
    ok = step(ok, [&] { return readChunks(*db, path, program); });
    if (!ok)
        return ok.error();
    if (!lieInOnePlace(program.recordings))
        return damaged(path, say::TracesInTwoPlaces);
    if (!info.empty())
        program.info = info.front();
    checkRows(program);
    checkGraphs(program);
    checkCollectives(program);
    findKinds(program);
    listAllocations(program);
    return program;
}

Result<fs::path> recordingFile(const fs::path& path, const ProgramTrace& program, std::uint32_t recording,
                               const fs::path& folder) {
    const fs::path& name = program.recordings[recording].file;
    if (!name.empty())
        return path.parent_path() / name.filename();
    auto db = Database::openReadOnly(path, programContents());
    if (!db)
        return db.error();
    const auto bytes = readTrace(*db, recording, versionOf(*db));
    if (!bytes)
        return bytes.error();
    if (bytes->empty())
        return damaged(path, say::LaunchMissing);
    const fs::path to = folder / fmt::format("launch-{}.wgt", program.recordings[recording].operation);
    std::ofstream out(to, std::ios::binary);
    if (!out.write(reinterpret_cast<const char*>(bytes->data()), std::streamsize(bytes->size())))
        return Error{.message = say::LaunchNotWritten, .file = to.string()};
    return to;
}

} // namespace warpglass::program
