// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/side_dock.h"

#include "app/window/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

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
    m_float = button("float");
    m_fold = button("fold");
    connect(m_float, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(true); });
    connect(this, &QDockWidget::dockLocationChanged, this, &SideDock::retranslate);
    connect(this, &QDockWidget::topLevelChanged, this, &SideDock::retranslate);
    setTitleBarWidget(bar);
    setWidget(new Contents(contents, width, this));
    retranslate();
}

void SideDock::setFolded(bool folded) {
    if (folded == m_folded)
        return;
    m_folded = folded;
    refresh();
    emit foldedChanged(folded);
}

void SideDock::setAside(bool aside) {
    m_aside = aside;
    refresh();
}

void SideDock::takeRestored() {
    const bool folded = isHidden() && testAttribute(Qt::WA_WState_ExplicitShowHide); // else not shown yet
    if (folded == m_folded)
        return;
    m_folded = folded;
    emit foldedChanged(folded);
}

void SideDock::refresh() {
    setVisible(!m_folded && !m_aside);
}

void SideDock::setTheme(const Theme& theme) {
    const int side = qRound(12 * theme.fontScale);
    m_float->setIcon(themedIcon(QStringLiteral("float"), theme));
    m_fold->setIcon(themedIcon(QStringLiteral("fold"), theme));
    for (QToolButton* b : {m_float, m_fold})
        b->setIconSize({side, side});
}

void SideDock::setTitle(const QString& title) {
    setWindowTitle(title);
    m_title->setText(title);
    retranslate();
}

void SideDock::retranslate() {
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
