// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/prediction.h"

#include "views/common/prediction_picture.h"
#include "views/common/prediction_text.h"
#include "views/common/ticks.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr int mostNamed = 6;   // runs of items in a sentence
constexpr int mostColumns = 2; // columns that are told one by one

// "0 to 7", "9", "31".
QStringList runsOf(const Prediction& prediction, const std::set<int>& items) {
    QStringList runs;
    const auto nameOf = [&](int item) { return prediction.items[item].name; };
    for (auto it = items.begin(); it != items.end();) {
        const int first = *it;
        int last = first;
        auto next = std::next(it);
        while (next != items.end() && *next == last + 1) {
            last = *next;
            ++next;
        }
        if (last - first >= 2)
            runs << PredictionText::tr("%1 to %2").arg(nameOf(first), nameOf(last));
        else
            for (int item = first; item <= last; ++item)
                runs << nameOf(item);
        it = next;
    }
    return runs;
}

QString listed(QStringList words) {
    if (words.size() > mostNamed) {
        words = words.first(mostNamed);
        return words.join(PredictionText::tr(", ")) + QStringLiteral("…");
    }
    if (words.size() < 2)
        return words.join(QString());
    const QString last = words.takeLast();
    return PredictionText::tr("%1 and %2").arg(words.join(PredictionText::tr(", ")), last);
}

QString linkText(const Prediction& prediction, PredictedLink link) {
    return QStringLiteral("%1 + %2").arg(prediction.items[link.first].name, prediction.items[link.second].name);
}

QString linksText(const Prediction& prediction, const std::set<PredictedLink>& links) {
    QStringList words;
    for (const PredictedLink& link : links)
        words << linkText(prediction, link);
    return listed(words);
}

// The item of a set that lies in a column; -1: none.
int inColumn(const Prediction& prediction, const std::set<int>& items, int column) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](int item) { return item % std::max(1, prediction.columns) == column; });
    return found != items.end() ? *found : -1;
}

// "cycle 7: warp 3, not warp 1; cycle 9: warp 2": of the columns that are not right the first ones.
QStringList columnsText(const Prediction& prediction, const PredictionMarks& marks) {
    QStringList words;
    for (int column = 0; column < prediction.columns; ++column) {
        const int is = inColumn(prediction, marks.missed, column), chosen = inColumn(prediction, marks.wrong, column);
        if (is < 0)
            continue;
        const QString name = prediction.words.columns.value(column), right = prediction.items[is].name;
        if (words.size() == mostColumns) {
            words.back() += QStringLiteral("…");
            break;
        }
        words << (chosen < 0 ? PredictionText::tr("%1: %2").arg(name, right)
                             : PredictionText::tr("%1: %2, not %3").arg(name, right, prediction.items[chosen].name));
    }
    return words;
}

} // namespace

int Prediction::openItems() const {
    return int(std::count_if(items.begin(), items.end(), [](const PredictedItem& item) { return item.open; }));
}

QString Guess::text() const {
    QStringList words;
    if (number)
        words << QStringLiteral("#%1").arg(*number);
    for (const int item : items)
        words << QString::number(item);
    for (const PredictedLink& link : links)
        words << QStringLiteral("%1-%2").arg(link.first).arg(link.second);
    return words.join(QLatin1Char(','));
}

Guess Guess::from(const QString& text) {
    Guess guess;
    for (const QString& word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList ends = word.trimmed().split(QLatin1Char('-'));
        bool first = false, second = true;
        if (word.trimmed().startsWith(QLatin1Char('#'))) {
            const std::uint64_t number = word.trimmed().mid(1).toULongLong(&first);
            if (first)
                guess.number = number;
            continue;
        }
        const int a = ends[0].toInt(&first), b = ends.size() == 2 ? ends[1].toInt(&second) : 0;
        if (!first || !second || a < 0 || b < 0 || ends.size() > 2)
            continue;
        if (ends.size() == 2)
            guess.links.insert({std::min(a, b), std::max(a, b)});
        else
            guess.items.insert(a);
    }
    return guess;
}

PredictionMarks judge(const Prediction& prediction, const Guess& guess) {
    PredictionMarks judgement;
    switch (prediction.asked) {
    case Asked::Items:
        for (int item = 0; item < int(prediction.items.size()); ++item) {
            if (!prediction.items[item].open)
                continue;
            ++judgement.of;
            const bool chosen = guess.items.contains(item), is = prediction.truth.contains(item);
            if (chosen == is)
                ++judgement.right;
            else
                (is ? judgement.missed : judgement.wrong).insert(item);
        }
        break;
    case Asked::One:
        judgement.of = 1;
        judgement.right = guess.items == prediction.truth;
        if (!judgement.right) {
            judgement.missed = prediction.truth;
            judgement.wrong = guess.items;
        }
        break;
    case Asked::Each:
        for (int column = 0; column < prediction.columns; ++column) {
            const int is = inColumn(prediction, prediction.truth, column);
            const int chosen = inColumn(prediction, guess.items, column);
            ++judgement.of;
            judgement.right += chosen == is;
            if (chosen != is && is >= 0)
                judgement.missed.insert(is);
            if (chosen != is && chosen >= 0)
                judgement.wrong.insert(chosen);
        }
        break;
    case Asked::Number:
        judgement.of = 1;
        judgement.right = guess.number == prediction.number;
        break;
    case Asked::Links:
        for (const PredictedLink& link : prediction.links)
            if (guess.links.contains(link))
                ++judgement.right;
            else
                judgement.missedLinks.insert(link);
        for (const PredictedLink& link : guess.links)
            if (!prediction.links.contains(link))
                judgement.wrongLinks.insert(link);
        judgement.of = judgement.right + int(judgement.missedLinks.size() + judgement.wrongLinks.size());
        break;
    }
    return judgement;
}

QString namesOf(const Prediction& prediction, const std::set<int>& items) {
    const QString names = listed(runsOf(prediction, items));
    return (items.size() == 1 ? prediction.words.name : prediction.words.names).arg(names);
}

QString verdict(const Prediction& prediction, const Guess& guess) {
    const PredictionMarks judgement = judge(prediction, guess);
    const PredictionWords& words = prediction.words;
    QStringList parts;
    switch (prediction.asked) {
    case Asked::Items:
        parts << (judgement.whole() ? words.all.arg(judgement.of)
                                    : words.counted.arg(judgement.right).arg(judgement.of));
        if (!judgement.missed.empty())
            parts << words.missed.arg(namesOf(prediction, judgement.missed));
        if (!judgement.wrong.empty())
            parts << words.wrong.arg(namesOf(prediction, judgement.wrong));
        break;
    case Asked::One:
        parts << (judgement.whole() ? PredictionText::tr("Right: %1").arg(namesOf(prediction, prediction.truth))
                  : guess.items.empty()
                      ? PredictionText::tr("It is %1").arg(namesOf(prediction, prediction.truth))
                      : PredictionText::tr("It is %1, not %2")
                            .arg(namesOf(prediction, prediction.truth), namesOf(prediction, guess.items)));
        break;
    case Asked::Each:
        parts << (judgement.whole() ? words.all.arg(judgement.of)
                                    : words.counted.arg(judgement.right).arg(judgement.of));
        parts << columnsText(prediction, judgement);
        break;
    case Asked::Number:
        parts << (judgement.whole() ? PredictionText::tr("Right: %1").arg(numberText(prediction.number))
                  : !guess.number   ? PredictionText::tr("It is %1").arg(numberText(prediction.number))
                                    : PredictionText::tr("It is %1, not %2")
                                        .arg(numberText(prediction.number), numberText(*guess.number)));
        break;
    case Asked::Links:
        parts << (judgement.whole() ? words.all.arg(judgement.of)
                                    : words.counted.arg(judgement.right).arg(judgement.of));
        if (!judgement.missedLinks.empty())
            parts << words.missed.arg(linksText(prediction, judgement.missedLinks));
        if (!judgement.wrongLinks.empty())
            parts << words.wrong.arg(linksText(prediction, judgement.wrongLinks));
        break;
    }
    return PredictionText::tr("%1.").arg(parts.join(PredictionText::tr("; ")));
}

QString itemName(const Prediction& prediction, int item) {
    const QString& name = prediction.items[item].name;
    return prediction.asked == Asked::Each
               ? PredictionText::tr("%1: %2").arg(prediction.words.columns.value(item % prediction.columns), name)
               : name;
}

QString spokenGuess(const Prediction& prediction, const Guess& guess, int cursor) {
    const PredictionWords& words = prediction.words;
    if (prediction.asked == Asked::Number)
        return guess.number ? numberText(*guess.number) : words.question;
    if (cursor < 0 || cursor >= int(prediction.items.size()))
        return words.question;
    const PredictedItem& item = prediction.items[cursor];
    const QString name = words.name.arg(itemName(prediction, cursor));
    QStringList known;
    const auto add = [&](const QString& text) {
        if (!text.isEmpty())
            known << text;
    };
    if (!item.open) {
        add(item.closed);
    } else if (prediction.asked == Asked::Links) {
        add(item.label);
        for (const PredictedLink& link : guess.links)
            if (link.first == cursor || link.second == cursor)
                add(linkText(prediction, link));
    } else {
        const bool chosen = guess.items.contains(cursor);
        if (chosen || prediction.asked == Asked::Items)
            add(chosen ? words.yes : words.no);
        add(item.note);
    }
    return known.isEmpty() ? name : PredictionText::tr("%1: %2").arg(name, known.join(PredictionText::tr(", ")));
}

Guess truthOf(const Prediction& prediction) {
    Guess guess;
    guess.items = prediction.truth;
    guess.links = prediction.links;
    if (prediction.asked == Asked::Number)
        guess.number = prediction.number;
    return guess;
}

void PredictionScore::add(const PredictionMarks& judgement) {
    ++questions;
    whole += judgement.whole();
    right += judgement.right;
    of += judgement.of;
}

QString PredictionScore::text() const {
    if (questions == 0)
        return {};
    return PredictionText::tr("%1 of %2 questions wholly right · %3 of %4 marks")
        .arg(whole)
        .arg(questions)
        .arg(right)
        .arg(of);
}

Choice<Predicting> predicting() {
    return {"predict",
            {},
            {{Predicting::Off, "off", {}},
             {Predicting::Asked, "ask", {}},
             {Predicting::Shown, "shown", {}},
             {Predicting::Cover, "cover", {}},
             {Predicting::Next, "next", {}},
             {Predicting::Play, "play", {}}}};
}

void clearPrediction(Options& options) {
    options.remove(QLatin1String(predicting().key));
    for (const char* key : {predictionGuess.key, predictionScore.key, predictionNote.key, predictionCursor.key,
                            predictionAnchor.key, predictionFrom.key, predictionReach.key, predictionBrush.key,
                            predictionPlays.key, predictionWay.key, predictionEnds.key})
        options.remove(QLatin1String(key));
}

QString codeLine(const Kernel& kernel, std::uint32_t sourceLine, std::uint32_t ptxLine) {
    const bool source = sourceLine && !kernel.source.empty(); // a file without its source has the PTX still
    const std::uint32_t line = source ? sourceLine : ptxLine;
    const QStringList lines = QString::fromStdString(source ? kernel.source : kernel.ptx).split(QLatin1Char('\n'));
    if (line == 0 || line > std::uint32_t(lines.size()))
        return {};
    return QStringLiteral("%1  %2").arg(line).arg(lines[qsizetype(line) - 1].trimmed());
}

} // namespace warpglass
