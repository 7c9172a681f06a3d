// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that are members of a declared variable, or lie beside others in a function's local memory: an index that leaves one
// of them stays in what is declared, and in the PTX nothing tells. The debug information of code that is not optimised does (-G):
// there an address is made step by step, constants of members and indices times the size of an element, each in a register
// of its own. Followed is what is made so and nothing else; arrays of arrays count as one, since code goes along them.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/register_rows.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/watch/program_checks.h"
#include "gpu/ptx/debug_info.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr int mostMemberSteps = 24; // of an address, and types in types

std::uint64_t longAt(const Exec& x, Row row, int lane) {
    std::uint64_t value;
    std::memcpy(&value, x.rows + row + 8 * std::size_t(lane), sizeof value);
    return value;
}

// What lies at that byte of an object in local or shared memory: "pair.last".
std::optional<std::string> memberNameAt(const ptx::DebugInfo& info, const Program& program, const DeclaredObject& o,
                                        std::uint64_t at) {
    for (const ptx::DebugInfo::Variable& v : info.variables)
        for (const ptx::DebugInfo::Place& place : v.places)
            if (place.kind == ptx::DebugInfo::Place::Kind::Memory && place.name == o.source->name && at >= place.offset)
                if (o.function == noIndex ||
                    program.functions[o.function].source == &program.module->functions[v.function])
                    if (const auto path = ptx::pathAt(info, v.type, at - place.offset))
                        return v.name + path->path;
    return std::nullopt;
}

// Whether an array, a struct or all of a type ends at that byte of it.
bool endsThere(const ptx::DebugInfo& info, std::uint32_t type, std::uint64_t at) {
    for (int k = 0; k < mostMemberSteps && type < info.types.size(); ++k) {
        const ptx::DebugInfo::Type& t = info.types[type];
        if (t.isScalar())
            return false;
        if (at == t.bytes)
            return true;
        if (t.kind == ptx::DebugInfo::Type::Kind::Array) {
            const std::uint64_t each = t.of < info.types.size() ? info.types[t.of].bytes : 0;
            if (each == 0 || info.types[t.of].isScalar())
                return false;
            type = t.of;
            at = at % each == 0 ? each : at % each;
            continue;
        }
        const auto member = std::find_if(t.members.begin(), t.members.end(), [&](const ptx::DebugInfo::Member& m) {
            return m.type < info.types.size() && at > m.offset && at - m.offset <= info.types[m.type].bytes;
        });
        if (member == t.members.end())
            return false;
        type = member->type;
        at -= member->offset;
    }
    return false;
}

// An access beside the array it is of, at `at` of the variable or of what the pointer points to. Who goes on through several
// elements and comes to the end of what lies there goes along all of it on purpose, as through a pointer to another type.
void tellMember(Exec& x, const Inst& in, const MemberAccess& a, int lane, std::int64_t fromArray, std::uint64_t at,
                std::uint64_t address, const ptx::DebugInfo& info) {
    const std::uint64_t end = at + std::uint64_t(in.memory.bytes) * in.memory.elements;
    if (!x.diagnostics->repeated(x, DiagnosticKind::OutsideObject, in.index)) {
        std::optional<std::string> there;
        if (a.object != noIndex)
            there = memberNameAt(info, *x.program, x.program->objects[a.object], at + a.rootAt);
        else if (const auto path = ptx::pathAt(info, a.root, at))
            there = a.name.substr(0, a.name.find("->") + 2) + path->path.substr(path->path.starts_with('.'));
        const AccessKind kind = x.program->info[in.index].access;
        const std::int64_t index = fromArray >= 0 ? fromArray / a.each : -((-fromArray + a.each - 1) / a.each);
        x.diagnostics->add(x, DiagnosticKind::OutsideObject, in.index, lane, address,
                           say::OutsideObject(kind == AccessKind::Load    ? say::Reads
                                              : kind == AccessKind::Store ? say::Writes
                                                                          : say::Changes,
                                              a.name, std::to_string(index), a.bytes / a.each, a.each,
                                              there ? Message(plain(*there)) : Message(say::NoObjectThere)));
    }
    if (auto* const walk = x.diagnostics->walkOf(DiagnosticKind::OutsideObject, in.index); walk && end > walk->end) {
        walk->end = end;
        const std::uint64_t beyond = fromArray < 0 ? 0 : std::uint64_t(fromArray) + (end - at) - a.bytes;
        walk->isOne = beyond >= std::uint64_t(2) * a.each && endsThere(info, a.root, end);
    }
}

bool memberThen(Exec& x, const Inst& in) {
    const MemberAccess& a = x.program->members.at(in.index);
    const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
    const std::uint64_t size = std::uint64_t(in.memory.bytes) * in.memory.elements;
    std::optional<ptx::DebugInfo> info;
    for (std::uint32_t rest = x.checkMemory ? m : 0; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = longAt(x, a.address, lane) + std::uint64_t(a.offset);
        const auto at = std::int64_t(address - longAt(x, a.base, lane) + a.before);
        if (at >= 0 && std::uint64_t(at) <= a.bytes - std::min(size, a.bytes))
            continue;
        std::uint64_t within = std::uint64_t(at) + a.rootAt; // of a pointer's
        std::uint64_t told = address, bytes = 0;
        if (a.object != noIndex) {
            const DeclaredObject& o = x.program->objects[a.object];
            const bool shared = o.space == ptx::StateSpace::Shared;
            const std::uint64_t begin = shared ? sharedWindow + o.begin : localWindow + x.frame->localBase + o.begin;
            within = address - begin;
            told = begin + within;
            bytes = o.bytes;
        }
        if (!info && (a.object == noIndex || within < bytes))
            info = ptx::debugInfo(*x.program->module);
        if (a.object == noIndex)
            bytes = info->types[a.root].bytes;
        if (within >= bytes || size > bytes - within) // told of the whole (declared_bounds.h), or nobody knows
            continue;
        tellMember(x, in, a, lane, at, a.object != noIndex ? within - a.rootAt : within, told, *info);
    }
    return a.run(x, in);
}

// An array, and the arrays in it, as one stretch of elements.
struct MemberArray {
    std::uint64_t begin = 0, bytes = 0; // in what was looked into
    std::uint32_t element = ptx::DebugInfo::none;
    std::string path;
    bool whole = false; // it is all of that
};

class MemberFinder {
public:
    MemberFinder(Program& program, std::uint32_t function, const ptx::DebugInfo& info)
        : m_program(program), m_code(program.functions[function]), m_function(function), m_info(info) {
        for (std::uint32_t at = m_code.first; at < m_code.end; ++at)
            if (const ptx::Instruction* i = program.info[at].source; i && !i->operands.empty())
                if (const ptx::Operand& to = i->operands[0]; to.kind == ptx::Operand::Kind::Register)
                    m_makers[to.name].push_back(at);
        FrameLayout frame;
        m_rows = layoutRegisters(*m_code.source, frame);
    }

    void run() {
        for (std::uint32_t at = m_code.first; at < m_code.end; ++at)
            look(at);
    }

private:
    // An address on its way: where it is in what type, and the last array that it went along.
    struct Way {
        std::uint32_t object = noIndex;
        std::uint64_t offset = 0;                  // in the object, or in the element of `type`
        std::uint32_t type = ptx::DebugInfo::none; // of the element; none: in the object itself
        std::string name;                          // of the element
        std::optional<MemberAccess> array;
        bool inArrays = false;        // the element is an array of the same stretch
        std::uint32_t root = noIndex; // as MemberAccess has it
        std::uint64_t rootAt = 0;
        bool isPointer = false; // nothing but a pointer to something of the type has come yet
    };

    std::optional<std::uint32_t> makerOf(const std::string& name, std::uint32_t before) const {
        const auto all = m_makers.find(name);
        if (all == m_makers.end())
            return std::nullopt;
        if (all->second.size() == 1)
            return all->second.front();
        // Of a register of a braced piece the maker stands just before.
        if (before > m_code.first && std::binary_search(all->second.begin(), all->second.end(), before - 1))
            return before - 1;
        return std::nullopt;
    }

    // What an index is multiplied by; 0: it is no index.
    std::uint64_t strideOf(const std::string& name, std::uint32_t before) const {
        const auto at = makerOf(name, before);
        if (!at)
            return 0;
        const ptx::Instruction& i = *m_program.info[*at].source;
        if (i.operands.size() != 3 || i.operands[2].kind != ptx::Operand::Kind::Integer || i.operands[2].integer <= 0)
            return 0;
        if (i.opcode == ptx::Opcode::Shl)
            return i.operands[2].integer < 32 ? std::uint64_t(1) << i.operands[2].integer : 0;
        return i.opcode == ptx::Opcode::Mul ? std::uint64_t(i.operands[2].integer) : 0;
    }

    std::optional<Way> wayTo(const std::string& name, std::uint32_t before, int depth) const {
        const auto at = depth < mostMemberSteps ? makerOf(name, before) : std::nullopt;
        if (!at)
            return std::nullopt;
        const ptx::Instruction& i = *m_program.info[*at].source;
        const std::vector<ptx::Operand>& o = i.operands;
        if (o.size() == 2 && i.opcode == ptx::Opcode::Ld && m_program.info[*at].space == MemorySpace::Param)
            return pointerIn(name);
        if (o.size() == 2 &&
            (i.opcode == ptx::Opcode::Mov || i.opcode == ptx::Opcode::Cvta || i.opcode == ptx::Opcode::Cvt)) {
            if (o[1].kind == ptx::Operand::Kind::Register)
                return wayTo(o[1].name, *at, depth + 1);
            if (o[1].kind == ptx::Operand::Kind::Symbol)
                return objectNamed(o[1]);
            return std::nullopt;
        }
        if (o.size() != 3 || i.opcode != ptx::Opcode::Add || o[1].kind != ptx::Operand::Kind::Register)
            return std::nullopt;
        if (o[2].kind == ptx::Operand::Kind::Integer) {
            auto way = wayTo(o[1].name, *at, depth + 1);
            if (way)
                way->offset += std::uint64_t(o[2].integer);
            return way;
        }
        if (o[2].kind != ptx::Operand::Kind::Register)
            return std::nullopt;
        auto way = wayTo(o[1].name, *at, depth + 1);
        const std::uint64_t stride = way ? strideOf(o[2].name, *at) : 0;
        return stride && along(*way, o[1].name, stride) ? way : std::nullopt;
    }

    // A parameter that points to a struct: `this` of its functions, say.
    std::optional<Way> pointerIn(const std::string& registerName) const {
        for (const ptx::DebugInfo::Variable& v : m_info.variables) {
            if (!v.isParameter || v.type >= m_info.types.size() ||
                &m_program.module->functions[v.function] != m_code.source ||
                std::none_of(v.places.begin(), v.places.end(), [&](const ptx::DebugInfo::Place& place) {
                    return place.kind == ptx::DebugInfo::Place::Kind::Register && place.name == registerName;
                }))
                continue;
            const ptx::DebugInfo::Type& t = m_info.types[v.type];
            if (t.kind == ptx::DebugInfo::Type::Kind::Pointer && t.of < m_info.types.size() &&
                m_info.types[t.of].kind == ptx::DebugInfo::Type::Kind::Struct)
                return Way{.type = t.of, .name = v.name + "->", .isPointer = true};
        }
        return std::nullopt;
    }

    std::optional<Way> objectNamed(const ptx::Operand& o) const {
        for (std::uint32_t n = 0; n < m_program.objects.size(); ++n)
            if (const DeclaredObject& object = m_program.objects[n];
                object.source->name == o.name && object.bytes != 0 && object.space != ptx::StateSpace::Const &&
                (object.function == m_function || object.function == noIndex))
                return Way{.object = n, .offset = std::uint64_t(o.integer)};
        return std::nullopt;
    }

    // From the register of this name on by an index.
    bool along(Way& way, const std::string& base, std::uint64_t stride) const {
        std::uint32_t type = way.type;
        std::uint64_t offset = way.offset;
        std::string name = way.name;
        bool variableBegins = false;
        std::uint64_t rootAt = way.offset;
        if (std::exchange(way.isPointer, false) && type < m_info.types.size() && m_info.types[type].bytes == stride) {
            way.isPointer = true; // to another one of them
            return true;
        }
        if (type == ptx::DebugInfo::none) {
            const ptx::DebugInfo::Variable* const v = variableAt(way.object, offset);
            if (!v)
                return false;
            type = v->type;
            name = v->name;
            variableBegins = true;
            rootAt -= offset;
        }
        const auto found = arrayIn(type, offset, stride, 0);
        const auto row = m_rows.find(base);
        if (!found || row == m_rows.end() || row->second.bytes() != 8)
            return false;
        const bool ofPointer = way.object == noIndex;
        const std::string path =
            name.ends_with("->") && found->path.starts_with('.') ? found->path.substr(1) : found->path;
        if (!way.inArrays) { // else it goes on in the arrays of the one before
            way.array = MemberAccess{.base = row->second.row,
                                     .before = offset - found->begin,
                                     .bytes = found->bytes,
                                     .each = std::uint32_t(scalarBytes(found->element)),
                                     .object = way.object,
                                     .root = ofPointer || variableBegins ? type : way.root,
                                     .rootAt = ofPointer        ? found->begin
                                               : variableBegins ? rootAt
                                                                : way.rootAt,
                                     .name = name + path};
            way.root = way.array->root;
            way.rootAt = way.array->rootAt;
            // All of what is declared has its bounds already.
            if (variableBegins && found->whole && m_program.objects[way.object].function == noIndex)
                way.array->each = 0;
        }
        way.name = name + path + "[]";
        way.type = found->element;
        way.offset = (offset - found->begin) % stride;
        way.inArrays = m_info.types[found->element].kind == ptx::DebugInfo::Type::Kind::Array;
        return true;
    }
    // Of arrays in arrays the innermost element's; of a struct its own.
    std::uint64_t scalarBytes(std::uint32_t type) const {
        for (int k = 0; k < mostMemberSteps && m_info.types[type].kind == ptx::DebugInfo::Type::Kind::Array; ++k)
            type = m_info.types[type].of;
        return m_info.types[type].bytes;
    }

    // The only one there; its offset within it is left in `at`.
    const ptx::DebugInfo::Variable* variableAt(std::uint32_t object, std::uint64_t& at) const {
        const ptx::DebugInfo::Variable* found = nullptr;
        std::uint64_t within = 0;
        for (const ptx::DebugInfo::Variable& v : m_info.variables)
            for (const ptx::DebugInfo::Place& place : v.places) {
                if (place.kind != ptx::DebugInfo::Place::Kind::Memory || v.type >= m_info.types.size() ||
                    place.name != m_program.objects[object].source->name || at < place.offset ||
                    at - place.offset >= m_info.types[v.type].bytes)
                    continue;
                if (found)
                    return nullptr;
                found = &v;
                within = at - place.offset;
            }
        at = found ? within : at;
        return found;
    }

    // The outermost array around that byte in whose arrays an element has that many bytes.
    std::optional<MemberArray> arrayIn(std::uint32_t type, std::uint64_t at, std::uint64_t stride, int depth) const {
        if (type >= m_info.types.size() || depth > mostMemberSteps)
            return std::nullopt;
        const ptx::DebugInfo::Type& t = m_info.types[type];
        if (t.kind == ptx::DebugInfo::Type::Kind::Array) {
            std::uint32_t element = t.of;
            for (int k = 0; k < mostMemberSteps && element < m_info.types.size(); ++k) {
                if (m_info.types[element].bytes == stride)
                    return t.bytes == 0 ? std::nullopt : std::optional(MemberArray{0, t.bytes, element, {}, true});
                if (m_info.types[element].kind != ptx::DebugInfo::Type::Kind::Array)
                    break;
                element = m_info.types[element].of;
            }
            const std::uint64_t each = t.of < m_info.types.size() ? m_info.types[t.of].bytes : 0;
            auto inner = each ? arrayIn(t.of, at % each, stride, depth + 1) : std::nullopt;
            if (!inner || at / each >= t.count)
                return std::nullopt;
            inner->begin += at / each * each;
            inner->path = "[" + std::to_string(at / each) + "]" + inner->path;
            inner->whole = false;
            return inner;
        }
        const ptx::DebugInfo::Member* only = nullptr;
        for (const ptx::DebugInfo::Member& m : t.members)
            if (m.type < m_info.types.size() && at >= m.offset && at - m.offset < m_info.types[m.type].bytes) {
                if (only) // of a union
                    return std::nullopt;
                only = &m;
            }
        auto inner = only ? arrayIn(only->type, at - only->offset, stride, depth + 1) : std::nullopt;
        if (!inner)
            return std::nullopt;
        inner->begin += only->offset;
        inner->path = "." + only->name + inner->path;
        inner->whole = false;
        return inner;
    }

    // Whether the instruction moves what the array holds: another type goes over it on purpose.
    bool agrees(const Inst& in, std::uint32_t type) const {
        for (int k = 0; k < mostMemberSteps && m_info.types[type].kind == ptx::DebugInfo::Type::Kind::Array; ++k)
            type = m_info.types[type].of;
        const ptx::DebugInfo::Type& t = m_info.types[type];
        return t.kind == ptx::DebugInfo::Type::Kind::Struct ||
               (t.bytes == in.memory.bytes &&
                (t.kind == ptx::DebugInfo::Type::Kind::Float) == ptx::isFloat(m_program.info[in.index].is.type()));
    }

    void look(std::uint32_t at) {
        Inst& in = m_program.code[at];
        const InstInfo& info = m_program.info[at];
        const ptx::Family family = info.source ? ptx::row(info.is.opcode).family : ptx::Family::Unknown;
        if (!info.source || !info.isMemory || !info.genericSpace || info.isAsync ||
            (family != ptx::Family::Load && family != ptx::Family::Store && family != ptx::Family::Atomic))
            return;
        for (const ptx::Operand& o : info.source->operands) {
            if (o.kind != ptx::Operand::Kind::Address || !o.baseIsRegister)
                continue;
            const auto way = wayTo(o.name, at, 0);
            const auto row = m_rows.find(o.name);
            if (!way || !way->array || way->array->each == 0 || row == m_rows.end() || row->second.bytes() != 8 ||
                !agrees(in, way->type))
                continue;
            MemberAccess access = *way->array;
            access.address = row->second.row;
            access.offset = o.integer;
            access.run = std::exchange(in.run, &memberThen);
            m_program.members[at] = std::move(access);
            return;
        }
    }

    Program& m_program;
    const FunctionCode& m_code;
    std::uint32_t m_function;
    const ptx::DebugInfo& m_info;
    std::unordered_map<std::string, std::vector<std::uint32_t>> m_makers; // ascending
    RegisterRows m_rows;
};

} // namespace

void boundMembers(Program& program) {
    const auto& options = program.module->targetOptions;
    if (program.objects.empty() || std::find(options.begin(), options.end(), "debug") == options.end())
        return;
    const ptx::DebugInfo info = ptx::debugInfo(*program.module);
    for (std::uint32_t f = 0; f < program.functions.size(); ++f)
        MemberFinder(program, f, info).run();
}

} // namespace warpglass::emulator
