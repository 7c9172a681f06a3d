// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/window_picture.h"

#include "app/window/lesson/lesson_feature.h"
#include "app/window/look/look_feature.h"
#include "app/window/main_window.h"
#include "app/window/model/lessons.h"
#include "app/window/model/select_spec.h"
#include "app/window/panels/view_area.h"
#include "app/window/program/program_feature.h"
#include "app/window/start/start_feature.h"
#include "app/window/view_registry.h"
#include "views/common/shown_words.h"
#include "views/common/whole_file.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

namespace warpglass {

namespace {

constexpr int noPicture = 1, notAsked = 2;
constexpr int longestRunMs = 120000; // of what a lesson runs
constexpr int settledMs = 1500;      // pictures are made in threads; the slowest takes some 100 ms

int told(int status, const QString& sentence) {
    QTextStream(stderr) << "warpglass: " << shown(sentence) << Qt::endl;
    return status;
}

int written(MainWindow& window, const QString& path) {
    QString problem;
    return writeWholePng(path, window.grab().toImage(), &problem) ? 0 : told(noPicture, problem);
}

void pass(int ms) {
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

// Lets the window do something and waits until the answer is on the screen; false if none came.
template <class Does>
bool shows(MainWindow& window, Does does) {
    QEventLoop loop;
    bool answered = false;
    QObject::connect(&window, &MainWindow::shown, &loop, [&] {
        answered = true;
        loop.quit();
    });
    QTimer::singleShot(longestRunMs, &loop, &QEventLoop::quit);
    does();
    if (!answered)
        loop.exec();
    return answered;
}

int indexOfLesson(const QString& name) {
    const QStringList paths = builtInLessonPaths();
    for (int i = 0; i < paths.size(); ++i)
        if (QFileInfo(paths[i]).completeBaseName() == name)
            return i;
    return -1;
}

} // namespace

int windowPicture(const WindowPictureRequest& request) {
    const int lesson = indexOfLesson(request.lesson);
    if (request.file.isEmpty() && lesson < 0)
        return told(notAsked, QStringLiteral("there is no lesson \"%1\".").arg(request.lesson));
    if (!request.file.isEmpty() && !QFileInfo::exists(request.file))
        return told(notAsked, QStringLiteral("there is no file %1.").arg(request.file));
    if (!request.view.isEmpty() && !viewKeys().contains(request.view) && !isOfProgram(request.view))
        return told(notAsked, QString::fromStdString(noSuchView(request.view).text()));
    QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    MainWindow window;
    window.setLanguage(request.language);
    window.feature<LookFeature>().setThemeName(request.theme);
    window.feature<LookFeature>().setFontScale(request.fontScale);
    window.resize(request.size);
    window.show();
    if (request.start) {
        window.feature<StartFeature>().show(true);
        pass(settledMs);
        return written(window, request.output);
    }
    const bool answered = shows(window, [&] {
        if (request.file.isEmpty())
            window.feature<LessonFeature>().start(lesson, request.step - 1);
        else
            window.openFile(request.file);
    });
    if (!answered || (!window.current() && request.file.isEmpty()))
        return told(noPicture, QStringLiteral("the window had nothing to show."));
    if (!request.asking && request.file.isEmpty())
        emit window.views().question->answered({}, false);
    if (!request.view.isEmpty() && window.feature<ProgramFeature>().isShown())
        window.feature<ProgramFeature>().page()->showView(request.view);
    else if (!request.view.isEmpty())
        window.views().showView(request.view);
    if (!request.select.isEmpty() && window.feature<ProgramFeature>().isShown()) {
        const Result<SelectSpec> spec = parseSelect(request.select, Trace{});
        if (!spec)
            return told(notAsked, QString::fromStdString(spec.error().text()));
        ProgramPage* page = window.feature<ProgramFeature>().page();
        page->showTimes(spec.value().selection.visible);
        for (auto it = spec.value().options.cbegin(); it != spec.value().options.cend(); ++it)
            page->view->setOption(it.key(), it.value());
    } else if (!request.select.isEmpty() && window.current()) {
        const Result<SelectSpec> spec = parseSelect(request.select, *window.current()->trace);
        if (!spec)
            return told(notAsked, QString::fromStdString(spec.error().text()));
        window.selection().set(spec.value().selection);
    }
    for (int waited = 0; window.bench().asksWhy() && waited < longestRunMs; waited += settledMs)
        pass(settledMs);
    if (request.tour > 0) {
        auto& start = window.feature<StartFeature>();
        start.startTour();
        pass(settledMs);
        for (int station = 1; station < request.tour; ++station)
            start.tour().go(1);
    }
    for (const QString& name : request.actions) {
        QAction* action = window.action(name);
        if (!action || !action->isEnabled())
            return told(notAsked, QStringLiteral("there is no action \"%1\" now.").arg(name));
        action->trigger();
        pass(settledMs);
        window.resize(request.size); // presenting takes the screen's
    }
    pass(settledMs);
    return written(window, request.output);
}

} // namespace warpglass
