// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the catalogue and the recordings that come with the program, to be run, opened, or set beside what is
// open.
#pragma once

#include "app/window/feature.h"
#include "app/window/gallery/gallery_panel.h"

namespace warpglass {

class GalleryFeature : public Feature {
    Q_OBJECT
public:
    explicit GalleryFeature(Shell& shell);
    void run(const QString& kernel); // as it is first looked at; nothing happens for an unknown one
    GalleryPanel* panel() const { return m_panel; }

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void retranslate() override;
    void setLanguage(const QString& language) override { m_panel->setLanguage(language); }
    void offer(QVector<PaletteItem>& items) override;

private:
    void compareWith(const QString& kernelOrPath);

    GalleryPanel* m_panel;
};

} // namespace warpglass
