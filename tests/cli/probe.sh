#!/bin/bash
# Simulated drives probed end to end: documents, seeds, limits, recordings, and what is kept out of
# a document.
. tests/tap.sh
python=/usr/bin/python3
sim=sim:hts725050a9a362

valid() { # NAME FILE
    if "$python" -c 'import jsonschema' 2> /dev/null; then
        ok "$1: valid by the schema" "$python" tests/schema/validate.py "$2"
    else
        skip "$1: valid by the schema" "there is no python3-jsonschema"
    fi
}
# what must not differ between two runs of one seed
same_part() { jq -S 'del(.run, .settings.argv, .notes, .identity, .host, .start_time, .end_time)' "$1"; }

# ---- a document of every built-in drive
for drive in $("$PLATTER" sims | awk '$1 !~ /SEED|FILE/ {print $1}'); do
    status "$drive: status" 0 "$PLATTER" probe "$drive" --seed 1 --json
    is "$drive: nothing on stderr" "$err" ""
    cp "$tmp/status.out" "$tmp/doc.json"
    valid "$drive" "$tmp/doc.json"
    ok "$drive: complete, simulated, every finding known or with a reason" jq -e \
        '.complete and .simulated and ([.findings[] | select(.how == "unknown") | .why_not // ""] | all(length > 0))
         and (.findings | length > 20)' "$tmp/doc.json"
done
ok "all of them were met" test $tap_n -gt 50

# ---- the same again, and not the same
"$PLATTER" probe $sim --seed 7 --json > "$tmp/a.json"
"$PLATTER" probe $sim --seed=7 --json > "$tmp/b.json"
is "one seed, one result" "$(same_part "$tmp/a.json")" "$(same_part "$tmp/b.json")"
"$PLATTER" probe $sim --json > "$tmp/b.json"
"$PLATTER" probe $sim --json > "$tmp/c.json"
ok "no seed given: a fresh one, which is told" test \
    "$(jq .settings.seed "$tmp/b.json")" != "$(jq .settings.seed "$tmp/c.json")"
seed=$(jq .settings.seed "$tmp/b.json")
"$PLATTER" probe $sim --seed "$seed" --json > "$tmp/c.json"
is "the seed told repeats the run" "$(same_part "$tmp/b.json")" "$(same_part "$tmp/c.json")"

# ---- time: the drive's own, so that the machine's clock has no end to tell
"$PLATTER" probe $sim --seed 7 --quick --json > "$tmp/d.json"
is "simulated: it begins, and took the drive's time, not the machine's" "$(jq -c '[.run | has("start_time"), has("end_time"), .elapsed_s > 5]' "$tmp/d.json")" '[true,false,true]'

# ---- choices
"$PLATTER" probe $sim --seed 1 --json --quick --probes zones,access --from 10% --to 200GB --runs 4 > "$tmp/d.json"
valid "a region" "$tmp/d.json"
is "only the probes wished" "$(jq -r '[.findings | keys[] | sub("\\..*"; "")] | unique | join(" ")' "$tmp/d.json")" \
    "access zones"
is "the region, effort and runs are told" \
    "$(jq -c '[.settings.from_bytes, .settings.to_bytes, .settings.effort, .settings.runs]' "$tmp/d.json")" \
    '[50010786304,200000000000,"quick",4]'
ok "nothing outside the region" jq -e \
    '[.findings[] | select(.how != "unknown") | .from_bytes >= 50010786304 and .to_bytes <= 200000000000] | all' "$tmp/d.json"
# a small region: no move in it is a third of the stroke
"$PLATTER" probe $sim --seed 1 --json --to 1G > "$tmp/d.json"
is "a region of 0.2 % of the stroke: no longer moves are told of" \
    "$(jq -c '[.findings[("seek.third_stroke_s", "seek.full_stroke_s", "seek.average_s")].how]' "$tmp/d.json")" \
    '["unknown","unknown","unknown"]'
unlike "no head of a chart without one" "$("$PLATTER" show "$tmp/d.json")" 'time (to data )?by distance'
# the outer half of the bytes is 42 % of the tracks: a third of the stroke fits, all of it does not
"$PLATTER" probe $sim --seed 1 --json --to 50% > "$tmp/d.json"
is "half of the drive: a third of the stroke is known, all of it is not, and the sum is" \
    "$(jq -c '[.findings[("seek.third_stroke_s", "seek.full_stroke_s", "seek.average_s", "seek.remainder_s")].how == "unknown"]' "$tmp/d.json")" \
    '[false,true,true,false]'
"$PLATTER" probe --probes seekers --depth 8 --seed 1 --json -- $sim > "$tmp/d.json"
is "depth" "$(jq '.findings["seekers.iops"].depth' "$tmp/d.json")" 8
"$PLATTER" probe --probes sequential --request 64k --seed 1 --json -- $sim > "$tmp/d.json"
is "request" "$(jq '.findings["sequential.bytes_per_s"].request_bytes' "$tmp/d.json")" 65536

# ---- a time limit
status "--max-time too short: measured in part" 4 "$PLATTER" probe $sim --seed 1 --max-time 20ms --json
cp "$tmp/status.out" "$tmp/part.json"
valid "--max-time too short" "$tmp/part.json"
ok "--max-time too short: not complete, the reason is given, nothing is missing" jq -e \
    '(.complete | not) and ([.events[].kind] | index("time_limit"))
     and .findings["buffered.bytes_per_s"].why_not == "the time limit was reached before it was measured"
     and (.findings["access.mean_s"].why_not | startswith("the time limit left no time for it"))
     and .elapsed_s // .run.elapsed_s < 0.2' "$tmp/part.json"
"$PLATTER" probe $sim --seed 1 --json | jq -S '.findings | keys' > "$tmp/keys"
is "--max-time too short: every quantity is spoken of" "$(jq -S '.findings | keys' "$tmp/part.json")" "$(cat "$tmp/keys")"
status "--max-time too short: the report says so" 4 "$PLATTER" probe $sim --seed 1 --max-time 20ms
like "--max-time too short: the report says PARTIAL" "$out" 'PARTIAL: the time limit'
status "--max-time 20s: as --quick, not in part" 0 "$PLATTER" probe $sim --seed 1 --max-time 20s --json
ok "--max-time 20s: what --quick tells is told" jq -e \
    '.complete and .findings["class.kind"].text == "single_spindle" and .findings["rotation.rpm"].value > 7100
     and .findings["seek.full_stroke_s"].value > 0' "$tmp/status.out"
status "--max-time 10s: measured in part" 4 "$PLATTER" probe $sim --seed 1 --max-time 10s --json
ok "--max-time 10s: what there is no time for says how much there had to be" jq -e \
    '(.complete | not) and ([.events[].kind] | index("time_limit")) and .findings["access.mean_s"].value > 0
     and (.findings["seek.average_s"].why_not | test("--max-time of [0-9]+ s or more has it"))' "$tmp/status.out"
"$PLATTER" probe $sim --seed 1 --json --probes sequential,patterns > "$tmp/three.json"
"$PLATTER" probe $sim --seed 1 --json --probes sequential,patterns --runs 100 > "$tmp/hundred.json"
ok "--runs 100: no run is cut short, the figures are narrower" jq -es \
    'def width(k): .findings[k] | (.high - .low) / .value;
     .[0] as $three | .[1] as $hundred
     | ["sequential.bytes_per_s", "patterns.strided_bytes_per_s", "patterns.reread_bytes_per_s"]
     | all(. as $k | ($hundred | width($k)) < ($three | width($k)))' "$tmp/three.json" "$tmp/hundred.json"
for limit in 5s 10s 20s; do
    "$PLATTER" probe $sim --seed 1 --max-time $limit --json > "$tmp/d.json"
    ok "--max-time $limit is kept" jq -e --arg limit ${limit%s} \
        '(.elapsed_s // .run.elapsed_s) <= ($limit | tonumber) + 0.2' "$tmp/d.json"
done

# ---- a document kept and shown again
status "-o: status" 0 "$PLATTER" probe $sim --seed 7 -o "$tmp/kept.json"
report=$out
valid "-o" "$tmp/kept.json"
is "-o: mode 644" "$(stat -c %a "$tmp/kept.json")" 644
status "show: status" 0 "$PLATTER" show "$tmp/kept.json"
is "show: as probe showed it" "$out" "$report"
is "show -: from standard input" "$("$PLATTER" show - < "$tmp/kept.json")" "$report"
status "show --json: status" 0 "$PLATTER" show --json "$tmp/kept.json"
ok "show --json: to the byte" cmp "$tmp/status.out" "$tmp/kept.json"
ok "a report has at most 120 lines" test "$(wc -l <<< "$report")" -le 120

# ---- too little time: the command that has more, where there is one
like "too little time: names --full" "$("$PLATTER" probe --quick --seed 1 $sim | tr -s '\n ' ' ')" \
    'it needs 3688: --full has more time'
is "no report speaks of a longer run" "$("$PLATTER" probe --quick --seed 1 $sim | grep -c 'longer run')" 0
is "--full does not name itself" "$("$PLATTER" probe --full --seed 1 $sim | grep -c -- '--full has')" 0

# ---- a recording is told as one
"$PLATTER" probe --quick --seed 1 --probes access --trace "$tmp/recording" $sim > /dev/null
status "a recording is played" 0 "$PLATTER" probe --quick --seed 1 --probes access "replay:$tmp/recording"
like "a recording: a line says so" "$out" $'\n! RECORDING: an earlier run played back; no drive was read now\.'
like "a recording: this machine did not measure it" "$out" $'\nPlayed back with\n  platter [^L]*seed 1\n'

# ---- several drives
mkdir "$tmp/dir"
status "two drives into a directory: status" 0 "$PLATTER" probe --quick --seed 1 -q -o "$tmp/dir" $sim sim:raid0
is "two drives into a directory: a file each" "$(ls "$tmp/dir" | tr '\n' ' ')" \
    "sim-hts725050a9a362.json sim-raid0.json "
is "-q: no report" "$out$err" ""
"$PLATTER" probe --quick --seed 1 --json $sim sim:raid0 > "$tmp/two.json"
is "two drives, --json: an array of two documents" "$(jq -r '.[].identity.device.name' "$tmp/two.json" | tr '\n' ' ')" "$sim sim:raid0 "
is "one JSON value" "$(jq -s length "$tmp/two.json")" 1
jq '.[0]' "$tmp/two.json" > "$tmp/first.json"
valid "the first of two" "$tmp/first.json"
ok "show --json of two: to the byte" cmp <("$PLATTER" show --json "$tmp/two.json") "$tmp/two.json"
is "show of two: both reports" "$("$PLATTER" show "$tmp/two.json")" "$("$PLATTER" show <(jq '.[0]' "$tmp/two.json"); echo; "$PLATTER" show <(jq '.[1]' "$tmp/two.json"))"
is "two drives, -o -: the same" "$("$PLATTER" probe --quick --seed 1 -o - $sim sim:raid0 | jq length)" 2
status "two drives that are not there: an array of nothing" 3 "$PLATTER" probe --json sim:nonsense sim:neither
is "two drives that are not there: it is JSON" "$(jq -c . <<< "$out")" "[]"
status "one drive of two is not there: 3, the other is measured" 3 "$PLATTER" probe --quick --json sim:nonsense $sim
ok "one drive of two is not there: its document" jq -e 'length == 1 and .[0].complete' "$tmp/status.out"
status "2 comes before 3 and 4" 2 "$PLATTER" probe --quick --max-time 20ms --json sim:nonsense "$tmp" $sim

# ---- a sector that cannot be read
cat > "$tmp/bad.truth" <<'END'
like = hts725050a9a362
fault = eio 0 100M
END
if "$PLATTER" probe --probes sequential --seed 1 --json "sim:$tmp/bad.truth" > "$tmp/bad.json" 2> "$tmp/err"; then rc=0; else rc=$?; fi
is "an unreadable sector: status 1" "$rc" 1
valid "an unreadable sector" "$tmp/bad.json"
ok "an unreadable sector: an event" jq -e '[.events[] | select(.kind == "read_error")] | length > 0' "$tmp/bad.json"

# ---- recordings
status "--trace: status" 0 "$PLATTER" probe $sim --seed 9 --trace "$tmp/run.rec" --json
cp "$tmp/status.out" "$tmp/live.json"
status "replay: status" 0 "$PLATTER" probe "replay:$tmp/run.rec" --seed 9 --json
cp "$tmp/status.out" "$tmp/again.json"
valid "replay" "$tmp/again.json"
is "replay: the same findings" "$(jq -S '.findings, .series' "$tmp/again.json")" "$(jq -S '.findings, .series' "$tmp/live.json")"
status "replay with another seed: cannot measure" 3 "$PLATTER" probe "replay:$tmp/run.rec" --seed 10 --json
like "replay with another seed: which request" "$err" 'request [0-9]+ .*the plan asked'
like "replay with another seed: what to do" "$err" '--seed'
"$PLATTER" probe "replay:$tmp/run.rec" --seed 10 --json 2> /dev/null > "$tmp/d.json"
valid "replay with another seed" "$tmp/d.json"
is "replay with another seed: nothing is shown as measured after that" \
    "$(jq '[.findings | to_entries[] | select(.key | test("^(zones|access|seekers|patterns|sequential)")) | .value.how == "unknown"] | all' "$tmp/d.json")" true
like "replay with another seed: the reason is given" "$(jq -r '.findings["access.mean_s"].why_not' "$tmp/d.json")" 'does not hold this run: .*another seed'
for part in "" .cached; do
    cp "$tmp/run.rec" "$tmp/long.rec"
    cp "$tmp/run.rec.cached" "$tmp/long.rec.cached"
    echo garbage >> "$tmp/long.rec$part"
    status "garbage behind a recording$part: cannot measure" 3 "$PLATTER" probe "replay:$tmp/long.rec" --seed 9 --json
    like "garbage behind a recording$part: says so" "$err" 'goes on for 8 bytes'
    is "garbage behind a recording$part: not complete" "$(jq .complete <<< "$out")" false
done
is "replay with another seed: not complete" "$(jq .complete "$tmp/d.json")" false
head -c 50000 "$tmp/run.rec" > "$tmp/cut.rec"
cp "$tmp/run.rec.cached" "$tmp/cut.rec.cached"
status "a recording cut off: cannot measure" 3 "$PLATTER" probe "replay:$tmp/cut.rec" --seed 9 --json
like "a recording cut off: says so" "$err" 'cut off'

# ---- what is kept out of a document
"$PLATTER" probe "sim:$tmp/bad.truth" --seed 1 --quick --trace="$tmp/x.rec" -o "$tmp/private.json" --json > "$tmp/out.json" 2> /dev/null
for word in "$tmp" "$(hostname 2> /dev/null || cat /etc/hostname)" "${HOME:-/root}"; do
    ok "a document does not hold $word" test -z "$(grep -F -- "$word" "$tmp/private.json")"
done
ok "a recording does not hold the folder" test -z "$(grep -aF -- "$tmp" "$tmp/x.rec")"
is "files in argv without their folders" "$(jq -c '.settings.argv[1:]' "$tmp/private.json")" \
    '["probe","sim:bad.truth","--seed","1","--quick","--trace=x.rec","-o","private.json","--json"]'
"$PLATTER" probe --quick --probes access --json $sim | jq -r .identity.serial_number > "$tmp/masked"
"$PLATTER" probe --quick --probes access --json --show-serial $sim | jq -r .identity.serial_number > "$tmp/whole"
like "a serial number is masked" "$(cat "$tmp/masked")" '^\*+.{4}$'
unlike "unless it is asked for" "$(cat "$tmp/whole")" '\*'

# ---- sims
status "sims --json: status" 0 "$PLATTER" sims --json
is "sims --json: the names sims shows" "$(jq -r '.sims[].name' <<< "$out")" "$("$PLATTER" sims | awk '$1 !~ /SEED|FILE/ {print $1}')"
ok "sims --json: a version" jq -e '.platter_sims.version == [1, 0]' "$tmp/status.out"

# ---- list
status "list: status" 0 "$PLATTER" list
status "list --json: status" 0 "$PLATTER" list --json --all
ok "list --json: a list" jq -e '.platter_list.version == [1, 1] and (.drives | type == "array")' "$tmp/status.out"
# ---- a drive that is labelled slower than it turns
printf '%s\n' 'like = hts725050a9a362' 'reported_rpm = 5400' > "$tmp/label.truth"
status "a drive that turns faster than it says" 0 "$PLATTER" probe --quick --seed 3 --probes rotation "sim:$tmp/label.truth"
like "both speeds stand side by side" "$out" 'nominal speed +7200 rpm, but the drive reports 5400 rpm'
like "beside the measured one" "$out" $'\n  rotation +7(199|200)\.[0-9]+ rpm \+- 0\.'
done_testing
