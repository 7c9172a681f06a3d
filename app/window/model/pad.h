// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad without its widgets: a text that is being written, the kernel chosen of it, how it is launched and with
// what. What a person has set survives the typing: arguments are kept by their parameter's name ("p", a field of a struct
// as "p.x"), kernels by theirs. It lies beside the file as NAME.warpglass.json. Paths that a person writes are meant from
// the file's folder.
#pragma once

#include "app/session/kernel_file.h"
#include "app/session/program.h"
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
    QString type;    // of one that the source gives no type: "f16*", "i64"; empty: what it is supposed to be
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
    std::optional<CompileMode> mode; // nothing: the usual one (requests.h)
    QStringList includes, defines;
    QString arch;
    QStringList nvcc;         // further options of the compiler
    QStringList withheld;     // such options of a stranger's file, which may start programs: not used, not kept
    QStringList programFiles; // of a whole program, beside the file itself
    QString programArguments; // as on a command line
};

// How the text is compiled, with cycles or without.
CompileMode modeOf(const PadSettings& settings, bool timing);

// What a row of the argument table is for: a parameter, a field of one that is a struct, or a variable of the device.
struct PadRow {
    session::KernelParameter what; // named "p" or "p.x"; a variable of the device "::v"
    std::uint64_t array = 0;       // elements of a field that is an array; 0: it is none
    bool isGlobal = false;         // a variable of the device, which has what the source says until somebody says more
};
std::vector<PadRow> padRows(const std::vector<session::KernelParameter>& parameters,
                            const std::vector<cuda_text::StructField>& globals = {});
PadArgument usualArgument(const PadRow& row, Dim3 threads); // threads: of the launch, each way

// What a parameter gets until somebody says: a buffer of one thing for each thread, counting up where it is only read; a
// number that is called like a count, the number of threads; of threads in rows, width, height and n are theirs, so that
// no element lies beyond the buffers; else 1.
PadArgument usualArgument(const session::KernelParameter& parameter, Dim3 threads);
// The block of a kernel until somebody says.
Dim3 usualBlock(const session::FileKernel& kernel);

Dim3 threadsOf(const LaunchRequest& launch); // each way

// The launch: `like` gives device, policy and what is recorded; the rest is of the pad. What is not set is the usual.
RunRequest padRequest(const RunRequest& like, const QString& path, const QString& text, const session::KernelFile& file,
                      const session::FileKernel& kernel, const PadSettings& settings);
// Before there is a KernelFile: what is to be compiled.
RunRequest padSource(const RunRequest& like, const QString& path, const QString& text, const PadSettings& settings);

// Which of the file's kernels is meant: the one chosen, if it is there; else the first. Null: none.
const session::FileKernel* padKernel(const session::KernelFile& file, const QString& wanted);

// Words of one line as a shell would part them, quotes kept together; and back.
QStringList wordsOf(const QString& line);
QString lineOf(const QStringList& words);

QString padSettingsPath(const QString& path);
// Missing settings are the usual ones; a damaged file is an Error.
Result<PadSettings> readPadSettings(const QString& path);
Result<void> writePadSettings(const QString& path, const PadSettings& settings);

// What is built and run when the text is a whole program; `file` holds the text.
session::ProgramRequest padProgram(const RunRequest& like, const QString& path, const QString& file,
                                   const PadSettings& settings);

// What an error says about the lines of this file: the first, and those that a compiler has listed below it.
struct PadMark {
    int line = 0; // 1-based
    Said text;    // without its place
};
QVector<PadMark> marksOf(const Error& error, const QString& path);
// What is said of an error beside the marks: its first line, with the source's place where the message tells one, and how
// many others there are.
Error saidOnce(Error error, const QString& path);
// The same of what the recorder says about a program's launches, one a line: "... line 8 of app.cu".
QVector<PadMark> marksOfProgram(const QString& said, const QString& path);

// What an empty pad begins with: a kernel whose warps divide.
QString firstKernel();

} // namespace warpglass
