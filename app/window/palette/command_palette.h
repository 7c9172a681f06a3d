// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/search.h"
#include "views/common/theme.h"

#include <QFrame>
#include <QLineEdit>
#include <QListWidget>

#include <functional>

namespace warpglass {

// What the list begins with, and what it ends with, as long as nothing is typed.
enum class PaletteKind : std::uint8_t { File, View, Kernel, Recording, Lesson, Pad, Exercise, Step, Action };

// One thing a person can have: a view, a kernel, a lesson, a file, an action.
struct PaletteItem {
    PaletteKind order;
    QString kind;        // "view", "kernel": translated
    QString name, about; // about: one line, may be empty
    QString keys;        // its shortcut, may be empty
    QString words;       // more to find it by: its name in English, a summary in the other language
    std::function<void()> does;
};

// Everything by its name (Ctrl+K): a field and what it finds, over the window. The arrows move in the list, Return or a
// click takes; Esc, a click elsewhere, and whatever takes the keys from it close.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* window);
    void open(QVector<PaletteItem> items);
    void setTheme(const Theme& theme);
    const Theme& theme() const { return m_theme; }
    const PaletteItem& item(int index) const { return m_items[index]; }
    int count() const { return int(m_items.size()); } // whatever is typed

signals:
    void closed(); // whatever came of it

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void place();
    void find(const QString& typed);
    void take();
    void close();
    void say(); // that nothing is found
    QLineEdit* m_field;
    QListWidget* m_list;
    QVector<PaletteItem> m_items;
    QVector<Findable> m_findable;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
