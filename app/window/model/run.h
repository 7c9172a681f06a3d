// SPDX-License-Identifier: GPL-3.0-or-later
// A trace and where it came from, and how to get one: run a kernel, open a file. The window does it away from the GUI
// thread (workbench.h), the picture commands do it where they are.
#pragma once

#include "app/window/model/playback.h"
#include "app/window/model/run_request.h"
#include "gpu/launch/plan.h"
#include "gpu/metrics/why.h"

#include <QString>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace warpglass {

// What a buffer of the launch held when it was over.
struct RunBuffer {
    std::string name;
    ElementType type = ElementType::I32;
    std::vector<std::byte> bytes;
};

struct Run {
    std::optional<RunRequest> request; // nothing: opened from a file
    QString file;
    QString name; // of the kernel
    TracePtr trace;
    CheckResult check;
    std::optional<Error> fault; // the kernel itself failed
    std::uint64_t warpInstructions = 0;
    double wallSeconds = 0;
    double estimatedNs = 0; // of a launch without modelled times; 0: not known
    std::vector<RunBuffer>
        buffers; // after the run, in the order of the parameters; empty: there were none, or too much
};
using RunPtr = std::shared_ptr<const Run>;

// What to get a Run from: one that is there, a request to run, or a file to open.
using RunSource = std::variant<RunPtr, RunRequest, QString>;

// One run, or two beside each other, ready to be shown.
struct Opened {
    RunPtr current, other;                       // other: compare mode, may be null
    std::shared_ptr<const Moments> moments;      // null: too many events to walk over before anything is shown
    QString alignment = QStringLiteral("start"); // where other is aligned (alignment.h), and
    std::optional<Time> otherShift;              // what that adds to a time of current
    WhyAnswer why;                               // what current's time is spent on; null: nobody has asked
    bool pinned = false; // current is an older run that stays; what is changed and run anew is other
};

Result<RunPtr> obtain(const RunSource& source, Progress& progress);
// Both, aligned at a place that both have; at the start if they do not.
Result<Opened> obtain(const RunSource& current, const std::optional<RunSource>& other, Progress& progress,
                      const QString& alignment = QStringLiteral("start"));
// What there is to play, of one or two runs.
std::shared_ptr<const Moments> momentsOf(const Opened& opened, Progress& progress);
// The request under each scheduling policy: lrr, gto, gty.
Result<std::vector<TracePtr>> obtainPolicies(RunRequest request, Progress& progress);

// "mathKernel1 <<<1, 64>>> as-written · NVIDIA H200": tells two runs of one kernel apart; translated.
QString titleOf(const Run& run);

} // namespace warpglass
