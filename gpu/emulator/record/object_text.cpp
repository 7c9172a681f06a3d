// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/object_text.h"
#include "gpu/base/messages/emulator.h"

namespace warpglass::emulator {

namespace {

const DeclaredObject* objectAt(const Program& program, ptx::StateSpace space, std::uint32_t function,
                               std::uint64_t at) {
    for (const DeclaredObject& o : program.objects)
        if (o.space == space && o.function == function && at >= o.begin && (o.bytes == 0 || at - o.begin < o.bytes))
            return &o;
    return nullptr;
}

} // namespace

std::string nameOf(const DeclaredObject& o) {
    return shortName(o.source->name);
}

std::string shortName(const std::string& symbol) {
    return cuda_text::nameOfVariable(symbol);
}

Message elementAt(const Program& program, ptx::StateSpace space, std::uint32_t function, std::uint64_t at,
                  std::uint64_t bytes) {
    const DeclaredObject* o = objectAt(program, space, function, at);
    return o ? say::ElementOf(nameOf(*o), (at - o->begin) / bytes) : say::NoObjectThere;
}

cuda_text::SharedMembers membersIn(const Program& program, ptx::StateSpace space, const LaunchPlan& plan,
                                   std::uint64_t bytes) {
    std::vector<cuda_text::SharedObject> objects;
    for (const DeclaredObject& o : program.objects)
        if (o.space == space)
            objects.push_back({nameOf(o), o.begin, o.bytes});
    return {plan.source, plan.headers, objects, bytes};
}

Message sharedObjectAt(const Program& program, std::uint64_t at, std::uint64_t bytes) {
    const DeclaredObject* o = sharedDeclared(program, at);
    if (!o || o->bytes == 0 || o->bytes % bytes != 0 || (at - o->begin) % bytes != 0)
        return say::AtByte(at);
    if (o->bytes == bytes)
        return plain(nameOf(*o));
    return say::ElementOf(nameOf(*o), (at - o->begin) / bytes);
}

const DeclaredObject* sharedDeclared(const Program& program, std::uint64_t at) {
    return objectAt(program, ptx::StateSpace::Shared, noIndex, at);
}

Message sharedElementAt(const Program& program, std::uint64_t at, std::uint64_t bytes) {
    const DeclaredObject* o = sharedDeclared(program, at);
    if (!o || bytes == 0 || (at - o->begin) % bytes != 0)
        return say::ByteNumber(at);
    return o->bytes == bytes ? plain(nameOf(*o)) : say::ElementOf(nameOf(*o), (at - o->begin) / bytes);
}

} // namespace warpglass::emulator
