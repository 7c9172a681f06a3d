// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/devices.h"

#include <algorithm>
#include <map>

namespace warpglass::program {

namespace {

std::optional<std::uint32_t> deviceOf(const ProgramTrace& p, std::uint64_t address, std::uint32_t operation) {
    const Allocation* a = p.allocationAt(address, operation);
    if (!a || a->kind != MemoryKind::Device || a->born >= p.operations.size())
        return std::nullopt;
    const std::uint32_t stream = p.operations[a->born].stream;
    return stream < p.streams.size() ? std::optional(p.streams[stream].device) : std::nullopt;
}

bool isWork(OperationKind kind) {
    return kind == OperationKind::Launch || kind == OperationKind::Copy || kind == OperationKind::Fill ||
           kind == OperationKind::Library;
}

} // namespace

std::optional<DevicePair> peersOf(const ProgramTrace& p, std::uint32_t operation) {
    const Operation& o = p.operations[operation];
    if (o.kind != OperationKind::Copy || o.direction != Direction::DeviceToDevice)
        return std::nullopt;
    const auto from = deviceOf(p, o.from, operation), to = deviceOf(p, o.to, operation);
    if (!from || !to || *from == *to)
        return std::nullopt;
    return DevicePair{*from, *to};
}

std::vector<DeviceSum> deviceSums(const ProgramTrace& p, const std::vector<Waited>& waits) {
    struct Part {
        std::int64_t start, end;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<DeviceSum, std::vector<Part>>> all;
    const auto of = [&](const Operation& o) -> auto& {
        const std::uint32_t device = o.stream < p.streams.size() ? p.streams[o.stream].device : 0;
        return all[{p.processOf(o), device}];
    };
    for (const Operation& o : p.operations) {
        if (!isWork(o.kind) || o.error != 0)
            continue;
        auto& [sum, parts] = of(o);
        sum.launches += o.kind == OperationKind::Launch;
        sum.copies += o.kind == OperationKind::Copy;
        parts.push_back({o.start, o.end});
    }
    for (const Waited& w : waits) {
        const Operation& o = p.operations[w.operation];
        if (!isWork(o.kind) || o.error != 0 || w.ns <= 0)
            continue;
        DeviceSum& sum = of(o).first;
        sum.waited += w.ns;
        if (!sum.longest || w.ns > sum.longest->ns)
            sum.longest = w;
    }
    std::vector<DeviceSum> sums;
    for (auto& [key, value] : all) {
        auto& [sum, parts] = value;
        if (parts.empty())
            continue;
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
        sum.process = key.first;
        sum.device = key.second;
        sum.begin = sum.end = parts.front().start;
        for (const Part& part : parts) { // end: up to where it is counted
            sum.busy += std::max<std::int64_t>(0, part.end - std::max(part.start, sum.end));
            sum.end = std::max(sum.end, part.end);
        }
        sums.push_back(sum);
    }
    return sums;
}

} // namespace warpglass::program
