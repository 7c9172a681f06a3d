// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/program/spark_delegate.h"

#include "app/window/model/program_tables.h"
#include "views/program/program_text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace warpglass {

namespace {

void paintSpark(QPainter& painter, const QRectF& cell, const std::vector<float>& points, const Theme& theme) {
    const float most = *std::max_element(points.begin(), points.end());
    const auto at = [&](std::size_t n) {
        const double x = points.size() == 1 ? 0.5 : double(n) / double(points.size() - 1);
        const double y = most > 0 ? double(points[n] / most) : 0;
        return QPointF(cell.left() + x * cell.width(), cell.bottom() - y * cell.height());
    };
    painter.setPen(QPen(theme.border, 1)); // 0 ns
    painter.drawLine(cell.bottomLeft(), cell.bottomRight());
    painter.setPen(QPen(theme.laneOn, 1.5));
    if (points.size() < 8) { // a line through few points would invent what is between them
        painter.setBrush(theme.laneOn);
        for (std::size_t n = 0; n < points.size(); ++n)
            painter.drawEllipse(at(n), 1.5, 1.5);
        return;
    }
    QPainterPath path(at(0));
    for (std::size_t n = 1; n < points.size(); ++n)
        path.lineTo(at(n));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

} // namespace

void SparkDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* table = qobject_cast<const KernelTable*>(index.model());
    const std::uint32_t kernel = table ? table->kernelAt(index.row()) : noIndex;
    if (kernel == noIndex) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const KernelSum& sum = table->program()->kernels[kernel];
    QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell = QRectF(option.rect).adjusted(6, 4, -6, -4);
    if (index.column() == KernelTable::Durations && !sum.spark.empty() && table->program()->deviceTimes)
        paintSpark(*painter, cell, sum.spark, m_theme);
    if (index.column() == KernelTable::Share && !sum.launches.empty() && table->program()->deviceTimes) {
        const QRectF bar(cell.left(), option.rect.bottom() - 3, cell.width(), 2);
        painter->fillRect(bar, m_theme.border);
        painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * table->program()->share(sum) / 100, 2),
                          kernelColours(*table->program(), m_theme)[kernel]);
    }
    painter->restore();
}

} // namespace warpglass
