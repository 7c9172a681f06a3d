// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates for one kernel, by modelled time: edits of its source, or one source with other constants. Each is run once for
// its result, which is held against the first one's, and then without one limit of the machine at a time, which says what it
// is limited by. Candidates whose times lie within the error of the model on kernels of their kind are told as tied.
#pragma once

#include "app/session/session.h"
#include "gpu/metrics/why.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::session {

struct Candidate {
    std::string name;
    RunRequest request;
    std::optional<Error> wrong = {}; // it cannot even be asked for
};

struct RankRequest {
    std::vector<Candidate> candidates;
    double tolerance = 1e-5;          // of floating-point results, relative to the larger one; of f16 and bf16 one bit
    std::vector<std::string> results; // names of the buffers that are compared; empty: all that both have
    int threads = 0;                  // candidates at a time; 0: as many as there are processors
};

enum class RankState : std::uint8_t { Ok, Wrong, Failed };

struct Ranked {
    std::string name;
    RankState state = RankState::Failed;
    std::string why;             // of what is wrong or has failed
    double ns = 0;               // modelled
    std::optional<double> error; // mean |modelled / measured - 1| of launches of its kind; nothing: none was measured
    double floorNs = 0;
    std::uint32_t registers = 0;
    std::vector<std::pair<Limit, double>> limits; // those worth a word, with what they save, 0 to 1; most first
    std::vector<std::string> sentences;           // on these
    std::vector<std::size_t> tied;                // rows of the order
};

// The fastest first; wrong ones behind the others, then those that failed, each in the order in which they were given.
// done(n): after each candidate, by any thread. Cancelling ends it with an Error.
Result<std::vector<Ranked>> rank(const RankRequest& request, Progress& progress,
                                 const std::function<void(std::size_t)>& done = {});

nlohmann::ordered_json rankJson(const std::vector<Ranked>& order);
std::string rankText(const std::vector<Ranked>& order);

} // namespace warpglass::session
