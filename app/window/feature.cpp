// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/feature.h"

#include "app/window/window_parts.h"

namespace warpglass {

Feature::Feature(Shell& shell)
    : m_shell(shell), m_bench(shell.bench), m_programs(shell.programs), m_parts(shell.parts.get()) {}

Feature::~Feature() = default;

} // namespace warpglass
