// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen_checks.h"

#include <cstdint>
#include <numeric>
#include <set>

namespace warpglass::testing {
namespace {

void checkScan(const Ran& r) {
    const auto in = r.before<int>("in");
    const std::size_t n = r.plan.block.x;
    std::vector<int> out(in.size()), sums;
    for (std::size_t b = 0; b < in.size(); b += n) {
        const auto first = std::ptrdiff_t(b), last = std::ptrdiff_t(b + n);
        std::partial_sum(in.begin() + first, in.begin() + last, out.begin() + first);
        sums.push_back(out[b + n - 1]);
    }
    expectEqual(r.after<int>("out"), out);
    expectEqual(r.after<int>("sums"), sums);
}
void checkHistogram(const Ran& r) {
    const auto in = r.before<std::uint8_t>("in");
    std::vector<unsigned> bins(256);
    for (const std::uint8_t v : in)
        ++bins[v];
    expectEqual(r.after<unsigned>("bins"), bins);
}
void checkGather(const Ran& r) {
    const auto table = r.before("table");
    std::vector<float> out;
    for (const int i : r.before<int>("index"))
        out.push_back(table[std::size_t(i)]);
    expectEqual(r.after("out"), out);
}
void checkScatter(const Ran& r) { // which of several writers to one place is last is nobody's affair
    const auto in = r.before("in"), out = r.after("out");
    const auto index = r.before<int>("index");
    std::map<int, std::set<float>> writers;
    for (std::size_t k = 0; k < in.size(); ++k)
        writers[index[k]].insert(in[k]);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto w = writers.find(int(k));
        ASSERT_TRUE(w == writers.end() ? out[k] == 0 : w->second.contains(out[k])) << k;
    }
}
void checkChase(const Ran& r, const std::function<std::uint32_t(std::uint32_t)>& start) {
    const auto table = r.before<std::uint32_t>("table");
    const auto out = r.after<std::uint32_t>("out");
    for (std::uint32_t k = 0; k < out.size(); ++k) {
        std::uint32_t at = start(k) % std::uint32_t(table.size());
        for (int s = 0; s < r.value("steps"); ++s)
            at = (table[at] + std::uint32_t(s)) % std::uint32_t(table.size());
        ASSERT_EQ(out[k], at) << k;
    }
}
void checkRowWalk(const Ran& r) {
    const auto a = r.before<int>("a"), out = r.after<int>("out");
    const int columns = r.value("columns");
    for (int row = 0; row < r.value("rows"); ++row) {
        int column = row, sum = 0;
        for (int s = 0; s < r.value("steps"); ++s) {
            const int v = a[std::size_t(row) * std::size_t(columns) + std::size_t(column % columns)];
            sum += v;
            column = column % columns + 1 + v % 16;
        }
        ASSERT_EQ(out[std::size_t(row)], sum) << row;
    }
}
void checkSorted(const Ran& r) { // by block
    auto data = r.before<int>("data");
    for (auto at = data.begin(); at != data.end(); at += r.plan.block.x)
        std::sort(at, at + r.plan.block.x);
    expectEqual(r.after<int>("data"), data);
}
void checkBitonicStep(const Ran& r) {
    auto data = r.before<int>("data");
    const auto j = std::size_t(r.value("j")), k = std::size_t(r.value("k"));
    for (std::size_t i = 0; i < data.size(); ++i)
        if (!(i & j)) { // ascending where bit k of the index is clear
            const auto [low, high] = std::minmax(data[i], data[i + j]);
            const bool ascends = !(i & k);
            const int first = ascends ? low : high, second = ascends ? high : low;
            data[i] = first;
            data[i + j] = second;
        }
    expectEqual(r.after<int>("data"), data);
}

} // namespace

HostChecks orderChecks() {
    return {
        {"row_walk", checkRowWalk},
        {"scan_doubling", checkScan},
        {"scan_shuffle", checkScan},
        {"histogram_global", checkHistogram},
        {"histogram_shared", checkHistogram},
        {"gather", checkGather},
        {"scatter", checkScatter},
        {"chase_lanes", [](const Ran& r) { checkChase(r, [](std::uint32_t k) { return k * 2654435761u; }); }},
        {"chase_together", [](const Ran& r) { checkChase(r, [](std::uint32_t k) { return k / 32 * 40503u; }); }},
        {"bitonic_step", checkBitonicStep},
        {"bitonic_block", checkSorted},
    };
}

} // namespace warpglass::testing
