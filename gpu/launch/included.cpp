// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/included.h"

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <utility>

namespace warpglass::cuda_text {

namespace fs = std::filesystem;

std::string includedTexts(const std::string& text, const fs::path& folder, const std::vector<std::string>& folders) {
    static const std::regex named(
        "(?:^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"\n]{1,255})\""); // each letter is a call of the matcher
    constexpr std::size_t mostFiles = 32;
    constexpr std::uintmax_t mostBytes = 1 << 20;
    std::vector<std::pair<std::string, fs::path>> texts{{text, folder}};
    std::set<fs::path> seen;
    for (std::size_t n = 0; n < texts.size() && n < mostFiles; ++n) {
        const auto [here, beside] = texts[n];
        for (std::sregex_iterator it(here.begin(), here.end(), named), end; it != end; ++it) {
            std::vector<fs::path> places{beside};
            places.insert(places.end(), folders.begin(), folders.end());
            for (const fs::path& where : places) {
                std::error_code failed;
                const fs::path file = where / (*it)[1].str();
                if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) > mostBytes)
                    continue;
                if (std::ifstream in(file, std::ios::binary); in && seen.insert(file).second)
                    texts.emplace_back(std::string(std::istreambuf_iterator<char>(in), {}), file.parent_path());
                break;
            }
        }
    }
    std::string all;
    for (std::size_t n = texts.size(); n-- > 1;)
        all += texts[n].first + "\n";
    return all;
}

} // namespace warpglass::cuda_text
