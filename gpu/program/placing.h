// SPDX-License-Identifier: GPL-3.0-or-later
// When an emulated program's work would be done, as far as that is known: by its launches' durations on the device, which
// are modelled or estimated, instead of the emulator's own clock, which is of another machine.
//
// Each operation begins when all is done that it waits for (order.h), the host has asked for it, and, of a copy from or to the host, the
// copy engine of that direction is free. Calls cost the host time, copies and fills the device, by a pace that was measured (pace.h):
// estimates. What the program itself does on the host takes no time, nor do functions of the host and calls of libraries. A graph is
// asked for by one call, which takes what a launch's does; its nodes follow each other in its stream.
#pragma once

#include "gpu/program/pace.h"

namespace warpglass::program {

// What the durations of a program's launches are.
struct Durations {
    bool measured = false;                     // by a device: start and end say it
    std::uint64_t estimated = 0, modelled = 0; // launches of each kind
    bool known() const { return measured || estimated + modelled > 0; }
    TimeOrigin origin() const { // of what sums up several of them
        return estimated ? TimeOrigin::Estimated : modelled ? TimeOrigin::Modelled : TimeOrigin::None;
    }
};
Durations durationsOf(const ProgramTrace& program);

// Sets all times of the operations so, and the durations of copies and fills; does nothing where durations are measured or not known.
void place(ProgramTrace& program, const Pace& pace = measuredPace());

} // namespace warpglass::program
