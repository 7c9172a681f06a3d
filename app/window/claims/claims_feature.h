// SPDX-License-Identifier: GPL-3.0-or-later
// Claims of text books with a verdict, and the way from one to the place where its number is made.
#pragma once

#include "app/window/claims/claims_panel.h"
#include "app/window/feature.h"

namespace warpglass {

class ClaimsFeature : public Feature {
    Q_OBJECT
public:
    explicit ClaimsFeature(Shell& shell);

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void retranslate() override;
    void setLanguage(const QString& language) override { m_panel->setLanguage(language); }
    void setTheme(const Theme& theme) override { m_panel->setTheme(theme); }

private:
    void show(const ClaimTarget& target, bool inView);

    ClaimsPanel* m_panel;
    QWidget* m_page; // that scrolls
};

} // namespace warpglass
