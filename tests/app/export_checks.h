// SPDX-License-Identifier: GPL-3.0-or-later
// What tests ask of files that the program writes: other programs' eyes, where they are installed, and small readers.
#pragma once

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <QXmlStreamReader>

#include <cmath>

namespace checks {

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Runs a program; its standard output, or a null array if it is not installed or failed.
inline QByteArray outputOf(const QString& program, const QStringList& arguments) {
    const QString path = QStandardPaths::findExecutable(program);
    if (path.isEmpty())
        return {};
    QProcess process;
    process.start(path, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0)
        return {};
    const QByteArray out = process.readAllStandardOutput();
    return out.isNull() ? QByteArray("") : out;
}

inline bool installed(const char* program) {
    return !QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
}

struct Svg {
    QString error; // of the XML; empty if it is well-formed
    QString text;  // of all <text> elements, a blank between two
    int texts = 0, shapes = 0, images = 0, clips = 0;
    QStringList loose; // references to ids that nothing has
};

inline Svg parseSvg(const QByteArray& bytes) {
    Svg svg;
    QXmlStreamReader xml(bytes);
    QStringList ids, used;
    bool inText = false;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) {
            const QString name = xml.name().toString();
            inText = name == QLatin1String("text");
            svg.texts += inText;
            svg.images += name == QLatin1String("image");
            svg.clips += name == QLatin1String("clipPath");
            svg.shapes += name == QLatin1String("path") || name == QLatin1String("rect") ||
                          name == QLatin1String("polygon") || name == QLatin1String("ellipse");
            for (const QXmlStreamAttribute& a : xml.attributes()) {
                if (a.name() == QLatin1String("id"))
                    ids << a.value().toString();
                const QString value = a.value().toString();
                if (value.startsWith(QLatin1String("url(#")))
                    used << value.mid(5).chopped(1);
            }
        } else if (xml.isCharacters() && inText) {
            svg.text += xml.text().toString() + QLatin1Char(' ');
        } else if (xml.isEndElement()) {
            inText = false;
        }
    }
    if (xml.hasError())
        svg.error = QStringLiteral("line %1: %2").arg(xml.lineNumber()).arg(xml.errorString());
    for (const QString& id : used)
        if (!ids.contains(id))
            svg.loose << id;
    return svg;
}

// A reader of RFC 4180.
inline QVector<QStringList> parseCsv(const QString& text) {
    QVector<QStringList> rows{{QString()}};
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted && c == QLatin1Char('"') && i + 1 < text.size() && text[i + 1] == QLatin1Char('"'))
            rows.last().last() += text[++i];
        else if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (!quoted && c == QLatin1Char(','))
            rows.last().append(QString());
        else if (!quoted && c == QLatin1Char('\n'))
            rows.append({QString()});
        else
            rows.last().last() += c;
    }
    if (rows.last() == QStringList{QString()})
        rows.removeLast();
    return rows;
}

// How much two pictures of the same thing differ, drawn by two programs whose letters and edges fall a little
// differently: both are shrunk first, so that only what is really elsewhere counts. 0 to 1, the worst cell.
struct Difference {
    double mean = 1, worst = 1;
};
inline Difference difference(const QImage& a, const QImage& b) {
    if (a.isNull() || b.isNull())
        return {};
    const QSize small(a.width() / 16, a.height() / 16);
    const QImage x =
        a.scaled(small, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    const QImage y =
        b.scaled(small, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    double sum = 0, worst = 0;
    for (int row = 0; row < small.height(); ++row)
        for (int column = 0; column < small.width(); ++column) {
            const QColor p = x.pixelColor(column, row), q = y.pixelColor(column, row);
            const double d =
                (std::abs(p.redF() - q.redF()) + std::abs(p.greenF() - q.greenF()) + std::abs(p.blueF() - q.blueF())) /
                3;
            sum += d;
            worst = std::max(worst, d);
        }
    return {sum / (small.width() * small.height()), worst};
}

} // namespace checks
