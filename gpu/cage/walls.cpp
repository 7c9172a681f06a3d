// SPDX-License-Identifier: GPL-3.0-or-later
// Landlock's numbers stand here because its header is younger than the headers of the distributions that this is built
// on (kernel documentation, "Landlock: unprivileged access control"). System calls have the same numbers everywhere.
#include "gpu/cage/walls.h"

#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warpglass::cage {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0; // no filter is known here
#endif

// Sanitizers read files of /proc and start programs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true;
#else
constexpr bool isSanitized = false;
#endif
#if defined(__SANITIZE_THREAD__)
constexpr bool isWatchedForRaces = true;
#else
constexpr bool isWatchedForRaces = false;
#endif

// ---- the filter: a list of what is allowed, in the order of asking

class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
        answer(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }
    void allow(int call) { whole(call, SECCOMP_RET_ALLOW); }
    void refuse(int call, int error) { whole(call, SECCOMP_RET_ERRNO | std::uint32_t(error)); }

    // If the argument has all of `all` and none of `none` in its lower half, and nothing in its upper half. Of flags.
    void allowFlags(int call, unsigned argument, std::uint32_t all, std::uint32_t none) {
        beginIf(call, 7);
        load(lower(argument) + 4);
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4));
        load(lower(argument));
        m_code.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, all | none));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, all, 0, 1));
        answer(SECCOMP_RET_ALLOW);
        answer(SECCOMP_RET_ERRNO | EPERM);
    }
    // If the lower half of the argument is this number.
    void allowIf(int call, unsigned argument, std::uint32_t value) {
        beginIf(call, 4);
        load(lower(argument));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        answer(SECCOMP_RET_ALLOW);
        answer(SECCOMP_RET_ERRNO | EPERM);
    }
    bool apply() {
        answer(SECCOMP_RET_ERRNO | EPERM);
        const sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    static constexpr std::uint32_t lower(unsigned argument) { // both architectures are little-endian
        return std::uint32_t(offsetof(seccomp_data, args)) + 8 * argument;
    }
    void load(std::uint32_t offset) { m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
    void answer(std::uint32_t action) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    void beginIf(int call, std::uint8_t steps) {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, steps));
    }
    void whole(int call, std::uint32_t action) {
        beginIf(call, 1);
        answer(action);
    }
    std::vector<sock_filter> m_code;
};

} // namespace

// Who has them looks for the program first, and there is none (seccomp(2)); a kernel without them knows no such mode.
bool hasFilters() {
    return architecture != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) != 0 && errno == EFAULT;
}

namespace {

bool filterCalls() {
    if (architecture == 0)
        return false;
    Filter filter;
    // Of descriptors: those that are open; none can be opened, and none leads to a terminal or a device.
    for (const int call : {SYS_read, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_fstat})
        filter.allow(call);
    // Of memory: but none of it can be made to be run.
    filter.allowFlags(SYS_mmap, 2, 0, PROT_EXEC);
    filter.allowFlags(SYS_mprotect, 2, 0, PROT_EXEC);
    for (const int call : {SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier})
        filter.allow(call);
    // Of threads: new ones of this process. What asks by a structure, which a filter cannot read, is told that there is
    // no such call, and asks by flags.
    constexpr std::uint32_t ofAThread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
    filter.allowFlags(SYS_clone, 0, ofAThread, CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_VFORK);
    filter.refuse(SYS_clone3, ENOSYS);
    for (const int call : {SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid,
                           SYS_getpid, SYS_exit, SYS_exit_group, SYS_getcpu})
        filter.allow(call);
    // Of signals: its own.
    for (const int call :
         {SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall})
        filter.allow(call);
    filter.allowIf(SYS_tgkill, 0, std::uint32_t(getpid()));
    // Of time and chance.
    for (const int call : {SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
                           SYS_getrandom, SYS_getrusage})
        filter.allow(call);
    return filter.apply();
}

// ---- Landlock

struct RulesetAttributes {
    std::uint64_t files = 0, network = 0, scoped = 0;
};
struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed = 0;
    std::int32_t folder = -1;
};
enum FileRight : std::uint64_t {
    Execute = 1 << 0,
    WriteFile = 1 << 1,
    ReadFile = 1 << 2,
    ReadFolder = 1 << 3,
    Truncate = 1 << 14,
    Device = 1 << 15
};
constexpr long createRuleset = 444, addRule = 445, restrictSelf = 446;

int landlockVersion() {
    const long version = syscall(createRuleset, nullptr, 0, 1);
    return version > 0 ? int(version) : 0;
}

int newRuleset() {
    const int version = landlockVersion();
    if (version == 0)
        return -1;
    RulesetAttributes all;
    all.files = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version >= 2 ? 0x3fff : 0x1fff;
    std::size_t size = 8;
    if (version >= 4) { // TCP: to bind and to connect
        all.network = 3;
        size = 16;
    }
    if (version >= 6) { // sockets with abstract names, signals to others
        all.scoped = 3;
        size = 24;
    }
    return int(syscall(createRuleset, &all, size, 0));
}

void restrictTo(int rules) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(restrictSelf, rules, 0);
}

} // namespace

Said missingWalls() {
    const bool filters = hasFilters(), landlock = landlockVersion() > 0;
    if (filters && landlock)
        return {};
    if (filters)
        return say::NoLandlock;
    return landlock ? say::NoSeccomp : say::NoWalls;
}

bool closeAllOff() {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (isWatchedForRaces)
        return false;
    if (const int rules = newRuleset(); rules >= 0) {
        restrictTo(rules);
        close(rules);
    }
    return isSanitized || filterCalls();
}

void limitProcess(const Limits& limits) {
    const auto limit = [](auto what, std::uint64_t value) {
        rlimit now{};
        if (getrlimit(what, &now) != 0)
            return;
        now.rlim_cur = now.rlim_max = std::min<rlim_t>(rlim_t(value), now.rlim_max);
        setrlimit(what, &now);
    };
    const std::uint64_t memory = limits.memoryBytes > 0 ? limits.memoryBytes : memoryLimit();
    constexpr std::uint64_t ofTheProgram = std::uint64_t(4) << 30; // threads and libraries reserve what they never use
    if (!isSanitized)                                              // which map terabytes for themselves
        limit(RLIMIT_AS, 2 * memory + ofTheProgram);
    limit(RLIMIT_FSIZE, mostSaid);
    limit(RLIMIT_CORE, 1); // of 0 a program that is handed dumps would still get one
    if (limits.cpuSeconds > 0)
        limit(RLIMIT_CPU, limits.cpuSeconds);
}

FileRules::FileRules(const std::vector<std::filesystem::path>& readable,
                     const std::vector<std::filesystem::path>& writable)
    : m_rules(newRuleset()) {
    const auto allow = [&](const std::filesystem::path& path, std::uint64_t rights) {
        const int at = open(path.c_str(), O_PATH | O_CLOEXEC);
        struct stat what {};
        if (at < 0 || fstat(at, &what) != 0) // what is not there cannot be read either
            return;
        constexpr std::uint64_t ofFolders = 0x3fff & ~std::uint64_t(Execute | WriteFile | ReadFile);
        if (!S_ISDIR(what.st_mode))
            rights &= ~ofFolders;
        const int version = landlockVersion();
        const std::uint64_t known = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version >= 2 ? 0x3fff : 0x1fff;
        const PathBeneath rule{rights & known, at};
        syscall(addRule, m_rules, 1, &rule, 0);
        close(at);
    };
    if (m_rules < 0)
        return;
    for (const std::filesystem::path& path : readable)
        allow(path, Execute | ReadFile | ReadFolder);
    constexpr std::uint64_t all =
        0x7fff & ~std::uint64_t(Execute | 1 << 6 | 1 << 9 | 1 << 11); // no devices, no sockets
    for (const std::filesystem::path& path : writable)
        allow(path, all);
    fcntl(m_rules, F_SETFD, FD_CLOEXEC);
}

std::vector<std::filesystem::path> toolchainFiles(const std::filesystem::path& compiler) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files{"/usr/bin",
                                "/usr/lib",
                                "/usr/lib32",
                                "/usr/lib64",
                                "/usr/libexec",
                                "/usr/include",
                                "/usr/local/include",
                                "/usr/local/lib",
                                "/bin",
                                "/lib",
                                "/lib32",
                                "/lib64",
                                "/etc/ld.so.cache",
                                "/etc/ld.so.conf",
                                "/etc/ld.so.conf.d",
                                "/etc/alternatives",
                                "/dev/null",
                                "/dev/urandom"};
    std::vector<fs::path> roots{"/usr/local/cuda"};
    if (!compiler.empty()) { // .../bin/nvcc, perhaps by a link
        std::error_code failed;
        roots.push_back(compiler.parent_path().parent_path());
        roots.push_back(fs::canonical(compiler, failed).parent_path().parent_path());
    }
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            roots.emplace_back(home);
    for (const fs::path& root : roots) {
        std::error_code failed;
        const fs::path folder = fs::canonical(root, failed);
        if (folder.has_relative_path() && folder != "/usr" && fs::exists(folder / "bin/nvcc", failed))
            files.push_back(folder);
        if (fs::exists(folder / "include/cuda_runtime.h", failed)) // a toolkit that lies among other things
            files.push_back(folder / "include");
    }
    return files;
}

FileRules::FileRules(FileRules&& other) noexcept : m_rules(std::exchange(other.m_rules, -1)) {}

FileRules::~FileRules() {
    if (m_rules >= 0)
        close(m_rules);
}

void FileRules::apply() const {
    if (m_rules >= 0)
        restrictTo(m_rules);
}

} // namespace warpglass::cage
