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
    // What the file that was loaded says, whatever this thread speaks.
    QString written(const char* source) const { return QTranslator::translate("Warpglass", source); }
};

// Texts that this thread asks for, as long as this lives, are in a language of its own, whatever the window's is: what is
// exported in both languages is painted beside a window that goes on in its own. Qt keeps one list of translators for all
// threads; therefore what this thread speaks is the one thing here that a translator looks up and is not told.
class ThreadLanguage {
public:
    explicit ThreadLanguage(const QString& name); // as Language::set takes it
    ~ThreadLanguage();
    ThreadLanguage(const ThreadLanguage&) = delete;
    ThreadLanguage& operator=(const ThreadLanguage&) = delete;

private:
    PlainTranslator m_chinese;
    const PlainTranslator* m_before;
};

// The program's language, switched while it runs: installing or removing the translator makes Qt send LanguageChange to
// every widget, and each writes its texts again.
class Language {
public:
    ~Language();
    void set(const QString& name); // "en" or "zh_CN"; anything that starts with "zh" is zh_CN, anything else en
    const QString& name() const { return m_name; }
    QString otherName() const; // of the two

    static QString normalised(const QString& name);
    static QString ofSystem();

private:
    QString m_name = QStringLiteral("en");
    std::unique_ptr<QTranslator> m_own, m_qt;
};

// Makes the icons, lessons and translations of the library known to Qt; call once before any of them is used.
void initialiseResources();

} // namespace warpglass
