// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/program/program_page.h"

#include "app/window/program/name_delegate.h"
#include "app/window/view_registry.h"
#include "gpu/program/graphs.h"
#include "views/common/agreeing.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"
#include "views/program/program_layout.h"
#include "views/program/program_model.h"
#include "views/program/program_text.h"
#include "views/program/program_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {

QTableView* table(const char* name, QAbstractItemModel* model, QWidget* parent) {
    auto* t = new QTableView(parent);
    t->setObjectName(QLatin1String(name));
    t->setModel(model);
    t->setFrameShape(QFrame::NoFrame);
    t->setSelectionBehavior(QAbstractItemView::SelectRows);
    t->setSelectionMode(QAbstractItemView::SingleSelection);
    t->setShowGrid(false);
    t->setWordWrap(false);
    t->setTabKeyNavigation(false); // Tab leaves the list, arrows move in it
    t->setEditTriggers(QAbstractItemView::NoEditTriggers);
    t->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    t->verticalHeader()->hide();
    t->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    t->horizontalHeader()->setHighlightSections(false);
    t->horizontalHeader()->setStretchLastSection(true);
    t->horizontalHeader()->setMinimumSectionSize(28);
    t->setCornerButtonEnabled(false);
    return t;
}

QPushButton* button(const char* name, QWidget* parent) {
    auto* b = new QPushButton(parent);
    b->setObjectName(QLatin1String(name));
    return b;
}

} // namespace

ProgramPage::ProgramPage(QWidget* parent)
    : QWidget(parent), m_selection(new SelectionModel(this)), m_kernelTable(new KernelTable(this)),
      m_launchTable(new LaunchTable(this)) {
    setObjectName(QStringLiteral("programPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    message = new MessageBar(this);
    auto* messageRow = new QHBoxLayout;
    messageRow->setContentsMargins(16, 0, 16, 0);
    messageRow->addWidget(message);
    column->addLayout(messageRow);
    split = new QSplitter(Qt::Vertical, this);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    column->addWidget(split, 1);
    view = new ViewWidget(makeView(QString::fromLatin1(programViewKey)), m_selection, split);
    view->setMinimumHeight(140);

    lists = new QSplitter(Qt::Horizontal, split);
    lists->setHandleWidth(1);
    lists->setChildrenCollapsible(false);
    QWidget *left = buildKernels(), *right = buildLaunches();
    lists->addWidget(left);
    lists->addWidget(right);
    split->addWidget(view);
    split->addWidget(lists);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({330, 330});
    lists->setSizes({560, 520});
    std::vector<QWidget*> stops{view, m_find, m_all, kernels, m_tabs->tabBar(), m_shapes, launches, m_faults, graphs};
    for (QWidget* stop : m_foot->stops())
        stops.push_back(stop);
    for (std::size_t n = 1; n < stops.size(); ++n)
        setTabOrder(stops[n - 1], stops[n]);

    connectParts();
    retranslate();
    refreshFoot();
}

QWidget* ProgramPage::buildKernels() {
    auto* left = new QWidget(lists);
    left->setObjectName(QStringLiteral("panel"));
    left->setAttribute(Qt::WA_StyledBackground);
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    auto* titleRow = new QHBoxLayout;
    titleRow->setContentsMargins(12, 4, 8, 4);
    m_kernelTitle = new QLabel(left);
    m_kernelTitle->setObjectName(QStringLiteral("panelTitle"));
    m_all = button("allKernels", left);
    m_find = new QLineEdit(left);
    m_find->setObjectName(QStringLiteral("findKernel"));
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(260);
    titleRow->addWidget(m_kernelTitle, 1);
    titleRow->addWidget(m_find, 1);
    titleRow->addWidget(m_all);
    leftColumn->addLayout(titleRow);
    kernels = table("programKernels", m_kernelTable, left);
    m_spark = new SparkDelegate(this);
    kernels->setItemDelegateForColumn(KernelTable::Durations, m_spark);
    kernels->setItemDelegateForColumn(KernelTable::Share, m_spark);
    kernels->setItemDelegateForColumn(KernelTable::Name, new NameDelegate(this));
    kernels->setSortingEnabled(true);
    kernels->horizontalHeader()->setStretchLastSection(false);
    kernels->viewport()->installEventFilter(this);
    kernels->sortByColumn(KernelTable::Total, Qt::DescendingOrder);
    auto* inset = new QHBoxLayout; // in line with the title
    inset->setContentsMargins(8, 0, 0, 0);
    inset->addWidget(kernels);
    leftColumn->addLayout(inset, 1);
    return left;
}

QWidget* ProgramPage::buildLaunches() {
    auto* right = new QWidget(lists);
    right->setObjectName(QStringLiteral("panel"));
    right->setAttribute(Qt::WA_StyledBackground);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    m_tabs = new QTabWidget(right);
    m_tabs->setObjectName(QStringLiteral("programTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setDrawBase(false);
    launches = table("programLaunches", m_launchTable, m_tabs);
    launches->setItemDelegateForColumn(LaunchTable::Kernel, new NameDelegate(this));
    launches->viewport()->installEventFilter(this);
    launches->setSortingEnabled(true);
    launches->sortByColumn(LaunchTable::Number, Qt::AscendingOrder);
    m_faults = new QListWidget(m_tabs);
    m_faults->setObjectName(QStringLiteral("programFaults"));
    m_faults->setFrameShape(QFrame::NoFrame);
    m_faults->setWordWrap(true);
    m_shapes = new QComboBox(m_tabs);
    m_shapes->setObjectName(QStringLiteral("launchShapes"));
    m_tabs->addTab(launches, QString());
    m_tabs->addTab(m_faults, QString());
    graphs = new ViewWidget(makeView(QString::fromLatin1(programGraphViewKey)), m_selection, m_tabs);
    m_tabs->addTab(graphs, QString());
    rightColumn->addWidget(m_tabs, 1);
    m_foot = new LaunchFoot(right);
    rightColumn->addWidget(m_foot);
    return right;
}

void ProgramPage::connectParts() {
    connect(view, &ViewWidget::optionsChanged, this, &ProgramPage::follow);
    connect(graphs, &ViewWidget::optionsChanged, this, [this] {
        const std::uint32_t chosen = programOperation.of(graphs->context().options);
        if (!m_following && chosen != noIndex && chosen != operation())
            choose(chosen);
    });
    for (const ViewWidget* one : {view, graphs})
        connect(one, &ViewWidget::actionRequested, this, [this](const QString& action) {
            const QLatin1String open(openLaunchAction);
            if (action.startsWith(open))
                emit openRequested(action.mid(open.size()).toUInt());
        });
    connect(kernels->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!m_following && now.isValid())
            chooseKernel(m_kernelTable->kernelAt(now.row()));
    });
    connect(kernels, &QTableView::clicked, this,
            [this](const QModelIndex& at) { chooseKernel(m_kernelTable->kernelAt(at.row())); });
    connect(launches->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!m_following && now.isValid())
            view->setOption(QLatin1String(programOperation.key), m_launchTable->operationAt(now.row()));
    });
    connect(kernels, &QTableView::activated, this, [this](const QModelIndex& at) {
        if (const std::uint32_t n = firstOf(m_kernelTable->kernelAt(at.row())); n != noIndex)
            emit openRequested(n);
    });
    connect(launches, &QTableView::activated, this,
            [this](const QModelIndex& at) { emit openRequested(m_launchTable->operationAt(at.row())); });
    connect(m_faults, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && !m_following && item->data(Qt::UserRole).toUInt() != noIndex)
            choose(item->data(Qt::UserRole).toUInt());
    });
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_following = true; // the row that goes away chooses nothing else
        m_kernelTable->setFilter(text);
        m_following = false;
        follow();
    });
    connect(m_shapes, &QComboBox::activated, this, [this] {
        m_launchTable->setShape(m_shapes->currentData().toUInt());
        launches->scrollToTop();
    });
    connect(m_all, &QPushButton::clicked, this, [this] { choose(noIndex); });
    connect(m_foot, &LaunchFoot::openRequested, this, &ProgramPage::openRequested);
    connect(m_foot, &LaunchFoot::recordRequested, this, &ProgramPage::recordRequested);
}

void ProgramPage::setProgram(const ProgramModelPtr& program) {
    m_program = program;
    m_following = true;
    m_kernelTable->setProgram(program);
    m_launchTable->setProgram(program);
    m_following = false;
    for (const char* key : {programOperation.key, programKernel.key, programScroll.key})
        view->setOption(QLatin1String(key), QVariant());
    m_selection->reset();
    m_find->clear();
    constexpr std::size_t many = 12; // that is seen at once
    m_find->setVisible(program && program->kernels.size() > many);
    view->setProgram(program);
    message->clear();
    m_tabs->setCurrentIndex(0);
    refreshFaults();
    refreshGraphs();
    refreshColumns();
    refreshShapes();
    follow();
}

void ProgramPage::growTo(const ProgramModelPtr& program) {
    const std::uint32_t chosen = operation(), ofKernel = kernel();
    m_program = program;
    m_following = true;
    m_kernelTable->setProgram(program);
    m_launchTable->setProgram(program);
    m_following = false;
    view->setProgram(program);
    view->setOption(QLatin1String(programOperation.key), chosen);
    view->setOption(QLatin1String(programKernel.key), ofKernel);
    refreshFaults();
    refreshGraphs();
    follow();
}

void ProgramPage::setWhyNoMore(const QString& why) {
    m_foot->setWhyNoMore(why);
}

void ProgramPage::setBusy(bool busy) {
    m_foot->setBusy(busy);
}

void ProgramPage::setTheme(const Theme& theme) {
    view->setTheme(theme);
    graphs->setTheme(theme);
    message->setTheme(theme);
    m_spark->setTheme(theme);
    const int row = qRound(lineHeight(theme.body()) * 1.45);
    for (QTableView* t : {kernels, launches}) {
        t->verticalHeader()->setMinimumSectionSize(8);
        t->verticalHeader()->setDefaultSectionSize(row);
        t->viewport()->update();
    }
    refreshColumns();
}

std::uint32_t ProgramPage::operation() const {
    return m_program ? programOperation.of(view->context().options) : noIndex;
}

std::uint32_t ProgramPage::kernel() const {
    return m_program ? programKernel.of(view->context().options) : noIndex;
}

void ProgramPage::choose(std::uint32_t operation) {
    if (!m_program)
        return;
    const bool there = operation < m_program->trace->operations.size();
    const program::Operation* o = there ? &m_program->operation(operation) : nullptr;
    if (!o || o->kind == program::OperationKind::Launch)
        view->setOption(QLatin1String(programKernel.key),
                        o && o->kernel < m_program->kernels.size() ? QVariant(o->kernel) : QVariant());
    view->setOption(QLatin1String(programOperation.key), there ? QVariant(operation) : QVariant());
}

void ProgramPage::chooseKernel(std::uint32_t kernel) {
    if (!m_program || kernel >= m_program->kernels.size() || kernel == this->kernel())
        return;
    const std::uint32_t now = operation();
    if (now != noIndex && m_program->operation(now).kernel != kernel)
        view->setOption(QLatin1String(programOperation.key), QVariant());
    view->setOption(QLatin1String(programKernel.key), kernel);
}

void ProgramPage::showTimes(TimeRange times) {
    Selection now = m_selection->get();
    now.visible = times;
    m_selection->set(now);
}

bool ProgramPage::showView(const QString& key) {
    if (key != QLatin1String(programGraphViewKey) || !m_tabs->isTabVisible(2))
        return key == QLatin1String(programViewKey);
    m_tabs->setCurrentIndex(2);
    return true;
}

// The keys are the window's, so the view never sees them.
void ProgramPage::step(int direction) {
    const Picture* now = view->picture();
    const auto change =
        now ? now->answer(KeyInput{direction > 0 ? Qt::Key_Period : Qt::Key_Comma, Qt::NoModifier}) : std::nullopt;
    if (!change)
        return;
    m_selection->set(change->selection);
    choose(programOperation.of(change->options));
}

void ProgramPage::showUnrecorded(std::uint32_t operation) {
    choose(operation);
    m_tabs->setCurrentIndex(0);
    m_foot->offerRecording();
}

// Rows are selected without telling the view, which knows.
void ProgramPage::follow() {
    if (m_following || !m_program)
        return;
    m_following = true;
    const auto select = [](QTableView* list, int row) {
        if (row < 0) {
            list->selectionModel()->clear();
            return;
        }
        if (list->currentIndex().row() == row && list->selectionModel()->isRowSelected(row, {}))
            return;
        list->setCurrentIndex(list->model()->index(row, std::max(0, list->currentIndex().column())));
        list->scrollTo(list->currentIndex());
    };
    select(kernels, m_kernelTable->rowOf(kernel()));
    const bool others = m_launchTable->kernel() != kernel();
    m_launchTable->setKernel(kernel());
    launches->setColumnHidden(LaunchTable::Kernel, kernel() != noIndex || m_program->kernels.size() < 2);
    if (others) {
        refreshShapes();
        launches->scrollToTop();
    }
    if (operation() != noIndex && m_launchTable->rowOf(operation()) < 0 && m_shapes->currentIndex() > 0) {
        m_shapes->setCurrentIndex(0); // what was chosen elsewhere is seen
        m_launchTable->setShape(noIndex);
    }
    select(launches, m_launchTable->rowOf(operation()));
    if (program::stepOf(*m_program->trace, operation())) // else the graph that is shown stays
        graphs->setOption(QLatin1String(programOperation.key), operation());
    m_following = false;
    retranslate();
    refreshFoot();
}

// What a kernel's row opens: its first launch that was recorded, else its first.
std::uint32_t ProgramPage::firstOf(std::uint32_t kernel) const {
    if (!m_program || kernel >= m_program->kernels.size() || m_program->kernels[kernel].launches.empty())
        return noIndex;
    const std::vector<std::uint32_t>& own = m_program->kernels[kernel].launches;
    const auto at = std::find_if(own.begin(), own.end(),
                                 [&](std::uint32_t n) { return m_program->operation(n).recording != noIndex; });
    return at == own.end() ? own.front() : *at;
}

void ProgramPage::refreshFoot() {
    m_foot->setLaunch(m_program, operation(), kernel());
    m_all->setVisible(kernel() != noIndex);
}

// "2 × 64: 25,000 launches, 27.1 ms", the shape that takes most time first.
void ProgramPage::refreshShapes() {
    m_shapes->clear();
    const std::vector<ShapeSum> sums = m_program ? shapesOf(*m_program, kernel()) : std::vector<ShapeSum>();
    const bool several = sums.size() > 1;
    m_tabs->setCornerWidget(several ? m_shapes : nullptr); // an empty corner draws its edge
    m_shapes->setVisible(several);
    m_shapes->addItem(tr("all %1 shapes").arg(sums.size()), noIndex);
    for (const ShapeSum& sum : sums) {
        const program::RecordedShape& shape = m_program->trace->shapes[sum.shape];
        QString text = agreeing(tr("%1 × %2: %3 {launch|launches}"), QString::fromStdString(shape.grid.text()),
                                QString::fromStdString(shape.block.text()), numberText(sum.launches));
        if (m_program->deviceTimes)
            text += QStringLiteral(", ") + durationText(sum.total);
        m_shapes->addItem(text, sum.shape);
    }
}

void ProgramPage::refreshFaults() {
    m_following = true;
    m_faults->clear();
    if (m_program)
        for (const FaultText& fault : faultTexts(*m_program)) {
            auto* item = new QListWidgetItem((fault.isNote ? QStringLiteral("• ") : QStringLiteral("⚠ ")) + fault.text,
                                             m_faults);
            item->setData(Qt::UserRole, fault.operation);
            item->setToolTip(fault.text);
        }
    m_following = false;
    m_tabs->setTabVisible(1, m_faults->count() > 0);
    retranslate();
}

void ProgramPage::refreshGraphs() {
    graphs->setProgram(m_program);
    m_tabs->setTabVisible(2, m_program && !m_program->trace->graphs.empty());
}

void ProgramPage::retranslate() {
    const std::uint32_t k = kernel();
    const bool one = m_program && k < m_program->kernels.size();
    m_kernelTitle->setText(tr("Kernels"));
    m_find->setPlaceholderText(tr("Find a kernel"));
    m_find->setAccessibleName(tr("Find a kernel"));
    m_shapes->setAccessibleName(tr("Grid and block of the launches"));
    m_all->setText(tr("Show all launches"));
    m_tabs->setTabText(0, one ? tr("Launches of %1")
                                    .arg(shown(QString::fromStdString(m_program->trace->kernels[k].name)
                                                   .section(QLatin1Char('('), 0, 0)
                                                   .left(40)))
                              : tr("All launches"));
    m_tabs->setTabText(1, tr("What went wrong (%1)").arg(m_faults->count()));
    m_tabs->setTabText(2, tr("Graphs (%1)").arg(m_program ? m_program->trace->graphs.size() : 0));
    m_tabs->tabBar()->setAccessibleName(tr("Launches and what went wrong"));
    kernels->setAccessibleName(tr("Kernels of the program"));
    launches->setAccessibleName(tr("Launches"));
    m_faults->setAccessibleName(tr("What went wrong"));
}

void ProgramPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_kernelTable->retranslate();
        m_launchTable->retranslate();
        refreshFaults();
        refreshShapes();
        m_foot->retranslate();
        refreshColumns();
    }
    QWidget::changeEvent(event);
}

// What neither the view nor a list wanted.
void ProgramPage::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && view->hasFocus() && m_program && m_program->numberOf(operation()))
        emit openRequested(operation());
    else if (enter)
        event->accept(); // a list has answered it already
    else
        QWidget::keyPressEvent(event);
}

void ProgramPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_stretched && height() > 0) { // the first time: what is over time gets the smaller half
        m_stretched = true;
        split->setSizes({height() * 45 / 100, height() * 55 / 100});
        lists->setSizes({width() * 58 / 100, width() * 42 / 100});
    }
}

} // namespace warpglass
