// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/side_rail.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionToolButton>

namespace warpglass {

namespace {
constexpr int railMargin = 7;
}

SideRail::SideRail(const char* name, QWidget* parent) : QToolButton(parent) {
    setObjectName(QLatin1String(name));
    setProperty("rail", true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    hide();
}

void SideRail::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(title);
    updateGeometry();
    update();
}

QSize SideRail::sizeHint() const {
    return {fontMetrics().height() + 2 * railMargin, fontMetrics().horizontalAdvance(m_title) + 4 * railMargin};
}

void SideRail::paintEvent(QPaintEvent*) {
    QStyleOptionToolButton option;
    initStyleOption(&option);
    QPainter painter(this);
    style()->drawComplexControl(QStyle::CC_ToolButton, &option, &painter, this);
    painter.setPen(palette().color(QPalette::ButtonText));
    painter.setFont(font());
    painter.translate(0, height());
    painter.rotate(-90);
    const QRect along(2 * railMargin, 0, height() - 4 * railMargin, width());
    painter.drawText(along, Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_title, Qt::ElideRight, along.width()));
}

} // namespace warpglass
