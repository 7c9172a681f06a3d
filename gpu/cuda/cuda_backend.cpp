// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cuda_backend.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/worker_process.h"
#include "gpu/trace/file.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace warpglass {

namespace {

using cuda::FrameKind;
using cuda::WorkerProcess;
using nlohmann::json;

// Frames come at least this often, or the worker is hung. Starting the driver and linking device code take seconds.
constexpr double patience = 60;

Error notUnderstood() {
    return {"the GPU worker's answer is not understood", "", 0, 0, say::BuildAgain};
}

// Text that is no UTF-8 gets replacement characters: JSON cannot hold it otherwise.
std::string dumped(const json& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<json> answer(WorkerProcess& worker, Progress& progress, double silence) {
    auto frame = worker.receive(progress, silence);
    if (!frame)
        return frame.error();
    if (frame->kind != FrameKind::Json)
        return notUnderstood();
    json j = json::parse(frame->payload, nullptr, false);
    if (!j.is_object())
        return notUnderstood();
    if (j.contains("error"))
        return cuda::errorFromJson(j["error"]);
    if (auto ok = cuda::sameVersion(j); !ok)
        return ok.error();
    return j;
}

Result<json> askedOf(WorkerProcess& worker, const json& request) {
    worker.send(dumped(request)); // a worker that is dead already is told of by receive()
    Progress nobody;
    return answer(worker, nobody, patience);
}

Result<json> asked(const json& request, const std::filesystem::path& program = cuda::workerProgram()) {
    auto worker = WorkerProcess::start(program);
    return worker ? askedOf(*worker, request) : worker.error();
}

// A file that is gone when this is.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code code;
        auto folder = std::filesystem::temp_directory_path(code);
        std::string name = (folder / "warpglass-XXXXXX").string();
        const int fd = mkstemp(name.data());
        if (fd >= 0)
            ::close(fd);
        m_path = name;
    }
    ~TemporaryFile() {
        std::error_code code;
        std::filesystem::remove(m_path, code);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

// Adds to the trace how the answer was judged. The answer is the clean run's, the events are the probed run's: a file
// tells of both, since a kernel that launches kernels may lose other launches in either.
void tellAnswer(Trace& trace, const CheckResult& check) {
    if (check.values > 0) {
        trace.counters.push_back({0, "results_checked", "", double(check.values), "1", Origin::Counted});
        trace.counters.push_back({0, "results_wrong", "", double(check.wrongValues), "1", Origin::Counted});
    }
    std::uint64_t dropped = 0;
    std::map<std::string, std::pair<std::uint64_t, Said>> reasons; // [in words]
    for (const Launch& launch : trace.launches)
        if (launch.status == LaunchStatus::Dropped) {
            ++dropped;
            auto& [launches, reason] = reasons[launch.reason.text()];
            ++launches;
            reason = launch.reason;
        }
    if (trace.launches.size() > 1)
        trace.counters.push_back({0, "launches_dropped", "", double(dropped), "1", Origin::Counted});
    if (check.check == Check::Wrong) {
        Diagnostic wrong;
        std::vector<Message> why;
        why.reserve(reasons.size());
        for (const auto& [words, told] : reasons)
            why.push_back(say::CountOf(told.first, told.second));
        wrong.message =
            dropped > 0 ? say::CleanRunWrongDropped(check.why, dropped, std::move(why)) : say::CleanRunWrong(check.why);
        wrong.launch = 0;
        trace.diagnostics.push_back(std::move(wrong));
    }
}

// again: whether the worker can take another request.
Result<Recording> runOnWorker(WorkerProcess& worker, const LaunchPlan& plan, const RunOptions& options,
                              Progress& progress, bool& again, bool hangs = false) {
    const TemporaryFile traceFile;
    worker.send(dumped({{"what", "run"},
                        {"version", cuda::protocolVersion()},
                        {"plan", cuda::toJson(plan)},
                        {"options", cuda::toJson(options)},
                        {"hangs", hangs},
                        {"trace", traceFile.path().string()}}));
    bool sent = true;
    for (const auto* arguments : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& a : *arguments) {
            if (progress.cancelled())
                return Error{say::RunCancelled};
            if (!sent)
                break;
            const std::vector<std::byte> bytes = cuda::initialContents(a);
            sent = worker.send(FrameKind::Bytes, bytes.data(), bytes.size());
        }
    for (const TexelArray& array : plan.arrays) {
        if (progress.cancelled())
            return Error{say::RunCancelled};
        if (!sent)
            break;
        const std::vector<std::byte> bytes = cuda::initialContents(array);
        sent = worker.send(FrameKind::Bytes, bytes.data(), bytes.size());
    }
    const auto done = answer(worker, progress, options.timeLimitSeconds * 2 + patience);
    if (!done)
        return done.error();

    Recording recording;
    for (std::size_t i = 0; i < plan.arguments.size() + plan.globalBuffers.size() + plan.arrays.size(); ++i) {
        auto frame = worker.receive(progress, patience);
        if (!frame)
            return frame.error();
        if (frame->kind != FrameKind::Bytes)
            return notUnderstood();
        auto& buffer = recording.buffers.emplace_back(frame->payload.size());
        std::memcpy(buffer.data(), frame->payload.data(), frame->payload.size());
    }
    again = done->value("again", false);
    if (done->contains("fault"))
        recording.fault = cuda::errorFromJson((*done)["fault"]);
    recording.warpInstructions = done->value("warpInstructions", std::uint64_t(0));
    recording.wallSeconds = done->value("wallSeconds", 0.0);
    auto trace = readTrace(traceFile.path(), progress);
    if (!trace)
        return trace.error();
    recording.trace = std::move(*trace);
    Trace& written = const_cast<Trace&>(*recording.trace); // nobody else has seen it yet
    written.asked = options.asked;
    if (plan.check && !recording.fault)
        recording.check = plan.check(recording.buffers);
    if (recording.check.check != Check::None)
        tellAnswer(written, recording.check);
    return recording;
}

// Keeps its worker from one run to the next: starting the driver costs more than most kernels of a lesson. A worker
// that met an error or a fault is not used again, since its driver may be in any state.
class CudaBackend : public Backend {
public:
    std::string name() const override { return "cuda"; }

    Result<void> available() const override {
        auto worker = taken();
        if (!worker)
            return worker.error();
        const auto devices = askedOf(*worker, {{"what", "devices"}, {"version", cuda::protocolVersion()}});
        if (!devices)
            return devices.error();
        kept(std::move(*worker));
        return {};
    }

    Result<Recording> run(const LaunchPlan& plan, const RunOptions& options, Progress& progress) override {
        auto worker = taken();
        if (!worker)
            return worker.error();
        bool again = false;
        auto recording = runOnWorker(*worker, plan, options, progress, again);
        if (again && recording)
            kept(std::move(*worker));
        if (recording && recording->fault && recording->fault->message.message().id == say::DidNotEnd.id &&
            options.detail.kind != Detail::Kind::None)
            return whoWaits(plan, options, progress, std::move(*recording));
        return recording;
    }

private:
    // Of a launch that did not end, once more with probes: their last records tell. Where they cannot, what is known stays.
    static Recording whoWaits(const LaunchPlan& plan, const RunOptions& options, Progress& progress, Recording known) {
        auto worker = WorkerProcess::start(cuda::workerProgram());
        bool again = false;
        if (!worker)
            return known;
        auto told = runOnWorker(*worker, plan, options, progress, again, true);
        const auto says = [](const Diagnostic& d) { return !d.waits.empty(); };
        return told && told->fault &&
                       std::any_of(told->trace->diagnostics.begin(), told->trace->diagnostics.end(), says)
                   ? std::move(*told)
                   : std::move(known);
    }
    // The one that was kept, or a new one. Two runs at a time have a worker each.
    Result<WorkerProcess> taken() const {
        const std::lock_guard lock(m_mutex);
        std::optional<WorkerProcess> worker = std::exchange(m_worker, std::nullopt);
        if (worker && worker->alive())
            return std::move(*worker);
        return WorkerProcess::start(cuda::workerProgram());
    }
    void kept(WorkerProcess worker) const {
        const std::lock_guard lock(m_mutex);
        m_worker.emplace(std::move(worker));
    }

    mutable std::mutex m_mutex;
    mutable std::optional<WorkerProcess> m_worker;
};

} // namespace

std::unique_ptr<Backend> loadCudaBackend() {
    return std::make_unique<CudaBackend>();
}

Result<std::vector<CudaDevice>> cudaDevices() {
    const auto reply = asked({{"what", "devices"}, {"version", cuda::protocolVersion()}});
    if (!reply)
        return reply.error();
    std::vector<CudaDevice> devices;
    for (const json& d : reply->value("devices", json::array())) {
        CudaDevice device;
        device.ordinal = d.value("ordinal", 0);
        device.name = d.value("name", "");
        device.ccMajor = d.value("ccMajor", 0);
        device.ccMinor = d.value("ccMinor", 0);
        device.smCount = d.value("smCount", 0);
        device.smClockMHz = d.value("smClockMHz", 0.0);
        device.memoryClockMHz = d.value("memoryClockMHz", 0.0);
        device.memoryBytes = d.value("memoryBytes", std::uint64_t(0));
        device.driver = d.value("driver", "");
        devices.push_back(std::move(device));
    }
    return devices;
}

Result<std::string> compileCuda(const std::string& source, const std::string& name, CompileMode mode,
                                const std::string& arch, const std::vector<std::string>& options, bool closed) {
    const auto reply = asked({{"source", source},
                              {"name", name},
                              {"mode", int(mode)},
                              {"arch", arch},
                              {"options", options},
                              {"closed", closed}},
                             cuda::workerProgram("warpglass-nvrtc"));
    if (!reply)
        return reply.error();
    return reply->value("ptx", "");
}

} // namespace warpglass
