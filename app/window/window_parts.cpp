// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_parts.h"

#include "app/window/icons.h"
#include "app/window/panels/scroll_page.h"
#include "app/window/view_registry.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {

constexpr int padTab = 2;
constexpr int roomForPad = 560; // px of the right column: eighty characters of a usual size
constexpr int leftWidth = 264, rightWidth = 360;

class Text {
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
    p.gallery = new GalleryPanel(p.leftTabs);
    p.lessons = new LessonsPanel(p.leftTabs);
    p.claims = new ClaimsPanel(p.leftTabs);
    auto* claims = new ScrollPage(p.claims, p.leftTabs); // a dozen lines of buttons and words
    claims->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    claims->setFocusProxy(p.claims);
    for (QWidget* page : std::initializer_list<QWidget*>{p.gallery, p.lessons, claims})
        p.leftTabs->addTab(page, QString());
    p.launch = new LaunchPanel(p.leftSplit);
    p.leftSplit->addWidget(p.leftTabs);
    p.leftSplit->addWidget(p.launch);
    p.leftSplit->setStretchFactor(0, 3);
    p.leftSplit->setStretchFactor(1, 2);
    columnIn(p.left, {0, 0, 1, 0})->addWidget(p.leftSplit);
}

void buildMiddle(WindowParts& p, SelectionModel* selection) {
    p.middle = splitter(Qt::Vertical, p.columns);
    p.views = new ViewArea(selection, p.middle);
    p.differences = new ComparePanel(p.middle);
    p.differences->hide();
    p.middle->addWidget(p.views);
    p.middle->addWidget(p.differences);
    p.middle->setStretchFactor(0, 1);
    p.middle->setStretchFactor(1, 0);
    p.middle->setSizes({700, 190});
}

void buildRight(WindowParts& p, SelectionModel* selection) {
    p.right = panel("rightPanel", p.columns);
    p.rightSplit = splitter(Qt::Vertical, p.right);
    auto* upper = new QWidget(p.rightSplit);
    p.sourceTabs = new QTabBar(upper);
    p.sourceTabs->setObjectName(QStringLiteral("sourceTabs"));
    p.sourceTabs->setDrawBase(false);
    p.sourceTabs->setExpanding(false);
    for (int tab = 0; tab <= padTab; ++tab)
        p.sourceTabs->addTab(QString());
    p.source = new ViewWidget(makeView(QStringLiteral("source")), selection, upper);
    p.source->setOption(QStringLiteral("show"), QStringLiteral("source"));
    p.pad = new PadPanel(upper);
    p.pad->hide();
    QObject::connect(p.sourceTabs, &QTabBar::currentChanged, p.source, [view = p.source, pad = p.pad](int index) {
        pad->setVisible(index == padTab);
        view->setVisible(index != padTab);
        if (index != padTab)
            view->setOption(QStringLiteral("show"), index == 0 ? QStringLiteral("source") : QStringLiteral("ptx"));
    });
    QVBoxLayout* column = columnIn(upper);
    column->addWidget(p.sourceTabs);
    column->addWidget(p.source, 1);
    column->addWidget(p.pad, 1);
    p.rightSplit->addWidget(upper);
    p.warp = new WarpPanel(p.rightSplit);
    p.rightSplit->addWidget(p.warp);
    p.rightSplit->setStretchFactor(0, 3);
    p.rightSplit->setStretchFactor(1, 2);
    columnIn(p.right, {1, 0, 0, 0})->addWidget(p.rightSplit);
}

} // namespace

WindowParts buildParts(QMainWindow* window, SelectionModel* selection) {
    window->setObjectName(QStringLiteral("mainWindow"));
    window->setWindowIcon(logoIcon());
    // The first time: most of a large screen, all of a small one.
    const QSize screen = QGuiApplication::primaryScreen()->availableSize();
    window->resize(screen.width() <= smallScreen ? screen : (screen * 0.92).boundedTo({1760, 1080}));
    window->setMinimumSize(800, 440); // with the sides folded half of that would do; a laptop at scale 2 has 960x540

    WindowParts p;
    auto* central = new QWidget(window);
    QVBoxLayout* column = columnIn(central);
    p.top = new TopBar(central);
    p.columns = new QMainWindow(central);
    p.columns->setWindowFlags(Qt::Widget); // it takes itself for a window of its own else
    p.columns->setObjectName(QStringLiteral("columns"));
    p.columns->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    p.columns->setContextMenuPolicy(Qt::NoContextMenu);
    p.transport = new TransportBar(central);
    p.transport->setFixedHeight(64);
    column->addWidget(p.top);
    column->addWidget(p.columns, 1);
    p.program = new ProgramPage(central);
    p.program->hide();
    column->addWidget(p.program, 1);
    p.start = new StartPage(central);
    p.start->hide();
    column->addWidget(p.start, 1);
    column->addWidget(p.transport);
    window->setCentralWidget(central);

    buildLeft(p);
    buildMiddle(p, selection);
    buildRight(p, selection);
    p.columns->setCentralWidget(p.middle);
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
    p.leftSplit->setSizes({430, 330});
    p.rightSplit->setSizes({430, 400});
    p.left->setMinimumWidth(236);
    p.right->setMinimumWidth(250);
    p.views->setMinimumWidth(300);
    retranslate(p);
    return p;
}

void showPad(const WindowParts& p) {
    p.sourceTabs->setCurrentIndex(padTab);
    if (const QList<int> heights = p.rightSplit->sizes(); heights[0] < 2 * heights[1])
        p.rightSplit->setSizes({(heights[0] + heights[1]) * 3 / 4, (heights[0] + heights[1]) / 4});
    p.rightDock->setFolded(false);
    const int missing = std::min(roomForPad - p.rightDock->width(), p.middle->width() - p.views->minimumWidth());
    if (missing > 0 && !p.rightDock->isFloating())
        p.columns->resizeDocks({p.rightDock}, {p.rightDock->width() + missing}, Qt::Horizontal);
}

void foldSides(const WindowParts& p) {
    const bool fold = !p.leftDock->isFolded() || !p.rightDock->isFolded();
    for (SideDock* dock : {p.leftDock, p.rightDock})
        dock->setFolded(fold);
}

void resetSides(const WindowParts& p) {
    for (SideDock* dock : {p.leftDock, p.rightDock}) {
        dock->setFolded(false);
        dock->setFloating(false);
    }
    p.columns->addDockWidget(Qt::LeftDockWidgetArea, p.leftDock);
    p.columns->addDockWidget(Qt::RightDockWidgetArea, p.rightDock);
    p.columns->resizeDocks({p.leftDock, p.rightDock}, {leftWidth, rightWidth}, Qt::Horizontal);
}

void showProgram(const WindowParts& p, bool program) {
    for (SideDock* dock : {p.leftDock, p.rightDock}) // one that floats, too
        dock->setAside(program || p.top->isHidden());
    p.columns->setVisible(!program);
    p.transport->setVisible(!program && !p.top->isHidden()); // while presenting there is none
    p.program->setVisible(program);
    p.start->hide();
}

void showStart(const WindowParts& p) {
    for (SideDock* dock : {p.leftDock, p.rightDock})
        dock->setAside(true);
    p.columns->hide();
    p.transport->hide();
    p.program->hide();
    p.start->show();
}

void retranslate(const WindowParts& p) {
    p.leftDock->setTitle(Text::tr("Kernels and launch"));
    p.rightDock->setTitle(Text::tr("Source and warp"));
    p.leftTabs->setTabText(0, Text::tr("Gallery"));
    p.leftTabs->setTabText(1, Text::tr("Lessons"));
    p.leftTabs->setTabText(2, Text::tr("Claims"));
    for (QWidget* tabs : std::initializer_list<QWidget*>{p.leftTabs, p.leftTabs->tabBar()})
        tabs->setAccessibleName(Text::tr("Gallery, lessons and claims"));
    p.sourceTabs->setTabText(0, Text::tr("Source"));
    p.sourceTabs->setTabText(1, QStringLiteral("PTX"));
    p.sourceTabs->setTabText(padTab, Text::tr("Your kernel"));
    p.sourceTabs->setTabToolTip(padTab, Text::tr("Write a kernel, and every view follows"));
    p.sourceTabs->setAccessibleName(Text::tr("Source, PTX or your own kernel"));
}

void setLanguage(const WindowParts& p, const QString& language) {
    p.gallery->setLanguage(language);
    p.launch->setLanguage(language);
    p.lessons->setLanguage(language);
    p.claims->setLanguage(language);
    p.start->setLanguage(language);
}

void setTheme(const WindowParts& p, const Theme& theme) {
    p.top->setTheme(theme);
    p.leftDock->setTheme(theme);
    p.rightDock->setTheme(theme);
    p.views->setTheme(theme);
    p.differences->setTheme(theme);
    p.transport->setTheme(theme);
    p.warp->setTheme(theme);
    p.claims->setTheme(theme);
    p.source->setTheme(theme);
    p.pad->setTheme(theme);
    p.program->setTheme(theme);
    p.start->setTheme(theme);
}

void setPresenting(const WindowParts& p, bool presenting) {
    p.top->setVisible(!presenting);
    for (SideDock* dock : {p.leftDock, p.rightDock})
        dock->setAside(presenting || !p.program->isHidden());
    p.transport->setVisible(!presenting && p.program->isHidden());
    p.warp->setVisible(!presenting); // code alone, where it is asked for
    p.sourceTabs->setVisible(!presenting);
    p.views->setPresenting(presenting);
}

} // namespace warpglass
