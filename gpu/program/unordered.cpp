// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/unordered.h"

#include "gpu/base/messages/program.h"
#include "gpu/program/meetings.h"
#include "gpu/program/pace.h"
#include "gpu/program/told_meetings.h"
#include "gpu/ptx/certain_accesses.h"
#include "gpu/ptx/join.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>

namespace warpglass::program {

namespace {

bool isWork(const Operation& o) {
    return o.kind == OperationKind::Launch || o.kind == OperationKind::Copy || o.kind == OperationKind::Fill ||
           (o.kind == OperationKind::Free && o.from == inStreamsOrder);
}

bool worksInSeveralStreams(const ProgramTrace& program) {
    std::set<std::uint32_t> streams;
    for (const Operation& o : program.operations)
        if (isWork(o) && streams.insert(o.stream).second && streams.size() > 1)
            return true;
    return false;
}

class Watch {
public:
    Watch(ProgramTrace& program, const std::function<std::string(std::uint32_t)>& ptxOf)
        : m_program(program), m_ptxOf(ptxOf) {}

    void add(const ProgramStream& stream) { m_meetings.add(stream); }

    void add(const Operation& o, std::uint32_t row) {
        if (o.kind == OperationKind::Free && o.from != inStreamsOrder && o.error == 0) // it waits for all
            m_meetings.hostKnowsAll();
        if (o.kind == OperationKind::Allocate && o.error == 0)
            m_meetings.forget(o.to, o.to + o.bytes);
        m_hostSees = false;
        if (const auto found = m_meetings.next(o, row, o.error == 0 ? touchedBy(o, row) : Touched()))
            tell(o, row, *found);
        if (m_hostSees || o.kind == OperationKind::HostFunction ||
            (o.kind == OperationKind::Copy && isWaitedFor(o, row)))
            m_meetings.hostKnows(o);
    }

private:
    struct Code {
        std::shared_ptr<const ptx::Module> module; // nullptr: not known
        const ptx::Function* entry = nullptr;      // nullptr: nothing is said of its launches
    };

    // A copy to or from memory that is not pinned is as good as done when its call returns.
    bool isWaitedFor(const Operation& o, std::uint32_t row) const {
        return o.memory == waitedFor ||
               (o.direction == Direction::DeviceToHost && !m_program.allocationAt(o.to, row)) ||
               (o.direction == Direction::HostToDevice && !m_program.allocationAt(o.from, row));
    }

    void addCertain(ByteRanges& ranges, std::uint64_t begin, std::uint64_t bytes, std::uint32_t row) const {
        if (m_program.allocationAt(begin, row))
            addRange(ranges, begin, begin + bytes);
    }

    Touched touchedBy(const Operation& o, std::uint32_t row) {
        Touched t;
        const std::uint64_t certain = o.rowBytes ? o.rowBytes : o.bytes;
        switch (o.kind) {
        case OperationKind::Copy:
            addCertain(t.reads, o.from, certain, row);
            addCertain(t.writes, o.to, certain, row);
            break;
        case OperationKind::Fill:
            addCertain(t.writes, o.to, certain, row);
            break;
        case OperationKind::Free:
            if (const Allocation* freed =
                    o.from == inStreamsOrder && row > 0 ? m_program.allocationAt(o.to, row - 1) : nullptr)
                addRange(t.writes, freed->address, freed->address + freed->bytes);
            break;
        case OperationKind::Launch:
            touchedByLaunch(o, row, t);
            break;
        default:
            break;
        }
        return t;
    }

    const Code& codeOf(std::uint32_t kernel) {
        const auto [at, isNew] = m_codes.try_emplace(kernel);
        Code& code = at->second;
        const std::string text = isNew ? m_ptxOf(kernel) : std::string();
        if (text.empty())
            return code;
        const std::string& name = m_program.kernels[kernel].entry;
        if (auto module = ptx::parseJoined(text, name)) {
            code.module = std::make_shared<const ptx::Module>(std::move(*module));
            const ptx::Function* const entry = code.module->findFunction(name);
            code.entry = entry && !ptx::mayListen(*entry) ? entry : nullptr;
        }
        return code;
    }

    void touchedByLaunch(const Operation& o, std::uint32_t row, Touched& t) {
        const std::span<const std::byte> arguments = m_program.argumentsOf(o);
        for (std::size_t at = 0; at + 8 <= arguments.size(); at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, arguments.data() + at, 8);
            const Allocation* const where = m_program.allocationAt(word, row);
            m_hostSees |= where && where->kind != MemoryKind::Device && where->kind != MemoryKind::Variable;
        }
        if (m_hostSees || o.kernel >= m_program.kernels.size() || o.shape >= m_program.shapes.size())
            return;
        const Code& code = codeOf(o.kernel);
        if (!code.entry)
            return;
        const RecordedShape& shape = m_program.shapes[o.shape];
        const Touched& all = touchedByEnds(*code.entry, o, shape, arguments);
        for (ByteRanges Touched::*const which :
             {&Touched::reads, &Touched::writes, &Touched::strongReads, &Touched::strongWrites}) {
            std::size_t left = fewPieces;
            for (const ByteRange& r : all.*which) {
                if (left > 0)
                    --left;
                else if (m_pieces > 0)
                    --m_pieces;
                else
                    break;
                addCertain(t.*which, r.begin, r.end - r.begin, row);
            }
        }
    }

    static void addMerged(ByteRanges& ranges, const std::vector<ptx::CertainAccess>& accesses, bool writes,
                          bool strong) {
        ByteRanges one;
        for (const ptx::CertainAccess& a : accesses)
            if (a.writes == writes && a.strong == strong)
                one.push_back({a.address, a.address + a.bytes});
        std::sort(one.begin(), one.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
        for (const ByteRange& r : one)
            if (!ranges.empty() && r.begin <= ranges.back().end)
                ranges.back().end = std::max(ranges.back().end, r.end);
            else
                ranges.push_back(r);
    }

    // What its first and its last thread touch. Programs make the same launch over and over. What takes too long is left out.
    const Touched& touchedByEnds(const ptx::Function& entry, const Operation& o, const RecordedShape& shape,
                                 std::span<const std::byte> arguments) {
        constexpr std::size_t mostKept = 4096, mostOfThread = 20'000;
        if (m_touched.size() >= mostKept)
            m_touched.clear();
        const auto [at, isNew] = m_touched.try_emplace({o.kernel, o.shape, {arguments.begin(), arguments.end()}});
        if (!isNew)
            return at->second;
        std::vector<ptx::CertainAccess> accesses;
        const Dim3 first{0, 0, 0}, lastBlock = shape.grid.at(shape.grid.count() - 1),
                                   lastThread = shape.block.at(shape.block.count() - 1);
        for (const ptx::ThreadPlace& place : {ptx::ThreadPlace{shape.grid, shape.block, first, first},
                                              ptx::ThreadPlace{shape.grid, shape.block, lastBlock, lastThread}}) {
            const std::size_t most = std::min(mostOfThread, m_instructions);
            std::size_t left = most;
            const auto found = ptx::certainAccesses(entry, arguments, place, left);
            m_instructions -= most - left;
            accesses.insert(accesses.end(), found.begin(), found.end());
        }
        Touched& t = at->second;
        addMerged(t.reads, accesses, false, false);
        addMerged(t.writes, accesses, true, false);
        addMerged(t.strongReads, accesses, false, true);
        addMerged(t.strongWrites, accesses, true, true);
        return at->second;
    }

    Message workOf(const Operation& o, std::uint32_t row) const {
        return say::WorkOf(std::to_string(row),
                           workName(o, o.kernel < m_program.kernels.size() ? m_program.kernels[o.kernel].name : ""));
    }

    void tell(const Operation& o, std::uint32_t row, const Meetings::Found& found) {
        const Operation& earlier = m_program.operations[found.earlier];
        if (!m_told.isNew(earlier, found.earlier, o, row, false))
            return;
        MeetingNames names{workOf(earlier, found.earlier), workOf(o, row), say::DeviceMemory, found.meeting.first};
        if (const Allocation* const where = m_program.allocationAt(found.meeting.first, found.earlier)) {
            names.memory = say::MemoryOfWork(where->bytes, std::to_string(where->born));
            names.offset -= where->address;
        }
        m_program.messages.push_back(messageOf(row, raceOf(earlier, o, row, found, names, Between::StreamsAtLeast)));
    }

    ProgramTrace& m_program;
    const std::function<std::string(std::uint32_t)>& m_ptxOf;
    Meetings m_meetings;
    ToldMeetings m_told;
    std::unordered_map<std::uint32_t, Code> m_codes;                                // [kernel]
    using Asked = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::byte>>; // kernel, shape, arguments
    std::map<Asked, Touched> m_touched;
    std::size_t m_instructions = 10'000'000; // that may still be followed
    // A loop touches thousands of places. So many more than a few of each launch may still be looked at.
    static constexpr std::size_t fewPieces = 16;
    std::size_t m_pieces = 2'000'000;
    bool m_hostSees = false; // the launch that is being added may touch what the host sees
};

} // namespace

void tellUnordered(ProgramTrace& program, const std::function<std::string(std::uint32_t kernel)>& ptxOf) {
    if (!worksInSeveralStreams(program))
        return;
    Watch watch(program, ptxOf);
    for (const ProgramStream& s : program.streams)
        watch.add(s);
    for (std::uint32_t row = 0; row < program.operations.size(); ++row)
        watch.add(program.operations[row], row);
}

} // namespace warpglass::program
