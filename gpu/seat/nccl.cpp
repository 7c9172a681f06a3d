// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/nccl.h"

#include "gpu/seat/seat.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <string_view>

#include <dlfcn.h>

namespace warpglass::seat {

namespace {

// Of NCCL's public interface (nccl.h): 0 is success.
constexpr int success = 0, internalError = 3, inProgress = 7;
using Comm = void*;
struct UniqueId {
    char internal[128];
};

// The functions of NCCL's that are looked at, and those that are asked.
#define WG_NCCL_FUNCTIONS(X)                                                                                           \
    X(ncclAllReduce)                                                                                                   \
    X(ncclBroadcast)                                                                                                   \
    X(ncclBcast)                                                                                                       \
    X(ncclReduce)                                                                                                      \
    X(ncclAllGather)                                                                                                   \
    X(ncclReduceScatter)                                                                                               \
    X(ncclAlltoAll)                                                                                                    \
    X(ncclGather)                                                                                                      \
    X(ncclScatter)                                                                                                     \
    X(ncclSend)                                                                                                        \
    X(ncclRecv)                                                                                                        \
    X(ncclGroupStart)                                                                                                  \
    X(ncclGroupEnd)                                                                                                    \
    X(ncclCommInitRank)                                                                                                \
    X(ncclCommInitRankConfig)                                                                                          \
    X(ncclCommInitRankScalable)                                                                                        \
    X(ncclCommInitAll)                                                                                                 \
    X(ncclCommSplit)                                                                                                   \
    X(ncclCommUserRank)                                                                                                \
    X(ncclCommCount)

enum class Name : std::size_t {
#define X(name) name,
    WG_NCCL_FUNCTIONS(X)
#undef X
        Count_
};
constexpr std::array<const char*, std::size_t(Name::Count_)> names{
#define X(name) #name,
    WG_NCCL_FUNCTIONS(X)
#undef X
};

// The library's own, from the library that the program looked into or loaded.
std::array<std::atomic<void*>, std::size_t(Name::Count_)>& found() {
    static auto* const all = new std::array<std::atomic<void*>, std::size_t(Name::Count_)>{};
    return *all;
}

void* real(Name name) {
    std::atomic<void*>& known = found()[std::size_t(name)];
    if (void* function = known.load())
        return function;
    void* function = dlsym(RTLD_NEXT, names[std::size_t(name)]);
    if (!function) // loaded for a library of the program's alone
        for (const char* file : {"libnccl.so.2", "libnccl.so"})
            if (void* library = function ? nullptr : dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) {
                const Inside inside; // its own function, not this one
                function = dlsym(library, names[std::size_t(name)]);
            }
    known = function;
    return function;
}
template <class F>
F realOf(Name name, F) {
    return reinterpret_cast<F>(real(name));
}

struct Communicator {
    std::uint64_t number = 0; // the same in all ranks
    std::uint32_t calls = 0, splits = 0;
};
struct Communicators {
    std::mutex lock;
    std::map<Comm, Communicator> all;
};
Communicators& communicators() {
    static auto* const all = new Communicators;
    return *all;
}

// FNV-1a, 64 bits: ranks have to come to the same number.
std::uint64_t hashOf(std::span<const char> bytes, std::uint64_t hash = 0xcbf2'9ce4'8422'2325) {
    for (const char c : bytes)
        hash = (hash ^ std::uint8_t(c)) * 0x100'0000'01b3;
    return hash;
}
template <class T>
std::uint64_t hashOf(const T& value, std::uint64_t hash) {
    return hashOf(std::span(reinterpret_cast<const char*>(&value), sizeof value), hash);
}

void made(Comm comm, std::uint64_t number) {
    const std::lock_guard guard(communicators().lock);
    communicators().all[comm] = {number, 0, 0};
}

// What a thread's calls are about.
struct Thread {
    int groups = 0;
    bool runs = false; // NCCL carries out what was asked
    std::vector<CollectiveUnderWay> asked;
};
Thread& thread() {
    thread_local Thread own;
    return own;
}

template <class F>
int carriedOut(F call) {
    Thread& t = thread();
    t.runs = true;
    const int result = call();
    t.runs = false;
    t.asked.clear();
    return result;
}

struct Asked {
    program::CollectiveKind kind;
    std::uint64_t count = 0;
    int type = 0, op = -1;
    std::uint32_t peer = noIndex;
};

template <class F>
int collective(Asked a, Comm comm, void* stream, F call) {
    using namespace program;
    Seat& s = seat();
    Thread& t = thread();
    if (t.runs) // one of NCCL's own asks for another
        return call();
    program::Collective c;
    c.kind = a.kind;
    c.count = a.count;
    c.type = a.type >= 0 && a.type < int(CollectiveType::Unknown) ? CollectiveType(a.type) : CollectiveType::Unknown;
    c.op = a.op < 0 ? CollectiveOp::None : a.op < int(CollectiveOp::Custom) ? CollectiveOp(a.op) : CollectiveOp::Custom;
    c.peer = a.peer;
    int value = 0;
    using Ask = int (*)(Comm, int*);
    if (const auto rank = realOf(Name::ncclCommUserRank, Ask()); rank && rank(comm, &value) == success)
        c.rank = std::uint32_t(value);
    if (const auto ranks = realOf(Name::ncclCommCount, Ask()); ranks && ranks(comm, &value) == success)
        c.ranks = std::uint32_t(value);
    {
        const std::lock_guard guard(communicators().lock);
        Communicator& known = communicators().all[comm];
        c.communicator = known.number;
        c.sequence = known.calls++;
    }
    t.asked.push_back(s.collective(c, static_cast<CUstream>(stream)));
    return t.groups > 0 ? call() : carriedOut(call);
}

} // namespace

std::span<const CollectiveUnderWay> collectivesUnderWay() {
    const Thread& t = thread();
    return t.runs ? std::span(t.asked) : std::span<const CollectiveUnderWay>();
}

} // namespace warpglass::seat

using namespace warpglass::seat;
using warpglass::program::CollectiveKind;

#define WG_NCCL extern "C" __attribute__((visibility("default"))) int
// The library's function of that name, asked with these; an error of NCCL's where there is none.
#define WG_REAL(name, ...)                                                                                             \
    [&] {                                                                                                              \
        const auto function = realOf(Name::name, &::name);                                                             \
        return function ? function(__VA_ARGS__) : internalError;                                                       \
    }

WG_NCCL ncclAllReduce(const void* from, void* to, std::size_t count, int type, int op, void* comm, void* stream) {
    return collective({CollectiveKind::AllReduce, count, type, op}, comm, stream,
                      WG_REAL(ncclAllReduce, from, to, count, type, op, comm, stream));
}
WG_NCCL ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root, void* comm, void* stream) {
    return collective({CollectiveKind::Broadcast, count, type, -1, std::uint32_t(root)}, comm, stream,
                      WG_REAL(ncclBroadcast, from, to, count, type, root, comm, stream));
}
WG_NCCL ncclBcast(void* buffer, std::size_t count, int type, int root, void* comm, void* stream) {
    return collective({CollectiveKind::Broadcast, count, type, -1, std::uint32_t(root)}, comm, stream,
                      WG_REAL(ncclBcast, buffer, count, type, root, comm, stream));
}
WG_NCCL ncclReduce(const void* from, void* to, std::size_t count, int type, int op, int root, void* comm,
                   void* stream) {
    return collective({CollectiveKind::Reduce, count, type, op, std::uint32_t(root)}, comm, stream,
                      WG_REAL(ncclReduce, from, to, count, type, op, root, comm, stream));
}
WG_NCCL ncclAllGather(const void* from, void* to, std::size_t count, int type, void* comm, void* stream) {
    return collective({CollectiveKind::AllGather, count, type}, comm, stream,
                      WG_REAL(ncclAllGather, from, to, count, type, comm, stream));
}
WG_NCCL ncclReduceScatter(const void* from, void* to, std::size_t count, int type, int op, void* comm, void* stream) {
    return collective({CollectiveKind::ReduceScatter, count, type, op}, comm, stream,
                      WG_REAL(ncclReduceScatter, from, to, count, type, op, comm, stream));
}
WG_NCCL ncclAlltoAll(const void* from, void* to, std::size_t count, int type, void* comm, void* stream) {
    return collective({CollectiveKind::AllToAll, count, type}, comm, stream,
                      WG_REAL(ncclAlltoAll, from, to, count, type, comm, stream));
}
WG_NCCL ncclGather(const void* from, void* to, std::size_t count, int type, int root, void* comm, void* stream) {
    return collective({CollectiveKind::Gather, count, type, -1, std::uint32_t(root)}, comm, stream,
                      WG_REAL(ncclGather, from, to, count, type, root, comm, stream));
}
WG_NCCL ncclScatter(const void* from, void* to, std::size_t count, int type, int root, void* comm, void* stream) {
    return collective({CollectiveKind::Scatter, count, type, -1, std::uint32_t(root)}, comm, stream,
                      WG_REAL(ncclScatter, from, to, count, type, root, comm, stream));
}
WG_NCCL ncclSend(const void* from, std::size_t count, int type, int peer, void* comm, void* stream) {
    return collective({CollectiveKind::Send, count, type, -1, std::uint32_t(peer)}, comm, stream,
                      WG_REAL(ncclSend, from, count, type, peer, comm, stream));
}
WG_NCCL ncclRecv(void* to, std::size_t count, int type, int peer, void* comm, void* stream) {
    return collective({CollectiveKind::Receive, count, type, -1, std::uint32_t(peer)}, comm, stream,
                      WG_REAL(ncclRecv, to, count, type, peer, comm, stream));
}
WG_NCCL ncclGroupStart() {
    ++thread().groups;
    return WG_REAL(ncclGroupStart)();
}
WG_NCCL ncclGroupEnd() {
    Thread& t = thread();
    t.groups = std::max(0, t.groups - 1);
    const auto end = WG_REAL(ncclGroupEnd);
    return t.groups > 0 || t.runs ? end() : carriedOut(end);
}
WG_NCCL ncclCommInitRank(void** comm, int ranks, UniqueId id, int rank) {
    const int result = WG_REAL(ncclCommInitRank, comm, ranks, id, rank)();
    if (result == success)
        made(*comm, hashOf(std::span(id.internal)));
    return result;
}
WG_NCCL ncclCommInitRankConfig(void** comm, int ranks, UniqueId id, int rank, void* config) {
    const int result = WG_REAL(ncclCommInitRankConfig, comm, ranks, id, rank, config)();
    if (result == success || result == inProgress)
        made(*comm, hashOf(std::span(id.internal)));
    return result;
}
WG_NCCL ncclCommInitRankScalable(void** comm, int ranks, int rank, int count, UniqueId* ids, void* config) {
    const int result = WG_REAL(ncclCommInitRankScalable, comm, ranks, rank, count, ids, config)();
    if ((result == success || result == inProgress) && count > 0)
        made(*comm, hashOf(std::span(ids[0].internal)));
    return result;
}
WG_NCCL ncclCommInitAll(void** comms, int devices, const int* list) {
    const int result = WG_REAL(ncclCommInitAll, comms, devices, list)();
    for (int n = 0; n < devices && result == success; ++n)
        made(comms[n], hashOf(comms[0], hashOf(std::span<const char>())));
    return result;
}
WG_NCCL ncclCommSplit(void* comm, int color, int key, void** to, void* config) {
    const int result = WG_REAL(ncclCommSplit, comm, color, key, to, config)();
    if (!to || !*to)
        return result;
    std::uint64_t number = 0;
    {
        const std::lock_guard guard(communicators().lock);
        Communicator& parent = communicators().all[comm];
        number = hashOf(color, hashOf(parent.splits++, parent.number));
    }
    made(*to, number);
    return result;
}

namespace warpglass::seat {

void* insteadOfNccl(void* library, const char* name, Lookup lookup) {
    static const std::array<void*, std::size_t(Name::Count_)> mine{reinterpret_cast<void*>(&ncclAllReduce),
                                                                   reinterpret_cast<void*>(&ncclBroadcast),
                                                                   reinterpret_cast<void*>(&ncclBcast),
                                                                   reinterpret_cast<void*>(&ncclReduce),
                                                                   reinterpret_cast<void*>(&ncclAllGather),
                                                                   reinterpret_cast<void*>(&ncclReduceScatter),
                                                                   reinterpret_cast<void*>(&ncclAlltoAll),
                                                                   reinterpret_cast<void*>(&ncclGather),
                                                                   reinterpret_cast<void*>(&ncclScatter),
                                                                   reinterpret_cast<void*>(&ncclSend),
                                                                   reinterpret_cast<void*>(&ncclRecv),
                                                                   reinterpret_cast<void*>(&ncclGroupStart),
                                                                   reinterpret_cast<void*>(&ncclGroupEnd),
                                                                   reinterpret_cast<void*>(&ncclCommInitRank),
                                                                   reinterpret_cast<void*>(&ncclCommInitRankConfig),
                                                                   reinterpret_cast<void*>(&ncclCommInitRankScalable),
                                                                   reinterpret_cast<void*>(&ncclCommInitAll),
                                                                   reinterpret_cast<void*>(&ncclCommSplit),
                                                                   nullptr,
                                                                   nullptr};
    for (std::size_t n = 0; n < names.size(); ++n)
        if (mine[n] && std::string_view(name) == names[n]) {
            void* theirs = lookup(library, name);
            if (theirs && theirs != mine[n])
                found()[n] = theirs;
            return theirs ? mine[n] : nullptr;
        }
    return nullptr;
}

} // namespace warpglass::seat
