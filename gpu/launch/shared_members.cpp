// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/shared_members.h"

#include "gpu/launch/kernel_text.h"

#include <algorithm>
#include <iterator>

namespace warpglass::cuda_text {

std::string nameOfVariable(const std::string& symbol) {
    const std::string name = demangled(symbol);
    if (name.empty())
        return symbol;
    const std::size_t last = name.rfind("::");
    return last == std::string::npos ? name : name.substr(last + 2);
}

SharedMembers::SharedMembers(const std::string& source, const std::string& headers,
                             std::span<const SharedObject> objects, std::uint64_t sharedBytes) {
    StructLayouts layouts;
    addStructs(headers, layouts);
    addStructs(source, layouts);
    std::vector<SharedStruct> structs = sharedStructsIn(source, layouts);
    std::ranges::move(sharedStructsIn(headers, layouts), std::back_inserter(structs));
    for (SharedStruct& s : structs) {
        const std::string& variable = s.bytes.empty() ? s.name : s.bytes;
        const auto fits = [&](const SharedObject& o) {
            if (o.name != variable)
                return false;
            if (s.bytes.empty())
                return o.bytes == s.layout.bytes;
            return s.layout.bytes <= (o.bytes > 0 ? o.bytes : sharedBytes - std::min(o.begin, sharedBytes));
        };
        if (const auto o = std::find_if(objects.begin(), objects.end(), fits); o != objects.end())
            m_laid.push_back({std::move(s), o->begin});
    }
}

std::optional<std::string> SharedMembers::at(std::uint64_t offset, std::uint64_t bytes) const {
    std::optional<std::string> found;
    for (const Laid& laid : m_laid)
        if (offset >= laid.base)
            if (const auto member = memberAt(laid.is.layout, offset - laid.base, bytes)) {
                std::string name = laid.is.name + "." + *member;
                if (found && *found != name)
                    return std::nullopt; // kernels of the text lay out the same bytes in ways of their own
                found = std::move(name);
            }
    return found;
}

} // namespace warpglass::cuda_text
