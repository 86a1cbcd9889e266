#!/bin/bash
# A whole probe changes nothing: no system call of any of its processes could write, flush, drop caches
# or set anything on the device; every descriptor of it is read-only; nothing but reads goes into the
# ring (the kernel's own trace of submissions, where tracefs can be had); and no write, flush or
# discard reaches the drive, which the bed counts.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
bed_need
command -v strace > /dev/null || skip_all "strace is not installed"
bed_up readonly hts725050a9a362 || exit 1
number=$(stat -c '%t:%T' "$dev")

# The trace of who submitted what to rings, where the kernel shows it
tracing=/sys/kernel/tracing
mounted=
[ -d $tracing/events ] || { mount -t tracefs tracefs $tracing 2> /dev/null && mounted=1; }
event=$tracing/events/io_uring/io_uring_submit_req
ring_trace=
if [ -w $event/enable ]; then
    ring_trace=1
    echo > $tracing/trace
    echo 1 > $event/enable
    cat $tracing/trace_pipe > "$tmp/ring" &
    ring_reader=$!
fi

# -X raw keeps opcodes as numbers, so that a name strace does not know cannot hide one
trace="trace=%file,%desc,madvise,ioctl,sync,syncfs,io_uring_setup,io_uring_enter,io_uring_register"
stat_before=$(cat /sys/block/"${dev#/dev/}"/stat)
echo resetlog > "$dir/ctl"
timeout 500 strace -f -qq -y -e "$trace" -e signal=none -o "$tmp/trace" \
    "$PLATTER" probe --json "$dev" > "$tmp/doc.json" 2> "$tmp/err"
rc=$?
case $rc in 0 | 4) rc=fine ;; esac
is "a whole probe under strace ends well" $rc fine
if [ -n "$ring_trace" ]; then
    sleep 0.5
    echo 0 > $event/enable
    kill $ring_reader
    wait $ring_reader 2> /dev/null
fi
[ -z "$mounted" ] || umount $tracing
# a figure is its probe's by its key, or by its method where another one made it better
jq -r '[(.findings | keys[] | sub("[.].*"; "")), (.findings[].method // empty | sub("/.*"; ""))] | unique[]' \
    "$tmp/doc.json" | sort > "$tmp/ran"
"$PLATTER" plan "$dev" | grep -oE '^  [a-z]+ +[0-9.]+ s ' | awk '{ print $1 }' | sort > "$tmp/planned"
ok "the plan has steps" test "$(wc -l < "$tmp/planned")" -ge 10
is "every probe ran" "$(comm -23 "$tmp/planned" "$tmp/ran")" ""
ok "the trace saw reads of the device" grep -qE "pread64\([0-9]+<$dev>" "$tmp/trace"

# what of a trace could change the device, by kind; lines whose descriptor is the device (strace -y
# names it) or that name it
on_device() { grep -E "<$dev(>|<)|\"$dev\"|<char $number>|<block $number>" "$1"; }
calls() { on_device "$1" | grep -E "\\b($2)\\(" | head -5; }
asking='BLKGETSIZE64|BLKGETSIZE|BLKSSZGET|BLKPBSZGET|BLKIOMIN|BLKIOOPT|BLKALIGNOFF|BLKROGET|BLKROTATIONAL|BLKSECTGET|BLKRAGET|BLKBSZGET|BLKGETDISKSEQ|LOOP_GET_STATUS64|LOOP_GET_STATUS|BLKGETZONESZ'
# which kind of line it is, before anything is asked on it
asking="$asking|NVME_IOCTL_ID|SG_GET_VERSION_NUM"
# what libblkid would ask, and the filter refuses before the kernel's drivers see it
refused='(FDGETFDCSTAT|CDROM_[A-Z_]+), .* = -1 EINVAL'
writes() {
    calls "$1" 'write|writev|pwrite64|pwritev2?|sendfile|splice|copy_file_range|fallocate|ftruncate|truncate|mknod|mknodat|unlink|unlinkat'
}
flushes() {
    calls "$1" 'fsync|fdatasync|sync_file_range|syncfs|msync'
    grep -E '\bsync\(\)' "$1" | head -5
}
# libblkid asks for no reading ahead on its own descriptor, which changes nothing but that
advice() { calls "$1" 'fadvise64|posix_fadvise|readahead|madvise' | grep -v 'fadvise64(.*POSIX_FADV_RANDOM)'; }
open_to_write() { calls "$1" 'open|openat|openat2' | grep -v O_RDONLY; }
mapped_to_write() { calls "$1" mmap | grep PROT_WRITE; }
other_ioctls() { on_device "$1" | grep -E '\bioctl\(' | grep -vE ", ($asking)[,)]" | grep -vE ", $refused" | head -5; }
system_settings() { grep -E '\bopen(at|at2)?\(.*"/(sys|proc)/' "$1" | grep -E 'O_(WRONLY|RDWR)' | head -5; }

for kind in writes flushes advice open_to_write mapped_to_write other_ioctls system_settings; do
    is "platter: no $kind" "$($kind "$tmp/trace")" ""
done
ok "opened at all" grep -qE "openat\(.*\"$dev\".*O_RDONLY" "$tmp/trace"

is "the drive saw no write" "$(bed_stat writes)" 0
is "the drive saw no flush" "$(bed_stat flushes)" 0
is "the drive saw no discard" "$(bed_stat discards)" 0
ok "the drive saw reads" test "$(bed_stat reads)" -gt 1000
# write, discard and flush requests at the block layer: fields 5, 12 and 16 of stat
counters() { set -- $1; echo "${5:-0} ${12:-0} ${16:-0}"; }
is "the block layer counted none either" "$(counters "$(cat /sys/block/"${dev#/dev/}"/stat)")" \
    "$(counters "$stat_before")"

method=$(jq -r .settings.queue_method "$tmp/doc.json")
if [ "$method" != io_uring ]; then
    skip "only reads go into the ring" "the queue was kept by $method"
elif [ -n "$ring_trace" ]; then
    # opcodes as the kernel names them; others' rings are told apart by the command's name
    ours=$(grep -E '(platter|reader)' "$tmp/ring" | grep -oE 'opcode [A-Z_0-9]+' | sort | uniq -c)
    like "reads went into the ring" "$ours" 'READ'
    is "only reads went into the ring" "$(grep -vE 'opcode (READ|READ_FIXED|READV)$' <<< "$ours")" ""
else
    # without tracefs: depth above 1 went through the ring, and what reached the device is counted by
    # the bed and by the block layer above, both of which saw reads alone
    skip "only reads go into the ring, by the kernel's own trace" \
        "no io_uring trace events here; judged by the counters of block layer and bed"
    ok "the ring was used" grep -q io_uring_enter "$tmp/trace"
    ok "reads went in deeper than one" test "$(bed_stat max_depth)" -ge 3
fi

# the same eyes on programs that do change something: they must see it (the bed refuses the writes)
strace -f -qq -y -e "$trace" -e signal=none -o "$tmp/planted" sh -c '
    dd if=/dev/zero of="$1" bs=4096 count=1 oflag=direct conv=notrunc,fsync
    dd if="$1" of=/dev/null bs=4096 count=1 iflag=nocache
    blockdev --flushbufs "$1"
    sync
    cat /sys/block/"${1#/dev/}"/queue/read_ahead_kb > "$2"
    cat "$2" > /sys/block/"${1#/dev/}"/queue/read_ahead_kb' sh "$dev" "$tmp/kb" > /dev/null 2>&1
for kind in writes flushes advice open_to_write other_ioctls system_settings; do
    like "planted: $kind are seen" "$($kind "$tmp/planted")" '.'
done
ok "planted: the bed counted the write" test "$(bed_stat writes)" -gt 0
done_testing
