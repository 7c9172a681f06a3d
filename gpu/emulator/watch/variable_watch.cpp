// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/variable_watch.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/register_rows.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/ptx/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace warpglass::emulator {

namespace {

bool watchedStep(Exec& x, const Inst& in) {
    return x.variable->step(x, in);
}

bool leadsElsewhere(const InstInfo& info) {
    return !info.source || info.isBranch || info.isExit || info.opClass == OpClass::Call;
}
std::uint32_t lineAtPosition(const Program& program, std::uint32_t position) {
    const ptx::Instruction* const source = program.info[position].source;
    return source && source->place != ptx::noPlace ? std::uint32_t(program.module->places[source->place].line) : 0;
}

} // namespace

Result<std::unique_ptr<VariableWatch>> VariableWatch::make(const WatchedVariable& asked, std::string_view text,
                                                           const std::vector<std::unique_ptr<Program>>& programs) {
    const ptx::Module& module = *programs[0]->module;
    std::unique_ptr<VariableWatch> watch(new VariableWatch(asked, ptx::debugInfo(module, text)));
    if (watch->m_info.variables.empty())
        return Error{.message = say::NoDebugInfo, .remedy = say::CompileDebug};
    for (const auto& program : programs)
        watch->find(*program);
    if (!watch->m_named) {
        std::set<std::string> names;
        for (const auto& program : programs)
            for (const ptx::DebugInfo::Variable& v : watch->m_info.variables)
                if (program->functionOfModule.contains(v.function))
                    names.insert(v.name);
        return Error{.message = say::NoVariableIn(asked.name),
                     .remedy = say::VariablesOfFunctions(fmt::format("{}", fmt::join(names, ", ")))};
    }
    if (!watch->m_atLine)
        return Error{.message = say::NoVariableAtLine(asked.name, asked.line)};
    if (!watch->m_hasPart)
        return Error{.message = say::NoPartOf(asked.name, asked.path)};
    for (const auto& program : programs)
        watch->mark(*program);
    if (watch->m_known == 0) {
        const Source& s = watch->m_sources.front();
        const bool many = s.part.type < watch->m_info.types.size() && !watch->m_info.types[s.part.type].isScalar();
        return Error{.message = many && !s.variable->places.empty() ? Message(say::NameAPart(asked.name))
                                                                    : Message(say::KeptNowhere(asked.name))};
    }
    return watch;
}

// The variables that are meant: of that name, and in scope at the line that is asked for.
void VariableWatch::find(const Program& program) {
    for (const ptx::DebugInfo::Variable& v : m_info.variables) {
        const auto function = program.functionOfModule.find(v.function);
        if (v.name != m_asked.name || function == program.functionOfModule.end())
            continue;
        m_named = true;
        const FunctionCode& code = program.functions[function->second];
        const std::uint32_t length = code.end - code.first;
        if (v.end > length)
            continue;
        bool atLine = m_asked.line == 0;
        for (std::uint32_t at = code.first + v.begin; at < code.first + v.end && !atLine; ++at)
            atLine = lineAtPosition(program, at) == m_asked.line;
        m_atLine = m_atLine || atLine;
        auto part = ptx::partOf(m_info, v.type, m_asked.path);
        if (part && part->type >= m_info.types.size()) // of a type that is not told
            part.reset();
        m_hasPart = m_hasPart || (atLine && part);
        if (atLine && part)
            m_sources.push_back({&program, &v, *part, function->second});
    }
}

std::optional<VariableWatch::Read> VariableWatch::readOf(const Program& program, std::uint32_t source,
                                                         const ptx::DebugInfo::Place& place) const {
    const Source& s = m_sources[source];
    const FunctionCode& code = program.functions[s.function];
    const bool isScalar = s.part.type < m_info.types.size() && m_info.types[s.part.type].isScalar() &&
                          m_info.types[s.part.type].bytes <= 8;
    Read read;
    read.source = source;
    switch (place.kind) {
    case ptx::DebugInfo::Place::Kind::Constant:
        read.kind = Read::Kind::Constant;
        read.at = place.offset;
        break;
    case ptx::DebugInfo::Place::Kind::Register: {
        FrameLayout frame;
        const RegisterRows rows = layoutRegisters(*code.source, frame);
        const auto row = rows.find(place.name);
        if (row == rows.end() || s.part.offset != 0)
            return std::nullopt;
        read.kind = row->second.type == ptx::Type::Pred ? Read::Kind::Predicate : Read::Kind::Row;
        read.row = row->second.row;
        read.rowBytes = row->second.bytes();
        read.onceWritten = place.always;
        break;
    }
    case ptx::DebugInfo::Place::Kind::Memory:
        for (const DeclaredObject& o : program.objects)
            if (o.space == ptx::StateSpace::Local && o.function == s.function &&
                (o.source->name == place.name || o.source->name.starts_with(place.name + "__of_file_"))) {
                read.kind = Read::Kind::Local;
                read.at = o.begin + place.offset + s.part.offset;
                return read; // an array's stores are told element by element
            }
        if (s.function == 0)
            for (std::size_t n = 0; n < code.source->params.size() && n < program.paramOffsets.size(); ++n)
                if (code.source->params[n].name == place.name) {
                    read.kind = Read::Kind::Parameter;
                    read.at = program.paramOffsets[n] + place.offset + s.part.offset;
                    return isScalar ? std::optional(read) : std::nullopt;
                }
        return std::nullopt;
    }
    return isScalar ? std::optional(read) : std::nullopt;
}

void VariableWatch::mark(Program& program) {
    Code code{&program, std::vector<Step>(program.code.size()), {}};
    std::set<std::uint32_t> functions;
    for (std::uint32_t n = 0; n < m_sources.size(); ++n) {
        const Source& s = m_sources[n];
        if (s.program != &program)
            continue;
        functions.insert(s.function);
        const std::uint32_t first = program.functions[s.function].first;
        code.steps[first].enters = true;
        std::set<std::uint32_t> known;
        for (const ptx::DebugInfo::Place& place : s.variable->places)
            if (const auto read = readOf(program, n, place)) {
                for (std::uint32_t at = place.begin; at < std::min(place.end, s.variable->end); ++at)
                    known.insert(at);
                markPlace(code, n, place, *read);
            }
        m_known += known.size();
        m_scope += s.variable->end - s.variable->begin;
    }
    if (m_asked.line != 0)
        for (const std::uint32_t function : functions)
            markArrivals(code, function);
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
        Step& step = code.steps[at];
        if (step.enters || !step.before.empty() || !step.after.empty() || !step.arrives.empty() ||
            !step.writes.empty() || !step.forgets.empty())
            step.run = std::exchange(program.code[at].run, &watchedStep);
    }
    m_codes.push_back(std::move(code));
}

void VariableWatch::markPlace(Code& code, std::uint32_t source, const ptx::DebugInfo::Place& place, const Read& read) {
    const Program& program = *code.program;
    const Source& s = m_sources[source];
    const FunctionCode& function = program.functions[s.function];
    const std::uint32_t begin = function.first + place.begin, end = std::min(function.first + place.end, function.end);
    if (read.kind == Read::Kind::Local) {
        code.locals.push_back(read);
        return;
    }
    if (begin >= end)
        return;
    code.steps[begin].before.push_back(read);
    if (read.kind != Read::Kind::Row && read.kind != Read::Kind::Predicate)
        return;
    bool ownAlone = true; // nothing outside of its scope writes its register
    for (std::uint32_t at = function.first; at < function.end; ++at) {
        const InstInfo& info = program.info[at];
        if (std::find(info.writes.begin(), info.writes.end(), read.row) == info.writes.end())
            continue;
        ownAlone = ownAlone && at >= begin && at < end;
        code.steps[at].writes.push_back(source);
        if (!leadsElsewhere(info) && at + 1 >= begin && at + 1 < end)
            code.steps[at].after.push_back(read);
    }
    if (place.always && ownAlone)
        code.steps[begin].forgets.push_back(source);
}

// Where a thread comes to the line, of the innermost variable that is in scope.
void VariableWatch::markArrivals(Code& code, std::uint32_t function) {
    const Program& program = *code.program;
    const FunctionCode& f = program.functions[function];
    // From another line, or by a jump back within the same one; line 0 is the compiler's own.
    std::vector<bool> comes(f.end - f.first, false);
    std::uint32_t before = 0;
    bool goesOn = false;
    for (std::uint32_t at = f.first; at < f.end; ++at) {
        const InstInfo& info = program.info[at];
        const std::uint32_t line = lineAtPosition(program, at);
        if (at == f.first || (goesOn && before != m_asked.line))
            comes[at - f.first] = true;
        if (info.isBranch)
            if (const std::uint32_t to = program.code[at].branch.target; to >= f.first && to < f.end)
                if (to <= at || (line != 0 && line != m_asked.line))
                    comes[to - f.first] = true;
        goesOn = !info.isExit && (!info.isBranch || info.isConditional);
        before = line != 0 ? line : before;
    }
    for (std::uint32_t at = f.first; at < f.end; ++at) {
        if (lineAtPosition(program, at) != m_asked.line || !comes[at - f.first])
            continue;
        std::uint32_t inner = noIndex;
        const auto scope = [&](std::uint32_t n) { return m_sources[n].variable->end - m_sources[n].variable->begin; };
        const std::uint32_t here = at - f.first;
        for (std::uint32_t n = 0; n < m_sources.size(); ++n)
            if (m_sources[n].program == &program && m_sources[n].function == function &&
                here >= m_sources[n].variable->begin && here < m_sources[n].variable->end &&
                (inner == noIndex || scope(n) < scope(inner)))
                inner = n;
        if (inner == noIndex)
            continue;
        for (const ptx::DebugInfo::Place& place : m_sources[inner].variable->places)
            if (here >= place.begin && here < place.end)
                if (const auto read = readOf(program, inner, place))
                    code.steps[at].arrives.push_back(*read);
    }
}

void VariableWatch::restart() {
    m_lanes.clear();
    m_values.clear();
    m_sizes.clear();
    m_count = 0;
}

const VariableWatch::Code& VariableWatch::codeOf(const Program* program) {
    // A launch that is timed runs a copy, in another order, whose instructions know where they stood.
    if (!m_last || m_last->program->moduleEntry != program->moduleEntry)
        for (const Code& code : m_codes)
            if (code.program->moduleEntry == program->moduleEntry)
                m_last = &code;
    return *m_last;
}

bool VariableWatch::step(Exec& x, const Inst& in) {
    m_at = in.index;
    const Step& s = codeOf(x.program).steps[in.index];
    const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
    const Frame* const frame = x.frame;
    const auto forget = [&](std::uint32_t source) {
        Lanes& lanes = lanesOf(x, source);
        lanes.known &= ~x.mask;
        lanes.written &= ~x.mask;
    };
    if (s.enters)
        for (std::uint32_t n = 0; n < m_sources.size(); ++n)
            forget(n);
    std::for_each(s.forgets.begin(), s.forgets.end(), forget);
    if (!s.before.empty()) {
        const Program& program = *codeOf(x.program).program;
        const FunctionCode& code = program.functions[program.info[in.index].function];
        const bool follows = in.index > code.first && !leadsElsewhere(program.info[in.index - 1]);
        for (const Read& read : s.before)
            look(x, read, x.mask, follows ? in.index - 1 : in.index);
    }
    for (const Read& read : s.arrives) {
        std::array<std::uint64_t, 32> bits;
        const std::uint32_t lanes = take(x, read, x.mask, bits);
        keep(x, read.source, in.index, lanes, bits, m_sources[read.source].part.offset, true);
    }
    if (!s.run(x, in))
        return false;
    if (x.frame != frame)
        return true;
    for (const std::uint32_t source : s.writes)
        lanesOf(x, source).written |= m;
    for (const Read& read : s.after)
        look(x, read, m, in.index);
    return true;
}

std::uint32_t VariableWatch::take(Exec& x, const Read& read, std::uint32_t m, std::array<std::uint64_t, 32>& bits) {
    const Source& s = m_sources[read.source];
    const std::uint64_t bytes = std::min<std::uint64_t>(m_info.types[s.part.type].bytes, 8),
                        kept = bytes >= 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << (8 * bytes)) - 1;
    bits.fill(0);
    switch (read.kind) {
    case Read::Kind::Constant:
        bits.fill(read.at & kept);
        return m;
    case Read::Kind::Parameter: {
        const std::byte* const from = x.launch->params.find(read.at, bytes);
        if (!from)
            return 0;
        std::uint64_t value = 0;
        std::memcpy(&value, from, bytes);
        bits.fill(value);
        return m;
    }
    case Read::Kind::Local: {
        if (!m_info.types[s.part.type].isScalar())
            return 0;
        const std::uint64_t at = x.frame->localBase + read.at;
        const LocalMemory::Words there = x.warp->local.words(at, bytes);
        if (!there)
            return 0;
        for (std::uint64_t w = at / 4; w <= (at + bytes - 1) / 4; ++w)
            m &= there.written[w - at / 4];
        eachLane(m, [&](int lane) {
            for (std::uint64_t k = 0; k < bytes; ++k)
                if (const std::byte* const byte = x.warp->local.find(at + k, lane))
                    bits[std::size_t(lane)] |= std::uint64_t(*byte) << (8 * k);
        });
        return m;
    }
    case Read::Kind::Predicate:
        for (std::size_t lane = 0; lane < 32; ++lane)
            bits[lane] = predicate(x, read.row) >> lane & 1;
        break;
    case Read::Kind::Row:
        for (std::size_t lane = 0; lane < 32; ++lane) {
            std::memcpy(&bits[lane], x.rows + read.row + lane * read.rowBytes,
                        std::min<std::uint32_t>(read.rowBytes, 8));
            bits[lane] &= kept;
        }
        break;
    }
    return read.onceWritten ? m & lanesOf(x, read.source).written : m;
}

void VariableWatch::look(Exec& x, const Read& read, std::uint32_t m, std::uint32_t position) {
    std::array<std::uint64_t, 32> bits;
    m = take(x, read, m, bits);
    Lanes& lanes = lanesOf(x, read.source);
    std::uint32_t differ = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        differ |= std::uint32_t(bits[lane] != lanes.bits[lane]) << lane;
    differ = (differ | ~lanes.known) & m;
    if (differ == 0)
        return;
    eachLane(differ, [&](int lane) { lanes.bits[std::size_t(lane)] = bits[std::size_t(lane)]; });
    lanes.known |= differ;
    if (m_asked.line == 0)
        keep(x, read.source, position, differ, bits, m_sources[read.source].part.offset, false);
}

void VariableWatch::access(Exec& x, const Inst& in) {
    const AccessSummary& a = x.access;
    if (a.space != MemorySpace::Local || a.kind == AccessKind::Load || m_asked.line != 0)
        return;
    m_at = in.index;
    for (const Read& read : codeOf(x.program).locals)
        for (const Frame* f = x.frame; f; f = f->parent) {
            const Source& s = m_sources[read.source];
            if (f->function != s.function)
                continue;
            const std::uint64_t begin = f->localBase + read.at, end = begin + m_info.types[s.part.type].bytes;
            const std::uint64_t each = in.memory.bytes ? in.memory.bytes : a.bytes;
            eachLane(a.active.bits, [&](int lane) {
                std::uint64_t from = x.address[std::size_t(lane)];
                from -= from >= localWindow ? localWindow : 0;
                for (std::uint64_t at = from; each != 0 && at < from + a.bytes; at += each) {
                    const auto path = at >= begin && at < end
                                          ? ptx::pathAt(m_info, s.variable->type, s.part.offset + at - begin)
                                          : std::nullopt;
                    if (!path)
                        continue;
                    std::array<std::uint64_t, 32> bits{};
                    const std::uint64_t bytes = std::min<std::uint64_t>(m_info.types[path->part.type].bytes, 8);
                    for (std::uint64_t k = 0; k < bytes; ++k)
                        if (const std::byte* byte =
                                x.warp->local.find(begin + path->part.offset - s.part.offset + k, lane))
                            bits[std::size_t(lane)] |= std::uint64_t(*byte) << (8 * k);
                    keep(x, read.source, in.index, 1u << lane, bits, path->part.offset, false);
                }
            });
        }
}

void VariableWatch::keep(Exec& x, std::uint32_t source, std::uint32_t position, std::uint32_t lanes,
                         const std::array<std::uint64_t, 32>& bits, std::uint64_t offset, bool held) {
    if (lanes == 0 || (m_asked.block && *m_asked.block != x.block->index) ||
        (m_asked.warp && *m_asked.warp != x.warp->number))
        return;
    // Its warp has been counted as far as the straight-line piece goes.
    const Program& program = *codeOf(x.program).program;
    const std::uint64_t behind = program.pieces[program.code[m_at].piece].end - m_at, step = x.warp->issued - behind,
                        ahead = x.recorder || x.block->timed ? 1 : behind;
    const std::uint64_t time = std::uint64_t(x.warp->clock) - ahead;
    m_sizes.try_emplace(x.launch->launch, x.launch->grid, x.launch->block);
    eachLane(lanes, [&](int lane) {
        const std::uint32_t thread = x.warp->number * 32 + std::uint32_t(lane);
        if (m_asked.thread && *m_asked.thread != thread)
            return;
        ++m_count;
        if (m_values.size() == mostWordUses)
            m_values.pop_front();
        m_values.push_back({&program, position, x.launch->launch, thread, source, x.block->index, step,
                            bits[std::size_t(lane)], offset, time, held});
    });
}

std::string VariableWatch::nameOf(const Value& value) const {
    const Source& s = m_sources[value.source];
    const auto path = ptx::pathAt(m_info, s.variable->type, value.offset);
    return s.variable->name + (path ? path->path : std::string());
}

std::string VariableWatch::textOf(const Value& value) const {
    const Source& s = m_sources[value.source];
    const auto path = ptx::pathAt(m_info, s.variable->type, value.offset);
    if (!path)
        return fmt::format("{:#x}", value.bits);
    const ptx::DebugInfo::Type& type = m_info.types[path->part.type];
    switch (type.kind) {
    case ptx::DebugInfo::Type::Kind::Float:
        return type.bytes == 8   ? fmt::format("{:#}", std::bit_cast<double>(value.bits))
               : type.bytes == 4 ? fmt::format("{:#}", std::bit_cast<float>(std::uint32_t(value.bits)))
                                 : fmt::format("{:#x}", value.bits);
    case ptx::DebugInfo::Type::Kind::Signed: {
        const int shift = 64 - 8 * int(std::clamp<std::uint64_t>(type.bytes, 1, 8));
        return std::to_string(std::int64_t(value.bits << shift) >> shift);
    }
    case ptx::DebugInfo::Type::Kind::Unsigned:
        return std::to_string(value.bits);
    case ptx::DebugInfo::Type::Kind::Bool:
        return value.bits & 0xff ? "true" : "false";
    default:
        return fmt::format("{:#x}", value.bits);
    }
}

std::vector<Diagnostic> VariableWatch::told() const {
    std::vector<Diagnostic> all;
    for (auto v = m_values.rbegin(); v != m_values.rend(); ++v) {
        const auto sizes = m_sizes.at(v->launch);
        const Message what = v->held ? Message(say::VariableHeld(nameOf(*v), textOf(*v), v->step, v->time))
                                     : Message(say::VariableSet(nameOf(*v), textOf(*v), v->step, v->time));
        all.push_back(Diagnostics::describe(
            {v->program, v->position, v->launch, v->thread, v->block, sizes.first, sizes.second}, what));
    }
    Diagnostic sum;
    sum.message = say::VariableSets(m_count, m_values.size(), m_known, m_scope);
    all.push_back(std::move(sum));
    return all;
}

} // namespace warpglass::emulator
