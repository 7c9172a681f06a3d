// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/present/present_feature.h"

#include "app/window/lesson/lesson_feature.h"
#include "app/window/window_parts.h"
#include "views/common/shown_words.h"

#include <QPainter>
#include <QPixmap>

namespace warpglass {

namespace {

constexpr qreal notesType = 1.3;
constexpr qreal codeType = 0.8; // of a class's type: lines of fifty letters beside the view

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

PresentFeature::PresentFeature(Shell& shell)
    : Feature(shell), m_overlay(new PresenterOverlay(shell.window)), m_notes(new PresenterNotes(shell.window)) {}

ActionSet::Deeds PresentFeature::deeds() {
    using Tool = PresenterOverlay::Tool;
    return {
        {"present", [this] { set(!m_shell.now().presenting); }},
        {"spotlight", [this] { m_overlay->toggle(Tool::Spotlight); }},
        {"pen", [this] { m_overlay->toggle(Tool::Pen); }},
        {"blackout", [this] { m_overlay->toggle(Tool::Blackout); }},
        {"presentCode", [this] { showCode(!m_shell.now().code); }},
        {"presenterNotes", [this] { showNotes(!m_notes->isVisible()); }},
    };
}

void PresentFeature::connectAll() {
    connect(m_overlay, &PresenterOverlay::toolChanged, this, &PresentFeature::checkTools);
    connect(m_notes, &PresenterNotes::closed, this,
            [this] { m_shell.actions().check(QStringLiteral("presenterNotes"), false); });
}

void PresentFeature::set(bool presenting) {
    Situation now = m_shell.now();
    if (presenting == now.presenting)
        return;
    m_shell.leaveStart();
    m_shell.clearNotes(); // they are none of the class's
    m_parts->rightDock->setForClass(false);
    if (presenting)
        m_tabAtDesk = m_parts->sourceTabs->currentIndex();
    now = m_shell.now();
    now.presenting = presenting;
    now.code = false;
    m_shell.become(now);
    m_parts->sourceTabs->setCurrentIndex(presenting ? 0 : m_tabAtDesk); // the source, if anything
    emit m_shell.sizeOfTypeChanged();
    QWidget* window = m_shell.window;
    if (presenting) {
        m_wasMaximised = window->isMaximized();
        window->showFullScreen();
        window->setCursor(largePointer(m_shell.theme));
        m_notes->begin();
        if (m_notes->goToOtherScreen(window)) // who has one screen asks for them
            showNotes(true);
    } else {
        m_wasMaximised ? window->showMaximized() : window->showNormal();
        window->unsetCursor();
        m_overlay->setTool(PresenterOverlay::Tool::None);
        m_overlay->clear();
        showNotes(false);
    }
    m_shell.focusView();
}

void PresentFeature::refresh() {
    checkTools();
    const LessonPlayer& lessons = m_shell.feature<LessonFeature>().player();
    const QString language = m_shell.language.name();
    if (!lessons.playing()) {
        m_notes->setStep(current() ? current()->name : QString(), m_parts->views->current()->view().title(), {}, {});
        return;
    }
    const auto& steps = lessons.current().steps;
    const int step = lessons.step();
    m_notes->setStep(
        tr("%1, step %2 of %3")
            .arg(lessons.current().title.in(language), QString::number(step + 1), QString::number(steps.size())),
        steps[step].title.in(language), shownText(steps[step].notes.in(language)),
        step + 1 < steps.size() ? steps[step + 1].title.in(language) : QString());
}

void PresentFeature::checkTools() {
    using Tool = PresenterOverlay::Tool;
    ActionSet& actions = m_shell.actions();
    actions.check(QStringLiteral("spotlight"), m_overlay->tool() == Tool::Spotlight);
    actions.check(QStringLiteral("pen"), m_overlay->tool() == Tool::Pen);
    actions.check(QStringLiteral("blackout"), m_overlay->tool() == Tool::Blackout);
    actions.check(QStringLiteral("presentCode"), m_shell.now().code);
}

void PresentFeature::setTheme(const Theme& theme) {
    if (m_shell.now().presenting)
        m_parts->source->setTheme(Theme::make(theme.kind, theme.fontScale * codeType));
    m_overlay->setColours(theme.wrong, QColor(0, 0, 0, 175), theme.fontScale);
    m_notes->setTheme(Theme::make(theme.kind, m_shell.fontScale * notesType));
}

// What lies over the window goes before the prediction does, and that before the class.
bool PresentFeature::escape() {
    if (m_overlay->tool() != PresenterOverlay::Tool::None)
        m_overlay->setTool(PresenterOverlay::Tool::None);
    else if (m_shell.now().presenting && !m_shell.now().predicting)
        set(false);
    else
        return false;
    return true;
}

void PresentFeature::showCode(bool code) {
    Situation now = m_shell.now();
    now.code = code && now.presenting;
    m_parts->rightDock->setForClass(now.code);
    m_shell.become(now);
}

void PresentFeature::showNotes(bool notes) {
    QWidget* window = m_shell.window;
    if (notes && !m_notes->isVisible() && !m_notes->goToOtherScreen(window))
        m_notes->goToCorner(window);
    m_notes->setVisible(notes);
    m_shell.actions().check(QStringLiteral("presenterNotes"), notes);
    if (notes)
        window->activateWindow(); // the remote's keys mean the presentation
}

} // namespace warpglass
