// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/findings.h"

#include <cstring>

namespace warpglass::emulator {

namespace {

struct Head {
    FindingsFor run;
    std::uint64_t window = 0, perSm = 0, meet = 0;
    double dramStores = 0, partFills = 0;
};
static_assert(sizeof(Head) == 9 * 8);

} // namespace

std::uint64_t hashOf(std::span<const std::uint32_t> timedSms, std::uint64_t together) {
    std::uint64_t hash = together;
    for (const std::uint32_t sm : timedSms)
        hash = hash * 0x9e3779b97f4a7c15ull + sm;
    return hash;
}

std::vector<std::byte> findingsOf(const FindingsFor& run, const FirstRun& first, bool meet, std::uint64_t window) {
    const Head head{run, window, first.perSm, meet, first.dramStores, first.partFills};
    std::vector<std::byte> bytes(sizeof head);
    std::memcpy(bytes.data(), &head, sizeof head);
    first.touched.write(bytes);
    return bytes;
}

void addIssued(std::vector<std::byte>& findings, std::span<const std::uint32_t> issued) {
    const auto bytes = std::as_bytes(issued);
    findings.insert(findings.end(), bytes.begin(), bytes.end());
}

std::optional<Findings> readFindings(std::span<const std::byte> bytes, const FindingsFor& run) {
    Head head;
    const std::uint64_t ofBlocks = run.blocks * sizeof(std::uint32_t);
    if (bytes.size() < sizeof head || bytes.size() - sizeof head < ofBlocks)
        return std::nullopt;
    std::memcpy(&head, bytes.data(), sizeof head);
    const std::span<const std::byte> table = bytes.subspan(sizeof head, bytes.size() - sizeof head - ofBlocks);
    if (head.run != run || head.window > run.blocks || head.perSm == 0 || head.perSm > run.blocks)
        return std::nullopt;
    auto touched = TouchTable::read(table);
    if (!touched)
        return std::nullopt;
    Findings found;
    found.first = std::make_unique<FirstRun>(std::move(touched));
    found.first->perSm = head.perSm;
    found.first->dramStores = head.dramStores;
    found.first->partFills = head.partFills;
    found.meet = head.meet != 0;
    found.window = head.window;
    found.issued.resize(run.blocks);
    std::memcpy(found.issued.data(), bytes.data() + bytes.size() - ofBlocks, ofBlocks);
    return found;
}

} // namespace warpglass::emulator
