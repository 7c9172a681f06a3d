// SPDX-License-Identifier: GPL-3.0-or-later
// Whether pictures may move between two moments. A person says so in the menu; who has said nothing is asked by way of
// the desktop, where motion is turned off for all programs at once.
#pragma once

#include <QString>

namespace warpglass {

bool motionReduced();                // as set, else as the desktop has it
void setMotionReduced(bool reduced); // remembered

// desktop: XDG_CURRENT_DESKTOP; config: the folder of its settings. KDE keeps a factor of how long animations last, zero
// for none; GNOME and those who use its settings answer through gsettings.
bool desktopReducesMotion(const QString& desktop, const QString& config);

} // namespace warpglass
