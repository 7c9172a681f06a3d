// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/part.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>

namespace warpglass {

namespace fs = std::filesystem;

namespace {

fs::path behindLinks(const fs::path& path) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    return failed || real.empty() ? path : real;
}

std::error_code lastError() {
    return {errno, std::generic_category()};
}

// Which process a part of this name is of: the name is PREFIX, digits, SUFFIX.
std::optional<pid_t> processIn(std::string_view name, std::string_view prefix, std::string_view suffix) {
    if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix))
        return std::nullopt;
    name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    pid_t process = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (problem != std::errc{} || end != name.data() + name.size() || process <= 0)
        return std::nullopt;
    return process;
}

// Nobody but this machine writes to such a file system, and all who do see each other's locks.
bool isThisMachinesOwn(int file) {
    constexpr std::array<unsigned long, 10> own{
        EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,       BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,  TMPFS_MAGIC,
        RAMFS_MAGIC,      OVERLAYFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC, EXFAT_SUPER_MAGIC, 0x2fc12fc1 /* ZFS */};
    struct statfs about {};
    return fstatfs(file, &about) == 0 &&
           std::find(own.begin(), own.end(), static_cast<unsigned long>(about.f_type)) != own.end();
}

enum class Held { ByNobody, BySomebody, Unknown };

// Ours is the kind of flock(). On a network's disk that is the other kind, which its server asks for, and SQLite.
Held lockOf(int file) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(file, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK)
        return Held::BySomebody;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return Held::ByNobody;
    return errno == EWOULDBLOCK ? Held::BySomebody : Held::Unknown;
}

// Nobody writes there any more: nobody holds it, and its process is gone. Where other machines may write too, and their
// processes and locks may not be seen, and where a number may be another process's by now: a day without a change.
bool isAbandoned(int file, pid_t process) {
    struct stat about {};
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != geteuid() || about.st_nlink != 1)
        return false;
    const Held held = lockOf(file);
    if (held == Held::BySomebody)
        return false;
    constexpr std::time_t day = 24 * 60 * 60;
    if (std::time(nullptr) - about.st_mtime > day)
        return true;
    const bool isGone = kill(process, 0) != 0 && errno == ESRCH;
    return isGone && held == Held::ByNobody && isThisMachinesOwn(file);
}

void removeAbandoned(const fs::path& folder, std::string_view prefix, std::string_view suffix) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        const auto process = processIn(name, prefix, suffix);
        if (!process || *process == getpid())
            continue;
        const int file = open(entry->path().c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0)
            continue;
        if (isAbandoned(file, *process)) // and is ours as long as it is open
            unlink(entry->path().c_str());
        close(file);
    }
}

class NoPlainFile : public std::error_category {
public:
    const char* name() const noexcept override { return "plain file"; }
    std::string message(int) const override { return "this is no plain file"; }
};

// A device, a pipe, a socket: a new file would take its place in the folder, and whoever may do so would lose /dev/null.
bool isNoPlainFile(const fs::path& path) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    return fs::exists(status) && !fs::is_regular_file(status);
}

} // namespace

Part::Part(const fs::path& file, std::string ending) : m_file(behindLinks(file)) {
    if (isNoPlainFile(m_file)) {
        static const NoPlainFile category;
        m_problem = {1, category};
        return;
    }
    const std::string prefix = fmt::format(".{}.", m_file.filename().string()), suffix = ".part" + std::move(ending);
    removeAbandoned(m_file.parent_path(), prefix, suffix);
    m_part = m_file;
    m_part.replace_filename(fmt::format("{}{}{}", prefix, getpid(), suffix));
    // Of an earlier process of our number, or put there by somebody to lead us elsewhere: never written into.
    unlink(m_part.c_str());
    constexpr mode_t everybody = 0666; // less what the user's mask takes away
    m_lock = open(m_part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, everybody);
    if (m_lock < 0) {
        m_problem = lastError();
        m_part.clear();
        return;
    }
    flock(m_lock, LOCK_EX | LOCK_NB); // where a disk knows no locks, the process and the time are looked at
}

Part::~Part() {
    if (!m_part.empty())
        unlink(m_part.c_str());
    if (m_lock >= 0)
        close(m_lock);
}

std::error_code Part::finish() {
    if (m_problem)
        return m_problem;
    std::error_code failed;
    fs::rename(m_part, m_file, failed);
    if (!failed)
        m_part.clear();
    return failed;
}

} // namespace warpglass
