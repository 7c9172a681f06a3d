// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a program maps to addresses of its choice: pieces side by side are one to kernels and copies, one piece at
// two places has the same bytes, access is given and taken, and another process may open a piece as a file.
#include "check_driver.h"

#include <unistd.h>

#include <vector>

// out[i] += by, for as many threads as there are
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 out, .param .u32 by) {
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [by];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r5, [%rd3];
    add.u32 %r5, %r5, %r1;
    st.global.u32 [%rd3], %r5;
    ret;
}
)";

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&add, module, "add"));
    int supported = 0;
    CHECK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    WANT(supported);

    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    std::size_t unit = 0, before = 0, after = 0, total = 0;
    CHECK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    WANT(unit >= 65536);
    CUdeviceptr range = 0;
    CHECK(cuMemAddressReserve(&range, 4 * unit, 0, 0, 0));
    CHECK(cuMemGetInfo(&before, &total));
    CUmemGenericAllocationHandle first, second;
    CHECK(cuMemCreate(&first, unit, &properties, 0));
    CHECK(cuMemCreate(&second, unit, &properties, 0));
    WANT(cuMemCreate(&second, unit + 1, &properties, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemGetInfo(&after, &total));
    WANT(before - after == 2 * unit);

    // first, second, a hole, first again
    CHECK(cuMemMap(range, unit, 0, first, 0));
    WANT(cuMemMap(range, unit, 0, second, 0) == CUDA_ERROR_INVALID_VALUE); // something lies there
    CHECK(cuMemMap(range + unit, unit, 0, second, 0));
    CHECK(cuMemMap(range + 3 * unit, unit, 0, first, 0));
    WANT(cuMemMap(range + 4 * unit, unit, 0, first, 0) == CUDA_ERROR_INVALID_VALUE); // beyond the range
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    unsigned long long flags = 77;
    CHECK(cuMemGetAccess(&flags, &access.location, range));
    WANT(flags == 0);
    CHECK(cuMemSetAccess(range, 2 * unit, &access, 1));
    CHECK(cuMemSetAccess(range + 3 * unit, unit, &access, 1));
    WANT(cuMemSetAccess(range, 4 * unit, &access, 1) == CUDA_ERROR_INVALID_VALUE); // over the hole
    CHECK(cuMemGetAccess(&flags, &access.location, range + 2 * unit - 4));
    WANT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

    // 256 words on both sides of where the pieces meet
    const CUdeviceptr middle = range + unit - 128 * 4;
    std::vector<unsigned> host(256);
    CHECK(cuMemsetD32(range, 5, 2 * unit / 4));
    for (unsigned i = 0; i < 256; ++i)
        host[i] = i;
    CHECK(cuMemcpyHtoD(middle, host.data(), 1024));
    unsigned by = 1000;
    CUdeviceptr to = middle;
    void* arguments[] = {&to, &by};
    CHECK(cuLaunchKernel(add, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(host.data(), middle, 1024));
    for (unsigned i = 0; i < 256; ++i)
        WANT(host[i] == 1000 + i);
    // The first piece's end, seen at its second place, and changed there.
    to = range + 4 * unit - 128 * 4;
    CHECK(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(host.data(), middle, 1024));
    for (unsigned i = 0; i < 256; ++i)
        WANT(host[i] == (i < 128 ? 2000 : 1000) + i);

    // A handle lives on in its places, and a place leads back to a handle.
    CUmemGenericAllocationHandle again;
    CHECK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(range + 8)));
    WANT(again == first);
    CUmemAllocationProp known;
    CHECK(cuMemGetAllocationPropertiesFromHandle(&known, again));
    WANT(known.type == properties.type && known.location.id == device);
    CHECK(cuMemRelease(again));
    int file = -1;
    CHECK(cuMemExportToShareableHandle(&file, first, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(cuMemRelease(first));
    CHECK(cuMemRelease(second));
    CHECK(cuMemUnmap(range, 2 * unit));
    WANT(cuMemUnmap(range, unit) == CUDA_ERROR_INVALID_VALUE);
    WANT(cuMemAddressFree(range, 4 * unit) == CUDA_ERROR_INVALID_VALUE); // the third place is still there
    CHECK(cuMemUnmap(range + 3 * unit, unit));
    CHECK(cuMemAddressFree(range, 4 * unit));
    CHECK(cuMemGetInfo(&after, &total));
    WANT(after == before);

    // What was in it is still in the file.
    CHECK(cuMemImportFromShareableHandle(&again, reinterpret_cast<void*>(static_cast<long>(file)),
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    CHECK(cuMemAddressReserve(&range, unit, 0, 0, 0));
    CHECK(cuMemMap(range, unit, 0, again, 0));
    CHECK(cuMemSetAccess(range, unit, &access, 1));
    CHECK(cuMemcpyDtoH(host.data(), range + unit - 4, 4));
    WANT(host[0] == 2127);
    CHECK(cuMemcpyDtoH(host.data(), range, 4));
    WANT(host[0] == 5);
    return passed();
}
