// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"
#include "gpu/cuda/protocol.h"

#include <filesystem>
#include <sys/types.h>

namespace warpglass::cuda {

// One worker. It answers request after request until this goes. What it prints to standard error is kept for the case
// that it dies.
class WorkerProcess {
public:
    // Whose child it is: of this process; or of nobody here, since this is somebody else's program, whose own waiting for
    // children must not meet it. Apart it is started without LD_PRELOAD, and ends when its pipe does.
    enum class Of : std::uint8_t { Us, Nobody };
    static Result<WorkerProcess> start(const std::filesystem::path& program, Of whose = Of::Us);
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&&) = delete;

    bool send(FrameKind kind, const void* data, std::size_t bytes);
    bool send(const std::string& json) { return send(FrameKind::Json, json.data(), json.size()); }

    // Lets go of it without a word: it is somebody else's, too.
    void abandon() { m_pid = -1; }

    // Whether it still waits for a request, as far as can be told.
    bool alive();

    // The next frame that is no Progress; those are passed on. Error: cancelled, silent for `silence` seconds, or dead.
    Result<Frame> receive(Progress& progress, double silence);

private:
    WorkerProcess() = default;
    void kill();
    std::string lastWords() const;

    bool ended(int options, int* status = nullptr) const; // as waitpid tells; never of one that is nobody's

    pid_t m_pid = -1;
    Of m_of = Of::Us;
    int m_to = -1, m_from = -1, m_errors = -1; // m_errors: an unlinked file
};

// Where the worker lies, or would (gpu/base/companion.h).
std::filesystem::path workerProgram(const char* name = "warpglass-gpu-worker");

} // namespace warpglass::cuda
