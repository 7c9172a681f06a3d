// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/view_area.h"

#include "app/window/icons.h"
#include "app/window/panels/switch_holder.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

constexpr int beginnersGroups = 1 << int(ViewGroup::Where) | 1 << int(ViewGroup::Who) | 1 << int(ViewGroup::Memory);
constexpr int codeGroup = int(ViewGroup::Code);

QVBoxLayout* plainColumn(QWidget* widget) {
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

QTabBar* tabs(const char* name, QWidget* parent) {
    auto* bar = new QTabBar(parent);
    bar->setObjectName(QLatin1String(name));
    bar->setDrawBase(false);
    bar->setExpanding(false);
    bar->setUsesScrollButtons(true); // so that the window can be made narrower than they are; fitTabs() is quicker
    bar->setElideMode(Qt::ElideNone);
    return bar;
}

} // namespace

ViewArea::ViewArea(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), m_entries(viewEntries()), m_known(beginnersGroups) {
    std::fill(std::begin(m_last), std::end(m_last), -1);
    m_switches = new QStackedWidget(this);
    m_switches->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_switchRow = new QWidget(this);
    m_switchRow->setObjectName(QStringLiteral("switchRow"));
    auto* switchLayout = new QHBoxLayout(m_switchRow);
    switchLayout->setContentsMargins(16, 8, 16, 0);
    switchLayout->addWidget(m_switches);
    buildHeader();
    buildColumns();
    auto* column = plainColumn(this);
    column->addWidget(m_header);
    column->addWidget(m_columns, 1);
    for (const ViewEntry& entry : m_entries) {
        auto* view = new ViewWidget(entry.make(), selection, m_stack);
        m_views.append(view);
        m_stack->addWidget(view);
        m_switches->addWidget(new SwitchHolder(view, m_switches));
        connect(view, &ViewWidget::actionRequested, this, &ViewArea::actionRequested);
        connect(view, &ViewWidget::optionsChanged, this, &ViewArea::refreshSwitches, Qt::QueuedConnection);
    }
    retranslate();
    refreshSwitches();
}

void ViewArea::buildHeader() {
    m_header = new QWidget(this);
    m_header->setObjectName(QStringLiteral("viewHeader"));
    m_header->setAttribute(Qt::WA_StyledBackground);
    m_groups = tabs("viewTabs", m_header);
    m_members = tabs("groupViews", m_header);
    m_list = new QToolButton(m_header);
    m_list->setObjectName(QStringLiteral("viewList"));
    m_list->setPopupMode(QToolButton::InstantPopup);
    m_list->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_list->setLayoutDirection(Qt::RightToLeft); // the arrow after the word
    m_list->setFocusPolicy(Qt::TabFocus);
    m_list->setMenu(new QMenu(m_list));
    for (int group = 0; group < viewGroups; ++group)
        m_groups->addTab(QString());
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(0);
    row->addWidget(m_groups);
    row->addWidget(m_list, 0, Qt::AlignLeft | Qt::AlignVCenter | Qt::AlignAbsolute); // whatever way its arrow stands
    row->addSpacing(16);
    row->addWidget(m_members, 0, Qt::AlignVCenter);
    row->addStretch(1);
    m_header->installEventFilter(this);
    connect(m_list->menu(), &QMenu::aboutToShow, this, [this] {
        m_list->menu()->clear();
        fillMenu(m_list->menu());
    });
    connect(m_groups, &QTabBar::currentChanged, this, [this](int group) {
        if (group < 0 || group == int(groupOf(m_current)))
            return;
        const int last = m_last[group];
        showView(last >= 0 && says(last) ? last : firstOf(ViewGroup(group)));
    });
    connect(m_members, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab >= 0)
            showView(m_members->tabData(tab).toInt());
    });
}

void ViewArea::buildColumns() {
    m_columns = new QSplitter(Qt::Horizontal, this);
    m_columns->setObjectName(QStringLiteral("learnColumns"));
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_beside = new QWidget(m_columns);
    m_beside->setObjectName(QStringLiteral("learnColumn"));
    m_beside->setAttribute(Qt::WA_StyledBackground);
    code = new CodeText(m_beside);
    code->setObjectName(QStringLiteral("learnCode"));
    code->setFrameShape(QFrame::NoFrame);
    code->setFocusPolicy(Qt::ClickFocus);
    code->setLineWrapMode(QPlainTextEdit::WidgetWidth); // a class cannot scroll
    code->setLargest(1.4);
    auto* beside = plainColumn(m_beside);
    beside->setContentsMargins(0, 10, 0, 10);
    beside->addWidget(code, 1);
    beside->addStretch(0);
    m_beside->setMinimumWidth(240);
    m_middle = new QWidget(m_columns);
    strip = new StepStrip(m_middle);
    message = new MessageBar(m_middle);
    m_stack = new QStackedWidget(m_middle);
    question = new QuestionCard(m_middle);
    question->hide();
    auto* middle = plainColumn(m_middle);
    middle->addWidget(strip);
    auto* messageRow = new QHBoxLayout;
    messageRow->setContentsMargins(16, 0, 16, 0);
    messageRow->addWidget(message);
    middle->addLayout(messageRow);
    middle->addWidget(m_switchRow);
    middle->addWidget(m_stack, 1);
    middle->addWidget(question, 1);
    m_columns->addWidget(m_beside);
    m_columns->addWidget(m_middle);
    m_columns->setStretchFactor(0, 1);
    m_columns->setStretchFactor(1, 2);
    m_columns->setSizes({1000, 2000}); // the picture has two thirds
    m_beside->hide();
}

bool ViewArea::says(int view) const {
    const ViewEntry& entry = m_entries[view];
    return entry.says(m_views[view]->view(), m_views[view]->context()) && (!entry.slow || m_proven.value(view));
}

void ViewArea::prove() {
    m_proven.clear();
    QVector<std::pair<ViewEntry, PaintContext>> asked;
    for (int i = 0; i < m_views.size(); ++i)
        asked.append({m_entries[i], m_views[i]->context()});
    m_proof.start(
        [asked](Progress& progress) {
            QVector<bool> proven;
            for (const auto& [entry, context] : asked)
                proven << (!entry.slow || (!progress.cancelled() && !entry.make()->thoroughEmptiness(context)));
            return proven;
        },
        [this](const QVector<bool>& proven) {
            m_proven = proven;
            refreshTabs();
        });
}

int ViewArea::firstOf(ViewGroup group) const {
    for (int i = 0; i < m_views.size(); ++i)
        if (groupOf(i) == group && says(i))
            return i;
    return -1;
}

QString ViewArea::groupTitle(ViewGroup group) const {
    switch (group) {
    case ViewGroup::Where:
        return tr("Where");
    case ViewGroup::When:
        return tr("When");
    case ViewGroup::Who:
        return tr("Who");
    case ViewGroup::Memory:
        return tr("Memory");
    case ViewGroup::Why:
        return tr("Why");
    case ViewGroup::Code:
        break;
    }
    return tr("Code");
}

// A tab for each question that has an answer here and that somebody has heard of; the one that is shown has one anyway.
void ViewArea::refreshTabs() {
    const QSignalBlocker quietGroups(m_groups), quietMembers(m_members);
    const ViewGroup front = groupOf(m_current);
    for (int group = 0; group < viewGroups; ++group) {
        const bool known = group != codeGroup && m_known[std::size_t(group)] && firstOf(ViewGroup(group)) >= 0;
        m_groups->setTabVisible(group, known || group == int(front));
        m_groups->setTabText(group, groupTitle(ViewGroup(group)));
    }
    m_groups->setCurrentIndex(int(front));
    while (m_members->count() > 0)
        m_members->removeTab(0);
    for (int i = 0; i < m_views.size(); ++i) {
        if (groupOf(i) != front || (i != m_current && !says(i)))
            continue;
        const int tab = m_members->addTab(m_views[i]->view().title());
        m_members->setTabData(tab, i);
        m_members->setTabToolTip(tab, i < 9 ? tr("%1 (Ctrl+%2)").arg(m_views[i]->view().question()).arg(i + 1)
                                            : m_views[i]->view().question());
        if (i == m_current)
            m_members->setCurrentIndex(tab);
    }
    for (QTabBar* bar : {m_groups, m_members}) // below what is hidden they do not tell that their tabs have changed
        bar->updateGeometry();
    fitTabs();
}

void ViewArea::know(Groups groups) {
    m_known |= groups;
    refreshTabs();
}

void ViewArea::fillMenu(QMenu* menu) {
    for (int group = 0; group < viewGroups; ++group) {
        menu->addSection(groupTitle(ViewGroup(group)));
        for (int i = 0; i < m_views.size(); ++i) {
            if (groupOf(i) != ViewGroup(group))
                continue;
            QAction* entry = menu->addAction(m_views[i]->view().title(), this, [this, i] { showView(i); });
            entry->setCheckable(true);
            entry->setChecked(i == m_current);
            entry->setToolTip(m_views[i]->view().question());
        }
    }
}

void ViewArea::refreshSwitches() {
    const ViewWidget* view = current();
    m_switchRow->setVisible(m_tabs && !m_asking && !m_predicting && !view->view().switches(view->context()).isEmpty());
}

// Tabs are all there, or one button that says which view it is and lists the others: half a word teaches nobody.
void ViewArea::fitTabs() {
    const QMargins around = m_header->layout()->contentsMargins();
    const bool several = m_members->count() > 1;
    constexpr int gap = 24;
    const QString listed = tr("More");
    // Who knows all questions finds each view that answers one by its tab; the menu and the palette have the others, too.
    const bool more = (m_known | Groups(1U << codeGroup)).count() < std::size_t(viewGroups);
    const int forList = more ? m_list->fontMetrics().horizontalAdvance(listed) + 2 * gap : 0; // not what it says now
    const int wanted = m_groups->sizeHint().width() + forList + (several ? m_members->sizeHint().width() : 0);
    m_narrow = wanted > m_header->width() - around.left() - around.right();
    m_list->setVisible(m_narrow || more);
    for (QTabBar* bar : {m_groups, m_members}) // not the room of their scroll buttons: three short words take less
        bar->setMaximumWidth(bar->sizeHint().width());
    m_groups->setVisible(!m_narrow);
    m_members->setVisible(!m_narrow && several);
    if (const QString text = m_narrow ? current()->view().title() : listed; text != m_list->text())
        m_list->setText(text);
    if (m_list->property("alone").toBool() != m_narrow) { // it looks like the tab that it stands for
        m_list->setProperty("alone", m_narrow);
        m_list->style()->unpolish(m_list);
        m_list->style()->polish(m_list);
    }
    fitSwitches(wanted);
}

// Where there is room beside the tabs for the switches, the picture has the line that they would stand on.
void ViewArea::fitSwitches(int wanted) {
    auto* column = qobject_cast<QVBoxLayout*>(m_middle->layout());
    auto* headerRow = qobject_cast<QHBoxLayout*>(m_header->layout());
    constexpr int letters = 60; // that the switches of a view take
    const int room = m_header->width() - (m_narrow ? m_list->sizeHint().width() : wanted);
    int boxes = 0; // as wide as they would be
    for (const QComboBox* box : m_switches->currentWidget()->findChildren<QComboBox*>())
        boxes += box->sizeHint().width() + 8;
    const bool beside = room >= std::max(letters * fontMetrics().averageCharWidth(), m_narrow ? 0 : boxes + 32);
    if (beside == (m_switchRow->parentWidget() == m_header))
        return;
    const bool shown = !m_switchRow->isHidden();
    if (beside) {
        column->removeWidget(m_switchRow);
        headerRow->addWidget(m_switchRow, letters); // rather than what is empty beside it
    } else {
        headerRow->removeWidget(m_switchRow);
        column->insertWidget(column->indexOf(m_stack), m_switchRow);
    }
    m_switchRow->layout()->setContentsMargins(16, beside ? 2 : 4, 16, beside ? 2 : 0);
    m_switchRow->setVisible(shown);
}

void ViewArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void ViewArea::fit() {
    constexpr int linesForStory = 24;
    strip->setTight(height() < linesForStory * fontMetrics().height());
    const double mostForText = m_beside->isHidden() ? 0.22 : 0.45;
    strip->setMost(int(height() * mostForText));
    message->fit();
    fitTabs();
    if (!m_atDesk.isEmpty())
        fitClass(true);
}

bool ViewArea::eventFilter(QObject* object, QEvent* event) {
    if (object == m_header && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        fitTabs();
    return QWidget::eventFilter(object, event);
}

void ViewArea::retranslate() {
    m_groups->setAccessibleName(tr("Views, by what they answer"));
    m_members->setAccessibleName(tr("Views"));
    m_list->setToolTip(tr("All views"));
    m_list->setAccessibleName(tr("Views"));
    code->setAccessibleName(tr("The kernel"));
    const QString answers[viewGroups] = {tr("Where blocks and grids run"),
                                         tr("What happens when, and who waits"),
                                         tr("Which lanes and threads take part"),
                                         tr("What memory moves"),
                                         tr("What the time is spent on, and what would change it"),
                                         tr("The kernel's text with its counts")};
    for (int group = 0; group < viewGroups; ++group)
        m_groups->setTabToolTip(group, answers[group]);
    refreshTabs();
}

void ViewArea::setTrace(const TracePtr& trace, const TracePtr& other) {
    for (ViewWidget* view : m_views)
        view->setTrace(trace, other);
    prove();
    refreshTabs();
    refreshSwitches();
}

void ViewArea::setTheme(const Theme& theme) {
    for (ViewWidget* view : m_views)
        view->setTheme(theme);
    message->setTheme(theme);
    code->setTheme(theme);
    m_list->setIcon(themedIcon(QStringLiteral("down"), theme));
    QMetaObject::invokeMethod(this, &ViewArea::fit, Qt::QueuedConnection); // once the type is there
}

void ViewArea::showView(const QString& key) {
    for (int i = 0; i < m_views.size(); ++i) {
        if (m_entries[i].key == key)
            showView(i);
    }
}

void ViewArea::showView(int index) {
    if (index < 0 || index >= m_views.size() || index == m_current)
        return;
    m_current = index;
    m_last[int(groupOf(index))] = index;
    m_known.set(std::size_t(groupOf(index)));
    m_stack->setCurrentIndex(index);
    m_switches->setCurrentIndex(index);
    refreshTabs();
    refreshSwitches();
    fitCode();
    emit currentChanged(currentKey());
}

void ViewArea::apply(const Seen& seen) {
    m_tabs = seen.tabs;
    m_asking = seen.card;
    m_predicting = seen.clock == Clock::Board;
    m_header->setVisible(seen.tabs);
    strip->setPresenting(!seen.desk);
    strip->setEndable(seen.tabs);
    question->setVisible(seen.card);
    m_stack->setVisible(!seen.card);
    message->setAnswering(m_asking || m_predicting);
    if (seen.column == m_beside->isHidden()) {
        m_beside->setVisible(seen.column);
        auto* column = qobject_cast<QVBoxLayout*>(m_beside->layout());
        auto* middle = qobject_cast<QVBoxLayout*>(m_middle->layout());
        const bool hidden = strip->isHidden();
        seen.column ? column->insertWidget(0, strip) : middle->insertWidget(0, strip);
        strip->setBeside(seen.column);
        strip->setVisible(!hidden);
        fit();
    }
    fitClass(seen.column && !seen.desk);
    fitCode();
    refreshSwitches();
}

// For a class the picture has two thirds, whatever it has at the desk.
void ViewArea::fitClass(bool beforeClass) {
    if (beforeClass && m_atDesk.isEmpty())
        m_atDesk = m_columns->saveState();
    if (beforeClass)
        m_columns->setSizes({width() / 3, width() - width() / 3});
    else if (!m_atDesk.isEmpty())
        m_columns->restoreState(std::exchange(m_atDesk, {}));
}

// A view of the code has it already.
void ViewArea::fitCode() {
    code->setVisible(groupOf(m_current) != ViewGroup::Code && !code->document()->isEmpty());
    qobject_cast<QVBoxLayout*>(m_beside->layout())->setStretch(2, code->isHidden() ? 1 : 0);
}

QString ViewArea::currentKey() const {
    return m_entries[m_current].key;
}

ViewWidget* ViewArea::widget(const QString& key) const {
    for (ViewWidget* view : m_views) {
        if (view->view().key() == key)
            return view;
    }
    return nullptr;
}

void ViewArea::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
