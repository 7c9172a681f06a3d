// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lesson/lessons_panel.h"

#include "app/window/panels/quiet_list.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {
constexpr int lessonRole = Qt::UserRole, stepRole = Qt::UserRole + 1, exerciseRole = Qt::UserRole + 3;
}

LessonsPanel::LessonsPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("lessonPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 4);
    m_list = new QuietList(this);
    m_list->setObjectName(QStringLiteral("lessons"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setTextElideMode(Qt::ElideNone);
    layout->addWidget(m_list);
    setFocusProxy(m_list);
    const auto choose = [this](const QListWidgetItem* item) {
        if (const QVariant exercise = item->data(exerciseRole); exercise.isValid()) {
            emit exerciseChosen(exercise.toInt());
            return;
        }
        emit stepChosen(item->data(lessonRole).toInt(), item->data(stepRole).toInt());
    };
    connect(m_list, &QListWidget::itemClicked, this, choose); // not by passing over it with the arrows
    connect(m_list, &QListWidget::itemActivated, this, choose);
}

void LessonsPanel::setLessons(const QVector<Lesson>& lessons) {
    m_lessons = lessons;
    fill();
}

void LessonsPanel::setExercises(const QVector<QPair<LocalText, LocalText>>& titlesAndSummaries) {
    m_exercises = titlesAndSummaries;
    fill();
}

void LessonsPanel::showExercises() {
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->data(exerciseRole).isValid()) {
            m_list->scrollToItem(m_list->item(std::max(i - 1, 0)), QAbstractItemView::PositionAtTop);
            m_list->setCurrentRow(i);
            return;
        }
}

void LessonsPanel::setLanguage(const QString& language) {
    m_language = language;
    fill();
}

void LessonsPanel::setCurrent(int lesson, int step) {
    const bool other = lesson != m_lesson;
    m_lesson = lesson;
    m_step = step;
    if (other) {
        QMetaObject::invokeMethod(this, &LessonsPanel::fill,
                                  Qt::QueuedConnection); // not while an item tells of its choice
        return;
    }
    for (int i = 0; i < m_list->count(); ++i) {
        if (m_list->item(i)->data(lessonRole).toInt() == lesson && m_list->item(i)->data(stepRole).toInt() == step &&
            m_list->item(i)->data(Qt::UserRole + 2).toBool())
            m_list->setCurrentRow(i);
    }
}

void LessonsPanel::fill() {
    m_list->clear();
    m_list->setAccessibleName(tr("Lessons"));
    for (int i = 0; i < m_lessons.size(); ++i) {
        const Lesson& lesson = m_lessons[i];
        auto* item = new QListWidgetItem(lesson.title.in(m_language), m_list);
        item->setData(lessonRole, i);
        item->setData(stepRole, 0);
        item->setToolTip(lesson.summary.in(m_language));
        QFont font = m_list->font();
        font.setBold(true);
        item->setFont(font);
        for (int k = 0; k < lesson.steps.size(); ++k) {
            auto* line = new QListWidgetItem(
                QStringLiteral("%1. %2").arg(k + 1).arg(lesson.steps[k].title.in(m_language)), m_list);
            line->setData(lessonRole, i);
            line->setData(stepRole, k);
            line->setData(Qt::UserRole + 2, true);
            if (i == m_lesson && k == m_step)
                m_list->setCurrentItem(line);
        }
    }
    if (m_exercises.isEmpty())
        return;
    auto* heading = new QListWidgetItem(tr("Exercises"), m_list);
    heading->setFlags(Qt::NoItemFlags);
    QFont bold = m_list->font();
    bold.setBold(true);
    heading->setFont(bold);
    for (int i = 0; i < m_exercises.size(); ++i) {
        auto* item = new QListWidgetItem(m_exercises[i].first.in(m_language), m_list);
        item->setData(lessonRole, -1);
        item->setData(exerciseRole, i);
        item->setToolTip(m_exercises[i].second.in(m_language));
    }
}

void LessonsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        fill();
    QWidget::changeEvent(event);
}

} // namespace warpglass
