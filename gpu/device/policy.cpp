// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/policy.h"

namespace warpglass {

const char* name(SchedulingPolicy policy) {
    switch (policy) {
    case SchedulingPolicy::Lrr:
        return "lrr";
    case SchedulingPolicy::Gto:
        return "gto";
    case SchedulingPolicy::Gty:
        return "gty";
    }
    return "";
}

} // namespace warpglass
