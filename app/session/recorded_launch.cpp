// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/recorded_launch.h"

#include "app/session/compiler.h"
#include "gpu/base/messages/session.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;

struct Recorded {
    std::uint64_t launch = 0; // of the program
    std::uint32_t recording = 0;
    std::string kernel;
    program::RecordedShape shape;
};

// codes: with those of which the machine code alone is kept.
std::vector<Recorded> recordedOf(const program::ProgramTrace& p, bool codes) {
    const std::vector<std::uint32_t> rows = program::launchRows(p);
    std::vector<Recorded> all;
    for (std::uint64_t launch = 0; launch < rows.size(); ++launch) {
        const program::Operation& o = p.operations[rows[launch]];
        if (o.recording < p.recordings.size() && (codes || program::hasWarps(p, o)))
            all.push_back({launch, o.recording, o.kernel < p.kernels.size() ? p.kernels[o.kernel].name : "",
                           o.shape < p.shapes.size() ? p.shapes[o.shape] : program::RecordedShape()});
    }
    return all;
}

std::string namesOf(const std::vector<Recorded>& all) {
    constexpr std::size_t most = 8;
    std::string names;
    for (std::size_t n = 0; n < std::min(all.size(), most); ++n)
        names += fmt::format("{}{} ({})", n > 0 ? ", " : "", all[n].launch, all[n].kernel);
    return all.size() > most ? fmt::format("{}, and {} more", names, all.size() - most) : names;
}

} // namespace

fs::path programFileOf(const std::string& path) {
    std::error_code code;
    return fs::is_directory(path, code) ? fs::path(path) / "program.wgt" : fs::path(path);
}

bool isRecording(const std::string& path) {
    std::error_code code;
    return path.ends_with(".wgt") || (fs::is_directory(path, code) && fs::exists(programFileOf(path), code));
}

std::string_view baseOf(std::string_view kernel) {
    return kernel.substr(0, kernel.find('<'));
}

Result<TracePtr> openLaunch(const std::string& path, std::optional<std::uint64_t> launch, const Trace* like) {
    const fs::path file = programFileOf(path);
    Progress progress;
    if (!program::isProgramFile(file)) {
        if (launch)
            return Error{.message = say::OfOneLaunch, .file = path, .remedy = say::LeaveLaunchOut};
        return openTrace(file, progress);
    }
    const auto p = program::readProgram(file);
    if (!p)
        return p.error();
    const std::vector<Recorded> all = recordedOf(*p, launch.has_value());
    if (all.empty())
        return Error{.message = say::NoLaunchInDetail, .file = path};
    const auto isAlike = [&](const Recorded& r) {
        const Launch& l = like->launches.front();
        return baseOf(r.kernel) == baseOf(like->kernelOf(l).name) && r.shape.grid == l.grid && r.shape.block == l.block;
    };
    if (like && !launch)
        if (const auto same = std::find_if(all.begin(), all.end(), isAlike); same != all.end())
            launch = same->launch;
    const auto chosen =
        std::find_if(all.begin(), all.end(), [&](const Recorded& r) { return !launch || r.launch == *launch; });
    const Message remedy = say::GiveLaunchOf(namesOf(all));
    if (!launch && all.size() > 1)
        return Error{.message = say::OfSeveralLaunches, .file = path, .remedy = remedy};
    if (chosen == all.end())
        return Error{.message = say::LaunchNotInDetail(*launch), .file = path, .remedy = remedy};
    const ScratchFolder scratch; // of a launch that lies within the program's file
    if (scratch.path.empty())
        return ScratchFolder::missing();
    const auto trace = program::recordingFile(file, *p, chosen->recording, scratch.path);
    if (!trace)
        return trace.error();
    auto opened = openTrace(*trace, progress);
    if (!opened && trace->parent_path() == scratch.path) { // whose folder is gone before anybody looks there
        Error error = opened.error();
        error.file = path;
        return error;
    }
    return opened;
}

} // namespace warpglass::session
