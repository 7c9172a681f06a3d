// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/why/why_feature.h"

#include "app/window/window_parts.h"
#include "views/why/why_view.h"

namespace warpglass {

ActionSet::Deeds WhyFeature::deeds() {
    return {{"why", [this] {
                 m_shell.goElsewhere();
                 m_parts->views->showView(QStringLiteral("why"));
                 m_bench->askWhy();
             }}};
}

void WhyFeature::connectAll() {
    connect(m_bench, &Workbench::whyReady, this, [this] {
        m_parts->views->message->clearProgress();
        show();
    });
    connect(m_bench, &Workbench::whyCame, this, &WhyFeature::show);
    connect(m_bench, &Workbench::stopped, this, &WhyFeature::show);
    connect(m_bench, &Workbench::opened, this, [this] {
        show();
        for (const char* place : {"line", "whyScroll"}) // of the launch before
            m_parts->views->widget(QStringLiteral("why"))->setOption(QLatin1String(place), {});
        askIfQuick();
    });
    connect(m_parts->views, &ViewArea::currentChanged, this, &WhyFeature::askIfQuick);
}

void WhyFeature::show() {
    if (ViewWidget* view = m_parts->views->widget(QStringLiteral("why")))
        view->setOption(QLatin1String(whyOption), whyToOption(m_bench->why()));
}

// Where it takes no time nobody presses a button for it.
void WhyFeature::askIfQuick() {
    if (m_parts->views->currentKey() == QLatin1String("why") && !m_bench->why() && !m_bench->busy() &&
        m_bench->whyIsQuick())
        m_bench->askWhy();
}

} // namespace warpglass
