// SPDX-License-Identifier: GPL-3.0-or-later
// How far the emulator's modelled durations are from an H200's measured ones: resources/model/launches.csv, which a
// test (tests/model) keeps in step with the model. Of kernels of today, from an H100's: resources/model/today.csv
// (tests/model/today). Printed wherever a modelled duration is.
#pragma once

#include "gpu/metrics/kernel_kind.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpglass {

struct ModelLaunch {
    std::string name; // "reduceNeighbored(2^24;512)"
    // "calibration", "test" (the reference set's other half), "further" (measured later), "unseen-fit" and "unseen-test"
    // (kernels of tests/model/kernels, which the model was and was not improved with), "recording" (shipped with the
    // program), "as-written" (compiled with -G)
    std::string role;
    std::string launch; // as given to `warpglass-record run`
    double measuredNs = 0, modelledNs = 0;
    double estimatedNs = 0; // from counts (gpu/emulator/timing/estimate.h); 0: not asked
    KernelKind kind = KernelKind::GlobalMemory;
    double ratio() const { return modelledNs / measuredNs; }
};
std::span<const ModelLaunch> modelLaunches();

struct ModelAccuracy {
    int launches = 0;
    double meanError = 0;       // mean of |modelled / measured - 1|
    double rankCorrelation = 0; // Spearman's, ties get their mean rank; 0 for fewer than two launches
};
// The one whose error the program prints: kernels that the model was not made with.
inline constexpr std::string_view quotedRole = "unseen-test";

// Of the launches with that role; "" = all but "calibration".
ModelAccuracy modelAccuracy(std::string_view role);

// Of launches of that kind that the model was not made with, on an H200 or an H100; fewer than three are no measurement.
ModelAccuracy modelAccuracy(KernelKind kind);
// The same for a launch, if its device is one of these. Of code that was compiled as written, of other such launches.
std::optional<ModelAccuracy> accuracyOf(const Trace& trace, std::uint32_t launch = 0);
// Mean error of launches of its kind, as a share; nothing: none was measured, or its device is none of these.
std::optional<double> expectedError(const Trace& trace, std::uint32_t launch = 0);
// "12 launches like this one: 7 %"; "" for other devices. The same as a sentence that names the kind, or says that nothing
// was measured on this device.
Said kindError(const Trace& trace, std::uint32_t launch = 0);
Said kindErrorSentence(const Trace& trace, std::uint32_t launch = 0);

// The same of estimates, held to what the model says. Their figures were chosen on the other roles.
ModelAccuracy estimateAccuracy(std::string_view role = quotedRole);

// "Estimates from counts differ from modelled durations by 20 % on average (rank correlation 0.97; 77 launches that they
// were not made with)."
std::string estimateAccuracyText();

// Whether durations were measured on this device to hold the model to. device: TraceInfo::deviceName.
bool modelIsMeasuredOn(std::string_view device);

// "Modelled durations differ from an H200's by 10 % on average (rank correlation 0.993; 43 launches that were not used
// for calibration)."; for another device, that nothing was measured there.
std::string modelAccuracyText(std::string_view device);

} // namespace warpglass
