// SPDX-License-Identifier: GPL-3.0-or-later
// What the program view and the lists beside it say of operations, kernels and streams, translated.
#pragma once

#include "views/common/marks.h"
#include "views/program/program_columns.h"

#include <QCoreApplication>

namespace warpglass {

// Texts of all parts have one translation context.
struct ProgramText {
    Q_DECLARE_TR_FUNCTIONS(ProgramView)
};

// How a kind of operation looks, in the rows as in the legend.
struct KindLook {
    QColor colour;
    Hatch hatch = Hatch::None;
};
KindLook lookOf(program::OperationKind kind, const Theme& theme);

// Of a kernel's launches: the strongest of the kernel that takes most of the device's time, the paler the less one takes.
// Where times rank no kernels, all are alike.
std::vector<QColor> kernelColours(const ProgramModel& model, const Theme& theme);
// "most time: total, 55.3 %"; empty where times rank no kernels, or there is one only.
QString mostTimeText(const ProgramModel& model);

QString kindText(program::OperationKind kind);
QString directionText(program::Direction direction); // "host to device"
QString memoryText(program::MemoryKind kind);        // "managed memory"
QString streamText(const program::ProgramTrace& trace, std::uint32_t stream);
QString rowText(const ProgramModel& model, const ProgramRow& row);
QString bytesText(std::uint64_t bytes); // "4,096 bytes", "12.5 MB"
QString errorText(std::uint32_t error); // "error 700, cudaErrorIllegalAddress"
// Four digits or so: "9,136 ns", "97.90 µs", "444.3 µs", "1.27 s".
QString durationText(std::int64_t ns);
QString tickText(std::int64_t ns, std::int64_t step); // of an axis whose marks are `step` apart: one unit for all
QString clockText(const ProgramModel& model);         // whose time it is
QString clockToolTip(const ProgramModel& model);
QString launchTimeText(const ProgramModel& model, std::uint32_t operation); // "≈ 6.01 µs" if that is an estimate
int estimateError();                                                        // of such, percent on average
QString deviceText(const program::ProgramInfo& info);                       // "emulated NVIDIA H200"
QString kernelText(const ProgramModel& model, std::uint32_t operation);     // "kernel 12" if its name is not known
// "at::native::scan<float, std::plus<int> >" without its scopes: "scan<float, plus<int> >".
QString withoutScopes(const QString& kernel);
QString shapeText(const ProgramModel& model, std::uint32_t operation); // "<<<(8, 8), 256>>>"; empty if not known
// What an operation is, in a few words: "launch 3: scale <<<2, 256>>>", "copy, host to device, 4,096 bytes".
QString operationText(const ProgramModel& model, std::uint32_t operation);
// "p = 0x7f... (byte 16 of 4,096 bytes of device memory)": a line for each argument of a launch.
QStringList argumentTexts(const ProgramModel& model, std::uint32_t operation);
// In the window's language.
QString messageText(const program::ProgramMessage& message);
QString operationToolTip(const ProgramModel& model, std::uint32_t operation);
QString markToolTip(const ProgramModel& model, const Mark& mark);
// Why a launch has no warps to look at; empty if it was recorded.
QString whyUnrecorded(const ProgramModel& model, std::uint32_t operation);
// How the program ended, with what went wrong: "exit status 1", "ended by signal 11".
QString endText(const program::ProgramInfo& info);
// Everything that went wrong, a sentence each: lost operations, messages with the launch that they are of.
struct FaultText {
    std::uint32_t operation = noIndex;
    QString text;
    bool isNote = false; // not wrong by itself, or since something else is
};
std::vector<FaultText> faultTexts(const ProgramModel& model);

} // namespace warpglass
