// SPDX-License-Identifier: GPL-3.0-or-later
// When the GPU did what it was asked to do: CUPTI's activity records, joined with the journal's operations
// (matching.h).
#pragma once

#include "gpu/program/program_recorder.h"
#include "gpu/seat/calls.h"
#include "gpu/seat/matching.h"

#include <cstdint>
#include <memory>

namespace warpglass::seat {

std::uint64_t hashOfName(const char* name);

class Activity {
public:
    Activity();
    ~Activity();
    // Error: there is no CUPTI; times stay those of the calls.
    Result<void> start(const program::ProgramRecorder& recorder);
    bool runs() const;
    // CUPTI's number of a stream; 0 without CUPTI.
    std::uint32_t streamNumber(CUcontext context, CUstream stream, bool perThread) const;
    // row of the journal's operations, stream as streamNumber() gives it.
    void expect(std::uint32_t stream, const Expected& expected, std::uint64_t row);
    // Corrects the times of the operations whose records have come. force: also what CUPTI still holds back.
    void collect(program::ProgramRecorder& recorder, bool force);
    // While the seat's own launches run, nobody listens.
    void pause(program::ProgramRecorder& recorder);
    void resume();
    // Nobody listens, and CUPTI has been used for a recording: it goes out of the program's way.
    void letGo();

private:
    bool readClocks(const program::ProgramRecorder& recorder);
    struct State;
    std::unique_ptr<State> m;
};

} // namespace warpglass::seat
