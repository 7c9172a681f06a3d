// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/exercise/exercise_feature.h"

#include "app/window/gallery/gallery_feature.h"
#include "app/window/launch/launch_feature.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/pad/pad_feature.h"
#include "app/window/palette/command_palette.h"
#include "app/window/window_parts.h"

#include <QMessageBox>

namespace warpglass {

ExerciseFeature::ExerciseFeature(Shell& shell)
    : Feature(shell), m_desk(new ExerciseDesk(this)), m_page(new ExercisePage(m_desk, m_parts->leftTabs)) {
    m_parts->leftTabs->addTab(m_page, QString());
    m_parts->leftTabs->setTabVisible(m_parts->leftTabs->indexOf(m_page), false);
}

QVector<QPair<LocalText, LocalText>> ExerciseFeature::titlesAndSummaries() const {
    QVector<QPair<LocalText, LocalText>> rows;
    for (const session::Exercise& e : m_desk->all())
        rows.append({{QString::fromStdString(e.title.en), QString::fromStdString(e.title.zh)},
                     {QString::fromStdString(e.summary.en), QString::fromStdString(e.summary.zh)}});
    return rows;
}

void ExerciseFeature::connectAll() {
    LessonsPanel* lessons = m_shell.feature<LessonFeature>().panel();
    auto& pad = m_shell.feature<PadFeature>();
    lessons->setExercises(titlesAndSummaries());
    connect(lessons, &LessonsPanel::exerciseChosen, this, &ExerciseFeature::start);
    connect(m_shell.feature<GalleryFeature>().panel(), &GalleryPanel::exerciseChosen, this, &ExerciseFeature::start);
    connect(m_desk, &ExerciseDesk::failed, &m_shell, &Shell::fail);
    const auto tellWalls = [this] {
        if (m_desk->grade())
            m_shell.tellMissingWalls();
    };
    connect(m_desk, &ExerciseDesk::changed, this, [this, tellWalls] {
        tellWalls();
        m_parts->leftTabs->setTabVisible(m_parts->leftTabs->indexOf(m_page), m_desk->current());
        if (Situation now = m_shell.now(); now.exercise != (m_desk->current() != nullptr)) {
            now.exercise = !now.exercise;
            m_shell.become(now);
        }
    });
    connect(m_bench, &Workbench::settled, this, tellWalls);
    connect(&pad, &PadFeature::replaced, m_desk, &ExerciseDesk::leave);
    connect(pad.panel(), &PadPanel::lookedAt, this, &ExerciseFeature::judge);
    connect(m_page, &ExercisePage::lineChosen, this, [shown = &pad](int line) {
        shown->show();
        shown->panel()->goToLine(line);
    });
    connect(m_page, &ExercisePage::left, this, [this, lessons] {
        m_desk->leave();
        m_parts->leftDock->setFolded(false); // to the list of all
        m_parts->leftTabs->setCurrentWidget(lessons);
        lessons->showExercises();
    });
    connect(m_page->grade, &QPushButton::clicked, this, [this] { judge(nullptr); });
    connect(m_page->solution, &QPushButton::clicked, this, &ExerciseFeature::showSolution);
}

void ExerciseFeature::refresh() {
    if (m_shell.seen().mode == WindowMode::Exercise) // its page is all that the left side has
        m_parts->leftTabs->setCurrentWidget(m_page);
}

void ExerciseFeature::retranslate() {
    m_parts->leftTabs->setTabText(m_parts->leftTabs->indexOf(m_page), tr("Exercise"));
}

void ExerciseFeature::judge(const std::shared_ptr<const session::CompiledText>& compiled) {
    const PadPanel* pad = m_shell.feature<PadFeature>().panel();
    m_desk->judge(pad->path(), pad->text(), compiled);
}

void ExerciseFeature::start(int exercise) {
    auto& pad = m_shell.feature<PadFeature>();
    if (exercise < 0 || exercise >= int(m_desk->all().size()) || !pad.mayLeave())
        return;
    m_shell.goElsewhere();
    m_shell.showPage(Front::Launch);
    m_desk->open(exercise);
    m_shell.arrange(Arrangement::Learn);
    openInPad(m_desk->current()->starter);
    m_parts->leftDock->setFolded(false);
    m_parts->leftTabs->setCurrentWidget(m_page);
    pad.show();
}

void ExerciseFeature::openInPad(const session::ExerciseSource& source) {
    const session::Exercise& exercise = *m_desk->current();
    RunRequest like = m_shell.feature<LaunchFeature>().request();
    like.backend = "emulator";
    like.options.device = exercise.launches.front().request.options.device;
    m_shell.feature<PadFeature>().panel()->openText(QString::fromStdString(source.name),
                                                    QString::fromStdString(source.text), padSettingsOf(exercise), like,
                                                    source.compiled);
}

void ExerciseFeature::showSolution() {
    if (!m_desk->current())
        return;
    auto* ask = new QMessageBox(QMessageBox::Question, tr("The solution"),
                                tr("Show the solution in the place of what you have written?"),
                                QMessageBox::Yes | QMessageBox::No, m_shell.window);
    ask->setObjectName(QStringLiteral("askSolution"));
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setDefaultButton(QMessageBox::No);
    ask->button(QMessageBox::Yes)->setText(tr("Show it"));
    ask->button(QMessageBox::No)->setText(tr("Not yet"));
    connect(ask, &QMessageBox::finished, this, [this](int answer) {
        if (answer == QMessageBox::Yes && m_desk->current())
            openInPad(m_desk->current()->solution);
    });
    ask->open();
}

void ExerciseFeature::offer(QVector<PaletteItem>& items) {
    const std::string said = m_shell.language.name().toStdString(), unsaid = m_shell.language.otherName().toStdString();
    for (int i = 0; i < int(m_desk->all().size()); ++i) {
        const session::Exercise& e = m_desk->all()[std::size_t(i)];
        items.append({PaletteKind::Exercise,
                      tr("exercise"),
                      QString::fromStdString(e.title.in(said)),
                      QString::fromStdString(e.summary.in(said)),
                      {},
                      QString::fromStdString(e.title.in(unsaid) + "\n" + e.summary.in(unsaid)),
                      [this, i] { start(i); }});
    }
}

} // namespace warpglass
