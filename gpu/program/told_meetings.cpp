// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/told_meetings.h"

#include "gpu/base/messages/program.h"

#include <algorithm>

namespace warpglass::program {

bool ToldMeetings::isNew(const Operation& earlier, std::uint32_t earlierRow, const Operation& later,
                         std::uint32_t laterRow, bool ofGraph) {
    if (!m_kinds.emplace(later.kind, later.kernel, earlier.kind, earlier.kernel).second)
        return false;
    if (ofGraph)
        return true;
    if (std::ranges::any_of(m_gaps, [&](const Gap& g) {
            return g.earlierStream == earlier.stream && g.laterStream == later.stream && earlierRow <= g.earlier &&
                   laterRow >= g.later;
        }))
        return false;
    m_gaps.push_back({earlier.stream, earlierRow, later.stream, laterRow});
    return true;
}

Message useOf(const Operation& o, bool writes) {
    return o.kind == OperationKind::Free       ? say::UseFrees
           : o.kind == OperationKind::Allocate ? say::UseTakes
           : writes                            ? say::UseWrites
                                               : say::UseReads;
}

Message workName(const Operation& o, const std::string& kernel) {
    return o.kind == OperationKind::Copy           ? say::WorkCopy
           : o.kind == OperationKind::Fill         ? say::WorkFill
           : o.kind == OperationKind::Allocate     ? say::WorkAllocate
           : o.kind == OperationKind::Free         ? say::WorkFree
           : o.kind == OperationKind::HostFunction ? say::WorkHost
           : kernel.empty()                        ? plain("launch")
                                                   : plain(kernel);
}

Message raceOf(const Operation& earlier, const Operation& later, std::uint32_t laterRow, const Meetings::Found& found,
               const MeetingNames& names, Between between) {
    const Meeting& m = found.meeting;
    const auto race = [&](const auto& form) -> Message {
        return form(names.later, useOf(later, m.laterWrites), m.bytes, std::to_string(names.offset), names.memory,
                    names.earlier, useOf(earlier, m.earlierWrites), std::to_string(found.earlier),
                    std::to_string(laterRow));
    };
    return between == Between::Nodes     ? race(say::GraphRace)
           : between == Between::Streams ? race(say::WorkRace)
                                         : race(say::CertainRace);
}

} // namespace warpglass::program
