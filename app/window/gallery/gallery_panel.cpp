// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/gallery/gallery_panel.h"

#include "app/window/panels/quiet_list.h"

#include "app/session/exercise.h"

#include <QClipboard>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QMenu>
#include <QRegularExpression>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

namespace warpglass {

namespace {
constexpr int nameRole = Qt::UserRole;               // kernel, empty for a heading
constexpr QLatin1String recordings(":/recordings/"); // names under it: KERNEL-MODE[-SIZE].wgt
constexpr QLatin1String exercises("exercise:");      // and a number
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
    m_list = new QuietList(this);
    m_list->setObjectName(QStringLiteral("gallery"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    layout->addWidget(m_search);
    layout->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_search, &QLineEdit::textChanged, this, &GalleryPanel::showFound);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, &GalleryPanel::openMenu);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        for (int i = 0; i < m_list->count(); ++i) {
            QListWidgetItem* item = m_list->item(i);
            if (!item->data(nameRole).toString().isEmpty()) { // the first, which is the best
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
    if (name.startsWith(exercises)) { // again, too: to begin anew
        emit exerciseChosen(name.mid(exercises.size()).toInt());
        return;
    }
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
    m_search->setPlaceholderText(tr("Find a kernel"));
    m_search->setAccessibleName(tr("Find a kernel"));
    m_list->setAccessibleName(tr("Gallery of kernels"));
    m_rows.clear();
    m_findable.clear();
    for (const Family& group : families())
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.family != group.key)
                continue;
            const QString name = QString::fromStdString(entry.name), family = familyName(group.key, m_language);
            m_rows.append({family, name, QStringLiteral("   ") + name,
                           QStringLiteral("<p>%1</p><p>%2</p>")
                               .arg(storyOf(entry, m_language).toHtmlEscaped(), referencesOf(entry).toHtmlEscaped())});
            m_findable.append({name, QString::fromStdString(entry.storyEn) + QLatin1Char('\n') +
                                         QString::fromStdString(entry.storyZh) + QLatin1Char('\n') + family});
        }
    addRecordings();
    addExercises();
    showFound(m_search->text());
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
        m_rows.append({tr("Recorded on an H200"), recordings + file,
                       QStringLiteral("   • ") + kernel + (size.isEmpty() ? QString() : QStringLiteral(" · ") + size),
                       size.isEmpty() ? tr("%1, %2, as a real GPU ran it").arg(kernel, mode)
                                      : tr("%1, %2, %3 elements, as a real GPU ran it").arg(kernel, mode, size)});
        m_findable.append({kernel, QStringLiteral("H200 GPU ") + mode});
    }
}

void GalleryPanel::addExercises() {
    const std::string language = m_language.toStdString();
    int number = 0;
    for (const session::Exercise& e : session::builtInExercises()) {
        const QString title = QString::fromStdString(e.title.in(language)),
                      summary = QString::fromStdString(e.summary.in(language));
        m_rows.append(
            {tr("Exercises"), exercises + QString::number(number++), QStringLiteral("   ✎ ") + title, summary});
        m_findable.append({title, QString::fromStdString(e.title.en + "\n" + e.title.zh + "\n" + e.summary.en + "\n" +
                                                         e.summary.zh)});
    }
}

// Nothing typed: families as headings over their kernels. Else what was found, the best first.
void GalleryPanel::showFound(const QString& typed) {
    m_list->clear();
    const bool all = typed.trimmed().isEmpty();
    QString heading;
    for (const int index : ranked(m_findable, typed)) {
        const Row& row = m_rows[index];
        if (all && row.heading != heading) {
            heading = row.heading;
            auto* over = new QListWidgetItem(heading, m_list);
            over->setFlags(Qt::NoItemFlags);
            QFont font = m_list->font();
            font.setBold(true);
            over->setFont(font);
        }
        auto* item = new QListWidgetItem(row.text, m_list);
        item->setData(nameRole, row.id);
        item->setToolTip(row.tip);
        item->setData(Qt::AccessibleDescriptionRole, QTextDocumentFragment::fromHtml(row.tip).toPlainText());
    }
    setCurrent(m_shown);
    if (!all)
        m_list->scrollToTop(); // to the best
}

void GalleryPanel::openMenu(QPoint at) {
    const QListWidgetItem* item = m_list->itemAt(at);
    const QString id = item ? item->data(nameRole).toString() : QString();
    if (id.isEmpty() || id.startsWith(exercises))
        return;
    const bool recorded = id.startsWith(recordings);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("galleryMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(recorded ? tr("Open it") : tr("Run it"), this, [this, id] {
        m_shown = id;
        if (id.startsWith(recordings))
            emit recordingChosen(id);
        else
            emit chosen(id);
    });
    menu->addAction(tr("Compare with what is open"), this, [this, id] { emit compareRequested(id); });
    menu->addSeparator();
    menu->addAction(tr("Copy the name"), this,
                    [id] { QGuiApplication::clipboard()->setText(QFileInfo(id).completeBaseName()); });
    menu->popup(m_list->viewport()->mapToGlobal(at));
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
