// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include "app/window/panels/quiet_list.h"

namespace warpglass {

// A list to choose from: a number, a name, and below it in small type what it is about. A click or Enter chooses.
class StartList : public QuietList {
    Q_OBJECT
public:
    struct Row {
        QString number, name, about;
    };
    explicit StartList(const char* name, QWidget* parent = nullptr);
    void setRows(const QVector<Row>& rows);
    void setTheme(const Theme& theme);
    const Theme& theme() const { return m_theme; }
    const Row& row(int index) const { return m_rows[index]; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(int row);

protected:
    void focusInEvent(QFocusEvent*) override; // the arrows need somewhere to begin
    bool event(QEvent*) override;

private:
    QVector<Row> m_rows;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
