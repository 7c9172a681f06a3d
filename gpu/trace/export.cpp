// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/export.h"

#include "gpu/base/csv.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/new_file.h"
#include "gpu/trace/export_tables.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

namespace warpglass {

namespace {

constexpr std::size_t flushBytes = 1 << 16;

// A moment's unit is the trace's, and where it comes from belongs to it; other units are what they are.
std::string unitText(const TraceInfo& info, std::string_view unit) {
    return unit == "t" ? fmt::format("{}, {}", name(info.timeUnit), name(info.timeOrigin)) : std::string(unit);
}

struct CsvHeader {
    const TraceInfo& info;
    std::string line = {};
    template <typename T>
    void operator()(const char* column, const T&, const char* unit) {
        if (!line.empty())
            line += ',';
        appendCsvField(line, *unit ? fmt::format("{} [{}]", column, unitText(info, unit)) : column);
    }
};

struct CsvRow {
    std::string& line;
    bool first = true;
    template <typename T>
    void operator()(const char*, const T& field, const char*) {
        if (!first)
            line += ',';
        first = false;
        auto out = std::back_inserter(line);
        if constexpr (std::is_same_v<T, std::string>)
            appendCsvField(line, field);
        else if constexpr (std::is_enum_v<T>)
            line += name(field);
        else if constexpr (std::is_same_v<T, LaneMask>)
            fmt::format_to(out, "{:08x}", field.bits);
        else if constexpr (std::is_same_v<T, Time>)
            fmt::format_to(out, "{}", field.value);
        else if constexpr (std::is_same_v<T, bool>)
            line += field ? '1' : '0';
        else if constexpr (std::is_same_v<T, std::uint32_t>) {
            if (field != noIndex) // "none" is an empty field
                fmt::format_to(out, "{}", field);
        } else
            fmt::format_to(out, "{}", field);
    }
};

template <typename At>
void writeTable(const TraceInfo& info, std::size_t rows, At&& at, std::ostream& out) {
    using Row = std::remove_cvref_t<decltype(at(0))>;
    CsvHeader header{info, hasRowColumn<Row> ? "" : "row"};
    const Row empty{};
    describe(header, empty);
    std::string text = header.line + "\n";
    for (std::size_t i = 0; i < rows; ++i) {
        if constexpr (!hasRowColumn<Row>)
            text += fmt::format("{},", i);
        const auto& row = at(i);
        describe(CsvRow{text}, row);
        text += '\n';
        if (text.size() >= flushBytes) {
            out.write(text.data(), std::streamsize(text.size()));
            text.clear();
        }
    }
    out.write(text.data(), std::streamsize(text.size()));
}

Error cannotWrite(const std::filesystem::path& path) {
    return {say::ExportNotWritten, path.string(), 0, 0, say::CheckFolderDisk};
}

struct JsonRow {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    template <typename T>
    void operator()(const char* column, const T& field, const char*) {
        auto& value = object[column];
        if constexpr (std::is_enum_v<T>)
            value = name(field);
        else if constexpr (std::is_same_v<T, LaneMask>)
            value = fmt::format("{:08x}", field.bits);
        else if constexpr (std::is_same_v<T, Time>)
            value = field.value;
        else if constexpr (std::is_same_v<T, std::uint32_t>) {
            if (field != noIndex)
                value = field; // else null
        } else if constexpr (std::is_same_v<T, double>) {
            if (std::isfinite(field))
                value = field; // JSON has no other numbers
        } else
            value = field;
    }
};

} // namespace

std::vector<std::string> exportTables() {
    std::vector<std::string> names;
    forEachTable(Trace{}, [&](const char* table, std::size_t, auto&&) { names.push_back(table); });
    return names;
}

bool writeCsv(const Trace& trace, std::string_view table, std::ostream& out) {
    bool found = false;
    forEachTable(trace, [&](const char* tableName, std::size_t rows, auto&& at) {
        if (tableName != table)
            return;
        writeTable(trace.info, rows, at, out);
        found = true;
    });
    return found;
}

Result<void> exportCsv(const Trace& trace, const std::filesystem::path& folder, Progress& progress) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (!std::filesystem::is_directory(folder, code))
        return Error{say::ExportFolder, folder.string(), 0, 0, say::NameOfFolder};
    Result<void> result;
    const double tables = double(exportTables().size());
    int done = 0;
    forEachTable(trace, [&](const char* table, std::size_t rows, auto&& at) {
        progress.report(done++ / tables);
        if (!result || rows == 0)
            return;
        if (progress.cancelled()) {
            result = Error{say::ExportCancelled};
            return;
        }
        const std::filesystem::path file = folder / (std::string(table) + ".csv");
        NewFile out(file);
        writeTable(trace.info, rows, at, out.stream());
        if (!out.finish())
            result = cannotWrite(file);
    });
    return result;
}

Result<void> exportJson(const Trace& trace, const std::filesystem::path& file, Progress& progress) {
    NewFile whole(file);
    std::ostream& out = whole.stream();
    out << fmt::format("{{\"units\":{{\"time\":\"{}\",\"time_origin\":\"{}\"}}", name(trace.info.timeUnit),
                       name(trace.info.timeOrigin));
    const double tables = double(exportTables().size());
    int done = 0;
    forEachTable(trace, [&](const char* table, std::size_t rows, auto&& at) {
        progress.report(done++ / tables);
        out << fmt::format(",\n\"{}\":[", table);
        for (std::size_t i = 0; i < rows && out && !progress.cancelled(); ++i) {
            JsonRow json;
            const auto& row = at(i);
            describe(json, row);
            // Text that is no UTF-8 (printf may write anything) gets replacement characters.
            out << (i > 0 ? ",\n" : "\n")
                << json.object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        }
        out << "]";
    });
    out << "}\n";
    if (progress.cancelled())
        return Error{say::ExportCancelled};
    return whole.finish() ? Result<void>() : cannotWrite(file);
}

} // namespace warpglass
