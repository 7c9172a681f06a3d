// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/lessons.h"

#include "app/window/model/json_lines.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

using nlohmann::json;

// What a lesson is read against.
struct Around {
    const QStringList& views;
    QString folder;
    const JsonLines& lines;
};

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

QByteArray bytesOf(const QString& path, const std::string& place) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        wrong(place, "is no file that can be read: " + path.toStdString());
    return file.readAll();
}

// A kernel of a file beside the lesson. Its PTX, where that lies there too, makes a compiler needless.
void useFile(RunRequest& request, const json& object, const std::string& path, const Around& around) {
    const QString name = QString::fromStdString(text(*member(object, "file"), path + ".file"));
    if (!name.endsWith(QLatin1String(".cu")) && !name.endsWith(QLatin1String(".ptx")))
        wrong(path + ".file", "is neither a .cu nor a .ptx file");
    const QString place = QDir(around.folder).filePath(name);
    request.entry = request.kernel;
    request.kernel = name.toStdString();
    request.text = bytesOf(place, path + ".file").toStdString();
    const QString ptx = QDir(around.folder).filePath(QFileInfo(name).completeBaseName() + QStringLiteral(".ptx"));
    if (name.endsWith(QLatin1String(".cu")) && QFileInfo::exists(ptx)) {
        auto made = std::make_shared<session::CompiledText>();
        made->ptx = bytesOf(ptx, path + ".file").toStdString();
        made->text = *request.text;
        made->mode = request.launch.mode;
        request.compiled = std::move(made);
    }
    if (const json* arguments = member(object, "arguments")) {
        if (!arguments->is_array())
            wrong(path + ".arguments", "is not a list");
        for (std::size_t i = 0; i < arguments->size(); ++i)
            request.arguments.push_back(text((*arguments)[i], path + ".arguments[" + std::to_string(i) + "]"));
    }
}

RunSource recording(const json& object, const std::string& path, const Around& around) {
    onlyKnown(object, path, {"recording"});
    const QString name = QString::fromStdString(text(object["recording"], path + ".recording"));
    for (const QString& folder : {QStringLiteral(":/recordings"), around.folder})
        if (const QString place = QDir(folder).filePath(name + QStringLiteral(".wgt")); QFileInfo::exists(place))
            return place;
    wrong(path + ".recording", "\"" + name.toStdString() + "\" is neither in the program nor beside the lesson");
}

RunSource run(const json& object, const std::string& path, const Around& around) {
    if (object.is_object() && member(object, "recording"))
        return recording(object, path, around);
    onlyKnown(object, path,
              {"kernel", "file", "arguments", "size", "grid", "block", "shared", "mode", "set", "device", "accesses",
               "timing", "policy", "detail", "reconvergence", "races"});
    RunRequest request;
    if (!member(object, "kernel"))
        wrong(path + ".kernel", "is missing");
    request.kernel = text(*member(object, "kernel"), path + ".kernel");
    if (!member(object, "file") && !findKernel(request.kernel))
        wrong(path + ".kernel", "\"" + request.kernel + "\" is not in the catalogue");
    if (member(object, "arguments") && !member(object, "file"))
        wrong(path + ".arguments", "is for the kernels of a file");
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
    if (const json* reconvergence = member(object, "reconvergence"))
        request.options.reconvergence = choice<Reconvergence>(*reconvergence, path + ".reconvergence");
    request.options.detail.accesses = flag(object, "accesses", path);
    request.options.timing = flag(object, "timing", path);
    request.options.checkRaces = flag(object, "races", path);
    if (member(object, "file"))
        useFile(request, object, path, around);
    return request;
}

LessonQuestion question(const json& object, const std::string& path) {
    onlyKnown(object, path, {"question", "choices", "right", "number", "lanes", "answer"});
    LessonQuestion result;
    result.question = localText(object, "question", path, true);
    result.answer = localText(object, "answer", path, true);
    const json *choices = member(object, "choices"), *number = member(object, "number"),
               *lanes = member(object, "lanes");
    if ((choices != nullptr) + (number != nullptr) + (lanes != nullptr) != 1)
        wrong(path, "needs one of \"choices\", \"number\" and \"lanes\"");
    if (choices) {
        if (!choices->is_array() || choices->size() < 2)
            wrong(path + ".choices", "is not a list of two or more");
        for (std::size_t i = 0; i < choices->size(); ++i) {
            const std::string here = path + ".choices[" + std::to_string(i) + "]";
            result.choices.append(localText({{"text", (*choices)[i]}}, "text", here, true));
        }
        const json* right = member(object, "right");
        if (!right || !right->is_number_unsigned() || right->get<std::uint64_t>() < 1 ||
            right->get<std::uint64_t>() > choices->size())
            wrong(path + ".right", "does not say which choice is right, counted from 1");
        result.right = right->get<int>() - 1;
    } else if (member(object, "right")) {
        wrong(path + ".right", "is for choices");
    }
    if (number) {
        if (!number->is_number())
            wrong(path + ".number", "is not a number");
        result.number = number->get<double>();
    }
    if (lanes) {
        const std::string word = text(*lanes, path + ".lanes");
        bool valid = false;
        const std::uint32_t bits = QString::fromStdString(word).toUInt(&valid, 16);
        if (!valid || !word.starts_with("0x"))
            wrong(path + ".lanes", "is not a mask such as \"0x0000ffff\"");
        result.lanes = LaneMask{bits};
    }
    return result;
}

QVector<LessonExpectation> expectations(const json& list, const std::string& path, const Around& around) {
    if (!list.is_array())
        wrong(path, "is not a list");
    QVector<LessonExpectation> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string here = path + "[" + std::to_string(i) + "]";
        auto parsed = session::parseExpectation(text(list[i], here));
        if (!parsed)
            wrong(here, parsed.error().message.substr(std::string("the expectation ").size()));
        result.append({std::move(*parsed), around.lines.of(here)});
    }
    return result;
}

LessonStep step(const json& object, const std::string& path, const Around& around) {
    onlyKnown(object, path, {"title", "text", "notes", "run", "compare", "view", "options", "select", "ask", "expect"});
    LessonStep result;
    result.line = around.lines.of(path);
    result.title = localText(object, "title", path, true);
    result.text = localText(object, "text", path, true);
    result.notes = localText(object, "notes", path, false);
    if (const json* r = member(object, "run"))
        result.run = run(*r, path + ".run", around);
    if (const json* c = member(object, "compare"))
        result.compare = run(*c, path + ".compare", around);
    if (const json* ask = member(object, "ask"))
        result.ask = question(*ask, path + ".ask");
    if (const json* list = member(object, "expect"))
        result.expectations = expectations(*list, path + ".expect", around);
    if (const json* view = member(object, "view")) {
        result.view = QString::fromStdString(text(*view, path + ".view"));
        if (!around.views.contains(result.view))
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

Lesson lesson(const json& object, const Around& around) {
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
        result.steps.append(step((*steps)[i], "steps[" + std::to_string(i) + "]", around));
    if (!result.steps.front().run)
        wrong("steps[0].run", "is missing: the first step must say what to run");
    return result;
}

} // namespace

bool LessonQuestion::isRightNumber(double given) const {
    return number && std::fabs(given - *number) <= 0.005 * std::max(1.0, std::fabs(*number) / 100);
}

Result<Lesson> parseLesson(const QByteArray& bytes, const QString& fileName, const QStringList& views,
                           const QString& folder) {
    Error error;
    error.file = fileName.toStdString();
    try {
        const json object = json::parse(bytes.begin(), bytes.end());
        const JsonLines lines({bytes.data(), std::size_t(bytes.size())});
        try {
            if (!lines.twice().empty())
                wrong(lines.twice(), "stands twice");
            return lesson(object, {views, folder, lines});
        } catch (const Wrong& e) {
            error.line = lines.of(e.path);
            error.message = "the lesson cannot be used: " + e.path + " " + e.message;
        }
    } catch (const json::parse_error& e) {
        const qsizetype at = std::clamp<qsizetype>(qsizetype(e.byte) - 1, 0, bytes.size());
        error.line = int(bytes.first(at).count('\n')) + 1;
        error.column = int(at - (at == 0 ? -1 : bytes.lastIndexOf('\n', at - 1)));
        error.message = "the lesson is not valid JSON here";
        error.remedy = "Mend the file or fetch it again.";
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
    return parseLesson(bytes, QFileInfo(path).fileName(), views, QFileInfo(path).path());
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
