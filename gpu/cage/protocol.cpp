// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/protocol.h"

namespace warpglass::cage {

std::string_view protocol() {
    return
#include PROTOCOL
        ;
}

} // namespace warpglass::cage
