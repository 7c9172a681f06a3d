// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/page_frames.h"

#include <QList>

#include <algorithm>

namespace warpglass {

namespace {

// What stands inside of <svg>, behind its title and description.
QList<QByteArray> linesOf(const QByteArray& document) {
    const QByteArray lead = "</desc>\n";
    const qsizetype begin = document.indexOf(lead) + lead.size(), end = document.lastIndexOf("</svg>");
    return begin < lead.size() || end < begin ? QList<QByteArray>()
                                              : document.mid(begin, end - begin).trimmed().split('\n');
}

// Where a colour as svgOf() writes it begins (="#rrggbb"), from a place on; -1: nowhere. Quotes stand around attributes
// alone, for those of texts are escaped.
constexpr qsizetype colourLength = 7;
qsizetype nextColour(const QByteArray& line, qsizetype from) {
    for (qsizetype at = line.indexOf("=\"#", from); at >= 0; at = line.indexOf("=\"#", at + 1))
        if (at + 3 + colourLength <= line.size() && line[at + 2 + colourLength] == '"')
            return at + 2;
    return -1;
}

} // namespace

// Both lines with numbers for their colours, if nothing else tells them apart.
bool FramePool::withoutColours(const QByteArray& light, const QByteArray& dark, QByteArray& into) {
    into.clear();
    qsizetype l = 0, d = 0;
    for (;;) {
        const qsizetype nextLight = nextColour(light, l), nextDark = nextColour(dark, d);
        if ((nextLight < 0) != (nextDark < 0))
            return false;
        if (nextLight < 0) {
            into += light.mid(l);
            return light.mid(l) == dark.mid(d);
        }
        const QByteArray words = light.mid(l, nextLight - l);
        if (words != dark.mid(d, nextDark - d))
            return false;
        const Pair pair{light.mid(nextLight, colourLength), dark.mid(nextDark, colourLength)};
        auto known = m_colourAt.constFind(pair);
        if (known == m_colourAt.constEnd()) {
            known = m_colourAt.insert(pair, int(m_colours.size()));
            m_colours.append(pair);
        }
        into += words + '~' + QByteArray::number(*known);
        l = nextLight + colourLength;
        d = nextDark + colourLength;
    }
}

int FramePool::lineOf(const QByteArray& light, const QByteArray& dark) {
    QByteArray common;
    const Pair pair = withoutColours(light, dark, common) ? Pair{common, QByteArray()} : Pair{light, dark};
    auto known = m_lineAt.constFind(pair);
    if (known == m_lineAt.constEnd()) {
        known = m_lineAt.insert(pair, int(m_lines.size()));
        m_lines.append(pair);
    }
    return *known;
}

FramePool::Frame FramePool::add(const QByteArray& light, const QByteArray& dark) {
    const QList<QByteArray> l = linesOf(light), d = linesOf(dark);
    Frame frame;
    frame.reserve(std::max(l.size(), d.size()));
    // Where one theme has lines more, what stands before and behind them is still the same.
    const auto alike = [&](qsizetype i, qsizetype j) {
        QByteArray common;
        return withoutColours(l[i], d[j], common);
    };
    qsizetype before = std::min(l.size(), d.size()), behind = 0;
    if (l.size() != d.size()) {
        const qsizetype most = before;
        for (before = 0; before < most && alike(before, before);)
            ++before;
        while (behind < most - before && alike(l.size() - 1 - behind, d.size() - 1 - behind))
            ++behind;
    }
    const QByteArray nothing("");
    for (qsizetype i = 0; i < before; ++i)
        frame.append(lineOf(l[i], d[i]));
    for (qsizetype i = before; i < l.size() - behind; ++i)
        frame.append(lineOf(l[i], nothing));
    for (qsizetype i = before; i < d.size() - behind; ++i)
        frame.append(lineOf(nothing, d[i]));
    for (qsizetype i = behind; i > 0; --i)
        frame.append(lineOf(l[l.size() - i], d[d.size() - i]));
    return frame;
}

QJsonArray FramePool::lines() const {
    QJsonArray all;
    for (const Pair& line : m_lines) {
        if (line.second.isNull())
            all.append(QString::fromUtf8(line.first));
        else
            all.append(QJsonArray{QString::fromUtf8(line.first), QString::fromUtf8(line.second)});
    }
    return all;
}

QJsonArray FramePool::colours() const {
    QJsonArray all;
    for (const Pair& colour : m_colours)
        all.append(QJsonArray{QString::fromUtf8(colour.first), QString::fromUtf8(colour.second)});
    return all;
}

QJsonArray FramePool::told(const Frame& frame, const Frame& before) {
    constexpr qsizetype mostPlaces = 8; // tried for one line; a line that stands everywhere (</g>) tells little
    QHash<int, QVector<qsizetype>> places;
    for (qsizetype i = 0; i < before.size(); ++i)
        if (QVector<qsizetype>& of = places[before[i]]; of.size() < mostPlaces)
            of.append(i);
    const auto commonFrom = [&](qsizetype at, qsizetype there) {
        qsizetype n = 0;
        while (at + n < frame.size() && there + n < before.size() && frame[at + n] == before[there + n])
            ++n;
        return n;
    };
    QJsonArray words;
    qsizetype expected = 0; // where the frame before goes on, had nothing changed
    for (qsizetype i = 0; i < frame.size();) {
        qsizetype best = commonFrom(i, expected), from = expected;
        for (const qsizetype place : places.value(frame[i]))
            if (const qsizetype n = commonFrom(i, place); n > best) {
                best = n;
                from = place;
            }
        if (best < 2) { // a number is shorter than two
            words.append(frame[i++]);
            ++expected;
            continue;
        }
        words.append(-int(best));
        words.append(int(from));
        i += best;
        expected = from + best;
    }
    return words;
}

} // namespace warpglass
