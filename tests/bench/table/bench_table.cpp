// SPDX-License-Identifier: GPL-3.0-or-later
// Collects what the benchmark programs measured: reads Google Benchmark's JSON files, writes one object
// {ID: {"value", "unit"}} and prints the table with the design's goals beside it. A benchmark tells its figure as a
// user counter whose name is the ID; of several repetitions the median counts.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
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
    {"ptx_parse_and_decode_bytes_per_s", "B/s", 20e6, 40e6, true},
    {"timeline_frame_10m_median_ms", "ms", 4, 2, false},
    {"timeline_frame_10m_worst_ms", "ms", 10, 0, false},
    {"timeline_frame_100m_median_ms", "ms", 4.4, 2.2, false},
    {"open_10m_first_picture_ms", "ms", 200, 150, false},
    {"event_bytes_disk", "B", 3.1, 2, false},
    {"event_bytes_memory", "B", 16, 12, false},
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

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: warpglass-bench-table OUT.json IN.json...\n", stderr);
        return 2;
    }
    std::map<std::string, std::vector<double>> figures;
    for (int i = 2; i < argc; ++i) {
        std::ifstream in(argv[i]);
        nlohmann::json file = nlohmann::json::parse(in, nullptr, false);
        if (file.is_discarded() || !file.contains("benchmarks")) {
            fmt::print(stderr, "{}: not a benchmark's JSON; run ./dev bench again\n", argv[i]);
            return 2;
        }
        for (const auto& run : file["benchmarks"]) {
            if (run.value("run_type", "iteration") != "iteration")
                continue;
            for (const auto& [key, value] : run.items())
                if (value.is_number() && isFigure(key))
                    figures[key].push_back(value.get<double>());
        }
    }
    nlohmann::json out = nlohmann::json::object();
    fmt::print("{:<44} {:>14} {:>5} {:>12} {:>12}\n", "figure", "median", "unit", "must", "aim");
    for (auto& [id, values] : figures) {
        std::sort(values.begin(), values.end());
        const double median = values[values.size() / 2];
        const std::string unit = unitOf(id);
        out[id] = {{"value", median}, {"unit", unit}};
        std::string must = "-", aim = "-";
        for (const Goal& goal : goals)
            if (id == goal.id) {
                must = fmt::format("{:.4g}", goal.must);
                aim = goal.aim > 0 ? fmt::format("{:.4g}", goal.aim) : "-";
                const bool met = goal.more ? median >= goal.must : median <= goal.must;
                must += met ? " ok" : " NOT MET";
            }
        fmt::print("{:<44} {:>14.6g} {:>5} {:>12} {:>12}\n", id, median, unit, must, aim);
    }
    std::ofstream(argv[1]) << out.dump(2) << "\n";
    return 0;
}
