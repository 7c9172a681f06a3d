// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/exercise/exercise_page.h"
#include "views/common/shown_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QUrl>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr QLatin1String toLine("line:"); // of a link

// `code` is set as code; everything else is text, whatever it looks like.
QString richText(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('`'));
    QString html;
    for (int i = 0; i < parts.size(); ++i)
        html += i % 2 ? QStringLiteral("<code>%1</code>").arg(parts[i].toHtmlEscaped()) : parts[i].toHtmlEscaped();
    return html;
}

} // namespace

ExercisePage::ExercisePage(ExerciseDesk* desk, QWidget* parent)
    : QWidget(parent), grade(new QPushButton(this)), hint(new QPushButton(this)), solution(new QPushButton(this)),
      m_desk(desk), m_state(new QLabel(this)), m_leave(new QPushButton(this)), m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("exercisePage"));
    setAttribute(Qt::WA_StyledBackground);
    grade->setObjectName(QStringLiteral("exerciseGrade"));
    hint->setObjectName(QStringLiteral("exerciseHint"));
    solution->setObjectName(QStringLiteral("exerciseSolution"));
    m_leave->setObjectName(QStringLiteral("exerciseLeave"));
    m_leave->setFlat(true);
    m_state->setObjectName(QStringLiteral("exerciseState"));
    m_state->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("exerciseText"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 6);
    column->setSpacing(4);
    column->addWidget(m_leave, 0, Qt::AlignLeft);
    column->addWidget(m_state); // a line of its own: beside the button it has no room in a narrow column
    column->addWidget(m_text, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton* button : {grade, hint, solution})
        buttons->addWidget(button);
    column->addLayout(buttons);
    setFocusProxy(m_text);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.toString().startsWith(toLine))
            emit lineChosen(url.toString().mid(toLine.size()).toInt());
    });
    connect(m_leave, &QPushButton::clicked, this, &ExercisePage::left);
    connect(hint, &QPushButton::clicked, m_desk, &ExerciseDesk::showHint);
    connect(m_desk, &ExerciseDesk::changed, this, &ExercisePage::refresh);
    retranslate();
}

void ExercisePage::retranslate() {
    grade->setText(tr("Grade"));
    grade->setToolTip(tr("Grades the text on all launches of the exercise, those that are not shown, too"));
    hint->setText(tr("Hint"));
    hint->setToolTip(tr("Shows one hint more"));
    solution->setText(tr("Solution…"));
    solution->setToolTip(tr("Opens the solution in the place of your text; it asks first"));
    m_leave->setText(tr("‹ All exercises"));
    m_text->setAccessibleName(tr("Task, goals and hints"));
    refresh();
}

void ExercisePage::setLanguage(const QString& language) {
    m_language = language;
    refresh();
}

// A mark, a word and a sentence; no colour tells anything that they do not.
QString ExercisePage::goalHtml(const session::GoalGrade& goal) const {
    const std::string language = m_language.toStdString();
    const bool missed = goal.state == session::GoalState::Missed;
    const QString mark = goal.state == session::GoalState::Reached ? tr("✓ reached")
                         : missed                                  ? tr("✗ missed")
                                                                   : tr("– not judged");
    QString html = QStringLiteral("<p><b>%1</b> · %2").arg(mark, richText(goal.title.in(language)));
    if (missed) {
        html += QStringLiteral("<br/>") + shown(QString::fromStdString(goal.found.in(language))).toHtmlEscaped();
        if (goal.line > 0)
            html += QStringLiteral(" <a href=\"%1%2\">%3</a>")
                        .arg(toLine)
                        .arg(goal.line)
                        .arg(tr("To line %1").arg(goal.line).toHtmlEscaped());
        html += QStringLiteral("<br/><i>%1</i>").arg(richText(goal.help.in(language)));
    }
    return html + QStringLiteral("</p>");
}

void ExercisePage::refresh() {
    const session::Exercise* exercise = m_desk->current();
    hint->setEnabled(m_desk->hasHint());
    if (!exercise) {
        m_text->clear();
        m_state->hide();
        return;
    }
    const std::string language = m_language.toStdString();
    const auto& graded = m_desk->grade();
    m_state->setText(m_desk->judging()  ? tr("grading…")
                     : !graded          ? QString()
                     : graded->passed() ? tr("✓ passed")
                                        : tr("%1 of %2 goals").arg(graded->reached()).arg(graded->goals.size()));
    m_state->setVisible(!m_state->text().isEmpty());
    QString html = QStringLiteral("<h3>%1</h3><p>%2</p><h4>%3</h4>")
                       .arg(richText(exercise->title.in(language)), richText(exercise->task.in(language)),
                            tr("Goals").toHtmlEscaped());
    if (graded)
        for (const session::GoalGrade& goal : graded->goals)
            html += goalHtml(goal);
    else
        for (const session::ExerciseGoal& goal : exercise->goals)
            html += QStringLiteral("<p>· %1</p>").arg(richText(goal.title.in(language)));
    for (int i = 0; i < m_desk->hints(); ++i)
        html += QStringLiteral("<h4>%1</h4><p>%2</p>")
                    .arg(tr("Hint %1 of %2").arg(i + 1).arg(exercise->hints.size()).toHtmlEscaped(),
                         richText(exercise->hints[std::size_t(i)].in(language)));
    const int at = m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(at);
}

void ExercisePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
