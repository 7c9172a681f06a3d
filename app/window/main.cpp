// SPDX-License-Identifier: GPL-3.0-or-later
// The program `warpglass`: without a command the window; `render`, `report`, `film` and `lesson` write pictures and
// need no display.
#include "app/window/export/pictures.h"
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/model/lessons.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QFileInfo>

#include <iostream>

using namespace warpglass;

namespace {

constexpr int wrongCommandLine = 2;

struct CommandLine {
    std::string file, view, views, output, select, theme = "light", language, compare, align = "start", size, lesson,
                                                   folder = ".", preset;
    std::string startLesson;
    std::vector<std::string> more;
    double fontScale = 1.0, scale = 1.0, seconds = 10;
    int fps = 25;
    std::int64_t time = 0;
};

// "1600x900"; empty if it is none.
QSize sizeOf(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

void addLook(CLI::App& command, CommandLine& line) {
    command.add_option("--lang", line.language, "en or zh_CN");
    command.add_option("--theme", line.theme, "light, dark or print")->check(CLI::IsMember({"light", "dark", "print"}));
}

// What the commands that make pictures of a trace have in common.
void addSource(CLI::App& command, CommandLine& line) {
    command.add_option("FILE", line.file, "the trace, or a table of sweeps (.csv)")->required();
    command.add_option("MORE", line.more, "further traces and tables, charted together with the first");
    command.add_option("--time", line.time, "the time shown, in the trace's unit");
    command.add_option(
        "--select", line.select,
        "what is selected: launch=N,block=N (linear blockIdx),warp=N,lane=N,line=N,ptx=N,time=T|start|end|50%|event:N,"
        "range=A:B,option:NAME=VALUE");
    command.add_option("--compare", line.compare, "a second trace to show beside it");
    command
        .add_option("--align", line.align,
                    "where both traces are laid over each other: start, branch, divergence, barrier, release, "
                    "access, shuffle, launch, exit or line:N")
        ->capture_default_str();
    command.add_option("--font-scale", line.fontScale, "size of the type")->check(CLI::Range(0.5, 4.0));
    addLook(command, line);
}

void take(PictureSource& source, const CommandLine& line, const CLI::App& command) {
    source.file = QString::fromLocal8Bit(line.file.c_str());
    for (const std::string& file : line.more)
        source.more << QString::fromLocal8Bit(file.c_str());
    if (command.count("--time") > 0)
        source.time = line.time;
    source.select = QString::fromStdString(line.select);
    source.theme = QString::fromStdString(line.theme);
    source.fontScale = line.fontScale;
    source.compare = QString::fromLocal8Bit(line.compare.c_str());
    source.align = QString::fromStdString(line.align);
}

// Pictures for a purpose: of a slide, or of a column of a paper (3.5 inch wide at 300 dots an inch).
void usePreset(CommandLine& line, const CLI::App& command) {
    const bool column = line.preset == "column";
    if (command.count("--size") == 0)
        line.size = column ? "840x600" : "1600x900";
    if (column && command.count("--theme") == 0)
        line.theme = "print";
    if (column && command.count("--font-scale") == 0)
        line.fontScale = 1.5;
    if (column && command.count("--scale") == 0)
        line.scale = 2.0;
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
    renderCommand->add_option("--view", line.view, "name of the view: launchmap, lanes, source, ...")->required();
    renderCommand->add_option("-o,--output", line.output, "file to write: .png, .svg, .pdf or .csv")->required();
    renderCommand->add_option("--size", line.size, "WIDTHxHEIGHT in pixels or points; 1600x900 if not given");
    renderCommand->add_option("--scale", line.scale, "pixels of a PNG for each of --size")
        ->check(CLI::Range(0.1, 16.0));
    renderCommand->add_option("--for", line.preset, "size, type and theme for a slide or a column of a paper")
        ->check(CLI::IsMember({"slide", "column"}));
    addSource(*renderCommand, line);
    auto* reportCommand = cli.add_subcommand("report", "Write views, metrics and their origin into one document");
    reportCommand->add_option("-o,--output", line.output, "file to write: .html or .pdf")->required();
    reportCommand->add_option("--views", line.views, "views separated by commas; all that show something if not given");
    addSource(*reportCommand, line);
    auto* filmCommand = cli.add_subcommand("film", "Let a view play into a film, or into a folder of pictures");
    filmCommand->add_option("--view", line.view, "name of the view")->required();
    filmCommand->add_option("-o,--output", line.output, "film: .mp4, .webm, .mkv or .gif (needs ffmpeg); else a folder")
        ->required();
    filmCommand->add_option("--size", line.size, "WIDTHxHEIGHT; 1280x720 if not given");
    filmCommand->add_option("--seconds", line.seconds, "length")->capture_default_str()->check(CLI::Range(0.1, 3600.0));
    filmCommand->add_option("--fps", line.fps, "pictures a second")->capture_default_str()->check(CLI::Range(1, 120));
    addSource(*filmCommand, line);
    auto* lessonCommand = cli.add_subcommand("lesson", "Write the pictures of a lesson into a folder");
    lessonCommand->add_option("NAME", line.lesson, "name of a lesson, or a lesson's file")->required();
    lessonCommand->add_option("--pictures", line.folder, "folder to write into")->required();
    lessonCommand->add_option("--size", line.size, "WIDTHxHEIGHT; 1600x900 if not given");
    addLook(*lessonCommand, line);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? 0 : wrongCommandLine;
    }
    if (renderCommand->parsed())
        usePreset(line, *renderCommand);
    else if (line.size.empty())
        line.size = filmCommand->parsed() ? "1280x720" : "1600x900";
    const QSize size = sizeOf(line.size);
    if (size.isEmpty() || size.width() > 20000 || size.height() > 20000) {
        std::cerr << "warpglass: \"" << line.size << "\" after --size is not a size such as 1600x900\n";
        return wrongCommandLine;
    }
    const bool pictures =
        renderCommand->parsed() || reportCommand->parsed() || filmCommand->parsed() || lessonCommand->parsed();
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
            take(request, line, *renderCommand);
            request.view = QString::fromStdString(line.view);
            request.output = QString::fromLocal8Bit(line.output.c_str());
            request.size = size;
            request.scale = line.scale;
            return render(request);
        }
        if (reportCommand->parsed()) {
            ReportCommand command;
            take(command, line, *reportCommand);
            command.views = QString::fromStdString(line.views).split(QLatin1Char(','), Qt::SkipEmptyParts);
            command.output = QString::fromLocal8Bit(line.output.c_str());
            return report(command);
        }
        if (filmCommand->parsed()) {
            FilmCommand command;
            take(command, line, *filmCommand);
            command.view = QString::fromStdString(line.view);
            command.output = QString::fromLocal8Bit(line.output.c_str());
            command.size = size;
            command.seconds = line.seconds;
            command.fps = line.fps;
            return film(command);
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
