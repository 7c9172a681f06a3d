// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/search.h"
#include "gpu/kernels/catalogue.h"

#include <QLineEdit>
#include <QListWidget>
#include <QWidget>

namespace warpglass {

// The catalogue as a list: families as headings, kernels below, then the recordings made on a real GPU; a field to find
// one: what is called so before what tells of it. Choosing a kernel (a click, Return) means running it, choosing a recording means opening it.
class GalleryPanel : public QWidget {
    Q_OBJECT
public:
    explicit GalleryPanel(QWidget* parent = nullptr);
    void setLanguage(const QString& language);
    void setCurrent(const QString& kernel); // marks it, chooses nothing
    void focusSearch();

signals:
    void chosen(const QString& kernel);
    void
    recordingChosen(const QString& path); // ":/recordings/NAME.wgt", made on a real GPU and shipped with the program

    void exerciseChosen(int exercise);                  // of the program's, by their order
    void compareRequested(const QString& kernelOrPath); // beside what is open

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void addRecordings();
    void addExercises();
    void showFound(const QString& typed);
    void choose(const QListWidgetItem* item);
    void openMenu(QPoint at);
    struct Row {
        QString heading, id, text, tip;
    };
    QVector<Row> m_rows;          // all there are, in the gallery's order
    QVector<Findable> m_findable; // of the same rows
    QLineEdit* m_search;
    QListWidget* m_list;
    QString m_language = QStringLiteral("en");
    QString m_shown; // what the window shows, or was last asked for
};

// "Divergence" and the like, in the language; the key if the family is unknown.
QString familyName(const std::string& key, const QString& language);
QString storyOf(const CatalogueEntry& entry, const QString& language);
QString referencesOf(const CatalogueEntry& entry); // "D0 4.2 Divergence; D4 ..."
QString documentsOf(const CatalogueEntry& entry);  // "D0, D4"

} // namespace warpglass
