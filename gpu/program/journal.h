// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of a running program: records appended to a file that is mapped into memory, so that taking one down costs
// a copy of its bytes and nothing is lost when the process is killed. How far it is filled stands in its head, written
// after the record. Space is asked of the file system before it is touched; when there is none left, the rest is counted.
//
// Not for several threads at once: the caller has a lock of its own.
#pragma once

#include "gpu/base/result.h"
#include "gpu/program/program.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace warpglass::program {

class Journal {
public:
    // A new file; what was there before goes.
    static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& path, const ProgramInfo& info);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // Rows count from 0, in the order of their calls, table by table.
    std::uint32_t add(const ProgramKernel& kernel);
    std::uint32_t add(const ProgramStream& stream);
    std::uint32_t shape(const RecordedShape& shape); // the row of an equal one, if there is one
    // arguments: of a launch, as many bytes as its kernel's parameters take.
    std::uint32_t add(const Operation& operation, std::span<const std::byte> arguments = {});
    // Corrects when an operation was done.
    void add(const OperationTime& time);
    void add(const ProgramRecording& recording);
    void add(const ProgramMessage& message);
    std::uint32_t graph(const ProgramGraph& graph); // the row of an equal one, if there is one
    std::uint32_t add(const GraphLaunch& launch);
    void add(const GraphStep& step);
    std::uint32_t add(const Collective& collective);
    void add(const CollectiveStep& step);
    // Lets go of it without a word: of the child of a fork, whose parent goes on writing.
    void abandon();

private:
    Journal() = default;
    void append(std::uint16_t tag, std::span<const std::byte> head, std::span<const std::byte> tail = {});
    bool grow(std::uint64_t bytes);
    void touchAhead();

    int m_file = -1;
    std::byte* m_map = nullptr;
    std::uint64_t m_mapped = 0, m_touched = 0, m_used = 0;
    std::uint32_t m_kernels = 0, m_streams = 0, m_operations = 0, m_graphLaunches = 0, m_collectives = 0;
    std::map<std::string, std::uint32_t> m_graphs; // [as it is written] its row
    std::vector<RecordedShape> m_shapes;
    bool m_full = false;
};

// What a journal holds; a record at its end that is not whole is left out. Error: it is no journal.
Result<ProgramTrace> readJournal(const std::filesystem::path& path);

} // namespace warpglass::program
