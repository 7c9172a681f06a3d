// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls about arrays, textures and surfaces share with each other, and with the driver's forms of them.
#pragma once

#include "gpu/virtual/runtime/call.h"

namespace warpglass::virtual_device {

// False for formats that are packed otherwise than channel by channel.
bool setFormat(TexelArray& shape, const CallFormat& format);
// Of a resource view; false for block-compressed ones.
bool formatOfView(int number, CallFormat& format);

} // namespace warpglass::virtual_device

extern "C" {
int cudaMalloc3DArray(void** array, const warpglass::virtual_device::CallFormat* format,
                      warpglass::virtual_device::CallExtent extent, unsigned flags);
int cudaArrayGetInfo(warpglass::virtual_device::CallFormat* format, warpglass::virtual_device::CallExtent* extent,
                     unsigned* flags, void* array);
int cudaFreeArray(void* array);
int cudaMallocMipmappedArray(void** array, const warpglass::virtual_device::CallFormat* format,
                             warpglass::virtual_device::CallExtent extent, unsigned levels, unsigned flags);
int cudaGetMipmappedArrayLevel(void** level, const void* array, unsigned number);
int cudaFreeMipmappedArray(void* array);
int cudaCreateTextureObject(std::uint64_t* object, const warpglass::virtual_device::CallResource* resource,
                            const warpglass::virtual_device::CallTexture* texture,
                            const warpglass::virtual_device::CallView* view);
int cudaDestroyTextureObject(std::uint64_t object);
int cudaGetTextureObjectResourceDesc(warpglass::virtual_device::CallResource* resource, std::uint64_t object);
int cudaGetTextureObjectTextureDesc(warpglass::virtual_device::CallTexture* texture, std::uint64_t object);
int cudaGetTextureObjectResourceViewDesc(warpglass::virtual_device::CallView* view, std::uint64_t object);
int cudaCreateSurfaceObject(std::uint64_t* object, const warpglass::virtual_device::CallResource* resource);
int cudaDestroySurfaceObject(std::uint64_t object);
int cudaGetSurfaceObjectResourceDesc(warpglass::virtual_device::CallResource* resource, std::uint64_t object);
}
