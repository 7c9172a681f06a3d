// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a timeline's picture that stay while a person pans and zooms: title, chart of the whole run, names of the
// rows, legend. Words cost more than bars, so each part is painted once, into an image that one picture hands on to the
// next. Only where pixels are painted as large as they are; a drawing, or a scaled page, is painted as always.
#pragma once

#include <QImage>
#include <QPainter>

#include <array>
#include <functional>
#include <mutex>

namespace warpglass {

class TimelineStills {
public:
    enum Part { Title, Overview, Labels, Legend };

    // The part inside `where`, on this ground and under the painter's clip: by draw(), or as draw() painted it before.
    // draw() begins with a painter that antialiases and has no clip of its own.
    void paint(QPainter& painter, Part part, const QRectF& where, const QColor& ground,
               const std::function<void(QPainter&)>& draw);

private:
    std::mutex m_mutex; // pictures are painted on any thread
    std::array<QImage, 4> m_images;
};

} // namespace warpglass
