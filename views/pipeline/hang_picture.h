// SPDX-License-Identifier: GPL-3.0-or-later
// A launch that hangs: lanes that stand alike as boxes, what each waits for and why that never comes, and arrows from each to
// those that would have to go on first. What holds all others up is marked.
#pragma once

#include "views/common/picture.h"

namespace warpglass {

// What the launch hangs at; null: it does not.
const Diagnostic* hangOf(const Trace& trace, std::uint32_t launch);

class HangPicture final : public Picture {
public:
    HangPicture(const PaintContext& of, const QRectF& on, const Diagnostic& hang);

    void paint(QPainter& painter) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;

    struct Box {
        QRectF where, head, what, why; // scrolled already
        QString who, whatText, whyText;
    };
    const Diagnostic& hang; // of the context's trace
    const QVector<Box>& boxes() const { return m_boxes; }

private:
    std::optional<Change> scrolled(double by) const;
    std::optional<Change> choosing(qsizetype box) const;
    Selection selectionOf(const HangWait& wait) const;

    QRectF m_title, m_list;
    double m_gutter = 0, m_most = 0; // px: where the arrows run; how far it scrolls
    QVector<Box> m_boxes;
};

} // namespace warpglass
