// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/start_list.h"

#include "views/common/marks.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace warpglass {

namespace {

constexpr int rowsWanted = 8, rowsAtLeast = 3;
constexpr qreal numberWidth = 30;

qreal rowHeight(const Theme& theme, bool about) {
    return lineHeight(theme.body()) + (about ? lineHeight(theme.small()) : 0) + 10 * theme.fontScale;
}

class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(StartList* list) : QStyledItemDelegate(list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {120, int(rowHeight(m_list->theme(), !m_list->row(index.row()).about.isEmpty()))};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = m_list->theme();
        const StartList::Row& row = m_list->row(index.row());
        const bool chosen = (option.state & QStyle::State_Selected) && m_list->hasFocus(),
                   under = option.state & QStyle::State_MouseOver;
        painter->setRenderHint(QPainter::Antialiasing);
        if (chosen || under) {
            painter->setPen(chosen ? QPen(t.accent, 1.5) : QPen(Qt::NoPen));
            painter->setBrush(chosen ? t.accentSoft : t.sunken);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 5, 5);
        }
        QRectF area = QRectF(option.rect).adjusted(8, 5 * t.fontScale, -8, -5 * t.fontScale);
        if (!row.number.isEmpty()) {
            const qreal width = numberWidth * t.fontScale;
            paintText(*painter, {area.left(), area.top(), width - 6, lineHeight(t.body())}, row.number, t.body(),
                      t.textMuted, Qt::AlignRight | Qt::AlignVCenter);
            area.setLeft(area.left() + width + 4);
        }
        const qreal line = lineHeight(t.body());
        paintText(*painter, {area.left(), area.top(), area.width(), line}, row.name, t.body(), t.text);
        if (!row.about.isEmpty())
            paintText(*painter, {area.left(), area.top() + line, area.width(), lineHeight(t.small())}, row.about,
                      t.small(), t.textMuted);
    }

private:
    StartList* m_list;
};

} // namespace

StartList::StartList(const char* name, QWidget* parent) : QuietList(parent) {
    setObjectName(QLatin1String(name));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setItemDelegate(new RowDelegate(this));
    const auto choose = [this](const QListWidgetItem* item) { emit chosen(QListWidget::row(item)); };
    connect(this, &QListWidget::itemClicked, this, choose); // not by passing over it with the arrows
    connect(this, &QListWidget::itemActivated, this, choose);
}

void StartList::setRows(const QVector<Row>& rows) {
    const int current = currentRow();
    clear();
    m_rows = rows;
    for (const Row& row : rows) {
        auto* item = new QListWidgetItem(row.name, this); // the text is for screen readers
        item->setToolTip(row.about);
        item->setData(Qt::AccessibleDescriptionRole, row.about);
    }
    setCurrentRow(current < rows.size() ? current : -1);
    updateGeometry();
}

void StartList::setTheme(const Theme& theme) {
    m_theme = theme;
    doItemsLayout();
    updateGeometry();
}

QSize StartList::sizeHint() const {
    return {220, int(std::clamp(int(m_rows.size()), 1, rowsWanted) * rowHeight(m_theme, true)) + 4};
}

QSize StartList::minimumSizeHint() const {
    return {160, int(std::clamp(int(m_rows.size()), 1, rowsAtLeast) * rowHeight(m_theme, true)) + 4};
}

void StartList::focusInEvent(QFocusEvent* event) {
    if (currentRow() < 0 && count() > 0)
        setCurrentRow(0);
    QListWidget::focusInEvent(event);
    viewport()->update();
}

// Space chooses here, and plays nothing.
bool StartList::event(QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (key && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space && currentItem()) {
        event->accept();
        if (event->type() == QEvent::KeyPress)
            emit chosen(currentRow());
        return true;
    }
    return QListWidget::event(event);
}

} // namespace warpglass
