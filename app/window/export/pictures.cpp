// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/pictures.h"
#include "gpu/base/messages/session.h"

#include "app/session/recorded_launch.h"
#include "app/window/export/film.h"
#include "app/window/export/guide.h"
#include "app/window/export/play_page.h"
#include "app/window/export/report.h"
#include "app/window/export/worksheet.h"
#include "app/window/model/alignment.h"
#include "app/window/model/carry.h"
#include "app/window/model/lessons.h"
#include "app/window/model/machine_ask.h"
#include "app/window/model/run.h"
#include "app/window/model/select_spec.h"
#include "app/window/model/why_ask.h"
#include "app/window/sweep/sweep_control.h"
#include "app/window/view_registry.h"
#include "gpu/base/new_file.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/file.h"
#include "views/common/ghost.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/shown_words.h"
#include "views/common/whole_file.h"
#include "views/pipeline/role_names.h"
#include "views/program/program_model.h"
#include "views/timeline/timeline_layer.h"
#include "views/timeline/timeline_notes.h"
#include "views/why/why_view.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QTextStream>

#include <cstdio>

namespace warpglass {

namespace {

constexpr int done = 0, failed = 1, wrongInput = 2;

int tell(int status, const QString& sentence) {
    QTextStream(stderr) << "warpglass: " << shown(sentence) << Qt::endl;
    return status;
}

int tell(int status, const Error& error) {
    return tell(status, QString::fromStdString(error.text()));
}

// Of the recording of a whole program, which has one view.
Result<PaintContext> programContext(const PictureSource& source) {
    Result<program::ProgramTrace> recorded = program::readProgram(session::programFileOf(source.file.toStdString()));
    if (!recorded)
        return recorded.error();
    const Result<SelectSpec> spec = parseSelect(source.select, Trace{});
    if (!spec)
        return spec.error();
    PaintContext context;
    context.program = makeProgramModel(std::move(*recorded));
    context.theme = Theme::named(source.theme, source.fontScale);
    context.selection.visible = spec.value().selection.visible;
    context.options = spec.value().options;
    return context;
}

// Traces, selection, alignment and theme of a request; options are those of --select. view: for which it is, if for one.
Result<PaintContext> contextOf(const PictureSource& source, const QString& view = {}) {
    Progress progress;
    PaintContext context;
    const bool table = source.file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    if (table || !source.more.isEmpty()) {
        Result<ResultsPtr> results = readResultFiles(QStringList{source.file} + source.more);
        if (!results)
            return results.error();
        context.results = *results;
    }
    if (table) { // no trace: only charts have something to show
        const Result<SelectSpec> spec = parseSelect(source.select, Trace{});
        if (!spec)
            return spec.error();
        context.theme = Theme::named(source.theme, source.fontScale);
        context.options = spec.value().options;
        return context;
    }
    const std::string file = source.file.toStdString();
    if (isOfProgram(view)) {
        if (!program::isProgramFile(session::programFileOf(file)))
            return Error{.message = say::OneLaunchNotProgram, .file = "--view program"};
        return programContext(source);
    }
    Result<TracePtr> trace = session::openLaunch(file, source.launch);
    if (!trace)
        return trace.error();
    context.trace = *trace;
    if (!source.ghost.isEmpty()) {
        Result<TracePtr> ghost = openTrace(source.ghost.toStdString(), progress);
        if (!ghost)
            return ghost.error();
        if (!recordsLaunchOf(**ghost, **trace))
            return Error{.message = say::NoRecordingOfLaunch,
                         .file = source.ghost.toStdString(),
                         .remedy = say::BothOfOneKernel};
        context.ghost = *ghost;
    }
    if (!source.layer.isEmpty()) {
        auto layer = scopesOf(**trace, source.layer.toStdString());
        if (!layer)
            return layer.error();
        context.layer = *layer;
    }
    if (!source.compare.isEmpty()) {
        Result<TracePtr> other = openTrace(source.compare.toStdString(), progress);
        if (!other)
            return other.error();
        context.other = *other;
        context.otherShift = shiftAt(*context.trace, *context.other, source.align);
        if (!context.otherShift) {
            QStringList keys;
            for (const AlignmentChoice& choice : alignmentChoices(*context.trace, *context.other))
                keys << choice.key;
            return Error{.message = say::NotAligned(source.align.toStdString()),
                         .file = "--align",
                         .remedy = say::BothHave(keys.join(QStringLiteral(", ")).toStdString())};
        }
    }
    const Result<SelectSpec> spec = parseSelect(source.select, *context.trace);
    if (!spec)
        return spec.error();
    context.theme = Theme::named(source.theme, source.fontScale);
    context.selection = completed(spec.value().selection, *context.trace);
    context.options = spec.value().options;
    if (source.time)
        context.selection.time = {*source.time};
    else if (!spec.value().hasTime)
        context.selection.time = middleOf(*context.trace);
    return context;
}

// What lies beside the trace for the view that shows it: bookmarks, names of roles.
void addKept(PaintContext& context, const QString& view, const QString& file) {
    const KeptOption what = view == QLatin1String("pipeline") ? keptRoleNames() : keptNotes();
    if ((view != QLatin1String("timeline") && view != QLatin1String("pipeline")) ||
        context.options.contains(what.option))
        return;
    QString problem;
    context.options[what.option] = what.read(file, &problem);
    if (!problem.isEmpty())
        tell(done, problem); // the picture is made without them
}

// Further traces of the same launch, for the view that shows several side by side. Empty, or which cannot be read.
std::optional<Error> addCompanions(PaintContext& context, const QString& view, const QStringList& files) {
    if (view != QLatin1String("scheduler"))
        return std::nullopt;
    Progress progress;
    for (const QString& file : files) {
        if (!file.endsWith(QLatin1String(".wgt"), Qt::CaseInsensitive))
            continue;
        Result<TracePtr> trace = readTrace(file.toStdString(), progress);
        if (!trace)
            return trace.error();
        context.companions.push_back(*trace);
    }
    return std::nullopt;
}

// What the launch's time is spent on, for the view that shows it: the launch of the file is run again, on the model. A
// GPU's recording stands beside it as what was measured. Nothing, or why it cannot be asked.
std::optional<Error> addWhy(PaintContext& context, const QString& view, const PictureSource& source) {
    if (view != QLatin1String("why") || !context.trace || context.trace->launches.empty())
        return std::nullopt;
    Run open;
    open.trace = context.trace;
    const auto request = whyRequest(open);
    if (!request) { // the picture says so
        context.options[QLatin1String(whyOption)] = whyToOption(std::make_shared<const Result<Why>>(request.error()));
        return std::nullopt;
    }
    const auto asked = putWhy(context, *request, open);
    if (!asked)
        return asked.error();
    const WhyAnswer& answer = *asked;
    if (!isModelled(*context.trace)) { // rows and times are those of the model's run now
        if (context.trace->info.backend == BackendKind::Cuda)
            context.ghost = context.trace;
        context.trace = (*answer)->trace;
        const Result<SelectSpec> spec = parseSelect(source.select, *context.trace);
        if (!spec)
            return spec.error();
        context.selection = completed(spec.value().selection, *context.trace);
        if (!spec.value().hasTime)
            context.selection.time = middleOf(*context.trace);
    }
    return std::nullopt;
}

// The machine code of its kernel, for the views that show it, where the recording does not keep it.
void addMachine(PaintContext& context, const QString& view) {
    if ((view != QLatin1String("source") && view != QLatin1String("lanes")) || !context.trace ||
        context.trace->launches.empty())
        return;
    std::vector<MachineAnswer> answers;
    for (const TracePtr& trace : {context.trace, context.other})
        if (trace && !trace->launches.empty()) {
            const std::uint32_t kernel = trace->launches[completed(context.selection, *trace).launch].kernel;
            if (isMachineToAsk(*trace, kernel))
                answers.push_back(askMachine(trace, kernel));
        }
    context.options[QLatin1String(machineOption)] =
        machineToOption(std::make_shared<const std::vector<MachineAnswer>>(std::move(answers)));
}

// What a view that is played is given: of one launch, or of a program.
Result<PaintContext> playable(const QString& view, const PictureSource& source) {
    if (!viewKeys().contains(view))
        return noSuchView(view);
    Result<PaintContext> context = contextOf(source, view);
    if (!context)
        return context;
    addKept(*context, view, source.file);
    return context;
}

} // namespace

int render(const RenderRequest& request) {
    const std::unique_ptr<View> view = makeView(request.view);
    if (!view)
        return tell(wrongInput, noSuchView(request.view));
    const QString suffix = QFileInfo(request.output).suffix().toLower();
    if (!QStringList{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")}
             .contains(suffix))
        return tell(
            wrongInput,
            QStringLiteral("%1 does not end in .png, .svg, .pdf or .csv. Give the picture one of these endings.")
                .arg(request.output));
    for (const QString& input : QStringList{request.file, request.compare} + request.more)
        if (const auto ok = differentFiles(input.toStdString(), request.output.toStdString()); !ok)
            return tell(wrongInput, ok.error());
    Result<PaintContext> context = contextOf(request, request.view);
    if (!context)
        return tell(wrongInput, context.error());
    addKept(*context, request.view, request.file);
    if (const auto problem = addCompanions(*context, request.view, request.more))
        return tell(wrongInput, *problem);
    if (const auto problem = addWhy(*context, request.view, request))
        return tell(failed, *problem);
    addMachine(*context, request.view);
    const Page page = composePage(*view, *context, request.size);
    if (const Emptiness* empty = page.picture->emptiness(); empty && suffix != QLatin1String("csv"))
        tell(done, empty->why); // the picture says so too
    const QString problem = exportPage(page, request.output, request.scale);
    return problem.isEmpty() ? done : tell(failed, problem);
}

int report(const ReportCommand& command) {
    ReportRequest request;
    request.file = command.file;
    for (const QString& key : command.views)
        if (!viewKeys().contains(key))
            return tell(wrongInput, noSuchView(key));
    const QString suffix = QFileInfo(command.output).suffix().toLower();
    if (suffix != QLatin1String("html") && suffix != QLatin1String("pdf"))
        return tell(wrongInput,
                    QStringLiteral("%1 does not end in .html or .pdf. Give the report one of these endings.")
                        .arg(command.output));
    Result<PaintContext> context = contextOf(command);
    if (!context)
        return tell(wrongInput, context.error());
    request.context = *context;
    for (const QString& key : command.views) {
        PaintContext own = *context;
        addKept(own, key, command.file);
        if (const auto problem = addWhy(own, key, command))
            return tell(failed, *problem);
        request.views.append({key, own.options});
    }
    Progress progress;
    const QString problem = writeReport(request, command.output, progress);
    return problem.isEmpty() ? done : tell(failed, problem);
}

int film(const FilmCommand& command) {
    Result<PaintContext> context = playable(command.view, command);
    if (!context)
        return tell(wrongInput, context.error());
    FilmRequest request;
    request.view = command.view;
    request.context = *context;
    request.output = command.output;
    request.size = command.size;
    request.seconds = command.seconds;
    request.fps = command.fps;
    request.still = command.still;
    Progress progress;
    const QString problem = makeFilm(request, progress);
    if (!problem.isEmpty())
        return tell(failed, problem);
    QTextStream(stdout) << frameCount(request) << " pictures, " << command.fps << " a second, are in "
                        << shown(command.output) << Qt::endl;
    return done;
}

int playPage(const PageCommand& command) {
    if (QFileInfo(command.output).suffix().toLower() != QLatin1String("html"))
        return tell(wrongInput,
                    QStringLiteral("%1 does not end in .html. Give the page this ending.").arg(command.output));
    if (const auto ok = differentFiles(command.file.toStdString(), command.output.toStdString()); !ok)
        return tell(wrongInput, ok.error());
    Progress progress;
    PageRequest request;
    Result<Lesson> lesson = Error{};
    if (command.file.endsWith(QLatin1String(".wgt"), Qt::CaseInsensitive)) {
        Result<PaintContext> context = playable(command.view, command);
        if (!context)
            return tell(wrongInput, context.error());
        request = pageOf(command.view, *context);
    } else {
        lesson = findLesson(command.file);
        if (!lesson)
            return tell(wrongInput, lesson.error());
        const Result<QVector<StepShown>> steps = showSteps(*lesson, progress);
        if (!steps)
            return tell(failed, steps.error());
        request = pageOf(*lesson, *steps);
    }
    PageMade made;
    const QString problem = writePage(request, command.output, progress, &made);
    if (!problem.isEmpty())
        return tell(failed, problem);
    QTextStream(stdout) << made.frames << " pictures, in both languages, light and dark, are in "
                        << shown(command.output) << ", " << made.bytes / 1000 << " kB" << Qt::endl;
    if (made.left > 0)
        QTextStream(stdout) << "steps that show only some of their moments, so that the file stays small: " << made.left
                            << Qt::endl;
    return done;
}

int worksheet(const WorksheetCommand& command) {
    const QString suffix = QFileInfo(command.output).suffix().toLower();
    if (suffix != QLatin1String("html") && suffix != QLatin1String("pdf"))
        return tell(wrongInput, QStringLiteral("%1 does not end in .html or .pdf. Give the sheet one of these endings.")
                                    .arg(command.output));
    const Result<Lesson> lesson = findLesson(command.lesson);
    if (!lesson)
        return tell(wrongInput, lesson.error());
    Progress progress;
    const Result<QVector<StepShown>> steps = showSteps(*lesson, progress);
    if (!steps)
        return tell(failed, steps.error());
    const QString problem =
        writeWorksheet({&*lesson, &*steps, command.language, command.answers}, command.output, progress);
    return problem.isEmpty() ? done : tell(failed, problem);
}

int guide(const QString& folder) {
    Progress progress;
    const QString problem = writeGuide(folder, progress);
    if (!problem.isEmpty())
        return tell(failed, problem);
    QTextStream(stdout) << "the guide is in " << QDir(folder).filePath(QStringLiteral("en.html")) << " and zh_CN.html"
                        << Qt::endl;
    return done;
}

QStringList lessonNames() {
    QStringList names;
    for (const QString& path : builtInLessonPaths())
        names << QFileInfo(path).completeBaseName();
    return names;
}

namespace {

// The step's title and text above the view, as presentation mode shows them.
QImage stepPicture(const View& view, const PaintContext& context, const LessonStep& step, const QString& language,
                   QSize size) {
    const Theme& theme = context.theme;
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.window);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal side = 32;
    const QRectF column(side, 20, size.width() - 2 * side, 400);
    const qreal titleHeight = lineHeight(theme.title());
    const qreal textHeight =
        paintParagraph(nullptr, column, shownText(step.text.in(language)), theme.body(), theme.text);
    painter.fillRect(QRectF(0, 0, size.width(), 20 + titleHeight + 6 + textHeight + 14), theme.panel);
    paintText(painter, {side, 20, column.width(), titleHeight}, shownText(step.title.in(language)), theme.title(),
              theme.text);
    paintParagraph(&painter, column.translated(0, titleHeight + 6), shownText(step.text.in(language)), theme.body(),
                   theme.text);
    const qreal top = 20 + titleHeight + 6 + textHeight + 14;
    painter.fillRect(QRectF(0, top, size.width(), 1), theme.border);
    const qreal footer = lineHeight(theme.small()) + 12;
    PaintContext onPaper = context;
    onPaper.clickable = false;
    onPaper.paper = true;
    const PicturePtr picture =
        view.compose(onPaper, QRectF(0, top + 1, size.width(), size.height() - top - 1 - footer));
    paintPicture(*picture, painter);
    painter.setClipping(false);
    paintText(painter, {side, size.height() - footer, column.width(), footer}, picture->caption(), theme.small(),
              theme.textMuted);
    return image;
}

} // namespace

int lessonPictures(const LessonPicturesRequest& request) {
    const Result<Lesson> lesson = findLesson(request.lesson);
    if (!lesson)
        return tell(wrongInput, lesson.error());
    if (!QDir().mkpath(request.folder))
        return tell(failed, QStringLiteral("the folder %1 cannot be made. Choose one in which you may create files.")
                                .arg(request.folder));
    Progress progress;
    Result<QVector<StepShown>> steps = showSteps(*lesson, progress);
    if (!steps)
        return tell(failed, steps.error());
    int written = 0;
    for (StepShown& shown : *steps) {
        shown.context.theme = Theme::named(request.theme, 1.25);
        const QString file =
            QDir(request.folder)
                .filePath(QStringLiteral("%1-%2.png").arg(written + 1, 2, 10, QLatin1Char('0')).arg(shown.view));
        if (QString problem; !writeWholePng(
                file, stepPicture(*makeView(shown.view), shown.context, *shown.step, request.language, request.size),
                &problem))
            return tell(failed, problem);
        ++written;
    }
    QTextStream(stdout) << written << " pictures of \"" << lesson.value().title.in(request.language) << "\" are in "
                        << QDir(request.folder).absolutePath() << Qt::endl;
    return done;
}

} // namespace warpglass
