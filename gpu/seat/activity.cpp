// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/activity.h"

#include "gpu/cuda/plugin/cupti_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string_view>
#include <vector>

namespace warpglass::seat {

namespace {

constexpr std::size_t bufferBytes = 4 << 20;

struct Library {
    decltype(&::cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityDisable) disable = nullptr;
    decltype(&::cuptiActivityGetNextRecord) next = nullptr;
    decltype(&::cuptiActivityFlushAll) flush = nullptr;
    decltype(&::cuptiGetTimestamp) timestamp = nullptr;
    decltype(&::cuptiGetStreamIdEx) streamId = nullptr;
};

struct Record {
    Expected expected;
    std::uint32_t stream = 0;
    std::uint64_t start = 0, end = 0;
};

// CUPTI's callbacks carry no pointer of ours.
struct Arrived {
    std::mutex lock;
    std::vector<Record> records;
    decltype(&::cuptiActivityGetNextRecord) next = nullptr;
};
Arrived& arrived() {
    static auto* const all = new Arrived;
    return *all;
}

void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, bufferBytes));
    *size = *buffer ? bufferBytes : 0;
    *records = 0;
}

void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const std::lock_guard guard(arrived().lock);
    CUpti_Activity* record = nullptr;
    while (arrived().next(buffer, valid, &record) == CUPTI_SUCCESS) {
        Record r;
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
            const auto* k = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            r = {{Expected::Kind::Kernel, hashOfName(k->name), k->graphNodeId}, k->streamId, k->start, k->end};
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            const auto* c = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
            r = {{Expected::Kind::Copy, c->bytes, c->graphNodeId}, c->streamId, c->start, c->end};
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY2) {
            const auto* c = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4*>(record);
            r = {{Expected::Kind::Copy, c->bytes, c->graphNodeId}, c->streamId, c->start, c->end};
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
            const auto* f = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
            r = {{Expected::Kind::Fill, f->bytes, f->graphNodeId}, f->streamId, f->start, f->end};
        } else {
            continue;
        }
        if (r.end > r.start) // 0: CUPTI could not time it
            arrived().records.push_back(r);
    }
    std::free(buffer);
}

constexpr CUpti_ActivityKind kinds[]{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                     CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

} // namespace

std::uint64_t hashOfName(const char* name) {
    return std::hash<std::string_view>()(name ? name : "");
}

struct Activity::State {
    Library library;
    bool runs = false;
    std::int64_t offset = 0; // of the journal's clock to CUPTI's, ns
    Matching matching;
};

Activity::Activity() : m(std::make_unique<State>()) {}
Activity::~Activity() = default;

bool Activity::runs() const {
    return m->runs;
}

Result<void> Activity::start(const program::ProgramRecorder& recorder) {
    void* opened = cuda::openCupti();
    const Error missing{"NVIDIA's profiling library (libcupti) was not found", "", 0, 0,
                        "Install the CUDA toolkit's CUPTI: without it times are those of the calls."};
    if (!opened)
        return missing;
    const auto load = [opened](auto& to, const char* name) {
        to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(dlsym(opened, name));
        return to != nullptr;
    };
    Library& l = m->library;
    if (!load(l.registerCallbacks, "cuptiActivityRegisterCallbacks") || !load(l.enable, "cuptiActivityEnable") ||
        !load(l.disable, "cuptiActivityDisable") || !load(l.next, "cuptiActivityGetNextRecord") ||
        !load(l.flush, "cuptiActivityFlushAll") || !load(l.timestamp, "cuptiGetTimestamp") ||
        !load(l.streamId, "cuptiGetStreamIdEx"))
        return missing;
    arrived().next = l.next;
    m->runs = true;
    resume();
    return readClocks(recorder) ? Result<void>() : missing;
}

// Both clocks one after the other, several times: the closest pair counts. The first reading of CUPTI's takes longest.
bool Activity::readClocks(const program::ProgramRecorder& recorder) {
    constexpr int times = 16;
    std::int64_t closest = std::numeric_limits<std::int64_t>::max();
    for (int n = 0; n < times; ++n) {
        std::uint64_t theirs = 0;
        const std::int64_t before = recorder.now();
        if (m->library.timestamp(&theirs) != CUPTI_SUCCESS)
            return false;
        const std::int64_t after = recorder.now();
        if (after - before >= closest)
            continue;
        closest = after - before;
        m->offset = (before + after) / 2 - std::int64_t(theirs);
    }
    return true;
}

void Activity::resume() {
    if (!m->runs)
        return;
    m->library.registerCallbacks(requested, completed);
    for (const CUpti_ActivityKind kind : kinds)
        m->library.enable(kind);
}

void Activity::pause(program::ProgramRecorder& recorder) {
    if (!m->runs)
        return;
    collect(recorder, true);
    for (const CUpti_ActivityKind kind : kinds)
        m->library.disable(kind);
}

void Activity::letGo() {
    if (void* library = m->runs ? nullptr : cuda::openCupti())
        if (const auto finalize = reinterpret_cast<decltype(&::cuptiFinalize)>(dlsym(library, "cuptiFinalize")))
            finalize();
}

std::uint32_t Activity::streamNumber(CUcontext context, CUstream stream, bool perThread) const {
    std::uint32_t number = 0;
    if (m->runs)
        m->library.streamId(context, stream, perThread, &number);
    return number;
}

void Activity::expect(std::uint32_t stream, const Expected& expected, std::uint64_t row) {
    if (m->runs)
        m->matching.expect(stream, expected, row);
}

void Activity::collect(program::ProgramRecorder& recorder, bool force) {
    if (!m->runs)
        return;
    m->library.flush(force ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
    std::vector<Record> records;
    {
        const std::lock_guard guard(arrived().lock);
        records.swap(arrived().records);
    }
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.start < b.start; });
    for (const Record& r : records)
        if (const auto row = m->matching.take(r.stream, r.expected))
            recorder.add(
                program::OperationTime{*row, std::int64_t(r.start) + m->offset, std::int64_t(r.end) + m->offset});
}

} // namespace warpglass::seat
