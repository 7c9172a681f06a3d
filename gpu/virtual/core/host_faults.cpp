// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/host_faults.h"

#include <array>
#include <atomic>
#include <string_view>

#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace warpglass::virtual_device {

namespace {

std::atomic<std::uint64_t> first = 0, last = 0;

// Only what a signal handler may call.
void tell(std::uint64_t address) {
    std::array<char, 18> digits{'0', 'x'};
    for (std::size_t k = 0; k < 16; ++k)
        digits[2 + k] = "0123456789abcdef"[address >> (60 - 4 * k) & 15];
    for (const std::string_view part :
         {std::string_view("warpglass: the host follows a pointer to the device's memory (address "),
          std::string_view(digits.data(), digits.size()),
          std::string_view("). Kernels and copies alone reach what cudaMalloc gives: copy it with cudaMemcpy, or take "
                           "cudaMallocManaged.\n")})
        if (write(STDERR_FILENO, part.data(), part.size()) < 0)
            return;
}

// What the handler reads; changed by whoever holds the machine's lock.
struct Watched {
    std::atomic<std::uint64_t> begin = 0, end = 0; // 0, 0: free
    std::atomic<bool> closed = false;              // its pages are protected
    std::atomic<HostMay> may = HostMay::Nothing;
    std::atomic<std::uint32_t> operation = 0;
};
std::array<Watched, 64> watched;
std::atomic<unsigned> watchedCount = 0, devicesWork = 0;
std::array<HostAccess, 16> accesses;
std::atomic<unsigned> accessCount = 0;

void setPages(Watched& w, bool closed) {
    const int protection = !closed ? PROT_READ | PROT_WRITE : w.may == HostMay::Read ? PROT_READ : PROT_NONE;
    mprotect(reinterpret_cast<void*>(w.begin.load()), w.end - w.begin, protection);
    w.closed = closed;
}

void leave(Watched& w) {
    if (w.begin == w.end)
        return;
    setPages(w, false);
    w.begin = w.end.load();
    --watchedCount;
}

// Only what a signal handler may call. False: the address is not among what is watched.
bool noteAccess(std::uint64_t address, const void* context) {
    HostAccess access{.address = address};
#if defined(__x86_64__)
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    access.code = std::uint64_t(registers[REG_RIP]);
    access.writes = (registers[REG_ERR] & 2) != 0;
#else
    (void)context;
#endif
    bool found = false;
    for (Watched& w : watched) {
        if (!(address >= w.begin && address < w.end))
            continue;
        found = true;
        if (devicesWork > 0 || !w.closed) {
            setPages(w, false);
            continue;
        }
        if (w.may != HostMay::Ask)
            if (const unsigned n = accessCount++; n < accesses.size()) {
                access.operation = w.operation;
                access.workWrites = w.may == HostMay::Nothing;
                accesses[n] = access;
            }
        // One access tells it; and what work did besides may have been handed on by its flag.
        for (Watched& other : watched)
            if (&other == &w || (w.may == HostMay::Ask && other.operation == w.operation))
                leave(other);
    }
    return found;
}

void onFault(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (info->si_code > 0 && watchedCount > 0 && noteAccess(address, context))
        return;                                                  // the instruction is run again
    if (info->si_code > 0 && address >= first && address < last) // 0 and below: sent by a process
        tell(address);
    std::signal(signal, SIG_DFL);
    if (info->si_code <= 0)
        raise(signal); // else the instruction is run again, and faults again
}

} // namespace

bool watchHost(std::uint64_t begin, std::uint64_t end, HostMay may, std::uint32_t operation) {
    struct sigaction now = {};
    if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != onFault)
        return false;
    for (Watched& w : watched) // a loop does the same again: it is done when the last of it is
        if (w.begin == begin && w.end == end && w.may == may) {
            w.operation = operation;
            return true;
        }
    for (Watched& w : watched)
        if (w.begin == w.end) {
            w.may = may;
            w.operation = operation;
            w.end = end;
            w.begin = begin;
            ++watchedCount;
            if (devicesWork == 0)
                setPages(w, true);
            return true;
        }
    return false;
}

void leaveHost(std::uint32_t operation) {
    for (Watched& w : watched)
        if (w.operation == operation)
            leave(w);
}

void leaveHost(std::uint64_t begin, std::uint64_t end) {
    for (Watched& w : watched)
        if (w.begin < end && begin < w.end)
            leave(w);
}

std::vector<std::uint32_t> watchedOperations() {
    std::vector<std::uint32_t> all;
    if (watchedCount > 0)
        for (const Watched& w : watched)
            if (w.begin != w.end && (all.empty() || all.back() != w.operation))
                all.push_back(w.operation);
    return all;
}

std::vector<HostAccess> takeHostAccesses() {
    const unsigned count = accessCount;
    std::vector<HostAccess> taken;
    for (unsigned n = 0; n < count && n < accesses.size(); ++n)
        taken.push_back(accesses[n]);
    accessCount = 0;
    for (const HostAccess& a : taken) // once for each operation
        leaveHost(a.operation);
    return taken;
}

DeviceWorks::DeviceWorks() {
    ++devicesWork;
}

// What it has opened for itself, and what came of it, is closed again: last what shuts pages that others leave half open.
DeviceWorks::~DeviceWorks() {
    if (--devicesWork > 0 || watchedCount == 0)
        return;
    bool opens = false; // what others shut
    for (Watched& w : watched)
        if (w.begin != w.end && !w.closed && w.may == HostMay::Read) {
            setPages(w, true);
            opens = true;
        }
    for (Watched& w : watched)
        if (w.begin != w.end && w.may != HostMay::Read && (opens || !w.closed))
            setPages(w, true);
}

void tellHostFaults(std::uint64_t begin, std::uint64_t end) {
    first = begin, last = end;
    struct sigaction now = {};
    if (begin == end || sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL)
        return;
    now.sa_sigaction = onFault;
    now.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &now, nullptr);
}

} // namespace warpglass::virtual_device
