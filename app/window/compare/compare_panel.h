// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/alignment.h"
#include "app/window/model/differences.h"
#include "views/common/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QWidget>

namespace warpglass {

// Compare mode in figures, below the views: where the two traces are aligned, and the table of their differences.
// Shown while two traces are; a click on a column sorts.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparePanel(QWidget* parent = nullptr);
    void setTraces(const TracePtr& a, const TracePtr& b, const QString& nameA, const QString& nameB);
    void setOpen(bool open); // the table; the line with the alignment stays
    void setTheme(const Theme& theme);
    QString alignment() const { return m_align->currentData().toString(); }
    const QVector<Difference>& rows() const { return m_rows; }
    QString warning() const { return m_warning->text(); }
    QString exportCsv(const QString& path) const; // "" or why not

public slots:
    void setAlignment(const QString& key); // nothing happens for one that these traces do not have

signals:
    void alignmentChanged(const QString& key);
    void csvRequested();

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void showEvent(QShowEvent*) override;

private:
    void fill();
    void shareRoom(); // of the splitter it stands in, with what is above
    void fit();       // the height of what is shown, and a title that ends where its room ends
    QString fittedTitle() const;
    static QString titleOf(const QString& a, const QString& b);
    TracePtr m_a, m_b;
    QString m_nameA, m_nameB, m_wholeTitle;
    QVector<Difference> m_rows;
    QLabel *m_title, *m_alignLabel, *m_warning;
    QComboBox* m_align;
    QToolButton *m_csv, *m_fold;
    QTreeWidget* m_table;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
