// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_notes.h"

#include "views/common/whole_file.h"
#include "views/timeline/timeline_text.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace warpglass {

namespace {

QJsonArray toJson(const TimelineNotes& notes) {
    QJsonArray array;
    for (const TimelineNote& note : notes) {
        QJsonObject object{{"time", qint64(note.time.value)}, {"text", note.text}};
        if (note.warp != noIndex)
            object["warp"] = qint64(note.warp);
        array.append(object);
    }
    return array;
}

TimelineNotes fromJson(const QJsonArray& array) {
    TimelineNotes notes;
    for (const auto value : array) {
        const QJsonObject object = value.toObject();
        if (!object["time"].isDouble())
            continue;
        TimelineNote note;
        note.time = {object["time"].toInteger()};
        const qint64 warp = object["warp"].toInteger(-1);
        note.warp = warp >= 0 && warp < qint64(noIndex) ? std::uint32_t(warp) : noIndex;
        note.text = object["text"].toString();
        notes = withNote(std::move(notes), note);
    }
    return notes;
}

} // namespace

TimelineNotes withNote(TimelineNotes notes, const TimelineNote& note) {
    const auto at =
        std::lower_bound(notes.begin(), notes.end(), note, [](const TimelineNote& a, const TimelineNote& b) {
            return a.time != b.time ? a.time < b.time : a.warp < b.warp;
        });
    if (at != notes.end() && at->time == note.time && at->warp == note.warp)
        *at = note;
    else
        notes.insert(at, note);
    return notes;
}

TimelineNotes mergedNotes(const TimelineNotes& base, const TimelineNotes& mine, const TimelineNotes& theirs) {
    TimelineNotes merged;
    for (const TimelineNote& note : theirs)
        if (!base.contains(note) || mine.contains(note))
            merged = withNote(std::move(merged), note);
    for (const TimelineNote& note : mine)
        if (!base.contains(note) || theirs.contains(note))
            merged = withNote(std::move(merged), note);
    return merged;
}

int noteNear(const TimelineNotes& notes, Time time, Time reach) {
    int best = -1;
    for (int i = 0; i < notes.size(); ++i) {
        const std::int64_t distance = std::abs((notes[i].time - time).value);
        if (distance <= reach.value && (best < 0 || distance < std::abs((notes[best].time - time).value)))
            best = i;
    }
    return best;
}

int noteAfter(const TimelineNotes& notes, Time time, int direction) {
    if (notes.isEmpty())
        return -1;
    if (direction > 0) {
        for (int i = 0; i < notes.size(); ++i)
            if (notes[i].time > time)
                return i;
        return 0;
    }
    for (int i = int(notes.size()) - 1; i >= 0; --i)
        if (notes[i].time < time)
            return i;
    return int(notes.size()) - 1;
}

QVariant notesToOption(const TimelineNotes& notes) {
    return notes.isEmpty() ? QVariant(QString())
                           : QVariant(QString::fromUtf8(QJsonDocument(toJson(notes)).toJson(QJsonDocument::Compact)));
}

TimelineNotes notesFromOption(const QVariant& option) {
    return fromJson(QJsonDocument::fromJson(option.toString().toUtf8()).array());
}

QString notesPath(const QString& tracePath) {
    return tracePath + QStringLiteral(".notes.json");
}

TimelineNotes readNotes(const QString& tracePath, QString* problem) {
    QFile file(notesPath(tracePath));
    if (!file.exists())
        return {};
    const auto fail = [&](const QString& why) {
        if (problem)
            *problem = why;
        return TimelineNotes{};
    };
    if (!file.open(QIODevice::ReadOnly))
        return fail(TimelineText::tr("The notes in %1 cannot be read: %2.").arg(file.fileName(), file.errorString()));
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    if (!document.isObject() || !document.object()["notes"].isArray())
        return fail(TimelineText::tr("%1 holds no notes: it is damaged at byte %2, or something else.")
                        .arg(file.fileName(), QString::number(error.offset)));
    return fromJson(document.object()["notes"].toArray());
}

QString writeNotes(const QString& tracePath, const TimelineNotes& notes) {
    const QString path = notesPath(tracePath);
    if (notes.isEmpty()) {
        if (QFile::exists(path) && !QFile::remove(path))
            return TimelineText::tr("%1 cannot be removed.").arg(path);
        return {};
    }
    WholeFile file(path); // an interrupted write leaves the old notes
    const QJsonObject object{{"version", 1}, {"notes", toJson(notes)}};
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(object).toJson()) < 0 || !file.commit())
        return TimelineText::tr("The notes cannot be written to %1: %2.").arg(path, file.errorString());
    return {};
}

KeptOption keptNotes() {
    return {QLatin1String(notesOption),
            [](const QString& path, QString* problem) { return notesToOption(readNotes(path, problem)); },
            [](const QString& path, const QVariant& notes) { return writeNotes(path, notesFromOption(notes)); },
            [](const QVariant& base, const QVariant& mine, const QVariant& theirs) {
                return notesToOption(
                    mergedNotes(notesFromOption(base), notesFromOption(mine), notesFromOption(theirs)));
            }};
}

} // namespace warpglass
