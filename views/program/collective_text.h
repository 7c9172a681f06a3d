// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of calls of NCCL, translated.
#pragma once

#include "views/program/program_model.h"

#include <QStringList>

namespace warpglass {

// Of an operation that did a call's work: what it was, which rank, and who came last. A line each; none of another operation.
QStringList collectiveTexts(const ProgramModel& model, std::uint32_t operation);

} // namespace warpglass
