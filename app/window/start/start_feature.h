// SPDX-License-Identifier: GPL-3.0-or-later
// How one begins: the start page, where something is chosen to be opened, and the tour, which says what is where.
#pragma once

#include "app/window/feature.h"
#include "app/window/start/start_page.h"
#include "app/window/start/tour.h"

namespace warpglass {

class StartFeature : public Feature {
    Q_OBJECT
public:
    explicit StartFeature(Shell& shell);

    bool isShown() const { return m_shell.seen().page == Front::Start; }
    void show(bool start); // in front of everything, or again what was there
    void startTour();
    Tour& tour() { return *m_tour; }
    StartPage* page() const { return m_page; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void setLanguage(const QString& language) override { m_page->setLanguage(language); }
    void setTheme(const Theme& theme) override;
    bool escape() override;
    bool takeKeys() override;

private:
    void makeTour();
    void tourIfDue(); // it was asked for, and now there is something to see

    StartPage* m_page;
    Tour* m_tour = nullptr;
    bool m_tourDue = false, m_tourFromHere = false; // due: asked for, and nothing is there yet
};

} // namespace warpglass
