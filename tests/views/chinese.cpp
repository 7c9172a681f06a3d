// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/chinese.h"

#include <QDir>
#include <QFile>

namespace warpglass::samples {

namespace {
QString keyOf(const QString& context, const QString& text) {
    return context + QLatin1Char('\t') + text;
}
} // namespace

Chinese::Chinese() {
    const QDir folder(QStringLiteral(WARPGLASS_SOURCE_DIR "/resources/translations/parts"));
    for (const QString& name : folder.entryList({QStringLiteral("*.tsv")})) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
        for (const QString& line : lines) {
            const QStringList fields = line.split(QLatin1Char('\t'));
            if (fields.size() >= 3)
                m_texts[keyOf(fields[0], fields[1])] = fields[2];
        }
    }
}

QString Chinese::translate(const char* context, const char* text, const char*, int) const {
    const QString known = QString::fromUtf8(context), words = QString::fromUtf8(text);
    QString found = m_texts.value(keyOf(known, words));
    if (found.isEmpty() && known == QLatin1String("Sentences")) // a line for a sentence may say so in one word
        found = m_texts.value(keyOf(QStringLiteral("sentence"), words));
    if (found.isEmpty() && context[0] != 'Q') // Qt's own texts are not ours
        m_missing.insert(QString::fromUtf8(context) + QStringLiteral(": ") + QString::fromUtf8(text));
    return found;
}

} // namespace warpglass::samples
