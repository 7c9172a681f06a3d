// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/change_line.h"

#include "views/common/marks.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

namespace warpglass {

namespace {

constexpr qreal before = 10, behind = 8; // px beside the words
const QString between = QStringLiteral("  ·  ");

QColor inkOf(Effect effect, const Theme& theme) {
    return effect == Effect::Better ? theme.good : effect == Effect::Worse ? theme.wrong : theme.text;
}

} // namespace

ChangeLine::ChangeLine(QWidget* parent) : QWidget(parent), m_pin(new QToolButton(this)) {
    setObjectName(QStringLiteral("changeLine"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_pin->setObjectName(QStringLiteral("pinButton"));
    m_pin->setCheckable(true);
    m_pin->setFocusPolicy(Qt::StrongFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 3, 8, 3);
    row->addStretch(1);
    row->addWidget(m_pin);
    connect(m_pin, &QToolButton::clicked, this, &ChangeLine::pinWanted);
    refresh();
}

void ChangeLine::showNothing() {
    m_state = State::Nothing;
    refresh();
}

void ChangeLine::showUnpinned() {
    m_state = State::Unpinned;
    refresh();
}

void ChangeLine::showAlone(const QString& nameOfA) {
    m_state = State::Alone;
    m_name = nameOfA;
    refresh();
}

void ChangeLine::show(const QString& nameOfA, const PinnedChange& change) {
    m_state = State::Changed;
    m_name = nameOfA;
    m_change = change;
    refresh();
}

void ChangeLine::setTheme(const Theme& theme) {
    m_theme = theme;
    refresh();
}

void ChangeLine::refresh() {
    const bool pinned = m_state == State::Alone || m_state == State::Changed;
    setVisible(m_state != State::Nothing);
    m_pin->setChecked(pinned);
    m_pin->setText(pinned ? tr("A: %1  ✕").arg(m_name) : tr("Pin as A"));
    m_pin->setToolTip(pinned ? tr("Let A go: nothing is held against it any more (Ctrl+Shift+D)")
                             : tr("Hold this run as A: what you change from now on is held against it (Ctrl+Shift+D)"));
    m_pin->setAccessibleName(pinned ? tr("Let A go") : tr("Pin as A"));
    setToolTip(m_state == State::Changed ? m_change.line() + QStringLiteral("\n\n") + m_change.numbers : QString());
    setAccessibleName(tr("What became of A"));
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QRectF ChangeLine::room() const {
    const qreal right = m_pin->isVisibleTo(this) ? m_pin->geometry().left() : width();
    return QRectF(before, 0, std::max<qreal>(0, right - before - behind), height());
}

QVector<PinnedChange::Part> ChangeLine::shownParts() const {
    switch (m_state) {
    case State::Nothing:
        return {};
    case State::Unpinned:
        return {{tr("Pin this run, change something, and see what became of it.")}};
    case State::Alone:
        return {{tr("A is pinned: change the code, and what that does stands here.")}};
    case State::Changed:
        break;
    }
    if (m_change.parts.isEmpty())
        return {{tr("Nothing that is counted has changed.")}};
    QVector<PinnedChange::Part> shown;
    // What has no room is left out, and what is less important and shorter may still have some.
    qreal used = 0;
    for (const PinnedChange::Part& part : m_change.parts) {
        const qreal more =
            (shown.isEmpty() ? 0 : textWidth(m_theme.body(), between)) + textWidth(m_theme.body(), part.text);
        if (!shown.isEmpty() && used + more > room().width())
            continue;
        used += more;
        shown.append(part);
    }
    return shown;
}

QString ChangeLine::text() const {
    QStringList texts;
    for (const PinnedChange::Part& part : shownParts())
        texts << part.text;
    return texts.join(QStringLiteral(" · "));
}

QSize ChangeLine::sizeHint() const {
    return {400, std::max(m_pin->sizeHint().height() + 6, qRound(lineHeight(m_theme.body()) * 1.7))};
}

void ChangeLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor ground = m_theme.panel;
    if (m_state == State::Changed && m_change.effect != Effect::None) {
        const QColor tint = inkOf(m_change.effect, m_theme);
        constexpr qreal share = 0.12;
        ground = QColor::fromRgbF(float(ground.redF() * (1 - share) + tint.redF() * share),
                                  float(ground.greenF() * (1 - share) + tint.greenF() * share),
                                  float(ground.blueF() * (1 - share) + tint.blueF() * share));
    }
    painter.fillRect(rect(), ground);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), m_theme.border);
    QRectF left = room();
    const bool quiet = m_state != State::Changed || m_change.parts.isEmpty();
    bool first = true;
    for (const PinnedChange::Part& part : shownParts()) {
        if (!first)
            left.adjust(paintText(painter, left, between, m_theme.body(), m_theme.textMuted), 0, 0, 0);
        left.adjust(paintText(painter, left, part.text, m_theme.body(),
                              quiet ? m_theme.textMuted : inkOf(part.effect, m_theme)),
                    0, 0, 0);
        first = false;
    }
}

void ChangeLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace warpglass
