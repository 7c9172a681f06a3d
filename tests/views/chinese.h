// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QTranslator>

namespace warpglass::samples {

// The Chinese texts straight from resources/translations/parts, so that a view's test needs no built translation.
// Remembers what was asked for and is not there.
class Chinese : public QTranslator {
public:
    Chinese();
    QString translate(const char* context, const char* text, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
    const QSet<QString>& missing() const { return m_missing; } // "context: text"

private:
    QHash<QString, QString> m_texts;
    mutable QSet<QString> m_missing;
};

} // namespace warpglass::samples
