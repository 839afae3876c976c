#!/bin/sh
# Checks the Debian package: its metadata and, with --root, that it installs, starts and goes in a bare system.
#
#   check-deb.sh DEB              desktop-file-validate, appstreamcli, lintian; a missing tool is said and passed over
#   check-deb.sh DEB --root DIR   the same, then in DIR, a root that debootstrap made; as root, with a network for apt
set -eu

deb=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
id=org.lectern.Lectern
result=0

check() { # check NAME COMMAND…
    name=$1
    shift
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "$name: not checked, $1 is not installed"
    elif "$@" >"$work/said" 2>&1; then
        echo "$name: passed"
    else
        echo "$name: FAILED"
        cat "$work/said"
        result=1
    fi
}

dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work" ./usr/share
check "menu entry" desktop-file-validate "$work/usr/share/applications/$id.desktop"
check "metainfo" appstreamcli validate --no-net "$work/usr/share/metainfo/$id.metainfo.xml"
check "lintian" lintian --allow-root --fail-on error,warning "$deb"

if [ "${2:-}" = --root ]; then
    root=$3
    cp "$deb" "$root/tmp/lectern.deb"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    trap 'umount "$root/proc" "$root/dev/shm" 2>/dev/null || :; rm -rf "$work"' EXIT
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/dev/shm"
    find "$root/usr" "$root/etc" "$root/var/lib" -path "$root/var/lib/apt" -prune -o -path "$root/var/lib/dpkg" -prune \
        -o -print | sort >"$work/before"
    inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root "$@"; }
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends /tmp/lectern.deb >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    echo "installed, with $(inside dpkg-query -f '.\n' -W | wc -l) packages in all"
    # The program of the menu entry, as a desktop would start it but for the display.
    command=$(sed -n 's/^Exec=\(.*\) %F$/\1/p' "$root/usr/share/applications/$id.desktop")
    # shellcheck disable=SC2086 # an Exec line without arguments is a word
    inside $command --version
    # shellcheck disable=SC2086
    inside $command --selfcheck
    inside timeout 10 env QT_QPA_PLATFORM=offscreen $command && code=0 || code=$?
    [ "$code" = 124 ] && echo "the window stays open" || { echo "the window ended by itself: $code"; result=1; }
    inside apt-get purge -y -qq lectern >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    inside apt-get autoremove --purge -y -qq >"$work/said" 2>&1
    find "$root/usr" "$root/etc" "$root/var/lib" -path "$root/var/lib/apt" -prune -o -path "$root/var/lib/dpkg" -prune \
        -o -print | sort >"$work/after"
    if comm -13 "$work/before" "$work/after" | grep -i lectern; then
        echo "left behind after removing: see above"
        result=1
    else
        echo "removed without a trace"
    fi
fi
exit $result
