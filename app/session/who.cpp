// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/who.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/quantity.h"
#include "gpu/base/whole_number.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/launch/source_tokens.h"
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <regex>

namespace warpglass::session {

using namespace cuda_text;

namespace {

// The names of a kernel's parameters as its source has them, in order; none where they are not found.
std::vector<std::string> parameterNames(const std::string& source, const std::string& kernel) {
    const std::vector<Token> tokens = tokensOf(source);
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        if (tokens[at].text != kernel || tokens[at + 1].text != "(")
            continue;
        const std::size_t end = behind(tokens, at + 1, "(", ")");
        if (end >= tokens.size() || tokens[end].text != "{") // a call, or a declaration
            continue;
        std::vector<std::string> names;
        std::string last;
        int depth = 0;
        for (std::size_t k = at + 2; k < end; ++k) {
            const std::string& text = tokens[k].text;
            depth += text == "(" || text == "<" || text == "[" ? 1 : text == ")" || text == ">" || text == "]" ? -1 : 0;
            if ((text == "," && depth == 0) || k + 1 == end)
                names.push_back(std::exchange(last, {}));
            else if (depth == 0 && isWord(text[0]))
                last = text;
        }
        return names;
    }
    return {};
}

// "gather(int const*)" or "gather<4>" -> "gather".
std::string bareName(const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find_first_of("(<"));
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

// Of a launch that a recording keeps: what the pointer of that name, or of that number (p0), points to.
std::optional<std::uint64_t> pointerOf(const LaunchPlan& plan, const std::string& name) {
    const auto kept = std::find_if(plan.kept->areas.begin(), plan.kept->areas.end(),
                                   [](const KeptArea& a) { return a.role == KeptRole::Parameters; });
    if (kept == plan.kept->areas.end())
        return std::nullopt;
    std::size_t word = 0;
    for (auto area = plan.kept->areas.begin(); area != kept; ++area)
        word += area->words();
    const auto words = plan.kept->words.rows(word, kept->words());
    const auto bytes = std::as_bytes(words);
    const auto module = ptx::parseJoined(plan.ptx, plan.moduleName);
    const ptx::Function* const entry = module ? module->findFunction(plan.entry) : nullptr;
    if (!entry)
        return std::nullopt;
    const std::vector<std::string> names = parameterNames(plan.source, bareName(plan.kernelName));
    std::uint64_t at = 0;
    for (std::size_t n = 0; n < entry->params.size(); ++n) {
        const ptx::Variable& p = entry->params[n];
        const std::uint64_t alignment = std::max<std::uint64_t>(
            1, p.alignment ? std::uint64_t(p.alignment) : std::uint64_t(ptx::bytesOf(p.type)) * p.vector);
        at = (at + alignment - 1) / alignment * alignment;
        const bool isMeant = name == fmt::format("p{}", n) || (n < names.size() && names[n] == name);
        if (isMeant && p.sizeBytes() == 8 && at + 8 <= bytes.size()) {
            std::uint64_t address = 0;
            std::memcpy(&address, bytes.data() + at, 8);
            return address;
        }
        at += p.sizeBytes();
    }
    return std::nullopt;
}

// Whether the source declares that name as one of floats, or doubles: code that only moves them says nothing of it.
std::string typeOf(const std::string& source, const std::string& name) {
    const std::vector<Token> tokens = tokensOf(source);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].text != name)
            continue;
        for (std::size_t k = at; k-- > 0;) {
            const std::string& text = tokens[k].text;
            if (text == "float" || text == "double")
                return text;
            if (!isWord(text[0]) && text != "*" && text != "&")
                break;
        }
    }
    return {};
}
std::string asTyped(const std::string& value, const std::string& type) {
    const auto bits = wholeNumber<std::int64_t>(value);
    if (!bits)
        return value;
    if (type == "float" && *bits == std::int32_t(*bits))
        return fmt::format("{:#}", std::bit_cast<float>(std::int32_t(*bits)));
    return type == "double" ? fmt::format("{:#}", std::bit_cast<double>(*bits)) : value;
}

std::string namesOf(const LaunchPlan& plan) {
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    if (plan.kept)
        for (const std::string& name : parameterNames(plan.source, bareName(plan.kernelName)))
            if (pointerOf(plan, name))
                add(name);
    for (const Argument& a : plan.arguments)
        if (!a.name.empty())
            add(a.name);
    return names;
}

// What stands inside of a sentence that says who and where.
const Message* inner(const Message& message, std::size_t n) {
    if (n >= message.arguments.size())
        return nullptr;
    const auto* const parts = std::get_if<std::vector<Message>>(&message.arguments[n]);
    return parts && !parts->empty() ? &parts->front() : nullptr;
}
std::string wordAt(const Message& message, std::size_t n) {
    const auto* const text = n < message.arguments.size() ? std::get_if<std::string>(&message.arguments[n]) : nullptr;
    return text ? *text : std::string();
}
std::uint64_t numberAt(const Message& message, std::size_t n) {
    const auto* const number =
        n < message.arguments.size() ? std::get_if<std::uint64_t>(&message.arguments[n]) : nullptr;
    return number ? *number : 0;
}

void take(const Diagnostic& d, Who& found) {
    const Message whole = d.message.message();
    if (whole.id == say::VariableSets.id) {
        found.writes = numberAt(whole, 0);
        found.known = numberAt(whole, 2);
        found.scope = numberAt(whole, 3);
        return;
    }
    if (whole.id == say::WordUses.id) {
        found.reads = numberAt(whole, 0);
        found.writes = numberAt(whole, 1);
        return;
    }
    const Message* const what = whole.id == say::OfThread.id ? inner(whole, 0) : nullptr;
    if (!what)
        return;
    WordUse use;
    if (what->id == say::VariableSet.id || what->id == say::VariableHeld.id) {
        use.does = what->id == say::VariableSet.id ? "sets" : "has";
        use.name = wordAt(*what, 0);
    } else if (what->id != say::WordUsed.id) {
        return;
    } else if (const Message* const does = inner(*what, 0)) {
        use.does = Said(*does).text();
    }
    use.value = wordAt(*what, 1);
    use.step = numberAt(*what, 2);
    use.time = numberAt(*what, 3);
    use.kernel = wordAt(whole, 1);
    use.block = wordAt(whole, 2);
    use.thread = wordAt(whole, 3);
    if (const Message* const place = inner(whole, 4))
        use.place = Said(*place).text();
    use.told = d;
    found.uses.push_back(std::move(use));
}

} // namespace

Result<WatchedWord> parseWord(const std::string& text) {
    static const std::regex form(
        R"(\s*(0x[0-9a-fA-F]+|[A-Za-z_]\w*)\s*(?:\[\s*(\d+)\s*\])?\s*(?:of\s+block\s+(\d+))?\s*)");
    const Error bad{.message = say::NoWordOfMemory(text), .file = "--word", .remedy = say::WriteAWord};
    std::smatch found;
    if (!std::regex_match(text, found, form))
        return bad;
    WatchedWord word;
    const std::string name = found[1];
    if (name.starts_with("0x")) {
        if (name.size() > 18)
            return bad;
        word.base = std::stoull(name, nullptr, 16);
    } else {
        word.object = name;
        word.index = 0;
    }
    if (found[2].matched) {
        const auto index = wholeNumber<std::uint64_t>(found[2].str());
        if (!index || *index > std::uint64_t(1) << 48)
            return bad;
        word.index = *index;
    }
    if (found[3].matched) {
        const auto block = wholeNumber<std::uint64_t>(found[3].str());
        if (!block)
            return bad;
        word.shared = true;
        word.block = *block;
    }
    return word;
}

Result<WatchedVariable> parseVariable(const std::string& text) {
    static const std::regex form(R"(\s*([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*|\[\d+\])*)\s*(?:at\s+line\s+(\d+))?)"
                                 R"((?:\s*(?:of\s+)?block\s+(\d+))?(?:\s*(?:of\s+)?(warp|thread)\s+(\d+))?\s*)");
    const Error bad{.message = say::NoWordOfMemory(text), .file = "--word", .remedy = say::WriteAWord};
    std::smatch found;
    if (text.size() > 500 || !std::regex_match(text, found, form))
        return bad;
    WatchedVariable variable{.name = found[1], .path = found[2]};
    if (found[3].matched) {
        const auto line = wholeNumber<std::uint32_t>(found[3].str());
        if (!line || *line == 0)
            return bad;
        variable.line = *line;
    }
    if (found[4].matched && !(variable.block = wholeNumber<std::uint64_t>(found[4].str())))
        return bad;
    if (found[5].matched &&
        !((found[5] == "warp" ? variable.warp : variable.thread) = wholeNumber<std::uint32_t>(found[6].str())))
        return bad;
    return variable;
}

Result<void> checkWord(const std::string& text) {
    if (const auto word = parseWord(text); word || parseVariable(text))
        return {};
    else
        return word.error();
}

namespace {

// What only a variable of a function's is asked like, or one that the debug information has, which is no parameter.
bool meansVariable(const LaunchPlan& plan, const std::string& word) {
    const auto variable = parseVariable(word);
    if (!variable)
        return false;
    if (!parseWord(word))
        return true;
    if (plan.ptx.find(".debug_info") == std::string::npos)
        return false;
    const auto module = ptx::parseJoined(plan.ptx, plan.moduleName);
    if (!module)
        return false;
    const ptx::DebugInfo info = ptx::debugInfo(*module, plan.ptx);
    return std::any_of(info.variables.begin(), info.variables.end(), [&](const ptx::DebugInfo::Variable& v) {
        const auto part = ptx::partOf(info, v.type, "");
        return v.name == variable->name && part && part->type < info.types.size() &&
               (!v.isParameter || info.types[part->type].kind != ptx::DebugInfo::Type::Kind::Pointer) &&
               std::any_of(v.places.begin(), v.places.end(), [&](const ptx::DebugInfo::Place& p) {
                   return p.kind != ptx::DebugInfo::Place::Kind::Memory || p.name.starts_with("__local_depot") ||
                          v.isParameter; // no shared memory
               });
    });
}

} // namespace

Result<Who> who(RunRequest request, LaunchPlan plan, const std::string& word, Progress& progress, bool inItsTime) {
    const bool isVariable = meansVariable(plan, word);
    auto asked = isVariable ? Result<WatchedWord>(WatchedWord{}) : parseWord(word);
    if (!asked)
        return asked.error();
    const std::string type = typeOf(plan.source, asked->object);
    if (plan.kept && !asked->shared && !asked->object.empty())
        if (const auto address = pointerOf(plan, asked->object)) {
            asked->base = *address;
            asked->object.clear();
        }
    if (isVariable)
        request.options.variable = *parseVariable(word);
    else
        request.options.word = *asked;
    request.options.threads = 1;
    request.options.timing = request.options.timing && inItsTime && isVariable;
    request.options.results = false;
    request.options.detail = {Detail::Kind::None, {}, false};
    auto recording = runPlan(request, plan, progress);
    if (!recording) {
        Error error = recording.error();
        const std::string names = namesOf(plan);
        if (error.message.id() == say::NoWordOf.id && !names.empty())
            error.remedy = say::OneAfterAnother(say::WordsThereAre(names), say::CompileDebug);
        return error;
    }
    Who found;
    found.isVariable = isVariable;
    found.word = word;
    found.faulted = recording->fault.has_value();
    for (const Diagnostic& d : recording->trace->diagnostics)
        take(d, found);
    std::uint64_t number = found.reads + found.writes;
    for (WordUse& use : found.uses) {
        use.number = number--;
        if (!isVariable)
            use.value = asTyped(use.value, type);
    }
    return found;
}

nlohmann::ordered_json whoJson(const Who& who) {
    nlohmann::ordered_json object{{"word", who.word},
                                  {"reads", who.reads},
                                  {"writes", who.writes},
                                  {"faulted", who.faulted},
                                  {"uses", nlohmann::ordered_json::array()}};
    for (const WordUse& u : who.uses) {
        nlohmann::ordered_json use{
            {"number", u.number}, {"does", u.does},     {"value", u.value}, {"kernel", u.kernel},
            {"block", u.block},   {"thread", u.thread}, {"place", u.place}, {"ptx_line", u.told.ptxLine}};
        if (who.isVariable)
            use["variable"] = u.name;
        if (u.told.source.line > 0)
            use["line"] = u.told.source.line;
        use["step"] = u.step;
        use["address"] = fmt::format("{:#x}", u.told.address);
        object["uses"].push_back(std::move(use));
    }
    if (who.isVariable)
        object["scope"] = {{"instructions", who.scope}, {"known", who.known}};
    return object;
}

std::string whoText(const Who& who) {
    const std::uint64_t all = who.reads + who.writes;
    if (all == 0)
        return fmt::format("{}: {}\n", who.word,
                           who.isVariable ? "it has no value in this launch that is known"
                                          : "nobody reads or writes it in this launch");
    std::string text = who.isVariable ? fmt::format("{}: {}; the last first\n", who.word, quantity(who.writes, "value"))
                                      : fmt::format("{}: {}, {}; the last first\n", who.word,
                                                    quantity(who.writes, "write"), quantity(who.reads, "read"));
    std::size_t value = 0, name = 0;
    for (const WordUse& u : who.uses) {
        value = std::max(value, u.value.size());
        name = std::max(name, u.name.size());
    }
    for (const WordUse& u : who.uses)
        text += fmt::format("{:>6}  {} {:>{}}  block {}, thread {}, step {} of its warp, {}\n", u.number,
                            who.isVariable ? fmt::format("{:<{}} {}", u.name, name, u.does == "has" ? "is" : "=")
                                           : fmt::format("{:<7}", u.does),
                            u.value, value, u.block, u.thread, u.step, u.place);
    if (all > who.uses.size())
        text +=
            fmt::format("        {} before these\n", quantity(all - who.uses.size(), who.isVariable ? "value" : "use"));
    if (who.isVariable && who.known < who.scope)
        text += fmt::format(
            "Not known at {} of the {} of its scope: the debug information does not say where it is there.\n",
            who.scope - who.known, quantity(who.scope, "instruction"));
    return text;
}

} // namespace warpglass::session
