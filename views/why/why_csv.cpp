// SPDX-License-Identifier: GPL-3.0-or-later
// The answer as a table.
#include "gpu/metrics/why_words.h"
#include "views/common/marks.h"
#include "views/why/why_picture.h"

namespace warpglass {

QString whyCsv(const Why& why, double measured) {
    QString csv = QStringLiteral("what,line,access,duration_ns,saved_percent,share_percent,found,least,origin,"
                                 "model_error_percent,sentence\n");
    const auto text = [](const std::string& s) { return csvField(QString::fromStdString(s)); };
    const auto number = [](double value, int digits) { return QString::number(value, 'f', digits); };
    const QString error = why.modelError > 0 ? number(100 * why.modelError, 1) : QString();
    const auto row = [&](const QString& what, double ns, const std::string& said) {
        csv += QStringLiteral("%1,,,%2,%3,,,,modelled,%4,%5\n")
                   .arg(what, number(ns, 1), number(100 * why.saved(ns), 2), error, text(said));
    };
    row(QStringLiteral("as-is"), why.ns, errorSentence(why));
    if (measured > 0)
        csv += QStringLiteral("as-is,,,%1,,,,,measured,,\n").arg(number(measured, 1));
    for (const WhyLimit& limit : why.limits) {
        const QString key = QString::fromStdString(std::string(name(limit.limit)));
        row(key, limit.ns, sentence(why, limit));
        for (const WhyLine& line : limit.lines)
            csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,modelled,%9")
                       .arg(key, QString::number(line.line),
                            line.access ? QString::fromStdString(std::string(name(*line.access))) : QString(),
                            line.savedNs ? number(why.ns - *line.savedNs, 1) : QString(),
                            line.savedNs ? number(100 * *line.savedNs / why.ns, 2) : QString(),
                            number(100 * line.share, 2), number(line.found, 2), number(line.least, 2), error) +
                   QLatin1Char(',') + text(sentence(why, limit, line)) + QLatin1Char('\n');
    }
    if (why.pair)
        row(QStringLiteral("%1+%2").arg(QString::fromStdString(std::string(name(why.pair->first))),
                                        QString::fromStdString(std::string(name(why.pair->second)))),
            why.pair->ns, sentence(why, *why.pair));
    if (why.whole)
        row(QStringLiteral("all"), why.floorNs, floorSentence(why));
    return csv;
}

} // namespace warpglass
