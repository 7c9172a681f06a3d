// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of texture_test: nvcc -O3 -arch=compute_75 -ptx textures.cu
#define AT (blockIdx.x * blockDim.x + threadIdx.x)

// The image turned by an angle about its middle; coordinates are normalised.
extern "C" __global__ void rotate(float* out, cudaTextureObject_t image, int width, int height, float cosine, float sine) {
    int n = AT;
    if (n >= width * height)
        return;
    float u = (n % width + 0.5f) / width - 0.5f, v = (n / width + 0.5f) / height - 0.5f;
    out[n] = tex2D<float>(image, u * cosine - v * sine + 0.5f, u * sine + v * cosine + 0.5f);
}

// Cubic B-spline weights of four neighbours each way, as sixteen point fetches.
__device__ float weight(float t, int k) {
    float s = 1 - t;
    return k == 0 ? s * s * s / 6 : k == 1 ? (3 * t * t * t - 6 * t * t + 4) / 6 : k == 2 ? (3 * s * s * s - 6 * s * s + 4) / 6
                                                                                        : t * t * t / 6;
}
extern "C" __global__ void bicubic(float* out, cudaTextureObject_t image, int width, int height, float dx, float dy) {
    int n = AT;
    if (n >= width * height)
        return;
    float x = n % width + dx, y = n / width + dy;
    float i = floorf(x), j = floorf(y), sum = 0;
    for (int b = 0; b < 4; ++b)
        for (int a = 0; a < 4; ++a)
            sum += weight(x - i, a) * weight(y - j, b) * tex2D<float>(image, i + a - 1 + 0.5f, j + b - 1 + 0.5f);
    out[n] = sum;
}

// An oblique slice through a volume.
extern "C" __global__ void slice(float* out, cudaTextureObject_t volume, int side) {
    int n = AT;
    if (n >= side * side)
        return;
    float x = (n % side + 0.5f) / side, y = (n / side + 0.5f) / side;
    out[n] = tex3D<float>(volume, x, y, 0.25f + 0.5f * (x + y) / 2);
}

extern "C" __global__ void layers(float* out, cudaTextureObject_t images, int width, int height, int count) {
    int n = AT;
    if (n >= width * height * count)
        return;
    int layer = n / (width * height), at = n % (width * height);
    out[n] = layer + tex2DLayered<float>(images, at % width + 0.25f, at / width + 0.75f, layer);
}

extern "C" __global__ void sky(float4* out, cudaTextureObject_t cube, const float3* directions, int count) {
    int n = AT;
    if (n < count)
        out[n] = texCubemap<float4>(cube, directions[n].x, directions[n].y, directions[n].z);
}

extern "C" __global__ void negative(cudaTextureObject_t image, cudaSurfaceObject_t out, int width, int height) {
    int n = AT;
    if (n >= width * height)
        return;
    int x = n % width, y = n / width;
    uchar4 c = tex2D<uchar4>(image, x + 0.5f, y + 0.5f);
    surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), out, x * 4, y);
}

extern "C" __global__ void beyond(cudaSurfaceObject_t out, int x, int y) {
    surf2Dwrite(1.0f, out, (x + int(threadIdx.x)) * 4, y);
}
