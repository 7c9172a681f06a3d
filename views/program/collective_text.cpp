// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/collective_text.h"

#include "gpu/program/collectives.h"
#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/program/program_text.h"

#include <algorithm>

namespace warpglass {

namespace {

using program::Collective;
using program::CollectiveKind;
using program::CollectiveOp;

QString collectiveKindText(const Collective& c) {
    switch (c.kind) {
    case CollectiveKind::AllReduce:
        return ProgramText::tr("all-reduce");
    case CollectiveKind::Broadcast:
        return ProgramText::tr("broadcast of rank %1").arg(c.peer);
    case CollectiveKind::Reduce:
        return ProgramText::tr("reduce to rank %1").arg(c.peer);
    case CollectiveKind::AllGather:
        return ProgramText::tr("all-gather");
    case CollectiveKind::ReduceScatter:
        return ProgramText::tr("reduce-scatter");
    case CollectiveKind::AllToAll:
        return ProgramText::tr("all-to-all");
    case CollectiveKind::Gather:
        return ProgramText::tr("gather to rank %1").arg(c.peer);
    case CollectiveKind::Scatter:
        return ProgramText::tr("scatter of rank %1").arg(c.peer);
    case CollectiveKind::Send:
        return ProgramText::tr("send to rank %1").arg(c.peer);
    case CollectiveKind::Receive:
        break;
    }
    return ProgramText::tr("receive from rank %1").arg(c.peer);
}

QString collectiveText(const Collective& c) {
    QString text = collectiveKindText(c);
    if (c.op != CollectiveOp::None)
        text += QStringLiteral(" (%1)").arg(QLatin1String(name(c.op)));
    return text +
           QStringLiteral(", %1 %2 (%3), ")
               .arg(numberText(c.count), QLatin1String(name(c.type)), bytesText(c.bytes())) +
           ProgramText::tr("rank %1 of %2").arg(QString::number(c.rank), QString::number(c.ranks));
}

} // namespace

QStringList collectiveTexts(const ProgramModel& model, std::uint32_t operation) {
    QStringList lines;
    for (const std::uint32_t row : program::collectivesOf(*model.trace, operation)) {
        lines << collectiveText(model.trace->collectives[row]);
        const auto group = std::find_if(model.collectives.begin(), model.collectives.end(), [row](const auto& g) {
            return std::any_of(g.ranks.begin(), g.ranks.end(), [row](const auto& r) { return r.collective == row; });
        });
        if (group == model.collectives.end() || group->ranks.size() < 2 || group->waited() == 0)
            continue;
        const program::RankOfCollective& last = group->ranks.back();
        const QString late = durationText(group->waited());
        if (last.collective == row)
            lines << ProgramText::tr("came last: the others waited up to %1 for it").arg(late);
        else
            lines << ProgramText::tr("rank %1 came last, %2 after the first")
                         .arg(QString::number(model.trace->collectives[last.collective].rank), late);
    }
    return lines;
}

} // namespace warpglass
