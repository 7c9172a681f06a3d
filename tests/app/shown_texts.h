// SPDX-License-Identifier: GPL-3.0-or-later
// Every text that a window shows now, with where it stands: widgets, lists, tabs, actions, tool tips, what screen
// readers are told, and what the views paint.
#pragma once

#include "app/window/main_window.h"
#include "app/window/panels/question_card.h"
#include "app/window/window_parts.h"
#include "views/common/page.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocument>
#include <QTextDocumentFragment>

namespace warpglass {

struct ShownText {
    QString where, text;
    bool operator==(const ShownText&) const = default;
};

inline void addShown(QVector<ShownText>& all, const QString& where, const QString& text) {
    const QString plain = Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
    if (!plain.trimmed().isEmpty())
        all.append({where, plain});
}

inline QVector<ShownText> textsOfWidget(const QWidget* widget) {
    QVector<ShownText> all;
    QString where = QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    const auto add = [&](const char* what, const QString& text) {
        addShown(all, where + QLatin1Char(' ') + QLatin1String(what), text);
    };
    add("tool tip", widget->toolTip());
    add("accessible name", widget->accessibleName());
    add("accessible description", widget->accessibleDescription());
    if (widget->isWindow() || qobject_cast<const QDockWidget*>(widget))
        add("title", widget->windowTitle());
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        add("text", label->text());
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
        add("text", button->text());
    if (const auto* line = qobject_cast<const QLineEdit*>(widget))
        add("placeholder", line->placeholderText());
    if (const auto* box = qobject_cast<const QComboBox*>(widget))
        for (int i = 0; i < box->count(); ++i) {
            add("choice", box->itemText(i));
            add("choice's tip", box->itemData(i, Qt::ToolTipRole).toString());
        }
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
        for (int i = 0; i < tabs->count(); ++i) {
            add("tab", tabs->tabText(i));
            add("tab's tip", tabs->tabToolTip(i));
        }
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    if (view && view->model() && !qobject_cast<const QComboBox*>(widget->parentWidget())) {
        const QAbstractItemModel* model = view->model();
        for (int column = 0; column < model->columnCount(); ++column)
            add("heading", model->headerData(column, Qt::Horizontal).toString());
        QVector<QModelIndex> parents{QModelIndex()};
        while (!parents.isEmpty()) {
            const QModelIndex parent = parents.takeLast();
            for (int row = 0; row < model->rowCount(parent); ++row)
                for (int column = 0; column < model->columnCount(parent); ++column) {
                    const QModelIndex at = model->index(row, column, parent);
                    add("item", at.data().toString());
                    add("item's tip", at.data(Qt::ToolTipRole).toString());
                    if (column == 0 && model->hasChildren(at))
                        parents.append(at);
                }
        }
    }
    return all;
}

// Of a whole window; but not of what is code or a person's own: editors, and the views, which are asked by themselves.
inline QVector<ShownText> textsOfWindow(const QWidget* window) {
    QVector<ShownText> all = textsOfWidget(window);
    const auto* card = window->findChild<QuestionCard*>();
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
        if (qobject_cast<const QMenu*>(widget))
            continue; // by their actions
        if (card && card->isHidden() && card->isAncestorOf(widget))
            continue; // what was asked stays in it until it is shown again
        all += textsOfWidget(widget);
    }
    for (const QAction* action : window->findChildren<QAction*>()) {
        addShown(all, QStringLiteral("action ") + action->objectName(), action->text());
        if (action->toolTip() != action->text())
            addShown(all, QStringLiteral("action's tip ") + action->objectName(), action->toolTip());
    }
    for (const QMenu* menu : window->findChildren<QMenu*>())
        addShown(all, QStringLiteral("menu"), menu->title());
    return all;
}

// Of a view: its names, its switches, what it paints, and what it says of what is under the pointer.
inline QVector<ShownText> textsOfView(const View& view, const PaintContext& context, QSize size) {
    QVector<ShownText> all;
    const QString where = QStringLiteral("view ") + view.key();
    addShown(all, where, view.title());
    addShown(all, where, view.question());
    for (const Switch& one : view.switches(context)) {
        addShown(all, where + QStringLiteral(" switch"), one.label);
        for (const auto& choice : one.choices)
            addShown(all, where + QStringLiteral(" choice"), choice.second);
    }
    const Page page = composePage(view, context, size);
    if (const Emptiness* empty = page.picture->emptiness()) {
        addShown(all, where + QStringLiteral(" empty"), empty->why);
        addShown(all, where + QStringLiteral(" action"), empty->actionText);
    }
    const QString svg = QString::fromUtf8(svgOf(page));
    static const QRegularExpression text(QStringLiteral("<(?:text|title|desc)[^>]*>([^<]*)<"));
    for (auto at = text.globalMatch(svg); at.hasNext();)
        all.append(
            {where + QStringLiteral(" paints"), QTextDocumentFragment::fromHtml(at.next().captured(1)).toPlainText()});
    for (int y = 4; y < size.height(); y += 16)
        for (int x = 4; x < size.width(); x += 16)
            if (const QString tip = page.picture->spotAt(QPointF(x, y)).toolTip;
                !tip.isEmpty() && (all.isEmpty() || all.last().text != tip))
                all.append({where + QStringLiteral(" tool tip"), tip});
    return all;
}

} // namespace warpglass
