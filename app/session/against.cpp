// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/against.h"

#include "gpu/launch/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace warpglass::session {

namespace {

constexpr std::uint64_t gapBetweenStretches = 64 * 1024;

double valueOf(const AccessRow& a, std::uint64_t bits) {
    if (a.isFloat && a.bytesPerElement == 8)
        return std::bit_cast<double>(bits);
    if (a.isFloat && a.bytesPerElement == 4)
        return double(std::bit_cast<float>(std::uint32_t(bits)));
    if (a.isFloat && a.bytesPerElement == 2)
        return warpglass::valueOf(std::uint16_t(bits), binary16);
    const int shift = 64 - 8 * a.bytesPerElement;
    return double(std::int64_t(bits << shift) >> shift);
}

bool differ(const AccessRow& a, std::uint64_t bitsA, const AccessRow& b, std::uint64_t bitsB, double tolerance) {
    if (a.isFloat == b.isFloat && a.bytesPerElement == b.bytesPerElement && bitsA == bitsB)
        return false;
    const double x = valueOf(a, bitsA), y = valueOf(b, bitsB);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) != std::isnan(y);
    if (!a.isFloat && !b.isFloat)
        return true; // other bits
    return !(x == y || std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)));
}

// One value that a lane loaded, stored or got.
struct Use {
    const AccessRow* row = nullptr;
    std::uint64_t bits = 0, address = 0;
    Time time;
    std::uint32_t block = 0, thread = 0, site = 0;
};

// All of the host's launch, warp by warp.
template <class F>
void eachUse(const Trace& trace, const F& f) {
    std::uint32_t warp = 0;
    for (std::size_t n = 0; n < trace.accesses.size(); ++n) {
        const AccessRow& a = trace.accesses[n];
        while (warp < trace.warps.size() && a.event >= trace.warps[warp].firstEvent + trace.warps[warp].eventCount)
            ++warp;
        if (warp == trace.warps.size())
            return;
        const Warp& w = trace.warps[warp];
        const Block& block = trace.blockOf(w);
        if (block.launch != 0)
            continue;
        const Event event = trace.event(w, std::uint32_t(a.event - w.firstEvent));
        const auto addresses = trace.addresses(a), values = trace.values(a);
        std::size_t k = 0;
        for (std::uint32_t m = event.active.bits; m; m &= m - 1, ++k)
            for (std::uint32_t e = 0; e < a.elements; ++e)
                if (k < addresses.size() && k * a.elements + e < values.size())
                    f(Use{&a, values[k * a.elements + e], addresses[k] + std::uint64_t(e) * a.bytesPerElement,
                          event.time, block.index, w.warpInBlock * 32u + std::uint32_t(std::countr_zero(m)),
                          event.site},
                      warp);
    }
}

// Where each stretch of global addresses begins, ascending.
std::vector<std::uint64_t> stretchesOf(const Trace& trace) {
    std::vector<std::uint64_t> all;
    eachUse(trace, [&](const Use& u, std::uint32_t) {
        if (u.row->space == MemorySpace::Global && !u.row->shuffle)
            all.push_back(u.address);
    });
    std::sort(all.begin(), all.end());
    std::vector<std::uint64_t> begins;
    std::uint64_t last = 0;
    for (const std::uint64_t at : all) {
        if (begins.empty() || at - last >= gapBetweenStretches)
            begins.push_back(at);
        last = at;
    }
    return begins;
}

std::pair<std::uint32_t, std::uint64_t> elementOf(const std::vector<std::uint64_t>& stretches, const Use& u) {
    const auto at = std::upper_bound(stretches.begin(), stretches.end(), u.address) - 1;
    return {std::uint32_t(at - stretches.begin()), (u.address - *at) / u.row->bytesPerElement};
}

Difference differenceOf(const Trace& trace, const Trace& reference, const std::vector<std::uint64_t>& stretches,
                        const Use& own, const Use& other) {
    Difference d;
    d.block = own.block;
    d.thread = own.thread;
    const Kernel& kernel = trace.kernelOf(trace.launches[0]);
    const Site &site = trace.sites[own.site], &otherSite = reference.sites[other.site];
    d.ptxLine = site.ptxLine;
    d.sourceLine = sourceLineOf(kernel, site);
    d.otherPtxLine = otherSite.ptxLine;
    d.otherSourceLine = sourceLineOf(reference.kernelOf(reference.launches[0]), otherSite);
    d.kind = own.row->kind;
    d.space = own.row->space;
    d.shuffle = own.row->shuffle;
    d.isFloat = own.row->isFloat;
    d.value = valueOf(*own.row, own.bits);
    d.other = valueOf(*other.row, other.bits);
    if (d.space == MemorySpace::Global && !d.shuffle)
        std::tie(d.stretch, d.element) = elementOf(stretches, own);
    return d;
}

using Order = std::tuple<Time, std::uint32_t, std::uint32_t>; // time, block, thread
Order orderOf(const Use& u) {
    return {u.time, u.block, u.thread};
}

// The pairs are compared that stand under one key at one place of its list.
template <class Key>
using Lists = std::map<Key, std::vector<Use>>;

template <class Key>
void compare(const Lists<Key>& own, const Lists<Key>& others, const Trace& trace, const Trace& reference,
             const std::vector<std::uint64_t>& stretches, double tolerance, Comparison& result) {
    std::optional<std::pair<Use, Use>> first;
    for (const auto& [key, uses] : own) {
        const auto other = others.find(key);
        if (other == others.end())
            continue;
        for (std::size_t n = 0; n < std::min(uses.size(), other->second.size()); ++n) {
            const Use &a = uses[n], &b = other->second[n];
            ++result.compared;
            if (!differ(*a.row, a.bits, *b.row, b.bits, tolerance))
                continue;
            ++result.differing;
            if (!first || orderOf(a) < orderOf(first->first))
                first = {a, b};
        }
    }
    if (first)
        result.first = differenceOf(trace, reference, stretches, first->first, first->second);
}

} // namespace

Comparison compareWith(const Trace& trace, const Trace& reference, double tolerance) {
    Comparison result;
    if (trace.launches.empty() || reference.launches.empty())
        return result;
    const Kernel &own = trace.kernelOf(trace.launches[0]), &other = reference.kernelOf(reference.launches[0]);
    result.sameCode = own.ptx == other.ptx && own.name == other.name;
    const std::vector<std::uint64_t> stretches = stretchesOf(trace);
    if (result.sameCode) {
        using Key = std::tuple<std::uint32_t, std::uint32_t>; // block, thread
        const auto listsOf = [](const Trace& t) {
            Lists<Key> lists;
            eachUse(t, [&](const Use& u, std::uint32_t) { lists[{u.block, u.thread}].push_back(u); });
            return lists;
        };
        compare(listsOf(trace), listsOf(reference), trace, reference, stretches, tolerance, result);
        return result;
    }
    using Key = std::pair<std::uint32_t, std::uint64_t>; // stretch, element
    const auto listsOf = [](const Trace& t, const std::vector<std::uint64_t>& begins) {
        Lists<Key> lists;
        eachUse(t, [&](const Use& u, std::uint32_t) {
            if (u.row->space == MemorySpace::Global && u.row->kind == AccessKind::Store && !u.row->shuffle)
                lists[elementOf(begins, u)].push_back(u);
        });
        for (auto& [key, uses] : lists)
            std::stable_sort(uses.begin(), uses.end(),
                             [](const Use& a, const Use& b) { return orderOf(a) < orderOf(b); });
        return lists;
    };
    compare(listsOf(trace, stretches), listsOf(reference, stretchesOf(reference)), trace, reference, stretches,
            tolerance, result);
    return result;
}

nlohmann::ordered_json comparisonJson(const Comparison& c) {
    nlohmann::ordered_json object{
        {"same_code", c.sameCode}, {"compared", c.compared}, {"differing", c.differing}, {"first", nullptr}};
    if (const auto& d = c.first) {
        const auto line = [](std::uint32_t n) { return n ? nlohmann::ordered_json(n) : nlohmann::ordered_json(); };
        object["first"] = {{"block", d->block},
                           {"thread", d->thread},
                           {"ptx_line", d->ptxLine},
                           {"source_line", line(d->sourceLine)},
                           {"access", d->shuffle ? "shuffle" : warpglass::name(d->kind)},
                           {"space", warpglass::name(d->space)},
                           {"stretch", d->stretch},
                           {"element", d->element},
                           {"value", d->value},
                           {"reference", d->other},
                           {"reference_ptx_line", d->otherPtxLine},
                           {"reference_source_line", line(d->otherSourceLine)}};
    }
    return object;
}

std::string comparisonText(const Comparison& c, const Trace& trace, const Trace& reference, const std::string& name) {
    if (c.compared == 0)
        return fmt::format("against {}: nothing of both is recorded with addresses and values that could be compared\n",
                           name);
    if (!c.first)
        return fmt::format("against {}: all {} values agree\n", name, c.compared);
    const Difference& d = *c.first;
    const Launch& launch = trace.launches[0];
    const auto place = [](const Kernel& kernel, std::uint32_t source, std::uint32_t ptx) {
        const std::string& file = kernel.sourceName;
        return source ? fmt::format("line {}{} (PTX line {})", source, file.empty() ? "" : " of " + file, ptx)
                      : fmt::format("PTX line {}", ptx);
    };
    const std::string does = d.shuffle                     ? "gets"
                             : d.kind == AccessKind::Load  ? "loads"
                             : d.kind == AccessKind::Store ? "stores"
                                                           : "changes to";
    const std::string where =
        d.shuffle ? " of another lane"
        : d.space != MemorySpace::Global
            ? fmt::format(" of {} memory", warpglass::name(d.space))
            : fmt::format(", element {} of the {}. stretch of global memory", d.element, d.stretch + 1);
    return fmt::format(
        "against {}: {} of {} values differ, first block {}, thread {} at {}: it {} {:.9g}{}; the reference "
        "has {:.9g} at {}\n",
        name, c.differing, c.compared, launch.grid.at(d.block).indexText(), launch.block.at(d.thread).indexText(),
        place(trace.kernelOf(launch), d.sourceLine, d.ptxLine), does, d.value, where, d.other,
        place(reference.kernelOf(reference.launches[0]), d.otherSourceLine, d.otherPtxLine));
}

} // namespace warpglass::session
