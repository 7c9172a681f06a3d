// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/ncu_csv.h"

#include "gpu/base/messages/files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

namespace warpglass::profilers {

namespace {

using Record = std::vector<std::string>;

constexpr std::size_t mostLaunches = 100'000, mostInstructions = 4'000'000;

// The parts of ncu's short names that differ from those of CUPTI's reasons.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> reasons{
    {{"dispatch", "dispatch_stall"},
     {"imc", "imc_miss"},
     {"lg", "lg_throttle"},
     {"long_sb", "long_scoreboard"},
     {"math", "math_pipe_throttle"},
     {"mio", "mio_throttle"},
     {"no_inst", "no_instructions"},
     {"short_sb", "short_scoreboard"},
     {"sleep", "sleeping"},
     {"tex", "tex_throttle"},
     {"gmma", "warpgroup_arrive"},
     {"branch_resolve", "branch_resolving"}}};

std::string cuptiReason(std::string_view shortName) {
    std::string_view reason = shortName;
    for (const auto& [ours, cupti] : reasons)
        if (shortName == ours)
            reason = cupti;
    return "smsp__pcsamp_warps_issue_stalled_" + std::string(reason);
}

// A row of theirs: every field between quotes, and a quote of a line of source stands in it as it is. What else the program
// printed comes as one field.
Record nextRecord(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.ends_with('\r'))
        row.remove_suffix(1);
    if (row.ends_with(',')) // behind the name of a kernel
        row.remove_suffix(1);
    if (row.size() < 2 || !row.starts_with('"') || !row.ends_with('"'))
        return {std::string(row)};
    Record fields;
    constexpr std::string_view between = "\",\"";
    row = row.substr(1, row.size() - 2);
    for (std::size_t at = 0; at <= row.size();) {
        const std::size_t next = std::min(row.find(between, at), row.size());
        fields.emplace_back(row.substr(at, next - at));
        at = next + between.size();
    }
    return fields;
}

// "9,306.51", "19.232000": nothing for words.
std::optional<double> numberOf(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != ',')
            digits += c;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::uint64_t countOf(std::string_view text) {
    const auto value = numberOf(text);
    return value && *value >= 0 && *value < 1e18 ? std::uint64_t(*value) : 0;
}

// "(32, 8, 1)"
Dim3 shapeOf(std::string_view text) {
    std::array<std::uint32_t, 3> sides{1, 1, 1};
    std::size_t side = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end && side < sides.size()) {
        const auto [behind, error] = std::from_chars(at, end, sides[side]);
        at = error == std::errc() ? behind : at + 1;
        side += error == std::errc() ? 1 : 0;
    }
    return {sides[0], sides[1], sides[2]};
}

// ncu takes the prefix that makes a number short; here all are in the unit itself.
void toBaseUnit(NcuMetric& metric) {
    struct Unit {
        std::string_view from, to;
        double factor;
    };
    constexpr std::array<Unit, 19> units{{
        {"s", "ns", 1e9},        {"second", "ns", 1e9},   {"ms", "ns", 1e6},       {"msecond", "ns", 1e6},
        {"us", "ns", 1e3},       {"usecond", "ns", 1e3},  {"nsecond", "ns", 1},    {"byte", "B", 1},
        {"Kbyte", "B", 1e3},     {"Mbyte", "B", 1e6},     {"Gbyte", "B", 1e9},     {"byte/s", "B/s", 1},
        {"Kbyte/s", "B/s", 1e3}, {"Mbyte/s", "B/s", 1e6}, {"Gbyte/s", "B/s", 1e9}, {"Tbyte/s", "B/s", 1e12},
        {"Khz", "Hz", 1e3},      {"Mhz", "Hz", 1e6},      {"Ghz", "Hz", 1e9},
    }};
    std::string_view unit = metric.unit, behind;
    if (const std::size_t slash = unit.find("/block"); slash != std::string_view::npos) {
        behind = unit.substr(slash);
        unit = unit.substr(0, slash);
    }
    std::string scaled(unit);
    if (scaled.ends_with("/second"))
        scaled.replace(scaled.size() - 6, 6, "s");
    for (const Unit& known : units)
        if (scaled == known.from) {
            metric.value *= known.factor;
            metric.unit = std::string(known.to) + std::string(behind);
            return;
        }
}

// Which field is which, by a heading.
class Heading {
public:
    explicit Heading(Record names) : m_names(std::move(names)) {}
    std::size_t size() const { return m_names.size(); }
    const std::string& name(std::size_t field) const { return m_names[field]; }
    // The n-th field of this name, from 0; nothing: there is none.
    std::optional<std::size_t> find(std::string_view name, int n = 0) const {
        for (std::size_t field = 0; field < m_names.size(); ++field)
            if (m_names[field] == name && n-- == 0)
                return field;
        return std::nullopt;
    }

private:
    Record m_names;
};

const std::string& fieldOf(const Heading& heading, const Record& record, std::string_view name) {
    static const std::string none;
    const auto field = heading.find(name);
    return field && *field < record.size() ? record[*field] : none;
}

NcuLaunch launchOf(const Heading& heading, const Record& record) {
    NcuLaunch launch;
    launch.process = countOf(fieldOf(heading, record, "Process ID"));
    launch.isMeasured = fieldOf(heading, record, "Host Name") != modelledHost;
    launch.processName = fieldOf(heading, record, "Process Name");
    launch.kernel = fieldOf(heading, record, "Kernel Name");
    launch.stream = std::uint32_t(countOf(fieldOf(heading, record, "Stream")));
    launch.device = std::uint32_t(countOf(fieldOf(heading, record, "Device")));
    launch.block = shapeOf(fieldOf(heading, record, "Block Size"));
    launch.grid = shapeOf(fieldOf(heading, record, "Grid Size"));
    const std::string& capability = fieldOf(heading, record, "CC");
    const char* const end = capability.data() + capability.size();
    const auto [point, error] = std::from_chars(capability.data(), end, launch.ccMajor);
    if (error == std::errc() && point + 1 < end)
        std::from_chars(point + 1, end, launch.ccMinor);
    return launch;
}

void addMetric(NcuLaunch& launch, const std::string& name, const std::string& unit, const std::string& value) {
    if (name == "device__attribute_display_name")
        launch.deviceName = value;
    // What is sampled over the time of a launch has the same name behind that of its group: "SM_A.TriageCompute.sm__...".
    const auto number = numberOf(value);
    if (!number || name.find("__") == std::string::npos || (name[0] >= 'A' && name[0] <= 'Z'))
        return;
    launch.metrics.push_back({name, unit, *number});
    toBaseUnit(launch.metrics.back());
}

class Reader {
public:
    Reader(NcuReport& report, std::string_view csv, const std::string& file)
        : m_report(report), m_rest(csv), m_file(file) {}

    Result<void> read() {
        bool any = false;
        while (!m_rest.empty()) {
            ++m_line;
            Record record = nextRecord(m_rest);
            Result<bool> taken = take(std::move(record));
            if (!taken)
                return taken.error();
            any = any || *taken;
        }
        if (!any)
            return Error{say::ReportNotNcu, m_file, 0, 0, say::ReportRaw};
        return {};
    }

private:
    enum class Page { None, Raw, Rows, Source, Text };

    Error problem(const Message& what) const { return Error{what, m_file, m_line}; }

    // true: the record is the beginning of a page, or part of one.
    Result<bool> take(Record record) {
        if (record.size() == 1 && record[0].empty())
            return m_page != Page::None;
        if (record[0] == "ID")
            return startTable(std::move(record));
        if (record[0] == "Kernel Name" || record[0] == "Function Name") {
            startCode(record.size() > 1 ? record[1] : "");
            return true;
        }
        if (record[0] == "File Path" || record[0] == "File Name") {
            m_path = record.size() > 1 ? record[1] : "";
            m_page = Page::None;
            return true;
        }
        if (record[0] == "Line No" || record[0] == "Address") {
            m_heading = Heading(std::move(record));
            const bool hasCode = m_heading.find("Address").has_value();
            m_page = hasCode ? Page::Source : Page::Text;
            if (hasCode)
                startFile();
            return true;
        }
        if (m_page == Page::None)
            return false; // what the program itself printed
        if (record.size() < 2 && m_page != Page::Text) {
            m_page = Page::None; // likewise, behind the table
            return false;
        }
        return takeRow(record);
    }

    Result<bool> startTable(Record record) {
        m_heading = Heading(std::move(record));
        if (m_heading.find("Metric Name") && m_heading.find("Rule Name"))
            return Error{say::ReportDetails, m_file, m_line, 0, say::ReportRaw};
        m_page = m_heading.find("Metric Name") ? Page::Rows : Page::Raw;
        m_units.clear();
        m_last.clear();
        return true;
    }

    void startCode(const std::string& kernel) {
        m_kernel = kernel;
        m_page = Page::None;
    }

    // A function's rows come file by file: the same file again is the next launch's.
    void startFile() {
        const auto isAnother = [&](const NcuCode& code) {
            return code.kernel != m_kernel || std::ranges::find(code.files, m_path) != code.files.end();
        };
        if (!m_ownCode || isAnother(m_report.codes.back())) {
            m_report.codes.push_back({m_kernel, {}, {}});
            m_places.clear();
            m_ownCode = true;
        }
        m_report.codes.back().files.push_back(m_path);
        m_sourceLine = 0;
    }

    Result<bool> takeRow(const Record& record) {
        switch (m_page) {
        case Page::Raw:
            return takeRaw(record);
        case Page::Rows:
            return takeMetric(record);
        case Page::Source:
            return takeInstruction(record);
        default:
            return takeLine(record);
        }
    }

    Result<bool> checkWidth(const Record& record) {
        // A heading may end with an empty field that rows do not have.
        if (record.size() > m_heading.size() || record.size() + 1 < m_heading.size())
            return problem(say::ReportRow(record.size(), m_heading.size()));
        return true;
    }

    Result<bool> takeRaw(const Record& record) {
        if (auto ok = checkWidth(record); !ok)
            return ok;
        if (record[0].empty()) { // the line of units, below the heading
            m_units = record;
            return true;
        }
        if (m_report.launches.size() >= mostLaunches)
            return problem(say::ReportTooLong(mostLaunches));
        NcuLaunch launch = launchOf(m_heading, record);
        for (std::size_t field = 0; field < record.size(); ++field)
            addMetric(launch, m_heading.name(field), field < m_units.size() ? m_units[field] : "", record[field]);
        m_report.launches.push_back(std::move(launch));
        return true;
    }

    Result<bool> takeMetric(const Record& record) {
        if (auto ok = checkWidth(record); !ok)
            return ok;
        const std::string key = record[0] + ' ' + fieldOf(m_heading, record, "Process ID");
        if (key != m_last) {
            if (m_report.launches.size() >= mostLaunches)
                return problem(say::ReportTooLong(mostLaunches));
            m_report.launches.push_back(launchOf(m_heading, record));
            m_last = key;
        }
        addMetric(m_report.launches.back(), fieldOf(m_heading, record, "Metric Name"),
                  fieldOf(m_heading, record, "Metric Unit"), fieldOf(m_heading, record, "Metric Value"));
        return true;
    }

    // Under a line of the source stand the instructions that were made of it; the line itself has their sum, and no address.
    Result<bool> takeInstruction(const Record& record) {
        if (record.size() > m_heading.size() && record[0].find_first_not_of("0123456789") == std::string::npos) {
            m_sourceLine = std::uint32_t(std::min<std::uint64_t>(countOf(record[0]), 10'000'000));
            return true; // a line of the source that has the mark between fields in it
        }
        if (auto ok = checkWidth(record); !ok)
            return ok;
        if (const std::uint64_t line = countOf(fieldOf(m_heading, record, "Line No"))) {
            m_sourceLine = std::uint32_t(std::min<std::uint64_t>(line, 10'000'000));
            keepLine(fieldOf(m_heading, record, "Source"));
        }
        const std::string& address = fieldOf(m_heading, record, "Address");
        std::uint64_t place = 0;
        if (!address.starts_with("0x") ||
            std::from_chars(address.data() + 2, address.data() + address.size(), place, 16).ec != std::errc())
            return true;
        NcuCode& code = m_report.codes.back();
        if (!m_places.insert(place).second)
            return true; // told already: below the line that it was inlined into, say
        if (++m_instructions > mostInstructions)
            return problem(say::ReportTooLong(mostInstructions));
        NcuInstruction instruction;
        instruction.offset = place; // from the function's beginning once it is known
        const auto text = m_heading.find("Source", m_heading.find("Line No") ? 1 : 0);
        if (text && *text < record.size())
            instruction.text =
                record[*text].substr(std::min(record[*text].find_first_not_of(' '), record[*text].size()));
        instruction.file = std::uint32_t(code.files.size() - 1);
        instruction.line = m_sourceLine;
        constexpr std::string_view stall = "stall_";
        for (std::size_t field = 0; field < record.size(); ++field) {
            const std::string_view name = m_heading.name(field);
            const std::uint64_t samples =
                name.starts_with(stall) && name.find('(') == std::string_view::npos ? countOf(record[field]) : 0;
            if (samples > 0)
                instruction.stalls.emplace_back(cuptiReason(name.substr(stall.size())), samples);
        }
        code.code.push_back(std::move(instruction));
        return true;
    }

    Result<bool> takeLine(const Record& record) {
        m_sourceLine = std::uint32_t(std::min<std::uint64_t>(countOf(record[0]), 10'000'000));
        std::string text = record.size() > 1 ? record[1] : "";
        for (std::size_t n = 2; n < record.size() && m_heading.size() == 2; ++n) // "a","b" of the source itself
            text += "\",\"" + record[n];
        if (m_sourceLine > 0)
            keepLine(text);
        return true;
    }

    // Lines that a page leaves out are empty. The page of the source alone has the lines whole, that of both has them bare of
    // what they are indented by: the longer one stays.
    void keepLine(const std::string& text) {
        constexpr std::size_t mostLines = 1'000'000;
        auto& lines = m_report.texts[m_path];
        if (m_sourceLine > mostLines)
            return;
        if (lines.size() < m_sourceLine)
            lines.resize(m_sourceLine);
        if (lines[m_sourceLine - 1].size() < text.size())
            lines[m_sourceLine - 1] = text;
    }

    NcuReport& m_report;
    std::string_view m_rest;
    const std::string& m_file;
    int m_line = 0;
    Page m_page = Page::None;
    Heading m_heading{{}};
    Record m_units;
    std::string m_last, m_kernel, m_path;
    std::uint32_t m_sourceLine = 0;
    std::size_t m_instructions = 0;
    bool m_ownCode = false;
    std::set<std::uint64_t> m_places; // of the last code's instructions
};

} // namespace

const NcuMetric* NcuLaunch::find(std::string_view name) const {
    const auto found = std::ranges::find(metrics, name, &NcuMetric::name);
    return found == metrics.end() ? nullptr : &*found;
}

bool isNcuCsv(std::string_view head) {
    for (const std::string_view page :
         {"\"ID\",\"Process ID\"", "\"Kernel Name\",\"", "\"File Path\",\"", "\"File Name\",\""})
        if (head.starts_with(page) || head.find('\n' + std::string(page)) != std::string_view::npos)
            return true;
    return false;
}

Result<void> addNcuCsv(NcuReport& report, std::string_view csv, const std::string& file) {
    const std::size_t before = report.codes.size();
    if (auto ok = Reader(report, csv, file).read(); !ok)
        return ok;
    for (std::size_t n = before; n < report.codes.size(); ++n) {
        auto& code = report.codes[n].code;
        std::ranges::sort(code, {}, &NcuInstruction::offset);
        for (std::size_t k = code.size(); k-- > 0;)
            code[k].offset -= code[0].offset;
    }
    return {};
}

const NcuCode* codeOf(const NcuReport& report, std::size_t launch) {
    if (launch >= report.launches.size())
        return nullptr;
    if (report.codes.size() == report.launches.size())
        return &report.codes[launch];
    const auto found = std::ranges::find(report.codes, report.launches[launch].kernel, &NcuCode::kernel);
    return found == report.codes.end() ? nullptr : &*found;
}

} // namespace warpglass::profilers
