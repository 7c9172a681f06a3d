// SPDX-License-Identifier: GPL-3.0-or-later
// A filter across the edges of a cube's faces (seamlessCubemap), and without that at them. The host finds the texel beyond an
// edge by distance: of all texels it is the one nearest to where the face's own next texel would be.
#include "check.h"

#include <cmath>
#include <vector>

constexpr int side = 8;

struct Place {
    float x, y, z;
};

__global__ void look(cudaTextureObject_t texture, const Place* places, float* out, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = texCubemapLod<float>(texture, places[i].x, places[i].y, places[i].z, 0.0f);
}

// Of a face, at s and t from -1 to 1.
static Place placeOf(int face, float s, float t) {
    const Place all[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    return all[face];
}
static float middle(int i) {
    return float(2 * i + 1) / side - 1;
}
static bool within(int i) {
    return i >= 0 && i < side;
}

static std::vector<float> texels; // [face][j][i]

static float nearest(int face, int i, int j) {
    if (within(i) && within(j))
        return texels[(face * side + j) * side + i];
    const Place p = placeOf(face, middle(i), middle(j));
    float best = 1e9f, value = 0;
    for (int f = 0; f < 6; ++f)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const Place q = placeOf(f, middle(x), middle(y));
                const float distance = std::hypot(p.x - q.x, p.y - q.y, p.z - q.z);
                if (f != face && distance < best)
                    best = distance, value = texels[(f * side + y) * side + x];
            }
    return value;
}

int main() {
    for (int n = 0; n < 6 * side * side; ++n)
        texels.push_back(float(n * 37 % 64));
    const auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(side, side, 6), cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), side * sizeof(float), side, side);
    copy.dstArray = array, copy.extent = make_cudaExtent(side, side, 6), copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    for (auto& axis : how.addressMode)
        axis = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear, how.normalizedCoords = 1;

    // Places in sixteenths of a texel about all edges but their ends, where three faces meet.
    struct Point {
        int face;
        float u, v; // in texels
    };
    std::vector<Point> points;
    std::vector<Place> places;
    for (int face = 0; face < 6; ++face)
        for (const float across : {1 / 16.0f, 3 / 16.0f, 7 / 16.0f, side - 5 / 16.0f, side - 2 / 16.0f})
            for (float along = 1.5f; along < side - 1; along += 0.5625f)
                for (const bool turned : {false, true}) {
                    const Point p{face, turned ? along : across, turned ? across : along};
                    points.push_back(p);
                    places.push_back(placeOf(face, 2 * p.u / side - 1, 2 * p.v / side - 1));
                }
    const int n = int(points.size());
    Place* list;
    float* out;
    CHECK(cudaMalloc(&list, n * sizeof(Place)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(list, places.data(), n * sizeof(Place), cudaMemcpyHostToDevice));
    for (const bool seamless : {false, true}) {
        how.seamlessCubemap = seamless;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        look<<<(n + 63) / 64, 64>>>(texture, list, out, n);
        std::vector<float> got(n);
        CHECK(cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaDestroyTextureObject(texture));
        for (int k = 0; k < n; ++k) {
            const float u = points[k].u - 0.5f, v = points[k].v - 0.5f;
            const int i = int(std::floor(u)), j = int(std::floor(v));
            const auto at = [&](int x, int y) {
                const auto kept = [&](int c) { return seamless ? c : c < 0 ? 0 : c >= side ? side - 1 : c; };
                return nearest(points[k].face, kept(x), kept(y));
            };
            const float a = u - float(i), b = v - float(j);
            const float want = (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) +
                               a * b * at(i + 1, j + 1);
            if (!(std::fabs(got[k] - want) <= 64.0f / 128)) { // two axes, each 1/256 of the range
                std::printf("seamless %d, face %d (%g, %g): %g, not %g\n", seamless, points[k].face, points[k].u,
                            points[k].v, got[k], want);
                WANT(false);
            }
        }
    }
    return passed();
}
