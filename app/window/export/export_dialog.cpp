// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/export_dialog.h"

#include "app/window/export/film.h"
#include "app/window/export/play_page.h"
#include "app/window/export/report.h"
#include "app/window/export/worksheet.h"
#include "app/window/model/motion.h"
#include "app/window/panels/scroll_page.h"
#include "app/window/view_registry.h"
#include "views/common/page.h"
#include "views/common/sentences.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr QSize slide{1600, 900}, columnSize{840, 600}, film{1280, 720};
constexpr qreal columnType = 1.5; // a column is printed at a third of its size: the type must be larger

QString writeAll(const QVector<ExportSubject::OneView>& views, const QString& folder, const QString& name,
                 const QString& suffix, QSize size, qreal scale, Progress& progress) {
    if (!QDir().mkpath(folder))
        return ExportDialog::tr("The folder %1 cannot be made. Choose one in which you may create files.").arg(folder);
    int done = 0;
    for (const ExportSubject::OneView& one : views) {
        if (progress.cancelled())
            return ExportDialog::tr("Stopped after %1 of %2 views.").arg(done).arg(views.size());
        const std::unique_ptr<View> view = makeView(one.key);
        const QString path = QDir(folder).filePath(QStringLiteral("%1-%2.%3").arg(name, one.key, suffix));
        const Page page = composePage(*view, one.context, size);
        if (suffix == QLatin1String("csv") && page.picture->csv().isEmpty())
            continue; // not every view has a table
        QString problem = exportPage(page, path, scale);
        if (!problem.isEmpty())
            return problem;
        progress.report(double(++done) / double(views.size()));
    }
    return {};
}

// Runs what the lesson runs, and writes it.
QString writeLesson(const Lesson& lesson, const QString& path, Progress& progress) {
    const Result<QVector<StepShown>> steps = showSteps(lesson, progress);
    return steps ? writePage(pageOf(lesson, *steps), path, progress) : sentence(steps.error());
}

} // namespace

ExportDialog::ExportDialog(ExportSubject subject, What what, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    build();
    connect(&m_job, &Job::progressed, this, [this](double fraction) { m_bar->setValue(int(fraction * 1000)); });
    m_what->setCurrentIndex(m_what->findData(int(what)));
    refresh();
}

void ExportDialog::build() {
    const auto combo = [this](const char* name) {
        auto* box = new QComboBox(this);
        box->setObjectName(QLatin1String(name));
        return box;
    };
    auto* columnLayout = new QVBoxLayout(this);
    auto* page = new QWidget(this);
    m_form = new QFormLayout(page);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_what = combo("exportWhat");
    m_what->addItem(tr("one view"), int(What::View));
    m_what->addItem(tr("all views"), int(What::AllViews));
    m_what->addItem(tr("report: views, metrics and their origin"), int(What::Report));
    m_what->addItem(tr("film of a view"), int(What::Film));
    m_what->addItem(tr("a view that plays in a web page"), int(What::Page));
    if (m_subject.lesson) {
        m_what->addItem(tr("this lesson as a web page that plays"), int(What::LessonPage));
        m_what->addItem(tr("worksheet: this lesson's questions"), int(What::Worksheet));
    }
    m_view = combo("exportView");
    for (const ExportSubject::OneView& v : m_subject.views)
        m_view->addItem(v.title, v.key);
    m_view->setCurrentIndex(std::max(0, m_view->findData(m_subject.current)));
    m_views = new QListWidget(this);
    m_views->setObjectName(QStringLiteral("exportViews"));
    for (const ExportSubject::OneView& v : m_subject.views) {
        auto* item = new QListWidgetItem(v.title, m_views);
        item->setData(Qt::UserRole, v.key);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
    m_views->setFixedHeight(int(std::min<qsizetype>(12, std::max<qsizetype>(3, m_subject.views.size()))) *
                                (fontMetrics().height() + 10) +
                            14);
    m_format = combo("exportFormat");
    m_preset = combo("exportPreset");
    m_preset->addItem(tr("slide"), QStringLiteral("slide"));
    m_preset->addItem(tr("column of a paper"), QStringLiteral("column"));
    m_preset->addItem(tr("as on the screen"), QStringLiteral("screen"));
    m_preset->addItem(tr("own size"), QStringLiteral("own"));
    m_sizeRow = new QWidget(this);
    auto* sizeLayout = new QHBoxLayout(m_sizeRow);
    sizeLayout->setContentsMargins(0, 0, 0, 0);
    const auto spin = [&](const char* name, int from, int to) {
        auto* box = new QSpinBox(this);
        box->setObjectName(QLatin1String(name));
        box->setRange(from, to);
        return box;
    };
    m_width = spin("exportWidth", 100, 20000);
    m_height = spin("exportHeight", 100, 20000);
    m_scale = new QDoubleSpinBox(this);
    m_scale->setObjectName(QStringLiteral("exportScale"));
    m_scale->setRange(0.1, 16);
    m_scale->setValue(1);
    m_scale->setSingleStep(0.5);
    m_scale->setPrefix(QStringLiteral("× "));
    m_scale->setToolTip(tr("Pixels of a PNG for each of its size: 2 or more for print"));
    sizeLayout->addWidget(m_width);
    sizeLayout->addWidget(new QLabel(QStringLiteral("×"), m_sizeRow));
    sizeLayout->addWidget(m_height);
    sizeLayout->addWidget(m_scale);
    sizeLayout->addStretch(1);
    m_theme = combo("exportTheme");
    m_theme->addItem(tr("as in the window"), QString());
    m_theme->addItem(tr("Light"), QStringLiteral("light"));
    m_theme->addItem(tr("Dark"), QStringLiteral("dark"));
    m_theme->addItem(tr("For print"), QStringLiteral("print"));
    m_seconds = new QDoubleSpinBox(this);
    m_seconds->setObjectName(QStringLiteral("exportSeconds"));
    m_seconds->setRange(0.5, 600);
    m_seconds->setValue(10);
    m_seconds->setSuffix(tr(" s"));
    m_fps = spin("exportFps", 1, 120);
    m_fps->setValue(25);
    m_still = new QCheckBox(tr("Nothing moves between two moments"), this);
    m_still->setObjectName(QStringLiteral("exportStill"));
    m_still->setChecked(motionReduced());
    m_answers = new QCheckBox(tr("With the answers"), this);
    m_answers->setObjectName(QStringLiteral("exportAnswers"));
    m_pathRow = new QWidget(this);
    auto* pathLayout = new QHBoxLayout(m_pathRow);
    pathLayout->setContentsMargins(0, 0, 0, 0);
    m_path = new QLineEdit(m_pathRow);
    m_path->setObjectName(QStringLiteral("exportPath"));
    m_path->setMinimumWidth(320);
    auto* choose = new QPushButton(tr("Choose…"), m_pathRow);
    choose->setAutoDefault(false);
    pathLayout->addWidget(m_path, 1);
    pathLayout->addWidget(choose);
    m_form->addRow(tr("What"), m_what);
    m_form->addRow(tr("View"), m_view);
    m_form->addRow(tr("Views"), m_views);
    m_form->addRow(tr("Format"), m_format);
    m_form->addRow(tr("Made for"), m_preset);
    m_form->addRow(tr("Size"), m_sizeRow);
    m_form->addRow(tr("Colours"), m_theme);
    m_form->addRow(tr("Length"), m_seconds);
    m_form->addRow(tr("Pictures a second"), m_fps);
    m_form->addRow(QString(), m_still);
    m_form->addRow(QString(), m_answers);
    m_form->addRow(tr("Write to"), m_pathRow);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("exportNote"));
    m_note->setWordWrap(true);
    m_bar = new QProgressBar(this);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->hide();
    auto* buttons = new QDialogButtonBox(this);
    m_write = buttons->addButton(tr("Write"), QDialogButtonBox::AcceptRole);
    m_write->setObjectName(QStringLiteral("exportWrite"));
    m_write->setDefault(true);
    m_cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    m_cancel->setObjectName(QStringLiteral("exportCancel"));
    m_cancel->setAutoDefault(false);
    columnLayout->addWidget(new ScrollPage(page, this), 1);
    columnLayout->addWidget(m_note);
    columnLayout->addWidget(m_bar);
    columnLayout->addWidget(buttons);

    connect(m_what, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(m_view, &QComboBox::currentIndexChanged, this, &ExportDialog::suggest);
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        m_scale->setEnabled(suffix() == QLatin1String("png"));
        suggest();
    });
    connect(m_preset, &QComboBox::currentIndexChanged, this, &ExportDialog::usePreset);
    for (QSpinBox* box : {m_width, m_height})
        connect(box, &QSpinBox::editingFinished, this, [this] {
            if (m_width->hasFocus() || m_height->hasFocus())
                m_preset->setCurrentIndex(m_preset->findData(QStringLiteral("own")));
        });
    connect(m_path, &QLineEdit::textEdited, this, [this] { m_suggested = false; });
    connect(m_path, &QLineEdit::textChanged, this, [this](const QString& t) { m_write->setEnabled(!t.isEmpty()); });
    connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_write, &QPushButton::clicked, this, &ExportDialog::start);
    connect(m_cancel, &QPushButton::clicked, this, &ExportDialog::reject);
}

void ExportDialog::refresh() {
    const What w = what();
    const QString before = suffix();
    {
        const QSignalBlocker quiet(m_format);
        m_format->clear();
        const auto add = [this](const QString& label, const char* suffixOf) {
            m_format->addItem(label, QString::fromLatin1(suffixOf));
        };
        if (w == What::Page || w == What::LessonPage) {
            add(tr("HTML page, one file"), "html");
        } else if (w == What::Worksheet) {
            add(tr("PDF document"), "pdf");
            add(tr("HTML page, one file"), "html");
        } else if (w == What::Report) {
            add(tr("HTML page, one file"), "html");
            add(tr("PDF document"), "pdf");
        } else if (w == What::Film) {
            if (!ffmpegPath().isEmpty())
                add(tr("MP4 film"), "mp4");
            add(tr("animated GIF"), "gif");
            add(tr("folder of PNG pictures"), "");
        } else {
            add(tr("PNG picture"), "png");
            add(tr("SVG drawing"), "svg");
            add(tr("PDF drawing"), "pdf");
            add(tr("CSV table of what is shown"), "csv");
        }
        m_format->setCurrentIndex(std::max(0, m_format->findData(before)));
    }
    const auto showRow = [this](QWidget* field, bool shown) {
        field->setVisible(shown);
        if (QWidget* label = m_form->labelForField(field))
            label->setVisible(shown);
    };
    const bool page = w == What::Page || ofLesson(); // knows its size and its colours
    showRow(m_view, w == What::View || w == What::Film || w == What::Page);
    showRow(m_views, w == What::Report || w == What::AllViews);
    showRow(m_preset, w == What::View || w == What::AllViews);
    showRow(m_sizeRow, w != What::Report && !page);
    showRow(m_theme, !page);
    showRow(m_still, w == What::Film);
    showRow(m_answers, w == What::Worksheet);
    m_scale->setVisible(w != What::Film);
    m_scale->setEnabled(suffix() == QLatin1String("png"));
    showRow(m_seconds, w == What::Film);
    showRow(m_fps, w == What::Film);
    m_note->setText(
        w == What::Film && ffmpegPath().isEmpty()
            ? tr("ffmpeg is not installed, so only a GIF or pictures can be written. Install it to make other "
                 "films.")
        : w == What::Page || w == What::LessonPage
            ? tr("Plays in any browser, without a network: both languages, light and dark.")
            : QString());
    usePreset();
    suggest();
    m_form->parentWidget()->updateGeometry();
    fitToWindow(*this);
}

void ExportDialog::usePreset() {
    QSize size;
    const QString preset = m_preset->currentData().toString();
    if (what() == What::Film)
        size = film;
    else if (preset == QLatin1String("slide"))
        size = slide;
    else if (preset == QLatin1String("column"))
        size = columnSize;
    else if (preset == QLatin1String("screen"))
        for (const ExportSubject::OneView& v : m_subject.views)
            if (v.key == m_view->currentData().toString())
                size = v.size;
    if (!size.isEmpty()) {
        m_width->setValue(size.width());
        m_height->setValue(size.height());
    }
    if (what() == What::View || what() == What::AllViews) {
        const bool paper = preset == QLatin1String("column");
        if (paper || m_theme->currentData() == QLatin1String("print"))
            m_theme->setCurrentIndex(paper ? m_theme->findData(QStringLiteral("print")) : 0);
        m_scale->setValue(paper ? 2 : 1);
    }
}

void ExportDialog::suggest() {
    if (!m_suggested)
        return;
    const QString name = m_subject.name.isEmpty() ? QStringLiteral("warpglass") : m_subject.name;
    QString file = name;
    if (what() == What::View)
        file = QStringLiteral("%1-%2").arg(name, m_view->currentData().toString());
    else if (what() == What::AllViews)
        file = QStringLiteral("%1-views").arg(name);
    else if (what() == What::Report)
        file = QStringLiteral("%1-report").arg(name);
    else if (what() == What::Page)
        file = QStringLiteral("%1-%2-page").arg(name, m_view->currentData().toString());
    else if (ofLesson())
        file = m_subject.lesson->name +
               (what() == What::Worksheet ? QStringLiteral("-worksheet") : QStringLiteral("-lesson"));
    else
        file = QStringLiteral("%1-%2-film").arg(name, m_view->currentData().toString());
    if (what() != What::AllViews && !suffix().isEmpty())
        file += QLatin1Char('.') + suffix();
    const QString folder = m_subject.file.isEmpty() || m_subject.file.startsWith(QLatin1Char(':'))
                               ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                               : QFileInfo(m_subject.file).absolutePath();
    m_path->setText(QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(file));
}

void ExportDialog::browse() {
    const bool folder = what() == What::AllViews || suffix().isEmpty();
    const QString path =
        folder ? QFileDialog::getExistingDirectory(this, tr("Export into a folder"), m_path->text())
               : QFileDialog::getSaveFileName(this, tr("Export to a file"), m_path->text(),
                                              QStringLiteral("%1 (*.%2)").arg(m_format->currentText(), suffix()));
    if (path.isEmpty())
        return;
    m_suggested = false;
    m_path->setText(path);
}

PaintContext ExportDialog::contextOf(const ExportSubject::OneView& view) const {
    PaintContext context = view.context;
    const QString theme = m_theme->currentData().toString();
    qreal type = context.theme.fontScale;
    if (m_preset->currentData() == QLatin1String("column") && (what() == What::View || what() == What::AllViews))
        type = columnType;
    if (!theme.isEmpty())
        context.theme = Theme::named(theme, type);
    else if (type != context.theme.fontScale)
        context.theme = Theme::make(context.theme.kind, type);
    return context;
}

void ExportDialog::start() {
    if (working() || m_path->text().isEmpty())
        return;
    QString path = m_path->text();
    if (what() != What::AllViews && !suffix().isEmpty() && QFileInfo(path).suffix().toLower() != suffix())
        path += QLatin1Char('.') + suffix(); // the format that was chosen is the one that is written
    std::function<QString(Progress&)> write;
    const QSize size(m_width->value(), m_height->value());
    const qreal scale = suffix() == QLatin1String("png") ? m_scale->value() : 1.0;
    QVector<ExportSubject::OneView> chosen;
    for (int i = 0; i < m_subject.views.size(); ++i) {
        const bool several = what() == What::AllViews || what() == What::Report;
        if (several ? m_views->item(i)->checkState() == Qt::Checked : i == m_view->currentIndex()) {
            chosen.append(m_subject.views[i]);
            chosen.last().context = contextOf(m_subject.views[i]);
        }
    }
    if (chosen.isEmpty()) {
        m_note->setText(tr("Choose at least one view."));
        return;
    }
    if (what() == What::Report) {
        ReportRequest request;
        request.context = chosen.first().context;
        request.file = m_subject.file.startsWith(QLatin1Char(':')) ? QString() : m_subject.file;
        for (const ExportSubject::OneView& v : chosen)
            request.views.append({v.key, v.context.options});
        write = [request, path](Progress& p) { return writeReport(request, path, p); };
    } else if (what() == What::Film) {
        FilmRequest request;
        request.view = chosen.first().key;
        request.context = chosen.first().context;
        request.output = path;
        request.size = size;
        request.seconds = m_seconds->value();
        request.fps = m_fps->value();
        request.still = m_still->isChecked();
        write = [request](Progress& p) { return makeFilm(request, p); };
    } else if (what() == What::Page) {
        write = [one = chosen.first(), path](Progress& p) { return writePage(pageOf(one.key, one.context), path, p); };
    } else if (what() == What::LessonPage) {
        write = [lesson = *m_subject.lesson, path](Progress& p) { return writeLesson(lesson, path, p); };
    } else if (what() == What::Worksheet) {
        write = [lesson = *m_subject.lesson, path, language = m_subject.language,
                 answers = m_answers->isChecked()](Progress& p) {
            const Result<QVector<StepShown>> steps = showSteps(lesson, p);
            return steps ? writeWorksheet({&lesson, &*steps, language, answers}, path, p) : sentence(steps.error());
        };
    } else if (what() == What::AllViews) {
        write = [chosen, path, name = m_subject.name, ending = suffix(), size, scale](Progress& p) {
            return writeAll(chosen, path, name, ending, size, scale, p);
        };
    } else {
        write = [one = chosen.first(), path, size, scale](Progress&) {
            return exportView(*makeView(one.key), one.context, path, size, scale);
        };
    }
    if (const QString folder = QFileInfo(path).absolutePath(); !QDir().mkpath(folder)) {
        m_note->setText(tr("The folder %1 cannot be made. Choose one in which you may create files.").arg(folder));
        fitToWindow(*this);
        emit failed(m_note->text());
        return;
    }
    m_write->setEnabled(false);
    m_cancel->setText(tr("Stop"));
    m_note->clear();
    m_bar->setValue(0);
    m_bar->show();
    m_job.start(std::move(write), [this, path](const QString& problem) {
        m_bar->hide();
        m_write->setEnabled(true);
        m_cancel->setText(tr("Cancel"));
        if (problem.isEmpty()) {
            emit written(path);
            accept();
        } else {
            m_note->setText(problem);
            fitToWindow(*this); // the sentence takes its lines from nobody
            emit failed(problem);
        }
    });
}

void ExportDialog::reject() {
    if (working())
        m_job.stop();
    else
        QDialog::reject();
}

} // namespace warpglass
