// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/base: the few words every other folder speaks: Result, Progress, LaneMask, Time, Dim3.
//
// Errors are values. An Error says what is wrong, where, and what to do about it; whoever shows it to a person prints
// text(). Functions that can fail return Result<T>; nothing in gpu/ throws across a function of its own.
#pragma once

#include "gpu/base/message.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace warpglass {

struct Error {
    Said message;          // what is wrong, one sentence, no full stop needed
    std::string file = {}; // where: file, PTX module or option; empty if there is no such place
    int line = 0;          // 1-based; 0 = unknown
    int column = 0;        // 1-based; 0 = unknown
    Said remedy = {};      // what to do, one sentence; may be empty

    // "file:line:column: message. Remedy"
    std::string text() const;
};

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&m_state));
    }
    const Error& error() const {
        assert(!ok());
        return *std::get_if<1>(&m_state);
    }

    T valueOr(T otherwise) const { return ok() ? value() : std::move(otherwise); }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}
    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error& error() const {
        assert(!m_ok);
        return m_error;
    }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace warpglass
