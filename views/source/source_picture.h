// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/picture.h"
#include "views/source/source_paint.h"

namespace warpglass {

Choice<ShownText> shownTextChoice();

class SourcePicture final : public Picture {
public:
    // Texts are cut into lines and tokens once; those of the previous picture (may be null) serve again for its launch.
    SourcePicture(const PaintContext& c, const QRectF& on, const SourcePicture* previous);

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF at) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    // Of the machine code alone where it is shown alone, else of the two texts.
    QString csv() const override;

private:
    void paintFollowedLine(QPainter& painter) const;
    void paintMachine(QPainter& painter) const;
    void paintAllLinks(QPainter& painter) const;
    void findMachine(const SourcePicture* previous);
    QString machineSaid() const; // below the code; empty: nothing is known of the machine code
    int rowChosen() const;       // of the machine code; 0: none
    const Pane* paneAt(QPointF at) const;
    void mark();
    void layOut();
    const Kernel& kernel() const;
    QString whereNow() const;
    QString mostWork() const; // which line costs most; empty if nobody knows
    std::optional<Change> key(const KeyInput& input) const;
    bool scroll(Change& change, QPointF at, double lines) const;
    bool moveLeft(Change& change, double by) const;
    bool selectNeighbour(Change& change, int by) const;

    std::shared_ptr<const Listings> m_listings;
    std::shared_ptr<const Listings> m_pinned;        // of A, if it is another text or run of this kernel
    LineMatch m_match;                               // from its lines to ours
    std::shared_ptr<const MachineListing> m_machine; // null: there is none
    QString m_withoutMachine;                        // why, in a sentence; empty: nobody has asked
    SourceLayout m_layout;
    std::uint32_t m_warp = noIndex;
    CurrentLine m_now;
    std::uint32_t m_sourceLine = 0, m_ptxLine = 0; // selected
    QSet<int> m_markedSource, m_markedPtx, m_markedMachine;
    double m_left = 0; // px the code is moved to the left
};

} // namespace warpglass
