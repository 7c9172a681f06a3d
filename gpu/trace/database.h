// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite with its handles owned and its errors as values; as much of it as the file format needs.
//
// A file that is read may come from a stranger, and an SQLite file is half a program: views, triggers, generated columns
// and virtual tables run SQL of the file's own. So what a file may hold is said when it is opened, as the statements that
// made its tables, and a file with anything else is refused before the first query. What is left costs no more than its
// bytes: no value may be longer than the file's format needs, and reading ends after as many steps as that many bytes
// can take (pages that name each other in a circle would never end), or when the user has had enough.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace warpglass {

class Statement {
public:
    // Parameters and columns are counted from 0.
    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::span<const std::byte> blob); // kept by the caller until run() or step()

    Result<void> run();  // to the end, then ready for the next row's values
    Result<bool> step(); // true: there is a row

    bool isInteger(int column) const;
    bool isText(int column) const;
    bool isNull(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;           // until the next step()
    std::span<const std::byte> blob(int column) const; // until the next step()

private:
    friend class Database;
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalise> m_statement;
    std::string m_path;
};

// What a file may hold.
struct Contents {
    // "CREATE TABLE name (...)", word for word; a table need not be there, but nothing else may.
    std::vector<std::string> tables;
    std::int64_t valueBytes = 0;        // the longest text or blob of a row
    const Progress* progress = nullptr; // whoever may cancel the reading
};

class Database {
public:
    static Result<Database> create(const std::filesystem::path& path); // a new file
    // Nobody changes it while it is open.
    static Result<Database> openReadOnly(const std::filesystem::path& path, const Contents& contents);
    // Another program's: tables of any kind may be there. None is to be read but by what columnsOf() says of it.
    static Result<Database> openForeign(const std::filesystem::path& path, const Progress* progress = nullptr);
    // Names of what lies in a table as bytes of the file; none where there is no such table, or a view or virtual table in its
    // place. A column that is worked out has no name here.
    Result<std::vector<std::string>> columnsOf(const std::string& table);

    Result<void> run(const std::string& sql);
    Result<Statement> prepare(const std::string& sql);
    // row(statement), a Result<void>, for each row of what sql selects, until one fails.
    template <class F>
    Result<void> forEachRow(const std::string& sql, F row) {
        auto select = prepare(sql);
        if (!select)
            return select.error();
        for (;;) {
            auto more = select->step();
            if (!more)
                return more.error();
            if (!*more)
                return {};
            if (Result<void> ok = row(*select); !ok)
                return ok;
        }
    }

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    // Counts SQLite's steps, a thousand at a time, and ends a statement that has taken too many.
    struct Watch {
        const Progress* progress = nullptr;
        std::int64_t thousandsLeft = 0;
    };
    static int goesOn(void* watch);
    static Result<Database> openWatched(const std::filesystem::path& path, const Progress* progress);
    Result<void> checkSchema(const Contents& contents);

    std::unique_ptr<Watch> m_watch; // before the database, whose last steps it watches
    std::unique_ptr<sqlite3, Close> m_database;
    std::string m_path;
};

} // namespace warpglass
