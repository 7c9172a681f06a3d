// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/role_names.h"

#include "views/common/whole_file.h"
#include "views/pipeline/pipeline_text.h"
#include "views/pipeline/pipeline_words.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace warpglass {

namespace {

RoleNames fromJson(const QJsonObject& object) {
    RoleNames names;
    for (auto name = object.begin(); name != object.end(); ++name)
        if (const QString text = name.value().toString().simplified(); !text.isEmpty())
            names[name.key()] = text;
    return names;
}
QJsonObject toJson(const RoleNames& names) {
    QJsonObject object;
    for (auto name = names.begin(); name != names.end(); ++name)
        object[name.key()] = name.value();
    return object;
}
RoleNames fromOption(const QVariant& option) {
    return fromJson(QJsonDocument::fromJson(option.toString().toUtf8()).object());
}

QString pathOf(const QString& tracePath) {
    return tracePath + QStringLiteral(".roles.json");
}

QVariant read(const QString& tracePath, QString* problem) {
    QFile file(pathOf(tracePath));
    if (!file.exists())
        return QString();
    const bool isOpen = file.open(QIODevice::ReadOnly);
    const QJsonDocument document = isOpen ? QJsonDocument::fromJson(file.readAll()) : QJsonDocument();
    if (!document.object()["roles"].isObject()) {
        if (problem)
            *problem = PipelineText::tr("The names of roles in %1 cannot be read.").arg(file.fileName());
        return QString();
    }
    return roleNamesToOption(fromJson(document.object()["roles"].toObject()));
}

QString write(const QString& tracePath, const QVariant& option) {
    const QString path = pathOf(tracePath);
    const RoleNames names = fromOption(option);
    const QString failed = PipelineText::tr("The names of roles cannot be written to %1.").arg(path);
    if (names.isEmpty())
        return !QFile::exists(path) || QFile::remove(path) ? QString() : failed;
    WholeFile file(path); // an interrupted write leaves the old names
    const QJsonObject object{{"version", 1}, {"roles", toJson(names)}};
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(object).toJson()) >= 0 && file.commit()
               ? QString()
               : failed;
}

// Mine where I changed it, else theirs.
QVariant merged(const QVariant& base, const QVariant& mine, const QVariant& theirs) {
    const RoleNames before = fromOption(base), own = fromOption(mine);
    RoleNames all = fromOption(theirs);
    QStringList keys = before.keys();
    keys += own.keys();
    for (const QString& key : std::as_const(keys))
        if (own.value(key) != before.value(key)) {
            if (own.contains(key))
                all[key] = own[key];
            else
                all.remove(key);
        }
    return roleNamesToOption(all);
}

} // namespace

RoleNames roleNamesOf(const Options& options) {
    return fromOption(options.value(QLatin1String(roleNamesOption)));
}

QVariant roleNamesToOption(const RoleNames& names) {
    return names.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(toJson(names)).toJson(QJsonDocument::Compact));
}

QString roleKey(const PipelineModel& model, const PipelineRole& role) {
    const Trace& trace = *model.trace;
    QString key = QString::fromStdString(trace.kernelOf(trace.launchOf(trace.blocks[model.block])).name);
    for (std::size_t n = 0; n < role.warps.size();) {
        std::size_t end = n + 1;
        while (end < role.warps.size() && role.warps[end] == role.warps[end - 1] + 1)
            ++end;
        const auto warp = [&](std::size_t at) { return QString::number(trace.warps[role.warps[at]].warpInBlock); };
        key += (n == 0 ? QStringLiteral(" ") : QStringLiteral(",")) + warp(n);
        if (end > n + 1)
            key += QStringLiteral("-") + warp(end - 1);
        n = end;
    }
    return key;
}

QString shownRoleName(const PipelineModel& model, const PipelineRole& role, const RoleNames& names) {
    if (names.isEmpty())
        return roleName(role);
    const QString own = names.value(roleKey(model, role));
    return own.isEmpty() ? roleName(role) : own;
}

KeptOption keptRoleNames() {
    return {QLatin1String(roleNamesOption), read, write, merged};
}

} // namespace warpglass
