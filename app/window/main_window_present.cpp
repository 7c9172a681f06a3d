// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting: what the class sees fills the screen, the view and the step's text alone, in large type; what the presenter
// sees stands in a window of its own. A remote presses Page up and Page down.
#include "app/window/action_set.h"
#include "app/window/main_window.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/present/presenter_notes.h"
#include "app/window/present/presenter_overlay.h"
#include "app/window/window_parts.h"

#include <QPainter>
#include <QPixmap>

namespace warpglass {

namespace {

// A pointer that the last row of a class sees: a ring with a dot.
QCursor largePointer(const Theme& theme) {
    QPixmap pixmap(48, 48);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.window, 7));
    painter.drawEllipse(QPointF(24, 24), 17, 17);
    painter.setPen(QPen(theme.attention, 4));
    painter.drawEllipse(QPointF(24, 24), 17, 17);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.attention);
    painter.drawEllipse(QPointF(24, 24), 3.5, 3.5);
    return QCursor(pixmap, 24, 24);
}

} // namespace

void MainWindow::makePresenter() {
    m_overlay = new PresenterOverlay(this);
    m_notesWindow = new PresenterNotes(this);
    connect(m_overlay, &PresenterOverlay::toolChanged, this, &MainWindow::refreshPresenter);
    connect(m_notesWindow, &PresenterNotes::closed, this,
            [this] { m_actions->check(QStringLiteral("presenterNotes"), false); });
}

void MainWindow::setPresenting(bool presenting) {
    if (presenting == m_presenting)
        return;
    showStartPage(false);
    m_presenting = presenting;
    m_parts->views->message->clearNote(); // it is none of the class's
    m_parts->program->message->clearNote();
    showCode(false);
    if (presenting)
        m_tabAtDesk = m_parts->sourceTabs->currentIndex();
    m_parts->sourceTabs->setCurrentIndex(presenting ? 0 : m_tabAtDesk); // the source, if anything
    warpglass::setPresenting(*m_parts, presenting);
    refreshPrediction();
    applyTheme();
    if (presenting) {
        m_wasMaximised = isMaximized();
        showFullScreen();
        setCursor(largePointer(m_theme));
        m_notesWindow->begin();
        if (m_notesWindow->goToOtherScreen(this)) // who has one screen asks for them
            showNotes(true);
    } else {
        m_wasMaximised ? showMaximized() : showNormal();
        unsetCursor();
        m_overlay->setTool(PresenterOverlay::Tool::None);
        m_overlay->clear();
        showNotes(false);
    }
    focusView();
}

void MainWindow::refreshPresenter() {
    using Tool = PresenterOverlay::Tool;
    m_actions->check(QStringLiteral("spotlight"), m_overlay->tool() == Tool::Spotlight);
    m_actions->check(QStringLiteral("pen"), m_overlay->tool() == Tool::Pen);
    m_actions->check(QStringLiteral("blackout"), m_overlay->tool() == Tool::Blackout);
    m_actions->check(QStringLiteral("presentCode"), m_presentingCode);
    const QString language = m_language.name();
    if (!m_lessons.playing()) {
        m_notesWindow->setStep(current() ? current()->name : QString(), m_parts->views->current()->view().title(), {},
                               {});
        return;
    }
    const auto& steps = m_lessons.current().steps;
    const int step = m_lessons.step();
    m_notesWindow->setStep(
        tr("%1, step %2 of %3").arg(m_lessons.current().title.in(language)).arg(step + 1).arg(steps.size()),
        steps[step].title.in(language), shownText(steps[step].notes.in(language)),
        step + 1 < steps.size() ? steps[step + 1].title.in(language) : QString());
}

void MainWindow::showCode(bool code) {
    m_presentingCode = code && m_presenting;
    m_parts->rightDock->setForClass(m_presentingCode);
    refreshStory();
}

void MainWindow::showNotes(bool notes) {
    if (notes && !m_notesWindow->isVisible() && !m_notesWindow->goToOtherScreen(this))
        m_notesWindow->goToCorner(this);
    m_notesWindow->setVisible(notes);
    m_actions->check(QStringLiteral("presenterNotes"), notes);
    if (notes)
        activateWindow(); // the remote's keys mean the presentation
}

void MainWindow::goStep(int direction) {
    // What is asked is answered before a lesson goes on; without a lesson, so is what stands answered.
    const bool lesson = m_lessons.playing();
    if (direction > 0 && m_lessons.asking())
        answered({}, false); // as "Show me" does
    else if (direction > 0 && (m_predict->state() == PredictDesk::State::Asking || (!lesson && m_predict->on())))
        m_predict->onward();
    else if (lesson)
        startLesson(m_lessons.lesson(), m_lessons.step() + direction);
    else if (m_presenting && !m_predict->on())
        direction > 0 ? m_parts->transport->stepForward() : m_parts->transport->stepBack();
}

} // namespace warpglass
