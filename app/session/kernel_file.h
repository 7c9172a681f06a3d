// SPDX-License-Identifier: GPL-3.0-or-later
// What a file of a user's holds: its kernels as a person calls them, what they take, and what the source says that the
// PTX has lost: names of parameters, templates that nobody has instantiated, a main() of its own.
#pragma once

#include "app/session/session.h"
#include "gpu/launch/struct_layout.h"

#include <string>
#include <vector>

namespace warpglass::session {

using cuda_text::StructField;

struct KernelParameter {
    std::string name;        // as in the source; "p0", ... where nothing tells
    std::string type;        // "float const*", "int"; of PTX alone ".u64"
    std::uint64_t bytes = 0; // as it is passed
    bool isPointer = false;
    bool isStruct = false;                  // more than a number: its fields are given one by one
    ElementType element = ElementType::I32; // of what it points to, or its own
    bool isConst = false;                   // what it points to is read alone
    std::uint64_t elementsEach = 1;         // of what it points to: 4 of a float4
    std::vector<StructField> fields;        // of a struct, in order; empty: the source does not tell them
    // Of Triton's kernels, whose parameters have no types:
    bool isConstexpr = false; // a constant of the compiler's, given as a definition
    bool isUntyped = false;   // who calls says what it is; element is what the code lets suppose
    bool scales = false;      // usual is for each program of the grid
    std::string usual;        // of a pointer its elements, else its value; empty: the file does not tell
};

struct FileKernel {
    std::string entry;     // what --kernel takes: the instance, or the mangled name where that is not enough
    std::string symbol;    // its name in the PTX
    std::string signature; // for a person to read
    std::vector<KernelParameter> parameters;
    int line = 0;                    // in the source; 0 = unknown
    std::uint32_t sharedBytes = 0;   // static
    std::uint32_t registers = 0;     // a thread, estimated from the PTX; 0 = unknown
    bool takesDynamicShared = false; // extern __shared__
    Dim3 requiredBlock{0, 0, 0};     // of __block_size__ or .reqntid; x = 0: any
    int dimensions = 1;              // of a block that the code asks for: 2, if it reads threadIdx.y
};

struct KernelFile {
    std::vector<FileKernel> kernels;
    std::vector<StructField> globals;   // variables of the device that a launch may set; names as in the source
    std::vector<std::string> templates; // "scale<T, N>": kernels that have to be instantiated by name
    bool hasMain = false;               // a whole program
    std::shared_ptr<const CompiledText> compiled; // of request.text, for the run; nothing for what is on the disk
};

// Compiles (a .cu) or reads (a .ptx, a .py of Triton's) request.kernel, of which request.text may be a newer version, and looks into it.
// Errors: the compiler's or the parser's; a file without a kernel is none, if a template or a main() is there.
Result<KernelFile> lookInto(const RunRequest& request);

// What the source alone tells, without a compiler: of each __global__ function the name, the line, its parameters'
// names and its template's parameters. Comments, strings and what stands in braces are passed over.
struct SourceKernel {
    std::string name;
    int line = 0;
    std::vector<std::string> parameters;
    std::vector<std::string> types; // of the parameters, in the source's words: "const float *"
    std::string templateParameters; // "T, N"; empty: no template
    bool defined = false;           // with a body
};
struct SourceFacts {
    std::vector<SourceKernel> kernels;
    bool hasMain = false;
};
SourceFacts factsOfSource(const std::string& text);

} // namespace warpglass::session
