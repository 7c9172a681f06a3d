// SPDX-License-Identifier: GPL-3.0-or-later
// Mipmapped arrays of all shapes, sampled by level and by gradient, beside the host's own computation by the formulas of
// the programming guide ("Texture Fetching"; "Cubemap Textures" for faces), in plain floating point. A filter keeps 8
// bits of a weight: neighbours differ by a quarter of the range at most, so that all filtered values are within 1/256 of
// the range, and mixed ones within twice that. Points are never at a texel's edge, nor levels half-way between two.
#include "check.h"

#include <algorithm>
#include <cmath>
#include <vector>

constexpr float range = 256;
constexpr float pi = 3.14159265f;

struct Point {
    float at[3]; // from 0 to 1; of cubes a direction
    int layer;
    float lod;
    float dx[2], dy[2];
    float inFace[2]; // what the direction says
    int face;
};

enum class How { lod1, lod2, lod3, layered1, layered2, cube, cubes, base2, grad2 };

template <How how>
__global__ void fetch(cudaTextureObject_t t, const Point* points, float* out, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    const Point p = points[i];
    if constexpr (how == How::lod1)
        out[i] = tex1DLod<float>(t, p.at[0], p.lod);
    if constexpr (how == How::lod2)
        out[i] = tex2DLod<float>(t, p.at[0], p.at[1], p.lod);
    if constexpr (how == How::lod3)
        out[i] = tex3DLod<float>(t, p.at[0], p.at[1], p.at[2], p.lod);
    if constexpr (how == How::layered1)
        out[i] = tex1DLayeredLod<float>(t, p.at[0], p.layer, p.lod);
    if constexpr (how == How::layered2)
        out[i] = tex2DLayeredLod<float>(t, p.at[0], p.at[1], p.layer, p.lod);
    if constexpr (how == How::cube)
        out[i] = texCubemapLod<float>(t, p.at[0], p.at[1], p.at[2], p.lod);
    if constexpr (how == How::cubes)
        out[i] = texCubemapLayeredLod<float>(t, p.at[0], p.at[1], p.at[2], p.layer, p.lod);
    if constexpr (how == How::base2)
        out[i] = tex2D<float>(t, p.at[0], p.at[1]);
    if constexpr (how == How::grad2)
        out[i] =
            tex2DGrad<float>(t, p.at[0], p.at[1], make_float2(p.dx[0], p.dx[1]), make_float2(p.dy[0], p.dy[1]));
}

// --- the host's side

struct Level {
    int size[3]; // of layered ones and cubes the third is the number of slices
    std::vector<float> texels;
    float at(int x, int y, int z) const { return texels[(std::size_t(z) * size[1] + y) * size[0] + x]; }
};

struct Mipmap {
    cudaMipmappedArray_t array = nullptr;
    std::vector<Level> levels;
    int axes = 0; // that are filtered
};

int held(int i, int size, cudaTextureAddressMode mode) {
    if (mode == cudaAddressModeWrap)
        return (i % size + size) % size;
    if (mode == cudaAddressModeMirror) {
        const int there = (i % (2 * size) + 2 * size) % (2 * size);
        return there < size ? there : 2 * size - 1 - there;
    }
    if (mode == cudaAddressModeBorder)
        return i < 0 || i >= size ? -1 : i;
    return std::min(std::max(i, 0), size - 1);
}

float atLevel(const Level& level, int axes, const float* at, int slice, const cudaTextureDesc& how) {
    int low[3] = {0, 0, 0};
    float upper[3] = {0, 0, 0};
    const bool linear = how.filterMode == cudaFilterModeLinear;
    for (int n = 0; n < axes; ++n) {
        const float u = at[n] * float(level.size[n]) - (linear ? 0.5f : 0);
        low[n] = int(std::floor(u));
        upper[n] = linear ? u - std::floor(u) : 0;
    }
    float sum = 0;
    for (int corner = 0; corner < 1 << axes; ++corner) {
        float weight = 1;
        int texel[3] = {0, 0, slice};
        bool inside = true;
        for (int n = 0; n < axes; ++n) {
            const int second = corner >> n & 1;
            weight *= second ? upper[n] : 1 - upper[n];
            texel[n] = held(low[n] + second, level.size[n], how.addressMode[n]);
            inside &= texel[n] >= 0;
        }
        sum += weight * (inside ? level.at(texel[0], texel[1], texel[2]) : how.borderColor[0]);
    }
    return sum;
}

float expected(const Mipmap& m, float lod, const float* at, int slice, const cudaTextureDesc& how) {
    lod = std::min(std::max(lod + how.mipmapLevelBias, how.minMipmapLevelClamp), how.maxMipmapLevelClamp);
    lod = std::min(std::max(lod, 0.0f), float(m.levels.size() - 1));
    if (how.mipmapFilterMode == cudaFilterModePoint)
        return atLevel(m.levels[std::size_t(lod + 0.5f)], m.axes, at, slice, how);
    const auto low = std::size_t(lod);
    const float weight = lod - float(low);
    float sum = (1 - weight) * atLevel(m.levels[low], m.axes, at, slice, how);
    if (weight > 0)
        sum += weight * atLevel(m.levels[low + 1], m.axes, at, slice, how);
    return sum;
}

// Smooth along each axis, so that neighbours are near each other, and another one at each level and slice.
float content(const Level& level, int number, int axes, int x, int y, int z) {
    const auto wave = [](int i, int size) { return size < 4 ? 0.3f : std::sin(pi * (float(i) + 0.5f) / float(size)); };
    float value = 30 + 15 * float(number);
    value += 40 * wave(x, level.size[0]) + (axes > 1 ? 30 * wave(y, level.size[1]) : 0);
    value += axes > 2 ? 20 * wave(z, level.size[2]) : 7 * float(z % 5);
    return value + float((x + 3 * y + z) % 4);
}

Mipmap make(cudaExtent extent, unsigned levels, unsigned flags) {
    const auto format = cudaCreateChannelDesc<float>();
    Mipmap m;
    CHECK(cudaMallocMipmappedArray(&m.array, &format, extent, levels, flags));
    const bool slices = flags & (cudaArrayLayered | cudaArrayCubemap);
    m.axes = extent.height == 0 ? 1 : extent.depth == 0 || slices ? 2 : 3;
    for (unsigned n = 0; n < levels; ++n) {
        const auto half = [n](std::size_t size) { return std::max(1, int(size >> n)); };
        Level level;
        level.size[0] = half(extent.width), level.size[1] = half(extent.height);
        level.size[2] = slices ? int(extent.depth) : half(extent.depth);
        for (int z = 0; z < level.size[2]; ++z)
            for (int y = 0; y < level.size[1]; ++y)
                for (int x = 0; x < level.size[0]; ++x)
                    level.texels.push_back(content(level, int(n), m.axes, x, y, z));
        cudaArray_t part;
        CHECK(cudaGetMipmappedArrayLevel(&part, m.array, n));
        cudaExtent known;
        unsigned knownFlags = 0;
        cudaChannelFormatDesc knownFormat;
        CHECK(cudaArrayGetInfo(&knownFormat, &known, &knownFlags, part));
        WANT(int(known.width) == level.size[0] && knownFormat.x == 32 && knownFormat.y == 0);
        WANT(int(known.height) == (extent.height ? level.size[1] : 0));
        WANT(int(known.depth) == (extent.depth ? level.size[2] : 0));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(level.texels.data(), level.size[0] * sizeof(float), level.size[0],
                                          level.size[1]);
        copy.dstArray = part, copy.kind = cudaMemcpyHostToDevice;
        copy.extent = make_cudaExtent(level.size[0], level.size[1], level.size[2]);
        CHECK(cudaMemcpy3D(&copy));
        m.levels.push_back(std::move(level));
    }
    return m;
}

cudaTextureDesc sampler(bool linear, bool mixes, cudaTextureAddressMode mode = cudaAddressModeClamp) {
    cudaTextureDesc how = {};
    for (auto& axis : how.addressMode)
        axis = mode;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.mipmapFilterMode = mixes ? cudaFilterModeLinear : cudaFilterModePoint;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 16;
    how.borderColor[0] = 90;
    return how;
}

cudaTextureObject_t textureOf(const Mipmap& m, const cudaTextureDesc& how) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = m.array;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

// --- points

unsigned seed = 1;
int drawn(int below) {
    seed = seed * 1664525u + 1013904223u;
    return int((seed >> 8) % unsigned(below));
}
// An odd number of 2048ths, which is no texel's edge in any size up to 1000.
float place(float from, float to) {
    return (std::floor((from + (to - from) * float(drawn(1024)) / 1024) * 1024) * 2 + 1) / 2048;
}

// Points anywhere, a little beyond the edges, too; levels in odd 16ths.
std::vector<Point> pointsFor(const Mipmap& m, int layers, int n) {
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) {
        Point p = {};
        for (float& at : p.at)
            at = place(-0.4f, 1.4f);
        p.layer = drawn(layers);
        p.lod = float(2 * drawn(8 * int(m.levels.size() + 1)) + 1) / 16 - 0.5f;
        points.push_back(p);
    }
    return points;
}

// Directions by face and place in it, away from the edges.
std::vector<Point> directionsFor(int levels, int cubes, int n) {
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) {
        Point p = {};
        p.face = i % 6;
        p.layer = drawn(cubes);
        p.lod = float(2 * drawn(8 * (levels - 1)) + 1) / 16;
        float s = 0, t = 0;
        for (float* at : {&s, &t})
            *at = 2 * (p.inFace[at == &t] = place(0.3f, 0.7f)) - 1;
        const float all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
        std::copy_n(all[p.face], 3, p.at);
        points.push_back(p);
    }
    return points;
}

template <How how>
void compare(const Mipmap& m, const cudaTextureDesc& words, const std::vector<Point>& points) {
    const cudaTextureObject_t texture = textureOf(m, words);
    const int n = int(points.size());
    Point* list;
    float* out;
    CHECK(cudaMalloc(&list, n * sizeof(Point)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(list, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice));
    fetch<how><<<(n + 63) / 64, 64>>>(texture, list, out, n);
    std::vector<float> got(n);
    CHECK(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    const bool filters = words.filterMode == cudaFilterModeLinear, mixes = words.mipmapFilterMode == cudaFilterModeLinear;
    const float tolerance = (filters + mixes) * range / 256;
    for (int i = 0; i < n; ++i) {
        const Point& p = points[i];
        constexpr bool isCube = how == How::cube || how == How::cubes;
        float lod = how == How::base2 ? 0 : p.lod;
        if constexpr (how == How::grad2) { // the longer side of the footprint, in texels
            const auto length = [&](const float* d) {
                return std::hypot(d[0] * float(m.levels[0].size[0]), d[1] * float(m.levels[0].size[1]));
            };
            lod = std::log2(std::max(length(p.dx), length(p.dy)));
        }
        const int slice = isCube ? 6 * p.layer + p.face : p.layer;
        const float want = expected(m, lod, isCube ? p.inFace : p.at, slice, words);
        if (!(std::fabs(got[i] - want) <= tolerance)) {
            std::printf("how %d, filter %d, mip filter %d, mode %d, point %d (%g %g %g), layer %d, level %g: %g, not %g\n",
                        int(how), filters, mixes, int(words.addressMode[0]), i, p.at[0], p.at[1], p.at[2], p.layer, lod,
                        got[i], want);
            WANT(false);
        }
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(list));
    CHECK(cudaFree(out));
}

// By point and filtered, within a level and between them.
template <How how>
void compareAll(const Mipmap& m, const std::vector<Point>& points, bool modes = true) {
    for (const bool linear : {false, true})
        for (const bool mixes : {false, true})
            compare<how>(m, sampler(linear, mixes), points);
    if (modes)
        for (const auto mode : {cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeBorder})
            compare<how>(m, sampler(false, true, mode), points);
}

int main() {
    const Mipmap row = make(make_cudaExtent(64, 0, 0), 7, 0);
    const Mipmap plane = make(make_cudaExtent(64, 32, 0), 7, 0);
    const Mipmap odd = make(make_cudaExtent(20, 12, 0), 4, 0); // 10x6, 5x3, 2x1
    const Mipmap box = make(make_cudaExtent(8, 16, 32), 6, 0);
    const Mipmap rows = make(make_cudaExtent(32, 0, 5), 4, cudaArrayLayered);
    const Mipmap planes = make(make_cudaExtent(32, 16, 7), 4, cudaArrayLayered);
    const Mipmap cube = make(make_cudaExtent(16, 16, 6), 3, cudaArrayCubemap);
    const Mipmap cubes = make(make_cudaExtent(16, 16, 12), 3, cudaArrayCubemap | cudaArrayLayered);

    compareAll<How::lod1>(row, pointsFor(row, 1, 256));
    compareAll<How::lod2>(plane, pointsFor(plane, 1, 512));
    compareAll<How::lod2>(odd, pointsFor(odd, 1, 256));
    compareAll<How::lod3>(box, pointsFor(box, 1, 512));
    compareAll<How::layered1>(rows, pointsFor(rows, 5, 256));
    compareAll<How::layered2>(planes, pointsFor(planes, 7, 256));
    compareAll<How::cube>(cube, directionsFor(3, 1, 300), false);
    compareAll<How::cubes>(cubes, directionsFor(3, 2, 300), false);
    compareAll<How::base2>(plane, pointsFor(plane, 1, 128));

    // What is added to a level, and what it is held between.
    for (const bool mixes : {false, true}) {
        cudaTextureDesc how = sampler(true, mixes);
        how.mipmapLevelBias = 1.25f;
        compare<How::lod2>(plane, how, pointsFor(plane, 1, 256));
        how.mipmapLevelBias = -1.75f;
        compare<How::lod2>(plane, how, pointsFor(plane, 1, 256));
        how.minMipmapLevelClamp = 1.25f, how.maxMipmapLevelClamp = 3.75f;
        compare<How::lod2>(plane, how, pointsFor(plane, 1, 256));
        how.mipmapLevelBias = 0, how.maxMipmapLevelClamp = 1.25f;
        compare<How::lod2>(plane, how, pointsFor(plane, 1, 64));
        how.minMipmapLevelClamp = how.maxMipmapLevelClamp = 0; // as a description of zeros has it
        compare<How::lod2>(plane, how, pointsFor(plane, 1, 64));
    }

    // Footprints of which one side lies along an axis and is a quarter longer, or shorter, than a power of two.
    std::vector<Point> sides = pointsFor(plane, 1, 256);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        Point& p = sides[i];
        const float length = std::exp2(float(drawn(7))) * (drawn(2) ? 1.25f : 0.875f);
        const int axis = drawn(2);
        (drawn(2) ? p.dx : p.dy)[axis] = length / float(plane.levels[0].size[axis]);
    }
    compare<How::grad2>(plane, sampler(false, false), sides);
    compare<How::grad2>(plane, sampler(true, false), sides);
    for (const Mipmap* m : {&row, &plane, &odd, &box, &rows, &planes, &cube, &cubes})
        CHECK(cudaFreeMipmappedArray(m->array));
    return passed();
}
