// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/session_memory.h"

#include "gpu/device/device.h"
#include "gpu/kernels/catalogue.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace warpglass {

namespace {

constexpr QLatin1String lessonKey("lesson"), stepKey("step"), fileKey("file"), viewKey("view"), runKey("run"),
    kernelKey("kernel"), backendKey("backend"), deviceKey("device"), sizeKey("size"), gridKey("grid"),
    blockKey("block"), modeKey("mode"), chosenKey("modeChosen"), setKey("set"), policyKey("policy"),
    timingKey("timing"), accessesKey("accesses"), detailKey("detail");

QString textOf(const std::string& s) {
    return QString::fromStdString(s);
}

QJsonObject objectOf(const RunRequest& r) {
    QJsonObject run{{kernelKey, textOf(r.kernel)},
                    {backendKey, textOf(r.backend)},
                    {deviceKey, textOf(r.options.device)},
                    {modeKey, QLatin1String(name(r.launch.mode))},
                    {chosenKey, r.modeChosen},
                    {policyKey, QLatin1String(name(r.options.policy))},
                    {timingKey, r.options.timing},
                    {accessesKey, r.options.detail.accesses}};
    if (r.launch.size)
        run[sizeKey] = qint64(*r.launch.size);
    if (r.launch.grid)
        run[gridKey] = textOf(r.launch.grid->text());
    if (r.launch.block)
        run[blockKey] = textOf(r.launch.block->text());
    if (r.options.detail.kind == Detail::Kind::All)
        run[detailKey] = QLatin1String(name(r.options.detail.kind));
    QJsonObject set;
    for (const auto& [parameter, value] : r.launch.set)
        set[textOf(parameter)] = qint64(value);
    run[setKey] = set;
    return run;
}

template <typename Enum>
void take(const QJsonObject& object, QLatin1String key, Enum& value) {
    if (const auto parsed = parseEnum<Enum>(object[key].toString().toStdString()))
        value = *parsed;
}

std::optional<RunRequest> requestOf(const QJsonObject& run) {
    RunRequest r;
    r.kernel = run[kernelKey].toString().toStdString();
    const CatalogueEntry* entry = findKernel(r.kernel);
    if (!entry)
        return std::nullopt;
    if (run[backendKey].toString() == QLatin1String("cuda"))
        r.backend = "cuda";
    const std::string device = run[deviceKey].toString().toStdString();
    if (r.backend == "cuda" || findDevice(device))
        r.options.device = device;
    take(run, modeKey, r.launch.mode);
    r.modeChosen = run[chosenKey].toBool();
    take(run, policyKey, r.options.policy);
    take(run, detailKey, r.options.detail.kind);
    r.options.timing = run[timingKey].toBool();
    r.options.detail.accesses = run[accessesKey].toBool();
    if (const qint64 size = run[sizeKey].toInteger(); size > 0)
        r.launch.size = size;
    r.launch.grid = parseDim3(run[gridKey].toString().toStdString());
    r.launch.block = parseDim3(run[blockKey].toString().toStdString());
    const QJsonObject set = run[setKey].toObject();
    for (const Parameter& parameter : entry->parameters)
        if (const auto value = set.constFind(textOf(parameter.name)); value != set.constEnd())
            r.launch.set[parameter.name] =
                std::clamp<std::int64_t>(value->toInteger(), parameter.minimum, parameter.maximum);
    return r;
}

} // namespace

QByteArray written(const SessionMemory& memory) {
    QJsonObject object{{viewKey, memory.view}};
    if (!memory.lesson.isEmpty()) {
        object[lessonKey] = memory.lesson;
        object[stepKey] = memory.step;
    }
    if (!memory.file.isEmpty())
        object[fileKey] = memory.file;
    if (memory.request)
        object[runKey] = objectOf(*memory.request);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

SessionMemory readSession(const QByteArray& text) {
    const QJsonObject object = QJsonDocument::fromJson(text).object();
    SessionMemory memory;
    memory.lesson = object[lessonKey].toString();
    memory.step = std::max(0, object[stepKey].toInt());
    memory.file = object[fileKey].toString();
    memory.view = object[viewKey].toString();
    memory.request = requestOf(object[runKey].toObject());
    return memory;
}

} // namespace warpglass
