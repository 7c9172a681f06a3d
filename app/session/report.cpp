// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/report.h"

#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"
#include "gpu/profilers/nsys.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mostReportBytes = 1 << 30;

// Pages as ncu prints them. It sees a copy in a folder of ours, so that no name of a file reaches it as an option.
Result<void> addByNcu(profilers::NcuReport& report, const fs::path& file) {
    const std::string ncu = findNcu();
    if (ncu.empty())
        return Error{say::NcuNotThere, file.string(), 0, 0, say::ReportRaw};
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    std::error_code failed;
    const fs::path copy = scratch.path / "report.ncu-rep", out = scratch.path / "page.csv";
    if (auto ok = mayBeRead(file); !ok)
        return ok;
    fs::copy_file(file, copy, failed);
    if (failed)
        return Error{say::FileReadWrite(failed.message()), file.string()};
    const std::array<std::vector<std::string>, 3> pages{
        {{"raw"}, {"source", "--print-source", "cuda,sass"}, {"source", "--print-source", "cuda"}}};
    for (std::size_t n = 0; n < pages.size(); ++n) {
        std::vector<std::string> words{ncu, "--import", copy.string(), "--csv", "--page"};
        words.insert(words.end(), pages[n].begin(), pages[n].end());
        const ChildEnd end = runChild(words, out);
        auto text = readFile(out, mostReportBytes);
        if (end.how != ChildEnd::How::Exited || end.status != 0 || !text)
            return Error{say::NcuFailed(text ? text->substr(0, 300) : std::string("?")), file.string()};
        auto added = profilers::addNcuCsv(report, *text, file.string());
        if (!added && n == 0) // a report without sources has no page of them
            return added;
    }
    return {};
}

} // namespace

std::string findNcu() {
    if (const char* named = std::getenv("WARPGLASS_NCU"); named && *named)
        return named;
    for (const fs::path& folder : pathFolders())
        if (const fs::path ncu = folder / "ncu"; ncu.is_absolute() && access(ncu.c_str(), X_OK) == 0)
            return ncu.string();
    return {};
}

bool isReport(const fs::path& path) {
    if (path.extension() != ".csv")
        return path.extension() == ".sqlite" || path.extension() == ".ncu-rep";
    std::string head(1 << 16, ' ');
    if (!mayBeRead(path))
        return false;
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), std::streamsize(head.size()));
    return profilers::isNcuCsv(std::string_view(head).substr(0, std::size_t(file.gcount())));
}

Result<profilers::Report> readReport(const std::vector<fs::path>& files, const Progress* progress) {
    if (files.size() == 1 && files.front().extension() == ".sqlite") {
        if (auto ok = mayBeRead(files.front()); !ok)
            return ok.error();
        auto program = profilers::readNsys(files.front(), progress);
        if (!program)
            return program.error();
        return profilers::Report{std::move(*program), {}};
    }
    profilers::NcuReport report;
    for (const fs::path& file : files) {
        if (file.extension() == ".ncu-rep") {
            if (auto ok = addByNcu(report, file); !ok)
                return ok.error();
            continue;
        }
        const auto text = readFile(file, mostReportBytes);
        if (!text)
            return text.error();
        if (auto ok = profilers::addNcuCsv(report, *text, file.string()); !ok)
            return ok.error();
    }
    if (report.launches.empty())
        return Error{say::ReportNoLaunch, files.empty() ? "" : files.front().string(), 0, 0, say::ReportRaw};
    return profilers::reportOf(report);
}

Result<void> writeReport(profilers::Report& report, const fs::path& output) {
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    Progress progress;
    for (std::size_t n = 0; n < report.traces.size(); ++n) {
        report.program.recordings[n].file = fmt::format("launch{}.wgt", n);
        if (auto ok = writeTrace(report.traces[n], scratch.path / report.program.recordings[n].file, progress); !ok)
            return ok;
    }
    return program::writeProgram(report.program, output, scratch.path);
}

} // namespace warpglass::session
