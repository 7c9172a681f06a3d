// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/gif.h"

#include <QHash>
#include <QPair>
#include <QVector>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpglass {

namespace {

constexpr int mostColours = 256;
constexpr int shortestDelay = 2; // hundredths; readers take less for "not said" and wait ten

void addShort(QByteArray& bytes, int value) { // little endian
    bytes += char(value & 0xff);
    bytes += char((value >> 8) & 0xff);
}

// The part of two pictures of one size that differs; null: none.
QRect changedPart(const QImage& before, const QImage& now) {
    int left = now.width(), right = -1, top = -1, bottom = -1;
    for (int y = 0; y < now.height(); ++y) {
        const auto* a = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* b = reinterpret_cast<const QRgb*>(now.constScanLine(y));
        const auto* first = std::mismatch(b, b + now.width(), a).first;
        if (first == b + now.width())
            continue;
        int last = now.width() - 1;
        while (a[last] == b[last])
            --last;
        left = std::min(left, int(first - b));
        right = std::max(right, last);
        top = top < 0 ? y : top;
        bottom = y;
    }
    return top < 0 ? QRect() : QRect(QPoint(left, top), QPoint(right, bottom));
}

struct Colours {
    QVector<QRgb> table;
    QHash<QRgb, std::uint8_t> indexOf; // of each colour of the picture
};

int distance(QRgb a, QRgb b) {
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return 3 * red * red + 4 * green * green + 2 * blue * blue; // eyes see green best
}

// All colours where there are few enough; else those most seen, and each other one is shown as the nearest of them.
Colours coloursOf(const QImage& image) {
    QHash<QRgb, int> count;
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x)
            ++count[row[x]];
    }
    QVector<QPair<int, QRgb>> order;
    for (auto it = count.cbegin(); it != count.cend(); ++it)
        order.append({-it.value(), it.key()});
    std::sort(order.begin(), order.end());
    Colours colours;
    for (qsizetype i = 0; i < order.size(); ++i) {
        if (i < mostColours) {
            colours.indexOf[order[i].second] = std::uint8_t(colours.table.size());
            colours.table.append(order[i].second);
            continue;
        }
        int best = std::numeric_limits<int>::max(), at = 0;
        for (int c = 0; c < mostColours; ++c)
            if (const int d = distance(order[i].second, colours.table[c]); d < best) {
                best = d;
                at = c;
            }
        colours.indexOf[order[i].second] = std::uint8_t(at);
    }
    return colours;
}

// Codes of growing width, lowest bit first.
class BitWriter {
public:
    void add(unsigned code, int width) {
        m_bits |= std::uint32_t(code) << m_count;
        for (m_count += width; m_count >= 8; m_count -= 8) {
            m_bytes += char(m_bits & 0xff);
            m_bits >>= 8;
        }
    }
    QByteArray done() {
        if (m_count > 0)
            m_bytes += char(m_bits & 0xff);
        return m_bytes;
    }

private:
    QByteArray m_bytes;
    std::uint32_t m_bits = 0;
    int m_count = 0;
};

} // namespace

QByteArray gifPacked(const std::vector<std::uint8_t>& indices, int bits) {
    constexpr unsigned mostCodes = 4096, none = 0;
    const unsigned clear = 1u << bits, end = clear + 1;
    // The dictionary as a tree: words that are one longer than this one hang below it, as a list.
    std::array<std::uint16_t, mostCodes> firstBelow{}, nextBeside{};
    std::array<std::uint8_t, mostCodes> last{};
    unsigned codes = end + 1;
    int width = bits + 1;
    BitWriter out;
    out.add(clear, width);
    unsigned word = none;
    bool has = false;
    for (const std::uint8_t index : indices) {
        if (!has) {
            word = index;
            has = true;
            continue;
        }
        unsigned longer = firstBelow[word];
        while (longer != none && last[longer] != index)
            longer = nextBeside[longer];
        if (longer != none) { // no code is 0 but a single index, which hangs below nothing
            word = longer;
            continue;
        }
        out.add(word, width);
        if (codes < mostCodes) {
            last[codes] = index;
            nextBeside[codes] = firstBelow[word];
            firstBelow[word] = std::uint16_t(codes);
            // The reader knows this word one code later: codes grow when it needs the room, not when it is learnt.
            if (codes == (1u << width))
                ++width;
            ++codes;
        } else {
            out.add(clear, width);
            firstBelow.fill(none);
            codes = end + 1;
            width = bits + 1;
        }
        word = index;
    }
    if (has)
        out.add(word, width);
    // The reader learns a word from the last code, too, and may by that want a wider end.
    if (codes == (1u << width) && codes < mostCodes)
        ++width;
    out.add(end, width);
    return out.done();
}

GifWriter::GifWriter(QIODevice& out, QSize size, int fps) : m_out(out), m_size(size), m_fps(fps) {
    QByteArray head("GIF89a");
    addShort(head, size.width());
    addShort(head, size.height());
    head += QByteArray("\x70\0\0", 3);                               // no colours for all frames
    head += QByteArray("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19); // for ever
    m_good = m_out.write(head) == head.size();
}

bool GifWriter::add(const QImage& frame) {
    const QImage now = frame.convertToFormat(QImage::Format_RGB32);
    const int at = int(std::lround(100.0 * m_frames++ / m_fps));
    const QRect part = m_shown.isNull() ? now.rect() : changedPart(m_shown, now);
    if (!m_good || part.isNull())
        return m_good;
    if (!m_part.isNull() && at - m_since < shortestDelay) { // too soon: the one held back is never seen
        m_part |= part;
        m_shown = now;
        return m_good;
    }
    m_good = flush(at);
    m_shown = now;
    m_part = part;
    m_since = at;
    return m_good;
}

bool GifWriter::flush(int until) {
    if (m_part.isNull())
        return m_good;
    const QImage part = m_shown.copy(m_part);
    const Colours colours = coloursOf(part);
    int bits = 2; // what the format has at least
    while ((1 << bits) < colours.table.size())
        ++bits;
    std::vector<std::uint8_t> indices;
    indices.reserve(std::size_t(part.width()) * std::size_t(part.height()));
    for (int y = 0; y < part.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(part.constScanLine(y));
        for (int x = 0; x < part.width(); ++x)
            indices.push_back(colours.indexOf.value(row[x]));
    }
    QByteArray bytes("\x21\xf9\x04\x04", 4); // stays where the next frame does not paint
    addShort(bytes, std::clamp(until - m_since, shortestDelay, 0xffff));
    bytes += QByteArray("\0\0\x2c", 3);
    for (const int value : {m_part.x(), m_part.y(), m_part.width(), m_part.height()})
        addShort(bytes, value);
    bytes += char(0x80 | (bits - 1)); // with colours of its own
    for (int i = 0; i < (1 << bits); ++i) {
        const QRgb colour = i < colours.table.size() ? colours.table[i] : 0;
        bytes += char(qRed(colour));
        bytes += char(qGreen(colour));
        bytes += char(qBlue(colour));
    }
    bytes += char(bits);
    const QByteArray packed = gifPacked(indices, bits);
    constexpr qsizetype mostInBlock = 255;
    for (qsizetype i = 0; i < packed.size(); i += mostInBlock) {
        const QByteArray block = packed.mid(i, mostInBlock);
        bytes += char(block.size());
        bytes += block;
    }
    bytes += '\0';
    m_part = QRect();
    return m_good = m_good && m_out.write(bytes) == bytes.size();
}

bool GifWriter::finish() {
    flush(int(std::lround(100.0 * m_frames / m_fps)));
    return m_good = m_good && m_out.write(";", 1) == 1;
}

} // namespace warpglass
