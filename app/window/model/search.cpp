// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/search.h"

#include <algorithm>

namespace warpglass {

namespace {

enum Weight { InSummary = 1, AsInitials = 100, InName = 200, StartsPart = 400, StartsName = 800, IsName = 1600 };

bool startsPart(const QString& name, qsizetype at) {
    if (at == 0 || !name[at - 1].isLetterOrNumber())
        return true;
    return (name[at].isUpper() && !name[at - 1].isUpper()) || (name[at].isDigit() && !name[at - 1].isDigit());
}

// Every letter of the word begins a part of the name, or follows the letter before it there.
bool isInitials(const QString& name, const QString& word) {
    qsizetype at = 0;
    bool following = false;
    for (const QChar letter : word) {
        for (;; ++at, following = false) {
            if (at == name.size())
                return false;
            if (name[at].toLower() == letter.toLower() && (following || startsPart(name, at)))
                break;
        }
        ++at;
        following = true;
    }
    return true;
}

int weightOf(const Findable& thing, const QString& word) {
    if (thing.name.compare(word, Qt::CaseInsensitive) == 0)
        return IsName;
    if (thing.name.startsWith(word, Qt::CaseInsensitive))
        return StartsName;
    int weight = 0;
    for (qsizetype at = thing.name.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = thing.name.indexOf(word, at + 1, Qt::CaseInsensitive))
        weight = std::max(weight, int(startsPart(thing.name, at) ? StartsPart : InName));
    if (weight > 0)
        return weight;
    if (word.size() > 1 && isInitials(thing.name, word))
        return AsInitials;
    return thing.summary.contains(word, Qt::CaseInsensitive) ? InSummary : 0;
}

} // namespace

std::optional<int> fit(const Findable& thing, const QStringList& words) {
    int sum = 0;
    bool summary = false;
    for (const QString& word : words) {
        const int weight = weightOf(thing, word);
        if (weight == 0)
            return std::nullopt;
        summary = summary || weight == InSummary;
        sum += weight;
    }
    return summary ? sum / AsInitials : sum; // behind everything whose name has all of them
}

QVector<int> ranked(const QVector<Findable>& things, const QString& typed) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QVector<std::pair<int, int>> found; // how well, which
    for (int i = 0; i < things.size(); ++i)
        if (const std::optional<int> how = fit(things[i], words))
            found.append({*how, i});
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QVector<int> indices;
    for (const auto& [how, index] : found)
        indices.append(index);
    return indices;
}

} // namespace warpglass
