// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/data.h"

namespace warpglass::kernels {

int dataAt(DataKind kind, std::uint64_t i) {
    constexpr int documents[] = {3, 1, 7, 0, 4, 1, 6, 3};
    switch (kind) {
    case DataKind::Random:
        return byteOf(i);
    case DataKind::Documents:
        return documents[i % 8];
    case DataKind::Index:
        return int(i & 0xff);
    case DataKind::Ones:
        return 1;
    }
    return 0;
}

} // namespace warpglass::kernels
