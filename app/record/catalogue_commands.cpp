// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "app/session/summary.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/device/device_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;

struct DevicesCommand {
    std::string device;
    bool json = false;
};

ordered_json deviceJson(const DeviceSpec& device) {
    ordered_json row{{"backend", "emulator"},
                     {"key", device.key},
                     {"name", device.name},
                     {"compute_capability", fmt::format("{}.{}", device.ccMajor, device.ccMinor)},
                     {"sm_clock_mhz", device.smClockMHz},
                     {"memory_clock_mhz", device.memoryClockMHz},
                     {"memory_bus_bits", device.busBits},
                     {"dram_gb_per_s", device.dramGBs},
                     {"memory_bytes", device.memoryBytes},
                     {"l2_bytes", device.l2Bytes},
                     {"source", device.source}};
    for (const DeviceFact& fact : deviceFacts(device))
        row[fact.key] = std::uint64_t(fact.number);
    return row;
}

ordered_json gpuJson(const CudaDevice& device) {
    return {{"backend", "cuda"},
            {"key", std::to_string(device.ordinal)},
            {"name", device.name},
            {"compute_capability", fmt::format("{}.{}", device.ccMajor, device.ccMinor)},
            {"multiprocessors", device.smCount},
            {"sm_clock_mhz", device.smClockMHz},
            {"memory_clock_mhz", device.memoryClockMHz},
            {"memory_bytes", device.memoryBytes},
            {"driver", device.driver}};
}

// The table of the documents' device query.
std::string queryText(const DeviceSpec& device) {
    std::string text = fmt::format("Device: {} ({}), compute capability {}.{}\n", device.name, device.key,
                                   device.ccMajor, device.ccMinor);
    for (const DeviceFact& fact : deviceFacts(device))
        text += fmt::format("  {:<48} {:>10}\n", fact.labelEn + ":", fact.value);
    return text + fmt::format("  from: {}\n", device.source);
}

int devicesRun(const DevicesCommand& command) {
    const DeviceSpec* only = nullptr;
    if (!command.device.empty() && !(only = findDevice(command.device)))
        return report(Error{.message = fmt::format("the emulator knows no device \"{}\"", command.device),
                            .file = "--device",
                            .remedy = "warpglass-record devices lists them."},
                      badInput);
    const auto cuda = cudaDevices();
    const std::string whyNot = cuda ? std::string() : cuda.error().message.text();
    if (command.json) {
        ordered_json object;
        object["devices"] = ordered_json::array();
        for (const DeviceSpec& device : devices())
            if (!only || only == &device)
                object["devices"].push_back(deviceJson(device));
        if (cuda && !only)
            for (const CudaDevice& device : *cuda)
                object["devices"].push_back(gpuJson(device));
        object["backends"] = {{{"name", "emulator"}, {"available", true}},
                              {{"name", "cuda"}, {"available", cuda.ok()}, {"why", whyNot}}};
        return print(object.dump(2) + "\n");
    }
    if (only)
        return print(queryText(*only));
    std::string text = fmt::format("{:<9} {:<28} {:>5} {:>5} {:>9} {:>9} {:>7}\n", "device", "name", "cc", "SMs",
                                   "SM MHz", "DRAM GB/s", "L2 MB");
    for (const DeviceSpec& d : devices())
        text += fmt::format("{:<9} {:<28} {:>5} {:>5} {:>9} {:>9} {:>7}\n", d.key, d.name,
                            fmt::format("{}.{}", d.ccMajor, d.ccMinor), d.smCount, d.smClockMHz, d.dramGBs,
                            double(d.l2Bytes) / (1 << 20));
    text += "\nGPUs of this machine (--backend cuda --device NUMBER)\n";
    if (!cuda)
        return print(text + fmt::format("  none: {}\n", cuda.error().text()));
    for (const CudaDevice& d : *cuda)
        text += fmt::format("{:<9} {:<28} {:>5} {:>5} {:>9}  driver {}\n", d.ordinal, d.name,
                            fmt::format("{}.{}", d.ccMajor, d.ccMinor), d.smCount, d.smClockMHz, d.driver);
    return print(text);
}

int listRun(bool json) {
    if (json)
        return print(session::catalogueJson().dump(2) + "\n");
    std::string text;
    for (const Family& family : families()) {
        std::string rows;
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.family != family.key)
                continue;
            std::string documents;
            for (const Reference& reference : entry.references)
                documents += (documents.empty() ? "" : ", ") + reference.document;
            rows += fmt::format("  {:<28} {:<8} {}\n", entry.name, documents, entry.storyEn);
            for (const Parameter& p : entry.parameters)
                rows += fmt::format("      --set {}={}   ({} to {}) {}\n", p.name, p.standard, p.minimum, p.maximum,
                                    p.meaningEn);
        }
        if (!rows.empty())
            text += (text.empty() ? "" : "\n") + family.nameEn + "\n" + rows;
    }
    return print(text);
}

} // namespace

void addDevices(const Command& app, Action& action) {
    auto command = std::make_shared<DevicesCommand>();
    const Command sub = app.command("devices", "The devices that kernels can run on");
    sub.option("--device", &command->device, "the documents' device query for one of them");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return devicesRun(*command); }; });
}

void addList(const Command& app, Action& action) {
    auto json = std::make_shared<bool>(false);
    const Command sub = app.command("list", "The kernels of the catalogue");
    sub.flag("--json", *json, "print one JSON object");
    sub.whenChosen([json, &action] { action = [json] { return listRun(*json); }; });
}

} // namespace warpglass::record
