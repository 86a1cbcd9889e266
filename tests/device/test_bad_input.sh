#!/bin/bash
# What platter says when it is given something else than a healthy drive: one clear sentence, the right
# exit status, and no output that could be taken for a result. And what it does with drives that are
# tiny, go bad, hang or vanish while it reads.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
bed_need
python=$(. scripts/need && python_with jsonschema) || python=python3
chmod 755 "$tmp"

refused() { # NAME STATUS REGEX ARGUMENT…: nothing on stdout, one line on stderr
    local name=$1 want=$2 regex=$3
    shift 3
    status "$name: status $want" "$want" timeout 60 "$PLATTER" probe "$@"
    is "$name: nothing on stdout" "$out" ""
    like "$name: says so" "$err" "$regex"
    # the sentence, and for wrong use where to read on
    ok "$name: in one line" test "$(grep -vc '^Try: ' <<< "$err")" = 1
}

valid() { # NAME FILE
    ok "$1: a valid document" "$python" tests/schema/validate.py "$2"
}

# ---- not a block device
: > "$tmp/file"
mkfifo "$tmp/fifo"
mknod "$tmp/char" c 1 5
refused "a directory" 2 'directory' "$tmp"
refused "a regular file" 2 'losetup' "$tmp/file"
refused "a character device" 2 'character device' "$tmp/char"
refused "a FIFO" 2 '(FIFO|pipe)' "$tmp/fifo"
refused "a missing node" 3 'There is no .*platter list' "$tmp/nothing"
refused "a node without a driver" 3 "$tmp/dead" "$(mknod "$tmp/dead" b 240 77; echo "$tmp/dead")"

# ---- not allowed
truncate -s 64M "$tmp/image"
image_up "$tmp/image"
mknod -m 600 "$tmp/locked" b 7 "${dev#/dev/loop}"
cp "$PLATTER" "$tmp/platter"
chmod 755 "$tmp/platter"
status "no permission: status 3" 3 setpriv --reuid=65534 --regid=65534 --clear-groups \
    "$tmp/platter" probe "$tmp/locked"
is "no permission: nothing on stdout" "$out" ""
like "no permission: what to do" "$err" '(sudo|root|group)'
eacces=$err
blocked=
for d in $(lsblk -dnpo NAME 2> /dev/null); do
    [ "$(id -u)" = 0 ] || break
    if dd if="$d" of=/dev/null bs=512 count=1 2>&1 | grep -q 'not permitted'; then blocked=$d; break; fi
done
if [ -n "$blocked" ]; then
    refused "forbidden even to root" 3 "$blocked" "$blocked"
    ok "forbidden is told apart from no permission" test "${err#*:}" != "${eacces#*:}"
else
    skip "forbidden even to root" "no drive here is"
fi

# ---- sizes
: > "$tmp/zero"
image_up "$tmp/zero"
refused "a drive of size zero" 3 '(size|medium|empty|zero)' "$dev"

sizes=(512 4096 1048576 $((2 * 1048576 - 512)) $((2 * 1048576)) $((2 * 1048576 + 512)) $((5 * 1048576)))
for size in "${sizes[@]}"; do
    truncate -s "$size" "$tmp/tiny$size"
    image_up "$tmp/tiny$size"
    timeout 120 "$PLATTER" probe --quick --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"
    is "$size bytes: ends well" $? 0
    valid "$size bytes" "$tmp/doc.json"
    ok "$size bytes: each unknown has its reason" jq -e \
        '[.findings[] | select(.how == "unknown" and ((.why_not // "") | length) < 10)] | length == 0' \
        "$tmp/doc.json"
    ok "$size bytes: no figure speaks of more than there is" jq -e \
        "[.findings[] | select(.to_bytes? > $size)] | length == 0" "$tmp/doc.json"
    losetup -d "$dev"
done

truncate -s $((3 * 1048576 + 512)) "$tmp/fourk"
image_up "$tmp/fourk" --sector-size 4096
timeout 120 "$PLATTER" probe --quick --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"
is "4Kn with half a sector at its end: ends well" $? 0
valid "4Kn" "$tmp/doc.json"
is "4Kn: its sector size" "$(jq .identity.logical_block_size "$tmp/doc.json")" 4096

# ---- region and names
image_up "$tmp/image"
refused "an offset past the end" 2 '(end|outside|beyond|holds|bytes)' --from 1T "$dev"
ln -s "$dev" "$tmp/alias"
refused "two names of one drive" 2 '(same|one drive|twice)' "$dev" "$tmp/alias"

# ---- a drive that goes bad: the file under the loop device is cut
truncate -s 256M "$tmp/cut"
image_up "$tmp/cut"
truncate -s 192M "$tmp/cut"
timeout 120 "$PLATTER" probe --quick --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"
is "an unreadable tail: status 1" $? 1
valid "an unreadable tail" "$tmp/doc.json"
ok "an unreadable tail: the reads that failed are told" jq -e \
    '[.events[] | select(.kind == "read_error" and .errno == "EIO" and .offset + .length > 201326592)] | length > 0' \
    "$tmp/doc.json"
ok "an unreadable tail: none before it" jq -e \
    '[.events[] | select(.kind == "read_error" and .offset + .length <= 201326592)] | length == 0' \
    "$tmp/doc.json"

# ---- where the result goes
mkdir "$tmp/small"
if mount -t tmpfs -o size=4k tmpfs "$tmp/small" 2> /dev/null; then
    image_up "$tmp/image"
    head -c 4096 /dev/zero > "$tmp/small/filler"
    status "a full disk for -o: status 3" 3 timeout 60 "$PLATTER" probe --quick --probes access \
        -o "$tmp/small/doc.json" "$dev"
    like "a full disk for -o: says so" "$err" '([Nn]o space|full)'
    is "a full disk for -o: no half document" "$(ls "$tmp/small")" filler
    like "a full disk for -o: the report is shown all the same" "$out" '(ms|µs|us)'
    umount "$tmp/small"
else
    skip "a full disk for -o" "no tmpfs may be mounted here"
fi
# shellcheck disable=SC2016
status "stdout closed: status 3" 3 timeout 60 sh -c '"$0" probe --quick --probes access "$1" >&-' \
    "$PLATTER" "$dev"
like "stdout closed: says so" "$err" '.'
# shellcheck disable=SC2016
status "stdout full: status 3" 3 timeout 60 sh -c '"$0" probe --quick --probes access --json "$1" > /dev/full' \
    "$PLATTER" "$dev"
before=$(md5sum < "$tmp/image")
status "-o a block device: refused" 2 timeout 60 "$PLATTER" probe --quick --probes access -o "$dev" "$dev"
is "-o a block device: not written to" "$(md5sum < "$tmp/image")" "$before"

# ---- a drive that vanishes, hangs, or a user who has seen enough
bed_up bad hts725050a9a362 || exit 1
run() { timeout 170 "$PLATTER" probe "$@" --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"; }

run --probes access &
sleep 3
echo remove > "$dir/ctl"
wait $!
rc=$?
echo restore > "$dir/ctl"
# through a loop device a drive that is gone looks like one where every read fails: both are told
case $rc in 1 | 4) rc="1 or 4" ;; esac
is "removed while it is read: status 1 or 4" "$rc" "1 or 4"
like "removed while it is read: says so" "$(cat "$tmp/err")" '.'
valid "removed while it is read" "$tmp/doc.json"
is "removed while it is read: not complete" "$(jq .complete "$tmp/doc.json")" false

echo resetlog > "$dir/ctl"
run --quick --probes access &
sleep 1
echo 'hang 3' > "$dir/ctl"
wait $!
is "a hang of 3 s: ends well" $? 0
valid "a hang of 3 s" "$tmp/doc.json"
ok "a hang of 3 s: is told as the one slow read it was" jq -e \
    '[.events[] | select(.kind == "slow_read" and .took_s > 2.9 and .took_s < 10)] | length == 1' \
    "$tmp/doc.json"

for sig in INT TERM HUP; do
    start=$(date +%s%N)
    # a shell's background job ignores SIGINT; python's child does not
    python3 - "$sig" "$PLATTER" "$dev" "$tmp/doc.json" > "$tmp/rc" <<'END'
import signal, subprocess, sys, time
name, program, device, out = sys.argv[1:]
def restore():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
with open(out, "w") as f:
    p = subprocess.Popen([program, "probe", "--json", device], stdout=f, stderr=subprocess.DEVNULL,
                         preexec_fn=restore)
    time.sleep(4)
    sent = time.monotonic()
    p.send_signal(getattr(signal, "SIG" + name))
    rc = p.wait(60)
print(rc, "soon" if time.monotonic() - sent < 3 else "late")
END
    is "SIG$sig: ends soon, by that signal" "$(cat "$tmp/rc")" \
        "-$(kill -l "$sig") soon"
    valid "SIG$sig" "$tmp/doc.json"
    is "SIG$sig: not complete" "$(jq .complete "$tmp/doc.json")" false
done

# a read that hangs cannot be called back: the first signal waits for it, so that the document is
# whole; a second one does not
"$PLATTER" probe --probes access --json "$dev" > "$tmp/doc.json" 2> "$tmp/err" &
child=$!
sleep 2
echo 'hang 8' > "$dir/ctl"
sleep 0.5
start=$(date +%s)
kill -TERM $child
sleep 1
kill -TERM $child
wait $child
is "SIGTERM twice while the drive hangs: ends by it" $? 143
ok "SIGTERM twice while the drive hangs: at once" test $(($(date +%s) - start)) -le 3

timeout 100 "$PLATTER" probe --max-time 3s --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"
is "--max-time 3s on a drive of 12 ms: status 4 or 0" "$(( $? % 4 ))" 0
valid "--max-time 3s" "$tmp/doc.json"
is "the drive saw no write in all this" "$(bed_stat writes)$(bed_stat flushes)" 00
done_testing
