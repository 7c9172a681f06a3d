// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite with its handles owned and its errors as values; as much of it as the file format needs.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

class Database {
public:
    static Result<Database> create(const std::filesystem::path& path);       // a new file
    static Result<Database> openReadOnly(const std::filesystem::path& path); // nobody changes it while it is open

    Result<void> run(const std::string& sql);
    Result<Statement> prepare(const std::string& sql);

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> m_database;
    std::string m_path;
};

} // namespace warpglass
