// SPDX-License-Identifier: GPL-3.0-or-later
// A picture whose rows are not padded becomes a texture; the call that makes it is not asked.
#include <cstdio>
__global__ void sample(cudaTextureObject_t t, float *out, int w) { int i = threadIdx.x; out[i] = tex2D<float>(t, i + 0.5f, 0.5f); }
int main() {
    const int w = 50, h = 40; static float a[w * h]; float *img, *out; for (int i = 0; i < w * h; i++) a[i] = i;
    size_t pitch = w * 4;
#ifdef FIXED
    cudaMallocPitch((void **)&img, &pitch, w * 4, h);
#else
    cudaMalloc(&img, sizeof a);
#endif
    cudaMemcpy2D(img, pitch, a, w * 4, w * 4, h, cudaMemcpyHostToDevice); cudaMalloc(&out, w * 4);
    cudaResourceDesc r = {}; r.resType = cudaResourceTypePitch2D; r.res.pitch2D.devPtr = img; r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = w; r.res.pitch2D.height = h; r.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc d = {}; d.readMode = cudaReadModeElementType; d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp; d.filterMode = cudaFilterModePoint;
    cudaTextureObject_t t = 0; cudaCreateTextureObject(&t, &r, &d, nullptr);
    sample<<<1, w>>>(t, out, w);
    cudaMemcpy(a, out, w * 4, cudaMemcpyDeviceToHost);
    printf("%g %s\n", a[3], cudaGetErrorName(cudaGetLastError()));
}
