// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_names.h"

#include "gpu/launch/kernel_text.h"

#include <cctype>

namespace warpglass::session {

namespace {

constexpr std::string_view anonymous = "(anonymous namespace)";

// Position of the first of these characters outside < > and ( ), from `from` on; npos if there is none.
std::size_t outside(std::string_view text, std::string_view wanted, std::size_t from = 0) {
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text.substr(i).starts_with(anonymous)) {
            i += anonymous.size() - 1;
            continue;
        }
        const char c = text[i];
        if (depth == 0 && wanted.find(c) != std::string_view::npos)
            return i;
        if (c == '<' || c == '(')
            ++depth;
        else if (c == '>' || c == ')')
            --depth;
    }
    return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// Without blanks that do not part two words, and with numbers bare: "scale< float,128u >" -> "scale<float,128>".
std::string canonical(std::string_view text) {
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ') {
            const std::size_t next = text.find_first_not_of(' ', i);
            if (!out.empty() && word(out.back()) && next != std::string_view::npos && word(text[next]))
                out += ' ';
            i = next == std::string_view::npos ? text.size() : next - 1;
            continue;
        }
        const bool suffix = (c == 'u' || c == 'U' || c == 'l' || c == 'L') && !out.empty() &&
                            std::isdigit(static_cast<unsigned char>(out.back())) &&
                            (i + 1 == text.size() || !word(text[i + 1]));
        std::size_t digits = out.size();
        while (suffix && digits > 0 && std::isdigit(static_cast<unsigned char>(out[digits - 1])))
            --digits;
        if (suffix && (digits == 0 || !word(out[digits - 1])))
            continue;
        out += c;
    }
    return out;
}

// Whether `words` is the name, or what is left of it without some of the namespaces in front: "one::scale<ns::T>" or
// "scale<ns::T>" of "lab::one::scale<ns::T>".
bool isPartly(std::string_view words, std::string_view name) {
    if (words.size() >= name.size())
        return words == name;
    const std::string_view front = name.substr(0, name.size() - words.size());
    return name.ends_with(words) && front.ends_with("::") && outside(front, "<(") == std::string_view::npos;
}

} // namespace

std::string KernelName::signature() const {
    std::string text = instance();
    if (!hasParameters)
        return text;
    text += '(';
    for (std::size_t i = 0; i < parameters.size(); ++i)
        text += (i ? ", " : "") + parameters[i];
    return text + ')';
}

KernelName kernelName(const std::string& mangled) {
    KernelName name{.mangled = mangled, .plain = mangled};
    const std::string whole = demangled(mangled);
    if (whole.empty())
        return name;
    const std::string_view text = whole;
    // "void demo::scale<float, 128>(float*, int)": the name ends where the parameters open, and begins after the last
    // blank before that: only templates have their return type in front.
    const std::size_t open = outside(text, "(");
    std::size_t begin = 0;
    for (std::size_t blank = outside(text, " "); blank != std::string_view::npos && blank < open;
         blank = outside(text, " ", blank + 1))
        begin = blank + 1;
    const std::string_view called = text.substr(begin, open == std::string_view::npos ? open : open - begin);
    const std::size_t angle = outside(called, "<");
    name.plain = called.substr(0, angle);
    if (angle != std::string_view::npos)
        name.templateArguments = called.substr(angle);
    if (open == std::string_view::npos)
        return name;
    name.hasParameters = true;
    std::string_view rest = text.substr(open + 1);
    rest = rest.substr(0, outside(rest, ")"));
    while (!rest.empty()) {
        const std::size_t comma = outside(rest, ",");
        name.parameters.emplace_back(trimmed(rest.substr(0, comma)));
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    return name;
}

int matches(const KernelName& name, std::string_view wanted) {
    if (wanted == name.mangled)
        return 3;
    const std::string words = canonical(wanted);
    const auto is = [&](const std::string& own) { return isPartly(words, canonical(own)); };
    if (name.hasParameters && is(name.signature()))
        return 3;
    if (!name.templateArguments.empty() && is(name.instance()))
        return 2;
    return is(name.plain) ? 1 : 0;
}

std::string instanceIn(std::string_view wanted) {
    if (wanted.find('<') == std::string_view::npos)
        return {};
    return std::string(trimmed(wanted.substr(0, outside(wanted, "("))));
}

} // namespace warpglass::session
