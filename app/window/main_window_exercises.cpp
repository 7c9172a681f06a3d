// SPDX-License-Identifier: GPL-3.0-or-later
// An exercise in the pad: what is written there is graded after each pause in the typing.
#include "app/window/exercise/exercise_page.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"

#include <QMessageBox>

namespace warpglass {

void MainWindow::connectExercises() {
    const WindowParts& p = *m_parts;
    m_exercisePage = new ExercisePage(m_exercises, p.leftTabs);
    p.leftTabs->addTab(m_exercisePage, QString());
    p.leftTabs->setTabVisible(p.leftTabs->indexOf(m_exercisePage), false);
    QVector<QPair<LocalText, LocalText>> rows;
    for (const session::Exercise& e : m_exercises->all())
        rows.append({{QString::fromStdString(e.title.en), QString::fromStdString(e.title.zh)},
                     {QString::fromStdString(e.summary.en), QString::fromStdString(e.summary.zh)}});
    p.lessons->setExercises(rows);
    p.start->setExercises(rows);
    connect(p.lessons, &LessonsPanel::exerciseChosen, this, &MainWindow::startExercise);
    connect(p.gallery, &GalleryPanel::exerciseChosen, this, &MainWindow::startExercise);
    connect(m_exercises, &ExerciseDesk::failed, this, &MainWindow::showFailure);
    connect(m_exercises, &ExerciseDesk::changed, this, [this] {
        const WindowParts& parts = *m_parts;
        nameExerciseTab();
        tellMissingWalls();
        parts.leftTabs->setTabVisible(parts.leftTabs->indexOf(m_exercisePage), m_exercises->current());
    });
    connect(p.pad, &PadPanel::lookedAt, this, [this](const std::shared_ptr<const session::CompiledText>& compiled) {
        m_exercises->judge(m_parts->pad->path(), m_parts->pad->text(), compiled);
    });
    connect(m_exercisePage, &ExercisePage::lineChosen, this, [this](int line) {
        showPad(*m_parts);
        m_parts->pad->goToLine(line);
    });
    connect(m_exercisePage, &ExercisePage::left, this, [this] {
        m_exercises->leave();
        m_parts->leftTabs->setCurrentWidget(m_parts->lessons);
        m_parts->lessons->showExercises();
    });
    connect(m_exercisePage->grade, &QPushButton::clicked, this,
            [this] { m_exercises->judge(m_parts->pad->path(), m_parts->pad->text(), nullptr); });
    connect(m_exercisePage->solution, &QPushButton::clicked, this, &MainWindow::showSolution);
}

void MainWindow::nameExerciseTab() {
    m_parts->leftTabs->setTabText(m_parts->leftTabs->indexOf(m_exercisePage), tr("Exercise"));
}

void MainWindow::startExercise(int exercise) {
    if (exercise < 0 || exercise >= int(m_exercises->all().size()) || !mayLeavePad())
        return;
    leaveLesson();
    showProgramPage(false);
    m_exercises->open(exercise);
    openInPad(m_exercises->current()->starter);
    m_parts->leftDock->setFolded(false);
    m_parts->leftTabs->setCurrentWidget(m_exercisePage);
    showPad(*m_parts);
}

void MainWindow::openInPad(const session::ExerciseSource& source) {
    const session::Exercise& exercise = *m_exercises->current();
    RunRequest like = m_parts->launch->request();
    like.backend = "emulator";
    like.options.device = exercise.launches.front().request.options.device;
    m_parts->pad->openText(QString::fromStdString(source.name), QString::fromStdString(source.text),
                           padSettingsOf(exercise), like, source.compiled);
}

void MainWindow::showSolution() {
    if (!m_exercises->current())
        return;
    auto* ask = new QMessageBox(QMessageBox::Question, tr("The solution"),
                                tr("Show the solution in the place of what you have written?"),
                                QMessageBox::Yes | QMessageBox::No, this);
    ask->setObjectName(QStringLiteral("askSolution"));
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setDefaultButton(QMessageBox::No);
    ask->button(QMessageBox::Yes)->setText(tr("Show it"));
    ask->button(QMessageBox::No)->setText(tr("Not yet"));
    connect(ask, &QMessageBox::finished, this, [this](int answer) {
        if (answer == QMessageBox::Yes && m_exercises->current())
            openInPad(m_exercises->current()->solution);
    });
    ask->open();
}

} // namespace warpglass
