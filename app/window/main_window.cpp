// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/style.h"
#include "app/window/view_registry.h"

#include <QApplication>
#include <QFileInfo>

#include <algorithm>

namespace warpglass {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    m_selection = new SelectionModel(this);
    m_job = new RunJob(this);
    m_sweep = new SweepControl(this);
    build();
    makeActions();
    makeMenus();
    connectAll();
    loadLessons();
    readSettings();
    applyTheme();
    refreshPlace();
    setAcceptDrops(true);
    if (m_views->current())
        m_views->current()->setFocus();
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
}

void MainWindow::runKernel(const QString& kernel) {
    const CatalogueEntry* entry = findKernel(kernel.toStdString());
    if (!entry)
        return;
    leaveLesson();
    RunRequest request;
    request.kernel = entry->name;
    request.launch = entry->look;
    if (m_current && m_current->request) { // device, policy and mode are the person's, not the kernel's
        request.backend = m_current->request->backend;
        request.options = m_current->request->options;
        request.launch.mode = m_current->request->launch.mode;
    } else {
        request.launch.mode = CompileMode::AsWritten; // what one sees is what one reads
    }
    m_other.reset();
    run(request);
}

void MainWindow::run(const RunRequest& request) {
    m_launch->show(request);
    m_gallery->setCurrent(QString::fromStdString(request.kernel));
    std::optional<RunSource> other;
    if (m_other && m_other->request && m_other->request->kernel != request.kernel)
        other = withKernel(request, m_other->request->kernel); // the variant follows: the same shape and size
    else if (m_other)
        other = m_other;
    m_job->start(request, other, m_alignment);
}

void MainWindow::runWith(const std::function<void(RunRequest&)>& change) {
    if (!m_current || !m_current->request) {
        if (!m_launch->request().kernel.empty()) {
            RunRequest request = m_launch->request();
            change(request);
            run(request);
        } else if (!catalogue().empty()) {
            runKernel(QString::fromStdString(catalogue().front().name));
        }
        return;
    }
    RunRequest request = m_launch->request().kernel.empty() ? *m_current->request : m_launch->request();
    change(request);
    run(request);
}

void MainWindow::runOnGpu() {
    runWith([](RunRequest& request) {
        request.backend = "cuda";
        request.options.device = "0";
    });
}

RunRequest MainWindow::withKernel(const RunRequest& request, const std::string& kernel) const {
    RunRequest result = request;
    result.kernel = kernel;
    const CatalogueEntry* entry = findKernel(kernel);
    std::erase_if(result.launch.set, [&](const auto& pair) {
        return !entry || std::none_of(entry->parameters.begin(), entry->parameters.end(),
                                      [&](const Parameter& p) { return p.name == pair.first; });
    });
    return result;
}

RunRequest MainWindow::partnerOf(const RunRequest& request) const {
    // The kernel that its documents set against this one: the next of the family, or the one before for the last.
    const CatalogueEntry* mine = findKernel(request.kernel);
    std::vector<std::string> family;
    std::size_t at = 0;
    for (const CatalogueEntry& entry : catalogue()) {
        if (!mine || entry.family != mine->family)
            continue;
        if (entry.name == mine->name)
            at = family.size();
        family.push_back(entry.name);
    }
    if (family.size() < 2)
        return request;
    return withKernel(request, at + 1 < family.size() ? family[at + 1] : family[at - 1]);
}

void MainWindow::compareWith(const RunSource& source) {
    if (m_current)
        m_job->start(m_current, source, m_alignment);
}

void MainWindow::alignAt(const QString& key) {
    if (m_current && m_other && key != m_alignment)
        m_job->start(m_current, m_other, key);
}

void MainWindow::stopComparing() {
    if (!m_other)
        return;
    m_job->start(m_current, std::nullopt);
}

namespace {
constexpr int roomForTable = 660; // px of the views and the table together

// A run in a few words: what, in which shape, on what.
QString titleOf(const Run& run) {
    const Trace& trace = *run.trace;
    const Launch& l = trace.launches.front();
    return QStringLiteral("%1 <<<%2, %3>>> %4 · %5")
        .arg(run.name, QString::fromStdString(l.grid.text()), QString::fromStdString(l.block.text()),
             QString::fromLatin1(name(trace.info.mode)), QString::fromStdString(trace.info.deviceName));
}
} // namespace

void MainWindow::take(const JobResult& result) {
    m_views->message->clearProgress();
    if (result.error) {
        m_views->message->showError(*result.error);
        if (m_launch->request().backend == "cuda" && m_current && m_current->request &&
            m_current->request->backend != "cuda")
            m_launch->show(*m_current->request); // no GPU: what is on the screen is what runs again
        m_stepWaiting = false;
        m_claim.reset();
        m_actions[QStringLiteral("compare")]->setChecked(m_other != nullptr);
        emit shown();
        return;
    }
    m_views->message->clear();
    if (m_current && m_current != result.current)
        m_previous = m_current;
    const bool sameKernel = m_current && m_current->name == result.current->name;
    const Selection before = m_selection->get();
    const TracePtr oldTrace = m_current ? m_current->trace : nullptr;
    m_current = result.current;
    m_other = result.other;
    const Trace& trace = *m_current->trace;
    if (m_current->request)
        m_launch->show(*m_current->request);
    else
        m_launch->showNothing();
    if (!trace.launches.empty())
        m_launch->setActualGrid(trace.launches.front().grid);

    // The place a person looked at stays, if the new trace has it: the same block and warp by number, the same line.
    Selection selection = firstSelection(trace);
    if (oldTrace == m_current->trace) {
        selection = before;
    } else if (sameKernel && oldTrace && before.block < oldTrace->blocks.size()) {
        const std::uint32_t index = oldTrace->blocks[before.block].index;
        const Launch& launch = trace.launches.front();
        if (index < launch.blockCount && trace.blocks[launch.firstBlock + index].warpCount > 0) {
            selection.block = launch.firstBlock + index;
            const Block& block = trace.blocks[selection.block];
            const std::uint32_t inBlock =
                before.warp < oldTrace->warps.size() ? oldTrace->warps[before.warp].warpInBlock : 0;
            selection.warp = block.firstWarp + std::min<std::uint32_t>(inBlock, block.warpCount - 1u);
        }
        selection.lane = before.lane;
        selection.sourceLine = before.sourceLine;
    }
    m_transport->setTrace(m_current->trace, result.moments);
    m_views->setTrace(m_current->trace, m_other ? m_other->trace : nullptr);
    for (int i = 0; i < m_views->count(); ++i)
        m_views->at(i)->setOtherShift(result.otherShift);
    // Two kernels go by their names; one kernel twice needs more to be told apart.
    const bool twice = m_other && m_other->name == m_current->name;
    m_comparePanel->setTraces(m_other ? m_current->trace : nullptr, m_other ? m_other->trace : nullptr,
                              twice ? titleOf(*m_current) : m_current->name,
                              !m_other ? QString()
                              : twice  ? titleOf(*m_other)
                                       : m_other->name);
    if (m_other && !m_comparePanel->isVisible())
        m_comparePanel->setOpen(m_middle->height() > roomForTable); // a small window shows the views first
    if (m_other) {
        m_alignment = result.alignment;
        m_comparePanel->setAlignment(m_alignment);
    }
    m_comparePanel->setVisible(m_other && !m_presenting);
    if (m_source)
        m_source->setTrace(m_current->trace);
    m_top->setTrace(m_current->trace, m_other ? m_other->trace : nullptr);
    if (oldTrace != m_current->trace)
        followNotes(m_current->file.startsWith(QLatin1Char(':')) ? QString() : m_current->file);
    m_selection->reset(selection);
    m_transport->setTime(selection.time);
    m_warp->set(m_current->trace, selection);
    m_gallery->setCurrent(m_current->request ? m_current->name : QString());
    m_actions[QStringLiteral("compare")]->setChecked(m_other != nullptr);
    for (const char* name :
         {"save", "savePart", "export", "exportAll", "report", "film", "copy", "run", "gpu", "compare", "present"})
        m_actions[QString::fromLatin1(name)]->setEnabled(true);
    m_actions[QStringLiteral("run")]->setEnabled(m_current->request.has_value());
    m_actions[QStringLiteral("gpu")]->setEnabled(m_current->request.has_value());
    if (m_current->fault)
        m_views->message->showError(*m_current->fault);
    else if (m_current->check.check == Check::Wrong)
        m_views->message->showError(tr("The result is wrong: %1").arg(QString::fromStdString(m_current->check.why)));
    refreshPlace();
    refreshStory();
    if (m_stepWaiting) {
        m_stepWaiting = false;
        applyStep();
    }
    if (m_claim)
        applyClaim();
    emit shown();
}

// The first block with events, its first warp that does something worth seeing, at the moment it does.
Selection MainWindow::firstSelection(const Trace& trace) const {
    Selection selection;
    const TimeRange range = trace.range();
    selection.time = {range.begin.value + range.length().value / 2};
    const auto detailed =
        std::find_if(trace.blocks.begin(), trace.blocks.end(), [](const Block& b) { return b.warpCount > 0; });
    if (detailed == trace.blocks.end())
        return selection;
    selection.block = std::uint32_t(detailed - trace.blocks.begin());
    selection.warp = detailed->firstWarp;
    for (std::uint32_t w = 0; w < detailed->warpCount; ++w) {
        const Warp& warp = trace.warps[detailed->firstWarp + w];
        for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
            const Event event = trace.event(warp, n);
            if (event.kind == EventKind::Branch && !event.taken.empty() && event.taken != event.active) {
                selection.warp = detailed->firstWarp + w;
                selection.time = event.time;
                return selection;
            }
        }
    }
    return selection;
}

void MainWindow::selectionChanged(const Selection& now) {
    m_transport->setTime(now.time);
    m_warp->set(m_current ? m_current->trace : nullptr, now);
    m_actions[QStringLiteral("back")]->setEnabled(m_selection->canGoBack());
    m_actions[QStringLiteral("forward")]->setEnabled(m_selection->canGoForward());
}

void MainWindow::refreshPlace() {
    QStringList place;
    if (m_current) {
        const CatalogueEntry* entry = m_current->request ? findKernel(m_current->request->kernel) : nullptr;
        if (entry && !m_other) // two names need the room
            place << familyName(entry->family, m_language.name());
        else if (!m_current->file.isEmpty() && !m_other)
            place << QFileInfo(m_current->file).fileName();
        place << (m_other ? tr("%1 beside %2").arg(m_current->name, m_other->name) : m_current->name);
    } else {
        place << tr("No kernel yet");
    }
    m_top->setPlace(place);
    setWindowTitle(m_current ? tr("%1 – Warpglass").arg(m_current->name) : QStringLiteral("Warpglass"));
}

void MainWindow::refreshStory() {
    if (m_lesson >= 0) {
        showStepText();
        return;
    }
    const CatalogueEntry* entry = m_current ? findKernel(m_current->name.toStdString()) : nullptr;
    if (entry)
        m_views->strip->showStory(storyOf(*entry, m_language.name()), documentsOf(*entry), referencesOf(*entry));
    else
        m_views->strip->showStory({}, {}, {});
}

void MainWindow::applyTheme() {
    const qreal scale = m_presenting ? std::max<qreal>(m_fontScale * 1.6, 1.6) : m_fontScale;
    m_theme = Theme::make(m_theme.kind, scale);
    qApp->setFont(m_theme.body());
    setStyleSheet(windowStyleSheet(m_theme));
    m_top->setTheme(m_theme);
    m_views->setTheme(m_theme);
    m_comparePanel->setTheme(m_theme);
    m_transport->setTheme(m_theme);
    m_warp->setTheme(m_theme);
    m_claimsPanel->setTheme(m_theme);
    if (m_source)
        m_source->setTheme(m_theme);
    const QString name = m_theme.kind == ThemeKind::Dark    ? QStringLiteral("dark")
                         : m_theme.kind == ThemeKind::Print ? QStringLiteral("print")
                                                            : QStringLiteral("light");
    m_actions[QStringLiteral("theme_") + name]->setChecked(true);
}

void MainWindow::setThemeName(const QString& name) {
    m_theme = Theme::named(name, m_theme.fontScale);
    applyTheme();
}

void MainWindow::setFontScale(qreal scale) {
    m_fontScale = std::clamp(scale, 0.7, 2.5);
    applyTheme();
}

void MainWindow::setLanguage(const QString& name) {
    m_language.set(name);
    m_actions[QStringLiteral("language_") + m_language.name()]->setChecked(true);
    m_gallery->setLanguage(m_language.name());
    m_launch->setLanguage(m_language.name());
    m_lessonsPanel->setLanguage(m_language.name());
    m_claimsPanel->setLanguage(m_language.name());
    refreshPlace();
    refreshStory();
}

} // namespace warpglass
