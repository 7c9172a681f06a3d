// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/action_set.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QWidget>

namespace warpglass {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

QList<QKeySequence> sequences(const char* keys) {
    QList<QKeySequence> all;
    for (const QString& one : QString::fromLatin1(keys).split(QLatin1Char(' '), Qt::SkipEmptyParts))
        all << QKeySequence(one, QKeySequence::PortableText);
    return all;
}

} // namespace

ActionSet::ActionSet(QWidget* window, const Deeds& deeds) : m_menu(new QMenu(window)) {
    const auto add = [&](const QString& name, const QList<QKeySequence>& keys) {
        auto* action = new QAction(window);
        action->setObjectName(name);
        action->setShortcuts(keys);
        QObject::connect(action, &QAction::triggered, window, [does = deeds.value(name)] { does(); });
        window->addAction(action);
        m_actions[name] = action;
        return action;
    };
    QMap<MenuPlace, QActionGroup*> groups;
    for (const ActionRow& row : actionTable()) {
        const QString name = QString::fromLatin1(row.name);
        QMenu*& menu = m_menus[row.menu];
        if (!menu && row.menu != MenuPlace::None)
            menu = m_menu->addMenu(QString());
        if (row.line && menu)
            menu->addSeparator();
        if (row.kind == ActionKind::SubMenu) {
            if (menu)
                m_subMenus[name] = menu->addMenu(QString());
            continue;
        }
        if (!deeds.contains(name))
            continue; // nothing to press rather than something that does nothing
        QAction* action = add(name, sequences(row.keys));
        action->setCheckable(row.kind != ActionKind::Plain);
        if (row.kind == ActionKind::Radio) {
            QActionGroup*& group = groups[row.menu];
            if (!group)
                group = new QActionGroup(window);
            group->addAction(action);
        }
        if (menu)
            menu->addAction(action);
    }
    for (int i = 0; i < numberedViews && deeds.contains(viewAction(i)); ++i)
        add(viewAction(i), {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i))});
    enable([](Needs needs) { return needs == Needs::Nothing; });
    retranslate();
}

void ActionSet::enable(const std::function<bool(Needs)>& there) {
    for (const ActionRow& row : actionTable())
        if (QAction* action = at(QString::fromLatin1(row.name)))
            action->setEnabled(there(row.needs));
}

void ActionSet::check(const QString& name, bool on) {
    if (QAction* action = at(name))
        action->setChecked(on);
}

void ActionSet::retranslate() {
    for (const ActionRow& row : actionTable()) {
        const QString text = Text::tr(row.text);
        if (QAction* action = at(QString::fromLatin1(row.name)))
            action->setText(text);
        else if (QMenu* menu = subMenu(row.name))
            menu->setTitle(text);
    }
    for (auto it = m_menus.cbegin(); it != m_menus.cend(); ++it)
        if (it.value())
            it.value()->setTitle(Text::tr(title(it.key())));
}

QVector<QPair<QString, QString>> ActionSet::keys() const {
    QVector<QPair<QString, QString>> keys;
    for (const ActionRow& row : actionTable()) {
        QStringList texts;
        for (const QKeySequence& key : sequences(row.keys))
            texts << key.toString(QKeySequence::NativeText);
        if (!texts.isEmpty())
            keys.append({texts.join(QStringLiteral(", ")), Text::tr(row.text)});
    }
    for (const KeyRow& row : otherKeys())
        keys.append({Text::tr(row.keys), Text::tr(row.text)});
    return keys;
}

} // namespace warpglass
