// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/sentences.h"

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
// be of another form. %1 is as short as it can be.
constexpr const char* forms[] = {
    // who and where
    QT_TR_NOOP(
        "A device-side launch was dropped: %1. The launching thread gets the error, and the work is missing from "
        "the result: block %2, thread %3."),
    QT_TR_NOOP("%1: %2, block %3, thread %4, %5."),
    QT_TR_NOOP("%1: %2, block %3, %4."),
    QT_TR_NOOP("line %1 of %2 (PTX line %3)"),
    QT_TR_NOOP("the end of the function"),
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
    QT_TR_NOOP("A thread reads %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread writes %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread changes %1 bytes at %2, %3"),
    QT_TR_NOOP("%1 bytes before the beginning of %2 (%3 bytes)"),
    QT_TR_NOOP("%1 bytes past the end of %2 (%3 bytes)"),
    QT_TR_NOOP("where there is no memory"),
    QT_TR_NOOP("buffer \"%1\""),
    QT_TR_NOOP("shared memory of the block"),
    QT_TR_NOOP("local memory of the thread"),
    QT_TR_NOOP("constant memory"),
    QT_TR_NOOP("A thread accesses %1 bytes at %2, which is not a multiple of %3"),
    QT_TR_NOOP("A thread reads %1 at %2 before anything was written there"),
    // barriers, and what never ends
    QT_TR_NOOP("The block can never go on: %1. Threads that they wait for never come there"),
    QT_TR_NOOP("The launch can never go on: %1. Nobody is left who could do that"),
    // launches
    QT_TR_NOOP("%1 launches are pending, which is all that a limit of %2 lets wait (error %3); the host is not told"),
    QT_TR_NOOP("more than %1 levels of launches (error %2)"),
    QT_TR_NOOP("a grid of %1 blocks of %2 threads cannot be launched"),
    QT_TR_NOOP("a block of %1 has no threads: its %2 is 0"),
    QT_TR_NOOP("a block of %1 has %2 threads; %3 (compute capability %4) runs at most %5 threads a block"),
    QT_TR_NOOP("a block of %1 has %2 threads along z; a block may have %3 along z"),
    QT_TR_NOOP("a grid of %1 has no blocks: its %2 is 0"),
    QT_TR_NOOP("a grid of %1 has %2 blocks along %3; %4 allows %5 along %6"),
    QT_TR_NOOP("the block needs %1 bytes of shared memory; %2 gives a block at most %3 bytes"),
    QT_TR_NOOP("there is not enough memory here to run %1"),
    QT_TR_NOOP("there is no kernel \"%1\" in the catalogue, and it is no .ptx or .cu file"),
    // what to do
    QT_TR_NOOP("Make the block smaller and the grid larger."),
    QT_TR_NOOP("Make the blocks larger, or let a thread do more."),
    QT_TR_NOOP("Put the longest axis of the grid on x."),
    QT_TR_NOOP("Give every axis of the block at least 1."),
    QT_TR_NOOP("Give every axis of the grid at least 1."),
    QT_TR_NOOP("Use less shared memory a block, or choose a device with more."),
    QT_TR_NOOP("Choose a smaller size, or record less detail."),
    QT_TR_NOOP("size %1 is not possible here"),
    QT_TR_NOOP("a block of %1 holds nothing"),
    QT_TR_NOOP("a grid of %1 holds nothing"),
    QT_TR_NOOP("this kernel does not work with a block of %1"),
    QT_TR_NOOP("this kernel does not work with a grid of %1"),
    QT_TR_NOOP("Choose a size from %1 to %2."),
    QT_TR_NOOP("Each dimension must be at least 1."),
    QT_TR_NOOP("It counts its threads along x only: give one number."),
    QT_TR_NOOP("It counts its blocks along x only: give one number."),
    // results
    QT_TR_NOOP("%1 is %2, the host computes %3 (the first of %4 wrong values of %5)"),
    QT_TR_NOOP("%1 is %2, the host computes %3"),
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
                pattern += QRegularExpression::escape(text.mid(from, at.capturedStart() - from)) +
                           QStringLiteral("(?<p%1>.+?)").arg(at.captured().mid(1));
                from = at.capturedEnd();
            }
            pattern += QRegularExpression::escape(text.mid(from));
            made.push_back({QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                               QRegularExpression::DotMatchesEverythingOption),
                            form});
        }
        return made;
    }();
    return known;
}

// Options of the command line and the fields of the window that are the same.
struct Field {
    const char *option, *name;
};
constexpr Field fields[] = {{"--block", QT_TR_NOOP("Block")},   {"--grid", QT_TR_NOOP("Grid")},
                            {"--size", QT_TR_NOOP("Elements")}, {"--mode", QT_TR_NOOP("Mode")},
                            {"--device", QT_TR_NOOP("Device")}, {"--policy", QT_TR_NOOP("Policy")},
                            {"--detail", QT_TR_NOOP("Record")}, {"--accesses", QT_TR_NOOP("Record")},
                            {"--timing", QT_TR_NOOP("Record")}, {"--set", QT_TR_NOOP("Parameters")},
                            {"--arg", QT_TR_NOOP("Arguments")}, {"--buffer", QT_TR_NOOP("Arguments")},
                            {"--kernel", QT_TR_NOOP("Kernel")}, {"--shared", QT_TR_NOOP("Shared memory")},
                            {"--backend", QT_TR_NOOP("Device")}};

QString withFields(QString text) {
    static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]*"));
    for (qsizetype at = text.indexOf(option); at >= 0; at = text.indexOf(option, at)) {
        const QString word = option.match(text, at).captured();
        QString name = word; // another program's, a compiler's say
        for (const Field& field : fields)
            if (word == QLatin1String(field.option))
                name = SentenceText::tr(field.name);
        text.replace(at, word.size(), name);
        at += name.size();
    }
    return text;
}

} // namespace

QString sentence(const QString& english) {
    for (const Form& form : knownForms()) {
        const QRegularExpressionMatch match = form.known.match(english);
        if (!match.hasMatch())
            continue;
        const QString local = SentenceText::tr(form.text);
        if (local == QLatin1String(form.text)) // the window is English
            return english;
        QString said;
        for (qsizetype i = 0; i < local.size(); ++i) {
            const bool place = local[i] == QLatin1Char('%') && i + 1 < local.size() && local[i + 1].isDigit();
            said += place ? sentence(match.captured(QStringLiteral("p%1").arg(local[i + 1]))) : QString(local[i]);
            i += place;
        }
        return said;
    }
    return english;
}

QString sentence(const Error& error) {
    const QString message = withFields(sentence(error.message)), remedy = withFields(sentence(error.remedy));
    QString place = withFields(QString::fromStdString(error.file));
    if (error.line > 0)
        place += place.isEmpty() ? SentenceText::tr("line %1").arg(error.line) : QStringLiteral(":%1").arg(error.line);
    if (error.line > 0 && error.column > 0)
        place += QStringLiteral(":%1").arg(error.column);
    QString all = place.isEmpty() ? message : SentenceText::tr("%1: %2").arg(place, message);
    if (remedy.isEmpty())
        return all;
    const bool ended = all.endsWith(QLatin1Char('.')) || all.endsWith(QChar(0x3002));
    return ended ? all + QLatin1Char(' ') + remedy : SentenceText::tr("%1. %2").arg(all, remedy);
}

} // namespace warpglass
