// SPDX-License-Identifier: GPL-3.0-or-later
// How claims and verdicts are written, the same in the list and in the table.
#pragma once

#include "gpu/metrics/claims.h"
#include "views/common/theme.h"

#include <QString>

#include <optional>

namespace warpglass {

inline constexpr Verdict verdictsInOrder[] = {Verdict::Holds, Verdict::HoldsWithDifference, Verdict::OtherHardware,
                                              Verdict::Wrong, Verdict::NotMeasured};

QString verdictSign(Verdict verdict); // beside the colour, so that the verdict is not told by colour alone
QColor verdictColour(Verdict verdict, const Theme& theme);
QString verdictName(Verdict verdict);                                 // translated: "holds, nearly"
QString claimNumber(double value, const Claim& claim);                // with the unit: "12.5 %"
QString claimNumber(std::optional<double> value, const Claim& claim); // nothing: empty
QString inLanguage(const BilingualText& text, const QString& language);

} // namespace warpglass
