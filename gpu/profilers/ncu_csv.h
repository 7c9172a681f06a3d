// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/profilers: what other profilers wrote, read as our own recordings. Files of theirs alone: no program of theirs is
// shipped, and none is run here.
//
// ncu_csv: Nsight Compute's pages as it prints them for programs (`ncu --csv`): the raw page, a column a metric; what it
// prints while it measures, a row a metric; and the source page, a row an instruction with its samples, of which the one
// with `--print-source cuda,sass` tells the lines, too. Layouts were read off what ncu 2025.3 printed of our own kernels.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpglass::profilers {

struct NcuMetric {
    std::string name, unit; // "ns", "B", "B/s", "Hz"; any other as it stands: "sector"
    double value = 0;       // in that unit
};

// "Host Name" of rows that we wrote of a run on the emulator (ncu_export.h): nobody measured them.
inline constexpr std::string_view modelledHost = "warpglass (counted and modelled)";

struct NcuLaunch {
    bool isMeasured = true;
    std::uint64_t process = 0;
    std::string processName, kernel; // "void scale<float>(float *, int)"
    std::string deviceName;          // empty: not told
    std::uint32_t stream = 0, device = 0;
    Dim3 grid, block;
    int ccMajor = 0, ccMinor = 0;
    std::vector<NcuMetric> metrics; // those with a number
    const NcuMetric* find(std::string_view name) const;
};

// What the hardware's sampler saw at an instruction.
struct NcuInstruction {
    std::uint64_t offset = 0;                                  // from the first one of the function, bytes
    std::string text;                                          // "LDC R1, c[0x0][0x28]"
    std::uint32_t file = 0;                                    // NcuCode::files
    std::uint32_t line = 0;                                    // from 1; 0: not told
    std::vector<std::pair<std::string, std::uint64_t>> stalls; // CUPTI's name, samples; none of 0
};

// The code of a launch.
struct NcuCode {
    std::string kernel;
    std::vector<std::string> files; // the first is the one that the function stands in
    std::vector<NcuInstruction> code;
};

struct NcuReport {
    std::vector<NcuLaunch> launches;
    std::vector<NcuCode> codes;                            // in the order of launches that it was printed of
    std::map<std::string, std::vector<std::string>> texts; // lines by file, where a page has them
};

// Whether a text begins like one, whatever the program had printed before.
bool isNcuCsv(std::string_view head);

// Adds what one file holds. Error: it is no such file, or its line makes no sense; file is the name to be told.
Result<void> addNcuCsv(NcuReport& report, std::string_view csv, const std::string& file);

// The code of a launch of the report: of as many launches as codes the same row, else that of the kernel's name; nullptr.
const NcuCode* codeOf(const NcuReport& report, std::size_t launch);

} // namespace warpglass::profilers
