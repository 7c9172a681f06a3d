// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/fatbin/fatbin.h"

#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>

namespace warpglass::fatbin {

namespace {

struct Wrapper {
    std::uint32_t magic, version;
    const void* data;
    const void* const* containers; // version 2: ended by a null pointer
};

struct ContainerHead {
    std::uint32_t magic;
    std::uint16_t version, headBytes;
    std::uint64_t bytes; // behind the head
};

struct ImageHead {
    std::uint16_t kind, version; // kind 1: PTX, 2: ELF
    std::uint32_t headBytes;
    std::uint64_t bytes;        // behind the head, padding included
    std::uint32_t packedBytes;  // 0 if it is not packed
    std::uint32_t optionsAt;    // of the compiler's options
    std::uint16_t minor, major; // of the code's own format
    std::uint32_t arch;
    std::uint32_t nameAt, nameBytes; // of the object it came from
    std::uint64_t flags;
    std::uint64_t zero;
    std::uint64_t unpackedBytes;
};
static_assert(sizeof(ImageHead) == 64);

constexpr std::uint16_t kindPtx = 1, kindElf = 2;
constexpr std::uint64_t packedLz4 = 0x2000, packedZstd = 0x8000;

Error damaged(MessageForm<0> what) {
    return Error{.message = say::CodeUnreadable(what)};
}

} // namespace

Result<Container> readContainer(std::span<const std::byte> bytes) {
    ContainerHead head{};
    if (bytes.size() < sizeof head)
        return damaged(say::CutShort);
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != containerMagic || head.version != 1 || head.headBytes < sizeof head)
        return damaged(say::UnknownContainer);
    if (head.headBytes > bytes.size() || head.bytes > bytes.size() - head.headBytes)
        return damaged(say::CutShort);
    std::span<const std::byte> rest = bytes.subspan(head.headBytes, head.bytes);
    Container container;
    while (rest.size() >= sizeof(ImageHead)) {
        ImageHead i{};
        std::memcpy(&i, rest.data(), sizeof i);
        if (i.headBytes < sizeof i || i.headBytes > rest.size() || i.bytes > rest.size() - i.headBytes)
            return damaged(say::ImageTooLong);
        PackedImage image;
        image.kind = i.kind == kindPtx   ? PackedImage::Kind::Ptx
                     : i.kind == kindElf ? PackedImage::Kind::Elf
                                         : PackedImage::Kind::Other;
        image.arch = i.arch;
        image.packing = i.flags & packedZstd  ? PackedImage::Packing::Zstd
                        : i.flags & packedLz4 ? PackedImage::Packing::Lz4
                                              : PackedImage::Packing::None;
        const std::uint64_t used = image.packing == PackedImage::Packing::None ? i.bytes : i.packedBytes;
        if (used > i.bytes)
            return damaged(say::ImageOutside);
        image.packed = rest.subspan(i.headBytes, used);
        image.unpackedBytes = image.packing == PackedImage::Packing::None ? used : i.unpackedBytes;
        container.images.push_back(image);
        rest = rest.subspan(i.headBytes + i.bytes);
    }
    return container;
}

namespace {
// In this process' memory nobody says how long a container is but itself.
Result<Container> containerAt(const void* memory) {
    ContainerHead head{};
    std::memcpy(&head, memory, sizeof head);
    if (head.magic != containerMagic)
        return Container{};
    return readContainer({static_cast<const std::byte*>(memory), head.headBytes + head.bytes});
}
} // namespace

Result<std::vector<Container>> containersAt(const void* memory) {
    std::vector<Container> all;
    std::uint32_t magic = 0;
    std::memcpy(&magic, memory, sizeof magic);
    Wrapper wrapper{};
    if (magic == wrapperMagic)
        std::memcpy(&wrapper, memory, sizeof wrapper);
    std::vector<const void*> places;
    if (magic == containerMagic)
        places.push_back(memory);
    else if (wrapper.magic == wrapperMagic && wrapper.version == 1)
        places.push_back(wrapper.data);
    else if (wrapper.magic == wrapperMagic && wrapper.version == 2)
        for (const void* const* at = wrapper.containers; at && *at; ++at)
            places.push_back(*at);
    else if (magic == wrapperMagic)
        return damaged(say::WrapperVersion);
    for (const void* place : places) {
        auto container = containerAt(place);
        if (!container)
            return container.error();
        all.push_back(std::move(*container));
    }
    return all;
}

Result<std::string> unpacked(const PackedImage& image) {
    std::string text;
    if (image.unpackedBytes > memoryLimit()) // a short one may stand for very much
        return damaged(say::ImageUnpacksTooMuch);
    if (image.packing == PackedImage::Packing::None) {
        text.assign(reinterpret_cast<const char*>(image.packed.data()), image.packed.size());
    } else if (image.packing == PackedImage::Packing::Lz4) {
        auto bytes = unpackLz4(image.packed, image.unpackedBytes);
        if (!bytes)
            return bytes.error();
        text.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    } else {
        // A block of zstd is 4 bytes at least and unpacks to 128 KiB at most: what says it is more is not believed.
        constexpr std::uint64_t blockBytes = 128 << 10, leastBlock = 4;
        if (image.unpackedBytes > (image.packed.size() / leastBlock + 1) * blockBytes)
            return damaged(say::ImageUnpacksTooMuch);
        text.resize(image.unpackedBytes);
        const std::size_t n = ZSTD_decompress(text.data(), text.size(), image.packed.data(), image.packed.size());
        if (ZSTD_isError(n) || n != text.size())
            return damaged(say::ImagePacked);
    }
    return text;
}

Result<std::string> ptxText(const PackedImage& image) {
    auto text = unpacked(image);
    if (text)
        text->resize(text->find('\0') == std::string::npos ? text->size() : text->find('\0'));
    return text;
}

const PackedImage* bestPtx(const Container& container, std::uint32_t capability) {
    const PackedImage* best = nullptr;
    for (const PackedImage& image : container.images) {
        if (image.kind != PackedImage::Kind::Ptx)
            continue;
        const bool fits = image.arch <= capability, bestFits = best && best->arch <= capability;
        if (!best || (fits && !bestFits) || (fits == bestFits && image.arch > best->arch))
            best = &image;
    }
    return best;
}

Result<PtxTexts> ptxTexts(const void* image, std::uint32_t capability, bool newer) {
    auto containers = containersAt(image);
    if (!containers)
        return containers.error();
    PtxTexts found;
    found.isContainer = !containers->empty();
    for (const Container& container : *containers) {
        const PackedImage* ptx = bestPtx(container, capability);
        if (!ptx || (!newer && ptx->arch > capability)) {
            found.others.insert(found.others.end(), container.images.begin(), container.images.end());
            continue;
        }
        auto text = ptxText(*ptx);
        if (!text)
            return text.error();
        if (text->find("__cuda_syscall_cnp") == std::string::npos) // the device's part of the runtime has it
            found.texts.push_back(std::move(*text));
    }
    return found;
}

} // namespace warpglass::fatbin
