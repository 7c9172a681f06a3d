// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of model/actions.h as Qt's: shortcuts of a window, menus, and the help about keys.
#pragma once

#include "app/window/model/actions.h"

#include <QAction>
#include <QMap>
#include <QMenu>
#include <QPair>
#include <QVector>

#include <functional>

namespace warpglass {

class ActionSet {
public:
    // What each action does, by name; every row of the table but a submenu needs one, and each numbered view.
    using Deeds = QMap<QString, std::function<void()>>;

    // Adds the actions to the window, which owns them, and makes the menus.
    ActionSet(QWidget* window, const Deeds& deeds);

    QAction* at(const QString& name) const { return m_actions.value(name); } // null if there is none
    QMenu* menu() const { return m_menu; }                                   // all of them, below one button
    QMenu* subMenu(const char* name) const { return m_subMenus.value(QLatin1String(name)); }

    void enable(const std::function<bool(Needs)>& there);
    void check(const QString& name, bool on);
    void retranslate();
    QVector<QPair<QString, QString>> keys() const; // what to press, what it does

private:
    QMap<QString, QAction*> m_actions;
    QMap<QString, QMenu*> m_subMenus;
    QMap<MenuPlace, QMenu*> m_menus;
    QMenu* m_menu;
};

} // namespace warpglass
