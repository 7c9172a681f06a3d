// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep_part.h"

#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace warpglass::session {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kind = "warpglass part of a sweep";
constexpr std::uint32_t mostParts = 1'000'000;
constexpr std::uint64_t longestFile = std::uint64_t(1) << 30;

std::string lineOf(const json& object) {
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string shape(const std::optional<Dim3>& dim) {
    return dim ? dim->text() : "-";
}

// What decides what a launch gives. Two sweeps with one of these make the same table.
std::string wordsOf(const RunRequest& r) {
    std::string words = fmt::format("{} {} {} {} {} {} {} {} {}", r.kernel, r.backend, r.options.device,
                                    r.launch.size.value_or(-1), name(r.launch.mode), name(r.options.policy),
                                    shape(r.launch.grid), shape(r.launch.block), shape(r.launch.cluster));
    words += fmt::format(" {} {} {} {} {} {} {} {} {} {} {} {}",
                         r.launch.sharedBytes ? std::int64_t(*r.launch.sharedBytes) : -1, r.options.timing,
                         r.options.coldCode, r.options.warmL2, name(r.options.reconvergence), name(r.options.onFault),
                         r.options.checkRaces, r.options.instructionLimit, r.options.maxEvents, r.documentLaunch,
                         r.pendingLaunches ? std::int64_t(*r.pendingLaunches) : -1, r.options.without.bits);
    if (r.options.checkFinite)
        words += " finite";
    if (r.options.l2)
        words += " l2 " + text(*r.options.l2);
    for (const auto& [parameter, value] : r.launch.set)
        words += fmt::format(" {}={}", parameter, value);
    return words;
}

std::string fingerprint(const std::vector<RunRequest>& requests, int repeats) {
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    const auto add = [&](std::string_view text) {
        for (const char c : text)
            hash = (hash ^ std::uint8_t(c)) * 0x100000001b3;
    };
    add(fmt::format("{} {}\n", WARPGLASS_VERSION, repeats));
    for (const RunRequest& request : requests)
        add(wordsOf(request) + "\n");
    return fmt::format("{:016x}", hash);
}

json jsonOf(const ResultValue& value) {
    return {{"name", value.name},
            {"unit", value.unit},
            {"origin", name(value.origin)},
            {"median", value.median ? json(*value.median) : json()},
            {"low", value.low},
            {"high", value.high},
            {"repeats", value.repeats},
            {"nsight", value.nsight},
            {"why", value.why}};
}

json jsonOf(const SweepRow& row) {
    const ResultRow& r = row.result;
    json values = json::array();
    for (const ResultValue& value : r.values)
        values.push_back(jsonOf(value));
    json object{{"row", row.index},
                {"label", r.label},
                {"kernel", r.kernel},
                {"grid", {r.grid.x, r.grid.y, r.grid.z}},
                {"block", {r.block.x, r.block.y, r.block.z}},
                {"size", r.size},
                {"backend", r.backend},
                {"device", r.device},
                {"mode", r.mode},
                {"policy", r.policy},
                {"check", r.check},
                {"error", r.error},
                {"values", values},
                {"refused", row.refused},
                {"asked_policy", name(row.request.options.policy)}};
    if (row.error)
        object["failed"] = {
            {"message", row.error->message.text()}, {"file", row.error->file}, {"remedy", row.error->remedy.text()}};
    return object;
}

SweepRow rowFrom(const json& object) { // throws json::exception
    SweepRow row;
    ResultRow& r = row.result;
    row.index = object.at("row");
    const auto shapeIn = [&](const char* key) {
        const json& s = object.at(key);
        return Dim3{s.at(0), s.at(1), s.at(2)};
    };
    r.label = object.at("label");
    r.kernel = object.at("kernel");
    r.grid = shapeIn("grid");
    r.block = shapeIn("block");
    r.size = object.at("size");
    r.backend = object.at("backend");
    r.device = object.at("device");
    r.mode = object.at("mode");
    r.policy = object.at("policy");
    r.check = object.at("check");
    r.error = object.at("error");
    row.refused = object.at("refused");
    row.request.options.policy =
        parseEnum<SchedulingPolicy>(object.at("asked_policy").get<std::string>()).valueOr(defaultPolicy);
    if (const auto error = object.find("failed"); error != object.end())
        row.error = Error{.message = error->at("message").get<std::string>(),
                          .file = error->at("file"),
                          .remedy = error->at("remedy").get<std::string>()};
    for (const json& v : object.at("values")) {
        ResultValue value;
        value.name = v.at("name");
        value.unit = v.at("unit");
        value.origin = parseEnum<Origin>(v.at("origin").get<std::string>()).valueOr(Origin::Counted);
        if (!v.at("median").is_null())
            value.median = v.at("median").get<double>();
        value.low = v.at("low").is_null() ? 0 : v.at("low").get<double>();
        value.high = v.at("high").is_null() ? 0 : v.at("high").get<double>();
        value.repeats = v.at("repeats");
        value.nsight = v.at("nsight");
        value.why = v.at("why");
        r.values.push_back(std::move(value));
    }
    return row;
}

struct Head {
    std::string sweep, title;
    std::uint32_t part = 0, of = 0;
    std::size_t rows = 0; // of the whole sweep
};

// The whole lines of a file; what a killed process left of its last one is passed over.
struct Lines {
    Head head;
    std::vector<SweepRow> rows;
    std::uint64_t bytes = 0; // of the whole lines
};

Result<Lines> readLines(const fs::path& path) {
    const auto text = readFile(path, longestFile);
    if (!text)
        return text.error();
    const Error damaged{.message = say::NoSweepPart, .file = path.string(), .remedy = say::TakeAwayRunAgain};
    Lines lines;
    bool first = true;
    for (std::size_t at = 0, end; (end = text->find('\n', at)) != std::string::npos; at = end + 1, first = false) {
        const json object =
            json::parse(text->begin() + std::ptrdiff_t(at), text->begin() + std::ptrdiff_t(end), nullptr, false);
        try {
            if (first) {
                if (object.at("kind") != kind)
                    return damaged;
                lines.head = {.sweep = object.at("sweep"),
                              .title = object.at("title"),
                              .part = object.at("part"),
                              .of = object.at("of"),
                              .rows = object.at("rows")};
            } else {
                lines.rows.push_back(rowFrom(object));
            }
        } catch (const json::exception&) {
            return damaged;
        }
        lines.bytes = end + 1;
    }
    const Head& head = lines.head;
    if (first || head.part < 1 || head.part > head.of || head.of > mostParts)
        return damaged;
    std::set<std::size_t> seen;
    for (const SweepRow& row : lines.rows)
        if (row.index >= head.rows || !PartOf{head.part, head.of}.has(row.index) || !seen.insert(row.index).second)
            return damaged;
    return lines;
}

std::size_t rowsOf(PartOf part, std::size_t all) {
    return all / part.of + (part.part <= all % part.of ? 1 : 0);
}

Result<void> writeAll(int file, const std::string& text, const fs::path& path) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written = write(file, text.data() + at, text.size() - at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return Error{.message = say::CannotBeWritten(std::strerror(errno)), .file = path.string()};
        at += std::size_t(written);
    }
    return {};
}

} // namespace

Result<PartOf> parsePart(const std::string& text) {
    PartOf part;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, part.part);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
        const auto second = std::from_chars(first.ptr + 1, end, part.of);
        if (second.ec == std::errc{} && second.ptr == end && part.part >= 1 && part.part <= part.of &&
            part.of <= mostParts)
            return part;
    }
    return Error{.message = say::PartUnknown(text), .file = "--part", .remedy = say::PartForm};
}

Result<PartFile> PartFile::open(const fs::path& path, const SweepRequest& sweep, PartOf part) {
    const auto requests = requestsOf(sweep);
    const Head head{.sweep = fingerprint(requests, sweep.repeats),
                    .title = sweep.title,
                    .part = part.part,
                    .of = part.of,
                    .rows = requests.size()};
    const auto other = [&](const Lines& lines) {
        return lines.head.sweep != head.sweep || lines.head.part != head.part || lines.head.of != head.of;
    };
    const auto belongsElsewhere = [](const fs::path& file) {
        return Error{.message = say::OtherSweepPart, .file = file.string(), .remedy = say::OtherOutput};
    };
    PartFile result;
    result.m_path = path;
    result.m_unfinished = path.string() + ".unfinished";
    std::error_code failed;
    if (fs::exists(path, failed)) {
        const auto lines = readLines(path);
        if (!lines)
            return lines.error();
        if (other(*lines) || lines->rows.size() != rowsOf(part, head.rows))
            return belongsElsewhere(path);
        for (const SweepRow& row : lines->rows)
            result.m_rows.insert(row.index);
        result.m_whole = true;
        return result;
    }
    result.m_file = ::open(result.m_unfinished.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (result.m_file < 0)
        return Error{.message = say::CannotBeWritten(std::strerror(errno)), .file = result.m_unfinished.string()};
    if (flock(result.m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return Error{.message = say::PartRunning, .file = result.m_unfinished.string()};
    if (fs::file_size(result.m_unfinished, failed) > 0) {
        auto lines = readLines(result.m_unfinished);
        if (lines) {
            if (other(*lines))
                return belongsElsewhere(result.m_unfinished);
            for (const SweepRow& row : lines->rows)
                result.m_rows.insert(row.index);
            if (ftruncate(result.m_file, off_t(lines->bytes)) == 0)
                return result;
            return Error{.message = say::CannotBeWritten(std::strerror(errno)), .file = result.m_unfinished.string()};
        }
        // Killed while it wrote the first line: there is nothing in it. Else it is somebody's.
        const auto text = readFile(result.m_unfinished, longestFile);
        if (!text || text->find('\n') != std::string::npos)
            return lines.error();
        if (ftruncate(result.m_file, 0) != 0)
            return lines.error();
    }
    const json first{{"kind", kind},
                     {"sweep", head.sweep},
                     {"title", head.title},
                     {"part", head.part},
                     {"of", head.of},
                     {"rows", head.rows},
                     {"made", "warpglass " WARPGLASS_VERSION}};
    if (auto ok = writeAll(result.m_file, lineOf(first), result.m_unfinished); !ok)
        return ok.error();
    return result;
}

PartFile::PartFile(PartFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_unfinished(std::move(other.m_unfinished)), m_rows(std::move(other.m_rows)),
      m_file(std::exchange(other.m_file, -1)), m_whole(other.m_whole) {}

PartFile::~PartFile() {
    if (m_file >= 0)
        close(m_file);
}

Result<void> PartFile::add(const SweepRow& row) {
    if (auto ok = writeAll(m_file, lineOf(jsonOf(row)), m_unfinished); !ok)
        return ok;
    m_rows.insert(row.index);
    return {};
}

Result<void> PartFile::finish() {
    if (m_whole)
        return {};
    std::error_code failed;
    if (fsync(m_file) == 0)
        fs::rename(m_unfinished, m_path, failed);
    else
        failed = std::error_code(errno, std::generic_category());
    if (failed)
        return Error{.message = say::CannotBeWritten(failed.message()), .file = m_path.string()};
    m_whole = true;
    return {};
}

Result<MergedSweep> mergeParts(const std::vector<std::string>& files) {
    MergedSweep merged;
    std::optional<Head> first;
    std::map<std::uint32_t, std::string> found;
    for (const std::string& file : files) {
        auto lines = readLines(file);
        if (!lines)
            return lines.error();
        const Head& head = lines->head;
        if (!first) {
            first = head;
            merged.title = head.title;
        }
        if (head.sweep != first->sweep || head.of != first->of)
            return Error{.message = say::PartOfOther(files.front()), .file = file};
        if (const auto twice = found.find(head.part); twice != found.end())
            return Error{.message = say::PartTwice(head.part, head.of, twice->second), .file = file};
        found[head.part] = file;
        if (lines->rows.size() != rowsOf({head.part, head.of}, head.rows))
            return Error{.message = say::PartUnfinished(head.part, head.of, lines->rows.size(),
                                                        rowsOf({head.part, head.of}, head.rows)),
                         .file = file,
                         .remedy = say::StartAgain};
        std::move(lines->rows.begin(), lines->rows.end(), std::back_inserter(merged.rows));
    }
    if (!first)
        return Error{.message = say::NoPartNamed, .file = "--merge"};
    std::string missing;
    for (std::uint32_t part = 1; part <= first->of; ++part)
        if (!found.count(part))
            missing += (missing.empty() ? "" : ", ") + std::to_string(part);
    if (!missing.empty())
        return Error{.message = say::PartsMissing(first->of, missing), .file = "--merge"};
    std::sort(merged.rows.begin(), merged.rows.end(),
              [](const SweepRow& a, const SweepRow& b) { return a.index < b.index; });
    return merged;
}

} // namespace warpglass::session
