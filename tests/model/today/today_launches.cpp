// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/today/today_launches.h"
#include "gpu/base/csv.h"
#include "gpu/metrics/statistics.h"
#include "tests/programs/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpglass::testing {
namespace {

constexpr std::string_view header = "program,case,class,role,cache,kernel,grid,block,measured_ns,modelled_ns,kind\n";

// "| 11 | 21 % | 18 % | 1.63 | 0.97 |": a rank of fewer than five says nothing.
std::string cells(const std::vector<TodayLaunch>& launches) {
    if (launches.empty())
        return "  | | | | |";
    const TodayError e = errorOf(launches);
    const std::string rank = e.launches < 5 ? "" : fmt::format("{:.2f} ", e.rank);
    return fmt::format(" {} | {:.0f} % | {:.0f} % | {:.2f} | {}|", e.launches, 100 * e.mean, 100 * e.median, e.worst,
                       rank);
}

} // namespace

std::vector<TodayLaunch> todayLaunches() {
    const std::string file = readFile(WARPGLASS_SOURCE_DIR "/resources/model/today.csv");
    std::vector<TodayLaunch> launches;
    std::string_view text = file;
    int line = 1;
    nextCsvRecord(text, line); // the header
    while (!text.empty()) {
        const std::vector<std::string> f = nextCsvRecord(text, line);
        launches.push_back({f.at(0), f.at(1), f.at(2), f.at(3), f.at(4), f.at(5), f.at(6), f.at(7), std::stod(f.at(8)),
                            std::stod(f.at(9)), f.at(10)});
    }
    return launches;
}

std::string todayText(const std::vector<TodayLaunch>& launches) {
    std::string text(header);
    for (const TodayLaunch& l : launches)
        text += fmt::format("{},{},{},{},{},{},{},{},{:.0f},{:.0f},{}\n", l.program, l.name, csvField(l.kind), l.role,
                            l.cache, csvField(l.kernel), l.grid, l.block, l.measuredNs, l.modelledNs, l.likeness);
    return text;
}

TodayError errorOf(const std::vector<TodayLaunch>& launches) {
    TodayError e;
    std::vector<double> errors, measured, modelled;
    for (const TodayLaunch& l : launches) {
        errors.push_back(std::abs(l.ratio() - 1));
        measured.push_back(l.measuredNs);
        modelled.push_back(l.modelledNs);
        e.mean += errors.back();
        if (std::abs(std::log(l.ratio())) > std::abs(std::log(e.worst)))
            e.worst = l.ratio();
    }
    if (errors.empty())
        return e;
    e.launches = int(errors.size());
    e.mean /= e.launches;
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    e.median = errors.size() % 2 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
    e.rank = errors.size() > 1 ? rankCorrelation(measured, modelled) : 0;
    return e;
}

std::string todayTable(const std::vector<TodayLaunch>& launches) {
    std::vector<std::string> kinds;
    for (const TodayLaunch& l : launches)
        if (std::find(kinds.begin(), kinds.end(), l.kind) == kinds.end())
            kinds.push_back(l.kind);
    std::string text =
        "| class | | cold: number | mean | median | worst | rank | warm: number | mean | median | worst | rank |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    kinds.push_back("all");
    for (const std::string& kind : kinds)
        for (const char* role : {"fit", "aside"}) {
            const auto of = [&](bool cold) {
                std::vector<TodayLaunch> chosen;
                for (const TodayLaunch& l : launches)
                    if ((kind == "all" ? l.kind != "under 3 us" : l.kind == kind) && l.role == role &&
                        l.cold() == cold && l.modelledNs > 0)
                        chosen.push_back(l);
                return cells(chosen);
            };
            text += fmt::format("| {} | {} |{}{}\n", kind, role, of(true), of(false));
        }
    return text;
}

} // namespace warpglass::testing
