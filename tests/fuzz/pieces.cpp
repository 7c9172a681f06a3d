// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/instruction_text.h"

#include <fmt/format.h>

namespace warpglass::fuzz {

namespace {

// What the emulator has of CUDA's functions for kernels, or does not know: r four bytes, d eight; the result first.
struct Callee {
    const char* name;
    const char* result; // "" none
    const char* arguments;
};
constexpr Callee callees[] = {
    {"f", "r", "rb"},
    {"vprintf", "r", "dd"},
    {"malloc", "d", "d"},
    {"free", "", "d"},
    {"cudaMalloc", "r", "dd"},
    {"cudaFree", "r", "d"},
    {"cudaMemcpyAsync", "r", "dddrd"},
    {"cudaMemsetAsync", "r", "drdd"},
    {"cudaMemset2DAsync", "r", "ddrddd"},
    {"cudaMemcpy2DAsync", "r", "dddddddrd"},
    {"cudaGetParameterBufferV2", "d", "dtttr"},
    {"cudaLaunchDeviceV2", "r", "dd"},
    {"cudaStreamCreateWithFlags", "r", "dr"},
    {"cudaGetErrorString", "d", "r"},
    {"cudaGetDeviceCount", "r", "d"},
    {"cudaDeviceGetAttribute", "r", "drr"},
    {"__assertfail", "", "ddrdd"},
    {"nobody", "r", "d"},
};

const char* typeOf(char letter) {
    return letter == 'r' ? ".b32" : letter == 't' ? ".align 4 .b8" : letter == 'b' ? ".align 16 .b8" : ".b64";
}
const char* sizeOf(char letter) {
    return letter == 't' ? "[12]" : letter == 'b' ? "[48]" : "";
}

void call(Body& body) {
    const Callee& callee = body.dice.of(callees);
    const std::string scope = body.label(); // its number makes names of their own
    std::string arguments, text;
    int n = 0;
    for (const char* letter = callee.arguments; *letter; ++letter, ++n) {
        const std::string name = fmt::format("a{}{}", n, scope);
        const bool asRegister = *letter != 'b' && *letter != 't' && body.dice.oneIn(8); // of whatever width
        if (asRegister) {
            static constexpr int sizes[] = {0, 2, 4, 8, 16};
            arguments += (n ? ", " : "") + body.value(body.dice.of(sizes));
            continue;
        }
        text += fmt::format(".param {} {}{}; ", typeOf(*letter), name, sizeOf(*letter));
        const int bytes = *letter == 'd' ? 8 : 4;
        for (int at = 0; at < (*letter == 't' || *letter == 'b' ? 12 : 4); at += 4)
            text += fmt::format("st.param.b{} [{}+{}], {}; ", 8 * bytes, name, at, body.value(bytes));
        arguments += (n ? ", " : "") + name;
    }
    const std::string result = "v" + scope;
    const bool indirect = body.dice.oneIn(5);
    std::string target = callee.name, prototype;
    if (indirect) {
        target = body.value(8);
        if (!body.dice.oneIn(3))
            body.line(fmt::format("mov.u64 {}, {};", target, callee.name));
        prototype = ", W" + scope;
        std::string list;
        for (const char* letter = callee.arguments; *letter; ++letter)
            list += fmt::format("{}.param {} _{}", list.empty() ? "" : ", ", typeOf(*letter), sizeOf(*letter));
        text += fmt::format("W{}: .callprototype {} _ ({}); ", scope,
                            *callee.result ? fmt::format("(.param {} _)", typeOf(*callee.result)) : "", list);
    }
    std::string open;
    if (*callee.result) {
        static constexpr int sizes[] = {0, 2, 4, 8, 16};
        if (body.dice.oneIn(8)) {
            open = fmt::format("({}), ", body.result(body.dice.of(sizes)));
        } else {
            text += fmt::format(".param {} {}; ", typeOf(*callee.result), result);
            open = fmt::format("({}), ", result);
        }
    }
    text += fmt::format("call {}{}, ({}){};", open, target, arguments, prototype);
    if (*callee.result && open.find(result) != std::string::npos)
        text += *callee.result == 'r' ? fmt::format(" ld.param.b32 {}, [{}];", body.result(4), result)
                                      : fmt::format(" ld.param.b64 {}, [{}];", body.result(8), result);
    body.line("{ " + text + " }");
}

void table(Body& body) {
    const std::string index = body.value(4), n = body.label();
    body.line(
        fmt::format("{{ T{}: .branchtargets {}A, {}B; brx.idx {}, T{}; {}A: mov.u32 %r1, 1; {}B: mov.u32 %r1, 2; }}", n,
                    n, n, index, n, n, n));
}

void jump(Body& body, bool back) {
    const std::string predicate = body.value(0), n = body.label();
    if (back)
        body.line(fmt::format("{}: add.u32 %r1, %r1, 1; setp.lt.and.u32 {}, %r1, {}, {}; @{} bra {};", n, predicate,
                              1 + body.dice.below(40), predicate, predicate, n));
    else
        body.line(fmt::format("@{} bra {}; st.shared.u32 [s], %r0; {}:", predicate, n, n));
}

// The launch's map, or a forged one, where a kernel can write.
void mapInMemory(Body& body) {
    for (int at = 0; at < 128; at += 8)
        body.line(fmt::format("ld.param.b64 %d1, [m+{}]; st.global.b64 [map+{}], %d1;", at, at));
    for (std::size_t n = body.dice.below(4); n > 0; --n) {
        const std::size_t bytes = std::size_t(1) << body.dice.below(4);
        const std::size_t at = 8 + body.dice.below(120 / bytes) * bytes;
        body.line(fmt::format("mov.b64 %d1, {}; st.global.b{} [map+{}], %d1;", hostileNumber(body.dice), 8 * bytes,
                              std::max(at / bytes * bytes, bytes)));
    }
}

void tensorMemory(Body& body) {
    body.line(
        fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], {};", 32u << body.dice.below(5)));
}

void barrierInMemory(Body& body) {
    const std::string at = body.sharedAddress();
    body.line(fmt::format("mbarrier.init.shared.b64 {}, {};", at, body.value(4)));
}

void stackPiece(Body& body) {
    const std::string bytes = body.value(8), at = body.result(8);
    body.line(fmt::format("alloca.u64 {}, {};", at, bytes));
    body.line(fmt::format("st.local.v2.b64 [{}], {{%d0, %d0}};", at));
    if (body.dice.oneIn(3))
        body.line(fmt::format("stackrestore.u64 {};", body.value(8)));
}

} // namespace

void addPiece(Body& body) {
    switch (body.dice.below(10)) {
    case 0:
        return table(body);
    case 1:
        return jump(body, false);
    case 2:
        return jump(body, true);
    case 3:
        return mapInMemory(body);
    case 4:
        return tensorMemory(body);
    case 5:
        return barrierInMemory(body);
    case 6:
        return stackPiece(body);
    default:
        return call(body);
    }
}

} // namespace warpglass::fuzz
