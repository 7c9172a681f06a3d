// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/present/presenter_notes.h"

#include <QApplication>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QScreen>
#include <QTime>
#include <QVBoxLayout>

namespace warpglass {

PresenterNotes::PresenterNotes(QWidget* parent) : QWidget(parent, Qt::Window) {
    setObjectName(QStringLiteral("presenterNotes"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(14);
    const auto label = [this](const char* name) {
        auto* made = new QLabel(this);
        made->setObjectName(QLatin1String(name));
        made->setWordWrap(true);
        made->setTextFormat(Qt::PlainText);
        return made;
    };
    m_clock = label("presenterClock");
    m_since = label("presenterSince");
    m_place = label("presenterPlace");
    m_title = label("presenterTitle");
    m_notes = label("presenterText");
    m_next = label("presenterNext");
    auto* clocks = new QHBoxLayout;
    clocks->addWidget(m_clock, 1);
    clocks->addWidget(m_since, 0, Qt::AlignRight);
    m_since->setWordWrap(false);
    column->addLayout(clocks);
    column->addWidget(m_place);
    column->addWidget(m_title);
    column->addWidget(m_notes, 1);
    m_notes->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_next);
    resize(640, 480);
    connect(&m_timer, &QTimer::timeout, this, &PresenterNotes::tick);
    m_timer.setInterval(500);
    begin();
    retranslate();
}

void PresenterNotes::begin() {
    m_began.start();
    tick();
}

QString PresenterNotes::elapsedText(qint64 ms) {
    const qint64 seconds = ms / 1000, minutes = seconds / 60, hours = minutes / 60;
    const QString end = QStringLiteral("%1").arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return hours ? QStringLiteral("%1:%2:%3").arg(hours).arg(minutes % 60, 2, 10, QLatin1Char('0')).arg(end)
                 : QStringLiteral("%1:%2").arg(minutes).arg(end);
}

void PresenterNotes::tick() {
    m_clock->setText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss")));
    m_since->setText(tr("since the beginning: %1").arg(elapsedText(m_began.elapsed())));
}

void PresenterNotes::setStep(const QString& place, const QString& title, const QString& notes, const QString& next) {
    m_place->setText(place);
    m_title->setText(title);
    m_notes->setText(notes.isEmpty() ? tr("There are no notes for this.") : notes);
    m_next->setText(next.isEmpty() ? QString() : tr("Next: %1").arg(next));
}

void PresenterNotes::setTheme(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::WindowText, theme.text);
    setPalette(palette);
    setAutoFillBackground(true);
    QFont large = theme.title();
    large.setPixelSize(large.pixelSize() * 2);
    m_clock->setFont(large);
    m_title->setFont(theme.title());
    for (QLabel* l : {m_since, m_place, m_notes, m_next})
        l->setFont(theme.body());
    for (QLabel* l : {m_clock, m_since, m_place, m_title, m_notes, m_next})
        l->setPalette(palette);
}

bool PresenterNotes::goToOtherScreen(const QWidget* presentation) {
    for (const QScreen* screen : QGuiApplication::screens())
        if (screen != presentation->screen()) {
            setWindowFlags(Qt::Window);
            setGeometry(screen->availableGeometry().adjusted(40, 40, -40, -40));
            return true;
        }
    return false;
}

void PresenterNotes::goToCorner(const QWidget* presentation) {
    constexpr int margin = 16;
    setWindowFlags(Qt::Tool); // which desktops keep above the window it belongs to, though that fills the screen
    const QRect screen = presentation->screen()->availableGeometry().adjusted(margin, margin, -margin, -margin);
    QRect corner(QPoint(), (screen.size() / 2).boundedTo({640, 480}).expandedTo(minimumSizeHint()));
    corner.moveBottomRight(screen.bottomRight());
    setGeometry(corner);
}

void PresenterNotes::retranslate() {
    setWindowTitle(tr("Notes – Warpglass"));
    tick();
}

void PresenterNotes::showEvent(QShowEvent* event) {
    tick();
    m_timer.start();
    QWidget::showEvent(event);
}

// A clock that nobody sees tells nobody the time: readers of screens hear each change.
void PresenterNotes::hideEvent(QHideEvent* event) {
    m_timer.stop();
    QWidget::hideEvent(event);
}

void PresenterNotes::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void PresenterNotes::closeEvent(QCloseEvent* event) {
    emit closed();
    QWidget::closeEvent(event);
}

} // namespace warpglass
