// SPDX-License-Identifier: GPL-3.0-or-later
// As much of a driver as a launch asks for, without a GPU behind it: bench_seat measures with it what the seat itself
// costs. Every handle is a kernel of four parameters of eight bytes.
#include <cstddef>
#include <cstring>

extern "C" {

int cuCtxGetDevice(int* device) {
    *device = 0;
    return 0;
}

int cuCtxGetCurrent(void** context) {
    static int one = 0;
    *context = &one;
    return 0;
}

int cuDeviceGetName(char* name, int, int) {
    std::strcpy(name, "stand-in");
    return 0;
}

int cuFuncGetName(const char** name, void*) {
    *name = "kernel";
    return 0;
}

int cuFuncGetParamInfo(void*, std::size_t number, std::size_t* offset, std::size_t* bytes) {
    *offset = number * 8, *bytes = 8;
    return number < 4 ? 0 : 1;
}

int cuFuncGetAttribute(int* value, int, void*) {
    *value = 1024;
    return 0;
}

int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) {
    return 0;
}
}
