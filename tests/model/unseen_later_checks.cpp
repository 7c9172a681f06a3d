// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen_checks.h"

#include <array>
#include <cstdint>
#include <numeric>

namespace warpglass::testing {
namespace {

void checkElimination(const Ran& r) {
    const auto a = r.before("a"), after = r.after("a");
    const auto n = std::size_t(r.value("n")), k = std::size_t(r.value("k"));
    expectNear(
        after, a.size(),
        [&](std::size_t at) {
            const std::size_t i = at / n, j = at % n;
            return i <= k || j <= k ? double(a[at])
                                    : a[at] - double(a[i * n + k]) / (double(a[k * n + k]) + 2) * a[k * n + j];
        },
        1e-5);
}
void checkLattice(const Ran& r) {
    constexpr std::array<int, 9> dx = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const auto from = r.before("from"), to = r.after("to");
    const int width = r.value("width"), height = r.value("height");
    const double rate = r.value<float>("rate");
    const auto at = [&](std::size_t d, int x, int y) {
        return d * std::size_t(width * height) + std::size_t(y * width + x);
    };
    for (int y = 1; y < height - 1; y += 7)
        for (int x = 1; x < width - 1; x += 3) {
            double mass = 0, ux = 0, uy = 0;
            for (std::size_t d = 0; d < 9; ++d) {
                const double f = from[at(d, x - dx[d], y - dy[d])];
                mass += f;
                ux += dx[d] * f;
                uy += dy[d] * f;
            }
            ux /= mass;
            uy /= mass;
            for (std::size_t d = 0; d < 9; ++d) {
                const double f = from[at(d, x - dx[d], y - dy[d])], along = 3 * (dx[d] * ux + dy[d] * uy);
                const double weight = d == 0 ? 4.0 / 9 : d < 5 ? 1.0 / 9 : 1.0 / 36;
                const double rest = weight * mass * (1 + along + along * along / 2 - 1.5 * (ux * ux + uy * uy));
                ASSERT_NEAR(to[at(d, x, y)], f + rate * (rest - f), 1e-4) << x << ' ' << y << ' ' << d;
            }
        }
}
void checkWays(const Ran& r) {
    auto way = r.before<int>("way");
    const auto n = std::size_t(r.value("n")), k = std::size_t(r.value("k"));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            way[i * n + j] = std::min(way[i * n + j], way[i * n + k] + way[k * n + j]);
    expectEqual(r.after<int>("way"), way);
}
void checkDistances(const Ran& r) {
    const auto first = r.before<std::uint8_t>("first"), second = r.before<std::uint8_t>("second");
    const auto distance = r.after<int>("distance");
    const std::size_t n = first.size() / distance.size();
    std::vector<int> row(n + 1);
    for (std::size_t word = 0; word < distance.size(); word += 11) {
        std::iota(row.begin(), row.end(), 0);
        for (std::size_t i = 0; i < n; ++i) {
            int corner = row[0]++;
            for (std::size_t j = 0; j < n; ++j) {
                const int changed = corner + (first[word * n + i] != second[word * n + j]);
                corner = row[j + 1];
                row[j + 1] = std::min({row[j] + 1, corner + 1, changed});
            }
        }
        ASSERT_EQ(distance[word], row[n]) << word;
    }
}
void checkCentres(const Ran& r) {
    const auto point = r.before("point"), centre = r.before("centre");
    const auto nearest = r.after<int>("nearest");
    const auto far = [&](std::size_t i, std::size_t c) {
        double sum = 0;
        for (std::size_t d = 0; d < 4; ++d)
            sum += std::pow(double(point[4 * i + d]) - centre[4 * c + d], 2);
        return sum;
    };
    for (std::size_t i = 0; i < nearest.size(); i += 61) {
        double least = 1e30;
        for (std::size_t c = 0; c < centre.size() / 4; ++c)
            least = std::min(least, far(i, c));
        ASSERT_NEAR(far(i, std::size_t(nearest[i])), least, 1e-5) << i;
    }
}
void checkSmooth(const Ran& r) {
    const auto in = r.before("in"), out = r.after("out");
    const int width = r.value("width"), height = r.value("height");
    const double sharp = r.value<float>("sharp");
    const auto at = [&](int x, int y) {
        return double(in[std::size_t(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))]);
    };
    for (int y = 0; y < height; y += 3)
        for (int x = y % 5; x < width; x += 5) {
            double sum = 0, weights = 0;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx) {
                    const double apart = at(x + dx, y + dy) - at(x, y);
                    const double weight = std::exp(-0.1 * (dx * dx + dy * dy) - sharp * apart * apart);
                    sum += weight * at(x + dx, y + dy);
                    weights += weight;
                }
            ASSERT_NEAR(out[std::size_t(y * width + x)], sum / weights, 1e-4) << x << ' ' << y;
        }
}
void checkSmallProducts(const Ran& r) {
    const auto a = r.before("a"), b = r.before("b");
    expectNear(
        r.after("c"), a.size(),
        [&](std::size_t at) {
            const std::size_t matrix = at / 16 * 16, row = at / 4 % 4, column = at % 4;
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                sum += double(a[matrix + 4 * row + k]) * b[matrix + 4 * k + column];
            return sum;
        },
        1e-5);
}
void checkShiftRandom(const Ran& r) {
    const auto out = r.after<std::uint32_t>("out");
    const auto each = std::size_t(r.value("each")), threads = out.size() / each;
    for (std::size_t i = 0; i < threads; i += 17) {
        std::array<std::uint32_t, 4> s{};
        s[0] = r.value<std::uint32_t>("seed") + 2654435761u * std::uint32_t(i);
        s[1] = s[0] ^ 362436069u;
        s[2] = s[1] * 521288629u;
        s[3] = s[2] ^ 88675123u;
        for (std::size_t k = 0; k < each; ++k) {
            const std::uint32_t t = s[0] ^ s[0] << 11, next = s[3] ^ s[3] >> 19 ^ t ^ t >> 8;
            s = {s[1], s[2], s[3], next};
            ASSERT_EQ(out[k * threads + i], next) << i << ' ' << k;
        }
    }
}
void checkUnevenRows(const Ran& r) {
    const auto length = r.before<int>("length"), column = r.before<int>("column");
    const auto value = r.before("value"), x = r.before("x");
    expectNear(
        r.after("y"), length.size(),
        [&](std::size_t row) {
            double sum = 0;
            for (std::size_t k = row * 32; k < row * 32 + std::size_t(length[row]); ++k)
                sum += double(value[k]) * x[std::size_t(column[k])];
            return sum;
        },
        1e-4);
}
void checkKept(const Ran& r) { // warps come in any order
    auto in = r.before<int>("in"), out = r.after<int>("out");
    std::erase_if(in, [bound = r.value("bound")](int v) { return v <= bound; });
    ASSERT_EQ(std::size_t(r.after<int>("count")[0]), in.size());
    out.resize(in.size());
    std::sort(in.begin(), in.end());
    std::sort(out.begin(), out.end());
    expectEqual(out, in);
}
void checkCheckSums(const Ran& r) { // bit by bit
    const auto message = r.before<std::uint32_t>("message"), sum = r.after<std::uint32_t>("sum");
    for (std::size_t i = 0; i < sum.size(); i += 101) {
        std::uint32_t crc = ~0u;
        for (std::size_t k = 0; k < std::size_t(r.value("words")); ++k) {
            crc ^= message[k * sum.size() + i];
            for (int bit = 0; bit < 32; ++bit)
                crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        }
        ASSERT_EQ(sum[i], ~crc) << i;
    }
}
void checkPlaces(const Ran& r) {
    const auto table = r.before<int>("table"), wanted = r.before<int>("wanted"), place = r.after<int>("place");
    for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_EQ(place[i], std::lower_bound(table.begin(), table.end(), wanted[i]) - table.begin()) << i;
}

} // namespace

HostChecks laterChecks() {
    return {{"gauss_step", checkElimination},
            {"lattice_step", checkLattice},
            {"floyd_step", checkWays},
            {"edit_distance", checkDistances},
            {"nearest_centre", checkCentres},
            {"smooth_edges", checkSmooth},
            {"small_products", checkSmallProducts},
            {"shift_random", checkShiftRandom},
            {"uneven_rows", checkUnevenRows},
            {"keep_above", checkKept},
            {"check_sums", checkCheckSums},
            {"search_sorted", checkPlaces}};
}

} // namespace warpglass::testing
