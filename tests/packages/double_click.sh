#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#   double_click.sh FILE TITLE
# What a desktop does at a double click on FILE: asks its type, asks which program opens that type, starts the program by
# the Exec line of its entry, here on a display of Xvfb. Succeeds when there is a window whose title begins with TITLE.
# With WARPGLASS set that program is started, and no entry is asked for.
set -euo pipefail
file=$1 title=$2
if [ -n "${WARPGLASS:-}" ]; then
    words=("$WARPGLASS" "$file")
else
    kind=$(gio info -a standard::content-type "$file" | sed -n 's/.*standard::content-type: //p')
    [ "$kind" = application/x-warpglass-trace ] || { echo "its type is \"$kind\"" >&2; exit 1; }
    # Named otherwise it is known by what is in it.
    cp "$file" /root/nameless
    kind=$(gio info -a standard::content-type /root/nameless | sed -n 's/.*standard::content-type: //p')
    [ "$kind" = application/x-warpglass-trace ] || { echo "without its ending its type is \"$kind\"" >&2; exit 1; }
    entry=$(gio mime "$kind" | sed -n 's/^Default application for .*: //p')
    desktop-file-validate "/usr/share/applications/$entry"
    line=$(sed -n 's/^Exec=//p' "/usr/share/applications/$entry")
    icon=$(sed -n 's/^Icon=//p' "/usr/share/applications/$entry")
    ls /usr/share/icons/hicolor/*/apps/"$icon".* >/dev/null
    read -r -a words <<<"$line"
    words=("${words[@]/\%f/$file}")
fi
Xvfb :7 -screen 0 1600x900x24 >/dev/null 2>&1 &
display=$!
program=
trap 'kill $display $program 2>/dev/null; wait 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    [ -e /tmp/.X11-unix/X7 ] && break
    sleep 0.2
done
DISPLAY=:7 "${words[@]}" &
program=$!
for _ in $(seq 150); do
    if DISPLAY=:7 xwininfo -root -tree 2>/dev/null | grep -q "\"$title.*Warpglass\""; then
        exit 0
    fi
    kill -0 $program 2>/dev/null || { echo "the program ended" >&2; exit 1; }
    sleep 0.2
done
DISPLAY=:7 xwininfo -root -tree >&2
exit 1
