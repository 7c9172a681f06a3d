// SPDX-License-Identifier: GPL-3.0-or-later
// A program that starts a process, and both use the device.
#include "check.h"
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
    const pid_t child = fork();
    use(child == 0 ? 11 : 22);
    if (child == 0)
        _exit(0);
    int status = -1;
    waitpid(child, &status, 0);
    WANT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return passed();
}
