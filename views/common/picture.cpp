// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/picture.h"

#include "views/common/caption.h"
#include "views/common/marks.h"

namespace warpglass {

QString optionOf(const Options& options, const QString& name, const QString& standard) {
    const QString value = options.value(name).toString();
    return value.isEmpty() ? standard : value;
}

QString Picture::caption() const {
    if (!context.trace)
        return {};
    QString caption = traceCaption(*context.trace, context.selection);
    if (context.other)
        caption += QStringLiteral("   |   ") + traceCaption(*context.other, {});
    return caption;
}

namespace {

// The empty state: a sentence in the middle, not wider than is pleasant to read, and below it the button.
class EmptyPicture final : public Picture {
public:
    EmptyPicture(const PaintContext& c, const QRectF& on, Emptiness emptiness, QString csv, QString caption)
        : Picture(c, on), m_emptiness(std::move(emptiness)), m_csv(std::move(csv)), m_caption(std::move(caption)) {
        const Theme& theme = context.theme;
        const qreal s = theme.fontScale;
        const qreal width = qMin(area.width() - 40 * s, 460 * s);
        const qreal height =
            paintParagraph(nullptr, QRectF(0, 0, width, 0), m_emptiness.why, theme.body(), theme.textMuted);
        const bool button = context.clickable && !m_emptiness.actionText.isEmpty();
        const qreal buttonHeight = button ? lineHeight(theme.body()) + 14 * s : 0;
        m_top = area.center().y() - (height + buttonHeight + 62 * s) / 2;
        m_text = QRectF(area.center().x() - width / 2, m_top + 34 * s, width, height);
        if (!button)
            return;
        const qreal buttonWidth = textWidth(bold(), m_emptiness.actionText) + 36 * s;
        m_button = QRectF(area.center().x() - buttonWidth / 2, m_text.bottom() + 16 * s, buttonWidth, buttonHeight);
    }

    void paint(QPainter& painter) const override {
        const Theme& theme = context.theme;
        const qreal s = theme.fontScale;
        // A warp with nothing in it: eight empty lanes.
        const qreal cell = 12 * s, gap = 3 * s, strip = 8 * cell + 7 * gap;
        for (int i = 0; i < 8; ++i)
            paintLane(painter, {area.center().x() - strip / 2 + i * (cell + gap), m_top, cell, 18 * s},
                      LaneMark::Exited, theme);
        if (m_text.height() < 1.5 * lineHeight(theme.body()))
            paintText(painter, m_text, m_emptiness.why, theme.body(), theme.textMuted, Qt::AlignCenter);
        else
            paintParagraph(&painter, m_text, m_emptiness.why, theme.body(), theme.textMuted);
        if (m_button.isNull())
            return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(m_button, 6 * s, 6 * s);
        paintText(painter, m_button, m_emptiness.actionText, bold(), theme.textOnAccent, Qt::AlignCenter);
    }

    Spot spotAt(QPointF at) const override {
        Spot spot;
        if (m_button.contains(at)) {
            spot.where = m_button;
            spot.action = m_emptiness.action;
            spot.cursor = Qt::PointingHandCursor;
        }
        return spot;
    }

    const Emptiness* emptiness() const override { return &m_emptiness; }
    QString csv() const override { return m_csv; }
    QString caption() const override { return m_caption.isEmpty() ? Picture::caption() : m_caption; }

private:
    QFont bold() const {
        QFont font = context.theme.body();
        font.setBold(true);
        return font;
    }
    Emptiness m_emptiness;
    QString m_csv, m_caption;
    qreal m_top = 0;
    QRectF m_text, m_button;
};

} // namespace

PicturePtr emptyPicture(const PaintContext& context, const QRectF& area, const Emptiness& emptiness, const QString& csv,
                        const QString& caption) {
    return std::make_shared<EmptyPicture>(context, area, emptiness, csv, caption);
}

QVector<PaintedWord> paintPicture(const Picture& picture, QPainter& painter) {
    if (!picture.paintsGround())
        painter.fillRect(picture.area, picture.context.theme.window);
    if (picture.emptiness()) {
        picture.paint(painter);
        return {};
    }
    PaintedWords listener(picture.area);
    painter.save();
    painter.setClipRect(picture.area);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    painter.restore();
    return std::move(listener.words);
}

} // namespace warpglass
