// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/host_faults.h"

#include <array>
#include <atomic>
#include <string_view>

#include <csignal>
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

void onFault(int signal, siginfo_t* info, void* /*context*/) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (info->si_code > 0 && address >= first && address < last) // 0 and below: sent by a process
        tell(address);
    std::signal(signal, SIG_DFL);
    if (info->si_code <= 0)
        raise(signal); // else the instruction is run again, and faults again
}

} // namespace

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
