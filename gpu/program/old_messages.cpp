// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/old_messages.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpglass::program {

namespace {

constexpr auto passedOver = std::to_array<std::string_view>(
    {" past the end of ", " before the beginning of ", " where there is no memory", " which is not a multiple of ",
     " through a null pointer ", " already freed", ", which has ", " names the members "});
constexpr auto hangs = std::to_array<std::string_view>({" never finishes", " can never go on", "does not end"});

template <std::size_t N>
bool hasAny(std::string_view text, const std::array<std::string_view, N>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

MessageKind kindOf(const ProgramTrace& program, const ProgramMessage& m) {
    const std::string_view text = m.text;
    if (text.find(" was not run: ") != text.npos)
        return MessageKind::NotRun;
    if (text.find(" was not launched: ") != text.npos)
        return MessageKind::Refused;
    if (text.find(" was not recorded in detail: ") != text.npos)
        return MessageKind::Unrecorded;
    if (text.find(" never freed") != text.npos)
        return MessageKind::Leak;
    if (m.operation >= program.operations.size())
        return MessageKind::Mistake;
    if (program.operations[m.operation].error != 0)
        return hasAny(text, hangs) ? MessageKind::Hang : MessageKind::Fault;
    if (text.starts_with("Two threads race"))
        return MessageKind::Race;
    return text.starts_with("A thread ") && hasAny(text, passedOver) ? MessageKind::PassedOver : MessageKind::Note;
}

} // namespace

void findKinds(ProgramTrace& program) {
    for (ProgramMessage& m : program.messages)
        if (m.kind == MessageKind::Unknown)
            m.kind = kindOf(program, m);
}

} // namespace warpglass::program
