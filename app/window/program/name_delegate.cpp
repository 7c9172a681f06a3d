// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/program/name_delegate.h"

#include "views/program/program_text.h"

#include <QApplication>
#include <QStyle>

namespace warpglass {

void NameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1;
    if (option->fontMetrics.horizontalAdvance(option->text) > option->rect.width() - 2 * margin)
        option->text = withoutScopes(option->text);
}

} // namespace warpglass
