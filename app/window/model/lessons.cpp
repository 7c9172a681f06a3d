// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/lessons.h"
#include "gpu/base/messages/session.h"

#include "app/session/json_reading.h"
#include "gpu/base/read_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

using nlohmann::json;
using session::JsonLines, session::jsonText, session::jsonWrong, session::member;

// What a lesson is read against.
struct Around {
    const QStringList& views;
    QString folder;
    const JsonLines& lines;
};

constexpr const char* aLesson = "a lesson";

LocalText localText(const json& object, const char* name, const std::string& path, bool needed) {
    const session::LocalWords words = session::jsonWords(object, name, path, needed);
    return {QString::fromStdString(words.en), QString::fromStdString(words.zh)};
}

// "0x0000ffff".
std::optional<LaneMask> maskOf(const QString& word) {
    bool valid = false;
    const std::uint32_t bits = word.mid(2).toUInt(&valid, 16);
    if (!valid || !word.startsWith(QLatin1String("0x")))
        return std::nullopt;
    return LaneMask{bits};
}

void onlyKnown(const json& object, const std::string& path, std::initializer_list<const char*> names) {
    session::onlyKnown(object, path, names, aLesson);
}

QByteArray bytesOf(const QString& path, const std::string& place) {
    QFile file(path);
    const bool built = path.startsWith(QLatin1Char(':')); // into the program: no file that could lead elsewhere
    if ((!built && !session::staysInItsFolder(path.toStdString())) || !mayBeRead(path.toStdString()) ||
        !file.open(QIODevice::ReadOnly))
        jsonWrong(place, "is no file that can be read: " + path.toStdString());
    return file.readAll();
}

// A kernel of a file beside the lesson. Its PTX, where that lies there too, makes a compiler needless.
void useFile(RunRequest& request, const json& object, const std::string& path, const Around& around) {
    const QString name = QString::fromStdString(jsonText(*member(object, "file"), path + ".file"));
    if (!name.endsWith(QLatin1String(".cu")) && !name.endsWith(QLatin1String(".ptx")))
        jsonWrong(path + ".file", "is neither a .cu nor a .ptx file");
    if (!session::isPlainName(name.toStdString()))
        jsonWrong(path + ".file", "is not the name of a file beside the lesson");
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
}

RunSource recording(const json& object, const std::string& path, const Around& around) {
    onlyKnown(object, path, {"recording"});
    const QString name = QString::fromStdString(jsonText(object["recording"], path + ".recording"));
    if (!session::isPlainName(name.toStdString()))
        jsonWrong(path + ".recording", "is not the name of a recording beside the lesson");
    for (const QString& folder : {QStringLiteral(":/recordings"), around.folder})
        if (const QString place = QDir(folder).filePath(name + QStringLiteral(".wgt"));
            QFileInfo::exists(place) &&
            (place.startsWith(QLatin1Char(':')) || session::staysInItsFolder(place.toStdString())))
            return place;
    jsonWrong(path + ".recording", "\"" + name.toStdString() + "\" is neither in the program nor beside the lesson");
}

RunSource run(const json& object, const std::string& path, const Around& around) {
    if (object.is_object() && member(object, "recording"))
        return recording(object, path, around);
    onlyKnown(object, path,
              {"kernel", "file", "arguments", "size", "grid", "block", "shared", "mode", "set", "device", "accesses",
               "timing", "without", "policy", "detail", "reconvergence", "races", "finite"});
    RunRequest request = session::launchOf(object, path);
    if (!member(object, "kernel"))
        jsonWrong(path + ".kernel", "is missing");
    request.kernel = jsonText(*member(object, "kernel"), path + ".kernel");
    if (!member(object, "file") && !findKernel(request.kernel))
        jsonWrong(path + ".kernel", "\"" + request.kernel + "\" is not in the catalogue");
    if (member(object, "arguments") && !member(object, "file"))
        jsonWrong(path + ".arguments", "is for the kernels of a file");
    if (member(object, "file"))
        useFile(request, object, path, around);
    return request;
}

LessonPrediction prediction(const json& object, const std::string& path) {
    onlyKnown(object, path, {"truth", "answer"});
    LessonPrediction result;
    result.answer = localText(object, "answer", path, true);
    if (!member(object, "truth"))
        jsonWrong(path + ".truth", "is missing: what the view shows once the prediction was checked");
    result.truth = QString::fromStdString(jsonText(*member(object, "truth"), path + ".truth"));
    if (!result.truth.isEmpty() && result.guess().empty())
        jsonWrong(path + ".truth",
                  "is neither a list (\"0,2,4\"), nor pairs (\"0-4\"), a number (\"#3\") or a mask of lanes");
    return result;
}

LessonQuestion question(const json& object, const std::string& path) {
    onlyKnown(object, path, {"question", "choices", "right", "number", "lanes", "answer"});
    LessonQuestion result;
    result.question = localText(object, "question", path, true);
    result.answer = localText(object, "answer", path, true);
    const json *choices = member(object, "choices"), *number = member(object, "number"),
               *lanes = member(object, "lanes");
    if ((choices != nullptr) + (number != nullptr) + (lanes != nullptr) != 1)
        jsonWrong(path, "needs one of \"choices\", \"number\" and \"lanes\"");
    if (choices) {
        if (!choices->is_array() || choices->size() < 2)
            jsonWrong(path + ".choices", "is not a list of two or more");
        for (std::size_t i = 0; i < choices->size(); ++i) {
            const std::string here = path + ".choices[" + std::to_string(i) + "]";
            result.choices.append(localText({{"text", (*choices)[i]}}, "text", here, true));
        }
        const json* right = member(object, "right");
        if (!right || !right->is_number_unsigned() || right->get<std::uint64_t>() < 1 ||
            right->get<std::uint64_t>() > choices->size())
            jsonWrong(path + ".right", "does not say which choice is right, counted from 1");
        result.right = right->get<int>() - 1;
    } else if (member(object, "right")) {
        jsonWrong(path + ".right", "is for choices");
    }
    if (number) {
        if (!number->is_number())
            jsonWrong(path + ".number", "is not a number");
        result.number = number->get<double>();
    }
    if (lanes) {
        result.lanes = maskOf(QString::fromStdString(jsonText(*lanes, path + ".lanes")));
        if (!result.lanes)
            jsonWrong(path + ".lanes", "is not a mask such as \"0x0000ffff\"");
    }
    return result;
}

QVector<LessonExpectation> expectations(const json& list, const std::string& path, const Around& around) {
    if (!list.is_array())
        jsonWrong(path, "is not a list");
    QVector<LessonExpectation> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string here = path + "[" + std::to_string(i) + "]";
        auto parsed = session::parseExpectation(jsonText(list[i], here));
        if (!parsed)
            jsonWrong(here, parsed.error().message.text().substr(std::string("the expectation ").size()));
        result.append({std::move(*parsed), around.lines.of(here)});
    }
    return result;
}

LessonStep step(const json& object, const std::string& path, const Around& around) {
    onlyKnown(object, path,
              {"title", "text", "notes", "run", "compare", "view", "options", "select", "ask", "predict", "expect"});
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
    if (const json* predict = member(object, "predict")) {
        if (!member(object, "view"))
            jsonWrong(path + ".view", "is missing: it is the view that asks");
        result.predict = prediction(*predict, path + ".predict");
    }
    if (const json* list = member(object, "expect"))
        result.expectations = expectations(*list, path + ".expect", around);
    if (const json* view = member(object, "view")) {
        result.view = QString::fromStdString(jsonText(*view, path + ".view"));
        if (!around.views.contains(result.view))
            jsonWrong(path + ".view", "there is no view \"" + result.view.toStdString() + "\"");
    }
    if (const json* options = member(object, "options")) {
        if (!options->is_object())
            jsonWrong(path + ".options", "is not an object");
        for (const auto& [key, value] : options->items())
            result.options.insert(QString::fromStdString(key),
                                  QString::fromStdString(jsonText(value, fmt::format("{}.options.{}", path, key))));
    }
    if (const json* select = member(object, "select"))
        result.select = QString::fromStdString(jsonText(*select, path + ".select"));
    return result;
}

Lesson lesson(const json& object, const Around& around) {
    onlyKnown(object, "", {"format", "name", "order", "title", "summary", "steps"});
    session::checkHead(object, aLesson);
    Lesson result;
    result.name = QString::fromStdString(jsonText(*member(object, "name"), "name"));
    result.order = session::orderOf(object);
    result.title = localText(object, "title", "", true);
    result.summary = localText(object, "summary", "", false);
    const json* steps = member(object, "steps");
    if (!steps || !steps->is_array() || steps->empty())
        jsonWrong("steps", "is missing or empty");
    for (std::size_t i = 0; i < steps->size(); ++i)
        result.steps.append(step((*steps)[i], "steps[" + std::to_string(i) + "]", around));
    if (!result.steps.front().run)
        jsonWrong("steps[0].run", "is missing: the first step must say what to run");
    return result;
}

} // namespace

Guess LessonPrediction::guess() const {
    const std::optional<LaneMask> lanes = maskOf(truth);
    if (!lanes)
        return Guess::from(truth);
    Guess guess;
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        if (lanes->has(lane))
            guess.items.insert(lane);
    return guess;
}

bool LessonQuestion::isRightNumber(double given) const {
    return number && std::fabs(given - *number) <= 0.005 * std::max(1.0, std::fabs(*number) / 100);
}

Result<Lesson> parseLesson(const QByteArray& bytes, const QString& fileName, const QStringList& views,
                           const QString& folder) {
    Lesson result;
    const auto read = session::readJson({bytes.data(), std::size_t(bytes.size())}, fileName.toStdString(), "the lesson",
                                        [&](const json& object, const JsonLines& lines) {
                                            result = lesson(object, {views, folder, lines});
                                        });
    if (!read)
        return read.error();
    return result;
}

Result<Lesson> readLesson(const QString& path, const QStringList& views) {
    if (auto may = mayBeRead(path.toStdString()); !may)
        return may.error();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Error error;
        error.file = path.toStdString();
        error.message = say::LessonNotOpened(file.errorString().toStdString());
        return error;
    }
    constexpr qint64 most = 16 << 20;
    const QByteArray bytes = file.read(most + 1);
    if (bytes.size() > most)
        return Error{.message = say::LessonTooLarge, .file = path.toStdString()};
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
        const bool isDeep = session::isNestedDeeply({bytes.data(), std::size_t(bytes.size())});
        const json object = isDeep ? json() : json::parse(bytes.begin(), bytes.end(), nullptr, false);
        places.append({session::orderOf(object).value_or(session::lastOrder + 1), info.filePath()});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.order < b.order; });
    QStringList paths;
    for (const Place& place : places)
        paths << place.path;
    return paths;
}

} // namespace warpglass
