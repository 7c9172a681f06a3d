// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/program.h"

#include "app/session/child_process.h"
#include "app/session/compiler.h"
#include "app/session/rerun.h"
#include "gpu/base/companion.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/shown.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/device/device.h"
#include "gpu/program/join.h"
#include "gpu/program/journal.h"
#include "gpu/program/program_file.h"
#include "gpu/program/unordered.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <regex>

#include <sys/wait.h>
#include <unistd.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

constexpr const char* journalName = "program.journal";

Result<fs::path> partOf(const fs::path& name, MessageForm<0> missing, MessageForm<0> remedy) {
    std::error_code failed;
    const fs::path part = companion(name);
    if (fs::exists(part, failed))
        return part;
    return Error{.message = missing, .file = part.string(), .remedy = remedy};
}

// The folder of the libraries that stand for CUDA's.
Result<fs::path> virtualLibraries() {
    auto one = partOf("virtual/libcudart.so.13", say::NoVirtualDevice, say::InstallVirtual);
    return one ? Result<fs::path>(one->parent_path()) : one;
}

// The seat before NVIDIA's driver.
Result<fs::path> seatLibrary() {
    return partOf("libwarpglass_seat.so", say::NoProgramPart, say::InstallSeat);
}

// What the child finds in its environment, beside the settings.
struct Surroundings {
    const char* variable;
    std::string value;
};

Result<Surroundings> surroundingsOf(BackendKind backend) {
    const bool cuda = backend == BackendKind::Cuda;
    auto library = cuda ? seatLibrary() : virtualLibraries();
    if (!library)
        return library.error();
    const char* variable = cuda ? "LD_PRELOAD" : "LD_LIBRARY_PATH";
    const char* before = std::getenv(variable);
    return Surroundings{variable, library->string() + (before && *before ? ":" + std::string(before) : "")};
}

// A word without a slash is looked for on PATH, as a shell does.
Result<fs::path> programPath(const std::string& word) {
    std::error_code failed;
    const auto runs = [](const fs::path& p) { return access(p.c_str(), X_OK) == 0 && !fs::is_directory(p); };
    if (word.find('/') != std::string::npos) {
        if (runs(word))
            return fs::path(word);
    } else {
        for (const fs::path& folder : pathFolders())
            if (runs(folder / word))
                return folder / word;
    }
    return Error{.message = fs::exists(word, failed) ? say::CannotBeRun : say::NoSuchProgram, .file = word};
}

// What an older recording has left there; nothing else of the folder is touched.
void clearFolder(const fs::path& folder) {
    static const std::regex ours(R"((process-\d+-)?(program\.(journal|wgt)|launch-\d+\.wgt))");
    std::error_code failed;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (std::regex_match(entry.path().filename().string(), ours))
            old.push_back(entry.path());
    for (const fs::path& path : old)
        fs::remove(path, failed);
}

// The child takes the terminal's signals itself; one that is sent to us is passed on.
volatile std::sig_atomic_t childProcess = 0;
void passOn(int signal) {
    if (childProcess > 0)
        kill(pid_t(childProcess), signal);
}

Result<int> runProgram(const fs::path& program, const std::vector<std::string>& words, const Surroundings& surroundings,
                       const program::Settings& settings) {
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    arguments.reserve(copies.size() + 1);
    for (std::string& word : copies)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string text = program::settingsText(settings);
    std::fflush(nullptr);
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return Error{.message = say::NoProcess, .file = program.string()};
    if (child == 0) { // no other thread of this program lives
        endWithParent(parent, SIGTERM);
        setenv(surroundings.variable, surroundings.value.c_str(), 1);
        setenv(program::settingsVariable, text.c_str(), 1);
        setenv(program::processVariable, std::to_string(getpid()).c_str(), 1);
        constexpr int unlessUserSays = 0;
        setenv("CUPY_CACHE_IN_MEMORY", "1", unlessUserSays); // CuPy compiles anew, so that there is PTX
        std::signal(SIGPIPE, SIG_DFL);
        std::signal(SIGXFSZ, SIG_DFL);
        execv(program.c_str(), arguments.data());
        fmt::print(stderr, "warpglass-record: {} cannot be started: {}\n", shown(program.string()),
                   std::strerror(errno));
        _exit(127);
    }
    childProcess = child;
    const auto oldInterrupt = std::signal(SIGINT, SIG_IGN);
    const auto oldTerm = std::signal(SIGTERM, passOn), oldHangup = std::signal(SIGHUP, passOn);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    childProcess = 0;
    std::signal(SIGINT, oldInterrupt);
    std::signal(SIGTERM, oldTerm);
    std::signal(SIGHUP, oldHangup);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// What was kept of kernels without PTX gets the time that the GPU told of their launch, which comes after it.
void timeCodes(const program::ProgramTrace& program, const fs::path& folder) {
    for (const program::ProgramRecording& r : program.recordings) {
        if (r.operation >= program.operations.size() || hasWarps(program, program.operations[r.operation]))
            continue;
        const program::Operation& o = program.operations[r.operation];
        Progress progress;
        const auto trace = readTrace(folder / r.file, progress);
        if (!trace || (*trace)->launches.empty())
            continue; // as it is, its launch has no time
        Trace timed = **trace;
        timed.launches.front().end.value = timed.launches.front().start.value + (o.end - o.start);
        (void)writeTrace(timed, folder / r.file, progress);
    }
}

// Tells what a GPU's program left unordered. The PTX of its kernels is that of the launches that were recorded in detail.
void tellUnordered(program::ProgramTrace& program, const fs::path& folder) {
    program::tellUnordered(program, [&](std::uint32_t kernel) {
        for (const program::ProgramRecording& r : program.recordings) {
            const program::Operation* const o =
                r.operation < program.operations.size() ? &program.operations[r.operation] : nullptr;
            if (!o || o->kernel != kernel || !hasWarps(program, *o))
                continue;
            Progress progress;
            const auto trace = readTrace(folder / r.file, progress);
            if (trace && !(*trace)->launches.empty() && !(*trace)->kernels.empty())
                return (*trace)->kernels.front().ptx;
        }
        return std::string();
    });
}

// Journals, one a process, become a file; they go away when that is whole.
Result<void> finish(const std::vector<fs::path>& journals, const fs::path& file, bool inside, int status,
                    const program::ProgramOrigin& origin) {
    std::vector<program::ProgramTrace> processes;
    for (const fs::path& journal : journals) {
        auto process = program::readJournal(journal);
        if (!process)
            return process.error();
        if (journal.filename() == journalName)
            process->info.exitStatus = status;
        if (process->info.backend == BackendKind::Cuda)
            tellUnordered(*process, journal.parent_path());
        processes.push_back(std::move(*process));
    }
    program::ProgramTrace program =
        processes.size() == 1 ? std::move(processes.front()) : program::join(std::move(processes));
    program.info.exitStatus = status;
    program.info.origin = origin;
    if (origin.known())
        program.info.origin.seal = sealOf(program.info);
    timeCodes(program, journals.front().parent_path());
    // Traces that were named but not finished: the process ended while it wrote one.
    std::error_code failed;
    const fs::path folder = journals.front().parent_path();
    if (auto ok = program::writeProgram(program, file, inside ? folder : fs::path()); !ok)
        return Error{
            .message = ok.error().message, .file = ok.error().file, .remedy = say::StillIn(journals.front().string())};
    if (inside)
        for (const auto& r : program.recordings)
            fs::remove(folder / r.file, failed);
    for (const fs::path& journal : journals)
        fs::remove(journal, failed);
    return {};
}

// What must be known to run it again (rerun.h).
program::ProgramOrigin originOf(const ProgramRequest& request) {
    std::error_code failed;
    program::ProgramOrigin origin{fs::current_path(failed).string(), request.sources, request.words, {}, {}};
    const CompileOptions& c = request.compile;
    const auto each = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            origin.options.insert(origin.options.end(), {option, value});
    };
    each("-I", c.includes);
    each("-D", c.defines);
    each("--nvcc", c.nvcc);
    if (!c.arch.empty())
        each("--arch", {c.arch});
    each("--mode", {name(c.mode)});
    program::Settings settings = request.settings;
    settings.folder.clear();
    origin.settings = program::settingsText(settings);
    return origin;
}

std::string commandOf(const std::vector<std::string>& words) {
    std::string text = words.front().substr(words.front().rfind('/') + 1);
    for (std::size_t n = 1; n < words.size(); ++n)
        text += " " + words[n];
    return text;
}

// What source files are compiled for: the device that the program will find. "sm_90".
Result<std::string> archOf(const ProgramRequest& request) {
    if (request.backend == BackendKind::Cuda) {
        const auto gpus = cudaDevices();
        if (!gpus)
            return gpus.error();
        return fmt::format("sm_{}{}", gpus->front().ccMajor, gpus->front().ccMinor);
    }
    const DeviceSpec* device = findDevice(request.settings.device);
    if (!device)
        return Error{.message = say::NoDevice(request.settings.device), .remedy = say::ChooseOfDevices};
    const DeviceSpec spec = withCapability(*device, request.settings.capability).value_or(*device);
    return fmt::format("sm_{}{}", spec.ccMajor, spec.ccMinor);
}

} // namespace

Result<ProgramEnd> recordProgram(const ProgramRequest& request) {
    const bool builds = !request.sources.empty();
    // A program that is built already says itself what is wrong where there is no GPU.
    const auto arch = builds || request.backend == BackendKind::Emulator ? archOf(request) : std::string();
    if (!arch)
        return arch.error();
    auto surroundings = surroundingsOf(request.backend);
    if (!surroundings)
        return surroundings.error();
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    std::vector<std::string> words = request.words;
    fs::path program;
    if (builds) {
        auto built = buildProgram(request, scratch.path, *arch);
        if (!built)
            return built.error();
        program = *built;
        words.insert(words.begin(), program.string());
    } else {
        auto found = programPath(words.front());
        if (!found)
            return found.error();
        program = *found;
    }
    if (auto ok = request.backend == BackendKind::Emulator ? checkRuntime(program) : Result<void>(); !ok)
        return ok.error();

    const bool inside = request.output.extension() == ".wgt";
    const fs::path folder = fs::absolute(inside ? fs::path(request.output.string() + ".parts") : request.output);
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || access(folder.c_str(), W_OK) != 0)
        return Error{.message = say::FolderNotWritten(failed ? failed.message() : std::strerror(errno)),
                     .file = folder.string()};
    clearFolder(folder);
    program::Settings settings = request.settings;
    settings.folder = folder.string();
    settings.command = commandOf(words);
    auto status = runProgram(program, words, *surroundings, settings);
    if (!status)
        return status.error();

    ProgramEnd end;
    end.status = *status;
    std::vector<fs::path> journals;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == ".journal")
            journals.push_back(entry.path());
    std::sort(journals.begin(), journals.end(), [](const fs::path& a, const fs::path& b) {
        return std::pair(a.filename() != journalName, a) < std::pair(b.filename() != journalName, b);
    });
    if (journals.empty()) {
        end.warnings.push_back(say::NeverUsedDevice);
    } else {
        end.file = inside ? request.output : folder / "program.wgt";
        if (auto ok = finish(journals, end.file, inside, *status, originOf(request)); !ok)
            return ok.error();
    }
    if (inside)
        fs::remove(folder, failed); // if nothing is left in it
    return end;
}

} // namespace warpglass::session
