// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/old_sentences.h"

#include "gpu/base/messages/emulator.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <iterator>
#include <vector>

namespace warpglass {

namespace {

struct SentenceText {
    Q_DECLARE_TR_FUNCTIONS(Sentences)
};

// Forms of sentences, the more special first: a form is tried on the whole of a text, and what stands at its places may
// be of another form. What stands at a place is as short as it can be; before the colon that follows "%1" at the very
// beginning, as long: who and where come last.
constexpr const char* forms[] = {
    // who and where
    QT_TR_NOOP(
        "A device-side launch was dropped: %1. The launching thread gets the error, and the work is missing from "
        "the result: block %2, thread %3."),
    QT_TR_NOOP("%1: %2, block %3, thread %4, %5."),
    QT_TR_NOOP("%1: %2, block %3, %4."),
    QT_TR_NOOP("%1: %2, block %3, thread %4"), // the line is told elsewhere
    QT_TR_NOOP("line %1 of %2 (PTX line %3)"),
    QT_TR_NOOP("the end of the function"),
    QT_TR_NOOP("PTX line %1 (%2)"),
    // memory
    QT_TR_NOOP("A thread reads %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread writes %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread changes %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread reads %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread writes %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread changes %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread reads %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("A thread writes %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("A thread changes %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("%1; the kernel takes dynamic shared memory, and the launch gives it none (--shared, or the third value "
               "in <<<grid, block, bytes>>>)"),
    QT_TR_NOOP("A thread reads %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread writes %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread changes %1 bytes at %2, %3"),
    QT_TR_NOOP("%1 bytes before the beginning of %2 (%3 bytes)"),
    QT_TR_NOOP("%1 bytes past the end of %2 (%3 bytes)"),
    QT_TR_NOOP("where there is no memory"),
    QT_TR_NOOP("buffer \"%1\""),
    QT_TR_NOOP("byte %1 of %2 (%3 bytes)"),
    QT_TR_NOOP("byte %1 of %2"),
    QT_TR_NOOP("memory at %1"),
    QT_TR_NOOP("shared memory of the block"),
    QT_TR_NOOP("local memory of the thread"),
    QT_TR_NOOP("constant memory"),
    QT_TR_NOOP("A thread accesses %1 bytes at %2, which is not a multiple of %3"),
    QT_TR_NOOP("A thread reads %1 before anything was written there, so it finds whatever was left there by others"),
    QT_TR_NOOP("A thread changes %1 before anything was written there, so it finds whatever was left there by others"),
    QT_TR_NOOP("a local variable (byte %1 of the thread's local memory)"),
    QT_TR_NOOP("%1 bytes that malloc gave a thread are never freed"),
    QT_TR_NOOP("%1 bytes of %2 are never freed: allocated by operation %3."),
    QT_TR_NOOP("%1 allocations of %2 bytes of %3 each, %4 bytes in all, are never freed: operations %5."),
    QT_TR_NOOP("device memory"),
    QT_TR_NOOP("managed memory"),
    QT_TR_NOOP("pinned memory"),
    // races
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 reads (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one reads %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP(
        "Races are looked for in a part of global memory only: the launch touches more of it than the check remembers"),
    QT_TR_NOOP(
        "Two threads race: this one reads %1 from a word of shared memory (byte %2) that thread %3 of another warp "
        "wrote (%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("Two threads race: this one reads %1 from a word of shared memory (byte %2) that thread %3 of another "
               "warp atomically changed (%4) at %5 with no __syncthreads() in between, so the result depends on which "
               "warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one atomically changes a word of shared memory (byte %1) that thread %2 of another "
        "warp wrote (%3) at %4 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one atomically changes a word of shared memory (byte %1) that thread %2 of another "
        "warp read (%3) at %4 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 reads (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP("Two threads race in global memory: this one reads %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that thread %3 of another warp also "
        "wrote (%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that thread %3 of another warp read "
        "(%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that a thread of another warp "
        "read with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("A thread reads a word of shared memory (byte %1) that lane %2 of the same warp wrote at %3 with no "
               "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
               "7.0 and later do not promise"),
    QT_TR_NOOP("A thread writes a word of shared memory (byte %1) that lane %2 of the same warp also wrote at %3 with "
               "no __syncwarp() in between; this is only right while the lanes run in lock-step, which compute "
               "capability 7.0 and later do not promise"),
    QT_TR_NOOP("A thread writes a word of shared memory (byte %1) that lane %2 of the same warp read at %3 with no "
               "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
               "7.0 and later do not promise"),
    QT_TR_NOOP(
        "A thread writes a word of shared memory (byte %1) that another lane of the same warp read at %2 with no "
        "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
        "7.0 and later do not promise"),
    QT_TR_NOOP("A thread reads through a volatile pointer what lane %1 of the same warp wrote, with no __syncwarp() in "
               "between; this is only right while the lanes run in lock-step, which compute capability 7.0 and later "
               "do not promise"),
    // barriers, and what never ends
    QT_TR_NOOP("Only %1 of the warp's %2 lanes reach this __syncthreads() together; a barrier in a branch that not all "
               "threads take is undefined"),
    QT_TR_NOOP("There is no barrier %1: a block has barriers 0 to 15"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has already ended: a cluster "
               "needs a barrier behind its last access"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has not yet begun: a cluster "
               "needs a barrier before its first access"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has %2"),
    QT_TR_NOOP("A thread arrives at the cluster's barrier for the second time without having waited"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and nobody is left who could "
               "write there: %2 of %3 blocks have ended, and in the others all threads wait or have ended"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and nobody is left who could "
               "write there: %2 of %3 block has ended, and in the others all threads wait or have ended"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and %2 blocks cannot begin "
               "before one of them ends: %3 live on the device at once"),
    QT_TR_NOOP("The block can never go on: %1. Threads that they wait for never come there"),
    QT_TR_NOOP("The launch can never go on: %1. Nobody is left who could do that"),
    // launches
    QT_TR_NOOP("%1 launches are pending, which is all that a limit of %2 lets wait (error %3); the host is not told"),
    QT_TR_NOOP("more launches were pending than the limit allows (error 69); the host is not told"),
    QT_TR_NOOP(
        "the device gave no parameter buffer for it: too many launches were pending, or its shape is not allowed; "
        "the host is not told"),
    QT_TR_NOOP("more than %1 levels of launches (error %2)"),
    QT_TR_NOOP("a grid of %1 blocks of %2 threads cannot be launched"),
    QT_TR_NOOP("a block of %1 has no threads: its %2 is 0"),
    QT_TR_NOOP("a block of %1 has %2 threads; %3 (compute capability %4) runs at most %5 threads a block"),
    QT_TR_NOOP("a block of %1 has %2 threads along z; a block may have %3 along z"),
    QT_TR_NOOP("a grid of %1 has no blocks: its %2 is 0"),
    QT_TR_NOOP("a grid of %1 has %2 blocks along %3; %4 allows %5 along %6"),
    QT_TR_NOOP("the block needs %1 bytes of shared memory; %2 gives a block at most %3 bytes"),
    QT_TR_NOOP("there is not enough memory here to run %1"),
    QT_TR_NOOP(
        "the buffers of the launch take %1 of this machine's memory, where the largest of them is copied after the "
        "run; %2 is the limit"),
    // who waits for what: parts of the sentences above
    QT_TR_NOOP("%1; %2"),
    QT_TR_NOOP("%1 more places"),
    QT_TR_NOOP("%1, where no thread has ever written"),
    QT_TR_NOOP("%1, where block %2, thread %3 last wrote %4 at %5, %6"),
    QT_TR_NOOP("%1 lanes of %2 blocks wait for %3 at %4"),
    QT_TR_NOOP("%1 lanes of %2 block wait for %3 at %4"),
    QT_TR_NOOP("%1 lane of %2 block waits for %3 at %4"),
    QT_TR_NOOP("whose block has ended"),
    QT_TR_NOOP("which has ended"),
    QT_TR_NOOP("which stands at a barrier at %1"),
    QT_TR_NOOP("which itself waits at %1"),
    QT_TR_NOOP("which stands still until these lanes of its own warp have come to where it is: lanes that may each go "
               "on alone are another way to reconverge (independent)"),
    QT_TR_NOOP("which does not come to write again"),
    QT_TR_NOOP("in an earlier launch"),
    QT_TR_NOOP("the barrier of their cluster, to which %1 of %2 threads have not come"),
    QT_TR_NOOP("warps %1 and %2 more wait for %3"),
    QT_TR_NOOP("warps %1 wait for %2"),
    QT_TR_NOOP("warp %1 waits for %2"),
    QT_TR_NOOP("the other lanes of their warp at %1"),
    QT_TR_NOOP("the other warps of their warpgroup at %1"),
    QT_TR_NOOP("barrier %1 at %2"),
    QT_TR_NOOP("byte %1 of shared memory"),
    QT_TR_NOOP("byte %1 of %2"),
    QT_TR_NOOP("address %1"),
    QT_TR_NOOP("shared memory"),
    QT_TR_NOOP("local memory"),
};

struct Form {
    QRegularExpression known;
    const char* text;
};

const std::vector<Form>& knownForms() {
    static const std::vector<Form> known = [] {
        static const QRegularExpression place(QStringLiteral("%\\d"));
        std::vector<Form> made;
        for (const char* form : forms) {
            const QString text = QString::fromUtf8(form);
            QString pattern;
            qsizetype from = 0;
            for (auto match = place.globalMatch(text); match.hasNext();) {
                const QRegularExpressionMatch at = match.next();
                const bool greedy = from == 0 && text.startsWith(QLatin1String("%1: "));
                pattern +=
                    QRegularExpression::escape(text.mid(from, at.capturedStart() - from)) +
                    (greedy ? QStringLiteral("(?<p1>.+)") : QStringLiteral("(?<p%1>.+?)").arg(at.captured().mid(1)));
                from = at.capturedEnd();
            }
            pattern += QRegularExpression::escape(text.mid(from));
            for (const auto& [many, oneToo] : // or one
                 {std::pair(" bytes", "\\ bytes?"), std::pair(" sectors", "\\ sectors?"),
                  std::pair(" blocks", "\\ blocks?"), std::pair(" threads", "\\ threads?"),
                  std::pair(" more places", "\\ more\\ places?"), std::pair(" are never", "\\ (?:are|is)\\ never"),
                  std::pair(" have not come", "\\ (?:have|has)\\ not\\ come"),
                  std::pair(" lanes reach", "\\ lanes\\ reach(?:es)?"),
                  std::pair(" launches are pending", "\\ launch(?:es\\ are|\\ is)\\ pending"),
                  std::pair(" one of them ends", "\\ (?:one\\ of\\ them|another\\ one)\\ ends"),
                  std::pair(" live on", "\\ lives?\\ on")})
                pattern.replace(QRegularExpression::escape(QLatin1String(many)), QLatin1String(oneToo));
            made.push_back({QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                               QRegularExpression::DotMatchesEverythingOption),
                            form});
        }
        return made;
    }();
    return known;
}

// "20000000 instructions": "20,000,000 instructions". Only what is counted, for lines, errors and warps are called by
// numbers, too.
QString withGroupedCounts(const QString& english) {
    static const QRegularExpression count(
        QStringLiteral("(?<![\\w.,:#/(-])(\\d{4,18})(?= "
                       "(?:bytes?|instructions|elements|threads|blocks|launches|levels|rows|lanes|events|"
                       "wrong values|more places|values)\\b)|(?<=\\()(\\d{4,18})(?= bytes\\))"));
    QString text;
    qsizetype from = 0;
    for (auto at = count.globalMatch(english); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        text += QStringView(english).mid(from, match.capturedStart() - from);
        text += numberText(std::int64_t(match.captured().toLongLong()));
        from = match.capturedEnd();
    }
    return text + english.mid(from);
}

QString inWindowsLanguage(const QString& english) {
    if (SentenceText::tr("line %1") == QLatin1String("line %1")) // in English
        return english;
    for (const Form& form : knownForms()) {
        const QRegularExpressionMatch match = form.known.match(english);
        if (!match.hasMatch())
            continue;
        const QString local = SentenceText::tr(form.text);
        QString said;
        for (qsizetype i = 0; i < local.size(); ++i) {
            const bool place = local[i] == QLatin1Char('%') && i + 1 < local.size() && local[i + 1].isDigit();
            said +=
                place ? inWindowsLanguage(match.captured(QStringLiteral("p%1").arg(local[i + 1]))) : QString(local[i]);
            i += place;
        }
        return said;
    }
    return english;
}

} // namespace

QString oldSentence(const QString& english) {
    return shown(inWindowsLanguage(withGroupedCounts(english)));
}

Message oldPending(const std::string& reason) {
    static const QRegularExpression told(
        QStringLiteral("^(\\d+) launch(?:es are| is) pending, which is all that a limit of (\\d+) lets wait"));
    const QRegularExpressionMatch found = told.match(QString::fromStdString(reason));
    return found.hasMatch() ? say::TooManyPending(found.captured(1).toULongLong(), found.captured(2).toULongLong(), "")
                            : plain(reason);
}

} // namespace warpglass
