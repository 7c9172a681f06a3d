// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's work takes beside its kernels: calls of the host, the way to the device, copies and fills. ns, and bytes a ns.
#pragma once

#include "gpu/program/program.h"

namespace warpglass::program {

// Operation::memory of a copy that the host has waited for (cudaMemcpy); not said in older recordings.
inline constexpr MemoryKind waitedFor = MemoryKind::Host;
// Of a copy between two devices of which neither may use the other's memory: it goes through the host. Of the virtual device alone.
inline constexpr MemoryKind throughHost = MemoryKind::Registered;

struct Pace {
    // Of the host, from a call until it returns: a launch; a copy and a fill that it does not wait for; an event recorded, and waited
    // for by a stream; memory asked for or given back, by the call and in a stream's order.
    double launchCall = 0, copyCall = 0, fillCall = 0, recordCall = 0, behindCall = 0, memoryCall = 0, poolCall = 0;
    // A wait for what was done before; from the end of what is waited for until the host goes on.
    double waitIdle = 0, waitReturn = 0;
    // Of the device: from the return of a call to the beginning of its work on a stream that has nothing to do; between two pieces
    // of work of which one waits for the other; the same where one of them is a copy from the host or to it, which has an engine of
    // its own.
    double start = 0, between = 0, otherEngine = 0;
    double otherDevice = 0; // and, beside these, where the event that is waited for is of another device
    struct Transfer {       // of so many bytes: begin + bytes / rate; a rate of 0: no time
        double begin = 0, rate = 0;
    };
    // From the host and to it, of pinned memory and of other memory; within the device; a fill.
    Transfer pinnedTo, pinnedFrom, pageableTo, pageableFrom, within, fill;
    // From one device to another: asked for by the one that has it, by another one, and through the host.
    Transfer linkPut, linkGet, linkThroughHost;
};

// As an H200 and its host were seen to take, by PCIe of the fifth generation.
const Pace& measuredPace();

} // namespace warpglass::program
