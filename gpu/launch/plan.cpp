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

const char* name(ElementType type) {
    switch (type) {
    case ElementType::I8:
        return "i8";
    case ElementType::U8:
        return "u8";
    case ElementType::I16:
        return "i16";
    case ElementType::U16:
        return "u16";
    case ElementType::I32:
        return "i32";
    case ElementType::U32:
        return "u32";
    case ElementType::I64:
        return "i64";
    case ElementType::U64:
        return "u64";
    case ElementType::F32:
        return "f32";
    case ElementType::F64:
        return "f64";
    case ElementType::Ptr:
        return "ptr";
    }
    return "";
}

const char* name(Check check) {
    switch (check) {
    case Check::None:
        return "none";
    case Check::Ok:
        return "ok";
    case Check::Wrong:
        return "wrong";
    }
    return "";
}

} // namespace warpglass
