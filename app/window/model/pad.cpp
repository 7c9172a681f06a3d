// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/pad.h"

#include "app/session/triton.h"
#include "app/window/model/requests.h"

#include "gpu/base/dim3.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/session.h"
#include "gpu/launch/elements.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpglass {

namespace {

using session::FileKernel;
using session::KernelFile;
using session::KernelParameter;

// Then a loop has no end: seconds, not minutes, and half a gigabyte; with cycles an instruction costs five times as much.
constexpr std::uint64_t instructionsOfWarp = 20'000'000, timedInstructionsOfWarp = 4'000'000;

// A number as it is passed: PTX tells its size, and not always more.
ElementType valueType(const KernelParameter& p) {
    if (std::uint64_t(bytesOf(p.element)) == p.bytes)
        return p.element;
    return p.bytes == 8   ? ElementType::I64
           : p.bytes == 2 ? ElementType::I16
           : p.bytes == 1 ? ElementType::I8
                          : p.element;
}

// A relative path is meant from the kernel's folder.
QString besides(const QString& path, const QString& name) {
    return QDir(QFileInfo(path).absolutePath()).filePath(name);
}

QString initialOf(const PadArgument& argument, const QString& path) {
    const QString initial = argument.initial.trimmed();
    return initial.startsWith(QLatin1String("file:"))
               ? QStringLiteral("file:") + besides(path, initial.mid(5).trimmed())
               : initial;
}

// "called:f32[64]=iota", as --arg has it.
QString bufferSpec(const QString& called, const KernelParameter& p, const PadArgument& argument, const QString& path) {
    const QString initial = initialOf(argument, path);
    return QStringLiteral("%1:%2[%3]").arg(called, QLatin1String(name(p.element)), argument.count.trimmed()) +
           (initial.isEmpty() ? QString() : QStringLiteral("=") + initial);
}

// The parameter as the type that a person gave it where its source gives none.
KernelParameter asTyped(KernelParameter p, const QString& type) {
    QString word = type.trimmed();
    word.remove(QLatin1Char('*'));
    if (const auto element = parseEnum<ElementType>(word.toStdString()); p.isUntyped && element) {
        p.element = *element;
        p.bytes = p.isPointer ? 8 : std::uint64_t(bytesOf(*element));
    }
    return p;
}

std::string specOf(const KernelParameter& of, const PadArgument& argument, const QString& path) {
    const KernelParameter p = asTyped(of, argument.type);
    const QString called = QString::fromStdString(p.name), initial = argument.initial.trimmed();
    if (p.isStruct)
        return QStringLiteral("%1:{%2}").arg(called, initial).toStdString();
    if (!argument.count.trimmed().isEmpty())
        return bufferSpec(called, p, argument, path).toStdString();
    return QStringLiteral("%1:%2=%3").arg(called, QLatin1String(name(valueType(p))), initial).toStdString();
}

// "1,2,3", "5" (all of them) and "iota" of a field that is an array, in the words of a struct.
QString arrayWords(const QString& initial, std::uint64_t count) {
    QStringList words = initial.split(QLatin1Char(','));
    if (initial == QLatin1String("iota") || words.size() == 1) {
        words.clear();
        for (std::uint64_t i = 0; i < count; ++i)
            words << (initial == QLatin1String("iota") ? QString::number(i) : initial);
    }
    return words.join(QLatin1Char(';'));
}

// A struct whose fields are known: "p:{x:f32=1,_4:u8[4],n:i64=2}" with its gaps, and a buffer for each pointer.
std::string structSpec(const KernelParameter& p, const PadKernel& set, Dim3 threads, const QString& path,
                       std::vector<std::string>& buffers) {
    QStringList words;
    std::uint64_t at = 0;
    const auto gap = [&](std::uint64_t to) {
        if (to > at)
            words << QStringLiteral("_%1:u8[%2]").arg(at).arg(to - at);
        at = to;
    };
    std::size_t index = 0;
    for (const PadRow& row : padRows({p})) {
        const cuda_text::StructField& field = p.fields[index++];
        const QString called = QString::fromStdString(row.what.name);
        const PadArgument argument = set.arguments.value(called, usualArgument(row.what, threads));
        gap(field.offset);
        QString value = argument.initial.trimmed();
        if (row.what.isPointer && !argument.count.trimmed().isEmpty()) {
            buffers.push_back(bufferSpec(called, row.what, argument, path).toStdString());
            value = called;
        }
        const std::uint64_t width = std::uint64_t(bytesOf(field.element));
        words << QStringLiteral("f%1:%2%3=%4")
                     .arg(index)
                     .arg(QLatin1String(name(field.element)),
                          row.array ? QStringLiteral("[%1]").arg(row.array) : QString(),
                          row.array ? arrayWords(value, row.array) : value);
        at += width * field.count;
    }
    gap(p.bytes);
    return QStringLiteral("%1:{%2}").arg(QString::fromStdString(p.name), words.join(QLatin1Char(','))).toStdString();
}

session::CompileOptions compileOf(const QString& path, const PadSettings& settings, bool timing) {
    session::CompileOptions compile;
    compile.mode = modeOf(settings, timing);
    for (const QString& folder : settings.includes)
        compile.includes.push_back(besides(path, folder).toStdString());
    for (const QString& define : settings.defines)
        compile.defines.push_back(define.toStdString());
    for (const QString& option : settings.nvcc)
        compile.nvcc.push_back(option.toStdString());
    compile.arch = settings.arch.toStdString();
    return compile;
}

} // namespace

CompileMode modeOf(const PadSettings& settings, bool timing) {
    return settings.mode.value_or(usualMode(timing));
}

std::vector<PadRow> padRows(const std::vector<KernelParameter>& parameters,
                            const std::vector<cuda_text::StructField>& globals) {
    std::vector<PadRow> rows;
    for (const KernelParameter& p : parameters) {
        if (p.fields.empty()) {
            rows.push_back({p});
            continue;
        }
        for (const cuda_text::StructField& field : p.fields) {
            PadRow row;
            row.what.name = p.name + "." + field.name;
            row.what.type = field.type;
            row.what.isPointer = field.element == ElementType::Ptr;
            row.what.element = row.what.isPointer ? field.pointee : field.element;
            row.what.elementsEach = std::max<std::uint64_t>(field.pointeeElements, 1);
            row.what.isConst = field.pointsToConst;
            row.what.bytes = std::uint64_t(bytesOf(field.element)) * field.count;
            row.array = field.count > 1 ? field.count : 0;
            rows.push_back(std::move(row));
        }
    }
    for (const cuda_text::StructField& global : globals) {
        PadRow row{.array = global.count > 1 ? global.count : 0, .isGlobal = true};
        row.what.name = "::" + global.name;
        row.what.type = global.type;
        row.what.element = global.element;
        row.what.bytes = std::uint64_t(bytesOf(global.element)) * global.count;
        rows.push_back(std::move(row));
    }
    return rows;
}

PadArgument usualArgument(const PadRow& row, Dim3 threads) {
    return row.isGlobal ? PadArgument{} : usualArgument(row.what, threads);
}

Dim3 usualBlock(const FileKernel& kernel) {
    constexpr Dim3 usual[] = {{64, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    return kernel.requiredBlock.x ? kernel.requiredBlock : usual[std::clamp(kernel.dimensions, 1, 3) - 1];
}

namespace {

// Of Triton's: what the file says, or lets suppose. threads: programs of the grid, since a program is one block.
PadArgument usualOfTriton(const KernelParameter& p, Dim3 programs) {
    const QString said = QString::fromStdString(p.usual);
    if (p.isConstexpr)
        return {QString(), said};
    const QString usual = p.scales ? QString::number(said.toULongLong() * programs.count()) : said;
    const QString type = QString::fromStdString(p.type);
    return p.isPointer ? PadArgument{usual, QStringLiteral("iota"), type} : PadArgument{QString(), usual, type};
}

} // namespace

PadArgument usualArgument(const KernelParameter& parameter, Dim3 threads) {
    if (parameter.isConstexpr || parameter.isUntyped)
        return usualOfTriton(parameter, threads);
    // Of a field the last word counts: "matrix.width".
    const std::size_t dot = parameter.name.rfind('.') + 1; // npos + 1 = 0
    const QString name = QString::fromStdString(parameter.name.substr(dot)).toLower();
    if (parameter.isPointer || (parameter.bytes == 8 && parameter.type == ".u64")) {
        const bool mixed = parameter.element == ElementType::U8 && parameter.elementsEach > 1; // bytes of a struct
        const bool counts = parameter.isConst && !mixed && parameter.element != ElementType::Ptr;
        return {QString::number(threads.count() * std::max<std::uint64_t>(parameter.elementsEach, 1)),
                counts ? QStringLiteral("iota") : QStringLiteral("0")};
    }
    if (parameter.isStruct)
        return {QString(), QStringLiteral("a:u8[%1]=0").arg(parameter.bytes)};
    static const QRegularExpression counts(QStringLiteral("^(n|num|size|count|length|len|elements|total|limit)\\w*$"));
    if (isFloat(parameter.element))
        return {QString(), QStringLiteral("1")};
    if (threads.y > 1) {
        static const QRegularExpression across(QStringLiteral("^(w|nx|width|col|cols|columns|pitch)$")),
            down(QStringLiteral("^(h|ny|height|row|rows)$")), deep(QStringLiteral("^(d|nz|depth)$")),
            side(QStringLiteral("^(n|num|size|dim)$"));
        for (const auto& [words, number] :
             {std::pair(&across, threads.x), std::pair(&down, threads.y), std::pair(&deep, threads.z),
              std::pair(&side, std::min(threads.x, threads.y))})
            if (words->match(name).hasMatch())
                return {QString(), QString::number(number)};
    }
    return {QString(), counts.match(name).hasMatch() ? QString::number(threads.count()) : QStringLiteral("1")};
}

Dim3 threadsOf(const LaunchRequest& launch) {
    const Dim3 block = launch.block.value_or(Dim3{}), grid = launch.grid.value_or(Dim3{});
    return {block.x * grid.x, block.y * grid.y, block.z * grid.z};
}

RunRequest padSource(const RunRequest& like, const QString& path, const QString& text, const PadSettings& settings) {
    RunRequest request;
    request.backend = like.backend;
    request.options = like.options;
    request.accesses = like.accesses;
    request.options.instructionLimit = request.options.timing ? timedInstructionsOfWarp : instructionsOfWarp;
    request.kernel = path.toStdString();
    request.text = text.toStdString();
    request.entry = settings.kernel.toStdString();
    request.launch.mode = modeOf(settings, request.options.timing);
    request.modeChosen = settings.mode.has_value();
    request.compile = compileOf(path, settings, request.options.timing);
    return request;
}

session::ProgramRequest padProgram(const RunRequest& like, const QString& path, const QString& file,
                                   const PadSettings& settings) {
    session::ProgramRequest request;
    request.sources.push_back(file.toStdString());
    for (const QString& other : settings.programFiles)
        request.sources.push_back(besides(path, other).toStdString());
    for (const QString& word : wordsOf(settings.programArguments))
        request.words.push_back(word.toStdString());
    request.compile = compileOf(path, settings, like.options.timing);
    // The text may lie elsewhere for the moment, and what it includes does not.
    if (const QString folder = QFileInfo(path).absolutePath(); folder != QFileInfo(file).absolutePath())
        request.compile.includes.insert(request.compile.includes.begin(), folder.toStdString());
    program::Settings& s = request.settings;
    s.device = like.options.device;
    s.timing = like.options.timing;
    s.accesses = like.accesses;
    s.policy = name(like.options.policy);
    return request;
}

RunRequest padRequest(const RunRequest& like, const QString& path, const QString& text, const KernelFile& file,
                      const FileKernel& kernel, const PadSettings& settings) {
    const PadKernel set = settings.kernels.value(QString::fromStdString(kernel.entry));
    RunRequest request = padSource(like, path, text, settings);
    const bool isTriton = session::isTritonFile(request.kernel); // which says its block itself
    if (!isTriton)
        request.compiled = file.compiled;
    request.entry = kernel.entry;
    request.countRegisters = false; // it runs on every pause in typing: the estimate comes at once
    if (!isTriton)
        request.launch.block = set.block.value_or(usualBlock(kernel));
    request.launch.grid = set.grid.value_or(Dim3{1});
    if (set.shared)
        request.launch.sharedBytes = set.shared;
    const Dim3 threads = threadsOf(request.launch);
    for (const KernelParameter& p : kernel.parameters)
        if (const QString called = QString::fromStdString(p.name); p.isConstexpr) {
            const QString value = set.arguments.value(called, usualArgument(p, threads)).initial.trimmed();
            if (!value.isEmpty())
                request.compile.defines.push_back((called + QLatin1Char('=') + value).toStdString());
        } else {
            request.arguments.push_back(p.fields.empty()
                                            ? specOf(p, set.arguments.value(called, usualArgument(p, threads)), path)
                                            : structSpec(p, set, threads, path, request.buffers));
        }
    for (const cuda_text::StructField& global : file.globals)
        if (const PadArgument a = set.arguments.value(QStringLiteral("::") + QString::fromStdString(global.name));
            !a.initial.trimmed().isEmpty())
            request.globals.push_back(QStringLiteral("%1:%2%3=%4")
                                          .arg(QString::fromStdString(global.name), QLatin1String(name(global.element)),
                                               global.count > 1 ? QStringLiteral("[%1]").arg(global.count) : QString(),
                                               initialOf(a, path))
                                          .toStdString());
    return request;
}

const FileKernel* padKernel(const KernelFile& file, const QString& wanted) {
    const std::string name = wanted.toStdString();
    const auto chosen = std::find_if(file.kernels.begin(), file.kernels.end(),
                                     [&](const FileKernel& k) { return k.entry == name || k.signature == name; });
    if (chosen != file.kernels.end())
        return &*chosen;
    return file.kernels.empty() ? nullptr : &file.kernels.front();
}

namespace {

// "..., line 4 of k.cu (PTX line 51)": what a program that is running says of a kernel of its own.
QRegularExpressionMatch placeInSource(const QString& sentence) {
    static const QRegularExpression place(QStringLiteral(",? \\bline (\\d+) of (.+?)(?: \\(PTX line \\d+\\))?\\.?$"));
    return place.match(sentence);
}

// A fault of the emulator's without its place in the source, and that place; line 0: it has none.
struct Placed {
    Message what;
    std::string file;
    int line = 0;
};

Placed placed(const Said& said) {
    Placed of{said.message(), {}, 0};
    const bool thread = of.what.id == say::OfThread.id;
    if (!thread && of.what.id != say::OfBlock.id)
        return of;
    const auto* where = std::get_if<std::vector<Message>>(&of.what.arguments.back());
    if (!where || where->size() != 1 || where->front().id != say::SourceLine.id)
        return of;
    const std::vector<Message::Argument>& place = where->front().arguments;
    if (const auto* line = std::get_if<std::uint64_t>(&place[0]))
        of.line = int(*line);
    if (const auto* file = std::get_if<std::string>(&place[1]))
        of.file = *file;
    of.what.arguments.pop_back();
    of.what.id = thread ? say::OfThreadHere.id : say::OfBlockHere.id;
    return of;
}

} // namespace

Error saidOnce(Error error, const QString& path) {
    const QVector<PadMark> marks = marksOf(error, path);
    if (marks.isEmpty())
        return error;
    error.message = marks.first().text;
    error.file = QFileInfo(path).fileName().toStdString();
    error.line = marks.first().line;
    error.column = 0;
    if (marks.size() > 1)
        error.message = say::AndMore(error.message.message(), std::uint64_t(marks.size() - 1));
    if (error.remedy == say::MendSource) // which the marks say
        error.remedy = {};
    return error;
}

QVector<PadMark> marksOf(const Error& error, const QString& path) {
    QVector<PadMark> marks;
    const QString name = QFileInfo(path).fileName();
    const auto here = [&](const QString& file) { return QFileInfo(file).fileName() == name; };
    const QStringList lines = QString::fromStdString(error.message).split(QLatin1Char('\n')); // a compiler's
    Placed fault = placed(error.message);
    const Said first = error.message.isTyped() ? Said(std::move(fault.what)) : Said(lines.first().toStdString());
    if (error.line > 0 && here(QString::fromStdString(error.file)))
        marks.append({error.line, first});
    else if (fault.line > 0 && here(QString::fromStdString(fault.file)))
        marks.append({fault.line, first});
    static const QRegularExpression listed(QStringLiteral("^(.+):(\\d+): (.+)$"));
    for (const QString& line : lines.mid(1))
        if (const auto found = listed.match(line); found.hasMatch() && here(found.captured(1)))
            marks.append({found.captured(2).toInt(), found.captured(3).toStdString()});
    return marks;
}

QVector<PadMark> marksOfProgram(const QString& said, const QString& path) {
    static const QRegularExpression placed(
        QStringLiteral("^warpglass-record: (?:note: )?(?:operation \\d+: )?(.*\\bline (\\d+) of (.+?)"
                       "(?: \\(PTX line \\d+\\))?\\.?)$"));
    QVector<PadMark> marks;
    for (const QString& line : said.split(QLatin1Char('\n')))
        if (const auto found = placed.match(line);
            found.hasMatch() && QFileInfo(found.captured(3)).fileName() == QFileInfo(path).fileName())
            marks.append({found.captured(2).toInt(),
                          found.captured(1).left(placeInSource(found.captured(1)).capturedStart()).toStdString()});
    return marks;
}

QString firstKernel() {
    return QStringLiteral("// Even lanes go one way, odd lanes the other: half of the warp waits.\n"
                          "__global__ void firstKernel(float* out, int n)\n"
                          "{\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "    if (i >= n)\n"
                          "        return;\n"
                          "    if (i % 2 == 0)\n"
                          "        out[i] = 100.0f;\n"
                          "    else\n"
                          "        out[i] = 200.0f;\n"
                          "}\n");
}

} // namespace warpglass
