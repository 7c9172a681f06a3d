// SPDX-License-Identifier: GPL-3.0-or-later
// Animated GIF. Qt reads it and does not write it; ffmpeg does, but a teacher's machine may have none, and what pictures
// of views need is small: flat colours, of which a frame has a few hundred, and frames that differ in a part. So a frame
// is the rectangle that has changed, with the colours of its own, packed by the format's LZW; a frame like the one before
// only makes that one last longer. (Format: "Graphics Interchange Format, Version 89a", CompuServe 1990.)
#pragma once

#include <QByteArray>
#include <QIODevice>
#include <QImage>

#include <cstdint>
#include <vector>

namespace warpglass {

class GifWriter {
public:
    // Frames follow each other as fast as said, as near as hundredths of a second come to it; more than fifty a second
    // are not shown by any reader, and left out.
    GifWriter(QIODevice& out, QSize size, int fps);
    bool add(const QImage& frame); // of the size; false: the device takes no more
    bool finish();

private:
    bool flush(int until); // writes the frame that was held back, which is shown until then

    QIODevice& m_out;
    QSize m_size;
    int m_fps;
    int m_frames = 0;
    bool m_good;
    QImage m_shown;  // with the frame that is held back
    QRect m_part;    // of it what has changed; null: nothing is held back
    int m_since = 0; // hundredths of a second
};

// The indices of a frame in the format's LZW, without the blocks around it; colours: 2 to 8 bits an index.
QByteArray gifPacked(const std::vector<std::uint8_t>& indices, int bits);

} // namespace warpglass
