// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QStyledItemDelegate>

namespace warpglass {

// The durations of a kernel's launches as a line, and its share of the time as a bar behind the number.
class SparkDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setTheme(const Theme& theme) { m_theme = theme; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
