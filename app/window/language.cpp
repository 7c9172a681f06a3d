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

QString PlainTranslator::translate(const char*, const char* source, const char*, int) const {
    return QTranslator::translate("Warpglass", source);
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
