// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad beside source and PTX: a text of one's own that every view follows, its file, and what becomes of it when
// another picture is shown.
#pragma once

#include "app/window/feature.h"
#include "app/window/pad/pad_panel.h"
#include "app/window/pad/pin_desk.h"

namespace warpglass {

class PadFeature : public Feature {
    Q_OBJECT
public:
    explicit PadFeature(Shell& shell);
    PadPanel* panel() const { return m_panel; }
    void show();     // in front, and room for it
    bool mayLeave(); // asks about a text that was not saved

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void retranslate() override;
    void setLanguage(const QString&) override;
    void setTheme(const Theme& theme) override;
    void offer(QVector<PaletteItem>& items) override;
    bool open(const QString& path) override;
    bool launch(const RunRequest& request) override;
    void halt() override { m_panel->stopProgram(); }
    void remember(SessionMemory& memory) const override;
    bool mayClose() override { return mayLeave(); }

signals:
    void replaced(); // by a text that is none of an exercise's

private:
    void openNew();
    void openFile(const QString& path);
    bool save(); // false: not saved
    void showOpened();
    void run(const RunRequest& request, bool passing);
    void followCode(); // the code beside the picture is the picture's, or says that it is not

    PadPanel* m_panel;
    int m_tab;
    PinDesk m_pins;
    bool m_away = false; // another picture's code stands where the pad was
};

} // namespace warpglass
