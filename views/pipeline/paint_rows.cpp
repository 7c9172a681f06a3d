// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes, units and slots. A pixel costs the same however much lies under it.
#include "views/common/label_row.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/pipeline/pipeline_picture.h"
#include "views/pipeline/pipeline_text.h"
#include "views/pipeline/pipeline_words.h"

#include <QImage>
#include <QPaintEngine>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpglass {

namespace {

// Pieces of a row beside each other, too narrow for more than a colour. Of many of them, on a raster, the row is made as an
// image and copied line by line: a column by itself costs a line of the processor's cache for each of its pixels.
class ThinPieces {
public:
    ThinPieces(QPainter& painter, const QRectF& row, const QColor& ground)
        : m_painter(painter), m_row(row), m_ground(ground) {}

    void add(double begin, double end, const QColor& colour) {
        if (!m_pieces.empty() && m_pieces.back().colour == colour && begin <= m_pieces.back().end + 0.01)
            m_pieces.back().end = end;
        else
            m_pieces.push_back({begin, end, colour});
    }
    void flush() {
        constexpr std::size_t few = 8;
        if (m_pieces.size() < few || m_painter.paintEngine()->type() != QPaintEngine::Raster ||
            m_painter.transform().type() > QTransform::TxTranslate || !paintImage())
            for (const Piece& piece : m_pieces)
                m_painter.fillRect(QRectF(piece.begin, m_row.top(), piece.end - piece.begin, m_row.height()),
                                   piece.colour);
        m_pieces.clear();
    }

private:
    struct Piece {
        double begin, end;
        QColor colour;
    };
    bool paintImage() {
        constexpr int most = 32; // lines of the image, which is drawn one below the other
        const double ratio = m_painter.device()->devicePixelRatioF();
        const auto pixel = [ratio](double at) { return int(std::lround(at * ratio)); };
        const int left = pixel(m_pieces.front().begin), width = pixel(m_pieces.back().end) - left;
        const int top = pixel(m_row.top()), bottom = pixel(m_row.bottom());
        const int lines = std::min(most, bottom - top);
        if (width <= 0 || lines <= 0)
            return false;
        QImage image(width, lines, QImage::Format_RGB32);
        if (image.isNull())
            return false;
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(0));
        std::fill_n(line, width, m_ground.rgb());
        for (const Piece& piece : m_pieces)
            for (int x = std::max(0, pixel(piece.begin) - left); x < std::min(width, pixel(piece.end) - left); ++x)
                line[x] = piece.colour.rgb();
        for (int y = 1; y < lines; ++y)
            std::copy_n(line, width, reinterpret_cast<QRgb*>(image.scanLine(y)));
        image.setDevicePixelRatio(ratio);
        for (int y = top; y < bottom; y += lines)
            m_painter.drawImage(QPointF(left / ratio, y / ratio), image,
                                QRectF(0, 0, width, std::min(lines, bottom - y)));
        return true;
    }

    QPainter& m_painter;
    QRectF m_row;
    QColor m_ground;
    std::vector<Piece> m_pieces;
};

// The first of the fills that is freed behind a time: mostly one of the next, so that it is looked for in growing steps.
template <typename Fill>
Fill firstBehind(Fill from, Fill end, Time t) {
    std::ptrdiff_t step = 1;
    for (; end - from > step && from[step].freed < t; step *= 2)
        from += step;
    return std::partition_point(from, from + std::min(step + 1, end - from),
                                [&](const SlotFill& f) { return f.freed < t; });
}

// Pieces of a row, left to right; under one pixel the one of the least rank.
template <typename Span, typename What>
void forPieces(const std::vector<Span>& spans, const SpanTree& tree, const TimeAxis& scale, double right, What&& what) {
    struct { // of pixels that show the same, beside each other
        double begin = 0, end = 0;
        const Span* span = nullptr;
    } run, pixel;
    double done = scale.left;
    const auto flush = [&] {
        if (run.span)
            what(run.begin, run.end, *run.span, true);
        run.span = nullptr;
    };
    const auto closePixel = [&] {
        if (!pixel.span)
            return;
        done = std::min(pixel.end, right);
        if (run.span && run.end >= pixel.begin && rankOf(*run.span) == rankOf(*pixel.span)) {
            run.end = done;
        } else {
            flush();
            run = {pixel.begin, done, pixel.span};
        }
        pixel.span = nullptr;
    };
    const double pixelsATime = scale.width / double(std::max<std::int64_t>(1, scale.window.length().value));
    const auto isSmall = [&](Time begin, Time end) { return double((end - begin).value) * pixelsATime < 1; };
    const auto take = [&](Time from, Time to, const Span& span, bool isOne) {
        double begin = scale.x(from);
        const double end = scale.x(to);
        if (isOne && end - std::max(begin, done) >= 1) {
            closePixel();
            flush();
            begin = std::max(begin, done);
            done = std::min(end, right);
            if (begin < done)
                what(begin, done, span, false);
            return done < right;
        }
        if (pixel.span && begin < pixel.end) {
            if (rankOf(span) < rankOf(*pixel.span))
                pixel.span = &span;
            if (end <= pixel.end)
                return true;
            begin = pixel.end; // it goes on in the next one
        }
        closePixel();
        begin = std::max(begin, done);
        if (begin >= right)
            return false;
        pixel = {begin, std::floor(begin) + 1, &span};
        return true;
    };
    tree.walk(spans, scale.window.begin, scale.window.end, isSmall, take);
    closePixel();
    flush();
}

constexpr double leastFramed = 12; // px: in less a bubble's frame is more than what is in it
constexpr double leastWord = 14;   // px: in less no word is looked for, which takes longer than to paint a piece

double rightEdge(const PipelinePaint& p) {
    const double right = p.layout.plot.right();
    return p.come ? std::clamp(p.layout.scale.x(*p.come), p.layout.plot.left(), right) : right;
}

} // namespace

// What is read is underlined: so it is told from what is filled without colours, too.
void paintReadMark(QPainter& painter, const QRectF& where, const QColor& colour) {
    const double high = std::clamp(where.height() / 8, 1.0, 5.0);
    painter.fillRect(QRectF(where.left(), where.bottom() - high, where.width(), high), colour);
    painter.fillRect(QRectF(where.left(), where.top(), 1, where.height()), colour);
}

// A line through a wait, with a word in its middle if there is one. What would be left of the line beside the word looks like a
// sign before its number where it is short.
void paintPipelineWait(const PipelinePaint& p, const QRectF& where, const QString& word) {
    constexpr double leastBeside = 24; // px, of which the line itself is a half
    if (where.width() < 3 ||
        (!word.isEmpty() && where.width() - textWidth(p.theme.small(), word) < 2 * leastBeside * p.theme.fontScale))
        return;
    paintHatch(p.painter, where, Hatch::Dash, p.theme.textMuted);
}

// Half of it on the ground of rows.
QColor softened(const QColor& colour, const Theme& theme) {
    const auto half = [](int a, int b) { return (9 * a + 11 * b) / 20; };
    return {half(colour.red(), theme.sunken.red()), half(colour.green(), theme.sunken.green()),
            half(colour.blue(), theme.sunken.blue())};
}

void paintPipelineWords(const PipelinePaint& p) {
    for (const PipelinePaint::Word& word : p.words) {
        const double width = textWidth(p.theme.small(), word.text) + 4; // rows leave as much
        const double left =
            word.alignment & Qt::AlignHCenter ? word.where.center().x() - width / 2 : word.where.left() - 2;
        const double high = std::min(word.where.height() - 2.4, lineHeight(p.theme.small()));
        p.painter.fillRect(QRectF(left, word.where.center().y() - high / 2, width, high), word.ground);
        paintText(p.painter, word.where, word.text, p.theme.small(), word.ink, word.alignment);
    }
}

DoingLook lookOf(Doing doing, const Theme& theme) {
    switch (doing) {
    case Doing::Multiplies:
        return {theme.category(0), inkOn(theme.category(0))};
    case Doing::Orders:
        return {theme.category(3), inkOn(theme.category(3))};
    case Doing::Stores:
        return {theme.category(2), inkOn(theme.category(2))};
    case Doing::Computes:
        return {theme.category(4), inkOn(theme.category(4))};
    case Doing::Works:
        return {theme.border, theme.text};
    default:
        return {theme.sunken, theme.textMuted, true};
    }
}

QColor bubbleColour(Bubble why, const Theme& theme) {
    switch (why) {
    case Bubble::Copy:
        return theme.category(5);
    case Bubble::Order:
        return theme.category(3);
    case Bubble::Slot:
        return theme.category(1);
    case Bubble::Barrier:
        return theme.category(6);
    case Bubble::Load:
        return theme.category(4);
    case Bubble::Warp:
        return theme.category(2);
    default:
        return theme.category(7);
    }
}

void paintPipelineLanes(const PipelinePaint& p, std::uint32_t warp) {
    const Theme& theme = p.theme;
    const double right = rightEdge(p);
    for (std::size_t n = 0; n < p.model.lanes.size(); ++n) {
        const PipelineLane& lane = p.model.lanes[n];
        const QRectF& row = p.layout.lanes[qsizetype(n)];
        const bool marked = std::find(lane.warps.begin(), lane.warps.end(), warp) != lane.warps.end();
        paintPipelineLabel(p, row, shownRoleName(p.model, p.model.roles[lane.role], p.names),
                           warpsText(*p.model.trace, lane.warps), marked);
        p.painter.fillRect(row, theme.sunken);
        forPieces(lane.spans, lane.tree, p.layout.scale, right,
                  [&](double begin, double end, const LaneSpan& span, bool isDense) {
                      const DoingLook look = lookOf(span.doing, theme);
                      const QRectF where(begin, row.top(), std::max(1.0, end - begin), row.height());
                      const bool isRoom =
                          !isDense && row.height() >= lineHeight(theme.small()) * 0.95 && where.width() >= leastWord;
                      const QString word =
                          isRoom ? firstPipelineWord({doingName(span.doing)}, theme.small(), where.width()) : QString();
                      if (look.waits)
                          paintPipelineWait(p, where, word);
                      else if (where.width() >= 4 && !isDense)
                          paintCell(p.painter, where, look.fill, Hatch::None, look.ink);
                      else
                          p.painter.fillRect(where, look.fill);
                      if (word.isEmpty())
                          return;
                      if (look.waits)
                          p.words.append({where, word, look.ink, theme.sunken, Qt::AlignCenter});
                      else
                          p.words.append({where.adjusted(4, 0, -4, 0), word, look.ink, look.fill});
                  });
    }
}

void paintPipelineUnits(const PipelinePaint& p) {
    const Theme& theme = p.theme;
    const QRectF& row = p.layout.units;
    const double right = rightEdge(p);
    paintPipelineLabel(p, row, unitsName(p.model), p.come ? QString() : unitsShareText(p.model),
                       false);                                        // no sum before its time
    const bool isKnown = p.model.bubbles.tensor || p.model.hasCycles; // that they work where nothing is told
    const QColor work =
        !isKnown ? theme.sunken : lookOf(p.model.bubbles.tensor ? Doing::Multiplies : Doing::Works, theme).fill;
    const double known = std::clamp(p.layout.scale.x(p.model.bubbles.until), row.left(), right);
    p.painter.fillRect(QRectF(row.left(), row.top(), known - row.left(), row.height()), work);
    p.painter.fillRect(QRectF(known, row.top(), right - known, row.height()), theme.sunken);
    ThinPieces thin(p.painter, row, work);
    forPieces(p.model.idle, p.model.idleTree, p.layout.scale, right,
              [&](double begin, double end, const BubbleSpan& span, bool isDense) {
                  const QRectF where(begin, row.top(), std::max(1.0, end - begin), row.height());
                  const QColor colour = bubbleColour(span.why, theme);
                  if (isDense || where.width() < 4) { // with work between them
                      thin.add(where.left(), where.right(), colour);
                      return;
                  }
                  thin.flush();
                  p.painter.fillRect(where, theme.panel);
                  paintHatch(p.painter, where, Hatch::Diagonal, colour);
                  if (where.width() < leastFramed)
                      return;
                  p.painter.setBrush(Qt::NoBrush);
                  p.painter.setPen(QPen(colour, 1.4, Qt::DashLine));
                  p.painter.drawRect(where.adjusted(0.7, 0.7, -0.7, -0.7));
                  const QString word =
                      firstPipelineWord({bubbleName(p.model.bubbles, span.why)}, theme.small(), where.width() - 6);
                  if (word.isEmpty() || row.height() < lineHeight(theme.small()) * 0.95)
                      return;
                  p.words.append({where.adjusted(0, 2, 0, -2), word, theme.text, theme.panel, Qt::AlignCenter});
              });
    thin.flush();
}

void paintPipelineSlots(const PipelinePaint& p) {
    const Theme& theme = p.theme;
    const TimeAxis& scale = p.layout.scale;
    const double most = rightEdge(p);
    const QColor filling = theme.category(3), reading = theme.category(0), read = softened(reading, theme);
    for (qsizetype n = 0; n < p.layout.ringSlots.size(); ++n) {
        const PipelineSlot& slot = p.model.ringSlots[std::size_t(n)];
        const QRectF& row = p.layout.ringSlots[n];
        paintPipelineLabel(p, row, slotName(p.model, slot), slotBytesText(slot.bytes), false);
        p.painter.fillRect(row, theme.sunken);
        const bool words = row.height() >= lineHeight(theme.small()) * 0.95;
        double painted = row.left() - 1;
        const auto piece = [&](Time from, Time to, auto&& paint) {
            const double begin = std::max(row.left(), scale.x(from)), end = std::min(most, scale.x(to));
            if (end <= begin || end <= painted)
                return;
            const QRectF where(begin, row.top(), std::max(1.0, end - begin), row.height());
            painted = where.right();
            paint(where);
        };
        ThinPieces thin(p.painter, row, theme.sunken);
        const auto isThin = [&](const QRectF& where, const QColor& colour) {
            if (where.width() >= 3) {
                thin.flush();
                return false;
            }
            thin.add(where.left(), where.right(), colour);
            return true;
        };
        const QColor soft = softened(filling, theme);
        const auto word = [&](const QRectF& where, auto&& texts, const QColor& ink, const QColor& ground) {
            if (!words || where.width() < leastWord)
                return;
            if (const QString text = firstPipelineWord(texts(), theme.small(), where.width()); !text.isEmpty())
                p.words.append({where.adjusted(4, 0, -4, 0), text, ink, ground});
        };
        auto fill = std::partition_point(slot.fills.begin(), slot.fills.end(), [&](const SlotFill& f) {
            return std::max(f.freed, f.full) <= scale.window.begin;
        });
        while (fill != slot.fills.end() && fill->begin < scale.window.end && painted < most) {
            const auto number = [&] { return QString::number(fill->number); };
            piece(fill->begin, fill->full, [&](const QRectF& where) {
                if (isThin(where, soft))
                    return;
                p.painter.fillRect(where, soft);
                paintHatch(p.painter, where, words ? Hatch::None : Hatch::Diagonal, filling);
                p.painter.fillRect(QRectF(where.left(), where.top(), 1, where.height()), filling);
                word(
                    where,
                    [&] {
                        return QStringList{
                            (slot.isFullKnown ? PipelineText::tr("filling %1") : PipelineText::tr("fill %1"))
                                .arg(number()),
                            number()};
                    },
                    theme.text, soft);
            });
            if (fill->isFull)
                piece(fill->full, fill->read, [&](const QRectF& where) {
                    if (isThin(where, theme.panel))
                        return;
                    p.painter.fillRect(where, theme.panel);
                    p.painter.setBrush(Qt::NoBrush);
                    p.painter.setPen(QPen(filling, 1.2));
                    p.painter.drawRect(where.adjusted(0.6, 0.6, -0.6, -0.6));
                    word(
                        where,
                        [&] {
                            return QStringList{PipelineText::tr("full %1").arg(number()), number()};
                        },
                        theme.text, theme.panel);
                });
            if (fill->isRead)
                piece(fill->read, fill->freed, [&](const QRectF& where) {
                    if (isThin(where, read))
                        return;
                    p.painter.fillRect(where, read);
                    paintReadMark(p.painter, where, reading);
                    word(
                        where,
                        [&] {
                            return QStringList{PipelineText::tr("read %1").arg(number()), number()};
                        },
                        theme.text, read);
                });
            // What ends in the pixel that is painted already is not to be seen.
            const Time next = scale.time(std::max(painted, row.left()));
            ++fill;
            fill = firstBehind(fill, slot.fills.end(), next);
        }
        thin.flush();
    }
    if (p.layout.hidden > 0 && !p.layout.ringSlots.isEmpty()) {
        const QRectF where(p.layout.plot.left() - p.layout.labels, p.layout.ruler.top() + 3, p.layout.labels - 8,
                           p.layout.ruler.height() - 3);
        paintText(p.painter, where,
                  firstThatFits({PipelineText::tr("%1 more slots have no room").arg(p.layout.hidden),
                                 PipelineText::tr("+ %1").arg(p.layout.hidden)},
                                theme.small(), where.width()),
                  theme.small(), theme.textMuted);
    }
}

void paintPipelineRuler(const PipelinePaint& p) {
    const Theme& theme = p.theme;
    const QRectF& ruler = p.layout.ruler;
    const Trace& trace = *p.model.trace;
    p.painter.fillRect(QRectF(ruler.left(), ruler.top(), ruler.width(), 1), theme.border);
    const Time origin = trace.range().begin;
    const double wide = textWidth(theme.small(), momentText(trace, p.layout.scale.window.end));
    const TimeAxis::Ticks ticks = p.layout.scale.ticks(origin, wide + 30 * theme.fontScale);
    LabelRow labels(ruler.left(), ruler.right());
    for (const TimeAxis::Tick& tick : ticks.marks) {
        p.painter.fillRect(QRectF(tick.x, ruler.top(), 1, 4), theme.textMuted);
        const QString text = timeText(tick.since, trace.info.timeUnit, ticks.step);
        const double width = textWidth(theme.small(), text) + 4;
        if (const auto left = labels.place(tick.x, width))
            paintText(p.painter, {*left, ruler.top() + 4, width, ruler.height() - 4}, text, theme.small(),
                      theme.textMuted, Qt::AlignCenter);
    }
}

} // namespace warpglass
