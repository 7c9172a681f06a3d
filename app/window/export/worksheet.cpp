// SPDX-License-Identifier: GPL-3.0-or-later
// The sheet is a list of pieces, which two writers know: one for HTML, one for PDF.
#include "app/window/export/worksheet.h"

#include "app/window/export/pdf_pages.h"
#include "app/window/language.h"
#include "app/window/view_registry.h"
#include "views/common/marks.h"
#include "views/common/page.h"
#include "views/common/svg_device.h"
#include "views/common/whole_file.h"

#include <QFileInfo>

#include <algorithm>
#include <variant>

namespace warpglass {

namespace {

struct SheetText {
    Q_DECLARE_TR_FUNCTIONS(Worksheet)
};

constexpr QSize sheetPicture{1000, 580};

// The pieces of a sheet.
struct Heading {
    QString text;
};
struct Words {
    QString text;
    enum Kind { Asked, Said, Small } kind = Said;
};
struct Code {
    QString text;
};
struct Choice { // a box to tick
    QString text;
    bool ticked = false;
};
struct LaneBoxes {
    LaneMask marked;
};
struct Ruled { // a line to write on, or what is written there
    QString label, written;
};
struct Shown {
    const StepShown* step = nullptr;
};
using Piece = std::variant<Heading, Words, Code, Choice, LaneBoxes, Ruled, Shown>;

std::vector<Piece> piecesOf(const Worksheet& sheet) {
    std::vector<Piece> pieces;
    const auto in = [&](const LocalText& text) { return shownText(text.in(sheet.language)); };
    int number = 0;
    for (const StepShown& shown : *sheet.steps) {
        const LessonStep& step = *shown.step;
        if (!step.ask)
            continue; // it only tells
        pieces.push_back(Heading{QStringLiteral("%1. %2").arg(++number).arg(in(step.title))});
        pieces.push_back(Words{shown.title.in(sheet.language), Words::Small});
        if (!shown.code.isEmpty())
            pieces.push_back(Code{shown.code});
        const LessonQuestion& ask = *step.ask;
        pieces.push_back(Words{in(ask.question), Words::Asked});
        for (int i = 0; i < ask.choices.size(); ++i)
            pieces.push_back(Choice{in(ask.choices[i]), sheet.answers && i == ask.right});
        if (ask.lanes)
            pieces.push_back(LaneBoxes{sheet.answers ? *ask.lanes : LaneMask::none()});
        else if (ask.number)
            pieces.push_back(
                Ruled{SheetText::tr("Answer"), sheet.answers ? QString::number(*ask.number, 'g', 12) : QString()});
        if (!sheet.answers) {
            pieces.push_back(Ruled{SheetText::tr("Why"), {}});
            pieces.push_back(Ruled{});
            continue;
        }
        pieces.push_back(Words{in(ask.answer), Words::Said});
        pieces.push_back(Words{in(step.text), Words::Said});
        pieces.push_back(Shown{&shown});
    }
    return pieces;
}

QString sheetTitle(const Worksheet& sheet) {
    const QString title = shownText(sheet.lesson->title.in(sheet.language));
    return sheet.answers ? SheetText::tr("%1: questions and answers").arg(title)
                         : SheetText::tr("%1: questions").arg(title);
}

template <typename... Cases>
struct PieceCases : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
PieceCases(Cases...) -> PieceCases<Cases...>;

// ---- HTML

constexpr const char* sheetStyle =
    "body{margin:0 auto;max-width:820px;padding:24px;background:#fff;color:#000;"
    "font:15px/1.5 'DejaVu Sans','Noto Sans CJK SC',system-ui,sans-serif}"
    "h1{font-size:21px;margin:0 0 4px}h2{font-size:17px;margin:26px 0 2px;break-after:avoid}"
    "p,.line{break-inside:avoid}p{margin:4px 0 8px}.small{color:#3c4249;font-size:13px;margin:0 0 "
    "6px}.asked{font-weight:600;break-after:avoid}"
    "pre{border:1px solid #b4b8bd;border-radius:6px;padding:8px 12px;font:12px/1.4 'DejaVu Sans Mono',monospace;"
    "white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid;break-after:avoid}"
    ".box{display:inline-block;width:14px;height:14px;border:1.5px solid #000;margin-right:10px;line-height:13px;"
    "text-align:center;font-weight:700}"
    ".lanes{display:grid;grid-template-columns:repeat(16,1fr);border:1px solid #000;margin:6px 0;break-inside:avoid}"
    ".lanes span{border:1px solid #000;text-align:center;font-size:12px;padding:3px 0}"
    ".lanes .on{background:#000;color:#fff;font-weight:700;text-decoration:underline}"
    ".line{display:flex;gap:10px;margin:14px 0 4px}.line span:last-child{flex:1;border-bottom:1px solid #000;"
    "min-height:20px}"
    "figure{margin:8px 0;border:1px solid #b4b8bd;break-inside:avoid}figure svg{display:block;width:100%;height:auto}"
    "@page{size:A4;margin:16mm}@media print{body{padding:0}}";

QByteArray sheetHtml(const Worksheet& sheet, const std::vector<Piece>& pieces, Progress& progress) {
    const auto tag = [](const char* name, const char* kind, const QString& text) {
        return QStringLiteral("<%1 class=\"%2\">%3</%1>\n")
            .arg(QLatin1String(name), QLatin1String(kind), xmlText(text));
    };
    const auto ruled = [](const QString& label, const QString& words) {
        return QStringLiteral("<div class=\"line\"><span>%1</span><span>%2</span></div>\n")
            .arg(xmlText(label), xmlText(words));
    };
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\"/>"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; img-src data:\"/><title>%2</title><style>%3</style></head><body>\n"
                       "<h1>%2</h1>\n")
            .arg(sheet.language == QLatin1String("en") ? QStringLiteral("en") : QStringLiteral("zh-CN"),
                 xmlText(sheetTitle(sheet)), QLatin1String(sheetStyle));
    if (!sheet.answers)
        html += ruled(SheetText::tr("Your name"), {});
    int pictures = 0;
    for (const Piece& piece : pieces)
        std::visit(
            PieceCases{
                [&](const Heading& p) { html += tag("h2", "", p.text); },
                [&](const Words& p) {
                    html += tag("p", p.kind == Words::Asked ? "asked" : p.kind == Words::Small ? "small" : "", p.text);
                },
                [&](const Code& p) { html += tag("pre", "", p.text); },
                [&](const Choice& p) {
                    html += QStringLiteral("<p><span class=\"box\">%1</span>%2</p>\n")
                                .arg(p.ticked ? QStringLiteral("✓") : QString(), xmlText(p.text));
                },
                [&](const LaneBoxes& p) {
                    html += QStringLiteral("<div class=\"lanes\">");
                    for (int lane = 0; lane < lanesPerWarp; ++lane)
                        html += QStringLiteral("<span%1>%2</span>")
                                    .arg(p.marked.has(lane) ? QStringLiteral(" class=\"on\"") : QString())
                                    .arg(lane);
                    html += QStringLiteral("</div>\n");
                },
                [&](const Ruled& p) { html += ruled(p.label, p.written); },
                [&](const Shown& p) {
                    if (progress.cancelled())
                        return;
                    const std::unique_ptr<View> view = makeView(p.step->view);
                    PaintContext context = p.step->context;
                    context.theme = Theme::make(ThemeKind::Print);
                    Page page = composePage(*view, context, sheetPicture);
                    page.key += QString::number(++pictures); // ids of their own
                    const QByteArray svg = svgOf(page);
                    html += QStringLiteral("<figure>") + QString::fromUtf8(svg.mid(svg.indexOf("<svg"))) +
                            QStringLiteral("</figure>\n");
                    progress.report(double(pictures) / double(sheet.steps->size()));
                },
            },
            piece);
    return (html + QStringLiteral("</body></html>\n")).toUtf8();
}

// ---- PDF

void paintLanes(QPainter& painter, const QRectF& place, LaneMask marked, const Theme& theme) {
    constexpr int inARow = 16, rows = lanesPerWarp / inARow;
    const qreal width = place.width() / inARow, height = place.height() / rows;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        const int row = lane / inARow;
        const QRectF box(place.left() + width * (lane % inARow), place.top() + height * row, width, height);
        const bool on = marked.has(lane);
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(on ? QBrush(theme.text) : Qt::NoBrush);
        painter.drawRect(box);
        QFont font = theme.small();
        font.setBold(on);
        font.setUnderline(on); // not by the ground alone
        paintText(painter, box, QString::number(lane), font, on ? theme.window : theme.text, Qt::AlignCenter);
    }
}

bool sheetPdf(const Worksheet& sheet, const std::vector<Piece>& pieces, QIODevice& out, Progress& progress) {
    const Theme theme = Theme::make(ThemeKind::Print, 1.1);
    PdfPages pages(out, QPageLayout::Portrait, sheetTitle(sheet), theme);
    if (!pages.good())
        return false;
    const qreal line = lineHeight(theme.body());
    QFont large = theme.title(), bold = theme.body(), code = theme.mono();
    large.setPixelSize(qRound(large.pixelSize() * 1.3));
    bold.setBold(true);
    const auto ruled = [&](const QString& label, const QString& words) {
        pages.piece(line + 16, [&](QPainter& painter, const QRectF& place) {
            const QRectF row = place.adjusted(0, 12, 0, 0);
            const qreal used = label.isEmpty() ? 0 : paintText(painter, row, label, theme.body(), theme.text) + 10;
            paintText(painter, row.adjusted(used, 0, 0, 0), words, bold, theme.text);
            painter.fillRect(QRectF(row.left() + used, row.bottom(), row.width() - used, 1), theme.text);
        });
    };
    pages.text(sheetTitle(sheet), large, theme.text, 6);
    if (!sheet.answers)
        ruled(SheetText::tr("Your name"), {});
    int pictures = 0;
    const auto draw = [&](const Piece& piece) {
        std::visit(PieceCases{
                       [&](const Heading& p) {
                           pages.skip(10);
                           pages.heading(p.text);
                       },
                       [&](const Words& p) {
                           pages.text(p.text,
                                      p.kind == Words::Asked   ? bold
                                      : p.kind == Words::Small ? theme.small()
                                                               : theme.body(),
                                      p.kind == Words::Small ? theme.textMuted : theme.text, 8);
                       },
                       [&](const Code& p) { // line by line: a long kernel goes on on the next page
                           for (const QString& row : p.text.split(QLatin1Char('\n')))
                               pages.piece(lineHeight(code), [&](QPainter& painter, const QRectF& place) {
                                   paintText(painter, place.adjusted(10, 0, 0, 0), row, code, theme.text);
                               });
                       },
                       [&](const Choice& p) {
                           const qreal side = 13, indent = side + 12;
                           const QRectF column = pages.rest().adjusted(indent, 0, 0, 0);
                           const qreal height = paintParagraph(nullptr, column, p.text, theme.body(), theme.text);
                           pages.piece(height + 8, [&](QPainter& painter, const QRectF& place) {
                               const QRectF box(place.left(), place.top() + (line - side) / 2, side, side);
                               painter.setPen(QPen(theme.text, 1.3));
                               painter.setBrush(Qt::NoBrush);
                               painter.drawRect(box);
                               if (p.ticked) {
                                   const QPointF tick[] = {box.topLeft() + QPointF(2, 6),
                                                           box.topLeft() + QPointF(5, 10),
                                                           box.topLeft() + QPointF(12, 0)};
                                   painter.setPen(QPen(theme.text, 2.2));
                                   painter.drawPolyline(tick, 3);
                               }
                               paintParagraph(&painter, place.adjusted(indent, 0, 0, 0), p.text,
                                              p.ticked ? bold : theme.body(), theme.text);
                           });
                       },
                       [&](const LaneBoxes& p) {
                           pages.piece(52, [&](QPainter& painter, const QRectF& place) {
                               paintLanes(painter, place.adjusted(1, 0, -1, -6), p.marked, theme);
                           });
                       },
                       [&](const Ruled& p) { ruled(p.label, p.written); },
                       [&](const Shown& p) {
                           PaintContext context = p.step->context;
                           context.theme = Theme::make(ThemeKind::Print);
                           pages.picture(*makeView(p.step->view), context, sheetPicture);
                           progress.report(double(++pictures) / double(sheet.steps->size()));
                       },
                   },
                   piece);
    };
    // What is asked stands on one page with the place for its answer; below a kernel longer than a page, without the kernel.
    const auto isHeading = [](const Piece& piece) { return std::holds_alternative<Heading>(piece); };
    const auto isAsked = [](const Piece& piece) {
        const Words* words = std::get_if<Words>(&piece);
        return words && words->kind == Words::Asked;
    };
    const auto isTold = [](const Piece& piece) {
        const Words* words = std::get_if<Words>(&piece);
        return std::holds_alternative<Shown>(piece) || (words && words->kind == Words::Said);
    };
    for (auto from = pieces.begin(); from != pieces.end();) {
        if (progress.cancelled())
            return false;
        const auto next = std::find_if(from + 1, pieces.end(), isHeading);
        const auto told = std::find_if(from, next, isTold), asked = std::find_if(from, next, isAsked);
        const auto drawAll = [&](auto begin, auto end) { return [=, &draw] { std::for_each(begin, end, draw); }; };
        if (!pages.together(drawAll(from, told))) {
            std::for_each(from, asked, draw);
            if (!pages.together(drawAll(asked, told)))
                std::for_each(asked, told, draw);
        }
        std::for_each(told, next, draw);
        from = next;
    }
    return pages.end();
}

} // namespace

QString writeWorksheet(const Worksheet& sheet, const QString& path, Progress& progress) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != QLatin1String("html") && suffix != QLatin1String("pdf"))
        return SheetText::tr("A worksheet ends in .html or .pdf; \"%1\" does not.").arg(path);
    WholeFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return file.whyNot();
    bool good = true;
    {
        const ThreadLanguage speak(sheet.language);
        const std::vector<Piece> pieces = piecesOf(sheet);
        if (pieces.empty()) {
            file.cancelWriting();
            return SheetText::tr("This lesson asks nothing.");
        }
        if (suffix == QLatin1String("html")) {
            const QByteArray bytes = sheetHtml(sheet, pieces, progress);
            good = file.write(bytes) == bytes.size();
        } else {
            good = sheetPdf(sheet, pieces, file, progress);
        }
    }
    if (progress.cancelled()) {
        file.cancelWriting();
        return SheetText::tr("The worksheet was cancelled.");
    }
    if (!good || !file.commit())
        return file.whyNot();
    progress.report(1.0);
    return {};
}

} // namespace warpglass
