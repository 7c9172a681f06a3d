// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/model/select_spec.h"
#include "app/window/view_registry.h"

#include <QPainter>
#include <QPixmap>

namespace warpglass {

void MainWindow::loadLessons() {
    const QStringList views = viewKeys();
    for (const QString& path : builtInLessonPaths()) {
        Result<Lesson> lesson = readLesson(path, views);
        if (lesson)
            m_lessons.append(std::move(*lesson));
        else
            m_views->message->showError(lesson.error());
    }
    m_lessonsPanel->setLessons(m_lessons);
}

void MainWindow::startLesson(const QString& name) {
    for (int i = 0; i < m_lessons.size(); ++i) {
        if (m_lessons[i].name == name)
            startLesson(i, 0);
    }
}

void MainWindow::startLesson(int lesson, int step) {
    if (lesson < 0 || lesson >= m_lessons.size() || step < 0 || step >= m_lessons[lesson].steps.size())
        return;
    const bool follows = m_lesson == lesson && m_step >= 0;
    const int before = m_step;
    m_lesson = lesson;
    m_step = step;
    m_leftTabs->setCurrentWidget(m_lessonsPanel);
    m_lessonsPanel->setCurrent(lesson, step);
    showStepText();

    // The run a step is about: its own, or that of the nearest step before it that has one.
    const auto runOf = [this, lesson](int index) {
        const QVector<LessonStep>& steps = m_lessons[lesson].steps;
        while (index > 0 && !steps[index].run)
            --index;
        return index;
    };
    const LessonStep& wanted = m_lessons[lesson].steps[runOf(step)];
    const LessonStep& now = m_lessons[lesson].steps[step];
    std::optional<RunSource> other;
    if (now.compare)
        other = RunSource(*now.compare);
    const bool sameRun = follows && !m_stepWaiting && m_current && runOf(before) == runOf(step);
    if (sameRun && !other && !m_other) {
        applyStep();
        return;
    }
    m_stepWaiting = true;
    if (sameRun)
        m_job->start(m_current, other);
    else
        m_job->start(*wanted.run, other);
}

void MainWindow::showStepText() {
    const Lesson& lesson = m_lessons[m_lesson];
    const LessonStep& step = lesson.steps[m_step];
    const QString language = m_language.name();
    m_views->strip->showStep(step.title.in(language), step.text.in(language), step.notes.in(language), m_step,
                             int(lesson.steps.size()));
}

// View, switches, selection and time of the step, once its trace is there.
void MainWindow::applyStep() {
    const LessonStep& step = m_lessons[m_lesson].steps[m_step];
    if (!step.view.isEmpty())
        m_views->showView(step.view);
    if (ViewWidget* view = m_views->current()) {
        for (auto it = step.options.cbegin(); it != step.options.cend(); ++it)
            view->setOption(it.key(), it.value());
    }
    if (step.select.isEmpty() || !m_current)
        return;
    const Result<SelectSpec> spec = parseSelect(step.select, *m_current->trace);
    if (!spec) {
        Error error = spec.error();
        error.file = m_lessons[m_lesson].name.toStdString();
        m_views->message->showError(error);
        return;
    }
    Selection selection = spec.value().selection;
    if (!spec.value().hasTime)
        selection.time = m_selection->get().time;
    m_selection->set(completed(selection, *m_current->trace));
}

void MainWindow::showClaim(const ClaimTarget& target, bool inView) {
    leaveLesson();
    m_claim = target;
    if (!inView)
        m_claim->view.clear();
    const auto same = [](const RunRequest& a, const RunRequest& b) {
        return a.kernel == b.kernel && a.backend == "emulator" && b.backend == "emulator" &&
               a.launch.size == b.launch.size && a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
               a.launch.mode == b.launch.mode && a.launch.set == b.launch.set && a.accesses == b.accesses &&
               a.options.device == b.options.device && a.options.timing == b.options.timing;
    };
    const auto shows = [&](const RunPtr& run, const std::optional<RunRequest>& wanted) {
        return !wanted ? !run : run && run->request && same(*run->request, *wanted);
    };
    if (!target.run || (shows(m_current, target.run) && shows(m_other, target.compare))) {
        applyClaim();
        return;
    }
    std::optional<RunSource> other;
    if (target.compare)
        other = RunSource(*target.compare);
    m_job->start(*target.run, other);
}

// The view in which the claim is seen, its switches, and the place that makes the number.
void MainWindow::applyClaim() {
    const ClaimTarget target = *m_claim;
    m_claim.reset();
    if (target.view.isEmpty())
        return;
    m_views->showView(target.view);
    if (ViewWidget* view = m_views->widget(target.view))
        for (auto it = target.options.cbegin(); it != target.options.cend(); ++it)
            view->setOption(it.key(), it.value());
    if (target.run && m_current)
        m_selection->set(completed(placeOf(*m_current->trace, target.metric, m_selection->get()), *m_current->trace));
}

void MainWindow::leaveLesson() {
    m_lesson = m_step = -1;
    m_stepWaiting = false;
    m_lessonsPanel->setCurrent(-1, -1);
    refreshStory();
}

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

void MainWindow::setPresenting(bool presenting) {
    if (presenting == m_presenting)
        return;
    m_presenting = presenting;
    m_top->setVisible(!presenting);
    m_left->setVisible(!presenting);
    m_right->setVisible(!presenting);
    m_transport->setVisible(!presenting);
    m_views->setPresenting(presenting);
    m_comparePanel->setVisible(m_other && !presenting);
    applyTheme();
    if (presenting) {
        m_wasMaximised = isMaximized();
        showFullScreen();
        setCursor(largePointer(m_theme));
    } else {
        m_wasMaximised ? showMaximized() : showNormal();
        unsetCursor();
    }
    if (m_views->current())
        m_views->current()->setFocus();
}

} // namespace warpglass
