// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/struct_layout.h"

#include "gpu/launch/source_numbers.h"
#include "gpu/launch/source_tokens.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>

namespace warpglass::cuda_text {

namespace {

StructLayout number(ElementType element, const std::string& type, std::uint64_t alignment = 0) {
    const auto bytes = std::uint64_t(bytesOf(element));
    return {{{"", type, element}}, bytes, alignment ? alignment : bytes};
}

bool oneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// float3, uchar4, dim3: members x, y, z, w. Those of two and four are aligned as a whole, up to 16 bytes.
std::optional<StructLayout> vectorType(const std::string& name) {
    if (name == "dim3" || name == "uint3")
        return StructLayout{{{"x", "unsigned", ElementType::U32, 1, 0},
                             {"y", "unsigned", ElementType::U32, 1, 4},
                             {"z", "unsigned", ElementType::U32, 1, 8}},
                            12,
                            4};
    if (name.empty() || name.back() < '1' || name.back() > '4')
        return std::nullopt;
    const std::uint64_t lanes = std::uint64_t(name.back() - '0');
    const std::string base = name.substr(0, name.size() - 1);
    using enum ElementType;
    static const std::map<std::string, std::pair<const char*, ElementType>> bases{
        {"char", {"char", I8}},
        {"uchar", {"unsigned char", U8}},
        {"short", {"short", I16}},
        {"ushort", {"unsigned short", U16}},
        {"int", {"int", I32}},
        {"uint", {"unsigned", U32}},
        {"long", {"long", I64}},
        {"ulong", {"unsigned long", U64}},
        {"longlong", {"long long", I64}},
        {"ulonglong", {"unsigned long long", U64}},
        {"float", {"float", F32}},
        {"double", {"double", F64}},
        {"__half", {"__half", F16}},
        {"half", {"half", F16}},
        {"__nv_bfloat16", {"__nv_bfloat16", BF16}}};
    const auto found = bases.find(base);
    if (found == bases.end())
        return std::nullopt;
    const auto [type, element] = found->second;
    const auto width = std::uint64_t(bytesOf(element));
    StructLayout layout;
    for (std::uint64_t i = 0; i < lanes; ++i)
        layout.fields.push_back({std::string(1, "xyzw"[i]), type, element, 1, i * width});
    layout.bytes = lanes * width;
    layout.alignment = lanes == 3 ? width : std::min<std::uint64_t>(layout.bytes, 16);
    return layout;
}

// Numbers by the words of their type, in any order.
std::optional<StructLayout> numberType(const std::vector<std::string>& words, const std::string& type) {
    using enum ElementType;
    if (words.size() == 1) {
        static const std::map<std::string, ElementType> names{
            {"float", F32},     {"double", F64},   {"bool", U8},     {"int8_t", I8},         {"uint8_t", U8},
            {"int16_t", I16},   {"uint16_t", U16}, {"int32_t", I32}, {"uint32_t", U32},      {"int64_t", I64},
            {"uint64_t", U64},  {"size_t", U64},   {"uint", U32},    {"uchar", U8},          {"ushort", U16},
            {"ptrdiff_t", I64}, {"__half", F16},   {"half", F16},    {"__nv_bfloat16", BF16}};
        if (const auto found = names.find(words.front()); found != names.end())
            return number(found->second, type);
    }
    int longs = 0, others = 0;
    bool isUnsigned = false, isChar = false, isShort = false;
    for (const std::string& word : words) {
        longs += word == "long";
        isUnsigned |= word == "unsigned";
        isChar |= word == "char";
        isShort |= word == "short";
        others += !oneOf(word, {"long", "unsigned", "signed", "char", "short", "int"});
    }
    if (words.empty() || others > 0)
        return std::nullopt;
    if (isChar)
        return number(isUnsigned ? U8 : I8, type);
    if (isShort)
        return number(isUnsigned ? U16 : I16, type);
    return number(longs ? (isUnsigned ? U64 : I64) : (isUnsigned ? U32 : I32), type);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() || word == "*" || word == ":" || text.ends_with(':') ? "" : " ") + word;
    return text;
}

// The words of a type, a name or a star each.
std::optional<StructLayout> typeOf(std::vector<std::string> words, const StructLayouts& layouts) {
    const std::string type = joined(words);
    const bool isConst = std::find(words.begin(), words.end(), "const") != words.end();
    std::erase_if(words, [](const std::string& w) { // what changes no layout
        return oneOf(w, {"const", "volatile", "struct", "class", "typename", "__restrict__", "restrict", "mutable"});
    });
    if (words.empty())
        return std::nullopt;
    if (words.back() == "*") {
        StructLayout pointer = number(ElementType::Ptr, type);
        StructField& field = pointer.fields.front();
        words.pop_back();
        field.pointsToConst = isConst;
        if (const auto pointee = typeOf(words, layouts)) {
            field.pointee = pointee->uniform().value_or(ElementType::U8); // of several types: as bytes
            if (pointee->fields.size() == 1 && pointee->fields.front().element == ElementType::Ptr)
                field.pointee = ElementType::Ptr;
            field.pointeeElements = std::max<std::uint64_t>(pointee->bytes / std::uint64_t(bytesOf(field.pointee)), 1);
        }
        return pointer;
    }
    if (auto plain = numberType(words, type))
        return plain;
    const auto isName = [](const std::string& w) { return isWord(w.front()); };
    for (std::size_t i = 0; i < words.size(); ++i) // std::uint32_t, demo::Pair
        if (!(isName(words[i]) ? i % 3 == 0 : words[i] == ":" && i % 3 != 0))
            return std::nullopt;
    const std::string last = words.back();
    if (auto plain = numberType({last}, type))
        return plain;
    if (const auto found = layouts.find(last); found != layouts.end())
        return found->second.fields.empty() ? std::nullopt : std::optional(found->second);
    return vectorType(last);
}

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

constexpr std::uint64_t mostBytes = 256 << 10; // as much as a block's shared memory can be

// Appends a member; false if that would be more than any memory of a kernel's own.
bool append(StructLayout& layout, const std::string& name, const StructLayout& member,
            const std::vector<std::uint64_t>& dimensions) {
    std::uint64_t count = 1;
    for (const std::uint64_t d : dimensions)
        count = d == 0 || d > mostBytes ? 0 : std::min(count * d, mostBytes + 1);
    constexpr std::uint64_t mostFields = 512;
    const std::uint64_t at = roundUp(layout.bytes, member.alignment);
    const bool isNumber = member.fields.size() == 1 && member.fields.front().name.empty();
    if (count == 0 || count > mostBytes || at + member.bytes * count > mostBytes ||
        layout.fields.size() + (isNumber ? 1 : member.fields.size() * count) > mostFields)
        return false;
    if (isNumber) {
        StructField field = member.fields.front();
        field.name = name;
        field.count = count;
        field.dimensions = dimensions.size() > 1 ? dimensions : std::vector<std::uint64_t>{};
        field.offset = at;
        layout.fields.push_back(std::move(field));
    } else {
        for (std::uint64_t i = 0; i < count; ++i)
            for (StructField field : member.fields) {
                field.name = name + (count > 1 ? "[" + std::to_string(i) + "]." : ".") + field.name;
                field.offset += at + i * member.bytes;
                layout.fields.push_back(std::move(field));
            }
    }
    layout.bytes = at + member.bytes * count;
    layout.alignment = std::max(layout.alignment, member.alignment);
    return true;
}

// One declaration, [from, to) without its semicolon: "const float* a, b[4] = {}".
bool addMembers(const std::vector<Token>& tokens, std::size_t from, std::size_t to, const StructLayouts& layouts,
                StructLayout& layout) {
    std::vector<std::string> base; // the type that all of its names share
    std::size_t at = from;
    std::uint64_t alignment = 1;
    if (at + 1 < to && oneOf(tokens[at].text, {"alignas", "__align__"}) && tokens[at + 1].text == "(") {
        at = behind(tokens, at + 1, "(", ")");
        alignment = at <= to ? valueOf(tokens, from + 2, at - 1, layouts.numbers).value_or(0) : 0;
        if (!std::has_single_bit(alignment) || alignment > 1024)
            return false;
    }
    // The name is the last word before a comma, a bracket, a default or the end.
    const auto ends = [&](std::size_t i) { return i >= to || oneOf(tokens[i].text, {",", "[", "=", "{"}); };
    for (; at < to && !ends(at + 1); ++at)
        base.push_back(tokens[at].text);
    if (base.empty() || at >= to)
        return false;
    std::vector<std::string> stars;
    while (!base.empty() && oneOf(base.back(), {"*", "__restrict__", "const"}) &&
           std::find(base.begin(), base.end(), "*") != base.end()) {
        stars.insert(stars.begin(), base.back());
        base.pop_back();
    }
    while (at < to) {
        const std::string name = tokens[at].text;
        if (!isWord(name.front()))
            return false;
        std::vector<std::string> words = base;
        words.insert(words.end(), stars.begin(), stars.end());
        std::vector<std::uint64_t> dimensions;
        for (++at; at < to && tokens[at].text == "[";) {
            const std::size_t end = behind(tokens, at, "[", "]");
            const auto given = end <= to ? valueOf(tokens, at + 1, end - 1, layouts.numbers) : std::nullopt;
            if (!given)
                return false;
            dimensions.push_back(*given);
            at = end;
        }
        for (int depth = 0; at < to && (depth > 0 || tokens[at].text != ","); ++at)
            depth += oneOf(tokens[at].text, {"{", "(", "["}) - oneOf(tokens[at].text, {"}", ")", "]"});
        auto member = typeOf(words, layouts);
        if (!member)
            return false;
        member->alignment = std::max(member->alignment, alignment);
        if (!append(layout, name, *member, dimensions))
            return false;
        stars.clear();
        if (at + 1 == to) // a comma with nothing behind it
            return false;
        if (at < to)
            for (++at; at < to && tokens[at].text == "*"; ++at)
                stars.emplace_back("*");
    }
    return true;
}

// What stands between the braces [from, to).
std::optional<StructLayout> bodyOf(const std::vector<Token>& tokens, std::size_t from, std::size_t to,
                                   std::uint64_t alignment, const StructLayouts& layouts) {
    StructLayout layout;
    layout.alignment = alignment;
    for (std::size_t i = from; i < to;) {
        const std::string& first = tokens[i].text;
        if (oneOf(first, {"public", "private", "protected"}) && i + 1 < to && tokens[i + 1].text == ":") {
            i += 2;
            continue;
        }
        std::size_t end = i;
        bool isFunction = false, isStrange = false, hasDefault = false, initialises = false;
        for (; end < to && tokens[end].text != ";"; ++end) {
            const std::string& word = tokens[end].text;
            const bool colon =
                word == ":" && tokens[end - 1].text != ":" && !(end + 1 < to && tokens[end + 1].text == ":");
            // A constructor, an operator or a method: it takes no room. Its parentheses come before any default.
            const bool pointsToFunction = word == "(" && end + 1 < to && tokens[end + 1].text == "*";
            const bool aligns = end > i && oneOf(tokens[end - 1].text, {"alignas", "__align__"});
            if (word == "[") { // how many
                end = behind(tokens, end, "[", "]") - 1;
                continue;
            }
            isFunction |= word == "operator" || (word == "(" && !hasDefault && !pointsToFunction && !aligns);
            hasDefault |= word == "=";
            initialises |= isFunction && colon;
            if (word == "(") {
                end = behind(tokens, end, "(", ")") - 1;
            } else if (word == "{") {
                if (isFunction && !(initialises && isWord(tokens[end - 1].text.front())))
                    break; // its body; a member that a constructor initialises may have braces, too
                end = behind(tokens, end, "{", "}") - 1;
            }
            isStrange |= colon || oneOf(word, {"virtual", "union", "struct", "class", "enum", "<"});
        }
        const bool takesNoRoom = isFunction || oneOf(first, {"static", "using", "typedef", "friend", "template"});
        if (oneOf(first, {"virtual", "union", "enum"}) || (!takesNoRoom && isStrange))
            return std::nullopt;
        if (end < to && tokens[end].text == "{") // a function's body
            end = behind(tokens, end, "{", "}");
        else if (end > i && !takesNoRoom && !addMembers(tokens, i, end, layouts, layout))
            return std::nullopt;
        i = end < to && tokens[end].text == ";" ? end + 1 : std::max(end, i + 1);
    }
    if (layout.fields.empty())
        return std::nullopt;
    layout.bytes = roundUp(layout.bytes, layout.alignment);
    return layout;
}

} // namespace

std::optional<ElementType> StructLayout::uniform() const {
    std::uint64_t at = 0;
    for (const StructField& field : fields) {
        if (field.element != fields.front().element || field.element == ElementType::Ptr || field.offset != at)
            return std::nullopt;
        at += field.count * std::uint64_t(bytesOf(field.element));
    }
    return fields.empty() || at != bytes ? std::nullopt : std::optional(fields.front().element);
}

void addStructs(const std::string& text, StructLayouts& layouts) {
    const std::vector<Token> tokens = tokensOf(text);
    const auto is = [&](std::size_t i, const char* t) { return i < tokens.size() && tokens[i].text == t; };
    addNumbers(text, tokens, layouts.numbers);
    std::set<std::string> twice;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is(i, "template") && is(i + 1, "<")) { // its members' types are not known
            i = behind(tokens, i + 1, "<", ">") - 1;
            if (is(i + 1, "struct") || is(i + 1, "class"))
                ++i;
            continue;
        }
        if (const bool isUsing = is(i, "using") && is(i + 2, "=");
            isUsing || (is(i, "typedef") && !is(i + 1, "struct"))) {
            std::vector<std::string> words; // another name for a type
            for (std::size_t k = isUsing ? i + 3 : i + 1; k < tokens.size() && !is(k, ";"); ++k)
                words.push_back(tokens[k].text);
            std::string name = isUsing ? tokens[i + 1].text : words.empty() ? std::string() : words.back();
            if (!isUsing && !words.empty())
                words.pop_back();
            if (const auto layout = typeOf(words, layouts); layout && !name.empty() && isWord(name.front()))
                layouts.try_emplace(std::move(name), *layout);
            continue;
        }
        if ((!is(i, "struct") && !is(i, "class")) || (i > 0 && is(i - 1, "enum")))
            continue;
        const bool isTypedef = i > 0 && is(i - 1, "typedef");
        std::uint64_t alignment = 1;
        std::size_t at = i + 1;
        if ((is(at, "alignas") || is(at, "__align__")) && is(at + 1, "(")) {
            const std::size_t end = behind(tokens, at + 1, "(", ")");
            alignment = valueOf(tokens, at + 2, end - 1, layouts.numbers).value_or(0);
            at = end;
        }
        std::string name;
        if (at < tokens.size() && isWord(tokens[at].text.front()))
            name = tokens[at++].text;
        if (!is(at, "{") || alignment == 0) // declared alone, used, or with a base
            continue;
        const std::size_t end = behind(tokens, at, "{", "}");
        if (!is(end - 1, "}"))
            break;
        const auto layout = bodyOf(tokens, at + 1, end - 1, alignment, layouts);
        const auto keep = [&](const std::string& called) {
            if (called.empty())
                return;
            const auto [place, isNew] = layouts.try_emplace(called, layout.value_or(StructLayout{}));
            if (!isNew && (!layout || place->second.fields != layout->fields))
                twice.insert(called);
        };
        keep(name);
        if (isTypedef && end < tokens.size() && isWord(tokens[end].text.front()))
            keep(tokens[end].text);
    }
    for (const std::string& name : twice)
        layouts[name] = {};
}

std::vector<StructField> globalsIn(const std::string& text, const StructLayouts& layouts) {
    std::vector<StructField> globals;
    const std::vector<Token> tokens = tokensOf(text);
    const auto marks = [](const std::string& word) {
        return oneOf(word, {"__device__", "__constant__", "__managed__"});
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!marks(tokens[i].text))
            continue;
        std::vector<Token> words; // of the declaration, as a struct would have it
        std::string mark = tokens[i].text;
        bool isVariable = true;
        std::size_t end = i;
        for (; end < tokens.size() && tokens[end].text != ";"; ++end) {
            const std::string& word = tokens[end].text;
            if (word == "=" || word == "{") { // what it begins with
                if (word == "{")
                    end = behind(tokens, end, "{", "}");
                while (end < tokens.size() && tokens[end].text != ";")
                    ++end;
                break;
            }
            isVariable = isVariable && word != "(";
            if (!isVariable)
                break;
            if (marks(word))
                mark = word == "__device__" ? mark : word;
            else if (!oneOf(word, {"static", "extern", "volatile", "inline"}))
                words.push_back(tokens[end]);
        }
        if (!isVariable)
            continue;
        StructLayout layout;
        if (addMembers(words, 0, words.size(), layouts, layout))
            for (StructField& field : layout.fields)
                if (field.element != ElementType::Ptr && field.name.find('.') == std::string::npos) {
                    field.offset = 0;
                    field.type = mark + " " + field.type;
                    globals.push_back(std::move(field));
                }
        i = end;
    }
    return globals;
}

std::vector<SharedStruct> sharedStructsIn(const std::string& text, const StructLayouts& layouts) {
    std::vector<SharedStruct> found;
    const std::vector<Token> tokens = tokensOf(text);
    const auto is = [&](std::size_t i, const char* t) { return i < tokens.size() && tokens[i].text == t; };
    const auto isName = [&](std::size_t i) { return i < tokens.size() && isWord(tokens[i].text.front()); };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is(i, "__shared__") || is(i, "__constant__")) {
            std::size_t at = i + 1;
            while (is(at, "__align__") || is(at, "alignas"))
                at = behind(tokens, at + 1, "(", ")");
            std::optional<StructLayout> layout;
            if (is(at, "struct") && is(at + 1, "{")) { // without a name
                const std::size_t end = behind(tokens, at + 1, "{", "}");
                layout = bodyOf(tokens, at + 2, end - 1, 1, layouts);
                at = end;
            } else if (const auto type = isName(at) ? layouts.find(tokens[at].text) : layouts.end();
                       type != layouts.end() && !type->second.fields.empty()) {
                layout = type->second;
                ++at;
            }
            if (layout && isName(at) && (is(at + 1, ";") || is(at + 1, "=") || is(at + 1, "{")))
                found.push_back({tokens[at].text, {}, *layout});
            continue;
        }
        // "Ring& ring = *reinterpret_cast<Ring*>(bytes);", "auto* ring = (Ring*)bytes;"
        const bool isCast = is(i, "reinterpret_cast") && is(i + 1, "<");
        if (!isCast && !is(i, "("))
            continue;
        const std::size_t type = isCast ? i + 2 : i + 1;
        const auto layout = isName(type) ? layouts.find(tokens[type].text) : layouts.end();
        if (layout == layouts.end() || layout->second.fields.empty() || !is(type + 1, "*") ||
            !is(type + 2, isCast ? ">" : ")"))
            continue;
        std::size_t bytes = type + 3;
        if (isCast && !is(bytes++, "("))
            continue;
        if (!isName(bytes) || !(is(bytes + 1, isCast ? ")" : ";")) || !(isCast ? is(bytes + 2, ";") : true))
            continue;
        const std::size_t equals = is(i - 1, "*") ? i - 2 : i - 1;
        if (equals > 1 && is(equals, "=") && isName(equals - 1))
            found.push_back({tokens[equals - 1].text, tokens[bytes].text, layout->second});
    }
    return found;
}

std::optional<std::string> memberAt(const StructLayout& layout, std::uint64_t offset, std::uint64_t bytes) {
    for (const StructField& field : layout.fields) {
        const auto each = std::uint64_t(bytesOf(field.element));
        if (each != bytes || offset < field.offset || offset >= field.offset + field.count * each ||
            (offset - field.offset) % each != 0)
            continue;
        std::uint64_t n = (offset - field.offset) / each;
        std::string index;
        for (auto d = field.dimensions.rbegin(); d != field.dimensions.rend(); n /= *d++)
            index.insert(0, "[" + std::to_string(n % *d) + "]");
        return field.name + (field.dimensions.empty() && field.count > 1 ? "[" + std::to_string(n) + "]" : index);
    }
    return std::nullopt;
}

std::optional<StructLayout> layoutOf(const std::string& type, const StructLayouts& layouts) {
    std::vector<std::string> words;
    for (const Token& token : tokensOf(type))
        words.push_back(token.text);
    return typeOf(std::move(words), layouts);
}

} // namespace warpglass::cuda_text
