// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of a page that plays, packed together.
//
// A frame is the drawing of a picture, line by line: an element of SVG, or where a group opens and closes. Frames that
// follow each other have most of their lines in common, those of two languages their shapes, and those of two themes
// everything but colours. So each line is kept once, in a pool, with numbers in place of colours; a frame is a list of
// lines of the pool, told as what it takes over from the frame before; and the whole is deflated.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonArray>
#include <QPair>
#include <QVector>

namespace warpglass {

class FramePool {
public:
    using Frame = QVector<int>; // lines of the pool

    // One moment in the light theme and in the dark one, as documents that svgOf() has made. They need not have the same
    // shapes: what only one of them has stays with it.
    Frame add(const QByteArray& light, const QByteArray& dark);

    // A line is a string, or two where the themes differ in more than colours: "~3" stands for colour 3, light and dark.
    QJsonArray lines() const;
    QJsonArray colours() const; // [[light, dark], ...]

    // The frame, told by the one before it: n >= 0 is line n of the pool; a pair -n, m stands for n lines of the frame
    // before, from its m-th on.
    static QJsonArray told(const Frame& frame, const Frame& before);

private:
    using Pair = QPair<QByteArray, QByteArray>;
    int lineOf(const QByteArray& light, const QByteArray& dark);
    bool withoutColours(const QByteArray& light, const QByteArray& dark, QByteArray& into);

    QVector<Pair> m_lines; // second: null if both themes have the first
    QHash<Pair, int> m_lineAt;
    QVector<Pair> m_colours;
    QHash<Pair, int> m_colourAt;
};

} // namespace warpglass
