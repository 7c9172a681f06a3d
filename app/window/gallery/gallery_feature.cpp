// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/gallery/gallery_feature.h"

#include "app/window/model/requests.h"
#include "app/window/palette/command_palette.h"
#include "app/window/window_parts.h"

#include <QDir>

namespace warpglass {

GalleryFeature::GalleryFeature(Shell& shell) : Feature(shell), m_panel(new GalleryPanel(m_parts->leftTabs)) {
    m_parts->leftTabs->addTab(m_panel, QString());
}

ActionSet::Deeds GalleryFeature::deeds() {
    return {{"find", [this] {
                 m_shell.arrange(Arrangement::Explore);
                 m_shell.showPage(Front::Launch);
                 m_parts->leftDock->setFolded(false);
                 m_parts->leftTabs->setCurrentWidget(m_panel);
                 m_panel->focusSearch();
             }}};
}

void GalleryFeature::connectAll() {
    connect(m_panel, &GalleryPanel::chosen, this, &GalleryFeature::run);
    connect(m_panel, &GalleryPanel::recordingChosen, &m_shell, &Shell::open);
    connect(m_panel, &GalleryPanel::compareRequested, this, &GalleryFeature::compareWith);
    connect(m_bench, &Workbench::asked, this,
            [this](const RunRequest& request) { m_panel->setCurrent(QString::fromStdString(request.kernel)); });
    connect(m_bench, &Workbench::opened, this,
            [this] { m_panel->setCurrent(current()->request ? current()->name : QString()); });
}

void GalleryFeature::retranslate() {
    m_parts->leftTabs->setTabText(m_parts->leftTabs->indexOf(m_panel), tr("Gallery"));
}

void GalleryFeature::run(const QString& kernel) {
    if (const CatalogueEntry* entry = findKernel(kernel.toStdString())) {
        m_shell.goElsewhere();
        m_shell.arrange(Arrangement::Explore);
        m_shell.showPage(Front::Launch);
        m_bench->runAlone(firstLook(*entry, current().get()));
    }
}

void GalleryFeature::compareWith(const QString& kernelOrPath) {
    const CatalogueEntry* entry = findKernel(kernelOrPath.toStdString());
    if (!entry)
        m_bench->compareWith(kernelOrPath); // a recording
    else if (const RunRequest* open = m_bench->request())
        m_bench->compareWith(withKernel(*open, entry->name));
    else
        m_bench->compareWith(firstLook(*entry, nullptr));
}

void GalleryFeature::offer(QVector<PaletteItem>& items) {
    const QString language = m_shell.language.name(), other = m_shell.language.otherName();
    for (const CatalogueEntry& entry : catalogue()) {
        const QString name = QString::fromStdString(entry.name);
        items.append(
            {PaletteKind::Kernel,
             tr("kernel"),
             name,
             storyOf(entry, language),
             {},
             QStringList{storyOf(entry, other), familyName(entry.family, language), familyName(entry.family, other)}
                 .join(QLatin1Char('\n')),
             [this, name] { run(name); }});
    }
    const QDir recordings(QStringLiteral(":/recordings"));
    for (const QString& file : recordings.entryList({QStringLiteral("*.wgt")}))
        items.append({PaletteKind::Recording,
                      tr("recording"),
                      QFileInfo(file).completeBaseName(),
                      tr("as a real GPU ran it"),
                      {},
                      QStringLiteral("H200 GPU"),
                      [this, path = recordings.filePath(file)] { m_shell.open(path); }});
}

} // namespace warpglass
