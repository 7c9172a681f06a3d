// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel calls the places that its probes tell as numbers: an mbarrier's byte of shared memory, what a loop reads. The PTX
// says of which variable an address is, where the register that holds it is written once; and where an mbarrier is made, the
// records say at which byte that variable lies.
#pragma once

#include "gpu/launch/shared_members.h"
#include "gpu/trace/trace.h"

#include <map>
#include <set>

namespace warpglass::probe {

class NamedPlaces {
public:
    // parameters: what the kernel's are called, in order; may be fewer.
    NamedPlaces(const Kernel& kernel, std::span<const std::string> parameters);

    // An mbarrier was made there, by the instruction of that line.
    void made(std::uint32_t ptxLine, std::uint32_t address);
    // All of them are known.
    void lay(const std::string& source, const std::string& headers, std::uint64_t sharedBytes);
    std::optional<std::string> mbarrierAt(std::uint32_t address) const; // "ring.empty[1]"
    // What the load or atomic of that line reads a word of: a parameter, or a variable.
    std::optional<std::string> readAt(std::uint32_t ptxLine) const;

private:
    struct Place {
        std::string symbol;
        std::int64_t offset = 0;
        bool isKnown = true; // the offset
    };
    std::map<std::uint32_t, Place> m_makes, m_reads; // [line]
    std::map<std::string, std::uint64_t> m_bytes;    // [symbol] of shared variables; 0: dynamic
    std::map<std::string, std::string> m_parameters; // [symbol] what it is called
    std::map<std::string, std::set<std::int64_t>> m_bases;
    std::set<std::uint32_t> m_mbarriers;
    std::vector<cuda_text::SharedObject> m_objects;
    cuda_text::SharedMembers m_members;
};

} // namespace warpglass::probe
