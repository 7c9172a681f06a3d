// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/sentences.h"

#include "views/common/old_sentences.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace warpglass {

namespace {

struct SentenceText {
    Q_DECLARE_TR_FUNCTIONS(Sentences)
};

// Options of the command line and the fields of the window that are the same.
struct Field {
    const char *option, *name;
};
constexpr Field fields[] = {{"--block", QT_TR_NOOP("Block")},   {"--grid", QT_TR_NOOP("Grid")},
                            {"--size", QT_TR_NOOP("Elements")}, {"--mode", QT_TR_NOOP("Mode")},
                            {"--device", QT_TR_NOOP("Device")}, {"--policy", QT_TR_NOOP("Policy")},
                            {"--detail", QT_TR_NOOP("Record")}, {"--accesses", QT_TR_NOOP("Record")},
                            {"--timing", QT_TR_NOOP("Record")}, {"--set", QT_TR_NOOP("Parameters")},
                            {"--arg", QT_TR_NOOP("Arguments")}, {"--buffer", QT_TR_NOOP("Arguments")},
                            {"--kernel", QT_TR_NOOP("Kernel")}, {"--shared", QT_TR_NOOP("Shared memory")},
                            {"--backend", QT_TR_NOOP("Device")}};

QString withFields(QString text) {
    static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]*"));
    for (qsizetype at = text.indexOf(option); at >= 0; at = text.indexOf(option, at)) {
        const QString word = option.match(text, at).captured();
        QString name = word; // another program's, a compiler's say
        for (const Field& field : fields)
            if (word == QLatin1String(field.option))
                name = SentenceText::tr(field.name);
        text.replace(at, word.size(), name);
        at += name.size();
    }
    return text;
}

Saying windowsSaying() {
    const bool english = SentenceText::tr("line %1") == QLatin1String("line %1");
    return {english ? MessageLanguage::English : MessageLanguage::Chinese,
            [](std::uint64_t number) { return numberText(number).toStdString(); },
            [](const std::string& text) { return sentence(text).toStdString(); }};
}

} // namespace

QString sentence(const QString& english) {
    return oldSentence(english);
}

QString sentence(const Message& message) {
    return shown(QString::fromStdString(text(message, windowsSaying())));
}

QString sentence(const Said& said) {
    return said.isTyped() ? shown(QString::fromStdString(wholeText(said.message(), windowsSaying())))
                          : sentence(said.text());
}

QString sentence(const Error& error) {
    const QString message = withFields(sentence(error.message)), remedy = withFields(sentence(error.remedy));
    QString place = withFields(shown(QString::fromStdString(error.file)));
    if (error.line > 0)
        place += place.isEmpty() ? SentenceText::tr("line %1").arg(error.line) : QStringLiteral(":%1").arg(error.line);
    if (error.line > 0 && error.column > 0)
        place += QStringLiteral(":%1").arg(error.column);
    QString all = place.isEmpty() ? message : SentenceText::tr("%1: %2").arg(place, message);
    if (remedy.isEmpty())
        return all;
    const bool ended = all.endsWith(QLatin1Char('.')) || all.endsWith(QChar(0x3002));
    return ended ? all + QLatin1Char(' ') + remedy : SentenceText::tr("%1. %2").arg(all, remedy);
}

} // namespace warpglass
