// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen_checks.h"

namespace warpglass::testing {
namespace {

constexpr float blur[] = {0.01f, 0.02f, 0.03f, 0.05f, 0.07f, 0.08f, 0.09f, 0.1f, 0.1f}; // outermost first

void checkLine(const Ran& r, int reach, bool zeroOutside) {
    const auto in = r.before("in"), out = r.after("out");
    const auto n = std::ptrdiff_t(in.size());
    for (std::ptrdiff_t i = zeroOutside ? 0 : reach; i < (zeroOutside ? n : n - reach); ++i) {
        double sum = 0;
        for (std::ptrdiff_t at = std::max<std::ptrdiff_t>(0, i - reach); at <= std::min(n - 1, i + reach); ++at)
            sum += in[std::size_t(at)];
        ASSERT_NEAR(out[std::size_t(i)], sum / (2 * reach + 1), 1e-5) << i;
    }
}
void checkPlane(const Ran& r, int reach, const std::function<double(int, int)>& weight, bool clamped) {
    const auto in = r.before("in"), out = r.after("out");
    const int width = r.value("width"), height = r.value("height"), margin = clamped ? 0 : reach;
    for (int y = margin; y < height - margin; ++y)
        for (int x = margin; x < width - margin; ++x) {
            double sum = 0;
            for (int dy = -reach; dy <= reach; ++dy)
                for (int dx = -reach; dx <= reach; ++dx)
                    if (const double w = weight(dx, dy); w != 0)
                        sum += w * in[std::size_t(std::clamp(y + dy, 0, height - 1) * width +
                                                  std::clamp(x + dx, 0, width - 1))];
            ASSERT_NEAR(out[std::size_t(y * width + x)], sum, 1e-4) << x << ", " << y;
        }
}
void checkCube(const Ran& r, bool borders) {
    const auto in = r.before("in"), out = r.after("out");
    const int nx = r.value("nx"), ny = r.value("ny"), nz = r.value("nz"), margin = borders ? 0 : 1;
    const auto at = [&](int x, int y, int z) {
        return x < 0 || y < 0 || x >= nx || y >= ny ? 0.0 : double(in[std::size_t((z * ny + y) * nx + x)]);
    };
    for (int z = 1; z < nz - 1; ++z)
        for (int y = margin; y < ny - margin; ++y)
            for (int x = margin; x < nx - margin; ++x) {
                double sum = -6 * at(x, y, z);
                for (const int d : {-1, 1})
                    sum += at(x + d, y, z) + at(x, y + d, z) + at(x, y, z + d);
                ASSERT_NEAR(out[std::size_t((z * ny + y) * nx + x)], sum, 1e-4) << x << ", " << y << ", " << z;
            }
}
void checkFieldStep(const Ran& r) {
    const auto ex = r.before("ex"), ey = r.before("ey"), old = r.before("hz"), hz = r.after("hz");
    const std::size_t w = std::size_t(r.value("width")), h = std::size_t(r.value("height"));
    for (std::size_t k = 0; k < old.size(); ++k) {
        const bool inside = k % w < w - 1 && k / w < h - 1;
        const double change = inside ? 0.7 * (double(ex[k + 1]) - ex[k] + ey[k + w] - ey[k]) : 0;
        ASSERT_NEAR(hz[k], old[k] - change, 1e-5) << k;
    }
}
void checkFieldBoth(const Ran& r) {
    const auto hz = r.before("hz"), oldX = r.before("ex"), oldY = r.before("ey"), x = r.after("ex"), y = r.after("ey");
    const auto w = std::size_t(r.value("width"));
    for (std::size_t k = w; k < hz.size(); ++k)
        if (k % w > 0) {
            ASSERT_NEAR(x[k], oldX[k] - 0.5 * (double(hz[k]) - hz[k - w]), 1e-5) << k;
            ASSERT_NEAR(y[k], oldY[k] - 0.5 * (double(hz[k]) - hz[k - 1]), 1e-5) << k;
        }
}

} // namespace

HostChecks neighbourChecks() {
    return {
        {"stencil1d_naive", [](const Ran& r) { checkLine(r, 3, false); }},
        {"stencil1d_tile", [](const Ran& r) { checkLine(r, 4, true); }},
        {"stencil2d_tile",
         [](const Ran& r) {
             checkPlane(
                 r, 1, [](int dx, int dy) { return dx == 0 && dy == 0   ? 0.5
                                                   : dx == 0 || dy == 0 ? 0.125
                                                                        : 0; }, true);
         }},
        {"stencil2d_naive",
         [](const Ran& r) {
             checkPlane(
                 r, 1, [](int, int) { return 1.0 / 9; }, false);
         }},
        {"convolve_global",
         [](const Ran& r) {
             const auto weight = r.before("weight");
             checkPlane(
                 r, 2, [&](int dx, int dy) { return weight[std::size_t((dy + 2) * 5 + dx + 2)]; }, false);
         }},
        {"blur_constant",
         [](const Ran& r) {
             checkPlane(
                 r, 8, [](int dx, int dy) { return dy == 0 ? blur[8 - std::abs(dx)] : 0; }, true);
         }},
        {"stencil3d_naive", [](const Ran& r) { checkCube(r, false); }},
        {"stencil3d_tile", [](const Ran& r) { checkCube(r, true); }},
        {"field_step", checkFieldStep},
        {"field_both", checkFieldBoth},
    };
}

} // namespace warpglass::testing
