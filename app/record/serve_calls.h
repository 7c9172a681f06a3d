// SPDX-License-Identifier: GPL-3.0-or-later
// A call of a tool: this program as a child, bounded, which may open the folder that it is served from, the toolkit and
// a folder of its own, and no other file (Landlock, where the system has it).
#pragma once

#include "app/record/serve_tools.h"

#include <atomic>
#include <cstdint>

namespace warpglass::record {

struct ServeSettings {
    std::filesystem::path root;
    bool allowPrograms = false;
    std::uint32_t seconds = 60, memoryMb = 4096, answerMb = 16;
};

// What tools/call answers: content, structuredContent, isError. Null: the call was cancelled.
nlohmann::ordered_json answerOf(const Tool& tool, const nlohmann::json& arguments, const ServeSettings& settings,
                                const std::atomic<bool>& cancelled);

// That of an error.
nlohmann::ordered_json errorAnswer(const std::string& text);

} // namespace warpglass::record
