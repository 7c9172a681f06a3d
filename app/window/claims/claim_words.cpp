// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims/claim_words.h"

#include "views/common/ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace warpglass {

namespace {

struct ClaimText {
    Q_DECLARE_TR_FUNCTIONS(ClaimsPanel)
};

} // namespace

QString verdictSign(Verdict verdict) {
    switch (verdict) {
    case Verdict::Holds:
        return QStringLiteral("✓");
    case Verdict::HoldsWithDifference:
        return QStringLiteral("≈");
    case Verdict::OtherHardware:
        return QStringLiteral("◇");
    case Verdict::Wrong:
        return QStringLiteral("✗");
    case Verdict::NotMeasured:
        break;
    }
    return QStringLiteral("–");
}

QColor verdictColour(Verdict verdict, const Theme& theme) {
    switch (verdict) {
    case Verdict::Holds:
        return theme.good;
    case Verdict::Wrong:
        return theme.wrong;
    case Verdict::NotMeasured:
        return theme.textMuted;
    case Verdict::HoldsWithDifference:
    case Verdict::OtherHardware:
        break;
    }
    return theme.attention;
}

QString verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Holds:
        return ClaimText::tr("holds");
    case Verdict::HoldsWithDifference:
        return ClaimText::tr("holds, nearly");
    case Verdict::OtherHardware:
        return ClaimText::tr("other hardware");
    case Verdict::Wrong:
        return ClaimText::tr("wrong");
    case Verdict::NotMeasured:
        break;
    }
    return ClaimText::tr("not measured");
}

QString claimNumber(double value, const Claim& claim) {
    QString text = std::abs(value) < 1000 ? QString::number(value, 'g', 5) : decimalText(value, 0);
    if (claim.unit.empty() || claim.unit == "1")
        return text;
    return QStringLiteral("%1 %2").arg(text, claim.unit == "ratio" ? QStringLiteral("×")
                                                                   : QString::fromStdString(claim.unit));
}

QString claimNumber(std::optional<double> value, const Claim& claim) {
    return value ? claimNumber(*value, claim) : QString();
}

QString inLanguage(const BilingualText& text, const QString& language) {
    return QString::fromStdString(language.startsWith(QLatin1String("zh")) && !text.zh.empty() ? text.zh : text.en);
}

} // namespace warpglass
