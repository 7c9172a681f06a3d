// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/tour.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

constexpr int cardWidth = 380, around = 6, margin = 14; // px, the first at the usual type

} // namespace

Tour::Tour(QVector<TourStation> stations, QWidget* window) : QWidget(window), m_stations(std::move(stations)) {
    setObjectName(QStringLiteral("tour"));
    setFocusPolicy(Qt::StrongFocus);
    m_card = new QFrame(this);
    m_card->setObjectName(QStringLiteral("tourCard"));
    m_card->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(m_card);
    column->setContentsMargins(18, 14, 18, 14);
    column->setSpacing(8);
    title = new QLabel(m_card);
    title->setObjectName(QStringLiteral("tourTitle"));
    text = new QLabel(m_card);
    text->setObjectName(QStringLiteral("tourText"));
    for (QLabel* label : {title, text}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    count = new QLabel(m_card);
    count->setObjectName(QStringLiteral("small"));
    skip = new QPushButton(m_card);
    skip->setObjectName(QStringLiteral("tourSkip"));
    previous = new QPushButton(m_card);
    previous->setObjectName(QStringLiteral("tourPrevious"));
    next = new QPushButton(m_card);
    next->setObjectName(QStringLiteral("primary"));
    row->addWidget(count, 1);
    for (QPushButton* button : {skip, previous, next})
        row->addWidget(button);
    column->addLayout(row);
    connect(skip, &QPushButton::clicked, this, &Tour::end);
    connect(previous, &QPushButton::clicked, this, [this] { go(-1); });
    connect(next, &QPushButton::clicked, this, [this] { go(1); });
    for (QPushButton* button : {skip, previous, next})
        button->installEventFilter(this);
    window->installEventFilter(this);
    hide();
}

QRect Tour::placeOf(const TourStation& station) const {
    QRect place;
    for (const QPointer<QWidget>& part : station.parts)
        if (part && part->isVisible() && part->window() == window())
            place |= QRect(part->mapTo(window(), QPoint(0, 0)), part->size());
    return place & rect();
}

int Tour::seen(int from, int direction) const {
    for (int i = from + direction; i >= 0 && i < m_stations.size(); i += direction)
        if (!placeOf(m_stations[i]).isEmpty())
            return i;
    return -1;
}

void Tour::start() {
    setGeometry(parentWidget()->rect());
    const int first = seen(-1, 1);
    if (running() || first < 0)
        return;
    m_focusBefore = QApplication::focusWidget();
    QWidget::show();
    raise();
    show(first);
    next->setFocus();
}

void Tour::go(int direction) {
    if (!running())
        return;
    if (const int station = seen(m_station, direction); station >= 0)
        show(station);
    else if (direction > 0)
        end();
}

void Tour::end() {
    if (!running())
        return;
    m_station = -1;
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus();
    emit ended();
}

void Tour::show(int station) {
    m_station = station;
    previous->setEnabled(seen(station, -1) >= 0);
    retranslate();
    arrange();
    if (!previous->isEnabled() && !next->hasFocus())
        next->setFocus();
    m_card->setAccessibleName(title->text());
    m_card->setAccessibleDescription(text->text());
    next->setAccessibleDescription(title->text() + QStringLiteral(". ") + text->text()); // it has the focus
}

void Tour::retranslate() {
    skip->setText(tr("Skip"));
    skip->setToolTip(tr("End the tour (Esc); it is in the menu under Help"));
    previous->setText(tr("Previous"));
    if (!running())
        return;
    next->setText(seen(m_station, 1) >= 0 ? tr("Next") : tr("Done"));
    skip->setVisible(seen(m_station, 1) >= 0);
    title->setText(m_stations[m_station].title());
    text->setText(m_stations[m_station].text());
    int number = 0, all = 0;
    for (int i = 0; i < m_stations.size(); ++i)
        if (!placeOf(m_stations[i]).isEmpty()) {
            ++all;
            number += i <= m_station;
        }
    count->setText(tr("%1 of %2").arg(number).arg(all));
}

// The card stands beside what it tells of, where there is most room; over it where there is none.
void Tour::arrange() {
    if (!running())
        return;
    m_spot = placeOf(m_stations[m_station]).adjusted(-around, -around, around, around) & rect();
    const int width = std::min(int(cardWidth * m_theme.fontScale), this->width() - 2 * margin);
    m_card->setFixedWidth(width);
    m_card->layout()->activate();
    const int height =
        std::min(std::max(m_card->heightForWidth(width), m_card->sizeHint().height()), this->height() - 2 * margin);
    const QSize size(width, height);
    const std::array<std::pair<int, QPoint>, 4> sides{{
        {this->width() - m_spot.right() - 2 * margin - width, {m_spot.right() + margin, m_spot.top()}},
        {m_spot.left() - 2 * margin - width, {m_spot.left() - margin - width, m_spot.top()}},
        {this->height() - m_spot.bottom() - 2 * margin - height, {m_spot.left(), m_spot.bottom() + margin}},
        {m_spot.top() - 2 * margin - height, {m_spot.left(), m_spot.top() - margin - height}},
    }};
    const auto best =
        std::max_element(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    QPoint at = best->first >= 0 ? best->second : m_spot.center() - QPoint(width, height) / 2;
    at.setX(std::clamp(at.x(), margin, std::max(margin, this->width() - width - margin)));
    at.setY(std::clamp(at.y(), margin, std::max(margin, this->height() - height - margin)));
    m_card->setGeometry(QRect(at, size));
    update();
}

void Tour::setTheme(const Theme& theme) {
    m_theme = theme;
    arrange();
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath dark;
    dark.addRect(QRectF(rect()));
    QPainterPath light;
    light.addRoundedRect(QRectF(m_spot), 6, 6);
    painter.fillPath(dark - light, QColor(0, 0, 0, 120));
    painter.setPen(QPen(m_theme.accent, 3));
    painter.drawPath(light);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        end();
        return;
    case Qt::Key_Right:
    case Qt::Key_PageDown:
    case Qt::Key_Space:
        go(1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget()))
            button->click();
        else
            go(1);
        return;
    case Qt::Key_Left:
    case Qt::Key_PageUp:
    case Qt::Key_Backspace:
        go(-1);
        return;
    default:
        event->accept(); // nothing behind the tour is meant
    }
}

// No shortcut of the window is meant while the tour has the keys.
bool Tour::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && running()) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

bool Tour::focusNextPrevChild(bool forward) {
    QVector<QPushButton*> ring;
    for (QPushButton* button : {skip, previous, next})
        if (button->isVisible() && button->isEnabled())
            ring.append(button);
    if (ring.isEmpty())
        return false;
    const qsizetype at = ring.indexOf(qobject_cast<QPushButton*>(QApplication::focusWidget()));
    ring[(at + (forward ? 1 : ring.size() - 1)) % ring.size()]->setFocus(forward ? Qt::TabFocusReason
                                                                                 : Qt::BacktabFocusReason);
    return true;
}

void Tour::mousePressEvent(QMouseEvent*) {} // nothing behind the tour is pressed

bool Tour::eventFilter(QObject* object, QEvent* event) {
    if (object != parent() && event->type() == QEvent::KeyPress) { // by themselves the arrows go from button to button
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right) {
            keyPressEvent(key);
            return true;
        }
    }
    if (object == parent() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
        setGeometry(parentWidget()->rect());
        QMetaObject::invokeMethod(this, &Tour::arrange, Qt::QueuedConnection); // when its parts have theirs
    }
    return QWidget::eventFilter(object, event);
}

void Tour::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_card) {
        retranslate();
        arrange();
    }
    QWidget::changeEvent(event);
}

} // namespace warpglass
