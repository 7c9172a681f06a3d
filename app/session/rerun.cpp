// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/rerun.h"

#include "app/session/child_process.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/seal.h"
#include "gpu/program/journal_layout.h"
#include "gpu/program/program_file.h"
#include "gpu/program/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

using program::Operation;
using program::ProgramTrace;

// A folder beside the recording, on the same disk, so that a trace is moved and not copied.
struct Beside {
    fs::path path;
    explicit Beside(const fs::path& file) : path(file.string() + fmt::format(".more-{}", getpid())) {
        std::error_code failed;
        fs::remove_all(path, failed);
        fs::create_directories(path, failed);
    }
    ~Beside() {
        std::error_code failed;
        fs::remove_all(path, failed);
    }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;
};

// Between fork and exec only what a signal handler may call: other threads of this program held locks when it forked.
[[noreturn]] void becomeRecorder(char* const* words, const char* folder, const char* said) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDWR);
    const int file = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (chdir(folder) != 0 || nothing < 0 || file < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(nothing, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
        _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(words[0], words);
    _exit(127);
}

void endGroup(pid_t group) {
    using namespace std::chrono_literals;
    kill(-group, SIGTERM);
    int status = 0;
    for (int n = 0; n < 100; ++n) {
        if (waitpid(group, &status, WNOHANG) != 0) {
            kill(-group, SIGKILL); // what the recorder has left behind
            return;
        }
        std::this_thread::sleep_for(10ms);
    }
    kill(-group, SIGKILL);
    while (waitpid(group, &status, 0) < 0 && errno == EINTR) {
    }
}

// How far a journal is filled, by what the first run has written.
double share(const fs::path& journal, double expected) {
    program::JournalHead head;
    std::ifstream in(journal, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || head.magic != program::journalMagic)
        return 0;
    return std::min(0.98, double(head.used) / expected);
}

double journalBytes(const ProgramTrace& p) {
    return double(p.operations.size() * (sizeof(program::RecordHead) + sizeof(Operation)) + p.arguments.size() + 4096);
}

// False: cancelled.
bool waitFor(pid_t child, const fs::path& journal, double expected, Progress& progress) {
    using namespace std::chrono_literals;
    auto pause = 1ms;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return !progress.cancelled();
        if (progress.cancelled()) {
            endGroup(child);
            return false;
        }
        progress.report(std::max(progress.fraction(), share(journal, expected)));
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, 50ms);
    }
}

// The last that the recorder has said, without its name.
std::string lastSaid(const fs::path& file) {
    std::ifstream in(file);
    std::string last;
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view ours = "warpglass-record: ";
        if (line.starts_with(ours))
            last = line.substr(ours.size());
        else if (last.empty())
            last = line;
    }
    return last;
}

bool isSame(const ProgramTrace& a, const Operation& x, const ProgramTrace& b, const Operation& y) {
    if (x.kernel >= a.kernels.size() || y.kernel >= b.kernels.size() || x.shape >= a.shapes.size() ||
        y.shape >= b.shapes.size())
        return false;
    return a.kernels[x.kernel].entry == b.kernels[y.kernel].entry && a.shapes[x.shape] == b.shapes[y.shape];
}

struct Merge {
    ProgramTrace& old;
    const ProgramTrace& fresh;
    fs::path from; // where the traces of the fresh one lie
    fs::path to;   // where those of the old one are to lie
    Rerun done;

    Result<void> take(std::uint64_t number, const std::vector<std::uint32_t>& rows,
                      const std::vector<std::uint32_t>& freshRows) {
        if (number >= rows.size() || number >= freshRows.size()) {
            done.others.push_back(number);
            return {};
        }
        Operation& o = old.operations[rows[number]];
        const Operation& f = fresh.operations[freshRows[number]];
        if (o.recording != noIndex)
            return {};
        if (f.recording >= fresh.recordings.size() || !isSame(old, o, fresh, f)) {
            done.others.push_back(number);
            return {};
        }
        const fs::path name = fmt::format("launch-{:06}.wgt", number);
        std::error_code failed;
        fs::rename(from / fresh.recordings[f.recording].file, to / name, failed);
        if (failed)
            return Error{.message = say::TraceNotMoved(failed.message()), .file = (to / name).string()};
        o.recording = std::uint32_t(old.recordings.size());
        if (f.timed > o.timed) { // with cycles now
            o.timed = f.timed;
            o.duration = f.duration;
        }
        old.recordings.push_back({rows[number], name.string()});
        ++done.added;
        return {};
    }
};

Result<Rerun> merge(const fs::path& file, ProgramTrace old, const std::vector<std::uint64_t>& launches,
                    const fs::path& scratch) {
    auto fresh = program::readProgram(scratch / "program.wgt");
    if (!fresh)
        return fresh.error();
    const bool inside = old.recordings.empty() ? file.filename() != "program.wgt" : old.recordings.front().file.empty();
    Merge m{old, *fresh, scratch, file.parent_path(), {}};
    if (inside) { // all traces side by side first, then into the file again
        m.to = scratch / "inside";
        std::error_code failed;
        fs::create_directories(m.to, failed);
        for (std::uint32_t r = 0; r < old.recordings.size(); ++r) {
            auto there = program::recordingFile(file, old, r, m.to);
            if (!there)
                return there.error();
            const std::string name = fmt::format("was-{}.wgt", r);
            fs::rename(*there, m.to / name, failed);
            if (failed)
                return Error{.message = failed.message(), .file = there->string()};
            old.recordings[r].file = name;
        }
    }
    const std::vector<std::uint32_t> rows = launchRows(old), freshRows = launchRows(*fresh);
    for (const std::uint64_t n : launches)
        if (auto ok = m.take(n, rows, freshRows); !ok)
            return ok.error();
    if (m.done.added > 0)
        if (auto ok = program::writeProgram(old, file, inside ? m.to : fs::path()); !ok)
            return ok.error();
    return m.done;
}

std::string rangesOf(std::vector<std::uint64_t> launches) {
    std::sort(launches.begin(), launches.end());
    std::string text;
    for (std::size_t n = 0; n < launches.size();) {
        std::size_t end = n + 1;
        while (end < launches.size() && launches[end] <= launches[end - 1] + 1)
            ++end;
        text += text.empty() ? "" : ",";
        text += launches[n] == launches[end - 1] ? fmt::format("{}", launches[n])
                                                 : fmt::format("{}-{}", launches[n], launches[end - 1]);
        n = end;
    }
    return text;
}

} // namespace

namespace {

constexpr const char* sealPurpose = "run a recorded program again";

// As a file keeps them: text that is no UTF-8 comes back changed, and is not followed.
std::vector<std::string> sealedWords(const program::ProgramInfo& info) {
    const program::ProgramOrigin& o = info.origin;
    std::vector<std::string> words{warpglass::name(info.backend), o.folder, o.settings};
    for (const auto* list : {&o.sources, &o.words, &o.options}) {
        words.push_back(std::to_string(list->size()));
        words.insert(words.end(), list->begin(), list->end());
    }
    return words;
}

} // namespace

std::string sealOf(const program::ProgramInfo& info) {
    return warpglass::sealOf(sealPurpose, sealedWords(info));
}

Result<void> canRerun(const program::ProgramInfo& info) {
    if (info.origin.known() && isSealed(info.origin.seal, sealPurpose, sealedWords(info)))
        return {};
    if (info.origin.known())
        return Error{.message = say::NotMadeByYou, .remedy = say::RecordIfTrusted};
    return Error{.message = say::NotHowStarted, .remedy = say::RecordOnceMore};
}

std::vector<std::string> rerunWords(const program::ProgramInfo& info, const std::vector<std::uint64_t>& launches,
                                    const fs::path& output) {
    const program::ProgramOrigin& origin = info.origin;
    const program::Settings s = program::settingsFrom(origin.settings);
    std::vector<std::string> words{"program"};
    words.insert(words.end(), origin.sources.begin(), origin.sources.end());
    words.insert(words.end(), origin.options.begin(), origin.options.end());
    std::string detail = s.detail == "none" ? "auto" : s.detail;
    if (detail == "blocks") {
        detail = "block:";
        for (const std::uint64_t block : s.blocks)
            detail += (detail.ends_with(':') ? "" : ",") + std::to_string(block);
    }
    const auto option = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
    option("--backend", warpglass::name(info.backend));
    option("--launches", rangesOf(launches));
    option("--max-recorded", std::to_string(launches.size()));
    option("--detail", detail);
    option("--policy", s.policy);
    if (info.backend == BackendKind::Emulator) {
        option("--device", s.device);
        option("--devices", std::to_string(s.devices));
        option("--on-fault", s.onFault);
    } else {
        option("--times", s.times);
    }
    option("--keep-memory", std::to_string(s.keepMemory >> 20));
    option("--max-events", std::to_string(s.maxEvents));
    option("--max-instructions", std::to_string(s.maxInstructions));
    option("--threads", std::to_string(s.threads));
    if (s.accesses)
        words.emplace_back("--accesses");
    if (s.timing)
        words.emplace_back("--timing");
    option("-o", output.string());
    words.emplace_back("--");
    words.insert(words.end(), origin.words.begin(), origin.words.end());
    return words;
}

Result<Rerun> recordMore(const fs::path& file, const std::vector<std::uint64_t>& launches, Progress& progress) {
    std::error_code failed;
    const fs::path path = fs::absolute(file, failed);
    auto old = program::readProgram(path);
    if (!old)
        return old.error();
    if (auto ok = canRerun(old->info); !ok)
        return ok.error();
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    const fs::path recorder = self.parent_path() / "warpglass-record";
    if (access(recorder.c_str(), X_OK) != 0)
        return Error{.message = say::RecorderNotBeside, .file = recorder.string()};
    const Beside scratch(path);
    if (access(scratch.path.c_str(), W_OK) != 0)
        return Error{.message = say::RecordingFolderUnwritable, .file = path.parent_path().string()};
    std::vector<std::string> words = rerunWords(old->info, launches, scratch.path);
    words.insert(words.begin(), recorder.string());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const fs::path said = scratch.path / "said.txt";
    const std::string folder = old->info.origin.folder.empty() ? "." : old->info.origin.folder;
    if (!fs::is_directory(folder, failed))
        return Error{.message = say::StartFolderGone, .file = folder};
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return Error{.message = say::NoProcessWhy(std::strerror(errno))};
    if (child == 0) {
        endWithParent(parent, SIGTERM);
        becomeRecorder(arguments.data(), folder.c_str(), said.c_str());
    }
    if (!waitFor(child, scratch.path / "program.journal", journalBytes(*old), progress))
        return Error{.message = say::MoreStopped, .file = {}};
    if (!fs::exists(scratch.path / "program.wgt", failed)) {
        const std::string why = lastSaid(said);
        return Error{.message = why.empty() ? say::NotRunAgain : say::NotRunAgainWhy(why)};
    }
    return merge(path, std::move(*old), launches, scratch.path);
}

} // namespace warpglass::session
