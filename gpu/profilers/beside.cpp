// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/beside.h"

#include "gpu/machine/kept.h"
#include "gpu/machine/operations.h"
#include "gpu/metrics/model_accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace warpglass::profilers {

namespace {

constexpr double leastPct = 1;        // of the samples, for a line to be told
constexpr double countedApartPct = 1; // counts have no noise; replays of a profiler have little

// "smsp__pcsamp_warps_issue_stalled_barrier" -> "barrier"; "stall_barrier" likewise, of the model's states.
std::string reasonOf(std::string_view stall) {
    for (const std::string_view mark : {"issue_stalled_", "stall_"})
        if (const std::size_t at = stall.find(mark); at != std::string_view::npos)
            return std::string(stall.substr(at + mark.size()));
    return std::string(stall);
}

// The model's word for a state as CUPTI has it.
std::string reasonOf(WarpState state) {
    switch (state) {
    case WarpState::Selected:
        return "selected";
    case WarpState::Eligible:
        return "not_selected";
    case WarpState::StallNoInstruction:
        return "no_instructions";
    case WarpState::StallDispatch:
        return "dispatch_stall";
    default:
        return reasonOf(std::string_view(name(state)));
    }
}

struct Share {
    std::map<std::string, double> byReason;
    std::map<std::pair<std::uint32_t, std::string>, double> byLine;
    double all = 0;
    void add(std::uint32_t line, const std::string& reason, double amount) {
        byReason[reason] += amount;
        if (line > 0)
            byLine[{line, reason}] += amount;
        all += amount;
    }
    double of(const std::string& reason) const {
        const auto found = byReason.find(reason);
        return found == byReason.end() ? 0 : found->second;
    }
    double pct(double amount) const { return all > 0 ? 100 * amount / all : 0; }
};

// Lines of the source by PTX line, asked once each.
class Lines {
public:
    explicit Lines(const Kernel& kernel) : m_kernel(kernel) {}
    std::uint32_t of(std::uint32_t ptxLine) {
        const auto [known, isNew] = m_lines.try_emplace(ptxLine, 0);
        if (isNew)
            known->second = sourceLineOf(m_kernel, ptxLine);
        return known->second;
    }

private:
    const Kernel& m_kernel;
    std::map<std::uint32_t, std::uint32_t> m_lines;
};

Share modelled(const Trace& trace) {
    Share share;
    if (trace.launches.empty() || trace.states.size() == 0)
        return share;
    Lines lines(trace.kernelOf(trace.launches[0]));
    for (const Block& block : trace.blocksOf(trace.launches[0]))
        for (const Warp& warp : trace.warpsOf(block))
            for (const StateRow& state : trace.statesOf(warp))
                share.add(lines.of(state.ptxLine), reasonOf(state.state), double((state.end - state.begin).value));
    return share;
}

// A recording's machine code, if it keeps it, and its instructions' lines of the source: by those of the PTX.
class Code {
public:
    explicit Code(const Trace& trace) : m_kernel(trace.kernels.empty() ? nullptr : &trace.kernels[0]) {
        if (m_kernel)
            m_cubin = machine::codeWith(trace.codes, m_kernel->entry);
        if (!m_cubin)
            return;
        const auto found = std::ranges::find(m_cubin->functions, m_kernel->entry, &machine::Function::name);
        m_function = found == m_cubin->functions.end() ? nullptr : &*found;
    }
    const machine::Function* function() const { return m_function; }
    bool wasSampled(const Trace& trace) const {
        return m_function && machine::wasSampled(trace, 0, [this](std::uint32_t sassOffset, std::uint32_t) {
                   const machine::LineRow* row = m_function->ptx.at(sassOffset);
                   return row ? row->line : 0;
               });
    }
    std::string mnemonic(std::size_t index) const {
        return std::string(machine::mnemonic(m_function->code[index].opcode, m_cubin->arch));
    }
    std::uint32_t lineAt(std::uint64_t offset) const {
        const machine::LineRow* row = m_function->ptx.at(offset);
        return row ? sourceLineOf(*m_kernel, row->line) : 0;
    }

private:
    const Kernel* m_kernel;
    std::optional<machine::Cubin> m_cubin;
    const machine::Function* m_function = nullptr;
};

std::string mnemonicOf(std::string_view text) {
    if (text.starts_with('@'))
        text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
    return std::string(text.substr(0, text.find_first_of(" .;")));
}

// A report lists every instruction; a recording of our own keeps the code that was sampled. sampled: that, or null.
CodeMatch matchOf(const Code& own, const Trace& card, const Code* sampled) {
    const machine::Function* ours = own.function();
    if (ours && sampled) {
        const auto codeOf = [](const machine::Function& f) { return std::span(f.bits).first(f.withoutFilling()); };
        return std::ranges::equal(codeOf(*ours), codeOf(*sampled->function())) ? CodeMatch::Same : CodeMatch::Differs;
    }
    std::vector<const Site*> code;
    for (const Site& site : card.sites)
        if (site.kind == SiteKind::Instruction && site.ptxLine == 0)
            code.push_back(&site);
    if (!ours || code.empty())
        return CodeMatch::Unknown;
    if (code.size() < ours->withoutFilling() || code.size() > ours->code.size())
        return CodeMatch::Differs;
    for (std::size_t n = 0; n < ours->withoutFilling(); ++n)
        if (mnemonicOf(code[n]->text) != own.mnemonic(n))
            return CodeMatch::Differs;
    return CodeMatch::Same;
}

std::uint32_t lineOf(const Trace& card, const Sample& sample, const Code* sampled) {
    if (sample.site < card.sites.size()) {
        const Site& site = card.sites[sample.site];
        if (const std::uint32_t line = sourceLineOf(card.kernels[0], site))
            return line;
        if (!site.where.empty() && site.where.front().file == 0)
            return site.where.front().line;
    }
    return sampled ? sampled->lineAt(sample.sassOffset) : 0;
}

void addMetrics(Beside& all, const Trace& ours, const Trace& card) {
    const auto error = expectedError(ours);
    const std::vector<Metric> own = metrics(ours, 0);
    for (const Metric& m : own) {
        const auto theirs = metric(card, 0, m.name);
        if (!theirs || !theirs->value || theirs->origin != Origin::Measured ||
            std::ranges::any_of(all.metrics, [&](const BesideMetric& told) { return told.ours.name == m.name; }))
            continue;
        BesideMetric row{.ours = m, .card = *theirs->value};
        if (m.value && row.card != 0)
            row.differencePct = 100 * (*m.value - row.card) / row.card;
        const bool counted = m.origin == Origin::Counted;
        const double allowed = counted ? countedApartPct : 100 * error.value_or(0);
        row.apart = m.value && (counted || error) &&
                    (row.differencePct ? std::abs(*row.differencePct) > allowed : *m.value != 0);
        all.metrics.push_back(std::move(row));
    }
}

} // namespace

Beside beside(const Trace& ours, const Trace& card) {
    Beside all;
    if (ours.launches.empty() || card.launches.empty())
        return all;
    addMetrics(all, ours, card);

    const Code mine(ours), theirs(card);
    const Code* sampled = theirs.wasSampled(card) ? &theirs : nullptr;
    all.code = matchOf(mine, card, sampled);
    if (!sampled && all.code == CodeMatch::Same)
        sampled = &mine;

    Share measured;
    std::map<std::pair<std::uint32_t, std::string>, std::set<std::uint64_t>> places; // of samples, by line and reason
    for (const Sample& sample : card.samples) {
        if (sample.launch != 0)
            continue;
        const std::uint32_t line = lineOf(card, sample, sampled);
        const std::string reason = reasonOf(std::string_view(sample.stall));
        measured.add(line, reason, double(sample.count));
        places[{line, reason}].insert(sample.sassOffset);
        all.samples += sample.count;
    }
    const Share model = modelled(ours);
    std::set<std::string> reasons;
    for (const Share* share : std::initializer_list<const Share*>{&measured, &model})
        for (const auto& [reason, amount] : share->byReason)
            reasons.insert(reason);
    for (const std::string& reason : measured.all > 0 ? reasons : std::set<std::string>()) {
        BesideStall row{reason, measured.pct(measured.of(reason)), std::nullopt};
        if (model.all > 0)
            row.oursPct = model.pct(model.of(reason));
        all.stalls.push_back(std::move(row));
    }
    std::ranges::stable_sort(all.stalls, std::greater(), &BesideStall::cardPct);

    std::map<std::uint32_t, BesideLine> lines;
    for (const auto& [place, amount] : measured.byLine) {
        BesideLine& line = lines[place.first];
        line.line = place.first;
        line.samples += std::uint64_t(amount);
        if (place.second != "selected" && measured.pct(amount) > line.reasonPct) {
            line.reason = place.second;
            line.reasonPct = measured.pct(amount);
        }
    }
    for (auto& [number, line] : lines) {
        line.cardPct = measured.pct(double(line.samples));
        if (line.cardPct < leastPct)
            continue;
        if (model.all > 0) {
            const auto own = model.byLine.find({number, line.reason});
            line.oursPct = own == model.byLine.end() ? 0 : model.pct(own->second);
        }
        std::set<std::uint32_t> awaited;
        const bool forResult =
            line.reason.ends_with("_scoreboard"); // a barrier or a queue is no result of an instruction
        for (const std::uint64_t offset :
             sampled&& forResult ? places[{number, line.reason}] : std::set<std::uint64_t>())
            for (const std::uint32_t setter :
                 machine::awaited(*sampled->function(), std::size_t(offset / machine::instructionBytes)))
                if (const std::uint32_t from = sampled->lineAt(setter * machine::instructionBytes))
                    awaited.insert(from);
        line.awaited.assign(awaited.begin(), awaited.end());
        all.lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(all.lines, std::greater(), &BesideLine::cardPct);
    return all;
}

} // namespace warpglass::profilers
