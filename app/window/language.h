// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

#include <memory>

namespace warpglass {

// Looks texts up whatever context they are asked in: parts of the program that share a word share its translation.
class PlainTranslator : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation = nullptr,
                      int n = -1) const override;
};

// The program's language, switched while it runs: installing or removing the translator makes Qt send LanguageChange to
// every widget, and each writes its texts again.
class Language {
public:
    ~Language();
    void set(const QString& name); // "en" or "zh_CN"; anything that starts with "zh" is zh_CN, anything else en
    const QString& name() const { return m_name; }

    static QString normalised(const QString& name);
    static QString ofSystem();

private:
    QString m_name = QStringLiteral("en");
    std::unique_ptr<QTranslator> m_own, m_qt;
};

// Makes the icons, lessons and translations of the library known to Qt; call once before any of them is used.
void initialiseResources();

} // namespace warpglass
