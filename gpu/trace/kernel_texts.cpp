// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/kernel_texts.h"

#include "gpu/base/messages/files.h"
#include "gpu/trace/columns.h"

#include <algorithm>
#include <utility>

namespace warpglass {

KernelTexts textsOf(const std::vector<Kernel>& kernels) {
    KernelTexts all;
    const auto rowOf = [&](const std::string& text) {
        const auto found = std::find(all.texts.begin(), all.texts.end(), text);
        const auto row = std::uint32_t(found - all.texts.begin());
        if (found == all.texts.end())
            all.texts.push_back(text);
        return row;
    };
    for (const Kernel& k : kernels) {
        const std::uint32_t source = rowOf(k.source), ptx = rowOf(k.ptx), ttgir = rowOf(k.ttgir);
        all.rows.push_back({source, ptx, ttgir});
    }
    return all;
}

Result<Digest> KernelTexts::write(Database& database) const {
    if (auto ok = database.run(textsSchema); !ok)
        return ok.error();
    auto insert = database.prepare("INSERT INTO texts VALUES (?, ?, ?)");
    if (!insert)
        return insert.error();
    Digest digest;
    for (std::size_t n = 0; n < texts.size(); ++n) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(texts[n].data());
        const std::vector<std::byte> packed = compress({first, texts[n].size()});
        insert->bind(0, std::int64_t(n));
        insert->bind(1, std::int64_t(texts[n].size()));
        insert->bind(2, std::span(packed));
        if (auto ok = insert->run(); !ok)
            return ok.error();
        digest.number(texts[n].size());
        digest.bytes(packed);
    }
    return digest;
}

Result<Digest> KernelTexts::read(Database& database, const std::function<Result<void>(std::uint64_t)>& fits) {
    Digest digest;
    auto ok = database.forEachRow("SELECT bytes, data FROM texts ORDER BY number", [&](Statement& row) -> Result<void> {
        const auto bytes = std::uint64_t(row.integer(0));
        const std::span<const std::byte> packed = row.blob(1);
        const Error damaged{say::TableRowColumn("texts", texts.size(), "data")};
        if (bytes > std::uint64_t(longestValue)) // as no text is
            return damaged;
        if (auto room = fits(bytes); !room)
            return room;
        const auto plain = decompress(packed, bytes, bytes);
        if (!plain)
            return damaged;
        texts.emplace_back(plain->begin(), plain->end());
        digest.number(bytes);
        digest.bytes(packed);
        return {};
    });
    return ok ? Result<Digest>(digest) : Result<Digest>(ok.error());
}

Result<void> KernelTexts::give(std::vector<Kernel>& kernels) {
    if (rows.size() != kernels.size())
        return Error{say::TableRowsInstead("kernel_texts", rows.size(), kernels.size())};
    for (std::size_t k = 0; k < rows.size(); ++k)
        for (const auto& [number, text] : {std::pair(rows[k].source, &kernels[k].source),
                                           {rows[k].ptx, &kernels[k].ptx},
                                           {rows[k].ttgir, &kernels[k].ttgir}}) {
            if (number >= texts.size())
                return Error{say::RowOfNothing("kernel_texts", "texts", std::to_string(number))};
            *text = texts[number];
        }
    return {};
}

} // namespace warpglass
