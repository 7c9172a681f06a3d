// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/results_held.h"

#include "gpu/launch/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpglass {

namespace {

// Sums in another order part by about so much; relative to the larger of both.
double roundingOf(ElementType type) {
    switch (type) {
    case ElementType::F64:
        return 1e-11;
    case ElementType::F32:
        return 1e-4;
    case ElementType::F16:
        return 2e-2;
    case ElementType::BF16:
        return 1e-1;
    default:
        return 0;
    }
}

std::uint64_t bitsAt(const RunBuffer& buffer, std::uint64_t element) {
    const std::size_t width = std::size_t(bytesOf(buffer.type));
    std::uint64_t bits = 0;
    std::memcpy(&bits, buffer.bytes.data() + element * width, width);
    return bits;
}

QString textOf(std::uint64_t bits, ElementType type) {
    if (isFloat(type))
        return QString::number(floatOf(bits, type), 'g', 7);
    const int unused = 64 - 8 * bytesOf(type);
    return isSigned(type) ? QString::number(std::int64_t(bits << unused) >> unused) : QString::number(bits);
}

bool beganAlike(const Run& a, const Run& b) {
    return a.request && b.request && a.request->arguments == b.request->arguments &&
           a.request->buffers == b.request->buffers && a.request->globals == b.request->globals &&
           a.request->textures == b.request->textures && a.request->surfaces == b.request->surfaces &&
           a.request->launch.size == b.request->launch.size && a.request->launch.set == b.request->launch.set;
}

} // namespace

std::optional<ResultsHeld> compareResults(const Run& a, const Run& b) {
    if (!beganAlike(a, b) || a.buffers.empty() || a.buffers.size() != b.buffers.size())
        return std::nullopt;
    for (std::size_t n = 0; n < a.buffers.size(); ++n)
        if (a.buffers[n].name != b.buffers[n].name || a.buffers[n].type != b.buffers[n].type ||
            a.buffers[n].bytes.size() != b.buffers[n].bytes.size())
            return std::nullopt;
    ResultsHeld held;
    for (std::size_t n = 0; n < a.buffers.size(); ++n) {
        const RunBuffer &x = a.buffers[n], &y = b.buffers[n];
        const std::uint64_t count = x.bytes.size() / std::size_t(bytesOf(x.type));
        held.elements += count;
        if (x.bytes == y.bytes)
            continue;
        const double rounding = roundingOf(x.type);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t left = bitsAt(x, i), right = bitsAt(y, i);
            if (left == right)
                continue;
            if (rounding > 0) {
                const double p = floatOf(left, x.type), q = floatOf(right, x.type);
                const double apart = p == q ? 0 : std::abs(p - q) / std::max(std::abs(p), std::abs(q));
                if (apart <= rounding || (std::isnan(p) && std::isnan(q))) {
                    held.worstRounding = std::max(held.worstRounding, std::isnan(apart) ? 0 : apart);
                    continue;
                }
            }
            if (held.differing++ == 0) {
                held.first = QStringLiteral("%1[%2]").arg(QString::fromStdString(x.name), QString::number(i));
                held.a = textOf(left, x.type);
                held.b = textOf(right, x.type);
            }
        }
    }
    return held;
}

} // namespace warpglass
