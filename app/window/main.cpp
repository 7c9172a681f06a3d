// SPDX-License-Identifier: GPL-3.0-or-later
// The program `warpglass`: without a command the window; `render`, `report`, `film`, `page` and `lesson` write pictures and
// need no display.
#include "app/command_line/command_line.h"
#include "app/window/export/lesson_check.h"
#include "app/window/export/pictures.h"
#include "app/window/export/window_picture.h"
#include "app/window/language.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/look/look_feature.h"
#include "app/window/main_window.h"
#include "app/window/model/lessons.h"
#include "gpu/base/memory_limit.h"

#include <QApplication>
#include <QDir>

#include <csignal>
#include <iostream>
#include <new>

#include <unistd.h>

using namespace warpglass;
using command_line::Command;
using command_line::CommandLine;

namespace {

constexpr int wrongCommandLine = 2;

struct Words { // as typed
    std::string file, view, views, output, select, theme = "light", language, compare, align = "start", size, lesson,
                                                   folder = ".", preset;
    std::string startLesson, ghost, layer, actions;
    std::vector<std::string> more;
    bool check = false, asking = false, startPage = false, still = false, answers = false;
    std::string page, worksheet;
    double fontScale = 1.0, scale = 1.0, seconds = 10;
    int fps = 25;
    int step = 1, tour = 0;
    std::int64_t time = 0, launch = -1;
};

// "1600x900"; empty if it is none.
QSize sizeOf(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

void addLook(const Command& command, Words& line) {
    command.option("--lang", &line.language, "en or zh_CN");
    command.option("--theme", &line.theme, "light, dark, print or projector")
        .oneOf({"light", "dark", "print", "projector"});
}

// What the commands that make pictures of a trace have in common.
void addSource(const Command& command, Words& line) {
    command.option("FILE", &line.file, "the trace, or a table of sweeps (.csv)").required();
    command.option("MORE", &line.more, "further traces and tables, charted together with the first");
    command
        .option("--launch", &line.launch, "of a program's recording: which launch, counted from 0; else its only one")
        .inRange(0, 1'000'000'000'000'000);
    command.option("--time", &line.time, "the time shown, in the trace's unit");
    command.option("--select", &line.select,
                   "what is selected: launch=N,block=N (linear "
                   "blockIdx),warp=N,lane=N,follow=LANE,line=N,ptx=N,time=T|start|end|50%|event:N,"
                   "range=A:B,option:NAME=VALUE");
    command.option("--compare", &line.compare, "a second trace to show beside it");
    command.option("--ghost", &line.ghost,
                   "a GPU's recording of the launch that FILE models, to lie under its timeline");
    command.option("--layer", &line.layer,
                   "ranges inside the kernel that Proton or IKET timed, to lie over its timeline");
    command
        .option("--align", &line.align,
                "where both traces are laid over each other: start, branch, divergence, barrier, release, "
                "access, shuffle, launch, exit or line:N")
        .showDefault();
    command.option("--font-scale", &line.fontScale, "size of the type").inRange(0.5, 4.0);
    addLook(command, line);
}

void take(PictureSource& source, const Words& line, const Command& command) {
    source.file = QString::fromLocal8Bit(line.file.c_str());
    for (const std::string& file : line.more)
        source.more << QString::fromLocal8Bit(file.c_str());
    if (command.given("--launch"))
        source.launch = std::uint64_t(line.launch);
    if (command.given("--time"))
        source.time = line.time;
    source.select = QString::fromStdString(line.select);
    source.theme = QString::fromStdString(line.theme);
    source.fontScale = line.fontScale;
    source.compare = QString::fromLocal8Bit(line.compare.c_str());
    source.ghost = QString::fromLocal8Bit(line.ghost.c_str());
    source.layer = QString::fromLocal8Bit(line.layer.c_str());
    source.align = QString::fromStdString(line.align);
}

// Pictures for a purpose: of a slide, or of a column of a paper (3.5 inch wide at 300 dots an inch).
void usePreset(Words& line, const Command& command) {
    const bool column = line.preset == "column";
    if (!command.given("--size"))
        line.size = column ? "840x600" : "1600x900";
    if (column && !command.given("--theme"))
        line.theme = "print";
    if (column && !command.given("--font-scale"))
        line.fontScale = 1.5;
    if (column && !command.given("--scale"))
        line.scale = 2.0;
}

int run(int argc, char** argv) {
    Words line;
    CommandLine cli("Warpglass shows how a CUDA kernel really runs.", "warpglass", "warpglass " WARPGLASS_VERSION);
    cli.option("FILE", &line.file, "a trace (.wgt) to open");
    cli.option("--lesson", &line.startLesson, "open the window on this lesson");
    cli.option("--lang", &line.language, "language of the window: en or zh_CN");
    cli.option("--theme", &line.theme, "light, dark, print or projector")
        .oneOf({"light", "dark", "print", "projector"});
    const Command renderCommand = cli.command("render", "Paint a view of a trace into a file");
    renderCommand.option("--view", &line.view, "name of the view: launchmap, lanes, source, ...").required();
    renderCommand.option("-o,--output", &line.output, "file to write: .png, .svg, .pdf or .csv").required();
    renderCommand.option("--size", &line.size, "WIDTHxHEIGHT in pixels or points; 1600x900 if not given");
    renderCommand.option("--scale", &line.scale, "pixels of a PNG for each of --size").inRange(0.1, 16.0);
    renderCommand.option("--for", &line.preset, "size, type and theme for a slide or a column of a paper")
        .oneOf({"slide", "column"});
    addSource(renderCommand, line);
    const Command reportCommand = cli.command("report", "Write views, metrics and their origin into one document");
    reportCommand.option("-o,--output", &line.output, "file to write: .html or .pdf").required();
    reportCommand.option("--views", &line.views, "views separated by commas; all that show something if not given");
    addSource(reportCommand, line);
    const Command filmCommand = cli.command("film", "Let a view play into a film, or into a folder of pictures");
    filmCommand.option("--view", &line.view, "name of the view").required();
    filmCommand.option("-o,--output", &line.output, "film: .gif, or .mp4, .webm, .mkv (need ffmpeg); else a folder")
        .required();
    filmCommand.option("--size", &line.size, "WIDTHxHEIGHT; 1280x720 if not given");
    filmCommand.option("--seconds", &line.seconds, "length").showDefault().inRange(0.1, 3600.0);
    filmCommand.option("--fps", &line.fps, "pictures a second").showDefault().inRange(1, 120);
    filmCommand.flag("--no-motion", line.still, "nothing moves between two moments");
    addSource(filmCommand, line);
    const Command pageCommand = cli.command("page", "Let a view or a lesson play in one HTML file, without a network");
    pageCommand.option("--view", &line.view, "name of the view; not for a lesson");
    pageCommand.option("-o,--output", &line.output, "file to write: .html").required();
    addSource(pageCommand, line);
    const Command lessonCommand = cli.command("lesson", "Check a lesson, or write its pictures into a folder");
    lessonCommand.option("NAME", &line.lesson, "name of a lesson, or a lesson's file").required();
    lessonCommand.option("MORE", &line.more, "further lessons, for --check");
    lessonCommand.flag("--check", line.check, "run its launches and say whether what it expects of them is true");
    lessonCommand.option("--pictures", &line.folder, "folder to write into");
    lessonCommand.option("--html", &line.page, "one page that plays without a network, to write: .html");
    lessonCommand.option("--worksheet", &line.worksheet, "sheet of the lesson's questions to write: .pdf or .html");
    lessonCommand.flag("--answers", line.answers, "the answers on the sheet, too");
    lessonCommand.option("--size", &line.size, "WIDTHxHEIGHT; 1600x900 if not given");
    addLook(lessonCommand, line);
    const Command guideCommand = cli.command("guide", "Write the user's guide, with pictures that the program makes");
    guideCommand.option("--html", &line.folder, "folder to write en.html and zh_CN.html into").required();
    const Command windowCommand = cli.command("window", "Write a picture of the whole window");
    windowCommand.option("FILE", &line.file, "the trace that is open; else a lesson");
    windowCommand.option("-o,--output", &line.output, "file to write: .png").required();
    windowCommand.option("--lesson", &line.lesson, "name of a lesson");
    windowCommand.option("--step", &line.step, "of the lesson").showDefault().inRange(1, 1000);
    windowCommand.flag("--asking", line.asking, "the step's question, before it is answered");
    windowCommand.flag("--start", line.startPage, "the start page");
    windowCommand.option("--do", &line.actions,
                         "actions done before the picture is taken: present,presentCode or predict");
    windowCommand.option("--tour", &line.tour, "a station of the tour, from 1").inRange(1, 7);
    windowCommand.option("--font-scale", &line.fontScale, "size of the type").inRange(0.5, 4.0);
    windowCommand.option("--view", &line.view, "name of the view that is shown");
    windowCommand.option("--select", &line.select, "what is selected, as for render");
    windowCommand.option("--size", &line.size, "WIDTHxHEIGHT; 1600x900 if not given");
    addLook(windowCommand, line);
    if (const auto status = cli.parse(argc, argv, wrongCommandLine))
        return *status;
    if (renderCommand.chosen())
        usePreset(line, renderCommand);
    else if (line.size.empty())
        line.size = filmCommand.chosen() ? "1280x720" : "1600x900";
    const QSize size = sizeOf(line.size);
    if (size.isEmpty() || size.width() > 20000 || size.height() > 20000) {
        std::cerr << "warpglass: \"" << line.size << "\" after --size is not a size such as 1600x900\n";
        return wrongCommandLine;
    }
    if (lessonCommand.chosen() && !line.check && !lessonCommand.given("--pictures") && line.page.empty() &&
        line.worksheet.empty()) {
        std::cerr
            << "warpglass: say what to do with the lesson: --check, --pictures FOLDER, --html FILE or --worksheet "
               "FILE\n";
        return wrongCommandLine;
    }
    const bool pictures = renderCommand.chosen() || reportCommand.chosen() || filmCommand.chosen() ||
                          pageCommand.chosen() || lessonCommand.chosen() || guideCommand.chosen() ||
                          windowCommand.chosen();
    if (pictures) { // no display is needed, so none is asked for
        qputenv("QT_QPA_PLATFORM", "offscreen");
        if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) // servers have none, and Qt would say so each time
            qputenv("XDG_RUNTIME_DIR",
                    QDir::temp().filePath(QStringLiteral("runtime-%1").arg(geteuid())).toLocal8Bit());
    }

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
        if (renderCommand.chosen()) {
            RenderRequest request;
            take(request, line, renderCommand);
            request.view = QString::fromStdString(line.view);
            request.output = QString::fromLocal8Bit(line.output.c_str());
            request.size = size;
            request.scale = line.scale;
            return render(request);
        }
        if (reportCommand.chosen()) {
            ReportCommand command;
            take(command, line, reportCommand);
            command.views = QString::fromStdString(line.views).split(QLatin1Char(','), Qt::SkipEmptyParts);
            command.output = QString::fromLocal8Bit(line.output.c_str());
            return report(command);
        }
        if (filmCommand.chosen()) {
            FilmCommand command;
            take(command, line, filmCommand);
            command.view = QString::fromStdString(line.view);
            command.output = QString::fromLocal8Bit(line.output.c_str());
            command.size = size;
            command.seconds = line.seconds;
            command.fps = line.fps;
            command.still = line.still;
            return film(command);
        }
        if (pageCommand.chosen()) {
            PageCommand command;
            take(command, line, pageCommand);
            command.view = QString::fromStdString(line.view);
            command.output = QString::fromLocal8Bit(line.output.c_str());
            return playPage(command);
        }
        if (guideCommand.chosen())
            return guide(QString::fromLocal8Bit(line.folder.c_str()));
        if (windowCommand.chosen()) {
            WindowPictureRequest request;
            request.output = QString::fromLocal8Bit(line.output.c_str());
            request.file = QString::fromLocal8Bit(line.file.c_str());
            request.lesson = line.lesson.empty() ? lessonNames().value(0) : QString::fromStdString(line.lesson);
            request.step = line.step;
            request.asking = line.asking;
            request.start = line.startPage;
            request.actions = QString::fromStdString(line.actions).split(QLatin1Char(','), Qt::SkipEmptyParts);
            request.tour = line.tour;
            request.fontScale = line.fontScale;
            request.view = QString::fromStdString(line.view);
            request.select = QString::fromStdString(line.select);
            request.size = size;
            request.theme = QString::fromStdString(line.theme);
            request.language = line.language.empty() ? QStringLiteral("en") : QString::fromStdString(line.language);
            return windowPicture(request);
        }
        if (line.check) {
            QStringList lessons{QString::fromLocal8Bit(line.lesson.c_str())};
            for (const std::string& more : line.more)
                lessons << QString::fromLocal8Bit(more.c_str());
            return checkLessons(lessons);
        }
        if (!line.page.empty()) {
            PageCommand command;
            command.file = QString::fromLocal8Bit(line.lesson.c_str());
            command.output = QString::fromLocal8Bit(line.page.c_str());
            return playPage(command);
        }
        if (!line.worksheet.empty()) {
            WorksheetCommand command;
            command.lesson = QString::fromLocal8Bit(line.lesson.c_str());
            command.output = QString::fromLocal8Bit(line.worksheet.c_str());
            command.language = language.name();
            command.answers = line.answers;
            return worksheet(command);
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
    if (cli.given("--theme"))
        window.feature<LookFeature>().setThemeName(QString::fromStdString(line.theme));
    window.appear();
    if (!line.file.empty())
        window.openFile(QString::fromLocal8Bit(line.file.c_str()));
    else if (!line.startLesson.empty())
        window.feature<LessonFeature>().start(QString::fromStdString(line.startLesson));
    else
        window.begin();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    takeStack();
    std::signal(SIGXFSZ, SIG_IGN); // a file over the limit becomes a failed write, with its sentence
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::cerr << "warpglass: " << outOfMemory().text() << "\n";
        return 1;
    }
}
