#!/bin/bash
# What the platform makes of drives that are not what they were, or not what they seem: pulled out in
# the middle, read through a page cache below, one file under two names, slow to open.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/bed.sh
bed_need
command -v jq > /dev/null || skip_all "there is no jq"

# ---- pulled out in the middle; its node still stands
bed_up gone hts725050a9a362 || exit 1
"$PLATTER" probe --quick --json "$dev" > "$tmp/gone.json" 2> "$tmp/err" &
child=$!
sleep 3
scripts/bed ctl "t$$-gone" remove
start=$SECONDS
wait $child
is "pulled out: status 4" $? 4
ok "pulled out: it ends at once" test $((SECONDS - start)) -le 3
like "pulled out: says so" "$(cat "$tmp/err")" 'platter: .'
is "pulled out: one event for it, and no bad sector" \
    "$(jq -c '[.events[].kind | select(. == "drive_gone" or . == "read_error")]' "$tmp/gone.json")" '["drive_gone"]'
ok "pulled out: not complete, and what is missing is for that reason" jq -e \
    '(.complete | not) and ([.findings[] | select(.why_not == "the drive was lost")] | length > 0)' "$tmp/gone.json"

# ---- slow to open
bed_up slow hts725050a9a362 || exit 1
scripts/bed ctl "t$$-slow" 'hang 3'
start=$SECONDS
"$PLATTER" probe --quick --max-time 6s --probes access --json "$dev" > "$tmp/slow.json" 2> "$tmp/err"
like "slow to open: a note says how long that took" "$(jq -r '.notes[]' "$tmp/slow.json")" 'Opening the drive took [23]'
ok "slow to open: the time limit holds all the same" test $((SECONDS - start)) -le 8
ok "slow to open: beginning and end are the clock's" jq -e \
    '.run | ((.end_time | fromdateiso8601) - (.start_time | fromdateiso8601)) as $wall | $wall >= .elapsed_s and $wall >= 2' "$tmp/slow.json"

# ---- a loop device that goes through the page cache of the file below
truncate -s 64M "$tmp/image"
if image_up "$tmp/image" --direct-io=off && cached=$dev && image_up "$tmp/image" --direct-io=off; then
    again=$dev
    status "cached below: status" 0 "$PLATTER" probe --quick --max-time 5s --json --probes access "$cached"
    is "cached below: the settings tell" "$(jq -r .settings.direct <<< "$out")" below_cached
    like "cached below: a note tells what to do" "$(jq -r '.notes[]' <<< "$out")" 'losetup --direct-io=on'
    ok "cached below: so does every figure" jq -e '[.findings[] | select(.how != "unknown") | .cached] | length > 0 and all' "$tmp/status.out"
    status "one file under two loop devices is one drive" 2 "$PLATTER" probe "$cached" "$again"
    like "one file under two loop devices: says so" "$err" 'same drive'
else
    skip "cached below" "no loop device can be had"
fi
done_testing
