// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QTimer>
#include <QWidget>

namespace warpglass {

// What the presenter alone sees, in a window of its own on the second screen: the step and the next one, the notes, the
// time of day and how long it has gone on.
class PresenterNotes : public QWidget {
    Q_OBJECT
public:
    explicit PresenterNotes(QWidget* parent);
    void begin(); // the clock starts at zero
    void setStep(const QString& place, const QString& title, const QString& notes, const QString& next);
    void setTheme(const Theme& theme);
    // To the first screen that the class does not see; false: there is no other one. Before it is shown.
    bool goToOtherScreen(const QWidget* presentation);
    void goToCorner(const QWidget* presentation); // of the one screen, and stay above what is presented
    QString notes() const { return m_notes->text(); }
    static QString elapsedText(qint64 ms); // "7:05", "1:02:03"

signals:
    void closed();

protected:
    void changeEvent(QEvent*) override;
    void closeEvent(QCloseEvent*) override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    void retranslate();
    void tick();
    QLabel *m_place, *m_title, *m_notes, *m_next, *m_clock, *m_since;
    QTimer m_timer;
    QElapsedTimer m_began;
};

} // namespace warpglass
