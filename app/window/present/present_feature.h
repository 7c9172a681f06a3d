// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting: what the class sees fills the screen, the view and the step's text alone, in large type; what the presenter
// sees stands in a window of its own. A remote presses Page up and Page down.
#pragma once

#include "app/window/feature.h"
#include "app/window/present/presenter_notes.h"
#include "app/window/present/presenter_overlay.h"

namespace warpglass {

class PresentFeature : public Feature {
    Q_OBJECT
public:
    explicit PresentFeature(Shell& shell);
    void set(bool presenting);
    PresenterOverlay& overlay() { return *m_overlay; }
    PresenterNotes& notes() { return *m_notes; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void refresh() override;
    void setTheme(const Theme& theme) override;
    bool escape() override;
    void close() override { m_notes->hide(); } // it does not outlive the window

private:
    void showCode(bool code);
    void showNotes(bool notes);
    void checkTools();

    PresenterOverlay* m_overlay;
    PresenterNotes* m_notes;
    bool m_wasMaximised = false;
    int m_tabAtDesk = 0; // of source, PTX and pad
};

} // namespace warpglass
