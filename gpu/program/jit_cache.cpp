// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/jit_cache.h"

#include "gpu/base/read_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace warpglass::program {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mostFacts = 1 << 20; // bytes of a JSON file

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The folders in a folder; none where it cannot be read.
std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed))
        if (std::error_code unknown; i->is_directory(unknown))
            found.push_back(i->path());
    return found;
}

bool holds(const fs::path& file, std::span<const std::byte> bytes) {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) != bytes.size() || failed)
        return false;
    const auto text = readFile(file);
    return text && text->size() == bytes.size() && std::memcmp(text->data(), bytes.data(), bytes.size()) == 0;
}

std::string counted(const nlohmann::json& facts, const char* name, std::string_view one) {
    const auto found = facts.find(name);
    if (found == facts.end() || !found->is_number_unsigned())
        return {};
    const auto count = found->get<std::uint64_t>();
    return fmt::format(", {} {}{}", count, one, count == 1 ? "" : "s");
}

std::string makerOf(const fs::path& file) {
    const auto text = readFile(file, mostFacts);
    const auto facts = nlohmann::json::parse(text ? *text : std::string(), nullptr, false);
    if (!facts.is_object() || !facts.contains("triton_version") || !facts["triton_version"].is_string())
        return {};
    return fmt::format("Triton {}{}{}", facts["triton_version"].get<std::string>(), counted(facts, "num_warps", "warp"),
                       counted(facts, "num_stages", "stage"));
}

} // namespace

std::vector<fs::path> jitCaches() {
    std::vector<fs::path> caches;
    const auto below = [&](const fs::path& folder, const char* name) {
        if (!folder.empty())
            caches.push_back(folder / name);
    };
    if (const std::string own = variable("TRITON_CACHE_DIR"); !own.empty())
        caches.emplace_back(own);
    below(variable("TRITON_HOME"), ".triton/cache");
    below(variable("HOME"), ".triton/cache");
    std::error_code none;
    const std::string inductor = variable("TORCHINDUCTOR_CACHE_DIR"), user = variable("USER");
    const fs::path kernels =
        (inductor.empty() ? fs::temp_directory_path(none) / ("torchinductor_" + (user.empty() ? "root" : user))
                          : fs::path(inductor)) /
        "triton";
    for (fs::path& device : foldersIn(kernels))
        caches.push_back(std::move(device));
    return caches;
}

std::optional<CachedPtx> findCachedPtx(const std::vector<fs::path>& caches, const std::string& entry,
                                       std::span<const std::byte> machineCode) {
    if (machineCode.empty() || entry.empty() || entry.find('/') != std::string::npos)
        return std::nullopt;
    for (const fs::path& cache : caches)
        for (const fs::path& folder : foldersIn(cache)) {
            if (!holds(folder / (entry + ".cubin"), machineCode))
                continue;
            const fs::path file = folder / (entry + ".ptx");
            auto text = readFile(file), ttgir = readFile(folder / (entry + ".ttgir"));
            std::error_code unknown;
            if (text)
                return CachedPtx{std::move(*text), ttgir ? std::move(*ttgir) : std::string(),
                                 makerOf(folder / (entry + ".json")), fs::last_write_time(file, unknown)};
        }
    return std::nullopt;
}

} // namespace warpglass::program
