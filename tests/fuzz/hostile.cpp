// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/hostile.h"

#include <fmt/format.h>

namespace warpglass::fuzz {

namespace {

// Sizes of the frame's variables and of PTX's own things, to be missed by a little.
constexpr std::uint32_t edges[] = {0,    1,    2,    3,    4,    7,    8,     12,    15,    16,      31,
                                   32,   33,   48,   60,   61,   63,   64,    96,    100,   127,     128,
                                   255,  256,  257,  511,  512,  1000, 1024,  1984,  2000,  2008,    2040,
                                   2047, 2048, 2049, 4095, 4096, 8192, 16384, 65535, 65536, 0x3ffff, 0x1000000};

constexpr std::uint32_t paramOffsets[] = {0, 4, 8, 16, 32, 44, 48, 64, 120, 124, 128, 4096, 0x7ffffff0};
constexpr char letters[] = {'p', 'c', 'h', 'r', 'd', 'q'};
constexpr const char* types[] = {"pred", "b8", "b16", "b32", "b64", "b128"};

} // namespace

std::uint64_t hostileNumber(Dice& dice) {
    switch (dice.below(10)) {
    case 0:
        return dice.byte();
    case 1:
    case 2:
        return dice.of(edges);
    case 3:
        return std::uint64_t(dice.below(7)) << 32 | dice.of(edges); // a window of memory
    case 4:
        return (std::uint64_t(dice.below(7)) << 32) - dice.of(edges);
    case 5:
        return (std::uint64_t(1) << dice.below(64)) - (dice.byte() & 1);
    case 6:
        return ~std::uint64_t(0) - dice.of(edges);
    case 7:
        return dice.word();
    case 8: { // as a descriptor of a matrix in shared memory: begin, strides, swizzle
        const std::uint64_t begin = dice.word(2), leading = dice.of(edges), stride = dice.of(edges);
        return (begin & 0x3fff) | (leading & 0x3fff) << 16 | (stride & 0x3fff) << 32 |
               std::uint64_t(dice.byte()) << 46 << (dice.byte() & 3) | std::uint64_t(dice.below(8)) << 61;
    }
    default:
        return std::uint64_t(dice.byte()) << dice.below(64);
    }
}

std::size_t Body::kindOf(int bytes) {
    return bytes == 0 ? 0 : bytes == 1 ? 1 : bytes == 2 ? 2 : bytes <= 4 ? 3 : bytes <= 8 ? 4 : 5;
}

std::string Body::declarations() const {
    std::string text;
    for (std::size_t kind = 0; kind < m_used.size(); ++kind)
        if (m_used[kind] > 0)
            text += fmt::format(".reg .{} %{}<{}>;\n", types[kind], letters[kind], m_used[kind]);
    return text;
}

std::string Body::fresh(int bytes) {
    const std::size_t kind = kindOf(bytes);
    return fmt::format("%{}{}", letters[kind], m_used[kind]++);
}

std::string Body::result(int bytes) {
    const std::size_t kind = kindOf(bytes);
    m_results[kind] = m_used[kind];
    return fresh(bytes);
}

bool Body::give(const std::string& name, std::uint64_t number, int bytes) {
    if (m_numbers.size() == mostNumbers || dice.oneIn(4))
        return false;
    line(fmt::format("ld.b{} {}, [%row+{}];", 8 * bytes, name, 8 * m_numbers.size()));
    m_numbers.push_back(number);
    return true;
}

std::string Body::given(std::uint64_t number, int bytes) {
    const std::string name = fresh(bytes);
    return give(name, number, bytes) ? name : std::to_string(bytes == 8 ? number : number & 0xffffffff);
}

std::string Body::value(int bytes) {
    const std::size_t kind = kindOf(bytes);
    if (m_results[kind] && dice.oneIn(4))
        return fmt::format("%{}{}", letters[kind], m_results[kind]);
    const std::string name = fresh(bytes);
    const std::uint64_t number = hostileNumber(dice);
    switch (kind) {
    case 0:
        line(fmt::format("setp.{}.u32 {}, %r0, {};", number & 1 ? "lt" : "ne", name, given(number / 2 % 33, 4)));
        break;
    case 1: // no register of eight bits is calculated with
        if (give(name, number, 1))
            break;
        line(fmt::format("mov.b16 %h0, {};", number & 0xffff));
        line(fmt::format("cvt.u8.u16 {}, %h0;", name));
        break;
    case 2:
        if (!give(name, number, 2))
            line(fmt::format("mov.b16 {}, {};", name, number & 0xffff));
        break;
    case 3:
        if (!give(name, number, 4))
            line(fmt::format("mov.b32 {}, {};", name, number & 0xffffffff));
        if (dice.oneIn(3))
            line(fmt::format("mad.lo.u32 {}, %r0, {}, {};", name, given(hostileNumber(dice), 4), name));
        break;
    case 4:
        if (dice.oneIn(4))
            return base64();
        if (!give(name, number, 8))
            line(fmt::format("mov.b64 {}, {};", name, number));
        if (dice.oneIn(3))
            line(fmt::format("mad.lo.u64 {}, %d0, {}, {};", name, given(hostileNumber(dice), 8), name));
        break;
    default:
        if (!give("%d1", number, 8))
            line(fmt::format("mov.b64 %d1, {};", number));
        line(fmt::format("mov.b128 {}, {{%d1, %d0}};", name));
    }
    return name;
}

std::string Body::base64() {
    static constexpr const char* names[] = {"gg", "map", "cc", "s", "bar", "l", "f", "k", "tt", "o", "m", "n"};
    const std::string name = fresh(8);
    switch (const std::size_t which = dice.below(16)) {
    case 12:
    case 13:
        line(fmt::format("ld.param.u64 {}, [t];", name));
        break;
    case 14:
        line(fmt::format("ld.param.u64 {}, [u];", name));
        break;
    case 15:
        line(fmt::format("ld.param.u64 {}, [o];", name));
        break;
    default:
        line(fmt::format("mov.u64 {}, {};", name, names[which]));
        if (which >= 2 && which <= 5 && dice.oneIn(2))
            line(fmt::format("cvta.{}.u64 {}, {};",
                             which == 2   ? "const"
                             : which == 5 ? "local"
                                          : "shared",
                             name, name));
    }
    if (dice.oneIn(2))
        line(fmt::format("add.u64 {}, {}, {};", name, name, given(hostileNumber(dice), 8)));
    if (dice.oneIn(3))
        line(fmt::format("mad.lo.u64 {}, %d0, {}, {};", name, std::uint64_t(1) << dice.below(12), name));
    return name;
}

std::string Body::offset() {
    if (!dice.oneIn(4))
        return "";
    const auto by = std::int64_t(std::int32_t(hostileNumber(dice)));
    return by < 0 ? std::to_string(by) : fmt::format("+{}", by);
}

std::string Body::list(int count, int bytes, bool isResult, bool withHoles) {
    std::string text = "{";
    const int plain = isResult ? count : std::min(count, 4); // of many values most are the same ones again
    std::vector<std::string> names;
    for (int k = 0; k < plain; ++k)
        names.push_back(isResult ? result(bytes) : value(bytes));
    const int hole = withHoles && dice.oneIn(3) ? int(dice.below(std::size_t(count))) : -1;
    for (int k = 0; k < count; ++k)
        text += fmt::format("{}{}", k ? ", " : "", k == hole ? "_" : names[std::size_t(k % plain)]);
    return text + "}";
}

std::string Body::sharedAddress(bool wide) {
    if (dice.oneIn(3))
        return fmt::format("[s{}]", offset());
    const std::string name = fresh(4);
    line(fmt::format("mov.u32 {}, {};", name, dice.oneIn(4) ? "bar" : "s"));
    if (dice.oneIn(2))
        line(fmt::format("add.u32 {}, {}, {};", name, name, given(hostileNumber(dice), 4)));
    if (dice.oneIn(2))
        line(fmt::format("mad.lo.u32 {}, %r0, {}, {};", name, 1u << dice.below(10), name));
    if (!wide)
        return fmt::format("[{}{}]", name, offset());
    const std::string longer = fresh(8);
    line(fmt::format("cvt.u64.u32 {}, {};", longer, name));
    return fmt::format("[{}{}]", longer, offset());
}

std::string Body::globalAddress() {
    switch (dice.below(4)) {
    case 0:
        return fmt::format("[gg{}]", offset());
    case 1:
        return fmt::format("[{}{}]", value(8), offset());
    default: {
        const std::string name = fresh(8);
        line(fmt::format("ld.param.u64 {}, [o];", name));
        if (dice.oneIn(2))
            line(fmt::format("add.u64 {}, {}, {};", name, name, given(hostileNumber(dice) & 0xfff, 8)));
        if (dice.oneIn(2))
            line(fmt::format("mad.lo.u64 {}, %d0, {}, {};", name, std::uint64_t(1) << dice.below(8), name));
        return fmt::format("[{}{}]", name, offset());
    }
    }
}

std::string Body::address(ptx::ModifierSet words) {
    using M = ptx::Modifier;
    const auto has = [&](M m) { return words.test(std::size_t(m)); };
    if (has(M::Shared) || has(M::SharedCta) || has(M::SharedCluster))
        return dice.oneIn(4) ? fmt::format("[{}{}]", value(dice.oneIn(2) ? 8 : 4), offset())
                             : sharedAddress(dice.oneIn(4));
    if (has(M::Global))
        return globalAddress();
    const char* name = has(M::Local) ? "l" : has(M::Const) ? "cc" : has(M::ParamFunc) ? "pp" : nullptr;
    if (has(M::Param) || has(M::ParamEntry))
        return fmt::format("[{}+{}]", dice.oneIn(2) ? "m" : "n", dice.of(paramOffsets));
    if (has(M::ParamFunc))
        return fmt::format("[pp+{}]", dice.of(paramOffsets));
    if (!name) // generic
        return fmt::format("[{}{}]", dice.oneIn(4) ? value(8) : base64(), offset());
    if (dice.oneIn(3))
        return fmt::format("[{}{}]", name, offset());
    if (dice.oneIn(2))
        return fmt::format("[{}{}]", value(dice.oneIn(2) ? 8 : 4), offset());
    const std::string at = fresh(4);
    line(fmt::format("mov.u32 {}, {};", at, name));
    line(fmt::format("mad.lo.u32 {}, %r0, {}, {};", at, 1u << dice.below(8), at));
    return fmt::format("[{}{}]", at, offset());
}

std::string Body::barrier() {
    return dice.oneIn(4) ? sharedAddress() : std::string("[bar]");
}

std::string Body::label() {
    return fmt::format("L{}", m_labels++);
}

} // namespace warpglass::fuzz
