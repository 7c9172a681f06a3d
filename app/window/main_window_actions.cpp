// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/dialogs.h"
#include "app/window/main_window.h"

#include "app/session/session.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>

namespace warpglass {

QAction* MainWindow::addAction(const QString& name, const char* text, const QList<QKeySequence>& keys,
                               std::function<void()> does) {
    auto* action = new QAction(this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [does = std::move(does)] { does(); });
    QWidget::addAction(action);
    m_actions[name] = action;
    m_actionTexts[name] = text;
    return action;
}

void MainWindow::makeActions() {
    const auto add = [this](const char* name, const char* text, const QList<QKeySequence>& keys,
                            std::function<void()> does) {
        return addAction(QString::fromLatin1(name), text, keys, std::move(does));
    };
    add("open", QT_TR_NOOP("Open a trace…"), {QKeySequence::Open}, [this] { openDialog(false); });
    add("save", QT_TR_NOOP("Save the trace as…"), {QKeySequence::Save}, [this] { saveDialog(); });
    add("savePart", QT_TR_NOOP("Save the visible part as…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
        [this] { savePartDialog(); });
    add("export", QT_TR_NOOP("Export this view…"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
        [this] { exportDialog(ExportDialog::What::View); });
    add("exportAll", QT_TR_NOOP("Export all views…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
        [this] { exportDialog(ExportDialog::What::AllViews); });
    add("report", QT_TR_NOOP("Write a report…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
        [this] { exportDialog(ExportDialog::What::Report); });
    add("film", QT_TR_NOOP("Make a film…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
        [this] { exportDialog(ExportDialog::What::Film); });
    add("copy", QT_TR_NOOP("Copy the picture"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
        [this] { copyPicture(); });
    add("quit", QT_TR_NOOP("Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });

    add("run", QT_TR_NOOP("Run again"), {QKeySequence(Qt::CTRL | Qt::Key_R)}, [this] { runWith([](RunRequest&) {}); });
    add("sweep", QT_TR_NOOP("Sweep and compare…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W)},
        [this] { m_sweep->showDialog(m_launch->request(), m_language.name()); });
    add("gpu", QT_TR_NOOP("Run on the GPU"), {QKeySequence(Qt::CTRL | Qt::Key_G)}, [this] { runOnGpu(); });
    add("compare", QT_TR_NOOP("Compare"), {QKeySequence(Qt::CTRL | Qt::Key_D)}, [this] {
        if (m_other)
            stopComparing();
        else if (m_current && m_current->request)
            compareWith(partnerOf(*m_current->request));
        else
            openDialog(true);
    })->setCheckable(true);
    add("stop", QT_TR_NOOP("Stop"), {}, [this] {
        m_transport->stop();
        m_job->cancel();
    });
    // What empty views ask for.
    add("as-written", QT_TR_NOOP("Run compiled as written"), {},
        [this] { runWith([](RunRequest& r) { r.launch.mode = CompileMode::AsWritten; }); });
    add("accesses", QT_TR_NOOP("Run and record accesses"), {},
        [this] { runWith([](RunRequest& r) { r.options.detail.accesses = r.accesses = true; }); });
    add("timing", QT_TR_NOOP("Run and model cycles"), {}, [this] { runTimed(); });
    add("policies", QT_TR_NOOP("Compare scheduling policies"), {QKeySequence(Qt::CTRL | Qt::Key_P)},
        [this] { comparePolicies(); });
    add("detail", QT_TR_NOOP("Run and record all blocks"), {},
        [this] { runWith([](RunRequest& r) { r.options.detail.kind = Detail::Kind::All; }); });

    add("play", QT_TR_NOOP("Play or pause"), {QKeySequence(Qt::Key_Space)}, [this] { m_transport->play(); });
    add("reverse", QT_TR_NOOP("Play backward"), {QKeySequence(Qt::SHIFT | Qt::Key_Space)},
        [this] { m_transport->playBackward(); });
    add("stepForward", QT_TR_NOOP("One moment on"), {QKeySequence(Qt::Key_BracketRight)},
        [this] { m_transport->stepForward(); });
    add("stepBack", QT_TR_NOOP("One moment back"), {QKeySequence(Qt::Key_BracketLeft)},
        [this] { m_transport->stepBack(); });
    add("nextEvent", QT_TR_NOOP("Next event of the warp"), {QKeySequence(Qt::Key_Period)}, [this] { stepEvent(1); });
    add("previousEvent", QT_TR_NOOP("Previous event of the warp"), {QKeySequence(Qt::Key_Comma)},
        [this] { stepEvent(-1); });
    add("toStart", QT_TR_NOOP("To the start"), {QKeySequence(Qt::SHIFT | Qt::Key_Home)},
        [this] { m_transport->toStart(); });
    add("toEnd", QT_TR_NOOP("To the end"), {QKeySequence(Qt::SHIFT | Qt::Key_End)}, [this] { m_transport->toEnd(); });
    add("faster", QT_TR_NOOP("Faster"), {QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal)},
        [this] { m_transport->faster(); });
    add("slower", QT_TR_NOOP("Slower"), {QKeySequence(Qt::Key_Minus)}, [this] { m_transport->slower(); });
    add("loop", QT_TR_NOOP("Loop"), {QKeySequence(Qt::Key_L)}, [this] { m_transport->toggleLoop(); });

    add("back", QT_TR_NOOP("Back"), {QKeySequence(Qt::ALT | Qt::Key_Left)}, [this] { m_selection->back(); });
    add("forward", QT_TR_NOOP("Forward"), {QKeySequence(Qt::ALT | Qt::Key_Right)}, [this] { m_selection->forward(); });
    add("find", QT_TR_NOOP("Find a kernel"), {QKeySequence::Find}, [this] {
        m_leftTabs->setCurrentWidget(m_gallery);
        m_gallery->focusSearch();
    });
    add("nextStep", QT_TR_NOOP("Next step of the lesson"), {QKeySequence(Qt::Key_PageDown)},
        [this] { startLesson(m_lesson, m_step + 1); });
    add("previousStep", QT_TR_NOOP("Previous step of the lesson"), {QKeySequence(Qt::Key_PageUp)},
        [this] { startLesson(m_lesson, m_step - 1); });
    add("present", QT_TR_NOOP("Present"), {QKeySequence(Qt::Key_F5)}, [this] { setPresenting(!m_presenting); });
    add("menu", QT_TR_NOOP("Menu"), {QKeySequence(Qt::Key_F10)}, [this] { m_top->menu->showMenu(); });
    add("keys", QT_TR_NOOP("Keys"), {QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)}, [this] { showKeys(); });
    add("about", QT_TR_NOOP("About Warpglass"), {}, [this] { showAbout(); });
    add("larger", QT_TR_NOOP("Larger type"),
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
        [this] { setFontScale(m_fontScale + 0.1); });
    add("smaller", QT_TR_NOOP("Smaller type"), {QKeySequence(Qt::CTRL | Qt::Key_Minus)},
        [this] { setFontScale(m_fontScale - 0.1); });
    add("usual", QT_TR_NOOP("Usual type"), {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { setFontScale(1.0); });

    auto* themes = new QActionGroup(this);
    const auto theme = [&](const char* name, const char* text) {
        QAction* a = add((QByteArray("theme_") + name).constData(), text, {},
                         [this, name] { setThemeName(QString::fromLatin1(name)); });
        a->setCheckable(true);
        themes->addAction(a);
    };
    theme("light", QT_TR_NOOP("Light"));
    theme("dark", QT_TR_NOOP("Dark"));
    theme("print", QT_TR_NOOP("For print"));
    auto* languages = new QActionGroup(this);
    const auto language = [&](const char* name, const char* text) {
        QAction* a = add((QByteArray("language_") + name).constData(), text, {},
                         [this, name] { setLanguage(QString::fromLatin1(name)); });
        a->setCheckable(true);
        languages->addAction(a);
    };
    language("en", "English"); // each language under its own name, whatever language is shown
    language("zh_CN", "\xe7\xae\x80\xe4\xbd\x93\xe4\xb8\xad\xe6\x96\x87");
    for (int i = 0; i < std::min(9, m_views->count()); ++i)
        addAction(QStringLiteral("view_%1").arg(i), nullptr, {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i))},
                  [this, i] { m_views->showView(i); });
    for (const char* name : {"save", "savePart", "export", "exportAll", "report", "film", "copy", "run", "gpu",
                             "compare", "back", "forward"})
        m_actions[QString::fromLatin1(name)]->setEnabled(false);
}

void MainWindow::makeMenus() {
    m_mainMenu = new QMenu(this);
    const auto sub = [this](const char* text, std::initializer_list<const char*> names) {
        QMenu* menu = m_mainMenu->addMenu(QString());
        m_menuTexts[menu] = text;
        for (const char* name : names) {
            if (*name == '-')
                menu->addSeparator();
            else
                menu->addAction(m_actions[QString::fromLatin1(name)]);
        }
        return menu;
    };
    QMenu* file = sub(QT_TR_NOOP("File"),
                      {"open", "save", "savePart", "-", "export", "exportAll", "report", "film", "copy", "-", "quit"});
    m_recentMenu = new QMenu(this);
    m_menuTexts[m_recentMenu] = QT_TR_NOOP("Open recent");
    file->insertMenu(m_actions[QStringLiteral("save")], m_recentMenu);
    sub(QT_TR_NOOP("Run"),
        {"run", "gpu", "compare", "sweep", "stop", "-", "as-written", "accesses", "detail", "-", "timing", "policies"});
    sub(QT_TR_NOOP("Play"), {"play", "reverse", "stepBack", "stepForward", "previousEvent", "nextEvent", "toStart",
                             "toEnd", "-", "slower", "faster", "loop"});
    sub(QT_TR_NOOP("Go"), {"back", "forward", "find", "-", "previousStep", "nextStep", "-", "present"});
    sub(QT_TR_NOOP("Theme"), {"theme_light", "theme_dark", "theme_print", "-", "larger", "smaller", "usual"});
    sub("Language \xc2\xb7 \xe8\xaf\xad\xe8\xa8\x80", {"language_en", "language_zh_CN"});
    sub(QT_TR_NOOP("Help"), {"keys", "about"});
    m_top->menu->setMenu(m_mainMenu);
    m_compareMenu = new QMenu(this);
    m_top->compare->setMenu(m_compareMenu);
    connect(m_compareMenu, &QMenu::aboutToShow, this, &MainWindow::fillCompareMenu);
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    retranslateActions();

    const Result<std::unique_ptr<Backend>> cuda = session::makeBackend("cuda");
    Result<void> usable = cuda ? (*cuda)->available() : Result<void>(cuda.error());
    if (!usable) {
        m_top->runOnGpu->setToolTip(QString::fromStdString(usable.error().text()));
        m_top->runOnGpu->setProperty("why", m_top->runOnGpu->toolTip());
    }
}

void MainWindow::retranslateActions() {
    for (auto it = m_actionTexts.cbegin(); it != m_actionTexts.cend(); ++it) {
        if (it.value())
            m_actions[it.key()]->setText(tr(it.value()));
    }
    for (auto it = m_menuTexts.cbegin(); it != m_menuTexts.cend(); ++it)
        it.key()->setTitle(tr(it.value()));
    m_leftTabs->setTabText(0, tr("Gallery"));
    m_leftTabs->setTabText(1, tr("Lessons"));
    m_leftTabs->setTabText(2, tr("Claims"));
    m_leftTabs->tabBar()->setAccessibleName(tr("Gallery, lessons and claims"));
    if (m_sourceTabs) {
        m_sourceTabs->setTabText(0, tr("Source"));
        m_sourceTabs->setTabText(1, QStringLiteral("PTX"));
        m_sourceTabs->setAccessibleName(tr("Source or PTX"));
    }
}

void MainWindow::fillCompareMenu() {
    m_compareMenu->clear();
    if (m_other)
        m_compareMenu->addAction(tr("Stop comparing"), this, &MainWindow::stopComparing);
    if (m_previous)
        m_compareMenu->addAction(tr("Previous run: %1").arg(m_previous->name), this,
                                 [this] { compareWith(m_previous); });
    m_compareMenu->addAction(tr("A file…"), this, [this] { openDialog(true); });
    const CatalogueEntry* mine = m_current && m_current->request ? findKernel(m_current->request->kernel) : nullptr;
    if (!mine)
        return;
    fillVariantsMenu();
    m_compareMenu->addSeparator();
    for (const CatalogueEntry& entry : catalogue()) {
        if (entry.family == mine->family && entry.name != mine->name)
            m_compareMenu->addAction(QString::fromStdString(entry.name), this,
                                     [this, name = entry.name] { compareWith(withKernel(*m_current->request, name)); });
    }
}

// The same kernel in another block shape, compiled otherwise, scheduled otherwise, or on the other backend.
void MainWindow::fillVariantsMenu() {
    const RunRequest& now = *m_current->request;
    QMenu* menu = m_compareMenu->addMenu(tr("The same kernel with…"));
    const auto add = [&](const QString& text, const std::function<void(RunRequest&)>& change) {
        RunRequest other = now;
        change(other);
        menu->addAction(text, this, [this, other] { compareWith(other); });
    };
    const Dim3 block = m_current->trace->launches.front().block;
    if (block.x >= 2 && block.x % 2 == 0) {
        const Dim3 half{block.x / 2, block.y, block.z};
        add(tr("half the block: %1").arg(QString::fromStdString(half.text())), [&](RunRequest& r) {
            r.launch.block = half;
            r.launch.grid.reset(); // as many blocks as the size needs
        });
    }
    const Dim3 twice{block.x * 2, block.y, block.z};
    if (twice.count() <= 1024)
        add(tr("twice the block: %1").arg(QString::fromStdString(twice.text())), [&](RunRequest& r) {
            r.launch.block = twice;
            r.launch.grid.reset();
        });
    const bool written = now.launch.mode == CompileMode::AsWritten;
    add(written ? tr("optimised by the compiler") : tr("compiled as written"),
        [&](RunRequest& r) { r.launch.mode = written ? CompileMode::Optimised : CompileMode::AsWritten; });
    if (now.options.timing && now.backend == "emulator") {
        for (const SchedulingPolicy policy : allOf<SchedulingPolicy>)
            if (policy != now.options.policy)
                add(tr("policy %1").arg(QLatin1String(name(policy))),
                    [&](RunRequest& r) { r.options.policy = policy; });
    }
    const bool onGpu = now.backend == "cuda";
    if (onGpu || m_top->runOnGpu->property("why").isNull()) // a GPU that can be used, or the way back from it
        add(onGpu ? tr("on the emulator") : tr("on the GPU"), [&](RunRequest& r) {
            r.backend = onGpu ? "emulator" : "cuda";
            r.options.device = onGpu ? "h200" : "0";
        });
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : m_recent)
        m_recentMenu->addAction(path, this, [this, path] { openFile(path); });
    if (m_recent.isEmpty())
        m_recentMenu->addAction(tr("Nothing yet"))->setEnabled(false);
}

void MainWindow::requested(const QString& name) {
    static const QHash<QString, QString> otherNames{{QStringLiteral("recordAccesses"), QStringLiteral("accesses")},
                                                    {QStringLiteral("recordDetail"), QStringLiteral("detail")},
                                                    {QStringLiteral("recordTiming"), QStringLiteral("timing")}};
    if (name.startsWith(QLatin1String("openResult:"))) {
        openResult(name.mid(11).toInt());
        return;
    }
    if (QAction* wanted = m_actions.value(otherNames.value(name, name)); wanted && name != QLatin1String("run"))
        wanted->trigger();
    else
        runWith([](RunRequest&) {});
}

void MainWindow::stepEvent(int direction) {
    if (!m_current)
        return;
    m_transport->stop();
    const Trace& trace = *m_current->trace;
    Selection selection = m_selection->get();
    std::optional<Time> time;
    if (selection.warp < trace.warps.size())
        time = neighbourEvent(trace, trace.warps[selection.warp], selection.time, direction);
    else if (selection.block < trace.blocks.size())
        time = neighbourEvent(trace, trace.blocks[selection.block], selection.time, direction);
    else
        direction > 0 ? m_transport->stepForward() : m_transport->stepBack();
    if (time)
        m_selection->setTime(*time);
}

void MainWindow::showKeys() {
    QVector<QPair<QString, QString>> keys;
    for (const QAction* a : actions()) {
        if (a->shortcuts().isEmpty() || a->text().isEmpty())
            continue;
        QStringList texts;
        for (const QKeySequence& key : a->shortcuts())
            texts << key.toString(QKeySequence::NativeText);
        keys.append({texts.join(QStringLiteral(", ")), a->text()});
    }
    keys.append({tr("Ctrl+1 to Ctrl+9"), tr("the views")});
    keys.append({tr("arrows, W A S D"), tr("move in the view")});
    keys.append({tr("Left, Right (Shift, Ctrl)"), tr("in the scheduler: by cycle (instruction, barrier)")});
    keys.append({tr("wheel, drag"), tr("zoom at the pointer, move")});
    keys.append({QStringLiteral("F"), tr("frame the selection")});
    keys.append({tr("Home"), tr("show everything")});
    keys.append({tr("Esc"), tr("stop a run, leave presenting")});
    showKeysDialog(this, keys);
}

void MainWindow::showAbout() {
    showAboutDialog(this);
}

// Keys that no widget wanted. Views get them first (they have the focus, or are asked here); what is left moves in
// time.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (m_job->running())
            m_job->cancel();
        else if (m_presenting)
            setPresenting(false);
        else
            m_transport->stop();
        return;
    }
    ViewWidget* view = m_views->current();
    if (view && !m_forwarding && !view->hasFocus()) {
        m_forwarding = true;
        QKeyEvent copy(event->type(), event->key(), event->modifiers(), event->text());
        QApplication::sendEvent(view, &copy);
        m_forwarding = false;
        return; // an ignored copy has come back to this function and been handled below
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && view && view->context().results && view->context().options.contains(QStringLiteral("row"))) {
        openResult(view->context().options.value(QStringLiteral("row")).toInt()); // the bar chosen by the arrows
        return;
    }
    Selection selection = m_selection->get();
    if (event->key() == Qt::Key_Home && selection.visible != TimeRange{}) {
        selection.visible = {};
        m_selection->set(selection);
    } else if (event->key() == Qt::Key_Left) {
        m_transport->stepBack();
    } else if (event->key() == Qt::Key_Right) {
        m_transport->stepForward();
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        m_selection->back();
    else if (event->button() == Qt::ForwardButton)
        m_selection->forward();
    else
        QMainWindow::mousePressEvent(event);
}

// A focused button or drop-down keeps Space for itself: without this the shortcut of the transport would take it.
bool MainWindow::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool presses = qobject_cast<QAbstractButton*>(object) || qobject_cast<QComboBox*>(object);
        if (presses && key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
    }
    return QMainWindow::eventFilter(object, event);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslateActions();
    QMainWindow::changeEvent(event);
}

} // namespace warpglass
