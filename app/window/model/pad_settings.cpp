// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept beside a kernel's file: read, written, and its words.
#include "app/window/model/pad.h"
#include "gpu/base/messages/session.h"

#include "app/session/compiler.h"
#include "gpu/base/dim3.h"
#include "gpu/base/seal.h"
#include "views/common/whole_file.h"

#include <nlohmann/json.hpp>

#include <QFile>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpglass {

using nlohmann::json;

QStringList wordsOf(const QString& line) {
    QStringList words;
    QString word;
    QChar quote; // in which one is
    bool begun = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        const bool escapes = c == QLatin1Char('\\') && quote != QLatin1Char('\'') && i + 1 < line.size();
        if (escapes && (line[i + 1] == QLatin1Char('"') || line[i + 1] == c)) {
            word += line[++i];
            begun = true;
        } else if (quote.isNull() && c.isSpace()) {
            if (begun)
                words << std::exchange(word, {});
            begun = false;
        } else if (quote.isNull() ? c == QLatin1Char('"') || c == QLatin1Char('\'') : c == quote) {
            quote = quote.isNull() ? c : QChar();
            begun = true;
        } else {
            word += c;
            begun = true;
        }
    }
    if (begun)
        words << word;
    return words;
}

QString lineOf(const QStringList& words) {
    QStringList quoted;
    for (QString word : words) {
        const bool parts = word.isEmpty() || std::any_of(word.begin(), word.end(),
                                                         [](QChar c) { return c.isSpace() || c == QLatin1Char('\''); });
        word.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
        quoted << (parts ? QLatin1Char('"') + word + QLatin1Char('"') : word);
    }
    return quoted.join(QLatin1Char(' '));
}

namespace {

constexpr const char* sealPurpose = "options of the compiler";

std::vector<std::string> sealedWords(const PadSettings& settings) {
    std::vector<std::string> words;
    for (const QString& word : settings.nvcc)
        words.push_back(word.toStdString());
    return words;
}

} // namespace

QString padSettingsPath(const QString& path) {
    return path + QStringLiteral(".warpglass.json");
}

Result<PadSettings> readPadSettings(const QString& path) {
    PadSettings settings;
    QFile file(padSettingsPath(path));
    if (!file.exists())
        return settings;
    const auto damaged = [&](const std::string& why) {
        return Error{.message = say::SettingsNotRead(why),
                     .file = padSettingsPath(path).toStdString(),
                     .remedy = say::MendOrDelete};
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
    settings.nvcc = texts(all, "nvcc");
    if (!isSealed(text(all, "seal").toStdString(), sealPurpose, sealedWords(settings))) {
        const auto harmless = [](const QString& word) { return session::changesCodeOnly(word.toStdString()); };
        std::copy_if(settings.nvcc.begin(), settings.nvcc.end(), std::back_inserter(settings.withheld),
                     [&](const QString& word) { return !harmless(word); });
        settings.nvcc.erase(std::remove_if(settings.nvcc.begin(), settings.nvcc.end(),
                                           [&](const QString& word) { return !harmless(word); }),
                            settings.nvcc.end());
    }
    if (const auto program = all.find("program"); program != all.end() && program->is_object()) {
        settings.programArguments = text(*program, "arguments");
        settings.programFiles = texts(*program, "files");
    }
    if (const auto mode = parseEnum<CompileMode>(text(all, "mode").toStdString()))
        settings.mode = *mode;
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
                        kernel.arguments[QString::fromStdString(argument)] = {text(a, "count"), text(a, "initial"),
                                                                              text(a, "type")};
            settings.kernels[QString::fromStdString(name)] = kernel;
        }
    return settings;
}

Result<void> writePadSettings(const QString& path, const PadSettings& settings) {
    json all;
    all["kernel"] = settings.kernel.toStdString();
    if (settings.mode)
        all["mode"] = name(*settings.mode);
    if (!settings.arch.isEmpty())
        all["arch"] = settings.arch.toStdString();
    const auto put = [](json& object, const char* key, const QStringList& words) {
        for (const QString& word : words)
            object[key].push_back(word.toStdString());
    };
    put(all, "includes", settings.includes);
    put(all, "defines", settings.defines);
    put(all, "nvcc", settings.nvcc);
    if (!settings.nvcc.isEmpty()) // they were typed here
        all["seal"] = sealOf(sealPurpose, sealedWords(settings));
    if (!settings.programArguments.isEmpty())
        all["program"]["arguments"] = settings.programArguments.toStdString();
    if (!settings.programFiles.isEmpty())
        put(all["program"], "files", settings.programFiles);
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
                                                          {"initial", a->initial.toStdString()},
                                                          {"type", a->type.toStdString()}};
        all["kernels"][k.key().toStdString()] = kernel;
    }
    WholeFile file(padSettingsPath(path));
    const std::string bytes = all.dump(2) + "\n";
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) != qint64(bytes.size()) ||
        !file.commit())
        return Error{.message = say::SettingsNotKept(file.errorString().toStdString()),
                     .file = padSettingsPath(path).toStdString()};
    return {};
}

} // namespace warpglass
