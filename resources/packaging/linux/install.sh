#!/bin/sh
# Installs Lectern for the user who runs it: the program, a menu entry with icons, and the command `lectern`.
#
#   sh install.sh               install, or replace an older version; courses and chats stay
#   sh install.sh --uninstall   take all of it away again; courses and chats stay
#
# Needs no administrator. The program goes to ~/.local/lib/lectern, which keeps a copy of this script.
set -eu

say() { printf '%s\n' "$*"; }
fail() { printf 'Lectern: %s\n' "$*" >&2; exit 1; }

[ -n "${HOME:-}" ] || fail "HOME is not set, so it is not known where to install to. Set it and try again."
id=org.lectern.Lectern
lib=$HOME/.local/lib
program=$lib/lectern
bin=$HOME/.local/bin
# The specification lets a relative XDG_DATA_HOME be ignored.
case ${XDG_DATA_HOME:-} in /*) share=$XDG_DATA_HOME ;; *) share=$HOME/.local/share ;; esac
library=$share/Lectern

# Replacing files under a running program would break it in the middle of its work.
stop_if_running() {
    [ -d "$program" ] || return 0
    real=$(CDPATH='' cd -- "$program" && pwd -P)
    for process in /proc/[0-9]*/exe; do
        if [ "$(readlink "$process" 2>/dev/null)" = "$real/lectern" ]; then
            fail "it is running. Close its window, then run this again."
        fi
    done
}

# Desktops find the new entry without this too, only later; links only with it.
refresh_menu() {
    if command -v update-desktop-database >/dev/null 2>&1 && [ -d "$share/applications" ]; then
        update-desktop-database -q "$share/applications" 2>/dev/null || :
    fi
    if command -v gtk-update-icon-cache >/dev/null 2>&1 && [ -f "$share/icons/hicolor/index.theme" ]; then
        gtk-update-icon-cache -q "$share/icons/hicolor" 2>/dev/null || :
    fi
}

is_our_link() { [ -L "$bin/lectern" ] && [ "$(readlink "$bin/lectern")" = "$program/lectern" ]; }

# As an Exec line wants it: quoted for the reader of the line, then for the reader of the file.
exec_quoted() { printf '"%s"' "$(printf '%s' "$1" | sed -e 's/[\\"`$]/\\&/g' -e 's/\\/\\\\/g' -e 's/%/%%/g')"; }

uninstall() {
    stop_if_running
    rm -rf "$program" "$program.new" "$program.old"
    if is_our_link; then rm -f "$bin/lectern"; fi
    rm -f "$share/applications/$id.desktop" "$share/metainfo/$id.metainfo.xml"
    rm -f "$share/icons/hicolor"/*/apps/"$id".png "$share/icons/hicolor/scalable/apps/$id.svg"
    refresh_menu
    say "Lectern is uninstalled."
    if [ -d "$library" ]; then say "Your courses and chats are still in $library"; fi
}

install() {
    here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
    [ -x "$here/lectern/lectern" ] || fail "run this script from the unpacked archive; the folder “lectern” is not beside it."
    stop_if_running
    mkdir -p "$lib" "$bin" "$share/applications" "$share/metainfo" || fail "no permission to write below $HOME."
    rm -rf "$program.new"
    cp -Rp "$here/lectern" "$program.new" || { rm -rf "$program.new"; fail "the program could not be copied; is the disk full?"; }
    cp "$here/install.sh" "$program.new/install.sh"
    "$program.new/lectern" --version >/dev/null 2>&1 || {
        rm -rf "$program.new"
        fail "this build does not start here: it is for @MACHINE@ Linux with glibc @GLIBC@ or newer, and this is $(uname -m). Nothing was changed."
    }
    rm -rf "$program.old"
    if [ -d "$program" ]; then mv "$program" "$program.old"; fi
    mv "$program.new" "$program" || { mv "$program.old" "$program"; fail "the old version could not be replaced."; }
    rm -rf "$program.old"
    cp -R "$here/share/icons" "$here/share/metainfo" "$share/"
    command=$(exec_quoted "$program/lectern")
    # Not sed: the path may hold anything.
    while IFS= read -r line; do
        case $line in Exec=*) printf 'Exec=%s %%U\n' "$command" ;; *) printf '%s\n' "$line" ;; esac
    done <"$here/share/$id.desktop" >"$share/applications/$id.desktop"
    refresh_menu
    if is_our_link || { [ ! -e "$bin/lectern" ] && [ ! -L "$bin/lectern" ]; }; then
        ln -sf "$program/lectern" "$bin/lectern"
    else
        say "$bin/lectern belongs to something else and was left alone."
    fi
    say "$("$program/lectern" --version) is installed: look for Lectern in the menu of programs."
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) say "For the command “lectern”, add $bin to PATH." ;;
    esac
    say "To uninstall it: sh \"$program/install.sh\" --uninstall"
}

case ${1:-} in
    '') install ;;
    --uninstall) uninstall ;;
    *) say "usage: sh install.sh [--uninstall]" >&2; exit 2 ;;
esac
