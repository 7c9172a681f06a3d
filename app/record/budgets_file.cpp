// SPDX-License-Identifier: GPL-3.0-or-later
// The file of budgets: the only source that sees the TOML library, whose header takes seconds to compile. The library bounds
// how deep values lie in each other; the size of the file and the number of entries are bounded here.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "app/record/budgets.h"

#include "app/session/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace warpglass::record {

namespace {

constexpr std::string_view lockHead =
    "# What was counted when `warpglass-record expect --update` was last run; it writes all "
    "that follows.\n";

struct Wrong { // thrown by the reader, caught in parseBudgets
    int line = 0;
    std::string message, remedy;
};

int lineOf(const toml::node& node) {
    return int(node.source().begin.line);
}

class BudgetReader {
public:
    explicit BudgetReader(BudgetFile& file) : m_file(file) {
        m_lines.push_back(0);
        for (std::size_t at = 0; at < file.text.size(); ++at)
            if (file.text[at] == '\n')
                m_lines.push_back(at + 1);
    }

    void read(const toml::table& all) {
        onlyKnown(all, {"options", "program_options", "kernel", "program", "lock"}, "the file");
        m_file.options = words(all, "options");
        m_file.programOptions = words(all, "program_options");
        for (const char* kind : {"kernel", "program"})
            for (const toml::table* entry : tables(all, kind))
                addEntry(*entry, kind == std::string_view("program"));
        std::stable_sort(m_file.entries.begin(), m_file.entries.end(),
                         [](const BudgetEntry& a, const BudgetEntry& b) { return a.own.line < b.own.line; });
        if (m_file.entries.empty())
            throw Wrong{1, "nothing is to be run", "Write [[kernel]] or [[program]], with run = \"...\" below."};
        if (const toml::node* lock = all.get("lock"))
            readLock(tableOf(*lock, "lock"));
    }

private:
    static void onlyKnown(const toml::table& table, std::initializer_list<std::string_view> names, const char* what) {
        for (const auto& [key, value] : table)
            if (std::find(names.begin(), names.end(), key.str()) == names.end()) {
                std::string known;
                for (const std::string_view name : names)
                    known += (known.empty() ? "" : ", ") + std::string(name);
                throw Wrong{lineOf(value), fmt::format("{} has no \"{}\"", what, std::string(key.str())),
                            fmt::format("It can have {}.", known)};
            }
    }
    static const toml::table& tableOf(const toml::node& node, std::string_view what) {
        if (const toml::table* table = node.as_table())
            return *table;
        throw Wrong{lineOf(node), fmt::format("\"{}\" is no table", what), {}};
    }
    static std::vector<const toml::table*> tables(const toml::table& in, std::string_view name) {
        std::vector<const toml::table*> all;
        const toml::node* node = in.get(name);
        if (!node)
            return all;
        const toml::array* array = node->as_array();
        if (!array)
            throw Wrong{lineOf(*node), fmt::format("\"{}\" is one table", name), fmt::format("Write [[{}]].", name)};
        for (const toml::node& one : *array)
            all.push_back(&tableOf(one, name));
        return all;
    }
    static std::string textOf(const toml::node& node, std::string_view what) {
        if (const auto text = node.value_exact<std::string>())
            return *text;
        throw Wrong{lineOf(node), fmt::format("\"{}\" is no text", what), "Put it in quotes."};
    }
    static std::vector<std::string> words(const toml::table& in, std::string_view name) {
        const toml::node* node = in.get(name);
        if (!node)
            return {};
        if (const toml::array* array = node->as_array()) {
            std::vector<std::string> all;
            for (const toml::node& one : *array)
                all.push_back(textOf(one, name));
            return all;
        }
        auto split = shellWords(textOf(*node, name));
        if (!split)
            throw Wrong{lineOf(*node), split.error().message.text(), {}};
        return std::move(*split);
    }

    void addEntry(const toml::table& table, bool isProgram) {
        if (m_file.entries.size() >= mostBudgetEntries)
            throw Wrong{lineOf(table), fmt::format("there are more than {} entries", mostBudgetEntries), {}};
        onlyKnown(table, {"name", "run", "same", "budget", isProgram ? "launch" : "budget"},
                  isProgram ? "a program" : "a kernel");
        BudgetEntry entry{.isProgram = isProgram, .words = words(table, "run"), .own = {}, .launches = {}};
        if (entry.words.empty())
            throw Wrong{lineOf(table), "nothing says what is run",
                        fmt::format("Write run = \"...\" with what stands behind `warpglass-record {}`.",
                                    isProgram ? "program" : "run")};
        const auto word = std::find_if(entry.words.begin(), entry.words.end(), [](const auto& w) { return w != "--"; });
        const std::string file = word == entry.words.end() ? "program" : word->substr(word->rfind('/') + 1);
        readLaunch(table, entry.own, file.substr(0, file.rfind('.')));
        for (const toml::table* launch : isProgram ? tables(table, "launch") : std::vector<const toml::table*>()) {
            onlyKnown(*launch, {"kernel", "number", "same", "budget", "name"}, "a launch");
            LaunchBudgets budgets{.name = {}, .same = entry.own.same, .budgets = {}, .kernel = {}, .number = {}};
            if (const toml::node* kernel = launch->get("kernel"))
                budgets.kernel = textOf(*kernel, "kernel");
            if (const toml::node* number = launch->get("number")) {
                const auto value = number->value_exact<std::int64_t>();
                if (!value || *value < 0)
                    throw Wrong{lineOf(*number), "a launch is counted from 0", {}};
                budgets.number = std::uint64_t(*value);
            }
            if (budgets.kernel.empty() && !budgets.number)
                throw Wrong{lineOf(*launch), "nothing says which launch is meant",
                            "Write kernel = \"NAME\", or number = 3."};
            std::string of = budgets.kernel;
            if (budgets.number)
                of += (of.empty() ? "" : "#") + std::to_string(*budgets.number);
            readLaunch(*launch, budgets, entry.own.name + "/" + of);
            entry.launches.push_back(std::move(budgets));
        }
        m_file.entries.push_back(std::move(entry));
    }

    void readLaunch(const toml::table& table, LaunchBudgets& budgets, const std::string& otherwise) {
        budgets.line = lineOf(table);
        const toml::node* name = table.get("name");
        budgets.name = name ? textOf(*name, "name") : otherwise;
        if (!m_names.insert(budgets.name).second)
            throw Wrong{budgets.line, fmt::format("there are two called \"{}\"", budgets.name),
                        "Give one of them a name of its own: name = \"...\"."};
        if (const toml::node* same = table.get("same")) {
            if (const auto flag = same->value_exact<bool>())
                budgets.same = *flag ? Same::Exactly : Same::No;
            else if (textOf(*same, "same") == "or better")
                budgets.same = Same::OrBetter;
            else
                throw Wrong{lineOf(*same), "\"same\" is true, or \"or better\"", {}};
        }
        if (const toml::node* list = table.get("budget"))
            for (const auto& [key, value] : tableOf(*list, "budget"))
                budgets.budgets.push_back(budgetOf(std::string(key.str()), value));
        std::stable_sort(budgets.budgets.begin(), budgets.budgets.end(),
                         [](const Budget& a, const Budget& b) { return a.line < b.line; }); // tables are sorted by name
    }

    // Bytes of the text; columns of TOML are characters.
    std::size_t byteOf(const toml::source_position& at) const {
        if (at.line == 0 || at.line > m_lines.size())
            return m_file.text.size();
        std::size_t byte = m_lines[at.line - 1];
        for (toml::source_index column = 1; column < at.column && byte < m_file.text.size(); ++column)
            do
                ++byte;
            while (byte < m_file.text.size() && (m_file.text[byte] & 0xc0) == 0x80);
        return byte;
    }

    static bool isTime(std::string_view key) { return key == "time" || key == "duration_ns"; }

    Budget budgetOf(const std::string& key, const toml::node& value) {
        Budget budget{.key = key, .wanted = {}, .least = {}, .most = {}, .word = {}, .line = lineOf(value)};
        constexpr std::string_view ours[] = {"time", "spills", "races", "notes", "exit_status", "kernels"};
        if (std::find(std::begin(ours), std::end(ours), key) == std::end(ours)) {
            const auto asked = session::parseExpectation(key + " = 0");
            if (!asked || asked->sides.size() != 2 || asked->sides.front().terms.size() != 1 ||
                !asked->sides.front().terms.front().isFact || !asked->sides.front().value.parts.empty())
                throw Wrong{budget.line, fmt::format("\"{}\" is no number of a launch", key),
                            "docs/expect.md lists them; `warpglass-record run --json` gives the metrics."};
        }
        if (value.is_integer() || value.is_floating_point()) {
            budget.begin = byteOf(value.source().begin);
            budget.end = byteOf(value.source().end);
            budget.wanted = m_file.text.substr(budget.begin, budget.end - budget.begin);
            if (!isPlainNumber(budget.wanted)) // 0x20, 4_096: read as they are, and left so
                budget.begin = budget.end = 0;
            const double number = value.value<double>().value_or(0);
            const std::size_t point = budget.wanted.find('.');
            const double slack =
                point == std::string::npos ? 0 : 0.5 * std::pow(10.0, -double(budget.wanted.size() - point - 1));
            budget.least = number - slack; // equal as far as it is written
            budget.most = number + slack;
            return budget;
        }
        budget.wanted = textOf(value, key);
        readWanted(budget);
        return budget;
    }
    static bool isPlainNumber(std::string_view text) {
        return !text.empty() && text.find_first_not_of("0123456789.-") == std::string_view::npos;
    }

    // "<= 4096", ">= 95", "1000 .. 2000", "1000 +- 5 %", "<= 12 us", "none", "ok".
    static void readWanted(Budget& budget) {
        std::string_view text = budget.wanted;
        const auto trim = [](std::string_view s) {
            while (!s.empty() && s.front() == ' ')
                s.remove_prefix(1);
            while (!s.empty() && s.back() == ' ')
                s.remove_suffix(1);
            return s;
        };
        const auto number = [&](std::string_view s) { return numberOf(budget, trim(s)); };
        text = trim(text);
        if (text.starts_with("<=")) {
            budget.most = number(text.substr(2));
        } else if (text.starts_with(">=")) {
            budget.least = number(text.substr(2));
        } else if (text.starts_with("<") || text.starts_with(">")) {
            throw Wrong{budget.line, fmt::format("\"{}\" leaves its own number out", std::string(text)),
                        "Write <= or >=."};
        } else if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
            budget.least = number(text.substr(0, dots));
            budget.most = number(text.substr(dots + 2));
        } else if (std::size_t within = text.find("+-"); within != std::string_view::npos) {
            const double middle = number(text.substr(0, within));
            std::string_view rest = trim(text.substr(within + 2));
            double slack = 0;
            if (rest.ends_with('%'))
                slack = std::fabs(middle) * number(rest.substr(0, rest.size() - 1)) / 100;
            else
                slack = number(rest);
            budget.least = middle - slack;
            budget.most = middle + slack;
        } else if (text == "none" && budget.key != "check") {
            budget.least = budget.most = 0;
        } else if (!text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos) {
            if (!session::isFactWord(text))
                throw Wrong{
                    budget.line,
                    fmt::format("\"{}\" is no number and no word that \"{}\" may be", std::string(text), budget.key),
                    {}};
            budget.word = text;
        } else {
            budget.least = budget.most = number(text.starts_with("=") ? text.substr(1) : text);
        }
        if (budget.least && budget.most && *budget.least > *budget.most)
            throw Wrong{budget.line, fmt::format("\"{}\" leaves no number", budget.wanted), {}};
    }

    static double numberOf(const Budget& budget, std::string_view text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        std::string_view unit = text.substr(std::size_t(end - text.data()));
        while (unit.starts_with(' '))
            unit.remove_prefix(1);
        constexpr std::pair<std::string_view, double> units[] = {{"ns", 1},          {"us", 1e3}, {"\xc2\xb5s", 1e3},
                                                                 {"\xce\xbcs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
        if (isTime(budget.key))
            for (const auto& [name, ns] : units)
                if (unit == name) {
                    value *= ns;
                    unit = {};
                    break;
                }
        if (error != std::errc{} || !unit.empty() || !std::isfinite(value))
            throw Wrong{budget.line, fmt::format("\"{}\" is no number", std::string(text)),
                        isTime(budget.key) ? "Times are written as 850 ns, 12.5 us or 3 ms."
                                           : "Write 4096, \"<= 4096\", \"1000 .. 2000\" or \"1000 +- 5 %\"."};
        return value;
    }

    static std::uint64_t countOf(const toml::node& node) {
        return std::uint64_t(std::max<std::int64_t>(0, node.value_exact<std::int64_t>().value_or(0)));
    }

    static LineCount lineOfLock(const toml::table& row) {
        LineCount line;
        if (const toml::node* at = row.get("line"))
            line.line = std::uint32_t(countOf(*at));
        if (const toml::node* code = row.get("code"))
            line.code = textOf(*code, "code");
        for (std::size_t c = 0; c < lineColumns; ++c)
            if (const toml::node* count = row.get(nameOf(LineColumn(c))))
                line.counts[c] = countOf(*count);
        return line;
    }

    static LaunchNumbers numbersOfLock(const toml::table& lock) {
        LaunchNumbers numbers;
        std::vector<std::pair<std::string, const toml::node*>> rows; // in the order of the file
        for (const auto& [key, value] : lock)
            rows.emplace_back(key.str(), &value);
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return lineOf(*a.second) < lineOf(*b.second); });
        for (const auto& [key, value] : rows)
            if (key == "time_ns")
                numbers.timeNs = value->value<double>().value_or(0);
            else if (key == "compiler")
                numbers.compiler = textOf(*value, "compiler");
            else if (key != "lines")
                numbers.sums.emplace_back(key, countOf(*value));
            else if (const toml::array* lines = value->as_array())
                for (const toml::node& row : *lines)
                    numbers.lines.push_back(lineOfLock(tableOf(row, "lines")));
        return numbers;
    }

    void readLock(const toml::table& lock) {
        for (const auto& [name, value] : lock)
            m_file.before.emplace(name.str(), numbersOfLock(tableOf(value, name.str())));
    }

    BudgetFile& m_file;
    std::vector<std::size_t> m_lines; // where each begins
    std::set<std::string> m_names;
};

// Keys of many parts make tables in each other, which the library bounds no more than its stack: a line with more dots outside
// of strings and comments than any key has, or 0. Strings are passed over as TOML has them, so that nothing hides behind one.
int lineOfDeepKey(std::string_view text) {
    constexpr int mostDots = 32;
    int line = 1, dots = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '#')
            at = std::min(text.find('\n', at), text.size()) - 1;
        else if (c == '\n') {
            ++line;
            dots = 0;
        } else if (c == '.' && ++dots > mostDots) {
            return line;
        } else if (c == '"' || c == '\'') {
            const std::string three(3, c);
            const bool isLong = text.substr(at, 3) == three;
            for (at += isLong ? 3 : 1; at < text.size(); ++at) {
                if (c == '"' && text[at] == '\\') {
                    line += text.substr(++at, 1) == "\n";
                } else if (text[at] == '\n' && !isLong) {
                    --at;
                    break;
                } else if (isLong ? text.substr(at, 3) == three : text[at] == c) {
                    at += isLong ? 2 : 0;
                    for (int more = 0; isLong && more < 2 && at + 1 < text.size() && text[at + 1] == c; ++more)
                        ++at; // quotes before the closing ones
                    break;
                } else if (text[at] == '\n') {
                    ++line;
                }
            }
        }
    }
    return 0;
}

// A basic string of TOML.
std::string quotedText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    return out + "\"";
}

std::string lockOf(const std::string& name, const LaunchNumbers& numbers) {
    std::string text = fmt::format("\n[lock.{}]\n", quotedText(name));
    for (const auto& [key, value] : numbers.sums)
        text += fmt::format(
            "{} = {}\n",
            key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos ? key : quotedText(key), value);
    if (numbers.timeNs > 0)
        text += fmt::format("time_ns = {:.1f}\n", numbers.timeNs);
    if (!numbers.compiler.empty())
        text += fmt::format("compiler = {}\n", quotedText(numbers.compiler));
    if (numbers.lines.empty())
        return text;
    text += "lines = [\n";
    for (const LineCount& line : numbers.lines) {
        text += fmt::format("  {{ line = {}", line.line);
        for (std::size_t c = lineColumns; c-- > 0;)
            if (line.counts[c] > 0)
                text += fmt::format(", {} = {}", nameOf(LineColumn(c)), line.counts[c]);
        text += fmt::format(", code = {} }},\n", quotedText(line.code));
    }
    return text + "]\n";
}

} // namespace

Result<std::vector<std::string>> shellWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inWord = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\'' || c == '"') {
            inWord = true;
            for (++at; at < text.size() && text[at] != c; ++at) {
                if (c == '"' && text[at] == '\\' && at + 1 < text.size() &&
                    (text[at + 1] == '"' || text[at + 1] == '\\'))
                    ++at;
                word += text[at];
            }
            if (at >= text.size())
                return Error{.message = fmt::format("a {} is not closed", c)};
        } else if (c == '\\' && at + 1 < text.size()) {
            inWord = true;
            if (text[++at] != '\n')
                word += text[at];
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (inWord)
                words.push_back(std::move(word));
            word.clear();
            inWord = false;
        } else {
            inWord = true;
            word += c;
        }
    }
    if (inWord)
        words.push_back(std::move(word));
    return words;
}

Result<BudgetFile> parseBudgets(std::string text, const std::string& name) {
    BudgetFile file;
    file.name = name;
    file.text = std::move(text);
    if (file.text.size() > mostBudgetBytes)
        return Error{.message = fmt::format("the file has more than {} MiB", mostBudgetBytes >> 20), .file = name};
    if (const int line = lineOfDeepKey(file.text))
        return Error{.message = "a key has more parts than any here", .file = name, .line = line};
    const toml::parse_result parsed = toml::parse(std::string_view(file.text));
    if (!parsed)
        return Error{.message = std::string(parsed.error().description()),
                     .file = name,
                     .line = int(parsed.error().source().begin.line),
                     .column = int(parsed.error().source().begin.column)};
    try {
        BudgetReader(file).read(parsed.table());
    } catch (const Wrong& wrong) {
        return Error{.message = wrong.message, .file = name, .line = wrong.line, .remedy = wrong.remedy};
    }
    return file;
}

std::string updatedText(const BudgetFile& file, const std::map<std::string, LaunchNumbers>& now,
                        std::vector<NumberNow> numbers) {
    std::string text = file.text;
    std::sort(numbers.begin(), numbers.end(),
              [](const NumberNow& a, const NumberNow& b) { return a.budget->begin > b.budget->begin; });
    for (const NumberNow& n : numbers) {
        if (n.budget->begin == n.budget->end)
            continue;
        const std::size_t point = n.budget->wanted.find('.');
        const int digits = point == std::string::npos ? 0 : int(n.budget->wanted.size() - point - 1);
        text.replace(n.budget->begin, n.budget->end - n.budget->begin,
                     digits == 0 && n.value != std::floor(n.value) ? fmt::format("{:.2f}", n.value)
                                                                   : fmt::format("{:.{}f}", n.value, digits));
    }
    text.resize(std::min({text.size(), text.find(lockHead), text.find("\n[lock.")}));
    while (text.ends_with("\n\n"))
        text.pop_back();
    if (!text.empty() && text.back() != '\n')
        text += '\n';
    if (now.empty())
        return text;
    text += "\n" + std::string(lockHead);
    for (const auto& [name, of] : now)
        text += lockOf(name, of);
    return text;
}

} // namespace warpglass::record
