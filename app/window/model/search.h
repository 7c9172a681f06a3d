// SPDX-License-Identifier: GPL-3.0-or-later
// Which of many things a person means by a few typed words, best first. A thing has a name and a summary: whoever types
// "reduce" wants what is called so before what only tells of it.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace warpglass {

struct Findable {
    QString name, summary; // the summary in every language that may be typed
};

// How well the words fit, larger is better; nothing if one of them is neither in the name nor in the summary. A word
// counts as the whole name, its beginning, the beginning of a part ("Kernel" in "mathKernel1"), anywhere in it, its
// letters in their order from the beginning ("mk2"), anywhere in the summary - in this order. Where a word is in the
// summary alone, names with all of them go before.
std::optional<int> fit(const Findable& thing, const QStringList& words);

// Indices of the things that fit, the best first; equally good ones stay in their order. All of them for no words.
QVector<int> ranked(const QVector<Findable>& things, const QString& typed);

} // namespace warpglass
