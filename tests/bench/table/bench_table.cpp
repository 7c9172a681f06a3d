// SPDX-License-Identifier: GPL-3.0-or-later
// Collects what the benchmark programs measured: reads Google Benchmark's JSON files, writes one object
// {ID: {"value", "unit"}} and prints one table: each figure with the design's goals and how much better it is than at
// the last release, then how time grows with size. A benchmark tells its figure as a user counter whose name is the ID;
// of several repetitions the median counts. --page writes the figures between two marks of docs/speed.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

struct Goal {
    const char* id;
    const char* unit;
    double must;
    double aim;
    bool more; // more is better
};

constexpr Goal goals[] = {
    {"emulator_functional_warp_inst_per_s", "1/s", 30e6, 100e6, true},
    {"emulator_timing_warp_inst_per_s", "1/s", 5e6, 10e6, true},
    {"emulator_timing_interleaved_warp_inst_per_s", "1/s", 10e6, 20e6, true},
    {"emulator_shared_load_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_shared_load_v4_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_shared_store_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_shared_column_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_global_column_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_local_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_shared_atomic_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_f64_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_f16x2_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_call_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"emulator_matrix_warp_inst_per_s", "1/s", 60e6, 100e6, true},
    {"seat_launches_per_s", "1/s", 15e6, 50e6, true}, // 1 % of PyTorch's smallest operation, of an empty launch
    {"ptx_parse_and_decode_bytes_per_s", "B/s", 20e6, 40e6, true},
    {"timeline_frame_10m_median_ms", "ms", 4, 2, false},
    {"timeline_frame_10m_worst_ms", "ms", 10, 0, false},
    {"timeline_frame_100m_median_ms", "ms", 4.4, 2.2, false},
    {"open_10m_first_picture_ms", "ms", 200, 150, false},
    {"event_bytes_disk", "B", 3.1, 2, false},
    {"event_bytes_memory", "B", 16, 12, false},
    {"cage_a_run_added_ms", "ms", 30, 5, false},
    {"cage_large_buffers_slowdown", "1", 1.03, 1, false},
    {"cage_large_buffers_as_bytes_slowdown", "1", 1.05, 1, false},
    {"cage_long_run_slowdown", "1", 1.03, 1, false},
    {"cage_all_events_slowdown", "1", 1.03, 1, false},
    {"probe_loop_1_warps_cycles_an_event", "cycles", 30, 20, false},
    {"probe_loop_8_warps_cycles_an_event", "cycles", 30, 20, false},
    {"probe_unrolled_1_warps_cycles_an_event", "cycles", 30, 20, false},
    {"probe_unrolled_8_warps_cycles_an_event", "cycles", 30, 20, false},
    {"probe_reduceNeighbored_auto_slowdown", "1", 1.15, 1.04, false},
    {"probe_reduceNeighboredLess_auto_slowdown", "1", 1.15, 1.04, false},
    {"probe_reduceInterleaved_auto_slowdown", "1", 1.15, 1.04, false},
    {"probe_reduce0_auto_slowdown", "1", 1.15, 1.04, false},
};

std::string unitOf(const std::string& id) {
    for (const Goal& goal : goals)
        if (id == goal.id)
            return goal.unit;
    if (id.find("cycles") != std::string::npos)
        return "cycles";
    if (id.ends_with("_ns"))
        return "ns";
    if (id.ends_with("_ms"))
        return "ms";
    if (id.ends_with("bytes_per_s"))
        return "B/s";
    if (id.ends_with("_per_s"))
        return "1/s";
    if (id.find("bytes") != std::string::npos)
        return "B";
    return "1";
}

bool isFigure(const std::string& key) {
    static const char* const own[] = {"real_time",
                                      "cpu_time",
                                      "iterations",
                                      "repetitions",
                                      "threads",
                                      "family_index",
                                      "time_unit",
                                      "repetition_index",
                                      "run_name",
                                      "run_type",
                                      "per_family_instance_index",
                                      "items_per_second",
                                      "bytes_per_second"};
    return std::none_of(std::begin(own), std::end(own), [&](const char* name) { return key == name; });
}

using Figures = std::map<std::string, double>;

// Median of what each figure was in all repetitions of all files; empty: a file is damaged, and that was said.
std::optional<Figures> read(const std::vector<std::string>& files) {
    std::map<std::string, std::vector<double>> all;
    for (const std::string& path : files) {
        std::ifstream in(path);
        const nlohmann::json file = nlohmann::json::parse(in, nullptr, false);
        if (file.is_discarded() || !file.contains("benchmarks")) {
            fmt::print(stderr, "{}: not a benchmark's JSON; run ./dev bench again\n", path);
            return {};
        }
        for (const auto& run : file["benchmarks"]) {
            if (run.value("run_type", "iteration") != "iteration")
                continue;
            for (const auto& [key, value] : run.items())
                if (value.is_number() && isFigure(key))
                    all[key].push_back(value.get<double>());
        }
    }
    Figures medians;
    for (auto& [id, values] : all) {
        std::sort(values.begin(), values.end());
        medians[id] = values[values.size() / 2];
    }
    return medians;
}

// The processor's name and the number of its threads.
std::string machineName() {
    std::ifstream in("/proc/cpuinfo");
    std::string line, name = "unknown processor";
    while (std::getline(in, line))
        if (line.starts_with("model name"))
            name = line.substr(std::min(line.size(), line.find(':') + 2));
    return fmt::format("{}, {} threads", name, std::thread::hardware_concurrency());
}

nlohmann::json asJson(const Figures& figures) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [id, value] : figures)
        out[id] = {{"value", value}, {"unit", unitOf(id)}};
    return out;
}

// What the last release was measured to do, and where.
struct Release {
    std::string version, machine;
    Figures figures;
};

std::optional<Release> readRelease(const std::string& path) {
    std::ifstream in(path);
    const nlohmann::json file = nlohmann::json::parse(in, nullptr, false);
    if (file.is_discarded() || !file.contains("figures"))
        return {};
    Release release{file.value("version", ""), file.value("machine", ""), {}};
    for (const auto& [id, figure] : file["figures"].items())
        release.figures[id] = figure.value("value", 0.0);
    return release;
}

constexpr const char* pace = "machine_integer_steps_per_s";

// How much faster this machine walks through integers than the release's did: 1 where either is unknown.
double machineRatio(const Figures& now, const Release& release) {
    const auto a = now.find(pace), b = release.figures.find(pace);
    return a != now.end() && b != release.figures.end() && b->second > 0 ? a->second / b->second : 1;
}

// Times better than at the release (above 1 is better). What the host's processor does in time is divided by how much
// faster this machine is; bytes, and what a GPU does, are not.
std::optional<double> ratioTo(const Release& release, const std::string& id, double value, double machine) {
    const auto before = release.figures.find(id);
    if (before == release.figures.end() || before->second <= 0 || value <= 0)
        return {};
    const std::string unit = unitOf(id);
    const bool rate = unit.ends_with("/s");
    const double better = rate ? value / before->second : before->second / value;
    const bool ofHost = (rate || unit == "ms") && !id.starts_with("probe_") && !id.starts_with("machine_");
    return ofHost ? better / machine : better;
}

void printFigures(const Figures& figures, const std::optional<Release>& release) {
    const double machine = release ? machineRatio(figures, *release) : 1;
    fmt::print("{:<48} {:>14} {:>6} {:>14} {:>8} {:>9}\n", "figure", "median", "unit", "must", "aim", "release");
    for (const auto& [id, value] : figures) {
        std::string must = "-", aim = "-", ratio = "-";
        for (const Goal& goal : goals)
            if (id == goal.id) {
                const bool met = goal.more ? value >= goal.must : value <= goal.must;
                must = fmt::format("{:.4g} {}", goal.must, met ? "ok" : "NOT MET");
                aim = goal.aim > 0 ? fmt::format("{:.4g}", goal.aim) : "-";
            }
        if (const auto better = release ? ratioTo(*release, id, value, machine) : std::nullopt)
            ratio = fmt::format("{:.2f}x", *better);
        fmt::print("{:<48} {:>14.6g} {:>6} {:>14} {:>8} {:>9}\n", id, value, unitOf(id), must, aim, ratio);
    }
}

// One thing at three sizes, smallest first.
struct Family {
    const char* what;
    std::array<const char*, 3> ids;
    std::array<double, 3> sizes;
};

constexpr Family families[] = {
    {"a frame of the timeline, events",
     {"timeline_frame_1m_median_ms", "timeline_frame_10m_median_ms", "timeline_frame_100m_median_ms"},
     {1e6, 1e7, 1e8}},
    {"a file to its first picture, events",
     {"open_1m_first_picture_ms", "open_10m_first_picture_ms", "open_100m_first_picture_ms"},
     {1e6, 1e7, 1e8}},
    {"PTX parsed and decoded, basic blocks",
     {"growth_decode_1k_ms", "growth_decode_10k_ms", "growth_decode_100k_ms"},
     {1e3, 1e4, 1e5}},
    {"a sum run functionally, elements",
     {"growth_sum_1m_ms", "growth_sum_4m_ms", "growth_sum_16m_ms"},
     {1 << 20, 1 << 22, 1 << 24}},
    {"a sum run in time, blocks", {"growth_timed_4_ms", "growth_timed_16_ms", "growth_timed_64_ms"}, {4, 16, 64}},
};

// Milliseconds at three sizes, and the power of the size they grow with between the two largest.
void printGrowth(const Figures& figures) {
    fmt::print("\n{:<48} {:>10} {:>10} {:>10} {:>10}\n", "growth", "small", "middle", "large", "power");
    for (const Family& family : families) {
        std::array<double, 3> times{};
        for (std::size_t i = 0; i < 3; ++i)
            if (const auto at = figures.find(family.ids[i]); at != figures.end())
                times[i] = at->second;
        if (std::any_of(times.begin(), times.end(), [](double t) { return t <= 0; }))
            continue;
        const double power = std::log(times[2] / times[1]) / std::log(family.sizes[2] / family.sizes[1]);
        fmt::print("{:<48} {:>7.4g} ms {:>7.4g} ms {:>7.4g} ms {:>10.2f}\n", family.what, times[0], times[1], times[2],
                   power);
    }
}

// As a person reads it: 193 M, 4.2.
std::string short3(double value) {
    return value >= 1e9   ? fmt::format("{:.3g} G", value / 1e9)
           : value >= 1e6 ? fmt::format("{:.3g} M", value / 1e6)
                          : fmt::format("{:.3g}", value);
}

constexpr std::string_view pageBegins = "<!-- ./dev bench writes from here -->\n";
constexpr std::string_view pageEnds = "<!-- to here -->\n";

std::string asPage(const Figures& figures) {
    std::string page = fmt::format("\n{}; the median of each figure's repetitions.\n\n"
                                   "| figure | median | unit | must | met |\n|---|---:|---|---:|---|\n",
                                   machineName());
    for (const auto& [id, value] : figures) {
        std::string must, met;
        for (const Goal& goal : goals)
            if (id == goal.id) {
                must = short3(goal.must);
                met = (goal.more ? value >= goal.must : value <= goal.must) ? "yes" : "no";
            }
        page += fmt::format("| `{}` | {} | {} | {} | {} |\n", id, short3(value), unitOf(id), must, met);
    }
    return page + "\n";
}

// Instead of what stands between the two marks of the file. False: it has no such marks, or cannot be written.
bool writePage(const std::string& path, const Figures& figures) {
    std::ifstream in(path);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t from = text.find(pageBegins), to = text.find(pageEnds);
    if (from == std::string::npos || to == std::string::npos || to < from)
        return false;
    const std::size_t begin = from + pageBegins.size();
    text.replace(begin, to - begin, asPage(figures));
    return bool(std::ofstream(path) << text);
}

int usage() {
    std::fputs(
        "usage: warpglass-bench-table OUT.json [--release LAST.json | --keep LAST.json VERSION] [--page PAGE.md] "
        "IN.json...\n",
        stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2)
        return usage();
    const std::string out = words[0];
    std::string releasePath, keepPath, version;
    words.erase(words.begin());
    if (words[0] == "--release" && words.size() > 2) {
        releasePath = words[1];
        words.erase(words.begin(), words.begin() + 2);
    } else if (words[0] == "--keep" && words.size() > 3) {
        keepPath = words[1], version = words[2];
        words.erase(words.begin(), words.begin() + 3);
    }
    std::string page;
    if (words.size() > 2 && words[0] == "--page") {
        page = words[1];
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.empty() || words[0].starts_with("--"))
        return usage();
    const std::optional<Figures> figures = read(words);
    if (!figures)
        return 2;
    std::optional<Release> release;
    if (!releasePath.empty() && !(release = readRelease(releasePath)))
        fmt::print(stderr, "{}: no figures of a release; none are set beside\n", releasePath);
    fmt::print("machine: {}\n", machineName());
    if (release)
        fmt::print("release {}: {}; this machine is {:.2f} times as fast (integers)\n", release->version,
                   release->machine, machineRatio(*figures, *release));
    printFigures(*figures, release);
    printGrowth(*figures);
    std::ofstream(out) << asJson(*figures).dump(2) << "\n";
    if (!page.empty() && !writePage(page, *figures)) {
        fmt::print(stderr, "{}: it lacks the lines between which the figures stand, or cannot be written\n", page);
        return 2;
    }
    if (!keepPath.empty())
        std::ofstream(keepPath)
            << nlohmann::json{{"version", version}, {"machine", machineName()}, {"figures", asJson(*figures)}}.dump(2)
            << "\n";
    return 0;
}
