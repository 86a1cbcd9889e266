#!/bin/bash
# Drives that sleep: woken only where that was asked for, apart from what is measured, and told.
. tests/tap.sh

printf '%s\n' 'like = hts725050a9a362' 'fault = standby' > "$tmp/asleep.truth"
printf '%s\n' 'like = hts725050a9a362' > "$tmp/awake.truth"
probe() { "$PLATTER" probe --quick --seed 3 --probes access,buffered "$@"; }

status "--no-wake leaves a sleeping drive alone" 3 probe --no-wake "sim:$tmp/asleep.truth"
is "nothing on stdout" "$out" ""
like "it says why, and what else can be done" "$err" \
    '^platter: sim:asleep.truth is asleep and is left so, as --no-wake asks; without it, it is woken'
unlike "and names no folder" "$err" "$tmp"
status "--no-wake measures one that is awake" 0 probe --no-wake "sim:$tmp/awake.truth"
unlike "of which no waking is told" "$out" 'spin-up'
status "without it, it is woken" 0 probe "sim:$tmp/asleep.truth"
like "and the time that took is told" "$out" 'spin-up +it had to be woken: 4\.0 s to the first'
unlike "as no slow read" "$out" 'SLOW READ'
like "and in no figure" "$out" 'mean time +1[3-7]\.[0-9]+ ms'
if command -v jq > /dev/null; then
    probe --json "sim:$tmp/asleep.truth" > "$tmp/doc.json"
    ok "in JSON it is one event" jq -e \
        '[.events[] | select(.kind == "spin_up")] | length == 1 and .[0].took_s > 4 and .[0].took_s < 4.2' "$tmp/doc.json"
    ok "in no read" jq -e '[.series."access.reads".rows[][1]] | max < 0.2' "$tmp/doc.json"
fi
status "a recording wakes nothing" 0 "$PLATTER" probe --quick --seed 3 --probes access --trace "$tmp/t" "sim:$tmp/asleep.truth"
status "and can be played with --no-wake" 0 "$PLATTER" probe --quick --seed 3 --probes access --no-wake "replay:$tmp/t"
like "with the waking of then" "$out" 'spin-up +it had to be woken: 4\.0 s'

if command -v strace > /dev/null; then
    # the leak sanitizer cannot work while a program is traced
    ASAN_OPTIONS=detect_leaks=0 strace -f -o "$tmp/strace" "$PLATTER" list --all > "$tmp/out" 2>&1
    is "list ends well" $? 0
    is "it opens no device" "$(grep -E 'open(at)?\(.*"/dev/' "$tmp/strace" | grep -vE '"/dev/(null|urandom|tty)"')" ""
    is "and sends no command to one" "$(grep -E 'ioctl\(.*(SG_IO|NVME|HDIO|BLK)' "$tmp/strace")" ""
else
    skip "list opens no device" "there is no strace"
fi

# ---- what quickstart would read unasked
drive() { # NAME MORE…
    local name=$1
    shift
    printf '{"name": "%s", "size_bytes": 1000, "whole": true, "readable": true%s}' "$name" "$*"
}
chosen() {
    printf '{\n  "platter_list": {"version": [1, 0]},\n  "drives": [\n%s\n  ]\n}\n' \
        "$(paste -sd, <<< "$(printf '%s\n' "$@")")" | scripts/awake-drives | paste -sd' '
}
awake=', "asleep": false' asleep=', "asleep": true'
is "a drive that is awake is chosen" "$(chosen "$(drive /dev/sda "$awake")")" /dev/sda
is "one that sleeps is not" "$(chosen "$(drive /dev/sda "$asleep")" "$(drive /dev/sdb "$awake")")" /dev/sdb
is "nor one that may sleep" "$(chosen "$(drive /dev/sda)" "$(drive /dev/sdb "$awake")")" /dev/sdb
is "nor one that fails" "$(chosen "$(drive /dev/sda "$awake"', "failing": true')")" ""
is "nor a loop device" "$(chosen "$(drive /dev/loop0 "$awake")")" ""
is "nor one that may not be read" "$(chosen "$(drive /dev/sda "$awake" | sed 's/"readable": true/"readable": false/')")" ""
"$PLATTER" list --json > "$tmp/list.json"
ok "it reads what list writes" scripts/awake-drives < "$tmp/list.json"
done_testing
