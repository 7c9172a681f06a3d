// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpglass {

class Shell;

// All features of the window: the one place that names them.
void addFeatures(Shell& shell);

} // namespace warpglass
