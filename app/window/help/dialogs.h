// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPair>
#include <QVector>
#include <QWidget>

namespace warpglass {

void showKeysDialog(QWidget* parent, const QVector<QPair<QString, QString>>& keys); // key, what it does
void showAboutDialog(QWidget* parent);

} // namespace warpglass
