// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/plan.h"

namespace warpglass {

int bytesOf(ElementType type) {
    switch (type) {
    case ElementType::I8:
    case ElementType::U8:
        return 1;
    case ElementType::I16:
    case ElementType::U16:
    case ElementType::F16:
    case ElementType::BF16:
        return 2;
    case ElementType::I32:
    case ElementType::U32:
    case ElementType::F32:
        return 4;
    case ElementType::I64:
    case ElementType::U64:
    case ElementType::F64:
    case ElementType::Ptr:
        return 8;
    }
    return 0;
}

} // namespace warpglass
