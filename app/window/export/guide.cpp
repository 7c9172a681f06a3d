// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/guide.h"

#include "app/window/language.h"
#include "app/window/model/actions.h"
#include "app/window/view_registry.h"
#include "views/common/page.h"
#include "views/common/svg_device.h"
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QKeySequence>
#include <QPainter>

namespace warpglass {

namespace {

struct GuideText {
    Q_DECLARE_TR_FUNCTIONS(Guide)
};

constexpr QSize guideSize{1120, 640};

constexpr const char* guideStyle =
    "body{margin:0 auto;max-width:1168px;padding:20px 24px;background:#f6f8fa;color:#1b232c;"
    "font:16px/1.55 'DejaVu Sans','Noto Sans CJK SC','Noto Sans SC',system-ui,sans-serif}"
    "h1{font-size:25px;margin:0}h2{font-size:20px;margin:36px 0 4px}p{max-width:80ch;margin:6px 0 12px}"
    "a{color:#0072b2}nav{columns:2;max-width:900px;margin:14px 0}nav a{display:block;padding:2px 0}"
    "figure{margin:0;border:1px solid #dfe4ea;overflow-x:auto}figure "
    "svg{display:block;width:100%;min-width:760px;height:auto}"
    "table{border-collapse:collapse}td{border-bottom:1px solid #dfe4ea;padding:4px 22px 4px 0;vertical-align:top}"
    "kbd{font:14px 'DejaVu Sans Mono',monospace}.lead{color:#5d6875}"
    "@media (max-width:720px){nav{columns:1}body{padding:12px}}"
    "@media print{h2{break-after:avoid}figure{break-inside:avoid}figure svg{min-width:0}body{background:#fff}}";

QByteArray guideHtml(const Lesson& guide, const QVector<StepShown>& sections, const QString& language,
                     Progress& progress) {
    const auto in = [&](const LocalText& text) { return xmlText(shownText(text.in(language))); };
    const bool english = language == QLatin1String("en");
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\"/>"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; img-src data:\"/><title>%2</title><style>%3</style></head><body>\n"
                       "<p><a href=\"%4\">%5</a></p><h1>%2</h1><p class=\"lead\">%6</p>\n<nav>")
            .arg(english ? QStringLiteral("en") : QStringLiteral("zh-CN"), in(guide.title), QLatin1String(guideStyle),
                 english ? QStringLiteral("zh_CN.html") : QStringLiteral("en.html"),
                 english ? QStringLiteral("中文") : QStringLiteral("English"), in(guide.summary));
    for (qsizetype i = 0; i < sections.size(); ++i)
        html += QStringLiteral("<a href=\"#s%1\">%2</a>").arg(i + 1).arg(in(sections[i].step->title));
    html += QStringLiteral("<a href=\"#keys\">%1</a></nav>\n").arg(xmlText(GuideText::tr("Keys")));
    for (qsizetype i = 0; i < sections.size() && !progress.cancelled(); ++i) {
        const StepShown& shown = sections[i];
        html += QStringLiteral("<h2 id=\"s%1\">%2</h2><p>%3</p>\n<figure>")
                    .arg(i + 1)
                    .arg(in(shown.step->title), in(shown.step->text));
        Page page = composePage(*makeView(shown.view), shown.context, guideSize);
        page.key += QString::number(i); // ids of its own
        const QByteArray svg = svgOf(page);
        html += QString::fromUtf8(svg.mid(svg.indexOf("<svg"))) + QStringLiteral("</figure>\n");
    }
    html += QStringLiteral("<h2 id=\"keys\">%1</h2><table>").arg(xmlText(GuideText::tr("Keys")));
    for (const auto& [key, what] : guideKeys())
        html += QStringLiteral("<tr><td><kbd>%1</kbd></td><td>%2</td></tr>\n").arg(xmlText(key), xmlText(what));
    return (html + QStringLiteral("</table></body></html>\n")).toUtf8();
}

} // namespace

Result<Lesson> readGuide() {
    return readLesson(QStringLiteral(":/guide/guide.json"), viewKeys());
}

GuideKeys guideKeys() {
    GuideKeys keys;
    for (const ActionRow& row : actionTable()) {
        QStringList texts;
        for (const QString& key : QString::fromLatin1(row.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            texts << QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText);
        if (!texts.isEmpty())
            keys.append({texts.join(QStringLiteral(", ")), GuideText::tr(row.text)});
    }
    for (const KeyRow& row : otherKeys())
        keys.append({GuideText::tr(row.keys), GuideText::tr(row.text)});
    return keys;
}

QImage guidePicture(const StepShown& section, const Theme& theme, QSize size, qreal scale) {
    PaintContext context = section.context;
    context.theme = theme;
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintPage(composePage(*makeView(section.view), context, size), painter);
    return image;
}

QString writeGuide(const QString& folder, Progress& progress) {
    if (!QDir().mkpath(folder))
        return GuideText::tr("The folder %1 cannot be made. Choose one in which you may create files.").arg(folder);
    const Result<Lesson> guide = readGuide();
    if (!guide)
        return QString::fromStdString(guide.error().text());
    const Result<QVector<StepShown>> sections = showSteps(*guide, progress);
    if (!sections)
        return QString::fromStdString(sections.error().text());
    for (const char* language : {"en", "zh_CN"}) {
        const ThreadLanguage speak{QLatin1String(language)};
        const QByteArray html = guideHtml(*guide, *sections, QLatin1String(language), progress);
        if (progress.cancelled())
            return GuideText::tr("The guide was cancelled.");
        WholeFile file(QDir(folder).filePath(QLatin1String(language) + QStringLiteral(".html")));
        if (!file.open(QIODevice::WriteOnly) || file.write(html) != html.size() || !file.commit())
            return file.whyNot();
    }
    return {};
}

} // namespace warpglass
