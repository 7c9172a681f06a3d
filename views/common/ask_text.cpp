// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/ask_text.h"

#include <QApplication>
#include <QInputDialog>

namespace warpglass {

AskText askByDialog(std::function<QString()> label) {
    return [label = std::move(label)](const QString& title, const QString& now) -> std::optional<QString> {
        bool accepted = false;
        const QString text =
            QInputDialog::getText(QApplication::activeWindow(), title, label(), QLineEdit::Normal, now, &accepted);
        return accepted ? std::optional(text) : std::nullopt;
    };
}

} // namespace warpglass
