// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/help/help_feature.h"

#include "app/window/help/dialogs.h"
#include "app/window/help/guide_dialog.h"

namespace warpglass {

ActionSet::Deeds HelpFeature::deeds() {
    return {{"guide", [this] { showGuide(); }},
            {"keys", [this] { showKeysDialog(m_shell.window, m_shell.actions().keys()); }},
            {"about", [this] { showAboutDialog(m_shell.window); }}};
}

void HelpFeature::showGuide() {
    auto* guide = new GuideDialog(m_shell.language.name(), m_shell.theme, m_shell.window);
    guide->setAttribute(Qt::WA_DeleteOnClose);
    guide->setModal(false);
    guide->show();
}

void HelpFeature::setLanguage(const QString&) {
    for (GuideDialog* guide : m_shell.window->findChildren<GuideDialog*>()) // its pictures hold words, too
        if (guide->isVisible()) {
            guide->close();
            showGuide();
        }
}

} // namespace warpglass
