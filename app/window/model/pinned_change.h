// SPDX-License-Identifier: GPL-3.0-or-later
// What became of a pinned run A when its text, its launch or its kernel was changed: B in one line of words, with the
// most important first, and of the text's changed lines what each of them did. Told from both runs alone.
#pragma once

#include "app/window/model/results_held.h"

#include <QString>
#include <QVector>

#include <optional>

namespace warpglass {

// Mixed: some of it better, some worse. Unknown: it did something, and counts cannot tell which line it was.
enum class Effect { None, Better, Worse, Mixed, Unknown };

// Of a whole run, all of its launches: warp-instructions, and what memory did for them.
struct RunSums {
    std::uint64_t instructions = 0, divergent = 0, sectors = 0, passes = 0;
    bool operator==(const RunSums&) const = default;
};
RunSums sumsOf(const Trace& trace);

// How long both took, and how far that is to be trusted.
struct TimeChange {
    double a = 0, b = 0;    // ns
    double error = 0;       // of the model or of the estimate, as a share; 0: both were measured
    bool estimated = false; // from counts: nobody has modelled cycles
    bool errorIsKnown = true;
    Said why = {}; // it is not known: no such kernels were measured, or nothing on this device
    double change() const { return b / a - 1; }
    bool beyondError() const { return a != b && std::abs(change()) > error; }
};
std::optional<TimeChange> timeChange(const Run& a, const Run& b); // nothing: not of one kind, or not known

struct PinnedChange {
    struct Part {
        QString text;
        Effect effect = Effect::None;
    };
    QVector<Part> parts; // translated; what is as before is left out, but for the results
    QString numbers;     // all numbers of both, a line each
    Effect effect = Effect::None;

    QString line() const; // "time −31 %, beyond the error of 10 % · 32 → 1 passes at line 8 · same results"
};
PinnedChange pinnedChange(const Run& a, const Run& b);

struct ChangedLine {
    int line = 0; // of B's text, from 1
    Effect effect = Effect::None;
    QString what; // translated: what it did
};
// Lines of B's text that A's does not have, or the line behind those that only A has.
QVector<ChangedLine> changedLines(const Run& a, const Run& b);

} // namespace warpglass
