// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that end by themselves, by a signal, and without running what exit() runs; the number that each gives its kernel tells which.
#include "check.h"
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void number(int* p, int value) {
    *p = value;
}

static void use(int value) {
    int *p, host = 0;
    CHECK(cudaMalloc(&p, sizeof host));
    number<<<1, 1>>>(p, value);
    CHECK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host == value);
}

int main() {
    for (int way = 1; way <= 4; ++way) {
        const pid_t child = fork();
        if (child == 0) {
            use(way);
            if (way == 1)
                std::exit(0);
            if (way == 2)
                std::exit(3);
            if (way == 3)
                raise(SIGKILL);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
    }
    use(5);
    return passed();
}
