// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/libraries/library.h"

#include "gpu/base/messages/program.h"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>

namespace warpglass::virtual_device {

program::RecordedKernel& libraryFunction(Device& d, const Called& function, const Answerer& answerer) {
    static std::map<std::string, program::RecordedKernel>& functions =
        *new std::map<std::string, program::RecordedKernel>;
    calledFrom = function.from;
    std::string name = function.name;
    if (name.ends_with("_v2"))
        name.resize(name.size() - 3);
    program::RecordedKernel& one = functions[name];
    if (one.entry.empty()) {
        one.entry = name;
        one.maker = answerer.library;
        one.unrecorded = say::LibraryBy(answerer.library, answerer.by);
    }
    d.tellOnce(say::LibraryBy(answerer.library, answerer.by));
    return one;
}

std::size_t Pieces::add(const void* at, std::uint64_t bytes, std::uint64_t rows, std::uint64_t pitch, bool reads,
                        bool writes) {
    if (rows > 1 && pitch == bytes) // one behind the other
        bytes *= std::exchange(rows, 1);
    m_pieces.push_back({reinterpret_cast<std::uint64_t>(at), bytes, rows, pitch, reads, writes});
    return m_pieces.size() - 1;
}

Status giveCall(Device& d, void* stream, program::RecordedKernel& function, Pieces pieces,
                std::function<void(Places)> work) {
    if (d.broken != success)
        return d.broken;
    const Status status = d.submit(stream, LibraryCall{&function, pieces.take(), std::move(work)});
    return d.broken != success ? success : status;
}

void* openHostLibrary(const char* variable, std::initializer_list<const char*> files) {
    // Its own functions for itself, whatever the program has of such names.
    const auto open = [](const char* file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND); };
    if (const char* named = std::getenv(variable); named && *named)
        return std::string_view(named) == "none" ? nullptr : open(named);
    for (const char* file : files)
        if (void* const opened = open(file))
            return opened;
    return nullptr;
}

} // namespace warpglass::virtual_device
