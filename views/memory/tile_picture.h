// SPDX-License-Identifier: GPL-3.0-or-later
// A tile in shared memory as it is and as another layout has it: lines of 32 banks, on them what the slowest request takes;
// beside it all layouts in order.
#pragma once

#include "views/memory/tile_model.h"

namespace warpglass {

class TilePicture final : public Picture {
public:
    TilePicture(const PaintContext& of, const QRectF& on, ShownTilePtr shown);

    void paint(QPainter& painter) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override; // up and down: the layouts in order
    QString csv() const override { return tileCsv(*tile); }

    struct Map { // lines of 128 bytes of shared memory, of one layout
        std::size_t layout = 0;
        QRectF head, banks, lines;
        int shown = 0, hidden = 0;        // lines
        double cell = 0, row = 0;         // px
        std::vector<std::uint64_t> words; // [line * 32 + bank]: byte of the tile that begins there; none: nothing
        std::vector<int> lanes;           // [line * 32 + bank]: that takes it, of the slowest request; -1: none
        std::vector<bool> conflicts;      // [line * 32 + bank]
        QRectF cellAt(int line, int bank) const {
            return {lines.left() + bank * cell, lines.top() + line * row, cell, row};
        }
    };
    static constexpr std::uint64_t nothing = ~std::uint64_t(0);

    const ShownTilePtr tile;
    const std::size_t layout; // that is shown
    const std::vector<Map>& maps() const { return m_maps; }

private:
    void fill(Map& map) const;
    void paintMap(QPainter& painter, const Map& map) const;
    void paintTable(QPainter& painter) const;
    std::optional<Change> showing(std::size_t other) const;

    QRectF m_title, m_sub, m_table, m_words;
    double m_tableRow = 0;
    std::vector<Map> m_maps;
};

} // namespace warpglass
