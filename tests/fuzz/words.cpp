// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/expectation.h"
#include "app/session/kernel_file.h"
#include "app/session/kernel_names.h"
#include "gpu/base/expression.h"
#include "gpu/device/limit.h"
#include "gpu/launch/struct_layout.h"
#include "gpu/metrics/results.h"

#include "tests/fuzz/bounded.h"
#include "tests/fuzz/targets.h"

namespace warpglass::fuzz {

namespace {

const Recording& sample() { // a launch with branches, loads, shared memory and barriers
    static const Recording run = [] {
        session::RunRequest request = boundedRequest();
        request.kernel = "reduceInterleaved";
        request.launch.size = 512;
        request.launch.block = Dim3{128, 1, 1};
        request.options.instructionLimit = 0;
        request.options.timing = true;
        Progress progress;
        auto made = session::runRequest(request, progress);
        if (!made)
            wrong(made.error().text().c_str());
        return std::move(*made);
    }();
    return run;
}

void expectation(std::string_view text) {
    const auto parsed = session::parseExpectation(text);
    if (!parsed)
        return;
    if (parsed->sides.size() != parsed->relations.size() + 1 || parsed->relations.empty())
        wrong("an expectation without two sides was accepted");
    session::Observed observed{.trace = sample().trace.get(), .check = sample().check};
    (void)session::judge(*parsed, observed);
    const session::Observed other = observed;
    observed.other = &other;
    (void)session::judge(*parsed, observed);
}

void table(std::string_view text) {
    const auto read = readResults(text);
    if (!read)
        return;
    const std::string written = resultsCsv(*read);
    const auto again = readResults(written);
    if (!again)
        wrong(("a table that was written cannot be read: " + again.error().text() + "\n" + written).c_str());
    if (again->rows.size() != read->rows.size())
        wrong("a table that was written has other rows");
    for (std::size_t n = 0; n < read->rows.size(); ++n) {
        const ResultRow &before = read->rows[n], &after = again->rows[n];
        if (before.kernel != after.kernel || before.device != after.device || before.mode != after.mode ||
            before.error != after.error || before.grid != after.grid || before.size != after.size)
            wrong("a table that was written has other words");
    }
    ResultTable more = *read;
    addSpeedups(more);
    (void)modelError(more, modelPairs(more));
}

void source(const std::string& text) {
    cuda_text::StructLayouts layouts;
    cuda_text::addStructs(text, layouts);
    (void)cuda_text::globalsIn(text, layouts);
    for (const session::SourceKernel& kernel : session::factsOfSource(text).kernels)
        for (const std::string& type : kernel.types)
            (void)cuda_text::layoutOf(type, layouts);
}

} // namespace

void words(std::string_view bytes) {
    constexpr std::size_t most = 1 << 14;
    if (bytes.empty() || bytes.size() > most)
        return;
    const std::string_view text = bytes.substr(1);
    switch (bytes[0]) {
    case 'e':
        return expectation(text);
    case 't':
        return table(text);
    case 's':
        return source(std::string(text));
    case 'n': {
        const session::KernelName name = session::kernelName(std::string(text));
        (void)name.signature();
        (void)session::matches(name, text);
        (void)session::instanceIn(text);
        return;
    }
    case 'l':
        (void)parseLimits(text);
        return;
    default:
        (void)evaluateExpression(bytes);
        return;
    }
}

} // namespace warpglass::fuzz
