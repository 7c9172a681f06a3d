// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps: the live heap after each tenth of a hundred runs, and around files of 100 million events that
// are opened and left. Live is what malloc has given out and not got back; the process may hold more pages than that.
//
// A run is one of ten kernels, with steps or cycles, played a little, and shown in every view that has something to show.
// The window keeps twelve of what was open, to have it back (Ctrl+Z): from the twentieth run on nothing may grow.
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/panels/message_bar.h"
#include "app/window/panels/view_area.h"
#include "app/window/view_registry.h"
#include "gpu/trace/file.h"
#include "tests/bench/synthetic_trace.h"
#include "views/common/view_widget.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <functional>
#include <malloc.h>

using namespace warpglass;

namespace {

constexpr int turns = 10, runsATurn = 10;

double liveBytes() {
    const struct mallinfo2 all = mallinfo2();
    return double(all.uordblks) + double(all.hblkhd);
}

// The program as a person has it, with settings of its own.
class Desk {
public:
    Desk() {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        m_window = std::make_unique<MainWindow>();
        m_window->setLanguage(QStringLiteral("en"));
        m_window->resize(1280, 800);
        m_window->show();
        QObject::connect(m_window.get(), &MainWindow::shown, m_window.get(), [this] { ++m_shown; });
        QObject::connect(&m_window->bench(), &Workbench::failed, m_window.get(), [this] { ++m_failed; });
        settle();
    }

    MainWindow& window() { return *m_window; }
    QString at(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    // Asks for something that is opened, waits for it, and looks at all views of it; false: it was not opened.
    bool open(const std::function<void()>& ask) {
        const int before = m_shown;
        ask();
        if (!until([&] { return m_failed > 0 || (m_shown > before && !m_window->busy()); }) || m_failed > 0)
            return false;
        for (const QString& key : viewKeys()) {
            m_window->views().showView(key);
            if (!until([&] { return m_window->views().current()->picture() != nullptr; }))
                return false;
        }
        m_window->views().showView(QStringLiteral("timeline"));
        for (const char* action : {"stepForward", "stepBack"})
            if (QAction* known = m_window->action(QLatin1String(action)))
                known->trigger();
        settle();
        return true;
    }

private:
    static bool until(const std::function<bool()>& done) {
        constexpr qint64 patience = 300'000; // ms; nobody waits so long: it hangs
        QElapsedTimer clock;
        clock.start();
        while (!done()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            if (clock.elapsed() > patience)
                return false;
        }
        return true;
    }
    // What is left to do a moment after: pictures of hidden views, widgets that are deleted later.
    static void settle() {
        QElapsedTimer clock;
        clock.start();
        until([&] { return clock.elapsed() > 100; });
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    int m_shown = 0, m_failed = 0;
};

RunRequest request(int run) {
    constexpr const char* kernels[] = {"reduceInterleaved", "mathKernel1", "reduceNeighbored", "transpose_smem",
                                       "nestedHelloWorld",  "reduce6",     "divergentMixed",   "sumMatrix2D",
                                       "atomicTwoLevel",    "mathKernel2"};
    RunRequest request;
    request.kernel = kernels[run % std::size(kernels)];
    request.options.timing = run / int(std::size(kernels)) % 2 == 0;
    request.accesses = true;
    return request;
}

void hundredRuns(benchmark::State& state) {
    for (auto _ : state) {
        Desk desk;
        for (int turn = 1; turn <= turns; ++turn) {
            for (int n = 0; n < runsATurn; ++n) {
                const int run = (turn - 1) * runsATurn + n;
                if (!desk.open([&] { desk.window().bench().runAlone(request(run)); }))
                    return state.SkipWithError(fmt::format("run {} was not shown", run).c_str());
            }
            state.counters[fmt::format("window_live_after_{:03}_runs_bytes", turn * runsATurn)] = liveBytes();
        }
    }
}

void largeFiles(benchmark::State& state) {
    constexpr int files = 3;
    for (auto _ : state) {
        Desk desk;
        Progress progress;
        const QString path = desk.at("large.wgt");
        if (const auto written = writeTrace(*synthetic(100'000'000), path.toStdString(), progress); !written)
            return state.SkipWithError(written.error().text().c_str());
        const auto leave = [&] { // what was open before is kept but for its events: two runs, and it is gone
            return desk.open([&] { desk.window().bench().runAlone(request(0)); }) &&
                   desk.open([&] { desk.window().bench().runAlone(request(1)); });
        };
        if (!leave())
            return state.SkipWithError("a run was not shown");
        state.counters["window_live_before_100m_bytes"] = liveBytes();
        for (int n = 1; n <= files; ++n) {
            if (!desk.open([&] { desk.window().openFile(path); }))
                return state.SkipWithError("the file was not shown");
            state.counters[fmt::format("window_live_with_100m_{}_bytes", n)] = liveBytes();
            if (!leave())
                return state.SkipWithError("a run was not shown");
            state.counters[fmt::format("window_live_after_100m_{}_bytes", n)] = liveBytes();
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    initialiseResources();
    QCoreApplication::setOrganizationName(QStringLiteral("WarpglassTests"));
    QCoreApplication::setApplicationName(QStringLiteral("WarpglassMemory"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QApplication::setStyle(QStringLiteral("Fusion"));
    benchmark::RegisterBenchmark("window/100_runs", hundredRuns)->Iterations(1)->Unit(benchmark::kSecond);
    benchmark::RegisterBenchmark("window/100m_file", largeFiles)->Iterations(1)->Unit(benchmark::kSecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
