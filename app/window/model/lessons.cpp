// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/lessons.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpglass {

namespace {

using nlohmann::json;

// Thrown inside this file only, caught in parseLesson.
struct Wrong {
    std::string path, message;
};

[[noreturn]] void wrong(const std::string& path, const std::string& message) {
    throw Wrong{path, message};
}

const json* member(const json& object, const char* name) {
    const auto at = object.find(name);
    return at == object.end() ? nullptr : &*at;
}

void onlyKnown(const json& object, const std::string& path, std::initializer_list<const char*> names) {
    if (!object.is_object())
        wrong(path, "is not an object");
    for (const auto& [key, value] : object.items()) {
        const bool known = std::any_of(names.begin(), names.end(), [&](const char* n) { return key == n; });
        if (!known)
            wrong(path + (path.empty() ? "" : ".") + key, "is not known in a lesson");
    }
}

std::string text(const json& value, const std::string& path) {
    if (!value.is_string())
        wrong(path, "is not a text");
    return value.get<std::string>();
}

LocalText localText(const json& object, const char* name, const std::string& path, bool needed) {
    const json* value = member(object, name);
    const std::string here = path + (path.empty() ? "" : ".") + name;
    if (!value) {
        if (needed)
            wrong(here, "is missing");
        return {};
    }
    if (value->is_string())
        return {QString::fromStdString(value->get<std::string>()), {}};
    onlyKnown(*value, here, {"en", "zh_CN"});
    if (!member(*value, "en"))
        wrong(here + ".en", "is missing");
    LocalText result;
    result.en = QString::fromStdString(text(*member(*value, "en"), here + ".en"));
    if (const json* zh = member(*value, "zh_CN"))
        result.zh = QString::fromStdString(text(*zh, here + ".zh_CN"));
    return result;
}

bool flag(const json& object, const char* name, const std::string& path) {
    const json* value = member(object, name);
    if (!value)
        return false;
    if (!value->is_boolean())
        wrong(path + "." + name, "is neither true nor false");
    return value->get<bool>();
}

Dim3 shape(const json& value, const std::string& path) {
    const std::optional<Dim3> parsed = parseDim3(text(value, path));
    if (!parsed || parsed->count() == 0)
        wrong(path, "is not a shape such as \"32x16\"");
    return *parsed;
}

// One of the enum's words.
template <Worded Enum>
Enum choice(const json& value, const std::string& path) {
    const std::string word = text(value, path);
    const auto parsed = parseEnum<Enum>(word);
    if (!parsed)
        wrong(path, "\"" + word + "\" is none of " + wordsText<Enum>());
    return *parsed;
}

RunRequest run(const json& object, const std::string& path) {
    onlyKnown(object, path,
              {"kernel", "size", "grid", "block", "shared", "mode", "set", "device", "accesses", "timing", "policy",
               "detail"});
    RunRequest request;
    if (!member(object, "kernel"))
        wrong(path + ".kernel", "is missing");
    request.kernel = text(*member(object, "kernel"), path + ".kernel");
    if (!findKernel(request.kernel))
        wrong(path + ".kernel", "\"" + request.kernel + "\" is not in the catalogue");
    if (const json* size = member(object, "size")) {
        if (!size->is_number_integer() || size->get<std::int64_t>() <= 0)
            wrong(path + ".size", "is not a positive whole number");
        request.launch.size = size->get<std::int64_t>();
    }
    if (const json* grid = member(object, "grid"))
        request.launch.grid = shape(*grid, path + ".grid");
    if (const json* block = member(object, "block"))
        request.launch.block = shape(*block, path + ".block");
    if (const json* shared = member(object, "shared")) {
        if (!shared->is_number_unsigned())
            wrong(path + ".shared", "is not a number of bytes");
        request.launch.sharedBytes = shared->get<std::uint32_t>();
    }
    if (const json* mode = member(object, "mode"))
        request.launch.mode = choice<CompileMode>(*mode, path + ".mode");
    if (const json* set = member(object, "set")) {
        if (!set->is_object())
            wrong(path + ".set", "is not an object");
        for (const auto& [key, value] : set->items()) {
            if (!value.is_number_integer())
                wrong(path + ".set." + key, "is not a whole number");
            request.launch.set[key] = value.get<std::int64_t>();
        }
    }
    if (const json* device = member(object, "device"))
        request.options.device = text(*device, path + ".device");
    if (const json* policy = member(object, "policy"))
        request.options.policy = choice<SchedulingPolicy>(*policy, path + ".policy");
    if (const json* detail = member(object, "detail"))
        request.options.detail.kind = choice<Detail::Kind>(*detail, path + ".detail");
    request.options.detail.accesses = flag(object, "accesses", path);
    request.options.timing = flag(object, "timing", path);
    return request;
}

LessonStep step(const json& object, const std::string& path, const QStringList& views) {
    onlyKnown(object, path, {"title", "text", "notes", "run", "compare", "view", "options", "select"});
    LessonStep result;
    result.title = localText(object, "title", path, true);
    result.text = localText(object, "text", path, true);
    result.notes = localText(object, "notes", path, false);
    if (const json* r = member(object, "run"))
        result.run = run(*r, path + ".run");
    if (const json* c = member(object, "compare"))
        result.compare = run(*c, path + ".compare");
    if (const json* view = member(object, "view")) {
        result.view = QString::fromStdString(text(*view, path + ".view"));
        if (!views.contains(result.view))
            wrong(path + ".view", "there is no view \"" + result.view.toStdString() + "\"");
    }
    if (const json* options = member(object, "options")) {
        if (!options->is_object())
            wrong(path + ".options", "is not an object");
        for (const auto& [key, value] : options->items())
            result.options.insert(QString::fromStdString(key),
                                  QString::fromStdString(text(value, path + ".options." + key)));
    }
    if (const json* select = member(object, "select"))
        result.select = QString::fromStdString(text(*select, path + ".select"));
    return result;
}

constexpr int lastOrder = 1'000'000;

std::optional<int> orderOf(const json& object) {
    const json* order = object.is_object() ? member(object, "order") : nullptr;
    if (!order || !order->is_number_unsigned() || order->get<std::uint64_t>() > lastOrder)
        return std::nullopt;
    return order->get<int>();
}

Lesson lesson(const json& object, const QStringList& views) {
    onlyKnown(object, "", {"format", "name", "order", "title", "summary", "steps"});
    const json* format = member(object, "format");
    if (!format || !format->is_number_integer())
        wrong("format", "is missing: this file does not say that it is a lesson");
    if (format->get<std::int64_t>() != 1)
        wrong("format", "is newer than this program can read");
    if (!member(object, "name"))
        wrong("name", "is missing");
    Lesson result;
    result.name = QString::fromStdString(text(*member(object, "name"), "name"));
    result.order = orderOf(object);
    if (member(object, "order") && !result.order)
        wrong("order", "is not a whole number from 0 to " + std::to_string(lastOrder));
    result.title = localText(object, "title", "", true);
    result.summary = localText(object, "summary", "", false);
    const json* steps = member(object, "steps");
    if (!steps || !steps->is_array() || steps->empty())
        wrong("steps", "is missing or empty");
    for (std::size_t i = 0; i < steps->size(); ++i)
        result.steps.append(step((*steps)[i], "steps[" + std::to_string(i) + "]", views));
    if (!result.steps.front().run)
        wrong("steps[0].run", "is missing: the first step must say what to run");
    return result;
}

} // namespace

Result<Lesson> parseLesson(const QByteArray& bytes, const QString& fileName, const QStringList& views) {
    Error error;
    error.file = fileName.toStdString();
    try {
        return lesson(json::parse(bytes.begin(), bytes.end()), views);
    } catch (const json::parse_error& e) {
        const qsizetype at = std::clamp<qsizetype>(qsizetype(e.byte) - 1, 0, bytes.size());
        error.line = int(bytes.first(at).count('\n')) + 1;
        error.column = int(at - (at == 0 ? -1 : bytes.lastIndexOf('\n', at - 1)));
        error.message = "the lesson is not valid JSON here";
        error.remedy = "Mend the file or fetch it again.";
    } catch (const Wrong& e) {
        error.message = "the lesson cannot be used: " + e.path + " " + e.message;
    } catch (const json::exception& e) {
        error.message = std::string("the lesson cannot be used: ") + e.what();
    }
    return error;
}

Result<Lesson> readLesson(const QString& path, const QStringList& views) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Error error;
        error.file = path.toStdString();
        error.message = "the lesson cannot be opened: " + file.errorString().toStdString();
        return error;
    }
    constexpr qint64 most = 16 << 20;
    const QByteArray bytes = file.read(most + 1);
    if (bytes.size() > most)
        return Error{.message = "the lesson cannot be used: it has more than 16 MB", .file = path.toStdString()};
    return parseLesson(bytes, QFileInfo(path).fileName(), views);
}

QStringList lessonPaths(const QString& folder) {
    struct Place {
        int order;
        QString path;
    };
    QVector<Place> places;
    for (const QFileInfo& info : QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        QFile file(info.filePath());
        const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        const json object = json::parse(bytes.begin(), bytes.end(), nullptr, false);
        places.append({orderOf(object).value_or(lastOrder + 1), info.filePath()});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.order < b.order; });
    QStringList paths;
    for (const Place& place : places)
        paths << place.path;
    return paths;
}

} // namespace warpglass
