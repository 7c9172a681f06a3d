// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/model_accuracy.h"

#include "gpu/base/csv.h"
#include "gpu/base/messages/why.h"
#include "gpu/metrics/statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace warpglass {

extern const char* const modelLaunchesText;
extern const char* const modelTodayText;

namespace {

std::vector<ModelLaunch> parse() {
    std::vector<ModelLaunch> rows;
    std::string_view text = modelLaunchesText;
    int line = 1;
    nextCsvRecord(text, line); // the header
    while (!text.empty()) {
        const std::vector<std::string> fields = nextCsvRecord(text, line);
        if (fields.size() == 7)
            rows.push_back({fields[0], fields[1], fields[2], std::stod(fields[3]), std::stod(fields[4]),
                            fields[5].empty() ? 0 : std::stod(fields[5]),
                            parseEnum<KernelKind>(fields[6]).valueOr(KernelKind::GlobalMemory)});
    }
    return rows;
}

struct KindRow {
    KernelKind kind;
    double measuredNs, modelledNs;
};
// Of both files, those that the model was not made with.
std::vector<KindRow> parseKinds() {
    std::vector<KindRow> rows;
    for (const ModelLaunch& l : modelLaunches())
        if (l.role == quotedRole)
            rows.push_back({l.kind, l.measuredNs, l.modelledNs});
    constexpr double least = 3000; // ns: what takes less is launching more than anything of its kind
    std::string_view text = modelTodayText;
    int line = 1;
    nextCsvRecord(text, line); // the header
    while (!text.empty()) {
        const std::vector<std::string> fields = nextCsvRecord(text, line);
        if (fields.size() != 11 || fields[3] != "aside" || std::stod(fields[8]) < least)
            continue;
        if (const auto kind = parseEnum<KernelKind>(fields[10]))
            rows.push_back({*kind, std::stod(fields[8]), std::stod(fields[9])});
    }
    return rows;
}

// Of pairs of times, what is real and what was said.
class Errors {
public:
    void add(double real, double said) {
        if (real <= 0 || said <= 0)
            return;
        m_real.push_back(real);
        m_said.push_back(said);
        m_sum += std::abs(said / real - 1);
    }
    ModelAccuracy accuracy() const {
        ModelAccuracy result;
        result.launches = int(m_real.size());
        if (result.launches > 0)
            result.meanError = m_sum / result.launches;
        if (result.launches > 1)
            result.rankCorrelation = rankCorrelation(m_real, m_said);
        return result;
    }

private:
    std::vector<double> m_real, m_said;
    double m_sum = 0;
};

using Ns = double ModelLaunch::*;

ModelAccuracy accuracy(std::string_view role, Ns real, Ns said) {
    Errors errors;
    for (const ModelLaunch& l : modelLaunches())
        if (role.empty() ? l.role != "calibration" : l.role == role)
            errors.add(l.*real, l.*said);
    return errors.accuracy();
}

bool isAsWritten(const Trace& trace) {
    return trace.info.mode == CompileMode::AsWritten;
}

} // namespace

std::span<const ModelLaunch> modelLaunches() {
    static const std::vector<ModelLaunch> rows = parse();
    return rows;
}

ModelAccuracy estimateAccuracy(std::string_view role) {
    return accuracy(role, &ModelLaunch::modelledNs, &ModelLaunch::estimatedNs);
}

std::string estimateAccuracyText() {
    const ModelAccuracy a = estimateAccuracy();
    return fmt::format("Estimates from counts differ from modelled durations by {:.0f} % on average (rank correlation "
                       "{:.2f}; {} launches that they were not made with).",
                       100 * a.meanError, a.rankCorrelation, a.launches);
}

ModelAccuracy modelAccuracy(std::string_view role) {
    return accuracy(role, &ModelLaunch::measuredNs, &ModelLaunch::modelledNs);
}

ModelAccuracy modelAccuracy(KernelKind kind) {
    static const std::vector<KindRow> rows = parseKinds();
    constexpr int least = 3;
    Errors errors;
    for (const KindRow& row : rows)
        if (row.kind == kind)
            errors.add(row.measuredNs, row.modelledNs);
    const ModelAccuracy all = errors.accuracy();
    return all.launches < least ? ModelAccuracy() : all;
}

std::optional<ModelAccuracy> accuracyOf(const Trace& trace, std::uint32_t launch) {
    if (!modelIsMeasuredOn(trace.info.deviceName))
        return std::nullopt;
    return isAsWritten(trace) ? modelAccuracy(name(CompileMode::AsWritten)) : modelAccuracy(kindOf(trace, launch));
}

std::optional<double> expectedError(const Trace& trace, std::uint32_t launch) {
    const auto ofKind = accuracyOf(trace, launch);
    return ofKind && ofKind->launches > 0 ? std::optional(ofKind->meanError) : std::nullopt;
}

Said kindError(const Trace& trace, std::uint32_t launch) {
    const auto a = accuracyOf(trace, launch);
    if (!a)
        return {};
    if (a->launches == 0)
        return say::KindWithout;
    return say::KindError(a->launches, fmt::format("{:.0f} %", 100 * a->meanError));
}

Said kindErrorSentence(const Trace& trace, std::uint32_t launch) {
    const auto a = accuracyOf(trace, launch);
    if (!a)
        return say::DeviceNotMeasured;
    const Message kind = isAsWritten(trace) ? Message(say::KindAsWritten) : wordsOf(kindOf(trace, launch));
    if (a->launches == 0)
        return say::KindWithoutOf(kind);
    return say::KindErrorOf(a->launches, kind, fmt::format("{:.0f} %", 100 * a->meanError));
}

bool modelIsMeasuredOn(std::string_view device) {
    return device.find("H200") != std::string_view::npos || device.find("H100") != std::string_view::npos;
}

std::string modelAccuracyText(std::string_view device) {
    if (!modelIsMeasuredOn(device))
        return "Durations are modelled; nothing was measured on this device to compare them with.";
    const ModelAccuracy a = modelAccuracy(quotedRole);
    return fmt::format("Modelled durations differ from an H200's by {:.0f} % on average (rank correlation {:.3f}; {} "
                       "launches that were not used for calibration).",
                       100 * a.meanError, a.rankCorrelation, a.launches);
}

} // namespace warpglass
