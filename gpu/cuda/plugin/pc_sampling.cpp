// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/pc_sampling.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/plugin/cupti_calls.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpglass::cuda {

namespace {

constexpr std::size_t mostPcs = 8192; // instructions with samples fetched at a time

// PC sampling, switched on in a context while this lives.
class Sampler {
public:
    Sampler(const Cupti& c, CUcontext context) : cupti(c), m_context(context) {}
    ~Sampler() { disable(); }
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    // The stall reasons can be asked for only after sampling was switched on.
    Result<void> start(std::uint32_t periodLog2) {
        CUpti_PCSamplingEnableParams enable{};
        enable.size = CUpti_PCSamplingEnableParamsSize;
        enable.ctx = m_context;
        WARPGLASS_TRY(cupti.cuptiPCSamplingEnable(&enable), say::StallsNotSampled);
        m_enabled = true;
        if (auto ok = readReasons(); !ok)
            return ok;
        prepareBuffer();
        std::array<CUpti_PCSamplingConfigurationInfo, 4> how{};
        how[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
        how[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
        how[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
        how[1].attributeData.samplingPeriodData.samplingPeriod = periodLog2;
        how[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
        how[2].attributeData.enableStartStopControlData.enableStartStopControl = 1;
        how[3].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
        how[3].attributeData.samplingDataBufferData.samplingDataBuffer = &m_data;
        CUpti_PCSamplingConfigurationInfoParams configure{};
        configure.size = CUpti_PCSamplingConfigurationInfoParamsSize;
        configure.ctx = m_context;
        configure.numAttributes = how.size();
        configure.pPCSamplingConfigurationInfo = how.data();
        WARPGLASS_TRY(cupti.cuptiPCSamplingSetConfigurationAttribute(&configure), say::SamplingNotSetUp);
        CUpti_PCSamplingStartParams begin{};
        begin.size = CUpti_PCSamplingStartParamsSize;
        begin.ctx = m_context;
        WARPGLASS_TRY(cupti.cuptiPCSamplingStart(&begin), say::SamplingNotStarted);
        return {};
    }

    Result<void> stop(StallSamples& samples) {
        CUpti_PCSamplingStopParams end{};
        end.size = CUpti_PCSamplingStopParamsSize;
        end.ctx = m_context;
        WARPGLASS_TRY(cupti.cuptiPCSamplingStop(&end), say::SamplingNotStopped);
        // Stopping may have filled the buffer already; what is left is asked for until there is no more.
        take(samples);
        for (;;) {
            prepareBuffer();
            CUpti_PCSamplingGetDataParams get{};
            get.size = CUpti_PCSamplingGetDataParamsSize;
            get.ctx = m_context;
            get.pcSamplingData = &m_data;
            WARPGLASS_TRY(cupti.cuptiPCSamplingGetData(&get), say::SamplesNotReadBack);
            take(samples);
            if (m_data.totalNumPcs == 0 || m_data.remainingNumPcs == 0)
                break;
        }
        prepareBuffer();
        disable(); // hands over what was still being decoded
        take(samples);
        for (auto& [key, count] : m_counts)
            samples.rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
        return {};
    }

private:
    void disable() {
        if (!m_enabled)
            return;
        m_enabled = false;
        CUpti_PCSamplingDisableParams p{};
        p.size = CUpti_PCSamplingDisableParamsSize;
        p.ctx = m_context;
        cupti.cuptiPCSamplingDisable(&p);
    }

    Result<void> readReasons() {
        std::size_t count = 0;
        CUpti_PCSamplingGetNumStallReasonsParams number{};
        number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
        number.ctx = m_context;
        number.numStallReasons = &count;
        WARPGLASS_TRY(cupti.cuptiPCSamplingGetNumStallReasons(&number), say::StallReasonsNotRead);
        m_reasonIndex.resize(count);
        std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> names(count);
        std::vector<char*> pointers(count);
        for (std::size_t i = 0; i < count; ++i)
            pointers[i] = names[i].data();
        CUpti_PCSamplingGetStallReasonsParams reasons{};
        reasons.size = CUpti_PCSamplingGetStallReasonsParamsSize;
        reasons.ctx = m_context;
        reasons.numStallReasons = count;
        reasons.stallReasonIndex = m_reasonIndex.data();
        reasons.stallReasons = pointers.data();
        WARPGLASS_TRY(cupti.cuptiPCSamplingGetStallReasons(&reasons), say::StallReasonsNotRead);
        for (std::size_t i = 0; i < count; ++i)
            m_reasons[m_reasonIndex[i]] = pointers[i];
        return {};
    }

    void prepareBuffer() {
        m_stalls.assign(mostPcs * m_reasonIndex.size(), {});
        m_pcs.assign(mostPcs, {});
        for (std::size_t i = 0; i < mostPcs; ++i) {
            m_pcs[i].size = sizeof(CUpti_PCSamplingPCData);
            m_pcs[i].stallReason = m_stalls.data() + i * m_reasonIndex.size();
        }
        m_data = {};
        m_data.size = sizeof(CUpti_PCSamplingData);
        m_data.collectNumPcs = mostPcs;
        m_data.pPcData = m_pcs.data();
    }

    void take(StallSamples& samples) {
        samples.dropped += m_data.droppedSamples;
        for (std::size_t i = 0; i < std::min<std::size_t>(m_data.totalNumPcs, mostPcs); ++i) {
            const CUpti_PCSamplingPCData& pc = m_pcs[i];
            const std::string function = pc.functionName ? pc.functionName : "";
            for (std::size_t s = 0; s < std::min<std::size_t>(pc.stallReasonCount, m_reasonIndex.size()); ++s)
                if (pc.stallReason[s].samples > 0)
                    m_counts[{function, pc.pcOffset, m_reasons[pc.stallReason[s].pcSamplingStallReasonIndex]}] +=
                        pc.stallReason[s].samples;
        }
    }

    const Cupti& cupti;
    CUcontext m_context;
    bool m_enabled = false;
    std::vector<std::uint32_t> m_reasonIndex;
    std::map<std::uint32_t, std::string> m_reasons;
    std::vector<CUpti_PCSamplingStallReason> m_stalls;
    std::vector<CUpti_PCSamplingPCData> m_pcs;
    CUpti_PCSamplingData m_data{};
    std::map<std::tuple<std::string, std::uint64_t, std::string>, std::uint64_t> m_counts;
};

} // namespace

Result<StallSamples> samplePcs(const Cupti& cupti, CUcontext context, std::uint32_t periodLog2,
                               const std::function<Result<void>()>& launch) {
    StallSamples samples;
    samples.periodCycles = std::uint32_t(1) << periodLog2;
    Sampler sampler(cupti, context);
    if (auto ok = sampler.start(periodLog2); !ok)
        return ok.error();
    if (auto ok = launch(); !ok)
        return ok.error();
    if (auto ok = sampler.stop(samples); !ok)
        return ok.error();
    return samples;
}

} // namespace warpglass::cuda
