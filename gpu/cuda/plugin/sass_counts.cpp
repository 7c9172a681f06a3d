// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/sass_counts.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/plugin/cupti_calls.h"

#include <array>
#include <map>
#include <utility>

namespace warpglass::cuda {

namespace {

// What is counted, and where it goes.
struct Counted {
    const char* metric;
    std::uint64_t ExecutedInstruction::*into;
};
constexpr std::array<Counted, 2> all = {{
    {"smsp__sass_inst_executed", &ExecutedInstruction::warps},
    {"smsp__sass_thread_inst_executed_pred_on", &ExecutedInstruction::lanes},
}};

// Counting, switched on in a context while this lives.
class Counting {
public:
    Counting(const Cupti& c, CUcontext context, int device) : cupti(c), m_context(context), m_device(device) {}
    ~Counting() { end(); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;

    Result<void> begin() {
        auto initialize = WARPGLASS_PARAMS(CUpti_Profiler_Initialize_Params);
        WARPGLASS_TRY(cupti.cuptiProfilerInitialize(&initialize), say::InstructionsNotCounted);
        auto chip = WARPGLASS_PARAMS(CUpti_Device_GetChipName_Params);
        chip.deviceIndex = std::size_t(m_device);
        WARPGLASS_TRY(cupti.cuptiDeviceGetChipName(&chip), say::ChipNotKnown);
        std::array<CUpti_SassMetrics_Config, all.size()> configs{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto found = WARPGLASS_PARAMS(CUpti_SassMetrics_GetProperties_Params);
            found.pChipName = chip.pChipName;
            found.pMetricName = all[i].metric;
            WARPGLASS_TRY(cupti.cuptiSassMetricsGetProperties(&found), say::InstructionsNotCounted);
            configs[i].metricId = found.metric.metricId;
            configs[i].outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
            m_into[found.metric.metricId] = all[i].into;
        }
        auto set = WARPGLASS_PARAMS(CUpti_SassMetricsSetConfig_Params);
        set.numOfMetricConfig = configs.size();
        set.pConfigs = configs.data();
        set.deviceIndex = std::uint32_t(m_device);
        WARPGLASS_TRY(cupti.cuptiSassMetricsSetConfig(&set), say::InstructionsNotCounted);
        m_configured = true;
        auto enable = WARPGLASS_PARAMS(CUpti_SassMetricsEnable_Params);
        enable.ctx = m_context;
        enable.enableLazyPatching = 1; // what is launched, and nothing else of the module
        WARPGLASS_TRY(cupti.cuptiSassMetricsEnable(&enable), say::InstructionsNotCounted);
        m_enabled = true;
        return {};
    }

    // An instruction comes once for each of what is counted.
    Result<std::vector<ExecutedInstruction>> take() {
        auto there = WARPGLASS_PARAMS(CUpti_SassMetricsGetDataProperties_Params);
        there.ctx = m_context;
        WARPGLASS_TRY(cupti.cuptiSassMetricsGetDataProperties(&there), say::InstructionsNotReadBack);
        const std::size_t each = there.numOfInstances;
        std::vector<CUpti_SassMetrics_InstanceValue> values(there.numOfPatchedInstructionRecords * each);
        std::vector<CUpti_SassMetrics_Data> rows(there.numOfPatchedInstructionRecords);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].structSize = sizeof(CUpti_SassMetrics_Data);
            rows[i].pInstanceValues = values.data() + i * each;
        }
        auto flush = WARPGLASS_PARAMS(CUpti_SassMetricsFlushData_Params);
        flush.ctx = m_context;
        flush.numOfPatchedInstructionRecords = rows.size();
        flush.numOfInstances = each;
        flush.pMetricsData = rows.data();
        WARPGLASS_TRY(cupti.cuptiSassMetricsFlushData(&flush), say::InstructionsNotReadBack);
        std::map<std::pair<std::string, std::uint64_t>, ExecutedInstruction> found;
        for (const CUpti_SassMetrics_Data& row : rows) {
            const std::string function = row.functionName ? row.functionName : "";
            ExecutedInstruction& executed = found[{function, row.pcOffset}];
            executed.function = function;
            executed.pcOffset = row.pcOffset;
            for (std::size_t i = 0; i < each; ++i)
                if (const auto into = m_into.find(row.pInstanceValues[i].metricId); into != m_into.end())
                    executed.*(into->second) += row.pInstanceValues[i].value;
        }
        std::vector<ExecutedInstruction> ordered;
        for (auto& [where, executed] : found)
            ordered.push_back(std::move(executed));
        return ordered;
    }

private:
    void end() {
        if (m_enabled) {
            auto disable = WARPGLASS_PARAMS(CUpti_SassMetricsDisable_Params);
            disable.ctx = m_context;
            cupti.cuptiSassMetricsDisable(&disable);
        }
        if (m_configured) {
            auto unset = WARPGLASS_PARAMS(CUpti_SassMetricsUnsetConfig_Params);
            unset.deviceIndex = std::uint32_t(m_device);
            cupti.cuptiSassMetricsUnsetConfig(&unset);
        }
    }

    const Cupti& cupti;
    CUcontext m_context;
    int m_device;
    bool m_configured = false, m_enabled = false;
    std::map<std::uint64_t, std::uint64_t ExecutedInstruction::*> m_into; // by the metric's number
};

} // namespace

Result<std::vector<ExecutedInstruction>> countInstructions(const Cupti& cupti, CUcontext context, int device,
                                                           const std::function<Result<void>()>& launch) {
    Counting counting(cupti, context, device);
    if (auto ok = counting.begin(); !ok)
        return ok.error();
    if (auto ok = launch(); !ok)
        return ok.error();
    return counting.take();
}

} // namespace warpglass::cuda
