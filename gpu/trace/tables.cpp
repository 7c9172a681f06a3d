// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/tables.h"

namespace warpglass {

namespace {

// The words of an enumeration in its order; a value outside of it (a damaged file) has a word of its own.
template <typename Enum, std::size_t N>
const char* word(Enum value, const char* const (&words)[N]) {
    const auto n = static_cast<std::size_t>(value);
    return n < N ? words[n] : "unknown";
}

} // namespace

const char* name(Origin origin) {
    return word(origin, {"measured", "counted", "modelled"});
}

const char* name(TimeUnit unit) {
    return word(unit, {"ns", "steps"});
}

const char* name(BackendKind kind) {
    return word(kind, {"emulator", "cuda"});
}

const char* name(CompileMode mode) {
    return word(mode, {"optimised", "as-written"});
}

const char* name(SiteKind kind) {
    return word(kind, {"entry", "branch", "barrier", "access", "shuffle", "launch", "exit", "path", "instruction"});
}

const char* name(EventKind kind) {
    return word(kind,
                {"entry", "branch", "barrier_arrive", "barrier_leave", "access", "shuffle", "launch", "exit", "path"});
}

const char* name(MemorySpace space) {
    return word(space, {"global", "shared", "local", "constant", "param"});
}

const char* name(AccessKind kind) {
    return word(kind, {"load", "store", "atomic"});
}

const char* name(LaunchStatus status) {
    return word(status, {"ran", "dropped"});
}

const char* name(StreamKind kind) {
    return word(kind, {"host", "default", "tail", "fire_and_forget"});
}

const char* name(WarpState state) {
    return word(state, {"selected", "eligible", "stall_barrier", "stall_long_scoreboard", "stall_short_scoreboard",
                        "stall_wait", "stall_math_pipe_throttle", "stall_lg_throttle", "stall_mio_throttle",
                        "stall_branch_resolving", "stall_no_instruction", "stall_membar", "stall_sleeping",
                        "stall_drain", "stall_dispatch"});
}

const char* name(DiagnosticKind kind) {
    return word(kind, {"out_of_bounds", "misaligned", "uninitialised_read", "shared_race", "missing_syncwarp",
                       "barrier_divergence", "deadlock", "division_by_zero", "endless_loop", "trap", "launch_dropped",
                       "other"});
}

} // namespace warpglass
