// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of own_kernels.cu, made for compute capability 7.5 and for 9.0, give what the host works out in another way.
#include "launches.h"

#include <complex>
#include <deque>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

namespace warpglass::own_kernels {
namespace {

TEST(OwnKernels, Scans) {
    const Ints data = randoms<int>(256, -50, 50);
    Ints sums(256);
    std::exclusive_scan(data.begin(), data.end(), sums.begin(), 0);
    equals({"treeScan", {1}, {128}, {in("in", data), out<int>("out", 256)}}, 1, sums);
    const Ints more = randoms<int>(1024, -50, 50);
    sums.resize(1024);
    std::partial_sum(more.begin(), more.end(), sums.begin());
    equals({"shuffleScan", {1}, {1024}, {in("in", more), out<int>("out", 1024)}}, 1, sums);
}

TEST(OwnKernels, Sorts) {
    auto keys = randoms<unsigned>(3 * 512, 0, 1 << 30);
    auto sorted = keys;
    for (int b = 0; b < 3; ++b)
        std::sort(sorted.begin() + b * 512, sorted.begin() + (b + 1) * 512);
    equals({"bitonicSort", {3}, {512}, {in("keys", keys)}}, 0, sorted);
    keys = randoms<unsigned>(1024, -2000000000, 2000000000, 5); // all bits
    sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    equals({"radixSort", {1}, {1024}, {in("keys", keys)}}, 0, sorted);
    const Ints data = randoms<int>(300, 0, 200, 9);
    Ints ordered = data;
    std::sort(ordered.begin(), ordered.end());
    equals({"quickSort", {1}, {1}, {in("data", data), value(0), value(299), value(0)}}, 0, ordered);
    auto a = randoms<int>(333, 0, 500, 2), b = randoms<int>(210, 0, 500, 3);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    Ints both;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    equals({"mergePath", {2}, {64}, {in("a", a), value(333), in("b", b), value(210), out<int>("out", 543), value(7)}},
           4, both);
}

TEST(OwnKernels, Counts) {
    const auto text = randoms<unsigned char>(5000, 0, 255);
    Ints bins(256);
    for (const unsigned char c : text)
        ++bins[c];
    equals({"histogram", {3}, {256}, {in("text", text), value(5000), out<int>("bins", 256)}}, 2, bins);
    const Ints data = randoms<int>(1000, 0, 1 << 20);
    std::multiset<int> kept;
    std::copy_if(data.begin(), data.end(), std::inserter(kept, kept.end()), [](int v) { return v % 3 == 0; });
    everywhere({"filterAggregated", {8}, {128}, {in("in", data), value(1000), out<int>("out", 1000), out<int>("n", 1)}},
               [&](const Recording& r) {
                   const int n = result<int>(r, 3)[0];
                   const Ints found = result<int>(r, 2);
                   EXPECT_EQ(std::multiset<int>(found.begin(), found.begin() + n), kept);
               });
}

TEST(OwnKernels, Fields) {
    constexpr int w = 37, h = 21;
    const Floats field = fractions(w * h, 4);
    std::vector<double> next;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const auto at = [&](int i, int j) {
                return i < 0 || j < 0 || i >= w || j >= h ? 0.0 : double(field[std::size_t(j * w + i)]);
            };
            next.push_back(at(x, y) / 2 + (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) / 8);
        }
    near<float>({"stencil", {3, 2}, {16, 16}, {in("in", field), out<float>("out", w * h), value(w), value(h)}}, 1, next,
                1e-6);
    // A glider and a row of three, on a torus: cells in a set, and only their neighbours are looked at.
    std::set<std::pair<int, int>> alive{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {40, 63}, {41, 63}, {42, 63}};
    const auto words = [&] {
        std::vector<std::uint64_t> rows(64);
        for (const auto& [x, y] : alive)
            rows[std::size_t(y)] |= std::uint64_t(1) << x;
        return rows;
    };
    const auto start = words();
    for (int g = 0; g < 9; ++g) {
        std::map<std::pair<int, int>, int> near;
        for (const auto& [x, y] : alive)
            for (int k = 0; k < 9; ++k)
                if (k != 4)
                    ++near[{(x + k % 3 + 63) % 64, (y + k / 3 + 63) % 64}];
        std::set<std::pair<int, int>> later;
        for (const auto& [cell, n] : near)
            if (n == 3 || (n == 2 && alive.count(cell)))
                later.insert(cell);
        alive = later;
    }
    equals({"life", {1}, {64}, {in("rows", start), value(9)}}, 0, words());
}

TEST(OwnKernels, Bodies) {
    constexpr int n = 128;
    const Floats bodies = fractions(4 * n, 7);
    std::vector<double> forces;
    for (int i = 0; i < n; ++i) {
        double f[3] = {};
        for (int k = 0; k < n; ++k) {
            double d[3], square = 0.01;
            for (int c = 0; c < 3; ++c) {
                d[c] = double(bodies[std::size_t(4 * k + c)]) - bodies[std::size_t(4 * i + c)];
                square += d[c] * d[c];
            }
            for (int c = 0; c < 3; ++c)
                f[c] += bodies[std::size_t(4 * k + 3)] * d[c] / std::pow(square, 1.5);
        }
        forces.insert(forces.end(), {f[0], f[1], f[2], 0});
    }
    near<float>({"nBody", {2}, {64}, {in("bodies", bodies), out<float>("forces", 4 * n), value(n)}}, 1, forces, 2e-4);
}

TEST(OwnKernels, Mandelbrot) {
    Ints steps;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 64; ++x) {
            const std::complex<float> c(-2.f + float(x) * 0.046875f, -1.25f + float(y) * 0.078125f);
            volatile float a = 0, b = 0, aa = 0, bb = 0,
                           ab = 0; // each product and sum rounded, whatever the compiler likes
            int n = 0;
            for (; n < 200; ++n) {
                aa = a * a;
                bb = b * b;
                ab = a * b;
                if (aa + bb > 4.f)
                    break;
                a = aa - bb;
                a = a + c.real();
                b = ab + ab;
                b = b + c.imag();
            }
            steps.push_back(n);
        }
    equals({"mandelbrot", {1, 32}, {64}, {out<int>("out", 64 * 32), value(64), value(200)}}, 0, steps);
}

TEST(OwnKernels, Attention) {
    constexpr int queries = 6, keys = 96;
    const Floats q = fractions(queries * 32, 1), k = fractions(keys * 32, 2), v = fractions(keys * 32, 3);
    std::vector<double> expected;
    for (int i = 0; i < queries; ++i) {
        std::vector<double> weight;
        for (int j = 0; j < keys; ++j)
            weight.push_back(
                std::exp(std::inner_product(q.begin() + i * 32, q.begin() + i * 32 + 32, k.begin() + j * 32, 0.0)));
        const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
        for (int d = 0; d < 32; ++d) {
            double result = 0;
            for (int j = 0; j < keys; ++j)
                result += weight[std::size_t(j)] * v[std::size_t(j * 32 + d)];
            expected.push_back(result / sum);
        }
    }
    near<float>(
        {"attention", {3}, {32, 2}, {in("q", q), in("k", k), in("v", v), out<float>("out", queries * 32), value(keys)}},
        3, expected, 1e-4);
}

TEST(OwnKernels, Fourier) {
    const Floats data = fractions(2 * 2 * 256, 11);
    std::vector<double> expected;
    for (int b = 0; b < 2; ++b)
        for (int f = 0; f < 256; ++f) { // by the definition
            std::complex<double> sum = 0;
            for (int t = 0; t < 256; ++t) {
                const std::size_t at = std::size_t(2 * (b * 256 + t));
                sum +=
                    std::complex<double>(data[at], data[at + 1]) * std::polar(1.0, -2 * std::numbers::pi * f * t / 256);
            }
            expected.insert(expected.end(), {sum.real(), sum.imag()});
        }
    near<float>({"fft", {2}, {128}, {in("in", data), out<float>("out", data.size())}}, 1, expected, 1e-4);
}

TEST(OwnKernels, Trees) {
    // Keys are inserted one by one; the host asks a map how deep each lies.
    Ints keys(90);
    std::iota(keys.begin(), keys.end(), 10);
    std::shuffle(keys.begin(), keys.end(), std::mt19937(3));
    Ints nodes;
    std::map<int, int> depth;
    for (const int key : keys) {
        int at = 0, steps = 1;
        while (at < int(nodes.size()) / 3) {
            int& child = nodes[std::size_t(3 * at + (key < nodes[std::size_t(3 * at)] ? 1 : 2))];
            if (child < 0) {
                child = int(nodes.size()) / 3;
                ++steps;
                break;
            }
            at = child;
            ++steps;
        }
        nodes.insert(nodes.end(), {key, -1, -1});
        depth[key] = steps;
    }
    Ints wanted, found;
    for (int k = 0; k < 100; ++k) {
        wanted.push_back(10 + k * 7 % 90);
        found.push_back(depth[wanted.back()]);
    }
    equals({"treeWalk", {2}, {64}, {in("nodes", nodes), in("wanted", wanted), out<int>("depth", 100), value(100)}}, 2,
           found);
    Ints sums(40); // of the even keys below each node: children come after their parents
    Ints below(keys.size());
    for (std::size_t n = keys.size(); n-- > 0;) {
        below[n] = keys[n] % 2 == 0 ? keys[n] : 0;
        for (const int side : {1, 2})
            if (const int child = nodes[3 * n + std::size_t(side)]; child >= 0)
                below[n] += below[std::size_t(child)];
    }
    std::copy_n(below.begin(), 40, sums.begin());
    equals({"treeSum", {1}, {40}, {in("nodes", nodes), out<int>("sums", 40)}}, 1, sums);
}

TEST(OwnKernels, CooperativeReduction) {
    const Ints data = randoms<int>(4321, -1000, 1000);
    equals({"cooperativeReduction",
            {5},
            {256},
            {in("in", data), value(int(data.size())), out<int>("parts", 5), out<int>("out", 1)}},
           3, Ints{std::accumulate(data.begin(), data.end(), 0)});
}

TEST(OwnKernels, Matrices) {
    constexpr int rows = 40;
    Ints first{0}, column;
    std::vector<double> entries, x(rows), y(rows);
    for (int i = 0; i < rows; ++i)
        x[std::size_t(i)] = 0.5 * i - 3;
    for (int i = 0; i < rows; ++i) {
        for (int j = i % 3; j < rows; j += 1 + i % 7) {
            column.push_back(j);
            entries.push_back(i - 2 * j + 0.25);
            y[std::size_t(i)] += entries.back() * x[std::size_t(j)]; // multiples of 1/8: exact in any order
        }
        first.push_back(int(column.size()));
    }
    equals({"sparseTimesVector",
            {10},
            {128},
            {in("first", first), in("column", column), in("value", entries), in("x", x), out<double>("y", rows),
             value(rows)}},
           4, y);
    constexpr int n = 48;
    const Floats a = fractions(n * n, 21), b = fractions(n * n, 22);
    std::vector<double> c;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += double(a[std::size_t(i * n + k)]) * b[std::size_t(k * n + j)];
            c.push_back(sum);
        }
    near<float>({"matrixTwoBuffers", {3, 3}, {16, 16}, {in("a", a), in("b", b), out<float>("c", n * n), value(n)}}, 2,
                c, 1e-5);
}

TEST(OwnKernels, Graphs) {
    constexpr int n = 40;
    constexpr int far = 1 << 20;
    Ints weight(n * n, far);
    Ints first{0}, target;
    const Ints random = randoms<int>(n * 4, 0, n - 1, 31);
    for (int p = 0; p < n; ++p) {
        weight[std::size_t(p * n + p)] = 0;
        std::set<int> to{random[std::size_t(4 * p)], random[std::size_t(4 * p + 1)], (p + 1) % n};
        to.erase(p);
        for (const int t : to) {
            target.push_back(t);
            weight[std::size_t(p * n + t)] = 1 + (p * 7 + t * 3) % 19;
        }
        first.push_back(int(target.size()));
    }
    // Shortest ways by relaxing every edge until nothing changes.
    Ints shortest = weight;
    for (int s = 0; s < n; ++s)
        for (bool changed = true; changed;) {
            changed = false;
            for (int p = 0; p < n; ++p)
                for (int e = first[std::size_t(p)]; e < first[std::size_t(p + 1)]; ++e) {
                    const int t = target[std::size_t(e)];
                    const int way = shortest[std::size_t(s * n + p)] + weight[std::size_t(p * n + t)];
                    if (way < shortest[std::size_t(s * n + t)]) {
                        shortest[std::size_t(s * n + t)] = way;
                        changed = true;
                    }
                }
        }
    equals({"floydWarshall", {1}, {256}, {in("distance", weight), value(n)}}, 0, shortest);
    Ints level(n, -1);
    std::deque<int> queue{0};
    level[0] = 0;
    for (; !queue.empty(); queue.pop_front())
        for (int e = first[std::size_t(queue[0])]; e < first[std::size_t(queue[0] + 1)]; ++e)
            if (int& l = level[std::size_t(target[std::size_t(e)])]; l < 0) {
                l = level[std::size_t(queue[0])] + 1;
                queue.push_back(target[std::size_t(e)]);
            }
    equals({"breadthFirst", {1}, {96}, {in("first", first), in("target", target), in("level", Ints(n, -1)), value(n)}},
           2, level);
}

int changes(const std::string& a, const std::string& b, std::size_t i, std::size_t j,
            std::map<std::size_t, int>& known) {
    if (i == 0 || j == 0)
        return int(i + j);
    const auto [at, isNew] = known.try_emplace(i * 1000 + j, 0);
    if (!isNew)
        return at->second;
    const int result = a[i - 1] == b[j - 1]
                           ? changes(a, b, i - 1, j - 1, known)
                           : 1 + std::min({changes(a, b, i - 1, j, known), changes(a, b, i, j - 1, known),
                                           changes(a, b, i - 1, j - 1, known)});
    return known[i * 1000 + j] = result;
}

TEST(OwnKernels, Words) {
    const auto a = randoms<char>(100, 'a', 'd', 41), b = randoms<char>(100, 'a', 'd', 42);
    std::map<std::size_t, int> known;
    equals({"editDistance", {1}, {101}, {in("a", a), in("b", b), value(100), out<int>("out", 1)}}, 3,
           Ints{changes({a.begin(), a.end()}, {b.begin(), b.end()}, 100, 100, known)});
}

TEST(OwnKernels, Collatz) {
    std::uint64_t best = 0; // most steps; the smaller number of equal ones
    for (std::uint64_t i = 1; i <= 3000; ++i) {
        std::uint64_t steps = 0;
        for (std::uint64_t v = i; v != 1; ++steps)
            v = v & 1 ? 3 * v + 1 : v >> 1;
        best = std::max(best, steps << 32 | (3000 - i));
    }
    EXPECT_EQ(best >> 32, 216u); // of 2919
    equals({"collatz", {12}, {256}, {value(3000), out<std::uint64_t>("best", 1)}}, 1, std::vector<std::uint64_t>{best});
}

} // namespace
} // namespace warpglass::own_kernels
