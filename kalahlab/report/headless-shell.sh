#!/bin/sh
# Chromium with the libraries and fonts that lie beside it; its sandbox needs a user namespace.
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
unshare --user true 2>/dev/null || set -- --no-sandbox "$@"
exec "$here/chromium" "$@"
