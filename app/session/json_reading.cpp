// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/json_reading.h"
#include "gpu/base/messages/session.h"

#include <algorithm>

namespace warpglass::session {

using nlohmann::json;

namespace {

Dim3 jsonShape(const json& value, const std::string& path) {
    const std::optional<Dim3> parsed = parseDim3(jsonText(value, path));
    if (!parsed || parsed->count() == 0)
        jsonWrong(path, "is not a shape such as \"32x16\"");
    return *parsed;
}

template <Worded Enum>
Enum jsonChoice(const json& value, const std::string& path) { // one of the enum's words
    const std::string word = jsonText(value, path);
    const auto parsed = parseEnum<Enum>(word);
    if (!parsed)
        jsonWrong(path, "\"" + word + "\" is none of " + wordsText<Enum>());
    return *parsed;
}

} // namespace

void jsonWrong(const std::string& path, const std::string& message) {
    throw JsonWrong{path, message};
}

std::string pathOf(const std::string& path, const char* name) {
    return path + (path.empty() ? "" : ".") + name;
}

const json* member(const json& object, const char* name) {
    const auto at = object.find(name);
    return at == object.end() ? nullptr : &*at;
}

void onlyKnown(const json& object, const std::string& path, std::initializer_list<const char*> names,
               const char* what) {
    if (!object.is_object())
        jsonWrong(path, "is not an object");
    for (const auto& [key, value] : object.items()) {
        if (std::find(names.begin(), names.end(), key) == names.end())
            jsonWrong(pathOf(path, key.c_str()), std::string("is not known in ") + what);
    }
}

std::string jsonText(const json& value, const std::string& path) {
    if (!value.is_string())
        jsonWrong(path, "is not a text");
    return value.get<std::string>();
}

LocalWords jsonWords(const json& object, const char* name, const std::string& path, bool needed) {
    const json* value = member(object, name);
    const std::string here = pathOf(path, name);
    if (!value) {
        if (needed)
            jsonWrong(here, "is missing");
        return {};
    }
    if (value->is_string())
        return {value->get<std::string>(), {}};
    onlyKnown(*value, here, {"en", "zh_CN"}, "a text");
    if (!member(*value, "en"))
        jsonWrong(here + ".en", "is missing");
    LocalWords result;
    result.en = jsonText(*member(*value, "en"), here + ".en");
    if (const json* zh = member(*value, "zh_CN"))
        result.zh = jsonText(*zh, here + ".zh_CN");
    return result;
}

bool jsonFlag(const json& object, const char* name, const std::string& path) {
    const json* value = member(object, name);
    if (!value)
        return false;
    if (!value->is_boolean())
        jsonWrong(pathOf(path, name), "is neither true nor false");
    return value->get<bool>();
}

std::optional<int> orderOf(const json& object) {
    const json* order = object.is_object() ? member(object, "order") : nullptr;
    if (!order || !order->is_number_unsigned() || order->get<std::uint64_t>() > lastOrder)
        return std::nullopt;
    return order->get<int>();
}

void checkHead(const json& object, const char* what) {
    const json* format = member(object, "format");
    if (!format || !format->is_number_integer())
        jsonWrong("format", std::string("is missing: this file does not say that it is ") + what);
    if (format->get<std::int64_t>() != 1)
        jsonWrong("format", "is newer than this program can read");
    if (!member(object, "name"))
        jsonWrong("name", "is missing");
    if (member(object, "order") && !orderOf(object))
        jsonWrong("order", "is not a whole number from 0 to " + std::to_string(lastOrder));
}

RunRequest launchOf(const json& object, const std::string& path) {
    RunRequest request;
    if (const json* size = member(object, "size")) {
        if (!size->is_number_integer() || size->get<std::int64_t>() <= 0)
            jsonWrong(pathOf(path, "size"), "is not a positive whole number");
        request.launch.size = size->get<std::int64_t>();
    }
    if (const json* grid = member(object, "grid"))
        request.launch.grid = jsonShape(*grid, pathOf(path, "grid"));
    if (const json* block = member(object, "block"))
        request.launch.block = jsonShape(*block, pathOf(path, "block"));
    if (const json* shared = member(object, "shared")) {
        if (!shared->is_number_unsigned())
            jsonWrong(pathOf(path, "shared"), "is not a number of bytes");
        request.launch.sharedBytes = shared->get<std::uint32_t>();
    }
    if (const json* mode = member(object, "mode"))
        request.launch.mode = jsonChoice<CompileMode>(*mode, pathOf(path, "mode"));
    if (const json* set = member(object, "set")) {
        if (!set->is_object())
            jsonWrong(pathOf(path, "set"), "is not an object");
        for (const auto& [key, value] : set->items()) {
            if (!value.is_number_integer())
                jsonWrong(pathOf(path, "set.") + key, "is not a whole number");
            request.launch.set[key] = value.get<std::int64_t>();
        }
    }
    if (const json* device = member(object, "device"))
        request.options.device = jsonText(*device, pathOf(path, "device"));
    if (const json* policy = member(object, "policy"))
        request.options.policy = jsonChoice<SchedulingPolicy>(*policy, pathOf(path, "policy"));
    if (const json* detail = member(object, "detail"))
        request.options.detail.kind = jsonChoice<Detail::Kind>(*detail, pathOf(path, "detail"));
    if (const json* reconvergence = member(object, "reconvergence")) {
        request.options.reconvergence = jsonChoice<Reconvergence>(*reconvergence, pathOf(path, "reconvergence"));
        request.meetsByCode = false; // what is named is the same on every machine
    }
    request.options.detail.accesses = jsonFlag(object, "accesses", path);
    request.options.timing = jsonFlag(object, "timing", path);
    if (const json* without = member(object, "without")) {
        const auto limits = parseLimits(jsonText(*without, pathOf(path, "without")));
        if (!limits)
            jsonWrong(pathOf(path, "without"), limits.error().message);
        if (!request.options.timing)
            jsonWrong(pathOf(path, "without"), "takes limits away from the timing model: \"timing\" is missing");
        request.options.without = *limits;
    }
    request.options.checkRaces = jsonFlag(object, "races", path);
    request.options.checkFinite = jsonFlag(object, "finite", path);
    if (const json* arguments = member(object, "arguments")) {
        if (!arguments->is_array())
            jsonWrong(pathOf(path, "arguments"), "is not a list");
        for (std::size_t i = 0; i < arguments->size(); ++i) {
            const std::string here = pathOf(path, "arguments[") + std::to_string(i) + "]";
            request.arguments.push_back(jsonText((*arguments)[i], here));
            if (request.arguments.back().find("=file:") != std::string::npos) // a stranger's file reads no others
                jsonWrong(here, "takes its values from a file, which no lesson and no exercise may");
        }
    }
    return request;
}

bool isPlainName(std::string_view name) {
    return !name.empty() && name.find_first_of("/\\") == std::string_view::npos;
}

bool staysInItsFolder(const std::filesystem::path& file) {
    std::error_code failed;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const std::filesystem::path place = std::filesystem::canonical(file, failed);
    return !failed && place.parent_path() == std::filesystem::canonical(folder, failed) && !failed;
}

Result<void> readJson(std::string_view text, const std::string& fileName, const char* what,
                      const std::function<void(const json&, const JsonLines&)>& read) {
    Error error;
    error.file = fileName;
    const std::string unusable = std::string(what) + " cannot be used: ";
    if (isNestedDeeply(text)) {
        error.message = unusable + "it is nested too deeply";
        return error;
    }
    try {
        const json object = json::parse(text.begin(), text.end());
        const JsonLines lines(text);
        try {
            if (!lines.twice().empty())
                jsonWrong(lines.twice(), "stands twice");
            read(object, lines);
            return {};
        } catch (const JsonWrong& e) {
            error.line = lines.of(e.path);
            error.message = unusable + e.path + " " + e.message;
        }
    } catch (const json::parse_error& e) {
        const std::string_view before = text.substr(0, std::min(text.size(), e.byte > 0 ? e.byte - 1 : 0));
        error.line = int(std::count(before.begin(), before.end(), '\n')) + 1;
        error.column = int(before.size() - (before.rfind('\n') + 1)) + 1; // npos + 1 = 0
        error.message = say::NoJsonHere(what);
        error.remedy = say::MendOrFetch;
    } catch (const json::exception& e) {
        error.message = unusable + e.what();
    }
    return error;
}

} // namespace warpglass::session
