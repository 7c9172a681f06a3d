// SPDX-License-Identifier: GPL-3.0-or-later
// How the program finds the seat instead of the driver, on each of the three ways that there are: the loader (programs
// linked with libcuda: this library stands before it and has functions of the same names), dlsym, and cuGetProcAddress,
// by which CUDA's runtime asks.
// Names as they are in the library: cuda.h renames some of them.
#define __CUDA_API_VERSION_INTERNAL
#include "gpu/seat/calls.h"
#include "gpu/seat/nccl.h"
#include "gpu/seat/nvrtc.h"

#include <array>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include <dlfcn.h>

namespace warpglass::seat {

thread_local bool Inside::s_inside = false;

namespace {

struct Row {
    const char* name;  // in the library
    const char* asked; // of cuGetProcAddress
    int version;       // from which on
    bool perThread;
    void *mine = nullptr, *drivers = nullptr;
};

// glibc's dlsym: this library has a function of that name, too.
Lookup realLookup() {
    static const Lookup found = [] {
        for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
            if (void* symbol = dlvsym(RTLD_NEXT, "dlsym", version))
                return reinterpret_cast<Lookup>(symbol);
        return Lookup(nullptr);
    }();
    return found;
}

void* driverLibrary() {
    static void* const opened = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    return opened;
}

// For what an older driver does not have.
CUresult notThere() {
    return CUDA_ERROR_NOT_FOUND;
}

class Rows {
public:
    Rows() {
        Dl_info self{};
        dladdr(reinterpret_cast<const void*>(&realLookup), &self);
        void* own = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        for (Row& row : m_rows) {
            row.mine = own ? realLookup()(own, row.name) : nullptr;
            row.drivers = driverLibrary() ? realLookup()(driverLibrary(), row.name) : nullptr;
            if (!row.mine || !row.drivers)
                continue;
            m_byName[row.name] = &row;
            m_byAddress[row.drivers] = &row;
        }
    }

    void* driver(Call call) const { return m_rows[std::size_t(call)].drivers; }
    void* named(std::string_view name) const {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second->mine;
    }
    // What stands for the driver's answer to cuGetProcAddress.
    void* insteadOf(void* address, std::string_view asked, int version, bool perThread) const {
        if (const auto found = m_byAddress.find(address); found != m_byAddress.end())
            return found->second->mine;
        const Row* best = nullptr;
        for (const Row& row : m_rows)
            if (row.mine && row.drivers && row.perThread == perThread && row.version <= version && asked == row.asked &&
                (!best || row.version > best->version))
                best = &row;
        return best ? best->mine : address;
    }

private:
    std::array<Row, std::size_t(Call::Count_)> m_rows{{
#define CALL_none(name, asked, version)
#define CALL__ptsz(name, asked, version) {#name "_ptsz", #asked, version, true},
#define CALL__ptds(name, asked, version) {#name "_ptds", #asked, version, true},
#define CALL(name, asked, version, other) {#name, #asked, version, false}, CALL_##other(name, asked, version)
#include "gpu/seat/driver_calls.inl"
#undef CALL
#undef CALL_none
#undef CALL__ptsz
#undef CALL__ptds
    }};
    std::unordered_map<std::string_view, const Row*> m_byName;
    std::unordered_map<void*, const Row*> m_byAddress;
};

const Rows& rows() {
    static const Rows* const all = new Rows; // never destroyed: programs call until the very end
    return *all;
}

} // namespace

void* driverFunction(Call call) {
    return rows().driver(call);
}

const Driver& driver() {
    static const Driver* const loaded = [] {
        auto* all = new Driver;
        const auto find = [](auto& function, const char* name) {
            void* found = driverLibrary() ? realLookup()(driverLibrary(), name) : nullptr;
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                found ? found : reinterpret_cast<void*>(&notThere));
        };
#define X(name) find(all->name, #name);
        WG_DRIVER_FUNCTIONS(X)
#undef X
        return all;
    }();
    return *loaded;
}

} // namespace warpglass::seat

using namespace warpglass::seat;

#define WG_SEAT extern "C" __attribute__((visibility("default")))

WG_SEAT CUresult cuGetProcAddress(const char* symbol, void** address, int version, cuuint64_t flags);
WG_SEAT CUresult cuGetProcAddress_v2(const char* symbol, void** address, int version, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* status);

namespace {

template <class Asked>
CUresult answer(const char* symbol, void** address, int version, cuuint64_t flags, Asked asked) {
    const CUresult result = asked();
    if (result != CUDA_SUCCESS || Inside::here() || !address || !*address)
        return result;
    if (std::string_view(symbol) == "cuGetProcAddress")
        *address = version >= 12000 ? reinterpret_cast<void*>(&cuGetProcAddress_v2)
                                    : reinterpret_cast<void*>(&cuGetProcAddress);
    else
        *address = rows().insteadOf(*address, symbol, version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    return result;
}

} // namespace

CUresult cuGetProcAddress(const char* symbol, void** address, int version, cuuint64_t flags) {
    static const auto real =
        reinterpret_cast<decltype(&::cuGetProcAddress)>(realLookup()(driverLibrary(), "cuGetProcAddress"));
    return real ? answer(symbol, address, version, flags, [&] { return real(symbol, address, version, flags); })
                : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuGetProcAddress_v2(const char* symbol, void** address, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
    static const auto real =
        reinterpret_cast<decltype(&::cuGetProcAddress_v2)>(realLookup()(driverLibrary(), "cuGetProcAddress_v2"));
    return real ? answer(symbol, address, version, flags, [&] { return real(symbol, address, version, flags, status); })
                : CUDA_ERROR_NOT_INITIALIZED;
}

// dlsym. The real one looks at its caller's address when it is asked for the next or the default symbol, so it must be
// entered from where this was called: by a jump, with nothing of ours on the stack.
extern "C" {

__attribute__((visibility("hidden"))) void* warpglassRealLookup = nullptr;

__attribute__((visibility("hidden"), used)) void* warpglassSeatLookup(void* handle, const char* name) {
    if (!warpglassRealLookup)
        warpglassRealLookup = reinterpret_cast<void*>(realLookup());
    if (!name || Inside::here() || handle == RTLD_NEXT)
        return nullptr;
    if (name[0] == 'n' && name[1] == 'v')
        return insteadOfNvrtc(handle, name, realLookup());
    if (name[0] == 'n' && name[1] == 'c')
        return insteadOfNccl(handle, name, realLookup());
    if (name[0] != 'c' || name[1] != 'u')
        return nullptr;
    const std::string_view wanted(name);
    if (wanted == "cuGetProcAddress" || wanted == "cuGetProcAddress_v2") {
        if (!driverLibrary())
            return nullptr;
        return wanted.ends_with("_v2") ? reinterpret_cast<void*>(&cuGetProcAddress_v2)
                                       : reinterpret_cast<void*>(&cuGetProcAddress);
    }
    // Not "cuda..." and the like: whether there is a driver at all is asked for names of its own only.
    static const std::array<const char*, 6> ours{"cuMem", "cuStream", "cuModule", "cuLibrary", "cuLaunch", "cuGraph"};
    bool maybe = wanted.starts_with("cuEvent") || wanted.starts_with("cuCtx");
    for (const char* prefix : ours)
        maybe = maybe || wanted.starts_with(prefix);
    return maybe ? rows().named(wanted) : nullptr;
}

#ifdef __x86_64__
asm(R"(
	.text
	.globl	dlsym
	.type	dlsym, @function
dlsym:
	endbr64
	pushq	%rdi
	pushq	%rsi
	subq	$8, %rsp
	call	warpglassSeatLookup
	addq	$8, %rsp
	popq	%rsi
	popq	%rdi
	testq	%rax, %rax
	jne	1f
	jmp	*warpglassRealLookup(%rip)
1:	ret
	.size	dlsym, .-dlsym
)");
#else
WG_SEAT void* dlsym(void* handle, const char* name) noexcept {
    void* mine = warpglassSeatLookup(handle, name);
    return mine ? mine : realLookup()(handle, name);
}
#endif
}
