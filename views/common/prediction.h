// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then play: what a view asks of a moment before it shows it.
//
// A view that can be predicted says, of a context, what happens next in it (View::prediction): what can be chosen, and
// what of it is true, both read from the trace as its picture reads it. Nothing is known about the kernel. Who
// predicts paints a Guess; reality is laid over it and the two are counted (judge). The board that a view shows
// meanwhile is prediction_picture.h; who asks, and when, is the window's.
//
// A question is one of
//   Items   any of the items: lanes, sectors, banks
//   One     one of the items: a warp
//   Each    one of the items of each column: a warp in each of several cycles
//   Number  a count: waves, blocks, the index of an element
//   Links   pairs of items: which elements are added
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/options.h"

#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>

#include <cstdint>
#include <optional>
#include <set>

namespace warpglass {

enum class Asked : std::uint8_t { Items, One, Each, Number, Links };

struct PredictedItem {
    QString label;    // in its cell: "17"
    QString name;     // in a sentence: "17", "warp 3"
    QString note{};   // beside a cell of a list, or below one of a row: what is known of it now
    QString group{};  // over the first cell of a group, or before a row: the address of a line
    bool open = true; // can be chosen; else it stands there greyed, with its note for a reason
    QString closed{}; // why it cannot
};

using PredictedLink = QPair<int, int>; // first < second, rows of items

struct PredictionWords {
    QString question;    // "Which lanes go on into line 24?"
    QStringList given;   // what may be known, a line each: the code, the address of lane 0
    QString code;        // the line of code in question; may be empty
    QString counted;     // "%1 of %2 lanes right"
    QString all;         // what is said when all is right: "all %1 lanes right"
    QString missed;      // true and not chosen: "%1 go on"
    QString wrong;       // chosen and not true: "%1 stay behind"
    QString yes, no;     // what being chosen means, and what not: "goes on", "stays behind"
    QString truth;       // the answer in one sentence, from the trace
    QString name, names; // of items in a sentence: "lane %1", and "lanes %1" where there are several
    QStringList columns; // Each: of the columns, in a sentence: "cycle 17"
    QString length;      // how much is asked for at once, beside the buttons that choose it: "4 cycles"
};

struct Prediction {
    Asked asked = Asked::Items;
    Time moment;                 // when it happens: before it is asked, at it it is shown
    std::optional<Time> end;     // when the last of it has happened, if that is later
    int length = 1, longest = 1; // moments asked for at once, and how many may be (predictionLength)
    PredictionWords words;
    QVector<PredictedItem> items;
    int columns = 1;     // of the board that the items lie on, row by row
    std::set<int> truth; // rows of items that are true; Links: none
    std::set<PredictedLink> links;
    std::uint64_t number = 0;
    std::uint64_t most = 0;          // Number: no answer is larger
    Origin origin = Origin::Counted; // of the answer
    std::uint32_t ptxLine = 0;       // of the instruction that is asked about; 0: none

    int openItems() const;
    Time last() const { return end.value_or(moment); } // the next question is of what comes after it
};

// What somebody has painted so far.
struct Guess {
    std::set<int> items;
    std::set<PredictedLink> links;
    std::optional<std::uint64_t> number; // with it, items may say how a hand showed it; they are not judged
    bool empty() const { return items.empty() && links.empty() && !number; }
    bool operator==(const Guess&) const = default;

    QString text() const; // "0,2,4", "0-4,1-5", "#12": as options and lessons hold it
    static Guess from(const QString& text);
};

// How a guess stands against reality.
struct PredictionMarks {
    int of = 0, right = 0;
    std::set<int> missed, wrong; // Each: in its columns that are not right
    std::set<PredictedLink> missedLinks, wrongLinks;
    bool whole() const { return right == of; }
};
// Items: each that can be chosen is right or not. One and Number: one in all. Each: one a column. Links: each that is true
// or was painted.
PredictionMarks judge(const Prediction& prediction, const Guess& guess);
// "30 of 32 lanes right; lanes 3 and 17 go on." and what is true, for whoever sees it.
QString verdict(const Prediction& prediction, const Guess& guess);
// An item by itself: "17", or "cycle 9: warp 3" where there is one of each column.
QString itemName(const Prediction& prediction, int item);
// What stands under the cursor of whoever paints by keys, and how it is painted, for ears: "lane 3: goes on".
QString spokenGuess(const Prediction& prediction, const Guess& guess, int cursor);
// The true answer as a guess.
Guess truthOf(const Prediction& prediction);

// "lanes 0 to 7, 9 and 31": runs of three and more are drawn together, and what is too long is cut.
QString namesOf(const Prediction& prediction, const std::set<int>& items);

// Sums over a session.
struct PredictionScore {
    int questions = 0, whole = 0;
    std::int64_t right = 0, of = 0;
    void add(const PredictionMarks& judgement);
    QString text() const; // "3 questions, 2 wholly right · 94 of 96"; empty before the first
    bool operator==(const PredictionScore&) const = default;
};

// The state of a view in which something is predicted, as its options hold it.
enum class Predicting : std::uint8_t {
    Off,
    Asked, // the board, with what was painted so far
    Shown, // the same, with reality laid over it
    Cover, // nothing is shown: something is predicted elsewhere
    Next,  // wished for by the board: another question
    Play,  // wished for by the board: on, as far as the next question
};
Choice<Predicting> predicting();
inline const Setting<QString> predictionGuess{"guess"}, predictionScore{"predictionScore"},
    predictionNote{"predictionNote"};
inline constexpr Setting<int> predictionCursor{"guessCursor", -1}, predictionAnchor{"guessAnchor", -1},
    predictionFrom{"guessFrom", -1}, predictionReach{"guessReach", -1};
inline constexpr Setting<bool> predictionBrush{"guessBrush", true};
inline constexpr Setting<double> predictionWay{"predictionWay", 1}; // how far the moment has been played in the view
inline constexpr Setting<bool> predictionPlays{"predictionPlays", false}; // the board offers to play on
// How many moments in a row a view that can asks for at once: whoever predicts chooses, and it holds for the next question.
inline constexpr Setting<int> predictionLength{"predictLength", 1};
// All of these but the last as if nobody had set them.
void clearPrediction(Options& options);

// A line of code for a question: of the source, else of the PTX, with its number; empty if there is neither.
QString codeLine(const Kernel& kernel, std::uint32_t sourceLine, std::uint32_t ptxLine);

} // namespace warpglass
