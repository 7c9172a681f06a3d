// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/look/look_feature.h"

#include "app/window/sides/sides_feature.h"
#include "app/window/style.h"
#include "app/window/window_parts.h"

#include <QApplication>
#include <QSettings>

#include <algorithm>

namespace warpglass {

namespace {

constexpr qreal smallestType = 0.7, largestType = 2.5, presentedType = 1.6;

QString nameOf(ThemeKind kind) {
    return kind == ThemeKind::Dark        ? QStringLiteral("dark")
           : kind == ThemeKind::Print     ? QStringLiteral("print")
           : kind == ThemeKind::Projector ? QStringLiteral("projector")
                                          : QStringLiteral("light");
}

} // namespace

ActionSet::Deeds LookFeature::deeds() {
    ActionSet::Deeds deeds{
        {"larger", [this] { setFontScale(m_shell.fontScale + 0.1); }},
        {"smaller", [this] { setFontScale(m_shell.fontScale - 0.1); }},
        {"usual", [this] { setFontScale(1.0); }},
    };
    for (const char* name : {"light", "dark", "print", "projector"})
        deeds[QStringLiteral("theme_%1").arg(QLatin1String(name))] = [this, name] {
            setThemeName(QString::fromLatin1(name));
        };
    for (const char* name : {"en", "zh_CN"})
        deeds[QStringLiteral("language_%1").arg(QLatin1String(name))] = [this, name] {
            m_shell.setLanguage(QString::fromLatin1(name));
        };
    return deeds;
}

void LookFeature::connectAll() {
    connect(&m_shell, &Shell::settingsRead, this, &LookFeature::apply);
    connect(&m_shell, &Shell::sizeOfTypeChanged, this, &LookFeature::apply);
    connect(&m_shell, &Shell::resized, this, [this] {
        if (m_shell.now().presenting && presentedScale() != m_shell.theme.fontScale)
            apply();
    });
}

// From the last row a line of a wall is as high whatever the projector's dots are.
qreal LookFeature::presentedScale() const {
    constexpr qreal usualWidth = 1280, usualHeight = 720, most = 3;
    const QWidget* window = m_shell.window;
    const qreal dots = std::min(window->width() / usualWidth, window->height() / usualHeight);
    return presentedType * std::clamp(std::max(m_shell.fontScale, 1.0) * dots, 1.0, most);
}

void LookFeature::apply() {
    m_shell.theme = Theme::make(m_shell.theme.kind, m_shell.now().presenting ? presentedScale() : m_shell.fontScale);
    const Theme& theme = m_shell.theme;
    qApp->setFont(theme.body());
    m_shell.window->setStyleSheet(windowStyleSheet(theme));
    warpglass::setTheme(*m_parts, theme);
    for (const auto& feature : m_shell.features())
        feature->setTheme(theme);
    m_shell.actions().check(QStringLiteral("theme_") + nameOf(theme.kind), true);
}

void LookFeature::setThemeName(const QString& name) {
    m_shell.theme = Theme::named(name, m_shell.theme.fontScale);
    apply();
}

void LookFeature::setFontScale(qreal scale) {
    const qreal before = m_shell.fontScale;
    m_shell.fontScale = std::clamp(scale, smallestType, largestType);
    apply();
    m_shell.feature<SidesFeature>().foldIfCrowded(m_shell.window->width(), before);
}

void LookFeature::readSettings(const QSettings& settings) {
    m_shell.theme = Theme::named(settings.value(QStringLiteral("theme"), QStringLiteral("light")).toString());
    m_shell.fontScale =
        std::clamp(settings.value(QStringLiteral("fontScale"), 1.0).toDouble(), smallestType, largestType);
    m_shell.setLanguage(settings.value(QStringLiteral("language"), Language::ofSystem()).toString());
}

void LookFeature::writeSettings(QSettings& settings) {
    settings.setValue(QStringLiteral("theme"), nameOf(m_shell.theme.kind));
    settings.setValue(QStringLiteral("fontScale"), m_shell.fontScale);
    settings.setValue(QStringLiteral("language"), m_shell.language.name());
}

} // namespace warpglass
