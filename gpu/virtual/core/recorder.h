// SPDX-License-Identifier: GPL-3.0-or-later
// Takes down what the program does, in a journal (gpu/program), and decides which launches are recorded in detail.
#pragma once

#include "gpu/launch/backend.h"
#include "gpu/program/journal.h"
#include "gpu/program/settings.h"
#include "gpu/virtual/core/modules.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <regex>

namespace warpglass::virtual_device {

using program::Operation;
using program::OperationKind;

class Recorder {
public:
    explicit Recorder(program::Settings settings);

    std::int64_t now() const; // ns since the device was first used
    // The options of a launch that is to be recorded in detail; nothing for the others. Counts the launch.
    std::optional<RunOptions> choose(Kernel& kernel);
    // The row of the operation.
    std::uint32_t add(const Operation& operation, std::span<const std::byte> arguments = {});
    std::uint32_t kernelRow(Kernel& kernel);
    std::uint32_t shape(const program::Shape& shape);
    std::uint32_t streamRow(unsigned flags, int priority);
    // Before add() of the launch that it belongs to.
    void keep(const Trace& trace);
    // About the operation that add() takes next.
    void tell(std::string message);
    // In the child of a fork: the journal is the parent's.
    void forked();

private:
    bool open();
    program::Settings m_settings;
    std::optional<std::regex> m_kernels;
    std::unique_ptr<program::Journal> m_journal;
    std::string m_prefix; // of file names; empty in the first process
    std::int64_t m_began;
    std::uint64_t m_launches = 0, m_recorded = 0;
    std::uint32_t m_next = 0; // row of the next operation
    bool m_failed = false;
};

} // namespace warpglass::virtual_device
