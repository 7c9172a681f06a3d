// SPDX-License-Identifier: GPL-3.0-or-later
// CUPTI, opened at run time: a machine without it loses counters, nothing else.
#pragma once

#include "gpu/base/result.h"

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

namespace warpglass::cuda {

#define WARPGLASS_CUPTI_FUNCTIONS(X)                                                                                   \
    X(cuptiGetErrorMessage)                                                                                            \
    X(cuptiActivityEnable)                                                                                             \
    X(cuptiActivityDisable)                                                                                            \
    X(cuptiActivityRegisterCallbacks)                                                                                  \
    X(cuptiActivityGetNextRecord)                                                                                      \
    X(cuptiActivityFlushAll)                                                                                           \
    X(cuptiProfilerInitialize)                                                                                         \
    X(cuptiProfilerDeInitialize)                                                                                       \
    X(cuptiProfilerGetCounterAvailability)                                                                             \
    X(cuptiDeviceGetChipName)                                                                                          \
    X(cuptiProfilerHostInitialize)                                                                                     \
    X(cuptiProfilerHostDeinitialize)                                                                                   \
    X(cuptiProfilerHostConfigAddMetrics)                                                                               \
    X(cuptiProfilerHostGetConfigImageSize)                                                                             \
    X(cuptiProfilerHostGetConfigImage)                                                                                 \
    X(cuptiProfilerHostGetNumOfPasses)                                                                                 \
    X(cuptiProfilerHostEvaluateToGpuValues)                                                                            \
    X(cuptiRangeProfilerEnable)                                                                                        \
    X(cuptiRangeProfilerDisable)                                                                                       \
    X(cuptiRangeProfilerSetConfig)                                                                                     \
    X(cuptiRangeProfilerStart)                                                                                         \
    X(cuptiRangeProfilerStop)                                                                                          \
    X(cuptiRangeProfilerDecodeData)                                                                                    \
    X(cuptiRangeProfilerGetCounterDataSize)                                                                            \
    X(cuptiRangeProfilerCounterDataImageInitialize)                                                                    \
    X(cuptiRangeProfilerGetCounterDataInfo)                                                                            \
    X(cuptiPCSamplingEnable)                                                                                           \
    X(cuptiPCSamplingDisable)                                                                                          \
    X(cuptiPCSamplingStart)                                                                                            \
    X(cuptiPCSamplingStop)                                                                                             \
    X(cuptiPCSamplingGetData)                                                                                          \
    X(cuptiPCSamplingGetNumStallReasons)                                                                               \
    X(cuptiPCSamplingGetStallReasons)                                                                                  \
    X(cuptiPCSamplingSetConfigurationAttribute)                                                                        \
    X(cuptiSassMetricsGetProperties)                                                                                   \
    X(cuptiSassMetricsSetConfig)                                                                                       \
    X(cuptiSassMetricsUnsetConfig)                                                                                     \
    X(cuptiSassMetricsEnable)                                                                                          \
    X(cuptiSassMetricsDisable)                                                                                         \
    X(cuptiSassMetricsGetDataProperties)                                                                               \
    X(cuptiSassMetricsFlushData)

struct Cupti {
#define WARPGLASS_MEMBER(function) decltype(&::function) function = nullptr;
    WARPGLASS_CUPTI_FUNCTIONS(WARPGLASS_MEMBER)
#undef WARPGLASS_MEMBER
};

void* openCupti(); // nullptr if it is not there
Result<Cupti> loadCupti();

// In words; where a permission is missing, the remedy names the setting.
Error errorOf(const Cupti& cupti, CUptiResult code, Message what);

} // namespace warpglass::cuda
