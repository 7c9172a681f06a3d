// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep split over processes or machines: part 3 of 16 runs every sixteenth launch, from the third on, and writes a
// file of its own; the files together make the table that the sweep would have made alone, to the byte.
//
// The file holds one JSON object a line: the first says of which sweep it is a part, each other one is a launch and what
// came of it, with all digits. Until the part is whole the file is called NAME.unfinished, and grows by a line a launch:
// the same command, started again after it was killed, runs what is missing. Nothing is exchanged between parts, so any
// queue that starts commands will do (docs/sweeps.md).
#pragma once

#include "app/session/sweep.h"

#include <filesystem>
#include <set>

namespace warpglass::session {

struct PartOf {
    std::uint32_t part = 1, of = 1; // part 1 to of
    bool has(std::size_t row) const { return row % of == part - 1; }
};
Result<PartOf> parsePart(const std::string& text); // "3/16"

class PartFile {
public:
    // Error: the file is there and is a part of another sweep, another process is writing it, or it cannot be written.
    static Result<PartFile> open(const std::filesystem::path& path, const SweepRequest& sweep, PartOf part);
    PartFile(PartFile&& other) noexcept;
    ~PartFile(); // without finish() it stays unfinished
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    bool whole() const { return m_whole; }                                         // nothing is left to be done
    bool holds(std::size_t row) const { return m_rows.find(row) != m_rows.end(); } // that launch has been run
    std::size_t rows() const { return m_rows.size(); }
    Result<void> add(const SweepRow& row); // on the disk when it returns
    Result<void> finish();                 // all launches are there: the file takes its name

private:
    PartFile() = default;
    std::filesystem::path m_path, m_unfinished;
    std::set<std::size_t> m_rows;
    int m_file = -1;
    bool m_whole = false;
};

struct MergedSweep {
    std::string title;
    std::vector<SweepRow> rows; // in the sweep's order
};
// Error: a file is unfinished or damaged, belongs to another sweep than the first, is there twice, or parts are missing.
Result<MergedSweep> mergeParts(const std::vector<std::string>& files);

} // namespace warpglass::session
