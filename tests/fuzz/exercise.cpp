// SPDX-License-Identifier: GPL-3.0-or-later
// An exercise's file, as a folder of hand-ins or a download brings it. Its sources are always the same: what a stranger's
// kernel may do is the business of the target ptx.
#include "app/session/exercise.h"
#include "tests/fuzz/bounded.h"
#include "tests/fuzz/targets.h"

#include <optional>
#include <string>

namespace warpglass::fuzz {

namespace {

constexpr const char* kernelText = "extern \"C\" __global__ void paint(int* out, int n) {}\n";
constexpr const char* kernelPtx = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                  ".visible .entry paint(.param .u64 out, .param .u32 n)\n{\nret;\n}\n";

std::optional<std::string> beside(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos || name.find("..") != std::string::npos)
        wrong("an exercise asked for a file that is not beside it");
    return name.ends_with(".ptx") ? kernelPtx : kernelText;
}

void launch(const session::Exercise& exercise, const session::ExerciseLaunch& wanted) {
    session::RunRequest request = wanted.request;
    request.kernel = exercise.starter.name;
    request.text = exercise.starter.text;
    request.compiled = exercise.starter.compiled;
    request.entry = exercise.kernel;
    bound(request);
    if (!exercise.starter.compiled)
        return; // a compiler would be started
    const auto plan = session::planOf(request);
    if (!plan)
        return;
    constexpr std::uint64_t mostElements = 1 << 16;
    std::uint64_t elements = 0;
    for (const Argument& argument : plan->arguments)
        elements = argument.count > mostElements ? mostElements + 1 : elements + argument.count;
    if (elements > mostElements)
        return;
    (void)session::rightResult(wanted.right, plan->arguments, exercise.tolerance);
    runBounded(request);
}

} // namespace

void exercise(std::string_view bytes) {
    constexpr std::size_t most = 1 << 14;
    if (bytes.size() > most)
        return;
    const auto read = session::parseExercise(bytes, "stranger.json", beside);
    if (!read) {
        if (read.error().message.empty())
            wrong("an exercise was refused without a sentence");
        return;
    }
    if (read->launches.empty() || read->goals.empty() || read->name.empty())
        wrong("an exercise without launches, goals or a name was accepted");
    (void)read->signature();
    for (std::size_t n = 0; n < read->launches.size() && n < 4; ++n)
        launch(*read, read->launches[n]);
}

} // namespace warpglass::fuzz
