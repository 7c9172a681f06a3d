// SPDX-License-Identifier: GPL-3.0-or-later
// What calls of cuBLAS, cuFFT and cuRAND share. Those libraries are machine code, which no emulator of PTX runs: functions of the
// same names stand here, and the host does what they are asked for, by libraries of its own that are opened when first needed.
// A call is work of its stream like a launch (LibraryCall): listed, kept by captures, put off by --schedule adverse.
#pragma once

#include "gpu/virtual/core/device.h"
#include "gpu/virtual/core/host_place.h"

#include <initializer_list>
#include <map>
#include <memory>
#include <string>

namespace warpglass::virtual_device {

// Who answers a library's calls: "cuBLAS", "OpenBLAS".
struct Answerer {
    const char* library;
    Message by;
};

// A function that the program has called, made in that function: its name, and where the call came from.
struct Called {
    const char* name;
    CallPlace from;
    // NOLINTNEXTLINE(google-explicit-constructor): every function gives its __func__
    [[gnu::always_inline]] Called(const char* function) : name(function), from(placeOfCall()) {}
};

// It as the list has it: its name without "_v2". What follows is work of this call. Told of the program once a library: who
// answers it.
program::RecordedKernel& libraryFunction(Device& d, const Called& function, const Answerer& answerer);

// Memory of a call, by the address that the program gave, in the order in which its work gets them.
class Pieces {
public:
    // bytes of each row; the number of the piece
    std::size_t reads(const void* at, std::uint64_t bytes, std::uint64_t rows = 1, std::uint64_t pitch = 0) {
        return add(at, bytes, rows, pitch, true, false);
    }
    std::size_t writes(void* at, std::uint64_t bytes, std::uint64_t rows = 1, std::uint64_t pitch = 0) {
        return add(at, bytes, rows, pitch, false, true);
    }
    std::size_t updates(void* at, std::uint64_t bytes, std::uint64_t rows = 1, std::uint64_t pitch = 0) {
        return add(at, bytes, rows, pitch, true, true);
    }
    std::vector<LibraryCall::Piece> take() { return std::move(m_pieces); }

private:
    std::size_t add(const void* at, std::uint64_t bytes, std::uint64_t rows, std::uint64_t pitch, bool reads,
                    bool writes);
    std::vector<LibraryCall::Piece> m_pieces;
};
using Places = std::span<std::byte* const>;

// Into the stream. A fault of its own is told by the next call, as a launch's is.
Status giveCall(Device& d, void* stream, program::RecordedKernel& function, Pieces pieces,
                std::function<void(Places)> work);

// What a program holds by handles of a library: numbers, or pointers that it only hands back. Under the machine's lock.
template <class Key, class T>
class Handles {
public:
    static Handles& all() {
        static auto& one = *new Handles; // programs call until the very end
        return one;
    }
    T* find(Key key) {
        const auto found = m_all.find(key);
        return found == m_all.end() ? nullptr : found->second.get();
    }
    T& keep(Key key, std::unique_ptr<T> one) { return *(m_all[key] = std::move(one)); }
    bool drop(Key key) { return m_all.erase(key) > 0; }

private:
    std::map<Key, std::unique_ptr<T>> m_all;
};

// What the virtual device does not have names itself on standard error, once.
void tellMissing(const char* name);

// The first of these files that can be opened, or the one that the environment names; null: none, as where it names "none".
void* openHostLibrary(const char* variable, std::initializer_list<const char*> files);

} // namespace warpglass::virtual_device
