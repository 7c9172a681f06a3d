// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/line_match.h"
#include "views/common/marks.h"
#include "views/source/machine_listing.h"
#include "views/source/source_layout.h"
#include "views/source/source_text.h"

#include <optional>

namespace warpglass {

struct PanePicture {
    const Listings& listings;
    const Listing& listing;
    const Pane& pane;
    const Theme& theme;
    bool ptx = false;
    QString heading, note;            // note: muted, behind the heading
    int now = 0;                      // line at which the chosen warp is; 0 = none
    QSet<int> marked;                 // selected lines, and those that belong to them
    qreal shift = 0;                  // px the code is moved to the left
    const Listings* pinned = nullptr; // of A, whose lines are matched
    const LineMatch* match = nullptr;
    const MachineListing* machine = nullptr; // of machine code
    int chosen = 0;                          // its instruction whose waits are drawn; 0: none
};

QColor tokenColour(TokenKind kind, const Theme& theme);
void paintPane(QPainter& painter, const PanePicture& picture);
// The name in the text that is painted there, by a pane of that shift; empty: none is.
QString wordAt(const Pane& pane, const Listing& listing, const Theme& theme, qreal shift, QPointF at);
// A band from a line to those that belong to it in the pane at its right, in the gap between the two.
void paintLinks(QPainter& painter, const Pane& from, const Pane& to, int line, const QVector<int>& lines,
                const Theme& theme);
// The margin's words: branches at which lanes parted; sectors, or passes ("2.0 p"), a request. Empty where there are none.
QString divergentText(const LineCount& count);
QString sampledText(const LineCount& count, const Listings& listings); // its share of the samples
QString perRequestText(const LineCount& count);
// all: warp-instructions of the launch, of which the line's are a share; 0: that is not known.
QString lineToolTip(const Listing& listing, int line, bool ptx, bool ofEvents = false, std::uint64_t all = 0);
// Where the pinned run A issued more warp-instructions by the line that this one was made of, how many; else nothing.
std::optional<std::uint64_t> pinnedWork(const Listings& pinned, const LineMatch& match, const Listing& listing,
                                        int line);
// How strong the ground of a line's number is, of the launch's work: 0 to 1.
double heatOf(const LineCount& count, std::uint64_t all);

} // namespace warpglass
