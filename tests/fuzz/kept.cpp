// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/file.h"

#include "tests/fuzz/dice.h"
#include "tests/fuzz/generated.h"
#include "tests/fuzz/hostile.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>

namespace warpglass::fuzz {

namespace {

constexpr std::uint64_t parameterBytes = 224 + 8 * numbersOfAll; // of the generated kernel: o, m[128] at 64, n, t, u, w
constexpr std::uint64_t keptSizes[] = {0,   1,   2,   3,   4,    8,    12,   16,   60,   61,  64,
                                       100, 128, 511, 512, 1000, 1023, 1024, 1025, 2048, 4096};
constexpr std::uint64_t keptPlaces[] = {0x7f0000000000, 0x7f0000100000, std::uint64_t(64) << 30, std::uint64_t(1) << 48,
                                        (std::uint64_t(1) << 62) - 4096};

// Areas that a recording may hold: mostly close to each other, often in one page, seldom such as there are none.
KeptMemory drawn(Dice& dice) {
    KeptMemory kept;
    std::vector<std::uint64_t> words, addresses;
    const auto add = [&](KeptRole role, std::uint64_t address, std::uint64_t bytes, std::string name) {
        KeptArea area{.role = role, .address = address, .bytes = bytes, .name = std::move(name)};
        const std::uint64_t count = area.words();
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::uint64_t to = addresses.empty() ? keptPlaces[0] : addresses[k % addresses.size()];
            words.push_back(k < 32 && dice.oneIn(3) ? dice.word() : to + dice.of(keptSizes) * (k & 1));
        }
        kept.areas.push_back(std::move(area));
    };
    std::uint64_t at = dice.of(keptPlaces);
    const std::size_t pieces = 1 + dice.below(5);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> memory;
    for (std::size_t n = 0; n < pieces; ++n) {
        const std::uint64_t bytes = dice.of(keptSizes) + dice.below(4) * 16;
        memory.emplace_back(at, bytes);
        addresses.push_back(at);
        at += bytes + (dice.oneIn(3) ? dice.of(keptSizes) : (16 - bytes % 16) % 16);
    }
    add(KeptRole::Parameters, 0, dice.oneIn(8) ? dice.of(keptSizes) : parameterBytes, "");
    if (dice.oneIn(2))
        add(KeptRole::Constant, 0, dice.oneIn(4) ? dice.of(keptSizes) : 64, dice.oneIn(8) ? "nobody" : "cc");
    static constexpr const char* variables[] = {"gg", "map", "tt", "fmt", "cc", "nobody"};
    for (std::size_t n = 0; n < memory.size(); ++n) {
        const auto role = dice.oneIn(3) ? KeptRole::Heap : dice.oneIn(3) ? KeptRole::Variable : KeptRole::Memory;
        add(role, memory[n].first, memory[n].second,
            role == KeptRole::Variable ? dice.of(variables) : fmt::format("memory {}", n));
    }
    if (dice.oneIn(16) && !kept.areas.empty()) // as a forged file may say it
        kept.areas[dice.below(kept.areas.size())].bytes = dice.word();
    kept.words = LargeTable<std::uint64_t>(std::move(words));
    return kept;
}

// What was written is read as it was; with one byte changed it is refused, or says the same all the same.
void throughAFile(const Trace& trace, Dice& dice) {
    const std::filesystem::path file = scratchFolder() / "kept.wgt";
    Progress progress;
    if (const auto written = writeTrace(trace, file, progress); !written)
        wrong(("kept memory cannot be written: " + written.error().text()).c_str());
    const auto same = [&](const Trace& read) {
        return read.kept.areas == trace.kept.areas && read.kept.words.size() == trace.kept.words.size() &&
               std::equal(read.kept.words.data(), read.kept.words.data() + read.kept.words.size(),
                          trace.kept.words.data());
    };
    const auto read = readTrace(file, progress);
    if (!read || !same(**read))
        wrong("kept memory is read otherwise than it was written");
    std::string bytes = contentsOf(file);
    bytes[std::size_t(dice.word(4)) % bytes.size()] ^= char(1 + dice.below(255));
    std::ofstream(file, std::ios::binary) << bytes;
    const auto changed = readTrace(file, progress);
    if (!changed)
        return;
    if (const auto ok = validate(**changed); !ok)
        wrong(("what was read is not sound: " + ok.error().text()).c_str());
#ifndef WARPGLASS_WITHOUT_DIGESTS
    if (!same(**changed))
        wrong("a recording's kept memory was changed, and its digest says nothing");
#endif
}

} // namespace

void kept(std::string_view bytes) {
    if (bytes.size() > mostGeneratedBytes)
        return;
    Dice dice(bytes);
    const bool inFile = dice.byte() == 0x5a;
    auto trace = std::make_unique<Trace>();
    trace->kept = drawn(dice);
    if (const auto sound = validate(*trace); !sound)
        return; // as the reader of a file does
    if (inFile)
        throughAFile(*trace, dice);
    Generated it = generated(dice.rest());
    it.plan.kept = std::make_shared<KeptMemory>(std::move(trace->kept));
    it.plan.textures.clear();
    it.plan.surfaces.clear();
    it.plan.arrays.clear();
    runOften(std::move(it));
}

} // namespace warpglass::fuzz
