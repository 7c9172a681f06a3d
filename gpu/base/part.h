// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is being written: beside the one that it will be, on the same disk, under the hidden name
// `.NAME.PROCESS.part`. Whoever writes holds a lock on it. What a killed process has left is taken away by the next that
// writes a file of the same name.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace warpglass {

class Part {
public:
    // Makes it, empty; of the file that a link leads to. ending: what its name must end with, for who goes by that.
    explicit Part(const std::filesystem::path& file, std::string ending = {});
    ~Part(); // without finish(): as if it had never been
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    const std::filesystem::path& path() const { return m_part; }
    std::error_code problem() const { return m_problem; } // why it could not be made
    std::error_code finish();                             // takes the file's name

private:
    std::filesystem::path m_file, m_part; // m_part is empty once there is nothing to take away
    std::error_code m_problem;
    int m_lock = -1;
};

} // namespace warpglass
