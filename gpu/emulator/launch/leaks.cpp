// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/leaks.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>

namespace warpglass::emulator {

void tellLeaks(GlobalMemory& memory, std::vector<LaunchRecord>& launches) {
    std::set<const Area*> lost;
    std::vector<const Area*> open; // reached, and not looked through yet
    for (const auto& area : memory.areas())
        if (area->heap && area->bytes > 0)
            lost.insert(area.get());
        else if (!area->heap)
            open.push_back(area.get());
    while (!lost.empty() && !open.empty()) {
        const Area& area = *open.back();
        open.pop_back();
        for (std::uint64_t at = 0; at + 8 <= area.bytes; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, area.whole().data() + at, 8);
            const Area* target = windowOf(word) == Window::Global ? memory.nearest(word) : nullptr;
            if (target && word - target->base < target->bytes && lost.erase(target))
                open.push_back(target);
        }
    }
    for (const auto& area : memory.areas()) // in the order of their allocation
        if (lost.count(area.get()) && area->ifLost && area->ifLost->launch < launches.size()) {
            Diagnostic told = *area->ifLost;
            told.message = say::NothingPointsThere(told.message);
            auto& diagnostics = launches[told.launch].result.diagnostics;
            mergeDiagnostics(diagnostics, {std::move(told)});
        }
}

std::vector<Message> leaksAtTheEnd(GlobalMemory& memory) {
    struct Line {
        const Area* first;
        std::uint64_t pieces = 0, bytes = 0;
    };
    std::vector<Line> lines;
    std::unordered_map<const void*, std::size_t> of; // [instruction] -> in lines
    for (const auto& area : memory.areas()) {
        if (!area->heap || area->bytes == 0 || !area->ifLost)
            continue;
        const auto [at, isNew] = of.emplace(area->takenBy, lines.size());
        if (isNew)
            lines.push_back({area.get()});
        ++lines[at->second].pieces;
        lines[at->second].bytes += area->bytes;
    }
    std::vector<Message> sentences;
    for (const Line& line : lines) {
        const Message first = line.first->ifLost->message.message();
        sentences.push_back(line.pieces > 1 ? say::HeapInAll(first, line.pieces, line.bytes) : first);
    }
    return sentences;
}

} // namespace warpglass::emulator
