#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a user does with the packages, on bare systems made by debootstrap: installs, opens a recording as a double click
# does, records, paints a picture, removes everything, and nothing of it is left.
#
#   tests/packages/check.sh FOLDER [bookworm | noble | archive]...     as root; without a name all three
#
# bookworm is Debian 12, noble Ubuntu 24.04; archive unpacks the .tar.gz on Debian 13, where nothing of it is installed.
# Systems are made once, in WARPGLASS_CHROOTS (/tmp/warpglass-chroots), and used again as they were.
set -euo pipefail
packages=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- bookworm noble archive
here=$(dirname "$(realpath "$0")")
chroots=${WARPGLASS_CHROOTS:-/tmp/warpglass-chroots}
mkdir -p "$chroots"
root= # the system that is open

say() { printf '%s: %s\n' "$system" "$*"; }
fail() { printf '%s: FAILED: %s\n' "$system" "$*" >&2; exit 1; }
inside_quietly() { # what to say if it fails, command...
    local otherwise=$1
    shift
    inside "$@" >"$root/root/apt.log" 2>&1 || { cat "$root/root/apt.log" >&2; fail "$otherwise"; }
}
inside() { chroot "$root" env -i XDG_RUNTIME_DIR=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

close_system() {
    [ -n "$root" ] || return 0
    for folder in proc dev; do
        if mountpoint -q "$root/$folder"; then umount --lazy "$root/$folder"; fi # a daemon may be on its way out
    done
    rm -rf --one-file-system "$root"
    root=
}
trap close_system EXIT

# A key ring of Ubuntu's archive, which Debian does not have: the package of this very sum.
ubuntu_keys() {
    local sum=36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8 name=ubuntu-keyring_2023.11.28.1_all.deb
    if [ ! -e "$chroots/$name" ]; then
        curl -fsS -o "$chroots/$name.part" "http://archive.ubuntu.com/ubuntu/pool/main/u/ubuntu-keyring/$name" || return 1
        echo "$sum  $chroots/$name.part" | sha256sum --check --quiet || return 1
        mv "$chroots/$name.part" "$chroots/$name"
        dpkg -x "$chroots/$name" "$chroots/keys"
    fi
    echo "$chroots/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg"
}

make_system() { # suite: a bare one in $chroots/suite, with the packages' lists
    local suite=$1 made=$chroots/$1
    [ -e "$made.whole" ] && return 0
    command -v debootstrap >/dev/null || apt-get install -y -qq debootstrap >/dev/null
    rm -rf "$made"
    say "making a bare $suite"
    if [ "$suite" = noble ]; then
        local keys
        keys=$(ubuntu_keys) || fail "Ubuntu's archive cannot be reached"
        debootstrap --variant=minbase --components=main,universe --keyring="$keys" noble "$made" \
            http://archive.ubuntu.com/ubuntu gutsy >"$made.log" || fail "see $made.log" # the script of all later ones
    else
        debootstrap --variant=minbase "$suite" "$made" http://deb.debian.org/debian >"$made.log" || fail "see $made.log"
    fi
    touch "$made.whole"
}

open_system() { # suite: a copy of it
    make_system "$1"
    root=$chroots/open-$1-$$
    cp -a "$chroots/$1" "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev"
    mkdir "$root/dev/shm"
    for device in null zero urandom random; do
        cp -a "/dev/$device" "$root/dev/"
    done
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp "$here/double_click.sh" "$root/root/"
}

ours() { # what of Warpglass is in the system, apart from what this script put there
    inside find / -xdev \( -path /proc -o -path /root -o -path /var/log -o -path /var/cache -o -path /tmp \) -prune -o \
        -iname '*warpglass*' -print
}

check_debs() { # suite
    open_system "$1"
    mkdir "$root/root/packages"
    cp "$packages"/*.deb "$root/root/packages/"
    inside apt-get update -qq
    [ -z "$(ours)" ] || fail "the system is not bare"

    # A user's two commands, with the clock running: the packages, and the first picture.
    local start=$EPOCHREALTIME fetched
    inside sh -c 'apt-get install -y -qq --no-install-recommends --download-only /root/packages/warpglass_*.deb \
        /root/packages/warpglass-record_*.deb' >/dev/null
    fetched=$EPOCHREALTIME
    inside_quietly "the packages cannot be installed" sh -c 'apt-get install -y -qq --no-install-recommends \
        /root/packages/warpglass_*.deb /root/packages/warpglass-record_*.deb'
    local installed=$EPOCHREALTIME
    inside warpglass-record run reduceNeighbored -o /root/one.wgt >/dev/null
    inside warpglass render /root/one.wgt --view lanes -o /root/first.png
    local pictured=$EPOCHREALTIME
    inside sh -c 'head -c 8 /root/first.png | grep -q PNG' || fail "there is no picture"
    awk -v a="$start" -v b="$fetched" -v c="$installed" -v d="$pictured" -v s="$system" 'BEGIN {
        printf "%s: %.1f s to fetch what it needs, %.1f s to install, %.1f s to record and paint the first picture\n",
            s, b - a, c - b, d - c }'

    inside_quietly "the further packages cannot be installed" \
        sh -c 'apt-get install -y -qq --no-install-recommends /root/packages/*.deb'

    # Programs without a GPU, pages, completion.
    inside test -x /usr/lib/warpglass/warpglass-nvrtc || fail "warpglass-nvrtc is missing"
    inside test -x /usr/lib/warpglass/warpglass-cage || fail "warpglass-cage is missing"
    inside warpglass lesson one-warp-two-paths --check >/dev/null || fail "the first lesson is not true here"
    inside sh -c 'gzip -dc /usr/share/man/man1/warpglass.1.gz | grep -q "^.TH WARPGLASS"' || fail "no manual page"
    inside bash -c '. /usr/share/bash-completion/completions/warpglass-record
        COMP_WORDS=(warpglass-record ru) COMP_CWORD=1; _warpglass_record; [ "${COMPREPLY[*]}" = run ]' || fail "no completion"

    # A double click: the file's type, the type's program, the program's window. Tools of a desktop, taken away again below.
    inside_quietly "the tools for a double click cannot be installed" apt-get install -y -qq --no-install-recommends \
        shared-mime-info desktop-file-utils libglib2.0-bin xvfb xauth x11-utils
    inside bash /root/double_click.sh /root/one.wgt reduceNeighbored || fail "a double click does not open the file"

    # The program of somebody else's that is built with the libraries.
    inside apt-get install -y -qq --no-install-recommends cmake make g++ >/dev/null 2>&1
    inside sh -c 'cmake -S /usr/share/doc/libwarpglass-dev/examples/emulate -B /root/emulate >/dev/null &&
        cmake --build /root/emulate >/dev/null && /root/emulate/emulate reduceNeighbored | grep -q "^branch_efficiency = "' ||
        fail "find_package(Warpglass) does not lead to a program"

    # A job of continuous integration by docs/expect.md: counted once, the same, and not the same.
    cat >"$root/root/warpglass.toml" <<'EOF'
[[kernel]]
run = "reduceNeighbored --size 4096 --block 128"
same = true
EOF
    cat >"$root/root/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(budgets LANGUAGES NONE)
find_package(Warpglass REQUIRED)
enable_testing()
warpglass_add_budgets(budgets warpglass.toml JUNIT ${CMAKE_BINARY_DIR}/budgets.xml)
EOF
    inside sh -c 'cd /root && cmake -S . -B budgets >/dev/null && cmake --build budgets --target budgets.update >/dev/null 2>&1 &&
        ctest --test-dir budgets --no-tests=error >/dev/null && test -s budgets/budgets.xml' || fail "budgets are not kept"
    sed -i 's/--block 128/--block 64/' "$root/root/warpglass.toml"
    inside sh -c '! ctest --test-dir /root/budgets >/dev/null' || fail "a broken budget is not told"

    inside_quietly "the packages cannot be removed" sh -c 'apt-get purge -y -qq "warpglass*" "libwarpglass*" &&
        apt-get autoremove --purge -y -qq cmake make g++ shared-mime-info desktop-file-utils libglib2.0-bin xvfb xauth x11-utils'
    [ -z "$(ours)" ] || fail "left behind: $(ours)"
    say "installed, opened, removed; nothing is left"
    close_system
}

check_archive() {
    open_system trixie
    local archive
    archive=$(ls "$packages"/warpglass-*-linux-x86_64.tar.gz)
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends fonts-dejavu-core fontconfig-config >/dev/null 2>&1 # any desktop has letters
    local start=$EPOCHREALTIME
    mkdir "$root/opt/anywhere"
    tar -C "$root/opt/anywhere" -xzf "$archive"
    local bin
    bin=$(inside sh -c 'echo /opt/anywhere/warpglass-*/bin')
    inside "$bin/warpglass-record" run reduceNeighbored -o /root/one.wgt >/dev/null || fail "warpglass-record does not start"
    inside "$bin/warpglass" render /root/one.wgt --view lanes -o /root/first.png || fail "warpglass does not start"
    awk -v a="$start" -v b="$EPOCHREALTIME" -v s="$system" \
        'BEGIN { printf "%s: %.1f s from the archive to the first picture\n", s, b - a }'
    inside sh -c 'head -c 8 /root/first.png | grep -q PNG' || fail "there is no picture"
    inside sh -c "QT_QPA_PLATFORM=offscreen timeout 5 $bin/warpglass /root/one.wgt; [ \$? -eq 124 ]" ||
        fail "the window does not stay open"
    # In a window of X, too: its plug-in and all that it needs come with the archive.
    inside apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils libglib2.0-bin >/dev/null 2>&1
    inside env WARPGLASS="$bin/warpglass" bash /root/double_click.sh /root/one.wgt reduceNeighbored || fail "there is no window"
    say "unpacked and started"
    close_system
}

for name in "$@"; do
    system=$name
    case $name in
    bookworm | noble) check_debs "$name" ;;
    archive) check_archive ;;
    *) fail "is not one of bookworm, noble, archive" ;;
    esac
done
