// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/motion.h"

#include <QDir>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>

namespace warpglass {

namespace {

constexpr int patience = 500; // ms for gsettings to answer
constexpr QLatin1String key("reducedMotion");

bool gnomeReducesMotion() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("gsettings"));
    if (program.isEmpty())
        return false;
    QProcess ask;
    ask.start(program, {QStringLiteral("get"), QStringLiteral("org.gnome.desktop.interface"),
                        QStringLiteral("enable-animations")});
    const bool answered = ask.waitForFinished(patience);
    if (!answered) {
        ask.kill();
        ask.waitForFinished(patience);
    }
    return answered && ask.readAllStandardOutput().trimmed() == "false";
}

} // namespace

bool desktopReducesMotion(const QString& desktop, const QString& config) {
    if (desktop.contains(QLatin1String("KDE"), Qt::CaseInsensitive)) {
        const QSettings globals(QDir(config).filePath(QStringLiteral("kdeglobals")), QSettings::IniFormat);
        return globals.value(QStringLiteral("KDE/AnimationDurationFactor"), 1.0).toDouble() <= 0;
    }
    return desktop.contains(QLatin1String("GNOME"), Qt::CaseInsensitive) && gnomeReducesMotion();
}

bool motionReduced() {
    const QSettings settings;
    if (settings.contains(key))
        return settings.value(key).toBool();
    return desktopReducesMotion(qEnvironmentVariable("XDG_CURRENT_DESKTOP"),
                                QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation));
}

void setMotionReduced(bool reduced) {
    QSettings().setValue(key, reduced);
}

} // namespace warpglass
