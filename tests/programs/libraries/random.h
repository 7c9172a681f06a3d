// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs that call cuRAND: a failed call ends the program.
#pragma once

#include "../sources/check.h"

#include <curand.h>

#include <cmath>
#include <vector>

#define RANDOM(call)                                                                                                   \
    do {                                                                                                               \
        const curandStatus_t status = (call);                                                                          \
        if (status != CURAND_STATUS_SUCCESS) {                                                                         \
            std::printf("line %d: %s is %d\n", __LINE__, #call, int(status));                                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)
