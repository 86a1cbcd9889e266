#!/bin/bash
# Drives that fail, and bridges that lose half of what a drive says: canned answers in front of a
# loop device, for platter and for smartctl; what both tell of them is compared, and what platter
# asked is held against what may be asked. Root.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../scripts/need"
PATH=$PATH:/usr/sbin:/sbin
skip() {
    echo "1..0"
    echo "ok 1 - canned answers # SKIP $1"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root"
command -v smartctl > /dev/null || skip "no smartctl here"
dir=$(mktemp -d) || exit 2
loop=
trap '[ -z "$loop" ] || losetup -d "$loop"; rm -rf "$dir"' EXIT
${CC:-gcc} -shared -fPIC -O1 -D_GNU_SOURCE -o "$dir/canned.so" "$here/canned.c" -ldl || exit 2
truncate -s 100M "$dir/drive"
loop=$(losetup --find --show --read-only "$dir/drive") || skip "no loop device"
"$(python_with json)" "$here/canned.py" "$dir" "$loop" "$PLATTER"
