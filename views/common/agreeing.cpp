// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/agreeing.h"

namespace warpglass {

QString agreeingText(const QString& text, const QStringList& values) {
    QString said;
    said.reserve(text.size());
    bool one = false; // the number before
    for (qsizetype at = 0; at < text.size(); ++at) {
        const int place = text[at] == QLatin1Char('%') && at + 1 < text.size() ? text[at + 1].digitValue() : -1;
        if (place >= 1 && place <= values.size()) {
            const QString& value = values[place - 1];
            one = value == QLatin1String("1");
            said += value;
            ++at;
            continue;
        }
        const qsizetype end = text[at] == QLatin1Char('{') ? text.indexOf(QLatin1Char('}'), at) : -1;
        const qsizetype between = end < 0 ? -1 : text.indexOf(QLatin1Char('|'), at);
        if (between >= 0 && between < end) {
            said += one ? text.mid(at + 1, between - at - 1) : text.mid(between + 1, end - between - 1);
            at = end;
            continue;
        }
        said += text[at];
    }
    return said;
}

} // namespace warpglass
