// SPDX-License-Identifier: GPL-3.0-or-later
// What the divergence view shows where a line of a Triton kernel is selected: a tensor of that line, in each cell the lane
// that holds it; the whole of it small beside, by warps; the chosen lane's values with their bytes.
#pragma once

#include "views/common/picture.h"
#include "views/lanes/tiles.h"

namespace warpglass {

class TilesPicture final : public Picture {
public:
    TilesPicture(const PaintContext& c, const QRectF& on, Tiles tiles);

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF at) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;

private:
    struct Hit {
        int row = -1, column = -1;
    };
    void layOut();
    const LaidTile& tile() const { return m_tiles.tiles[m_shown]; }
    Hit hit(QPointF at) const;
    QRectF cellRect(int row, int column) const; // in the picture; of the shown part
    bool isOwn(const TileCell& cell) const { return cell.warp == m_tiles.warp && cell.lane == m_tiles.lane; }
    QColor ground(const TileCell& cell) const;
    void paintCells(QPainter& painter) const;
    void paintWhole(QPainter& painter) const;
    void paintSide(QPainter& painter) const;
    void paintTensors(QPainter& painter) const;
    std::optional<Change> choosing(const TileCell& cell) const;
    QString note() const;
    QString bytesOf(int elements) const; // ", 16 bytes"

    Tiles m_tiles;
    int m_shown = 0;                       // which of the tensors
    int m_firstRow = 0, m_firstColumn = 0; // cells, of the part that is shown
    int m_down = 0, m_across = 0;
    QVector<QRectF> m_tensors; // their names, to be clicked
    QRectF m_title, m_text, m_heading, m_cells, m_whole, m_side, m_note;
};

} // namespace warpglass
