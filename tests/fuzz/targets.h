// SPDX-License-Identifier: GPL-3.0-or-later
// tests/fuzz: what strangers may give us, thrown at the code that reads it.
//
// A target takes any bytes and returns; it ends the program where something is not as it must be: what was accepted and
// then contradicts itself. Crashes, undefined behaviour, endless work and memory without bound are seen by whoever calls:
// libFuzzer (`./dev fuzz [minutes]`, each target a program of its own), or corpus_test.cpp, which gives every target the
// files of its corpus in the plain tests. What a fuzzer has found lies there under a name that says what it was.
#pragma once

#include <string_view>

namespace warpglass::fuzz {

void ptx(std::string_view bytes);       // a module's text: read, written, read again; its first kernel run, bounded
void kernels(std::string_view bytes);   // throws that make a kernel of the instruction table; run, bounded
void kept(std::string_view bytes);      // memory that a launch began with, as a recording keeps it; a kernel run on it
void recording(std::string_view bytes); // edits of a sound recording's cells and chunks, or a whole file
void arguments(std::string_view bytes); // words of a command line of `run`, one a line; what is sound is run, bounded
void fatbin(std::string_view bytes);    // a container of nvcc's
void cubin(std::string_view bytes);     // machine code
void report(std::string_view bytes);    // of Nsight Compute, Nsight Systems, Proton or IKET
void exercise(std::string_view bytes);  // its file; what it launches is planned, run, and its right results worked out
void lesson(std::string_view bytes);    // its file; what it runs is planned
void words(std::string_view bytes);     // expectations, expressions, tables, names, source: a kind, and a text

[[noreturn]] void wrong(const char* what); // says it and aborts

} // namespace warpglass::fuzz
