// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/palette/palette_feature.h"

#include "app/window/window_parts.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpglass {

ActionSet::Deeds PaletteFeature::deeds() {
    return {{"palette", [this] { show(); }}};
}

void PaletteFeature::show() {
    if (!m_palette) {
        m_palette = new CommandPalette(m_shell.window);
        connect(m_palette, &CommandPalette::closed, &m_shell, &Shell::focusView);
    }
    QVector<PaletteItem> items;
    offerViews(items);
    for (const auto& feature : m_shell.features())
        feature->offer(items);
    offerActions(items);
    std::stable_sort(items.begin(), items.end(),
                     [](const PaletteItem& a, const PaletteItem& b) { return a.order < b.order; });
    m_palette->setTheme(m_shell.theme);
    m_palette->open(std::move(items));
}

void PaletteFeature::offerViews(QVector<PaletteItem>& items) {
    for (int i = 0; i < m_parts->views->count(); ++i) {
        const View& view = m_parts->views->at(i)->view();
        const QString keys = i < numberedViews ? tr("Ctrl+%1").arg(i + 1) : QString();
        items.append({PaletteKind::View, tr("view"), view.title(), view.question(), keys, view.key(), [this, i] {
                          m_shell.showPage(Front::Launch);
                          m_parts->views->showView(i);
                      }});
    }
}

void PaletteFeature::offerActions(QVector<PaletteItem>& items) {
    for (const ActionRow& row : actionTable()) {
        QAction* does = action(row.name);
        if (!does || !does->isEnabled() || qstrcmp(row.name, "palette") == 0)
            continue;
        QString about = QCoreApplication::translate("Actions", title(row.menu));
        if (does->isCheckable() && does->isChecked())
            about += QStringLiteral(" · ✓");
        // Whoever wants another language may not read the one that is shown.
        const QString words = QString::fromUtf8(row.text) + QLatin1Char(' ') + QString::fromUtf8(row.words);
        items.append({PaletteKind::Action, tr("action"), does->text(), about,
                      does->shortcut().toString(QKeySequence::NativeText), words, [does] { does->trigger(); }});
    }
}

} // namespace warpglass
