// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording keeps of its request, and the request that it makes again: why a launch takes its time, or what it does
// elsewhere, can be asked of a recording as of the kernel's own file.
//
// A recording holds the texts of its kernels; with them go the words of the launch (Trace::asked). A file may come from a
// stranger, therefore a request that is made of one names no path: its texts are those of the recording, contents of files
// are kept as bytes if they are few, and what is left as a file's name is refused.
#pragma once

#include "app/session/session.h"
#include "gpu/trace/trace.h"

#include <string_view>
#include <vector>

namespace warpglass::session {

// All files together whose bytes are kept.
inline constexpr std::uint64_t keptFileBytes = std::uint64_t(256) << 10;

std::vector<AskedWord> askedOf(const RunRequest& request);

// The launch of a trace, for the emulator; of a GPU's recording for the model of that GPU. Without kept words: a kernel of
// the catalogue by its shape and size. Error: nothing that can be launched again, and why; or words that are none.
Result<RunRequest> requestOf(const Trace& trace);
// As far as a trace tells without its words.
RunRequest launchOf(const Trace& trace);

// "none", "auto", "all" or "block:0,7,31". Error: what can be written.
Result<Detail> parseDetail(std::string_view text);
std::string text(const Detail& detail);

} // namespace warpglass::session
