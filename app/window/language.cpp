// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

// Outside of any namespace, as the macro wants it.
static void initialiseWarpglassResources() {
    Q_INIT_RESOURCE(warpglass);
}

namespace warpglass {

void initialiseResources() {
    initialiseWarpglassResources();
}

namespace {

// What this thread speaks; null: what the program speaks. One without a file speaks English.
thread_local const PlainTranslator* spokenHere = nullptr;

// Stands in Qt's list where the window has no translator because it is English: without one, nobody would ask.
class Listener : public PlainTranslator {
public:
    using PlainTranslator::PlainTranslator;
    bool isEmpty() const override { return true; } // so that no widget is told of a new language
};

// Once, and never taken out again: that would tell every widget of a new language, and from this thread.
void listen() {
    static Listener listener;
    [[maybe_unused]] static const bool told = QCoreApplication::installTranslator(&listener);
}

} // namespace

QString PlainTranslator::translate(const char*, const char* source, const char*, int) const {
    if (!spokenHere)
        return written(source);
    const QString words = spokenHere->written(source);
    return words.isEmpty() ? QString::fromUtf8(source) : words;
}

ThreadLanguage::ThreadLanguage(const QString& name) : m_before(spokenHere) {
    listen();
    if (Language::normalised(name) != QLatin1String("en"))
        (void)m_chinese.load(QStringLiteral(":/i18n/warpglass_%1.qm").arg(Language::normalised(name)));
    spokenHere = &m_chinese;
}

ThreadLanguage::~ThreadLanguage() {
    spokenHere = m_before;
}

Language::~Language() {
    if (m_own && QCoreApplication::instance()) {
        QCoreApplication::removeTranslator(m_own.get());
        QCoreApplication::removeTranslator(m_qt.get());
    }
}

QString Language::normalised(const QString& name) {
    return name.startsWith(QLatin1String("zh"), Qt::CaseInsensitive) ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

QString Language::otherName() const {
    return m_name == QLatin1String("en") ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

QString Language::ofSystem() {
    return normalised(QLocale::system().name());
}

void Language::set(const QString& name) {
    const QString wanted = normalised(name);
    if (wanted == m_name)
        return;
    m_name = wanted;
    if (m_own) {
        QCoreApplication::removeTranslator(m_own.get());
        QCoreApplication::removeTranslator(m_qt.get());
        m_own.reset();
        m_qt.reset();
    }
    if (wanted == QLatin1String("en"))
        return;
    m_qt = std::make_unique<QTranslator>(); // Qt's own buttons ("Save", "Cancel"), where its translations are installed
    if (m_qt->load(QStringLiteral("qtbase_") + wanted, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(m_qt.get());
    m_own = std::make_unique<PlainTranslator>();
    if (m_own->load(QStringLiteral(":/i18n/warpglass_%1.qm").arg(wanted)))
        QCoreApplication::installTranslator(m_own.get());
}

} // namespace warpglass
