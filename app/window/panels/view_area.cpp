// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/view_area.h"

#include "app/window/icons.h"
#include "app/window/panels/switch_holder.h"
#include "app/window/view_registry.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace warpglass {

ViewArea::ViewArea(SelectionModel* selection, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("viewTabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // so that the window can be made narrower than they are; fitTabs() is quicker
    m_tabs->setElideMode(Qt::ElideNone);
    m_switches = new QStackedWidget(this);
    m_switches->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_switchRow = new QWidget(this);
    m_switchRow->setObjectName(QStringLiteral("switchRow"));
    auto* switchLayout = new QHBoxLayout(m_switchRow);
    switchLayout->setContentsMargins(16, 8, 16, 0);
    switchLayout->addWidget(m_switches);
    strip = new StepStrip(this);
    message = new MessageBar(this);
    m_stack = new QStackedWidget(this);
    question = new QuestionCard(this);
    question->hide();
    auto* header = new QWidget(this);
    header->setObjectName(QStringLiteral("viewHeader"));
    header->setAttribute(Qt::WA_StyledBackground);
    auto* headerRow = new QHBoxLayout(header);
    headerRow->setContentsMargins(10, 0, 0, 0);
    m_list = new QToolButton(header);
    m_list->setObjectName(QStringLiteral("viewList"));
    m_list->setPopupMode(QToolButton::InstantPopup);
    m_list->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_list->setLayoutDirection(Qt::RightToLeft); // the arrow after the word
    m_list->setFocusPolicy(Qt::TabFocus);
    m_list->setMenu(new QMenu(m_list));
    m_list->hide();
    headerRow->addWidget(m_list, 0, Qt::AlignLeft | Qt::AlignAbsolute); // whatever way its arrow stands
    headerRow->addWidget(m_tabs, 1);
    header->installEventFilter(this);
    connect(m_list->menu(), &QMenu::aboutToShow, this, [this] {
        m_list->menu()->clear();
        for (int i = 0; i < m_views.size(); ++i) {
            QAction* entry = m_list->menu()->addAction(m_views[i]->view().title(), this, [this, i] { showView(i); });
            entry->setCheckable(true);
            entry->setChecked(i == m_tabs->currentIndex());
            entry->setToolTip(m_views[i]->view().question());
        }
    });
    m_header = header;
    column->addWidget(header);
    column->addWidget(strip);
    auto* messageRow = new QHBoxLayout;
    messageRow->setContentsMargins(16, 0, 16, 0);
    messageRow->addWidget(message);
    column->addLayout(messageRow);
    column->addWidget(m_switchRow);
    column->addWidget(m_stack, 1);
    column->addWidget(question, 1);
    for (const ViewEntry& entry : viewEntries()) {
        auto* view = new ViewWidget(entry.make(), selection, m_stack);
        m_views.append(view);
        m_stack->addWidget(view);
        m_switches->addWidget(new SwitchHolder(view, m_switches));
        m_tabs->addTab(view->view().title());
        connect(view, &ViewWidget::actionRequested, this, &ViewArea::actionRequested);
        connect(view, &ViewWidget::optionsChanged, this, &ViewArea::refreshSwitches, Qt::QueuedConnection);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || index >= m_views.size())
            return;
        m_stack->setCurrentIndex(index);
        m_list->setText(m_tabs->tabText(index));
        m_switches->setCurrentIndex(index);
        refreshSwitches();
        emit currentChanged(currentKey());
    });
    retranslate();
    refreshSwitches();
}

void ViewArea::refreshSwitches() {
    const ViewWidget* view = current();
    m_switchRow->setVisible(view && !m_presenting && !m_asking && !m_predicting &&
                            !view->view().switches(view->context()).isEmpty());
}

// Tabs are all there, or one button that says which view it is and lists the others: half a word teaches nobody.
void ViewArea::fitTabs() {
    const QMargins around = m_header->layout()->contentsMargins();
    const bool narrow = m_tabs->sizeHint().width() > m_header->width() - around.left() - around.right();
    m_tabs->setVisible(!narrow);
    m_list->setVisible(narrow);
    fitSwitches(narrow);
}

// Beside the one button there is room for the switches: the picture has the line that they would stand on.
void ViewArea::fitSwitches(bool narrow) {
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    auto* headerRow = qobject_cast<QHBoxLayout*>(m_header->layout());
    constexpr int letters = 60; // that the switches of a view take
    const int room = m_header->width() - m_list->sizeHint().width();
    const bool beside = narrow && room >= letters * fontMetrics().averageCharWidth();
    if (beside == (m_switchRow->parentWidget() == m_header))
        return;
    const bool shown = !m_switchRow->isHidden();
    if (beside) {
        column->removeWidget(m_switchRow);
        headerRow->addWidget(m_switchRow, 1);
    } else {
        headerRow->removeWidget(m_switchRow);
        column->insertWidget(column->indexOf(m_stack), m_switchRow);
    }
    m_switchRow->layout()->setContentsMargins(16, beside ? 4 : 8, 16, beside ? 4 : 0);
    m_switchRow->setVisible(shown);
}

void ViewArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void ViewArea::fit() {
    constexpr int linesForStory = 24;
    strip->setTight(height() < linesForStory * fontMetrics().height());
    constexpr double mostForText = 0.22;
    strip->setMost(int(height() * mostForText));
    message->fit();
    fitTabs();
}

bool ViewArea::eventFilter(QObject* object, QEvent* event) {
    if (object == m_header && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        fitTabs();
    return QWidget::eventFilter(object, event);
}

void ViewArea::retranslate() {
    m_tabs->setAccessibleName(tr("Views"));
    m_list->setToolTip(tr("The other views"));
    m_list->setAccessibleName(tr("Views"));
    for (int i = 0; i < m_views.size(); ++i) {
        m_tabs->setTabText(i, m_views[i]->view().title());
        m_tabs->setTabToolTip(i, i < 9 ? tr("%1 (Ctrl+%2)").arg(m_views[i]->view().question()).arg(i + 1)
                                       : m_views[i]->view().question());
    }
    m_list->setText(m_tabs->tabText(m_tabs->currentIndex()));
}

void ViewArea::setTrace(const TracePtr& trace, const TracePtr& other) {
    for (ViewWidget* view : m_views)
        view->setTrace(trace, other);
    refreshSwitches();
}

void ViewArea::setTheme(const Theme& theme) {
    for (ViewWidget* view : m_views)
        view->setTheme(theme);
    message->setTheme(theme);
    m_list->setIcon(themedIcon(QStringLiteral("down"), theme));
    QMetaObject::invokeMethod(this, &ViewArea::fit, Qt::QueuedConnection); // once the type is there
}

void ViewArea::showView(const QString& key) {
    for (int i = 0; i < m_views.size(); ++i) {
        if (m_views[i]->view().key() == key)
            m_tabs->setCurrentIndex(i);
    }
}

void ViewArea::showView(int index) {
    if (index >= 0 && index < m_views.size())
        m_tabs->setCurrentIndex(index);
}

void ViewArea::setPresenting(bool presenting) {
    m_presenting = presenting;
    m_header->setVisible(!presenting);
    strip->setPresenting(presenting);
    refreshSwitches();
}

void ViewArea::setAsking(bool asking) {
    m_asking = asking;
    question->setVisible(asking);
    m_stack->setVisible(!asking);
    message->setAnswering(m_asking || m_predicting);
    refreshSwitches();
}

void ViewArea::setPredicting(bool predicting) {
    m_predicting = predicting;
    message->setAnswering(m_asking || m_predicting);
    refreshSwitches();
}

QString ViewArea::currentKey() const {
    return current() ? current()->view().key() : QString();
}

ViewWidget* ViewArea::current() const {
    const int index = m_tabs->currentIndex();
    return index >= 0 && index < m_views.size() ? m_views[index] : nullptr;
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
