// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/texts.h"

#include <nlohmann/json.hpp>

#include <string>

namespace warpglass::kernels {

namespace {

std::string stem(std::string_view source) {
    return std::string(source.substr(0, source.rfind('.')));
}

} // namespace

std::string_view findText(std::string_view path) {
    for (std::size_t i = 0; i < embeddedTextCount; ++i)
        if (embeddedTexts[i].path == path)
            return embeddedTexts[i].text;
    return {};
}

std::string_view sourceText(std::string_view source) {
    return findText("gpu/kernels/" + std::string(source));
}

std::string_view ptxText(std::string_view source, CompileMode mode) {
    return findText(std::string("resources/ptx/") + name(mode) + "/" + stem(source) + ".ptx");
}

EntryResources entryResources(std::string_view source, std::string_view entry, CompileMode mode) {
    static const auto table = nlohmann::json::parse(findText("resources/ptx/registers.json"), nullptr, false);
    EntryResources found;
    if (!table.is_object())
        return found;
    const auto row = table.value(
        nlohmann::json::json_pointer(std::string("/") + name(mode) + "/" + stem(source) + "/" + std::string(entry)),
        nlohmann::json::object());
    found.registers = row.value("registers", 0u);
    found.shared = row.value("shared", 0u);
    found.local = row.value("local", 0u);
    found.spillStores = row.value("spill_stores", 0u);
    found.spillLoads = row.value("spill_loads", 0u);
    return found;
}

} // namespace warpglass::kernels
