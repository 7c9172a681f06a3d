// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/pad.h"

#include "gpu/base/dim3.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>

namespace warpglass {

namespace {

using nlohmann::json;
using session::FileKernel;
using session::KernelFile;
using session::KernelParameter;

constexpr std::uint32_t usualBlock = 64;
constexpr std::uint64_t instructionsOfWarp = 20'000'000; // then a loop has no end: seconds, not minutes

// A number as it is passed: PTX tells its size, and not always more.
ElementType valueType(const KernelParameter& p) {
    if (std::uint64_t(bytesOf(p.element)) == p.bytes)
        return p.element;
    return p.bytes == 8   ? ElementType::I64
           : p.bytes == 2 ? ElementType::I16
           : p.bytes == 1 ? ElementType::I8
                          : p.element;
}

// "buffer:f32[64]=iota", as --arg has it.
std::string specOf(const KernelParameter& p, const PadArgument& argument) {
    const QString called = QString::fromStdString(p.name), initial = argument.initial.trimmed();
    if (p.isStruct)
        return QStringLiteral("%1:{%2}").arg(called, initial).toStdString();
    if (!argument.count.trimmed().isEmpty())
        return (QStringLiteral("%1:%2[%3]").arg(called, QLatin1String(name(p.element)), argument.count.trimmed()) +
                (initial.isEmpty() ? QString() : QStringLiteral("=") + initial))
            .toStdString();
    return QStringLiteral("%1:%2=%3").arg(called, QLatin1String(name(valueType(p))), initial).toStdString();
}

} // namespace

PadArgument usualArgument(const KernelParameter& parameter, std::uint64_t threads) {
    const QString name = QString::fromStdString(parameter.name).toLower(), all = QString::number(threads);
    if (parameter.isPointer || (parameter.bytes == 8 && parameter.type == ".u64"))
        return {all, parameter.isConst ? QStringLiteral("iota") : QStringLiteral("0")};
    if (parameter.isStruct)
        return {QString(), QStringLiteral("a:u8[%1]=0").arg(parameter.bytes)};
    static const QRegularExpression counts(QStringLiteral("^(n|num|size|count|length|len|elements|total|limit)\\w*$"));
    const bool whole = parameter.element != ElementType::F32 && parameter.element != ElementType::F64;
    return {QString(), whole && counts.match(name).hasMatch() ? all : QStringLiteral("1")};
}

RunRequest padSource(const RunRequest& like, const QString& path, const QString& text, const PadSettings& settings) {
    RunRequest request;
    request.backend = like.backend;
    request.options = like.options;
    request.accesses = like.accesses;
    request.options.instructionLimit = instructionsOfWarp;
    request.kernel = path.toStdString();
    request.text = text.toStdString();
    request.entry = settings.kernel.toStdString();
    request.launch.mode = settings.mode;
    for (const QString& folder : settings.includes)
        request.compile.includes.push_back(folder.toStdString());
    for (const QString& define : settings.defines)
        request.compile.defines.push_back(define.toStdString());
    request.compile.arch = settings.arch.toStdString();
    return request;
}

RunRequest padRequest(const RunRequest& like, const QString& path, const QString& text, const KernelFile& file,
                      const FileKernel& kernel, const PadSettings& settings) {
    const PadKernel set = settings.kernels.value(QString::fromStdString(kernel.entry));
    RunRequest request = padSource(like, path, text, settings);
    request.compiled = file.compiled;
    request.entry = kernel.entry;
    const Dim3 usual = kernel.requiredBlock.x ? kernel.requiredBlock : Dim3{usualBlock};
    request.launch.block = set.block.value_or(usual);
    request.launch.grid = set.grid.value_or(Dim3{1});
    if (set.shared)
        request.launch.sharedBytes = set.shared;
    const std::uint64_t threads = request.launch.block->count() * request.launch.grid->count();
    for (const KernelParameter& p : kernel.parameters)
        request.arguments.push_back(
            specOf(p, set.arguments.value(QString::fromStdString(p.name), usualArgument(p, threads))));
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

QString padSettingsPath(const QString& path) {
    return path + QStringLiteral(".warpglass.json");
}

Result<PadSettings> readPadSettings(const QString& path) {
    PadSettings settings;
    QFile file(padSettingsPath(path));
    if (!file.exists())
        return settings;
    const auto damaged = [&](const std::string& why) {
        return Error{.message = "the settings beside the kernel cannot be read: " + why,
                     .file = padSettingsPath(path).toStdString(),
                     .remedy = "Mend or delete that file."};
    };
    constexpr qint64 most = 1 << 20;
    if (!file.open(QIODevice::ReadOnly) || file.size() > most)
        return damaged(file.size() > most ? "it is too large" : file.errorString().toStdString());
    const json all = json::parse(file.readAll().toStdString(), nullptr, false);
    if (!all.is_object())
        return damaged("it is no JSON object");
    const auto text = [](const json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                           : QString();
    };
    const auto texts = [](const json& object, const char* key) {
        QStringList list;
        if (const auto found = object.find(key); found != object.end() && found->is_array())
            for (const json& item : *found)
                if (item.is_string())
                    list << QString::fromStdString(item.get<std::string>());
        return list;
    };
    settings.kernel = text(all, "kernel");
    settings.arch = text(all, "arch");
    settings.includes = texts(all, "includes");
    settings.defines = texts(all, "defines");
    settings.mode = text(all, "mode") == QLatin1String("optimised") ? CompileMode::Optimised : CompileMode::AsWritten;
    if (const auto kernels = all.find("kernels"); kernels != all.end() && kernels->is_object())
        for (const auto& [name, k] : kernels->items()) {
            if (!k.is_object())
                return damaged("kernel \"" + name + "\" is no object");
            PadKernel kernel;
            kernel.grid = parseDim3(text(k, "grid").toStdString());
            kernel.block = parseDim3(text(k, "block").toStdString());
            if (const auto shared = k.find("shared"); shared != k.end() && shared->is_number_unsigned())
                kernel.shared = std::uint32_t(std::min<std::uint64_t>(shared->get<std::uint64_t>(), ~0u));
            if (const auto arguments = k.find("arguments"); arguments != k.end() && arguments->is_object())
                for (const auto& [argument, a] : arguments->items())
                    if (a.is_object())
                        kernel.arguments[QString::fromStdString(argument)] = {text(a, "count"), text(a, "initial")};
            settings.kernels[QString::fromStdString(name)] = kernel;
        }
    return settings;
}

Result<void> writePadSettings(const QString& path, const PadSettings& settings) {
    json all;
    all["kernel"] = settings.kernel.toStdString();
    all["mode"] = settings.mode == CompileMode::Optimised ? "optimised" : "as-written";
    if (!settings.arch.isEmpty())
        all["arch"] = settings.arch.toStdString();
    for (const QString& folder : settings.includes)
        all["includes"].push_back(folder.toStdString());
    for (const QString& define : settings.defines)
        all["defines"].push_back(define.toStdString());
    for (auto k = settings.kernels.begin(); k != settings.kernels.end(); ++k) {
        json kernel = json::object();
        if (k->grid)
            kernel["grid"] = k->grid->text();
        if (k->block)
            kernel["block"] = k->block->text();
        if (k->shared)
            kernel["shared"] = k->shared;
        for (auto a = k->arguments.begin(); a != k->arguments.end(); ++a)
            kernel["arguments"][a.key().toStdString()] = {{"count", a->count.toStdString()},
                                                          {"initial", a->initial.toStdString()}};
        all["kernels"][k.key().toStdString()] = kernel;
    }
    QSaveFile file(padSettingsPath(path));
    const std::string bytes = all.dump(2) + "\n";
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) != qint64(bytes.size()) ||
        !file.commit())
        return Error{.message = "the settings cannot be kept beside the kernel: " + file.errorString().toStdString(),
                     .file = padSettingsPath(path).toStdString()};
    return {};
}

QVector<PadMark> marksOf(const Error& error, const QString& path) {
    QVector<PadMark> marks;
    const QString name = QFileInfo(path).fileName();
    const auto here = [&](const QString& file) { return QFileInfo(file).fileName() == name; };
    const QStringList lines = QString::fromStdString(error.message).split(QLatin1Char('\n'));
    if (error.line > 0 && here(QString::fromStdString(error.file)))
        marks.append({error.line, lines.first()});
    static const QRegularExpression listed(QStringLiteral("^(.+):(\\d+): (.+)$"));
    for (const QString& line : lines.mid(1))
        if (const auto found = listed.match(line); found.hasMatch() && here(found.captured(1)))
            marks.append({found.captured(2).toInt(), found.captured(3)});
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
