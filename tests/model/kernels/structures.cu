// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies as structures of seven floats, each of which all warps walk through: the words of one lie in one or two sectors,
// and the first SM that comes to a sector waits for it on behalf of the others. tests/model/test_floor.cpp takes limits away.
extern "C" {

struct Body {
    float x, y, z, vx, vy, vz, mass;
};

__global__ void nbody_structures(Body* bodies, int n, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; ++j) {
        const float dx = bodies[j].x - x, dy = bodies[j].y - y, dz = bodies[j].z - z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        const float s = bodies[j].mass * inverse * inverse * inverse;
        fx += dx * s;
        fy += dy * s;
        fz += dz * s;
    }
    bodies[i].vx += dt * fx;
    bodies[i].vy += dt * fy;
    bodies[i].vz += dt * fz;
}
}
