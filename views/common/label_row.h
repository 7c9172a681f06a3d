// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in a row, as under the ticks of an axis: each over its tick, moved in at the ends, and left out where it would touch
// the one before.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <optional>

namespace warpglass {

class LabelRow {
public:
    LabelRow(qreal left, qreal right, qreal gap = 6) : m_left(left), m_right(right), m_gap(gap), m_taken(left - gap) {}

    // Where the next label to the right begins; nothing: there is no room for it.
    std::optional<qreal> place(qreal centre, qreal width) {
        const qreal at = std::max(std::min(centre - width / 2, m_right - width), m_left);
        if (at < m_taken + m_gap || at + width > m_right + 0.5)
            return std::nullopt;
        m_taken = at + width;
        return at;
    }

private:
    qreal m_left, m_right, m_gap, m_taken;
};

} // namespace warpglass
