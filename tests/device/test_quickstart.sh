#!/bin/bash
# The first of the two commands, as a person types it: on a bed drive, a second time, without a
# network, and leaving nothing of root's in somebody else's checkout.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
bed_need
command -v git > /dev/null || skip_all "git is not installed"
bed_up quick hts725050a9a362 || exit 1

git -c safe.directory='*' ls-files -zco --exclude-standard | xargs -0r ls -d 2> /dev/null | tar -cf "$tmp/tree.tar" -T -
mkdir "$tmp/clone"
tar -xf "$tmp/tree.tar" -C "$tmp/clone"
chmod 755 "$tmp"
chown -R 65534:65534 "$tmp/clone"

env -u MAKEFLAGS -u MAKELEVEL -u B SUDO_UID=65534 SUDO_GID=65534 timeout 400 \
    "$tmp/clone/scripts/quickstart" "$dev" > "$tmp/out" 2> "$tmp/err"
is "quickstart on a drive ends well" $? 0
out=$(cat "$tmp/out")
[ -s "$tmp/out" ] || sed 's/^/# /' "$tmp/err"
like "it names the drive" "$out" "$dev"
like "it shows rates" "$out" 'MB/s'
like "it says that the drive is simulated" "$out" '(SIMULATED|[Ss]imulated)'
ok "it fits on a page or so" test "$(wc -l < "$tmp/out")" -le 124
is "nothing in the checkout became root's" "$(find "$tmp/clone" ! -uid 65534 | head -3)" ""
is "it wrote nothing to the drive" "$(bed_stat writes)$(bed_stat flushes)" 00

# without a network, a package manager or another user's rights: all is there already
start=$(date +%s)
unshare --net setpriv --reuid=65534 --regid=65534 --clear-groups env -u MAKEFLAGS -u MAKELEVEL -u B \
    PATH=/usr/bin:/bin timeout 300 "$tmp/clone/scripts/quickstart" sim:hts725050a9a362 \
    > "$tmp/out" 2> "$tmp/err"
is "again, as nobody and without a network" $? 0
unlike "nothing is installed then" "$(cat "$tmp/err")" 'installing'
ok "and nothing is built again" test $(($(date +%s) - start)) -le 20

setpriv --reuid=65534 --regid=65534 --clear-groups env -u B PATH=/usr/bin:/bin timeout 300 \
    "$tmp/clone/scripts/quickstart" > "$tmp/out" 2> "$tmp/err"
is "without a device and without rights it still ends well" $? 0
like "and says what it shows instead" "$(cat "$tmp/out")" 'showing a simulated drive'
status "a strange option is refused" 2 "$tmp/clone/scripts/quickstart" --format
done_testing
