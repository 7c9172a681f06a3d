// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sides/sides_feature.h"

#include "app/window/palette/command_palette.h"
#include "app/window/window_parts.h"

#include <QSettings>
#include <QToolTip>

namespace warpglass {

namespace {

constexpr qreal roomForColumns = 760; // px of the window at the usual type
constexpr qreal shareOfPad = 0.42;    // of the window
constexpr qreal shareOfStep = 0.38;   // of the words and the code beside a picture, at the desk

struct NamedPlace {
    Place place;
    const char* name;
};
constexpr NamedPlace places[] = {
    {Place::Learn, "learn"}, {Place::Exercise, "exercise"}, {Place::Explore, "explore"}, {Place::Build, "build"}};

} // namespace

ActionSet::Deeds SidesFeature::deeds() {
    const auto turn = [](SideDock* dock) { return [dock] { dock->setFolded(!dock->isFolded()); }; };
    return {{"sides", [this] { fold(); }},
            {"leftSide", turn(m_parts->leftDock)},
            {"rightSide", turn(m_parts->rightDock)},
            {"launchFields", [this] { openLaunch(!showsLaunch()); }},
            {"warpFacts", [this] { turnOpened(&FirstSides::facts); }},
            {"allOfTime", [this] { turnOpened(&FirstSides::time); }},
            {"sidesAtFirst", [this] { reset(); }}};
}

void SidesFeature::connectAll() {
    for (const auto& [dock, rail, name] : {std::tuple(m_parts->leftDock, m_parts->leftRail, "leftSide"),
                                           std::tuple(m_parts->rightDock, m_parts->rightRail, "rightSide")}) {
        QAction* side = action(name);
        side->setChecked(!dock->isFolded());
        connect(rail, &QToolButton::clicked, dock, [own = dock] { own->setFolded(false); });
        connect(dock, &SideDock::foldedChanged, side, [this, side](bool folded) {
            side->setChecked(!folded);
            showOpened();
            m_shell.focusView(); // the fold had it, or what it holds
        });
    }
    connect(&m_shell, &Shell::leavesPlace, this, &SidesFeature::keep);
    connect(m_parts->leftTabs, &QTabWidget::currentChanged, this, [this] {
        const QTabBar* bar = m_parts->leftTabs->tabBar();
        const bool there = bar->isVisible();
        showOpened();
        if (there && !bar->isVisible()) // it had the keys
            m_shell.focusView();
    });
    connect(&m_shell, &Shell::resized, this, [this](const QSize& before) {
        if (before.isValid())
            foldIfCrowded(before.width(), m_shell.fontScale);
    });
}

void SidesFeature::refresh() {
    if (const Place now = m_shell.seen().place; now != Place::None && now != m_here)
        arrive(now);
    showOpened();
}

void SidesFeature::keep() {
    if (m_here == Place::None || m_shell.seen().place != m_here)
        return;
    Hand& hand = m_hands[m_here];
    hand.docks = m_parts->columns->saveState();
    hand.left = m_parts->leftSplit->saveState();
    hand.right = m_parts->rightSplit->saveState();
    hand.middle = m_parts->middle->saveState();
    hand.step = m_parts->views->columns()->saveState();
    hand.opened = m_opened;
    hand.opened.left = !m_parts->leftDock->isFolded();
    hand.opened.right = !m_parts->rightDock->isFolded();
}

void SidesFeature::arrive(Place place) {
    m_here = place;
    const auto hand = m_hands.constFind(place);
    if (hand == m_hands.cend()) {
        putAtFirst(place);
        return;
    }
    m_opened = hand->opened;
    m_parts->columns->restoreState(hand->docks);
    m_parts->leftDock->takeRestored(!hand->opened.left);
    m_parts->rightDock->takeRestored(!hand->opened.right);
    m_parts->leftSplit->restoreState(hand->left);
    m_parts->rightSplit->restoreState(hand->right);
    m_parts->middle->restoreState(hand->middle);
    m_parts->views->columns()->restoreState(hand->step);
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) // a split that was saved before its panel moved
        emit dock->lieChanged(dock->lie());
}

// Where somebody writes, the text is read first: the code stands on the left.
void SidesFeature::putAtFirst(Place place) {
    const WindowParts& p = *m_parts;
    m_opened = firstSides(place);
    const bool writes = place == Place::Build;
    for (SideDock* dock : {p.leftDock, p.rightDock})
        dock->setFloating(false);
    p.columns->addDockWidget(Qt::LeftDockWidgetArea, p.leftDock);
    p.columns->addDockWidget(writes ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, p.rightDock);
    if (writes)
        p.columns->splitDockWidget(p.rightDock, p.leftDock, Qt::Vertical);
    p.leftDock->takeRestored(!m_opened.left);
    p.rightDock->takeRestored(!m_opened.right);
    const bool pad = writes || place == Place::Exercise;
    const int code = pad ? qRound(shareOfPad * m_shell.window->width()) : p.rightDock->firstWidth();
    if (p.columns->isVisible()) // else they are as wide as they say
        for (const auto& [dock, wide] :
             {std::pair(p.leftDock, writes ? code : p.leftDock->firstWidth()), std::pair(p.rightDock, code)})
            if (!dock->isFolded())
                p.columns->resizeDocks({dock}, {wide}, Qt::Horizontal);
    const int wide = p.views->columns()->width();
    p.views->columns()->setSizes({qRound(wide * shareOfStep), wide - qRound(wide * shareOfStep)});
}

bool SidesFeature::showsLaunch() const {
    return m_opened.launch && !m_parts->leftDock->isFolded();
}

// Where the launch is all that the left side holds, the side is it.
void SidesFeature::openLaunch(bool open) {
    const bool alone = m_here == Place::Build;
    m_opened.launch = open || alone;
    if (open || alone)
        m_parts->leftDock->setFolded(!open);
    showOpened();
    if (open)
        m_parts->launch->setFocus();
}

void SidesFeature::turnOpened(bool FirstSides::*which) {
    m_opened.*which = !(m_opened.*which);
    showOpened();
}

void SidesFeature::showOpened() {
    const Seen& seen = m_shell.seen();
    m_parts->leftTabs->setVisible(m_here != Place::Build);
    // Kernels alone need no tabs: lessons are at home, in the menu and the palette. Beside something else they have one.
    const QTabWidget& tabs = *m_parts->leftTabs;
    int pages = 0;
    for (int i = 0; i < tabs.count(); ++i)
        pages += tabs.isTabVisible(i);
    constexpr int always = 2; // kernels, lessons
    tabs.tabBar()->setVisible(seen.gallery && (tabs.currentIndex() > 0 || pages > always));
    m_parts->launch->setVisible(m_opened.launch);
    m_parts->facts->setVisible(m_opened.facts && seen.desk); // a class sees code alone
    m_parts->transport->setWhole(m_opened.time);
    fitRails(*m_parts, seen);
    m_shell.actions().check(QStringLiteral("launchFields"), showsLaunch());
    m_shell.actions().check(QStringLiteral("warpFacts"), m_opened.facts);
    m_shell.actions().check(QStringLiteral("allOfTime"), m_opened.time);
}

void SidesFeature::fold() {
    const bool away = !m_parts->leftDock->isFolded() || !m_parts->rightDock->isFolded();
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock})
        dock->setFolded(away);
}

void SidesFeature::reset() {
    putAtFirst(m_here);
    showOpened();
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

// Where each side can stand; by the mouse its title is dragged there.
void SidesFeature::offer(QVector<PaletteItem>& items) {
    for (SideDock* dock : {m_parts->leftDock, m_parts->rightDock}) {
        for (const QAction* place : dock->places()->actions())
            items.append({PaletteKind::Action,
                          tr("panel"),
                          dock->windowTitle(),
                          place->text(),
                          {},
                          place->text(),
                          [dock, text = place->text()] {
                              for (QAction* there : dock->places()->actions())
                                  if (there->text() == text)
                                      there->trigger();
                          }});
        const QString out = dock->isFloating() ? tr("back into the window") : tr("out of the window");
        items.append({PaletteKind::Action, tr("panel"), dock->windowTitle(), out, {}, out, [dock] {
                          dock->setFloating(!dock->isFloating());
                      }});
    }
}

void SidesFeature::readSettings(const QSettings& settings) {
    m_shell.window->restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    for (const NamedPlace& place : places) {
        const auto value = [&](const char* what) {
            return settings.value(QStringLiteral("%1/%2").arg(QLatin1String(place.name), QLatin1String(what)));
        };
        if (!value("docks").isValid())
            continue;
        Hand& hand = m_hands[place.place];
        hand = {.docks = value("docks").toByteArray(),
                .left = value("left").toByteArray(),
                .right = value("right").toByteArray(),
                .middle = value("middle").toByteArray(),
                .step = value("step").toByteArray(),
                .opened = {.left = value("showsLeft").toBool(),
                           .right = value("showsRight").toBool(),
                           .launch = value("showsLaunch").toBool(),
                           .facts = value("showsFacts").toBool(),
                           .time = value("showsTime").toBool()}};
    }
    m_parts->views->know(ViewArea::Groups(settings.value(QStringLiteral("viewGroups")).toUInt()));
    m_here = Place::None; // whatever stands there is put as it was
    refresh();
}

void SidesFeature::writeSettings(QSettings& settings) {
    keep();
    if (!m_shell.now().presenting) // the class room's is not the desk's
        settings.setValue(QStringLiteral("geometry"), m_shell.window->saveGeometry());
    for (const NamedPlace& place : places) {
        const auto hand = m_hands.constFind(place.place);
        if (hand == m_hands.cend())
            continue;
        const auto put = [&](const char* what, const QVariant& value) {
            settings.setValue(QStringLiteral("%1/%2").arg(QLatin1String(place.name), QLatin1String(what)), value);
        };
        put("docks", hand->docks);
        put("left", hand->left);
        put("right", hand->right);
        put("middle", hand->middle);
        put("step", hand->step);
        put("showsLeft", hand->opened.left);
        put("showsRight", hand->opened.right);
        put("showsLaunch", hand->opened.launch);
        put("showsFacts", hand->opened.facts);
        put("showsTime", hand->opened.time);
    }
    settings.setValue(QStringLiteral("viewGroups"), uint(m_parts->views->known().to_ulong()));
}

} // namespace warpglass
