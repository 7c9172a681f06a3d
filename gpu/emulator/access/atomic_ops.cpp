// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics, a warp at a time. Nearly always one host thread runs all blocks of a launch that has any: if an old value is
// used, floats are added or words exchanged, the order counts, and blocks keep theirs (Decoder::atomic); so they do where
// somebody waits in a loop for what another block writes. Then an update is a load and a store.
//
// What is left are reductions of whole numbers, whose order nobody can tell. Several host threads run blocks with them,
// and each updates the words of a page of global memory under that page's lock, for all lanes of a warp at once: one
// locked instruction of the host instead of 32; who finds it taken keeps what it adds for a while (own_sums.h). All
// updates go that way, so none is lost. A plain store of another block
// to a word that is being reduced does not take the lock and may be lost if it falls between load and store: as if it
// had come before. Such a program has a race anyway, between a weak store and an atomic without an order between them,
// and no old value by which it could tell. Plain loads see whole words, as they were before or after.
#include "gpu/emulator/access/atomic_ops.h"
#include "gpu/emulator/access/access.h"
#include "gpu/emulator/access/atomic_values.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/access/fault_report.h"
#include "gpu/emulator/access/quick_atomics.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/own_sums.h"
#include "gpu/emulator/watch/shared_races.h"
#include "gpu/emulator/watch/spin_loops.h"
#include "gpu/emulator/watch/uninitialised.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>

namespace warpglass::emulator {

namespace {

// A lane's word of a row; what is smaller than a word is its lower part.
template <class T>
struct LaneWords {
    std::byte* row = nullptr;
    static constexpr std::size_t stride = sizeof(T) < 4 ? 4 : sizeof(T);
    T operator[](std::size_t lane) const {
        T v;
        std::memcpy(&v, row + lane * stride, sizeof v);
        return v;
    }
    void set(std::size_t lane, T v) const {
        if constexpr (sizeof(T) < 4)
            std::memset(row + lane * stride, 0, stride);
        std::memcpy(row + lane * stride, &v, sizeof v);
    }
};
// All lanes of m, in their order. No other thread updates this memory now.
template <class T, Operation op, bool flush>
void updateLanes(Exec& x, AtomicRows rows, std::uint32_t m, Reach memory, Lanes order) {
    const LaneWords<T> b{x.rows + rows.b}, c{x.rows + (op == Operation::Cas ? rows.c : rows.b)},
        d{x.rows + rows.result};
    const bool gives = rows.result != noRow;
    const auto first = std::size_t(std::countr_zero(m));
    T* const at = reinterpret_cast<T*>(memory.at(x.address[first]));
    if constexpr (isPlain<T> || addsHalves<T, op>)
        if (order == Lanes::InOrder && m == ~0u)
            return updateWords<T, op, flush>(x, at, reinterpret_cast<const T*>(b.row),
                                             reinterpret_cast<const T*>(c.row),
                                             gives ? reinterpret_cast<T*>(d.row) : nullptr);
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4 && op == Operation::Add)
        if (order == Lanes::AtOne && m == ~0u && !gives) { // their sum at once
            using U = std::make_unsigned_t<T>;
            const auto* values = reinterpret_cast<const U*>(b.row);
            U sum = 0;
            for (int i = 0; i < 32; ++i)
                sum += values[i];
            *at = T(U(*at) + sum);
            return;
        }
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4 && op == Operation::Add)
        if (order == Lanes::AtOne && m == ~0u) {
            *at = T(sumsBefore(std::uint32_t(*at), reinterpret_cast<const std::uint32_t*>(b.row),
                               reinterpret_cast<std::uint32_t*>(d.row)));
            return;
        }
    if constexpr (std::is_same_v<T, std::uint32_t> && op == Operation::Inc)
        if (const auto* limits = reinterpret_cast<const T*>(b.row);
            order == Lanes::AtOne && m == ~0u && sameInAll(x, m, limits)) {
            *at = x.passes->countUp(*at, *limits, gives ? reinterpret_cast<T*>(d.row) : nullptr);
            return;
        }
    if constexpr (flush)
        if (order == Lanes::AtOne && m == ~0u &&
            addInOrder(at, reinterpret_cast<const float*>(b.row), gives ? reinterpret_cast<float*>(d.row) : nullptr))
            return;
    if (order == Lanes::AtOne) { // kept in a register
        T now = *at;
        eachLane(m, [&](int n) {
            const auto lane = std::size_t(n);
            const T then = next<T, op, flush>(now, b[lane], c[lane]);
            if (gives)
                d.set(lane, now);
            now = then;
        });
        *at = now;
        return;
    }
    const std::uintptr_t shift = memory.shift();
    const auto updateAll = [&](auto give) {
        everyLane(m, [&](std::size_t lane) {
            T* own = reinterpret_cast<T*>(x.address[lane] + shift);
            const T old = *own;
            *own = next<T, op, flush>(old, b[lane], c[lane]);
            give(lane, old);
        });
    };
    if (gives)
        updateAll([&](std::size_t lane, T old) { d.set(lane, old); });
    else
        updateAll([](std::size_t, T) {});
}

bool allOnOnePage(const Exec& x, std::uint32_t m) {
    std::uint64_t differs = 0;
    const std::uint64_t first = x.address[std::size_t(std::countr_zero(m))];
    if (m == ~0u) // vector code
        for (std::size_t lane = 0; lane < 32; ++lane)
            differs |= x.address[lane] ^ first;
    else
        eachLane(m, [&](int lane) { differs |= x.address[std::size_t(lane)] ^ first; });
    return differs < PageLock::pageBytes;
}
// f(lanes) for the lanes of each page. one: it is known that they all lie in one.
template <class F>
void eachPage(const Exec& x, std::uint32_t m, bool one, const F& f) {
    if (one) [[likely]]
        return f(m);
    const auto alike = [&](std::size_t lane, std::size_t other) {
        return (x.address[lane] ^ x.address[other]) < PageLock::pageBytes;
    };
    while (m) {
        const auto first = std::size_t(std::countr_zero(m));
        std::uint32_t here = 0;
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const auto lane = std::size_t(std::countr_zero(rest));
            here |= std::uint32_t(alike(lane, first)) << lane;
        }
        f(here);
        m &= ~here;
    }
}

// Addresses to plain offsets of the first lane's space; of the lanes those that mean the same one.
Window normalise(Exec& x, AddressSpace space, std::uint32_t& lanes) {
    if (space == AddressSpace::Global)
        return Window::Global;
    if (space == AddressSpace::Shared)
        return Window::Shared;
    const auto isShared = [&](std::size_t lane) { return windowOf(x.address[lane]) == Window::Shared; };
    const bool shared = isShared(std::size_t(std::countr_zero(lanes)));
    std::uint32_t same = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        same |= std::uint32_t(isShared(lane) == shared) << lane;
    lanes &= same;
    if (!shared)
        return Window::Global;
    if (lanes == ~0u) // vector code
        for (std::uint64_t& address : x.address)
            address -= sharedWindow;
    else
        eachLane(lanes, [&](int lane) { x.address[std::size_t(lane)] -= sharedWindow; });
    return Window::Shared;
}

// Each element for itself; the hardware promises no more, and names no order.
template <class T, Operation op, bool flush>
void updateElements(Exec& x, const Inst& in, std::uint32_t m, Reach memory, Lanes order) {
    if (in.memory.elements > 1 && in.memory.hasResult && x.program->vectors[in.memory.vector][0] != in.b) [[unlikely]]
        copyOperand(x, in, m);
    if (order == Lanes::InOrder && m == ~0u && updateFours<T, op, flush>(x, in, memory))
        return;
    for (std::uint32_t k = 0; k < in.memory.elements; ++k)
        updateLanes<T, op, flush>(x, rowsOf(x, in, k), m, memory.behind(k * sizeof(T)),
                                  in.memory.elements > 1 && order == Lanes::InOrder ? Lanes::Scattered : order);
}

template <class T, Operation op>
void giveSums(std::byte* memory, std::byte* sums) {
    for (std::size_t at = 0; at < OwnSums::pageBytes; at += sizeof(T)) {
        T own;
        std::memcpy(&own, sums + at, sizeof own);
        if (constexpr T nothing = neutral<T, op>(); own != nothing) {
            T there;
            std::memcpy(&there, memory + at, sizeof there);
            there = apply<T, op>(there, own, own);
            std::memcpy(memory + at, &there, sizeof there);
            std::memcpy(sums + at, &nothing, sizeof nothing);
        }
    }
}
template <class T, Operation op>
constexpr bool isKept = std::is_integral_v<T> && sizeof(T) >= 4 &&
                        (op == Operation::Add || op == Operation::Min || op == Operation::Max || op == Operation::And ||
                         op == Operation::Or || op == Operation::Xor);

// Of lanes on many pages, those whose pages are kept; the others.
template <class T, Operation op>
std::uint32_t updateKept(Exec& x, const Inst& in, std::uint32_t m, const Area& area, Reach memory) {
    if constexpr (isKept<T, op>) {
        if (!x.ownSums || in.memory.elements != 1 || !x.ownSums->keepsMany())
            return m;
        constexpr OwnSums::Give give = &giveSums<T, op>;
        const LaneWords<T> b{x.rows + in.b};
        std::uint32_t left = 0;
        eachLane(m, [&](int lane) {
            const std::uint64_t address = x.address[std::size_t(lane)], page = OwnSums::pageOf(address);
            OwnSums::Page& own = x.ownSums->placeOf(page);
            if (own.address != page || own.give != give || own.area != &area) [[unlikely]] {
                if (!OwnSums::isFree(own, page)) {
                    left |= 1u << lane;
                    return;
                }
                x.ownSums->keep(own, page, area, memory.at(page), give, neutral<T, op>());
            }
            T* const at = reinterpret_cast<T*>(OwnSums::reach(own).at(address));
            *at = apply<T, op>(*at, b[std::size_t(lane)], T(0));
        });
        return left;
    } else {
        return m;
    }
}

// Lanes of one page, which other host threads update, too.
template <class T, Operation op>
void updatePage(Exec& x, const Inst& in, std::uint32_t m, const Area& area, Reach memory, Lanes order) {
    const std::uint64_t page = OwnSums::pageOf(x.address[std::size_t(std::countr_zero(m))]);
    PageLock& lock = pageLock(page);
    const auto update = [&](Reach to) { // no floats, see above
        updateElements<T, op, false>(x, in, m, to, order);
    };
    bool locked = false;
    if (x.ownSums) {
        OwnSums::Page& own = x.ownSums->placeOf(page);
        if constexpr (isKept<T, op>) {
            constexpr OwnSums::Give give = &giveSums<T, op>;
            if (own.address == page && own.give == give && own.area == &area && in.memory.elements == 1)
                return update(OwnSums::reach(own));
            if (OwnSums::isFree(own, page) && in.memory.elements == 1) {
                locked = lock.tryLock();
                if (!locked) {
                    x.ownSums->keep(own, page, area, memory.at(page), give, neutral<T, op>());
                    return update(OwnSums::reach(own));
                }
            }
        }
        if (own.address == page)
            x.ownSums->giveBack(own);
    }
    if (!locked)
        lock.lock();
    const std::lock_guard held(lock, std::adopt_lock);
    update(memory);
}

// All lanes' words one behind the other or all at one place, of which nobody is told. False: nothing is done.
template <class T, Operation op>
bool updateQuietly(Exec& x, const Inst& in) {
    if constexpr (!isPlain<T> && !addsHalves<T, op>) {
        return false;
    } else {
        constexpr std::uint32_t size = sizeof(T);
        const MemoryPart& part = in.memory;
        const bool shared = part.space == AddressSpace::Shared;
        if ((!shared && part.space != AddressSpace::Global) || part.elements != 1 || part.noBase || x.observed)
            return false;
        const QuietWords words = shared ? quietShared(x, in, size) : quietGlobal(x, in, size);
        if (!words.reach)
            return false;
        const MemorySpace space = shared ? MemorySpace::Shared : MemorySpace::Global;
        if (shared) {
            addresses(x, in);
            judge(x, in, {.kind = AccessKind::Atomic, .order = words.order, .bytes = size, .offsets = &x.address});
        }
        x.address[0] = words.address;
        beginAccess(x, ~0u, size, space, AccessKind::Atomic);
        if (shared)
            updateLanes<T, op, false>(x, rowsOf(x, in, 0), ~0u, words.reach, words.order);
        else
            updateLanes<T, op, flushesGlobal<T, op>>(x, rowsOf(x, in, 0), ~0u, words.reach, words.order);
        account<AccessKind::Atomic>(
            x, in,
            {space, words.order, ~0u, size, words.address, words.order == Lanes::InOrder ? 32 * size : size, nullptr});
        if (part.hasResult)
            notePoll(x, in, ~0u, in.dst, size);
        countOf(x, in, space).add(x.access);
        return true;
    }
}

// Lanes m, which all mean one space, at offsets in x.address.
template <class T, Operation op>
bool atomicIn(Exec& x, const Inst& in, std::uint32_t m, bool shared) {
    if (!shared && in.memory.hasResult && !x.warp->volatiles.empty())
        x.warp->volatiles.clear(); // who takes a lock may read what another lane left under it
    const Access a = begin<AccessKind::Atomic>(x, in, m, shared ? MemorySpace::Shared : MemorySpace::Global);
    const std::uint32_t size = a.size;
    const Lanes order = a.order;
    const bool onePage = a.order != Lanes::Scattered ? (a.at ^ (a.at + a.bytes - 1)) < PageLock::pageBytes
                         : a.shape                   ? a.shape->withinOne(PageLock::pageBytes, a.at)
                                                     : !shared && x.concurrent && allOnOnePage(x, m);
    Found area = shared ? Found() : x.global->find(a.at, a.bytes, x.hint);
    const auto updateAll = [&](std::uint32_t lanes, Reach memory) {
        if (!shared && x.concurrent)
            return eachPage(x, onePage ? lanes : updateKept<T, op>(x, in, lanes, *area, memory), onePage,
                            [&](std::uint32_t here) { updatePage<T, op>(x, in, here, *area, memory, order); });
        if constexpr (std::is_same_v<T, float> && op == Operation::Add)
            if (!shared)
                return updateElements<T, op, true>(x, in, lanes, memory, order);
        updateElements<T, op, false>(x, in, lanes, memory, order);
    };
    constexpr bool takes = op != Operation::Exch; // what was there before, into what comes
    const Reach reach = shared ? reachInShared(x, in, a) : reachIn(x, a, area);
    if (shared)
        judgeLanes<AccessKind::Atomic>(x, in, a, reach);
    if (reach) {
        if (area && area->written) [[unlikely]]
            watchAtomic(x, in, m, *area, size, takes);
        updateAll(m, reach);
    } else
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t address = x.address[std::size_t(lane)];
            Reach at;
            if (shared) {
                at = x.block->shared.numbered().among(address, size);
                if (!at && address >> clusterRankShift) { // another block's
                    Home home;
                    if (!sharedBytes(x, in, lane, address, size, AccessKind::Atomic, home))
                        return false;
                    at = home.block->shared.numbered(address - sharedOffset(address)).among(address, size);
                    markWritten(*home.block, sharedOffset(address), size);
                }
            } else if ((area = x.global->find(address, size, x.hint)) ||
                       (op == Operation::Cas && (area = x.global->wordAtEnd(address, size)))) {
                at = area.reach();
                if (area->written) [[unlikely]]
                    watchAtomic(x, in, 1u << lane, *area, size, takes);
            }
            if (!at)
                return faultAccess(x, in, lane, address, size, x.access.space, x.block->shared.size(),
                                   AccessKind::Atomic);
            if (!isAligned(address, size))
                return faultMisaligned(x, in, lane, address, size);
            updateAll(1u << lane, at);
        }
    account<AccessKind::Atomic>(x, in, a);
    countAccess(x, in);
    if (in.memory.hasResult && in.memory.elements == 1)
        notePoll(x, in, m, in.dst, std::max<std::uint32_t>(sizeof(T), 4));
    return true;
}

template <class T, Operation op>
bool atomicServed(Exec& x, const Inst& in, std::uint32_t m) {
    std::uint32_t lanes = m;
    Window window = normalise(x, in.memory.space, lanes);
    while (lanes != m) { // of generic addresses some lanes' may lie in shared memory and some elsewhere
        if (!atomicIn<T, op>(x, in, lanes, window == Window::Shared))
            return false;
        lanes = m &= ~lanes;
        window = normalise(x, in.memory.space, lanes);
    }
    return atomicIn<T, op>(x, in, m, window == Window::Shared);
}

template <class T, Operation op>
bool atomic(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    return m == 0 || (m == ~0u && (updateColumn<T, op>(x, in) || updateQuietly<T, op>(x, in))) ||
           serveLanes<&atomicServed<T, op>>(x, in, m);
}

template <Operation op>
Handler byType(ptx::Type type) {
    using ptx::Type;
    if constexpr (op == Operation::Add || op == Operation::Min || op == Operation::Max) {
        if (type == Type::F16)
            return &atomic<Halves<false, std::uint16_t>, op>;
        if (type == Type::BF16)
            return &atomic<Halves<true, std::uint16_t>, op>;
        if (type == Type::F16x2)
            return &atomic<Halves<false, std::uint32_t>, op>;
        if (type == Type::BF16x2)
            return &atomic<Halves<true, std::uint32_t>, op>;
    }
    if constexpr (op == Operation::Cas || op == Operation::Exch)
        if (type == Type::B16)
            return &atomic<std::uint16_t, op>;
    constexpr bool bitwise = op == Operation::And || op == Operation::Or || op == Operation::Xor;
    switch (type) {
    case Type::B32:
    case Type::U32:
        return &atomic<std::uint32_t, op>;
    case Type::B64:
    case Type::U64:
        return &atomic<std::uint64_t, op>;
    case Type::B128:
        if constexpr (op == Operation::Exch || op == Operation::Cas)
            return &atomic<Wide, op>;
        return nullptr;
    case Type::S32:
        return bitwise ? nullptr : &atomic<std::int32_t, op>;
    case Type::S64:
        return bitwise ? nullptr : &atomic<std::int64_t, op>;
    case Type::F32:
    case Type::F64:
        if constexpr (op == Operation::Add || op == Operation::Exch)
            return type == Type::F32 ? &atomic<float, op> : &atomic<double, op>;
        return nullptr;
    default:
        return nullptr;
    }
}

} // namespace

Handler atomicHandler(ptx::Operation op, ptx::Type type) {
    switch (op) {
    case Operation::Add:
        return byType<Operation::Add>(type);
    case Operation::Min:
        return byType<Operation::Min>(type);
    case Operation::Max:
        return byType<Operation::Max>(type);
    case Operation::Inc:
        return byType<Operation::Inc>(type);
    case Operation::Dec:
        return byType<Operation::Dec>(type);
    case Operation::And:
        return byType<Operation::And>(type);
    case Operation::Or:
        return byType<Operation::Or>(type);
    case Operation::Xor:
        return byType<Operation::Xor>(type);
    case Operation::Exch:
        return byType<Operation::Exch>(type);
    case Operation::Cas:
        return byType<Operation::Cas>(type);
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
