// SPDX-License-Identifier: GPL-3.0-or-later
// Names of what lies in shared or constant memory where no debug information tells them: members of structs whose declarations the kernel's
// source or its headers have, if their size is what the PTX says of the variable.
#pragma once

#include "gpu/launch/struct_layout.h"

#include <span>

namespace warpglass::cuda_text {

struct SharedObject {
    std::string name;                   // as people call it: "ring"
    std::uint64_t begin = 0, bytes = 0; // 0 bytes: dynamic
};

// "_ZZ4sumsPfE4ring" -> "ring". What is not mangled stays as it is.
std::string nameOfVariable(const std::string& symbol);

class SharedMembers {
public:
    SharedMembers() = default;
    // headers: texts that the source includes. sharedBytes: of a block, with the dynamic ones.
    SharedMembers(const std::string& source, const std::string& headers, std::span<const SharedObject> objects,
                  std::uint64_t sharedBytes);
    // "ring.full[1]", of so many bytes there; nothing: nobody tells.
    std::optional<std::string> at(std::uint64_t offset, std::uint64_t bytes) const;

private:
    struct Laid {
        SharedStruct is;
        std::uint64_t base = 0;
    };
    std::vector<Laid> m_laid;
};

} // namespace warpglass::cuda_text
