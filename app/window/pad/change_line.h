// SPDX-License-Identifier: GPL-3.0-or-later
// One line over the editor: what became of the pinned run A, and the button that pins one. It stands wherever somebody
// puts it; what does not fit is in its tip, with all numbers.
#pragma once

#include "app/window/model/pinned_change.h"
#include "views/common/theme.h"

#include <QToolButton>
#include <QWidget>

namespace warpglass {

class ChangeLine : public QWidget {
    Q_OBJECT
public:
    explicit ChangeLine(QWidget* parent = nullptr);
    void showNothing();                     // that could be pinned
    void showUnpinned();                    // something is open
    void showAlone(const QString& nameOfA); // A is pinned, and is what is open
    void show(const QString& nameOfA, const PinnedChange& change);
    QString text() const; // as far as it is shown
    void setTheme(const Theme& theme);

signals:
    void pinWanted(); // or that A is let go

protected:
    void paintEvent(QPaintEvent*) override;
    void changeEvent(QEvent*) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

private:
    void refresh();
    QVector<PinnedChange::Part> shownParts() const; // those that have room, the first in any case
    QRectF room() const;
    enum class State { Nothing, Unpinned, Alone, Changed };
    State m_state = State::Nothing;
    QString m_name;
    PinnedChange m_change;
    QToolButton* m_pin;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
