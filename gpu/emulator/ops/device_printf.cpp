// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/device_printf.h"
#include "gpu/emulator/access/generic_memory.h"

#include <bit>
#include <cstdio>

namespace warpglass::emulator {

namespace {

constexpr std::size_t longestText = 65536;
constexpr int widest = 4096; // of one conversion; a wild width is no reason to fill the memory

// "%-+08.3lld": flags, width and precision as the host's printf takes them, the size, the letter.
struct Conversion {
    std::string flags; // everything between '%' and the size
    std::string size;  // hh h l ll j z t L
    char letter = 0;   // 0: the format ends before it
    std::size_t end = 0;
};

template <class... Arguments>
std::string byHost(const std::string& format, Arguments... arguments) {
    const int length = std::snprintf(nullptr, 0, format.c_str(), arguments...);
    if (length <= 0)
        return {};
    std::string text(std::size_t(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), arguments...);
    text.pop_back();
    return text;
}

class Printer {
public:
    Printer(Exec& x, int lane, std::uint64_t at) : m_x(x), m_lane(lane), m_at(at) {}

    Printed run(const std::string& format) {
        for (std::size_t k = 0; k < format.size();) {
            if (format[k] != '%') {
                m_printed.text += format[k++];
                continue;
            }
            const Conversion c = read(format, k);
            const std::string written = format.substr(k, c.end - k);
            m_printed.text += c.letter ? convert(c, written) : written;
            k = c.end;
        }
        return std::move(m_printed);
    }

private:
    Conversion read(const std::string& format, std::size_t from) {
        Conversion c;
        std::size_t k = from + 1;
        const auto digits = [&] {
            if (k < format.size() && format[k] == '*') {
                ++k;
                return std::clamp(int(fetch(4)), -widest, widest);
            }
            int number = 0;
            for (; k < format.size() && format[k] >= '0' && format[k] <= '9'; ++k)
                number = std::min(number * 10 + (format[k] - '0'), widest);
            return number;
        };
        for (; k < format.size() && std::string_view("-+ #0").find(format[k]) != std::string_view::npos; ++k)
            c.flags += format[k];
        if (const int width = digits(); width != 0)
            c.flags += std::to_string(width); // a negative one brings its '-'
        if (k < format.size() && format[k] == '.') {
            ++k;
            if (const int precision = digits(); precision >= 0) // a negative one counts as none
                c.flags += "." + std::to_string(precision);
        }
        for (; k < format.size() && std::string_view("hljztL").find(format[k]) != std::string_view::npos; ++k)
            c.size += format[k];
        c.letter = k < format.size() ? format[k++] : '\0';
        c.end = k;
        return c;
    }

    std::string convert(const Conversion& c, const std::string& written) {
        const bool wide = c.size == "l" || c.size == "ll" || c.size == "j" || c.size == "z" || c.size == "t";
        const std::string format = "%" + c.flags;
        switch (c.letter) {
        case '%':
            return "%";
        case 'd':
        case 'i': {
            const std::uint64_t v = fetch(wide ? 8 : 4);
            const long long number = wide             ? std::int64_t(v)
                                     : c.size == "hh" ? std::int8_t(v)
                                     : c.size == "h"  ? std::int16_t(v)
                                                      : std::int32_t(v);
            return byHost(format + "lld", number);
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o': {
            const std::uint64_t v = fetch(wide ? 8 : 4);
            const unsigned long long number = c.size == "hh" ? v & 0xff : c.size == "h" ? v & 0xffff : v;
            return byHost(format + "ll" + c.letter, number);
        }
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            return byHost(format + c.letter, std::bit_cast<double>(fetch(8)));
        case 'c':
            if (wide)
                return refuse(written, 4);
            return byHost(format + 'c', int(fetch(4)));
        case 'p':
            return byHost(format + 'p', std::bit_cast<void*>(fetch(8)));
        case 's': {
            if (wide)
                return refuse(written, 8);
            const std::uint64_t address = fetch(8);
            return byHost(format + 's', address == 0 ? "(null)" : readText(m_x, m_lane, address).c_str());
        }
        case 'n':
            return refuse(written, 8);
        default:
            return refuse(written, 0);
        }
    }

    std::string refuse(const std::string& written, std::uint32_t bytes) {
        if (bytes)
            fetch(bytes);
        if (m_printed.refused.empty())
            m_printed.refused = written;
        return written;
    }

    std::uint64_t fetch(std::uint32_t bytes) {
        m_offset = (m_offset + bytes - 1) / bytes * bytes;
        std::uint64_t v = 0;
        readGeneric(m_x, m_lane, m_at + m_offset, &v, bytes);
        m_offset += bytes;
        ++m_printed.arguments;
        return v;
    }

    Exec& m_x;
    int m_lane;
    std::uint64_t m_at, m_offset = 0;
    Printed m_printed;
};

} // namespace

std::string readText(Exec& x, int lane, std::uint64_t address) {
    std::string text;
    char c = 0;
    while (text.size() < longestText && readGeneric(x, lane, address + text.size(), &c, 1) && c != 0)
        text += c;
    return text;
}

Printed printArguments(Exec& x, int lane, std::uint64_t format, std::uint64_t arguments) {
    return Printer(x, lane, arguments).run(readText(x, lane, format));
}

} // namespace warpglass::emulator
