// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/differences.h"

namespace warpglass {

// Of the machine code that both recordings keep of their first kernels: instructions, registers, local memory, spills, and
// instructions by kind where their numbers differ, most changed first. Empty: one of them keeps none.
QVector<Difference> machineDifferences(const Trace& a, const Trace& b);

} // namespace warpglass
