// SPDX-License-Identifier: GPL-3.0-or-later
// How programs describe arrays, and what textures and surfaces read.
#pragma once

#include "gpu/virtual/runtime/call.h"

namespace warpglass::virtual_device {

struct CallFormat { // cudaChannelFormatDesc: bits of each channel
    int bits[4];
    int kind; // 0 signed, 1 unsigned, 2 float
};
struct CallResource { // cudaResourceDesc
    int type;         // 0 array, 1 mipmapped array, 2 linear, 3 rows with a pitch
    int padding;
    union {
        void* array;
        struct {
            void* pointer;
            CallFormat format;
            std::size_t bytes;
        } linear;
        struct {
            void* pointer;
            CallFormat format;
            std::size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
    unsigned flags;
};
struct CallTexture { // cudaTextureDesc
    int address[3];  // wrap, clamp, mirror, border
    int filter, readMode, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipFilter;
    float bias, minLevel, maxLevel;
};

} // namespace warpglass::virtual_device

extern "C" {
int cudaMalloc3DArray(void** array, const warpglass::virtual_device::CallFormat* format,
                      warpglass::virtual_device::CallExtent extent, unsigned flags);
int cudaArrayGetInfo(warpglass::virtual_device::CallFormat* format, warpglass::virtual_device::CallExtent* extent,
                     unsigned* flags, void* array);
int cudaFreeArray(void* array);
int cudaCreateTextureObject(std::uint64_t* object, const warpglass::virtual_device::CallResource* resource,
                            const warpglass::virtual_device::CallTexture* texture, const void* view);
int cudaDestroyTextureObject(std::uint64_t object);
int cudaCreateSurfaceObject(std::uint64_t* object, const warpglass::virtual_device::CallResource* resource);
}
