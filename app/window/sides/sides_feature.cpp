// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sides/sides_feature.h"

#include "app/window/window_parts.h"

#include <QSettings>
#include <QToolTip>

namespace warpglass {

namespace {
constexpr qreal roomForColumns = 760; // px of the window at the usual type
} // namespace

ActionSet::Deeds SidesFeature::deeds() {
    const auto turn = [](SideDock* dock) { return [dock] { dock->setFolded(!dock->isFolded()); }; };
    return {{"sides", [this] { fold(); }},
            {"leftSide", turn(m_parts->leftDock)},
            {"rightSide", turn(m_parts->rightDock)},
            {"sidesAtFirst", [this] { reset(); }}};
}

void SidesFeature::connectAll() {
    for (const auto& [dock, name] :
         {std::pair(m_parts->leftDock, "leftSide"), std::pair(m_parts->rightDock, "rightSide")}) {
        QAction* side = action(name);
        side->setChecked(!dock->isFolded());
        connect(dock, &SideDock::foldedChanged, side, [this, side](bool folded) {
            side->setChecked(!folded);
            m_shell.focusView(); // the fold had it, or what it holds
        });
    }
    connect(&m_shell, &Shell::resized, this, [this](const QSize& before) {
        if (before.isValid())
            foldIfCrowded(before.width(), m_shell.fontScale);
    });
}

void SidesFeature::fold() {
    const bool away = !m_parts->leftDock->isFolded() || !m_parts->rightDock->isFolded();
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->setFolded(away);
}

void SidesFeature::reset() {
    const WindowParts& p = *m_parts;
    for (SideDock* dock : {p.leftDock, p.rightDock}) {
        dock->setFolded(false);
        dock->setFloating(false);
    }
    p.columns->addDockWidget(Qt::LeftDockWidgetArea, p.leftDock);
    p.columns->addDockWidget(Qt::RightDockWidgetArea, p.rightDock);
    p.columns->resizeDocks({p.leftDock, p.rightDock}, {p.leftDock->firstWidth(), p.rightDock->firstWidth()},
                           Qt::Horizontal);
}

// Where the columns have no room beside each other any more, the views keep theirs.
void SidesFeature::foldIfCrowded(int widthBefore, qreal typeBefore) {
    const auto crowded = [](int width, qreal type) { return width < roomForColumns * type; };
    if (m_shell.now().presenting || !crowded(m_shell.window->width(), m_shell.fontScale) ||
        crowded(widthBefore, typeBefore))
        return;
    bool folded = false;
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) {
        folded = folded || !dock->isFolded();
        dock->setFolded(true);
    }
    constexpr int readMs = 8000;
    if (folded && m_shell.window->isVisible())
        QToolTip::showText(m_parts->views->mapToGlobal(QPoint(12, 12)),
                           tr("There is no room for the sides beside the view: they are folded away. F4 brings them "
                              "back."),
                           m_parts->views, {}, readMs);
}

void SidesFeature::readSettings(const QSettings& settings) {
    m_shell.window->restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_parts->columns->restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->takeRestored();
    m_parts->leftSplit->restoreState(settings.value(QStringLiteral("left")).toByteArray());
    m_parts->rightSplit->restoreState(settings.value(QStringLiteral("right")).toByteArray());
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) // a split that was saved before its panel moved
        emit dock->lieChanged(dock->lie());
}

void SidesFeature::writeSettings(QSettings& settings) {
    if (m_shell.now().presenting) // the class room's arrangement is not the desk's
        return;
    settings.setValue(QStringLiteral("geometry"), m_shell.window->saveGeometry());
    if (m_shell.seen().page != Front::Program) // while both sides are aside
        settings.setValue(QStringLiteral("docks"), m_parts->columns->saveState());
    settings.setValue(QStringLiteral("left"), m_parts->leftSplit->saveState());
    settings.setValue(QStringLiteral("right"), m_parts->rightSplit->saveState());
}

} // namespace warpglass
