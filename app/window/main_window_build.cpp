// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/icons.h"
#include "app/window/main_window.h"
#include "app/window/view_registry.h"

#include <QGuiApplication>
#include <QScreen>
#include <QVBoxLayout>

namespace warpglass {

namespace {

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent) {
    auto* s = new QSplitter(orientation, parent);
    s->setHandleWidth(1);
    s->setChildrenCollapsible(false);
    return s;
}

} // namespace

void MainWindow::build() {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(logoIcon());
    // The first time: most of a large screen, all of a small one.
    const QSize screen = QGuiApplication::primaryScreen()->availableSize();
    resize(screen.width() <= 1440 ? screen : (screen * 0.92).boundedTo({1760, 1080}));
    setMinimumSize(900, 540);
    auto* central = new QWidget(this);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_top = new TopBar(central);
    m_split = splitter(Qt::Horizontal, central);
    m_transport = new TransportBar(central);
    m_transport->setFixedHeight(64);
    column->addWidget(m_top);
    column->addWidget(m_split, 1);
    column->addWidget(m_transport);
    setCentralWidget(central);

    m_left = new QWidget(m_split);
    m_left->setObjectName(QStringLiteral("leftPanel"));
    m_left->setAttribute(Qt::WA_StyledBackground);
    auto* leftColumn = new QVBoxLayout(m_left);
    leftColumn->setContentsMargins(0, 0, 1, 0);
    m_leftSplit = splitter(Qt::Vertical, m_left);
    m_leftTabs = new QTabWidget(m_leftSplit);
    m_leftTabs->setObjectName(QStringLiteral("leftTabs"));
    m_leftTabs->setDocumentMode(true);
    m_leftTabs->tabBar()->setDrawBase(false);
    m_gallery = new GalleryPanel(m_leftTabs);
    m_lessonsPanel = new LessonsPanel(m_leftTabs);
    m_leftTabs->addTab(m_gallery, QString());
    m_leftTabs->addTab(m_lessonsPanel, QString());
    m_claimsPanel = new ClaimsPanel(m_leftTabs);
    m_leftTabs->addTab(m_claimsPanel, QString());
    m_launch = new LaunchPanel(m_leftSplit);
    m_leftSplit->addWidget(m_leftTabs);
    m_leftSplit->addWidget(m_launch);
    m_leftSplit->setStretchFactor(0, 3);
    m_leftSplit->setStretchFactor(1, 2);
    leftColumn->addWidget(m_leftSplit);

    m_middle = splitter(Qt::Vertical, m_split);
    m_views = new ViewArea(m_selection, m_middle);
    m_comparePanel = new ComparePanel(m_middle);
    m_comparePanel->hide();
    m_middle->addWidget(m_views);
    m_middle->addWidget(m_comparePanel);
    m_middle->setStretchFactor(0, 1);
    m_middle->setStretchFactor(1, 0);
    m_middle->setSizes({700, 190});

    m_right = new QWidget(m_split);
    m_right->setObjectName(QStringLiteral("rightPanel"));
    m_right->setAttribute(Qt::WA_StyledBackground);
    auto* rightColumn = new QVBoxLayout(m_right);
    rightColumn->setContentsMargins(1, 0, 0, 0);
    rightColumn->setSpacing(0);
    m_rightSplit = splitter(Qt::Vertical, m_right);
    if (std::unique_ptr<View> source = makeView(QStringLiteral("source"))) {
        auto* upper = new QWidget(m_rightSplit);
        auto* upperColumn = new QVBoxLayout(upper);
        upperColumn->setContentsMargins(0, 0, 0, 0);
        upperColumn->setSpacing(0);
        m_sourceTabs = new QTabBar(upper);
        m_sourceTabs->setObjectName(QStringLiteral("sourceTabs"));
        m_sourceTabs->setDrawBase(false);
        m_sourceTabs->setExpanding(false);
        m_sourceTabs->addTab(QString());
        m_sourceTabs->addTab(QString());
        m_source = new ViewWidget(std::move(source), m_selection, upper);
        m_source->setOption(QStringLiteral("show"), QStringLiteral("source"));
        upperColumn->addWidget(m_sourceTabs);
        upperColumn->addWidget(m_source, 1);
        m_rightSplit->addWidget(upper);
    }
    m_warp = new WarpPanel(m_rightSplit);
    m_rightSplit->addWidget(m_warp);
    m_rightSplit->setStretchFactor(0, 3);
    m_rightSplit->setStretchFactor(1, 2);
    rightColumn->addWidget(m_rightSplit);

    m_split->addWidget(m_left);
    m_split->addWidget(m_middle);
    m_split->addWidget(m_right);
    m_split->setStretchFactor(0, 0);
    m_split->setStretchFactor(1, 1);
    m_split->setStretchFactor(2, 0);
    m_split->setSizes({264, 816, 360});
    m_leftSplit->setSizes({430, 330});
    m_rightSplit->setSizes({430, 400});
    m_left->setMinimumWidth(236);
    m_right->setMinimumWidth(250);
    m_views->setMinimumWidth(300);
}

void MainWindow::connectAll() {
    connect(m_job, &RunJob::finished, this, &MainWindow::take);
    connect(m_job, &RunJob::progressed, m_views->message, &MessageBar::showProgress);
    connect(m_job, &RunJob::cancelled, this, [this] {
        m_stepWaiting = false;
        m_claim.reset();
        m_views->message->showNote(tr("The run was stopped."));
    });
    connect(m_views->message, &MessageBar::stopRequested, m_job, &RunJob::cancel);
    connect(m_gallery, &GalleryPanel::chosen, this, &MainWindow::runKernel);
    connect(m_gallery, &GalleryPanel::recordingChosen, this, &MainWindow::openFile);
    connect(m_launch, &LaunchPanel::changed, this, &MainWindow::run);
    connect(m_lessonsPanel, &LessonsPanel::stepChosen, this, qOverload<int, int>(&MainWindow::startLesson));
    connect(m_views->strip->previous, &QPushButton::clicked, this, [this] { startLesson(m_lesson, m_step - 1); });
    connect(m_views->strip->next, &QPushButton::clicked, this, [this] { startLesson(m_lesson, m_step + 1); });
    connect(m_views->strip, &StepStrip::ended, this, &MainWindow::leaveLesson);
    connect(m_views, &ViewArea::actionRequested, this, &MainWindow::requested);
    connect(m_sweep, &SweepControl::resultsChanged, this, [this] {
        if (ViewWidget* charts = m_views->widget(QStringLiteral("charts")))
            charts->setResults(m_sweep->results());
        m_views->showView(QStringLiteral("charts"));
    });
    connect(m_claimsPanel, &ClaimsPanel::runRequested, this,
            [this](const ClaimTarget& target) { showClaim(target, false); });
    connect(m_claimsPanel, &ClaimsPanel::showRequested, this,
            [this](const ClaimTarget& target) { showClaim(target, true); });
    connect(m_comparePanel, &ComparePanel::alignmentChanged, this, &MainWindow::alignAt);
    connect(m_comparePanel, &ComparePanel::csvRequested, this, &MainWindow::exportDifferences);
    connect(m_selection, &SelectionModel::changed, this, [this](const Selection& now) { selectionChanged(now); });
    connect(m_transport, &TransportBar::timeChanged, m_selection, &SelectionModel::setTime);
    connect(m_warp, &WarpPanel::laneChosen, this, [this](int lane) {
        Selection selection = m_selection->get();
        selection.lane = lane;
        m_selection->set(selection);
    });
    if (m_sourceTabs) {
        connect(m_sourceTabs, &QTabBar::currentChanged, this, [this](int index) {
            m_source->setOption(QStringLiteral("show"), index == 0 ? QStringLiteral("source") : QStringLiteral("ptx"));
        });
        connect(m_source, &ViewWidget::actionRequested, this, &MainWindow::requested);
    }
    const auto press = [this](QAbstractButton* button, const char* name) {
        QAction* a = m_actions[QString::fromLatin1(name)];
        connect(button, &QAbstractButton::clicked, a, &QAction::trigger);
        connect(a, &QAction::enabledChanged, button, &QWidget::setEnabled);
        button->setEnabled(a->isEnabled());
    };
    press(m_top->run, "run");
    press(m_top->runOnGpu, "gpu");
    press(m_top->present, "present");
    m_top->compare->setCheckable(true);
    press(m_top->compare, "compare");
    connect(m_actions[QStringLiteral("compare")], &QAction::toggled, m_top->compare, &QToolButton::setChecked);
}

} // namespace warpglass
