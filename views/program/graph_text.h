// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of the nodes of a program's graphs, translated.
#pragma once

#include "views/program/program_text.h"

namespace warpglass {

// The kind of operation as which a node is drawn.
program::OperationKind lookedAs(program::GraphNodeKind kind);
bool holdsOthers(program::GraphNodeKind kind); // nodes of graphs within it
QString nodeText(const program::ProgramTrace& trace, const program::ProgramGraphNode& node);    // "scale", "copy"
QString nodeDetails(const program::ProgramTrace& trace, const program::ProgramGraphNode& node); // "<<<2, 256>>>"

} // namespace warpglass
