// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/select_spec.h"
#include "gpu/base/messages/session.h"

#include "gpu/trace/values.h"

#include <QStringList>

namespace warpglass {

namespace {

Error wrong(const QString& message) {
    Error error;
    error.message = message.toStdString();
    error.file = "--select";
    error.remedy = say::SelectExample;
    return error;
}

Result<std::int64_t> number(const QString& key, const QString& text, std::int64_t below) {
    bool ok = false;
    const qlonglong value = text.toLongLong(&ok);
    if (!ok)
        return wrong(QStringLiteral("\"%1\" after %2= is not a whole number").arg(text, key));
    if (value < 0 || value >= below)
        return wrong(QStringLiteral("there is no %1 %2: it must be from 0 to %3")
                         .arg(key, QString::number(value), QString::number(below - 1)));
    return std::int64_t(value);
}

// time= needs the warp, so it is looked at after everything else.
Result<Time> timeWord(const QString& text, const Selection& selection, const Trace& trace) {
    const TimeRange range = trace.range();
    if (text == QLatin1String("start"))
        return range.begin;
    if (text == QLatin1String("end"))
        return range.end;
    bool ok = false;
    if (text.endsWith(QLatin1Char('%'))) {
        const double share = text.chopped(1).toDouble(&ok);
        if (!ok || share < 0 || share > 100)
            return wrong(QStringLiteral("\"%1\" after time= is not a share from 0% to 100%").arg(text));
        return Time{range.begin.value + std::int64_t(double(range.length().value) * share / 100.0)};
    }
    if (text.startsWith(QLatin1String("event:"))) {
        if (selection.warp == noIndex)
            return wrong(QStringLiteral("time=event:N needs block= and warp="));
        const Warp& warp = trace.warps[selection.warp];
        const Result<std::int64_t> n = number(QStringLiteral("time=event:"), text.mid(6), warp.eventCount);
        if (!n)
            return n.error();
        return trace.event(warp, std::uint32_t(*n)).time;
    }
    const qlonglong value = text.toLongLong(&ok);
    if (!ok)
        return wrong(
            QStringLiteral("\"%1\" after time= is neither a number, start, end, a share nor event:N").arg(text));
    if (!isSensible({value}))
        return wrong(QStringLiteral("%1 after time= is beyond all times of a run").arg(value));
    return Time{value};
}

} // namespace

Result<SelectSpec> parseSelect(const QString& text, const Trace& trace) {
    SelectSpec spec;
    Selection& s = spec.selection;
    std::optional<std::int64_t> block, warp;
    QString time;
    std::optional<int> follows; // lane
    for (const QString& raw : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString word = raw.trimmed();
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        if (equals <= 0)
            return wrong(QStringLiteral("\"%1\" is not NAME=VALUE").arg(word));
        const QString key = word.left(equals), value = word.mid(equals + 1);
        if (key.startsWith(QLatin1String("option:"))) {
            spec.options.insert(key.mid(7), value);
            continue;
        }
        if (key == QLatin1String("time")) {
            time = value;
            continue;
        }
        if (key == QLatin1String("range")) {
            const QStringList ends = value.split(QLatin1Char(':'));
            bool okA = false, okB = false;
            if (ends.size() == 2)
                s.visible = {{ends[0].toLongLong(&okA)}, {ends[1].toLongLong(&okB)}};
            if (!okA || !okB || s.visible.end <= s.visible.begin || !isSensible(s.visible.begin) ||
                !isSensible(s.visible.end))
                return wrong(QStringLiteral("\"%1\" after range= is not BEGIN:END").arg(value));
            continue;
        }
        static const QStringList numbered{QStringLiteral("launch"), QStringLiteral("block"),  QStringLiteral("warp"),
                                          QStringLiteral("lane"),   QStringLiteral("follow"), QStringLiteral("line"),
                                          QStringLiteral("ptx")};
        if (!numbered.contains(key)) // before its value is looked at, which then means nothing
            return wrong(QStringLiteral("\"%1\" is none of the names %2, time, range and option:NAME")
                             .arg(key, numbered.join(QStringLiteral(", "))));
        std::int64_t below = std::int64_t(1) << 31;
        if (key == QLatin1String("lane") || key == QLatin1String("follow"))
            below = lanesPerWarp;
        else if (key == QLatin1String("launch"))
            below = std::int64_t(trace.launches.size());
        const Result<std::int64_t> n = number(key, value, below);
        if (!n)
            return n.error();
        if (key == QLatin1String("launch"))
            s.launch = std::uint32_t(*n);
        else if (key == QLatin1String("block"))
            block = *n;
        else if (key == QLatin1String("warp"))
            warp = *n;
        else if (key == QLatin1String("lane"))
            s.lane = int(*n);
        else if (key == QLatin1String("follow"))
            follows = int(*n);
        else if (key == QLatin1String("line"))
            s.sourceLine = std::uint32_t(*n);
        else
            s.ptxLine = std::uint32_t(*n);
    }
    if (warp && !block)
        block = 0;
    if (block) {
        if (s.launch >= trace.launches.size() || *block >= trace.launches[s.launch].blockCount)
            return wrong(QStringLiteral("launch %1 has no block %2").arg(s.launch).arg(*block));
        s.block = trace.launches[s.launch].firstBlock + std::uint32_t(*block);
    }
    if (warp) {
        const Block& row = trace.blocks[s.block];
        if (row.warpCount == 0)
            return wrong(QStringLiteral("block %1 was recorded without its warps").arg(*block));
        if (*warp >= row.warpCount)
            return wrong(QStringLiteral("block %1 has no warp %2, its last is %3")
                             .arg(*block)
                             .arg(*warp)
                             .arg(row.warpCount - 1));
        s.warp = row.firstWarp + std::uint32_t(*warp);
    }
    if (follows)
        s.followed = {warpToShow(s, trace), *follows};
    if (!time.isEmpty()) {
        const Result<Time> t = timeWord(time, s, trace);
        if (!t)
            return t.error();
        s.time = *t;
        spec.hasTime = true;
    }
    return spec;
}

} // namespace warpglass
