// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fatbin/fatbin.h"

#include "tests/fuzz/targets.h"

namespace warpglass::fuzz {

void fatbin(std::string_view bytes) {
    const std::span<const std::byte> data = std::as_bytes(std::span(bytes));
    constexpr std::uint64_t most = 1 << 16;
    if (const auto unpacked = fatbin::unpackLz4(data, bytes.size() * 4 % most); unpacked)
        if (unpacked->size() != bytes.size() * 4 % most)
            wrong("LZ4 unpacked to another size than was asked for");
    const auto container = fatbin::readContainer(data);
    if (!container)
        return;
    for (const fatbin::PackedImage& image : container->images) {
        const auto inside = [&](const std::byte* at) { return at >= data.data() && at <= data.data() + data.size(); };
        if (!image.packed.empty() &&
            (!inside(image.packed.data()) || !inside(image.packed.data() + image.packed.size())))
            wrong("an image lies outside its container");
        if (image.kind == fatbin::PackedImage::Kind::Ptx)
            (void)fatbin::ptxText(image);
    }
    if (const fatbin::PackedImage* best = fatbin::bestPtx(*container, 90);
        best && best->kind != fatbin::PackedImage::Kind::Ptx)
        wrong("the best PTX is none");
}

} // namespace warpglass::fuzz
