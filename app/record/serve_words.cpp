// SPDX-License-Identifier: GPL-3.0-or-later
// A call's arguments as words of a command line. What a word could be beside what is meant, an option, a path out of the
// folder, a shell's mark, is refused here; the child that gets the words can open no other files anyhow (serve_calls.cpp).
#include "app/record/serve_tools.h"
#include "app/session/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warpglass::record {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Kind = ArgumentKind;

Error wrong(const ToolArgument& a, std::string what) {
    return Error{.message = std::move(what), .file = std::string(a.name)};
}

bool isLine(const std::string& text) {
    return text.size() <= 4096 &&
           std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isIdentifier(std::string_view text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
           std::all_of(text.begin(), text.end(), isWordCharacter);
}

bool isDefine(std::string_view text) {
    const std::size_t equals = text.find('=');
    constexpr std::string_view marks = " .+-*/%()<>:,";
    return isIdentifier(text.substr(0, equals)) &&
           (equals == std::string_view::npos ||
            std::all_of(text.begin() + std::ptrdiff_t(equals) + 1, text.end(),
                        [&](char c) { return isWordCharacter(c) || marks.find(c) != std::string_view::npos; }));
}

// What is read below the folder by a value: "x:f32[64]=file:data.bin".
bool namesOtherFile(std::string_view value) {
    constexpr std::string_view mark = "file:";
    for (std::size_t at = value.find(mark); at != std::string_view::npos; at = value.find(mark, at + 1)) {
        const std::string_view path = value.substr(at + mark.size());
        if (path.starts_with('/') || path.find("..") != std::string_view::npos)
            return true;
    }
    return false;
}

Result<fs::path> below(const ToolArgument& a, const std::string& given, const ToolPlace& place) {
    std::error_code failed;
    const fs::path path = fs::weakly_canonical(place.root / given, failed);
    const auto [end, rest] = std::mismatch(place.root.begin(), place.root.end(), path.begin(), path.end());
    if (failed || end != place.root.end() || !isLine(given))
        return wrong(a, fmt::format("\"{}\" lies outside of the folder that this server was started in", given));
    return path;
}

bool isPython(const fs::path& path) {
    return path.extension() == ".py";
}

class Reading {
public:
    Reading(const Tool& tool, const ToolPlace& place) : m_tool(tool), m_place(place) {}

    Result<ToolWords> all(const json& arguments) {
        m_made.words = {std::string(m_tool.command)};
        if (!m_tool.runsPrograms)
            m_made.words.emplace_back("--json");
        if (!m_place.allowPrograms && !m_tool.withoutPrograms.empty())
            m_made.words.emplace_back(m_tool.withoutPrograms);
        for (const auto& argument : arguments.items()) {
            const std::string& name = argument.key();
            const auto a = std::find_if(m_tool.arguments.begin(), m_tool.arguments.end(),
                                        [&](const ToolArgument& known) { return known.name == name; });
            if (a == m_tool.arguments.end())
                return Error{.message = fmt::format("{} has no argument \"{}\"", m_tool.name, name)};
            if (auto ok = all(*a, argument.value()); !ok)
                return ok.error();
        }
        int kernels = 0;
        for (const ToolArgument& a : m_tool.arguments) {
            if (a.needed && !arguments.contains(a.name))
                return Error{.message = fmt::format("{} needs \"{}\"", m_tool.name, a.name)};
            kernels += a.option.empty() && arguments.contains(a.name);
        }
        if (m_tool.oneKernel && kernels != 1)
            return Error{.message = "exactly one of kernel, file and source says what is looked at"};
        m_made.words.insert(m_made.words.end(), m_alone.begin(), m_alone.end());
        return m_made;
    }

private:
    Result<void> all(const ToolArgument& a, const json& value) {
        if (!a.many)
            return one(a, value);
        if (!value.is_array())
            return wrong(a, "a list is needed");
        for (const json& each : value)
            if (auto ok = one(a, each); !ok)
                return ok;
        return {};
    }

    Result<void> one(const ToolArgument& a, const json& value) {
        switch (a.kind) {
        case Kind::Flag:
            if (!value.is_boolean())
                return wrong(a, "true or false is needed");
            if (value.get<bool>())
                m_made.words.emplace_back(a.option);
            return {};
        case Kind::Whole:
            if (!value.is_number_unsigned())
                return wrong(a, "a whole number is needed, 0 or more");
            return add(a, value.dump());
        case Kind::Shape:
            return shape(a, value);
        case Kind::Settings:
            if (!value.is_object())
                return wrong(a, "an object of whole numbers is needed");
            for (const auto& [name, number] : value.items()) {
                if (!isIdentifier(name) || !number.is_number_integer())
                    return wrong(a, fmt::format("\"{}\" is not set to a whole number", name));
                (void)add(a, name + "=" + number.dump());
            }
            return {};
        case Kind::Sources:
            return sources(a, value);
        case Kind::Command:
            return command(a, value);
        default:
            if (!value.is_string())
                return wrong(a, "a text is needed");
            return text(a, value.get<std::string>());
        }
    }

    Result<void> text(const ToolArgument& a, const std::string& given) {
        if (a.kind == Kind::Source)
            return source("source", given);
        if (!isLine(given))
            return wrong(a, "one line is needed, without control characters");
        if (!a.words.empty() && std::find(a.words.begin(), a.words.end(), given) == a.words.end())
            return wrong(a, fmt::format("\"{}\" is none of its words", given));
        if (a.kind == Kind::Name && a.option.empty() && !isIdentifier(given))
            return wrong(a, fmt::format("\"{}\" is no name of the catalogue; a file is named by \"file\"", given));
        if (a.kind == Kind::Define && !isDefine(given))
            return wrong(a, fmt::format("\"{}\" is no definition: NAME or NAME=VALUE", given));
        if (a.kind == Kind::Value && namesOtherFile(given))
            return wrong(
                a, fmt::format("\"{}\" names a file outside of the folder that this server was started in", given));
        if (a.kind == Kind::File || a.kind == Kind::Folder || a.kind == Kind::Written)
            return file(a, given);
        return add(a, given);
    }

    Result<void> file(const ToolArgument& a, const std::string& given) {
        const auto path = below(a, given, m_place);
        if (!path)
            return path.error();
        if (isPython(*path) && !m_place.allowPrograms)
            return wrong(
                a, "a Python file is run by this machine's Python, which is allowed by serve --allow-programs alone");
        if (a.kind == Kind::Written) {
            if (path->extension() != ".wgt")
                return wrong(a, "a recording ends in .wgt");
            m_made.written = *path;
        }
        return add(a, path->string());
    }

    // Texts lie under plain names in a folder of the call's own.
    Result<void> source(const std::string& name, const std::string& given) {
        std::size_t at = 0;
        while (at < given.size()) // what stands before PTX: blanks and comments of a line
            if (std::isspace(static_cast<unsigned char>(given[at])) != 0)
                ++at;
            else if (given.compare(at, 2, "//") == 0)
                at = std::min(given.find('\n', at), given.size());
            else
                break;
        const bool isPtx = given.compare(at, 8, ".version") == 0;
        const fs::path path = m_place.scratch / (name + (isPtx ? ".ptx" : ".cu"));
        if (auto ok = session::writeAll(path, given); !ok)
            return ok.error();
        m_alone.push_back(path.string());
        return {};
    }

    Result<void> sources(const ToolArgument& a, const json& value) {
        if (!value.is_object())
            return wrong(a, "an object of texts is needed");
        for (const auto& [name, text] : value.items()) {
            const bool plain = !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
                               std::all_of(name.begin(), name.end(),
                                           [](char c) { return isWordCharacter(c) || c == '-' || c == '.'; });
            if (!plain || !text.is_string())
                return wrong(a, fmt::format("\"{}\" is no plain name of a text", name));
            if (auto ok = source(name, text.get<std::string>()); !ok)
                return ok;
        }
        return {};
    }

    Result<void> shape(const ToolArgument& a, const json& value) {
        std::string words;
        const bool isShape =
            value.is_array() && !value.empty() && value.size() <= 3 &&
            std::all_of(value.begin(), value.end(), [](const json& n) { return n.is_number_unsigned(); });
        if (!isShape)
            return wrong(a, "a list of one to three whole numbers is needed");
        for (const json& n : value)
            words += (words.empty() ? "" : ",") + n.dump();
        return add(a, words);
    }

    Result<void> command(const ToolArgument& a, const json& value) {
        if (!value.is_array() || value.empty())
            return wrong(a, "a list of the program and its words is needed");
        m_alone.emplace_back("--");
        for (const json& word : value) {
            if (!word.is_string() || word.get_ref<const std::string&>().find('\0') != std::string::npos)
                return wrong(a, "its words are texts");
            m_alone.push_back(word.get<std::string>());
        }
        return {};
    }

    // One word with a long option, so that no value is taken for an option.
    Result<void> add(const ToolArgument& a, const std::string& value) {
        if (a.option.empty()) {
            m_alone.push_back(value);
        } else if (a.option.starts_with("--")) {
            m_made.words.push_back(std::string(a.option) + "=" + value);
        } else {
            m_made.words.emplace_back(a.option);
            m_made.words.push_back(value);
        }
        return {};
    }

    const Tool& m_tool;
    const ToolPlace& m_place;
    ToolWords m_made;
    std::vector<std::string> m_alone; // behind the options
};

} // namespace

Result<ToolWords> wordsOf(const Tool& tool, const json& arguments, const ToolPlace& place) {
    if (!arguments.is_object())
        return Error{.message = "the arguments are no object"};
    return Reading(tool, place).all(arguments);
}

} // namespace warpglass::record
