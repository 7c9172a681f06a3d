// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sides/side_dock.h"

#include "app/window/icons.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

// What a dock is as wide as before anybody has drawn its border.
class Contents : public QWidget {
public:
    Contents(QWidget* inside, int width, QWidget* parent) : QWidget(parent), m_width(width) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(inside);
    }
    QSize sizeHint() const override { return {m_width, QWidget::sizeHint().height()}; }

private:
    int m_width;
};

// Shows a button to whoever is at a panel, by the pointer or by the keyboard; its place stays free meanwhile.
class AtHand : public QObject {
public:
    AtHand(QWidget* panel, QWidget* button) : QObject(button), m_panel(panel), m_button(button) {
        QSizePolicy policy = button->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        button->setSizePolicy(policy);
        panel->installEventFilter(this);
        connect(qApp, &QApplication::focusChanged, this, [this] { refresh(m_panel->underMouse()); });
        refresh(false);
    }

protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
            refresh(event->type() == QEvent::Enter);
        return QObject::eventFilter(object, event);
    }

private:
    void refresh(bool pointed) {
        const QWidget* focus = QApplication::focusWidget();
        m_button->setVisible(pointed || (focus && m_panel->isAncestorOf(focus)));
    }

    QWidget *m_panel, *m_button;
};

} // namespace

SideDock::SideDock(const char* name, QWidget* contents, int width, QWidget* parent)
    : QDockWidget(parent), m_width(width) {
    setObjectName(QLatin1String(name));
    setFeatures(DockWidgetMovable | DockWidgetFloatable | DockWidgetClosable);
    setAllowedAreas(Qt::AllDockWidgetAreas);
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("dockTitle"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(14, 2, 6, 0);
    row->setSpacing(2);
    m_title = new QLabel(bar);
    m_title->setObjectName(QStringLiteral("small"));
    m_title->setMinimumWidth(1);
    row->addWidget(m_title, 1);
    const auto button = [&](const char* buttonName) {
        auto* b = new QToolButton(bar);
        b->setObjectName(QStringLiteral("flat"));
        b->setProperty("buttonName", QLatin1String(buttonName));
        b->setFocusPolicy(Qt::TabFocus);
        row->addWidget(b);
        return b;
    };
    m_place = button("place");
    m_places = new QMenu(this);
    m_place->setMenu(m_places);
    m_place->setPopupMode(QToolButton::InstantPopup);
    connect(m_places, &QMenu::aboutToShow, this, &SideDock::places);
    m_float = button("float");
    m_fold = button("fold");
    for (QToolButton* seldom : {m_place, m_float}) // a drag, the menu of the title and the palette do the same
        seldom->hide();
    new AtHand(this, m_fold);
    connect(m_float, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(true); });
    const auto moved = [this] {
        retranslate();
        emit lieChanged(lie());
    };
    connect(this, &QDockWidget::dockLocationChanged, this, moved);
    connect(this, &QDockWidget::topLevelChanged, this, moved);
    setTitleBarWidget(bar);
    setWidget(new Contents(contents, width, this));
    retranslate();
}

Qt::DockWidgetArea SideDock::area() const {
    const auto* window = qobject_cast<QMainWindow*>(parentWidget());
    return window ? window->dockWidgetArea(const_cast<SideDock*>(this)) : Qt::NoDockWidgetArea;
}

void SideDock::moveTo(Qt::DockWidgetArea area) {
    auto* window = qobject_cast<QMainWindow*>(parentWidget());
    if (!window)
        return;
    setFolded(false);
    setFloating(false);
    window->addDockWidget(area, this);
    const bool low = area == Qt::TopDockWidgetArea || area == Qt::BottomDockWidgetArea;
    // A third of the height at most is the panel's: the views are what is looked at.
    window->resizeDocks({this}, {low ? std::min(m_width, window->height() / 3) : m_width},
                        low ? Qt::Vertical : Qt::Horizontal);
}

Qt::Orientation SideDock::lie() const {
    const Qt::DockWidgetArea where = area();
    const bool low = where == Qt::TopDockWidgetArea || where == Qt::BottomDockWidgetArea;
    return low && !isFloating() ? Qt::Horizontal : Qt::Vertical;
}

QMenu* SideDock::places() {
    m_places->clear();
    const std::pair<Qt::DockWidgetArea, QString> all[] = {{Qt::LeftDockWidgetArea, tr("Left of the views")},
                                                          {Qt::RightDockWidgetArea, tr("Right of the views")},
                                                          {Qt::TopDockWidgetArea, tr("Above the views")},
                                                          {Qt::BottomDockWidgetArea, tr("Below the views")}};
    for (const auto& [where, text] : all) {
        QAction* action = m_places->addAction(text, this, [this, to = where] { moveTo(to); });
        action->setCheckable(true);
        action->setChecked(!isFloating() && area() == where);
    }
    return m_places;
}

void SideDock::contextMenuEvent(QContextMenuEvent* event) {
    if (!titleBarWidget()->geometry().contains(event->pos())) {
        event->ignore(); // what it holds has menus of its own
        return;
    }
    places()->popup(event->globalPos());
}

void SideDock::setFolded(bool folded) {
    if (folded == m_folded)
        return;
    m_folded = folded;
    refresh();
    emit foldedChanged(folded);
}

void SideDock::setAside(bool aside) {
    if (aside && !m_aside && !isHidden() && !isFloating() && !m_forClass && m_widthAtDesk == 0)
        m_widthAtDesk = width(); // the columns that stay share its room, and would keep some of it
    m_aside = aside;
    refresh();
}

void SideDock::setForClass(bool shown) {
    if (shown == m_forClass)
        return;
    m_forClass = shown;
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_fold})
        part->setVisible(!shown);
    if (shown) {
        m_floated = isFloating();
        m_widthAtDesk = m_floated ? m_width : width();
        setFloating(false);
    }
    refresh();
    if (!shown)
        setFloating(m_floated);
}

void SideDock::takeRestored(bool folded) {
    m_widthAtDesk = 0; // that of another arrangement
    const bool other = std::exchange(m_folded, folded) != folded;
    refresh();
    if (other)
        emit foldedChanged(folded);
}

void SideDock::refresh() {
    const bool shown = !m_aside && (m_forClass || !m_folded);
    const bool appears = isHidden() && shown;
    setVisible(shown);
    if (appears && m_widthAtDesk > 0) // once the layout knows of it
        QMetaObject::invokeMethod(this, &SideDock::fitClass, Qt::QueuedConnection);
    else if (appears)
        fitType(m_type);
}

// Lines of code are long, and the view is what they are about. At the desk it is as wide as it was.
void SideDock::fitClass() {
    constexpr qreal shareOfWindow = 0.45;
    auto* window = qobject_cast<QMainWindow*>(parentWidget());
    if (!window || isHidden() || isFloating() || lie() == Qt::Horizontal)
        return;
    window->resizeDocks({this}, {m_forClass ? qRound(shareOfWindow * window->width()) : m_widthAtDesk}, Qt::Horizontal);
    if (!m_forClass)
        m_widthAtDesk = 0;
}

// Larger type takes a wider panel, as far as the views keep the larger half.
void SideDock::fitType(qreal typeBefore) {
    constexpr qreal mostOfWindow = 0.25;
    auto* window = qobject_cast<QMainWindow*>(parentWidget());
    if (!window || isHidden() || isFloating() || m_forClass || lie() == Qt::Horizontal ||
        (m_type <= 1 && typeBefore <= 1))
        return;
    const qreal least = std::min(m_width * m_type, mostOfWindow * window->width());
    const qreal wanted = m_type > typeBefore ? least : width() * m_type / typeBefore;
    if (const int wide = qRound(std::max(wanted, least)); wide != width())
        window->resizeDocks({this}, {m_type < typeBefore ? wide : std::max(wide, width())}, Qt::Horizontal);
}

void SideDock::setTheme(const Theme& theme) {
    if (const qreal before = std::exchange(m_type, theme.fontScale); before != m_type)
        fitType(before);
    const int side = qRound(12 * theme.fontScale);
    m_place->setIcon(themedIcon(QStringLiteral("place"), theme));
    m_float->setIcon(themedIcon(QStringLiteral("float"), theme));
    m_fold->setIcon(themedIcon(QStringLiteral("fold"), theme));
    for (QToolButton* b : {m_place, m_float, m_fold})
        b->setIconSize({side, side});
}

void SideDock::setTitle(const QString& title) {
    setWindowTitle(title);
    m_title->setText(title);
    retranslate();
}

void SideDock::retranslate() {
    m_place->setToolTip(tr("Where it stands: left, right, above or below"));
    m_place->setAccessibleName(tr("Place of the panel: %1").arg(windowTitle()));
    m_float->setToolTip(isFloating() ? tr("Back into the window") : tr("Out of the window (or drag the title)"));
    m_float->setAccessibleName(m_float->toolTip());
    m_fold->setToolTip(tr("Fold away (F4: both sides)"));
    m_fold->setAccessibleName(tr("Fold away: %1").arg(windowTitle()));
}

void SideDock::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDockWidget::changeEvent(event);
}

} // namespace warpglass
