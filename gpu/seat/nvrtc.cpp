// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/nvrtc.h"

#include <array>
#include <atomic>
#include <cstring>
#include <list>
#include <mutex>
#include <string_view>
#include <vector>

namespace warpglass::seat {

namespace {

// Of NVRTC's public interface (nvrtc.h): 0 is success.
using Program = void*;
using Size = int (*)(Program, std::size_t*);
using Bytes = int (*)(Program, char*);

struct Functions { // of the library that the program looked into last
    std::atomic<Size> codeSize = nullptr, ptxSize = nullptr;
    std::atomic<Bytes> code = nullptr, ptx = nullptr;
};
Functions& functions() {
    static auto* const all = new Functions; // programs call until the very end
    return *all;
}

struct Made {
    std::vector<std::byte> machineCode;
    std::string ptx;
};
constexpr std::size_t mostMade = 4096;
struct Memory {
    std::mutex lock;
    std::list<Made> made; // the latest first
};
Memory& memory() {
    static auto* const all = new Memory;
    return *all;
}

std::string ptxOf(Program program) {
    const Size size = functions().ptxSize;
    const Bytes ptx = functions().ptx;
    std::size_t bytes = 0;
    if (!size || !ptx || size(program, &bytes) != 0 || bytes < 2)
        return {};
    std::string text(bytes, '\0');
    if (ptx(program, text.data()) != 0)
        return {};
    text.resize(std::strlen(text.c_str()));
    return text;
}

int getCode(Program program, char* to) {
    const Bytes real = functions().code;
    const int result = real(program, to);
    const Size size = functions().codeSize;
    std::size_t bytes = 0;
    if (result != 0 || !size || size(program, &bytes) != 0 || bytes == 0)
        return result;
    std::string ptx = ptxOf(program);
    if (ptx.empty())
        return result;
    const auto* first = reinterpret_cast<const std::byte*>(to);
    const std::scoped_lock guard(memory().lock);
    memory().made.push_front({{first, first + bytes}, std::move(ptx)});
    if (memory().made.size() > mostMade)
        memory().made.pop_back();
    return result;
}

} // namespace

void* insteadOfNvrtc(void* library, const char* name, Lookup lookup) {
    if (std::string_view(name) != "nvrtcGetCUBIN")
        return nullptr;
    const auto find = [&](auto& function, const char* one) {
        function =
            reinterpret_cast<typename std::remove_reference_t<decltype(function)>::value_type>(lookup(library, one));
    };
    Functions& f = functions();
    find(f.code, "nvrtcGetCUBIN");
    find(f.codeSize, "nvrtcGetCUBINSize");
    find(f.ptx, "nvrtcGetPTX");
    find(f.ptxSize, "nvrtcGetPTXSize");
    return f.code ? reinterpret_cast<void*>(&getCode) : nullptr;
}

std::optional<std::string> ptxOfNvrtc(std::span<const std::byte> machineCode) {
    const std::scoped_lock guard(memory().lock);
    for (const Made& one : memory().made)
        if (one.machineCode.size() == machineCode.size() &&
            std::memcmp(one.machineCode.data(), machineCode.data(), machineCode.size()) == 0)
            return one.ptx;
    return std::nullopt;
}

} // namespace warpglass::seat
