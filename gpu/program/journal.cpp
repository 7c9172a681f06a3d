// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/journal.h"
#include "gpu/base/messages/files.h"
#include "gpu/program/journal_layout.h"
#include "gpu/program/rows_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpglass::program {

namespace {

constexpr std::uint64_t growth = 4 << 20;  // by which the file grows
constexpr std::uint64_t ahead = 512 << 10; // of it is made ready for writing at once

template <class T>
std::span<const std::byte> bytesOf(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

// The file of the journal that this process writes; -1: none. A status is given to no function at the end but one of on_exit's, and any
// thread may end the process, so the map is left alone.
std::atomic<int> openFile{-1};
void noteEnd(int status, void*) {
    const std::int64_t told = status;
    if (const int file = openFile; file >= 0)
        (void)!pwrite(file, &told, sizeof told, offsetof(JournalHead, exitStatus));
}
void let(int file) {
    openFile.compare_exchange_strong(file, -1);
}

} // namespace

Result<std::unique_ptr<Journal>> Journal::create(const std::filesystem::path& path, const ProgramInfo& info) {
    std::unique_ptr<Journal> journal(new Journal);
    journal->m_file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (journal->m_file < 0 || !journal->grow(sizeof(JournalHead)))
        return Error{.message = say::JournalNotWritten(std::strerror(errno)),
                     .file = path.string(),
                     .remedy = say::JournalTakes(growth >> 20)};
    const JournalHead head;
    std::memcpy(journal->m_map, &head, sizeof head);
    journal->m_used = sizeof head;
    journal->append(tagInfo, bytesOf(toJson(info).dump()));
    static const int told = on_exit(noteEnd, nullptr); // children of a fork have it, too
    if (told == 0)
        openFile = journal->m_file;
    return journal;
}

Journal::~Journal() {
    if (m_map) {
        munmap(m_map, m_mapped);
        if (ftruncate(m_file, off_t(m_used)) != 0)
            m_full = true; // it stays longer than it need be
    }
    let(m_file);
    if (m_file >= 0)
        close(m_file);
}

void Journal::abandon() {
    if (m_map)
        munmap(m_map, m_mapped);
    m_map = nullptr;
    let(m_file);
    if (m_file >= 0)
        close(m_file);
    m_file = -1;
}

// Room for so many more bytes. A page of a mapped file for which the disk has no room would kill the process when it is
// touched, so it is asked for before.
bool Journal::grow(std::uint64_t bytes) {
    const std::uint64_t size = (m_used + bytes + growth - 1) / growth * growth;
    if (const int why = posix_fallocate(m_file, off_t(m_mapped), off_t(size - m_mapped)); why != 0) {
        errno = why; // which it does not set
        return false;
    }
    void* map = m_map ? mremap(m_map, m_mapped, size, MREMAP_MAYMOVE)
                      : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (map == MAP_FAILED)
        return false;
    m_map = static_cast<std::byte*>(map);
    m_mapped = size;
    return true;
}

// The first write into a page of a mapped file is a fault that costs as much as some tens of records; asked for many pages
// at once it is a tenth of that. A kernel that does not know how (before 5.14) does as it did.
void Journal::touchAhead() {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t begin = m_used / page * page;
    m_touched = std::min(m_mapped, begin + ahead);
#ifdef MADV_POPULATE_WRITE
    madvise(m_map + begin, m_touched - begin, MADV_POPULATE_WRITE);
#endif
}

void Journal::append(std::uint16_t tag, std::span<const std::byte> head, std::span<const std::byte> tail) {
    if (!m_map)
        return;
    const std::uint64_t bytes = sizeof(RecordHead) + head.size() + tail.size();
    auto* top = reinterpret_cast<JournalHead*>(m_map);
    if (m_full || (m_used + bytes > m_mapped && !grow(bytes))) {
        m_full = true; // a later record must not stand where an earlier one is missing
        ++top->lost;
        return;
    }
    if (m_used + bytes > m_touched)
        touchAhead();
    top = reinterpret_cast<JournalHead*>(m_map);
    const RecordHead record{std::uint32_t(head.size() + tail.size()), tag, 0};
    std::byte* at = m_map + m_used;
    std::memcpy(at, &record, sizeof record);
    std::copy(head.begin(), head.end(), at + sizeof record);
    std::copy(tail.begin(), tail.end(), at + sizeof record + head.size());
    m_used += bytes;
    std::atomic_ref(top->used).store(m_used, std::memory_order_release);
}

std::uint32_t Journal::add(const ProgramKernel& kernel) {
    append(tagKernel, bytesOf(toJson(kernel).dump()));
    return m_kernels++;
}

std::uint32_t Journal::add(const ProgramStream& stream) {
    append(tagStream, bytesOf(toJson(stream).dump()));
    return m_streams++;
}

std::uint32_t Journal::shape(const RecordedShape& shape) {
    const auto known = std::find(m_shapes.rbegin(), m_shapes.rend(), shape); // the last ones are the likely ones
    if (known != m_shapes.rend())
        return std::uint32_t(m_shapes.rend() - known - 1);
    append(tagShape, bytesOf(shape));
    m_shapes.push_back(shape);
    return std::uint32_t(m_shapes.size() - 1);
}

std::uint32_t Journal::add(const Operation& operation, std::span<const std::byte> arguments) {
    const std::int64_t lasted = operation.returned - operation.called;
    const bool plain = operation.kind == OperationKind::Launch && operation.start == operation.called &&
                       operation.end == operation.returned && lasted >= 0 &&
                       lasted <= std::numeric_limits<std::uint32_t>::max() &&
                       (operation.to | operation.from | operation.bytes | operation.rowBytes) == 0 &&
                       (operation.timed == TimeOrigin::Estimated) == (operation.duration > 0) &&
                       operation.duration >= 0 && operation.duration <= std::numeric_limits<std::uint32_t>::max();
    if (plain)
        append(tagLaunch,
               bytesOf(LaunchRecord{operation.called, std::uint32_t(lasted), operation.stream, operation.kernel,
                                    operation.shape, operation.error, std::uint32_t(operation.duration)}),
               arguments);
    else
        append(tagOperation, bytesOf(operation), arguments);
    return m_operations++;
}

void Journal::add(const OperationTime& time) {
    append(tagTime, bytesOf(time));
}

void Journal::add(const ProgramRecording& recording) {
    append(tagRecording, bytesOf(toJson(recording).dump()));
}

void Journal::add(const ProgramMessage& message) {
    append(tagMessage, bytesOf(toJson(message).dump()));
}

std::uint32_t Journal::graph(const ProgramGraph& graph) {
    std::string text = toJson(graph).dump();
    const auto [at, isNew] = m_graphs.try_emplace(std::move(text), std::uint32_t(m_graphs.size()));
    if (isNew)
        append(tagGraph, bytesOf(at->first));
    return at->second;
}

std::uint32_t Journal::add(const GraphLaunch& launch) {
    append(tagGraphLaunch, bytesOf(launch));
    return m_graphLaunches++;
}

void Journal::add(const GraphStep& step) {
    append(tagGraphStep, bytesOf(step));
}

std::uint32_t Journal::add(const Collective& collective) {
    append(tagCollective, bytesOf(collective));
    return m_collectives++;
}

void Journal::add(const CollectiveStep& step) {
    append(tagCollectiveStep, bytesOf(step));
}

namespace {

template <class Row>
void take(std::span<const std::byte> record, std::vector<Row>& rows) {
    if (record.size() == sizeof(Row))
        std::memcpy(&rows.emplace_back(), record.data(), sizeof(Row));
}

template <class Row>
Row rowOf(std::span<const std::byte> record) {
    Row row;
    const auto* text = reinterpret_cast<const char*>(record.data());
    const auto json = nlohmann::json::parse(text, text + record.size(), nullptr, false);
    if (json.is_object())
        fromJson(json, row);
    return row;
}

} // namespace

Result<ProgramTrace> readJournal(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    JournalHead head;
    if (std::error_code code; std::filesystem::file_size(path, code) == 0 && !code) // Journal::create() has said why
        return Error{.message = say::NothingRecorded, .file = path.string(), .remedy = say::FreeThere};
    const Error foreign{.message = say::NoJournal, .file = path.string()};
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || head.magic != journalMagic ||
        head.version != journalVersion || head.used < sizeof head)
        return foreign;
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(path, failed);
    std::vector<std::byte> bytes(std::min<std::uint64_t>(head.used, failed ? 0 : size) - sizeof head);
    in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    bytes.resize(std::size_t(in.gcount()));

    ProgramTrace program;
    std::span<const std::byte> rest(bytes);
    while (rest.size() >= sizeof(RecordHead)) {
        RecordHead record;
        std::memcpy(&record, rest.data(), sizeof record);
        rest = rest.subspan(sizeof record);
        if (record.bytes > rest.size())
            break;
        const auto body = rest.first(record.bytes);
        rest = rest.subspan(record.bytes);
        switch (record.tag) {
        case tagInfo:
            program.info = rowOf<ProgramInfo>(body);
            break;
        case tagKernel:
            program.kernels.push_back(rowOf<ProgramKernel>(body));
            break;
        case tagStream:
            program.streams.push_back(rowOf<ProgramStream>(body));
            break;
        case tagRecording:
            program.recordings.push_back(rowOf<ProgramRecording>(body));
            break;
        case tagMessage:
            program.messages.push_back(rowOf<ProgramMessage>(body));
            break;
        case tagTime:
            if (OperationTime t; body.size() == sizeof t) {
                std::memcpy(&t, body.data(), sizeof t);
                if (t.operation < program.operations.size()) {
                    program.operations[t.operation].start = t.start;
                    program.operations[t.operation].end = t.end;
                }
            }
            break;
        case tagShape:
            take(body, program.shapes);
            break;
        case tagGraph:
            program.graphs.push_back(rowOf<ProgramGraph>(body));
            break;
        case tagGraphLaunch:
            take(body, program.graphLaunches);
            break;
        case tagGraphStep:
            take(body, program.graphSteps);
            break;
        case tagCollective:
            take(body, program.collectives);
            break;
        case tagCollectiveStep:
            take(body, program.collectiveSteps);
            break;
        case tagLaunch:
            if (LaunchRecord l; body.size() >= sizeof l) {
                std::memcpy(&l, body.data(), sizeof l);
                Operation& o = program.operations.emplace_back();
                o.called = o.start = l.called;
                o.returned = o.end = l.called + l.lasted;
                o.stream = l.stream, o.kernel = l.kernel, o.shape = l.shape, o.error = l.error;
                o.duration = l.estimated;
                o.timed = l.estimated ? TimeOrigin::Estimated : TimeOrigin::None;
                o.arguments = program.arguments.size();
                program.arguments.insert(program.arguments.end(), body.begin() + sizeof l, body.end());
            }
            break;
        case tagOperation:
            if (body.size() >= sizeof(Operation)) {
                Operation& o = program.operations.emplace_back();
                std::memcpy(&o, body.data(), sizeof o);
                o.arguments = program.arguments.size();
                program.arguments.insert(program.arguments.end(), body.begin() + sizeof o, body.end());
            }
            break;
        default:
            break; // of a newer version
        }
    }
    program.info.lost = head.lost;
    program.info.exitStatus = head.exitStatus;
    for (std::uint32_t r = 0; r < program.recordings.size(); ++r)
        if (program.recordings[r].operation < program.operations.size())
            program.operations[program.recordings[r].operation].recording = r;
    listAllocations(program);
    return program;
}

} // namespace warpglass::program
