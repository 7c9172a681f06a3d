// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/images.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/fatbin/fatbin.h"
#include "gpu/machine/elf.h"
#include "gpu/machine/own_code.h"
#include "gpu/program/jit_cache.h"
#include "gpu/ptx/join.h"
#include "gpu/seat/activity.h"
#include "gpu/seat/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include <dlfcn.h>

namespace warpglass::seat {

namespace {

// Bytes of an image in memory that says itself how long it is.
std::size_t bytesOf(const void* image) {
    if (const std::size_t machineCode = machine::lengthOfElf(image))
        return machineCode;
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    if (magic == fatbin::containerMagic) { // 16-bit version and head size, then the size of what follows
        std::uint16_t head = 0;
        std::uint64_t rest = 0;
        std::memcpy(&head, static_cast<const std::byte*>(image) + 6, sizeof head);
        std::memcpy(&rest, static_cast<const std::byte*>(image) + 8, sizeof rest);
        return head + rest;
    }
    return std::strlen(static_cast<const char*>(image)) + 1; // PTX
}

// Neither a container nor machine code: PTX begins with a comment, a directive or white space.
bool isText(const void* image) {
    const char first = *static_cast<const char*>(image);
    return first == '/' || first == '.' || std::isspace(static_cast<unsigned char>(first));
}

bool isWrapper(const void* image) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    return magic == fatbin::wrapperMagic;
}

// In a file that the loader has mapped, and so for as long as that is.
bool staysThere(const void* image) {
    Dl_info info{};
    return dladdr(image, &info) != 0;
}

// The types of an entry's parameters, as its PTX has them; empty if they cannot be told.
std::vector<std::string> typesOf(const std::vector<std::string>& texts, const std::string& entry) {
    for (const std::string& text : texts) {
        std::size_t at = 0;
        while ((at = text.find(".entry", at)) != std::string::npos) {
            at = text.find_first_not_of(" \t\r\n", at + 6);
            if (at == std::string::npos)
                break;
            if (text.compare(at, entry.size(), entry) != 0 || at + entry.size() >= text.size() ||
                (text[at + entry.size()] != '(' && !std::isspace(static_cast<unsigned char>(text[at + entry.size()]))))
                continue;
            const std::size_t open = at + entry.size(), body = text.find('{', open);
            std::vector<std::string> types;
            for (std::size_t p = open; (p = text.find(".param", p)) != std::string::npos && p < body; ++p) {
                std::size_t word = text.find('.', p + 6); // ".align 8" may stand before the type
                if (text.compare(word, 6, ".align") == 0)
                    word = text.find('.', word + 6);
                const std::size_t end = text.find_first_of(" \t\r\n", word);
                types.push_back(text.substr(word + 1, end - word - 1));
            }
            return types;
        }
    }
    return {};
}

} // namespace

std::uint32_t currentCapability() {
    const Driver& d = driver();
    CUdevice device = 0;
    int major = 0, minor = 0;
    d.cuCtxGetDevice(&device);
    d.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    d.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    return std::uint32_t(major * 10 + minor);
}

void LoadedImage::unpack(std::uint32_t capability, const std::string& entry) {
    if (unpacked)
        return;
    unpacked = true;
    if (!file.empty()) {
        std::ifstream in(file, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        copy.resize(text.size() + 1);
        std::memcpy(copy.data(), text.c_str(), text.size() + 1);
    }
    const void* at = copy.empty() ? memory : copy.data();
    if (!at) {
        why = say::MachineCodeOnly;
        return;
    }
    if (const std::size_t length = machine::lengthOfElf(at)) {
        const std::span machineCode(static_cast<const std::byte*>(at), length);
        if (auto ptx = ptxOfNvrtc(machineCode)) {
            texts.push_back(std::move(*ptx));
            maker = "NVRTC";
            return;
        }
        auto found = program::findCachedPtx(program::jitCaches(), entry, machineCode);
        if (!found) {
            why = say::MachineCodeOnly;
            return;
        }
        texts.push_back(std::move(found->text));
        maker = std::move(found->maker);
        ttgir = std::move(found->ttgir);
        compiled = found->made;
        return;
    }
    if (isText(at)) {
        texts.emplace_back(static_cast<const char*>(at));
        return;
    }
    auto found = fatbin::ptxTexts(at, capability, false);
    if (!found) {
        why = wholeOf(found.error());
        return;
    }
    texts = std::move(found->texts);
    std::vector<Message> others; // a module of many files has each of them many times
    for (const fatbin::PackedImage& i : found->others) {
        const std::string arch = std::to_string(i.arch);
        Message one = i.kind == fatbin::PackedImage::Kind::Ptx ? say::PtxForArch(arch) : say::CodeForArch(arch);
        if (std::find(others.begin(), others.end(), one) == others.end())
            others.push_back(std::move(one));
    }
    if (texts.empty())
        why = others.empty() ? Said(say::NoPtxOfIt) : Said(say::NoPtxForThisGpu(std::move(others)));
}

std::string LoadedImage::cubin(std::uint32_t capability, const std::string& entry) const {
    return machine::ownCubin(copy.empty() ? memory : copy.data(), capability, entry);
}

const ptx::Module* LoadedImage::parse(std::uint32_t capability, const std::string& entry) {
    unpack(capability, entry);
    if (parsed || texts.empty())
        return module.get();
    parsed = true;
    auto joined = ptx::parseTogether(texts, name);
    if (!joined)
        why = wholeOf(joined.error());
    else
        module = std::make_unique<ptx::Module>(std::move(*joined));
    return module.get();
}

LoadedImage& Images::add(const void* handle, const void* image) {
    forget(handle);
    LoadedImage& added = m_images.emplace_back();
    added.name = fmt::format("module {}", ++m_count);
    m_byHandle[handle] = &added;
    if (!image)
        return added;
    if (isWrapper(image) || staysThere(image)) {
        added.memory = image;
    } else if (const std::size_t bytes = bytesOf(image)) {
        const auto* first = static_cast<const std::byte*>(image);
        added.copy.assign(first, first + bytes);
    }
    return added;
}

void Images::addModule(CUmodule module, const void* image) {
    add(module, image);
}
void Images::addModuleFile(CUmodule module, const char* file) {
    add(module, nullptr).file = file;
}
void Images::addLibrary(CUlibrary library, const void* image) {
    add(library, image);
    m_libraries.insert(library);
}
void Images::addLibraryFile(CUlibrary library, const char* file) {
    add(library, nullptr).file = file;
    m_libraries.insert(library);
}

void Images::forget(const void* handle) {
    const auto found = m_byHandle.find(handle);
    if (found == m_byHandle.end())
        return;
    LoadedImage* const image = found->second;
    m_changes.fetch_add(1, std::memory_order_release);
    m_last = nullptr;
    m_lastHandle = nullptr;
    std::erase_if(m_known, [image](const auto& entry) { return entry.second->image == image; });
    std::erase_if(m_kernels, [image](const auto& entry) { return entry.second->image == image; });
    m_libraries.erase(static_cast<CUlibrary>(const_cast<void*>(handle)));
    m_byHandle.erase(found);
    m_images.remove_if([image](const LoadedImage& i) { return &i == image; });
}

LoadedImage* Images::imageOf(CUmodule module) const {
    if (const auto found = m_byHandle.find(module); found != m_byHandle.end())
        return found->second;
    for (const CUlibrary library : m_libraries) {
        CUmodule own = nullptr;
        if (driver().cuLibraryGetModule(&own, library) == CUDA_SUCCESS && own == module)
            return m_byHandle.at(library);
    }
    return nullptr;
}

LoadedKernel* Images::kernel(void* handle) {
    if (handle == m_lastHandle && m_last)
        return m_last;
    auto& known = m_known[handle];
    if (!known) {
        const Inside inside;
        const Driver& d = driver();
        // A kernel of a library is a function of each context; which of the two was given only the driver knows.
        CUfunction function = static_cast<CUfunction>(handle);
        LoadedImage* image = nullptr;
        const char* name = nullptr;
        if (d.cuFuncGetName(&name, function) != CUDA_SUCCESS) {
            const auto kernel = static_cast<CUkernel>(handle);
            CUlibrary library = nullptr;
            if (d.cuKernelGetFunction(&function, kernel) != CUDA_SUCCESS ||
                d.cuFuncGetName(&name, function) != CUDA_SUCCESS) {
                m_known.erase(handle);
                return nullptr;
            }
            if (d.cuKernelGetLibrary(&library, kernel) == CUDA_SUCCESS)
                if (const auto found = m_byHandle.find(library); found != m_byHandle.end())
                    image = found->second;
        }
        CUmodule module = nullptr;
        d.cuFuncGetModule(&module, function);
        if (!image)
            image = imageOf(module);
        auto& one = m_kernels[function];
        if (!one) {
            one = std::make_unique<LoadedKernel>();
            one->entry = name;
            one->nameHash = hashOfName(name);
            one->function = function;
            one->module = module;
            one->image = image;
            int threads = 0, bytes = 0;
            d.cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
            d.cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
            one->maxThreads = std::uint32_t(threads);
            one->sharedBytes = std::uint32_t(bytes);
            std::vector<std::string> types;
            if (image) {
                image->unpack(currentCapability(), one->entry);
                one->maker = image->maker;
                types = typesOf(image->texts, one->entry);
                one->unrecorded = image->why;
            } else {
                one->unrecorded = say::ModuleOfLinker;
            }
            std::size_t offset = 0, size = 0;
            for (std::size_t n = 0; d.cuFuncGetParamInfo(function, n, &offset, &size) == CUDA_SUCCESS; ++n)
                one->parameters.push_back({n < types.size() ? types[n]
                                           : size <= 8      ? fmt::format("b{}", size * 8)
                                                            : "b8",
                                           std::uint32_t(offset), std::uint32_t(size)});
        }
        known = one.get();
    }
    m_lastHandle = handle;
    return m_last = known;
}

} // namespace warpglass::seat
