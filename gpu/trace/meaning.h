// SPDX-License-Identifier: GPL-3.0-or-later
// What a diagnostic means for the run as a whole; a command's exit status and a list's marks ask here.
#pragma once

#include "gpu/trace/tables.h"

namespace warpglass {

// A fault that was told and passed over (OnFault::Report): the thread went on without it.
constexpr bool isPassedOver(const Diagnostic& d) {
    return !d.fatal && (d.kind == DiagnosticKind::OutOfBounds || d.kind == DiagnosticKind::Misaligned ||
                        d.kind == DiagnosticKind::InvalidFree || d.kind == DiagnosticKind::Trap);
}
// The result depends on who comes first. Lanes of one warp that rely on running in step are none: hardware that runs them
// so gives one result, and they are told as a note.
constexpr bool isRace(const Diagnostic& d) {
    return !d.fatal && (d.kind == DiagnosticKind::SharedRace || d.kind == DiagnosticKind::GlobalRace ||
                        d.kind == DiagnosticKind::AsyncHazard);
}
constexpr bool isHang(const Diagnostic& d) {
    return d.fatal && (d.kind == DiagnosticKind::Deadlock || d.kind == DiagnosticKind::EndlessLoop);
}

} // namespace warpglass
