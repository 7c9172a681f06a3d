// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/arrange/arrange_feature.h"

#include "app/window/pad/pad_feature.h"
#include "app/window/window_parts.h"

namespace warpglass {

ActionSet::Deeds ArrangeFeature::deeds() {
    return {{"learn", [this] { turnTo(Arrangement::Learn); }},
            {"explore", [this] { turnTo(Arrangement::Explore); }},
            {"build", [this] { turnTo(Arrangement::Build); }}};
}

void ArrangeFeature::connectAll() {
    QMenu* menu = m_shell.actions().subMenu("views");
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        m_parts->views->fillMenu(menu);
    });
    connect(m_parts->views, &ViewArea::currentChanged, this, [this] { // one that was asked for is in front
        if (m_shell.seen().page == Front::Start && current())
            m_shell.leaveStart();
    });
}

// What there is nothing of yet begins where it is chosen.
void ArrangeFeature::turnTo(Arrangement arrangement) {
    if (arrangement == Arrangement::Learn && !current()) {
        m_shell.showPage(Front::Start);
        check();
        return;
    }
    m_shell.arrange(arrangement);
    if (m_shell.now().presenting)
        return check();
    m_shell.showPage(Front::Launch);
    if (arrangement == Arrangement::Build)
        m_shell.feature<PadFeature>().show();
    check();
}

void ArrangeFeature::refresh() {
    check();
}

// The start page is where learning begins.
void ArrangeFeature::check() {
    const Situation& now = m_shell.now();
    const Arrangement shown = now.page == Front::Start ? Arrangement::Learn : now.arrangement;
    for (const auto& [name, arrangement] :
         {std::pair("learn", Arrangement::Learn), std::pair("explore", Arrangement::Explore),
          std::pair("build", Arrangement::Build)})
        if (arrangement == shown)
            m_shell.actions().check(QLatin1String(name), true);
}

} // namespace warpglass
