// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad without its widgets: a text that is being written, the kernel chosen of it, how it is launched and with
// what. What a person has set survives the typing: arguments are kept by their parameter's name, kernels by theirs. It
// lies beside the file as NAME.warpglass.json.
#pragma once

#include "app/session/kernel_file.h"
#include "app/window/model/run_request.h"

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace warpglass {

// One parameter's value, in the words of --arg.
struct PadArgument {
    QString count;   // elements of a buffer; empty for a value
    QString initial; // "0", "iota", "random(0,9)", "file:PATH", "1,2,3"; fields of a struct: "x:f32=1,n:i32=2"
    bool operator==(const PadArgument&) const = default;
};

struct PadKernel {
    std::optional<Dim3> grid, block; // nothing: the usual
    std::uint32_t shared = 0;        // dynamic, bytes
    QMap<QString, PadArgument> arguments;
};

// What is kept beside the file.
struct PadSettings {
    QString kernel; // as --kernel takes it; may be an instance that is still to be made: "scale<float, 4>"
    QMap<QString, PadKernel> kernels;
    CompileMode mode = CompileMode::AsWritten; // one sees what one writes
    QStringList includes, defines;
    QString arch;
};

// What a parameter gets until somebody says: a buffer of as many elements as there are threads, counting up where it is
// only read; a number that is called like a count, that; else 1.
PadArgument usualArgument(const session::KernelParameter& parameter, std::uint64_t threads);

// The launch: `like` gives device, policy and what is recorded; the rest is of the pad. What is not set is the usual.
RunRequest padRequest(const RunRequest& like, const QString& path, const QString& text, const session::KernelFile& file,
                      const session::FileKernel& kernel, const PadSettings& settings);
// Before there is a KernelFile: what is to be compiled.
RunRequest padSource(const RunRequest& like, const QString& path, const QString& text, const PadSettings& settings);

// Which of the file's kernels is meant: the one chosen, if it is there; else the first. Null: none.
const session::FileKernel* padKernel(const session::KernelFile& file, const QString& wanted);

QString padSettingsPath(const QString& path);
// Missing settings are the usual ones; a damaged file is an Error.
Result<PadSettings> readPadSettings(const QString& path);
Result<void> writePadSettings(const QString& path, const PadSettings& settings);

// What an error says about the lines of this file: the first, and those that a compiler has listed below it.
struct PadMark {
    int line = 0; // 1-based
    QString text;
};
QVector<PadMark> marksOf(const Error& error, const QString& path);

// What an empty pad begins with: a kernel whose warps divide.
QString firstKernel();

} // namespace warpglass
