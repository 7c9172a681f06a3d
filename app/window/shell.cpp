// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell.h"

#include "app/window/feature.h"
#include "app/window/window_parts.h"
#include "gpu/cage/walls.h"
#include "views/common/sentences.h"

#include <QSettings>

namespace warpglass {

Shell::Shell(QMainWindow* w)
    : QObject(w), window(w), bench(new Workbench(this)), programs(new ProgramDesk(this)),
      parts(std::make_unique<WindowParts>(buildParts(w, &bench->selection()))) {
    addPage(Front::Launch, {.widget = parts->columns, .message = parts->views->message});
}

Shell::~Shell() = default;

void Shell::add(std::unique_ptr<Feature> feature) {
    m_features.push_back(std::move(feature));
}

void Shell::start() {
    finish(*parts);
    ActionSet::Deeds deeds;
    for (const auto& feature : m_features)
        deeds.insert(feature->deeds());
    for (int i = 0; i < std::min(numberedViews, parts->views->count()); ++i)
        deeds[viewAction(i)] = [this, i] {
            showPage(Front::Launch);
            parts->views->showView(i);
        };
    m_actions = std::make_unique<ActionSet>(window, deeds);
    connectBench();
    for (const auto& feature : m_features)
        feature->connectAll();
    connect(bench, &Workbench::opened, this, [this] { // behind all that have put something up
        refresh();
        if (std::exchange(m_turned, false))
            focusView();
    });
    connect(bench, &Workbench::settled, this, &Shell::shown);
    retranslate();
    readSettings();
    refresh();
}

void Shell::readSettings() {
    const QSettings settings;
    for (const auto& feature : m_features)
        feature->readSettings(settings);
    parts->views->showView(settings.value(QStringLiteral("view")).toString());
    emit settingsRead();
}

void Shell::writeSettings() {
    QSettings settings;
    settings.setValue(QStringLiteral("view"), parts->views->currentKey());
    for (const auto& feature : m_features)
        feature->writeSettings(settings);
}

QAction* Shell::action(const QString& name) const {
    return m_actions->at(name);
}

void Shell::connectBench() {
    connect(bench, &Workbench::opened, this, &Shell::showOpened);
    connect(bench, &Workbench::failed, this, &Shell::fail);
    connect(bench, &Workbench::turns, this,
            [this](std::uint32_t warp, int line) { message()->showTurning(warp, line); });
    connect(bench, &Workbench::stopped, this, [this] { message()->showNote(tr("The run was stopped.")); });
    connect(bench, &Workbench::progressed, this,
            [this](double fraction) { message()->showProgress(fraction, bench->opening(), bench->whyStep()); });
    for (const Front page : {Front::Launch, Front::Program, Front::Start})
        if (const MessageBar* bar = m_pages[int(page)].message)
            connect(bar, &MessageBar::stopRequested, this, [this] { bench->stop() || programs->stop(); });
    for (int i = 0; i < parts->views->count(); ++i) // after it was painted
        connect(parts->views->at(i), &ViewWidget::composed, bench, &Workbench::findMoments, Qt::QueuedConnection);
    connect(&bench->selection(), &SelectionModel::changed, this, [this](const Selection& now, Selection before) {
        before.motion = now.motion;
        if (!(before == now)) // else on the way to the next moment
            refreshActions();
    });
    connect(parts->views, &ViewArea::actionRequested, this, &Shell::wish);
    connect(parts->source, &ViewWidget::actionRequested, this, &Shell::wish);
}

void Shell::showOpened() {
    const TracePtr trace = bench->trace(), other = bench->otherTrace();
    parts->views->message->clearProgress();
    parts->views->message->clear();
    parts->views->setTrace(trace, other);
    for (int i = 0; i < parts->views->count(); ++i)
        parts->views->at(i)->setOtherShift(bench->now().otherShift);
    parts->source->setTrace(trace);
    m_turned = turnTo(Front::Launch);
}

void Shell::fail(const Error& error) {
    parts->views->message->clearProgress();
    message()->clearProgress();
    message()->showError(error);
    emit failed();
}

void Shell::addPage(Front page, PageParts its) {
    m_pages[int(page)] = std::move(its);
}

MessageBar* Shell::message() const {
    return m_pages[int(m_now.page)].message;
}

void Shell::clearNotes() {
    for (const PageParts& page : m_pages)
        if (page.message)
            page.message->clearNote();
}

ViewWidget* Shell::view() const {
    return m_now.page == Front::Launch ? parts->views->current() : m_pages[int(m_now.page)].view;
}

bool Shell::stepInPage(int direction) {
    const PageParts& page = m_pages[int(m_now.page)];
    if (page.step)
        page.step(direction);
    return m_now.page != Front::Launch;
}

void Shell::become(const Situation& next) {
    if (seenIn(modeOf(next)).place != seen().place)
        emit leavesPlace();
    m_now = next;
    refresh();
}

void Shell::arrange(Arrangement arrangement) {
    if (arrangement == m_now.arrangement)
        return;
    Situation next = m_now;
    next.arrangement = arrangement;
    become(next);
}

void Shell::apply() {
    const Seen& now = seen();
    for (const Front page : {Front::Launch, Front::Program, Front::Start})
        if (QWidget* widget = m_pages[int(page)].widget; widget && page != now.page)
            widget->hide();
    warpglass::apply(*parts, now);
    if (QWidget* widget = m_pages[int(now.page)].widget)
        widget->show();
}

bool Shell::turnTo(Front page) {
    if (page == m_now.page)
        return false;
    parts->transport->stop();
    emit leavesPlace();
    if (page == Front::Start)
        m_behind = m_now.page;
    m_now.page = page;
    apply();
    emit pageChanged();
    return true;
}

void Shell::showPage(Front page) {
    if (!turnTo(page))
        return;
    refresh();
    focusView();
}

void Shell::leaveStart() {
    if (m_now.page == Front::Start)
        showPage(m_behind);
}

void Shell::refresh() {
    apply();
    refreshActions();
    for (const auto& feature : m_features)
        feature->refresh();
}

void Shell::refreshActions() {
    const SelectionModel& selection = bench->selection();
    const Seen& now = seen();
    const bool start = now.page == Front::Start; // what is behind it is not meant
    m_actions->enable([&](Needs needs) {
        switch (needs) {
        case Needs::Trace:
            return bench->current() != nullptr && !start;
        case Needs::Picture:
            return (bench->current() != nullptr || now.page == Front::Program) && !start;
        case Needs::Program:
            return programs->program() != nullptr;
        case Needs::Request:
            return bench->canRunAgain() && !start;
        case Needs::Back:
            return selection.canGoBack() && !start;
        case Needs::Forward:
            return selection.canGoForward() && !start;
        case Needs::Undo:
            return bench->canUndo();
        case Needs::Redo:
            return bench->canRedo();
        case Needs::Presenting:
            return m_now.presenting;
        case Needs::Nothing:
            break;
        }
        return true;
    });
    if (now.clock == Clock::Runs)
        return;
    for (const ActionRow& row : actionTable()) {
        const QLatin1String name(row.name);
        QAction* a = row.menu == MenuPlace::Play ? action(name) : nullptr;
        if (!a)
            continue;
        const bool steps = name == QLatin1String("nextEvent") || name == QLatin1String("previousEvent");
        const bool board = name == QLatin1String("predict") || (m_now.flows && name == QLatin1String("play"));
        a->setEnabled(now.clock == Clock::Steps   ? steps
                      : now.clock == Clock::Board ? board
                                                  : name == QLatin1String("still"));
    }
}

void Shell::focusView() {
    for (const auto& feature : m_features)
        if (feature->takeKeys())
            return;
    if (ViewWidget* front = view()) {
        if (qobject_cast<SideDock*>(QApplication::activeWindow())) // what was pressed is in one that floats
            window->activateWindow();
        front->setFocus();
    }
}

void Shell::open(const QString& path) {
    for (const auto& feature : m_features)
        if (feature->open(path))
            return;
}

// What an empty view sends a person to: an action, another view, or another choice of its own.
void Shell::wish(const QString& name) {
    for (const auto& feature : m_features)
        if (feature->grant(name))
            return;
    const QString what = name.section(QLatin1Char(':'), 0, 0), value = name.section(QLatin1Char(':'), 1);
    if (what == QLatin1String("view")) {
        parts->views->showView(value);
    } else if (what == QLatin1String("option")) {
        if (ViewWidget* front = view())
            front->setOption(value.section(QLatin1Char('='), 0, 0), value.section(QLatin1Char('='), 1));
    } else if (QAction* wanted = action(name)) {
        wanted->trigger();
    }
}

void Shell::step(int direction) {
    for (const auto& feature : m_features)
        if (feature->step(direction))
            return;
}

void Shell::tellMissingWalls() {
    if (m_toldWalls || message()->showsError())
        return;
    m_toldWalls = true;
    QString missing = sentence(cage::missingWalls());
    if (missing.isEmpty())
        return;
    missing[0] = missing[0].toUpper();
    message()->showNote(missing);
}

void Shell::retranslate() {
    if (!m_actions)
        return;
    m_actions->retranslate();
    warpglass::retranslate(*parts);
    for (const auto& feature : m_features)
        feature->retranslate();
}

void Shell::setLanguage(const QString& name) {
    language.set(name); // every widget, this window among them, is sent a LanguageChange
    m_actions->check(QStringLiteral("language_") + language.name(), true);
    for (const auto& feature : m_features)
        feature->setLanguage(language.name());
    refresh();
}

} // namespace warpglass
