// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/step_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

StepStrip::StepStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stepStrip"));
    setAttribute(Qt::WA_StyledBackground);
    // The texts below the buttons, not beside them: large type in a small window needs the whole width.
    auto* texts = new QVBoxLayout(this);
    texts->setContentsMargins(24, 8, 16, 8);
    texts->setSpacing(3);
    m_title = new QLabel(this);
    m_title->setObjectName(QStringLiteral("stepTitle"));
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("storyText"));
    m_answer = new QLabel(this);
    m_answer->setObjectName(QStringLiteral("stepAnswer"));
    m_notes = new QLabel(this);
    m_notes->setObjectName(QStringLiteral("small"));
    previous = new QPushButton(this);
    previous->setObjectName(QStringLiteral("lessonPrevious"));
    next = new QPushButton(this);
    next->setObjectName(QStringLiteral("lessonNext"));
    again = new QPushButton(this);
    again->setObjectName(QStringLiteral("lessonAgain"));
    m_end = new QPushButton(this);
    m_end->setObjectName(QStringLiteral("lessonEnd"));
    m_count = new QLabel(this);
    m_count->setObjectName(QStringLiteral("small"));
    auto* head = new QHBoxLayout;
    m_head = head;
    head->addWidget(m_title, 1);
    auto* steps = new QHBoxLayout; // in the middle of each other, and above beside a title of two lines
    for (QWidget* w : std::initializer_list<QWidget*>{m_count, again, previous, next, m_end})
        steps->addWidget(w);
    steps->insertStretch(1, 1); // which step it is on the left, where one goes on the right
    head->addLayout(steps);
    for (QPushButton* button : {again, previous, next, m_end}) // their words are never cut
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    texts->addLayout(head);
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("stepScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* told = new QWidget(m_scroll);
    told->setObjectName(QStringLiteral("stepTold"));
    auto* lines = new QVBoxLayout(told);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(texts->spacing());
    for (QLabel* label : {m_title, m_answer, m_text, m_notes}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        if (label != m_title)
            lines->addWidget(label);
    }
    m_scroll->setWidget(told);
    told->installEventFilter(this);
    for (QLabel* label : {m_answer, m_text}) // a style sheet changes their type after they were laid out
        label->installEventFilter(this);
    texts->addWidget(m_scroll);
    connect(m_end, &QPushButton::clicked, this, &StepStrip::ended);
    retranslate();
    showStory({}, {}, {});
}

void StepStrip::retranslate() {
    m_scroll->setAccessibleName(tr("Text of the step"));
    again->setText(tr("Ask me again"));
    again->setToolTip(tr("Hide the answer, and ask this step's question once more"));
    previous->setText(tr("Previous"));
    previous->setToolTip(tr("Previous step of the lesson (Page up)"));
    next->setText(tr("Next"));
    next->setToolTip(tr("Next step of the lesson (Page down)"));
    m_end->setText(tr("End"));
    m_end->setToolTip(tr("Leave the lesson"));
    if (m_step >= 0)
        m_count->setText(tr("step %1 of %2").arg(m_step + 1).arg(m_steps));
}

void StepStrip::showStory(const QString& story, const QString& documents, const QString& references) {
    m_step = -1;
    m_title->hide();
    m_answer->hide();
    m_notes->hide();
    m_text->setObjectName(QStringLiteral("storyText"));
    m_text->show();
    m_story = documents.isEmpty() ? story : QStringLiteral("%1  [%2]").arg(story, documents);
    m_references = references;
    fitStory();
    for (QWidget* w : std::initializer_list<QWidget*>{again, previous, next, m_end, m_count})
        w->hide();
    setVisible(!story.isEmpty() && !m_presenting);
    fitText();
}

void StepStrip::fitStory() {
    if (m_step >= 0)
        return;
    const int room = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    const QString shown =
        m_tight && !m_beside ? m_text->fontMetrics().elidedText(m_story, Qt::ElideRight, room) : m_story;
    m_text->setText(shown);
    m_text->setAccessibleName(m_story);
    m_text->setToolTip(shown == m_story ? m_references : m_story + QLatin1Char('\n') + m_references);
}

void StepStrip::setTight(bool tight) {
    if (tight == m_tight)
        return;
    m_tight = tight;
    fitStory();
}

// Beside the buttons the title keeps a line's width; which step it is stands in the list of lessons, too.
void StepStrip::fitCount() {
    const int title = m_beside ? 36 : 0; // letters that it leaves to the others where they stand above it
    const int letters = (again->isHidden() ? 64 : 84) - title; // of title, count and buttons
    m_count->setVisible(m_step >= 0 && width() >= letters * m_text->fontMetrics().averageCharWidth());
    m_title->setToolTip(m_count->text());
}

// As high as its words, up to what the view leaves it. What scrolls is reached by Tab, and scrolled by the arrows.
void StepStrip::fitText() {
    const int line = m_text->fontMetrics().height();
    const int room = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    QLayout* told = m_scroll->widget()->layout();
    const bool words = !m_text->isHidden() || !m_answer->isHidden() || !m_notes->isHidden();
    const int all = words && room > 0 ? std::max(0, told->totalHeightForWidth(room)) : 0,
              most = std::max(m_most, 2 * line);
    const bool scrolls = all > most;
    // A bar that is not needed would take the width that the words fit in, and be needed then.
    m_scroll->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(scrolls ? Qt::StrongFocus : Qt::NoFocus);
    m_scroll->setFixedHeight(scrolls ? most / line * line : all); // whole lines
    m_scroll->setVisible(words);
}

void StepStrip::setMost(int height) {
    m_most = height;
    fitText();
}

bool StepStrip::eventFilter(QObject* object, QEvent* event) {
    if (object == m_scroll->widget() && event->type() == QEvent::LayoutRequest)
        fitText();
    if (object != m_scroll->widget() && event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &StepStrip::fitText, Qt::QueuedConnection);
    return QWidget::eventFilter(object, event);
}

void StepStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitStory();
    fitCount();
    fitText();
}

void StepStrip::showStep(const QString& title, const QString& text, const QString& notes, int step, int steps,
                         const QString& answer, bool answered) {
    m_step = step;
    m_steps = steps;
    m_title->setText(title);
    m_text->setToolTip({});
    m_text->setAccessibleName({});
    m_title->show();
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_answer->setText(answer);
    m_answer->setVisible(!answer.isEmpty());
    m_notes->setText(notes);
    m_notes->setVisible(!notes.isEmpty() && !m_presenting);
    for (QWidget* w : std::initializer_list<QWidget*>{previous, next, m_end, m_count})
        w->show();
    m_answered = answered;
    fitEnd();
    previous->setEnabled(step > 0);
    next->setEnabled(step + 1 < steps);
    retranslate();
    fitCount();
    m_scroll->verticalScrollBar()->setValue(0);
    fitText();
    show();
}

void StepStrip::setPresenting(bool presenting) {
    m_presenting = presenting;
    m_notes->setVisible(!presenting && m_step >= 0 && !m_notes->text().isEmpty());
    fitEnd();
    setVisible(m_step >= 0 || (!presenting && !m_story.isEmpty()));
    fitText();
}

void StepStrip::fitEnd() {
    m_end->setVisible(m_endable && !m_presenting && m_step >= 0);
    again->setVisible(m_answered && m_step >= 0 && !(m_beside && m_presenting)); // a class's column is narrow for it
}

void StepStrip::setEndable(bool endable) {
    m_endable = endable;
    fitEnd();
}

void StepStrip::setBeside(bool beside) {
    if (beside == m_beside)
        return;
    m_beside = beside;
    m_head->setDirection(beside ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
    m_head->setSpacing(beside ? 14 : -1);
    layout()->setContentsMargins(24, beside ? 4 : 8, 16, 8);
    layout()->setSpacing(beside ? 10 : 3);
    for (QWidget* part : std::initializer_list<QWidget*>{this, m_title, m_text, m_answer}) {
        part->setProperty("beside", beside); // the style sheet sets its words larger
        part->style()->unpolish(part);
        part->style()->polish(part);
    }
    fitEnd();
    fitStory();
    fitCount();
    fitText();
}

void StepStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
