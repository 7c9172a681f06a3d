// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/rank.h"

#include "app/session/summary.h"
#include "app/session/why.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/messages/why.h"
#include "gpu/launch/elements.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/why_words.h"
#include "gpu/trace/meaning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

namespace warpglass::session {

namespace {

struct Held { // of the first candidate
    LaunchPlan plan;
    Buffers buffers;
};

std::uint64_t elementBits(const std::vector<std::byte>& bytes, std::size_t n, int width) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + n * std::size_t(width), std::size_t(width));
    return bits;
}

std::string elementText(std::uint64_t bits, ElementType type) {
    if (isFloat(type))
        return fmt::format("{:.9g}", floatOf(bits, type));
    const int shift = 64 - 8 * bytesOf(type);
    return isSigned(type) ? std::to_string(std::int64_t(bits << shift) >> shift) : std::to_string(bits);
}

bool isNearEnough(std::uint64_t a, std::uint64_t b, ElementType type, double tolerance) {
    if (a == b)
        return true;
    if (!isFloat(type))
        return false;
    const double x = floatOf(a, type), y = floatOf(b, type);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y);
    const double oneBit = type == ElementType::F16 ? 1.0 / 1024 : type == ElementType::BF16 ? 1.0 / 128 : 0;
    return std::fabs(x - y) <= std::max(tolerance, oneBit) * std::max(std::fabs(x), std::fabs(y));
}

// Where results differ first; empty: nowhere.
std::string differsFrom(const Held& first, const LaunchPlan& plan, const Buffers& buffers, const RankRequest& request,
                        const std::string& firstName) {
    for (std::size_t mine = 0; mine < plan.arguments.size() && mine < buffers.size(); ++mine) {
        const Argument& argument = plan.arguments[mine];
        const auto& wanted = request.results;
        if (!argument.isBuffer || argument.type == ElementType::Ptr ||
            (!wanted.empty() && std::find(wanted.begin(), wanted.end(), argument.name) == wanted.end()))
            continue;
        for (std::size_t its = 0; its < first.plan.arguments.size() && its < first.buffers.size(); ++its) {
            const Argument& other = first.plan.arguments[its];
            if (!other.isBuffer || other.name != argument.name || other.type != argument.type)
                continue;
            const int width = bytesOf(argument.type);
            const std::size_t count = std::min(buffers[mine].size(), first.buffers[its].size()) / std::size_t(width);
            if (std::memcmp(buffers[mine].data(), first.buffers[its].data(), count * std::size_t(width)) == 0)
                continue;
            for (std::size_t n = 0; n < count; ++n) {
                const std::uint64_t a = elementBits(buffers[mine], n, width),
                                    b = elementBits(first.buffers[its], n, width);
                if (!isNearEnough(a, b, argument.type, request.tolerance))
                    return fmt::format("{}[{}] is {}, and {} with {}", argument.name, n, elementText(a, argument.type),
                                       elementText(b, argument.type), firstName);
            }
        }
    }
    return {};
}

class Ranker {
public:
    Ranker(const RankRequest& request, Progress& progress, const std::function<void(std::size_t)>& done)
        : m_request(request), m_progress(progress), m_done(done), m_rows(request.candidates.size()) {}

    Result<std::vector<Ranked>> all() {
        const std::size_t count = m_rows.size();
        if (count == 0)
            return std::vector<Ranked>();
        const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t wanted = m_request.threads > 0 ? std::size_t(m_request.threads) : processors;
        m_each = int(std::max<std::size_t>(1, processors / std::min(wanted, count)));
        one(0); // what the others are held against
        std::atomic<std::size_t> next = 1;
        {
            std::vector<std::jthread> workers;
            for (std::size_t w = 0; w < std::min(wanted, count - 1); ++w)
                workers.emplace_back([&] {
                    for (std::size_t n = 0; (n = next++) < count && !m_progress.cancelled();)
                        one(n);
                });
        }
        if (m_progress.cancelled())
            return Error{say::RunStopped};
        order();
        return std::move(m_rows);
    }

private:
    void one(std::size_t n) {
        Ranked& row = m_rows[n];
        row.name = m_request.candidates[n].name;
        if (auto ok = run(n, row); !ok) {
            row.state = RankState::Failed;
            row.why = ok.error().text();
        }
        ++m_finished;
        if (m_done)
            m_done(m_finished);
    }

    Result<void> run(std::size_t n, Ranked& row) {
        const Candidate& candidate = m_request.candidates[n];
        if (candidate.wrong)
            return *candidate.wrong;
        RunRequest request = candidate.request;
        request.options.timing = true;
        request.options.threads = m_each;
        auto plan = planOf(request);
        if (!plan)
            return plan.error();
        RunRequest first = request;
        first.options.detail.kind =
            Detail::Kind::None; // its totals, its result and what is wrong with it are asked for
        first.options.maxEvents = 0;
        first.options.results = true;
        auto recording = runPlan(first, *plan, m_progress);
        if (!recording)
            return recording.error();
        if (recording->fault)
            return faultOf(*recording, request);
        const Trace& trace = *recording->trace;
        if (trace.timings.empty())
            return Error{say::NotTimed};
        row.ns = trace.timings.front().durationNs;
        row.error = expectedError(trace);
        row.registers = trace.kernelOf(trace.launches.front()).registers;
        row.state = RankState::Ok;
        const auto race = std::find_if(trace.diagnostics.begin(), trace.diagnostics.end(), isRace);
        if (recording->check.check == Check::Wrong)
            row.why = recording->check.why.text();
        else if (race != trace.diagnostics.end())
            row.why = race->message.text();
        else if (n > 0 && m_first && recording->check.check == Check::None) // else it is known to be right
            row.why = differsFrom(*m_first, *plan, recording->buffers, m_request, m_rows.front().name);
        if (!row.why.empty())
            row.state = RankState::Wrong;
        if (n == 0)
            m_first = Held{*plan, std::move(recording->buffers)};
        if (row.state != RankState::Ok) // nobody asks what it is limited by
            return {};
        auto why = limitsOf(request, *plan, m_progress);
        if (!why)
            return why.error();
        row.floorNs = why->floorNs;
        for (const WhyLimit& limit : why->limits)
            if (why->worth(limit)) {
                row.limits.emplace_back(limit.limit, why->saved(limit.ns));
                row.sentences.push_back(sentence(*why, limit).text());
            }
        return {};
    }

    void order() {
        std::stable_sort(m_rows.begin(), m_rows.end(), [](const Ranked& a, const Ranked& b) {
            if (a.state != b.state)
                return a.state < b.state;
            return a.state == RankState::Ok && a.ns < b.ns;
        });
        for (std::size_t a = 0; a < m_rows.size(); ++a)
            for (std::size_t b = 0; b < m_rows.size(); ++b) {
                const Ranked &one = m_rows[a], &other = m_rows[b];
                if (a == b || one.state != RankState::Ok || other.state != RankState::Ok)
                    continue;
                const double error = std::max(one.error.value_or(0), other.error.value_or(0)); // not known: equal ones
                if (std::max(one.ns, other.ns) <= (1 + error) * std::min(one.ns, other.ns))
                    m_rows[a].tied.push_back(b);
            }
    }

    const RankRequest& m_request;
    Progress& m_progress;
    const std::function<void(std::size_t)>& m_done;
    std::vector<Ranked> m_rows;
    std::optional<Held> m_first;
    std::atomic<std::size_t> m_finished = 0;
    int m_each = 1; // threads of a candidate's emulator
};

std::string_view nameOfState(RankState state) {
    constexpr std::string_view names[] = {"ok", "wrong", "failed"};
    return names[std::size_t(state)];
}

} // namespace

Result<std::vector<Ranked>> rank(const RankRequest& request, Progress& progress,
                                 const std::function<void(std::size_t)>& done) {
    return Ranker(request, progress, done).all();
}

nlohmann::ordered_json rankJson(const std::vector<Ranked>& order) {
    using nlohmann::ordered_json;
    ordered_json object{{"order", ordered_json::array()}};
    for (const Ranked& row : order) {
        ordered_json one{{"name", row.name}, {"result", nameOfState(row.state)}};
        one["why"] = row.why.empty() ? ordered_json() : ordered_json(row.why);
        const bool isTimed = row.ns > 0;
        one["duration_ns"] = isTimed ? ordered_json(row.ns) : ordered_json();
        one["origin"] = isTimed ? ordered_json("modelled") : ordered_json();
        one["error_pct"] = row.error ? ordered_json(100 * *row.error) : ordered_json();
        one["registers"] = row.registers > 0 ? ordered_json(row.registers) : ordered_json();
        one["limited_by"] = row.limits.empty() ? ordered_json() : ordered_json(name(row.limits.front().first));
        one["limits"] = ordered_json::array();
        for (std::size_t n = 0; n < row.limits.size(); ++n)
            one["limits"].push_back({{"limit", name(row.limits[n].first)},
                                     {"saved", row.limits[n].second},
                                     {"sentence", row.sentences[n]}});
        one["tied_with"] = ordered_json::array();
        for (const std::size_t other : row.tied)
            one["tied_with"].push_back(order[other].name);
        object["order"].push_back(std::move(one));
    }
    return object;
}

std::string rankText(const std::vector<Ranked>& order) {
    std::size_t width = 9;
    for (const Ranked& row : order)
        width = std::max(width, std::min<std::size_t>(row.name.size(), 48));
    std::string text =
        fmt::format("{:>3}  {:<{}}  {:>9}  {:>6}  {}\n", "", "candidate", width, "time", "error", "limited by");
    bool unmeasured = false;
    for (std::size_t n = 0; n < order.size(); ++n) {
        const Ranked& row = order[n];
        if (row.state != RankState::Ok) {
            text += fmt::format("{:>3}  {:<{}}  {:>9}  {}\n", "-", row.name, width, nameOfState(row.state), row.why);
            continue;
        }
        std::string limits;
        for (std::size_t l = 0; l < std::min<std::size_t>(row.limits.size(), 3); ++l)
            limits += fmt::format("{}{} ({:.0f} %)", l > 0 ? ", " : "", name(row.limits[l].first),
                                  100 * row.limits[l].second);
        text += fmt::format("{:>3}  {:<{}}  {:>9}  {:>6}  {}\n", n + 1, row.name, width, nsText(row.ns),
                            row.error ? fmt::format("{:.0f} %", 100 * *row.error) : "?",
                            limits.empty() ? "no single limit" : limits);
        unmeasured |= !row.error;
    }
    if (unmeasured)
        text += fmt::format("?: {}; how far the model errs on them is not known\n", Said(say::KindWithout).text());
    const auto isTied = [](const Ranked& row) { return !row.tied.empty(); };
    if (!order.empty() && isTied(order.front())) {
        text += fmt::format("too close to call between {}", order.front().name);
        for (const std::size_t other : order.front().tied)
            text += ", " + order[other].name;
        text += ": the model errs by more than they differ\n";
    }
    return text;
}

} // namespace warpglass::session
