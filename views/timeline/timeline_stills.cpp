// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_stills.h"

#include "views/timeline/timeline_paint.h"

#include <cmath>

namespace warpglass {

void TimelineStills::paint(QPainter& painter, Part part, const QRectF& where, const QColor& ground,
                           const std::function<void(QPainter&)>& draw) {
    const QRect place = where.toAlignedRect();
    const double ratio = painter.device()->devicePixelRatioF();
    // An image made for one place in the pixels serves at that place only.
    const bool serves = paintsPixels(painter) && ratio == std::floor(ratio) && !place.isEmpty() &&
                        painter.deviceTransform() == QTransform::fromScale(ratio, ratio);
    if (!serves) {
        painter.save();
        draw(painter);
        painter.restore();
        return;
    }
    const std::lock_guard lock(m_mutex);
    QImage& image = m_images[part];
    if (image.isNull() || image.devicePixelRatio() != ratio) {
        image = QImage(place.size() * int(ratio), QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        image.fill(ground);
        QPainter on(&image);
        on.setRenderHint(QPainter::Antialiasing);
        on.translate(-place.topLeft());
        draw(on);
    }
    painter.drawImage(place.topLeft(), image);
}

} // namespace warpglass
