// SPDX-License-Identifier: GPL-3.0-or-later
// Who last wrote certain words of global memory. A launch that hangs is run once more with the words that it waits for
// being watched: so the explanation costs nothing while all goes well.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

class WriteWatch {
public:
    struct Write {
        std::uint32_t launch = 0, thread = 0, position = 0;
        std::uint64_t block = 0, value = 0; // as much of it as the access has, up to 8 bytes
    };
    explicit WriteWatch(const std::vector<std::uint64_t>& addresses) {
        for (const std::uint64_t a : addresses)
            m_words[a] = std::nullopt;
    }
    void access(Exec& x, const Inst& in);
    // nullptr: not watched; an empty one: never written.
    const std::optional<Write>* find(std::uint64_t address) const {
        const auto at = m_words.find(address);
        return at == m_words.end() ? nullptr : &at->second;
    }

private:
    std::unordered_map<std::uint64_t, std::optional<Write>> m_words;
};

} // namespace warpglass::emulator
