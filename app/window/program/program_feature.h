// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program beside the launch that is looked at: its page takes the place of the launch's columns, and the other
// way round. The program stays open while its launches are looked at one after the other.
#pragma once

#include "app/window/feature.h"
#include "app/window/program/program_page.h"

namespace warpglass {

class ProgramFeature : public Feature {
    Q_OBJECT
public:
    explicit ProgramFeature(Shell& shell);

    bool isShown() const { return m_shell.seen().page == Front::Program; }
    void show(bool program);                  // in place of the launch's columns; nothing without a program
    void openLaunch(std::uint32_t operation); // of the program: its trace, or why there is none
    void openOfPad(const QString& file);      // that the pad has run: who writes one that fails stays with its lines
    ProgramPage* page() const { return m_page; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void setTheme(const Theme& theme) override { m_page->setTheme(theme); }
    bool open(const QString& path) override;
    bool grant(const QString& wish) override; // launchBefore, launchAfter: of those that are recorded
    void halt() override { m_programs->stop(); }
    void remember(SessionMemory& memory) const override;
    void close() override { m_programs->stop(); }

private:
    void opened();
    void grown(std::uint64_t added, const std::vector<std::uint64_t>& others);

    ProgramPage* m_page;
    bool m_codeAlone = false; // it has no warps, only machine code
    int m_entered = 0;        // the launch that is on its way is stepped into: 1 at its first moment, -1 at its last
    bool m_ofPad = false;     // the one that is on its way
};

} // namespace warpglass
