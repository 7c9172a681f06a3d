// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/feature.h"
#include "app/window/features.h"
#include "app/window/model/session_memory.h"
#include "app/window/window_parts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QScreen>
#include <QSettings>

namespace warpglass {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
    m_shell = new Shell(this);
    addFeatures(*m_shell);
    m_shell->start();
    connect(m_shell, &Shell::shown, this, &MainWindow::shown);
    setAcceptDrops(true);
    if (m_shell->view())
        m_shell->view()->setFocus();
}

MainWindow::~MainWindow() = default;

ViewArea& MainWindow::views() {
    return *m_shell->parts->views;
}

TransportBar& MainWindow::transport() {
    return *m_shell->parts->transport;
}

void MainWindow::appear() {
    // As large as the screen it would lie under its own frame, with its last line below the edge.
    if (!QSettings().contains(QStringLiteral("geometry")) &&
        QGuiApplication::primaryScreen()->availableSize().width() <= smallScreen)
        setWindowState(Qt::WindowMaximized);
    show();
}

void MainWindow::begin() {
    if (!restoreSession())
        m_shell->showPage(Front::Start);
}

bool MainWindow::restoreSession() {
    const SessionMemory memory = readSession(QSettings().value(QStringLiteral("session")).toByteArray());
    for (const auto& feature : m_shell->features()) {
        if (!feature->resume(memory))
            continue;
        if (memory.lesson.isEmpty()) // whose step has its own
            views().showView(memory.view);
        return true;
    }
    return false;
}

// A lesson brings its runs along, a kernel of the catalogue is run again.
SessionMemory MainWindow::memory() const {
    SessionMemory memory;
    memory.view = m_shell->parts->views->currentKey();
    for (const auto& feature : m_shell->features())
        feature->remember(memory);
    if (!memory.lesson.isEmpty())
        memory.request.reset();
    if (!memory.lesson.isEmpty() || memory.request)
        memory.file.clear();
    return memory;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    for (const auto& feature : m_shell->features())
        if (!feature->mayClose()) {
            event->ignore();
            return;
        }
    m_shell->writeSettings();
    QSettings().setValue(QStringLiteral("session"), written(memory()));
    for (const auto& feature : m_shell->features())
        feature->close();
    QMainWindow::closeEvent(event);
}

void MainWindow::escape() {
    if (m_shell->bench->stop() || m_shell->programs->stop())
        return;
    for (const auto& feature : m_shell->features())
        if (feature->escape())
            return;
}

// Keys that no widget wanted. Views get them first (they have the focus, or are asked here).
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        escape();
        return;
    }
    ViewWidget* view = m_shell->view();
    if (view && !m_forwarding && !view->hasFocus()) {
        m_forwarding = true;
        QKeyEvent copy(event->type(), event->key(), event->modifiers(), event->text());
        QApplication::sendEvent(view, &copy);
        m_forwarding = false;
        return; // an ignored copy has come back to this function and been handled below
    }
    for (const auto& feature : m_shell->features())
        if (feature->press(*event))
            return;
    QMainWindow::keyPressEvent(event);
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        selection().back();
    else if (event->button() == Qt::ForwardButton)
        selection().forward();
    else
        QMainWindow::mousePressEvent(event);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_shell)
        m_shell->retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_shell)
        emit m_shell->resized(event->oldSize());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(urls[0].toLocalFile());
    if (urls.size() > 1) // two are compared
        bench().show({.current = urls[0].toLocalFile(), .other = urls[1].toLocalFile()});
}

} // namespace warpglass
