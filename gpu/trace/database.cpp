// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/database.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/utf8.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <sqlite3.h>

namespace warpglass {

namespace {

Error errorOf(sqlite3* database, const std::string& path) {
    const int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
    const int system = database ? sqlite3_system_errno(database) : 0;
    if (code == SQLITE_FULL || (code == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT)))
        return {say::DiskFull, path, 0, 0, say::FreeSpace};
    if (code == SQLITE_INTERRUPT)
        return {say::FileNoEnd, path};
    if (code == SQLITE_TOOBIG)
        return {say::FileLongBlob, path};
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return {say::FileDamaged(validUtf8(sqlite3_errmsg(database))), path};
    if (code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_READONLY || code == SQLITE_IOERR)
        return {say::FileReadWrite(validUtf8(system != 0 ? std::strerror(system) : sqlite3_errmsg(database))), path};
    return {database ? sqlite3_errmsg(database) : "out of memory", path};
}

// SQLite takes a path with options only as a URI, in which some characters mean something.
std::string uriOf(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).generic_string()) {
        if (c == '%' || c == '?' || c == '#')
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            uri += c;
    }
    return uri;
}

Result<sqlite3*> open(const std::filesystem::path& path, const std::string& uri, int flags) {
    sqlite3* database = nullptr;
    if (sqlite3_open_v2(uri.c_str(), &database, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
        Error error = errorOf(database, path.string());
        sqlite3_close(database);
        return error;
    }
    // A file may hold a schema that was never ours: nothing in it may run.
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    for (const int option :
         {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
          SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL})
        sqlite3_db_config(database, option, 0, nullptr);
    // Our own statements need no more than this.
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 10000);
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 64);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 10);
    sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 2);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 5000);
    sqlite3_limit(database, SQLITE_LIMIT_FUNCTION_ARG, 8);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, 64);
    return database;
}

// A row of a table takes at least a byte a column in the file, and reading a column takes few steps.
constexpr std::int64_t stepsAByte = 10, stepsAnyFile = 2'000'000;

} // namespace

void Statement::Finalise::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void Database::Close::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

void Statement::bind(int parameter, std::int64_t value) {
    sqlite3_bind_int64(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, double value) {
    sqlite3_bind_double(m_statement.get(), parameter + 1, value);
}

void Statement::bind(int parameter, std::string_view text) {
    sqlite3_bind_text64(m_statement.get(), parameter + 1, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}

void Statement::bind(int parameter, std::span<const std::byte> blob) {
    sqlite3_bind_blob64(m_statement.get(), parameter + 1, blob.data(), blob.size(), SQLITE_STATIC);
}

Result<void> Statement::run() {
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW)
        code = sqlite3_step(m_statement.get());
    sqlite3* database = sqlite3_db_handle(m_statement.get());
    Result<void> result;
    if (code != SQLITE_DONE)
        result = errorOf(database, m_path);
    sqlite3_reset(m_statement.get());
    return result;
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return errorOf(sqlite3_db_handle(m_statement.get()), m_path);
}

bool Statement::isInteger(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_INTEGER;
}

bool Statement::isText(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_TEXT;
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string_view Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    return text ? std::string_view(text, std::size_t(sqlite3_column_bytes(m_statement.get(), column)))
                : std::string_view();
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(m_statement.get(), column));
    return data ? std::span(data, std::size_t(sqlite3_column_bytes(m_statement.get(), column)))
                : std::span<const std::byte>();
}

Result<Database> Database::create(const std::filesystem::path& path) {
    auto database = open(path, uriOf(path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!database)
        return database.error();
    Database result;
    result.m_database.reset(*database);
    result.m_path = path.string();
    // It is thrown away if it does not become whole: no journal, which whoever is defensive must have.
    sqlite3_db_config(*database, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    if (auto ok = result.run("PRAGMA journal_mode = OFF"); !ok)
        return ok.error();
    return result;
}

int Database::goesOn(void* watch) {
    Watch& w = *static_cast<Watch*>(watch);
    return (w.progress && w.progress->cancelled()) || --w.thousandsLeft < 0; // not 0: SQLite gives up
}

Result<Database> Database::openWatched(const std::filesystem::path& path, const Progress* progress) {
    auto database = open(path, uriOf(path) + "?mode=ro&immutable=1", SQLITE_OPEN_READONLY);
    if (!database)
        return database.error();
    Database result;
    result.m_database.reset(*database);
    result.m_path = path.string();
    std::error_code code;
    const std::uintmax_t bytes = std::filesystem::file_size(path, code);
    result.m_watch =
        std::make_unique<Watch>(Watch{progress, (stepsAnyFile + stepsAByte * (code ? 0 : std::int64_t(bytes))) / 1000});
    sqlite3_progress_handler(*database, 1000, goesOn, result.m_watch.get());
    return result;
}

Result<Database> Database::openReadOnly(const std::filesystem::path& path, const Contents& contents) {
    auto result = openWatched(path, contents.progress);
    if (!result)
        return result;
    sqlite3_limit(result->m_database.get(), SQLITE_LIMIT_LENGTH,
                  int(std::min<std::int64_t>(contents.valueBytes, INT_MAX)));
    if (auto ok = result->checkSchema(contents); !ok)
        return ok.error();
    return result;
}

Result<Database> Database::openForeign(const std::filesystem::path& path, const Progress* progress) {
    auto result = openWatched(path, progress);
    if (!result)
        return result;
    sqlite3* database = result->m_database.get();
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 24);
    // Statements that made tables, with a remark behind each column.
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 2000);
    return result;
}

Result<std::vector<std::string>> Database::columnsOf(const std::string& table) {
    std::vector<std::string> columns;
    bool isTable = false;
    auto ok = forEachRow(fmt::format("SELECT type, rootpage FROM sqlite_master WHERE name = '{}'", table),
                         [&](Statement& row) -> Result<void> {
                             isTable = row.text(0) == "table" && row.integer(1) > 1; // 0: a virtual table's
                             return {};
                         });
    if (ok && isTable)
        ok = forEachRow(fmt::format("SELECT name, hidden FROM pragma_table_xinfo('{}')", table),
                        [&](Statement& row) -> Result<void> {
                            if (row.integer(1) == 0)
                                columns.emplace_back(row.text(0));
                            return {};
                        });
    if (!ok)
        return ok.error();
    return columns;
}

// The table of tables is SQLite's own and no statement in it has run yet: SQLite has parsed them, no more.
Result<void> Database::checkSchema(const Contents& contents) {
    const auto foreign = [&](const char* type, std::string_view name) {
        return Error{say::FileForeignThing(type, validUtf8(name)), m_path};
    };
    std::set<std::int64_t> roots;
    return forEachRow("SELECT type, name, sql, rootpage FROM sqlite_master", [&](Statement& row) -> Result<void> {
        const std::string_view type = row.text(0), name = row.text(1), sql = row.text(2);
        if (type != "table")
            return foreign(type == "view"      ? "view"
                           : type == "trigger" ? "trigger"
                           : type == "index"   ? "index"
                                               : "thing of an unknown kind",
                           name);
        if (std::ranges::find(contents.tables, sql) == contents.tables.end() ||
            !sql.starts_with(fmt::format("CREATE TABLE {} (", name)))
            return foreign("foreign table", name);
        // 1 is the table of tables; none is a virtual table's.
        if (row.integer(3) < 2 || !roots.insert(row.integer(3)).second)
            return Error{say::FileOverlaps(validUtf8(name)), m_path};
        return {};
    });
}

Result<void> Database::run(const std::string& sql) {
    if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return errorOf(m_database.get(), m_path);
    return {};
}

Result<Statement> Database::prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(m_database.get(), sql.c_str(), int(sql.size()), &statement, nullptr) != SQLITE_OK)
        return errorOf(m_database.get(), m_path);
    Statement result;
    result.m_statement.reset(statement);
    result.m_path = m_path;
    return result;
}

} // namespace warpglass
