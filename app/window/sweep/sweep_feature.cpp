// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sweep/sweep_feature.h"

#include "app/window/launch/launch_feature.h"
#include "app/window/window_parts.h"

#include <QKeyEvent>

namespace warpglass {

SweepFeature::SweepFeature(Shell& shell) : Feature(shell), m_sweep(new SweepControl(shell.window)) {}

ActionSet::Deeds SweepFeature::deeds() {
    return {{"sweep",
             [this] { m_sweep->showDialog(m_shell.feature<LaunchFeature>().request(), m_shell.language.name()); }}};
}

void SweepFeature::connectAll() {
    connect(m_sweep, &SweepControl::resultsChanged, this, [this] {
        if (ViewWidget* charts = m_parts->views->widget(QStringLiteral("charts"))) {
            charts->setOption(QStringLiteral("of"), {});
            charts->setResults(m_sweep->results());
        }
        m_shell.showPage(Front::Launch);
        m_parts->views->showView(QStringLiteral("charts"));
    });
    // A sweep of another kernel does not stand for what is open; it is kept, one switch away.
    connect(m_bench, &Workbench::opened, this, [this] {
        if (ViewWidget* charts = m_parts->views->widget(QStringLiteral("charts")); charts && m_sweep->results())
            if (!m_sweep->concerns(*current()))
                charts->setOption(QStringLiteral("of"), QStringLiteral("open"));
    });
}

void SweepFeature::openTables(const QStringList& paths) {
    if (const QString problem = m_sweep->openFiles(paths); !problem.isEmpty())
        m_shell.message()->showError(problem);
}

bool SweepFeature::open(const QString& path) {
    if (!path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
        return false;
    openTables({path});
    return true;
}

void SweepFeature::openResult(int row) {
    const auto source = m_sweep->sourceOf(row);
    if (!source) {
        m_parts->views->message->showError(
            tr("This launch cannot be opened: its trace was not kept, and its kernel is not in the "
               "gallery."));
        return;
    }
    m_shell.goElsewhere();
    if (const RunRequest* request = std::get_if<RunRequest>(&*source))
        m_bench->runAlone(*request);
    else
        m_bench->open(*source);
}

bool SweepFeature::grant(const QString& wish) {
    const QLatin1String open("openResult:");
    if (!wish.startsWith(open))
        return false;
    openResult(wish.mid(open.size()).toInt());
    return true;
}

bool SweepFeature::press(const QKeyEvent& key) {
    const ViewWidget* view = m_shell.view();
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (!enter || !view || !view->context().results || !view->context().options.contains(QStringLiteral("row")))
        return false;
    openResult(view->context().options.value(QStringLiteral("row")).toInt()); // the bar chosen by the arrows
    return true;
}

} // namespace warpglass
