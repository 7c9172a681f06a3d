// SPDX-License-Identifier: GPL-3.0-or-later
// The program `warpglass`: without a command the window; `render` and `lesson` write pictures and need no display.
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/model/lessons.h"
#include "app/window/pictures.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QFileInfo>

#include <iostream>

using namespace warpglass;

namespace {

constexpr int wrongCommandLine = 2;

struct CommandLine {
    std::string file, view, output, select, theme = "light", language, compare, size = "1600x900", lesson, folder = ".";
    std::string startLesson;
    double fontScale = 1.0;
    std::int64_t time = 0;
};

// "1600x900"; empty if it is none.
QSize sizeOf(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

} // namespace

int main(int argc, char** argv) {
    CommandLine line;
    CLI::App cli{"Warpglass shows how a CUDA kernel really runs.", "warpglass"};
    cli.set_version_flag("--version", "warpglass " WARPGLASS_VERSION);
    cli.add_option("FILE", line.file, "a trace (.wgt) to open");
    cli.add_option("--lesson", line.startLesson, "open the window on this lesson");
    cli.add_option("--lang", line.language, "language of the window: en or zh_CN");
    auto* themeOption =
        cli.add_option("--theme", line.theme, "light, dark or print")->check(CLI::IsMember({"light", "dark", "print"}));
    auto* renderCommand = cli.add_subcommand("render", "Paint a view of a trace into a file");
    renderCommand->add_option("FILE", line.file, "the trace")->required();
    renderCommand->add_option("--view", line.view, "name of the view: launchmap, lanes, source, ...")->required();
    renderCommand->add_option("-o,--output", line.output, "file to write: .png, .svg, .pdf or .csv")->required();
    renderCommand->add_option("--size", line.size, "WIDTHxHEIGHT in pixels or points")->capture_default_str();
    auto* timeOption = renderCommand->add_option("--time", line.time, "the time shown, in the trace's unit");
    renderCommand->add_option(
        "--select", line.select,
        "what is selected: launch=N,block=N (linear blockIdx),warp=N,lane=N,line=N,ptx=N,time=T|start|end|50%|event:N,"
        "range=A:B,option:NAME=VALUE");
    renderCommand->add_option("--compare", line.compare, "a second trace to show beside it");
    renderCommand->add_option("--lang", line.language, "en or zh_CN");
    renderCommand->add_option("--theme", line.theme, "light, dark or print")
        ->check(CLI::IsMember({"light", "dark", "print"}));
    renderCommand->add_option("--font-scale", line.fontScale, "size of the type")->check(CLI::Range(0.5, 4.0));
    auto* lessonCommand = cli.add_subcommand("lesson", "Write the pictures of a lesson into a folder");
    lessonCommand->add_option("NAME", line.lesson, "name of a lesson, or a lesson's file")->required();
    lessonCommand->add_option("--pictures", line.folder, "folder to write into")->required();
    lessonCommand->add_option("--size", line.size, "WIDTHxHEIGHT")->capture_default_str();
    lessonCommand->add_option("--lang", line.language, "en or zh_CN");
    lessonCommand->add_option("--theme", line.theme, "light, dark or print")
        ->check(CLI::IsMember({"light", "dark", "print"}));
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? 0 : wrongCommandLine;
    }
    const QSize size = sizeOf(line.size);
    if (size.isEmpty() || size.width() > 20000 || size.height() > 20000) {
        std::cerr << "warpglass: \"" << line.size << "\" after --size is not a size such as 1600x900\n";
        return wrongCommandLine;
    }
    const bool pictures = renderCommand->parsed() || lessonCommand->parsed();
    if (pictures) // no display is needed, so none is asked for
        qputenv("QT_QPA_PLATFORM", "offscreen");

    initialiseResources();
    QCoreApplication::setOrganizationName(QStringLiteral("Warpglass"));
    QCoreApplication::setApplicationName(QStringLiteral("Warpglass"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARPGLASS_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.warpglass.Warpglass"));
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    if (pictures) {
        Language language;
        language.set(QString::fromStdString(line.language));
        if (renderCommand->parsed()) {
            RenderRequest request;
            request.file = QString::fromLocal8Bit(line.file.c_str());
            request.view = QString::fromStdString(line.view);
            request.output = QString::fromLocal8Bit(line.output.c_str());
            request.size = size;
            if (timeOption->count() > 0)
                request.time = line.time;
            request.select = QString::fromStdString(line.select);
            request.theme = QString::fromStdString(line.theme);
            request.fontScale = line.fontScale;
            request.compare = QString::fromLocal8Bit(line.compare.c_str());
            return render(request);
        }
        LessonPicturesRequest request;
        request.lesson = QString::fromLocal8Bit(line.lesson.c_str());
        request.folder = QString::fromLocal8Bit(line.folder.c_str());
        request.size = size;
        request.theme = QString::fromStdString(line.theme);
        request.language = language.name();
        return lessonPictures(request);
    }
    MainWindow window;
    if (!line.language.empty())
        window.setLanguage(QString::fromStdString(line.language));
    if (themeOption->count() > 0)
        window.setThemeName(QString::fromStdString(line.theme));
    window.show();
    if (!line.file.empty())
        window.openFile(QString::fromLocal8Bit(line.file.c_str()));
    else
        window.startLesson(line.startLesson.empty() ? QFileInfo(builtInLessonPaths().first()).completeBaseName()
                                                    : QString::fromStdString(line.startLesson));
    return QApplication::exec();
}
