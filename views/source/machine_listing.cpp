// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/machine_listing.h"
#include "gpu/machine/kept.h"
#include "gpu/machine/operations.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/source/source_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpglass {

namespace {

constexpr std::size_t mostStates = 2'000'000; // of the timing model, that are summed up before anybody notices

TokenKind kindOf(QStringView word) {
    if (word.startsWith(QLatin1Char('@')) || word.startsWith(QLatin1String("0x")))
        return TokenKind::Label;
    return TokenKind::Opcode;
}

// Guard, opcode, and the rest as it is.
QVector<Token> machineTokens(const QString& text) {
    QVector<Token> tokens;
    bool opcode = false;
    for (int at = 0; at < text.size();) {
        int end = at;
        const bool space = text[at] == QLatin1Char(' ');
        while (end < text.size() && (text[end] == QLatin1Char(' ')) == space)
            ++end;
        TokenKind kind = TokenKind::Plain;
        if (!space) {
            const QStringView word = QStringView(text).mid(at, end - at);
            kind = kindOf(word);
            if (kind == TokenKind::Opcode && opcode)
                kind = TokenKind::Plain;
            opcode = opcode || kind == TokenKind::Opcode;
        }
        tokens.push_back({at, end - at, kind});
        at = end;
    }
    return tokens;
}

// [PTX line]: cycles in which the timing model has warps waiting there.
QVector<std::uint64_t> waitingAt(const Listings& listings) {
    QVector<std::uint64_t> cycles(listings.sourceOfPtx.size(), 0);
    const Trace& trace = *listings.trace;
    if (trace.states.size() > mostStates)
        return cycles;
    for (const Block& block : trace.blocksOf(trace.launches[listings.launch]))
        for (const Warp& warp : trace.warpsOf(block))
            for (const StateRow& state : trace.statesOf(warp))
                if (state.state != WarpState::Selected && state.ptxLine < std::uint32_t(cycles.size()))
                    cycles[int(state.ptxLine)] += std::uint64_t((state.end - state.begin).value);
    return cycles;
}

// Puts the GPU's samples and counts at their instructions. They were taken of code that the driver made of the same PTX, with a
// line of PTX for each: if that is not this code, none is put anywhere.
void addMeasured(MachineListing& all, const MachineSight& sight, const Listings& listings) {
    const Trace& trace = *listings.trace;
    const auto rowOf = [&](std::uint32_t sassOffset, std::uint32_t line) -> MachineRow* { // a place is a function's own
        const auto& parts = sight.whole.parts;
        auto part = std::ranges::find_if(
            parts, [line](const machine::Whole::Part& p) { return p.firstLine <= line && line < p.end; });
        if (part == parts.end()) // a function within the kernel's code
            part = parts.begin();
        const std::size_t inPart = sassOffset / machine::instructionBytes;
        return part != parts.end() && inPart < part->size ? &all.rows[int(part->first + inPart)] : nullptr;
    };
    if (!machine::wasSampled(trace, listings.launch, [&](std::uint32_t sassOffset, std::uint32_t line) {
            const MachineRow* row = rowOf(sassOffset, line);
            return row ? row->ptx : 0;
        }))
        return;
    const auto placeOf = [&](const auto& r) {
        const std::uint32_t line = r.site < trace.sites.size() ? trace.sites[r.site].ptxLine : 0;
        return r.launch == listings.launch && line > 0 ? rowOf(r.sassOffset, line) : nullptr;
    };
    for (const MachineCount& count : trace.machineCounts)
        if (MachineRow* const row = placeOf(count)) {
            row->warps = count.executions;
            row->lanes = count.lanes;
            row->counted = true;
            all.anyExecutions = all.anyCounted = true;
        }
    std::map<std::pair<MachineRow*, std::string>, std::uint64_t> found;
    for (const Sample& s : trace.samples) {
        MachineRow* const row = placeOf(s);
        const std::size_t word = s.stall.find("stalled_");
        const std::string reason = word == std::string::npos ? s.stall : s.stall.substr(word + 8);
        if (row && reason != "selected") // it does not wait
            found[{row, reason}] += s.count;
    }
    for (const auto& [where, count] : found) {
        where.first->samples.push_back({QString::fromStdString(where.second), count});
        where.first->sampled += count;
        all.sampled += count;
    }
    for (MachineRow& row : all.rows)
        std::ranges::stable_sort(row.samples, std::ranges::greater(), [](const auto& one) { return one.second; });
}

QString named(const MachineListing& machine, std::uint32_t instruction) {
    const MachineRow& row = machine.rows[int(instruction)];
    const QString what = machine.sight->textOf(instruction) + QStringLiteral(" (") + placeText(int(instruction) + 1);
    return what + (row.source ? QStringLiteral(", ") + SourceText::tr("line %1").arg(row.source) : QString()) +
           QLatin1Char(')');
}

// A few, and how many more.
QString listOf(const MachineListing& machine, const std::vector<std::uint32_t>& instructions) {
    constexpr std::size_t most = 4;
    QStringList names;
    for (std::size_t i = 0; i < std::min(most, instructions.size()); ++i)
        names << named(machine, instructions[i]);
    if (instructions.size() > most)
        names << SourceText::tr("%1 more").arg(instructions.size() - most);
    return names.join(QStringLiteral(", "));
}

// Whoever waits for what this instruction says.
std::vector<std::uint32_t> waitersFor(const MachineSight& sight, std::uint32_t instruction) {
    const machine::Function& code = sight.code();
    const machine::Control& c = code.code[instruction].control;
    std::vector<std::uint32_t> waiters;
    if (c.writes == machine::noScoreboard && c.reads == machine::noScoreboard)
        return waiters;
    for (std::uint32_t i = 0; i < code.code.size(); ++i)
        if (code.code[i].control.waits) {
            const auto for_ = sight.whole.awaited(sight.cubin, i);
            if (std::ranges::binary_search(for_, instruction))
                waiters.push_back(i);
        }
    return waiters;
}

QString waitSentence(const MachineListing& machine, std::uint32_t instruction) {
    const auto for_ = machine.sight->whole.awaited(machine.sight->cubin, instruction);
    if (for_.empty())
        return {};
    return SourceText::tr("It waits for %1.").arg(listOf(machine, for_));
}

// With the full stop of the language.
QString closed(const QString& text) {
    return SourceText::tr("%1. ").arg(text);
}

std::uint32_t sourceOf(const Listings& listings, std::uint32_t ptxLine) {
    return ptxLine < std::uint32_t(listings.sourceOfPtx.size()) ? listings.sourceOfPtx[int(ptxLine)] : 0;
}

// "IMAD 8, LDG 5, FFMA 5": the most frequent ones.
QString namesOf(const MachineListing& machine, const std::set<int>& rows) {
    constexpr std::size_t most = 5;
    std::map<std::string_view, int> counts;
    for (const int row : rows)
        ++counts[machine::mnemonic(machine.sight->code().code[std::size_t(row - 1)].opcode, machine.sight->cubin.arch)];
    std::vector<std::pair<std::string_view, int>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& of) { return of.second; });
    QStringList names;
    for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
        names << QStringLiteral("%1 %2").arg(QLatin1String(sorted[i].first.data(), int(sorted[i].first.size())),
                                             QString::number(sorted[i].second));
    return names.join(QStringLiteral(", ")) + (sorted.size() > most ? QStringLiteral(", …") : QString());
}

QString ptxSentences(const MachineListing& machine, std::uint32_t line) {
    const MachineSight& sight = *machine.sight;
    const machine::PtxFate* fate = sight.fateOf(line);
    if (!fate)
        return {};
    QString text = SourceText::tr("PTX line %1: %2")
                       .arg(QString::number(line), sentence(machine::wordsOf(*fate, sight.code(), sight.cubin.arch)));
    if (const auto spills = machine::spillWords(*fate))
        text += QStringLiteral("; ") + sentence(*spills);
    text = closed(text);
    if (const machine::Decision* d = sight.decisionAt(line))
        text += closed(sentence(machine::wordsHere(*d, sight.wordsOf(*d))));
    return text;
}

QString sourceSentences(const Listings& listings, const MachineListing& machine, std::uint32_t line) {
    const MachineSight& sight = *machine.sight;
    int instructions = 0, without = 0, spills = 0;
    std::set<int> rows;
    QStringList decisions;
    for (const std::uint32_t ptx : listings.ptxOfSource[int(line)]) {
        const machine::PtxFate* fate = sight.fateOf(ptx);
        if (!fate)
            continue;
        ++instructions;
        without += fate->code.empty();
        spills += int(fate->spills);
        for (const int row : machine.rowsOfPtx[int(ptx)])
            rows.insert(row);
    }
    // A choice may stand where its value is used, far from the line that asks.
    for (const machine::Decision& d : sight.whole.fates.decisions)
        if (sourceOf(listings, d.asked) == line || sourceOf(listings, d.line) == line)
            if (const QString text = sentence(machine::wordsHere(d, sight.wordsOf(d))); !decisions.contains(text))
                decisions << text;
    if (!instructions)
        return {};
    QString text = agreeing(SourceText::tr("Line %1: %2 {instruction|instructions} of PTX became %3 machine "
                                           "{instruction|instructions}"),
                            line, instructions, int(rows.size()));
    if (!rows.empty())
        text += SourceText::tr(" (%1)").arg(namesOf(machine, rows));
    if (without)
        text += agreeing(SourceText::tr("; %1 of PTX {has none of its own|have none of their own}"), without);
    if (spills)
        text += agreeing(SourceText::tr("; %1 {is a spill|are spills} to local memory"), spills);
    text = closed(text);
    for (const QString& d : decisions)
        text += closed(d);
    return text;
}

QString kernelSentences(const MachineListing& machine) {
    const MachineSight& sight = *machine.sight;
    const machine::Function& code = sight.code();
    QString text = agreeing(SourceText::tr("%1 machine {instruction|instructions}, %2 {register|registers} a thread"),
                            int(machine.rows.size()), code.registers.value_or(0));
    if (code.stackBytes.value_or(0))
        text += agreeing(SourceText::tr(", %1 {byte|bytes} of local memory a thread"), *code.stackBytes);
    if (!sight.whole.fates.spills.empty())
        text += agreeing(SourceText::tr(", %1 {is a spill|are spills}"), int(sight.whole.fates.spills.size()));
    text = closed(text);
    if (machine.sampled)
        text += SourceText::tr("It is what the GPU's driver made of the PTX, and the samples are of it. ");
    else if (sight.kept &&
             (sight.trace->kernels[sight.kernel].ptx.empty() ||
              std::ranges::find(sight.trace->asked, "memory", &AskedWord::option) != sight.trace->asked.end()))
        text += SourceText::tr("The recording keeps it: the program's own code, unless it was added later. ");
    else if (sight.trace->info.backend == BackendKind::Cuda)
        text += SourceText::tr(
            "It is what ptxas makes of the recording's PTX: the GPU's driver may have made other code. ");
    return text + SourceText::tr("Select a line: what became of it stands here.");
}

} // namespace

QString placeText(int line) {
    return QString::number(std::uint64_t(line - 1) * machine::instructionBytes, 16);
}

QVector<int> MachineListing::rowsOf(const Listings& listings, std::uint32_t sourceLine) const {
    QVector<int> found;
    if (sourceLine < std::uint32_t(listings.ptxOfSource.size()))
        for (const std::uint32_t ptx : listings.ptxOfSource[int(sourceLine)])
            if (ptx < std::uint32_t(rowsOfPtx.size()))
                found += rowsOfPtx[int(ptx)];
    std::sort(found.begin(), found.end());
    return found;
}

std::shared_ptr<const MachineListing> makeMachineListing(const Listings& listings, MachineSightPtr sight) {
    auto all = std::make_shared<MachineListing>();
    const machine::Function& code = sight->code();
    const std::size_t end = code.code.size();
    all->rowsOfPtx.resize(listings.sourceOfPtx.size());
    QVector<std::uint64_t> waiting = waitingAt(listings);
    for (std::size_t i = 0; i < end; ++i) {
        ListingLine line;
        line.text = sight->textOf(i);
        if (const auto called = sight->whole.names.find(i); called != sight->whole.names.end())
            line.text += QStringLiteral("    // ") + QString::fromStdString(called->second);
        line.tokens = machineTokens(line.text);
        MachineRow row;
        row.ptx = sight->ptxLineOf(i);
        row.spill = std::ranges::binary_search(sight->whole.fates.spills, std::uint32_t(i));
        if (const machine::Disassembled* said = sight->disassembled(i))
            row.live = said->live;
        const std::string_view name = machine::mnemonic(code.code[i].opcode, sight->cubin.arch);
        row.local = name == "LDL" || name == "STL";
        for (Token& token : line.tokens)
            if (row.local && token.kind == TokenKind::Opcode)
                token.kind = TokenKind::Label; // stands out
        if (row.ptx > 0 && row.ptx < std::uint32_t(listings.sourceOfPtx.size())) {
            line.linked = true;
            row.source = listings.sourceOfPtx[int(row.ptx)];
            all->rowsOfPtx[int(row.ptx)].push_back(int(i) + 1);
            row.executions = listings.ptx.lines[int(row.ptx) - 1].count.executions;
            const machine::PtxFate* fate = sight->fateOf(row.ptx);
            row.shared = fate && fate->copies > 1;
            row.stalled = std::exchange(waiting[int(row.ptx)], 0);
            all->stalled += row.stalled;
            all->anyExecutions = all->anyExecutions || row.executions > 0;
            all->listing.firstLinked = all->listing.firstLinked ? all->listing.firstLinked : int(i) + 1;
            all->listing.lastLinked = int(i) + 1;
        }
        all->listing.lines.push_back(std::move(line));
        all->rows.push_back(row);
    }
    addMeasured(*all, *sight, listings);
    all->sight = std::move(sight);
    return all;
}

QString machineSentences(const Listings& listings, const MachineListing& machine, int row, std::uint32_t ptxLine,
                         std::uint32_t sourceLine) {
    QString text;
    if (row > 0) {
        text = waitSentence(machine, std::uint32_t(row - 1));
        const auto waiters = waitersFor(*machine.sight, std::uint32_t(row - 1));
        if (!waiters.empty())
            text += (text.isEmpty() ? QString() : QStringLiteral(" ")) +
                    SourceText::tr("For it waits %1.").arg(listOf(machine, waiters));
        if (!text.isEmpty())
            text = placeText(row) + QLatin1Char(' ') + machine.listing.lines[row - 1].text + QStringLiteral(": ") +
                   text + QLatin1Char(' ');
    }
    if (ptxLine)
        text += ptxSentences(machine, ptxLine);
    if (text.isEmpty() && sourceLine && sourceLine < std::uint32_t(listings.ptxOfSource.size()))
        text = sourceSentences(listings, machine, sourceLine);
    return text.isEmpty() ? kernelSentences(machine) : text.trimmed();
}

QString machineToolTip(const MachineListing& machine, int line) {
    if (line < 1 || line > machine.rows.size())
        return {};
    const MachineRow& row = machine.rows[line - 1];
    const machine::Instruction& in = machine.sight->code().code[std::size_t(line - 1)];
    QStringList rows{placeText(line) + QStringLiteral("  ") + machine.listing.lines[line - 1].text};
    rows << agreeing(SourceText::tr("the scheduler waits %1 {cycle|cycles} before the warp's next instruction"),
                     int(in.control.stall));
    if (in.control.yields)
        rows << SourceText::tr("another warp is preferred next");
    if (const QString waits = waitSentence(machine, std::uint32_t(line - 1)); !waits.isEmpty())
        rows << waits;
    if (in.guard != machine::alwaysTrue)
        rows << SourceText::tr("lanes whose predicate says so execute it");
    if (row.live)
        rows << agreeing(SourceText::tr("%1 of %2 registers {holds|hold} a value that is used again"), row.live,
                         machine.sight->code().registers.value_or(0));
    if (row.spill)
        rows << SourceText::tr("a spill: a value moves between registers and local memory");
    else if (row.local)
        rows << SourceText::tr("an access to local memory");
    if (row.counted)
        rows << agreeing(SourceText::tr("executed by %1 {warp|warps}, in %2 {lane|lanes} (counted)"),
                         numberText(row.warps), numberText(row.lanes));
    else if (row.executions)
        rows << (row.shared
                     ? agreeing(SourceText::tr("its PTX line was executed by %1 {warp|warps}; copies share them"),
                                numberText(row.executions))
                     : agreeing(SourceText::tr("its PTX line was executed by %1 {warp|warps}"),
                                numberText(row.executions)));
    if (row.sampled) {
        QStringList reasons;
        for (const auto& [reason, count] : row.samples)
            reasons << reason + QLatin1Char(' ') + numberText(count);
        rows << SourceText::tr("stall samples: %1 (%2)").arg(numberText(row.sampled), originName(Origin::Measured)) +
                    QStringLiteral(": ") + reasons.join(QStringLiteral(", "));
    } else if (row.stalled) {
        rows << SourceText::tr("warps wait at its PTX line for %1 cycles, together (modelled)")
                    .arg(numberText(row.stalled));
    }
    if (row.ptx)
        rows << ptxSentences(machine, row.ptx).trimmed();
    return rows.join(QLatin1Char('\n'));
}

} // namespace warpglass
