// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/recorded_launch.h"

#include "gpu/base/catalogue.h"

namespace warpglass::record {

std::string textOf(const program::ProgramMessage& m) {
    const bool isTyped = m.message.id != MessageId::Plain;
    // Who waits for whom is told of a few places, each with its reason: what is cut there is the answer.
    const std::size_t most = (m.kind == MessageKind::Hang ? 10 : 2) * mostNoteCharacters;
    return isTyped ? bounded(wholeText(m.message), MessageLanguage::English, most) : m.text;
}

std::optional<std::uint64_t> chosen(std::int64_t launch) {
    return launch < 0 ? std::nullopt : std::optional(std::uint64_t(launch));
}

} // namespace warpglass::record
