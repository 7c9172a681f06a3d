// SPDX-License-Identifier: GPL-3.0-or-later
// The plug-in's one entry point: reads requests, answers them, and ends the process. Ending it at once, without the
// driver's own tidying up, is what makes a hung kernel cost nothing but this process.
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/plugin/devices.h"
#include "gpu/cuda/plugin/driver.h"
#include "gpu/cuda/plugin/gpu_run.h"
#include "gpu/cuda/plugin/replay.h"
#include "gpu/cuda/protocol.h"
#include "gpu/trace/file.h"

#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace warpglass::cuda {

namespace {

using nlohmann::json;

void answer(int out, json j) {
    j["version"] = protocolVersion();
    const std::string text = j.dump(-1, ' ', false, json::error_handler_t::replace);
    writeFrame(out, FrameKind::Json, text.data(), text.size());
}

json devicesAnswer() {
    if (const auto driver = loadDriver(); !driver)
        return {{"error", toJson(driver.error())}};
    json devices = json::array();
    for (const CudaDevice& d : listDevices())
        devices.push_back({{"ordinal", d.ordinal},
                           {"name", d.name},
                           {"ccMajor", d.ccMajor},
                           {"ccMinor", d.ccMinor},
                           {"smCount", d.smCount},
                           {"smClockMHz", d.smClockMHz},
                           {"memoryClockMHz", d.memoryClockMHz},
                           {"memoryBytes", d.memoryBytes},
                           {"driver", d.driver}});
    return {{"devices", devices}};
}

// True if the process is as it was before the run.
bool answerRun(int out, const json& request, Result<GpuRun> done) {
    const auto failed = [&](const Error& error) {
        answer(out, {{"error", toJson(error)}});
        return false;
    };
    if (!done)
        return failed(done.error());
    Progress nobody;
    if (auto ok = writeTrace(done->trace, request.at("trace").get<std::string>(), nobody); !ok)
        return failed(ok.error());
    const bool again = !done->fault && !done->sampled;
    json reply{{"warpInstructions", done->warpInstructions}, {"wallSeconds", done->wallSeconds}, {"again", again}};
    if (done->fault)
        reply["fault"] = toJson(*done->fault);
    answer(out, reply);
    const json& plan = request.at("plan");
    done->buffers.resize(plan.at("arguments").size() + plan.at("globalBuffers").size() + plan.at("arrays").size());
    for (const auto& bytes : done->buffers)
        writeFrame(out, FrameKind::Bytes, bytes.data(), bytes.size());
    return again;
}

Result<GpuRun> run(int in, int out, const json& request) {
    auto plan = planFromJson(request.at("plan"));
    if (!plan)
        return plan.error();
    const auto options = optionsFromJson(request.at("options"));
    if (!options)
        return options.error();
    std::vector<std::vector<std::byte>> initial;
    for (std::size_t i = 0; i < plan->arguments.size() + plan->globalBuffers.size() + plan->arrays.size(); ++i) {
        const auto frame = readFrame(in);
        if (!frame || frame->kind != FrameKind::Bytes)
            return Error{say::RequestBrokeOff};
        auto& bytes = initial.emplace_back(frame->payload.size());
        std::memcpy(bytes.data(), frame->payload.data(), bytes.size());
    }
    return runOnGpu(
        *plan, *options, std::move(initial),
        [out](double fraction) { writeFrame(out, FrameKind::Progress, &fraction, sizeof fraction); },
        [&](GpuRun unfinished) {
            answerRun(out, request, std::move(unfinished));
            _exit(0);
        },
        request.value("hangs", false));
}

// True if the process is as it was before.
bool answerReplay(int in, int out, const json& asked) {
    const auto request = replayFromJson(asked);
    std::vector<std::string> contents;
    for (std::size_t i = 0; request && i < request->areas.size(); ++i) {
        auto frame = readFrame(in);
        if (!frame || frame->kind != FrameKind::Bytes)
            return false;
        contents.push_back(std::move(frame->payload));
    }
    const auto alive = [out] {
        const double begun = 0.5;
        if (!writeFrame(out, FrameKind::Progress, &begun, sizeof begun))
            _exit(0); // who asked is gone
    };
    const auto giveUp = [&] {
        answer(out, {{"hung", true}, {"again", false}});
        _exit(0);
    };
    Missed missed = Missed::Other;
    const auto done =
        request ? replay(*request, contents, alive, giveUp, missed) : Result<ReplayAnswer>(request.error());
    if (!done) {
        answer(
            out,
            {{"error", toJson(done.error())}, {"place", missed == Missed::Place}, {"fault", missed == Missed::Fault}});
        return false;
    }
    answer(out, {{"durationNs", done->durationNs}, {"again", true}});
    return true;
}

// True if another request can be taken.
bool serveOne(int in, int out) {
    const auto frame = readFrame(in);
    if (!frame || frame->kind != FrameKind::Json)
        return false;
    const json request = json::parse(frame->payload, nullptr, false);
    if (!request.is_object()) {
        answer(out, {{"error", toJson(Error{say::RequestNotUnderstood})}});
        return false;
    }
    if (const auto ok = sameVersion(request); !ok) {
        answer(out, {{"error", toJson(ok.error())}});
        return true;
    }
    const std::string what = request.value("what", "");
    if (what == "run")
        return answerRun(out, request, run(in, out, request));
    if (what == "replay")
        return answerReplay(in, out, request);
    if (what == "devices")
        answer(out, devicesAnswer());
    else
        answer(out, {{"error", toJson(Error{say::RequestUnknown(what)})}});
    return true;
}

} // namespace
} // namespace warpglass::cuda

extern "C" int warpglassCudaServe(int in, int out) {
    using namespace warpglass;
    try {
        while (cuda::serveOne(in, out)) {
        }
    } catch (const std::exception& e) { // of the libraries: no memory, a message in another shape
        cuda::answer(out, {{"error", cuda::toJson(Error{std::string("the GPU worker failed: ") + e.what()})}});
    }
    _exit(0);
}
