// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program_recorder.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/shown.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <unistd.h>

namespace warpglass::program {

namespace {

std::int64_t clockNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Which of the processes this is, by the launchers that say so to each.
std::int64_t rankOfProcess() {
    for (const char* variable : {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const char* rank = std::getenv(variable); rank && std::isdigit(static_cast<unsigned char>(*rank)))
            return std::atoll(rank);
    return -1;
}

} // namespace

ProgramRecorder::ProgramRecorder(Settings settings, BackendKind backend)
    : m_settings(std::move(settings)), m_backend(backend), m_began(clockNs()),
      m_beganDate(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
              .count()) {
    if (!m_settings.kernels.empty())
        try {
            m_kernels.emplace(m_settings.kernels, std::regex::ECMAScript | std::regex::optimize);
        } catch (const std::regex_error&) { // the command has checked it; a variable set by hand records all kernels
            m_kernels.reset();
        }
    const char* first = std::getenv(processVariable);
    if (first && std::atol(first) != long(getpid()))
        m_prefix = fmt::format("process-{}-", getpid());
}

std::int64_t ProgramRecorder::now() const {
    return clockNs() - m_began;
}

bool ProgramRecorder::open() {
    if (m_journal)
        return true;
    if (m_settings.folder.empty() || m_failed)
        return false;
    ProgramInfo info;
    info.command = m_settings.command;
    info.backend = m_backend;
    info.device = m_device.empty() ? m_settings.device : m_device;
    info.made = "warpglass " WARPGLASS_VERSION;
    info.process = getpid();
    info.rank = rankOfProcess();
    info.began = m_beganDate;
    auto journal = Journal::create(std::filesystem::path(m_settings.folder) / (m_prefix + "program.journal"), info);
    if (!journal) {
        m_failed = true;
        fmt::print(stderr, "warpglass: {}\n", shown(journal.error().text()));
        return false;
    }
    m_journal = std::move(*journal);
    m_journal->add(ProgramStream{.name = "default"});
    return true;
}

void ProgramRecorder::forked() {
    if (m_journal)
        m_journal->abandon();
    m_journal.reset();
    m_prefix = fmt::format("process-{}-", getpid());
    m_next = 0;
    within();
    m_launches = m_recorded = 0;
}

std::uint32_t ProgramRecorder::kernelRow(RecordedKernel& kernel) {
    const std::int64_t process = getpid();
    if ((kernel.row != noIndex && kernel.process == process) || !open())
        return kernel.row;
    kernel.process = process;
    ProgramKernel row;
    row.name = plainName(kernel.entry);
    row.entry = kernel.entry;
    row.signature = demangled(kernel.entry);
    row.parameters = kernel.parameters;
    row.maker = kernel.maker;
    row.unrecorded = kernel.unrecorded;
    return kernel.row = m_journal->add(row);
}

std::uint32_t ProgramRecorder::shape(const RecordedShape& shape) {
    return open() ? m_journal->shape(shape) : noIndex;
}

std::uint32_t ProgramRecorder::add(const ProgramStream& stream) {
    return open() ? m_journal->add(stream) : 0;
}

void ProgramRecorder::add(const OperationTime& time) {
    if (m_journal)
        m_journal->add(time);
}

std::uint32_t ProgramRecorder::launched(RecordedGraph& graph, std::uint32_t stream, std::int64_t called,
                                        const std::function<ProgramGraph()>& describe) {
    if (!open())
        return noIndex;
    const std::int64_t process = getpid();
    if (graph.row == noIndex || graph.process != process)
        graph = {m_journal->graph(describe()), process};
    return m_journal->add(GraphLaunch{called, graph.row, stream});
}

std::uint32_t ProgramRecorder::add(const Collective& collective) {
    return open() ? m_journal->add(collective) : noIndex;
}

void ProgramRecorder::add(const CollectiveStep& step) {
    if (m_journal)
        m_journal->add(step);
}

void ProgramRecorder::within(std::uint32_t graphLaunch, std::uint32_t node) {
    m_graphLaunch = graphLaunch;
    m_graphNode = node;
}

bool ProgramRecorder::isWanted(const RecordedKernel& kernel) const {
    return !m_kernels || std::regex_search(plainName(kernel.entry), *m_kernels) ||
           std::regex_search(kernel.entry, *m_kernels);
}

bool ProgramRecorder::mayChoose(const RecordedKernel& kernel) const {
    if (m_settings.folder.empty() || m_settings.detail == "none" || m_recorded >= m_settings.maxRecorded)
        return false;
    const bool later = m_settings.launches.empty()
                           ? kernel.launches == 0
                           : std::any_of(m_settings.launches.begin(), m_settings.launches.end(),
                                         [this](const auto& range) { return range.second >= m_launches; });
    return later && isWanted(kernel);
}

std::optional<RunOptions> ProgramRecorder::choose(RecordedKernel& kernel) {
    const std::uint64_t n = m_launches++;
    const bool first = kernel.launches++ == 0;
    if (m_settings.folder.empty() || m_settings.detail == "none" || m_recorded >= m_settings.maxRecorded)
        return std::nullopt;
    const bool chosen = m_settings.launches.empty()
                            ? first
                            : std::any_of(m_settings.launches.begin(), m_settings.launches.end(),
                                          [n](const auto& range) { return n >= range.first && n <= range.second; });
    if (!chosen || !isWanted(kernel))
        return std::nullopt;
    RunOptions options;
    options.detail.kind = m_settings.detail == "all"      ? Detail::Kind::All
                          : m_settings.detail == "blocks" ? Detail::Kind::Blocks
                                                          : Detail::Kind::Auto;
    options.detail.blocks = m_settings.blocks;
    options.detail.accesses = m_settings.accesses;
    options.timing = m_settings.timing;
    if (auto policy = parseEnum<SchedulingPolicy>(m_settings.policy))
        options.policy = *policy;
    options.maxEvents = m_settings.maxEvents;
    options.command = fmt::format("program {}, launch {}", m_settings.command, n);
    return options;
}

std::optional<RunOptions> ProgramRecorder::pass() {
    ++m_launches; // the kernel's first launch is still to come
    return std::nullopt;
}

bool ProgramRecorder::keepAs(const char* what, const Trace& trace) {
    if (!open())
        return false;
    const std::string name = fmt::format("{}{}-{:06}.wgt", m_prefix, what, m_launches - 1);
    Progress progress;
    if (auto ok = writeTrace(trace, std::filesystem::path(m_settings.folder) / name, progress); !ok) {
        tell(say::NotKept(wholeOf(ok.error())));
        return false;
    }
    m_journal->add(ProgramRecording{m_next, name});
    return true;
}

void ProgramRecorder::keep(const Trace& trace) {
    m_recorded += keepAs("launch", trace) ? 1 : 0;
}

void ProgramRecorder::keepCode(const Trace& trace) {
    m_codes += keepAs("code", trace) ? 1 : 0;
}

void ProgramRecorder::tell(Message message) {
    if (open())
        m_journal->add(messageOf(m_next, std::move(message)));
}

void ProgramRecorder::tellOf(std::uint32_t operation, Message message) {
    if (open())
        m_journal->add(messageOf(operation, std::move(message)));
}

void ProgramRecorder::tellOfProgram(Message message) {
    if (open())
        m_journal->add(messageOf(noIndex, std::move(message)));
}

std::uint32_t ProgramRecorder::add(const Operation& operation, std::span<const std::byte> arguments) {
    if (!open())
        return noIndex;
    if (operation.returned == 0) { // done as it was asked for
        Operation o = operation;
        o.called = o.start, o.returned = o.end;
        m_journal->add(o, arguments);
    } else {
        m_journal->add(operation, arguments);
    }
    if (m_graphLaunch != noIndex)
        m_journal->add(GraphStep{m_next, m_graphLaunch, m_graphNode});
    return m_next++;
}

} // namespace warpglass::program
