// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/state_words.h"

#include <QCoreApplication>

#include <array>

namespace warpglass {

namespace {

struct StateText {
    Q_DECLARE_TR_FUNCTIONS(StateText)
};

struct Entry {
    WarpState state;
    const char *name, *word, *nsight, *meaning;
};

constexpr std::array glossary{
    Entry{WarpState::Selected, QT_TR_NOOP("selected: issues"), QT_TR_NOOP("issues"), "Selected",
          QT_TR_NOOP("The scheduler issues an instruction of this warp in this cycle.")},
    Entry{WarpState::Eligible, QT_TR_NOOP("eligible: ready, not chosen"), QT_TR_NOOP("ready"), "Stall Not Selected",
          QT_TR_NOOP("It could issue, but the scheduler chose another warp: there is more work than slots.")},
    Entry{WarpState::StallBarrier, QT_TR_NOOP("waits at a barrier"), QT_TR_NOOP("barrier"), "Stall Barrier",
          QT_TR_NOOP("It has arrived at __syncthreads() and other warps of its block have not.")},
    Entry{WarpState::StallLongScoreboard, QT_TR_NOOP("waits for memory (long scoreboard)"), QT_TR_NOOP("memory"),
          "Stall Long Scoreboard",
          QT_TR_NOOP("It needs a value that is on its way from global, local or texture memory, through "
                     "L1, L2 or DRAM.")},
    Entry{WarpState::StallShortScoreboard, QT_TR_NOOP("waits for a short operation (short scoreboard)"),
          QT_TR_NOOP("short op"), "Stall Short Scoreboard",
          QT_TR_NOOP("It needs the result of shared or constant memory, a special function, a special "
                     "register, a conversion, a vote or a shuffle.")},
    Entry{WarpState::StallWait, QT_TR_NOOP("waits for its last result (fixed latency)"), QT_TR_NOOP("result"),
          "Stall Wait",
          QT_TR_NOOP("It needs the result of its last instructions, which comes after a fixed number of "
                     "cycles.")},
    Entry{WarpState::StallMathPipeThrottle, QT_TR_NOOP("arithmetic pipe is busy"), QT_TR_NOOP("pipe"),
          "Stall Math Pipe Throttle",
          QT_TR_NOOP("The unit that its instruction needs is still busy with another one.")},
    Entry{WarpState::StallLgThrottle, QT_TR_NOOP("queue to memory is full"), QT_TR_NOOP("queue"), "Stall LG Throttle",
          QT_TR_NOOP("The queue of accesses to global and local memory takes no more for now.")},
    Entry{WarpState::StallMioThrottle, QT_TR_NOOP("queue to shared memory is full"), QT_TR_NOOP("shared queue"),
          "Stall MIO Throttle", QT_TR_NOOP("The queue to shared memory and special units takes no more for now.")},
    Entry{WarpState::StallBranchResolving, QT_TR_NOOP("waits for a branch"), QT_TR_NOOP("branch"),
          "Stall Branch Resolving", QT_TR_NOOP("It has jumped, and where it goes on is not known yet.")},
    Entry{WarpState::StallNoInstruction, QT_TR_NOOP("waits for its instructions"), QT_TR_NOOP("fetch"),
          "Stall No Instruction",
          QT_TR_NOOP("Its next instruction has not been fetched: it has just begun, or the instruction "
                     "cache is cold.")},
    Entry{WarpState::StallMembar, QT_TR_NOOP("waits at a memory fence"), QT_TR_NOOP("fence"), "Stall Membar",
          QT_TR_NOOP("Its earlier writes must be seen by others before it goes on.")},
    Entry{WarpState::StallSleeping, QT_TR_NOOP("sleeps"), QT_TR_NOOP("sleep"), "Stall Sleeping",
          QT_TR_NOOP("All its lanes have asked to sleep.")},
    Entry{WarpState::StallDrain, QT_TR_NOOP("waits for its stores at the end"), QT_TR_NOOP("drain"), "Stall Drain",
          QT_TR_NOOP("It has ended, and its stores are still on their way out.")},
    Entry{WarpState::StallDispatch, QT_TR_NOOP("dispatch is held up"), QT_TR_NOOP("dispatch"), "Stall Dispatch Stall",
          QT_TR_NOOP("The dispatcher holds the instruction back.")},
};
static_assert(glossary.size() == std::size_t(WarpState::Count_));

const Entry& entryOf(WarpState state) {
    const auto n = std::size_t(state);
    return glossary[n < glossary.size() ? n : 0];
}

// Entries stand in the order of the states, so that one is found by its number.
constexpr bool inOrder() {
    for (std::size_t n = 0; n < glossary.size(); ++n)
        if (glossary[n].state != WarpState(n))
            return false;
    return true;
}
static_assert(inOrder());

} // namespace

QString stateName(WarpState state) {
    return StateText::tr(entryOf(state).name);
}
QString stateWord(WarpState state) {
    return StateText::tr(entryOf(state).word);
}
QString stateNsight(WarpState state) {
    return QString::fromLatin1(entryOf(state).nsight);
}
QString stateMeaning(WarpState state) {
    return StateText::tr(entryOf(state).meaning);
}

Hatch stateHatch(WarpState state) {
    switch (state) {
    case WarpState::Selected: // the scheduler's glyph for it is a pointer to the right, see paintGrid
        return Hatch::None;
    case WarpState::Eligible:
    case WarpState::StallSleeping:
    case WarpState::StallDrain:
        return Hatch::Ring;
    case WarpState::StallBarrier:
    case WarpState::StallMembar:
    case WarpState::StallNoInstruction:
        return Hatch::Dash;
    case WarpState::StallLongScoreboard:
    case WarpState::StallLgThrottle:
    case WarpState::StallBranchResolving:
        return Hatch::Diagonal;
    case WarpState::StallShortScoreboard:
    case WarpState::StallMioThrottle:
    case WarpState::StallMathPipeThrottle:
        return Hatch::Cross;
    case WarpState::StallWait:
    case WarpState::StallDispatch:
    case WarpState::Count_:
        break;
    }
    return Hatch::Dot;
}

QString stateExplained(WarpState state) {
    return stateMeaning(state) + QLatin1Char('\n') + StateText::tr("Nsight calls it: %1").arg(stateNsight(state));
}

} // namespace warpglass
