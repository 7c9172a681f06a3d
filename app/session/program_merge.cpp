// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/program.h"

#include "app/session/compiler.h"
#include "gpu/base/messages/session.h"
#include "gpu/program/join.h"
#include "gpu/program/program_file.h"

#include <fmt/format.h>

namespace warpglass::session {

namespace fs = std::filesystem;

Result<void> mergePrograms(const std::vector<fs::path>& files, const fs::path& output) {
    const ScratchFolder scratch;
    if (scratch.path.empty())
        return ScratchFolder::missing();
    std::error_code failed;
    const bool inside = output.extension() == ".wgt";
    const fs::path folder = inside ? scratch.path / "parts" : output;
    fs::create_directories(folder, failed);
    if (failed)
        return Error{.message = say::FolderNotWritten(failed.message()), .file = folder.string()};
    std::vector<program::ProgramTrace> all;
    for (std::size_t n = 0; n < files.size(); ++n) {
        auto one = program::readProgram(files[n]);
        if (!one)
            return one.error();
        for (std::uint32_t r = 0; r < one->recordings.size(); ++r) {
            const auto from = program::recordingFile(files[n], *one, r, scratch.path);
            if (!from)
                return from.error();
            // Each machine counts its launches from 0.
            const std::string name = fmt::format("{}-{}", n, from->filename().string());
            fs::copy_file(*from, folder / name, fs::copy_options::overwrite_existing, failed);
            if (failed && fs::exists(*from)) // one that is missing is told when it is opened
                return Error{.message = say::FolderNotWritten(failed.message()), .file = folder.string()};
            one->recordings[r].file = name;
        }
        all.push_back(std::move(*one));
    }
    return program::writeProgram(program::join(std::move(all)), inside ? output : output / "program.wgt",
                                 inside ? folder : fs::path());
}

} // namespace warpglass::session
