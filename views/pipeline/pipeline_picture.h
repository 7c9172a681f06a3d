// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/ask_text.h"
#include "views/common/picture.h"
#include "views/pipeline/pipeline_layout.h"
#include "views/pipeline/role_names.h"

namespace warpglass {

using PipelineModelPtr = std::shared_ptr<const PipelineModel>;

class PipelinePicture final : public Picture {
public:
    PipelinePicture(const PaintContext& of, const QRectF& on, PipelineModelPtr from, AskText ask = {});

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override;

    const PipelineModelPtr model;
    const RoleNames names;
    const PipelineLayout layout;

private:
    std::optional<Change> key(const KeyInput& input) const;
    std::optional<Change> renamed() const; // the role of the warp that is chosen
    std::optional<std::size_t> chosenLane() const;
    Change showing(TimeRange window) const;
    void selectSite(Selection& selection, std::uint32_t site) const;
    void selectProduct(Selection& selection, const PipelineLane& lane, Time t) const;
    Spot arrowSpot(const PipelineArrow& arrow) const;
    const LaneSpan* spanAt(std::size_t lane, Time t) const;
    const SlotFill* fillAt(std::size_t slot, Time t) const;

    AskText m_ask;
};

// The window of time that the selection shows of the block.
TimeRange pipelineWindow(const PipelineModel& model, const Selection& selection);

struct DoingLook {
    QColor fill, ink;
    bool waits = false;
};
DoingLook lookOf(Doing doing, const Theme& theme);
void paintReadMark(QPainter& painter, const QRectF& where, const QColor& colour); // of a slot
QColor softened(const QColor& colour, const Theme& theme);
QColor bubbleColour(Bubble why, const Theme& theme);

struct PipelinePaint {
    QPainter& painter;
    const PipelineModel& model;
    const PipelineLayout& layout;
    const Theme& theme;
    const RoleNames& names;
    std::optional<Time> come; // while it plays: nothing later is shown
    struct Word {
        QRectF where;
        QString text;
        QColor ink, ground;
        Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    };
    QVector<Word>& words; // of the rows: painted over the arrows
};
void paintPipelineWords(const PipelinePaint& p);
QString firstPipelineWord(const QStringList& words, const QFont& font, double width); // empty: none fits
void paintPipelineLabel(const PipelinePaint& p, const QRectF& row, const QString& name, const QString& more,
                        bool marked);
void paintPipelineWait(const PipelinePaint& p, const QRectF& where, const QString& word);
void paintPipelineHead(const PipelinePaint& p);
void paintPipelineLanes(const PipelinePaint& p, std::uint32_t warp);
void paintPipelineUnits(const PipelinePaint& p);
void paintPipelineSlots(const PipelinePaint& p);
void paintPipelineArrows(const PipelinePaint& p);
void paintPipelineArrow(const PipelinePaint& p, const PipelineArrow& arrow, bool marked);
// The arrow under the pointer, of those that are drawn at rest; null: none.
const PipelineArrow* pipelineArrowAt(const PipelineModel& model, const PipelineLayout& layout, QPointF at);
void paintPipelineRuler(const PipelinePaint& p);
void paintPipelineLegend(const PipelinePaint& p);
int pipelineLegendLines(const PipelineModel& model, const Theme& theme, double width);
void paintPipelineIdle(const PipelinePaint& p);
void paintPipelineShares(const PipelinePaint& p);

} // namespace warpglass
