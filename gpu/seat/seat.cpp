// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/seat.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/program.h"

#include <algorithm>
#include <cstdlib>

#include <pthread.h>

namespace warpglass::seat {

namespace {

// Streams that have no handle of their own: the default one, under its three names.
bool isDefault(CUstream stream) {
    return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

} // namespace

Seat::Seat(program::Settings settings)
    : recorder(std::move(settings), BackendKind::Cuda),
      memoryToKeep(program::keptLaunches * recorder.settings().keepMemory) {}

Seat& seat() {
    static Seat* const one = [] {
        auto* made = new Seat(program::settingsOfProcess());
        pthread_atfork([] { seat().lock.lock(); }, [] { seat().lock.unlock(); },
                       [] { // the lock knows its holder by a number that the child does not have
                           new (&seat().lock) std::recursive_mutex;
                           seat().forked();
                       });
        return made;
    }();
    return *one;
}

void Seat::forked() {
    recorder.forked();
    replays.forked();
    images.forked();
    m_streams.clear();
    ++contextChanges;
}

// The device is known with the first call of a thread that has a context.
void Seat::begin() {
    if (m_began)
        return;
    const Inside inside;
    CUdevice device = 0;
    if (driver().cuCtxGetDevice(&device) != CUDA_SUCCESS)
        return;
    m_began = true;
    char name[256] = "";
    driver().cuDeviceGetName(name, sizeof name, device);
    recorder.setDevice(name);
    if (recorder.settings().times != "host")
        if (auto ok = activity.start(recorder); !ok)
            recorder.tell(say::NoTimes(wholeOf(ok.error())));
    // Behind those of the driver and of CUDA's runtime, and so called before them.
    std::atexit([] { seat().finish(); });
}

void Seat::finish() {
    const std::lock_guard guard(lock);
    const Inside inside;
    activity.collect(recorder, true);
}

void Seat::nameStream(CUstream stream, unsigned flags, int priority) {
    const std::lock_guard guard(lock);
    begin();
    const Inside inside;
    CUcontext context = nullptr;
    CUdevice device = 0;
    driver().cuCtxGetCurrent(&context);
    driver().cuCtxGetDevice(&device);
    const std::uint32_t row = recorder.add(program::ProgramStream{
        .priority = priority, .blocking = flags & CU_STREAM_NON_BLOCKING ? 0u : 1u, .device = std::uint32_t(device)});
    m_streams[{nullptr, stream}] = {row, activity.streamNumber(context, stream, false)};
}

void Seat::forgetStream(CUstream stream) {
    const std::lock_guard guard(lock);
    ++contextChanges; // another stream may come by the same handle
    m_streams.erase({nullptr, stream});
}

Seat::StreamRow Seat::rowOf(CUstream stream, bool perThread) {
    // The driver takes its time to say which context is current; a thread's last answer holds until somebody changes it.
    struct Last {
        CUstream stream = nullptr;
        StreamRow row;
        unsigned changes = 0;
        bool perThread = false, known = false;
    };
    thread_local Last last;
    const unsigned changes = contextChanges.load(std::memory_order_relaxed);
    if (last.known && last.changes == changes && last.stream == stream && last.perThread == perThread)
        return last.row;
    last = {stream, findRow(stream, perThread), changes, perThread, true};
    return last.row;
}

Seat::StreamRow Seat::findRow(CUstream stream, bool perThread) {
    if (!isDefault(stream))
        if (const auto found = m_streams.find({nullptr, stream}); found != m_streams.end())
            return found->second;
    const Inside inside;
    CUcontext context = nullptr;
    driver().cuCtxGetCurrent(&context);
    const bool ofThread = stream == CU_STREAM_PER_THREAD || (!stream && perThread);
    const CUstream key = !isDefault(stream) ? stream : ofThread ? CU_STREAM_PER_THREAD : nullptr;
    const auto found = m_streams.find({context, key});
    if (found != m_streams.end())
        return found->second;
    CUdevice device = 0;
    driver().cuCtxGetDevice(&device);
    StreamRow row{0, activity.streamNumber(context, stream, perThread)};
    if (m_streams.empty() && !key && device == 0) { // the recorder has listed that default stream itself
        row.row = 0;
    } else {
        program::ProgramStream s;
        s.device = std::uint32_t(device);
        s.name = ofThread ? "per thread" : isDefault(stream) ? "default" : "";
        row.row = recorder.add(s);
    }
    return m_streams[{context, key}] = row;
}

bool Seat::isDevice(std::uint64_t address) const {
    auto after = memory.upper_bound(address);
    if (after == memory.begin())
        return false;
    --after;
    return after->second.kind == program::MemoryKind::Device &&
           address - after->first < std::max<std::uint64_t>(after->second.bytes, 1);
}

bool Seat::isCaptured(CUstream stream, bool perThread) const {
    if (capturing.load(std::memory_order_relaxed) == 0)
        return false;
    if (perThread && !stream)
        stream = CU_STREAM_PER_THREAD;
    const Inside inside;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return driver().cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

namespace {

// A launch or copy within a call of NCCL's is its work: of those that were asked for on its stream, or, where NCCL took another,
// of all.
void tellCollectives(program::ProgramRecorder& recorder, const Operation& o, std::uint32_t row) {
    const auto all = collectivesUnderWay();
    if (all.empty() || (o.kind != OperationKind::Launch && o.kind != OperationKind::Copy))
        return;
    const auto isOfStream = [&](const CollectiveUnderWay& c) { return c.stream == o.stream; };
    const bool any = std::any_of(all.begin(), all.end(), isOfStream);
    for (const CollectiveUnderWay& c : all)
        if (!any || isOfStream(c))
            recorder.add(program::CollectiveStep{row, c.row});
}

} // namespace

std::uint32_t Seat::add(Operation o, CUstream stream, bool perThread, const Expected* expected,
                        std::span<const std::byte> arguments) {
    const std::lock_guard guard(lock);
    begin();
    const StreamRow s = rowOf(stream, perThread);
    o.stream = s.row;
    o.start = o.called, o.end = o.returned;
    const std::uint32_t row = recorder.add(o, arguments);
    tellCollectives(recorder, o, row);
    if (expected)
        activity.expect(s.number, *expected, row);
    return row;
}

CollectiveUnderWay Seat::collective(program::Collective what, CUstream stream) {
    const std::lock_guard guard(lock);
    begin();
    what.called = recorder.now();
    what.stream = rowOf(stream, false).row;
    return {recorder.add(what), what.stream};
}

std::uint32_t Seat::launched(program::RecordedGraph& graph, const program::ProgramGraph& description,
                             std::int64_t called, CUstream stream, bool perThread) {
    const std::lock_guard guard(lock);
    begin();
    return recorder.launched(graph, rowOf(stream, perThread).row, called, [&] { return description; });
}

void Seat::waited() {
    const std::lock_guard guard(lock);
    constexpr std::int64_t between = 200'000'000; // ns
    const std::int64_t now = recorder.now();
    if (!activity.runs() || now - m_collected < between)
        return;
    m_collected = now;
    const Inside inside;
    activity.collect(recorder, false);
}

} // namespace warpglass::seat
