// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_parts.h"

#include "app/window/icons.h"
#include "app/window/view_registry.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QScreen>

namespace warpglass {

namespace {

enum CodeTab { SourceTab, PtxTab };
constexpr int leftWidth = 264, rightWidth = 360;

class FrameText {
    Q_DECLARE_TR_FUNCTIONS(MainWindow)
};

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent) {
    auto* s = new QSplitter(orientation, parent);
    s->setHandleWidth(1);
    s->setChildrenCollapsible(false);
    return s;
}

QVBoxLayout* columnIn(QWidget* widget, QMargins margins = {}) {
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(margins);
    column->setSpacing(0);
    return column;
}

QWidget* panel(const char* name, QWidget* parent) {
    auto* widget = new QWidget(parent);
    widget->setObjectName(QLatin1String(name));
    widget->setAttribute(Qt::WA_StyledBackground);
    return widget;
}

void buildLeft(WindowParts& p) {
    p.left = panel("leftPanel", p.columns);
    p.leftSplit = splitter(Qt::Vertical, p.left);
    p.leftTabs = new QTabWidget(p.leftSplit);
    p.leftTabs->setObjectName(QStringLiteral("leftTabs"));
    p.leftTabs->setDocumentMode(true);
    p.leftTabs->tabBar()->setDrawBase(false);
    p.leftSplit->addWidget(p.leftTabs);
    columnIn(p.left, {0, 0, 1, 0})->addWidget(p.leftSplit);
}

// Without a parent until finish(): by the keyboard one comes to the views behind what stands on the left.
void buildMiddle(WindowParts& p, SelectionModel* selection) {
    p.middle = splitter(Qt::Vertical, nullptr);
    p.views = new ViewArea(selection, p.middle);
    p.middle->addWidget(p.views);
}

void buildRight(WindowParts& p, SelectionModel* selection) {
    p.right = panel("rightPanel", nullptr);
    p.rightSplit = splitter(Qt::Vertical, p.right);
    p.code = new QWidget(p.rightSplit);
    p.sourceTabs = new QTabBar(p.code);
    p.sourceTabs->setObjectName(QStringLiteral("sourceTabs"));
    p.sourceTabs->setDrawBase(false);
    p.sourceTabs->setExpanding(false);
    for (int tab = SourceTab; tab <= PtxTab; ++tab)
        p.sourceTabs->addTab(QString());
    p.source = new ViewWidget(makeView(QStringLiteral("source")), selection, p.code);
    p.source->setOption(QStringLiteral("show"), QStringLiteral("source"));
    QObject::connect(p.sourceTabs, &QTabBar::currentChanged, p.source, [view = p.source](int index) {
        view->setVisible(index <= PtxTab);
        if (index <= PtxTab)
            view->setOption(QStringLiteral("show"),
                            index == SourceTab ? QStringLiteral("source") : QStringLiteral("ptx"));
    });
    // The code stands once: where the view in the middle shows it, the side has the warp's facts, or what is written.
    const auto once = [code = p.code, tabs = p.sourceTabs, views = p.views] {
        code->setHidden(tabs->currentIndex() <= PtxTab && views->currentKey() == QLatin1String("source"));
    };
    QObject::connect(p.views, &ViewArea::currentChanged, p.code, once);
    QObject::connect(p.sourceTabs, &QTabBar::currentChanged, p.code, once);
    QVBoxLayout* column = columnIn(p.code);
    column->addWidget(p.sourceTabs);
    column->addWidget(p.source, 1);
    p.rightSplit->addWidget(p.code);
    columnIn(p.right, {1, 0, 0, 0})->addWidget(p.rightSplit);
}

} // namespace

void WindowParts::addPage(QWidget* page) const {
    auto* column = qobject_cast<QVBoxLayout*>(central->layout());
    column->insertWidget(column->indexOf(transport), page, 1);
}

void WindowParts::addCode(QWidget* its, int tab) const {
    qobject_cast<QVBoxLayout*>(code->layout())->addWidget(its, 1);
    QObject::connect(sourceTabs, &QTabBar::currentChanged, its,
                     [its, tab](int index) { its->setVisible(index == tab); });
}

WindowParts buildParts(QMainWindow* window, SelectionModel* selection) {
    window->setObjectName(QStringLiteral("mainWindow"));
    window->setWindowIcon(logoIcon());
    // The first time: most of a large screen, all of a small one.
    const QSize screen = QGuiApplication::primaryScreen()->availableSize();
    window->resize(screen.width() <= smallScreen ? screen : (screen * 0.92).boundedTo({1760, 1080}));
    window->setMinimumSize(800, 440); // with the sides folded half of that would do; a laptop at scale 2 has 960x540

    WindowParts p;
    p.central = new QWidget(window);
    QVBoxLayout* column = columnIn(p.central);
    p.top = new TopBar(p.central);
    p.columns = new QMainWindow(p.central);
    p.columns->setWindowFlags(Qt::Widget); // it takes itself for a window of its own else
    p.columns->setObjectName(QStringLiteral("columns"));
    p.columns->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    p.columns->setContextMenuPolicy(Qt::NoContextMenu);
    p.transport = new TransportBar(p.central);
    p.transport->setFixedHeight(64);
    column->addWidget(p.top);
    column->addWidget(p.columns, 1);
    column->addWidget(p.transport);
    window->setCentralWidget(p.central);
    buildLeft(p);
    buildMiddle(p, selection);
    buildRight(p, selection);
    return p;
}

void finish(WindowParts& p) {
    auto* between = new QWidget(p.columns);
    auto* row = new QHBoxLayout(between);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(p.leftRail = new SideRail("leftRail", between));
    row->addWidget(p.middle, 1);
    row->addWidget(p.rightRail = new SideRail("rightRail", between));
    p.columns->setCentralWidget(between);
    p.leftDock = new SideDock("leftDock", p.left, leftWidth, p.columns);
    p.rightDock = new SideDock("rightDock", p.right, rightWidth, p.columns);
    p.columns->addDockWidget(Qt::LeftDockWidgetArea, p.leftDock);
    p.columns->addDockWidget(Qt::RightDockWidgetArea, p.rightDock);
    // Beside the views what a panel holds stands one over the other; above and below them, side by side.
    for (const auto& [dock, panels] : {std::pair(p.leftDock, p.leftSplit), std::pair(p.rightDock, p.rightSplit)})
        QObject::connect(dock, &SideDock::lieChanged, panels, [split = panels](Qt::Orientation lie) {
            if (split->orientation() == lie)
                return;
            split->setOrientation(lie);
            const int whole = lie == Qt::Horizontal ? split->width() : split->height();
            split->setSizes({whole * 3 / 5, whole * 2 / 5});
        });
    for (QSplitter* split : {p.leftSplit, p.rightSplit}) {
        split->setStretchFactor(0, 3);
        split->setStretchFactor(1, 2);
    }
    p.middle->setStretchFactor(0, 1);
    p.middle->setStretchFactor(1, 0);
    p.middle->setSizes({700, 190});
    p.leftSplit->setSizes({430, 330});
    p.rightSplit->setSizes({430, 400});
    p.left->setMinimumWidth(236);
    p.right->setMinimumWidth(250);
    p.views->setMinimumWidth(300);
}

void apply(const WindowParts& p, const Seen& seen) {
    p.top->setVisible(seen.desk);
    p.top->setPlaceOf(seen);
    p.leftDock->setAside(!seen.left); // one that floats, too
    p.rightDock->setAside(!seen.right);
    fitRails(p, seen);
    p.transport->setVisible(seen.transport != Transport::None);
    p.transport->setReach(seen.transport);
    p.sourceTabs->setVisible(seen.desk);
    p.views->apply(seen);
}

// Where the left side is the launch alone, the line above opens it.
void fitRails(const WindowParts& p, const Seen& seen) {
    p.leftRail->setVisible(seen.rails && seen.gallery && p.leftDock->isFolded());
    p.rightRail->setVisible(seen.rails && p.rightDock->isFolded());
}

void retranslate(const WindowParts& p) {
    p.leftDock->setTitle(FrameText::tr("Kernels and launch"));
    p.rightDock->setTitle(FrameText::tr("Source and warp"));
    for (QWidget* tabs : std::initializer_list<QWidget*>{p.leftTabs, p.leftTabs->tabBar()})
        tabs->setAccessibleName(FrameText::tr("Gallery, lessons and claims"));
    for (const auto& [rail, dock] : {std::pair(p.leftRail, p.leftDock), std::pair(p.rightRail, p.rightDock)}) {
        rail->setTitle(dock->windowTitle());
        rail->setToolTip(FrameText::tr("Bring this side back"));
    }
    p.sourceTabs->setTabText(SourceTab, FrameText::tr("Source"));
    p.sourceTabs->setTabText(PtxTab, QStringLiteral("PTX"));
    p.sourceTabs->setAccessibleName(FrameText::tr("Source, PTX or your own kernel"));
}

void setTheme(const WindowParts& p, const Theme& theme) {
    p.top->setTheme(theme);
    p.leftDock->setTheme(theme);
    p.rightDock->setTheme(theme);
    p.views->setTheme(theme);
    p.transport->setTheme(theme);
    p.source->setTheme(theme);
}

} // namespace warpglass
