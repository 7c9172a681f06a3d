// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/palette/command_palette.h"

#include "views/common/marks.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr int itemRole = Qt::UserRole; // index of the item
constexpr int rowsShown = 12;
constexpr qreal kindWidth = 84;

class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(CommandPalette* palette) : QStyledItemDelegate(palette), m_palette(palette) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        const Theme& t = m_palette->theme();
        return {200, int(lineHeight(t.body()) + 10 * t.fontScale)};
    }

    // Kind, name, keys; the summary has what is left.
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = m_palette->theme();
        if (!index.data(itemRole).isValid()) {
            paintText(*painter, QRectF(option.rect).adjusted(12, 0, -12, 0), index.data().toString(), t.body(),
                      t.textMuted);
            return;
        }
        const PaletteItem& item = m_palette->item(index.data(itemRole).toInt());
        const bool chosen = option.state & QStyle::State_Selected;
        painter->setRenderHint(QPainter::Antialiasing);
        if (chosen) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.accentSoft);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 1, -2, -1), 4, 4);
        }
        QRectF row = QRectF(option.rect).adjusted(12, 0, -12, 0);
        const qreal kind = kindWidth * t.fontScale;
        paintText(*painter, {row.left(), row.top(), kind - 8, row.height()}, item.kind, t.small(), t.textMuted);
        row.setLeft(row.left() + kind);
        if (!item.keys.isEmpty()) {
            const qreal keys = textWidth(t.small(), item.keys) + 2;
            paintText(*painter, row, item.keys, t.small(), t.textMuted, Qt::AlignRight | Qt::AlignVCenter);
            row.setRight(row.right() - keys - 12);
        }
        QFont bold = t.body();
        bold.setBold(chosen);
        const qreal name = paintText(*painter, row, item.name, bold, t.text);
        row.setLeft(row.left() + name + 14);
        if (row.width() > 60)
            paintText(*painter, row, item.about, t.small(), t.textMuted);
    }

private:
    CommandPalette* m_palette;
};

} // namespace

CommandPalette::CommandPalette(QWidget* window) : QFrame(window) {
    setObjectName(QStringLiteral("palette"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    m_field = new QLineEdit(this);
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new RowDelegate(this));
    column->addWidget(m_field);
    column->addWidget(m_list);
    setFocusProxy(m_field);
    m_field->installEventFilter(this);
    window->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::take);
    retranslate();
    hide();
}

void CommandPalette::open(QVector<PaletteItem> items) {
    m_list->clear();
    m_items = std::move(items);
    m_findable.clear();
    for (const PaletteItem& item : m_items)
        m_findable.append({item.name, item.about + QLatin1Char('\n') + item.words + QLatin1Char('\n') + item.kind});
    const QSignalBlocker quiet(m_field);
    m_field->clear();
    find({});
    place();
    show();
    raise();
    qApp->installEventFilter(this);
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::setTheme(const Theme& theme) {
    m_theme = theme;
    m_list->doItemsLayout();
    place();
}

void CommandPalette::find(const QString& typed) {
    m_list->clear();
    for (const int index : ranked(m_findable, typed)) {
        auto* row = new QListWidgetItem(m_items[index].name, m_list); // the text is for screen readers
        row->setData(itemRole, index);
        row->setData(Qt::AccessibleDescriptionRole, m_items[index].kind + QLatin1Char(' ') + m_items[index].about);
    }
    m_list->setCurrentRow(0);
    say();
    place();
}

void CommandPalette::say() {
    if (m_list->count() > 0)
        return;
    auto* row = new QListWidgetItem(tr("Nothing has such a name."), m_list);
    row->setFlags(Qt::NoItemFlags);
}

void CommandPalette::place() {
    const QSize room = parentWidget()->size();
    const int width = std::min(int(680 * m_theme.fontScale), room.width() - 40);
    const int rows =
        int(std::clamp(m_list->count(), 1, rowsShown) * (lineHeight(m_theme.body()) + 10 * m_theme.fontScale));
    const int height = std::min(rows + m_field->sizeHint().height() + 24, room.height() - 80);
    setGeometry((room.width() - width) / 2, std::min(60, room.height() / 10), width, height);
}

void CommandPalette::take() {
    const QListWidgetItem* row = m_list->currentItem();
    if (!row || !row->data(itemRole).isValid())
        return;
    const std::function<void()> does = m_items[row->data(itemRole).toInt()].does;
    close();
    does();
}

void CommandPalette::close() {
    if (isHidden())
        return;
    qApp->removeEventFilter(this);
    hide();
    emit closed();
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
    if (object == m_field && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QApplication::sendEvent(m_list, event);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            take();
            return true; // what is found nowhere is no Enter for anything behind
        default:
            break;
        }
    }
    if (object == m_field && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            close();
    }
    if (isVisible() && object->isWidgetType() && !isHidden()) { // wherever the keys and the pointer are
        const auto* widget = static_cast<const QWidget*>(object);
        const bool mine = widget == this || isAncestorOf(widget);
        if (event->type() == QEvent::MouseButtonPress && !mine && widget->window() == window())
            close();
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
            widget->window() == window()) {
            close();
            return true;
        }
    }
    if (event->type() == QEvent::Shortcut && isVisible()) // a key that means something it covers, or the palette anew
        close();
    if (object == m_field && event->type() == QEvent::ShortcutOverride) { // PgUp steps a lesson elsewhere
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            event->accept();
    }
    if (object == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(object, event);
}

void CommandPalette::retranslate() {
    m_field->setPlaceholderText(tr("A kernel, a view, a lesson, a file, or what to do"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_list->setAccessibleName(tr("What was found"));
    if (m_list->count() == 1 && !m_list->item(0)->data(itemRole).isValid())
        m_list->item(0)->setText(tr("Nothing has such a name."));
}

void CommandPalette::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace warpglass
