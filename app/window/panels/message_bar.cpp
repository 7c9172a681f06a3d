// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/message_bar.h"

#include "app/window/icons.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStyle>

#include <algorithm>

namespace warpglass {

namespace {
constexpr int noteMs = 8000; // read twice, slowly
}

MessageBar::MessageBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("messageBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    m_icon = new QLabel(this);
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("messageScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_text);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_stop = new QPushButton(this);
    m_stop->setObjectName(QStringLiteral("stopRun"));
    m_close = new QToolButton(this);
    m_close->setObjectName(QStringLiteral("flat"));
    row->addWidget(m_icon);
    row->addWidget(m_scroll, 2);
    row->addWidget(m_progress, 3);
    row->addWidget(m_stop);
    row->addWidget(m_close);
    connect(m_stop, &QPushButton::clicked, this, &MessageBar::stopRequested);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    m_noteTime.setSingleShot(true);
    m_noteTime.setInterval(noteMs);
    connect(&m_noteTime, &QTimer::timeout, this, &MessageBar::clearNote);
    retranslate();
    setTheme(m_theme);
    hide();
}

void MessageBar::retranslate() {
    m_stop->setText(tr("Stop"));
    m_stop->setToolTip(tr("Stop the run (Esc)"));
    m_close->setAccessibleName(tr("Close the message"));
    m_progress->setAccessibleName(tr("Progress of the run"));
    if (m_kind == Kind::Progress)
        m_text->setText(progressText());
    if (const std::optional<Error> error = m_error)
        m_outcome ? showOutcome(*error) : showError(*error);
}

QString MessageBar::progressText() const {
    if (m_turning && m_turning->second > 0)
        return tr("Running: warp %1 turns on line %2. Esc stops it and shows it so far.")
            .arg(m_turning->first)
            .arg(m_turning->second);
    if (m_turning)
        return tr("Running: warp %1 goes round and round. Esc stops it and shows it so far.").arg(m_turning->first);
    if (m_still)
        return tr("Nothing has moved for %1 s. Stop it, or let it go on.").arg(qint64(patience().count()));
    if (m_step)
        return tr("Running: %1 of %2").arg(m_step->first).arg(m_step->second);
    return m_opening ? tr("Opening") : tr("Running");
}

void MessageBar::setTheme(const Theme& theme) {
    m_theme = theme;
    m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
    m_icon->setPixmap(
        themedIcon(QStringLiteral("warning"), theme.wrong, theme.wrong).pixmap(qRound(20 * theme.fontScale)));
}

void MessageBar::become(Kind kind, const QString& words) {
    const QString text = shown(words);
    m_error.reset();
    m_outcome = false;
    m_kind = kind;
    if (kind != Kind::Progress)
        m_turning.reset();
    kind == Kind::Note ? m_noteTime.start() : m_noteTime.stop();
    m_text->setText(text);
    m_icon->setVisible(kind == Kind::Error);
    m_progress->setVisible(kind == Kind::Progress);
    m_stop->setVisible(kind == Kind::Progress);
    m_close->setVisible(kind != Kind::Progress);
    setProperty("kind", kind == Kind::Error ? QStringLiteral("error") : QStringLiteral("note"));
    style()->unpolish(this);
    style()->polish(this);
    setAccessibleName(text);
    setVisible(kind != Kind::None);
    fit();
}

void MessageBar::fit() {
    constexpr int share = 3;
    const QMargins around = layout()->contentsMargins();
    const int most = window()->height() / share - around.top() - around.bottom();
    const int wide = m_scroll->viewport()->width(), all = std::max(0, m_text->heightForWidth(wide));
    const bool scrolls = all > most && all > m_text->fontMetrics().height();
    const int height = scrolls ? std::max(most, m_text->fontMetrics().height()) : all;
    m_scroll->setFocusPolicy(scrolls ? Qt::StrongFocus : Qt::NoFocus); // then its keys move it
    if (m_scroll->height() != height || m_scroll->minimumHeight() != height)
        m_scroll->setFixedHeight(height);
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void MessageBar::showError(const Error& error) {
    if (error.file.empty())
        showError(sentence(error));
    else
        become(Kind::Error, sentence(error)); // a file's name is as it is
    m_error = error;
}
void MessageBar::showError(const QString& sentence) {
    QString text = sentence; // errors are clauses; here one stands alone
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    become(Kind::Error, text);
}
void MessageBar::showOutcome(const Error& error) {
    showError(error);
    m_outcome = true;
    setVisible(!m_answering);
}
void MessageBar::setAnswering(bool answering) {
    m_answering = answering;
    if (m_outcome)
        setVisible(!answering);
}
void MessageBar::showNote(const QString& sentence) {
    become(Kind::Note, sentence);
}

void MessageBar::showProgress(double fraction, bool opening, const Step& step) {
    if (m_kind != Kind::Progress)
        m_standstill = Standstill();
    const bool stands = m_standstill.is(fraction), still = stands || (m_still && !m_standstill.moved());
    if (m_kind != Kind::Progress || opening != m_opening || still != m_still || step != m_step) {
        m_opening = opening;
        m_still = still;
        m_step = step;
        become(Kind::Progress, progressText());
    }
    m_progress->setValue(qRound(fraction * 1000));
}

void MessageBar::showTurning(std::uint32_t warp, int line) {
    m_turning = {warp, line};
    become(Kind::Progress, progressText());
}

void MessageBar::clearNote() {
    if (m_kind == Kind::Note)
        clear();
}

void MessageBar::clear() {
    become(Kind::None, {});
}

void MessageBar::clearProgress() {
    if (m_kind == Kind::Progress)
        clear();
}

void MessageBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &MessageBar::fit, Qt::QueuedConnection);
    QWidget::changeEvent(event);
}

} // namespace warpglass
