// SPDX-License-Identifier: GPL-3.0-or-later
// Every bound that the emulator sets itself, with its reason. What the hardware bounds is in gpu/device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpglass::emulator {

struct Bounds {
    // Turns. A warp that neither waits nor ends lets the others of its block run after so many instructions: one of
    // them may write what it polls. Long enough that taking turns costs nothing.
    std::uint64_t slice = 1 << 16;
    // Independent threads: instructions until the path that has waited longest has its turn. Short, since a spin lock
    // inside a warp burns as many for each lane that gets it.
    std::uint64_t pathTurn = 256;
    // Instructions of one warp after which it is called endless, if nobody says otherwise: seconds of waiting.
    std::uint64_t instructionsOfWarp = std::uint64_t(1) << 25;
    // Askings in vain after which a warp whose registers change lets others run: what it waits for may be in another
    // block. Programs that look at a flag now and then while they work should not come to it.
    std::uint32_t restlessPolls = 4096;
    // Warp-instructions after which a block that asks for words that others may write lets the others run, too.
    std::uint64_t turnOfBlock = std::uint64_t(1) << 17;
    // Instructions of a warp after which a block that runs beside timed ones lets these come to the same time, at least;
    // four times as many later.
    std::uint64_t turnBesideTimed = 4;
    // Instructions of a loop that is short enough to be one that waits.
    std::uint32_t pollLoop = 512;
    // What a turn of a warp counts for there, since to find that it only asked takes longer than its instructions.
    std::uint64_t restlessTurn = 256;
    // Warp-instructions that all blocks of a launch may spend on asking in vain with changing registers before the
    // launch is said to hang: some ten seconds.
    std::uint64_t restlessInstructions = std::uint64_t(1) << 28;
    // Volatile stores of a warp that are remembered to find a missing __syncwarp. A warp-synchronous tail has a few
    // dozen; more of them are a polling loop, which is another matter.
    std::size_t volatileStores = 1024;

    // Races in global memory. Pages of 1 KiB (256 bytes, where single bytes are accessed) that are remembered, 13 KiB of
    // notes each: half a gigabyte.
    std::size_t racePages = 40 * 1024;
    std::size_t raceFlags = std::size_t(1) << 20;
    std::uint64_t adverseMemory = std::uint64_t(1) << 30; // that an adverse launch keeps as it was
    std::size_t raceKnowledge = 16 * 1024;                // (block, warp, time) that one list keeps apart

    // Events. The launch's bound is shared out among its warps, but each keeps enough to be seen at all.
    std::uint64_t eventsOfWarpLeast = 16;
    // Device-side launches come in thousands: none may take all the room.
    std::uint64_t eventsOfChildWarp = 4096;
    std::uint64_t recordedChildBlocks = 8192; // blocks with events of all device-side launches together
    // What one warp and one block may record, so that a loop that never ends does not fill the memory before it is
    // found out. What is beyond is counted as lost.
    std::uint64_t eventsOfWarp = std::uint64_t(1) << 21;
    std::uint64_t accessLanesOfBlock = std::uint64_t(1) << 23;
    // Asynchronous copies, and events of mbarriers, of one block: far more than anybody looks at one by one.
    std::size_t copiesOfBlock = 1 << 16;
    // Diagnostics of one launch: nobody reads more, and a program that drops every launch makes millions.
    std::size_t diagnostics = 1000;

    // Timing. Warp-instructions of a launch that are issued in time: half a second to a second of host time.
    std::uint64_t timedInstructions = 800'000;
    // The same of a launch whose blocks may wait for each other: all SMs run in time, and what is cut off says little.
    std::uint64_t timedTogether = 8'000'000;
    // The same where they only try again when others come in between: what is left goes on as it went until then.
    std::uint64_t timedSwapping = 4'000'000;
    // However many SMs share them, each has 1 / timedShare of them: less does not reach the second wave.
    std::uint64_t timedShare = 40;
    // Grids of up to so many blocks run in time on all their SMs: one block an SM, a full picture for little work.
    std::uint64_t wholeGrid = 64;
    std::size_t timedSms = 8; // that somebody asked for by naming blocks
    // Blocks with events if nobody asked for any: those of the first timed SM, up to a screenful.
    std::size_t timedBlocks = 64;
    // Bytes of memory that are kept of a timed launch of a program only to put them back, should its blocks meet.
    std::uint64_t keptToRepeat = std::uint64_t(1) << 30;
    int timedChildren = 4; // device-side launches of one kernel; the others are like them
    // First touches are kept of so many sectors (64 MiB of data) and of so many waves of blocks: enough to fill L2.
    std::uint64_t touchedSectors = std::uint64_t(1) << 21;
    std::uint64_t touchedWaves = 4;
    std::size_t hotLines = 65536; // lines of atomics whose queue is remembered
};

inline constexpr Bounds bounds;

} // namespace warpglass::emulator
