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
    static Result<WorkerProcess> start(const std::filesystem::path& program);
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&&) = delete;

    bool send(FrameKind kind, const void* data, std::size_t bytes);
    bool send(const std::string& json) { return send(FrameKind::Json, json.data(), json.size()); }

    // Whether it still waits for a request, as far as can be told.
    bool alive();

    // The next frame that is no Progress; those are passed on. Error: cancelled, silent for `silence` seconds, or dead.
    Result<Frame> receive(Progress& progress, double silence);

private:
    WorkerProcess() = default;
    void kill();
    std::string lastWords() const;

    pid_t m_pid = -1;
    int m_to = -1, m_from = -1, m_errors = -1; // m_errors: an unlinked file
};

// Where the worker lies, or would (gpu/base/companion.h).
std::filesystem::path workerProgram(const char* name = "warpglass-gpu-worker");

} // namespace warpglass::cuda
