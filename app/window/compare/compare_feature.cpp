// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/compare/compare_feature.h"

#include "app/window/model/requests.h"
#include "app/window/model/what_changed.h"
#include "app/window/window_parts.h"
#include "views/common/side_names.h"
#include "views/timeline/timeline_layer.h"

#include <QFileDialog>

namespace warpglass {

namespace {
constexpr int roomForTable = 660; // px of the views and the table together
} // namespace

CompareFeature::CompareFeature(Shell& shell) : Feature(shell), m_panel(new ComparePanel(m_parts->middle)) {
    m_panel->hide();
    m_parts->middle->addWidget(m_panel);
}

ActionSet::Deeds CompareFeature::deeds() {
    return {{"compare", [this] { compareOrStop(); }}};
}

void CompareFeature::connectAll() {
    QToolButton* button = m_parts->top->compare;
    auto* menu = new QMenu(m_shell.window);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
    button->setCheckable(true);
    connect(action("compare"), &QAction::toggled, button, &QToolButton::setChecked);
    connect(m_panel, &ComparePanel::alignmentChanged, m_bench, &Workbench::alignAt);
    connect(m_panel, &ComparePanel::csvRequested, this, &CompareFeature::exportTable);
    connect(m_bench, &Workbench::opened, this, &CompareFeature::showOpened);
    connect(m_bench, &Workbench::stopped, this, &CompareFeature::check);
    connect(&m_shell, &Shell::failed, this, &CompareFeature::check);
}

void CompareFeature::showOpened() {
    findGhost();
    showLayer();
    fillTable();
    if (other() && !m_panel->isVisible())
        m_panel->setOpen(m_parts->middle->height() > roomForTable); // a small window shows the views first
    if (other())
        m_panel->setAlignment(m_bench->alignment());
    nameSides();
}

void CompareFeature::refresh() {
    m_panel->setVisible(other() && m_shell.seen().answers);
    check();
}

void CompareFeature::check() {
    m_shell.actions().check(QStringLiteral("compare"), other() != nullptr);
}

void CompareFeature::setLanguage(const QString&) {
    fillTable();
    nameSides();
}

void CompareFeature::findGhost() {
    const TracePtr trace = m_bench->trace();
    m_ghosts.remember(trace);
    m_ghosts.remember(m_bench->otherTrace());
    const auto show = [this](const TracePtr& ghost) {
        for (int i = 0; i < m_parts->views->count(); ++i)
            m_parts->views->at(i)->setGhost(ghost);
    };
    if (const TracePtr opened = m_ghosts.opened(*trace)) {
        m_ghostJob.cancel();
        show(opened);
        return;
    }
    m_ghostJob.start([trace](Progress&) { return shippedGhost(*trace); },
                     [this, trace, show](const TracePtr& ghost) {
                         if (trace == m_bench->trace())
                             show(ghost);
                     });
}

bool CompareFeature::open(const QString& path) {
    if (!path.endsWith(QLatin1String(".json")) && !path.endsWith(QLatin1String(".chrome_trace")))
        return false;
    const TracePtr trace = m_bench->trace();
    if (!trace) {
        m_parts->views->message->showNote(
            tr("Open a run of its kernel first: what Proton and IKET write lies over it."));
        return true;
    }
    m_layerJob.start([trace, file = path.toStdString()](Progress&) { return scopesOf(*trace, file); },
                     [this](const Result<ScopesPtr>& layer) {
                         if (!layer)
                             return m_parts->views->message->showError(layer.error());
                         m_layer = *layer;
                         showLayer();
                         m_shell.wish(QStringLiteral("view:timeline"));
                     });
    return true;
}

void CompareFeature::showLayer() {
    const TracePtr trace = m_bench->trace();
    const bool isOfIt = m_layer && trace && areOf(*m_layer, *trace);
    for (int i = 0; i < m_parts->views->count(); ++i)
        m_parts->views->at(i)->setLayer(isOfIt ? m_layer : nullptr);
}

// Two kernels go by their names; one kernel twice needs more to be told apart.
void CompareFeature::fillTable() {
    const RunPtr &run = current(), &beside = other();
    const bool twice = run && beside && beside->name == run->name;
    const auto called = [&](const RunPtr& one, const RunPtr& than) {
        return !one ? QString() : twice ? sideName(one, than) + QStringLiteral(" · ") + titleOf(*one) : one->name;
    };
    m_panel->setTraces(beside ? m_bench->trace() : nullptr, m_bench->otherTrace(), called(run, beside),
                       called(beside, run));
}

QString CompareFeature::sideName(const RunPtr& run, const RunPtr& beside) const {
    QString name = tr("run %1").arg(m_bench->numberOf(run));
    const bool newer = beside && m_bench->numberOf(run) > m_bench->numberOf(beside);
    if (newer && run->request && beside->request)
        if (const QString changed = whatChanged(*beside->request, *run->request); !changed.isEmpty())
            name += QStringLiteral(": ") + changed;
    return name;
}

void CompareFeature::nameSides() {
    const RunPtr &run = current(), &beside = other();
    const bool twice = run && beside && run->name == beside->name;
    QVector<ViewWidget*> views{m_parts->source};
    for (int i = 0; i < m_parts->views->count(); ++i)
        views.append(m_parts->views->at(i));
    for (ViewWidget* view : views) {
        view->setOption(QLatin1String(nameOfFirst.key), twice ? QVariant(sideName(run, beside)) : QVariant());
        view->setOption(QLatin1String(nameOfSecond.key), twice ? QVariant(sideName(beside, run)) : QVariant());
    }
}

void CompareFeature::compareOrStop() {
    if (other())
        m_bench->stopComparing();
    else if (const RunRequest* open = m_bench->request()) {
        // The run that is pinned; else its own run before, if that is what was open; else the kernel that its documents set against it.
        const RunPtr previous = m_bench->previous();
        const RunRequest partner = partnerOf(*open);
        const bool none = partner.kernel == open->kernel;
        if (const RunPtr held = m_bench->heldAgainst()) {
            m_bench->compareWith(held);
        } else if (previous && (none || previous->name == current()->name)) {
            m_bench->compareWith(previous);
        } else if (none) {
            m_parts->views->message->showNote(tr("There is no other run yet. Change something, and compare then."));
            check();
        } else {
            m_bench->compareWith(partner);
        }
    } else {
        compareWithFile();
    }
}

void CompareFeature::compareWithFile() {
    const QString path = QFileDialog::getOpenFileName(m_shell.window, tr("Compare with a trace"), {},
                                                      tr("Warpglass traces (*.wgt);;All files (*)"));
    if (path.isEmpty())
        check();
    else if (current())
        m_bench->compareWith(path);
    else
        m_shell.open(path);
}

void CompareFeature::fillMenu(QMenu* menu) {
    menu->clear();
    if (other())
        menu->addAction(tr("Stop comparing"), m_bench, &Workbench::stopComparing);
    const RunPtr& beside = m_bench->edited();
    for (const RunPtr& run : m_bench->kept()) {
        QString name = run->name + QStringLiteral(" · ") + tr("run %1").arg(m_bench->numberOf(run));
        if (run->name == beside->name && run->request && beside->request) // in what it differs from what is open
            if (const QString was = whatChanged(*beside->request, *run->request); !was.isEmpty())
                name += QStringLiteral(": ") + was;
        menu->addAction((run == m_bench->previous() ? tr("Previous run: %1") : tr("Earlier run: %1")).arg(name), this,
                        [this, run] { m_bench->compareWith(run); });
    }
    menu->addAction(tr("A file…"), this, &CompareFeature::compareWithFile);
    const RunRequest* open = m_bench->request();
    if (!open || !findKernel(open->kernel))
        return;
    QMenu* variants = menu->addMenu(tr("The same kernel with…"));
    const Dim3 block = current()->trace->launches.front().block;
    for (const Variant& variant : variantsOf(*open, block, m_parts->top->hasGpu()))
        variants->addAction(variant.text, this, [this, request = variant.request] { m_bench->compareWith(request); });
    menu->addSeparator();
    for (const std::string& kernel : relatives(open->kernel))
        menu->addAction(QString::fromStdString(kernel), this,
                        [this, request = withKernel(*open, kernel)] { m_bench->compareWith(request); });
}

void CompareFeature::exportTable() {
    const QString path = QFileDialog::getSaveFileName(
        m_shell.window, tr("Export the differences"),
        QStringLiteral("%1-%2.csv").arg(current() ? current()->name : QString(), other() ? other()->name : QString()),
        tr("Table (*.csv)"));
    if (path.isEmpty())
        return;
    const QString problem = m_panel->exportCsv(path);
    if (problem.isEmpty())
        m_parts->views->message->showNote(tr("Written to %1.").arg(path));
    else
        m_parts->views->message->showError(problem);
}

} // namespace warpglass
