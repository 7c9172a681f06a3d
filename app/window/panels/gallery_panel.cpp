// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/gallery_panel.h"

#include <QDir>
#include <QEvent>
#include <QLocale>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace warpglass {

namespace {
constexpr int nameRole = Qt::UserRole;                      // kernel, empty for a heading
constexpr int wordsRole = Qt::UserRole + 1;                 // what the search looks in
const QString recordings = QStringLiteral(":/recordings/"); // names under it: KERNEL-MODE[-SIZE].wgt
} // namespace

QString familyName(const std::string& key, const QString& language) {
    for (const Family& family : families()) {
        if (family.key == key)
            return QString::fromStdString(language.startsWith(QLatin1String("zh")) ? family.nameZh : family.nameEn);
    }
    return QString::fromStdString(key);
}

QString storyOf(const CatalogueEntry& entry, const QString& language) {
    return QString::fromStdString(language.startsWith(QLatin1String("zh")) ? entry.storyZh : entry.storyEn);
}

QString referencesOf(const CatalogueEntry& entry) {
    QStringList places;
    for (const Reference& reference : entry.references)
        places << QString::fromStdString(reference.document + " " + reference.section).trimmed();
    return places.join(QStringLiteral("; "));
}

QString documentsOf(const CatalogueEntry& entry) {
    QStringList names;
    for (const Reference& reference : entry.references)
        names << QString::fromStdString(reference.document);
    names.removeDuplicates();
    names.sort();
    return names.join(QStringLiteral(", "));
}

GalleryPanel::GalleryPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("galleryPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 4);
    layout->setSpacing(6);
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("gallerySearch"));
    m_search->setClearButtonEnabled(true);
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("gallery"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    layout->addWidget(m_search);
    layout->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_search, &QLineEdit::textChanged, this, &GalleryPanel::filter);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        for (int i = 0; i < m_list->count(); ++i) {
            QListWidgetItem* item = m_list->item(i);
            if (!item->isHidden() && !item->data(nameRole).toString().isEmpty()) {
                m_list->setCurrentItem(item);
                choose(item);
                return;
            }
        }
    });
    // The arrows, Home and letters only move in the list: a run that took minutes must not go by passing over a name.
    connect(m_list, &QListWidget::itemClicked, this, &GalleryPanel::choose);
    connect(m_list, &QListWidget::itemActivated, this, &GalleryPanel::choose);
    fill();
}

void GalleryPanel::choose(const QListWidgetItem* item) {
    const QString name = item->data(nameRole).toString();
    if (name.isEmpty() || name == m_shown)
        return;
    m_shown = name;
    if (name.startsWith(recordings))
        emit recordingChosen(name);
    else
        emit chosen(name);
}

void GalleryPanel::setLanguage(const QString& language) {
    m_language = language;
    fill();
}

void GalleryPanel::fill() {
    m_list->clear();
    m_search->setPlaceholderText(tr("Find a kernel"));
    m_search->setAccessibleName(tr("Find a kernel"));
    m_list->setAccessibleName(tr("Gallery of kernels"));
    std::string family;
    const auto heading = [this](const QString& text) {
        auto* item = new QListWidgetItem(text, m_list);
        item->setFlags(Qt::NoItemFlags);
        QFont font = m_list->font();
        font.setBold(true);
        item->setFont(font);
    };
    const auto add = [this, &family](const CatalogueEntry& entry) {
        auto* item = new QListWidgetItem(QStringLiteral("   ") + QString::fromStdString(entry.name), m_list);
        item->setData(nameRole, QString::fromStdString(entry.name));
        const QString story = storyOf(entry, m_language);
        item->setData(wordsRole, QStringList{QString::fromStdString(entry.name), QString::fromStdString(entry.storyEn),
                                             QString::fromStdString(entry.storyZh), familyName(family, m_language)}
                                     .join(QLatin1Char(' ')));
        item->setToolTip(
            QStringLiteral("<p>%1</p><p>%2</p>").arg(story.toHtmlEscaped(), referencesOf(entry).toHtmlEscaped()));
        item->setData(Qt::AccessibleDescriptionRole, story);
    };
    for (const Family& group : families()) {
        family = group.key;
        bool first = true;
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.family != group.key)
                continue;
            if (first)
                heading(familyName(group.key, m_language));
            first = false;
            add(entry);
        }
    }
    heading(tr("Recorded on an H200"));
    addRecordings();
    filter(m_search->text());
    setCurrent(m_shown);
}

void GalleryPanel::addRecordings() {
    for (const QString& file : QDir(recordings).entryList({QStringLiteral("*.wgt")})) {
        static const QRegularExpression form(QStringLiteral("^(.+?)-(optimised|as-written)(?:-(\\d+))?\\.wgt$"));
        const QRegularExpressionMatch match = form.match(file);
        const QString kernel = match.hasMatch() ? match.captured(1) : file;
        const QString mode =
            match.captured(2) == QLatin1String("as-written") ? tr("code as written") : tr("optimised code");
        const QString size = match.captured(3).isEmpty()
                                 ? QString()
                                 : QLocale(QLocale::English).toString(match.captured(3).toLongLong());
        auto* item = new QListWidgetItem(
            QStringLiteral("   • ") + kernel + (size.isEmpty() ? QString() : QStringLiteral(" · ") + size), m_list);
        item->setData(nameRole, recordings + file);
        const QString tip = size.isEmpty() ? tr("%1, %2, as a real GPU ran it").arg(kernel, mode)
                                           : tr("%1, %2, %3 elements, as a real GPU ran it").arg(kernel, mode, size);
        item->setData(wordsRole, kernel + QStringLiteral(" H200 GPU ") + mode);
        item->setToolTip(tip);
        item->setData(Qt::AccessibleDescriptionRole, tip);
    }
}

void GalleryPanel::filter(const QString& words) {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QListWidgetItem* heading = nullptr;
    bool any = false;
    const auto close = [&] {
        if (heading)
            heading->setHidden(!any);
    };
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem* item = m_list->item(i);
        if (item->data(nameRole).toString().isEmpty()) {
            close();
            heading = item;
            any = false;
            continue;
        }
        bool fits = true;
        for (const QString& word : wanted)
            fits = fits && item->data(wordsRole).toString().contains(word, Qt::CaseInsensitive);
        item->setHidden(!fits);
        any = any || fits;
    }
    close();
}

void GalleryPanel::setCurrent(const QString& kernel) {
    m_shown = kernel;
    m_list->setCurrentItem(nullptr);
    for (int i = 0; i < m_list->count(); ++i) {
        if (!kernel.isEmpty() && m_list->item(i)->data(nameRole).toString() == kernel)
            m_list->setCurrentRow(i);
    }
}

void GalleryPanel::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void GalleryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        fill();
    QWidget::changeEvent(event);
}

} // namespace warpglass
