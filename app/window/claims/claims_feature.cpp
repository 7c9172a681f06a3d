// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims/claims_feature.h"

#include "app/window/panels/scroll_page.h"
#include "app/window/window_parts.h"

namespace warpglass {

ClaimsFeature::ClaimsFeature(Shell& shell) : Feature(shell), m_panel(new ClaimsPanel(m_parts->leftTabs)) {
    auto* page = new ScrollPage(m_panel, m_parts->leftTabs); // a dozen lines of buttons and words
    page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page->setFocusProxy(m_panel);
    m_page = page;
    m_parts->leftTabs->addTab(page, QString());
    m_parts->leftTabs->setTabVisible(m_parts->leftTabs->indexOf(page), false); // until somebody asks for it
}

ActionSet::Deeds ClaimsFeature::deeds() {
    return {{"claims", [this] {
                 m_shell.arrange(Arrangement::Explore);
                 m_shell.showPage(Front::Launch);
                 m_parts->leftDock->setFolded(false);
                 m_parts->leftTabs->setTabVisible(m_parts->leftTabs->indexOf(m_page), true);
                 m_parts->leftTabs->setCurrentWidget(m_page);
             }}};
}

void ClaimsFeature::connectAll() {
    connect(m_panel, &ClaimsPanel::runRequested, this, [this](const ClaimTarget& target) { show(target, false); });
    connect(m_panel, &ClaimsPanel::showRequested, this, [this](const ClaimTarget& target) { show(target, true); });
    connect(m_bench, &Workbench::sightReached, this, [this](const Sight& sight) {
        if (sight.lesson)
            return;
        if (!sight.view.isEmpty())
            m_parts->views->showView(sight.view);
        if (ViewWidget* view = m_parts->views->widget(sight.view))
            for (auto it = sight.options.cbegin(); it != sight.options.cend(); ++it)
                view->setOption(it.key(), it.value());
    });
}

void ClaimsFeature::retranslate() {
    m_parts->leftTabs->setTabText(m_parts->leftTabs->indexOf(m_page), tr("Claims"));
}

void ClaimsFeature::show(const ClaimTarget& target, bool inView) {
    m_shell.goElsewhere();
    m_shell.arrange(Arrangement::Explore);
    m_bench->showClaim(target, inView);
}

} // namespace warpglass
