// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"
#include "gpu/metrics/metrics.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include "tests/fuzz/bounded.h"
#include "tests/fuzz/targets.h"

#include <algorithm>

namespace warpglass::fuzz {

namespace {

// What each parameter gets: a buffer for a pointer, a small number for another; a struct is left out and refused.
std::vector<std::string> argumentsFor(const ptx::Function& entry) {
    std::vector<std::string> specs;
    for (const ptx::Variable& parameter : entry.params) {
        const std::string name = "p" + std::to_string(specs.size());
        if (parameter.isArray)
            continue;
        specs.push_back(parameter.sizeBytes() == 8 ? name + ":u32[256]=iota" : name + ":i32=8");
    }
    return specs;
}

void readAgain(const ptx::Module& module) {
    const std::string written = ptx::write(module);
    const auto again = ptx::parse(written);
    if (!again)
        wrong(("what was written cannot be read: " + again.error().text() + "\n" + written).c_str());
    if (ptx::write(*again) != written)
        wrong("what was read again is written otherwise");
}

} // namespace

void ptx(std::string_view bytes) {
    constexpr std::size_t most = 1 << 16;
    if (bytes.size() > most)
        return;
    const std::string text(bytes);
    const auto module = ptx::parse(text);
    if (!module)
        return;
    // How it is taken hangs on the text, so that the same bytes always do the same.
    const std::size_t dice = std::hash<std::string>()(text);
    if (dice / 64 % 4 == 0)
        readAgain(*module);
    const auto entry = std::find_if(module->functions.begin(), module->functions.end(),
                                    [](const ptx::Function& f) { return f.isEntry && !f.isExtern; });
    if (entry == module->functions.end())
        return;

    session::RunRequest request = boundedRequest();
    request.kernel = "fuzz.ptx";
    request.text = text;
    request.entry = entry->name;
    request.launch.grid = Dim3{2, 1, 1};
    request.launch.block = Dim3{std::uint32_t(dice & 1 ? 64 : 33), 1, 1};
    request.arguments = argumentsFor(*entry);
    request.options.timing = dice & 2 && dice & 32; // which takes twice as long as the run itself
    request.options.reconvergence = dice & 4 ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
    request.options.checkRaces = dice & 8;
    request.options.onFault = dice & 16 ? OnFault::Report : OnFault::Stop;
    runBounded(request);
}

} // namespace warpglass::fuzz
