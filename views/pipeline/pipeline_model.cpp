// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_model.h"

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

bool overlap(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j)
            return true;
        *i < *j ? ++i : ++j;
    }
    return false;
}

PipelineRole whatIs(const PipelineWork& work, const WarpLife& life) {
    PipelineRole role;
    // A line that orders a copy does nothing where its predicate is false: the copies say who ordered.
    role.orders = work.trace.copies.empty() && life.did(LineKind::Copy);
    const auto& copies = work.trace.copies;
    auto copy = std::lower_bound(copies.begin(), copies.end(), life.warp,
                                 [](const AsyncCopy& c, std::uint32_t warp) { return c.warp < warp; });
    for (; copy != copies.end() && copy->warp == life.warp; ++copy)
        (copy->to == MemorySpace::Shared && copy->kind != AsyncCopyKind::Product ? role.orders : role.stores) = true;
    role.multiplies = life.did(LineKind::Product);
    role.stores |= life.did(LineKind::GlobalStore);
    role.computes = !role.multiplies && life.did(LineKind::Arithmetic);
    return role;
}

// Lives that pass no line of what they are there for in common are not the same.
bool alike(const WarpLife& a, const PipelineRole& ra, const WarpLife& b, const PipelineRole& rb) {
    if (ra.orders != rb.orders || ra.multiplies != rb.multiplies)
        return false;
    // One warp of several that multiply may store for all.
    if (!ra.multiplies && (ra.stores != rb.stores || ra.computes != rb.computes))
        return false;
    const auto shared = [&](LineKind kind) { return overlap(a.lines[std::size_t(kind)], b.lines[std::size_t(kind)]); };
    if (ra.helps())
        return true;
    if (ra.multiplies)
        return shared(LineKind::Product);
    if (ra.orders)
        return shared(LineKind::Copy);
    return shared(LineKind::GlobalStore) || shared(LineKind::StoreCopy) || shared(LineKind::Arithmetic);
}

// wgmma makes four warps one.
bool byWarpgroups(const PipelineWork& work, const PipelineRole& role) {
    for (const WarpLife& life : work.lives)
        if (life.warp == role.warps.front())
            return life.did(LineKind::ProductCommit);
    return false;
}

} // namespace

double Bubbles::busy() const {
    return whole - std::accumulate(idle.begin(), idle.end(), 0.0);
}

std::uint32_t pipelineBlock(const Trace& trace, std::uint32_t launch, std::uint32_t block) {
    if (block < trace.blocks.size() && trace.blocks[block].warpCount > 0)
        return block;
    if (launch >= trace.launches.size())
        return noIndex;
    const Launch& of = trace.launches[launch];
    for (std::uint32_t b = of.firstBlock; b < of.firstBlock + of.blockCount; ++b)
        if (trace.blocks[b].warpCount > 0)
            return b;
    return noIndex;
}

std::vector<PipelineRole> rolesOf(const PipelineWork& work) {
    std::vector<PipelineRole> roles;
    std::vector<std::size_t> firsts; // lives
    for (std::size_t n = 0; n < work.lives.size(); ++n) {
        const PipelineRole role = whatIs(work, work.lives[n]);
        std::size_t r = 0;
        while (r < roles.size() && !alike(work.lives[n], role, work.lives[firsts[r]], roles[r]))
            ++r;
        if (r == roles.size()) {
            roles.push_back(role);
            firsts.push_back(n);
        }
        roles[r].stores |= role.stores;
        roles[r].warps.push_back(work.lives[n].warp);
    }
    // As the work goes: who orders, who multiplies or computes, who stores, who helps.
    const auto rank = [](const PipelineRole& r) {
        return r.orders ? 0 : r.multiplies ? 1 : r.computes ? 2 : r.stores ? 3 : 4;
    };
    std::stable_sort(roles.begin(), roles.end(),
                     [&](const PipelineRole& a, const PipelineRole& b) { return rank(a) < rank(b); });
    return roles;
}

std::vector<DoingSpan> foldedSpans(const std::vector<const std::vector<DoingSpan>*>& of) {
    if (of.size() == 1)
        return *of.front();
    struct Edge {
        std::int64_t at;
        Doing doing;
        int by;
    };
    std::vector<Edge> edges;
    for (const auto* spans : of)
        for (const DoingSpan& s : *spans) {
            edges.push_back({s.begin, s.doing, 1});
            edges.push_back({s.end, s.doing, -1});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
    std::array<int, std::size_t(Doing::Count_)> count{};
    std::vector<DoingSpan> folded;
    for (std::size_t n = 0; n < edges.size();) {
        const std::int64_t at = edges[n].at;
        for (; n < edges.size() && edges[n].at == at; ++n)
            count[std::size_t(edges[n].doing)] += edges[n].by;
        const auto most = std::max_element(count.begin(), count.end());
        if (n == edges.size() || *most <= 0)
            continue;
        const auto doing = Doing(most - count.begin());
        if (!folded.empty() && folded.back().doing == doing && folded.back().end == at)
            folded.back().end = edges[n].at;
        else
            folded.push_back({at, edges[n].at, doing});
    }
    return folded;
}

void PipelineModel::sumUp() {
    const auto rank = [](const auto& span) { return rankOf(span); };
    for (PipelineLane& lane : lanes) {
        lane.tree = SpanTree(lane.spans, rank);
        for (const LaneSpan& s : lane.spans)
            lane.shares[std::size_t(s.doing)] += double((s.end - s.begin).value) / double(range.length().value);
    }
    for (PipelineSlot& slot : ringSlots) {
        const auto isFull = [](const SlotFill& f) { return f.isFull && f.read > f.full; };
        slot.isFullKnown =
            trace->info.backend != BackendKind::Cuda || std::any_of(slot.fills.begin(), slot.fills.end(), isFull);
        for (const SlotFill& f : slot.fills) {
            (slot.isFullKnown ? slotsAre.filling : slotsAre.untold) |= f.full > f.begin;
            slotsAre.full |= isFull(f);
            slotsAre.read |= f.isRead && f.freed > f.read;
        }
    }
    idleTree = SpanTree(idle, rank);
}

std::shared_ptr<const PipelineModel> buildPipelineModel(TracePtr trace, std::uint32_t block, Progress& progress) {
    auto model = std::make_shared<PipelineModel>();
    model->trace = trace;
    model->block = block;
    const Block& of = trace->blocks[block];
    const std::span<const Warp> warps = trace->warpsOf(of);
    model->range = {of.start, of.end};
    if (trace->info.backend == BackendKind::Cuda &&
        !warps.empty()) // before and behind its warps probes are at work alone
        model->range = {std::ranges::min(warps, {}, &Warp::start).start, std::ranges::max(warps, {}, &Warp::end).end};
    model->range.end = std::max(model->range.end, model->range.begin + Time{1});
    model->hasCycles = std::any_of(warps.begin(), warps.end(), [](const Warp& w) { return w.stateCount > 0; });
    const TraceInfo& info = trace->info;
    PipelineWork work{*trace, {}, PtxLines(trace->kernelOf(trace->launchOf(of)).ptx), {}};
    if (model->hasCycles && info.timeUnit == TimeUnit::Nanoseconds && info.smClockMHz > 0)
        work.ticks.perUnit = info.smClockMHz / 1000;
    const auto clock = std::find_if(trace->smClocks.begin(), trace->smClocks.end(),
                                    [&](const SmClock& c) { return c.sm == of.sm && c.cyclesPerNs > 0; });
    if (!model->hasCycles && info.timeUnit == TimeUnit::Nanoseconds && clock != trace->smClocks.end())
        work.ticks = {clock->cyclesPerNs, true, timingFor(info).alu};
    const auto passages = passagesOf(*trace, block);
    for (std::uint32_t w = of.firstWarp; w < of.firstWarp + of.warpCount; ++w) {
        auto life = lifeOf(*trace, w, work.lines, work.ticks, passages[w - of.firstWarp], progress);
        if (!life)
            return nullptr;
        work.lives.push_back(std::move(*life));
    }
    work.mbarriers = groupWaitsOf(*trace, block, work.lines, work.ticks);
    model->roles = rolesOf(work);
    for (std::size_t r = 0; r < model->roles.size(); ++r) {
        const auto& members = model->roles[r].warps;
        const bool parted = byWarpgroups(work, model->roles[r]);
        for (std::size_t n = 0; n < members.size(); ++n) {
            const bool begins = n == 0 || (parted && trace->warps[members[n]].warpInBlock / 4 !=
                                                         trace->warps[members[n - 1]].warpInBlock / 4);
            if (begins)
                model->lanes.push_back({r, {}, {}});
            model->lanes.back().warps.push_back(members[n]);
        }
    }
    findSlots(*model, work);
    for (std::size_t n = 0; n < work.lives.size(); ++n)
        layOver(work.lives[n].spans, work.mbarriers[n]);
    for (PipelineLane& lane : model->lanes) {
        std::vector<const std::vector<DoingSpan>*> spans;
        for (const std::uint32_t w : lane.warps)
            spans.push_back(&work.lives[w - of.firstWarp].spans);
        const auto first = std::find_if(lane.warps.begin(), lane.warps.end(), [&](std::uint32_t w) {
            return !work.lives[w - of.firstWarp].products.empty();
        });
        if (first != lane.warps.end())
            for (const WarpLife::Product& product : work.lives[*first - of.firstWarp].products)
                lane.products.push_back({work.ticks.time(product.at), product.line});
        for (const DoingSpan& s : foldedSpans(spans)) {
            lane.spans.push_back({work.ticks.time(s.begin), work.ticks.time(s.end), s.doing});
            model->occurs[std::size_t(s.doing)] = true;
        }
    }
    findBubbles(*model, work);
    model->sumUp();
    return progress.cancelled() ? nullptr : model;
}

} // namespace warpglass
