// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/help/guide_dialog.h"

#include "app/window/language.h"
#include "app/window/panels/scroll_page.h"
#include "views/common/svg_device.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {

constexpr QSize guideLayout{1120, 640}; // of a picture, as it is composed
constexpr int shownWidth = 840;

} // namespace

GuideDialog::GuideDialog(const QString& language, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_language(language), m_theme(theme) {
    setObjectName(QStringLiteral("guideDialog"));
    setWindowTitle(tr("Guide"));
    auto* column = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    m_sections = new QListWidget(this);
    m_sections->setObjectName(QStringLiteral("guideSections"));
    m_sections->setAccessibleName(tr("Sections"));
    m_sections->setWordWrap(true);
    m_sections->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_sections->setFixedWidth(int(240 * theme.fontScale));
    m_text = new QTextBrowser(this);
    m_text->setObjectName(QStringLiteral("guideText"));
    m_text->setAccessibleName(tr("Guide"));
    row->addWidget(m_sections);
    row->addWidget(m_text, 1);
    column->addLayout(row, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    if (const Result<Lesson> guide = readGuide())
        m_guide = *guide;
    for (const LessonStep& step : m_guide.steps)
        m_sections->addItem(shownText(step.title.in(m_language)));
    m_sections->addItem(tr("Keys"));
    connect(m_sections, &QListWidget::currentRowChanged, this, &GuideDialog::showSection);
    m_sections->setCurrentRow(0);
    fitToWindow(*this, {shownWidth + m_sections->width() + 90, 720});
    m_job.start(
        [this, guide = m_guide, palette = m_theme, language](Progress& progress, const Job::Tell& tell) {
            const ThreadLanguage speak(language);
            const Result<QVector<StepShown>> sections = showSteps(guide, progress);
            for (qsizetype i = 0; sections && i < sections->size() && !progress.cancelled(); ++i)
                tell([this, i,
                      picture = guidePicture((*sections)[i], palette, guideLayout,
                                             qreal(shownWidth) / guideLayout.width() * 2)] {
                    m_pictures.append(picture);
                    if (m_sections->currentRow() == i)
                        showSection(int(i));
                });
        },
        [] {});
}

void GuideDialog::showSection(int section) {
    QString html;
    if (section < m_guide.steps.size()) {
        const LessonStep& step = m_guide.steps[section];
        html = QStringLiteral("<h2>%1</h2><p>%2</p>")
                   .arg(xmlText(shownText(step.title.in(m_language))), xmlText(shownText(step.text.in(m_language))));
        if (section == 0)
            html.prepend(QStringLiteral("<p>%1</p>").arg(xmlText(shownText(m_guide.summary.in(m_language)))));
        if (section < m_pictures.size()) {
            m_text->document()->addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("guide:picture")),
                                            m_pictures[section]);
            html += QStringLiteral("<p><img src=\"guide:picture\" width=\"%1\"/></p>").arg(shownWidth);
        } else {
            html += QStringLiteral("<p>%1</p>").arg(xmlText(tr("The picture is being made…")));
        }
    } else {
        html = QStringLiteral("<h2>%1</h2><table cellpadding=\"3\">").arg(xmlText(tr("Keys")));
        for (const auto& [key, what] : guideKeys())
            html +=
                QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>").arg(xmlText(key), xmlText(what));
        html += QStringLiteral("</table>");
    }
    m_text->setHtml(html);
}

} // namespace warpglass
