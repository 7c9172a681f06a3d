// SPDX-License-Identifier: GPL-3.0-or-later
// A system that lacks some of the cage's walls, or keeps a process from the memory of another, for the process that asks for it and all that it starts, for good: a
// filter of system calls answers as such a kernel does.
#pragma once

#include <cerrno>
#include <cstddef>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace warpglass::tests {

struct OlderSystem {
    bool landlock = false, filters = false; // what it has
    bool otherMemory = true;
};

// False: it cannot be done here.
inline bool becomeOlder(const OlderSystem& has) {
    constexpr unsigned createRuleset = 444, ofSeccomp = 22; // landlock_create_ruleset; PR_SET_SECCOMP
    const auto load = [](std::size_t at) { return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, unsigned(at)); };
    const auto unless = [](unsigned value, unsigned char steps) {
        return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps);
    };
    const auto answer = [](unsigned error) {
        return sock_filter BPF_STMT(BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | error : SECCOMP_RET_ALLOW);
    };
    sock_filter code[] = {
        load(offsetof(seccomp_data, nr)),
        unless(createRuleset, 1),
        answer(has.landlock ? 0 : ENOSYS),
        unless(unsigned(SYS_process_vm_readv), 1),
        answer(has.otherMemory ? 0 : EPERM),
        unless(unsigned(SYS_process_vm_writev), 1),
        answer(has.otherMemory ? 0 : EPERM),
        unless(unsigned(SYS_prctl), 3),
        load(offsetof(seccomp_data, args)), // its first; little-endian
        unless(ofSeccomp, 1),
        answer(has.filters ? 0 : EINVAL),
        answer(0),
    };
    const sock_fprog program{sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace warpglass::tests
