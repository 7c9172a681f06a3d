// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/what_changed.h"

#include "app/window/model/turnable.h"
#include "views/common/shown_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace warpglass {

namespace {

class ChangeText {
    Q_DECLARE_TR_FUNCTIONS(WhatChanged)
};

constexpr qsizetype lettersOfLine = 40;

// The first line that is another one, as it is now; of two texts of different length the place where they part.
QString changedLine(const std::string& from, const std::string& to) {
    const QStringList before = QString::fromStdString(from).split(QLatin1Char('\n')),
                      now = QString::fromStdString(to).split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < std::max(before.size(), now.size()); ++i) {
        if (i < before.size() && i < now.size() && before[i] == now[i])
            continue;
        QString line = now.value(i).trimmed();
        if (line.size() > lettersOfLine)
            line = line.left(lettersOfLine - 1) + QChar(0x2026);
        return line.isEmpty() ? ChangeText::tr("line %1").arg(i + 1)
                              : ChangeText::tr("line %1: %2").arg(i + 1).arg(line);
    }
    return {};
}

} // namespace

QString whatChanged(const RunRequest& from, const RunRequest& to) {
    QStringList words;
    const auto shape = [&](const std::optional<Dim3>& before, const std::optional<Dim3>& now, const QString& text) {
        if (now && before != now)
            words << text.arg(QString::fromStdString(now->text()));
    };
    if (from.entry != to.entry)
        words << QString::fromStdString(to.entry);
    shape(from.launch.block, to.launch.block, ChangeText::tr("block %1"));
    shape(from.launch.grid, to.launch.grid, ChangeText::tr("grid %1"));
    if (to.launch.size && from.launch.size != to.launch.size)
        words << ChangeText::tr("%1 elements").arg(*to.launch.size);
    if (from.launch.mode != to.launch.mode)
        words << (to.launch.mode == CompileMode::AsWritten ? ChangeText::tr("as written")
                                                           : ChangeText::tr("optimised"));
    for (const auto& [name, value] : to.launch.set)
        if (const auto at = from.launch.set.find(name); at == from.launch.set.end() || at->second != value)
            words << QStringLiteral("%1 = %2").arg(QString::fromStdString(name), QString::number(value));
    for (const std::string& argument : to.arguments)
        if (std::find(from.arguments.begin(), from.arguments.end(), argument) == from.arguments.end())
            words << QString::fromStdString(argument);
    if (from.backend != to.backend || from.options.device != to.options.device)
        words << (to.backend == "cuda" ? ChangeText::tr("on the GPU") : QString::fromStdString(to.options.device));
    if (from.options.timing != to.options.timing)
        words << (to.options.timing ? ChangeText::tr("with cycles") : ChangeText::tr("without cycles"));
    else if (from.options.timing && from.options.policy != to.options.policy)
        words << QLatin1String(name(to.options.policy));
    if (from.text && to.text && *from.text != *to.text)
        words << changedLine(*from.text, *to.text);
    return shown(words.join(QStringLiteral(", ")));
}

QString changeWord(const RunRequest& from, const RunRequest& to) {
    if (from.text && to.text && *from.text != *to.text) {
        const QVector<Turnable> before = turnablesIn(QString::fromStdString(*from.text)),
                                now = turnablesIn(QString::fromStdString(*to.text));
        for (const Turnable& t : now) {
            const auto was =
                std::find_if(before.begin(), before.end(), [&](const Turnable& b) { return b.name == t.name; });
            if (was != before.end() && was->value != t.value)
                return QStringLiteral("%1 %2").arg(t.name, QString::number(t.value));
        }
    }
    // "line 4: sum += x[i];" without the line's text
    return whatChanged(from, to)
        .section(QStringLiteral(", "), 0, 0)
        .section(QLatin1Char(':'), 0, 0)
        .section(QChar(0xff1a), 0, 0);
}

} // namespace warpglass
