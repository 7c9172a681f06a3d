// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/predict/predict_feature.h"

#include "app/window/window_parts.h"

namespace warpglass {

PredictFeature::PredictFeature(Shell& shell)
    : Feature(shell), m_desk(new PredictDesk(m_parts->views, m_parts->transport, &m_bench->selection(), this)) {
    m_desk->addViews({m_parts->source});
}

ActionSet::Deeds PredictFeature::deeds() {
    return {{"predict", [this] {
                 m_shell.leaveStart();
                 m_desk->on() ? m_desk->stop() : m_desk->start();
             }}};
}

void PredictFeature::connectAll() {
    connect(m_desk, &PredictDesk::changed, this, [this] {
        m_shell.actions().check(QStringLiteral("predict"), m_desk->on());
        m_parts->transport->setEnabled(!m_desk->on());
        Situation now = m_shell.now();
        now.predicting = m_desk->on();
        now.flows = m_desk->state() == PredictDesk::State::Playing;
        m_shell.become(now);
    });
    connect(m_bench, &Workbench::opened, m_desk, &PredictDesk::traceChanged);
    connect(m_parts->views, &ViewArea::currentChanged, m_desk, &PredictDesk::viewChanged);
    connect(&m_shell, &Shell::pageChanged, this, [this] {
        if (m_shell.seen().page == Front::Start)
            m_desk->stop();
    });
}

bool PredictFeature::step(int direction) {
    if (direction < 0 || !m_desk->on())
        return false;
    m_desk->onward();
    return true;
}

bool PredictFeature::escape() {
    const bool on = m_desk->on();
    m_desk->stop();
    return on;
}

} // namespace warpglass
