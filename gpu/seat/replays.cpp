// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/replays.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/base/companion.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <utility>

namespace warpglass::seat {

namespace {

// Starting the driver, copying memory and compiling take seconds in which nothing is said.
constexpr double patience = 60;

// Beside this library: the running program is somebody else's.
std::filesystem::path workerProgram() {
    Dl_info info{};
    static const char here = 0;
    if (dladdr(&here, &info) == 0 || !info.dli_fname)
        return cuda::workerProgram();
    return companionOf(std::filesystem::path(info.dli_fname).parent_path(), "warpglass-gpu-worker");
}

} // namespace

Result<Replayed> Replays::make(cuda::ReplayRequest request, const KeptMemory& memory, bool& fault) {
    constexpr int mostWorkers = 6; // of four or five that were started by chance one had its own code in the way
    request.areas = memory.areas;
    for (int n = 1;; ++n) {
        bool again = false;
        auto made = makeOnce(request, memory, fault, again);
        if (made || !again || n == mostWorkers)
            return made;
    }
}

Result<Replayed> Replays::makeOnce(const cuda::ReplayRequest& request, const KeptMemory& memory, bool& fault,
                                   bool& again) {
    auto worker = std::exchange(m_worker, std::nullopt);
    if (!worker || !worker->alive()) {
        auto started = cuda::WorkerProcess::start(workerProgram(), cuda::WorkerProcess::Of::Nobody);
        if (!started)
            return started.error();
        worker.emplace(std::move(*started));
    }
    bool sent = worker->send(cuda::toJson(request).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    const auto bytes = std::as_bytes(memory.words.rows(0, memory.words.size()));
    std::size_t at = 0;
    for (const KeptArea& area : memory.areas) {
        sent = sent && worker->send(cuda::FrameKind::Bytes, bytes.data() + at, area.bytes);
        at += area.words() * 8;
    }
    Progress nobody;
    const auto frame = worker->receive(nobody, request.options.timeLimitSeconds + patience);
    if (!frame)
        return frame.error();
    const auto answer = nlohmann::json::parse(frame->payload, nullptr, false);
    if (!answer.is_object())
        return Error{say::WorkerNotUnderstood};
    if (answer.value("hung", false))
        return Error{say::BesideDidNotEnd(fmt::format("{:g}", request.options.timeLimitSeconds))};
    again = answer.value("place", false);
    fault = answer.value("fault", false);
    if (answer.contains("error"))
        return cuda::errorFromJson(answer["error"]);
    auto trace = readTrace(request.trace, nobody);
    std::error_code code;
    std::filesystem::remove(request.trace, code);
    if (!trace)
        return trace.error();
    if (answer.value("again", false))
        m_worker.emplace(std::move(*worker));
    return Replayed{std::move(*trace), answer.value("durationNs", 0.0)};
}

void Replays::forked() {
    if (m_worker)
        m_worker->abandon();
    m_worker.reset();
}

} // namespace warpglass::seat
