// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs of the driver's interface: a failed call ends the program with its line and exit status 1.
#pragma once

#include "want.h"

#include <cuda.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const CUresult status = (call);                                                                                \
        if (status != CUDA_SUCCESS) {                                                                                  \
            std::printf("line %d: %s is %d\n", __LINE__, #call, int(status));                                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)
