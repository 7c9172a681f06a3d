// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a view that is not the shared selection: its switches, how far it is zoomed, what is folded.
//
// Outside a view the state is a map of words, as the command line (`--select option:NAME=VALUE`), lessons, reports and
// the drop-downs write it. Inside, each value has a type: a Choice is one of an enumeration and gives the drop-down as
// well; a Setting is a number or a text. A view names its choices and settings once, reads them into a struct when it
// makes a picture, and compares no words afterwards.
#pragma once

#include <QMap>
#include <QString>
#include <QVariant>
#include <QVector>

#include <algorithm>
#include <utility>
#include <vector>

namespace warpglass {

using Options = QMap<QString, QVariant>;

// A drop-down: option name, label, choices (value, label), and what holds if nobody chose.
struct Switch {
    QString option, label;
    QVector<QPair<QString, QString>> choices;
    QString standard;
};

// The value of an option as a word, or its standard if nobody set it.
QString optionOf(const Options& options, const QString& name, const QString& standard);

// One of an enumeration. The standard value holds if nobody chose, or chose a word that is none.
template <typename E>
struct Choice {
    struct Value {
        E value;
        const char* key;
        QString label;
    };
    const char* key;
    QString label;
    std::vector<Value> values;
    std::size_t standard = 0; // its place among these

    E of(const Options& options) const {
        const QString word = options.value(QLatin1String(key)).toString();
        const auto chosen =
            std::find_if(values.begin(), values.end(), [&](const Value& v) { return word == QLatin1String(v.key); });
        return chosen != values.end() ? chosen->value : values[standard].value;
    }
    void set(Options& options, E to) const {
        for (const Value& v : values)
            if (v.value == to)
                options[QLatin1String(key)] = QString::fromLatin1(v.key);
    }
    Switch dropDown() const {
        Switch s{QString::fromLatin1(key), label, {}, QString::fromLatin1(values[standard].key)};
        for (const Value& v : values)
            s.choices.append({QString::fromLatin1(v.key), v.label});
        return s;
    }
};

// A number or a text; the standard holds while it is not set.
template <typename T>
struct Setting {
    const char* key;
    T standard{};

    bool isSet(const Options& options) const { return options.contains(QLatin1String(key)); }
    T of(const Options& options) const {
        const auto at = options.constFind(QLatin1String(key));
        return at != options.constEnd() ? at->template value<T>() : standard;
    }
    void set(Options& options, T to) const { options[QLatin1String(key)] = QVariant::fromValue(std::move(to)); }
    void clear(Options& options) const { options.remove(QLatin1String(key)); }
};

} // namespace warpglass
