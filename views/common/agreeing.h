// SPDX-License-Identifier: GPL-3.0-or-later
// English words agree with the number before them, Chinese ones do not: "1 lane goes on", "2 lanes go on".
//
// A text that is translated holds both forms, tr("%1 {lane goes|lanes go} on for %2 {byte|bytes}"): the first of a pair
// is said of one, the second of all other numbers. A pair follows the placeholder before it. One without pairs, as every
// Chinese one, is filled in as QString::arg does.
#pragma once

#include <QString>
#include <QStringList>

#include <concepts>

namespace warpglass {

QString agreeingText(const QString& text, const QStringList& values);

inline QString agreeingValue(const QString& value) {
    return value;
}
inline QString agreeingValue(std::integral auto value) {
    return QString::number(value);
}

template <typename... Values>
QString agreeing(const QString& text, const Values&... values) {
    return agreeingText(text, QStringList{agreeingValue(values)...});
}

} // namespace warpglass
