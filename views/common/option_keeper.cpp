// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/option_keeper.h"

#include "views/common/view_widget.h"

namespace warpglass {

OptionKeeper::OptionKeeper(ViewWidget* view, KeptOption what) : QObject(view), m_view(view), m_what(std::move(what)) {
    connect(view, &ViewWidget::optionsChanged, this, &OptionKeeper::save);
}

QVariant OptionKeeper::shown() const {
    return m_view->context().options.value(m_what.option);
}

void OptionKeeper::follow(const QString& tracePath, bool keep) {
    m_path = tracePath;
    if (!m_view)
        return;
    if (keep) {
        m_saved = shown();
        if (const QString problem = m_what.write(m_path, m_saved); !problem.isEmpty())
            emit failed(problem);
        return;
    }
    QString problem;
    m_saved = tracePath.isEmpty() ? QVariant(QString()) : m_what.read(tracePath, &problem);
    if (!problem.isEmpty()) {
        m_path.clear(); // what cannot be read is not overwritten
        emit failed(problem);
    }
    m_view->setOption(m_what.option, m_saved);
}

void OptionKeeper::save() {
    if (!m_view || m_path.isEmpty())
        return;
    const QVariant now = shown();
    if (now.toString() == m_saved.toString())
        return;
    QString problem;
    const QVariant theirs = m_what.read(m_path, &problem); // another window may show the same trace
    const QVariant merged = m_what.merged(m_saved, now, theirs);
    if (problem.isEmpty())
        problem = m_what.write(m_path, merged);
    if (!problem.isEmpty()) {
        emit failed(problem);
        return;
    }
    m_saved = merged;
    m_view->setOption(m_what.option, m_saved);
}

} // namespace warpglass
