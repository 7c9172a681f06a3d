// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/counters.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/plugin/cupti_calls.h"

#include "gpu/cuda/plugin/cache_flush.h"
#include "gpu/metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace warpglass::cuda {

namespace {

// The profiler's host side: from metric names to a configuration, and from counter data to values.
class Host {
public:
    explicit Host(const Cupti& c) : cupti(c) {}
    ~Host() {
        if (!m_host)
            return;
        auto p = WARPGLASS_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
        p.pHostObject = m_host;
        cupti.cuptiProfilerHostDeinitialize(&p);
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    Result<void> start(int device) {
        auto chip = WARPGLASS_PARAMS(CUpti_Device_GetChipName_Params);
        chip.deviceIndex = std::size_t(device);
        WARPGLASS_TRY(cupti.cuptiDeviceGetChipName(&chip), say::ChipNotKnown);
        auto available = WARPGLASS_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
        WARPGLASS_TRY(cupti.cuptiProfilerGetCounterAvailability(&available), say::CountersNotRead);
        m_availability.resize(available.counterAvailabilityImageSize);
        available.pCounterAvailabilityImage = m_availability.data();
        WARPGLASS_TRY(cupti.cuptiProfilerGetCounterAvailability(&available), say::CountersNotRead);
        auto host = WARPGLASS_PARAMS(CUpti_Profiler_Host_Initialize_Params);
        host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        host.pChipName = chip.pChipName;
        host.pCounterAvailabilityImage = m_availability.data();
        WARPGLASS_TRY(cupti.cuptiProfilerHostInitialize(&host), say::ProfilerNotStarted);
        m_host = host.pHostObject;
        return {};
    }

    // All at once: asked for one by one, counters that others are made of would be collected several times over, and
    // their values would come out too small.
    Result<void> add(const std::vector<const MetricDefinition*>& all) {
        for (const MetricDefinition* w : all)
            names.push_back(w->nsight.data());
        kept = all;
        auto metrics = WARPGLASS_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
        metrics.pHostObject = m_host;
        metrics.ppMetricNames = names.data();
        metrics.numMetrics = names.size();
        WARPGLASS_TRY(cupti.cuptiProfilerHostConfigAddMetrics(&metrics), say::CountersNotChosen);
        return {};
    }

    // How often a kernel must run for them.
    Result<std::size_t> configure() {
        auto size = WARPGLASS_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
        size.pHostObject = m_host;
        WARPGLASS_TRY(cupti.cuptiProfilerHostGetConfigImageSize(&size), say::CountersNotChosen);
        config.resize(size.configImageSize);
        auto image = WARPGLASS_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
        image.pHostObject = m_host;
        image.configImageSize = config.size();
        image.pConfigImage = config.data();
        WARPGLASS_TRY(cupti.cuptiProfilerHostGetConfigImage(&image), say::CountersNotChosen);
        auto passes = WARPGLASS_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
        passes.configImageSize = config.size();
        passes.pConfigImage = config.data();
        WARPGLASS_TRY(cupti.cuptiProfilerHostGetNumOfPasses(&passes), say::CountersNotChosen);
        return passes.numOfPasses;
    }

    Result<std::vector<double>> values(const std::vector<std::uint8_t>& counterData) {
        std::vector<double> result(names.size());
        auto evaluate = WARPGLASS_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
        evaluate.pHostObject = m_host;
        evaluate.pCounterDataImage = counterData.data();
        evaluate.counterDataImageSize = counterData.size();
        evaluate.ppMetricNames = names.data();
        evaluate.numMetrics = names.size();
        evaluate.pMetricValues = result.data();
        WARPGLASS_TRY(cupti.cuptiProfilerHostEvaluateToGpuValues(&evaluate), say::CountersNotEvaluated);
        return result;
    }

    const Cupti& cupti;
    std::vector<const char*> names;
    std::vector<const MetricDefinition*> kept;
    std::vector<std::uint8_t> config;

private:
    CUpti_Profiler_Host_Object* m_host = nullptr;
    std::vector<std::uint8_t> m_availability;
};

// The profiler's device side, switched on while this lives.
class Ranges {
public:
    explicit Ranges(const Cupti& c) : cupti(c) {}
    ~Ranges() {
        if (!m_object)
            return;
        auto p = WARPGLASS_PARAMS(CUpti_RangeProfiler_Disable_Params);
        p.pRangeProfilerObject = m_object;
        cupti.cuptiRangeProfilerDisable(&p);
    }
    Ranges(const Ranges&) = delete;
    Ranges& operator=(const Ranges&) = delete;

    Result<void> start(Host& host) {
        auto enable = WARPGLASS_PARAMS(CUpti_RangeProfiler_Enable_Params);
        WARPGLASS_TRY(cupti.cuptiRangeProfilerEnable(&enable), say::CountersNotRead);
        m_object = enable.pRangeProfilerObject;
        auto size = WARPGLASS_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
        size.pRangeProfilerObject = m_object;
        size.pMetricNames = host.names.data();
        size.numMetrics = host.names.size();
        size.maxNumOfRanges = 1;
        size.maxNumRangeTreeNodes = 1;
        WARPGLASS_TRY(cupti.cuptiRangeProfilerGetCounterDataSize(&size), say::CountersNotPrepared);
        data.resize(size.counterDataSize);
        auto init = WARPGLASS_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
        init.pRangeProfilerObject = m_object;
        init.counterDataSize = data.size();
        init.pCounterData = data.data();
        WARPGLASS_TRY(cupti.cuptiRangeProfilerCounterDataImageInitialize(&init), say::CountersNotPrepared);
        auto set = WARPGLASS_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
        set.pRangeProfilerObject = m_object;
        set.configSize = host.config.size();
        set.pConfig = host.config.data();
        set.counterDataImageSize = data.size();
        set.pCounterDataImage = data.data();
        set.range = CUPTI_AutoRange;
        set.replayMode = CUPTI_KernelReplay;
        set.maxRangesPerPass = 1;
        set.numNestingLevels = 1;
        set.minNestingLevel = 1;
        set.passIndex = 0;
        set.targetNestingLevel = 1;
        WARPGLASS_TRY(cupti.cuptiRangeProfilerSetConfig(&set), say::CountersNotPrepared);
        return {};
    }

    Result<void> around(const std::function<Result<void>()>& launch) {
        auto begin = WARPGLASS_PARAMS(CUpti_RangeProfiler_Start_Params);
        begin.pRangeProfilerObject = m_object;
        WARPGLASS_TRY(cupti.cuptiRangeProfilerStart(&begin), say::CountersNotRead);
        auto launched = launch();
        auto end = WARPGLASS_PARAMS(CUpti_RangeProfiler_Stop_Params);
        end.pRangeProfilerObject = m_object;
        const CUptiResult stopped = cupti.cuptiRangeProfilerStop(&end);
        if (!launched)
            return launched;
        WARPGLASS_TRY(stopped, say::CountersNotRead);
        auto decode = WARPGLASS_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
        decode.pRangeProfilerObject = m_object;
        WARPGLASS_TRY(cupti.cuptiRangeProfilerDecodeData(&decode), say::CountersNotReadBack);
        return {};
    }

    const Cupti& cupti;
    std::vector<std::uint8_t> data;

private:
    CUpti_RangeProfiler_Object* m_object = nullptr;
};

// CUPTI's activity callbacks carry no user data, so the records they bring must be kept where they can be found. A
// worker serves one request on one thread and then ends.
std::vector<std::pair<std::uint64_t, std::uint64_t>>& kernelTimes() {
    static std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
    return times;
}
const Cupti*& activityCupti() {
    static const Cupti* cupti = nullptr;
    return cupti;
}

constexpr std::size_t activityBytes = 1 << 20;

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, activityBytes));
    *size = activityBytes;
    *maxRecords = 0;
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t validSize) {
    CUpti_Activity* record = nullptr;
    while (activityCupti()->cuptiActivityGetNextRecord(buffer, validSize, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
            continue;
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        if (kernel->name && std::string_view(kernel->name) == cacheFlushKernel)
            continue;
        kernelTimes().emplace_back(kernel->start, kernel->end);
    }
    std::free(buffer);
}

// The metrics whose counters this chip has. A host that was refused one takes no more, so each is asked of a new one,
// unless all are there, as on the chips this list was made for.
Result<std::vector<const MetricDefinition*>> availableOn(const Cupti& cupti, int device) {
    std::vector<const MetricDefinition*> all;
    for (const MetricDefinition& metric : metricDefinitions())
        if (metric.counterScale != 0)
            all.push_back(&metric);
    Host every(cupti);
    if (auto ok = every.start(device); !ok)
        return ok.error();
    if (every.add(all))
        return all;
    std::vector<const MetricDefinition*> available;
    for (const MetricDefinition* w : all) {
        Host one(cupti);
        if (auto ok = one.start(device); !ok)
            return ok.error();
        if (one.add({w}))
            available.push_back(w);
    }
    return available;
}

} // namespace

Result<CounterRun> readCounters(const Cupti& cupti, int device, const std::function<Result<void>()>& launch) {
    auto initialise = WARPGLASS_PARAMS(CUpti_Profiler_Initialize_Params);
    WARPGLASS_TRY(cupti.cuptiProfilerInitialize(&initialise), say::ProfilerNotStarted);
    const auto available = availableOn(cupti, device);
    if (!available)
        return available.error();
    Host host(cupti);
    if (auto ok = host.start(device); !ok)
        return ok.error();
    if (auto ok = host.add(*available); !ok)
        return ok.error();
    const auto passes = host.configure();
    if (!passes)
        return passes.error();
    Ranges ranges(cupti);
    if (auto ok = ranges.start(host); !ok)
        return ok.error();
    if (auto ok = ranges.around(launch); !ok)
        return ok.error();
    const auto values = host.values(ranges.data);
    if (!values)
        return values.error();

    CounterRun run;
    run.passes = *passes;
    for (std::size_t i = 0; i < values->size(); ++i) {
        const MetricDefinition& w = *host.kept[i];
        if (std::isfinite((*values)[i]))
            run.counters.push_back({0, std::string(w.name), std::string(w.nsight), (*values)[i] * w.counterScale,
                                    std::string(w.unit), Origin::Measured});
    }
    return run;
}

Result<std::vector<double>> kernelDurations(const Cupti& cupti, const std::function<Result<void>()>& launch) {
    activityCupti() = &cupti;
    kernelTimes().clear();
    WARPGLASS_TRY(cupti.cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted), say::DurationsNotRead);
    WARPGLASS_TRY(cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), say::DurationsNotRead);
    auto launched = launch();
    cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    if (!launched)
        return launched.error();
    std::sort(kernelTimes().begin(), kernelTimes().end());
    std::vector<double> result;
    for (const auto& [start, end] : kernelTimes())
        result.push_back(double(end - start));
    return result;
}

} // namespace warpglass::cuda
