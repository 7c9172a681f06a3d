// SPDX-License-Identifier: GPL-3.0-or-later
// Linking by the driver: PTX texts, as they are or in containers, become one module. What comes out is PTX again, which
// cuModuleLoadData takes; programs hand it on and look at nothing in it.
#include "gpu/base/messages/program.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"
#include "gpu/virtual/driver/driver.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

namespace warpglass::virtual_device {

namespace {

enum Option : int { wallTime = 2, infoLog = 3, infoBytes = 4, errorLog = 5, errorBytes = 6 };
enum Input : int { inputCubin = 0, inputPtx = 1, inputContainer = 2, inputObject = 3, inputLibrary = 4 };

struct LinkState {
    std::vector<ptx::Module> parts;
    std::string linked;
    void** times = nullptr; // where the option's value lies: it is the answer
    char *info = nullptr, *errors = nullptr;
    std::size_t infoRoom = 0, errorRoom = 0;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

std::map<void*, std::unique_ptr<LinkState>>& states() {
    static auto* const all = new std::map<void*, std::unique_ptr<LinkState>>;
    return *all;
}

LinkState* stateAt(void* handle) {
    const auto found = states().find(handle);
    return found == states().end() ? nullptr : found->second.get();
}

void readOptions(LinkState& s, unsigned count, const int* options, void** values) {
    for (unsigned n = 0; n < count; ++n)
        switch (options[n]) {
        case wallTime:
            s.times = static_cast<void**>(values[n]);
            break;
        case infoLog:
            s.info = static_cast<char*>(values[n]);
            break;
        case infoBytes:
            s.infoRoom = reinterpret_cast<std::size_t>(values[n]);
            break;
        case errorLog:
            s.errors = static_cast<char*>(values[n]);
            break;
        case errorBytes:
            s.errorRoom = reinterpret_cast<std::size_t>(values[n]);
            break;
        default:
            break; // of a compiler that there is not
        }
}

void log(char* buffer, std::size_t room, const std::string& text) {
    if (!buffer || room == 0)
        return;
    const std::size_t length = std::min(room - 1, text.size());
    std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
}

Status addText(LinkState& s, std::string text, const std::string& name) {
    auto part = ptx::parse(std::move(text), name);
    if (!part) {
        log(s.errors, s.errorRoom, part.error().text());
        return invalidPtx;
    }
    s.parts.push_back(std::move(*part));
    return success;
}

Status addBytes(Device& d, LinkState& s, int type, std::span<const std::byte> bytes, const std::string& name) {
    if (type == inputLibrary) // the device's part of the runtime: the emulator has its functions itself
        return success;
    if (type == inputPtx) {
        const auto* text = reinterpret_cast<const char*>(bytes.data());
        return addText(s, std::string(text, strnlen(text, bytes.size())), name);
    }
    if (type == inputContainer) {
        auto container = fatbin::readContainer(bytes);
        const auto* image =
            container ? fatbin::bestPtx(*container, std::uint32_t(d.spec.ccMajor * 10 + d.spec.ccMinor)) : nullptr;
        auto text = image ? fatbin::ptxText(*image) : Result<std::string>(Error{say::NoPtxInIt});
        if (text)
            return addText(s, std::move(*text), name);
        log(s.errors, s.errorRoom, name + ": " + text.error().text());
        return image ? invalidImage : noKernelImage;
    }
    log(s.errors, s.errorRoom, name + ": the virtual device links PTX");
    return noKernelImage;
}

Status complete(LinkState& s) {
    auto joined = ptx::join(std::move(s.parts));
    s.parts.clear();
    if (!joined) {
        log(s.errors, s.errorRoom, joined.error().text());
        return invalidPtx;
    }
    s.linked = ptx::write(*joined);
    return success;
}

} // namespace

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cuLinkCreate_v2(unsigned count, const int* options, void** values, void** result) {
    return drive([&](Device&) {
        auto state = std::make_unique<LinkState>();
        readOptions(*state, count, options, values);
        log(state->info, state->infoRoom, "");
        log(state->errors, state->errorRoom, "");
        *result = state.get();
        states()[*result] = std::move(state);
        return success;
    });
}
WG_ALIAS(cuLinkCreate, cuLinkCreate_v2);
WG_API int cuLinkAddData_v2(void* handle, int type, const void* data, std::size_t bytes, const char* name, unsigned,
                            int*, void**) {
    return drive([&](Device& d) {
        LinkState* s = stateAt(handle);
        if (!s || !data)
            return s ? invalidValue : invalidHandle;
        return addBytes(d, *s, type, {static_cast<const std::byte*>(data), bytes}, name ? name : "linked");
    });
}
WG_ALIAS(cuLinkAddData, cuLinkAddData_v2);
WG_API int cuLinkAddFile_v2(void* handle, int type, const char* path, unsigned, int*, void**) {
    return drive([&](Device& d) {
        LinkState* s = stateAt(handle);
        std::ifstream in(path, std::ios::binary);
        if (!s || !in)
            return s ? fileNotFound : invalidHandle;
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        return addBytes(d, *s, type, std::as_bytes(std::span(bytes)), path);
    });
}
WG_ALIAS(cuLinkAddFile, cuLinkAddFile_v2);
WG_API int cuLinkComplete(void* handle, void** image, std::size_t* bytes) {
    return drive([&](Device&) {
        LinkState* s = stateAt(handle);
        if (!s || s->parts.empty())
            return s ? invalidValue : invalidHandle;
        const Status status = complete(*s);
        if (status != success)
            return status;
        *image = s->linked.data();
        if (bytes)
            *bytes = s->linked.size() + 1;
        if (s->times) {
            const std::chrono::duration<float, std::milli> spent = std::chrono::steady_clock::now() - s->began;
            const float milliseconds = spent.count();
            std::memcpy(s->times, &milliseconds, sizeof milliseconds);
        }
        return success;
    });
}
WG_API int cuLinkDestroy(void* handle) {
    return drive([&](Device&) { return states().erase(handle) ? success : invalidHandle; });
}
