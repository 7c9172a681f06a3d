// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/generated.h"

#include "gpu/emulator/emulator.h"
#include "gpu/emulator/launch/kept_memory.h"
#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/emulator/launch/leaks.h"
#include "gpu/emulator/launch/trace_writer.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include "tests/fuzz/hostile.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace warpglass::fuzz {

namespace {

// Bytes without end that follow from a number (splitmix64).
class Chance {
public:
    explicit Chance(std::uint64_t seed) : m_state(seed) {}
    std::string bytes(std::size_t count) {
        std::string made(count, '\0');
        for (std::size_t at = 0; at < count; at += 8) {
            std::uint64_t z = m_state += 0x9e3779b97f4a7c15;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
            z = (z ^ z >> 27) * 0x94d049bb133111eb;
            z ^= z >> 31;
            std::memcpy(made.data() + at, &z, std::min<std::size_t>(8, count - at));
        }
        return made;
    }

private:
    std::uint64_t m_state;
};

// Half of them are as they were: one that is no more sound hides what the others would have done.
std::vector<std::uint64_t> otherNumbers(const std::vector<std::uint64_t>& numbers, Chance& chance) {
    constexpr std::size_t bytesOfOne = 12;
    const std::string bytes = chance.bytes(bytesOfOne * numbers.size());
    Dice dice(bytes);
    std::vector<std::uint64_t> others = numbers;
    for (std::uint64_t& number : others)
        if (dice.oneIn(2))
            number = hostileNumber(dice);
    return others;
}

struct Told { // when the program ends, to many.sh
    std::uint64_t launches = 0, turns = 0;
    ~Told() {
        if (std::getenv("WARPGLASS_FUZZ_COUNT") && launches > 0)
            std::fprintf(stderr, "launches: %llu turns: %llu\n", static_cast<unsigned long long>(launches),
                         static_cast<unsigned long long>(turns));
    }
};
Told told;

// How often warps came to the end of the body: to the branch that begins it again.
std::uint64_t turnsOf(const emulator::LaunchRecord& launch) {
    const emulator::FunctionCode& entry = launch.program->functions[0];
    const std::uint32_t branch = entry.end - 3; // then ret and the function's end
    const auto& pieces = launch.program->pieces;
    for (std::size_t n = 0; n < pieces.size() && n < launch.result.counters.pieceExecutions.size(); ++n)
        if (pieces[n].first <= branch && branch < pieces[n].end)
            return launch.result.counters.pieceExecutions[n];
    return 0;
}

} // namespace

std::size_t Generated::rows() const {
    return std::bit_floor(std::min(numbersOfAll / std::max<std::size_t>(1, numbers.size()), std::size_t(turns)));
}

void Generated::give(std::uint64_t launch) {
    std::vector<std::uint64_t> given;
    Chance chance(std::hash<std::string>()(plan.ptx) + launch);
    for (std::size_t row = 0; row < rows() && !numbers.empty(); ++row) {
        const auto of = row == 0 && launch == 0 ? numbers : otherNumbers(numbers, chance);
        given.insert(given.end(), of.begin(), of.end());
    }
    if (given.empty())
        return;
    if (!plan.kept) {
        std::memcpy(plan.arguments.back().scalar.data(), given.data(), 8 * given.size());
        return;
    }
    constexpr std::size_t before = 224 / 8; // o, m, n, t and u of the kernel's parameters, in words
    const KeptMemory& old = *plan.kept;
    if (old.areas.empty() || old.areas[0].role != KeptRole::Parameters || old.areas[0].words() < before + given.size())
        return;
    std::vector<std::uint64_t> words(old.words.data(), old.words.data() + old.words.size());
    std::copy(given.begin(), given.end(), words.begin() + before);
    KeptMemory kept{.areas = old.areas, .words = LargeTable<std::uint64_t>(std::move(words))};
    plan.kept = std::make_shared<const KeptMemory>(std::move(kept));
}

void Generated::again(int times) {
    using namespace emulator;
    const auto module = plan.kept ? ptx::parseJoined(plan.ptx, plan.moduleName) : ptx::parse(plan.ptx, plan.moduleName);
    const DeviceSpec* const device = findDevice(options.device);
    if (!module || !device)
        wrong("a kernel that ran is not read a second time");
    const auto& functions = module->functions;
    const auto entry = std::uint32_t(
        std::find_if(functions.begin(), functions.end(), [](const ptx::Function& f) { return f.isEntry; }) -
        functions.begin());
    auto image = makeLaunchMemory(*module, plan, entry);
    if (!image)
        wrong("the memory of a launch is not made a second time");
    auto programs = decodeAll(*module, entry, (*image)->symbols);
    const auto chosen = chosenBlocks(options.detail, plan.grid.count());
    if (!programs || !chosen)
        wrong("a kernel that ran is not decoded a second time");
    for (int n = 0; n < times; ++n) {
        give(std::uint64_t(n) + 1);
        image = makeLaunchMemory(*module, plan, entry);
        Progress progress;
        LaunchTree tree(plan, options, *device, *programs, **image, progress);
        tree.setHeap(plan.heapLimit, plan.kept ? heapRoomOf(*plan.kept) : 0);
        if (plan.kept)
            tree.letLanesGoApart();
        if (tree.run(1, *chosen) && !plan.kept)
            tellLeaks((*image)->memory, tree.launches());
        if (n % 8 == 0) {
            TraceInput input{&plan, &options, device, &*module, {}, &tree.launches(), tree.clockMHz()};
            for (const auto& p : programs->all)
                input.programs.push_back(p.get());
            if (const auto ok = validate(writeTrace(input)); !ok)
                wrong(("the trace of a launch is not sound: " + ok.error().text()).c_str());
        }
        if (!tree.launches().empty())
            told.turns += turnsOf(tree.launches()[0]);
        (void)takeBuffers(plan, **image);
    }
    told.launches += std::uint64_t(times);
}

void runOften(Generated it) {
    static const int limited = setenv("WARPGLASS_MEMORY", "512M", 1);
    (void)limited;
    static const auto emulator = makeEmulator();
    if (!it.run(*emulator))
        return;
    ++told.launches;
    const auto most = std::size_t(it.options.timing || it.options.checkRaces ? 3 : 15); // these take longer
    it.again(int(std::min(most, 4 * it.numbers.size())));
}

} // namespace warpglass::fuzz
