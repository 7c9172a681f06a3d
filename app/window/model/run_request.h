// SPDX-License-Identifier: GPL-3.0-or-later
// The window runs what the command line runs: the request of app/session under its short name. The gallery, the launch
// panel, lessons and compare mode all make one.
#pragma once

#include "app/session/session.h"

namespace warpglass {

using session::RunRequest;

} // namespace warpglass
