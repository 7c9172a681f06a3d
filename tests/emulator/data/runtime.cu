// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels ask of printf, malloc and the device runtime.
// runtime.ptx: nvcc -ptx -O3 -rdc=true -arch=sm_90
#include <cstdio>
extern "C" __global__ void prints(int* out, const char*) {
  out[0] = printf("%d %5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42, 42);
  out[1] = printf("%hhd %hd %ld %lld %zd\n", 300, 70000, -5000000000l, -5000000001ll, (size_t)7);
  out[2] = printf("%u %x %X %#x %o %#o %llx %hhx\n", 4000000000u, 48879, 48879, 255, 8, 8, 0x123456789abcdefull, 0x1ff);
  out[3] = printf("%f %.2f %10.3f|%-10.1f|%e %G %a\n", 1.5, 2.345, 3.14159, 2.5, 12345.678, 1e-10, 0.5);
  out[4] = printf("%c%c %s|%8s|%-8s|%.3s %%\n", 'o', 'k', "text", "right", "left", "cut off");
  out[5] = printf("%*d|%-*d|%.*f|%*.*e\n", 6, 42, 6, 42, 3, 2.0, 12, 2, 1234.5);
  out[6] = printf("none\n");
  out[7] = printf("%s %p\n", (const char*)0, (void*)0);
}
extern "C" __global__ void refuses(int* out) { out[0] = printf("<%ls> %d\n", L"wide", 7); }
extern "C" __global__ void heap(unsigned long long* out) {
  char* a = (char*)malloc(5u << 20); char* b = (char*)malloc(5u << 20); char* e = (char*)malloc(2u << 20);
  out[0] = a != 0; out[1] = b != 0; out[2] = e != 0;
  free(a); char* c = (char*)malloc(5u << 20); out[3] = c != 0; c[0] = 3; out[4] = c[0]; free(c); free(e);
  out[5] = malloc(9u << 20) != 0;
}
extern "C" __global__ void doubles(int* d) { d[threadIdx.x] *= 2; }
extern "C" __global__ void copies(int* d, const int* s, int* out) {
  cudaStream_t stream; out[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  out[1] = cudaMemcpyAsync(d, s, 32, cudaMemcpyDeviceToDevice, stream);
  out[2] = cudaMemsetAsync(d + 8, 0x11, 8, stream);
  out[3] = cudaMemcpyAsync(d, s, 4, cudaMemcpyHostToDevice, stream);
  doubles<<<1, 8, 0, stream>>>(d);
  out[4] = cudaMemcpyAsync(d + 12, d, 16, cudaMemcpyDeviceToDevice, stream); // after the grid
  out[5] = cudaMemcpy2DAsync(d + 16, 16, s, 32, 8, 2, cudaMemcpyDeviceToDevice, stream);
  out[6] = cudaGetLastError();
  void* p; out[7] = cudaMalloc(&p, 64); out[8] = ((size_t)p & 15); out[9] = cudaFree(p);
  int n; cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0); out[10] = n;
  size_t z; cudaDeviceGetLimit(&z, cudaLimitMallocHeapSize); out[11] = (int)z;
  printf("%s, %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorMemoryAllocation));
  cudaStreamDestroy(stream);
}
extern "C" __global__ void outside(int* d, const int* s) { cudaMemcpyAsync(d, s, 1 << 20, cudaMemcpyDeviceToDevice, 0); }
