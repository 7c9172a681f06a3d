// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lesson/lesson_feature.h"

#include "app/window/gallery/gallery_panel.h"
#include "app/window/model/session_memory.h"
#include "app/window/palette/command_palette.h"
#include "app/window/predict/predict_feature.h"
#include "app/window/view_registry.h"
#include "app/window/window_parts.h"
#include "views/common/shown_words.h"

#include <QApplication>

namespace warpglass {

namespace {
std::set<int> itemsOf(LaneMask lanes) {
    std::set<int> items;
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        if (lanes.has(lane))
            items.insert(lane);
    return items;
}
} // namespace

LessonFeature::LessonFeature(Shell& shell) : Feature(shell), m_panel(new LessonsPanel(m_parts->leftTabs)) {
    m_parts->leftTabs->addTab(m_panel, QString());
    load();
}

void LessonFeature::load() {
    QVector<Lesson> lessons;
    for (const QString& path : builtInLessonPaths()) {
        Result<Lesson> lesson = readLesson(path, viewKeys());
        if (lesson)
            lessons.append(std::move(*lesson));
        else
            m_parts->views->message->showError(lesson.error());
    }
    m_panel->setLessons(lessons);
    m_lessons.setLessons(std::move(lessons));
}

ActionSet::Deeds LessonFeature::deeds() {
    return {{"nextStep", [this] { m_shell.step(1); }},
            {"previousStep", [this] { m_shell.step(-1); }},
            {"askAgain", [this] { askAgain(); }},
            {"endLesson", [this] { leave(); }},
            {"lessons", [this] {
                 if (m_shell.now().arrangement == Arrangement::Build)
                     m_shell.arrange(Arrangement::Explore); // building has no room for it
                 m_shell.showPage(Front::Launch);
                 m_parts->leftDock->setFolded(false);
                 m_parts->leftTabs->setCurrentWidget(m_panel);
                 m_panel->setFocus();
             }}};
}

void LessonFeature::connectAll() {
    StepStrip* strip = m_parts->views->strip;
    PredictDesk& desk = m_shell.feature<PredictFeature>().desk();
    connect(m_panel, &LessonsPanel::stepChosen, this, qOverload<int, int>(&LessonFeature::start));
    connect(strip->previous, &QPushButton::clicked, action("previousStep"), &QAction::trigger);
    connect(strip->next, &QPushButton::clicked, action("nextStep"), &QAction::trigger);
    connect(strip, &StepStrip::ended, this, &LessonFeature::leave);
    connect(strip->again, &QPushButton::clicked, this, &LessonFeature::askAgain);
    connect(m_parts->views->question, &QuestionCard::answered, this, &LessonFeature::answered);
    connect(&m_shell, &Shell::elsewhere, this, &LessonFeature::leave);
    connect(m_bench, &Workbench::sightReached, this, &LessonFeature::showSight);
    connect(&desk, &PredictDesk::changed, this, [this, desk = &desk] {
        if (!desk->on() && m_lessons.predicting()) // who ends it wants to see
            m_lessons.answered();
    });
    connect(&desk, &PredictDesk::checked, this, [this] {
        if (m_lessons.predicting())
            m_lessons.answered();
        changed();
    });
    connect(m_bench, &Workbench::opened, this, [this] { m_parts->views->code->setCode(codeOf(*m_bench->trace())); });
    connect(&m_bench->selection(), &SelectionModel::changed, this, &LessonFeature::markLine);
    connect(m_bench, &Workbench::settled, this, [this, desk = &desk] { // the step's place is chosen
        markLine();
        if (m_lessons.predicting() && !desk->on())
            desk->start();
    });
}

void LessonFeature::retranslate() {
    m_parts->leftTabs->setTabText(m_parts->leftTabs->indexOf(m_panel), tr("Lessons"));
    // Once the views have said in the new language what they are.
    QMetaObject::invokeMethod(this, &LessonFeature::tellStory, Qt::QueuedConnection);
}

void LessonFeature::start(int lesson, int step) {
    if (lesson < 0 || lesson >= m_lessons.lessons().size() || step < 0 ||
        step >= m_lessons.lessons()[lesson].steps.size())
        return;
    m_shell.feature<PredictFeature>().desk().stop();
    std::optional<Wanted> wanted = m_lessons.go(lesson, step);
    if (!wanted)
        return;
    m_shell.arrange(Arrangement::Learn);
    m_shell.showPage(Front::Launch);
    m_parts->leftTabs->setCurrentWidget(m_panel);
    m_panel->setCurrent(lesson, step);
    m_given.clear();
    changed();
    m_bench->show(std::move(*wanted));
}

void LessonFeature::startAnew(int lesson) {
    m_lessons.askAgain();
    start(lesson, 0);
}

void LessonFeature::askAgain() {
    if (!m_lessons.playing() || !m_lessons.wasAsked())
        return;
    PredictDesk& desk = m_shell.feature<PredictFeature>().desk();
    desk.stop();
    m_lessons.askStepAgain();
    start(m_lessons.lesson(), m_lessons.step());
    if (m_lessons.predicting() && !desk.on() && !m_shell.busy()) // its run is there already, so nothing comes
        desk.start();
}

void LessonFeature::leave() {
    if (m_lessons.predicting())
        m_shell.feature<PredictFeature>().desk().stop();
    turn(m_lessons.leave([this](const QString& v, const QString& o) { return switchNow(v, o); }));
    m_panel->setCurrent(-1, -1);
    changed();
}

void LessonFeature::changed() {
    if (m_lessons.asking()) // what is asked stands there before the card is seen
        ask();
    Situation now = m_shell.now();
    now.asking = m_lessons.asking();
    now.lesson = m_lessons.playing();
    m_shell.become(now);
}

void LessonFeature::ask() {
    QuestionCard* card = m_parts->views->question;
    card->ask(*m_lessons.currentStep().ask, m_shell.language.name());
    QString code = current() ? codeOf(*m_bench->trace()) : QString();
    if (const TracePtr trace = m_bench->otherTrace()) // the question may be about either
        if (const QString second = codeOf(*trace); second != code)
            code += (code.isEmpty() ? QString() : QStringLiteral("\n")) + second;
    card->setCode(code);
}

void LessonFeature::answered(const QString& given, bool right) {
    if (!m_lessons.asking())
        return;
    m_lessons.answered();
    m_given = given;
    m_givenRight = right;
    const std::optional<LaneMask> lanes = m_lessons.currentStep().ask->lanes;
    changed();
    m_shell.focusView();
    const LaneMask said = m_parts->views->question->lanes();
    if (lanes && said != LaneMask::none() && !given.isEmpty() && !right) // what was said, and where it was not so
        m_shell.feature<PredictFeature>().desk().showGuess(itemsOf(said), itemsOf(*lanes));
}

// What is said of a question once it is answered; empty: the step asks none.
QString LessonFeature::answerText() const {
    const QString language = m_shell.language.name();
    if (const auto& predict = m_lessons.currentStep().predict)
        return predict->answer.in(language);
    if (!m_lessons.currentStep().ask)
        return {};
    QString answer = m_lessons.currentStep().ask->answer.in(language);
    if (m_given.isEmpty())
        return answer;
    return (m_givenRight ? tr("Right: %1.") : tr("You said %1, and that is not so.")).arg(m_given) + QLatin1Char(' ') +
           answer;
}

void LessonFeature::refresh() {
    StepStrip* strip = m_parts->views->strip;
    markLine();
    const QString language = m_shell.language.name();
    const bool asking = m_lessons.asking(), predicting = m_shell.now().predicting;
    if (asking)
        ask();
    tellStory();
    if (m_lessons.playing()) {
        const LessonStep& step = m_lessons.currentStep();
        const int steps = int(m_lessons.current().steps.size());
        if (asking || m_lessons.predicting())
            strip->showStep(step.title.in(language), {}, step.notes.in(language), m_lessons.step(), steps);
        else
            strip->showStep(step.title.in(language), shownText(step.text.in(language)),
                            shownText(step.notes.in(language)), m_lessons.step(), steps, shownText(answerText()),
                            m_lessons.wasAsked());
        return;
    }
    const CatalogueEntry* entry = current() ? findKernel(current()->name.toStdString()) : nullptr;
    if (entry && !predicting) // it says what the kernel is there to show
        strip->showStory(storyOf(*entry, language), documentsOf(*entry), referencesOf(*entry));
    else
        strip->showStory({}, {}, {});
}

// The line of the chosen warp at this moment, in the code beside the view.
void LessonFeature::markLine() {
    ViewArea* views = m_parts->views;
    const TracePtr trace = m_bench->trace();
    const Selection& here = m_bench->selection().get();
    if (!trace || !views->showsCode())
        return;
    int line = 0;
    if (here.warp < trace->warps.size()) {
        const Warp& warp = trace->warps[here.warp];
        if (const std::int64_t n = trace->eventAt(warp, here.time); n >= 0) {
            const Site& site = trace->sites[trace->events.site(std::size_t(warp.firstEvent) + std::size_t(n))];
            line = int(sourceLineOf(trace->kernelOf(trace->launches.front()), site));
        }
    }
    views->code->mark(line);
}

// Who hears the step's view hears the step, too: its answer and text stand in labels that no key leads to.
void LessonFeature::tellStory() {
    for (int i = 0; i < m_parts->views->count() && !m_shell.now().predicting; ++i) {
        ViewWidget* view = m_parts->views->at(i);
        QStringList words;
        if (m_lessons.playing() && !m_lessons.asking() && view->view().key() == m_lessons.currentStep().view)
            words << shownText(answerText()) << shownText(m_lessons.currentStep().text.in(m_shell.language.name()));
        words.removeAll(QString());
        words << view->view().question();
        if (const QString all = words.join(QLatin1Char('\n')); all != view->accessibleDescription())
            view->setAccessibleDescription(all);
    }
}

// The step's traces are there: its view and switches; the workbench chooses the place after it.
void LessonFeature::showSight(const Sight& sight) {
    if (!sight.lesson || !m_lessons.playing())
        return; // left while its run was on the way
    m_parts->views->showView(sight.view);
    Sight here = sight;
    here.view = m_parts->views->currentKey();
    turn(m_lessons.arrived(here, [this](const QString& v, const QString& o) { return switchNow(v, o); }));
}

void LessonFeature::turn(const QVector<SwitchChange>& changes) {
    for (const SwitchChange& change : changes)
        if (ViewWidget* view = m_parts->views->widget(change.view))
            view->setOption(change.option, change.value);
}

QVariant LessonFeature::switchNow(const QString& view, const QString& option) const {
    const ViewWidget* widget = m_parts->views->widget(view);
    return widget ? widget->context().options.value(option) : QVariant();
}

// What is asked is answered before a lesson goes on.
bool LessonFeature::step(int direction) {
    const PredictDesk& desk = m_shell.feature<PredictFeature>().desk();
    if (direction > 0 && (desk.state() == PredictDesk::State::Asking || (m_lessons.asking() && desk.on())))
        return false;
    if (direction > 0 && m_lessons.asking())
        answered({}, false); // as "Show me" does
    else if (m_lessons.playing())
        start(m_lessons.lesson(), m_lessons.step() + direction);
    else
        return false;
    return true;
}

bool LessonFeature::takeKeys() {
    QuestionCard* card = m_parts->views->question;
    if (!card->isVisible())
        return false;
    if (!card->isAncestorOf(QApplication::focusWidget()))
        card->takeKeys();
    return true;
}

void LessonFeature::remember(SessionMemory& memory) const {
    if (!m_lessons.playing())
        return;
    memory.lesson = m_lessons.current().name;
    memory.step = m_lessons.step();
}

bool LessonFeature::resume(const SessionMemory& memory) {
    const int lesson = memory.lesson.isEmpty() ? -1 : m_lessons.find(memory.lesson);
    if (lesson < 0)
        return false;
    start(lesson, std::min(memory.step, int(m_lessons.lessons()[lesson].steps.size()) - 1));
    return true;
}

void LessonFeature::offer(QVector<PaletteItem>& items) {
    const QString language = m_shell.language.name(), other = m_shell.language.otherName();
    for (int i = 0; i < m_lessons.lessons().size(); ++i) {
        const Lesson& lesson = m_lessons.lessons()[i];
        items.append({PaletteKind::Lesson,
                      tr("lesson"),
                      lesson.title.in(language),
                      lesson.summary.in(language),
                      {},
                      lesson.title.in(other) + QLatin1Char('\n') + lesson.summary.in(other),
                      [this, i] { start(i, 0); }});
        for (int s = 0; s < lesson.steps.size(); ++s)
            items.append({PaletteKind::Step,
                          tr("step"),
                          lesson.steps[s].title.in(language),
                          lesson.title.in(language),
                          {},
                          lesson.steps[s].title.in(other) + QLatin1Char('\n') + lesson.title.in(other),
                          [this, i, s] { start(i, s); }});
    }
}

} // namespace warpglass
