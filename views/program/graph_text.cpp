// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/graph_text.h"

namespace warpglass {

using program::GraphNodeKind;
using program::OperationKind;
using program::ProgramGraphNode;

OperationKind lookedAs(GraphNodeKind kind) {
    switch (kind) {
    case GraphNodeKind::Kernel:
        return OperationKind::Launch;
    case GraphNodeKind::Copy:
        return OperationKind::Copy;
    case GraphNodeKind::Fill:
        return OperationKind::Fill;
    case GraphNodeKind::EventWait:
        return OperationKind::StreamWait;
    case GraphNodeKind::EventRecord:
        return OperationKind::Record;
    case GraphNodeKind::Allocate:
        return OperationKind::Allocate;
    case GraphNodeKind::Free:
        return OperationKind::Free;
    case GraphNodeKind::Library:
        return OperationKind::Library;
    case GraphNodeKind::Host:
    case GraphNodeKind::Child:
    case GraphNodeKind::Empty:
    case GraphNodeKind::Condition:
    case GraphNodeKind::Other:
        break;
    }
    return OperationKind::HostFunction;
}

bool holdsOthers(GraphNodeKind kind) {
    return kind == GraphNodeKind::Child || kind == GraphNodeKind::Condition;
}

QString nodeText(const program::ProgramTrace& trace, const ProgramGraphNode& n) {
    switch (n.kind) {
    case GraphNodeKind::Kernel:
    case GraphNodeKind::Library:
        return n.kernel < trace.kernels.size() ? withoutScopes(QString::fromStdString(trace.kernels[n.kernel].name))
                                               : ProgramText::tr("a kernel without a name");
    case GraphNodeKind::Child:
        return ProgramText::tr("graph");
    case GraphNodeKind::Condition:
        return ProgramText::tr("condition");
    case GraphNodeKind::Empty:
        return ProgramText::tr("nothing");
    case GraphNodeKind::Other:
        return ProgramText::tr("other work");
    default:
        return kindText(lookedAs(n.kind));
    }
}

QString nodeDetails(const program::ProgramTrace& trace, const ProgramGraphNode& n) {
    QStringList words;
    if (n.shape < trace.shapes.size())
        words << QStringLiteral("<<<%1, %2>>>")
                     .arg(QString::fromStdString(trace.shapes[n.shape].grid.text()),
                          QString::fromStdString(trace.shapes[n.shape].block.text()));
    if (n.direction != program::Direction::None)
        words << directionText(n.direction);
    if (n.bytes > 0)
        words << bytesText(n.bytes);
    return words.join(QStringLiteral(", "));
}

} // namespace warpglass
