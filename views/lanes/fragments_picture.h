// SPDX-License-Identifier: GPL-3.0-or-later
// What the divergence view shows where an instruction on matrices is selected: its matrices as they are multiplied, A to
// the left of C and D, B above; in each cell the lane that holds it. The chosen lane's cells stand out, and its
// registers are listed with their elements.
#pragma once

#include "views/common/picture.h"
#include "views/lanes/fragments.h"

namespace warpglass {

class FragmentsPicture final : public Picture {
public:
    FragmentsPicture(const PaintContext& c, const QRectF& on, Fragments fragments);

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF at) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;

private:
    struct Place { // of a matrix
        QRectF cells, heading;
    };
    struct Hit {
        int matrix = -1, row = 0, column = 0;
    };
    void layOut();
    Hit hit(QPointF at) const;
    QRectF cellRect(int matrix, int row, int column) const;
    void paintMatrix(QPainter& painter, int matrix) const;
    void paintLane(QPainter& painter) const;
    QString registerName(const FragmentMatrix& matrix, int reg) const;
    QString elementsOf(const FragmentMatrix& matrix, int lane, int reg) const; // "A[3][4..5]"
    QString note() const;
    int lane() const { return qMax(0, context.selection.lane); }

    Fragments m_fragments;
    QVector<Place> m_places;
    QRectF m_title, m_text, m_note, m_lane;
};

} // namespace warpglass
