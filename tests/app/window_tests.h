// SPDX-License-Identifier: GPL-3.0-or-later
// What every test of the window needs once: the program's resources, and settings of its own.
#pragma once

#include "app/window/language.h"

#include <QApplication>
#include <QSettings>

namespace warpglass {

inline void prepareWindowTests(const QString& application) {
    initialiseResources();
    QCoreApplication::setOrganizationName(QStringLiteral("WarpglassTests"));
    QCoreApplication::setApplicationName(application);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QApplication::setStyle(QStringLiteral("Fusion"));
}

} // namespace warpglass
