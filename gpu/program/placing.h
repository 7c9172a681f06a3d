// SPDX-License-Identifier: GPL-3.0-or-later
// When an emulated program's work would be done, as far as that is known: by its launches' durations on the device, which
// are modelled or estimated, instead of the emulator's own clock, which is of another machine.
//
// Each operation begins when all is done that it waits for (order.h) and the host has asked for it. The host itself, copies,
// fills and events take no time, since nobody has modelled them: they are there for their order.
#pragma once

#include "gpu/program/program.h"

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

// Sets all times of the operations so; does nothing where durations are measured or not known.
void place(ProgramTrace& program);

} // namespace warpglass::program
