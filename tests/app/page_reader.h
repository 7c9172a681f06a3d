// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a page that plays without the page's own script and without the code that wrote it: the text between the tags,
// inflated by zlib's own format, and its frames unfolded as page_frames.h describes them.
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <QVector>

namespace checks {

inline QByteArray between(const QByteArray& text, const QByteArray& begin, const QByteArray& end) {
    const qsizetype from = text.indexOf(begin);
    const qsizetype to = from < 0 ? -1 : text.indexOf(end, from + begin.size());
    return to < 0 ? QByteArray() : text.mid(from + begin.size(), to - from - begin.size());
}

struct ReadPage {
    QJsonObject data;
    // [step][language][frame]: its lines
    QVector<QVector<QVector<QVector<int>>>> frames;

    QString line(int index, int theme) const {
        const QJsonValue line = data["lines"].toArray()[index];
        QString text = line.isArray() ? line.toArray()[theme].toString() : line.toString();
        const QJsonArray colours = data["colours"].toArray();
        for (int i = int(colours.size()) - 1; i >= 0; --i)
            text.replace(QStringLiteral("=\"~%1\"").arg(i),
                         QStringLiteral("=\"%1\"").arg(colours[i].toArray()[theme].toString()));
        return text;
    }
    QStringList drawing(int step, int language, int frame, int theme) const {
        QStringList lines;
        for (const int index : frames[step][language][frame])
            if (const QString text = line(index, theme); !text.isEmpty())
                lines << text;
        return lines;
    }
};

inline ReadPage readPage(const QByteArray& html) {
    ReadPage page;
    const QByteArray packed = QByteArray::fromBase64(between(html, "id=\"data\">", "</script>"));
    const QByteArray anyLength("\x01\0\0\0", 4); // what Qt wants to see before it; a guess is enough
    page.data = QJsonDocument::fromJson(qUncompress(anyLength + packed)).object();
    QVector<int> before;
    for (const QJsonValue& step : page.data["steps"].toArray()) {
        page.frames.append(QVector<QVector<QVector<int>>>());
        for (const QJsonValue& words : step.toObject()["spoken"].toArray()) {
            page.frames.last().append(QVector<QVector<int>>());
            for (const QJsonValue& told : words.toObject()["frames"].toArray()) {
                QVector<int> lines;
                const QJsonArray numbers = told.toArray();
                for (int i = 0; i < numbers.size(); ++i) {
                    const int number = numbers[i].toInt();
                    if (number >= 0)
                        lines.append(number);
                    else
                        lines += before.mid(numbers[++i].toInt(), -number);
                }
                page.frames.last().last().append(lines);
                before = lines;
            }
        }
    }
    return page;
}

} // namespace checks
