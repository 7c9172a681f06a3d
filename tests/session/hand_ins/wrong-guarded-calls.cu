// SPDX-License-Identifier: GPL-3.0-or-later; no-divided-warp misses goal 1: divergent
extern "C" __device__ __noinline__ void evenOne(int* out, const int* in, int i, int n, int rounds) {
    int sum = 0;
    for (int k = 0; k < rounds; ++k)
        sum += in[(i + k) % n];
    out[i] = sum;
}
extern "C" __device__ __noinline__ void oddOne(int* out, const int* in, int i, int n, int rounds) {
    int most = in[i];
    for (int k = 1; k < rounds; ++k)
        most = max(most, in[(i + k) % n]);
    out[i] = most;
}
__global__ void alternate(int* out, const int* in, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .pred p; .reg .b32 r; and.b32 r, %2, 1; setp.eq.u32 p, r, 0;\n"
                 ".param .b64 a; .param .b64 b; .param .b32 c; .param .b32 d; .param .b32 e;\n"
                 "st.param.b64 [a], %0; st.param.b64 [b], %1; st.param.b32 [c], %2; st.param.b32 [d], %3; st.param.b32 "
                 "[e], %4;\n"
                 "@p call evenOne, (a, b, c, d, e);\n"
                 "@!p call oddOne, (a, b, c, d, e); }" ::"l"(out),
                 "l"(in), "r"(i), "r"(n), "r"(rounds)
                 : "memory");
    if (rounds < 0) {
        evenOne(out, in, i, n, rounds);
        oddOne(out, in, i, n, rounds);
    }
}
