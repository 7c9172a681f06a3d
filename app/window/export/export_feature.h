// SPDX-License-Identifier: GPL-3.0-or-later
// What goes out of the window: pictures, reports, films and pages of what is shown, the clipboard, paper; and the menu of
// each view, which has the ways out and the ways back.
#pragma once

#include "app/window/export/export_dialog.h"
#include "app/window/feature.h"

namespace warpglass {

class ExportFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;
    QString exportCurrentView(const QString& path); // "" or why not

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void offer(QVector<PaletteItem>& items) override;

private:
    void showDialog(ExportDialog::What what, const Lesson* lesson = nullptr); // null: the one that plays
    void openMenu(ViewWidget* view, QPoint at);
    void copyPicture(ViewWidget* view);
    void copyNumbers(ViewWidget* view);
    void print(ViewWidget* view);
};

} // namespace warpglass
