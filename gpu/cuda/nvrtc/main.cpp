// SPDX-License-Identifier: GPL-3.0-or-later
// The program warpglass-nvrtc: one request on standard input, the PTX or what is wrong on standard output. A process of
// its own, because a compiler may run away with memory and time; no GPU, driver or toolkit is needed, NVRTC alone.
#include "gpu/cage/walls.h"
#include "gpu/cuda/nvrtc/nvrtc_compile.h"
#include "gpu/cuda/protocol.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

int main() {
    using namespace warpglass;
    using nlohmann::json;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it goes when the program that started it goes
    const int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO); // a library may print
    const auto frame = cuda::readFrame(in);
    const json request = frame ? json::parse(frame->payload, nullptr, false) : json();
    if (!request.is_object())
        return 1;
    if (request.value("closed", false))
        cage::FileRules(cage::toolchainFiles(), {}).apply();
    const auto ptx = cuda::nvrtcCompile(request.value("source", ""), request.value("name", ""),
                                        CompileMode(request.value("mode", 0)), request.value("arch", ""),
                                        request.value("options", std::vector<std::string>()));
    json answer = ptx ? json{{"ptx", *ptx}} : json{{"error", cuda::toJson(ptx.error())}};
    answer["version"] = cuda::protocolVersion();
    const std::string text = answer.dump(-1, ' ', false, json::error_handler_t::replace);
    return cuda::writeFrame(out, cuda::FrameKind::Json, text.data(), text.size()) ? 0 : 1;
}
