// SPDX-License-Identifier: GPL-3.0-or-later
// What writer and reader of a journal agree on: a head, then records, each with its length and kind. Numbers are of the
// machine; the file does not travel. Kernels, streams, messages and the like are JSON, operations and shapes the structs
// themselves.
#pragma once

#include "gpu/program/ends.h"

#include <cstdint>

namespace warpglass::program {

inline constexpr std::uint64_t journalMagic = 0x314a'5047'4c41'5257; // "WRALGPJ1", read as a number
inline constexpr std::uint32_t journalVersion = 5;

struct JournalHead {
    std::uint64_t magic = journalMagic;
    std::uint32_t version = journalVersion, headBytes = sizeof(JournalHead);
    std::uint64_t used = sizeof(JournalHead); // bytes of the file that hold records, this head included
    std::uint64_t lost = 0;                   // records for which there was no room
    std::int64_t exitStatus = endedSilently;  // what the process gave exit()
};

struct RecordHead {
    std::uint32_t bytes = 0; // behind this head
    std::uint16_t tag = 0, zero = 0;
};

enum RecordTag : std::uint16_t {
    tagInfo = 1,
    tagKernel,
    tagStream,
    tagShape,
    tagOperation,
    tagRecording,
    tagMessage,
    tagTime,
    tagLaunch,
    tagGraph,
    tagGraphLaunch,
    tagGraphStep,
    tagCollective,
    tagCollectiveStep,
};

// An operation of which nothing is to be told but what every launch has: half as long, since a program may launch a
// hundred thousand kernels a second. The parameters' bytes stand behind it.
struct LaunchRecord {
    std::int64_t called = 0;  // ns, as in Operation
    std::uint32_t lasted = 0; // ns, until the call returned
    std::uint32_t stream = 0, kernel = 0, shape = 0, error = 0;
    std::uint32_t estimated = 0; // ns, as Operation::duration; 0: it is not known
};
static_assert(sizeof(LaunchRecord) == 32);

} // namespace warpglass::program
